#!/bin/sh
# Usage: tools/fresh.sh SUITE [ARCH [COMMAND...]]
# Runs 'make demo' and 'make check', or each COMMAND, on a clean copy of HEAD in a chroot of the Debian
# release SUITE (bookworm, trixie) for ARCH (the host's when empty or left out). The first run makes the
# chroot with debootstrap from the mirror that apt uses; later runs keep the packages it has by then.
# FRESH_DIR (build/fresh) holds the chroots; delete a folder there to start from nothing.
# For arm64 on another machine qemu runs the programs. Compilers would take hours that way, so Trammel is
# built by the cross compiler of the same suite, in the chroot of the host's architecture; then each
# COMMAND runs under qemu, by default the demo and the numerical tests without the label plain: what is too
# expensive under sanitizers is so under qemu. FRESH_LABELS chooses others, 'unit|family|scenario|glue' all.
# Exits with 77 where this cannot run: not root, no debootstrap, no namespaces, no such suite.
set -eu
cd "$(dirname "$0")/.."

skip() {
    echo "fresh.sh: skipped: $1" >&2
    exit 77
}

[ $# -ge 1 ] || { sed -n '2,12s/^# //p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
command -v dpkg >/dev/null || skip "this is neither Debian nor Ubuntu"
suite=$1 host=$(dpkg --print-architecture) arch=${2:-}
arch=${arch:-$host}
shift $(($# < 2 ? $# : 2))
if [ $# -eq 0 ] && [ "$arch" = "$host" ]; then
    set -- "make demo" "make check"
elif [ $# -eq 0 ]; then
    tests=$([ -n "${FRESH_LABELS:-}" ] && echo release || echo emulated)
    # valgrind, which counts instructions, does not run under qemu.
    set -- "mkdir build/demo && tools/demo.sh build/demo /trammel/build/trammel /trammel/models" \
        "ctest --preset $tests --label-regex '${FRESH_LABELS:-unit|family|scenario|glue}' --exclude-regex instructions"
fi

unshare --mount --pid --fork true 2>/dev/null || skip "mount namespaces are not permitted here"
tools/install_deps.sh fresh >&2 || skip "debootstrap is missing"

# Lets the kernel start arm64 programs with qemu, where no service has done so.
emulate() {
    [ "$arch" = arm64 ] || skip "only arm64 is emulated"
    tools/install_deps.sh emulate >&2 || skip "qemu-user-static is missing"
    binfmt=/proc/sys/fs/binfmt_misc
    [ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt 2>/dev/null ||
        skip "binfmt_misc cannot be mounted"
    [ -e $binfmt/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf 2>/dev/null >$binfmt/register ||
        skip "qemu cannot be registered with binfmt_misc"
}
[ "$arch" = "$host" ] || emulate

# debootstrap reads neither the mirror nor the proxy of apt's configuration.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Component: main' |
    grep -v -e security -e updates | head -n 1)
[ -n "$mirror" ] || skip "apt has no mirror (run 'apt-get update')"
http_proxy=${http_proxy:-$(apt-config dump --format '%v' Acquire::http::Proxy)}
export http_proxy

cache=${FRESH_DIR:-build/fresh}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
root=$cache/$suite-$arch
exec 9>"$root.lock"
flock 9

bootstrap() { # ROOT ARCH
    /usr/lib/apt/apt-helper download-file "$mirror/dists/$suite/Release" "$1.release" >/dev/null 2>&1 ||
        skip "$mirror has no suite '$suite' or cannot be reached"
    rm -rf "$1.part" "$1.release"
    echo "fresh.sh: $suite $2: making $1"
    if ! debootstrap --variant=minbase --include=make --arch="$2" "$suite" "$1.part" "$mirror" \
        >"$1.log" 2>&1; then
        tail -n 20 "$1.log" "$1.part/debootstrap/debootstrap.log" >&2 || true
        echo "fresh.sh: $suite $2: debootstrap failed" >&2
        exit 1
    fi
    cp /etc/hosts /etc/resolv.conf "$1.part/etc"
    hostname >"$1.part/etc/hostname"
    mv "$1.part" "$1"
}

make_root() { # ROOT ARCH
    [ -d "$1" ] || bootstrap "$1" "$2"
    rm -rf "$1/trammel"
    mkdir "$1/trammel"
    git archive HEAD | tar -x -C "$1/trammel"
}

# Runs a command in /trammel of a chroot. Mounts are made in a namespace of their own, and processes run in
# another: both end with the command, however it ends. With a SYSROOT, /trammel is the one there, and
# absolute symbolic links of the sysroot lead to its own libraries.
inside='
bind() { mkdir -p "$root$2" && mount --bind "$1" "$root$2"; }
root=$0 libraries=/usr/lib/aarch64-linux-gnu
mount --bind "$0" "$0" || exit 1
if [ -n "$2" ]; then
    bind "$2" /sysroot && bind "$2/trammel" /trammel && bind "$2$libraries" $libraries &&
        bind "$2/etc/alternatives" /etc/alternatives || exit 1
fi
mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" &&
    mount -t tmpfs tmpfs "$0/dev/shm" &&
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} sh -c "cd /trammel && $1"'
run() { # ROOT COMMAND [SYSROOT]
    echo "fresh.sh: $suite $arch: $2"
    rm -rf "$1/tmp"
    mkdir -m 1777 "$1/tmp"
    start=$(date +%s) status=0
    unshare --mount --propagation private --pid --fork --kill-child \
        sh -c "$inside" "$1" "$2" "${3:-}" 8>&- 9>&- || status=$?
    seconds=$(($(date +%s) - start))
    if [ "$status" -ne 0 ]; then
        echo "fresh.sh: $suite $arch: $2: FAILED with status $status after $seconds s"
        exit 1
    fi
    echo "fresh.sh: $suite $arch: $2: passed in $seconds s"
}

make_root "$root" "$arch"
chroot "$root" /bin/true 2>/dev/null || skip "programs for $arch do not run here"
if [ "$arch" != "$host" ]; then
    builder=$cache/$suite-$host
    exec 8>"$builder.lock"
    flock 8
    make_root "$builder" "$host"
    echo 'APT::Install-Recommends "false";' >"$root/etc/apt/apt.conf.d/fresh"
    run "$root" "tools/install_deps.sh build check"
    run "$builder" "tools/install_deps.sh cross"
    run "$builder" "cmake --preset release --toolchain cmake/aarch64.cmake -DCMAKE_SYSROOT=/sysroot" "$root"
    run "$builder" "cmake --build --preset tests" "$root"
    # qemu is up to ten times slower than the time limits of the tests allow for.
    find "$root/trammel/build" -name CTestTestfile.cmake \
        -exec sed -i 's/ TIMEOUT "\([0-9]*\)"/ TIMEOUT "\10"/' {} +
    exec 8>&-  # others may use the builder
fi
for command; do
    run "$root" "$command"
done
