// SPDX-License-Identifier: MIT
// Joints that block the same motions: dependent rows, gathered by joint.
//
// Columns of L (A' L = 0) have one row each that depends on kept ones, and of these only those it
// needs. Columns whose joints are among those of another one belong to its set. What a joint blocks
// in a set is the range of its loads under L.

#include <math.h>
#include <string.h>

#include "check/check.h"

typedef struct Group {
    const trPose *pose;
    int           groups;  // of rows: joints, then constraints
    bool         *in;      // open x groups: which take part
    int          *set;     // open: the set of each column
    int           sets;
} Group;

static bool takes_part(const trCheckWork *w, const double *L, int group) {
    const trRows *A = &w->eval.equations.A;
    for (int i = A->group_row[group]; i < A->group_row[group + 1]; i++) {
        if (L[i] != 0.0) {
            return true;
        }
    }
    return false;
}

static bool is_among(int count, const bool *a, const bool *b) {
    for (int i = 0; i < count; i++) {
        if (a[i] && !b[i]) {
            return false;
        }
    }
    return true;
}

// Sets are numbered in the order of their first column.
static void gather(Group *g) {
    int n = g->groups;
    for (int k = 0; k < g->pose->open; k++) {
        g->set[k] = -1;
        for (int i = 0; i < k && g->set[k] < 0; i++) {
            const bool *a = g->in + (ptrdiff_t)k * n, *b = g->in + (ptrdiff_t)i * n;
            if (is_among(n, a, b) || is_among(n, b, a)) {
                g->set[k] = g->set[i];
            }
        }
        g->set[k] = g->set[k] < 0 ? g->sets++ : g->set[k];
    }
}

static trStatus plan(trCheckWork *w, const trPose *pose, Group *out) {
    int   groups = w->eval.equations.A.groups, all = w->system->m;
    Group g = {.pose = pose, .groups = groups};
    g.in = tr_new_array(w->scratch, bool, (size_t)groups *(size_t)pose->open);
    g.set = tr_new_array(w->scratch, int, pose->open);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < pose->open; k++) {
        for (int j = 0; j < groups; j++) {
            g.in[(ptrdiff_t)k * groups + j] = takes_part(w, pose->L + (ptrdiff_t)k * all, j);
        }
    }
    gather(&g);
    *out = g;
    return TR_OK;
}

// The constraint of the user's own that a group of rows belongs to.
static int constraint_of(const trCheckWork *w, int group) {
    int first = w->eval.equations.A.group_row[group], constraint = 0;
    while (constraint + 1 < w->system->constraints &&
           w->system->constraint_row[constraint + 1] <= first) {
        constraint++;
    }
    return constraint;
}

const char *tr_check_equations(trCheckWork *w, int group) {
    const trRows *A = &w->eval.equations.A;
    if (group < w->system->joints || !w->system->joint[group].recorded) {
        return NULL;
    }
    const int *row = w->system->constraint_row + constraint_of(w, group);
    int        first = A->group_row[group], end = A->group_row[group + 1];
    return first == row[0] && end == row[1] ? NULL
           : end == first + 1
               ? tr_arena_format(w->arena, "equation %d", end - row[0])
               : tr_arena_format(w->arena, "equations %d to %d", first - row[0] + 1, end - row[0]);
}

// Rows of a constraint of the user's own that take part: "equations 1 and 3".
static trDirections recorded_part(trCheckWork *w, int group, int count, const double *const *L) {
    const trRows *A = &w->eval.equations.A;
    int           first = A->group_row[group], constraint = constraint_of(w, group), found = 0;
    const char   *text = NULL;
    int           start = w->system->constraint_row[constraint];
    for (int i = first; i < A->group_row[group + 1]; i++) {
        bool used = false;
        for (int k = 0; k < count; k++) {
            used = used || L[k][i] != 0.0;
        }
        if (used) {
            found++;
            text = text == NULL ? tr_arena_format(w->arena, "its equation %d", i - start + 1)
                                : tr_arena_format(w->arena, "%s, %d", text, i - start + 1);
        }
    }
    if (w->system->constraint_row[constraint + 1] - start == 1) {
        text = "its equation";
    }
    return (trDirections){.count = found, .text = text};
}

static trStatus part_of(trCheckWork *w, int group, int count, const double *const *L,
                        trCheckPart *out) {
    trWrench *x = tr_new_array(w->scratch, trWrench, count);
    TR_TRY(tr_arena_status(w->scratch));
    out->joint = w->system->joint[group].name;
    out->kind = tr_check_kind(w, group);
    if (group >= w->system->joints) {
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

static trStatus make_set(trCheckWork *w, const Group *g, int number, trSetColumns *columns,
                         trCheckSet *out) {
    const double **L = tr_new_array(w->scratch, const double *, g->pose->open);
    bool          *in = tr_new_array(w->scratch, bool, g->groups);
    trCheckPart   *part = tr_new_array(w->arena, trCheckPart, g->groups);
    int            count = 0;
    TR_TRY(tr_arena_status(w->scratch));
    TR_TRY(tr_arena_status(w->arena));
    for (int k = 0; k < g->pose->open; k++) {
        if (g->set[k] == number) {
            L[count++] = g->pose->L + (ptrdiff_t)k * w->system->m;
            for (int j = 0; j < g->groups; j++) {
                in[j] = in[j] || g->in[(ptrdiff_t)k * g->groups + j];
            }
        }
    }
    *out = (trCheckSet){.redundancy = count, .part = part};
    for (int j = 0; j < g->groups; j++) {
        if (in[j]) {
            TR_TRY(part_of(w, j, count, L, &part[out->parts]));
            out->parts += part[out->parts].blocked.count > 0 ? 1 : 0;
        }
    }
    *columns = (trSetColumns){L, in};
    return TR_OK;
}

static trStatus make_sets(trCheckWork *w, const trPose *pose, bool fixes, int *count,
                          const trCheckSet **out) {
    Group g;
    TR_TRY(plan(w, pose, &g));
    trCheckSet   *set = tr_new_array(w->arena, trCheckSet, g.sets);
    trSetColumns *columns = tr_new_array(w->scratch, trSetColumns, g.sets);
    TR_TRY(tr_arena_status(w->arena));
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < g.sets; i++) {
        TR_TRY(make_set(w, &g, i, &columns[i], &set[i]));
    }
    *count = g.sets;
    *out = set;
    return fixes && g.sets > 0 ? tr_check_fixes(w, pose, g.sets, set, columns) : TR_OK;
}

// Columns of L here span those there, in the limit, and more: L_there = L_here c, where c is known
// from rows that one column alone has. Of each such sum the largest part is dropped.
static void drop_redundant(const trCheckWork *w, double *c, bool *dropped) {
    const trPose *here = &w->here, *there = &w->there;
    int           n = here->open, all = w->system->m;
    for (int i = 0; i < there->open; i++) {
        for (int k = 0; k < n; k++) {
            int row = here->row[here->chosen[k]];
            c[k + (ptrdiff_t)i * n] =
                there->L[row + (ptrdiff_t)i * all] / here->L[row + (ptrdiff_t)k * all];
        }
    }
    for (int i = 0; i < there->open; i++) {
        double *pivot = c + (ptrdiff_t)i * n;
        int     best = 0;
        for (int k = 1; k < n; k++) {
            best = fabs(pivot[k]) > fabs(pivot[best]) ? k : best;
        }
        dropped[best] = true;
        for (int j = i + 1; pivot[best] != 0.0 && j < there->open; j++) {
            double *x = c + (ptrdiff_t)j * n, factor = x[best] / pivot[best];
            for (int k = 0; k < n; k++) {
                x[k] = k == best ? 0.0 : x[k] - factor * pivot[k];
            }
        }
    }
}

// Near a singular pose rows depend on each other to the tolerance of the rank only: what a
// dependency has of a row beyond that is not known.
static void round_off(const trCheckWork *w, double *L) {
    const trPose *p = &w->here;
    for (int i = 0; i < p->m; i++) {
        double *part = &L[p->row[i]];
        *part = fabs(*part) * p->norm[i] > w->rank_tolerance ? *part : 0.0;
    }
}

// Dependencies of the start that are not those of every pose.
static trStatus make_lost(trCheckWork *w) {
    size_t  all = (size_t)w->system->m, n = (size_t)w->here.open;
    trPose  lost = w->here;
    double *c = tr_new_array(w->scratch, double, n *(size_t)w->there.open);
    bool   *dropped = tr_new_array(w->scratch, bool, n);
    lost.L = tr_new_array(w->scratch, double, all *n);
    TR_TRY(tr_arena_status(w->scratch));
    drop_redundant(w, c, dropped);
    lost.open = 0;
    for (size_t k = 0; k < n; k++) {
        if (!dropped[k]) {
            double *L = lost.L + all * (size_t)lost.open++;
            memcpy(L, w->here.L + all * k, all * sizeof *L);
            round_off(w, L);
        }
    }
    return make_sets(w, &lost, false, &w->out->lost, &w->out->lost_set);
}

trStatus tr_check_sets(trCheckWork *w) {
    double start = w->t;
    if (!w->out->singular) {
        return make_sets(w, &w->here, true, &w->out->sets, &w->out->set);
    }
    TR_TRY(make_lost(w));
    w->t = w->t_there;
    trStatus status = tr_check_evaluate(w, w->q_there);
    if (status == TR_OK) {
        tr_check_points(w);
        status = make_sets(w, &w->there, true, &w->out->sets, &w->out->set);
    }
    w->t = start;
    TR_TRY(status);
    TR_TRY(tr_check_evaluate(w, w->q));
    tr_check_points(w);
    return TR_OK;
}
