// SPDX-License-Identifier: MIT
// Rows by merit: the recommended one, then as the recommendation ranks them, by circle and by error
// times the square of time; then those without a known error, failed, and not run. Methods that are
// the same equations solved in another way have the same figures but for their time: violations,
// errors and energy that differ by rounding alone, and the same steps.

#include <math.h>
#include <string.h>

#include "compare/compare.h"

#define ROUNDING 1e-10  // of violations and energies: what is below is nothing
#define EXACT 1e-12     // of errors
#define DIGITS 0.05     // of figures that have two of them

static bool is_listed(const trCompareRow *row) {
    return row->shown && !row->sweep;
}

static bool is_same(double a, double b, double least) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= fmax(least, DIGITS * fmin(fabs(a), fabs(b)));
}

static bool have_same_figures(const trCompareRow *a, const trCompareRow *b) {
    bool ran = a->state == TR_COMPARE_DONE || a->state == TR_COMPARE_FAILED;
    bool same = ran && a->state == b->state && tr_compare_circle(a) == tr_compare_circle(b) &&
                strcmp(a->reason, b->reason) == 0 && is_same(a->reached, b->reached, 0.0) &&
                a->steps == b->steps && a->rejected == b->rejected && a->forced == b->forced &&
                a->evaluations == b->evaluations && a->measured == b->measured &&
                a->bound == b->bound && a->fixed == b->fixed;
    for (int k = 0; k < TR_COMPARE_LEVELS; k++) {
        same = same && is_same(a->level[k].worst, b->level[k].worst, ROUNDING) &&
               is_same(a->level[k].mean, b->level[k].mean, ROUNDING);
    }
    return same && is_same(a->energy_end, b->energy_end, ROUNDING) &&
           is_same(a->energy_worst, b->energy_worst, ROUNDING) &&
           is_same(a->error.length, b->error.length, EXACT) &&
           is_same(a->error.angle, b->error.angle, EXACT) &&
           is_same(a->error.general, b->error.general, EXACT);
}

static int order_of_state(trCompareState state) {
    return TR_COMPARE_DONE - (int)state;
}

// Whether row a stands before row b.
static bool is_before(const trCompare *c, int a, int b) {
    const trCompareRow *x = &c->row[a], *y = &c->row[b];
    if (a == c->recommended || b == c->recommended) {
        return a == c->recommended;
    }
    if (x->state != y->state) {
        return order_of_state(x->state) < order_of_state(y->state);
    }
    int circle[] = {tr_compare_circle(x), tr_compare_circle(y)};
    if (x->state != TR_COMPARE_DONE || circle[0] != circle[1]) {
        return circle[0] < circle[1];
    }
    return x->ranks && tr_compare_price(x) < tr_compare_price(y);
}

// By insertion: rows that are equal stay in the order in which they were asked for.
void tr_compare_sort(trCompare *c) {
    c->ranked = 0;
    for (int i = 0; i < c->rows; i++) {
        c->row[i].rank = 0;
        c->row[i].same_as = -1;
        if (!is_listed(&c->row[i])) {
            continue;
        }
        int at = c->ranked++;
        for (; at > 0 && is_before(c, i, c->order[at - 1]); at--) {
            c->order[at] = c->order[at - 1];
        }
        c->order[at] = i;
    }
    for (int k = 0; k < c->ranked; k++) {
        trCompareRow *row = &c->row[c->order[k]];
        row->rank = k + 1;
        for (int i = 0; i < k && row->same_as < 0; i++) {
            const trCompareRow *other = &c->row[c->order[i]];
            if (other->same_as < 0 && have_same_figures(other, row)) {
                row->same_as = c->order[i];
            }
        }
    }
}
