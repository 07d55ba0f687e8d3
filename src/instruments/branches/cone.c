// SPDX-License-Identifier: MIT
// All u with u' H_j u = 0, as a union of linear subspaces, by splitting:
//
//     H >= 0 or H <= 0 in a subspace          ->  the null space of H in it
//     H = l1 l2' + l2 l1'                     ->  l1' u = 0, or l2' u = 0
//     three unknowns, two forms               ->  H1 cos s + H2 sin s with determinant 0 is one of
//                                                 the former, for some s
//
// and the same again in each part, until all forms vanish there. In two unknowns every form is one
// of the former. What cannot be split is left to Newton's method.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "branches/branches.h"
#include "la/symmetric.h"

#define QUEUE 256  // subspaces that wait
#define MOST_SPLITS 8192
#define SAME 1e-3  // subspaces that are no further apart are one
#define BISECTIONS 60

typedef struct Split {
    trArena       *arena;
    const trForms *forms;
    trCone        *cone;
    int            first, count;  // of the queue, a ring
    trSubspace     queue[QUEUE];
    double        *R;      // k x k: a form in the subspace
    double        *R2;     // k x k: another one
    double        *keep;   // k x k: one that could not be split
    double        *half;   // k x k
    double        *value;  // k
    double        *work;   // 4 k
} Split;

// How far the columns of U stand out of the subspace S.
static double out_of(int k, const trSubspace *S, int dim, const double *U) {
    double most = 0.0;
    for (int a = 0; a < dim; a++) {
        const double *u = U + (ptrdiff_t)a * k;
        double        left = 1.0;
        for (int c = 0; c < S->dim; c++) {
            double part = tr_dot(k, u, S->U + (ptrdiff_t)c * k);
            left -= part * part;
        }
        most = fmax(most, left);
    }
    return sqrt(fmax(most, 0.0));
}

static bool is_part(int k, const trSubspace *S, int dim, const double *U) {
    return dim <= S->dim && out_of(k, S, dim, U) < SAME;
}

static trStatus copy(Split *s, int dim, const double *U, trSubspace *out) {
    size_t count = (size_t)s->forms->k * (size_t)dim;
    *out = (trSubspace){dim, tr_new_array(s->arena, double, count)};
    TR_TRY(tr_arena_status(s->arena));
    memcpy(out->U, U, count * sizeof *U);
    return TR_OK;
}

static trStatus wait(Split *s, int dim, const double *U) {
    int k = s->forms->k;
    for (int i = 0; i < s->count; i++) {
        if (s->queue[(s->first + i) % QUEUE].dim == dim &&
            is_part(k, &s->queue[(s->first + i) % QUEUE], dim, U)) {
            return TR_OK;
        }
    }
    if (dim == 0) {
        return TR_OK;
    }
    if (s->count == QUEUE) {
        s->cone->more = true;
        return TR_OK;
    }
    return copy(s, dim, U, &s->queue[(s->first + s->count++) % QUEUE]);
}

// A subspace of solutions: unless it is part of one that is known.
static trStatus keep(Split *s, const trSubspace *S) {
    trCone *cone = s->cone;
    int     k = s->forms->k, kept = 0;
    for (int i = 0; i < cone->count; i++) {
        if (is_part(k, &cone->at[i], S->dim, S->U)) {
            return TR_OK;
        }
    }
    for (int i = 0; i < cone->count; i++) {
        if (!is_part(k, S, cone->at[i].dim, cone->at[i].U)) {
            cone->at[kept++] = cone->at[i];
        }
    }
    cone->count = kept;
    if (cone->count == TR_BRANCHES_MAX) {
        cone->more = true;
        return TR_OK;
    }
    cone->at[cone->count++] = *S;
    return TR_OK;
}

// R = U' H U; the largest entry.
static double restrict_form(const Split *s, const trSubspace *S, int j, double *R) {
    int           k = s->forms->k, p = S->dim;
    const double *H = s->forms->H + (ptrdiff_t)j * k * k;
    for (int a = 0; a < p; a++) {
        for (int i = 0; i < k; i++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++) {
                sum += H[i + (ptrdiff_t)l * k] * S->U[l + (ptrdiff_t)a * k];
            }
            s->half[i] = sum;
        }
        for (int c = 0; c < p; c++) {
            R[c + (ptrdiff_t)a * p] = tr_dot(k, S->U + (ptrdiff_t)c * k, s->half);
        }
    }
    return tr_largest(p * p, R);
}

// U Y waits, with Y (p x dim) orthonormal.
static trStatus wait_for(Split *s, const trSubspace *S, int dim, const double *Y) {
    int k = s->forms->k;
    memset(s->half, 0, (size_t)k * (size_t)k * sizeof *s->half);
    for (int a = 0; a < dim; a++) {
        for (int c = 0; c < S->dim; c++) {
            tr_add_scaled(k, Y[c + (ptrdiff_t)a * S->dim], S->U + (ptrdiff_t)c * k,
                          s->half + (ptrdiff_t)a * k);
        }
    }
    return wait(s, dim, s->half);
}

// Splits S by the form in s->R, if that is possible; R becomes its eigenvectors.
static trStatus split(Split *s, const trSubspace *S, bool *done) {
    int     p = S->dim, minus = 0, plus = 0;
    double *E = s->R;
    TR_TRY(tr_symmetric_eigen(p, E, s->value, s->work));
    for (int i = 0; i < p; i++) {
        minus += s->value[i] < -s->forms->zero;
        plus += s->value[i] > s->forms->zero;
    }
    int nulls = p - minus - plus;
    *done = minus == 0 || plus == 0 || (minus == 1 && plus == 1);
    if (minus == 0 || plus == 0) {
        return wait_for(s, S, nulls, E + (ptrdiff_t)minus * p);
    }
    if (!*done) {
        return TR_OK;
    }
    // -x^2 e1 e1' + y^2 e2 e2': orthogonal to the normals x e1 -+ y e2 stand y e1 +- x e2.
    double  x = sqrt(-s->value[0]), y = sqrt(s->value[p - 1]), length = hypot(x, y);
    double *first = E, *last = E + (ptrdiff_t)(p - 1) * p;
    for (int i = 0; i < p; i++) {
        double e1 = first[i], e2 = last[i];
        first[i] = (y * e1 + x * e2) / length;
        last[i] = (y * e1 - x * e2) / length;
    }
    TR_TRY(wait_for(s, S, p - 1, E));
    return wait_for(s, S, p - 1, E + p);
}

static double determinant3(const double *A) {
    return A[0] * (A[4] * A[8] - A[7] * A[5]) - A[3] * (A[1] * A[8] - A[7] * A[2]) +
           A[6] * (A[1] * A[5] - A[4] * A[2]);
}

static double mix(double angle, const double *A, const double *B, double *out) {
    for (int i = 0; i < 9; i++) {
        out[i] = cos(angle) * A[i] + sin(angle) * B[i];
    }
    return determinant3(out);
}

// The determinant changes its sign from 0 to pi, so it is 0 between.
static void find_degenerate(const double *A, const double *B, double *out) {
    double low = 0.0, high = acos(-1.0), at_low = mix(low, A, B, out);
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high), at = mix(middle, A, B, out);
        bool   same = (at > 0.0) == (at_low > 0.0);
        low = same ? middle : low;
        high = same ? high : middle;
    }
    mix(0.5 * (low + high), A, B, out);
}

// Takes A out of B (9 each); the largest of what is left.
static double take_out(const double *A, double *B) {
    tr_add_scaled(9, -(tr_dot(9, A, B) / tr_dot(9, A, A)), A, B);
    return tr_largest(9, B);
}

// Three unknowns, and the form s->keep that cannot be split by itself: with another one it can.
static trStatus split_pair(Split *s, const trSubspace *S, bool *done) {
    for (int j = 0; j < s->forms->d && !*done; j++) {
        restrict_form(s, S, j, s->R2);
        if (take_out(s->keep, s->R2) > s->forms->zero) {
            find_degenerate(s->keep, s->R2, s->R);
            TR_TRY(split(s, S, done));
        }
    }
    return TR_OK;
}

typedef struct Found {
    Split            *split;
    const trSubspace *in;
} Found;

static trStatus take_found(void *context, int dim, const double *Y) {
    const Found *found = context;
    return wait_for(found->split, found->in, dim, Y);
}

static trStatus by_newton(Split *s, const trSubspace *S) {
    int     p = S->dim, d = 0;
    size_t  square = (size_t)p * (size_t)p;
    Found   found = {s, S};
    double *H = tr_new_array(s->arena, double, square *(size_t)s->forms->d);
    TR_TRY(tr_arena_status(s->arena));
    for (int j = 0; j < s->forms->d; j++) {
        if (restrict_form(s, S, j, H + square * (size_t)d) > s->forms->zero) {
            d++;
        }
    }
    const trForms inside = {p, d, H, s->forms->zero};
    s->cone->more = true;  // no number of starts can find all for certain
    return tr_cone_newton(s->arena, &inside, take_found, &found, &s->cone->curved);
}

// Whether no 2 x 2 minor on the diagonal of R (p x p) tells that it has both signs.
static bool may_have_one_sign(int p, const double *R, double zero) {
    for (int i = 0; i < p; i++) {
        for (int j = 0; j < i; j++) {
            double ij = fabs(R[i + (ptrdiff_t)j * p]), ii = R[i + (ptrdiff_t)i * p];
            double jj = R[j + (ptrdiff_t)j * p], other = sqrt(fmax(ii * jj, 0.0));
            if (ij > other + 4.0 * zero || (fmin(ii, jj) < -zero && fmax(ii, jj) > zero)) {
                return false;
            }
        }
    }
    return true;
}

// One pass over the forms in S, of those with one sign or of the others, up to one that splits it.
// `any`: not all of them vanish.
static trStatus try_forms(Split *s, const trSubspace *S, bool one_sign, bool *any, bool *done) {
    for (int j = 0; j < s->forms->d && !*done; j++) {
        if (!(restrict_form(s, S, j, s->R) > s->forms->zero)) {
            continue;
        }
        *any = true;
        if (may_have_one_sign(S->dim, s->R, s->forms->zero) == one_sign) {
            memcpy(s->keep, s->R, (size_t)S->dim * (size_t)S->dim * sizeof *s->R);
            TR_TRY(split(s, S, done));
        }
    }
    return TR_OK;
}

// One subspace from the queue: solutions, or parts of it that wait. Forms of one sign come first,
// for they leave one part only: so rows of loops do not double the parts with every loop.
static trStatus treat(Split *s, const trSubspace *S) {
    bool done = false, any = false;
    TR_TRY(try_forms(s, S, true, &any, &done));
    if (!any) {
        return keep(s, S);
    }
    TR_TRY(try_forms(s, S, false, &any, &done));
    if (!done && S->dim == 3) {
        TR_TRY(split_pair(s, S, &done));
        s->cone->curved = s->cone->curved || !done;
        return TR_OK;
    }
    return done ? TR_OK : by_newton(s, S);
}

trStatus tr_cone_find(trArena *arena, const trForms *forms, trCone *out) {
    int     k = forms->k;
    size_t  square = (size_t)k * (size_t)k;
    Split  *s = tr_new(arena, Split);
    double *one = tr_new_array(arena, double, square),
           *memory = tr_new_array(arena, double, 4 * square + 5 * (size_t)k);
    TR_TRY(tr_arena_status(arena));
    *out = (trCone){0};
    *s = (Split){.arena = arena, .forms = forms, .cone = out};
    s->R = memory;
    s->R2 = memory + square;
    s->keep = memory + 2 * square;
    s->half = memory + 3 * square;
    s->value = memory + 4 * square;
    s->work = s->value + k;
    for (int i = 0; i < k; i++) {
        one[i + (ptrdiff_t)i * k] = 1.0;
    }
    TR_TRY(wait(s, k, one));
    for (int i = 0; s->count > 0; i++) {
        trSubspace S = s->queue[s->first];
        s->first = (s->first + 1) % QUEUE;
        s->count--;
        if (i == MOST_SPLITS) {
            out->more = true;
            return TR_OK;
        }
        TR_TRY(treat(s, &S));
    }
    return TR_OK;
}
