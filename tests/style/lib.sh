# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the style checkers. POSIX sh.
#
# A checker defines check(), which prints one line for each breach in the tree $root and nothing
# else, and self_test(), which plants breaches in a small tree of its own and demands to see them.
# Its last line is `style_main "$@"`: with --self-test that runs self_test, otherwise check over the
# tree named by the first argument.

LC_ALL=C
export LC_ALL

# Tracked files that match the extended regular expression, relative to $root.
files()
{
	(
		cd "$root" || exit 1
		if [ -e .git ]; then
			git -c safe.directory='*' ls-files
		else
			find . -type f | sed 's|^\./||' | sort
		fi | grep -E -- "$1" | while read -r f; do
			# A file that was removed but not yet committed is none.
			[ ! -f "$f" ] || printf '%s\n' "$f"
		done
	)
}

die()
{
	printf '%s\n' "$*" >&2
	exit 1
}

# plant FILE: writes standard input to a file of the trial tree.
plant()
{
	mkdir -p "$root/$(dirname -- "$1")"
	cat >"$root/$1"
}

unplant()
{
	rm -f "$root/$1"
}

must_be_clean()
{
	out=$(check)
	[ -z "$out" ] || die "self-test: complaint about a clean tree: $out"
}

# must_see PATTERN: the planted breach is reported.
must_see()
{
	out=$(check)
	printf '%s\n' "$out" | grep -q -e "$1" ||
		die "self-test: nothing like '$1' was reported, but: ${out:-nothing}"
}

# catches FILE PATTERN: plants standard input, wants it seen, takes it away again.
catches()
{
	plant "$1"
	must_see "$2"
	unplant "$1"
}

skip()
{
	printf '%s\n' "skipped: $*"
	exit 77
}

style_main()
{
	# The builds of the checkers are plain, whatever the suite itself runs under.
	unset CFLAGS LDFLAGS
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/style.XXXXXX") || exit 1
	trap 'rm -rf "$scratch"' EXIT
	if [ "$1" = --self-test ]; then
		real_root=$2
		root=$scratch/tree
		mkdir -p "$root"
		self_test
		exit 0
	fi
	root=$1
	shift
	out=$(check "$@")
	if [ -n "$out" ]; then
		die "$out"
	fi
}
