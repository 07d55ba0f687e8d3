// SPDX-License-Identifier: MIT
// The calls of a user's integrator.
//
//     state    phi(t, q) = 0 by Newton's method, (16) and (17) of Masarati 2011, then (11a):
//              v <- v - W^-1 A' (A W^-1 A')^+ (A v - b1)
//     force    f <- f - A' lambda,  lambda = (A M^-1 A')^+ (A M^-1 f - b)          (19b)
//     accel    a <- a - M^-1 A' lambda,  lambda = (A M^-1 A')^+ (A a - b)          (11b)
//
// (8) of the paper has the sign of (11b) reversed.
//
// A state is consistent where what is left of a row is what rounding of q and v alone could do:
//
//     8 eps (sum |A_ij| (|q_j| + unit_j) + |b1 t|)          for phi
//     (8 + size) eps (sum |A_ij v_j| + |b1|)                for A v - b1

#include "constrain/constrain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "la/dense.h"

#define ROUNDING 8.0         // eps, of a phi that is left alone
#define ROUNDING_NEWTON 4.0  // eps, of a phi that Newton's method ends with
#define VELOCITY_LEFT 1e-9   // of A v - b1, relative: what may remain where it no longer falls
#define VELOCITY_ROUNDS 20   // for psi that is not linear in v

// sum |A_ij| x_j, where x_j is |q_j| and the unit of it, or |v_j| and `units` of it a second.
static double size_of_row(const trConstrain *c, int row, const double *x, double units) {
    const double *A = c->A + (size_t)row * (size_t)c->size;
    double        sum = 0.0;
    for (int j = 0; j < c->size; j++) {
        sum += fabs(A[j]) * (fabs(x[j]) + units * c->unit[j]);
    }
    return sum;
}

// The largest |phi| at the evaluated state, in what rounding may leave. Says how far Newton's
// method has to go.
static double worst_place(trConstrain *c) {
    const double asked = c->def.tolerance, reach = 1.0 + tr_largest(c->size, c->q_at);
    double       least = INFINITY, worst = 0.0;
    for (int i = 0; i < c->def.m; i++) {
        double size = size_of_row(c, i, c->q_at, 1.0) + fabs(c->b1[i] * c->t);
        double allowed = fmax(ROUNDING * DBL_EPSILON * size, asked * reach);
        worst = c->phi[i] != 0.0 ? fmax(worst, fabs(c->phi[i]) / fmax(allowed, DBL_MIN)) : worst;
        least = size > 0.0 ? fmin(least, size) : least;
    }
    least = isfinite(least) ? least : 0.0;
    c->projector.tolerance = fmax(asked, ROUNDING_NEWTON * DBL_EPSILON * least / reach);
    return worst;
}

// Puts q_new on the constraints.
static trStatus place(trConstrain *c, double t) {
    const size_t bytes = (size_t)c->size * sizeof(double);
    memcpy(c->q_kept, c->q_new, bytes);
    TR_TRY(tr_constrain_evaluate(c, t, c->q_new, c->v_new));
    const double before = c->def.m > 0 ? worst_place(c) : 0.0;
    if (before <= 1.0) {
        return TR_OK;
    }
    int      worst = -1;
    trStatus status =
        tr_project_position(&c->projector, &c->manifold, t, c->q_new, c->v_new, &worst);
    if (status == TR_NO_CONVERGENCE && worst >= 0) {
        return tr_fail(status,
                       "constraint '%s' cannot be satisfied at t = %.9g: Newton's method ends with "
                       "phi = %.6g",
                       c->names[worst], t, c->phi[worst]);
    }
    TR_TRY(status);
    if (worst_place(c) <= 0.5 * before) {
        return TR_OK;
    }
    // All that is left is rounding, more of it than was thought: q stays as it was.
    memcpy(c->q_new, c->q_kept, bytes);
    return tr_constrain_evaluate(c, t, c->q_new, c->v_new);
}

// The row whose A v - b1 is largest against what rounding leaves, and that ratio.
static int worst_rate(trConstrain *c, const double *v, double *ratio) {
    const double eps = (ROUNDING + c->size) * DBL_EPSILON;
    int          worst = 0;
    *ratio = 0.0;
    tr_rows_mul(&c->equations.A, v, c->rate);
    for (int i = 0; i < c->m; i++) {
        double left = fabs(c->rate[i] - c->b1[i]);
        double allowed = eps * (size_of_row(c, i, v, 0.0) + fabs(c->b1[i]));
        double here = left > 0.0 ? left / fmax(allowed, DBL_MIN) : 0.0;
        if (!(here <= *ratio)) {
            *ratio = here;
            worst = i;
        }
    }
    return worst;
}

// A correction that does not halve what is left is taken back if that is little: it is rounding
// then, such as rows leave that are dependent up to rounding. If it is much, rows contradict.
static trStatus move(trConstrain *c, double t) {
    const size_t bytes = (size_t)c->size * sizeof(double);
    double       before = INFINITY;
    for (int round = 0;; round++) {
        double ratio = 0.0;
        TR_TRY(tr_constrain_evaluate(c, t, c->q_new, c->v_new));
        const int worst = worst_rate(c, c->v_new, &ratio);
        if (ratio <= 1.0) {
            return TR_OK;
        }
        if (round == VELOCITY_ROUNDS || ratio > 0.5 * before) {
            const double left = fabs(c->rate[worst] - c->b1[worst]);
            const double size = size_of_row(c, worst, c->v_new, 1.0 / c->def.time_scale);
            if (left <= VELOCITY_LEFT * size) {
                memcpy(c->v_new, c->v_kept, bytes);
                return TR_OK;
            }
            if (c->k > 0 && round < VELOCITY_ROUNDS) {
                before = INFINITY;  // psi may be far from linear in v
                continue;
            }
            return tr_fail(TR_NO_CONVERGENCE,
                           "constraint '%s' cannot be satisfied by velocities at t = %.9g: %.6g is "
                           "left; does it contradict the others?",
                           c->names[worst], t, left);
        }
        before = ratio;
        memcpy(c->v_kept, c->v_new, bytes);
        TR_TRY(tr_project_velocity(&c->projector, &c->manifold, t, c->q_new, c->v_new));
    }
}

static void note_norms(const trConstrain *c, const trKernel *kernel, double *scale) {
    const bool factored = kernel->stamp == c->stamps && kernel->factorizations > 0;
    for (int i = 0; factored && i < c->m; i++) {
        scale[i] = fmax(scale[i], sqrt(kernel->kind->row_norms(kernel->work)[i]));
    }
}

// Nominal norms of rows grow to what they are at states that satisfy the constraints.
void tr_constrain_accept(trConstrain *c) {
    note_norms(c, &c->kernel, c->row_scale);
    if (c->W != NULL) {
        note_norms(c, &c->projector.own, c->weight_scale);
    }
}

typedef struct Owner {
    trConstrain       *c;
    trKernel          *kernel;
    const trEquations *e;
} Owner;

static trStatus judge(void *self, trRowJudge *out) {
    const Owner *owner = self;
    return tr_projector_judge(NULL, owner->kernel, owner->e, out);  // it judges all rows
}

static void set_spare(void *self, int row, bool spare) {
    trConstrain *c = ((const Owner *)self)->c;
    c->spare[row] = spare;
    c->equations.stamp = c->weighted.stamp = ++c->stamps;
}

trStatus tr_constrain_choose(trConstrain *c, trKernel *kernel, const trEquations *e) {
    Owner            self = {c, kernel, e};
    const trRowOwner owner = {.self = &self, .judge = judge, .set_spare = set_spare};
    trRank           rank;
    if (c->positions && c->k > 0) {  // rows of psi are not known here
        return TR_OK;
    }
    TR_TRY(tr_row_exchange_choose(&c->exchange, &owner, c->rank, &rank));
    c->rank = rank.rank;
    return TR_OK;
}

// Redundant rows agree on velocities as far as positions satisfy all of them, which those that are
// kept must be fit to see to.
static trStatus place_by_chosen(trConstrain *c, double t) {
    trKernel *kernel = c->projector.kernel;
    TR_TRY(place(c, t));
    if (c->rank == c->m && kernel->stamp != c->stamps) {  // nothing was moved
        return TR_OK;
    }
    const int64_t stamps = c->stamps;
    TR_TRY(tr_constrain_choose(c, kernel, &c->weighted));
    return c->stamps == stamps ? TR_OK : place(c, t);
}

static trStatus begin(trConstrain *c, const double *q, const double *v) {
    c->current = false;
    c->positions = v == NULL;
    TR_TRY(tr_constrain_finite("coordinate", c->size, q));
    return v != NULL ? tr_constrain_finite("velocity", c->size, v) : TR_OK;
}

trStatus tr_constrain_state(trConstrain *c, double t, double *q, double *v) {
    const size_t bytes = (size_t)c->size * sizeof *q;
    TR_TRY(begin(c, q, v));
    memcpy(c->q_new, q, bytes);
    memcpy(c->v_new, v != NULL ? v : c->zero, bytes);
    TR_TRY(place_by_chosen(c, t));
    if (v != NULL) {
        TR_TRY(move(c, t));
    }
    TR_TRY(tr_constrain_finite("the corrected coordinate", c->size, c->q_new));
    TR_TRY(tr_constrain_finite("the corrected velocity", c->size, c->v_new));
    tr_constrain_accept(c);
    memcpy(q, c->q_new, bytes);
    if (v != NULL) {
        memcpy(v, c->v_new, bytes);
    }
    return TR_OK;
}

// c->a and c->lambda from M a + A' lambda = F, A a = b - A a0. a0 may be NULL, and `lambda`, a
// copy.
static trStatus solve(trConstrain *c, double t, const double *q, const double *v, const double *F,
                      const double *a0, double *lambda) {
    if (v == NULL) {
        return tr_fail(TR_E_ARGUMENT, "accelerations need velocities");
    }
    TR_TRY(begin(c, q, v));
    TR_TRY(tr_constrain_evaluate(c, t, q, v));
    TR_TRY(tr_constrain_evaluate_b(c));
    TR_TRY(tr_constrain_choose(c, &c->kernel, &c->equations));
    tr_rows_mul(&c->equations.A, a0 != NULL ? a0 : c->zero, c->rate);
    tr_subtract_from(c->m, c->b, c->rate);
    TR_TRY(c->kernel.kind->solve(c->kernel.work, &c->equations, F, c->rate, c->a, c->lambda));
    TR_TRY(tr_constrain_finite("acceleration", c->size, c->a));
    TR_TRY(tr_constrain_finite("lambda", c->m, c->lambda));
    if (lambda != NULL) {
        memcpy(lambda, c->lambda, (size_t)c->m * sizeof *lambda);
    }
    return TR_OK;
}

trStatus tr_constrain_force(trConstrain *c, double t, const double *q, const double *v, double *f,
                            double *lambda) {
    TR_TRY(tr_constrain_finite("force", c->size, f));
    TR_TRY(solve(c, t, q, v, f, NULL, lambda));
    tr_rows_tmul_sub(&c->equations.A, c->lambda, f);
    return TR_OK;
}

trStatus tr_constrain_accel(trConstrain *c, double t, const double *q, const double *v, double *a,
                            double *lambda) {
    TR_TRY(tr_constrain_finite("acceleration", c->size, a));
    TR_TRY(solve(c, t, q, v, c->zero, a, lambda));
    tr_add(c->size, c->a, a);
    return TR_OK;
}

trStatus tr_constrain_solve(trConstrain *c, double t, const double *q, const double *v,
                            const double *f, double *a, double *lambda) {
    TR_TRY(tr_constrain_finite("force", c->size, f));
    TR_TRY(solve(c, t, q, v, f, NULL, lambda));
    memcpy(a, c->a, (size_t)c->size * sizeof *a);
    return TR_OK;
}

// The largest of |left - right| among `rows`, and whose it is.
static double worst_of(const trConstrain *c, int rows, const double *left, const double *right,
                       const char **name) {
    double most = 0.0;
    *name = rows > 0 ? c->names[0] : NULL;
    for (int i = 0; i < rows; i++) {
        double here = fabs(left[i] - (right != NULL ? right[i] : 0.0));
        if (here > most) {
            most = here;
            *name = c->names[i];
        }
    }
    return most;
}

trStatus tr_constrain_violation(trConstrain *c, double t, const double *q, const double *v,
                                const double *a, trConstrainViolation *out) {
    *out = (trConstrainViolation){0};
    TR_TRY(begin(c, q, v));
    TR_TRY(tr_constrain_evaluate(c, t, q, v));
    out->position = worst_of(c, c->def.m, c->phi, NULL, &out->position_name);
    if (v == NULL) {
        return a == NULL ? TR_OK : tr_fail(TR_E_ARGUMENT, "accelerations need velocities");
    }
    tr_rows_mul(&c->equations.A, v, c->rate);
    out->velocity = worst_of(c, c->m, c->rate, c->b1, &out->velocity_name);
    if (a == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_constrain_finite("acceleration", c->size, a));
    TR_TRY(tr_constrain_evaluate_b(c));
    tr_rows_mul(&c->equations.A, a, c->rate);
    out->acceleration = worst_of(c, c->m, c->rate, c->b, &out->acceleration_name);
    return TR_OK;
}

trStatus tr_constrain_rank(trConstrain *c, double t, const double *q, const double *v,
                           trConstrainRank *out) {
    if (v == NULL && c->k > 0) {
        return tr_fail(TR_E_ARGUMENT, "rows of psi need velocities");
    }
    TR_TRY(begin(c, q, v));
    TR_TRY(tr_constrain_evaluate(c, t, q, v));
    TR_TRY(tr_kernel_factor(&c->kernel, &c->equations));
    const trRank found = c->kernel.kind->rank(c->kernel.work);
    *out = (trConstrainRank){.rank = found.rank,
                             .freedoms = c->size - found.rank,
                             .dropped = found.dropped,
                             .rows = found.rows,
                             .gap = sqrt(found.gap)};
    out->gap_name = found.gap_row >= 0 ? c->names[found.gap_row] : NULL;
    return TR_OK;
}

int tr_constrain_size(const trConstrain *c) {
    return c->size;
}

const char *tr_constrain_name(const trConstrain *c, int row) {
    return row >= 0 && row < c->m ? c->names[row] : NULL;
}

trStatus tr_constrain_mass(trConstrain *c, double t, const double *q, double *M) {
    if (c->def.mass == NULL) {
        return tr_fail(TR_E_UNSUPPORTED, "mass_solve does not provide M");
    }
    TR_TRY(begin(c, q, NULL));
    TR_TRY(tr_constrain_evaluate(c, t, q, NULL));
    memcpy(M, c->M, (size_t)c->size * (size_t)c->size * sizeof *M);
    return TR_OK;
}
