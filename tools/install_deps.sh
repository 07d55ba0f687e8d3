#!/bin/sh
# Usage: tools/install_deps.sh GROUP...
# Installs the Debian or Ubuntu packages of the groups (build, check, ci, fuzz, fresh, emulate, cross) that
# are missing, as root or through sudo. Where it may not install, it stops with the line to run, unless all
# that is missing is optional: Trammel is built without that.
set -eu

packages= optional=
for group in "$@"; do
    case $group in
    build)
        packages="$packages build-essential cmake ninja-build pkg-config liblapacke-dev"
        packages="$packages libopenblas-dev libsuitesparse-dev liblua5.4-dev libhdf5-dev"
        packages="$packages python3"
        optional="$optional libsundials-dev libzip-dev libxml2-dev libopenmpi-dev openmpi-bin"
        ;;
    check) packages="$packages libcmocka-dev valgrind iproute2" ;;
    ci) packages="$packages clang-format clang-tidy" ;;
    fuzz) packages="$packages clang llvm afl++" ;;
    fresh) packages="$packages debootstrap" ;;
    emulate) packages="$packages qemu-user-static" ;;
    cross) packages="$packages cmake ninja-build pkg-config python3 gcc-aarch64-linux-gnu" ;;
    *)
        echo "install_deps.sh: unknown group '$group'; known are build, check, ci, fuzz, fresh, emulate, cross" >&2
        exit 2
        ;;
    esac
done

# cmake 3.25 is the first with workflow presets.
check_cmake() {
    case " $packages " in *" cmake "*) ;; *) return 0 ;; esac
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
    major=${version%%.*} minor=${version#*.}
    if [ "$major" -lt 3 ] || { [ "$major" -eq 3 ] && [ "$minor" -lt 25 ]; }; then
        echo "cmake is $version, but 3.25 or newer is needed (Debian 12, Ubuntu 24.04)" >&2
        exit 1
    fi
}

if ! command -v dpkg-query >/dev/null; then
    echo "This is neither Debian nor Ubuntu: packages are not checked. Needed are:$packages"
    [ -z "$optional" ] || echo "Optional are:$optional"
    check_cmake
    exit 0
fi

# A package that provides the asked one counts, as pkgconf does for pkg-config.
is_installed() {
    status=$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)
    [ "$status" = installed ] && return 0
    dpkg-query -W -f '${db:Status-Status} ${Provides}\n' 2>/dev/null |
        sed -n 's/^installed //p' | tr -d ' ' | sed 's/([^)]*)//g' | tr ',' '\n' |
        grep -qx "$1"
}

missing= wanted=
for package in $packages; do
    is_installed "$package" || missing="$missing $package"
done
for package in $optional; do
    is_installed "$package" || wanted="$wanted $package"
done

install() {
    $run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

leave_out() {
    echo "Not installed, and left out:$wanted"
    check_cmake
    exit 0
}

if [ -n "$missing$wanted" ]; then
    if [ "$(id -u)" -eq 0 ]; then
        run=
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        run="sudo -n"
    elif command -v sudo >/dev/null && [ -t 0 ]; then
        run=sudo
    elif [ -z "$missing" ]; then
        leave_out
    else
        echo "Packages are missing and may not be installed from here. Run this, then repeat:" >&2
        echo "sudo apt-get install -y$missing$wanted" >&2
        exit 1
    fi
    echo "Installing:$missing$wanted"
    $run env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        echo "The package lists could not be renewed; trying with the present ones." >&2
    # shellcheck disable=SC2086 # the lists are meant to be split
    if ! install $missing $wanted; then
        if [ -z "$wanted" ] || { [ -n "$missing" ] && ! install $missing; }; then
            echo "Installing failed. Run this and read its message:" >&2
            echo "sudo apt-get install -y$missing" >&2
            exit 1
        fi
        leave_out
    fi
fi
check_cmake
