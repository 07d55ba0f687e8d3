// SPDX-License-Identifier: MIT
// A rank that gives up: all that it leaves behind is who sees to mpirun's end.

#include "glue_mpi/mpirun_end.h"

int main(void) {
    tr_mpirun_see_end();
    return 0;
}
