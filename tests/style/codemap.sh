# SPDX-License-Identifier: GPL-3.0-or-later
# docs/CODE-MAP has one line for each file and each line has its file; no repeats.
. "$(dirname -- "$0")/lib.sh"

# Sources, scripts, pages and documents; not data, lists of the build or dot files.
mapped='^(include|src|tests|tools|man)/.*\.(c|h|sh|awk|scd)$|^tools/[a-z-]+$|^(docs/.*|[A-Z-]+)\.md$|^\.ci/run$'

check()
{
	map=$root/docs/CODE-MAP
	awk '{ print $1 }' "$map" | sort >"$scratch/listed.all"
	uniq "$scratch/listed.all" >"$scratch/listed"
	files "$mapped" | grep -v '^tests/data/' | sort >"$scratch/present"
	uniq -d "$scratch/listed.all" | sed 's/$/: listed twice in docs\/CODE-MAP/'
	comm -13 "$scratch/listed" "$scratch/present" | sed 's/$/: no line in docs\/CODE-MAP/'
	comm -23 "$scratch/listed" "$scratch/present" | while read -r f; do
		[ -f "$root/$f" ] || echo "docs/CODE-MAP: $f is no file"
	done
	awk 'NF < 2 { print "docs/CODE-MAP:" NR ": no phrase" }
		length($0) > 110 { print "docs/CODE-MAP:" NR ": a phrase, not a paragraph" }' "$map"
}

self_test()
{
	plant src/a.c </dev/null
	plant tools/b </dev/null
	printf 'src/a.c   the first\ntools/b   the second\n' | plant docs/CODE-MAP
	must_be_clean
	catches src/c.c 'src/c.c: no line' </dev/null
	printf 'src/a.c   the first\nsrc/z.c  gone\ntools/b   the second\n' | plant docs/CODE-MAP
	must_see 'src/z.c is no file'
	printf 'src/a.c   x\nsrc/a.c   y\ntools/b   z\n' | plant docs/CODE-MAP
	must_see 'src/a.c: listed twice'
	printf 'src/a.c\ntools/b   the second\n' | plant docs/CODE-MAP
	must_see 'no phrase'
}

style_main "$@"
