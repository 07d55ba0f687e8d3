// SPDX-License-Identifier: MIT
// One step of RATTLE, which rattle and its composition rattle4 share; equations in rattle.c.

#ifndef TR_INTEGRATOR_RATTLE_H
#define TR_INTEGRATOR_RATTLE_H

#include "integrator/integrator.h"

typedef struct trRattle {
    int                nq, nv, m;
    trRows             rows;    // A at the end of the step, with values of its own
    double            *value;   // of `rows`
    int                values;  // how many
    double            *a;       // nv: acceleration at the start of the step, for a first guess
    double            *v_half;  // nv
    double            *x;       // nv: h v_half
    double            *F;       // nv: momenta
    double            *dv;      // nv: a correction of v_half
    double            *y;       // m: multipliers of a solve
    double            *gap;     // m: what is left of the constraints at the end, as a velocity
    double            *wanted;  // m: what a correction still has to change
    const trEquations *end;     // as evaluated at the end of the step
    int64_t            iterations;
} trRattle;

// Also refuses what rattle cannot take and no trait tells; `name` is the integrator's.
trStatus tr_rattle_plan(trArena *arena, const trDae *dae, const trEquations *e, const char *name,
                        trRattle *out);
// From (t0, q0, v0) to (t1, q1, v1); t1 may lie before t0. `a` is that of the start, roughly,
// and receives that of the end.
trStatus tr_rattle_step(trRattle *w, const trDae *dae, const double t[2], const double *q0,
                        const double *v0, double *q1, double *v1);
// a and lambda of the new state, from its positions and velocities: M a + A' lambda = Q, A a = b.
trStatus tr_rattle_finish(const trDae *dae, trDaeState *next);

#endif
