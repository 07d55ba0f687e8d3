// SPDX-License-Identifier: MIT
// What to free so that a set is no longer redundant and nothing else changes.
//
// The loads of a set that no motion shows are L y. Freeing a direction d of a joint leaves those y
// with d.(L y) = 0. Directions are freed until none is left: of joints that become another kind by
// it if possible, two at most at a time, the last joints first. Then the rank is computed again
// with the joints as they would be.

#include <math.h>
#include <string.h>

#include "check/fixes.h"

#define USED 1e-5  // of a load along a direction, relative

typedef struct Search {
    trCheckWork         *work;
    const trPose        *pose;
    const double *const *L;
    int                  e;     // columns of L
    int                  left;  // of them
    double              *Y;     // e x left
    double              *try_Y;
    double              *c;  // e
    int                  count;
    trFixable           *joint;  // count
    bool                 named;  // only what gives a known kind
    bool                 natural;
} Search;

// c = d.(L Y), for direction i of a joint.
static void along(Search *s, const trFixable *f, int i, int left, const double *Y) {
    const trRows *A = &s->work->eval.equations.A;
    for (int col = 0; col < left; col++) {
        s->c[col] = 0.0;
    }
    for (int k = 0; k < s->e; k++) {
        double part = 0.0;
        if (f->typed) {
            trWrench load = tr_check_wrench(s->work, f->joint, s->L[k]);
            for (int n = 0; n < 6; n++) {
                part += load.x[n] * f->direction[i].w.x[n];
            }
        } else {
            part = s->L[k][A->group_row[f->joint] + i];
        }
        for (int col = 0; col < left; col++) {
            s->c[col] += part * Y[k + (ptrdiff_t)col * s->e];
        }
    }
}

// Frees one direction: Y loses a column. False if it frees nothing.
static bool release(Search *s, const trFixable *f, int i, int *left, double *Y) {
    int best = 0;
    along(s, f, i, *left, Y);
    for (int col = 1; col < *left; col++) {
        best = fabs(s->c[col]) > fabs(s->c[best]) ? col : best;
    }
    if (*left == 0 || !(fabs(s->c[best]) > USED)) {
        return false;
    }
    double *pivot = Y + (ptrdiff_t)best * s->e, *last = Y + (ptrdiff_t)(*left - 1) * s->e;
    for (int col = 0; col < *left; col++) {
        double *y = Y + (ptrdiff_t)col * s->e, factor = s->c[col] / s->c[best];
        for (int k = 0; col != best && k < s->e; k++) {
            y[k] -= factor * pivot[k];
        }
    }
    memmove(pivot, last, (size_t)s->e * sizeof *last);
    (*left)--;
    return true;
}

// Frees all of `more` at once if each counts and the joint remains one that there is.
static bool try_free(Search *s, trFixable *f, unsigned more) {
    int left = s->left;
    if ((f->freed & more) != 0 ||
        (s->named && tr_fixable_kind(s->work, f, f->freed | more) == NULL)) {
        return false;
    }
    memcpy(s->try_Y, s->Y, (size_t)s->e * (size_t)s->e * sizeof *s->Y);
    for (int i = 0; i < f->count; i++) {
        if ((more >> i & 1U) == 0) {
            continue;
        }
        if ((s->natural && !f->direction[i].natural) || !release(s, f, i, &left, s->try_Y)) {
            return false;
        }
    }
    memcpy(s->Y, s->try_Y, (size_t)s->e * (size_t)s->e * sizeof *s->Y);
    s->left = left;
    f->freed |= more;
    return true;
}

static bool free_two(Search *s, trFixable *f) {
    for (int i = 0; i < f->count; i++) {
        for (int k = i + 1; k < f->count; k++) {
            if (try_free(s, f, 1U << i | 1U << k)) {
                return true;
            }
        }
    }
    return false;
}

static bool free_one(Search *s, trFixable *f) {
    for (int i = f->count - 1; i >= 0; i--) {  // translations first
        if (try_free(s, f, 1U << i)) {
            return true;
        }
    }
    return false;
}

static bool is_driver(const trCheckWork *w, int joint) {
    return joint < w->system->joints && (w->system->joint[joint].kind->traits & TR_RHEONOMIC) != 0;
}

// In joints that were not changed yet, or in those that were.
static bool free_in(Search *s, int how_many, bool changed) {
    for (int i = s->count - 1; i >= 0; i--) {
        trFixable *f = &s->joint[i];
        if (f->typed && (f->freed != 0) == changed && !is_driver(s->work, f->joint) &&
            (how_many == 2 ? s->left >= 2 && free_two(s, f) : free_one(s, f))) {
            return true;
        }
    }
    return false;
}

static bool free_some(Search *s, int how_many) {
    return free_in(s, how_many, false) || free_in(s, how_many, true);
}

// Drivers and joints that are one piece.
static bool remove_whole(Search *s) {
    for (int i = s->count - 1; i >= 0; i--) {
        trFixable *f = &s->joint[i];
        bool       one = !f->typed && f->freed == 0 && f->count <= s->left;
        if (one && try_free(s, f, (1U << f->count) - 1U)) {
            return true;
        }
    }
    return false;
}

static bool free_next(Search *s) {
    s->named = s->natural = true;
    if (free_some(s, 2) || free_some(s, 1)) {
        return true;
    }
    s->named = s->natural = false;
    if (remove_whole(s)) {
        return true;
    }
    s->named = true;
    if (free_some(s, 1)) {
        return true;
    }
    s->named = false;
    return free_some(s, 1);
}

// --- the rank with the joints as they would be ---

// The row that blocks a direction of a joint: (F, M + (P - r) x F) for body 2, less that for 1.
static void put_row(const trCheckWork *w, int joint, const trWrench *d, double *x) {
    const trJoint *j = &w->system->joint[joint];
    const int      body[2] = {j->body1, j->body2};
    for (int side = 0; side < 2; side++) {
        double *to = x + (ptrdiff_t)body[side] * w->width, sign = side == 0 ? -1.0 : 1.0;
        if (body[side] < 0) {
            continue;
        }
        trVec3 f = tr_wrench_force(d),
               arm = tr_sub3(w->point[joint], tr_check_center(w, body[side]));
        trVec3 c = tr_add_scaled3(tr_wrench_moment(d), 1.0 / w->size, tr_cross3(arm, f));
        if (w->width == 3) {
            memcpy(to, (const double[]){sign * f.x, sign * f.y, sign * c.z}, 3 * sizeof *to);
        } else {
            memcpy(to,
                   (const double[]){sign * f.x, sign * f.y, sign * f.z, sign * c.x, sign * c.y,
                                    sign * c.z},
                   6 * sizeof *to);
        }
    }
}

static const trFixable *fixed_joint(const Search *s, int group) {
    for (int i = 0; i < s->count; i++) {
        if (s->joint[i].joint == group && s->joint[i].freed != 0) {
            return &s->joint[i];
        }
    }
    return NULL;
}

static void normalize(int n, double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    for (int i = 0; i < n && sum > 0.0; i++) {
        x[i] /= sqrt(sum);
    }
}

static trStatus check_rank(const Search *s, bool *good) {
    const trCheckWork *w = s->work;
    const trRows      *A = &w->eval.equations.A;
    const trPose      *p = s->pose;
    trRrqr             qr;
    int                rows = 0;
    tr_rrqr_plan(w->scratch, p->n, p->m, &qr);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < p->m; i++) {
        int              group = w->system->row_joint[p->row[i]];
        const trFixable *f = fixed_joint(s, group);
        if (f == NULL) {
            memcpy(qr.X + (ptrdiff_t)rows++ * p->n, p->X + (ptrdiff_t)i * p->n,
                   (size_t)p->n * sizeof *qr.X);
            continue;
        }
        for (int k = 0; p->row[i] == A->group_row[group] && f->typed && k < f->count; k++) {
            if ((f->freed >> k & 1U) == 0) {
                double *x = qr.X + (ptrdiff_t)rows++ * p->n;
                put_row(w, group, &f->direction[k].w, x);
                normalize(p->n, x);
            }
        }
    }
    TR_TRY(tr_rrqr_factor(&qr, w->rank_tolerance));
    *good = qr.rank == p->rank && rows == p->m - s->e;
    return TR_OK;
}

static trStatus tell(Search *s, trCheckSet *set) {
    trCheckFix *fix = tr_new_array(s->work->arena, trCheckFix, s->count);
    bool        good = false;
    TR_TRY(tr_arena_status(s->work->arena));
    TR_TRY(check_rank(s, &good));
    for (int i = 0; good && i < s->count; i++) {
        if (s->joint[i].freed != 0) {
            TR_TRY(tr_fixable_words(s->work, &s->joint[i], &fix[set->fixes++]));
        }
    }
    set->fix = fix;
    return TR_OK;
}

trStatus tr_check_fixes(trCheckWork *w, const trPose *pose, trCheckSet *set, const double *const *L,
                        const bool *in) {
    int    e = set->redundancy, groups = w->eval.equations.A.groups;
    Search s = {.work = w, .pose = pose, .L = L, .e = e, .left = e};
    s.Y = tr_new_array(w->scratch, double, (size_t)e *(size_t)e);
    s.try_Y = tr_new_array(w->scratch, double, (size_t)e *(size_t)e);
    s.c = tr_new_array(w->scratch, double, e);
    s.joint = tr_new_array(w->scratch, trFixable, groups);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < e; k++) {
        s.Y[k * (e + 1)] = 1.0;
    }
    for (int j = 0; j < groups; j++) {
        if (in[j]) {
            tr_fixable(w, j, e, L, &s.joint[s.count++]);
        }
    }
    while (s.left > 0) {
        if (!free_next(&s)) {
            return TR_OK;
        }
    }
    return tell(&s, set);
}
