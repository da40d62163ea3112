# SPDX-License-Identifier: GPL-3.0-or-later
# Makes every picture of README.md again and compares it with the one in the tree.
#
#   pictures.sh PROGRAM TREE
#
# A picture is made by an indented line "zonelab ... docs/pictures/NAME ..." of README.md.
LC_ALL=C
export LC_ALL

program=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
tree=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/docs/pictures" "$scratch/home"
HOME=$scratch/home
export HOME

cd "$scratch" || exit 1
grep '^    zonelab .*docs/pictures/' "$tree/README.md" >commands
status=0
made=0
while IFS= read -r line; do
	command=${line#    zonelab }
	if ! eval "'$program' $command" </dev/null; then
		echo "$line: failed"
		status=1
	fi
done <commands
for picture in "$tree"/docs/pictures/*; do
	name=$(basename -- "$picture")
	if ! grep -q "(docs/pictures/$name)" "$tree/README.md" && ! grep -q "docs/pictures/$name" commands; then
		echo "docs/pictures/$name: README.md does not show it"
		status=1
	elif ! cmp -s "$picture" "docs/pictures/$name"; then
		echo "docs/pictures/$name: the command in README.md makes another picture"
		status=1
	fi
	made=$((made + 1))
done
[ "$made" -ge 1 ] || status=1
exit $status
