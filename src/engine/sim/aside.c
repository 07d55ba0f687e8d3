// SPDX-License-Identifier: MIT
// Poses beside the start. Pivots are near a singular pose or far from it by comparison with the
// best one so far, and rows are redundant or dependent for a moment by comparison with other poses.
// A run that starts in a singular pose, or close to one, has not seen another.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "sim/sim.h"

#define ASIDE 0.2  // how far [rad]
#define NEAR 1e-2  // pivots of A M^-1 A', relative to those beside: rows may be dropped by rounding

// The motion of the start, turned into a step of ASIDE: of the body that turns fastest, or of
// coordinates relative to the largest one. At rest it is the motion that begins.
static trStatus find_step(trSim *s, double *step) {
    const trSpace *space = s->system->space;
    const double  *v = s->x + s->nq;
    double         fastest = 0.0, size = space->dim == 0 ? fmax(1.0, tr_largest(s->nq, s->x)) : 1.0;
    bool           rests = true;
    for (int i = 0; i < s->nv; i++) {
        rests &= v[i] == 0.0;
    }
    if (rests) {
        TR_TRY(tr_sim_accelerate(s, s->t, s->x, step));
    } else {
        memcpy(step, v, (size_t)s->nv * sizeof *step);
    }
    for (int i = 0; i < s->nv; i++) {
        bool counts = space->dim == 0 || tr_space_turns(space, i % space->nv);
        fastest = counts ? fmax(fastest, fabs(step[i])) : fastest;
    }
    for (int i = 0; i < s->nv; i++) {
        step[i] *= fastest > 0.0 ? ASIDE * size / fastest : 0.0;
    }
    return fastest > 0.0 ? TR_OK : TR_NO_CONVERGENCE;
}

// The rank of all rows at q.
static trStatus judge_at(trSim *s, trKernel *kernel, const double *q, trRank *rank) {
    trRowJudge judge;
    TR_TRY(tr_system_eval(s->system, s->t, q, s->x + s->nq, &s->eval));
    trEquations e = s->eval.equations;
    e.spare = NULL;
    TR_TRY(tr_projector_judge(&s->methods.by_units, tr_rank_kernel(s, kernel), &e, &judge));
    *rank = judge.rank;
    return TR_OK;
}

// The same at a pose that is first put on the constraints.
static bool finds_beside(trSim *s, trKernel *kernel, double *q, trRank *rank) {
    int worst = -1;
    return tr_project_position(s->methods.assembler, &s->methods.manifold, s->t, q, s->x + s->nq,
                               &worst) == TR_OK &&
           judge_at(s, kernel, q, rank) == TR_OK;
}

// Chooses at q, where more rows are independent than at the start.
static trStatus choose_at(trSim *s, trKernel *kernel, const double *q) {
    trRank rank;
    TR_TRY(tr_system_eval(s->system, s->t, q, s->x + s->nq, &s->eval));
    TR_TRY(tr_choose_rows(s, kernel, &rank));
    for (int i = 0; i < s->m; i++) {
        s->rows.redundant[i] = false;
    }
    for (int i = 0; i < rank.dropped; i++) {
        s->rows.redundant[rank.rows[i]] = true;
    }
    s->pose.at_start = true;
    return TR_OK;
}

// Both sides; nothing is lost where a pose cannot be found.
trStatus tr_look_aside(trSim *s, trKernel *kernel) {
    const double *v = s->x + s->nq;
    double       *q = s->x_new, *step = s->work.slide;
    trRank        rank;
    s->pose.best_gap = 0.0;
    s->rows.exchange.most = 0;
    s->pose.at_start = false;
    if (s->m == 0 || find_step(s, step) != TR_OK) {
        return tr_system_eval(s->system, s->t, s->x, v, &s->eval);
    }
    TR_TRY(judge_at(s, kernel, s->x, &rank));
    const double gap = rank.gap;
    int          most = rank.rank;
    for (int side = 0; side < 2; side++) {
        memcpy(q, s->x, (size_t)s->nq * sizeof *q);
        s->eval.z = s->x + s->nq + s->nv;
        tr_system_retract(s->system, step, q);
        if (finds_beside(s, kernel, q, &rank)) {
            s->pose.best_gap =
                isfinite(rank.gap) ? fmax(s->pose.best_gap, rank.gap) : s->pose.best_gap;
            bool near = rank.rank == most && gap < NEAR * rank.gap && !s->pose.at_start;
            if (rank.rank > most || near) {
                most = rank.rank;
                TR_TRY(choose_at(s, kernel, q));
            }
        }
        for (int i = 0; i < s->nv; i++) {
            step[i] = -step[i];
        }
    }
    return tr_system_eval(s->system, s->t, s->x, v, &s->eval);
}
