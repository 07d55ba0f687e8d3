// SPDX-License-Identifier: MIT
// RATTLE on the second face: positions and velocities on the constraints, to rounding.
//
//     M0 (v_half - v0) = (h/2) (Q(t0, q0, v_half) - A0' lambda)        q1 = q0 (+) h v_half
//     phi(t1, q1) = 0          (A0 v_half - b1_0 + A1 v_half - b1_1) / 2 = 0 if nonholonomic
//     M1 (v1 - v_half) = (h/2) (Q(t1, q1, v_half) - A1' mu)            A1 v1 = b1_1
//
// The map is symmetric: h < 0 takes the end back to the start. It is therefore of even order, two.
// With constant M and forces from potentials it is symplectic, too, and energy does not drift.
//
// v_half is found by a simplified Newton method with M and A of the start; forces that depend on
// velocities take part as a fixed point. A correction dv is along M0^-1 A0', and meets the
// constraints as they are at the end, A1 dv = -gap, by a few solves.
//
// Five steps, one of them backwards, make one of order four, rattle4 (Suzuki):
//
//     h_1 = h_2 = h_4 = h_5 = g h,   h_3 = (1 - 4 g) h       g = 1 / (4 - 4^(1/3))
//
// so that 4 g^3 + (1 - 4 g)^3 = 0, which removes the error of third order; being symmetric, the
// whole has none of fourth. Inner times stay within the step. The sum of h_k^5 is a seventieth of
// that of three steps (Yoshida), for 5/3 of their cost.
// Reference: Andersen, J. Comput. Phys. 52 (1983), 24-34; Hairer, Lubich and Wanner, Geometric
// Numerical Integration, 2nd ed. 2006, VII.1.4; Suzuki, Phys. Lett. A 146 (1990), 319-323; Reich,
// SIAM J. Numer. Anal. 33 (1996).

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "integrator/integrator.h"

#define MAX_ITERATIONS 50
#define PATIENCE 5          // iterations after which corrections must be less than the first
#define ROUNDING 2e-16      // of positions, relative to 1 + max|q|
#define CLOSE_ENOUGH 1e-10  // likewise, what must be reached
#define MAX_SOLVES 3        // for one correction

typedef struct Rattle {
    int                nq, nv, m;
    trRows             rows;    // A at the end of the step, with values of its own
    double            *value;   // of `rows`
    int                values;  // how many
    double            *a;       // nv: acceleration at the start of the step, for a first guess
    double            *v_half;  // nv
    double            *x;       // nv: h v_half
    double            *F;       // nv: momenta
    double            *dv;      // nv: a correction of v_half
    double            *y;       // m: multipliers of a solve
    double            *gap;     // m: what is left of the constraints at the end, as a velocity
    double            *wanted;  // m: what a correction still has to change
    const trEquations *end;     // as evaluated at the end of the step
    int64_t            iterations;
    int                steps;  // inner ones of a step
    const double      *part;   // steps + 1: of the step, where inner steps begin and end
    double            *q[2];   // nq: inner states, if there are more steps
    double            *v[2];   // nv
} Rattle;

// Evaluates at the end: the gap, A and, of holonomic rows, the largest violation.
static trStatus look(Rattle *w, const trDae *dae, const double t[2], const double *q0, double *q1,
                     double *violation) {
    const trEquations *e = NULL;
    double             h = t[1] - t[0];
    for (int i = 0; i < w->nv; i++) {
        w->x[i] = h * w->v_half[i];
    }
    dae->move(dae->context, q0, w->x, q1);
    TR_TRY(dae->evaluate(dae->context, t[1], q1, w->v_half, &e));
    w->end = e;
    memcpy(w->value, e->A.value, (size_t)w->values * sizeof *w->value);
    tr_rows_mul(&e->A, w->v_half, w->gap);
    *violation = 0.0;
    for (int i = 0; i < w->m; i++) {
        w->gap[i] = e->holonomic[i] ? e->phi[i] / h : 0.5 * (w->gap[i] - e->b1[i]);
        *violation =
            fmax(*violation, fabs(e->phi[i]) / (e->row_size == NULL ? 1.0 : e->row_size[i]));
    }
    return TR_OK;
}

// dv along M0^-1 A0' with A1 dv = -gap: each solve does so for A0, and the next one for what is
// left, which is less by a factor of the order of h. F is used up.
static trStatus solve(Rattle *w, const trDae *dae) {
    for (int k = 0; k < MAX_SOLVES; k++) {
        TR_TRY(dae->constrain(dae->context, w->F, w->wanted, w->x, w->y));
        for (int i = 0; i < w->nv; i++) {
            w->dv[i] += w->x[i];
            w->F[i] = 0.0;
        }
        tr_rows_mul(&w->rows, w->dv, w->wanted);
        for (int i = 0; i < w->m; i++) {
            w->wanted[i] = -w->gap[i] - w->wanted[i];
        }
    }
    return TR_OK;
}

// One correction of v_half; `size` receives that of positions.
static trStatus correct(Rattle *w, const trDae *dae, const double t[2], const double *q0,
                        const double *v0, double *size) {
    const trEquations *e = NULL;
    double             h = t[1] - t[0];
    TR_TRY(dae->evaluate(dae->context, t[0], q0, w->v_half, &e));
    w->iterations++;
    for (int i = 0; i < w->nv; i++) {
        w->x[i] = v0[i] - w->v_half[i];
        w->dv[i] = 0.0;
    }
    tr_mass_mul(&e->M, w->x, w->F);
    tr_add_scaled(w->nv, 0.5 * h, e->Q, w->F);
    tr_rows_mul(&e->A, w->v_half, w->wanted);
    for (int i = 0; i < w->m; i++) {
        w->gap[i] += e->holonomic[i] ? 0.0 : 0.5 * (w->wanted[i] - e->b1[i]);
        w->wanted[i] = -w->gap[i];
    }
    TR_TRY(solve(w, dae));
    tr_add_scaled(w->nv, 1.0, w->dv, w->v_half);
    *size = fabs(h) * tr_largest(w->nv, w->dv);
    return TR_OK;
}

// To rounding: until what the next correction would change is, by the rate of the last ones, less.
// The evaluation is then that of the end.
static trStatus first_half(Rattle *w, const trDae *dae, const double t[2], const double *q0,
                           const double *v0, double *q1) {
    double h = t[1] - t[0], size = INFINITY, unit = 1.0 + tr_largest(w->nq, q0), violation = 0.0;
    double first = INFINITY;
    bool   done = false;
    for (int i = 0; i < w->nv; i++) {
        w->v_half[i] = v0[i] + 0.5 * h * w->a[i];
    }
    TR_TRY(look(w, dae, t, q0, q1, &violation));
    for (int k = 0; k < MAX_ITERATIONS && !done && (k < PATIENCE || size < first); k++) {
        double before = size;
        TR_TRY(correct(w, dae, t, q0, v0, &size));
        TR_TRY(look(w, dae, t, q0, q1, &violation));
        first = k == 0 ? size : first;
        double rate = k == 0 ? 1.0 : fmin(size / before, 1.0);
        done =
            size * rate <= ROUNDING * unit || (k > 0 && rate >= 1.0 && size <= CLOSE_ENOUGH * unit);
    }
    if (!(violation <= CLOSE_ENOUGH * unit)) {
        return tr_fail(TR_NO_CONVERGENCE,
                       "t = %.9g s: constraints stay violated by %.2g; take a smaller step", t[1],
                       violation);
    }
    return done ? TR_OK
                : tr_fail(TR_E_SIMULATION,
                          "t = %.9g s: forces that depend on velocities do not converge within a "
                          "step; take a smaller step, or radau5, which chooses its steps",
                          t[1]);
}

// What was evaluated last is (t1, q1, v_half).
static trStatus second_half(Rattle *w, const trDae *dae, const double t[2], double *v1) {
    const trEquations *e = w->end;
    double             h = t[1] - t[0];
    for (int i = 0; i < w->nv; i++) {
        w->F[i] = 0.5 * h * e->Q[i];
    }
    tr_rows_mul(&e->A, w->v_half, w->gap);
    for (int i = 0; i < w->m; i++) {
        w->wanted[i] = e->b1[i] - w->gap[i];
    }
    TR_TRY(dae->constrain(dae->context, w->F, w->wanted, w->dv, w->y));
    for (int i = 0; i < w->nv; i++) {
        v1[i] = w->v_half[i] + w->dv[i];
        w->a[i] = 2.0 * w->dv[i] / h;
    }
    return TR_OK;
}

#define G 0.41449077179437571  // 1 / (4 - 4^(1/3))

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    static const double one[] = {0.0, 1.0}, five[] = {0.0, G, 2.0 * G, 1.0 - 2.0 * G, 1.0 - G, 1.0};
    const bool          fourth = settings->kind->order == 4;
    Rattle             *w = tr_new(arena, Rattle);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    *work = w;
    w->steps = fourth ? 5 : 1;
    w->part = fourth ? five : one;
    for (int i = 0; fourth && i < 2; i++) {
        w->q[i] = tr_new_array(arena, double, dae->nq);
        w->v[i] = tr_new_array(arena, double, dae->nv);
    }
    w->nq = dae->nq;
    w->nv = dae->nv;
    w->m = dae->m;
    w->values = tr_rows_values(&e->A);
    w->value = tr_new_array(arena, double, w->values);
    w->rows = e->A;
    w->rows.value = w->value;
    double **vectors[] = {&w->a, &w->v_half, &w->x, &w->F, &w->dv};
    double **rows[] = {&w->y, &w->gap, &w->wanted};
    for (int i = 0; i < 5; i++) {
        *vectors[i] = tr_new_array(arena, double, w->nv);
    }
    for (int i = 0; i < 3; i++) {
        *rows[i] = tr_new_array(arena, double, w->m);
    }
    tr_keep_count(arena, &w->iterations);
    return tr_arena_status(arena);
}

// Steps begin with positions and velocities alone: there is no history.
static trStatus attempt(void *work, const trDae *dae, double *h, const trDaeState *s,
                        trDaeState *next, double *error) {
    Rattle            *w = work;
    const trEquations *e = NULL;
    const double      *q = s->q, *v = s->v;
    *error = 0.0;
    memcpy(w->a, s->a, (size_t)w->nv * sizeof *w->a);
    next->t = s->t + *h;
    for (int k = 0; k < w->steps; k++) {
        const double t[2] = {s->t + w->part[k] * *h, s->t + w->part[k + 1] * *h};
        const bool   last = k == w->steps - 1;
        double      *q1 = last ? next->q : w->q[k % 2], *v1 = last ? next->v : w->v[k % 2];
        TR_TRY(first_half(w, dae, t, q, v, q1));
        TR_TRY(second_half(w, dae, t, v1));
        q = q1;
        v = v1;
    }
    // M a + A' lambda = Q, A a = b
    TR_TRY(dae->evaluate(dae->context, next->t, next->q, next->v, &e));
    return dae->constrain(dae->context, e->Q, e->b, next->a, next->lambda);
}

static void count(const void *work, trIntegratorCounts *counts) {
    *counts = (trIntegratorCounts){.iterations = ((const Rattle *)work)->iterations};
}

static const trImplicitKind implicit = {
    .own_reactions = true,
    .plan = plan,
    .attempt = attempt,
};

const trIntegratorKind tr_integrator_rattle = {
    .name = "rattle",
    .summary = "symmetric, symplectic for constant M and potentials: energy does not drift",
    .source = "Andersen 1983; Hairer, Lubich & Wanner 2006, VII.1.4",
    .traits = TR_COPES_REDUNDANT | TR_COPES_SINGULAR_MASS | TR_COPES_NONHOLONOMIC,
    .order = 2,
    .dense_order = 2,
    .evaluations = 6,
    .count = count,
    .implicit = &implicit,
};

const trIntegratorKind tr_integrator_rattle4 = {
    .name = "rattle4",
    .summary = "five steps of rattle as one of order 4",
    .source = "Suzuki 1990; Reich 1996",
    .traits = TR_COPES_REDUNDANT | TR_COPES_SINGULAR_MASS | TR_COPES_NONHOLONOMIC,
    .order = 4,
    .dense_order = 2,
    .evaluations = 26,
    .count = count,
    .implicit = &implicit,
};
