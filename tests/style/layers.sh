# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include and call what: arrows point down only.
. "$(dirname -- "$0")/lib.sh"

model_headers='stdint|stdbool|stddef|limits|string|assert|errno|stdarg'

# Names of the layers below and including one, lowest first; main.c sees all.
layers_of()
{
	case $1 in
	model) echo model ;;
	io) echo model io ;;
	app) echo model io app ;;
	view) echo model io app view ;;
	tui) echo model io app view tui ;;
	cli) echo model io app view cli ;;
	*) echo model io app view tui cli ;;
	esac
}

# Prints "file:include" for the includes in the files of a pattern; one file of a folder speaks for
# all that include the same, but public headers each for themselves.
includes()
{
	files "$1" | (cd "$root" && xargs awk '
		/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
			what = $0
			sub(/^[ \t]*#[ \t]*include[ \t]*/, "", what)
			sub(/[>"][^>"]*$/, substr(what, 1, 1) == "<" ? ">" : "\"", what)
			folder = FILENAME
			if (folder ~ /^src\//) {
				sub(/[^\/]*$/, "", folder)
			}
			if (!seen[folder, what]++) {
				print FILENAME ":" what
			}
		}')
}

# A public header is io's when io has its source and model has none.
is_io_header()
{
	stem=$(basename "$1" .h)
	[ ! -f "$root/src/model/$stem.c" ] &&
		{ [ -f "$root/src/io/$stem.c" ] || grep -q -E '^#include <stdio.h>' "$root/include/$1"; }
}

check_quoted()
{
	layer=$1
	f=$2
	h=$3
	case $h in
	*../*) echo "$f: \"$h\": no way up through folders" ;;
	zonelab/*)
		if [ "$layer" = model ] && [ -f "$root/include/$h" ] && is_io_header "$h"; then
			echo "$f: \"$h\" is a header of io"
		fi
		;;
	*)
		if [ -f "$root/src/$layer/$h" ]; then
			return
		fi
		for below in model io app view tui cli; do
			case " $(layers_of "$layer") " in
			*" $below "*) ;;
			*)
				if [ -f "$root/src/$below/$h" ]; then
					echo "$f: \"$h\" is a header of $below, which is not below $layer"
				fi
				;;
			esac
		done
		;;
	esac
}

check_system()
{
	layer=$1
	f=$2
	h=$3
	case $h in
	*curses* | readline/* | panel.h | menu.h | form.h | term.h)
		[ "$layer" = tui ] || echo "$f: <$h> belongs to tui alone"
		;;
	cjson/* | cJSON.h | zlib.h | libfdt.h | fdt.h)
		[ "$layer" = io ] || echo "$f: <$h> belongs to io alone"
		;;
	time.h | sys/time.h)
		case $layer in
		model | io | app | view) echo "$f: <$h>: no clock below the front ends" ;;
		esac
		;;
	unistd.h | fcntl.h | dirent.h | sys/stat.h | glob.h)
		case $layer in
		model | app | view) echo "$f: <$h>: only io and the front ends touch files" ;;
		esac
		;;
	esac
	if [ "$layer" = model ] && ! printf '%s' "$h" | grep -q -E "^($model_headers)\.h$"; then
		echo "$f: <$h> is not for the pure model"
	fi
}

check_includes()
{
	includes '^(src/.*|include/zonelab/.*)\.[ch]$' | while IFS=: read -r f what; do
		h=${what#?}
		h=${h%?}
		case $f in
		src/*/*) layer=${f#src/} && layer=${layer%%/*} ;;
		include/*) layer=public ;;
		*) layer=main ;;
		esac
		case $layer:$what in
		public:'"zonelab/'*)
			if is_io_header "$h" && ! is_io_header "${f#include/}"; then
				echo "$f: \"$h\" is a header of io"
			fi
			;;
		public:\"*) echo "$f: \"$h\": a public header includes only public ones" ;;
		public:*)
			layer=model
			if is_io_header "${f#include/}"; then
				layer=io
			fi
			check_system "$layer" "$f" "$h"
			;;
		*:\"*) check_quoted "$layer" "$f" "$h" ;;
		*) check_system "$layer" "$f" "$h" ;;
		esac
	done
}

# forbid PATTERN-OF-FILES FUNCTIONS WHY: calls that a layer may not make.
forbid()
{
	files "$1" | (cd "$root" && xargs awk -v names="$2" -v why="$3" '
		{
			line = $0
			if (index(line, "(") == 0) {
				next
			}
			gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
			sub(/\/\*.*/, "", line)
			sub(/^[ \t]*\*.*/, "", line)
			if (match(line, "(^|[^A-Za-z0-9_.>])(" names ")[ \t]*\\(")) {
				print FILENAME ":" FNR ": " why ": " $0
			}
		}')
}

check()
{
	check_includes
	forbid '^src/(model|app|view)/.*\.[ch]$' \
		'fopen|freopen|fdopen|popen|tmpfile|mkstemp|opendir|gzopen|creat|unlink|rename|remove' \
		'only io and the front ends touch files'
	# trace_dat.c lets a child try what a library of others may die of.
	forbid '^src/(model|app|view|io/([a-su-z]|t[a-qs-z]|trace_[a-ce-z]|trace\.))[^ ]*\.[ch]$' \
		'printf|vprintf|puts|putchar|perror|exit|_exit|abort|system|fork' \
		'library code neither prints nor exits'
	forbid '^src/(model|io|app|view)/.*\.[ch]$' \
		'time|clock|gettimeofday|clock_gettime|nanosleep|rand|srand|random' \
		'time and chance are inputs'
	forbid '^src/model/.*\.[ch]$' 'malloc|calloc|realloc|free|strdup|getenv|setlocale' \
		'the model uses its allocator and no environment'
	forbid '^src/(model|io|app|view|tui|cli)/.*\.[ch]$' \
		'strcpy|strcat|sprintf|vsprintf|atoi|atol|atof|strtok|gets' 'unbounded or silent function'
}

self_test()
{
	plant include/zonelab/text.h <<'T'
#include <stdint.h>
T
	plant include/zonelab/profile.h <<'T'
#include "zonelab/text.h"
T
	plant src/io/profile.c <<'T'
#include <cjson/cJSON.h>
#include "zonelab/profile.h"
static int f(void) { return close_all(fopen("x", "r")); }
T
	plant src/app/app.h <<'T'
#include "zonelab/profile.h"
T
	plant src/model/text.c <<'T'
#include "zonelab/text.h"
#include <string.h>
/* printf() is not for us */
static const char *const s = "exit(1)";
static void g(void) { zl_text_free(s); t->free(t, s); }
T
	must_be_clean
	echo '#include <stdio.h>' | catches src/model/a.c 'not for the pure model'
	echo '#include "app.h"' | catches src/io/a.c 'not below io'
	echo '#include "zonelab/profile.h"' | catches src/model/a.c 'header of io'
	echo '#include "zonelab/profile.h"' | catches include/zonelab/a.h 'header of io'
	echo '#include "app.h"' | catches include/zonelab/a.h 'only public'
	echo '#include "../app/app.h"' | catches src/app/a.c 'no way up'
	echo '#  include <ncursesw/curses.h>' | catches src/view/a.c 'tui alone'
	echo '#include <readline/readline.h>' | catches src/cli/a.c 'tui alone'
	echo '#include <cjson/cJSON.h>' | catches src/app/a.c 'io alone'
	echo '#include <time.h>' | catches src/io/a.c 'no clock'
	echo '#include <unistd.h>' | catches src/app/a.c 'touch files'
	echo '	f = fopen(path, "r");' | catches src/app/a.c 'touch files'
	echo '	printf("x");' | catches src/io/a.c 'neither prints'
	echo '	p = malloc(4);' | catches src/model/a.c 'its allocator'
	echo '	strcpy(a, b);' | catches src/tui/a.c 'unbounded'
	echo '	now = time(NULL);' | catches src/view/a.c 'are inputs'
	plant src/tui/screen_tui.h </dev/null
	echo '#include "screen_tui.h"' | catches src/cli/a.c 'not below cli'
	echo '#include "screen_tui.h"' | plant src/main.c
	must_be_clean
}

style_main "$@"
