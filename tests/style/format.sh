# SPDX-License-Identifier: GPL-3.0-or-later
# clang-format 14 changes nothing. Other versions break lines elsewhere and are no judges.
. "$(dirname -- "$0")/lib.sh"

tool=
for name in clang-format-14 clang-format; do
	if command -v "$name" >/dev/null 2>&1 && "$name" --version | grep -q 'version 14\.'; then
		tool=$name
		break
	fi
done
[ -n "$tool" ] || skip "clang-format 14 is not here"

check()
{
	files '\.[ch]$' | (cd "$root" && xargs "$tool" --dry-run -Werror 2>&1) |
		sed -n 's/: error: .*/: clang-format -i puts it right/p' | awk -F: '!seen[$1]++'
}

self_test()
{
	cp "$real_root/.clang-format" "$root/.clang-format"
	printf 'int f(int x)\n{\n\treturn x + 1;\n}\n' | plant src/a.c
	must_be_clean
	printf 'int f(int x) {\n    return x+1;\n}\n' | catches src/b.c 'b.c:1'
	must_be_clean
}

style_main "$@"
