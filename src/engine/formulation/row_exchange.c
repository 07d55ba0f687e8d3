// SPDX-License-Identifier: MIT
#include "formulation/row_exchange.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"

#define NARROW 0.1    // smallest kept pivot of A M^-1 A', relative, below which exchanges are tried
#define GAIN 1.5      // of volume by one exchange that is worth it
#define MOST_TRIED 8  // dropped rows that are looked at in one state
#define IMPLIED 10.0  // times rank_tolerance^2: of spare rows that count as implied
#define FIRST_SUMS 8  // of spare rows that are looked at in the first choice
#define ROUNDING 2e-14  // of pivots, relative: a hundred units in the last place

void tr_row_exchange_plan(trArena *arena, const trEquations *e, trRowExchange *out) {
    out->F = tr_new_array(arena, double, e->nv);
    out->right = tr_new_array(arena, double, e->m);
    out->a = tr_new_array(arena, double, e->nv);
    out->lambda = tr_new_array(arena, double, e->m);
    out->moved = tr_new_array(arena, double, e->m);
    out->dropped = tr_new_array(arena, bool, e->m);
    tr_keep_int(arena, &out->next, 0, e->m);
    tr_keep_int(arena, &out->most, 0, e->m);
}

// The nominal norm N of a row.
static double nominal(const trKernel *k, const trEquations *e, int row) {
    double scale = e->row_scale != NULL ? e->row_scale[row] : 0.0;
    return scale > 0.0 ? scale : sqrt(fmax(k->kind->row_norms(k->work)[row], 0.0));
}

// Positions need holonomic rows whatever nonholonomic ones imply.
static bool may_replace(const trEquations *e, int comes, int goes) {
    return e->holonomic == NULL || e->holonomic[comes] || !e->holonomic[goes];
}

// What the kept rows leave of the force -A' right, and how they hold it; `right` becomes zero.
static trStatus hold(trRowExchange *x, const trKernel *k, const trEquations *e) {
    memset(x->F, 0, (size_t)e->nv * sizeof *x->F);
    tr_rows_tmul_sub(&e->A, x->right, x->F);
    memset(x->right, 0, (size_t)e->m * sizeof *x->right);
    return k->kind->solve(k->work, e, x->F, x->right, x->a, x->lambda);
}

// Coefficients c of a dropped row as multipliers: the force A_d', held by the kept rows.
static trStatus express(trRowExchange *x, const trKernel *k, const trEquations *e, int row) {
    memset(x->right, 0, (size_t)e->m * sizeof *x->right);
    x->right[row] = -1.0;
    return hold(x, k, e);
}

trStatus tr_row_exchange_pivot(trRowExchange *x, const trKernel *k, const trEquations *e, int row,
                               double *pivot) {
    const double own = nominal(k, e, row);
    TR_TRY(express(x, k, e, row));
    tr_rows_mul(&e->A, x->a, x->moved);
    *pivot = own > 0.0 ? fabs(x->moved[row]) / (own * own) : 0.0;
    return TR_OK;
}

trStatus tr_row_exchange_find(trRowExchange *x, const trKernel *k, const trEquations *e,
                              const trRank *found, int *goes, int *comes) {
    const int tried = found->dropped < MOST_TRIED ? found->dropped : MOST_TRIED;
    double    most = GAIN;
    *goes = *comes = -1;
    if (found->dropped == 0 || !(found->gap < NARROW)) {
        return TR_OK;
    }
    for (int i = 0; i < tried; i++) {
        const int row = found->rows[(x->next + i) % found->dropped];
        TR_TRY(express(x, k, e, row));
        double own = nominal(k, e, row);
        for (int j = 0; own > 0.0 && j < e->m; j++) {
            double gain = fabs(x->lambda[j]) * nominal(k, e, j) / own;
            if (gain > most && may_replace(e, row, j)) {
                most = gain;
                *goes = j;
                *comes = row;
            }
        }
    }
    x->next = (x->next + tried) % found->dropped;
    return TR_OK;
}

// The weight of a row in one of the sums: irregular, so that rows do not cancel, and with other
// proportions in each.
static double weight_in(int sum, int row) {
    double part = fmod(0.6180339887498949 * (double)(row + 1) * (double)(2 * sum + 1), 1.0);
    return sum == 0 ? 0.5 + part : 2.0 * part - 1.0;
}

// With free motions a = M^-1 (F - A' lambda), A_kept a = 0, that a sum F of all spare rows drives:
// a row that is implied does not move.
static trStatus find_moved(trRowExchange *x, const trKernel *k, const trEquations *e, int sum,
                           double most, int *row) {
    for (int i = 0; i < e->m; i++) {
        x->right[i] = e->spare[i] ? -weight_in(sum, i) / nominal(k, e, i) : 0.0;
    }
    TR_TRY(hold(x, k, e));
    tr_rows_mul(&e->A, x->a, x->moved);
    for (int i = 0; i < e->m; i++) {
        double moved = e->spare[i] ? fabs(x->moved[i]) / nominal(k, e, i) : 0.0;
        if (moved > most) {
            most = moved;
            *row = i;
        }
    }
    return TR_OK;
}

// Two rows that move alike cancel in a sum whose weights happen to fit; later states have other
// rows, but the first choice is made once.
trStatus tr_row_exchange_missing(trRowExchange *x, const trKernel *k, const trEquations *e,
                                 bool first, int *row) {
    const double most = (first ? 1.0 : IMPLIED) * e->rank_tolerance * e->rank_tolerance;
    bool         any = false;
    *row = -1;
    for (int i = 0; e->spare != NULL && i < e->m; i++) {
        any |= e->spare[i];
    }
    for (int sum = 0; any && *row < 0 && sum < (first ? FIRST_SUMS : 1); sum++) {
        TR_TRY(find_moved(x, k, e, sum, most, row));
    }
    return TR_OK;
}

// The rows that were dropped stay so: one that is kept instead of another by chance, at another
// state or in another metric, would not be part of the choice.
static void set_spare(const trRowOwner *owner, const trRowJudge *judge) {
    for (int i = 0; i < judge->rank.dropped; i++) {
        if (!judge->e.spare[judge->rank.rows[i]]) {
            owner->set_spare(owner->self, judge->rank.rows[i], true);
        }
    }
}

static trStatus exchange(const trRowOwner *owner, trRowJudge *judge, int goes, int comes) {
    set_spare(owner, judge);
    owner->set_spare(owner->self, goes, true);
    owner->set_spare(owner->self, comes, false);
    if (owner->exchanged != NULL) {
        owner->exchanged(owner->self, goes, comes);
    }
    return owner->judge(owner->self, judge);
}

// Of kept nonholonomic rows, the one that a dropped holonomic row can replace best, or -1.
static int find_velocity_row(const trRowExchange *x, const trRowJudge *judge, int row) {
    const trEquations *e = &judge->e;
    const double       own = nominal(judge->kernel, e, row);
    double             most = e->rank_tolerance;
    int                goes = -1;
    for (int j = 0; own > 0.0 && j < e->m; j++) {
        double gain = fabs(x->lambda[j]) * nominal(judge->kernel, e, j) / own;
        if (!e->holonomic[j] && gain > most) {
            most = gain;
            goes = j;
        }
    }
    return goes;
}

// Elimination drops a holonomic row that comes after nonholonomic ones which imply it, and
// positions would miss it. It replaces one of those.
static trStatus put_positions_first(trRowExchange *x, const trRowOwner *owner, trRowJudge *judge) {
    const bool mixed = tr_has_velocity_rows(&judge->e);
    int        i = 0;
    while (mixed && i < judge->rank.dropped) {
        const int row = judge->rank.rows[i++];
        int       goes = -1;
        if (judge->e.holonomic[row] && (judge->e.spare == NULL || !judge->e.spare[row])) {
            TR_TRY(express(x, judge->kernel, &judge->e, row));
            goes = find_velocity_row(x, judge, row);
        }
        if (goes >= 0) {
            TR_TRY(exchange(owner, judge, goes, row));
            i = 0;
        }
    }
    return TR_OK;
}

// Elimination with a small pivot p leaves rounding of ROUNDING / p in the pivots of rows that
// depend on others. Where that exceeds rank_tolerance^2, such rows seem to be independent, so that
// the row with the smallest pivot has to wait until the others are chosen; not one of positions,
// which need their rows whatever those of velocities imply.
static trStatus set_aside_unsure(const trRowOwner *owner, trRowJudge *judge) {
    const double tolerance = judge->e.rank_tolerance;
    const bool   mixed = tr_has_velocity_rows(&judge->e);
    for (int i = 0; judge->e.spare != NULL && i < judge->e.m; i++) {
        const int row = judge->rank.gap_row;
        if (!(judge->rank.gap * tolerance * tolerance < ROUNDING) || row < 0 ||
            judge->e.spare[row] || (mixed && judge->e.holonomic[row])) {
            break;
        }
        owner->set_spare(owner->self, row, true);
        TR_TRY(owner->judge(owner->self, judge));
    }
    return TR_OK;
}

// Each exchange enlarges the volume of the kept rows, so that none comes back; m bounds the work.
static trStatus exchange_all(trRowExchange *x, const trRowOwner *owner, int least,
                             trRowJudge *judge) {
    int goes = -1, comes = -1;
    for (int i = 0; i < judge->e.m && judge->rank.rank >= least; i++) {
        TR_TRY(tr_row_exchange_find(x, judge->kernel, &judge->e, &judge->rank, &goes, &comes));
        if (goes < 0) {
            break;
        }
        TR_TRY(exchange(owner, judge, goes, comes));
    }
    return TR_OK;
}

static trStatus restore_missing(trRowExchange *x, const trRowOwner *owner, bool first,
                                trRowJudge *judge, bool *restored) {
    int missing = -1;
    *restored = false;
    for (int i = 0; i < judge->e.m; i++) {
        TR_TRY(tr_row_exchange_missing(x, judge->kernel, &judge->e, first, &missing));
        if (missing < 0) {
            break;
        }
        *restored = true;
        owner->set_spare(owner->self, missing, false);
        TR_TRY(owner->judge(owner->self, judge));
    }
    return TR_OK;
}

static bool is_among(const trRank *rank, int row) {
    int i = 0;
    while (i < rank->dropped && rank->rows[i] != row) {
        i++;
    }
    return i < rank->dropped;
}

// Of rows that serve equally well, elimination may drop another one than last time: an exchange
// that nobody has made.
static void note_drops(trRowExchange *x, const trRowOwner *owner, const trRowJudge *judge) {
    const int m = judge->e.m;
    int       before = 0, comes = -1;
    for (int i = 0; i < m; i++) {
        before += x->dropped[i];
    }
    for (int i = 0; i < judge->rank.dropped && before == judge->rank.dropped; i++) {
        const int goes = judge->rank.rows[i];
        if (x->dropped[goes]) {
            continue;
        }
        do {
            comes++;
        } while (comes < m && (!x->dropped[comes] || is_among(&judge->rank, comes)));
        if (comes < m && owner->exchanged != NULL) {
            owner->exchanged(owner->self, goes, comes);
        }
    }
}

static void remember_drops(trRowExchange *x, const trRowJudge *judge) {
    memset(x->dropped, 0, (size_t)judge->e.m * sizeof *x->dropped);
    for (int i = 0; i < judge->rank.dropped; i++) {
        x->dropped[judge->rank.rows[i]] = true;
    }
}

trStatus tr_row_exchange_choose(trRowExchange *x, const trRowOwner *owner, int least,
                                trRank *rank) {
    const bool first = least < 0;
    bool       restored = false;
    trRowJudge judge;
    TR_TRY(owner->judge(owner->self, &judge));
    if (!first) {
        note_drops(x, owner, &judge);
    }
    TR_TRY(first ? set_aside_unsure(owner, &judge) : TR_OK);
    TR_TRY(judge.rank.rank >= least ? put_positions_first(x, owner, &judge) : TR_OK);
    TR_TRY(exchange_all(x, owner, least, &judge));
    TR_TRY(restore_missing(x, owner, first, &judge, &restored));
    TR_TRY(restored ? exchange_all(x, owner, least, &judge) : TR_OK);
    // What is dropped at the start may be so because of a singular pose, and later, too.
    if (!first && judge.rank.rank == x->most) {
        set_spare(owner, &judge);
    }
    x->most = judge.rank.rank > x->most ? judge.rank.rank : x->most;
    remember_drops(x, &judge);
    *rank = judge.rank;
    return TR_OK;
}
