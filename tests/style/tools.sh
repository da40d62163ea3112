# SPDX-License-Identifier: GPL-3.0-or-later
# The two commands: scripts parse, may be executed, and the table of packages has all its columns.
. "$(dirname -- "$0")/lib.sh"

columns=9

check()
{
	files '\.sh$|^tools/[a-z-]+$|^\.ci/run$' | while read -r f; do
		sh -n "$root/$f" 2>"$scratch/out" || echo "$f: $(head -n 1 "$scratch/out")"
	done
	files '^tools/[a-z-]+$|^\.ci/run$' | while read -r f; do
		[ -x "$root/$f" ] || echo "$f: may not be executed"
	done
	grep -q 'tools/check' "$root/.ci/run" || echo ".ci/run does not run tools/check"
	awk -v want="$columns" '
		/^TABLE$/ { inside = 0 }
		inside && !/^#/ && NF != want { print "tools/lib.sh:" NR ": " NF " columns of " want }
		inside && !/^#/ && $3 !~ /^(cmd|pc|cc|inc|san):/ {
			print "tools/lib.sh:" NR ": no probe " $3
		}
		/TABLE.$/ { inside = 1 }' "$root/tools/lib.sh"
}

self_test()
{
	printf 'exec tools/check\n' | plant .ci/run
	printf "cat <<'TABLE'\n#group\nrun a cmd:a 4 5 6 7 8 9\nTABLE\n" | plant tools/lib.sh
	chmod +x "$root/.ci/run"
	must_be_clean
	printf "cat <<'TABLE'\nrun a cmd:a 4 5 6\nTABLE\n" | catches tools/lib.sh '6 columns of 9'
	printf "cat <<'TABLE'\nrun a what 4 5 6 7 8 9\nTABLE\n" | catches tools/lib.sh 'no probe what'
	printf 'if true\n' | catches tools/lib.sh 'tools/lib.sh: '
	printf "cat <<'TABLE'\nTABLE\n" | plant tools/lib.sh
	printf 'true\n' | catches tools/thing 'may not be executed'
	printf 'true\n' | plant .ci/run
	must_see 'does not run tools/check'
}

style_main "$@"
