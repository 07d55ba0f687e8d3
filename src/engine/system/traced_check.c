// SPDX-License-Identifier: MIT
// What is wrong with numbers that recorded functions gave, in words and by name.

#include <math.h>

#include "base/finite.h"
#include "system/system.h"

#define ASYMMETRY 1e-10  // of M, relative to |M_ii| + |M_jj| + |M_ij| + |M_ji|

trStatus tr_blame_origin(trStatus status, const char *origin) {
    return origin == NULL ? status : tr_blame(status, "%s: ", origin);
}

static trStatus check_symmetry(const trSystem *s, double t, const trEval *e) {
    int n = s->nv;
    for (int k = 0; k < s->traced->pairs; k++) {
        int    i = s->traced->pair[k].i, j = s->traced->pair[k].j;
        double one = e->M[i + (ptrdiff_t)j * n], other = e->M[j + (ptrdiff_t)i * n];
        double size = fabs(e->M[i + (ptrdiff_t)i * n]) + fabs(e->M[j + (ptrdiff_t)j * n]) +
                      fabs(one) + fabs(other);
        if (fabs(one - other) > ASYMMETRY * size) {
            tr_fail(TR_E_MODEL,
                    "the matrix is not symmetric at t = %.9g s: %.9g in row '%s', column '%s', but "
                    "%.9g in row '%s', column '%s'; make them equal",
                    t, one, s->body[i].name, s->body[j].name, other, s->body[j].name,
                    s->body[i].name);
            return tr_blame_mass(TR_E_MODEL, s);
        }
    }
    return TR_OK;
}

static trStatus blame_row(const trSystem *s, double t, int row, const char *what) {
    tr_fail(TR_NOT_FINITE, "%s is not a finite number at t = %.9g s; check its function there",
            what, t);
    return tr_blame_joint(TR_NOT_FINITE, tr_system_recorded(s, row));
}

static trStatus blame_coordinate(const trSystem *s, double t, int i, const char *what,
                                 const char *origin) {
    tr_fail(TR_NOT_FINITE, "its %s is not a finite number at t = %.9g s; check the function there",
            what, t);
    tr_blame_body(TR_NOT_FINITE, &s->body[i]);
    return tr_blame_origin(TR_NOT_FINITE, origin);
}

trStatus tr_blame_nonideal(const trSystem *s, double t, int i) {
    tr_fail(TR_NOT_FINITE,
            "its non-ideal force is not a finite number at t = %.9g s; check the function there (a "
            "direction v / |v| has none at rest)",
            t);
    tr_blame_body(TR_NOT_FINITE, &s->body[i]);
    return tr_blame_origin(TR_NOT_FINITE, s->traced->general->origin[TR_OF_NONIDEAL]);
}

static trStatus find_row(const trSystem *s, double t, const trEval *e) {
    const trTracedSystem *r = s->traced;
    for (int i = 0; i < r->rows; i++) {
        bool value = isfinite(tr_traced_result(e, r->phi + i));
        if (!value || !isfinite(tr_traced_result(e, r->b + i)) ||
            !isfinite(tr_traced_result(e, r->b1 + i))) {
            return blame_row(s, t, i, value ? "its derivative" : "it");
        }
    }
    for (int i = 0, output = r->A; i < r->sides; i++) {
        for (int k = 0; k < r->side[i].rows * r->width; k++) {
            if (!isfinite(tr_traced_result(e, output++))) {
                return blame_row(s, t, r->side[i].row, "its derivative");
            }
        }
    }
    return TR_OK;
}

// The mass of a coordinate: its row of M, or its part of v' (dM/dt) v / 2.
static bool mass_is_finite(const trSystem *s, const trEval *e, int row) {
    const trTracedSystem *r = s->traced;
    for (int j = 0; r->M >= 0 && j < s->nv; j++) {
        if (!isfinite(tr_traced_result(e, r->M + row + j * s->nv))) {
            return false;
        }
    }
    return r->inertia_power < 0 || isfinite(tr_traced_result(e, r->inertia_power + row));
}

// Where a mass ends, as sqrt(1 - t) does at t = 1, its rate ends first. Which of the two a step
// meets depends on rounding, so both have the same message.
static trStatus find_coordinate(const trSystem *s, double t, const trEval *e) {
    const trTracedSystem *r = s->traced;
    for (int i = 0; i < s->nv; i++) {
        if (!mass_is_finite(s, e, i)) {
            return blame_coordinate(s, t, i, "mass or its rate", s->mass_origin);
        }
    }
    for (int i = 0; r->Q >= 0 && i < s->nv; i++) {
        if (r->C >= 0 && !isfinite(tr_traced_result(e, r->C + i))) {
            return tr_blame_nonideal(s, t, i);
        }
        if (!isfinite(tr_traced_result(e, r->Q + i))) {
            return blame_coordinate(s, t, i, "force", r->general->origin[TR_OF_FORCE]);
        }
    }
    return TR_OK;
}

static trStatus find_state_or_energy(const trSystem *s, double t, const trEval *e) {
    const trTracedSystem *r = s->traced;
    for (int i = 0; i < r->states; i++) {
        if (!isfinite(tr_traced_result(e, r->rate + i))) {
            tr_fail(TR_NOT_FINITE,
                    "state '%s': its rate is not a finite number at t = %.9g s; check the function "
                    "there",
                    s->state[i].name, t);
            return tr_blame_origin(TR_NOT_FINITE, r->general->state[i].origin);
        }
    }
    if (r->energy >= 0 &&
        !isfinite(tr_traced_result(e, r->energy) + tr_traced_result(e, r->energy + 1))) {
        tr_fail(TR_NOT_FINITE,
                "energy: it or its rate is not a finite number at t = %.9g s; check the function "
                "there",
                t);
        return tr_blame_origin(TR_NOT_FINITE, r->general->origin[TR_OF_ENERGY]);
    }
    return TR_OK;
}

// Who made a number that is none? Forces of bodies are found elsewhere.
static trStatus find_culprit(const trSystem *s, double t, const trEval *e) {
    TR_TRY(find_row(s, t, e));
    TR_TRY(find_coordinate(s, t, e));
    return find_state_or_energy(s, t, e);
}

trStatus tr_traced_check(const trSystem *s, double t, const trEval *e) {
    int  first = s->pattern.groups > s->joints + s->norms
                     ? s->pattern.side_value[s->pattern.group_side[s->joints + s->norms]]
                     : s->values;
    bool finite =
        tr_all_finite(e->phi, s->m) && tr_all_finite(e->b, s->m) && tr_all_finite(e->b1, s->m) &&
        tr_all_finite(e->value + first, s->values - first) && tr_all_finite(e->Q, s->nv) &&
        tr_all_finite(e->z_dot, s->states) && isfinite(e->potential + e->power) &&
        (!s->dense || tr_all_finite(e->M, s->nv * s->nv));
    TR_TRY(finite ? TR_OK : find_culprit(s, t, e));
    return check_symmetry(s, t, e);
}
