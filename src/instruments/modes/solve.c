// SPDX-License-Identifier: MIT
// Eigenvalues and shapes.
//
// At rest and without damping, M s'' + K s = 0 with symmetric matrices: s^2 = -kappa. Elsewhere
// x' = X x, from which motions that nothing drives back are removed first: with the null space W of
// X and an orthonormal complement V, the rest has V' X V, and so on until no null space is left. So
// zeros that belong together do not come out as small numbers, and the others are as they would be
// without them. An eigenvector x of the rest belongs to X V x.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "la/dense.h"
#include "la/eigen.h"
#include "la/svd.h"
#include "la/symmetric.h"
#include "modes/modes.h"

#define ZERO 1e-13       // of kappa, and of singular values of X, against the largest there may be
#define SYMMETRIC 1e-10  // what may be left of D and of K - K'
#define MOVES 1e-12      // of a neutral motion of length 1: less is that of further states alone
#define UNSTABLE 1e-7    // re against |s|: less is rounding
#define PI 3.14159265358979323846

typedef struct Found {
    trLinear  *l;
    trMode    *mode;     // nx
    trNeutral *neutral;  // nx
    int        count, neutrals, zeros;
} Found;

static double *take(const trLinear *l, int rows, int columns) {
    return tr_new_array(l->arena, double, (size_t)rows *(size_t)columns);
}

// y = G s as a shape; NULL when out of memory.
static double *shape_of(const trLinear *l, const double *s) {
    double *y = take(l, l->n, 1);
    if (y != NULL) {
        tr_product(l->n, l->ns, 1, l->G, s, y);
    }
    return y;
}

// `s_im` may be NULL: a real shape.
static trStatus add_mode(Found *f, double re, double im, const double *s, const double *s_im) {
    const trLinear *l = f->l;
    trNeutral       words = {0};
    trMode         *mode = &f->mode[f->count++];
    double         *y = shape_of(l, s), *share = take(l, l->bodies, 1);
    double         *y_im = s_im != NULL ? shape_of(l, s_im) : take(l, l->n, 1);
    TR_TRY(tr_arena_status(l->arena));
    tr_modes_describe(l, y, y_im, share, &words);
    double size = hypot(re, im);
    *mode = (trMode){.re = re,
                     .im = im,
                     .frequency = im / (2.0 * PI),
                     .undamped = size / (2.0 * PI),
                     .damping = size > 0.0 ? -re / size : 0.0,
                     .unstable = re > UNSTABLE * size,
                     .shape = y,
                     .shape_im = y_im,
                     .part = words.part,
                     .motion = words.motion,
                     .share = words.share,
                     .body_share = share};
    return TR_OK;
}

// y[k] becomes the only one with a component at `at`.
static void eliminate(int n, int count, int k, int at, double **y) {
    int from = k;
    for (int j = k; j < count; j++) {
        from = fabs(y[j][at]) > fabs(y[from][at]) ? j : from;
    }
    double *pivot = y[from];
    y[from] = y[k];
    y[k] = pivot;
    for (int j = 0; pivot[at] != 0.0 && j < count; j++) {
        if (j != k) {
            tr_add_scaled(n, -(y[j][at] / pivot[at]), pivot, y[j]);
        }
    }
}

static int by_number(const void *one, const void *two) {
    return *(const int *)one - *(const int *)two;
}

// Other vectors that span the same, each with one component of its own: those that stand out in the
// space, whatever vectors it was given by. More vectors than move anything are of further states.
static trStatus simplify(const trLinear *l, int count, double **y) {
    trRrqr qr;
    tr_rrqr_plan(l->arena, count, l->n, &qr);
    TR_TRY(tr_arena_status(l->arena));
    for (int i = 0; i < l->n; i++) {
        for (int k = 0; k < count; k++) {
            qr.X[k + (ptrdiff_t)i * count] = y[k][i];
        }
    }
    TR_TRY(count == 0 ? TR_OK : tr_rrqr_factor(&qr, MOVES));
    qsort(qr.pivot, (size_t)qr.rank, sizeof *qr.pivot, by_number);
    for (int k = 0; k < qr.rank; k++) {
        eliminate(l->n, count, k, qr.pivot[k], y);
    }
    for (int k = qr.rank; k < count; k++) {
        memset(y[k], 0, (size_t)l->n * sizeof *y[k]);
    }
    return TR_OK;
}

// The neutral motions of `count` vectors s, each `stride` after the one before it.
static trStatus add_neutrals(Found *f, int count, const double *s, int stride) {
    const trLinear *l = f->l;
    double        **y = tr_new_array(l->arena, double *, count);
    TR_TRY(tr_arena_status(l->arena));
    for (int k = 0; k < count; k++) {
        y[k] = shape_of(l, s + (ptrdiff_t)k * stride);
        TR_TRY(tr_arena_status(l->arena));
    }
    TR_TRY(simplify(l, count, y));
    for (int k = 0; k < count; k++) {
        double *share = take(l, l->bodies, 1);
        TR_TRY(tr_arena_status(l->arena));
        tr_modes_describe(l, y[k], NULL, share, &f->neutral[f->neutrals++]);
    }
    return TR_OK;
}

// --- at rest, without damping ---

static bool is_symmetric(const trLinear *l) {
    int    n = l->nu;
    double most = 0.0;
    for (int i = 0; l->holonomic && i < n; i++) {
        for (int j = 0; j < i; j++) {
            most = fmax(most, fabs(l->Ku[i + (ptrdiff_t)j * n] - l->Ku[j + (ptrdiff_t)i * n]));
        }
    }
    return l->holonomic && l->nz == 0 && most <= SYMMETRIC * l->K_size &&
           tr_norm(n * n, l->Du) <= SYMMETRIC * SYMMETRIC * sqrt(l->K_size);
}

// L^-1 Ku L^-T, with L in Mu.
static void scale_stiffness(const trLinear *l, double *C, double *memory) {
    int n = l->nu;
    memcpy(memory, l->Ku, (size_t)n * (size_t)n * sizeof *memory);
    tr_cholesky_forward(n, l->Mu, n, memory);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            C[i + (ptrdiff_t)j * n] = memory[j + (ptrdiff_t)i * n];
        }
    }
    tr_cholesky_forward(n, l->Mu, n, C);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (C[i + (ptrdiff_t)j * n] + C[j + (ptrdiff_t)i * n]);
            C[i + (ptrdiff_t)j * n] = C[j + (ptrdiff_t)i * n] = mean;
        }
    }
}

static trStatus solve_symmetric(Found *f) {
    const trLinear *l = f->l;
    int             n = l->nu, neutrals = 0;
    double         *C = take(l, n, n), *memory = take(l, n, n), *kappa = take(l, n, 1);
    double         *work = take(l, n, 4);
    TR_TRY(tr_arena_status(l->arena));
    scale_stiffness(l, C, memory);
    TR_TRY(n == 0 ? TR_OK : tr_symmetric_eigen(n, C, kappa, work));
    for (int i = 0; i < n; i++) {
        double *s = C + (ptrdiff_t)i * n, root = sqrt(fabs(kappa[i]));
        tr_cholesky_backward(n, l->Mu, s);
        if (fabs(kappa[i]) <= ZERO * l->K_size) {
            f->zeros += 2;
            memcpy(memory + (ptrdiff_t)neutrals++ * n, s, (size_t)n * sizeof *s);
        } else if (kappa[i] > 0.0) {
            TR_TRY(add_mode(f, 0.0, root, s, NULL));
        } else {
            TR_TRY(add_mode(f, root, 0.0, s, NULL));
            TR_TRY(add_mode(f, -root, 0.0, s, NULL));
        }
    }
    return add_neutrals(f, neutrals, memory, n);
}

// --- the general case ---

// What is left after so many null spaces were removed.
typedef struct Level {
    int     n, rank;
    double *X;   // n x n
    double *Vt;  // n x n: the rows beyond the rank span the null space
} Level;

// Time in units of 1 / rate: u becomes u / rate, so that all entries are of about one size.
static double scale_time(const trLinear *l, double *X) {
    int    n = l->nx, from = l->ns, to = l->ns + l->nu;
    double rate = fmax(sqrt(l->K_size), l->D_size);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            bool u = (i >= from && i < to) || (j >= from && j < to);
            rate = u ? rate : fmax(rate, fabs(l->X[i + (ptrdiff_t)j * n]));
        }
    }
    rate = rate > 0.0 ? rate : 1.0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            bool   row = i >= from && i < to, column = j >= from && j < to;
            double factor = (column ? rate : 1.0) / (row ? rate : 1.0);
            X[i + (ptrdiff_t)j * n] = l->X[i + (ptrdiff_t)j * n] * factor / rate;
        }
    }
    return rate;
}

// The null space of level->X, and what is left without it.
static trStatus remove_null_space(const trLinear *l, Level *level, double **rest) {
    int   n = level->n;
    trSvd svd;
    tr_svd_plan(l->arena, n, n, &svd);
    TR_TRY(tr_arena_status(l->arena));
    memcpy(svd.X, level->X, (size_t)n * (size_t)n * sizeof *svd.X);
    TR_TRY(tr_svd_factor(&svd));
    level->Vt = svd.Vt;
    level->rank = 0;
    while (level->rank < n && svd.S[level->rank] > ZERO * fmax(1.0, svd.S[0])) {
        level->rank++;
    }
    int     r = level->rank;
    double *V = take(l, n, r), *XV = take(l, n, r);
    *rest = take(l, r, r);
    TR_TRY(tr_arena_status(l->arena));
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < n; i++) {
            V[i + (ptrdiff_t)j * n] = svd.Vt[j + (ptrdiff_t)i * n];
        }
    }
    tr_product(n, n, r, level->X, V, XV);
    tr_product_t(r, n, r, V, XV, *rest);
    return TR_OK;
}

// x = X V x from level to level, up to the first; `memory` as x.
static void lift(const Level *level, int levels, double *x, double *memory) {
    for (int k = levels - 1; k >= 0; k--) {
        int n = level[k].n;
        for (int i = 0; i < n; i++) {
            memory[i] = 0.0;
            for (int j = 0; j < level[k].rank; j++) {
                memory[i] += level[k].Vt[j + (ptrdiff_t)i * n] * x[j];
            }
        }
        tr_product(n, n, 1, level[k].X, memory, x);
    }
}

static trStatus add_all(Found *f, const Level *level, int levels, const trEigen *eigen,
                        double rate) {
    const trLinear *l = f->l;
    double         *x = take(l, l->nx, 1), *x_im = take(l, l->nx, 1), *memory = take(l, l->nx, 1);
    TR_TRY(tr_arena_status(l->arena));
    for (int i = 0; i < eigen->n; i++) {
        bool pair = eigen->im[i] != 0.0;
        memcpy(x, eigen->V + (ptrdiff_t)i * eigen->n, (size_t)eigen->n * sizeof *x);
        lift(level, levels, x, memory);
        if (pair) {
            memcpy(x_im, eigen->V + (ptrdiff_t)(i + 1) * eigen->n, (size_t)eigen->n * sizeof *x);
            lift(level, levels, x_im, memory);
        }
        TR_TRY(add_mode(f, rate * eigen->re[i], rate * eigen->im[i], x, pair ? x_im : NULL));
        i += pair;
    }
    return TR_OK;
}

// Displacements s alone: where nothing changes, u follows from them.
static trStatus add_null_space(Found *f, const Level *level) {
    int     n = level->n, count = n - level->rank;
    double *s = take(f->l, n, count);
    TR_TRY(tr_arena_status(f->l->arena));
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) {
            s[i + (ptrdiff_t)k * n] = level->Vt[level->rank + k + (ptrdiff_t)i * n];
        }
    }
    return add_neutrals(f, count, s, n);
}

static trStatus solve_general(Found *f) {
    const trLinear *l = f->l;
    Level          *level = tr_new_array(l->arena, Level, l->nx + 1);
    double         *X = take(l, l->nx, l->nx);
    int             n = l->nx, levels = 0;
    trEigen         eigen;
    TR_TRY(tr_arena_status(l->arena));
    double rate = scale_time(l, X);
    while (n > 0) {
        Level *now = &level[levels];
        *now = (Level){.n = n, .X = X};
        double *rest = NULL;
        TR_TRY(remove_null_space(l, now, &rest));
        if (now->rank == n) {
            break;
        }
        if (levels == 0) {
            TR_TRY(add_null_space(f, now));
        }
        n = now->rank;
        X = rest;
        levels++;
    }
    f->zeros = l->nx - n;
    tr_eigen_plan(l->arena, n, &eigen);
    TR_TRY(tr_arena_status(l->arena));
    memcpy(eigen.X, X, (size_t)n * (size_t)n * sizeof *X);
    TR_TRY(tr_eigen_factor(&eigen));
    return add_all(f, level, levels, &eigen, rate);
}

static int by_size(const void *one, const void *two) {
    const trMode *a = one, *b = two;
    if (a->undamped != b->undamped) {
        return a->undamped < b->undamped ? -1 : 1;
    }
    return (a->re > b->re) - (a->re < b->re);
}

trStatus tr_modes_solve(trLinear *l, trModes *out) {
    Found f = {.l = l,
               .mode = tr_new_array(l->arena, trMode, l->nx),
               .neutral = tr_new_array(l->arena, trNeutral, l->nx)};
    TR_TRY(tr_arena_status(l->arena));
    TR_TRY(is_symmetric(l) ? solve_symmetric(&f) : solve_general(&f));
    qsort(f.mode, (size_t)f.count, sizeof *f.mode, by_size);
    out->count = f.count;
    out->mode = f.mode;
    out->zeros = f.zeros;
    out->neutrals = f.neutrals;
    out->neutral = f.neutral;
    return TR_OK;
}
