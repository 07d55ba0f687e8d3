#!/bin/sh
# Usage: tools/fresh.sh SUITE [ARCH [COMMAND...]]
# Runs 'make demo' and 'make check', or each COMMAND, on a clean copy of HEAD in a chroot of the Debian
# release SUITE (bookworm, trixie) for ARCH (the host's when empty or left out). The first run makes the
# chroot with debootstrap from the mirror that apt uses; later runs keep the packages it has by then.
# FRESH_DIR (build/fresh) holds the chroots; delete a folder there to start from nothing.
# Exits with 77 where this cannot run: not root, no debootstrap, no namespaces, no such suite.
set -eu
cd "$(dirname "$0")/.."

skip() {
    echo "fresh.sh: skipped: $1" >&2
    exit 77
}

[ $# -ge 1 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
command -v dpkg >/dev/null || skip "this is neither Debian nor Ubuntu"
suite=$1 host=$(dpkg --print-architecture) arch=${2:-}
arch=${arch:-$host}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- "make demo" "make check"

unshare --mount --pid --fork true 2>/dev/null || skip "mount namespaces are not permitted here"
tools/install_deps.sh fresh >&2 || skip "debootstrap is missing"
[ "$arch" = "$host" ] || tools/install_deps.sh emulate >&2 || skip "qemu-user-static is missing"

# debootstrap reads neither the mirror nor the proxy of apt's configuration.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Component: main' |
    grep -v -e security -e updates | head -n 1)
[ -n "$mirror" ] || skip "apt has no mirror (run 'apt-get update')"
http_proxy=${http_proxy:-$(apt-config dump --format '%v' Acquire::http::Proxy)}
export http_proxy

cache=${FRESH_DIR:-build/fresh}
mkdir -p "$cache"
root=$(cd "$cache" && pwd)/$suite-$arch
exec 9>"$root.lock"
flock 9

if [ ! -d "$root" ]; then
    /usr/lib/apt/apt-helper download-file "$mirror/dists/$suite/Release" "$root.release" >/dev/null 2>&1 ||
        skip "$mirror has no suite '$suite' or cannot be reached"
    rm -rf "$root.part" "$root.release"
    echo "fresh.sh: $suite $arch: making $root"
    if ! debootstrap --variant=minbase --include=make --arch="$arch" "$suite" "$root.part" "$mirror" \
        >"$root.log" 2>&1; then
        tail -n 20 "$root.log" "$root.part/debootstrap/debootstrap.log" >&2 || true
        echo "fresh.sh: $suite $arch: debootstrap failed" >&2
        exit 1
    fi
    mv "$root.part" "$root"
fi
chroot "$root" /bin/true 2>/dev/null || skip "programs for $arch do not run here"

rm -rf "$root/trammel"
mkdir "$root/trammel"
git archive HEAD | tar -x -C "$root/trammel"
cp /etc/hosts /etc/resolv.conf "$root/etc"
hostname >"$root/etc/hostname"

# Mounts are made in a namespace of their own, and processes run in another: both end with the command,
# however it ends.
inside='
mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" &&
    mount -t tmpfs tmpfs "$0/dev/shm" &&
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} sh -c "cd /trammel && $1"'
for command; do
    echo "fresh.sh: $suite $arch: $command"
    rm -rf "$root/tmp"
    mkdir -m 1777 "$root/tmp"
    start=$(date +%s) status=0
    unshare --mount --propagation private --pid --fork --kill-child sh -c "$inside" "$root" "$command" 9>&- ||
        status=$?
    seconds=$(($(date +%s) - start))
    if [ "$status" -ne 0 ]; then
        echo "fresh.sh: $suite $arch: $command: FAILED with status $status after $seconds s"
        exit 1
    fi
    echo "fresh.sh: $suite $arch: $command: passed in $seconds s"
done
