// SPDX-License-Identifier: MIT
// From a pose to its branches: forms, cone, walks, words.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "branches/branches.h"

#define SMALL 1e-6      // of the largest entry: is nothing
#define ROUNDING 1e-15  // of entries of which the largest is 1
#define WORDS_KEPT 3    // motions of one branch that are told

typedef struct Find {
    trArena   *arena;    // of the result
    trArena   *scratch;  // of the rest
    trFork     pose;
    trWalk     walk;
    trBranch  *branch;  // TR_BRANCHES_MAX
    trBranches found;
} Find;

// The entry of columns a ... that is to be the next pivot: time first, then the largest.
static int choose_pivot(const trFork *p, const double *T, int a, int dim, int *column) {
    int    row = -1;
    double most = 0.0;
    for (int c = a; c < dim; c++) {
        for (int i = 0; i < p->n; i++) {
            bool   time = i == p->nv && a == 0;
            double size = fabs(T[i + (ptrdiff_t)c * p->n]) * (time ? 1.0 / SMALL : 1.0);
            if (size > most * (1.0 + SMALL)) {
                most = size;
                row = i;
                *column = c;
            }
        }
    }
    return row;
}

// Columns of T with as many zeros as there are pivots; time passes in the first alone.
static void make_echelon(const trFork *p, int dim, double *T) {
    int n = p->n;
    for (int a = 0; a < dim; a++) {
        int     best = a, row = choose_pivot(p, T, a, dim, &best);
        double *x = T + (ptrdiff_t)a * n, *y = T + (ptrdiff_t)best * n;
        if (row < 0) {
            return;
        }
        for (int i = 0; i < n; i++) {
            double swap = x[i];
            x[i] = y[i];
            y[i] = swap;
        }
        for (int c = 0; c < dim; c++) {
            double *z = T + (ptrdiff_t)c * n, factor = z[row] / x[row];
            for (int i = 0; c != a && i < n; i++) {
                z[i] =
                    fabs(z[i] - factor * x[i]) < 1e-12 * fabs(x[row]) ? 0.0 : z[i] - factor * x[i];
            }
        }
    }
}

// The largest speed becomes 1, and time positive, or else what is named first.
static void normalize(const trFork *p, double *w) {
    double most = tr_velocity_largest(p, w);
    double first = tr_velocity_first(p, w);
    if (p->n > p->nv && fabs(w[p->nv]) > SMALL * most) {
        first = w[p->nv];
    }
    for (int i = 0; most > 0.0 && i < p->n; i++) {
        w[i] *= (first < 0.0 ? -1.0 : 1.0) / most;
        w[i] = fabs(w[i]) < ROUNDING ? 0.0 : w[i];
    }
}

static void scale_to_measure(const trFork *p, int dim, const double *T, double *out) {
    for (int a = 0; a < dim; a++) {
        double size = tr_fork_measure(p, T + (ptrdiff_t)a * p->n);
        for (int i = 0; i < p->n; i++) {
            out[i + (ptrdiff_t)a * p->n] = T[i + (ptrdiff_t)a * p->n] / (size > 0.0 ? size : 1.0);
        }
    }
}

// What the rows allow at the end of the last walk, without the tangents: the largest of it.
static const char *name_loose(Find *f, int dim, const double *T) {
    trFork *p = &f->pose;
    double *x = p->step, *best = f->walk.loose, most = 0.0;
    memset(best, 0, (size_t)p->n * sizeof *best);
    for (int a = p->qr.rank; a < p->n; a++) {
        memset(x, 0, (size_t)p->n * sizeof *x);
        x[a] = 1.0;
        tr_rrqr_mul_q(&p->qr, x);
        tr_fork_weigh(p, x);
        for (int c = 0; c < dim; c++) {
            const double *y = T + (ptrdiff_t)c * p->n;
            tr_add_scaled(p->n, -(tr_dot(p->n, x, y) / tr_dot(p->n, y, y)), y, x);
        }
        if (tr_fork_measure(p, x) > most * (1.0 + SMALL)) {
            most = tr_fork_measure(p, x);
            tr_copy(p->n, x, best);
        }
    }
    normalize(p, best);
    return tr_velocity_words(f->arena, p, best);
}

static const char *words_of(Find *f, int dim, const double *T) {
    const char *text = "";
    int         n = f->pose.n;
    for (int a = 0; a < dim && a < WORDS_KEPT && text != NULL; a++) {
        const char *one = tr_velocity_words(f->arena, &f->pose, T + (ptrdiff_t)a * n);
        text = one == NULL ? NULL
                           : tr_arena_format(f->arena, "%s%s%s", text, a > 0 ? "; or " : "", one);
    }
    if (text != NULL && dim > WORDS_KEPT) {
        text = tr_arena_format(f->arena, "%s; and %d more", text, dim - WORDS_KEPT);
    }
    return text;
}

// A branch with tangents T (n x dim) and this rank beside the pose.
static trStatus keep(Find *f, int dim, const double *T, int rank) {
    const trFork *p = &f->pose;
    double       *tangent = tr_new_array(f->arena, double, (size_t)p->nv *(size_t)dim);
    double       *time = tr_new_array(f->arena, double, dim);
    TR_TRY(tr_arena_status(f->arena));
    for (int a = 0; a < dim; a++) {
        const double *from = T + (ptrdiff_t)a * p->n;
        tr_copy(p->nv, from, tangent + (ptrdiff_t)a * p->nv);
        time[a] = p->n > p->nv ? from[p->nv] : 0.0;
    }
    trBranch *branch = &f->branch[f->found.count++];
    *branch =
        (trBranch){dim, tangent, time, rank, p->n - rank - dim, "", words_of(f, dim, T), NULL};
    if (branch->loose > 0) {
        branch->loose_words = name_loose(f, dim, T);
        double *loose = tr_new_array(f->arena, double, p->nv);
        TR_TRY(tr_arena_status(f->arena));
        tr_copy(p->nv, f->walk.loose, loose);
        branch->loose_velocity = loose;
    }
    return tr_arena_status(f->arena);
}

// One subspace of solutions: is it a motion?
static trStatus judge(Find *f, const trSubspace *S) {
    trFork *p = &f->pose;
    int     rank = p->rank, dim = S->dim;
    size_t  count = (size_t)p->n * (size_t)dim;
    double *T = tr_new_array(f->scratch, double, 2 * count), *unit = T + count;
    TR_TRY(tr_arena_status(f->scratch));
    for (int a = 0; a < dim; a++) {
        for (int c = 0; c < p->k; c++) {
            tr_add_scaled(p->n, S->U[c + (ptrdiff_t)a * p->k], p->N + (ptrdiff_t)c * p->n,
                          T + (ptrdiff_t)a * p->n);
        }
    }
    make_echelon(p, dim, T);
    for (int a = 0; a < dim; a++) {
        normalize(p, T + (ptrdiff_t)a * p->n);
    }
    if (p->d > 0) {  // otherwise all rows are independent, here and nearby
        scale_to_measure(p, dim, T, unit);
        TR_TRY(tr_walk_judge(p, &f->walk, dim, unit, &rank));
        bool wide = rank >= 0 && p->n - rank < dim;
        f->found.unresolved = f->found.unresolved || wide || (rank < 0 && dim > 1);
        if (rank < 0 || wide) {
            return TR_OK;
        }
    }
    return keep(f, dim, T, rank);
}

// Larger first entries come first: numbers of branches do not depend on how they were found.
static bool stands_before(const trBranch *x, const trBranch *y, int nv) {
    if (x->dof != y->dof) {
        return x->dof > y->dof;
    }
    for (int i = 0; i < nv; i++) {
        if (fabs(x->tangent[i] - y->tangent[i]) > 1e-3) {
            return x->tangent[i] > y->tangent[i];
        }
    }
    return false;
}

static void sort(trBranch *branch, int count, int nv) {
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && stands_before(&branch[j], &branch[j - 1], nv); j--) {
            trBranch swap = branch[j];
            branch[j] = branch[j - 1];
            branch[j - 1] = swap;
        }
    }
}

static trStatus find(Find *f) {
    trForms forms;
    trFork *p = &f->pose;
    trCone *cone = tr_new(f->scratch, trCone);
    f->branch = tr_new_array(f->arena, trBranch, TR_BRANCHES_MAX);
    tr_walk_plan(f->scratch, p, &f->walk);
    TR_TRY(tr_arena_status(f->scratch));
    TR_TRY(tr_arena_status(f->arena));
    TR_TRY(tr_fork_forms(f->scratch, p, &forms));
    TR_TRY(tr_cone_find(f->scratch, &forms, cone));
    f->found = (trBranches){.more = cone->more,
                            .unresolved = cone->curved,
                            .rank = p->rank,
                            .generic_rank = p->rank,
                            .rows = p->m,
                            .nv = p->nv,
                            .branch = f->branch};
    for (int i = 0; i < cone->count; i++) {
        TR_TRY(judge(f, &cone->at[i]));
    }
    sort(f->branch, f->found.count, p->nv);
    for (int i = 0; i < f->found.count; i++) {
        int rank = f->branch[i].rank;
        f->found.generic_rank = rank > f->found.generic_rank ? rank : f->found.generic_rank;
    }
    f->found.singular =
        f->found.generic_rank > f->found.rank || f->found.count > 1 || f->found.unresolved;
    return TR_OK;
}

trStatus tr_branches_create(const trSystem *system, double t, const double *q,
                            double rank_tolerance, trBranches **out) {
    Find        f = {.arena = tr_arena_create(), .scratch = tr_arena_create()};
    trBranches *made = f.arena != NULL ? tr_new(f.arena, trBranches) : NULL;
    trStatus    status = made != NULL && f.scratch != NULL ? TR_OK : TR_E_MEMORY;
    *out = NULL;
    if (status == TR_OK) {
        status = tr_fork_find(f.scratch, system, t, q, rank_tolerance, &f.pose);
    }
    status = status == TR_OK ? find(&f) : status;
    tr_arena_destroy(f.scratch);
    if (status != TR_OK) {
        tr_arena_destroy(f.arena);
        return status > 0 ? TR_E_SIMULATION : status;
    }
    *made = f.found;
    made->memory = f.arena;
    *out = made;
    return TR_OK;
}

void tr_branches_destroy(trBranches *branches) {
    if (branches != NULL) {
        tr_arena_destroy(branches->memory);
    }
}
