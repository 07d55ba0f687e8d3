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
// row does not enter. That is weak where rows are far apart for the motion, and strong for what
// moves freely, which no equation sees.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify.h"

#define FACTOR 60.0  // a jump of p'' inside an interval makes r up to h^2 / 12 times as large
#define SMOOTH 6.0   // a number p'' altered in one row makes p1' - p0' - ... less than so much
#define NOISE 10.0
#define WORK 10.0
#define COARSE 0.02  // of the largest coordinate: what is explained by more is hardly known
#define HARDLY 10.0  // times as much may be off then, and with accelerations of a method's own
#define ROUNDING 1e-15
#define PART 0.3     // of the largest coordinate, which a step in a singular pose may be off by
#define EVEN 1e-9    // times that are equally far apart, relative
#define CHOSEN 0.05  // of the distance of rows: what is off by more may have been asked for
#define REACH 4      // rows to either side

#define LEAST_ROWS 6

trStatus tr_motion_plan(trVerifier *V) {
    const trSystem *s = V->system;
    int             dim = s->space->dim;
    V->smooth = s->bodies * (dim == 0 ? 1 : dim == 2 ? 3 : 7);
    V->tracks = V->smooth + s->states + 1;
    for (int i = 0; i < TR_VERIFY_WINDOW; i++) {
        V->window[i].p = tr_new_array(V->arena, double, V->tracks);
        V->window[i].dp = tr_new_array(V->arena, double, V->tracks);
        V->window[i].ddp = tr_new_array(V->arena, double, V->tracks);
    }
    return tr_arena_status(V->arena);
}

// --- what a row gives ---

// e' = w e / 2, e'' = alpha e / 2 - w.w e / 4, with w and alpha in world axes. Of e and -e the one
// nearer to the row before.
static void quaternion_tracks(const double *c, const double *before, trTracks *to, int at) {
    trQuat e = {c[3], c[4], c[5], c[6]};
    if (before != NULL &&
        e.w * before[0] + e.x * before[1] + e.y * before[2] + e.z * before[3] < 0) {
        e = (trQuat){-e.w, -e.x, -e.y, -e.z};
    }
    trQuat       w = {0.0, c[10], c[11], c[12]}, alpha = {0.0, c[16], c[17], c[18]};
    trQuat       d = tr_quat_mul(w, e), dd = tr_quat_mul(alpha, e);
    double       k = 0.25 * (w.x * w.x + w.y * w.y + w.z * w.z);
    const double p[4] = {e.w, e.x, e.y, e.z}, dp[4] = {d.w, d.x, d.y, d.z};
    const double ddp[4] = {dd.w, dd.x, dd.y, dd.z};
    for (int i = 0; i < 4; i++) {
        to->p[at + i] = p[i];
        to->dp[at + i] = 0.5 * dp[i];
        to->ddp[at + i] = 0.5 * ddp[i] - k * p[i];
    }
}

static void fill_tracks(const trVerifier *V, const trTracks *before, trTracks *to) {
    const trSystem *s = V->system;
    const double   *c = V->row + V->layout.body;
    int             dim = s->space->dim, per = dim == 0 ? 1 : dim == 2 ? 3 : 7;
    for (int i = 0; i < s->bodies; i++) {
        const double *own = dim == 0 ? c + i : c + V->layout.per_body * i;
        int           step = dim == 0 ? s->bodies : dim == 2 ? 3 : 0;
        for (int k = 0; dim != 3 && k < per; k++) {
            to->p[per * i + k] = own[k];
            to->dp[per * i + k] = own[step + k];
            to->ddp[per * i + k] = own[2 * step + k];
        }
        for (int k = 0; dim == 3 && k < 3; k++) {
            to->p[7 * i + k] = own[k];
            to->dp[7 * i + k] = own[7 + k];
            to->ddp[7 * i + k] = own[13 + k];
        }
        if (dim == 3) {
            quaternion_tracks(own, before == NULL ? NULL : before->p + 7 * i + 3, to, 7 * i + 3);
        }
    }
    for (int i = 0; i < s->states; i++) {
        to->p[V->smooth + i] = V->row[V->layout.state + i];
        to->dp[V->smooth + i] = V->eval.z_dot[i];
        to->ddp[V->smooth + i] = V->z_ddot[i];
    }
    to->p[V->tracks - 1] = V->row[V->layout.energy + 2];
    to->dp[V->tracks - 1] = V->power;
    to->energy = V->row[V->layout.energy] + V->row[V->layout.energy + 1] - to->p[V->tracks - 1];
    to->t = V->row[0];
    to->steady = V->z_steady;
}

// --- rests ---

// Row i of those in the window, from 0.
static const trTracks *at(const trVerifier *V, int i) {
    return &V->window[(V->first + i) % TR_VERIFY_WINDOW];
}

// Whether four rows from i on are equally far apart.
static bool is_even(const trVerifier *V, int i) {
    double h = at(V, i + 1)->t - at(V, i)->t, rest = 0.0;
    for (int j = 1; j < 3; j++) {
        rest = fmax(rest, fabs(at(V, i + j + 1)->t - at(V, i + j)->t - h));
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
    double              h = at(V, i + 1)->t - at(V, i)->t, sum = 0.0;
    int                 first = i - 1 < 0 ? 0 : i + 2 < V->filled ? i - 1 : V->filled - 4;
    if (!is_even(V, first)) {
        return 0.5 * h * (slope(at(V, i), rates, k) + slope(at(V, i + 1), rates, k));
    }
    for (int j = 0; j < 4; j++) {
        sum += weight[i - first][j] * slope(at(V, first + j), rates, k);
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
        sum += weight[order][j] * slope(at(V, i + j), rates, k);
    }
    return sum;
}

// The first of `count` rows around the interval after row i, inside the window.
static int around(const trVerifier *V, int i, int count) {
    int first = i + 1 - count / 2, last = V->filled - count;
    return first < 0 ? 0 : first > last ? last : first;
}

static double rest(const trVerifier *V, bool rates, int i, int k) {
    const trTracks *a = at(V, i), *b = at(V, i + 1);
    double          h = b->t - a->t, step = b->p[k] - a->p[k];
    int             first = around(V, i, 4);
    if (rates) {
        return step - integral(V, true, i, k);
    }
    step -= 0.5 * h * (a->dp[k] + b->dp[k]) + h * h / 12.0 * (a->ddp[k] - b->ddp[k]);
    return is_even(V, first) ? step - h * h / 720.0 * difference(V, false, 3, first, k) : step;
}

// Four rows around the interval after row i, from the first to the last. [s]
static double longest_of(const trVerifier *V, int i) {
    int first = around(V, i, 4);
    return at(V, first + 3)->t - at(V, first)->t;
}

// What the rest of smooth motion is about after row i.
static double estimate(const trVerifier *V, bool rates, int i, int k) {
    bool   border = i < 2 || i + 4 > V->filled;
    double h = at(V, i + 1)->t - at(V, i)->t, unit = rates ? 19.0 * h / 720.0 : h * h / 720.0;
    int    order = rates || border ? 4 : 5, first = around(V, i, 4);
    if (!is_even(V, first)) {
        double longest = longest_of(V, i);
        unit = rates ? longest / 12.0 : longest * longest / 720.0;
        order = rates ? 2 : 3;
    }
    return unit * fabs(difference(V, rates, order, around(V, i, order + 1), k));
}

// What a jump of the rate between rows i and i + 1 may add to the rest. Velocities jump only where
// they change by more than smooth accelerations would: in an impact, or close to a singular pose.
static double jump(const trVerifier *V, int i, int k) {
    const trTracks *a = at(V, i), *b = at(V, i + 1);
    double          h = b->t - a->t, off = fabs(b->dp[k] - a->dp[k] - integral(V, false, i, k));
    bool            even = is_even(V, around(V, i, 4));
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

// What rounding and the integration of the run leave of track k.
static double left_by_run(const trVerifier *V, const trTracks *own, int k) {
    bool   state = k >= V->smooth && k < V->tracks - 1;
    double scale = k < V->smooth ? V->scale.q : state ? 0.0 : V->scale.energy;
    return ROUNDING * fabs(own->t * own->dp[k]) + V->accuracy * (PART * scale + fabs(own->p[k])) +
           V->absolute;
}

typedef struct Deviation {
    double off, explained;
} Deviation;

// By how much track k of row i is off, and how much of that is explained.
static Deviation deviation(const trVerifier *V, bool rates, int i, int k) {
    Pair   here = pair_at(V, rates, i, k), noise = {0.0, 0.0};
    double expected = 0.0, jumped = 0.0, rounding = left_by_run(V, at(V, i), k);
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
    if (i < 2 || i > V->filled - 3) {  // from one side alone
        noise = (Pair){4.0 * noise.s, 4.0 * noise.u};
        expected *= 4.0;
    }
    double base = FACTOR * expected + jumped + rounding;
    double s = fabs(here.s) / (base + NOISE * noise.s);
    double u = fabs(here.u) / (base + NOISE * noise.u);
    bool   value = !(u > s);
    double explained = base + NOISE * (value ? noise.s : noise.u);
    bool   hardly = V->loose || (k < V->smooth && explained > COARSE * V->scale.q);
    return (Deviation){.off = fabs(value ? here.s : here.u),
                       .explained = hardly ? HARDLY * explained : explained};
}

// Whether z'' is known in all rows of the window.
static bool are_steady(const trVerifier *V) {
    bool steady = true;
    for (int i = 0; i < V->filled; i++) {
        steady = steady && at(V, i)->steady;
    }
    return steady;
}

// A stop that is hit between rows does work that the power at rows does not tell of; then T + V
// changes with W. A number W that was altered makes T + V - W as wrong as itself.
static Deviation see_work(const trVerifier *V, int i) {
    Deviation seen = deviation(V, true, i, V->tracks - 1);
    double    most = 0.0;
    for (int j = i - 1; j <= i; j++) {
        bool known = j >= 0 && j + 1 < V->filled;
        most = fmax(most, known ? fabs(at(V, j + 1)->energy - at(V, j)->energy) : 0.0);
    }
    seen.off = most < 0.5 * seen.off ? 0.0 : seen.off;
    return seen;
}

// By the rule that fits the track; of two the one that sees more.
static Deviation see_track(const trVerifier *V, int i, int k) {
    if (k == V->tracks - 1) {
        return see_work(V, i);
    }
    if (k < V->smooth || !are_steady(V)) {
        return deviation(V, k >= V->smooth, i, k);
    }
    Deviation coarse = deviation(V, true, i, k), fine = deviation(V, false, i, k);
    return fine.off * coarse.explained > coarse.off * fine.explained ? fine : coarse;
}

// --- judging ---

static const char *name_of(const trVerifier *V, int k, const char **unit) {
    const trSystem *s = V->system;
    int             dim = s->space->dim, column;
    if (k == V->tracks - 1) {
        column = V->layout.energy + 2;
    } else if (k >= V->smooth) {
        column = V->layout.state + k - V->smooth;
    } else {
        int per = dim == 0 ? 1 : dim == 2 ? 3 : 7;
        column = V->layout.body + (dim == 0 ? k : k / per * V->layout.per_body + k % per);
    }
    *unit = tr_result_column(V->result, column)->unit;
    return tr_result_column(V->result, column)->name;
}

// The last interval may be shorter than the others, never longer.
static void see_last_time(trVerifier *V) {
    int n = V->filled;
    if (!is_even(V, n - 5)) {
        return;
    }
    double h = at(V, n - 2)->t - at(V, n - 3)->t, off = at(V, n - 1)->t - at(V, n - 2)->t - h;
    tr_see(V, TR_VERIFY_MOTION,
           (trDeviation){.off = off > 0.0 && off < CHOSEN * h ? off : 0.0,
                         .size = EVEN * h + ROUNDING * fabs(at(V, n - 1)->t),
                         .unit = "s",
                         .role = "column",
                         .name = "t",
                         .detail = "is farther from the row before than others are"});
}

// A time beside the middle of its neighbors, which are as far apart as rows before or after them.
static void see_spacing(trVerifier *V, int i) {
    int  n = V->filled;
    bool before = i >= 2, after = i + 2 < n;
    if (i < 1 || i + 1 >= n || !(before || after)) {
        return;
    }
    double wide = at(V, i + 1)->t - at(V, i - 1)->t, t = at(V, i)->t;
    double h = before ? at(V, i - 1)->t - at(V, i - 2)->t : at(V, i + 2)->t - at(V, i + 1)->t;
    double off = t - 0.5 * (at(V, i + 1)->t + at(V, i - 1)->t);
    if (fabs(wide - 2.0 * h) > EVEN * h || fabs(off) > CHOSEN * h) {
        return;
    }
    tr_see(V, TR_VERIFY_MOTION,
           (trDeviation){.off = off,
                         .size = EVEN * h + ROUNDING * fabs(t),
                         .unit = "s",
                         .role = "column",
                         .name = "t",
                         .detail = "is not in the middle between its neighbors"});
}

// Where a run failed, loads may grow without bound within one row, and power with them.
static bool is_failing(const trVerifier *V, long row) {
    return row + REACH + 1 >= V->out->rows &&
           strncmp(V->out->outcome, "failed", strlen("failed")) == 0;
}

static void judge_row(trVerifier *V, int i) {
    long row = V->first_row + i;
    if (!V->planned.known) {
        see_spacing(V, i);
        if (i == V->filled - 1) {
            see_last_time(V);
        }
    }
    for (int k = 0; k < V->tracks; k++) {
        trVerifyKind kind = k < V->tracks - 1 ? TR_VERIFY_MOTION : TR_VERIFY_WORK;
        Deviation    seen = see_track(V, i, k);
        // The balance of energy sees this column far better.
        bool        work = kind == TR_VERIFY_WORK;
        trDeviation d = {.off = work && is_failing(V, row) ? 0.0 : seen.off,
                         .size = (work ? WORK : 1.0) * seen.explained,
                         .role = "column"};
        d.name = name_of(V, k, &d.unit);
        d.detail = kind == TR_VERIFY_WORK
                       ? "does not continue with the power of the rows around it"
                       : "does not continue with its rates and the times around it";
        tr_see(V, kind, d);
    }
    tr_seen_row_at(V, TR_VERIFY_MOTION, row, at(V, i)->t);
    tr_seen_row_at(V, TR_VERIFY_WORK, row, at(V, i)->t);
}

// Rows that have not been judged yet: nothing comes after them.
void tr_motion_end(trVerifier *V) {
    for (int i = V->judged; V->filled >= LEAST_ROWS && i < V->filled; i++) {
        judge_row(V, i);
    }
    V->filled = V->judged = V->first = 0;
}

void tr_motion_row(trVerifier *V, bool usable) {
    if (!usable) {
        tr_motion_end(V);
        return;
    }
    if (V->filled == TR_VERIFY_WINDOW) {
        V->first = (V->first + 1) % TR_VERIFY_WINDOW;
        V->first_row++;
        V->filled--;
        V->judged--;
    }
    if (V->filled == 0) {
        V->first_row = V->index;
    }
    const trTracks *before = V->filled > 0 ? at(V, V->filled - 1) : NULL;
    V->filled++;
    fill_tracks(V, before, &V->window[(V->first + V->filled - 1) % TR_VERIFY_WINDOW]);
    for (; V->judged + REACH < V->filled; V->judged++) {
        judge_row(V, V->judged);
    }
}
