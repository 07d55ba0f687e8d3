// SPDX-License-Identifier: MIT
// Which method to take. Of those that finished and whose error is known:
//
//     1. those that put states on the constraints and hold positions and velocities to HELD; if
//        there are none, those that happen to hold them; if there are none, all. Without
//        constraints all;
//     2. of these, those whose error times the square of their time is at most ALIKE times the
//        smallest: with smaller steps every integrator makes a quarter of the error in twice the
//        time, or less, so that an error is worth no more than that;
//     3. of these, those that no other method beats: makes no larger error in no more time. If
//        methods that do not hold the constraints beat all, those that none of step 2 beats;
//     4. of these, the one with the fewest evaluations, then factorizations, then the smallest
//        error, then the first in the list.
//
// Errors below EXACT count as EXACT.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"

#define HELD 1e-10      // [m, m/s, rad, rad/s]
#define ALIKE 3.0       // times differ by a factor of 1.5 from run to run, their squares by 2.3
#define EXACT 1e-12     // [m, rad, 1]
#define ROUNDING 1e-10  // of violations and energies: what is below is nothing
#define DIGITS 0.05     // of figures that have two of them

// Who counts.
typedef enum Circle { HOLDING, HELD_BY_CHANCE, EVERYONE, CIRCLES } Circle;

static bool finished(const trCompareRow *row) {
    return row->state == TR_COMPARE_DONE && row->shown && !row->sweep && row->ranks;
}

static bool belongs(const trCompareRow *row, Circle circle) {
    bool held = row->level[0].worst <= HELD && row->level[1].worst <= HELD;
    return finished(row) && (circle == EVERYONE || held) &&
           (circle != HOLDING || row->free || row->projects);
}

static int count(const trCompare *c, Circle circle) {
    int members = 0;
    for (int i = 0; i < c->rows; i++) {
        members += belongs(&c->row[i], circle);
    }
    return members;
}

static double error_of(const trCompareRow *row) {
    return tr_compare_gap_size(row->ranked);
}

// Where times are not known, the error.
static double price_of(const trCompareRow *row) {
    double seconds = isnan(row->seconds) ? 1.0 : row->seconds;
    return fmax(error_of(row), EXACT) * seconds * seconds;
}

static int circle_of(const trCompareRow *row) {
    int circle = HOLDING;
    while (circle < CIRCLES && !belongs(row, (Circle)circle)) {
        circle++;
    }
    return circle;
}

// The member with the smallest value; -1: there are no members.
static int smallest(const trCompare *c, Circle circle, double (*value)(const trCompareRow *)) {
    int least = -1;
    for (int i = 0; i < c->rows; i++) {
        if (belongs(&c->row[i], circle) &&
            (least < 0 || value(&c->row[i]) < value(&c->row[least]))) {
            least = i;
        }
    }
    return least;
}

static bool is_better(const trCompareRow *a, const trCompareRow *b) {
    if (a->evaluations != b->evaluations) {
        return a->evaluations < b->evaluations;
    }
    if (a->factorizations != b->factorizations) {
        return a->factorizations < b->factorizations;
    }
    return error_of(a) < error_of(b);
}

// No larger error in no more time, and one of them less.
static bool beats(const trCompareRow *a, const trCompareRow *b) {
    double error[] = {fmax(error_of(a), EXACT), fmax(error_of(b), EXACT)};
    return error[0] <= error[1] && a->seconds <= b->seconds &&
           (error[0] < error[1] || a->seconds < b->seconds);
}

// A member of the circle that beats this row, or NULL.
static const trCompareRow *find_better(const trCompare *c, const trCompareRow *row, Circle circle) {
    for (int i = 0; i < c->rows; i++) {
        if (belongs(&c->row[i], circle) && beats(&c->row[i], row)) {
            return &c->row[i];
        }
    }
    return NULL;
}

// Among members that no one in `rivals` beats; -1: all are beaten.
static int choose(const trCompare *c, Circle circle, Circle rivals) {
    double most = ALIKE * price_of(&c->row[smallest(c, circle, price_of)]);
    int    best = -1;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        if (belongs(row, circle) && price_of(row) <= most && find_better(c, row, rivals) == NULL &&
            (best < 0 || is_better(row, &c->row[best]))) {
            best = i;
        }
    }
    return best;
}

// --- rows by merit ---
//
// The recommended one first, then by circle and by error times the square of time; then those
// without a known error, failed, and not run. Methods that are the same equations solved in another
// way have the same figures but for their time: violations, errors and energy that differ by
// rounding alone, and the same steps.

static bool is_listed(const trCompareRow *row) {
    return row->shown && !row->sweep;
}

static bool is_same(double a, double b, double least) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= fmax(least, DIGITS * fmin(fabs(a), fabs(b)));
}

static bool have_same_figures(const trCompareRow *a, const trCompareRow *b) {
    bool ran = a->state == TR_COMPARE_DONE || a->state == TR_COMPARE_FAILED;
    bool same = ran && a->state == b->state && circle_of(a) == circle_of(b) &&
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

// Whether row a stands before row b.
static bool is_before(const trCompare *c, int a, int b) {
    const trCompareRow *x = &c->row[a], *y = &c->row[b];
    if (a == c->recommended || b == c->recommended) {
        return a == c->recommended;
    }
    if (x->state != y->state) {
        return x->state > y->state;  // done, failed, refused, skipped
    }
    int circle[] = {circle_of(x), circle_of(y)};
    if (x->state != TR_COMPARE_DONE || circle[0] != circle[1]) {
        return circle[0] < circle[1];
    }
    return x->ranks && price_of(x) < price_of(y);
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

// --- the sentence ---

static void add(char *sentence, const char *format, ...) TR_PRINTF(2, 3);

static void add(char *sentence, const char *format, ...) {
    size_t  used = strlen(sentence);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + used, TR_COMPARE_TEXT - used, format, arguments);
    va_end(arguments);
}

static const char *unit_of(const trCompareGap *error) {
    double size = tr_compare_gap_size(*error);
    return size == error->general ? "" : size == error->angle ? " rad" : " m";
}

// " m", or " m/s" with `per`; "" where units differ or are not known.
static void add_unit(trCompare *c, const char *per) {
    bool one = c->row_unit != NULL && c->row_unit[0] != '\0' && strchr(c->row_unit, ' ') == NULL;
    add(c->sentence, "%s%s%s", one ? " " : "", one ? c->row_unit : "", one ? per : "");
}

static void add_levels(trCompare *c, const trCompareRow *row, const char *between) {
    add(c->sentence, "%.1e", row->level[0].worst);
    add_unit(c, "");
    add(c->sentence, "%s%.1e", between, row->level[1].worst);
    add_unit(c, "/s");
}

static void add_constraints(trCompare *c, const trCompareRow *row, Circle circle, bool alone) {
    if (row->free) {
        return;
    }
    if (circle != EVERYONE) {
        add(c->sentence, "it %sholds positions to ", alone ? "alone " : "");
        add_levels(c, row, " and velocities to ");
    } else {
        add(c->sentence, "none holds positions and velocities to %.0e (this one: ", HELD);
        add_levels(c, row, " and ");
        add(c->sentence, ")");
    }
}

// How the error compares with the least in the circle.
static void add_rank(const trCompareRow *row, const trCompareRow *least, Circle circle,
                     char *sentence) {
    const char *among = circle == EVERYONE || row->free ? "" : " of those that do";
    double      error = error_of(row), smallest_error = fmax(error_of(least), EXACT);
    if (error <= EXACT) {
        add(sentence, " is rounding");
    } else if (error <= smallest_error) {
        add(sentence, " is the smallest%s", among);
    } else if (error <= ALIKE * smallest_error) {
        add(sentence, " is within a factor of %g of the smallest%s", ALIKE, among);
    } else {
        add(sentence,
            " is good for its cost: the smallest%s, %.1e%s of %s, takes %.3g times as long", among,
            error_of(least), unit_of(&least->ranked), least->label, least->seconds / row->seconds);
    }
}

static void describe(trCompare *c, Circle circle) {
    const trCompareRow *row = &c->row[c->recommended];
    bool                alone = count(c, circle) == 1 && count(c, EVERYONE) > 1;
    add(c->sentence, "Take %s (%lld evaluations", row->label, (long long)row->evaluations);
    if (isfinite(row->ratio) && c->time_unit != NULL) {
        add(c->sentence, ", %.2f times the time of %s", row->ratio, c->time_unit);
    }
    add(c->sentence, "): ");
    add_constraints(c, row, circle, alone);
    add(c->sentence, "%s%s error of %s%.1e%s", row->free ? "" : ", ", alone ? "with an" : "its",
        row->ranked_bound ? "at most " : "", error_of(row), unit_of(&row->ranked));
    if (c->times > 0 && c->ranked_until < c->time[c->times - 1]) {
        add(c->sentence, " up to t = %.4g s", c->ranked_until);
    }
    if (!alone) {
        add_rank(row, &c->row[smallest(c, circle, error_of)], circle, c->sentence);
    }
    const trCompareRow *better = find_better(c, row, EVERYONE);
    if (better != NULL) {
        add(c->sentence,
            "; %s is faster and no less accurate here, but nothing in it holds the constraints",
            better->label);
    }
    add(c->sentence, ".");
}

void tr_compare_recommend(trCompare *c) {
    Circle circle = HOLDING;
    c->recommended = -1;
    c->sentence[0] = '\0';
    while (circle < CIRCLES && count(c, circle) == 0) {
        circle++;
    }
    if (circle == CIRCLES) {
        add(c->sentence, "No method can be recommended: none finished with a known error.");
        return;
    }
    c->recommended = choose(c, circle, EVERYONE);
    c->recommended = c->recommended < 0 ? choose(c, circle, circle) : c->recommended;
    describe(c, circle);
}
