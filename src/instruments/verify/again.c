// SPDX-License-Identifier: MIT
// From one row to the next by classical Runge-Kutta steps of
//
//     q' = v    v' = a(t, q, v, z)    z' = g    W' = power        with M a + A' lambda = Q + C
//
// which are made four times as many until the end agrees. Positions move along
// h (k1 + 2 k2 + 2 k3 + k4) / 6 of velocities in body axes: of order 2 where a body turns about a
// changing axis.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "verify/verify.h"

#define FIRST_STEPS 16
#define MOST_STEPS 4096
#define MOST_TIMES 200  // intervals of a file
#define AGREE 1e-2      // of what changes in the interval

struct trAgain {
    trEval  *eval;
    trMoment here, memory, end, coarse;
    trMoment slope[4];  // of the stages: v, a, and z' in z
    double   power[4];  // [W]
    double  *lambda;    // m
    double   work;      // [J]
    int      times;
};

static void release(void *again) {
    tr_eval_destroy(((trAgain *)again)->eval);
}

trStatus tr_again_plan(trVerifier *V) {
    trAgain *G = V->again = tr_new(V->arena, trAgain);
    TR_TRY(tr_arena_status(V->arena));
    TR_TRY(tr_eval_create(V->system, &G->eval));
    tr_arena_defer(V->arena, release, G);
    trMoment *moments[] = {&G->here,     &G->memory,   &G->end,      &G->coarse,
                           &G->slope[0], &G->slope[1], &G->slope[2], &G->slope[3]};
    for (int i = 0; i < 8; i++) {
        TR_TRY(tr_moment_plan(V, moments[i]));
    }
    G->lambda = tr_new_array(V->arena, double, V->m);
    return tr_arena_status(V->arena);
}

void tr_again_reach(trVerifier *V, const trMoment *before, const trMoment *from) {
    trAgain *G = V->again;
    if (V->dim < 3) {
        return;  // nothing counts turns there
    }
    if (before != NULL) {
        tr_follow_turns(V, before, from, &G->memory, G->eval);
    }
    if (tr_eval_at(G->eval, from->t, from->q, from->v, from->z) == TR_OK) {
        tr_eval_accept(G->eval);
    }
}

// Slope and power of stage k, at a state.
static trStatus evaluate(trVerifier *V, const trMoment *at, int k) {
    trAgain *G = V->again;
    TR_TRY(tr_eval_at(G->eval, at->t, at->q, at->v, at->z));
    TR_TRY(tr_eval_solve(G->eval, NULL, NULL, G->slope[k].a, G->lambda));
    tr_copy(V->nv, at->v, G->slope[k].v);
    tr_copy(V->nz, tr_eval_z_rate(G->eval), G->slope[k].z);
    G->power[k] = tr_verify_power(V, G->eval, at->v, G->lambda);
    return TR_OK;
}

// from + h (sum of weight k) / sum of weight.
static void move(trVerifier *V, const trMoment *from, double h, const double *weight,
                 trMoment *to) {
    trAgain *G = V->again;
    double   sum = weight[0] + weight[1] + weight[2] + weight[3], *dq = G->memory.v;
    tr_moment_copy(V, from, to);
    to->t = from->t + h;
    memset(dq, 0, (size_t)V->nv * sizeof *dq);
    for (int k = 0; k < 4; k++) {
        double part = h * weight[k] / sum;
        if (weight[k] > 0.0) {
            tr_add_scaled(V->nv, part, G->slope[k].v, dq);
            tr_add_scaled(V->nv, part, G->slope[k].a, to->v);
            tr_add_scaled(V->nz, part, G->slope[k].z, to->z);
        }
    }
    tr_system_move(V->system, dq, to->q);
}

static trStatus step(trVerifier *V, double h, trMoment *at) {
    static const double weight[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 2, 2, 1}};
    trAgain            *G = V->again;
    const double       *power = G->power;
    for (int k = 0; k < 4; k++) {
        if (k > 0) {
            move(V, at, k < 3 ? 0.5 * h : h, weight[k - 1], &G->here);
        }
        TR_TRY(evaluate(V, k == 0 ? at : &G->here, k));
    }
    G->work += h / 6.0 * (power[0] + 2.0 * power[1] + 2.0 * power[2] + power[3]);
    move(V, at, h, weight[3], &G->here);
    tr_moment_copy(V, &G->here, at);
    return TR_OK;
}

static trStatus integrate(trVerifier *V, const trMoment *from, double t, int steps) {
    trAgain *G = V->again;
    double   h = (t - from->t) / steps;
    G->work = 0.0;
    tr_moment_copy(V, from, &G->end);
    for (int i = 0; i < steps; i++) {
        TR_TRY(step(V, h, &G->end));
    }
    return TR_OK;
}

// Whether the end is the same as with fewer steps, beside what changes in the interval.
static bool agrees(const trVerifier *V, const trMoment *from) {
    const trAgain *G = V->again;
    double         change = 0.0, off = 0.0;
    for (int i = 0; i < V->nv; i++) {
        change = fmax(change, fabs(G->end.v[i] - from->v[i]));
        off = fmax(off, fabs(G->end.v[i] - G->coarse.v[i]));
    }
    return off <= AGREE * change;
}

const trMoment *tr_again(trVerifier *V, const trMoment *from, double t, double *work) {
    trAgain *G = V->again;
    bool     known = false;
    if (++G->times > MOST_TIMES) {
        return NULL;
    }
    for (int steps = FIRST_STEPS; steps <= MOST_STEPS; steps *= 4) {
        bool found = integrate(V, from, t, steps) == TR_OK;
        if (found && known && agrees(V, from)) {
            *work = G->work;
            return &G->end;
        }
        known = found;
        tr_moment_copy(V, &G->end, &G->coarse);
    }
    return NULL;
}
