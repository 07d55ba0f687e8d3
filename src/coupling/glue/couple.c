// SPDX-License-Identifier: MIT
// Rounds of weak coupling: who follows whom, what is kept of motions, what modules answer to that
// of the others, how they settle.

#include "glue/couple.h"

#include <math.h>
#include <string.h>

// --- memory ---

void tr_port_motion_plan(trArena *arena, const trInterface *it, trPortMotion *out) {
    out->x = tr_new_array(arena, double, it->nx * it->ports);
    out->v = tr_new_array(arena, double, it->nw * it->ports);
    out->a = tr_new_array(arena, double, it->nw * it->ports);
}

// Of modules in a joint, the last one.
static void choose_followers(const trInterface *it, int *follower) {
    const trRows *A = &it->system->pattern;
    for (int g = 0; g < A->groups; g++) {
        int last = 0;
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            int module = it->port_module[it->side_port[side]];
            last = module > last ? module : last;
        }
        for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
            follower[i] = last;
        }
    }
}

trStatus tr_couple_plan(trArena *arena, trGlue *g, bool tells_Q, trCouple *c) {
    const trInterface *it = &g->it;
    c->tells_Q = tells_Q;
    c->follower = tr_new_array(arena, int, it->m);
    tr_semidefinite_plan(arena, it->m, &c->S);
    c->others = tr_new_array(arena, double, it->m);
    c->mixed = tr_new_array(arena, double, it->m);
    c->right = tr_new_array(arena, double, it->m);
    c->load = tr_new_array(arena, double, it->nw * it->ports);
    c->Q = tr_new_array(arena, double, it->nw * it->ports);
    c->judged = tr_new_array(arena, double, it->modules);
    tr_port_motion_plan(arena, it, &c->last);
    tr_port_motion_plan(arena, it, &c->now);
    TR_TRY(tr_arena_status(arena));
    choose_followers(it, c->follower);
    return TR_OK;
}

// --- motions ---

static void copy_ports(const trInterface *it, int first, int end, const trPortMotion *from,
                       const trPortMotion *to) {
    const size_t ports = (size_t)(end - first);
    const size_t x = (size_t)it->nx * ports, v = (size_t)it->nw * ports;
    memcpy(to->x + it->nx * first, from->x + it->nx * first, x * sizeof(double));
    memcpy(to->v + it->nw * first, from->v + it->nw * first, v * sizeof(double));
    memcpy(to->a + it->nw * first, from->a + it->nw * first, v * sizeof(double));
}

void tr_port_motion_copy(const trInterface *it, const trPortMotion *from, const trPortMotion *to) {
    copy_ports(it, 0, it->ports, from, to);
}

static trPortMotion present(const trInterface *it) {
    return (trPortMotion){it->x, it->v, it->a};
}

void tr_port_motion_keep(const trInterface *it, const trPortMotion *out) {
    const trPortMotion now = present(it);
    tr_port_motion_copy(it, &now, out);
}

void tr_port_motion_put(trInterface *it, const trPortMotion *from) {
    const trPortMotion now = present(it);
    tr_port_motion_copy(it, from, &now);
}

void tr_port_motion_put_others(trInterface *it, const trCouple *c, int module) {
    const trPortMotion now = present(it);
    tr_port_motion_copy(it, &c->last, &now);
    copy_ports(it, it->first[module], it->first[module + 1], &c->now, &now);
}

// --- what one module answers to the motion of the others ---

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
        tr_port_motion_put_others(&g->it, c, i);
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

// --- messages ---

trStatus tr_couple_ask(trGlue *g, int module, unsigned calls) {
    if (module < 0) {
        return tr_glue_exchange(g, calls);
    }
    bool positions = (g->it.face[module].takes & TR_TAKES_POSITION) != 0;
    g->exchange[module].calls = calls & ~(positions ? 0u : TR_CALL_POSITION);
    return tr_carrier_ask(g->carrier, module, &g->exchange[module]);
}

// Whether a module of those asked has equations that do not hold yet; it is named.
static bool is_unsettled(const trGlue *g, int first, int end, int *which) {
    for (int i = first; i < end; i++) {
        if (g->exchange[i].judged > g->def.tolerance) {
            *which = i;
            return true;
        }
    }
    return false;
}

// Loads that grow from sweep to sweep are beyond what a module can solve with at last.
static trStatus unsettled(const trGlue *g, const trCouple *c, int which) {
    tr_fail(TR_NO_CONVERGENCE, "module '%s' does not solve its own step: residual %.2g",
            g->it.face[which].name, g->exchange[which].judged);
    const double *d = c->change;
    int           i = d[0] > d[1] ? 0 : 1;  // the sweep that is not at its end may say less
    return g->def.sweeps == 0 && d[i + 1] > 0.0 && d[i] > d[i + 1]
               ? tr_add_hint(TR_NO_CONVERGENCE,
                             "; gluing '%s' diverges: loads on ports change %.3g times as much in "
                             "each sweep; use gluing 'gauss'",
                             g->kind->name, d[i] / d[i + 1])
               : tr_glue_hint(g, TR_NO_CONVERGENCE);
}

// An impulse of nothing at the level of positions lets modules close joints of their own at that of
// velocities, too (module.h leaves it to them when): their equations would not hold without.
trStatus tr_couple_settle(trGlue *g, trCouple *c, int module) {
    int      first = module < 0 ? 0 : module, end = module < 0 ? g->it.modules : module + 1;
    int      which = 0;
    size_t   bytes = (size_t)(g->it.nw * g->it.ports) * sizeof(double);
    unsigned calls = TR_CALL_JUDGE | TR_CALL_FORCE | TR_CALL_POSITION | TR_CALL_MOTION;
    memset(g->w[TR_LEVEL_FORCE], 0, bytes);
    memset(g->w[TR_LEVEL_POSITION], 0, bytes);
    TR_TRY(tr_couple_ask(g, module, TR_CALL_LOAD | calls));
    for (int i = first; i < end; i++) {
        c->judged[i] = g->exchange[i].judged;
    }
    for (int pass = 0; is_unsettled(g, first, end, &which); pass++) {
        if (pass >= g->def.max_iterations) {
            return unsettled(g, c, which);
        }
        TR_TRY(tr_couple_ask(g, module, calls));
    }
    return TR_OK;
}

// --- sweeps ---

void tr_couple_begin_sweep(trCouple *c, bool first) {
    for (int i = 3; i > 0; i--) {
        c->change[i] = first ? 0.0 : c->change[i - 1];
    }
    c->change[0] = 0.0;
}

// In words: what is open most.
static trStatus name_worst(const trGlue *g) {
    const trInterface *it = &g->it;
    int                worst = 0;
    if (it->m == 0) {
        return tr_glue_hint(g, TR_NO_CONVERGENCE);
    }
    for (int i = 1; i < it->m; i++) {
        worst = fabs(it->acceleration[i]) > fabs(it->acceleration[worst]) ? i : worst;
    }
    return tr_add_hint(TR_NO_CONVERGENCE,
                       "; joint '%s' is open by %.3g m/s^2: use gluing 'gauss', or exchange the "
                       "order of the modules",
                       tr_interface_row_name(it, worst), it->acceleration[worst]);
}

// What leads and what follows change in turn, so that every second change is compared.
trStatus tr_couple_check_progress(trGlue *g, const trCouple *c, const trGlueStep *step) {
    const double *d = c->change;
    if (g->def.sweeps > 0 || !(d[2] > 0.0 && d[3] > 0.0 && d[0] > d[2] && d[1] > d[3])) {
        return TR_OK;
    }
    tr_fail(TR_NO_CONVERGENCE,
            "gluing '%s' diverges at t = %.9g s: loads on ports change %.3g times as much in each "
            "sweep",
            g->kind->name, step->t, sqrt(d[0] / d[2]));
    return name_worst(g);
}

static trStatus close_joints(trGlue *g, trCouple *c, const trGlueStep *step, unsigned calls) {
    const trLevel  level[] = {TR_LEVEL_POSITION, TR_LEVEL_VELOCITY};
    const unsigned call[] = {TR_CALL_POSITION, TR_CALL_VELOCITY | calls};
    for (int k = 0; k < 2 && g->it.m > 0; k++) {
        for (int i = 0; i < g->it.modules; i++) {
            tr_couple_correct(g, c, i, level[k]);
        }
        TR_TRY(tr_glue_exchange(g, call[k] | TR_CALL_MOTION));
        TR_TRY(tr_interface_evaluate(&g->it, step->t, true));
    }
    return TR_OK;
}

static trStatus end_sweep(trGlue *g, trCouple *c, const trGlueStep *step, int k, bool *done) {
    TR_TRY(tr_interface_evaluate(&g->it, step->t, true));
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].judged = c->judged[i];
    }
    tr_glue_measure(g, k);
    g->iterations = k;
    // Loads of the first sweep are those that were held: it says nothing of convergence.
    *done = g->def.sweeps > 0 ? k + 1 >= g->def.sweeps : k > 0 && tr_glue_converged(g, k);
    if (*done) {
        return close_joints(g, c, step, 0u);
    }
    TR_TRY(tr_couple_check_progress(g, c, step));
    if (g->def.sweeps == 0 && k >= g->def.max_iterations) {
        return tr_glue_check_progress(g, step, k);
    }
    return close_joints(g, c, step, TR_CALL_RESIDUAL | TR_CALL_COMPLIANCE);
}

trStatus tr_couple_advance(trGlue *g, const trGlueStep *step, trSweep *sweep) {
    trCouple *c = g->work;
    bool      done = false;
    if (step->h == 0.0) {
        return tr_gluing_gauss.advance(g, step);
    }
    for (int k = 0; !done; k++) {
        tr_couple_begin_sweep(c, k == 0);
        TR_TRY(sweep(g, c, step, k == 0));
        TR_TRY(end_sweep(g, c, step, k, &done));
    }
    return TR_OK;
}
