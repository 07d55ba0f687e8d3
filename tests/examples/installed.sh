#!/bin/sh
# Usage: installed.sh BUILD SCRATCH CMAKE CC LIBDIR EXAMPLES
# Installs BUILD below SCRATCH, then builds the examples as a project of their own, and the first
# one by pkg-config: trammel/constrain.h and the library are all it takes.
set -eu
build=$1 scratch=$2 cmake=$3 cc=$4 libdir=$5 examples=$6
prefix=$scratch/prefix

rm -rf "$prefix" "$scratch/by_cmake" "$scratch/by_pkg_config"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null
"$cmake" -S "$examples" -B "$scratch/by_cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" >/dev/null
"$cmake" --build "$scratch/by_cmake" >/dev/null

export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
# shellcheck disable=SC2046 # the options are meant to be split
"$cc" -std=c11 "$examples/pendulum_rk4.c" -o "$scratch/by_pkg_config" \
    $(pkg-config --cflags --libs trammel) -lm -Wl,-rpath,"$prefix/$libdir"

for program in "$scratch/by_cmake/pendulum_rk4" "$scratch/by_pkg_config"; do
    output=$("$program" | sed -n '$p')
    case $output in
    "t = 10 s: x = 0.2750874"*) ;;
    *)
        echo "$program ends with: $output"
        exit 1
        ;;
    esac
done
