// SPDX-License-Identifier: MIT
// Calls of a user's functions. Before a call its memory is filled with a number that is not one and
// that no computation makes; what still has those bits afterwards was not written.

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "constrain/constrain.h"

#define UNWRITTEN UINT64_C(0x7ff87472616d6d65)  // a quiet NaN

typedef enum Shape { PER_ROW, PER_ROW_AND_COORDINATE, PER_PAIR, PER_COORDINATE } Shape;

typedef struct Kind {
    const char *what;
    Shape       shape;
    bool        nonholonomic;
} Kind;

static const Kind kinds[] = {
    [TR_ASK_MASS] = {"mass", PER_PAIR, false},
    [TR_ASK_MASS_SOLVE] = {"mass_solve", PER_COORDINATE, false},
    [TR_ASK_PHI] = {"phi", PER_ROW, false},
    [TR_ASK_JACOBIAN] = {"jacobian", PER_ROW_AND_COORDINATE, false},
    [TR_ASK_B1] = {"b1", PER_ROW, false},
    [TR_ASK_B] = {"b", PER_ROW, false},
    [TR_ASK_PSI] = {"psi", PER_ROW, true},
    [TR_ASK_PSI_JACOBIAN] = {"psi_jacobian", PER_ROW_AND_COORDINATE, true},
    [TR_ASK_PSI_B] = {"psi_b", PER_ROW, true},
};

bool tr_constrain_gives(const trConstrain *c, trAsk ask) {
    const trConstrainDef *d = &c->def;
    switch (ask) {
    case TR_ASK_MASS:
        return d->mass != NULL;
    case TR_ASK_MASS_SOLVE:
        return d->mass_solve != NULL;
    case TR_ASK_PHI:
        return d->phi != NULL && d->m > 0;
    case TR_ASK_JACOBIAN:
        return d->jacobian != NULL && d->m > 0;
    case TR_ASK_B1:
        return d->b1 != NULL && d->m > 0;
    case TR_ASK_B:
        return d->b != NULL && d->m > 0;
    case TR_ASK_PSI:
        return d->psi != NULL && d->k > 0;
    case TR_ASK_PSI_JACOBIAN:
        return d->psi_jacobian != NULL && d->k > 0;
    default:
        return d->psi_b != NULL && d->k > 0;
    }
}

static int call(const trConstrain *c, trAsk ask, double t, const double *x, const double *second,
                double *out) {
    const trConstrainDef *d = &c->def;
    switch (ask) {
    case TR_ASK_MASS:
        return d->mass(d->context, t, x, out);
    case TR_ASK_MASS_SOLVE:
        return d->mass_solve(d->context, t, x, second, out);
    case TR_ASK_PHI:
        return d->phi(d->context, t, x, out);
    case TR_ASK_JACOBIAN:
        return d->jacobian(d->context, t, x, out);
    case TR_ASK_B1:
        return d->b1(d->context, t, x, out);
    case TR_ASK_B:
        return d->b(d->context, t, x, second, out);
    case TR_ASK_PSI:
        return d->psi(d->context, t, x, second, out);
    case TR_ASK_PSI_JACOBIAN:
        return d->psi_jacobian(d->context, t, x, second, out);
    default:
        return d->psi_b(d->context, t, x, second, out);
    }
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
static trStatus blame_entry(const trConstrain *c, const Kind *kind, size_t entry, trStatus status,
                            const char *trouble) {
    const int first = kind->nonholonomic ? c->def.m : 0, n = c->n;
    const int row = (int)(entry / (size_t)n), column = (int)(entry % (size_t)n);
    switch (kind->shape) {
    case PER_ROW:
        return tr_fail(status, "%s of constraint '%s' %s", kind->what, c->names[first + (int)entry],
                       trouble);
    case PER_ROW_AND_COORDINATE:
        return tr_fail(status, "%s of constraint '%s', coordinate %d, %s", kind->what,
                       c->names[first + row], column, trouble);
    case PER_PAIR:
        return tr_fail(status, "%s, entry (%d, %d), %s", kind->what, row, column, trouble);
    default:
        return tr_fail(status, "%s, entry %d, %s", kind->what, (int)entry, trouble);
    }
}

static size_t count_entries(const trConstrain *c, const Kind *kind) {
    const size_t rows = (size_t)(kind->nonholonomic ? c->def.k : c->def.m), n = (size_t)c->n;
    switch (kind->shape) {
    case PER_ROW:
        return rows;
    case PER_ROW_AND_COORDINATE:
        return rows * n;
    case PER_PAIR:
        return n * n;
    default:
        return n;
    }
}

trStatus tr_constrain_ask(const trConstrain *c, trAsk ask, double t, const double *x,
                          const double *second, double *out) {
    const Kind  *kind = &kinds[ask];
    const size_t count = count_entries(c, kind);
    fill(count + 1, out);
    const int answer = call(c, ask, t, x, second, out);
    if (answer != 0) {
        return tr_fail(answer > 0 ? TR_NOT_FINITE : TR_E_EXTERNAL,
                       "%s returned %d, a failure, at t = %.9g", kind->what, answer, t);
    }
    if (!is_unwritten(out[count])) {
        return tr_fail(TR_E_ARGUMENT, "%s writes more than its %zu entries", kind->what, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_unwritten(out[i])) {
            return blame_entry(c, kind, i, TR_E_ARGUMENT, "is not written");
        }
        if (!isfinite(out[i])) {
            blame_entry(c, kind, i, TR_NOT_FINITE,
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
