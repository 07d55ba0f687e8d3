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
# Some tests are made of the modules among the examples.
mkdir "$work/copy/examples"
cp -R "$root/examples/modules" "$work/copy/examples/"
for file in README.md LICENSE; do
    cp "$root/$file" "$work/copy/"
done
mkdir -p "$work/copy/docs"
cp -R "$root/docs/guide" "$work/copy/docs/"

add() {  # add EXAMPLE FOLDER LIST LINE
    cp "$root/docs/guide/extending/$1.c" "$work/copy/src/engine/$2/"
    echo "$4" >>"$work/copy/src/engine/$3"
}
add parallel joint/planar joint/joints.def "TR_JOINT(planar, parallel)"
add drag force/planar force/forces.def "TR_FORCE(planar, drag)"
add spatial/orientation joint/spatial joint/joints.def "TR_JOINT(spatial, orientation)"
add spatial/drag force/spatial force/forces.def "TR_FORCE(spatial, drag)"
for list in joint/joints force/forces; do
    LC_ALL=C sort -o "$work/copy/src/engine/$list.def" "$work/copy/src/engine/$list.def"
done
add gauss formulation formulation/formulations.def "TR_FORMULATION(gauss)"
add heun integrator integrator/integrators.def "TR_INTEGRATOR(heun)"
add extremes record record/sinks.def "TR_SINK(extremes)"

$cmake -S "$work/copy" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DTRAMMEL_STRICT=ON \
    -DCMAKE_BUILD_TYPE=Debug >"$work/log" || { cat "$work/log"; exit 1; }
$cmake --build "$work/build" --parallel 2 --target trammel_command trammel_shared \
    formulation_test_every_formulation integrator_test_every_integrator \
    joint_test_every_joint joint_test_every_joint3 system_test_examples \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

trammel=$work/build/trammel
"$trammel" joints parallel
"$trammel" joints orientation
"$trammel" forces drag --dim 2
"$trammel" forces drag --dim 3
"$trammel" methods gauss
"$trammel" integrators heun
"$work/build/tests/formulation_test_every_formulation"
"$work/build/tests/integrator_test_every_integrator"
"$work/build/tests/joint_test_every_joint"
"$work/build/tests/joint_test_every_joint3"
"$work/build/tests/system_test_examples"

"$trammel" run "$root/tests/docs/extended.lua" --json --no-hdf5 >"$work/summary.json"
"$trammel" run "$root/tests/docs/extended3.lua" --json --no-hdf5 >"$work/summary3.json"
"$python" - "$work/summary.json" "$work/summary3.json" <<'END'
import json
import math
import sys

carrier, mass = json.load(open(sys.argv[1]))["states"]
falls = 19.62 * (1 - math.exp(-0.5))
# Heun's global error is at most t h^2 / 6 times |v'''| = 9.81/4 m/s^3: 4e-7 m/s. On the angle, whose
# second derivative is constant, it is exact up to rounding and projection.
assert abs(mass["vy"] + falls) < 4e-7, mass
assert abs(mass["angle"] - 0.75) < 1e-10, mass
assert abs(carrier["angle"] - 0.75) < 1e-10, carrier

carrier, mass = json.load(open(sys.argv[2]))["states"]
turned = [mass["e%d" % i] for i in range(4)]


def times(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def rotation(x, y, z):
    angle = math.hypot(x, y, z)
    return (math.cos(angle / 2), *(math.sin(angle / 2) * k / angle for k in (x, y, z)))


# Generalized-alpha is of second order: h^2 |v'''| t times a constant, which is below 1/2 here. With
# a constant moment the angle is exact up to the tolerance of Newton's method, 1e-10 per step at
# worst; the errors of 1000 steps would add up to 1e-7.
assert abs(mass["vz"] + falls) < 0.5 * 9.81 / 4 * 1e-6, mass
assert all(abs(e - r) < 1e-7 for e, r in zip(turned, rotation(0.45, 0, 0.6))), mass
kept = times(turned, rotation(0.3, -0.2, 0.5))  # the carrier turns with the mass
assert all(abs(carrier["e%d" % i] - kept[i]) < 1e-9 for i in range(4)), carrier
END

"$cc" -std=c17 -I"$root/include" "$root/tests/docs/use_sink.c" -o "$work/use_sink" \
    -L"$work/build/src" -ltrammel -Wl,-rpath,"$work/build/src"
"$work/use_sink" "$work/extremes.txt"
printf 't 0 2\nx -3 2\n' | cmp - "$work/extremes.txt"
