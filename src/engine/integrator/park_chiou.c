// SPDX-License-Identifier: MIT
// Constraints as stiff equations for their multipliers, with the softness epsilon, by the implicit
// midpoint rule:
//
//     epsilon lambda' = A v - b1
//
//     epsilon lambda_m = epsilon lambda_n + (h/2) (A v_m - b1)
//     M v_m = M v_n + (h/2) (Q - A' lambda_m)                       q_m = q_n (+) (h/2) v_m
//     v_n+1 = 2 v_m - v_n,  lambda_n+1 = 2 lambda_m - lambda_n      q_n+1 = q_n (+) h v_m
//
// with M, A, b1 and Q at m, the middle of the step.
//
// Without lambda_m the matrix of v_m is M + (h^2 / 4 epsilon) A'A: positive definite wherever mass
// and constraints leave no motion without inertia, whatever the rank of A. It is renewed in every
// iteration, which solves for a correction: the total form loses digits with 1 / epsilon.
// Reference: Park and Chiou, J. Guid. Control Dyn. 11 (1988), 365-370, as told by Tseng and
// Hulbert (2001), section 2.4, eq. (11); the rule is that of this file.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "integrator/integrator.h"
#include "la/dense.h"

#define MAX_ITERATIONS 50
#define PATIENCE 5          // iterations after which corrections must be less than the first
#define ROUNDING 2e-16      // of positions, relative to 1 + max|q|
#define CLOSE_ENOUGH 1e-10  // likewise, what must be reached
#define MOST_SWING 20.0  // of the method's constraint forces about the true ones; usual are 1 to 6
#define NO_FORCE 1e-6    // of the momentum, in one step: rounding divided by epsilon is less

typedef struct Options {
    double epsilon;
} Options;

// clang-format off
static const trField fields[] = {
    TR_FIELD(Options, epsilon, TR_FIELD_REAL, TR_POSITIVE, 1e-10, "", "softness of park_chiou, for rows as written: violations are about epsilon times the multipliers"),
    TR_FIELD_END,
};
// clang-format on

typedef struct Work {
    int     nq, nv, m;
    double  epsilon;
    double *lambda, *lambda_next;  // m: the method's own multipliers
    double *lambda_m;              // m: in the middle
    double *rate;                  // m: A v - b1
    double *q_m;                   // nq
    double *v_m, *x, *r;           // nv: in the middle; displacement; residual, then dv
    double *A;                     // m x nv, column by column
    double *W;                     // nv x nv
    double *diagonal;              // nv
    double  force;                 // the largest constraint force so far, of equations [N or N m]
    int64_t iterations;
} Work;

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    Work *w = tr_new(arena, Work);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->nq = dae->nq;
    w->nv = dae->nv;
    w->m = dae->m;
    w->epsilon = ((const Options *)settings->options)->epsilon;
    double **vectors[] = {&w->v_m, &w->x, &w->r, &w->diagonal};
    double **rows[] = {&w->lambda, &w->lambda_next, &w->lambda_m, &w->rate};
    for (int i = 0; i < 4; i++) {
        *vectors[i] = tr_new_array(arena, double, w->nv);
        *rows[i] = tr_new_array(arena, double, w->m);
    }
    size_t n = (size_t)w->nv, m = (size_t)w->m;
    w->q_m = tr_new_array(arena, double, w->nq);
    w->A = tr_new_array(arena, double, m *n);
    w->W = tr_new_array(arena, double, n *n);
    tr_keep_double(arena, &w->force);
    tr_keep_count(arena, &w->iterations);
    *work = w;
    return tr_arena_status(arena);
}

static trStatus begin(void *work, const trDae *dae, const trDaeState *s) {
    Work *w = work;
    for (int i = 0; i < w->m; i++) {
        w->lambda[i] = w->lambda_next[i] = s->lambda[i];
    }
    w->force = 0.0;
    return TR_OK;
}

// W = M + weight A'A, its lower triangle.
static void fill(Work *w, const trEquations *e, double weight) {
    const size_t n = (size_t)w->nv, m = (size_t)w->m;
    tr_rows_dense(&e->A, w->A);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = 0.0, mass = i == j && e->M.dense == NULL ? e->M.diagonal[j] : 0.0;
            for (size_t k = 0; k < m; k++) {
                sum += w->A[i * m + k] * w->A[j * m + k];
            }
            mass = e->M.dense != NULL ? e->M.dense[j * n + i] : mass;
            w->W[j * n + i] = mass + weight * sum;
        }
    }
}

// r = M (v_n - v_m) + (h/2) (Q - A' lambda_m), with lambda_m that of v_m.
static void find_residual(Work *w, const trEquations *e, double h, const double *v) {
    tr_rows_mul(&e->A, w->v_m, w->rate);
    for (int i = 0; i < w->m; i++) {
        w->lambda_m[i] = w->lambda[i] + 0.5 * h / w->epsilon * (w->rate[i] - e->b1[i]);
        w->rate[i] = 0.5 * h * w->lambda_m[i];
    }
    for (int i = 0; i < w->nv; i++) {
        w->x[i] = v[i] - w->v_m[i];
    }
    tr_mass_mul(&e->M, w->x, w->r);
    tr_add_scaled(w->nv, 0.5 * h, e->Q, w->r);
    tr_rows_tmul_sub(&e->A, w->rate, w->r);
}

// One correction of v_m; `size` receives that of positions.
static trStatus correct(Work *w, const trDae *dae, double h, const trDaeState *s, double *size) {
    const trEquations *e = NULL;
    for (int i = 0; i < w->nv; i++) {
        w->x[i] = 0.5 * h * w->v_m[i];
    }
    dae->move(dae->context, s->q, w->x, w->q_m);
    TR_TRY(dae->evaluate(dae->context, s->t + 0.5 * h, w->q_m, w->v_m, &e));
    w->iterations++;
    find_residual(w, e, h, s->v);
    fill(w, e, 0.25 * h * h / w->epsilon);
    trStatus status = tr_cholesky_factor(w->nv, w->W, w->diagonal, NULL);
    if (status != TR_OK) {
        return tr_fail(status,
                       "t = %.9g s: M drowns in (h^2 / 4 epsilon) A'A; take a larger epsilon, a "
                       "smaller step, or direct_mass",
                       s->t + 0.5 * h);
    }
    tr_cholesky_forward(w->nv, w->W, 1, w->r);
    tr_cholesky_backward(w->nv, w->W, w->r);
    tr_add_scaled(w->nv, 1.0, w->r, w->v_m);
    tr_rows_mul(&e->A, w->r, w->rate);
    tr_add_scaled(w->m, 0.5 * h / w->epsilon, w->rate, w->lambda_m);
    *size = 0.5 * h * tr_largest(w->nv, w->r);
    return TR_OK;
}

static trStatus find_middle(Work *w, const trDae *dae, double h, const trDaeState *s) {
    double size = INFINITY, first = INFINITY, unit = 1.0 + tr_largest(w->nq, s->q);
    bool   done = false;
    for (int i = 0; i < w->nv; i++) {
        w->v_m[i] = s->v[i] + 0.5 * h * s->a[i];
    }
    for (int k = 0; k < MAX_ITERATIONS && !done && (k < PATIENCE || size < first); k++) {
        double before = size;
        TR_TRY(correct(w, dae, h, s, &size));
        first = k == 0 ? size : first;
        double rate = k == 0 ? 1.0 : fmin(size / before, 1.0);
        done =
            size * rate <= ROUNDING * unit || (k > 0 && rate >= 1.0 && size <= CLOSE_ENOUGH * unit);
    }
    if (!done) {  // where there are constraints, sim says which of them is violated most
        return tr_fail(TR_NO_CONVERGENCE,
                       "t = %.9g s: Newton's method did not converge in the middle of the step "
                       "(last correction %.2g); "
                       "take a smaller step or a larger epsilon",
                       s->t + 0.5 * h, size);
    }
    return TR_OK;
}

// The largest entry of A' lambda at what was evaluated last; r is memory.
static double force_of(Work *w, const trEquations *e, const double *lambda) {
    memset(w->r, 0, (size_t)w->nv * sizeof *w->r);
    tr_rows_tmul_sub(&e->A, lambda, w->r);
    return tr_largest(w->nv, w->r);
}

// The midpoint rule does not damp lambda. Near a pose where rows become dependent it is thrown far
// off, and swings ever after with an energy, epsilon lambda^2 / 2, that the motion has lost.
static trStatus check_swing(Work *w, const trEquations *e, double h, const trDaeState *next) {
    tr_mass_mul(&e->M, next->v, w->x);
    double least = NO_FORCE * tr_largest(w->nv, w->x) / h;
    w->force = fmax(w->force, fmax(least, force_of(w, e, next->lambda)));
    double own = force_of(w, e, w->lambda_next);
    return own <= MOST_SWING * w->force
               ? TR_OK
               : tr_fail(TR_E_SIMULATION,
                         "t = %.9g s: multipliers of park_chiou oscillate %.0f times as much as "
                         "constraint forces, as they do after singular poses; take a smaller step, "
                         "or direct_mass",
                         next->t, own / w->force);
}

// Results show accelerations and multipliers that belong to the new state; lambda_n+1 of the method
// swings about them, and stays inside it.
static trStatus attempt(void *work, const trDae *dae, double *step, const trDaeState *s,
                        trDaeState *next, double *error) {
    double h = *step;
    *error = 0.0;
    Work              *w = work;
    const trEquations *e = NULL;
    TR_TRY(find_middle(w, dae, h, s));
    next->t = s->t + h;
    for (int i = 0; i < w->nv; i++) {
        w->x[i] = h * w->v_m[i];
        next->v[i] = 2.0 * w->v_m[i] - s->v[i];
    }
    dae->move(dae->context, s->q, w->x, next->q);
    for (int i = 0; i < w->m; i++) {
        w->lambda_next[i] = 2.0 * w->lambda_m[i] - w->lambda[i];
    }
    TR_TRY(dae->evaluate(dae->context, next->t, next->q, next->v, &e));
    TR_TRY(dae->constrain(dae->context, e->Q, e->b, next->a, next->lambda));
    return check_swing(w, e, h, next);
}

static void accept(void *work) {
    Work *w = work;
    memcpy(w->lambda, w->lambda_next, (size_t)w->m * sizeof *w->lambda);
}

static void count(const void *work, trIntegratorCounts *counts) {
    *counts = (trIntegratorCounts){.iterations = ((const Work *)work)->iterations};
}

static const trImplicitKind implicit = {
    .own_reactions = true,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .accept = accept,
};

const trIntegratorKind tr_integrator_park_chiou = {
    .name = "park_chiou",
    .summary = "soft: implicit midpoint, epsilon lambda' = A v - b1; dense",
    .source = "Park & Chiou 1988; Tseng & Hulbert 2001, section 2.4",
    // epsilon belongs to rows as they are written
    .traits = TR_COPES_REDUNDANT | TR_COPES_SINGULAR_MASS | TR_COPES_NONHOLONOMIC | TR_DENSE |
              TR_BY_UNITS,
    .order = 2,
    .dense_order = 2,
    .evaluations = 4,
    .size = sizeof(Options),
    .fields = fields,
    .count = count,
    .implicit = &implicit,
};
