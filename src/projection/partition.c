// SPDX-License-Identifier: MIT
// Coordinate partitioning: some coordinates are independent, the others follow from them,
//
//     A_dep dq_dep = -phi,  dq_ind = 0        A_dep v_dep = b1 - A_ind v_ind
//
// Independent are the columns without a pivot in LU with full pivoting. They are chosen anew where
// their influence on the dependent ones,
//
//     max |A_dep^-1 A_ind|  >  2 max(1, its value when they were chosen)
//
// has grown. The condition of A_dep is no such criterion: a single row always has condition 1.
// Where rows hold velocities alone, positions and velocities have partitions of their own.
// Reference: Wehage and Haug, J. Mech. Des. 104 (1982) 247-255; Marques, Souto and Flores,
// Multibody Syst. Dyn. 39 (2017), eqs. (14), (15).

#include <math.h>
#include <string.h>

#include "projection/held.h"

#define GROWTH 2.0

static trStatus plan(trArena *arena, const trEquations *e, const char *basis, void **work) {
    trHeld *h = tr_new(arena, trHeld);
    (void)basis;
    *work = h;
    return h == NULL ? TR_E_MEMORY : tr_held_plan(arena, e, NULL, "extraction", h);
}

// The largest entry of Gamma with [A_r; B] Gamma = [0; I], at least 1: those of dependent
// coordinates are -A_dep^-1 A_ind. INFINITY where B is no complement any more.
static double influence_of(trHeld *h, const trHeldSet *set) {
    const int columns = set->held.columns;
    double   *unit = h->memory, *column = h->memory + h->n, most = 1.0;
    if (columns != h->n - h->c.rank ||
        tr_complement_factor(&h->c, h->A, set->held.B, columns) != TR_OK) {
        return INFINITY;
    }
    memset(h->right, 0, (size_t)h->m * sizeof *h->right);
    for (int k = 0; k < columns; k++) {
        memset(unit, 0, (size_t)columns * sizeof *unit);
        unit[k] = 1.0;
        tr_complement_solve(&h->c, h->right, unit, column);
        for (int i = 0; i < h->n; i++) {
            most = fmax(most, fabs(column[i]));
        }
    }
    return most;
}

static trStatus renew_set(trHeld *h, trHeldSet *set, const trEquations *e) {
    TR_TRY(tr_held_rows(h, set, e));
    if (set->chosen && influence_of(h, set) <= GROWTH * set->influence) {
        return TR_OK;
    }
    TR_TRY(tr_held_choose(h, set));
    set->influence = influence_of(h, set);
    return TR_OK;
}

static trStatus renew(void *work, const trEquations *e) {
    trHeld *h = work;
    tr_held_note_norms(h, e);
    for (int i = 0; i < h->sets; i++) {
        TR_TRY(renew_set(h, &h->set[i], e));
    }
    return TR_OK;
}

static const trPickKind pick = {.plan = plan,
                                .renew = renew,
                                .step = tr_held_step,
                                .lost_row = tr_held_lost_row,
                                .renewals = tr_held_renewals};

const trProjectionKind tr_projection_partition = {
    .name = "partition",
    .summary = "dependent coordinates and velocities from independent ones",
    .source = "Wehage & Haug 1982; Marques, Souto & Flores 2017, eqs. (14), (15)",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE,
    .weight = TR_WEIGHT_NONE,
    .pick = &pick,
};
