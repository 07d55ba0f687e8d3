// SPDX-License-Identifier: MIT
// What may be asked of a glued simulation, and what is watched at the ends of its steps.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "glue/glue.h"
#include "sim/sim.h"

enum { POSITION, VELOCITY, ACCELERATION, LOOSE_POSITION, LOOSE_VELOCITY, START };

trViolation *tr_glue_violation(trGlueStats *stats, int level) {
    trViolation *const all[TR_GLUE_LEVELS] = {&stats->position,       &stats->velocity,
                                              &stats->acceleration,   &stats->loose_position,
                                              &stats->loose_velocity, &stats->start};
    return all[level];
}

static void note(trGlue *g, int level, int row, double value) {
    trViolation *worst = tr_glue_violation(&g->stats, level);
    trQuantity   quantity = tr_quantity_of(g->it.system->row_unit[row]);
    double      *most[] = {&worst->length, &worst->angle, &worst->other};
    if (fabs(value) >= *most[quantity]) {
        *most[quantity] = fabs(value);
        g->worst[level][quantity] = row;
    }
}

void tr_glue_watch_start(trGlue *g) {
    for (int i = 0; i < g->it.m; i++) {
        note(g, START, i, g->it.phi[i]);
    }
}

void tr_glue_watch(trGlue *g) {
    const trInterface *it = &g->it;
    g->stats.dynamic = fmax(g->stats.dynamic, g->history[g->iterations][TR_DYNAMIC]);
    for (int i = 0; i < it->m; i++) {
        note(g, it->held_position[i] ? POSITION : LOOSE_POSITION, i, it->phi[i]);
        note(g, it->held_velocity[i] ? VELOCITY : LOOSE_VELOCITY, i, it->rate[i]);
        note(g, ACCELERATION, i, it->acceleration[i]);
    }
}

// --- joints that nobody closes ---

#define ROUNDING 1e-6   // of ports as people type them, against their distance from the origin
#define SMALLEST 1e-13  // what rounding leaves of ports at the origin [m or m/s]

static int worst_row(const trGlue *g, const double *row, const bool *held, bool fixed) {
    int worst = -1;
    for (int i = 0; i < g->it.m; i++) {
        bool counts = !held[i] && (!fixed || !(g->it.nominal[i] > 0.0));
        worst = counts && (worst < 0 || fabs(row[i]) > fabs(row[worst])) ? i : worst;
    }
    return worst;
}

// Whether a row is off by more than rounding; `motion` has `each` numbers of a port, lengths first.
static bool is_off(const trInterface *it, int row, double off, int each, const double *motion) {
    double most = strcmp(it->system->row_unit[row], "rad") == 0 ? 1.0 : 0.0;
    for (int i = 0; i < it->ports; i++) {
        most = fmax(most, tr_largest(it->dim, motion + each * i));
    }
    return fabs(off) > ROUNDING * most + SMALLEST;
}

int tr_glue_open_row(const trGlue *g) {
    const trInterface *it = &g->it;
    int                row = worst_row(g, it->phi, it->held_position, false);
    return row >= 0 && is_off(it, row, it->phi[row], it->nx, it->x) ? row : -1;
}

trStatus tr_glue_check_start(const trGlue *g) {
    const trInterface *it = &g->it;
    int                open = worst_row(g, it->phi, it->held_position, true);
    int                opening = worst_row(g, it->rate, it->held_velocity, true);
    bool               is_open = open >= 0 && is_off(it, open, it->phi[open], it->nx, it->x);
    if (!is_open && !(opening >= 0 && is_off(it, opening, it->rate[opening], it->nw, it->v))) {
        return TR_OK;
    }
    int row = is_open ? open : opening;
    return tr_fail(
        TR_E_MODEL,
        "joint '%s' %s by %.3g %s%s at the start, where none of its ports moves: nothing "
        "can close it; move the ports together, or use a joint that leaves this free",
        tr_interface_row_name(it, row), is_open ? "is open" : "opens",
        fabs(is_open ? it->phi[row] : it->rate[row]), it->system->row_unit[row],
        is_open ? "" : "/s");
}

// --- what may be asked ---

double tr_glue_time(const trGlue *g) {
    return g->t;
}

int tr_glue_iterations(const trGlue *g) {
    return g->iterations;
}

trGlueStats tr_glue_stats(const trGlue *g) {
    trGlueStats stats = g->stats;
    for (int level = 0; level < TR_GLUE_LEVELS; level++) {
        tr_name_violation(g->it.system, g->worst[level], tr_glue_violation(&stats, level));
    }
    stats.messages = g->carrier->messages;
    stats.bytes = g->carrier->bytes;
    return stats;
}

trBodyState tr_glue_port(const trGlue *g, int port) {
    return tr_system_body_state(g->it.system, port, g->it.q, g->it.qv);
}

trStatus tr_glue_reaction(trGlue *g, int joint, trReaction *out) {
    TR_TRY(tr_reaction_check(g->it.system, joint));
    *out = tr_eval_reaction(&g->it.eval, joint, g->lambda);
    return TR_OK;
}

int tr_glue_history(const trGlue *g, const double (**out)[TR_RESIDUALS]) {
    *out = (const double(*)[TR_RESIDUALS])g->history;
    return g->iterations + 1;
}

// --- words ---

trStatus tr_glue_ask_about(trGlue *g) {
    return tr_glue_exchange(g, TR_CALL_ABOUT);
}
