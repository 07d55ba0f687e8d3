// SPDX-License-Identifier: MIT
// Joints that block the same motions.
//
// Loads that balance each other within a few joints (balance.c) make a set. Those whose joints are
// among the joints of others belong to the set of these. What a joint blocks in a set is the range
// of its loads.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "check/check.h"
#include "la/svd.h"

typedef struct Group {
    const trPose    *pose;
    double           tolerance;  // for parts of loads, relative
    int              groups;     // of rows: joints, then constraints
    int              balances;
    const trBalance *balance;  // balances
    int             *set;      // balances: the set of each
    int              sets;
} Group;

static bool is_among(int count, const bool *a, const bool *b) {
    for (int i = 0; i < count; i++) {
        if (a[i] && !b[i]) {
            return false;
        }
    }
    return true;
}

// Sets are numbered in the order of their first loads.
static void gather(Group *g) {
    int n = g->groups;
    for (int k = 0; k < g->balances; k++) {
        g->set[k] = -1;
        for (int i = 0; i < k && g->set[k] < 0; i++) {
            const bool *a = g->balance[k].in, *b = g->balance[i].in;
            if (is_among(n, a, b) || is_among(n, b, a)) {
                g->set[k] = g->set[i];
            }
        }
        g->set[k] = g->set[k] < 0 ? g->sets++ : g->set[k];
    }
}

static trConstraintInfo constraint_of(const trCheckWork *w, int group) {
    return tr_system_constraint(w->system, w->group[group].constraint);
}

const char *tr_check_equations(trCheckWork *w, int group) {
    if (w->group[group].constraint < 0) {
        return NULL;
    }
    const trConstraintInfo all = constraint_of(w, group);
    const int              rows = w->group[group].rows, first = w->group[group].row - all.row;
    return rows == all.rows ? NULL
           : rows == 1      ? tr_arena_format(w->arena, "equation %d", first + 1)
                       : tr_arena_format(w->arena, "equations %d to %d", first + 1, first + rows);
}

// Rows of a constraint of the user's own that take part: "equations 1 and 3".
static trDirections recorded_part(trCheckWork *w, int group, int count, const double *const *L) {
    const trConstraintInfo all = constraint_of(w, group);
    const int              first = w->group[group].row;
    const char            *text = NULL;
    int                    found = 0;
    for (int i = first; i < first + w->group[group].rows; i++) {
        bool used = false;
        for (int k = 0; k < count; k++) {
            used = used || L[k][i] != 0.0;
        }
        if (used) {
            found++;
            text = text == NULL ? tr_arena_format(w->arena, "its equation %d", i - all.row + 1)
                                : tr_arena_format(w->arena, "%s, %d", text, i - all.row + 1);
        }
    }
    if (all.rows == 1) {
        text = "its equation";
    }
    return (trDirections){.count = found, .text = text};
}

static trStatus part_of(trCheckWork *w, int group, int count, const double *const *L,
                        trCheckPart *out) {
    trWrench *x = tr_new_array(w->scratch, trWrench, count);
    TR_TRY(tr_arena_status(w->scratch));
    out->joint = w->group[group].name;
    out->kind = tr_check_kind(w, group);
    if (group >= w->joints) {
        out->blocked = recorded_part(w, group, count, L);
        return tr_arena_status(w->arena);
    }
    for (int k = 0; k < count; k++) {
        x[k] = tr_check_wrench(w, group, L[k]);
    }
    int found = tr_span6(count, x);
    out->blocked = tr_check_directions(w, group, found, x, TR_WORDS_MOTION);
    return tr_arena_status(w->arena);
}

// Appends the loads of a balance to those of a set, which has `count` already.
static trStatus add_loads(trCheckWork *w, const Group *g, const trBalance *b, int count,
                          trSetColumns *to) {
    double *L = tr_new_array(w->scratch, double, (size_t)w->m *(size_t)b->count);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < b->count; k++) {
        double *here = L + (ptrdiff_t)k * w->m;
        tr_pose_loads(g->pose, g->tolerance, b->c + (ptrdiff_t)k * g->pose->open, here);
        to->L[count + k] = here;
    }
    for (int j = 0; j < g->groups; j++) {
        to->in[j] = to->in[j] || b->in[j];
    }
    return TR_OK;
}

static trStatus make_set(trCheckWork *w, const Group *g, int number, trSetColumns *columns,
                         trCheckSet *out) {
    trCheckPart *part = tr_new_array(w->arena, trCheckPart, g->groups);
    columns->L = tr_new_array(w->scratch, const double *, g->pose->open);
    columns->in = tr_new_array(w->scratch, bool, g->groups);
    TR_TRY(tr_check_memory(w));
    *out = (trCheckSet){.part = part};
    for (int k = 0; k < g->balances; k++) {
        if (g->set[k] == number) {
            TR_TRY(add_loads(w, g, &g->balance[k], out->redundancy, columns));
            out->redundancy += g->balance[k].count;
        }
    }
    for (int j = 0; j < g->groups; j++) {
        if (columns->in[j]) {
            TR_TRY(part_of(w, j, out->redundancy, columns->L, &part[out->parts]));
            out->parts += part[out->parts].blocked.count > 0 ? 1 : 0;
        }
    }
    return TR_OK;
}

static trStatus make_sets(trCheckWork *w, Group *g, bool fixes, int *count,
                          const trCheckSet **out) {
    g->groups = w->groups;
    g->set = tr_new_array(w->scratch, int, g->balances);
    TR_TRY(tr_arena_status(w->scratch));
    gather(g);
    trCheckSet   *set = tr_new_array(w->arena, trCheckSet, g->sets);
    trSetColumns *columns = tr_new_array(w->scratch, trSetColumns, g->sets);
    TR_TRY(tr_check_memory(w));
    for (int i = 0; i < g->sets; i++) {
        TR_TRY(make_set(w, g, i, &columns[i], &set[i]));
    }
    *count = g->sets;
    *out = set;
    return fixes && g->sets > 0 ? tr_check_fixes(w, g->pose, g->sets, set, columns) : TR_OK;
}

static trStatus make_redundant(trCheckWork *w, const trPose *pose) {
    Group      g = {.pose = pose, .tolerance = TR_PART_SMALL};
    trBalance *balance = NULL;
    TR_TRY(tr_check_balances(w, pose, g.tolerance, &g.balances, &balance));
    g.balance = balance;
    return make_sets(w, &g, true, &w->out->sets, &w->out->set);
}

// --- dependencies of this pose alone ---

// Orthonormal vectors, one after the other.
typedef struct Span {
    int     count, e;
    double *x;  // count x e
} Span;

// The loads of every pose, as far as this one knows them: N_here' N_there.
static trStatus span_of_every_pose(trCheckWork *w, Span *out) {
    const trPose *here = &w->here, *there = &w->there;
    trRrqr        qr;
    int           e = here->open;
    *out = (Span){.e = e, .x = tr_new_array(w->scratch, double, (size_t)e *(size_t)e)};
    tr_rrqr_plan(w->scratch, e, there->open, &qr);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < here->m; i++) {
        for (int j = 0; j < there->open; j++) {
            for (int k = 0; k < e; k++) {
                qr.X[k + (ptrdiff_t)j * e] +=
                    here->N[k + (ptrdiff_t)i * e] * there->N[j + (ptrdiff_t)i * there->open];
            }
        }
    }
    TR_TRY(tr_rrqr_factor(&qr, TR_PART_SMALL));
    for (; out->count < qr.rank; out->count++) {
        double *x = out->x + (ptrdiff_t)out->count * e;
        x[out->count] = 1.0;
        tr_rrqr_mul_q(&qr, x);
    }
    return TR_OK;
}

static void subtract_span(const Span *s, double *x) {
    for (int j = 0; j < s->count; j++) {
        const double *y = s->x + (ptrdiff_t)j * s->e;
        tr_add_scaled(s->e, -tr_dot(s->e, x, y), y, x);
    }
}

// The loads of a balance that are farther than `sine` from the span, which they then join.
static trStatus take_lost(trCheckWork *w, const trBalance *b, double sine, Span *span, int *found,
                          trBalance *lost) {
    trSvd svd;
    int   e = span->e;
    tr_svd_plan(w->scratch, e, b->count, &svd);
    TR_TRY(tr_arena_status(w->scratch));
    memcpy(svd.X, b->c, (size_t)e * (size_t)b->count * sizeof *b->c);
    for (int k = 0; k < b->count; k++) {
        subtract_span(span, svd.X + (ptrdiff_t)k * e);
    }
    TR_TRY(tr_svd_factor(&svd));
    for (int k = 0; k < svd.count && svd.S[k] > sine && span->count < e; k++) {
        double *c = tr_new_array(w->scratch, double, e);
        TR_TRY(tr_arena_status(w->scratch));
        for (int j = 0; j < b->count; j++) {
            tr_add_scaled(e, svd.Vt[k + (ptrdiff_t)j * svd.count], b->c + (ptrdiff_t)j * e, c);
        }
        tr_copy(e, svd.U + (ptrdiff_t)k * e, span->x + (ptrdiff_t)span->count++ * e);
        lost[(*found)++] = (trBalance){1, c, b->in};
    }
    return TR_OK;
}

// Dependencies of the start that are not those of every pose. These are known from a pose that is a
// tenth of a body's size away, roughly: what is farthest from them is lost.
static trStatus make_lost(trCheckWork *w) {
    Group      g = {.pose = &w->here, .tolerance = fmax(TR_PART_SMALL, w->rank_tolerance)};
    trBalance *balance = NULL, *lost = tr_new_array(w->scratch, trBalance, w->here.open);
    int        count = 0;
    Span       span;
    TR_TRY(span_of_every_pose(w, &span));
    TR_TRY(tr_check_balances(w, &w->here, g.tolerance, &count, &balance));
    for (double sine = 0.5; span.count < span.e && sine > TR_PART_SMALL; sine /= 4.0) {
        for (int i = 0; i < count; i++) {
            TR_TRY(take_lost(w, &balance[i], sine, &span, &g.balances, lost));
        }
    }
    g.balance = lost;
    return make_sets(w, &g, false, &w->out->lost, &w->out->lost_set);
}

trStatus tr_check_sets(trCheckWork *w) {
    if (!w->out->singular) {
        return make_redundant(w, &w->here);
    }
    TR_TRY(make_lost(w));
    TR_TRY(tr_check_points(w, w->t_there, w->q_there));
    TR_TRY(make_redundant(w, &w->there));
    return tr_check_points(w, w->t, w->q);
}
