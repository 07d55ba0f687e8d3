// SPDX-License-Identifier: MIT
// What does not depend on libraries that may be missing.

#include "trammel/fmi.h"

trFmuDef tr_fmu_def_default(void) {
    return (trFmuDef){
        .struct_size = sizeof(trFmuDef),
        .substeps = 4,
        .difference_step = 1e-3,
    };
}
