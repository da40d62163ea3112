# SPDX-License-Identifier: GPL-3.0-or-later
# Every text file: a licence line on top of what we wrote, no blanks at ends of lines, no carriage
# returns, a newline at the end, tabs only where the language wants them, no unfinished business. What
# tests print beside their results is a comment of TAP.
. "$(dirname -- "$0")/lib.sh"

# Recorded and binary data are as they came.
data='^tests/(data|fuzz/corpus)/|^tests/golden/.*\.(txt|tsv|json|jsonl|csv)$|\.(gz|dtb|dat|svg|cast)$'

licensed='\.(c|h|sh|awk|scd)$|(^|/)meson(_options)?\.(build|txt)$|^tools/[a-z-]+$|^\.ci/run$'

# Marks of unfinished work, and folders that exist on one person's machine only.
marks='(^|[^A-Za-z.])(TODO|FIXME|XXX|HACK)([^A-Za-z]|$)'
places='(^|[^A-Za-z0-9_.])/(home|root|work|Users)/[A-Za-z]'

check()
{
	files "$licensed" | grep -v -E "$data" | (cd "$root" && xargs awk '
		FNR == 1 {
			if (f != "" && !licensed) {
				print f ": no SPDX line"
			}
			f = FILENAME
			licensed = 0
		}
		FNR <= 2 && /SPDX-License-Identifier: GPL-3.0-or-later/ { licensed = 1 }
		END {
			if (f != "" && !licensed) {
				print f ": no SPDX line"
			}
		}')
	files "$licensed" | grep -v -E "$data" | while read -r f; do
		[ -s "$root/$f" ] || echo "$f: no SPDX line, nor anything else"
	done
	files . | grep -v -E "$data" | (cd "$root" && xargs awk -v marks="$marks" -v places="$places" '
		FNR == 1 {
			f = FILENAME
			ours = f ~ /^tests\/style\//
			spaced = f ~ /(\.(md|json)|meson\.build|meson_options\.txt|CODE-MAP)$/
			c = f ~ /\.(c|h)$/
		}
		/\r/ { print f ":" FNR ": carriage return" }
		/[ \t]$/ { print f ":" FNR ": blank at the end of the line" }
		c && /^ +\t/ { print f ":" FNR ": blank before a tab" }
		spaced && /\t/ { print f ":" FNR ": tab" }
		c && /print_message\("[^#]/ { print f ":" FNR ": not in a comment of TAP: begin with # " }
		c && /^\t+skip\(\);/ { print f ":" FNR ": skip() of cmocka says not ok; print and return" }
		!ours && $0 ~ marks { print f ":" FNR ": unfinished: " $0 }
		!ours && $0 ~ places { print f ":" FNR ": one machine'\''s folder: " $0 }')
	files . | grep -v -E "$data" | while read -r f; do
		if [ -s "$root/$f" ] && [ -n "$(tail -c 1 "$root/$f")" ]; then
			echo "$f: no newline at the end"
		fi
	done
}

self_test()
{
	printf '/* SPDX-License-Identifier: GPL-3.0-or-later */\n\tint x;\n' | plant src/a.c
	printf 'binary \r\n\t \n' | plant tests/data/x.txt
	printf '# words\n' | plant README.md
	must_be_clean
	printf 'int x;\n' | catches src/b.c 'no SPDX'
	printf 'words \n' | catches docs/b.md 'blank at the end'
	printf 'words\r\n' | catches docs/b.md 'carriage'
	printf 'words' | catches docs/b.md 'no newline'
	printf 'a\tb\n' | catches docs/b.md 'tab'
	printf '/* SPDX-License-Identifier: GPL-3.0-or-later */\n/* TODO: more */\n' |
		catches src/b.c 'unfinished'
	printf '/* SPDX-License-Identifier: GPL-3.0-or-later */\n\tprint_message("x");\n' |
		catches tests/unit/b.c 'TAP'
	printf '/* SPDX-License-Identifier: GPL-3.0-or-later */\n\tskip();\n' |
		catches tests/unit/b.c 'not ok'
	printf 'see /home/me/notes\n' | catches docs/b.md 'folder'
	must_be_clean
}

style_main "$@"
