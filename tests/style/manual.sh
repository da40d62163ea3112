# SPDX-License-Identifier: GPL-3.0-or-later
# The built manual and completions name everything that the program lists.
#
#   manual.sh ROOT PROGRAM PAGE BASH-COMPLETION
. "$(dirname -- "$0")/lib.sh"

# Names of a list of the program; the first word of each line behind the heading, if there is one.
names()
{
	"$program" list "$1" --json | sed 's/[,{]/\n/g' | sed -n 's/^ *"'"$2"'": *"\([^"]*\)".*/\1/p'
}

# The page as plain words: roff's font changes and escaped characters taken out.
plain()
{
	sed 's/\\f[BIRP]//g; s/\\(aq/'"'"'/g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g' "$page"
}

answers()
{
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zonelab
		printf "%s\n" "${COMPREPLY[@]}"' - "$completion" "$@"
}

check()
{
	program=$1
	page=$2
	completion=$3
	plain >"$scratch/page"
	for list in commands:name settings:key diagnostics:code; do
		names "${list%:*}" "${list#*:}" >"$scratch/names"
		[ -s "$scratch/names" ] || echo "zonelab list ${list%:*} --json names nothing"
		while read -r name; do
			grep -q -E -e "^($name)( |\$)" "$scratch/page" || echo "$page: no $list $name"
		done <"$scratch/names"
	done
	command -v bash >/dev/null 2>&1 || return
	answers zonelab geom | grep -q '^geometry$' || echo "bash: geom does not become geometry"
	answers zonelab geometry --mat | grep -q '^--matrix$' ||
		echo "bash: --mat does not become --matrix"
	answers zonelab geometry --set page_s | grep -q '^page_size=$' ||
		echo "bash: page_s does not become page_size="
}

self_test()
{
	cat >"$scratch/program" <<'T'
#!/bin/sh
case $2 in
commands) echo '{"commands":[{"name":"geometry","help":"x"},{"name":"set"}]}' ;;
settings) echo '[{"key":"page_size"}]' ;;
diagnostics) echo '[ { "code": "thp-order" } ]' ;;
esac
T
	chmod +x "$scratch/program"
	cat >"$scratch/bash" <<'T'
_zonelab()
{
	COMPREPLY=(geometry --matrix page_size=)
}
T
	all=$(printf '\\fBgeometry\\fR [X]\n\\fBset\\fR\n\\fBpage_size\\fR\n\\fBthp-order\\fR\n')
	printf '%s\n' "$all" >"$scratch/zonelab.1"
	out=$(check "$scratch/program" "$scratch/zonelab.1" "$scratch/bash")
	[ -z "$out" ] || die "self-test: complaint about a whole page: $out"
	for gone in geometry set page_size thp-order; do
		printf '%s\n' "$all" | grep -v "$gone" >"$scratch/zonelab.1"
		out=$(check "$scratch/program" "$scratch/zonelab.1" "$scratch/bash")
		printf '%s\n' "$out" | grep -q "$gone" || die "self-test: $gone was not missed"
	done
	echo '_zonelab() { COMPREPLY=(geometry); }' >"$scratch/bash"
	out=$(check "$scratch/program" "$scratch/zonelab.1" "$scratch/bash")
	printf '%s\n' "$out" | grep -q 'matrix' || die "self-test: a poor completion was not seen"
}

style_main "$@"
