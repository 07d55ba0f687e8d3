// SPDX-License-Identifier: MIT
// The pose: rank, what its rows leave free to first order, and the forms of second order.
//
// Differentiate A v = b1 once more along a motion: A a = b(v), and for every l with l' A = 0
//
//     l' b(v) = 0        b(v) = -(dA/dt) v, what a system evaluates anyway
//
// With time as a coordinate, b(v, tau) = B(v, v) + tau c(v) + tau^2 b(0), of which B and c are the
// even and the odd part of b(v) - b(0).

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "branches/branches.h"

#define SMALLEST_ROW 1e-3  // of the largest: what is less is a row that vanishes here
#define TRIAL_TIME 0.37    // [s]: rows that differ so much later depend on time

// The extent of the bodies' positions: a length that tells large mechanisms from small ones.
static double size_of(const trFork *p) {
    const int each = p->bodies > 0 ? p->nq / p->bodies : 0;
    double    size = 0.0;
    for (int k = 0; k < p->dim; k++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < p->bodies; i++) {
            least = fmin(least, p->q[each * i + k]);
            most = fmax(most, p->q[each * i + k]);
        }
        size = fmax(size, most - least);
    }
    return size > 0.0 ? size : 1.0;
}

double tr_fork_measure(const trFork *p, const double *w) {
    double most = 0.0;
    for (int i = 0; i < p->nv; i++) {
        most = fmax(most, fabs(w[i]) / p->weight[i]);
    }
    return most;
}

void tr_fork_weigh(const trFork *p, double *w) {
    for (int i = 0; i < p->n; i++) {
        w[i] *= p->weight[i];
    }
}

static void find_weights(trFork *p) {
    for (int i = 0; i <= p->nv; i++) {
        bool length = i < p->nv && p->dim != 0 && !tr_system_velocity(p->system, i).turns;
        p->weight[i] = length ? p->size : 1.0;
    }
}

static trStatus evaluate_b(trFork *p, const double *v, double factor, double *b) {
    for (int i = 0; i < p->nv; i++) {
        p->v[i] = factor * v[i];
    }
    TR_TRY(tr_eval_at(p->eval, p->t, p->q, p->v, NULL));
    for (int i = 0; i < p->m; i++) {
        b[i] = tr_eval_b(p->eval)[i] / p->scale[i];
    }
    return TR_OK;
}

static trStatus depends_on_time(trFork *p, bool *out) {
    double *phi = p->right;
    *out = false;
    TR_TRY(tr_eval_at(p->eval, p->t, p->q, p->zero, NULL));
    for (int i = 0; i < p->m; i++) {
        *out = *out || tr_eval_b1(p->eval)[i] != 0.0 || tr_eval_b(p->eval)[i] != 0.0;
        phi[i] = tr_eval_phi(p->eval)[i];
    }
    TR_TRY(tr_eval_at(p->eval, p->t + TRIAL_TIME, p->q, p->zero, NULL));
    for (int i = 0; i < p->m; i++) {
        *out = *out || tr_eval_b1(p->eval)[i] != 0.0 || tr_eval_phi(p->eval)[i] != phi[i];
    }
    return TR_OK;
}

static void find_scales(trFork *p) {
    double most = 0.0;
    for (int i = 0; i < p->m; i++) {
        const double *row = p->rows + (ptrdiff_t)i * p->n;
        p->scale[i] = sqrt(tr_dot(p->nv, row, row));
        most = fmax(most, p->scale[i]);
    }
    for (int i = 0; i < p->m; i++) {
        p->scale[i] = fmax(p->scale[i], most > 0.0 ? SMALLEST_ROW * most : 1.0);
    }
}

// (A, -b1)' at (t, q), lengths in units of the mechanism's size, divided by the nominal norms: so
// ranks depend neither on units nor on the size.
static trStatus fill_rows(trFork *p, double t, const double *q) {
    double *dense = p->spare;
    TR_TRY(tr_eval_at(p->eval, t, q, p->zero, NULL));
    tr_eval_dense_A(p->eval, dense);
    for (int i = 0; i < p->m; i++) {
        double *row = p->rows + (ptrdiff_t)i * p->n;
        for (int j = 0; j < p->nv; j++) {
            row[j] = dense[(ptrdiff_t)i * p->nv + j] * p->weight[j] / p->scale[i];
        }
        if (p->n > p->nv) {
            row[p->nv] = -tr_eval_b1(p->eval)[i] / p->scale[i];
        }
    }
    return TR_OK;
}

trStatus tr_fork_factor(trFork *p, double t, const double *q, double tolerance) {
    TR_TRY(fill_rows(p, t, q));
    memcpy(p->qr.X, p->rows, (size_t)p->n * (size_t)p->m * sizeof *p->rows);
    return tr_rrqr_factor(&p->qr, tolerance);
}

void tr_fork_correct(trFork *p, const double *off) {
    double *dv = p->step;
    memset(dv, 0, (size_t)p->n * sizeof *dv);
    for (int i = 0; i < p->qr.rank; i++) {
        int row = p->qr.pivot[i];
        dv[i] = -off[row] / p->scale[row];
    }
    tr_rrqr_solve_rt(&p->qr, dv);
    tr_rrqr_mul_q(&p->qr, dv);
    tr_fork_weigh(p, dv);
}

static void destroy_eval(void *eval) {
    tr_eval_destroy(eval);
}

static trStatus plan(trArena *arena, trFork *p) {
    size_t n = (size_t)p->nv + 1, m = (size_t)p->m;
    p->rows = tr_new_array(arena, double, n *m);
    p->spare = tr_new_array(arena, double, 2 * n * m);
    p->scale = tr_new_array(arena, double, m);
    p->right = tr_new_array(arena, double, m);
    p->b0 = tr_new_array(arena, double, m);
    p->b = tr_new_array(arena, double, m);
    p->minus = tr_new_array(arena, double, m);
    p->step = tr_new_array(arena, double, n);
    p->weight = tr_new_array(arena, double, n);
    p->zero = tr_new_array(arena, double, n);
    p->v = tr_new_array(arena, double, n);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_eval_create(p->system, &p->eval));
    tr_arena_defer(arena, destroy_eval, p->eval);
    return tr_arena_status(arena);
}

// N: the last columns of Q in (A, -b1)' P = Q R. L: each row that depends on others, without them.
// The first rows are kept, so that a dependent row tells of its own loop and not of all.
static trStatus find_bases(trArena *arena, trFork *p) {
    size_t size = (size_t)p->n * (size_t)p->m;
    memcpy(p->qr.X, p->rows, size * sizeof *p->rows);
    TR_TRY(tr_rrqr_factor_first(&p->qr, p->tolerance, NULL, p->spare));
    p->rank = p->qr.rank;
    p->k = p->n - p->rank;
    p->d = p->m - p->rank;
    p->N = tr_new_array(arena, double, (size_t)p->n *(size_t)p->k);
    p->L = tr_new_array(arena, double, (size_t)p->m *(size_t)p->d);
    TR_TRY(tr_arena_status(arena));
    for (int a = 0; a < p->k; a++) {
        p->N[(ptrdiff_t)a * p->n + p->rank + a] = 1.0;
        tr_rrqr_mul_q(&p->qr, p->N + (ptrdiff_t)a * p->n);
        tr_fork_weigh(p, p->N + (ptrdiff_t)a * p->n);
    }
    for (int j = 0; j < p->d; j++) {
        int     row = p->qr.pivot[p->rank + j];
        double *l = p->L + (ptrdiff_t)j * p->m;
        memcpy(p->step, p->rows + (ptrdiff_t)row * p->n, (size_t)p->n * sizeof *p->step);
        tr_rrqr_mul_qt(&p->qr, p->step);
        tr_rrqr_solve_r(&p->qr, p->step);
        l[row] = 1.0;
        for (int i = 0; i < p->rank; i++) {
            l[p->qr.pivot[i]] = -p->step[i];
        }
    }
    return TR_OK;
}

trStatus tr_fork_find(trArena *arena, const trSystem *system, double t, const double *q,
                      double tolerance, trFork *out) {
    bool timed = false;
    *out = (trFork){.system = system,
                    .t = t,
                    .q = q,
                    .tolerance = tolerance,
                    .dim = tr_system_dim(system),
                    .bodies = tr_system_bodies(system) + tr_system_coordinates(system),
                    .nq = tr_system_nq(system),
                    .nv = tr_system_nv(system),
                    .m = tr_system_m(system),
                    .n = tr_system_nv(system)};
    out->size = size_of(out);
    TR_TRY(plan(arena, out));
    find_weights(out);
    if (tr_system_nonlinear_row(system) >= 0) {
        return tr_fail(TR_E_UNSUPPORTED, "branches need constraints that are linear in velocities");
    }
    TR_TRY(depends_on_time(out, &timed));
    out->n += timed ? 1 : 0;
    tr_rrqr_plan(arena, out->n, out->m, &out->qr);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < out->m; i++) {
        out->scale[i] = 1.0;
    }
    TR_TRY(fill_rows(out, t, q));
    find_scales(out);
    TR_TRY(fill_rows(out, t, q));
    TR_TRY(find_bases(arena, out));
    return evaluate_b(out, out->zero, 0.0, out->b0);
}

// b of the velocity x + sign y (n each), homogeneous with time as a coordinate, into p->b.
static trStatus evaluate_sum(trFork *p, const double *x, double sign, const double *y) {
    double *w = p->step;
    for (int i = 0; i < p->n; i++) {
        w[i] = x[i] + sign * y[i];
    }
    double tau = p->n > p->nv ? w[p->nv] : 0.0;
    TR_TRY(evaluate_b(p, w, 1.0, p->b));
    TR_TRY(evaluate_b(p, w, -1.0, p->minus));
    for (int i = 0; i < p->m; i++) {
        double even = 0.5 * (p->b[i] + p->minus[i]) - p->b0[i];
        double odd = 0.5 * (p->b[i] - p->minus[i]);
        p->b[i] = even + tau * odd + tau * tau * p->b0[i];
    }
    return TR_OK;
}

#define ZERO 1e-4  // of curvatures: poses are singular to about the root of what phi is held to

// H_ab = l' b(N_a, N_b) with b(x, y) = (b(x + y) - b(x - y)) / 4.
trStatus tr_fork_forms(trArena *arena, trFork *p, trForms *out) {
    int     k = p->k, d = p->d;
    size_t  square = (size_t)k * (size_t)k;
    double *H = tr_new_array(arena, double, square *(size_t)d), most = 0.0;
    TR_TRY(tr_arena_status(arena));
    for (int a = 0; d > 0 && a < k; a++) {
        for (int c = 0; c <= a; c++) {
            const double *x = p->N + (ptrdiff_t)a * p->n, *y = p->N + (ptrdiff_t)c * p->n;
            TR_TRY(evaluate_sum(p, x, -1.0, y));
            tr_copy(p->m, p->b, p->right);
            TR_TRY(evaluate_sum(p, x, 1.0, y));
            for (int i = 0; i < p->m; i++) {
                p->b[i] = 0.25 * (p->b[i] - p->right[i]);
                most = fmax(most, fabs(p->b[i]));
            }
            for (int j = 0; j < d; j++) {
                double sum = tr_dot(p->m, p->L + (ptrdiff_t)j * p->m, p->b);
                H[square * (size_t)j + (size_t)(a + c * k)] = sum;
                H[square * (size_t)j + (size_t)(c + a * k)] = sum;
            }
        }
    }
    *out = (trForms){k, d, H, ZERO * most};
    return TR_OK;
}
