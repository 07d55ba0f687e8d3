// SPDX-License-Identifier: MIT
// Between rows: velocities follow from accelerations, positions from velocities, extra states and W
// from their rates. Each is a *track* p with a rate p'. From row 1 to row 2, h later, and with the
// cubic through p' in rows 0 to 3, x0 = t0 - t1,
//
//     r = p2 - p1 - (c0 h + c1 h^2 / 2 - c2 h^3 / 6 - c3 (h^4 / 12 - x0 h^3 / 6))
//
// where c are divided differences of p' over rows 1, 2, 0, 3. The last term is what a parabola
// would have missed, and so more than what the cubic misses: the *estimate*. A jump J of p' inside
// the interval makes r up to h J / 2, and the estimate h J / 12. Explained are
//
//     FACTOR * estimate   of the interval and of those beside it
//     NOISE * the fifth largest |r| of the 13 intervals around: one altered row makes four at most
//     the tolerances of the run, atol + rtol |p|
//
// so that rows that are far apart for the motion raise no alarm, nor do rows inside long steps,
// where velocities are the rates of positions only as closely as is interpolated. An impact between
// two rows is not seen in the rates of either. So where more is left than that, the equations
// of motion are integrated from row 1 to row 2 (again.c), and what is left then decides. The same
// is done where rows are too far apart to tell. What is explained must not add up over the file.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "sim/column_list.h"
#include "verify/verify.h"

#define FACTOR 20.0
#define NOISE 30.0
#define BORDER 5.0      // times the estimate in the first and last two intervals: it is one-sided
#define LEFT 0.1        // of what was not explained may be left by an integration
#define COARSE 1e-2     // of p: rows that explain more are too far apart to tell
#define MOST_COARSE 50  // intervals that are integrated for that alone
#define PART 1e-3       // of all changes of p
#define SIDE 6          // intervals to either side
#define RANK 4          // how many of them may be as bad
#define KEPT 32         // rows in memory
#define LEAST_ROWS 6

struct trTracks {
    int       count;
    int      *column;         // tracks: of p
    int      *group;          // tracks: the first with the same unit, extra states alone
    double   *p, *rate;       // KEPT x tracks
    double   *rest;           // KEPT x tracks: |r| from this row to the next
    double   *estimate;       // KEPT x tracks
    double   *scale;          // KEPT x tracks: of each group the largest p
    int      *level;          // tracks: 0 positions, 1 velocities
    double    most[KEPT][2];  // of each level the largest p
    trMoment *moment;         // KEPT
    double   *sum, *room;     // tracks: of r and of what may add up, over all rows
    double   *path;           // tracks: of |p2 - p1|
    double   *landed;         // tracks: p by integration
    long      first, end;     // rows that follow each other
    long      judged;         // intervals before that one
    int       coarse;         // intervals that were too far apart to tell
};

static double *at(const trTracks *T, double *array, long row) {
    return array + (row % KEPT) * T->count;
}

static int tracks_of_body(const trVerifier *V) {
    return V->dim == 0 ? 2 : V->dim == 2 ? 6 : 13;
}

static void group_tracks(const trVerifier *V, int *group) {
    const trTracks *T = V->tracks;
    for (int i = 0; i < T->count; i++) {
        const char *unit = tr_result_column(V->result, T->column[i])->unit;
        group[i] = i;
        for (int k = 0; k < i && i < T->count - 1 - V->nz && group[i] == i; k++) {
            bool same = strcmp(tr_result_column(V->result, T->column[k])->unit, unit) == 0;
            group[i] = same ? k : i;
        }
    }
}

trStatus tr_between_plan(trVerifier *V) {
    trTracks *T = V->tracks = tr_new(V->arena, trTracks);
    TR_TRY(tr_arena_status(V->arena));
    int per = tracks_of_body(V), bodies = V->bodies;
    T->count = per * bodies + V->nz + 1;
    T->column = tr_new_array(V->arena, int, T->count);
    T->group = tr_new_array(V->arena, int, T->count);
    T->level = tr_new_array(V->arena, int, T->count);
    double **of_tracks[] = {&T->landed, &T->sum, &T->room, &T->path};
    for (int i = 0; i < 4; i++) {
        *of_tracks[i] = tr_new_array(V->arena, double, T->count);
    }
    T->moment = tr_new_array(V->arena, trMoment, KEPT);
    double **arrays[] = {&T->p, &T->rate, &T->rest, &T->estimate, &T->scale};
    for (int i = 0; i < 5; i++) {
        *arrays[i] = tr_new_array(V->arena, double, (ptrdiff_t)KEPT * T->count);
    }
    TR_TRY(tr_arena_status(V->arena));
    for (int i = 0; i < KEPT; i++) {
        TR_TRY(tr_moment_plan(V, &T->moment[i]));
    }
    for (int i = 0; i < per * bodies; i++) {
        int body = i / per, k = i % per;
        T->level[i] = k >= (V->dim == 3 ? 7 : per / 2);
        T->column[i] =
            V->layout.body + (V->dim == 0 ? body + k * bodies : V->layout.per_body * body + k);
    }
    for (int i = 0; i < V->nz; i++) {
        T->column[per * bodies + i] = V->layout.state + i;
    }
    T->column[T->count - 1] = V->layout.energy + 2;
    group_tracks(V, T->group);
    return tr_again_plan(V);
}

// --- what a row gives ---

// e' = w e / 2 with w in world axes. Of e and -e the one nearer to the row before.
static void put_quaternion(const double *c, const double *before, double *p, double *rate) {
    trQuat e = {c[3], c[4], c[5], c[6]};
    if (before != NULL &&
        e.w * before[0] + e.x * before[1] + e.y * before[2] + e.z * before[3] < 0.0) {
        e = (trQuat){-e.w, -e.x, -e.y, -e.z};
    }
    trQuat       d = tr_quat_mul((trQuat){0.0, c[10], c[11], c[12]}, e);
    const double now[4] = {e.w, e.x, e.y, e.z}, then[4] = {d.w, d.x, d.y, d.z};
    for (int k = 0; k < 4; k++) {
        p[k] = now[k];
        rate[k] = 0.5 * then[k];
    }
}

// Velocities stand three columns behind positions, angular ones six behind places and so on.
static void put_body(const trVerifier *V, int i, const double *before, double *p, double *rate) {
    int           per = tracks_of_body(V), first = per * i;
    const double *c = V->row + V->tracks->column[first];
    for (int k = 0; k < per; k++) {
        rate[first + k] = V->dim == 0   ? c[(k + 1) * V->bodies]
                          : V->dim == 2 ? c[k + 3]
                          : k < 3       ? c[k + 7]
                                        : c[k + 6];
    }
    if (V->dim == 3) {
        put_quaternion(c, before == NULL ? NULL : before + first + 3, p + first + 3,
                       rate + first + 3);
    }
}

static void put_row(trVerifier *V) {
    trTracks     *T = V->tracks;
    const double *energy = V->row + V->layout.energy, *z_rate = tr_eval_z_rate(V->eval);
    double       *p = at(T, T->p, V->index), *rate = at(T, T->rate, V->index);
    double       *scale = at(T, T->scale, V->index);
    tr_moment_copy(V, &V->now, &T->moment[V->index % KEPT]);
    for (int i = 0; i < T->count; i++) {
        p[i] = V->row[T->column[i]];
    }
    for (int i = 0; i < V->bodies; i++) {
        put_body(V, i, V->index > T->first ? at(T, T->p, V->index - 1) : NULL, p, rate);
    }
    for (int i = 0; i < V->nz; i++) {
        rate[T->count - 1 - V->nz + i] = z_rate[i];
    }
    rate[T->count - 1] = V->power;
    memset(scale, 0, (size_t)T->count * sizeof *scale);
    double *most = T->most[V->index % KEPT];
    most[0] = most[1] = 0.0;
    for (int i = 0; i < T->count; i++) {
        scale[T->group[i]] = fmax(scale[T->group[i]], fabs(p[i]));
        bool body = i < T->count - 1 - V->nz;
        most[T->level[i]] = body ? fmax(most[T->level[i]], fabs(p[i])) : most[T->level[i]];
    }
    most[1] = fmax(most[1], most[0] / (V->noted.last - V->noted.start));  // a slow motion
    scale[T->count - 1] += fabs(energy[0]) + fabs(energy[1]);
}

// --- intervals ---

// r from `row` to the next, by the cubic through the rates of these and two more rows.
static double rest(const trTracks *T, long row, int k, double *estimate) {
    long   left = row > T->first ? row - 1 : row + 2, right = row + 2 < T->end ? row + 2 : row - 1;
    double x[4], f[4];
    left = left != right ? left : row > T->first ? row - 2 : row + 3;
    const long node[4] = {row, row + 1, left, right};
    for (int i = 0; i < 4; i++) {
        x[i] = T->moment[node[i] % KEPT].t - T->moment[row % KEPT].t;
        f[i] = at(T, T->rate, node[i])[k];
    }
    for (int order = 1; order < 4; order++) {
        for (int i = 3; i >= order; i--) {
            f[i] = (f[i] - f[i - 1]) / (x[i] - x[i - order]);
        }
    }
    double h = x[1], last = f[3] * (h * h * h * h / 12.0 - x[2] * h * h * h / 6.0);
    double integral = h * (f[0] + h * (f[1] / 2.0 - h * f[2] / 6.0)) - last;
    *estimate = fabs(last);
    return at(T, T->p, row + 1)[k] - at(T, T->p, row)[k] - integral;
}

static void find_rests(trTracks *T, long row) {
    double *r = at(T, T->rest, row), *e = at(T, T->estimate, row);
    for (int k = 0; k < T->count; k++) {
        r[k] = rest(T, row, k, &e[k]);
    }
}

static int largest_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

// What is left of track k from `row` to the next, what is explained of it, and the largest of all
// positions or velocities: obstacles matter beside that.
typedef struct Rest {
    double off, allowed, estimate, most;
} Rest;

static Rest rest_of(const trVerifier *V, long row, int k) {
    const trTracks *T = V->tracks;
    double          around[2 * SIDE + 1], estimate = 0.0;
    int             count = 0, group = T->group[k];
    Rest            r = {.off = fabs(at(T, T->rest, row)[k])};
    for (long i = row - SIDE; i <= row + SIDE; i++) {
        if (i >= T->first && i + 1 < T->end) {
            around[count++] = fabs(at(T, T->rest, i)[k]);
            estimate = labs(i - row) <= 1 ? fmax(estimate, at(T, T->estimate, i)[k]) : estimate;
        }
    }
    qsort(around, (size_t)count, sizeof *around, largest_first);
    estimate *= row < T->first + 2 || row + 3 >= T->end ? BORDER : 1.0;
    double most = fmax(at(T, T->scale, row)[group], at(T, T->scale, row + 1)[group]);
    r.most = fmax(T->most[row % KEPT][T->level[k]], T->most[(row + 1) % KEPT][T->level[k]]);
    r.most = k < T->count - 1 - V->nz ? V->noted.reserve * r.most : INFINITY;
    r.estimate = FACTOR * estimate;
    r.allowed = r.estimate + (count > RANK ? NOISE * around[RANK] : 0.0);
    r.allowed += V->noted.atol + (V->noted.rtol + TR_VERIFY_TOLERANCE) * most;
    r.allowed *= V->noted.reserve;
    return r;
}

// Rows are too far apart to tell.
static bool is_coarse(Rest r) {
    return r.allowed > COARSE * r.most && r.off > LEFT * COARSE * r.most;
}

// --- the verdict ---

// The same orientation by the other quaternion.
static trBodyState turned_around(trBodyState s) {
    for (int k = 0; k < 4; k++) {
        s.quaternion[k] = -s.quaternion[k];
    }
    return s;
}

// Of the motion that was integrated from `row` to the next, in the columns of tracks.
static void put_landed(const trVerifier *V, long row, const trMoment *end, double work) {
    const trTracks *T = V->tracks;
    const double   *p1 = at(T, T->p, row + 1);
    int             per = tracks_of_body(V);
    for (int i = 0; i < V->bodies; i++) {
        double *to = T->landed + per * i;
        if (V->dim == 0) {
            to[0] = end->q[i];
            to[1] = end->v[i];
            continue;
        }
        double      all[19];
        trBodyState s = tr_system_body_state(V->system, i, end->q, end->v);
        if (tr_dot(4, s.quaternion, p1 + per * i + 3) < 0.0 && V->dim == 3) {
            s = turned_around(s);
        }
        tr_columns_fill_frame(V->dim, &s, &(trAcceleration){0}, all);
        tr_copy(per, all, to);
    }
    memcpy(T->landed + per * V->bodies, end->z, (size_t)V->nz * sizeof *end->z);
    T->landed[T->count - 1] = at(T, T->p, row)[T->count - 1] + work;
}

// With what an integration has left of it.
static Rest decide(const trVerifier *V, long row, int k, Rest r) {
    const trTracks *T = V->tracks;
    double          p0 = at(T, T->p, row)[k], p1 = at(T, T->p, row + 1)[k], p = T->landed[k];
    if (r.off <= r.allowed && is_coarse(r)) {
        double change = fmax(fabs(p1 - p0), fabs(p - p0));
        r.allowed = COARSE * r.most + LEFT * V->noted.reserve * change;
        r.off = fabs(p1 - p);
        return r;
    }
    r.off = fabs(p1 - p) > r.allowed + LEFT * r.off ? r.off : 0.0;
    return r;
}

static void see_track(trVerifier *V, long row, int k, Rest r) {
    const trTracks *T = V->tracks;
    const trColumn *column = tr_result_column(V->result, T->column[k]);
    double          p0 = at(T, T->p, row)[k];
    trDeviation     d = {.off = r.off, .allowed = r.allowed, .unit = column->unit};
    d.role = "column";
    d.name = column->name;
    if (r.off > r.allowed) {
        d.detail = tr_arena_format(
            V->arena, "changes by %.3g %s since t = %.9g s; integrated from there, by %.3g %s",
            at(T, T->p, row + 1)[k] - p0, column->unit, T->moment[row % KEPT].t, T->landed[k] - p0,
            column->unit);
    }
    tr_see(V, k == T->count - 1 ? TR_VERIFY_WORK : TR_VERIFY_MOTION, d);
}

static void judge(trVerifier *V, long row) {
    trTracks       *T = V->tracks;
    const trMoment *from = &T->moment[row % KEPT], *to = &T->moment[(row + 1) % KEPT];
    const trMoment *end = NULL;
    bool            open = false, coarse = false, known = !V->pole || row + 2 < T->end;
    double          work = 0.0;
    for (int k = 0; k < T->count; k++) {
        Rest r = rest_of(V, row, k);
        open = open || r.off > r.allowed;
        coarse = coarse || is_coarse(r);
    }
    tr_again_reach(V, row == T->first ? NULL : &T->moment[(row - 1) % KEPT], from);
    if (open || (coarse && T->coarse++ < MOST_COARSE)) {
        end = tr_again(V, from, to->t, &work);
    }
    V->unknown += open && end == NULL;
    if (end != NULL) {
        put_landed(V, row, end, work);
    }
    for (int k = 0; k < T->count && known && (end != NULL || !open); k++) {
        Rest r = rest_of(V, row, k);
        bool second = end != NULL && (r.off > r.allowed || is_coarse(r));
        r.off = !second && is_coarse(r) ? 0.0 : r.off;  // nothing is known
        see_track(V, row, k, second ? decide(V, row, k, r) : r);
        if (!second) {
            T->sum[k] += at(T, T->rest, row)[k];
            T->room[k] += r.estimate + V->noted.atol;
            T->path[k] += fabs(at(T, T->p, row + 1)[k] - at(T, T->p, row)[k]);
        }
    }
    tr_seen_at(V, TR_VERIFY_MOTION, row + 1, to->t);
    tr_seen_at(V, TR_VERIFY_WORK, row + 1, to->t);
}

// What neighbors explain must not add up: velocities that are all wrong by a part are as smooth as
// right ones. Errors of fixed steps may add up.
static void see_sums(trVerifier *V) {
    const trTracks *T = V->tracks;
    for (int k = 0; k < T->count - 1 && !V->noted.fixed; k++) {
        const trColumn *column = tr_result_column(V->result, T->column[k]);
        double          part = (PART + V->noted.rtol) * T->path[k];
        tr_see(V, TR_VERIFY_MOTION,
               (trDeviation){.off = T->sum[k],
                             .allowed = V->noted.reserve * (T->room[k] + part),
                             .unit = column->unit,
                             .role = "column",
                             .name = column->name,
                             .detail = "drifts away from its rates over all rows"});
    }
}

// Rows that have not been judged yet: nothing comes after them.
void tr_between_end(trVerifier *V) {
    trTracks *T = V->tracks;
    if (T->end - T->first >= LEAST_ROWS) {
        find_rests(T, T->end - 2);
        see_sums(V);
        for (; T->judged + 1 < T->end; T->judged++) {
            judge(V, T->judged);
        }
    }
    T->first = T->end = T->judged = V->index + 1;
}

void tr_between_row(trVerifier *V, bool usable) {
    trTracks *T = V->tracks;
    if (!usable) {
        tr_between_end(V);
        return;
    }
    put_row(V);
    T->end = V->index + 1;
    if (T->end - T->first == 4) {
        find_rests(T, T->first);
    }
    if (T->end - T->first >= 4) {
        find_rests(T, T->end - 3);
    }
    for (; T->judged + SIDE + 3 < T->end; T->judged++) {
        judge(V, T->judged);
    }
}
