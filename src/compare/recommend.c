// SPDX-License-Identifier: MIT
// Which method to take. Of those that finished and whose error is known:
//
//     1. those that hold positions and velocities to HELD; if there are none, all;
//     2. of these, those whose error is at most ALIKE times the smallest;
//     3. of these, those whose time is at most NOISE times the shortest;
//     4. of these, the one with the fewest evaluations, then factorizations, then the smallest
//        error, then the first in the list.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"

#define HELD 1e-10  // [m, m/s, rad, rad/s]
#define ALIKE 3.0
#define NOISE 1.25  // times closer than this cannot be told apart

static bool finished(const trCompareRow *row) {
    return row->state == TR_COMPARE_DONE && row->shown && !row->sweep && row->ranks;
}

static bool holds(const trCompareRow *row) {
    return row->level[0].worst <= HELD && row->level[1].worst <= HELD;
}

// The choice so far: limits that a row must keep.
typedef struct Limits {
    bool   held;            // only rows that hold the constraints
    double error, seconds;  // largest that count
} Limits;

static bool fits(const trCompareRow *row, const Limits *limits) {
    bool slow = row->seconds > limits->seconds;  // false where the time is not known
    return finished(row) && (!limits->held || holds(row)) &&
           tr_gap_size(row->ranked) <= limits->error && !slow;
}

static int count_fitting(const trCompare *c, const Limits *limits) {
    int count = 0;
    for (int i = 0; i < c->rows; i++) {
        count += fits(&c->row[i], limits);
    }
    return count;
}

static double smallest(const trCompare *c, const Limits *limits,
                       double (*value)(const trCompareRow *)) {
    double least = INFINITY;
    for (int i = 0; i < c->rows; i++) {
        if (fits(&c->row[i], limits)) {
            least = fmin(least, value(&c->row[i]));
        }
    }
    return least;
}

static double error_of(const trCompareRow *row) {
    return tr_gap_size(row->ranked);
}

static double seconds_of(const trCompareRow *row) {
    return row->seconds;
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

static int choose(const trCompare *c, const Limits *limits) {
    int best = -1;
    for (int i = 0; i < c->rows; i++) {
        if (fits(&c->row[i], limits) && (best < 0 || is_better(&c->row[i], &c->row[best]))) {
            best = i;
        }
    }
    return best;
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

static const char *unit_of(const trGap *error) {
    double size = tr_gap_size(*error);
    return size == error->general ? "" : size == error->angle ? " rad" : " m";
}

static void add_constraints(const trCompareRow *row, bool held, char *sentence) {
    if (held) {
        add(sentence, "it holds positions to %.1e and velocities to %.1e", row->level[0].worst,
            row->level[1].worst);
    } else {
        add(sentence, "none holds positions and velocities to %.0e (this one: %.1e and %.1e)", HELD,
            row->level[0].worst, row->level[1].worst);
    }
}

static void add_error(const trCompare *c, const trCompareRow *row, const Limits *limits,
                      char *sentence) {
    bool least = error_of(row) * ALIKE <= limits->error * (1.0 + 1e-12);
    add(sentence, ", its error of %s%.1e%s", row->ranked_bound ? "at most " : "", error_of(row),
        unit_of(&row->ranked));
    if (c->times > 0 && c->ranked_until < c->time[c->times - 1]) {
        add(sentence, " up to t = %.4g s", c->ranked_until);
    }
    add(sentence, least ? " is the smallest" : " is within a factor of %g of the smallest", ALIKE);
}

static void describe(trCompare *c, const Limits *limits, int alike) {
    const trCompareRow *row = &c->row[c->recommended];
    add(c->sentence, "Take %s: ", row->method->name);
    add_constraints(row, limits->held, c->sentence);
    add_error(c, row, limits, c->sentence);
    if (alike > 1) {
        add(c->sentence, ", and of the %d that come so close it is the cheapest", alike);
    }
    add(c->sentence, " (%lld evaluations", (long long)row->evaluations);
    if (isfinite(row->ratio) && c->time_unit != NULL) {
        add(c->sentence, ", %.2f times the time of %s", row->ratio, c->time_unit);
    }
    add(c->sentence, ").");
}

void tr_compare_recommend(trCompare *c) {
    Limits limits = {.held = true, .error = INFINITY, .seconds = INFINITY};
    c->recommended = -1;
    c->sentence[0] = '\0';
    if (count_fitting(c, &limits) == 0) {
        limits.held = false;
    }
    if (count_fitting(c, &limits) == 0) {
        add(c->sentence,
            "No method can be recommended: none finished with an error that is known.");
        return;
    }
    limits.error = ALIKE * smallest(c, &limits, error_of);
    int alike = count_fitting(c, &limits);
    limits.seconds = NOISE * smallest(c, &limits, seconds_of);
    c->recommended = choose(c, &limits);
    describe(c, &limits, alike);
}
