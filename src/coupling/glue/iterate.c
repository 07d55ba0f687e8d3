// SPDX-License-Identifier: MIT
// What gluing algorithms are made of: messages to all modules, residuals, corrections.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "glue/glue.h"

#define GROWING 2       // iterations in a row: then it diverges
#define ROUNDING 2e-14  // of accelerations, relative: a hundred times that of a number
#define SINGULAR 1e-4   // pivots below are those of a pose where joints become dependent
#define SOFT 1e6        // times the compliance of the stiffest port
#define BEYOND 1e12     // loads and motions that nobody means [SI]

static void forget_impulses(trGlue *g) {
    size_t bytes = (size_t)(g->it.nw * g->it.ports) * sizeof(double);
    memset(g->impulse[0], 0, bytes);
    memset(g->impulse[1], 0, bytes);
}

trStatus tr_glue_exchange(trGlue *g, unsigned calls) {
    if (g->accepting && (calls & TR_CALL_PREDICT) != 0) {
        calls |= TR_CALL_ACCEPT;
        g->accepting = false;
    }
    for (int i = 0; i < g->it.modules; i++) {
        unsigned takes = g->it.face[i].takes;
        unsigned not_taken = ((takes & TR_TAKES_POSITION) != 0 ? 0u : TR_CALL_POSITION) |
                             ((takes & TR_TAKES_VELOCITY) != 0 ? 0u : TR_CALL_VELOCITY) |
                             ((takes & TR_TAKES_ACCELERATION) != 0 ? 0u : TR_CALL_ACCELERATION);
        g->exchange[i].calls = calls & ~not_taken;
    }
    if ((calls & TR_CALL_PREDICT) != 0) {
        forget_impulses(g);
    }
    return tr_carrier_exchange(g->carrier, g->exchange);
}

// Of rows that are held.
static double largest_held(int m, const double *row, const bool *held) {
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        most = held[i] ? fmax(most, fabs(row[i])) : most;
    }
    return most;
}

// The largest force and moment on a port.
static void largest_loads(const trInterface *it, const double *load, double *force,
                          double *moment) {
    *force = *moment = 0.0;
    for (int i = 0; i < it->ports; i++) {
        const double *at = load + it->nw * i;
        *force = fmax(*force, tr_largest(it->dim, at));
        *moment = fmax(*moment, tr_largest(it->nw - it->dim, at + it->dim));
    }
}

// Whether w is what rounding makes of loads: moments are sums of moments of forces, whose arms are
// differences of positions.
static bool is_rounding(const trGlue *g, const double *w) {
    const trInterface *it = &g->it;
    double             arm = 0.0, force, moment, w_force, w_moment;
    for (int i = 0; i < it->ports; i++) {
        arm = fmax(arm, tr_largest(it->dim, it->x + it->nx * i));
    }
    largest_loads(it, g->load, &force, &moment);
    largest_loads(it, w, &w_force, &w_moment);
    return w_force <= ROUNDING * force && w_moment <= ROUNDING * (moment + arm * force);
}

// How far joints are open at the level of accelerations, but for rounding. Modules solve
//
//     K da = J' f - r
//
// and a is known to K^-1 d, where d is rounding of loads f and of their moments: that is much where
// a body has little inertia about an axis, however small a itself is. The loads that close the
// joints again,
//
//     S y = G a - b = A K^-1 d,  w = -G' y
//
// are as small as d, because A' y is its projection in the metric of K^-1. A joint is open by
// rounding, then, if w is rounding of f. What w leaves open, G a - b - S y, belongs to rows that
// depend on others. It is 0 if d is all that opens them, and counts.
static double open_acceleration(trGlue *g, double scale) {
    trInterface  *it = &g->it;
    const double *r = it->acceleration;
    double        open = tr_largest(it->m, r);
    if (!(open > g->def.tolerance * scale)) {
        return open / scale;
    }
    tr_semidefinite_solve(&it->force, r, it->y);
    tr_interface_spread(it, it->y, g->w[TR_LEVEL_ACCELERATION]);
    if (!is_rounding(g, g->w[TR_LEVEL_ACCELERATION])) {
        return open / scale;
    }
    tr_semidefinite_rest(&it->force, r, it->y, it->right);
    return tr_largest(it->m, it->right) / scale;
}

void tr_glue_measure(trGlue *g, int k) {
    const trInterface *it = &g->it;
    double            *r = g->history[k];
    int                n = it->nw * it->ports;
    r[TR_DYNAMIC] = 0.0;
    for (int i = 0; i < it->modules; i++) {
        r[TR_DYNAMIC] = fmax(r[TR_DYNAMIC], g->exchange[i].judged);
    }
    r[TR_ACCELERATION] = open_acceleration(g, 1.0 + tr_largest(n, it->a));
    r[TR_VELOCITY] =
        largest_held(it->m, it->rate, it->held_velocity) / (1.0 + tr_largest(n, it->v));
    r[TR_POSITION] = largest_held(it->m, it->phi, it->held_position) /
                     (1.0 + tr_largest(it->nx * it->ports, it->x));
}

// The largest of all.
static double overall(const double *r) {
    return fmax(fmax(r[TR_DYNAMIC], r[TR_ACCELERATION]), fmax(r[TR_VELOCITY], r[TR_POSITION]));
}

// Near a pose where joints become dependent, loads are known to rounding divided by the smallest
// pivot of S, and no better.
static double tolerance_of_loads(const trGlue *g) {
    return fmax(g->def.tolerance, ROUNDING / g->it.force.smallest);
}

bool tr_glue_converged(const trGlue *g, int k) {
    const double *r = g->history[k];
    double        loads = tolerance_of_loads(g), rest = g->def.tolerance;
    return r[TR_DYNAMIC] <= loads && r[TR_ACCELERATION] <= loads && r[TR_VELOCITY] <= rest &&
           r[TR_POSITION] <= rest;
}

// What is worst, in words: a module or a joint.
static trStatus name_worst(const trGlue *g, trStatus status, int k) {
    const trInterface *it = &g->it;
    const double      *r = g->history[k];
    int                worst = 0;
    if (r[TR_DYNAMIC] > g->def.tolerance) {
        for (int i = 1; i < it->modules; i++) {
            worst = g->exchange[i].judged > g->exchange[worst].judged ? i : worst;
        }
        return tr_add_hint(status, "; residual %.2g in module '%s'", r[TR_DYNAMIC],
                           it->face[worst].name);
    }
    const double            *rows[] = {NULL, it->acceleration, it->rate, it->phi};
    int                      level = r[TR_POSITION] > g->def.tolerance   ? TR_POSITION
                                     : r[TR_VELOCITY] > g->def.tolerance ? TR_VELOCITY
                                                                         : TR_ACCELERATION;
    static const char *const per[] = {"", "/s^2", "/s", ""};
    for (int i = 1; i < it->m; i++) {
        worst = fabs(rows[level][i]) > fabs(rows[level][worst]) ? i : worst;
    }
    return tr_add_hint(status, "; joint '%s' is open by %.3g %s%s",
                       tr_interface_row_name(it, worst), rows[level][worst],
                       it->system->row_unit[worst], per[level]);
}

// The trace of W at a port, of forces alone [1/kg].
static double yielding(const trInterface *it, int module, int port) {
    int           n = it->nw * (it->first[module + 1] - it->first[module]);
    const double *W = it->W + it->W_first[module];
    double        sum = 0.0;
    for (int i = 0; i < it->dim; i++) {
        sum += W[(it->nw * (port - it->first[module]) + i) * (n + 1)];
    }
    return sum;
}

// A port of a body that is nearly a point yields so much that S is rounding for the others.
static trStatus name_soft_port(const trInterface *it, trStatus status) {
    double most = 0.0, least = INFINITY;
    int    module = 0, port = 0;
    for (int i = 0; i < it->system->bodies; i++) {
        int    k = it->port_module[it->body_port[i]];
        double size = yielding(it, k, it->body_port[i]);
        least = fmin(least, size);
        if (size > most) {
            most = size, module = k, port = it->body_port[i] - it->first[k];
        }
    }
    return most > SOFT * least
               ? tr_add_hint(status,
                             "; port '%s.%s' yields far more than others: if its body is nearly a "
                             "point, give it more inertia, or glue at its center of mass",
                             it->face[module].name, it->face[module].port_name[port])
               : status;
}

// Why, most likely, and what to try.
static trStatus explain(const trGlue *g, const trGlueStep *step, int k) {
    name_worst(g, TR_NO_CONVERGENCE, k);
    name_soft_port(&g->it, TR_NO_CONVERGENCE);
    return g->it.force.smallest < SINGULAR && step->h > 0.0
               ? tr_add_hint(TR_NO_CONVERGENCE,
                             "; the joints are about to become dependent in this pose, or masses "
                             "beside them differ very much: choose a step that does not end there, "
                             "or a smaller one")
               : TR_NO_CONVERGENCE;
}

// Loads that wander about what rounding makes of them do not grow.
static bool is_growing(const trGlue *g, int k) {
    if (k < GROWING + 1 || overall(g->history[k]) < 1e3 * tolerance_of_loads(g)) {
        return false;
    }
    for (int i = 0; i < GROWING; i++) {
        if (!(overall(g->history[k - i]) > overall(g->history[k - i - 1]))) {
            return false;
        }
    }
    return true;
}

trStatus tr_glue_hint(const trGlue *g, trStatus status) {
    return g->kind->windows && g->def.window > 1
               ? tr_add_hint(status,
                             "; use a shorter window than %d steps, or a smaller step than %.3g s",
                             g->def.window, g->h)
               : tr_add_hint(status, "; take a smaller step than %.3g s", g->h);
}

static bool has_grown(const trGlue *g) {
    const trInterface *it = &g->it;
    double             largest = 0.0;
    for (int i = 0; i < it->nw * it->ports; i++) {
        double size = fmax(fabs(g->load[i]), fmax(fabs(it->v[i]), fabs(it->a[i])));
        largest = size <= largest ? largest : size;  // also where it is not a number
    }
    return !(largest < BEYOND);
}

// What modules or forces cannot go on with may be what the coupling made of it: surely where loads
// have grown beyond all bounds, perhaps where nothing else watches them.
trStatus tr_glue_blame_divergence(const trGlue *g, trStatus status) {
    bool grown = has_grown(g);
    if (status != TR_NOT_FINITE || !g->kind->no_joints || (!grown && g->def.sweeps == 0)) {
        return status;
    }
    if (grown) {
        status = tr_fail(
            TR_NO_CONVERGENCE,
            "gluing '%s' diverges at t = %.9g s: loads and motions of ports grow without bounds",
            g->kind->name, g->t + g->h);
    } else {
        tr_add_hint(status, "; gluing '%s' may diverge", g->kind->name);
    }
    tr_glue_hint(g, status);
    return g->def.sweeps > 0
               ? tr_add_hint(status,
                             ", or leave sweeps out, so that loads are iterated until they fit")
               : status;
}

trStatus tr_glue_check_progress(const trGlue *g, const trGlueStep *step, int k) {
    if (is_growing(g, k)) {
        tr_fail(TR_NO_CONVERGENCE,
                "gluing '%s' diverges at t = %.9g s: residuals grow by %.3g in an iteration",
                g->kind->name, step->t, overall(g->history[k]) / overall(g->history[k - 1]));
        return explain(g, step, k);
    }
    if (k < g->def.max_iterations) {
        return TR_OK;
    }
    if (step->h == 0.0) {
        tr_fail(TR_NO_CONVERGENCE, "the modules cannot be assembled at the start in %d iterations",
                k);
    } else {
        tr_fail(TR_NO_CONVERGENCE, "gluing '%s' does not converge in %d iterations at t = %.9g s",
                g->kind->name, k, step->t);
        tr_glue_hint(g, TR_NO_CONVERGENCE);
    }
    return explain(g, step, k);
}

void tr_glue_solve_loads(trGlue *g, const double *row, double share, double *w) {
    trInterface *it = &g->it;
    int          n = it->nw * it->ports;
    for (int i = 0; i < it->m; i++) {
        g->lambda[i] = tr_semidefinite_dropped(&it->force, i) ? 0.0 : g->lambda[i];
    }
    tr_interface_spread(it, g->lambda, w);
    for (int i = 0; i < n; i++) {
        w[i] += it->Q[i] - g->load[i];
    }
    tr_interface_respond(it, w, it->right);
    for (int i = 0; i < it->m; i++) {
        it->right[i] += share * row[i];
    }
    tr_semidefinite_solve(&it->force, it->right, it->y);
    for (int i = 0; i < it->m; i++) {
        g->lambda[i] += it->y[i];
    }
    tr_interface_spread(it, g->lambda, w);
    for (int i = 0; i < n; i++) {
        double load = it->Q[i] + w[i];
        w[i] = load - g->load[i];
        g->load[i] = load;
    }
}

// w becomes what makes `total` that w, for modules that take it.
static void take_total(const trInterface *it, unsigned takes, double *total, double *w) {
    for (int k = 0; k < it->modules; k++) {
        bool taken = (it->face[k].takes & takes) != 0;
        for (int i = it->nw * it->first[k]; i < it->nw * it->first[k + 1]; i++) {
            double next = taken ? w[i] : 0.0;
            w[i] = next - total[i];
            total[i] = next;
        }
    }
}

// S mu = phi - G W u, w = -G' mu - u, with u all impulses of the step where they are made anew with
// G as it is now, so that they do not depend on the iterations that led there; else u = 0.
static void correct_motion(trGlue *g, const trGlueStep *step, trLevel level) {
    trInterface *it = &g->it;
    bool         position = level == TR_LEVEL_POSITION;
    double      *w = g->w[level], *total = g->impulse[position ? 0 : 1];
    for (int i = 0; i < it->nw * it->ports; i++) {
        w[i] = -total[i];
    }
    tr_interface_respond(it, w, it->right);
    for (int i = 0; i < it->m; i++) {
        it->right[i] += position ? it->phi[i] : it->rate[i];
    }
    tr_semidefinite_solve(position ? &it->position : &it->velocity, it->right, it->y);
    tr_interface_spread(it, it->y, w);
    if (step->anew) {
        take_total(it, position ? TR_TAKES_POSITION : TR_TAKES_VELOCITY, total, w);
    }
}

// Accelerations follow from the equations in the end, so that their impulses need not be made anew.
// Positions and velocities stay behind by c_q and c_v of them, as if they had been corrected back.
static void correct_accelerations(trGlue *g, const trGlueStep *step) {
    trInterface  *it = &g->it;
    const double *w = g->w[TR_LEVEL_ACCELERATION];
    tr_semidefinite_solve(&it->force, it->acceleration, it->y);
    tr_interface_spread(it, it->y, g->w[TR_LEVEL_ACCELERATION]);
    for (int k = 0; step->anew && k < it->modules; k++) {
        bool taken = (it->face[k].takes & TR_TAKES_ACCELERATION) != 0;
        for (int i = it->nw * it->first[k]; taken && i < it->nw * it->first[k + 1]; i++) {
            g->impulse[0][i] -= step->c_q * w[i];
            g->impulse[1][i] -= step->c_v * w[i];
        }
    }
}

trStatus tr_glue_correct(trGlue *g, const trGlueStep *step, trLevel level) {
    trInterface *it = &g->it;
    if (level != TR_LEVEL_POSITION) {
        TR_TRY(tr_interface_evaluate(it, step->t, false));
    }
    if (level == TR_LEVEL_ACCELERATION) {
        correct_accelerations(g, step);
    } else {
        correct_motion(g, step, level);
    }
    return TR_OK;
}

// --- closing joints ---

static bool any_takes_accelerations(const trInterface *it) {
    for (int i = 0; i < it->modules; i++) {
        if ((it->face[i].takes & TR_TAKES_ACCELERATION) != 0 && it->face[i].ports > 0) {
            return true;
        }
    }
    return false;
}

// Joints that an iteration has left open are closed by impulses, level after level, with
// S = G W G' of the iteration's beginning:
//
//     q += K^-1 J' w,  w = -G' S^-1 phi        v += K^-1 J' w,  w = -G' S^-1 (G v - b1)
//     a += K^-1 J' w,  w = -G' S^-1 (G a - b)
//
// Velocities that are corrected before positions would be off by what positions move. Accelerations
// come last: left to the next iteration, they would move positions off the joints and back again.
trStatus tr_glue_close_joints(trGlue *g, const trGlueStep *step, unsigned calls) {
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_POSITION));
    TR_TRY(tr_glue_exchange(g, TR_CALL_POSITION | TR_CALL_MOTION));
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_VELOCITY));
    if (!any_takes_accelerations(&g->it)) {
        return tr_glue_exchange(g, TR_CALL_VELOCITY | TR_CALL_MOTION | calls);
    }
    TR_TRY(tr_glue_exchange(g, TR_CALL_VELOCITY | TR_CALL_MOTION));
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_ACCELERATION));
    return tr_glue_exchange(g, TR_CALL_ACCELERATION | TR_CALL_MOTION | calls);
}

trStatus tr_glue_finish(trGlue *g, const trGlueStep *step) {
    TR_TRY(tr_glue_close_joints(g, step, 0u));
    return tr_interface_evaluate(&g->it, step->t, true);
}
