// SPDX-License-Identifier: MIT
// Calls of a user's functions. Before a call its memory is filled with a number that is not one and
// that no computation makes; what still has those bits afterwards was not written.

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "constrain/constrain.h"

#define UNWRITTEN UINT64_C(0x7ff87472616d6d65)  // a quiet NaN

// What a callback writes: numbers for rows of phi or psi, or else for coordinates; with one column,
// or one for each coordinate.
typedef struct Kind {
    const char *what;
    bool        rows, psi, columns;
} Kind;

static const Kind kinds[] = {
    [TR_ASK_MASS] = {"mass", .columns = true},
    [TR_ASK_MASS_SOLVE] = {"mass_solve"},
    [TR_ASK_PHI] = {"phi", .rows = true},
    [TR_ASK_JACOBIAN] = {"jacobian", .rows = true, .columns = true},
    [TR_ASK_B1] = {"b1", .rows = true},
    [TR_ASK_B] = {"b", .rows = true},
    [TR_ASK_PSI] = {"psi", .rows = true, .psi = true},
    [TR_ASK_PSI_JACOBIAN] = {"psi_jacobian", .rows = true, .psi = true, .columns = true},
    [TR_ASK_PSI_B] = {"psi_b", .rows = true, .psi = true},
};

// One of the two is set where it is given.
typedef struct Callback {
    int (*at_place)(void *context, double t, const double *x, double *out);
    int (*at_state)(void *context, double t, const double *x, const double *second, double *out);
} Callback;

static Callback callback_of(const trConstrain *c, trAsk ask) {
    const trConstrainDef *d = &c->def;
    const Callback        callbacks[] = {
               [TR_ASK_MASS] = {.at_place = d->mass},
               [TR_ASK_MASS_SOLVE] = {.at_state = d->mass_solve},
               [TR_ASK_PHI] = {.at_place = d->phi},
               [TR_ASK_JACOBIAN] = {.at_place = d->jacobian},
               [TR_ASK_B1] = {.at_place = d->b1},
               [TR_ASK_B] = {.at_state = d->b},
               [TR_ASK_PSI] = {.at_state = d->psi},
               [TR_ASK_PSI_JACOBIAN] = {.at_state = d->psi_jacobian},
               [TR_ASK_PSI_B] = {.at_state = d->psi_b},
    };
    return callbacks[ask];
}

bool tr_constrain_gives(const trConstrain *c, trAsk ask) {
    const Callback given = callback_of(c, ask);
    return given.at_place != NULL || given.at_state != NULL;
}

static bool is_unwritten(double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits == UNWRITTEN;
}

static void fill(size_t count, double *out) {
    const uint64_t bits = UNWRITTEN;
    for (size_t i = 0; i < count; i++) {
        memcpy(out + i, &bits, sizeof bits);
    }
}

// Says whose the entry is: "jacobian of constraint 'rod', coordinate 2, is not a number".
static trStatus blame_entry(const trConstrain *c, const Kind *kind, int entry, trStatus status,
                            const char *trouble) {
    const int columns = kind->columns ? c->n : 1, row = entry / columns, column = entry % columns;
    if (kind->rows) {
        const char *name = c->names[(kind->psi ? c->def.m : 0) + row];
        return kind->columns
                   ? tr_fail(status, "%s of constraint '%s', coordinate %d, %s", kind->what, name,
                             column, trouble)
                   : tr_fail(status, "%s of constraint '%s' %s", kind->what, name, trouble);
    }
    return kind->columns
               ? tr_fail(status, "%s, entry (%d, %d), %s", kind->what, row, column, trouble)
               : tr_fail(status, "%s, entry %d, %s", kind->what, entry, trouble);
}

trStatus tr_constrain_ask(const trConstrain *c, trAsk ask, double t, const double *x,
                          const double *second, double *out) {
    const Kind    *kind = &kinds[ask];
    const Callback given = callback_of(c, ask);
    const size_t   rows = (size_t)(!kind->rows ? c->n : kind->psi ? c->k : c->def.m);
    const size_t   count = rows * (size_t)(kind->columns ? c->n : 1);
    fill(count + 1, out);
    const int answer = given.at_place != NULL ? given.at_place(c->def.context, t, x, out)
                                              : given.at_state(c->def.context, t, x, second, out);
    if (answer != 0) {
        return tr_fail(answer > 0 ? TR_NOT_FINITE : TR_E_EXTERNAL,
                       "%s returned %d, a failure, at t = %.9g", kind->what, answer, t);
    }
    if (!is_unwritten(out[count])) {
        return tr_fail(TR_E_ARGUMENT, "%s writes more than its %zu entries", kind->what, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_unwritten(out[i])) {
            return blame_entry(c, kind, (int)i, TR_E_ARGUMENT, "is not written");
        }
        if (!isfinite(out[i])) {
            blame_entry(c, kind, (int)i, TR_NOT_FINITE,
                        isnan(out[i]) ? "is not a number" : "is infinite");
            return tr_add_hint(TR_NOT_FINITE, " at t = %.9g", t);
        }
    }
    return TR_OK;
}

trStatus tr_constrain_look(const trConstrain *c, const char *what, int columns,
                           const double *rows) {
    for (int i = 0; i < c->m; i++) {
        for (int j = 0; j < columns; j++) {
            if (!isfinite(rows[(size_t)i * (size_t)columns + (size_t)j])) {
                return tr_fail(TR_NOT_FINITE,
                               "%s of constraint '%s' by differences is not a number at t = %.9g",
                               what, c->names[i], c->t);
            }
        }
    }
    return TR_OK;
}

trStatus tr_constrain_finite(const char *what, int count, const double *values) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return tr_fail(TR_NOT_FINITE, "%s %d is not a number", what, i);
        }
    }
    return TR_OK;
}
