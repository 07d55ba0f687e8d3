// SPDX-License-Identifier: MIT
// What radau5 carries from step to step, and Newton's method for its stages.

#ifndef TR_INTEGRATOR_RADAU5_NEWTON_H
#define TR_INTEGRATOR_RADAU5_NEWTON_H

#include "integrator/accelerate.h"
#include "integrator/radau5_full.h"
#include "integrator/radau5_stages.h"

typedef struct trRadau {
    trRadauLayout   at;
    trRadauMatrices matrices;
    trRadauFull     full;
    trRadauStages   stages, last;  // of this attempt, and of the last accepted one
    bool            has_last;
    bool            has_jacobian, is_fresh;  // fresh: made at the present state
    bool           *left_out;                // m: when it was made
    bool            has_z_dot;               // of the present state
    bool            doubted;  // nothing was accepted since the last failure, or at all
    double          failed;  // the step with which Newton's method failed last, or a longer one [s]
    double          factored;    // for this step [s]; 0: none
    double          tolerance;   // the larger one
    double          close;       // the size that Newton's error may have
    double          confidence;  // theta / (1 - theta) of the last steps
    double          theta;       // of the last Newton iteration
    trDaeState      at_stage;
    const trEquations *e;                       // of the last residual
    double            *x_dot, *z_dot, *memory;  // nv, nz, n
    double            *r[3];                    // n: residuals, then corrections; one after another
    trAccelerator      accelerator;             // of all three
    trSwing            swing[3];                // of the mechanism at the stages
    double            *b1[3];                   // m: of the stages
    trIntegratorCounts counts;
} trRadau;

// sum_j weight_j Y_j of component k
static inline double tr_radau_combine(const trRadauStages *s, const double weight[3], int k) {
    return weight[0] * s->y[0][k] + weight[1] * s->y[1][k] + weight[2] * s->y[2][k];
}

// A vector of n numbers as it was, or would have been, when the parts were made; and back again.
void tr_radau_turn_back(const trRadau *w, const trDae *dae, int stage, double *r);
void tr_radau_turn_forth(const trRadau *w, const trDae *dae, int stage, double *d);
// The state of stage i in at_stage.
void tr_radau_visit(trRadau *w, const trDae *dae, int i, const trDaeState *s);
// All equations of stage i, in r[i].
trStatus tr_radau_residual(trRadau *w, const trDae *dae, int i, const trDaeState *s);
// z' at the start of the step, in z_dot.
trStatus tr_radau_look_at_start(trRadau *w, const trDae *dae, const trDaeState *s);
// Parts of the matrices, made anew for the step.
trStatus tr_radau_linearize(trRadau *w, const trDae *dae, const trDaeState *s);
// Whether other rows are left out now than when the parts were made.
bool tr_radau_has_other_rows(const trRadau *w, const trDae *dae);
// The same with exact matrices, near a singular pose (radau5_full.c).
trStatus tr_radau_pass(trRadau *w, const trDae *dae, const trDaeState *s);
// Newton's method, whose corrections have this size, does not converge.
trStatus tr_radau_fail(const trRadau *w, const trDaeState *s, double size);
// The stages of the step w->stages.h from s.
trStatus tr_radau_solve_stages(trRadau *w, const trDae *dae, const trDaeState *s);

#endif
