// SPDX-License-Identifier: MIT
// What is looked at once, when a handle is made: do given derivatives agree with differences, do
// differences settle where nothing is given, is M symmetric and without negative eigenvalues.
//
// Entries are compared in what they change phi by: an error counts against the largest entry of its
// row, each times the scale of its coordinate.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constrain/constrain.h"

#define AGREES 1e-5      // of a given derivative and differences, relative; differences have 1e-10
#define SETTLED 1e-4     // of differences with two steps
#define NOTHING 1e-8     // a derivative that rounding may have made, for phi of size one
#define FINER 0.125      // the second step, in the first
#define SYMMETRIC 1e-10  // of M, relative to the larger of sqrt(M_ii M_jj) and |M_ij| + |M_ji|
#define NEGATIVE 1e-10   // of eigenvalues of M with a diagonal of one
#define TOLD 4           // entries of a direction that are told
#define SMALL 1e-3       // those that are not, where masses are one

// One derivative as it is given, as differences have it, and as others have it.
typedef struct Case {
    const char *what;  // "the Jacobian", "b1"
    const char *by;    // "with respect to coordinate", or NULL
    int         row, column;
    double      given;     // NAN: not given
    double      by_steps;  // by differences
    double      doubt;     // how far those have settled
    double      size;      // what is large, in the same unit
    double      nothing;   // what is rounding, in the same unit
} Case;

static trStatus check_case(const trConstrain *c, const Case *k) {
    char where[64] = "";
    if (k->by != NULL) {
        snprintf(where, sizeof where, " %s %d", k->by, k->column);
    }
    if (isnan(k->given)) {
        if (k->doubt <= SETTLED * k->size + k->nothing) {
            return TR_OK;
        }
        return tr_fail(
            TR_E_ARGUMENT,
            "%s of constraint '%s'%s by differences does not converge (%.6g, uncertain by "
            "%.2g); give a callback for it, or set scale and time_scale to the changes over which "
            "phi varies",
            k->what, c->names[k->row], where, k->by_steps, k->doubt);
    }
    if (fabs(k->given - k->by_steps) <= AGREES * k->size + 4.0 * k->doubt + k->nothing) {
        return TR_OK;
    }
    return tr_fail(TR_E_ARGUMENT, "%s of constraint '%s'%s is %.6g, differences give %.6g", k->what,
                   c->names[k->row], where, k->given, k->by_steps);
}

// The path of coordinate j of x, or for psi of xdot.
static trPath along_axis(trConstrain *c, trAsk function, int j, double *reach) {
    memset(c->direction, 0, (size_t)c->n * sizeof *c->direction);
    c->direction[j] = 1.0;
    return tr_difference_along(c, function, c->direction, reach);
}

// c->b1 = the derivative along the path with this step, and c->doubt: how far a finer one differs.
static trStatus difference_twice(trConstrain *c, trAsk function, trPath path, double step) {
    TR_TRY(tr_difference_first(c, function, path, FINER * step, c->b));
    TR_TRY(tr_difference_first(c, function, path, step, c->b1));
    for (int i = 0; i < (function == TR_ASK_PSI ? c->k : c->def.m); i++) {
        c->doubt[i] = fabs(c->b1[i] - c->b[i]);
    }
    return TR_OK;
}

// c->rate = how much each row changes at most when one coordinate moves by its scale.
static trStatus measure_rows(trConstrain *c, trAsk function, int rows) {
    memset(c->rate, 0, (size_t)c->m * sizeof *c->rate);
    for (int j = 0; j < c->n; j++) {
        double       reach = 0.0;
        const trPath path = along_axis(c, function, j, &reach);
        TR_TRY(tr_difference_first(c, function, path, TR_DIFFERENCE_STEP * reach, c->b1));
        for (int i = 0; i < rows; i++) {
            c->rate[i] = fmax(c->rate[i], fabs(c->b1[i]) * reach);
        }
    }
    return TR_OK;
}

// One column of `given`, rows x n, or NULL; c->rate has the sizes of rows.
static trStatus check_column(trConstrain *c, trAsk function, const double *given, int first,
                             int rows, int j) {
    double       reach = 0.0;
    const trPath path = along_axis(c, function, j, &reach);
    TR_TRY(difference_twice(c, function, path, TR_DIFFERENCE_STEP * reach));
    for (int i = 0; i < rows; i++) {
        const Case k = {.what = "the Jacobian",
                        .by = function == TR_ASK_PSI ? "with respect to velocity"
                                                     : "with respect to coordinate",
                        .row = first + i,
                        .column = j,
                        .given = given != NULL ? given[(size_t)i * (size_t)c->n + (size_t)j] : NAN,
                        .by_steps = c->b1[i],
                        .doubt = c->doubt[i],
                        .size = c->rate[i] / reach,
                        .nothing = NOTHING / reach};
        TR_TRY(check_case(c, &k));
    }
    return TR_OK;
}

// Derivatives of rows from `first` on by all coordinates of x.
static trStatus check_rows(trConstrain *c, trAsk function, trAsk derivative, int first, int rows) {
    const bool given = tr_constrain_gives(c, derivative);
    if (given) {
        TR_TRY(tr_constrain_ask(c, derivative, c->t, c->x, c->xdot, c->raw_A));
    }
    TR_TRY(measure_rows(c, function, rows));
    for (int j = 0; j < c->n; j++) {
        TR_TRY(check_column(c, function, given ? c->raw_A : NULL, first, rows, j));
    }
    return TR_OK;
}

// -c->b1, uncertain by c->doubt, against a callback. `unit`: of time, to its power in what is
// given.
static trStatus check_rate(trConstrain *c, const char *what, trAsk derivative, double unit) {
    const bool given = tr_constrain_gives(c, derivative), of_psi = derivative == TR_ASK_PSI_B;
    if (given) {
        TR_TRY(tr_constrain_ask(c, derivative, c->t, c->x, c->xdot, c->middle));
    }
    for (int i = 0; i < (of_psi ? c->k : c->def.m); i++) {
        const Case k = {.what = what,
                        .row = of_psi ? c->def.m + i : i,
                        .given = given ? c->middle[i] : NAN,
                        .by_steps = -c->b1[i],
                        .doubt = c->doubt[i],
                        .size = fabs(c->b1[i]),
                        .nothing = NOTHING * (of_psi ? 1.0 : 1.0 + fabs(c->phi[i])) / unit};
        TR_TRY(check_case(c, &k));
    }
    return TR_OK;
}

static trStatus check_b1(trConstrain *c) {
    const double unit = c->def.time_scale;
    const trPath path = {1.0, c->still, c->still};
    TR_TRY(difference_twice(c, TR_ASK_PHI, path, TR_DIFFERENCE_STEP * unit));
    return check_rate(c, "b1 = -d phi / dt", TR_ASK_B1, unit);
}

static trStatus check_b(trConstrain *c) {
    const double reach = tr_difference_reach_path(c);
    TR_TRY(tr_difference_second(c, c->b1));
    return check_rate(c, "b", TR_ASK_B, reach * reach);
}

static trStatus check_psi_b(trConstrain *c) {
    const double reach = tr_difference_reach_path(c);
    const trPath path = {.dt = 1.0, .dx = c->xdot, .dv = c->still};
    TR_TRY(difference_twice(c, TR_ASK_PSI, path, TR_DIFFERENCE_STEP * reach));
    return check_rate(c, "psi_b", TR_ASK_PSI_B, reach);
}

// Tells the direction x = D y, of length one, and the value x' G x there. An entry counts by its y,
// as entries of x have different units; y is used up.
static trStatus fail_negative(const trConstrain *c, const char *what, double value, const double *D,
                              double *y) {
    double length = 0.0;  // squared
    for (int j = 0; j < c->n; j++) {
        length += D[j] * y[j] * D[j] * y[j];
    }
    tr_fail(TR_E_MODEL, "%s is negative, %.6g, in the direction of", what, value / length);
    for (int told = 0; told < TOLD && told < c->n; told++) {
        int most = 0;
        for (int j = 1; j < c->n; j++) {
            most = fabs(y[j]) > fabs(y[most]) ? j : most;
        }
        if (fabs(y[most]) < SMALL) {
            break;
        }
        tr_add_hint(TR_E_MODEL, "%s %.3g in coordinate %d", told > 0 ? "," : "",
                    D[most] * y[most] / sqrt(length), most);
        y[most] = 0.0;
    }
    return TR_E_MODEL;
}

static trStatus check_symmetric(const trConstrain *c, const char *what, const double *G) {
    const size_t n = (size_t)c->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double size = sqrt(fabs(G[i * (n + 1)] * G[j * (n + 1)]));
            const double here = G[j * n + i], there = G[i * n + j];
            if (fabs(here - there) > SYMMETRIC * fmax(size, fabs(here) + fabs(there))) {
                return tr_fail(TR_E_MODEL,
                               "%s is not symmetric: entry (%zu, %zu) is %.6g, entry (%zu, %zu) is "
                               "%.6g",
                               what, j, i, here, i, j, there);
            }
        }
    }
    return TR_OK;
}

// The sign of an eigenvalue does not depend on units: G (n x n) is judged with a diagonal of one,
//
//     S = D G D,  D_ii = 1 / sqrt(G_ii)          x = D y:  x' G x = y' S y
//
// S is as large as G, `memory` has 6 n.
static trStatus check_sign(const trConstrain *c, const char *what, const double *G, double *S,
                           double *memory) {
    const size_t n = (size_t)c->n;
    double      *values = memory, *D = memory + n, *work = memory + 2 * n;
    for (size_t i = 0; i < n; i++) {
        const double own = fabs(G[i * (n + 1)]);
        D[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    for (size_t i = 0; i < n * n; i++) {
        S[i] = D[i / n] * G[i] * D[i % n];
    }
    TR_TRY(tr_symmetric_eigen(c->n, S, values, work));
    if (values[0] >= -NEGATIVE * fmax(values[n - 1], 0.0)) {
        return TR_OK;
    }
    return fail_negative(c, what, values[0], D, S);
}

static trStatus check_mass_in(trConstrain *c, trArena *arena) {
    const size_t n = (size_t)c->n;
    const bool   given = c->def.mass != NULL;
    const char  *what = given ? "the mass matrix" : "M^-1 as mass_solve has it";
    double      *G = tr_new_array(arena, double, n *n + 1), *S = tr_new_array(arena, double, n *n);
    double      *memory = tr_new_array(arena, double, 6 * n);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(given ? tr_constrain_ask(c, TR_ASK_MASS, c->t, c->x, NULL, G) : TR_OK);
    for (size_t i = 0; !given && i < n; i++) {
        memset(c->direction, 0, n * sizeof *c->direction);
        c->direction[i] = 1.0;
        TR_TRY(tr_constrain_ask(c, TR_ASK_MASS_SOLVE, c->t, c->x, c->direction, G + i * n));
    }
    TR_TRY(check_symmetric(c, what, G));
    return check_sign(c, what, G, S, memory);
}

static trStatus check_mass(trConstrain *c) {
    trArena *arena = tr_arena_create();
    trStatus status = arena == NULL ? TR_E_MEMORY : check_mass_in(c, arena);
    tr_arena_destroy(arena);
    return status;
}

trStatus tr_constrain_check(trConstrain *c, double t, const double *q, const double *v) {
    tr_constrain_place(c, t, q, v);
    if (c->def.m > 0) {
        TR_TRY(tr_constrain_ask(c, TR_ASK_PHI, t, c->x, NULL, c->phi));
        TR_TRY(check_rows(c, TR_ASK_PHI, TR_ASK_JACOBIAN, 0, c->def.m));
        TR_TRY(check_b1(c));
        TR_TRY(check_b(c));
    }
    if (c->k > 0) {
        TR_TRY(tr_constrain_ask(c, TR_ASK_PSI, t, c->x, c->xdot, c->middle));
        TR_TRY(check_rows(c, TR_ASK_PSI, TR_ASK_PSI_JACOBIAN, c->def.m, c->k));
        TR_TRY(check_psi_b(c));
    }
    return check_mass(c);
}
