#!/bin/sh
# SPDX-License-Identifier: MIT
# The recipes of docs/guide/extending.md, carried out on a copy of the sources: one file and one line
# each. The copy must build, list the new words, pass the families' tests and run a model.
# Usage: extending.sh ROOT WORK CMAKE CC PYTHON
set -eu
root=$1 work=$2 cmake=$3 cc=$4 python=$5

rm -rf "$work/copy"
mkdir -p "$work/copy"
for part in CMakeLists.txt cmake include src tests; do
    cp -R "$root/$part" "$work/copy/"
done
for file in README.md LICENSE; do
    cp "$root/$file" "$work/copy/"
done
mkdir -p "$work/copy/docs"
cp -R "$root/docs/guide" "$work/copy/docs/"

add() {  # add EXAMPLE FOLDER LIST LINE
    cp "$root/docs/guide/extending/$1.c" "$work/copy/src/$2/"
    echo "$4" >>"$work/copy/src/$3"
}
add parallel joint/planar joint/joints.def "TR_JOINT(planar, parallel)"
add drag force/planar force/forces.def "TR_FORCE(planar, drag)"
add udwadia_kalaba formulation formulation/formulations.def "TR_FORMULATION(udwadia_kalaba)"
add heun integrator integrator/integrators.def "TR_INTEGRATOR(heun)"
add extremes record record/sinks.def "TR_SINK(extremes)"

$cmake -S "$work/copy" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DTRAMMEL_STRICT=ON \
    -DCMAKE_BUILD_TYPE=Release >"$work/log" || { cat "$work/log"; exit 1; }
$cmake --build "$work/build" --parallel 2 --target trammel_command trammel_shared \
    formulation_test_every_formulation integrator_test_every_integrator \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

trammel=$work/build/trammel
"$trammel" joints parallel
"$trammel" forces drag
"$trammel" methods udwadia_kalaba
"$trammel" integrators heun
"$work/build/tests/formulation_test_every_formulation"
"$work/build/tests/integrator_test_every_integrator"

"$trammel" run "$root/tests/docs/extended.lua" --json --no-hdf5 >"$work/summary.json"
"$python" - "$work/summary.json" <<'END'
import json
import math
import sys

carrier, mass = json.load(open(sys.argv[1]))["states"]
# Heun's global error is at most t h^2 / 6 times |v'''| = 9.81/4 m/s^3: 4e-7 m/s. On the angle, whose
# second derivative is constant, it is exact up to rounding and projection.
assert abs(mass["vy"] + 19.62 * (1 - math.exp(-0.5))) < 4e-7, mass
assert abs(mass["angle"] - 0.75) < 1e-10, mass
assert abs(carrier["angle"] - 0.75) < 1e-10, carrier
END

"$cc" -std=c17 -I"$root/include" "$root/tests/docs/use_sink.c" -o "$work/use_sink" \
    -L"$work/build/src" -ltrammel -Wl,-rpath,"$work/build/src"
"$work/use_sink" "$work/extremes.txt"
printf 't 0 2\nx -3 2\n' | cmp - "$work/extremes.txt"
