# SPDX-License-Identifier: GPL-3.0-or-later
# Every header compiles alone, has an include guard that no other has, and is included first by
# the source of its name. Lists to be expanded by their includers say "No include guard".
. "$(dirname -- "$0")/lib.sh"

CC=${CC:-cc}

flags_of()
{
	echo -std=c17 -fsyntax-only -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -Wall -Wextra
}

check()
{
	set -- "-I$root/include"
	for layer in model io app view tui cli; do
		set -- "$@" "-I$root/src/$layer"
	done
	set -- "$@" "-I$root/tests/support" "-I$root/tests/fuzz"
	: >"$scratch/guards"
	files '^(include|src|tests)/.*\.h$' | grep -v '^tests/data/' | while read -r f; do
		if head -n 5 "$root/$f" | grep -q 'No include guard'; then
			continue
		fi
		guard=$(awk '/^#ifndef/ { print $2; exit }' "$root/$f")
		if [ -z "$guard" ] || ! grep -q "^#define $guard\$" "$root/$f"; then
			echo "$f: no include guard"
		elif grep -q "^$guard " "$scratch/guards"; then
			echo "$f: guard $guard is taken by $(awk -v g="$guard" '$1 == g { print $2 }' "$scratch/guards")"
		fi
		echo "$guard $f" >>"$scratch/guards"
		case $f in
		*/tui/*)
			# Without curses on the machine its own headers cannot be judged.
			pkg-config --exists ncursesw readline 2>/dev/null || continue
			;;
		esac
		# shellcheck disable=SC2046  # flags are words
		printf '#include "%s"\n' "$root/$f" | $CC $(flags_of) "$@" -x c - >"$scratch/out" 2>&1 || {
			echo "$f: does not compile alone: $(grep -m 1 -E 'error' "$scratch/out")"
		}
	done
	files '^src/.*\.c$' | while read -r f; do
		own=$(basename "$f" .c).h
		first=$(awk '/^#[ \t]*include/ { print $2; exit }' "$root/$f")
		if [ -f "$root/$(dirname "$f")/$own" ]; then
			[ "$first" = "\"$own\"" ] || echo "$f: does not include its own $own first"
		elif [ -f "$root/include/zonelab/$own" ]; then
			[ "$first" = "\"zonelab/$own\"" ] || echo "$f: does not include its own zonelab/$own first"
		fi
	done
}

self_test()
{
	printf '#ifndef A_H\n#define A_H\n#include <stdint.h>\nuint8_t f(void);\n#endif\n' |
		plant include/zonelab/a.h
	printf '/* x */\n/* No include guard: a list. */\nROW(1)\n' | plant include/zonelab/list.h
	printf '#include "zonelab/a.h"\n#include <string.h>\n' | plant src/model/a.c
	must_be_clean
	printf '#ifndef B_H\n#define B_H\nuint8_t f(void);\n#endif\n' |
		catches src/app/b.h 'does not compile alone'
	printf 'int f(void);\n' | catches src/app/b.h 'no include guard'
	printf '#ifndef A_H\n#define A_H\n#endif\n' | catches src/app/b.h 'is taken by include/zonelab/a.h'
	printf '#include <string.h>\n#include "zonelab/a.h"\n' | plant src/model/a.c
	must_see 'does not include its own'
}

style_main "$@"
