# SPDX-License-Identifier: GPL-3.0-or-later
# Steps of `tools/check --deep` about packages and other machines; sourced by tools/check, which
# sets `root`, `work`, `logs` and `scratch` and has step(), suite() and build().

# The committed tree in a folder of its own, under the name of a release.
export_tree()
{
	rm -rf "$1" && mkdir -p "$1" &&
		git -C "$root" archive --format=tar HEAD | tar -x -C "$1"
}

version()
{
	sed -n "s/^  version: '\(.*\)',$/\1/p" "$root/meson.build"
}

# ---- which lines and branches the suites reach ----

coverage_report()
{
	gcovr --root "$root" --filter "$root/src/" --gcov-ignore-parse-errors \
		--txt "$logs/coverage-lines.txt" "$work/coverage" &&
		gcovr --root "$root" --filter "$root/src/" --gcov-ignore-parse-errors --branches \
			--txt "$logs/coverage-branches.txt" "$work/coverage" &&
		grep TOTAL "$logs/coverage-lines.txt" "$logs/coverage-branches.txt"
}

do_coverage()
{
	build "coverage: build" "$work/coverage" gcc -Db_coverage=true -Dman=disabled || return
	# What runs the program itself reads its standard error, where gcov's own words would stand.
	suite "coverage: suites" "$work/coverage" --suite unit --suite property --suite golden \
		--suite screens
	step "coverage: report (logs/coverage-lines.txt, coverage-branches.txt)" coverage_report &&
		for what in lines branches; do
			sed -n "s/^TOTAL.*[^0-9]\\([0-9]*%\\).*/        $what reached: \\1/p" \
				"$logs/coverage-$what.txt"
		done
}

# ---- the tarball of a release builds and passes ----

make_tarball()
{
	build_dir=$work/release
	[ -f "$build_dir/build.ninja" ] ||
		CC=$(compiler gcc) configure_and_build "$build_dir" -Dwerror=true \
			--buildtype=release -Db_ndebug=true || return 1
	meson dist -C "$build_dir" --no-tests --formats xztar --allow-dirty || return 1
	rm -rf "$work/dist" && mkdir -p "$work/dist" &&
		tar -x -f "$build_dir/meson-dist/zonelab-$(version).tar.xz" -C "$work/dist"
}

do_dist()
{
	step "dist: meson dist makes a tarball" make_tarball || return
	CC=$(compiler gcc) step "dist: the tarball builds" configure_and_build_in \
		"$work/dist/zonelab-$(version)" "$work/dist/build" &&
		suite "dist: its suites" "$work/dist/build" --no-suite style
}

configure_and_build_in()
{
	meson setup "$2" "$1" --buildtype=release -Db_ndebug=true && ninja -C "$2"
}

# ---- two builds, the same bytes ----

# Places and times that differ must not be seen in what is built.
build_twice()
{
	for place in one two; do
		top=$work/repro/$place-$(printf '%s' "$place" | tr '[:lower:]' '[:upper:]')
		export_tree "$top/source" || return 1
		CC=gcc meson setup "$top/build" "$top/source" --buildtype=release -Db_ndebug=true \
			-Dtests=false || return 1
		ninja -C "$top/build" || return 1
		DESTDIR=$top/dest meson install -C "$top/build" --no-rebuild --quiet || return 1
		(cd "$top/dest" && find . -type f -exec sha256sum {} + | sort -k 2) \
			>"$work/repro/$place.sums" || return 1
	done
	diff "$work/repro/one.sums" "$work/repro/two.sums"
}

do_reproducible()
{
	rm -rf "$work/repro"
	step "reproducible: two builds in two places give the same files" build_twice
}

# ---- the Debian package ----

make_package()
{
	rm -rf "$work/deb" &&
		export_tree "$work/deb/zonelab-$(version)" &&
		(cd "$work/deb/zonelab-$(version)" && dpkg-buildpackage -us -uc -b)
}

judge_package()
{
	lintian --fail-on error,warning --info "$work"/deb/*.changes
}

# Into a root that has never seen it: installs, answers, leaves nothing behind.
try_package()
{
	clean=$work/deb/root
	debootstrap --variant=minbase bookworm "$clean" || return 1
	cp "$work"/deb/zonelab_*.deb "$clean/srv/" || return 1
	chroot "$clean" sh -eu -c '
		export DEBIAN_FRONTEND=noninteractive
		apt-get -q update
		dpkg -l | awk "{ print \$2 }" | sort >/srv/before
		apt-get -q -y --no-install-recommends install /srv/zonelab_*.deb
		cd / && zonelab --version
		zonelab geometry --set arch=arm64 --set page_size=16K | grep -q "32 MiB"
		zonelab run iperf --set kernel=6.18.2 | grep -q digest
		apt-get -q -y purge --autoremove zonelab
		dpkg -l | awk "{ print \$2 }" | sort | diff /srv/before -
		! find /usr /etc /var/lib -name "*zonelab*" ! -path "/var/lib/apt/*" | grep .
	'
}

do_package()
{
	if ! command -v dpkg-buildpackage >/dev/null 2>&1; then
		say "package: no dpkg-buildpackage here, skipped"
		skipped=$((skipped + 1))
		return
	fi
	step "package: dpkg-buildpackage, suites included" make_package || return
	step "package: lintian has nothing to say" judge_package
	if [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null 2>&1; then
		step "package: installs, runs and removes in a clean root" try_package
	else
		say "package: a clean root needs root and debootstrap, skipped"
		skipped=$((skipped + 1))
	fi
	rm -rf "$work/deb/root"
}

# ---- other machines, under qemu-user ----

# Libraries of another architecture into a folder; the system's package lists stay as they are.
fetch_libraries()
{
	arch=$1
	dir=$work/cross/$arch
	apt="apt-get -q -o APT::Architectures::=$arch -o Dir::State::lists=$work/cross/lists \
		-o Dir::Cache=$work/cross/cache -o APT::Sandbox::User=root"
	mkdir -p "$dir/debs" "$work/cross/lists/partial" "$work/cross/cache/archives/partial" || return 1
	$apt update
	(cd "$dir/debs" && for package in libcmocka0 libcmocka-dev libcjson1 libcjson-dev libfdt1 \
		libfdt-dev zlib1g zlib1g-dev; do
		[ -n "$(find . -name "${package}_*")" ] || $apt download "$package:$arch" || exit 1
	done) || return 1
	for deb in "$dir"/debs/*.deb; do
		dpkg -x "$deb" "$dir/root" || return 1
	done
}

# cross_file ARCH TRIPLET CPU ENDIAN QEMU
cross_file()
{
	libs=$work/cross/$1/root/usr/lib/$2
	cat >"$work/cross/$1/cross.ini" <<EOF
[binaries]
c = ['$2-gcc']
ar = '$2-ar'
strip = '$2-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['$5', '-L', '/usr/$2', '-E', 'LD_LIBRARY_PATH=$libs:$work/cross/$1/root/lib/$2']
[properties]
sys_root = '$work/cross/$1/root'
pkg_config_libdir = '$libs/pkgconfig'
needs_exe_wrapper = true
[built-in options]
c_args = ['-isystem', '$work/cross/$1/root/usr/include']
c_link_args = ['-L$libs', '-Wl,-rpath-link,$work/cross/$1/root/lib/$2']
[host_machine]
system = 'linux'
cpu_family = '$3'
cpu = '$3'
endian = '$4'
EOF
}

# cross_one ARCH TRIPLET CPU ENDIAN QEMU: model and file suites of that machine.
cross_one()
{
	step "cross: libraries of $1" fetch_libraries "$1" || return
	cross_file "$@"
	rm -rf "$work/cross/$1/build"
	step "cross: build for $1" cross_build "$1" &&
		suite "cross: unit, property and golden suites on $1" "$work/cross/$1/build" \
			--suite unit --suite property --suite golden --timeout-multiplier 20
}

cross_build()
{
	meson setup "$work/cross/$1/build" "$root" --cross-file "$work/cross/$1/cross.ini" \
		--buildtype=debugoptimized -Dtui=disabled -Dman=disabled &&
		ninja -C "$work/cross/$1/build"
}

do_cross()
{
	if ! command -v qemu-s390x >/dev/null 2>&1 ||
		! command -v s390x-linux-gnu-gcc >/dev/null 2>&1; then
		say "cross: no cross compilers or qemu-user here, skipped"
		skipped=$((skipped + 1))
		return
	fi
	cross_one armhf arm-linux-gnueabihf arm little qemu-arm
	cross_one s390x s390x-linux-gnu s390x big qemu-s390x
}
