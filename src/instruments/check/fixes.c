// SPDX-License-Identifier: MIT
// What to free so that sets are no longer redundant and nothing else changes.
//
// The loads of a set that no motion shows are L y. Freeing a direction d of a joint leaves those y
// with d.(L y) = 0. Directions are freed until none is left: of joints that become another kind by
// it if possible, two at most at a time, the last joints first. Then the rank is computed again
// with the joints as they would be.
//
// Sets may share joints. So they are taken one after the other, each with the loads and the freed
// directions of those before it: all proposals together leave nothing redundant. A joint that two
// sets change is told in both, as it is in the end.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "check/check.h"

#define USED 1e-5  // of a load along a direction, relative

typedef struct Search {
    trCheckWork   *work;
    const trPose  *pose;
    const double **L;      // e: of the sets that have been fixed, then of this one
    int            fixed;  // columns of the former
    int            e;      // columns of L
    int            left;   // of them
    double        *Y;      // e x left
    double        *try_Y;
    double        *c;       // e
    trFixable     *joint;   // groups
    unsigned      *before;  // groups: freed for earlier sets
    int            count;
    int           *member;   // count: groups that take part in this set
    bool           named;    // only what gives a known kind
    bool           natural;  // only rotations, and translations along axes of joints
} Search;

// c = d.(L Y), for direction i of a joint.
static void along(Search *s, const trFixable *f, int i, int left, const double *Y) {
    for (int col = 0; col < left; col++) {
        s->c[col] = 0.0;
    }
    for (int k = 0; k < s->e; k++) {
        double part = 0.0;
        if (f->typed) {
            trWrench load = tr_check_wrench(s->work, f->joint, s->L[k]);
            part = tr_dot(6, load.x, f->direction[i].w.x);
        } else {
            part = s->L[k][s->work->group[f->joint].row + i];
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
        if (col != best) {
            tr_add_scaled(s->e, -s->c[col] / s->c[best], pivot, Y + (ptrdiff_t)col * s->e);
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
    return joint < w->joints && w->joint[joint].driven;
}

// In joints that were not changed yet, or in those that were.
static bool free_in(Search *s, int how_many, bool changed) {
    for (int i = s->count - 1; i >= 0; i--) {
        trFixable *f = &s->joint[s->member[i]];
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
        trFixable *f = &s->joint[s->member[i]];
        bool       one = !f->typed && f->freed == 0 && f->count > 0 && f->count <= s->left;
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
    const trJointInfo *j = &w->joint[joint];
    const int          body[2] = {j->body1, j->body2};
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

static void normalize(int n, double *x) {
    double sum = tr_dot(n, x, x);
    for (int i = 0; i < n && sum > 0.0; i++) {
        x[i] /= sqrt(sum);
    }
}

static trStatus check_rank(const Search *s, bool *good) {
    const trCheckWork *w = s->work;
    const trPose      *p = s->pose;
    trRrqr             qr;
    int                rows = 0;
    tr_rrqr_plan(w->scratch, p->n, p->m, &qr);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < p->m; i++) {
        int              group = w->row[p->row[i]].group;
        const trFixable *f = &s->joint[group];
        if (f->freed == 0) {
            tr_copy(p->n, p->X + (ptrdiff_t)i * p->n, qr.X + (ptrdiff_t)rows++ * p->n);
            continue;
        }
        for (int k = 0; p->row[i] == w->group[group].row && f->typed && k < f->count; k++) {
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

// --- one set after the other ---

// Y: all loads that are left when what earlier sets freed is free.
static bool begin(Search *s) {
    memset(s->Y, 0, (size_t)s->e * (size_t)s->e * sizeof *s->Y);
    for (int k = 0; k < s->e; k++) {
        s->Y[(ptrdiff_t)k * (s->e + 1)] = 1.0;
    }
    s->left = s->e;
    for (int g = 0; g < s->work->groups; g++) {
        s->joint[g].freed = s->before[g];
        for (int i = 0; i < s->joint[g].count; i++) {
            if ((s->before[g] >> i & 1U) != 0 && !release(s, &s->joint[g], i, &s->left, s->Y)) {
                return false;
            }
        }
    }
    return true;
}

static trStatus free_all(Search *s, bool *done) {
    *done = false;
    bool good = begin(s);
    while (good && s->left > 0) {
        good = free_next(s);
    }
    return good ? check_rank(s, done) : TR_OK;
}

// *done: the set has fixes, which `before` then holds.
static trStatus fix_set(Search *s, const trSetColumns *set, int redundancy, bool *done) {
    int groups = s->work->groups;
    s->e = s->fixed + redundancy;
    memcpy(s->L + s->fixed, set->L, (size_t)redundancy * sizeof *set->L);
    s->count = 0;
    for (int g = 0; g < groups; g++) {
        if (set->in[g]) {
            s->member[s->count++] = g;
        }
        if (set->in[g] && s->before[g] == 0) {
            tr_fixable(s->work, g, redundancy, set->L, &s->joint[g]);
        }
    }
    TR_TRY(free_all(s, done));
    for (int g = 0; g < groups; g++) {
        if (*done) {
            s->before[g] = s->joint[g].freed;
        }
        s->joint[g].freed = s->before[g];
    }
    s->fixed = *done ? s->e : s->fixed;
    return TR_OK;
}

// `freed`: what of each joint is free before the set, and with it.
static trStatus tell(Search *s, const unsigned *freed, trCheckSet *set) {
    int         groups = s->work->groups;
    trCheckFix *fix = tr_new_array(s->work->arena, trCheckFix, groups);
    TR_TRY(tr_arena_status(s->work->arena));
    for (int g = 0; g < groups; g++) {
        if (freed[g] != freed[groups + g]) {
            TR_TRY(tr_fixable_words(s->work, &s->joint[g], &fix[set->fixes++]));
        }
    }
    set->fix = fix;
    return TR_OK;
}

static trStatus plan(trCheckWork *w, const trPose *pose, int sets, Search *out, unsigned **freed) {
    size_t e = (size_t)pose->open, groups = (size_t)w->groups;
    Search s = {.work = w, .pose = pose};
    s.L = tr_new_array(w->scratch, const double *, e);
    s.Y = tr_new_array(w->scratch, double, e *e);
    s.try_Y = tr_new_array(w->scratch, double, e *e);
    s.c = tr_new_array(w->scratch, double, e);
    s.joint = tr_new_array(w->scratch, trFixable, groups);
    s.before = tr_new_array(w->scratch, unsigned, groups);
    s.member = tr_new_array(w->scratch, int, groups);
    *freed = tr_new_array(w->scratch, unsigned, groups *((size_t)sets + 1));
    *out = s;
    return tr_arena_status(w->scratch);
}

trStatus tr_check_fixes(trCheckWork *w, const trPose *pose, int sets, trCheckSet *set,
                        const trSetColumns *columns) {
    Search    s;
    unsigned *freed = NULL;
    size_t    groups = (size_t)w->groups;
    TR_TRY(plan(w, pose, sets, &s, &freed));
    for (int i = 0; i < sets; i++) {
        bool done = false;
        TR_TRY(fix_set(&s, &columns[i], set[i].redundancy, &done));
        memcpy(freed + ((size_t)i + 1) * groups, s.before, groups * sizeof *freed);
    }
    for (int i = 0; i < sets; i++) {  // a joint is told as it is in the end
        TR_TRY(tell(&s, freed + (size_t)i * groups, &set[i]));
    }
    return TR_OK;
}
