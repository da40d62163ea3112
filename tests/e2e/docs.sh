# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every "$ zonelab ..." example of the documents again and compares what it prints, and every
# other indented line that begins with "zonelab ", which must do what it says: exit 0 or 1.
#
#   docs.sh PROGRAM FOLDER DOCUMENT...
#
# An example is a line "$ zonelab ..." with what it prints below, all indented alike or inside
# ``` fences. It ends at the fence, at the next "$ " or where the indentation ends; blank lines at
# its end do not count. A line "..." stands for any number of lines. Examples run in a folder of
# their own that holds the files of FOLDER, and those that the documents speak of.
LC_ALL=C
export LC_ALL

program=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
folder=$2
shift 2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/home" "$scratch/work"
cp "$folder"/* "$scratch/work"
HOME=$scratch/home
export HOME

# The block between ``` lines of a document that a pattern stands in.
block()
{
	awk -v pattern="$2" '
		/^```/ {
			if (inside && found) {
				printf "%s", text
				exit
			}
			inside = !inside
			text = ""
			found = 0
			next
		}
		inside {
			text = text $0 "\n"
			found = found || $0 ~ pattern
		}' "$1"
}

# What the documents call board.dts, trace.txt, this.json, answers.txt ...
captures=$folder/../captures/linux-6.12.117-x86_64-4k-debian-cloud-trace
recorded=$folder/../traces/linux-6.12.117-x86_64-4k-debian-cloud-trace
mkdir -p "$scratch/work/docs/pictures"
cp "$folder/uc06-two-pools.dts" "$scratch/work/board.dts"
cp "$captures/zoneinfo_dd_before.txt" "$scratch/work/zoneinfo-before"
gzip -dc "$recorded/trace_dd.txt.gz" >"$scratch/work/trace.txt"
"$program" probe --root "$captures" --set kernel=6.12.117 >"$scratch/work/this.json" || exit 1
for document in "$@"; do
	case $document in
	*zonelab-lesson*)
		block "$document" '"kind": "lesson"' >"$scratch/work/last-in.json"
		block "$document" '^lesson flush' >"$scratch/work/answers.txt"
		;;
	esac
done

# Splits a document into N.command and N.expected; N.line is where it stands.
examples()
{
	awk -v out="$scratch/$2" '
		function finish() {
			if (n > 0 && open) {
				while (held > 0 && lines[held] == "") {
					held--
				}
				for (i = 1; i <= held; i++) {
					print lines[i] > (out "." n ".expected")
				}
				printf "" > (out "." n ".expected")
				close(out "." n ".expected")
			}
			open = 0
			held = 0
		}
		match($0, /^[ \t]*\$ zonelab/) {
			finish()
			n++
			open = 1
			indent = index($0, "$") - 1
			prefix = substr($0, 1, indent)
			print substr($0, indent + 3) > (out "." n ".command")
			print FILENAME ":" NR > (out "." n ".line")
			next
		}
		open && /^[ \t]*```/ {
			finish()
			next
		}
		open && /^[ \t]*\$ / {
			finish()
			next
		}
		open && $0 ~ /^[ \t]*$/ {
			lines[++held] = ""
			next
		}
		open && substr($0, 1, indent) == prefix {
			lines[++held] = substr($0, indent + 1)
			next
		}
		open {
			finish()
		}
		END {
			finish()
		}' "$1"
}

# "LINE COMMAND" of every indented line that begins with "zonelab ".
bare()
{
	awk '/^[ \t]+zonelab / { line = $0; sub(/^[ \t]+/, "", line); print NR, line }' "$1"
}

# Runs them; nothing is compared, but each has to be understood and done.
run_bare()
{
	bare "$1" >"$scratch/bare"
	rm -rf "$scratch/afresh" # nothing is overwritten that another document made
	cp -R "$scratch/work" "$scratch/afresh"
	while read -r line command; do
		count=$((count + 1))
		(
			cd "$scratch/afresh" || exit 2
			eval "$command"
		) >"$scratch/said" 2>&1 </dev/null
		status=$?
		if [ "$status" -gt 1 ]; then
			failed=$((failed + 1))
			printf '%s:%s: %s\nexit status %s\n' "$1" "$line" "$command" "$status"
			cat "$scratch/said"
		fi
	done <"$scratch/bare"
}

# Whether the file $1 is the file $2, where a line "..." of $1 stands for any lines.
agrees()
{
	awk '
		NR == FNR {
			want[++n] = $0
			next
		}
		{
			have[++m] = $0
		}
		# Lines of want from i on against lines of have from j on.
		function fits(i, j) {
			for (; i <= n; i++) {
				if (want[i] == "...") {
					for (; j <= m + 1; j++) {
						if (fits(i + 1, j)) {
							return 1
						}
					}
					return 0
				}
				if (j > m || want[i] != have[j]) {
					return 0
				}
				j++
			}
			return j > m
		}
		END {
			exit !fits(1, 1)
		}' "$1" "$2"
}

zonelab()
{
	"$program" "$@"
}

failed=0
count=0
for document in "$@"; do
	name=$(basename -- "$document")
	examples "$document" "$name"
	for command in "$scratch/$name".*.command; do
		[ -f "$command" ] || continue
		example=${command%.command}
		count=$((count + 1))
		(
			cd "$scratch/work" || exit 1
			eval "$(cat "$command")"
		) >"$example.raw" 2>&1
		sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$example.raw" >"$example.printed"
		if ! agrees "$example.expected" "$example.printed"; then
			failed=$((failed + 1))
			printf '%s: $ %s\n' "$(cat "$example.line")" "$(cat "$command")"
			diff "$example.expected" "$example.printed"
		fi
	done
	run_bare "$document"
done
[ "$count" -gt 0 ] || echo "no example in: $*"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
