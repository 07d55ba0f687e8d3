#!/bin/sh
# Usage: tools/demo.sh FOLDER COMMAND MODELS
# Runs two planar mechanisms, a spatial one and a system of equations with the freshly built command,
# checks a mechanism with a redundant joint, verifies a result, compares methods on one of them, glues
# a crane of five modules, and leaves the results in FOLDER.
set -eu
folder=$1 trammel=$2 models=$3
cd "$folder"

show() {
    printf '\n$ trammel'
    printf ' %s' "$@"
    printf '\n\n'
    "$trammel" "$@"
}

# The commands are shown as they would be typed from a folder beside the models.
ln -sfn "$models" models
show check models/benchmark/bricard.lua
show run models/benchmark/four_bar.lua
show verify four_bar.h5
show run models/benchmark/n_four_bar.lua --set N=40 --csv n_four_bar.csv
show run models/guide/universal.lua --csv universal.csv
show run models/guide/equations.lua --set L=2 --csv equations.csv
show compare models/benchmark/four_bar.lua --integrator rk4 --step 1e-3 --duration 2 --repeat 1 --csv compare.csv

# The crane's program and its FMU are built as a user would, beside its model files.
rm -rf crane
cp -r "$models/glue/crane" crane
python3 "$models/../examples/modules/build.py" crane > built
show glue crane/crane.lua --csv crane.csv
if command -v mpirun > built && [ -e "$(dirname "$trammel")/libtrammel_mpi.so" ]; then
    show glue --mpi crane/crane.lua --duration 0.5 -o crane_mpi.h5
fi
rm -f built
printf '\nResults are in %s\n' "$folder"
