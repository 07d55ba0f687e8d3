#!/bin/sh
# Usage: run.sh BUILD SCRATCH CMAKE CC LIBDIR VERSION
# Installs BUILD below SCRATCH, then builds and runs a program that uses the installed package:
# found by CMake (shared and static), and by pkg-config (shared and static). Another one uses all
# libraries beside the core.
set -eu
build=$1 scratch=$2 cmake=$3 cc=$4 libdir=$5 version=$6
here=$(cd "$(dirname "$0")" && pwd)
prefix=$scratch/prefix

rm -rf "$prefix" "$scratch/by_cmake" "$scratch/by_pkg_config"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null

# The program prints "trammel VERSION" and where the pendulum is.
check() {
    output=$("$@")
    case $output in
    "trammel $version: "*) ;;
    *)
        echo "$* said: $output"
        exit 1
        ;;
    esac
}

"$cmake" -S "$here/consumer" -B "$scratch/by_cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" >/dev/null
"$cmake" --build "$scratch/by_cmake" >/dev/null
check "$scratch/by_cmake/with_shared"
check "$scratch/by_cmake/with_static"
check "$scratch/by_cmake/files_with_shared" "$scratch/shared.h5"
check "$scratch/by_cmake/files_with_static" "$scratch/static.h5"

# A program that simulates loads LAPACK, KLU and SUNDIALS with what they need, and no library that
# only files, model texts, FMUs or other processes take.
if command -v ldd >/dev/null && [ "$(uname)" = Linux ]; then
    loaded=$(ldd "$scratch/by_cmake/with_shared")
    for other in hdf5 lua zip xml curl ssl ldap krb5; do
        case $loaded in
        *lib*"$other"*)
            echo "a program that simulates loads $other: $loaded"
            exit 1
            ;;
        esac
    done
    echo "a program that simulates loads $(echo "$loaded" | wc -l) libraries"
fi

mkdir -p "$scratch/by_pkg_config"
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
[ "$(pkg-config --modversion trammel)" = "$version" ]
# shellcheck disable=SC2046 # the options are meant to be split
"$cc" -std=c11 "$here/consumer/pendulum.c" -o "$scratch/by_pkg_config/with_shared" \
    $(pkg-config --cflags --libs trammel) -Wl,-rpath,"$prefix/$libdir"
check "$scratch/by_pkg_config/with_shared"

# shellcheck disable=SC2046
"$cc" -std=c11 "$here/consumer/files.c" -o "$scratch/by_pkg_config/files_with_shared" \
    $(pkg-config --cflags --libs trammel-verify trammel-fmi) -Wl,-rpath,"$prefix/$libdir"
check "$scratch/by_pkg_config/files_with_shared" "$scratch/by_pkg_config.h5"

# Only Trammel itself is taken from its archive; the libraries under it, which trammel.pc names,
# stay shared.
private=$(sed -n 's/^Libs.private: //p' "$prefix/$libdir/pkgconfig/trammel.pc")
# shellcheck disable=SC2046,SC2086
"$cc" -std=c11 "$here/consumer/pendulum.c" -o "$scratch/by_pkg_config/with_static" \
    $(pkg-config --cflags trammel) "$prefix/$libdir/libtrammel.a" \
    $(pkg-config --libs lapacke) $private
check "$scratch/by_pkg_config/with_static"

[ "$("$prefix/bin/trammel" --version)" = "trammel $version" ]

# How the installed files are linked.
if command -v readelf >/dev/null && [ "$(uname)" = Linux ]; then
    find "$prefix/bin" "$prefix/$libdir" -type f \( -name trammel -o -name '*.so*' \) \
        -exec python3 "$here/../surface/hardening.py" {} +
fi
