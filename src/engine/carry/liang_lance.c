// SPDX-License-Identifier: MIT
// The moving basis of Liang and Lance: speeds e in an orthonormal basis that turns with the rows.
//
//     [A' E'] = [V_D V_I] [R .; 0 .]      Gram-Schmidt, twice; E' = V_I where the step began
//     y  = (e, 0)                         e = V_I' v, n - m numbers
//     v  = V_D R^-T b1 + V_I e            so that A v = R' V_D' v = b1
//     e' = V_I' a + (rate of V_I)' v
//
// E is renewed at every accepted state, so that e is continuous from step to step. A direction of E
// that has turned by a right angle against the free motions would come out with either sign: such a
// stage is refused long before. M is not needed. See docs/theory/carried-states.md.

#include "carry/carry.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "basis/orthogonalize.h"

#define LEAST_LEFT 0.5  // of a direction of E in the free motions: it has turned by 60 degrees

typedef struct Work {
    int     n, m;
    bool    begun;     // E is chosen
    double *A;         // m x n, column by column
    double *V;         // n x n: V_D, V_I of the state that was left or entered last
    double *V_image;   // n x n
    double *R;         // m x m, upper
    double *E;         // n x (n - m): columns
    double *nominal;   // m: largest norm of each row at accepted states
    double *u;         // n
    int     lost_row;  // found dependent last, or -1
} Work;

static trStatus plan(trArena *arena, const trEquations *e, trKernel *kernel, void **work) {
    Work     *w = *work = tr_new(arena, Work);
    const int n = e->nv, m = e->m;
    TR_TRY(tr_arena_status(arena));
    w->lost_row = -1;
    w->n = n;
    w->m = m;
    w->A = tr_new_array(arena, double, m *n);
    w->V = tr_new_array(arena, double, n *n);
    w->V_image = tr_new_array(arena, double, n *n);
    w->R = tr_new_array(arena, double, m *m);
    w->E = tr_new_array(arena, double, m < n ? n * (n - m) : 0);
    w->nominal = tr_new_array(arena, double, m);
    w->u = tr_new_array(arena, double, n);
    tr_keep_bool(arena, &w->begun);
    tr_keep_int(arena, &w->lost_row, -1, m - 1);
    return tr_arena_status(arena);
}

// Four sums at a time: one alone would wait for each addition.
static double dot(int n, const double *x, const double *y) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int    i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) {
            sum[k] += x[i + k] * y[i + k];
        }
    }
    for (; i < n; i++) {
        sum[0] += x[i] * y[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// x loses what lies along the first `count` columns of V; `along` (may be NULL) gets how much.
// Twice: what rounding leaves the first time is removed the second. Returns |x|.
static double orthogonalize(int n, const double *V, int count, double *x, double *along) {
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < count; j++) {
            const double *column = V + j * n;
            double        part = dot(n, column, x);
            for (int i = 0; i < n; i++) {
                x[i] -= part * column[i];
            }
            if (along != NULL) {
                along[j] += part;
            }
        }
    }
    return sqrt(dot(n, x, x));
}

static void scale(int n, double factor, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] *= factor;
    }
}

// V_D and R.
static trStatus span_rows(Work *w, const trEquations *e, double *V) {
    int n = w->n, m = w->m;
    memset(w->R, 0, (size_t)m * (size_t)m * sizeof *w->R);
    tr_rows_dense(&e->A, w->A);
    for (int k = 0; k < m; k++) {
        double *x = k < n ? V + k * n : w->u;
        double *R = w->R + k * m;
        for (int i = 0; i < n; i++) {
            x[i] = w->A[k + m * i];
        }
        double left = orthogonalize(n, V, k < n ? k : n, x, R);
        if (k >= n || !(left > e->rank_tolerance * w->nominal[k])) {
            w->lost_row = k;
            return tr_fail(
                TR_SINGULAR,
                "row %d of %d of the constraints depends on those before it, which the moving "
                "basis 'liang_lance' does not support; use direct_mass or masarati",
                k + 1, m);
        }
        R[k] = left;
        scale(n, 1.0 / left, x);
    }
    return TR_OK;
}

// V_I from E. V_D is in V already.
static trStatus span_free(const Work *w, double *V) {
    for (int k = w->m; k < w->n; k++) {
        double *x = V + k * w->n;
        memcpy(x, w->E + (k - w->m) * w->n, (size_t)w->n * sizeof *x);
        double left = orthogonalize(w->n, V, k, x, NULL);
        if (!(left >= LEAST_LEFT)) {
            return tr_fail(TR_SINGULAR,
                           "the moving basis 'liang_lance' turns by more than 60 degrees in one "
                           "step; take a smaller step");
        }
        scale(w->n, 1.0 / left, x);
    }
    return TR_OK;
}

// V_I from unit vectors, each time the one that has the most left: sqrt((n - k) / n) or more.
static void choose_free(const Work *w, double *V) {
    const int n = w->n;
    for (int k = w->m; k < n; k++) {
        double *x = V + k * n;
        memset(x, 0, (size_t)n * sizeof *x);
        x[tr_farthest_axis(n, k, V)] = 1.0;
        scale(n, 1.0 / orthogonalize(n, V, k, x, NULL), x);
    }
}

// y = (V_I' x, 0)
static void to_free(const Work *w, const double *V, const double *x, double *y) {
    for (int k = 0; k < w->n; k++) {
        int at = w->m + k;
        y[k] = at < w->n ? dot(w->n, V + at * w->n, x) : 0.0;
    }
}

static trStatus enter(void *work, const trEquations *e, const double *v, double *y) {
    Work *w = work;
    int   n = w->n, m = w->m;
    tr_rows_dense(&e->A, w->A);
    for (int k = 0; k < m; k++) {
        double squares = 0.0;
        for (int i = 0; i < n; i++) {
            double x = w->A[k + m * i];
            squares += x * x;
        }
        w->nominal[k] = fmax(w->nominal[k], sqrt(squares));
    }
    TR_TRY(span_rows(w, e, w->V));
    if (!w->begun || span_free(w, w->V) != TR_OK) {
        choose_free(w, w->V);
    }
    if (m < n) {
        memcpy(w->E, w->V + m * n, (size_t)n * (size_t)(n - m) * sizeof *w->E);
    }
    w->begun = true;
    to_free(w, w->V, v, y);
    return TR_OK;
}

// v = V_D u + V_I e with R' u = b1
static trStatus leave(void *work, const trEquations *e, const double *y, double *v) {
    Work *w = work;
    int   n = w->n, m = w->m;
    TR_TRY(span_rows(w, e, w->V));
    TR_TRY(span_free(w, w->V));
    for (int k = 0; k < m; k++) {
        const double *R = w->R + k * m;
        w->u[k] = (e->b1[k] - dot(k, R, w->u)) / R[k];
    }
    memset(v, 0, (size_t)n * sizeof *v);
    for (int k = 0; k < n; k++) {
        const double *column = w->V + k * n;
        double        amount = k < m ? w->u[k] : y[k - m];
        for (int i = 0; i < n; i++) {
            v[i] += amount * column[i];
        }
    }
    return TR_OK;
}

static void rate(void *work, const double *F, const double *a, double *out) {
    const Work *w = work;
    to_free(w, w->V, a, out);
}

static trStatus image(void *work, const trEquations *e, const double *v, double *out) {
    Work *w = work;
    TR_TRY(span_rows(w, e, w->V_image));
    TR_TRY(span_free(w, w->V_image));
    to_free(w, w->V_image, v, out);
    return TR_OK;
}

static int lost_row(const void *work) {
    return ((const Work *)work)->lost_row;
}

const trCarryKind tr_carry_liang_lance = {
    .name = "liang_lance",
    .summary = "speeds in an orthonormal basis that turns with the rows, V_I' v",
    .source = "Liang & Lance 1987; Laulusa & Bauchau 2008, section 4.2",
    .traits =
        (TR_COPES_ALL & ~(TR_COPES_REDUNDANT | TR_COPES_SINGULAR_POSE)) | TR_DENSE | TR_BY_UNITS,
    .plan = plan,
    .enter = enter,
    .leave = leave,
    .rate = rate,
    .image = image,
    .lost_row = lost_row,
};
