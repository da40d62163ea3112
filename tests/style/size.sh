# SPDX-License-Identifier: GPL-3.0-or-later
# Files of at most 600 lines, functions of at most 60 lines and 5 parameters.
. "$(dirname -- "$0")/lib.sh"

file_max=600
function_max=60
parameters_max=5

# Functions that may be longer, "name reason": switches of parsers, one case a token.
long_functions=''

check()
{
	files '\.(c|h|sh|awk)$|^tools/[a-z-]+$' | grep -v '^tests/data/' | (cd "$root" && xargs awk \
		-v fmax="$file_max" -v max="$function_max" -v pmax="$parameters_max" \
		-v excused=" $(printf '%s' "$long_functions" | awk '{ printf "%s ", $1 }')" '
		function parameters(s,    i, c, depth, n) {
			depth = 0
			n = 1
			for (i = 1; i <= length(s); i++) {
				c = substr(s, i, 1)
				if (c == "(") {
					depth++
				} else if (c == ")") {
					if (--depth == 0) {
						break
					}
				} else if (c == "," && depth == 1) {
					n++
				}
			}
			return n
		}
		function end_of_file() {
			if (count > fmax) {
				print f ": " count " lines"
			}
		}
		FNR == 1 {
			end_of_file()
			f = FILENAME
			c = f ~ /\.[ch]$/
			collecting = inside = 0
		}
		{ count = FNR }
		!c { next }
		/^[A-Za-z_].*\(/ && !/[;{]$/ && !/^(typedef|#)/ { head = ""; at = FNR; collecting = 1 }
		collecting && !/^\{/ { head = head " " $0 }
		/;$/ && collecting { collecting = 0 }
		/^\{/ && collecting {
			collecting = 0
			inside = FNR
			name = head
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			if (parameters(head) > pmax) {
				print f ":" at ": " name " has " parameters(head) " parameters"
			}
		}
		/^\}/ && inside {
			lines = FNR - inside - 1
			if (lines > max && !index(excused, " " name " ")) {
				print f ":" at ": " name " has " lines " lines"
			}
			inside = 0
		}
		END { end_of_file() }')
}

# lines N: that many statements.
lines()
{
	awk -v n="$1" 'BEGIN { while (n-- > 0) print "\tx++;" }'
}

self_test()
{
	{
		echo 'static int f(int a, int b, int (*c)(int, int),'
		echo '	int d, int e)'
		echo '{'
		lines 60
		echo '}'
		echo 'static const int table[] = {'
		lines 70
		echo '};'
	} | plant src/a.c
	must_be_clean
	{
		echo 'int long_one(int a)'
		echo '{'
		lines 61
		echo '}'
	} | catches src/b.c 'b.c:1: long_one has 61 lines'
	{
		echo 'struct x *many(int a, int b, int c,'
		echo '	int d, int e, int f)'
		echo '{'
		echo '}'
	} | catches src/b.c 'many has 6 parameters'
	lines 601 | catches src/b.c '601 lines'
	lines 600 | plant src/b.c
	must_be_clean
}

style_main "$@"
