// SPDX-License-Identifier: MIT
// Between rows: positions follow from velocities and accelerations, W and further states from their
// rates. With h from row to row, the rest of Hermite's quadrature, of order h^7, and that of rates
// alone, of order h^5, are
//
//     r = p1 - p0 - h (p0' + p1') / 2 - h^2 (p0'' - p1'') / 12 - h^2 D3 p'' / 720
//     r = p1 - p0 - h (-p-1' + 13 p0' + 13 p1' - p2') / 24
//
// W has the second alone, positions the first alone. Further states have both, and either may find
// something: z'' is a difference of g along the motion (state.c), and g, unlike a velocity, may
// jump between rows. The first rule then explains as much as z' and z'' disagree by, h times twice
// the second rest of z', which is the whole jump. Velocities do so where a stop is hit.
//
// A number p altered at one row makes two rests of opposite sign, a rate two of the same sign:
//
//     s = (r_before - r_after) / 2        u = (r_before + r_after) / 2
//
// What is explained follows from the rows themselves: FACTOR times the next difference, which
// estimates the rest, and NOISE times s and u of rows two and three away, which a number of this
// row does not enter. Inside a step of the run rows are interpolated, and velocities are the rates
// of positions as closely as that is: r = h (p' - v) is smooth up to the end of the step and begins
// anew there. Then s of one row is half of r, while around it s is the change of r from row to row;
// so ENDS times u of rows two and three away is explained of s, too. In the first and last row of a
// file both are r. That is weak where rows are far apart for the motion, and strong for what
// moves freely, which no equation sees.

#include <math.h>
#include <stdlib.h>

#include "verify/verify.h"

#define FACTOR 60.0  // a jump of p'' inside an interval makes r up to h^2 / 12 times as large
#define SMOOTH 6.0   // a number p'' altered in one row makes p1' - p0' - ... less than so much
#define NOISE 10.0
#define ENDS 4.0  // half of r, which grows as a cube, 8 times within the last 3 of 6 rows of a step
#define COARSE 0.02  // of the largest coordinate: what is explained by more is hardly known
#define HARDLY 10.0  // times as much may be off then, and with accelerations of a method's own
#define ROUNDING 1e-15
#define PART 0.3   // of the largest coordinate, which a step in a singular pose may be off by
#define EVEN 1e-9  // times that are equally far apart, relative

// Row i of those in the window, from 0.
const trTracks *tr_tracks_at(const trVerifier *V, int i) {
    return &V->window[(V->first + i) % TR_VERIFY_WINDOW];
}

// Whether four rows from i on are equally far apart.
bool tr_tracks_are_even(const trVerifier *V, int i) {
    double h = tr_tracks_at(V, i + 1)->t - tr_tracks_at(V, i)->t, rest = 0.0;
    for (int j = 1; j < 3; j++) {
        rest = fmax(rest, fabs(tr_tracks_at(V, i + j + 1)->t - tr_tracks_at(V, i + j)->t - h));
    }
    return rest <= EVEN * h;
}

static double slope(const trTracks *row, bool rates, int k) {
    return rates ? row->dp[k] : row->ddp[k];
}

// The integral of p', or of p'', from row i to the next by four rows around them; by two where
// these are not equally far apart.
static double integral(const trVerifier *V, bool rates, int i, int k) {
    static const double weight[3][4] = {{9, 19, -5, 1}, {-1, 13, 13, -1}, {1, -5, 19, 9}};
    double              h = tr_tracks_at(V, i + 1)->t - tr_tracks_at(V, i)->t, sum = 0.0;
    int                 place = i < 1 ? 0 : i + 2 < V->filled ? 1 : 2;  // among the four
    int                 first = i - place;
    if (!tr_tracks_are_even(V, first)) {
        return 0.5 * h *
               (slope(tr_tracks_at(V, i), rates, k) + slope(tr_tracks_at(V, i + 1), rates, k));
    }
    for (int j = 0; j < 4; j++) {
        sum += weight[place][j] * slope(tr_tracks_at(V, first + j), rates, k);
    }
    return h / 24.0 * sum;
}

// Differences of accelerations, or of rates, over the rows from i on; `order` of them are at
// most 5.
static double difference(const trVerifier *V, bool rates, int order, int i, int k) {
    static const double weight[6][6] = {
        {1}, {-1, 1}, {1, -2, 1}, {-1, 3, -3, 1}, {1, -4, 6, -4, 1}, {-1, 5, -10, 10, -5, 1}};
    double sum = 0.0;
    for (int j = 0; j <= order; j++) {
        sum += weight[order][j] * slope(tr_tracks_at(V, i + j), rates, k);
    }
    return sum;
}

// The first of `count` rows around the interval after row i, inside the window.
static int around(const trVerifier *V, int i, int count) {
    int first = i + 1 - count / 2, last = V->filled - count;
    return first < 0 ? 0 : first > last ? last : first;
}

static double rest(const trVerifier *V, bool rates, int i, int k) {
    const trTracks *a = tr_tracks_at(V, i), *b = tr_tracks_at(V, i + 1);
    double          h = b->t - a->t, step = b->p[k] - a->p[k];
    int             first = around(V, i, 4);
    if (rates) {
        return step - integral(V, true, i, k);
    }
    step -= 0.5 * h * (a->dp[k] + b->dp[k]) + h * h / 12.0 * (a->ddp[k] - b->ddp[k]);
    return tr_tracks_are_even(V, first) ? step - h * h / 720.0 * difference(V, false, 3, first, k)
                                        : step;
}

// Four rows around the interval after row i, from the first to the last. [s]
static double longest_of(const trVerifier *V, int i) {
    int first = around(V, i, 4);
    return tr_tracks_at(V, first + 3)->t - tr_tracks_at(V, first)->t;
}

// What the rest of smooth motion is about after row i.
static double estimate(const trVerifier *V, bool rates, int i, int k) {
    bool   border = i < 2 || i + 4 > V->filled;
    double h = tr_tracks_at(V, i + 1)->t - tr_tracks_at(V, i)->t,
           unit = rates ? 19.0 * h / 720.0 : h * h / 720.0;
    int order = rates || border ? 4 : 5, first = around(V, i, 4);
    if (!tr_tracks_are_even(V, first)) {
        double longest = longest_of(V, i);
        unit = rates ? longest / 12.0 : longest * longest / 720.0;
        order = rates ? 2 : 3;
    }
    return unit * fabs(difference(V, rates, order, around(V, i, order + 1), k));
}

// What a jump of the rate between rows i and i + 1 may add to the rest. Velocities jump only where
// they change by more than smooth accelerations would: in an impact, or close to a singular pose.
static double jump(const trVerifier *V, int i, int k) {
    const trTracks *a = tr_tracks_at(V, i), *b = tr_tracks_at(V, i + 1);
    double          h = b->t - a->t, off = fabs(b->dp[k] - a->dp[k] - integral(V, false, i, k));
    bool            even = tr_tracks_are_even(V, around(V, i, 4));
    int             order = even ? 4 : 2;
    double          unit = even ? 19.0 / 720.0 * h : longest_of(V, i) / 12.0;
    double smooth = SMOOTH * unit * fabs(difference(V, false, order, around(V, i, order + 1), k));
    return k < V->smooth && !(off > smooth) ? 0.0 : 2.0 * h * off;
}

typedef struct Pair {
    double s, u;
} Pair;

static Pair pair_at(const trVerifier *V, bool rates, int i, int k) {
    if (i == 0 || i == V->filled - 1) {
        double r = rest(V, rates, i == 0 ? 0 : i - 1, k);
        return (Pair){r, r};
    }
    double before = rest(V, rates, i - 1, k), after = rest(V, rates, i, k);
    return (Pair){0.5 * (before - after), 0.5 * (before + after)};
}

// What rounding and the integration of the run leave of track k. Further states have no scale but
// themselves, and begin at zero: those below atol are kept to a part of it, whatever they are.
static double left_by_run(const trVerifier *V, const trTracks *own, int k) {
    bool   state = k >= V->smooth && k < V->tracks - 1;
    double scale = k < V->smooth ? V->scale.q : state ? 0.0 : V->scale.energy;
    return ROUNDING * fabs(own->t * own->dp[k]) + V->accuracy * (PART * scale + fabs(own->p[k])) +
           (state ? V->kept : V->absolute);
}

// Near a singular pose stages of fixed steps are put on the constraints, so that errors of a step
// are not what they are in the rows around it.
static bool is_near_pose(const trVerifier *V, int i) {
    bool near = false;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < V->filled; j++) {
        near = near || !tr_tracks_at(V, j)->regular;
    }
    return near;
}

// By how much track k of row i is off, and how much of that is explained.
static trRest deviation(const trVerifier *V, bool rates, int i, int k) {
    Pair   here = pair_at(V, rates, i, k), noise = {0.0, 0.0};
    double expected = 0.0, jumped = 0.0, rounding = left_by_run(V, tr_tracks_at(V, i), k);
    for (int far = -3; far <= 3; far++) {
        if (abs(far) >= 2 && i + far >= 0 && i + far < V->filled) {
            Pair there = pair_at(V, rates, i + far, k);
            noise.s = fmax(noise.s, fabs(there.s));
            noise.u = fmax(noise.u, fabs(there.u));
        }
    }
    for (int j = i - 2; j <= i + 1; j++) {
        if (j >= 0 && j + 1 < V->filled) {
            expected = fmax(expected, estimate(V, rates, j, k));
            jumped = fmax(jumped, rates ? 0.0 : jump(V, j, k));
        }
    }
    bool border = i == 0 || i == V->filled - 1;  // s and u are the one rest itself
    if (i < 2 || i > V->filled - 3) {            // from one side alone
        noise = (Pair){4.0 * noise.s, 4.0 * noise.u};
        expected *= 4.0;
    }
    double base = FACTOR * expected + jumped + rounding;
    noise.s = fmax(noise.s, border ? noise.u : ENDS / NOISE * noise.u);
    double s = fabs(here.s) / (base + NOISE * noise.s);
    double u = fabs(here.u) / (base + NOISE * noise.u);
    bool   value = !(u > s);
    double explained = base + NOISE * (value ? noise.s : noise.u);
    bool   hardly =
        V->loose || is_near_pose(V, i) || (k < V->smooth && explained > COARSE * V->scale.q);
    return (trRest){.off = fabs(value ? here.s : here.u),
                    .explained = hardly ? HARDLY * explained : explained};
}

// Whether z'' is known in all rows of the window.
static bool are_steady(const trVerifier *V) {
    bool steady = true;
    for (int i = 0; i < V->filled; i++) {
        steady = steady && tr_tracks_at(V, i)->steady;
    }
    return steady;
}

// A stop that is hit between rows does work that the power at rows does not tell of; then T + V
// changes with W. A number W that was altered makes T + V - W as wrong as itself.
static trRest see_work(const trVerifier *V, int i) {
    trRest seen = deviation(V, true, i, V->tracks - 1);
    double most = 0.0;
    for (int j = i - 1; j <= i; j++) {
        bool known = j >= 0 && j + 1 < V->filled;
        most = fmax(most, known ? fabs(tr_tracks_at(V, j + 1)->energy - tr_tracks_at(V, j)->energy)
                                : 0.0);
    }
    seen.off = most < 0.5 * seen.off ? 0.0 : seen.off;
    return seen;
}

// By the rule that fits the track; of two the one that sees more.
trRest tr_track_rest(const trVerifier *V, int i, int k) {
    if (k == V->tracks - 1) {
        return see_work(V, i);
    }
    if (k < V->smooth || !are_steady(V)) {
        return deviation(V, k >= V->smooth, i, k);
    }
    trRest coarse = deviation(V, true, i, k), fine = deviation(V, false, i, k);
    return fine.off * coarse.explained > coarse.off * fine.explained ? fine : coarse;
}
