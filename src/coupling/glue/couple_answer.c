// SPDX-License-Identifier: MIT
// What one module answers to the motion of the others: loads and impulses of those who follow.

#include <math.h>
#include <string.h>

#include "glue/couple.h"

// Loads on other modules' ports are none of this one's.
static void limit(const trInterface *it, int module, double *load) {
    for (int i = 0; i < it->nw * it->ports; i++) {
        if (i < it->nw * it->first[module] || i >= it->nw * it->first[module + 1]) {
            load[i] = 0.0;
        }
    }
}

// S2 of a module's rows, column by column: its answer to a unit of lambda.
static void factor(trGlue *g, trCouple *c, int module) {
    trInterface *it = &g->it;
    for (int j = 0; j < it->m; j++) {
        if (c->follower[j] != module) {
            continue;
        }
        memset(c->mixed, 0, (size_t)it->m * sizeof(double));
        c->mixed[j] = -1.0;
        tr_interface_spread(it, c->mixed, c->load);
        limit(it, module, c->load);
        tr_interface_respond(it, c->load, c->right);
        for (int i = 0; i < it->m; i++) {
            c->S.S[i * it->m + j] = c->follower[i] == module ? c->right[i] : 0.0;
        }
        it->nominal[j] = c->right[j] > it->nominal[j] ? c->right[j] : it->nominal[j];
        it->held_position[j] = (it->face[module].takes & TR_TAKES_POSITION) != 0;
        it->held_velocity[j] = (it->face[module].takes & TR_TAKES_VELOCITY) != 0;
    }
    tr_interface_scale(it, &c->S);
    tr_semidefinite_factor(&c->S, it->rank_tolerance);
}

// c->load = Q - G' lambda of this module.
static void load_of(trGlue *g, trCouple *c, int module) {
    const trInterface *it = &g->it;
    tr_interface_spread(it, c->mixed, c->load);
    for (int i = 0; i < it->nw * it->ports; i++) {
        c->load[i] += it->Q[i];
    }
    limit(it, module, c->load);
}

static void solve_followed(trGlue *g, trCouple *c, int module, const double *others) {
    trInterface *it = &g->it;
    int          end = it->nw * it->first[module + 1];
    for (int i = 0; i < it->m; i++) {
        c->mixed[i] = c->follower[i] == module ? 0.0 : others[i];
    }
    load_of(g, c, module);
    for (int i = it->nw * it->first[module]; i < end; i++) {
        c->load[i] -= g->load[i];
    }
    tr_interface_respond(it, c->load, c->right);
    for (int i = 0; i < it->m; i++) {
        c->right[i] = c->follower[i] == module ? c->right[i] + it->acceleration[i] : 0.0;
    }
    tr_semidefinite_solve(&c->S, c->right, it->y);
    for (int i = 0; i < it->m; i++) {
        if (c->follower[i] == module) {
            c->mixed[i] = g->lambda[i] = it->y[i];
        }
    }
}

trStatus tr_couple_answer(trGlue *g, trCouple *c, const trGlueStep *step, int module,
                          const double *others) {
    trInterface *it = &g->it;
    int          end = it->nw * it->first[module + 1];
    TR_TRY(tr_interface_evaluate(it, step->t, true));
    if (c->tells_Q) {
        memcpy(it->Q, c->Q, (size_t)(it->nw * it->ports) * sizeof(double));
    }
    factor(g, c, module);
    solve_followed(g, c, module, others);
    load_of(g, c, module);
    for (int i = it->nw * it->first[module]; i < end; i++) {
        double change = c->load[i] - g->load[i];
        g->w[TR_LEVEL_LOAD][i] = change;
        g->load[i] = c->load[i];
        c->change[0] = c->counts_change ? c->change[0] : fmax(c->change[0], fabs(change));
    }
    return TR_OK;
}

trStatus tr_couple_answer_all(trGlue *g, trCouple *c, const trGlueStep *step) {
    tr_port_motion_keep(&g->it, &c->now);
    for (int i = 0; i < g->it.modules; i++) {
        tr_port_motion_put(&g->it, &c->last);
        tr_port_motion_put_module(&g->it, &c->now, i);
        TR_TRY(tr_couple_answer(g, c, step, i, c->others));
    }
    return TR_OK;
}

void tr_couple_correct(trGlue *g, trCouple *c, int module, trLevel level) {
    trInterface  *it = &g->it;
    const double *row = level == TR_LEVEL_POSITION ? it->phi : it->rate;
    for (int i = 0; i < it->m; i++) {
        c->right[i] = c->follower[i] == module ? row[i] : 0.0;
    }
    tr_semidefinite_solve(&c->S, c->right, it->y);
    tr_interface_spread(it, it->y, c->load);
    for (int i = it->nw * it->first[module]; i < it->nw * it->first[module + 1]; i++) {
        g->w[level][i] = c->load[i];
    }
}
