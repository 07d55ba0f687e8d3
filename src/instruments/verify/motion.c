// SPDX-License-Identifier: MIT
// Between rows: positions follow from velocities and accelerations, W and further states from their
// rates. A window of rows is kept; what a row leaves open between its neighbors, and how much of
// that is explained, is found in rests.c.

#include <math.h>
#include <string.h>

#include "verify/verify.h"

#define WORK 10.0
#define ROUNDING 1e-15
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
    to->regular = V->regular;
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
    if (!tr_tracks_are_even(V, n - 5)) {
        return;
    }
    double h = tr_tracks_at(V, n - 2)->t - tr_tracks_at(V, n - 3)->t,
           off = tr_tracks_at(V, n - 1)->t - tr_tracks_at(V, n - 2)->t - h;
    tr_see(V, TR_VERIFY_MOTION,
           (trDeviation){.off = off > 0.0 && off < CHOSEN * h ? off : 0.0,
                         .size = EVEN * h + ROUNDING * fabs(tr_tracks_at(V, n - 1)->t),
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
    double wide = tr_tracks_at(V, i + 1)->t - tr_tracks_at(V, i - 1)->t, t = tr_tracks_at(V, i)->t;
    double h = before ? tr_tracks_at(V, i - 1)->t - tr_tracks_at(V, i - 2)->t
                      : tr_tracks_at(V, i + 2)->t - tr_tracks_at(V, i + 1)->t;
    double off = t - 0.5 * (tr_tracks_at(V, i + 1)->t + tr_tracks_at(V, i - 1)->t);
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
        trRest       seen = tr_track_rest(V, i, k);
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
    tr_seen_row_at(V, TR_VERIFY_MOTION, row, tr_tracks_at(V, i)->t);
    tr_seen_row_at(V, TR_VERIFY_WORK, row, tr_tracks_at(V, i)->t);
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
    const trTracks *before = V->filled > 0 ? tr_tracks_at(V, V->filled - 1) : NULL;
    V->filled++;
    fill_tracks(V, before, &V->window[(V->first + V->filled - 1) % TR_VERIFY_WINDOW]);
    for (; V->judged + REACH < V->filled; V->judged++) {
        judge_row(V, V->judged);
    }
}
