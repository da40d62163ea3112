# SPDX-License-Identifier: GPL-3.0-or-later
# No mutable object with static storage below the front ends: the archives are judged, not the
# source. Const tables of pointers live in .data.rel.ro and are fine. Needs archives from a build
# without sanitizers, which put counters of their own there.
#
#   statics.sh ROOT ARCHIVE...
. "$(dirname -- "$0")/lib.sh"

# Named exceptions, "symbol reason". None so far; readline's state lives in tui/, which is not judged.
exceptions=''

# Symbols that are objects of at least one byte in a writable section.
mutable()
{
	objdump -t "$1" | awk -v archive="$(basename "$1")" -v exceptions="$exceptions" '
		/: +file format / { member = $1; sub(/:$/, "", member) }
		NF >= 4 {
			# value flags... section <tab> size name; the section stands before the tab.
			n = split($0, half, "\t")
			if (n != 2) {
				next
			}
			k = split(half[1], word, " ")
			split(half[2], rest, " ")
			section = word[k]
			if (section !~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ || section ~ /^\.data\.rel\.ro/) {
				next
			}
			# Section symbols and compiler marks have no size of their own.
			if (rest[1] ~ /^0+$/ || rest[2] == section) {
				next
			}
			if (index(" " exceptions " ", " " rest[2] " ")) {
				next
			}
			print archive ": " member ": " rest[2] " is mutable (" section ")"
		}'
}

check()
{
	for archive in "$@"; do
		if [ ! -f "$archive" ]; then
			echo "$archive: no such archive"
		else
			mutable "$archive"
		fi
	done
}

archive_of()
{
	plant t.c
	rm -f "$root/t.a" "$root/t.o"
	# shellcheck disable=SC2086  # no flag or one
	cc -fno-common $2 -c -o "$root/t.o" "$root/t.c" 2>/dev/null || die "self-test: no compiler"
	ar rc "$root/t.a" "$root/t.o"
	out=$(check "$root/t.a")
	case $1 in
	clean) [ -z "$out" ] || die "self-test: complaint about a clean archive: $out" ;;
	*) printf '%s\n' "$out" | grep -q -e "$1" || die "self-test: $1 was not caught ($out)" ;;
	esac
}

self_test()
{
	archive_of clean <<'T'
static const char *const words[] = {"a", "b"};
static int twice(int x) { return 2 * x; }
int (*const table[])(int) = {twice};
const char *word(int i) { return words[i & 1]; }
T
	archive_of counter <<'T'
int next(void) { static int counter; return ++counter; }
T
	archive_of level <<'T'
int level = 3;
T
	archive_of names <<'T'
const char *names[] = {"a", "b"};
T
	archive_of pool -fcommon <<'T'
int pool[8];
T
	archive_of mine <<'T'
_Thread_local int mine;
T
	out=$(check "$root/absent.a")
	[ -n "$out" ] || die "self-test: an absent archive was not reported"
}

style_main "$@"
