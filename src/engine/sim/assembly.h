// SPDX-License-Identifier: MIT
// What the parts of an assembly on its own share (assembly.c, assembly_kept.c).

#ifndef TR_SIM_ASSEMBLY_H
#define TR_SIM_ASSEMBLY_H

#include "sim/assemble.h"

// The result while it is made.
typedef struct trAssemblyWork {
    trAssembly              *out;
    const trAssembleOptions *options;
    trSearch                *search;
    double                  *q0, *v0, *q, *v;  // nq, nv, nq, nv
    double                  *rate;             // m
    trJointGap              *joint;
    int                     *open;
} trAssemblyWork;

// Velocities of the model for bodies that stand at q, unless the caller gives some.
void tr_assembly_start_velocities(const trAssemblyWork *work, const double *q, double *v);

// Whether (work->q, work->v), found with nothing kept, has what shall be kept where it was.
trStatus tr_kept_unmoved(trAssemblyWork *work, bool *unmoved);
// Positions and velocities with what is kept where it is.
trStatus tr_assemble_kept(trAssemblyWork *work, trFound *found);
// work->open[0] is open while things are kept: which of them is in the way. `scratch` is nq.
trStatus tr_refuse_kept(trAssemblyWork *work, double *scratch);

#endif
