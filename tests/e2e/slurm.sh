# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the job array of the manual with a sbatch that runs each task at once, and joins its parts.
#
#   slurm.sh PROGRAM MANUAL
#
# The lines are those of the manual, with fewer points and tasks.
set -eu

program=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
manual=$(cd -- "$(dirname -- "$2")" && pwd)/$(basename -- "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/work"
ln -s "$program" "$scratch/bin/zonelab"
PATH=$scratch/bin:$PATH
HOME=$scratch
export PATH HOME

fail()
{
	echo "not ok: $*"
	exit 1
}

# sbatch --array=A-B --wrap COMMAND, and options that only Slurm needs
sbatch()
{
	first='' last='' command=''
	while [ $# -gt 0 ]; do
		case $1 in
		--array=*)
			first=${1#--array=}
			last=${first#*-}
			first=${first%-*}
			;;
		--wrap)
			command=$2
			shift
			;;
		--cpus-per-task=*) ;;
		*) fail "sbatch $1" ;;
		esac
		shift
	done
	[ -n "$command" ] || fail "no --wrap"
	task=$first
	while [ "$task" -le "$last" ]; do
		SLURM_ARRAY_TASK_ID=$task sh -c "$command" || fail "task $task of $last"
		task=$((task + 1))
	done
}

# The lines from /$1/ to the end of their block.
block()
{
	awk -v begin="$1" '$0 ~ begin { on = 1 } on && /^```/ { exit } on' "$manual" |
		sed -e 's/0\.\.30000/0..40/' -e 's|/64|/4|g' -e 's/=1-64/=1-4/'
}

cd "$scratch/work"
job=$(block '^sbatch ')
merge=$(block '^zonelab sweep --merge')
if [ -z "$job" ] || [ -z "$merge" ]; then
	fail "the manual has no job array, or no line that joins"
fi
eval "$job"
[ "$(ls)" = 'part1
part2
part3
part4' ] || fail "parts: $(ls)"
# One that was ended in the middle of a line is started again.
size=$(wc -c <part2)
head -c $((size - 7)) part2 >"cut"
mv cut part2
eval "$job"
eval "$merge"
zonelab sweep iperf --vary high_min=0..40 --metric first_free_high --csv >whole.csv
cmp whole.csv high_min.csv || fail "joined parts differ from the whole"
[ "$(wc -l <whole.csv)" -eq 42 ] || fail "points: $(wc -l <whole.csv)"
