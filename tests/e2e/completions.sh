# SPDX-License-Identifier: GPL-3.0-or-later
# The completions as a user meets them: what stands behind a line and a tabulator in each shell.
# A shell that is not installed is skipped with a word; bash is always there to be tried.
#
#   completions.sh BASH FISH ZSH      the three files, as they are installed
# shellcheck disable=SC2317  # try_SHELL is called by that name
set -u
LC_ALL=C
export LC_ALL

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/home" "$scratch/zsh" "$scratch/here"
cp -- "$1" "$scratch/zonelab.bash"
cp -- "$2" "$scratch/zonelab.fish"
cp -- "$3" "$scratch/zsh/_zonelab"
HOME=$scratch/home
XDG_CONFIG_HOME=$HOME
XDG_DATA_HOME=$HOME
TERM=dumb
export HOME XDG_CONFIG_HOME XDG_DATA_HOME TERM
count=0
status=0

result()
{
	count=$((count + 1))
	if [ "$1" = ok ]; then
		printf 'ok %d - %s\n' "$count" "$2"
	else
		printf 'not ok %d - %s\n' "$count" "$2"
		status=1
	fi
}

# Lines as they are typed up to the tabulator, and as they stand behind it, each ended by a bar.
lines()
{
	cat <<'LINES'
zonelab geom|zonelab geometry |
zonelab geometry --jso|zonelab geometry --json |
zonelab geometry --no-s|zonelab geometry --no-s|
zonelab geometry --set page_s|zonelab geometry --set page_size=|
zonelab geometry --set arch=powerpc6|zonelab geometry --set arch=powerpc64 |
zonelab geometry --set thp=of|zonelab geometry --set thp=off |
zonelab run --set kernel=5.1|zonelab run --set kernel=5.1|
zonelab run --set kernel=6.1|zonelab run --set kernel=6.1|
zonelab list profi|zonelab list profiles |
zonelab run a-fi|zonelab run a-file.txt |
LINES
}

# compare SHELL FILE: a line "[...]" for each of lines().
compare()
{
	number=0
	lines | while IFS='|' read -r typed wanted _; do
		number=$((number + 1))
		got=$(sed -n "${number}p" "$2")
		if [ "$got" = "[$wanted]" ]; then
			echo "ok $1: $typed"
		else
			echo "bad $1: $typed: [$wanted] was wanted, not $got"
		fi
	done >"$scratch/verdicts"
	while read -r verdict what; do
		result "$verdict" "$what"
	done <"$scratch/verdicts"
}

skip()
{
	count=$((count + 1))
	printf 'ok %d - %s # SKIP %s is not installed\n' "$count" "$1" "$1"
}

cd "$scratch/here" || exit 1
: >a-file.txt

# Keys as a terminal would send them: a line, a tabulator, a key that notes what stands there now.
keys()
{
	lines | while IFS='|' read -r typed _; do
		printf '%s\t\030d' "$typed"
	done
}

try_bash()
{
	cat >"$scratch/rc" <<'RC'
set +o history
source "$SCRATCH/zonelab.bash"
note() { printf '[%s]\n' "$READLINE_LINE" >>"$SCRATCH/bash.out"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\C-xd": note'
bind 'set bell-style none'
RC
	: >"$scratch/bash.out"
	{ keys; printf 'exit\n'; } |
		SCRATCH=$scratch bash --noprofile --rcfile "$scratch/rc" -i >"$scratch/log" 2>&1
	compare bash "$scratch/bash.out"
}

try_zsh()
{
	cat >"$scratch/zshrc" <<'RC'
PROMPT=ready
fpath=($SCRATCH/zsh $fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' insert-tab false
setopt no_list_beep no_auto_list
note() { print -r -- "[$BUFFER]" >>$SCRATCH/zsh.out; BUFFER= }
zle -N note
bindkey '^Xd' note
RC
	cat >"$scratch/drive" <<'DRIVE'
zmodload zsh/zpty
zpty shell "SCRATCH=${(q)SCRATCH} zsh -f -i"
zpty -w shell "source ${(q)SCRATCH}/zshrc; print started"
zpty -r -m shell seen '*started*ready*'
zpty -w -n shell "$(<$SCRATCH/keys)"
zpty -w shell "exit"
zpty -r -m shell seen '*never*'
zpty -d shell
DRIVE
	: >"$scratch/zsh.out"
	keys >"$scratch/keys"
	SCRATCH=$scratch zsh -f "$scratch/drive" >"$scratch/log" 2>&1
	compare zsh "$scratch/zsh.out"
}

# Fish says what it would offer; a single word is what it puts there.
try_fish()
{
	cat >"$scratch/drive" <<'DRIVE'
source $argv[1]
while read -l typed
	set -l offered (complete -C "$typed" | string replace -r '\t.*' '')
	set -l head (string replace -r '[^ ]*$' '' -- $typed)
	if test (count $offered) -eq 1
		string match -q -r '[=/]$' -- $offered[1]; and echo "[$head$offered[1]]"
		or echo "[$head$offered[1] ]"
	else
		echo "[$typed]"
	end
end
DRIVE
	lines | cut -d '|' -f 1 | fish --no-config "$scratch/drive" "$scratch/zonelab.fish" \
		>"$scratch/fish.out" 2>"$scratch/log"
	compare fish "$scratch/fish.out"
}

for shell in bash zsh fish; do
	if command -v "$shell" >/dev/null 2>&1; then
		before=$status
		"try_$shell"
		[ "$status" -eq "$before" ] || sed "s/^/# $shell: /" "$scratch/log"
	elif [ "$shell" = bash ]; then
		result bad "there is no bash"
	else
		skip "$shell"
	fi
done
printf '1..%d\n' "$count"
exit "$status"
