#!/bin/sh
# Usage: tools/processors.sh [PROCESSOR...] [-- CTEST_OPTION...]
#
# Runs the tests of `make check` as they would run on other x86-64 processors: OpenBLAS uses the
# kernels written for that processor, and functions such as sin and exp of the C library are
# computed with or without fused multiply-add. Options of ctest choose other tests:
#
#     tools/processors.sh                                 every processor, every test
#     tools/processors.sh Nehalem Haswell -- -L family    two processors, one label
#
# Processors that this one cannot imitate are skipped with a message. The tests must have been
# built (make check). The exit code is 1 if a test failed on any processor.
set -eu
cd "$(dirname "$0")/.."

all="Prescott Nehalem Sandybridge Haswell Zen SkylakeX"
chosen=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    chosen="$chosen $1"
    shift
done
[ $# -eq 0 ] || shift

if [ "$(uname -m)" != x86_64 ]; then
    echo "processors.sh: only x86-64 processors can be imitated, and this is $(uname -m)"
    exit 0
fi

needs() { # what the kernels of a processor need
    case $1 in
    Prescott) echo pni ;;
    Nehalem) echo sse4_2 ;;
    Sandybridge) echo avx ;;
    Haswell | Zen) echo avx2 fma ;;
    SkylakeX) echo avx2 fma avx512f avx512cd avx512bw avx512dq avx512vl ;;
    *)
        echo "processors.sh: unknown processor '$1'; known are $all" >&2
        exit 2
        ;;
    esac
}

missing() { # of the features a processor needs, those that this one has not
    for feature in $(needs "$1"); do
        grep -m 1 '^flags' /proc/cpuinfo | grep -qw "$feature" || printf ' %s' "$feature"
    done
}

tunables() { # the C library chooses by these: see ld.so --list-tunables
    case $1 in
    Prescott | Nehalem) echo glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-AVX512F ;;
    Sandybridge) echo glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F ;;
    Haswell | Zen) echo glibc.cpu.hwcaps=-AVX512F ;;
    SkylakeX) echo ;;
    esac
}

library() { # which of its variants the C library uses, by the last bits of its functions
    python3 -c 'import math
print(hash(tuple(f(i * 1e-5) for f in (math.sin, math.exp, math.atan) for i in range(20000))))'
}

# Without this the imitation could silently be none.
plain=$(library)
fused=$(grep -m 1 '^flags' /proc/cpuinfo | grep -cw fma || true)
if [ "$fused" = 1 ] && [ "$(GLIBC_TUNABLES=$(tunables Nehalem) library)" = "$plain" ]; then
    echo "processors.sh: GLIBC_TUNABLES does not change the functions of the C library" >&2
    exit 1
fi

log=build/processors
mkdir -p "$log"
failed=0 table=
for processor in ${chosen:-$all}; do
    lacking=$(missing "$processor") || exit 2
    if [ -n "$lacking" ]; then
        table="$table$(printf '%-12s skipped: this processor lacks%s' "$processor" "$lacking")\n"
        continue
    fi
    export OPENBLAS_CORETYPE="$processor" GLIBC_TUNABLES="$(tunables "$processor")"
    core=$(OPENBLAS_VERBOSE=2 build/trammel run models/benchmark/four_bar.lua -q --no-hdf5 --duration 0.1 2>&1 |
        sed -n 's/^Core: //p')
    libm=$([ "$(library)" = "$plain" ] && echo "as here" || echo "no FMA")
    echo "== $processor (OpenBLAS: ${core:-not used}, C library: $libm)"
    if ctest --preset release "$@" >"$log/$processor.log" 2>&1; then
        result=passed
    else
        result=failed failed=1
        sed -n '/tests failed out of/,$p' "$log/$processor.log"
    fi
    table="$table$(printf '%-12s %-12s %-8s %s: %s' "$processor" "${core:-none}" "$libm" "$result" \
        "$(sed -n 's/.*tests passed, \(.*\)/\1/p' "$log/$processor.log")")\n"
done
unset OPENBLAS_CORETYPE GLIBC_TUNABLES
printf '\n%-12s %-12s %-8s %s\n%b' processor OpenBLAS "C library" tests "$table"
exit $failed
