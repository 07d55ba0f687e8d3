// SPDX-License-Identifier: MIT
// Projection of a state by Newton's method. Each iteration renews A and solves
//
//     W dq + A' mu = 0,   A dq = -phi  (holonomic rows),   q moves by dq
//
// (by a part of it where the whole is too far for a linear model) until |phi| is small enough by
// the constants below, or does not fall further. |phi| is in units of positions: that of a user's
// own row is divided by the largest entry of its A. Then, once, or repeated with A and b1 renewed
// where rows are not linear in v,
//
//     W dv + A' nu = 0,   A dv = b1 - A v,   v = v + dv
//
// See docs/theory/projection.md.

#include <math.h>
#include <stdbool.h>

#include "base/keep.h"
#include "base/largest.h"
#include "formulation/unit_sizes.h"
#include "la/dense.h"
#include "projection/held.h"

#define CLOSE_ENOUGH 1e-12      // relative to 1 + max|q|
#define HELD_CLOSELY 9e-13      // whatever q is
#define ROUNDING_OF_Q 2e-15     // relative to 1 + max|q|: what closely held rows may keep
#define ROUNDING_AT_WORST 1e-9  // relative to 1 + max|q|
#define ROUNDING_AT_BEST 1e-20  // likewise: what is less is nothing, whatever the tolerance
#define MAX_ITERATIONS 25       // with whole steps
#define MAX_SHORTENED 250       // with steps that were taken in part
#define MAX_STALLED 5           // iterations in a row that do not halve |phi|
#define MAX_GROWN 3             // iterations with |phi| above GROWTH times the first
#define GROWTH 10.0
#define LAST_STEP 1e-8  // a step of Newton's method from here leaves the square of it

static bool has_own_metric(const trProjectionKind *kind) {
    return kind->weight == TR_WEIGHT_IDENTITY || kind->weight == TR_WEIGHT_UNITS;
}

trEquations tr_projector_equations(const trProjector *p, const trEquations *e) {
    trEquations weighted = *e;
    if (has_own_metric(p->kind)) {
        weighted.M = (trMass){.n = e->nv, .diagonal = p->weight};
        weighted.row_scale = p->row_scale;
    }
    return weighted;
}

trStatus tr_projector_plan(trArena *arena, const trProjectionKind *kind,
                           const trFormulationKind *formulation, trKernel *shared,
                           const trEquations *e, const trParam *options, trProjector *out) {
    *out = (trProjector){.kind = kind, .own = {.kind = formulation}, .tolerance = CLOSE_ENOUGH};
    out->zero = tr_new_array(arena, double, e->nv);
    out->right = tr_new_array(arena, double, e->m);
    out->step = tr_new_array(arena, double, e->nv);
    out->lambda = tr_new_array(arena, double, e->m);
    out->weight = tr_new_array(arena, double, e->nv);
    out->row_scale = tr_new_array(arena, double, e->m);
    out->rows = e->m;
    if (tr_has_velocity_rows(e)) {
        out->masked = tr_new_array(arena, double, tr_rows_values(&e->A));
    }
    TR_TRY(tr_arena_status(arena));
    tr_fill(e->nv, 1.0, out->weight);
    if (kind->weight == TR_WEIGHT_UNITS) {
        tr_unit_sizes(e, out->weight, out->right);
        for (int i = 0; i < e->nv; i++) {
            out->weight[i] *= out->weight[i];
        }
    }
    tr_keep_count(arena, &out->iterations);
    tr_keep_count(arena, &out->own.stamp);
    tr_keep_count(arena, &out->own.factorizations);
    if (kind->weight == TR_WEIGHT_NONE) {
        void *own = NULL;
        TR_TRY(tr_options_bind(arena, kind->size, kind->fields, options, &own));
        return tr_held_plan(arena, e, kind->pick, own, &out->held);
    }
    trEquations weighted = tr_projector_equations(out, e);
    weighted.measure = has_own_metric(kind) ? NULL : e->measure;
    out->kernel = shared;
    if (has_own_metric(kind) || shared == NULL) {
        out->kernel = &out->own;
        TR_TRY(formulation->plan(arena, &weighted, NULL, &out->own.work));
    }
    return tr_arena_status(arena);
}

static void note_norms(trProjector *p) {
    const double *norms = p->own.kind->row_norms(p->own.work);
    for (int i = 0; i < p->rows; i++) {
        p->row_scale[i] = fmax(p->row_scale[i], sqrt(norms[i]));
    }
}

trStatus tr_projector_accept(trProjector *p, const trEquations *e) {
    if (p->kind->weight == TR_WEIGHT_NONE) {
        return tr_held_renew(p->held, e);
    }
    if (has_own_metric(p->kind) && p->own.factorizations > 0) {
        note_norms(p);
    }
    return TR_OK;
}

static trStatus factor(trProjector *p, const trEquations *weighted) {
    TR_TRY(tr_kernel_factor(p->kernel, weighted));
    if (p->own.factorizations == 1 && has_own_metric(p->kind)) {
        note_norms(p);
    }
    return TR_OK;
}

trStatus tr_projector_rank(trProjector *p, const trEquations *e, trRank *out) {
    const trEquations weighted = tr_projector_equations(p, e);
    TR_TRY(factor(p, &weighted));
    *out = p->kernel->kind->rank(p->kernel->work);
    return TR_OK;
}

trStatus tr_projector_judge(trProjector *by_units, trKernel *kernel, const trEquations *e,
                            trRowJudge *out) {
    *out = (trRowJudge){.kernel = kernel, .e = *e};
    TR_TRY(tr_kernel_factor(kernel, e));
    out->rank = kernel->kind->rank(kernel->work);
    if (out->rank.unjudged == 0) {
        return TR_OK;
    }
    out->stands_in = true;
    out->kernel = by_units->kernel;
    out->e = tr_projector_equations(by_units, e);
    return tr_projector_rank(by_units, e, &out->rank);
}

// A step = right: the smallest step in the metric W, or what the kind picks.
static trStatus find_step(trProjector *p, const trEquations *e, bool positions) {
    if (p->kind->weight == TR_WEIGHT_NONE) {
        return tr_held_step(p->held, e, positions, p->right, p->step);
    }
    const trEquations weighted = tr_projector_equations(p, e);
    TR_TRY(factor(p, &weighted));
    return p->kernel->kind->solve(p->kernel->work, &weighted, p->zero, p->right, p->step,
                                  p->lambda);
}

// The equations with nothing but zeros in nonholonomic rows, which are then dropped.
static trEquations mask(trProjector *p, const trEquations *e) {
    trEquations masked = *e;
    if (p->masked == NULL || p->kind->weight == TR_WEIGHT_NONE) {
        return masked;
    }
    const trRows *A = &e->A;
    for (int g = 0; g < A->groups; g++) {
        int rows = A->group_row[g + 1] - A->group_row[g];
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            int width = A->side_width[s], at = A->side_value[s];
            for (int i = 0; i < rows * width; i++) {
                bool keep = e->holonomic[A->group_row[g] + i / width];
                p->masked[at + i] = keep ? A->value[at + i] : 0.0;
            }
        }
    }
    masked.A.value = p->masked;
    masked.spare = NULL;  // what implies these rows may be masked
    masked.stamp = 0;     // this A is no one else's
    return masked;
}

// |phi| in units of positions: whatever units a user writes it in, it is held as closely.
double tr_row_violation(const trEquations *e, int row) {
    double size = e->row_size == NULL ? 1.0 : e->row_size[row];
    return fabs(e->phi[row]) / (size > 0.0 ? size : 1.0);
}

int tr_worst_row(const trEquations *e) {
    int worst = -1;
    for (int i = 0; i < e->m; i++) {
        if (!e->holonomic[i]) {
            continue;
        }
        if (!isfinite(e->phi[i])) {
            return i;
        }
        if (worst < 0 || tr_row_violation(e, i) > tr_row_violation(e, worst)) {
            worst = i;
        }
    }
    return worst;
}

typedef struct Progress {
    int    iterations, parts, stalled, grown;  // iterations with whole steps, and with parts
    double first, previous;                    // largest |phi|
    bool   shortened;                          // the last step was taken in part
} Progress;

typedef enum Verdict { GO_ON, DONE, HOPELESS } Verdict;

// What |phi| may be, with size = 1 + max|q|.
static double allowed(const trProjector *p, double size) {
    double relative = fmax(p->tolerance, ROUNDING_AT_BEST) * size;
    return p->closely ? fmin(relative, fmax(HELD_CLOSELY, ROUNDING_OF_Q * size)) : relative;
}

static Verdict judge(Progress *progress, double violation, double size, double most) {
    if (violation <= most) {
        return DONE;
    }
    if (progress->iterations + progress->parts == 0) {
        progress->first = violation;
    } else if (violation > 0.5 * progress->previous && !progress->shortened) {
        progress->stalled++;
        if (violation <= ROUNDING_AT_WORST * size) {
            return DONE;
        }
    } else {
        progress->stalled = 0;
    }
    if (violation > GROWTH * progress->first) {
        progress->grown++;
    }
    progress->previous = violation;
    bool hopeless = !isfinite(violation) || progress->iterations == MAX_ITERATIONS ||
                    progress->parts == MAX_SHORTENED || progress->stalled == MAX_STALLED ||
                    progress->grown == MAX_GROWN;
    if (hopeless && violation <= ROUNDING_AT_WORST * size) {
        return DONE;
    }
    return hopeless ? HOPELESS : GO_ON;
}

// Takes the part of the step that is within reach. Returns whether that is less than the whole.
static bool shorten(trProjector *p, const trManifold *manifold) {
    double part = manifold->reach == NULL ? 1.0 : manifold->reach(manifold->context, p->step);
    for (int i = 0; part < 1.0 && i < manifold->nv; i++) {
        p->step[i] *= part;
    }
    return part < 1.0;
}

// On success `at` receives the equations at the projected positions and the velocities v.
static trStatus newton(trProjector *p, const trManifold *manifold, double t, double *q,
                       const double *v, const trEquations **at, int *worst) {
    Progress progress = {0};
    for (;;) {
        const trEquations *e = NULL;
        TR_TRY(manifold->evaluate(manifold->context, t, q, v, &e));
        *at = e;
        int row = tr_worst_row(e);
        if (row < 0) {
            return TR_OK;
        }
        double  violation = tr_row_violation(e, row), size = 1.0 + tr_largest(manifold->nq, q);
        Verdict verdict = judge(&progress, violation, size, allowed(p, size));
        if (verdict == DONE) {
            return TR_OK;
        }
        if (verdict == HOPELESS) {
            if (worst != NULL) {
                *worst = row;
            }
            return tr_fail(TR_NO_CONVERGENCE,
                           "constraint row %d stays violated by %g after %d Newton iterations", row,
                           violation, progress.iterations + progress.parts);
        }
        for (int i = 0; i < e->m; i++) {
            p->right[i] = e->holonomic[i] ? -e->phi[i] : 0.0;
        }
        const trEquations positions = mask(p, e);
        TR_TRY(find_step(p, &positions, true));
        progress.shortened = shorten(p, manifold);
        manifold->retract(manifold->context, p->step, q);
        p->iterations++;
        progress.parts += progress.shortened ? 1 : 0;
        progress.iterations += progress.shortened ? 0 : 1;
    }
}

// right = b1 - A v
static void velocity_gap(trProjector *p, const trEquations *e, const double *v) {
    tr_rows_mul(&e->A, v, p->right);
    tr_subtract_from(e->m, e->b1, p->right);
}

static trStatus velocity_step(trProjector *p, const trEquations *e, double *v) {
    TR_TRY(find_step(p, e, false));
    tr_add(e->nv, p->step, v);
    return TR_OK;
}

// The largest entry of right = b1 - A v, in entries of its row of A where these are above one.
static double scaled_gap(const trProjector *p, const trEquations *e) {
    const trRows *A = &e->A;
    double        most = 0.0;
    for (int g = 0; g < A->groups; g++) {
        int first = A->group_row[g], rows = A->group_row[g + 1] - first;
        for (int i = 0; i < rows; i++) {
            double size = 1.0;
            for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
                int width = A->side_width[s];
                size = fmax(size, tr_largest(width, A->value + A->side_value[s] + i * width));
            }
            most = fmax(most, fabs(p->right[first + i]) / size);
        }
    }
    return most;
}

// Rows that are not linear in v: until a step leaves nothing but rounding. The step says so for
// rows of any unit, what is left for rows that the step leaves out.
static trStatus correct_by_newton(trProjector *p, const trManifold *manifold, double t,
                                  const double *q, double *v, const trEquations *e) {
    double gap = INFINITY;
    for (int k = 0; k <= MAX_ITERATIONS; k++) {
        velocity_gap(p, e, v);
        gap = scaled_gap(p, e);
        TR_TRY(velocity_step(p, e, v));
        p->iterations++;
        if (fmax(gap, tr_largest(e->nv, p->step)) <= LAST_STEP * (1.0 + tr_largest(e->nv, v))) {
            return TR_OK;
        }
        TR_TRY(manifold->evaluate(manifold->context, t, q, v, &e));
    }
    return tr_fail(
        TR_NO_CONVERGENCE,
        "velocities cannot be projected onto the nonholonomic constraints at t = %.9g s (%.3g "
        "remain); check the initial velocities, or take a smaller step",
        t, gap);
}

static trStatus correct_velocity(trProjector *p, const trManifold *manifold, double t,
                                 const double *q, double *v, const trEquations *e) {
    if (e->m == 0) {
        return TR_OK;
    }
    if (e->nonlinear) {
        return correct_by_newton(p, manifold, t, q, v, e);
    }
    velocity_gap(p, e, v);
    return velocity_step(p, e, v);
}

trStatus tr_project_position(trProjector *p, const trManifold *manifold, double t, double *q,
                             const double *v, int *worst) {
    const trEquations *e = NULL;
    return newton(p, manifold, t, q, v, &e, worst);
}

trStatus tr_project_velocity(trProjector *p, const trManifold *manifold, double t, const double *q,
                             double *v) {
    const trEquations *e = NULL;
    TR_TRY(manifold->evaluate(manifold->context, t, q, v, &e));
    return correct_velocity(p, manifold, t, q, v, e);
}

trStatus tr_project(trProjector *p, const trManifold *manifold, double t, double *q, double *v,
                    int *worst) {
    const trEquations *e = NULL;
    if (p->kind->velocities_only) {
        return tr_project_velocity(p, manifold, t, q, v);
    }
    TR_TRY(newton(p, manifold, t, q, v, &e, worst));
    return correct_velocity(p, manifold, t, q, v, e);
}

const trProjectionKind tr_projection_by_units = {
    .name = "by_units",
    .summary = "judges rows",
    .weight = TR_WEIGHT_UNITS,
};
