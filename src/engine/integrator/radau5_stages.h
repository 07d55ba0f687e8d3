// SPDX-License-Identifier: MIT
// The three stages of radau5 and the polynomials through them.
//
// A stage is a vector (x, v - v_n, lambda, mu, z - z_n), laid out by trRadauLayout. Of x, v and z
// there is a polynomial of third degree, through zero at the start of the step; of multipliers one
// of second degree.

#ifndef TR_INTEGRATOR_RADAU5_STAGES_H
#define TR_INTEGRATOR_RADAU5_STAGES_H

#include "integrator/radau5_matrices.h"

typedef struct trRadauStages {
    trRadauLayout at;
    double        h;         // of the step [s]
    double       *y[3];      // n each
    double        power[3];  // [W]
} trRadauStages;

trStatus tr_radau_stages_plan(trArena *arena, const trRadauLayout *at, trRadauStages *out);
void     tr_radau_stages_copy(const trRadauStages *from, trRadauStages *to);
// Of x, v - v_n and z - z_n (their places in `out`, n) at t_n + theta h. The rest is not changed.
void tr_radau_inside(const trRadauStages *stages, double theta, double *out);
// W - W_n at t_n + theta h [J].
double tr_radau_work(const trRadauStages *stages, double theta);
// Stages of a first step, of length `stages->h`: with constant accelerations and multipliers.
void tr_radau_start(const trDaeState *s, const double *z_dot, trRadauStages *stages);
// From those of the step before by extrapolation. `memory` is n.
void tr_radau_extrapolate(const trRadauStages *last, const trDae *dae, const trDaeState *s,
                          double *memory, trRadauStages *stages);

#endif
