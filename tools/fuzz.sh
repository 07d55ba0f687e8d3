#!/usr/bin/env bash
# Usage: tools/fuzz.sh libfuzzer|afl SECONDS [TARGET...]
# Builds the targets of fuzz/ with sanitizers into build/libfuzzer (or build/afl), shares the seconds
# among them, and prints how many inputs each has tried. New inputs are kept in build/libfuzzer/found for
# the next time; one that breaks a target is named, and the exit code is 1. Then: make it small
# (-minimize_crash=1), repair what it shows, and keep it under fuzz/corpus/TARGET. FUZZ_SEED=1 makes
# libFuzzer try the same inputs again; 0, the default, others each time.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=$1 seconds=$2
shift 2
targets=${*:-model trace result command checkpoint fmu assembly message}
count=$(wc -w <<<"$targets")
share=$((seconds / count > 0 ? seconds / count : 1))
export OPENBLAS_NUM_THREADS=1
# HDF5 keeps memory of files that it could not read; all else must not leak.
leaks() {
    [ "$1" = result ] && echo 0 || echo 1
}

case $kind in
libfuzzer) build=build/libfuzzer compiler=clang ;;
afl) build=build/afl compiler=afl-clang-fast ;;
*)
    echo "fuzz.sh: unknown fuzzer '$kind'; known are libfuzzer, afl" >&2
    exit 2
    ;;
esac
cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DTRAMMEL_FUZZ=ON >/dev/null
# shellcheck disable=SC2086 # the list is meant to be split
AFL_QUIET=1 ninja -C "$build" $(printf 'fuzz_%s ' $targets) >"$build/log" ||
    { cat "$build/log" && exit 1; }

# Seeds that are elsewhere in the repository.
seeds=$build/seeds
mkdir -p "$seeds"/{model,trace,result,command,checkpoint,fmu,assembly,message}
for folder in guide benchmark; do # which have names in common
    mkdir -p "$seeds/model/$folder"
    cp models/$folder/*.lua "$seeds/model/$folder"
done

broken=0 total=0
for target in $targets; do
    found=$PWD/$build/found/$target broke=$PWD/$build/broke/$target log=$PWD/$build/$target.log
    mkdir -p "$found" "$broke"
    dictionary=()
    if [ "$kind" = libfuzzer ]; then
        [ -f "fuzz/$target.dict" ] && dictionary=(-dict="fuzz/$target.dict")
        ASAN_OPTIONS=detect_leaks=$(leaks "$target") \
            "$build/fuzz/fuzz_$target" -max_total_time="$share" -timeout=20 -rss_limit_mb=4096 \
            -close_fd_mask=3 -seed="${FUZZ_SEED:-0}" -detect_leaks="$(leaks "$target")" -print_final_stats=1 \
            -artifact_prefix="$broke/" "${dictionary[@]}" "$found" \
            "$PWD/fuzz/corpus/$target" "$PWD/$seeds/$target" >"$log" 2>&1 || broken=1
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    else
        [ -f "fuzz/$target.dict" ] && dictionary=(-x "fuzz/$target.dict")
        all=$build/all/$target
        rm -rf "$all" && mkdir -p "$all"
        find "fuzz/corpus/$target" "$seeds/$target" -type f -size -60k -exec cp --backup=numbered -t "$all" {} +
        AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_AUTORESUME=1 \
            ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0 \
            afl-fuzz -V "$share" -t 20000 -m none -i "$all" -o "$found" "${dictionary[@]}" \
            -- "$build/fuzz/fuzz_$target" >"$log" 2>&1 || broken=1
        runs=$(sed -n 's/^execs_done *: *//p' "$found/default/fuzzer_stats" 2>/dev/null || true)
        find "$found/default/crashes" "$found/default/hangs" -name 'id*' -exec cp -t "$broke" {} + \
            2>/dev/null || true
    fi
    total=$((total + ${runs:-0}))
    printf '%-8s %10s inputs in %s s\n' "$target" "${runs:-?}" "$share"
    if [ -n "$(ls -A "$broke")" ]; then
        broken=1
        echo "fuzz.sh: $target breaks on:" >&2
        ls "$broke"/* >&2
        tail -40 "$log" >&2
    fi
done
echo "$total inputs in all"
exit $broken
