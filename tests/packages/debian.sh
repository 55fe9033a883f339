#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian packages: built in a system that has nothing, installed in another one without the sources, used there
# without Verilator and a compiler, and removed; and the container image of them.
#
#   debian.sh SOURCE-ROOT [SUITE]      SUITE: bookworm, trixie, ...; default: that of this machine
#
# Needs root, debootstrap and a mirror of Debian ($DEBIAN_MIRROR). Status 77: not root.
# shellcheck disable=SC2016 # the shells inside expand their commands
set -euo pipefail
source_root=$1
suite=${2:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" -eq 0 ] || { echo "not root: packages cannot be installed"; exit 77; }

# Mounts belong to this process and end with it.
if [ -z "${ECUBE_UNSHARED:-}" ]; then
    ECUBE_UNSHARED=1 exec unshare --mount --fork --pid --kill-child bash "$0" "$@"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-packages.XXXXXX")
trap 'umount -q "$work"/*/dev/pts "$work"/*/proc; rm -rf --one-file-system "$work"' EXIT
step() { printf '%s\n' "== $*"; }
fail() {
    echo "FAIL: $*" >&2
    exit 1
}

command -v debootstrap >/dev/null || { apt-get -qq update && apt-get -qq install -y --no-install-recommends debootstrap; } >/dev/null
step "a bare $suite"
debootstrap --variant=minbase "$suite" "$work/bare" "$mirror" >"$work/log" 2>&1 || { tail "$work/log" >&2; fail debootstrap; }
cp /etc/apt/apt.conf.d/* "$work/bare/etc/apt/apt.conf.d/" 2>/dev/null || :
echo "deb-src $mirror $suite main" >>"$work/bare/etc/apt/sources.list"
cp -a "$work/bare" "$work/builder"
tar -C "$work/bare" -cf "$work/builder/root/base.tar" .
for system in bare builder; do
    mount -t proc proc "$work/$system/proc"
    mount -t devpts devpts "$work/$system/dev/pts"
    cp /etc/resolv.conf "$work/$system/etc/"
done
# inside SYSTEM COMMANDS
inside() {
    chroot "$work/$1" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive ECUBE_CACHE=/root/cache bash -euc "cd /root && $2"
}

step "an archive as 'meson dist' makes it, and its packages"
version=$(sed -n "s/^ *version: '\([0-9.]*\)',\$/\1/p" "$source_root/meson.build")
tar -C "$source_root" --exclude='./build*' --exclude=./.git --exclude=./.cache --transform "s,^\.,ecube-$version," \
    -cJf "$work/builder/root/ecube-$version.tar.xz" .
mkdir "$work/builder/root/scripts"
cp -r "$source_root/scripts/packages" "$source_root/scripts/lib.sh" "$work/builder/root/scripts"
inside builder "mkdir out && scripts/packages/deb --build ecube-$version.tar.xz out" >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; fail "the packages are not built"; }
ls "$work"/builder/root/out/*.deb
ls "$work"/builder/root/out/*.dsc >/dev/null || fail "no source package"

step "the program and the routers of the builder, where there is no compiler"
mkdir "$work/bare/root/debs"
cp "$work"/builder/root/out/*.deb "$work/bare/root/debs"
inside builder 'apt-get -qq install -y --no-install-recommends verilator zlib1g-dev ./out/ecube_*.deb ./out/ecube-data_*.deb >/dev/null
    ecube run cube:3 shift:q=5 --quiet && ecube tile export routers.tar'
cp "$work/builder/root/routers.tar" "$work/bare/root"
inside bare 'apt-get -qq update && apt-get -qq install -y --no-install-recommends ./debs/ecube_*.deb ./debs/ecube-data_*.deb >/dev/null
    ecube audit cube:20 bitrev | head -n 1
    apt-get -qq install -y --no-install-recommends ./debs/*.deb >/dev/null
    ! command -v c++ && ! command -v verilator
    ecube tile import routers.tar
    ecube run cube:3 shift:q=5 --expect congestion-free --quiet
    ecube claims --help | head -n 1
    ecube tile prove --help | head -n 1
    python3 -c "import ecube; print(ecube.run(\"cube:3\", \"shift:q=5\").cycles)"
    test -s /usr/share/man/man1/ecube.1.gz && test -s /usr/share/doc/ecube/README.md && test -s /usr/share/doc/ecube/docs/TIMING.md' || fail "the installed program does not work"

step "a program that uses the library"
inside bare 'apt-get -qq install -y --no-install-recommends gcc libc6-dev pkgconf >/dev/null
    cc -std=c11 -o relay /usr/share/doc/ecube/example/relay.c $(pkg-config --cflags --libs ecube)
    ./relay cube:3 none.fst 2>&1 | grep "Verilator is missing"' || fail "no program can be compiled"

step "without the packages"
inside bare 'apt-get -qq purge -y "ecube*" "libecube*" python3-ecube >/dev/null
    test -z "$(find /usr /etc -iname "*ecube*")"' || fail "files are left"
step "the container image"
inside builder 'apt-get -qq install -y --no-install-recommends buildah netavark >/dev/null'
cat >"$work/builder/root/image.sh" <<'END'
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot ECUBE_CACHE=
# Not every root may raise its limits, as buildah of trixie wants to.
mkdir -p /etc/containers
printf '[containers]\ndefault_ulimits = ["nofile=%s:%s", "nproc=%s:%s"]\n' \
    "$(ulimit -Hn)" "$(ulimit -Hn)" "$(ulimit -Hu)" "$(ulimit -Hu)" >/etc/containers/containers.conf
buildah from --name base scratch
buildah add -q base base.tar /
buildah commit -q base localhost/base
buildah build -q --build-arg BASE=localhost/base --build-arg ROUTERS=cube:6 -t ecube -f scripts/packages/Containerfile out
buildah from --name try ecube
buildah run try -- sh -c '! command -v c++ && ! command -v verilator'
buildah run --user nobody try -- ecube run cube:6 shift:q=21,m=16 --expect congestion-free --quiet
END
# buildah does not work in a chroot: the root of its mounts must be one.
unshare --mount bash -euc 'cd "$1" && umount dev/pts proc && mount --bind . . && cd "$1"
    mount -t proc proc proc && mount -t sysfs sysfs sys && mount --rbind /dev dev
    mkdir old && pivot_root . old && umount -l /old
    exec env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -euc "cd /root && . ./image.sh"' \
    bash "$work/builder" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; fail "no image, or it does not work"; }
grep PASS "$work/log"
echo "PASS: packages of $suite"
