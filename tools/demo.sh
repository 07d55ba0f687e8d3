#!/bin/sh
# Usage: tools/demo.sh FOLDER COMMAND MODELS
# Runs two planar mechanisms, a spatial one and a system of equations with the freshly built command,
# checks a mechanism with a redundant joint, verifies a result, compares methods on one of them, glues
# a crane of five modules, and leaves the results in FOLDER. Says what it leaves out because this
# Trammel was built without it.
set -eu
folder=$1 trammel=$2 models=$3
cd "$folder"

show() {
    printf '\n$ trammel'
    printf ' %s' "$@"
    printf '\n\n'
    "$trammel" "$@"
}

leave_out() {
    printf '\nLeft out: %s\n' "$1"
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
if ! "$trammel" fmu crane/load.fmu > built 2>&1 && grep -q 'built without FMUs' built; then
    leave_out "the crane, which has an FMU: libzip or libxml2 was not found at the build"
else
    show glue crane/crane.lua --csv crane.csv
    if [ ! -e "$(dirname "$trammel")/libtrammel_mpi.so" ]; then
        leave_out "the crane over MPI: MPI was not found at the build"
    elif ! command -v mpirun > built; then
        leave_out "the crane over MPI: mpirun was not found"
    else
        show glue --mpi crane/crane.lua --duration 0.5 -o crane_mpi.h5
    fi
fi
"$trammel" integrators > built
grep -q '^ *cvode' built ||
    leave_out "the integrators cvode, ida and arkode: SUNDIALS was not found at the build"
rm -f built
printf '\nResults are in %s\n' "$folder"
