# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by tools/run and tools/check: finding and installing what is missing, building quietly.
# POSIX sh. The caller sets `root`, the source tree,
# and `scratch`, a folder of its own.

say()
{
	printf '%s\n' "zonelab: $*" >&2
}

# What is needed (extra: what is of use): group, name, probe, then the packages of each manager ("-" = comes with another
# row). Only the apt column is tested; the others are names from those distributions' own lists.
#
#   cmd:X   a program in PATH          pc:X    a module of pkg-config
#   cc:X    X compiles and links a program         inc:X   cc finds a header
#   san:X   X links a program with its sanitizers
needs_table()
{
	cat <<'TABLE'
#group name       probe            apt                  dnf                pacman       zypper              apk             brew
run   cc          cc:cc            gcc+libc6-dev        gcc+glibc-devel    gcc          gcc+glibc-devel     build-base      gcc
run   meson       cmd:meson        meson                meson              meson        meson               meson           meson
run   ninja       cmd:ninja        ninja-build          ninja-build        ninja        ninja               samurai         ninja
run   pkg-config  cmd:pkg-config   pkg-config           pkgconf-pkg-config pkgconf      pkg-config          pkgconf         pkgconf
run   ncursesw    pc:ncursesw      libncurses-dev       ncurses-devel      ncurses      ncurses-devel       ncurses-dev     ncurses
run   readline    pc:readline      libreadline-dev      readline-devel     readline     readline-devel      readline-dev    readline
run   cjson       pc:libcjson      libcjson-dev         cjson-devel        cjson        cJSON-devel         cjson-dev       cjson
run   zlib        pc:zlib          zlib1g-dev           zlib-devel         zlib         zlib-devel          zlib-dev        zlib
run   libfdt      inc:libfdt.h     libfdt-dev           libfdt-devel       dtc          libfdt-devel        dtc-dev         dtc
check gcc         san:gcc          gcc+libc6-dev        gcc+libasan+libubsan gcc        gcc                 build-base      gcc
check clang       san:clang        clang+libclang-rt-dev clang+compiler-rt clang+compiler-rt clang          clang+compiler-rt llvm
check cmocka      pc:cmocka        libcmocka-dev        libcmocka-devel    cmocka       libcmocka-devel     cmocka-dev      cmocka
check vterm       pc:vterm         libvterm-dev         libvterm-devel     libvterm     libvterm-devel      libvterm-dev    libvterm
check dtc         cmd:dtc          device-tree-compiler dtc                dtc          dtc                 dtc             dtc
check scdoc       cmd:scdoc        scdoc                scdoc              scdoc        scdoc               scdoc           scdoc
check clang-format cmd:clang-format clang-format        clang-tools-extra  clang        clang-tools         clang-extra-tools clang-format
check objdump     cmd:objdump      binutils             binutils           binutils     binutils            binutils        binutils
check git         cmd:git          git                  git                git          git                 git             git
extra tracecmd    pc:libtracecmd   libtracecmd-dev+libtracefs-dev+libtraceevent-dev trace-cmd-devel trace-cmd libtracecmd-devel trace-cmd-dev -
deep  clang-tidy  cmd:clang-tidy   clang-tidy           clang-tools-extra  clang        clang-tools         clang-extra-tools llvm
deep  cppcheck    cmd:cppcheck     cppcheck             cppcheck           cppcheck     cppcheck            cppcheck        cppcheck
deep  scan-build  cmd:scan-build   clang-tools          clang-analyzer     clang        clang-tools         clang-analyzer  llvm
deep  valgrind    cmd:valgrind     valgrind             valgrind           valgrind     valgrind            valgrind        -
deep  shellcheck  cmd:shellcheck   shellcheck           ShellCheck         shellcheck   ShellCheck          shellcheck      shellcheck
deep  gcovr       cmd:gcovr        gcovr                gcovr              gcovr        gcovr               -               gcovr
deep  debhelper   cmd:dh           debhelper+dpkg-dev   -                  -            -                   -               -
deep  lintian     cmd:lintian      lintian              -                  -            -                   -               -
deep  debootstrap cmd:debootstrap  debootstrap          -                  -            -                   -               -
deep  qemu-user   cmd:qemu-s390x   qemu-user            -                  -            -                   -               -
deep  arm-gcc     cmd:arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf+libc6-dev-armhf-cross - - - - -
deep  s390x-gcc   cmd:s390x-linux-gnu-gcc gcc-s390x-linux-gnu+libc6-dev-s390x-cross - - - - -
TABLE
}

# A folder of our own for trial programs and logs, removed at exit by the caller.
scratch_dir()
{
	mktemp -d "${TMPDIR:-/tmp}/zonelab.XXXXXX"
}

# Links a small program with the flags given after the compiler.
can_link()
{
	printf 'int main(void) { return 0; }\n' >"$scratch/probe.c"
	"$@" -o "$scratch/probe" "$scratch/probe.c" >/dev/null 2>&1
}

probe()
{
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
	pc:*) pkg-config --exists "${1#pc:}" >/dev/null 2>&1 ;;
	cc:*) can_link "${1#cc:}" ;;
	san:gcc) can_link gcc -fsanitize=address,undefined ;;
	san:clang)
		can_link clang -fsanitize=address,undefined &&
			printf '#include "probe.h"\n' >"$scratch/fuzz.c" &&
			printf 'int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long);\nint LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d == 0 && n == 1; }\n' >"$scratch/probe.h" &&
			clang -fsanitize=fuzzer,address -o "$scratch/fuzz" "$scratch/fuzz.c" >/dev/null 2>&1
		;;
	inc:*)
		printf '#include <%s>\n' "${1#inc:}" >"$scratch/header.c"
		cc -fsyntax-only "$scratch/header.c" >/dev/null 2>&1
		;;
	*) return 1 ;;
	esac
}

# The package manager of this machine, or nothing.
package_manager()
{
	for pm in apt-get dnf pacman zypper apk brew; do
		if command -v "$pm" >/dev/null 2>&1; then
			printf '%s\n' "$pm"
			return
		fi
	done
}

# Column of the table with that manager's names.
manager_column()
{
	case $1 in
	apt-get) echo 4 ;;
	dnf) echo 5 ;;
	pacman) echo 6 ;;
	zypper) echo 7 ;;
	apk) echo 8 ;;
	brew) echo 9 ;;
	esac
}

# Prints the rows of the groups that the probes miss: "name packages-in-column".
missing_needs()
{
	column=$1
	shift
	for group in "$@"; do
		needs_table | awk -v g="$group" -v c="$column" '$1 == g { print $2, $3, $c }'
	done | while read -r name what packages; do
		if ! probe "$what"; then
			printf '%s %s\n' "$name" "$packages"
		fi
	done
}

# Runs as root: directly, or through sudo with its own words to the user.
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

refresh_and_install()
{
	manager=$1
	shift
	case $manager in
	apt-get)
		# A third party's broken list must not stop us: the install decides.
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
			--no-install-recommends install "$@"
		;;
	dnf) as_root dnf -q -y install "$@" ;;
	pacman) as_root pacman -Sy --noconfirm --needed "$@" ;;
	zypper) as_root zypper --non-interactive install "$@" ;;
	apk) as_root apk add "$@" ;;
	brew) brew install "$@" ;;
	*) return 1 ;;
	esac
}

# need GROUP...: installs what the groups miss. Ends the script with 2 when that cannot be done.
need()
{
	manager=$(package_manager)
	column=$(manager_column "$manager")
	rows=$(missing_needs "${column:-4}" "$@")
	if [ -z "$rows" ]; then
		return
	fi
	names=$(printf '%s\n' "$rows" | awk '{ printf "%s%s", sep, $1; sep = " " }')
	packages=$(printf '%s\n' "$rows" | awk '$2 != "-" { gsub(/[+]/, " ", $2); print $2 }' |
		tr ' ' '\n' | sort -u | tr '\n' ' ')
	if [ -z "$manager" ]; then
		say "missing: $names; install them with your package manager (Debian names: $packages)"
		exit 2
	fi
	if [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
		say "missing: $names; as root: $manager install $packages"
		exit 2
	fi
	if [ "$manager" != apt-get ]; then
		say "the package names for $manager are untested; please report wrong ones"
	fi
	say "installing with $manager: $packages"
	try=1
	# shellcheck disable=SC2086  # the list is split on purpose
	until refresh_and_install "$manager" $packages >"$scratch/install.log" 2>&1 </dev/null; do
		if [ "$try" -ge 3 ]; then
			tail -n 20 "$scratch/install.log" >&2
			say "installing failed $try times; is the mirror reachable?"
			exit 2
		fi
		try=$((try + 1))
		sleep 5
	done
	rows=$(missing_needs "$column" "$@")
	if [ -n "$rows" ]; then
		say "still missing after installing: $(printf '%s\n' "$rows" | awk '{ printf "%s ", $1 }')"
		exit 2
	fi
}

# wish GROUP: as need, but what cannot be had is done without, with a word.
wish()
{
	if ! (need "$@"); then
		say "going on without: $(missing_needs 4 "$@" | awk '{ printf "%s ", $1 }')"
	fi
}

# configure_and_build DIR SETUP-ARGUMENT...: a folder that no longer fits is made anew once.
configure_and_build()
{
	dir=$1
	shift
	if [ -f "$dir/build.ninja" ]; then
		# Options follow the script, also in a folder from an older checkout.
		if meson setup --reconfigure "$dir" "$root" "$@"; then
			ninja -C "$dir"
			return
		fi
		printf 'building anew in %s\n' "$dir"
	fi
	rm -rf "$dir"
	meson setup "$dir" "$root" "$@" && ninja -C "$dir"
}
