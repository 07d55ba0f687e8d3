// SPDX-License-Identifier: MIT
// Constraints that are not ideal: their force is C - A' lambda, with C a function of the user's
// that may depend on lambda, as friction does. A fixed point over lambda,
//
//     M a + A' lambda_k+1 = Q + C(lambda_k),    A a = b,    lambda_0 = 0
//
// Most friction has settled after two rounds. Where it has not after PLAIN rounds, and they do
// contract, the rest is Anderson's method: the next lambda is that combination of the last ones,
//
//     lambda = out - sum g_i dout_i      g: least squares of  gap - sum g_i dgap_i
//
// with gap = out - in and d the change from round to round. Where rounds do not contract, several
// answers or none fit the equations, and the worst constraint is named.
//
// Gaps are measured in the metric of M, where no unit matters, beside reactions and accelerations:
// a reaction that passes zero is as uncertain there as elsewhere.
//
//     max_i |gap_i| sqrt(r_i)   beside   max_i |lambda_i| sqrt(r_i)   and   sqrt(a' M a)
//     r_i = A_i M^-1 A_i'
//
// Reference: Udwadia and Kalaba, J. Appl. Mech. 69 (2002), 335-339; Anderson, J. ACM 12 (1965).

#include <math.h>
#include <string.h>

#include "eval/nonideal.h"

#define PLAIN 6  // from this solve on, counted from 0, Anderson's method
#define EARLY 3  // its change is compared with that of PLAIN
#define LATE_ROUNDS (PLAIN - EARLY)
#define MAX_SOLVES 20     // in all
#define SETTLED 1e-13     // a gap that is rounding, relative
#define CLOSE 1e-10       // likewise, what is good enough where it falls no further
#define CONTRACTION 0.98  // of the change from round to round: more is none
#define DEPENDENT 1e-12   // what is left of a direction that others make up, relative

// Where it is solved.
typedef struct At {
    trReact  *react;
    trKernel *kernel;
    trEval   *eval;
    double   *a, *lambda;
} At;

static trStatus solve(const At *at, const double *b) {
    const trEquations *e = &at->eval->equations;
    double            *F = at->react->F;
    for (int i = 0; i < e->nv; i++) {
        F[i] = e->Q[i] + at->eval->C[i];
    }
    return at->kernel->kind->solve(at->kernel->work, e, F, b, at->a, at->lambda);
}

static double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// What came out of lambda less lambda itself: its size, the row that has it, and the size of
// reactions and accelerations.
typedef struct Gap {
    double most, size;
    int    row;
} Gap;

static Gap find_gap(const At *at) {
    const trEquations *e = &at->eval->equations;
    const double      *norm = at->kernel->kind->row_norms(at->kernel->work), *lambda = at->lambda;
    trReact           *r = at->react;
    Gap                gap = {.size = sqrt(fmax(tr_mass_form(&e->M, at->a), 0.0))};
    for (int i = 0; i < e->m; i++) {
        double unit = sqrt(fmax(norm[i], 0.0));
        r->gap[i] = lambda[i] - r->in[i];
        gap.size = fmax(gap.size, fabs(lambda[i]) * unit);
        if (!(fabs(r->gap[i]) * unit <= gap.most)) {
            gap.most = fabs(r->gap[i]) * unit;
            gap.row = i;
        }
    }
    return gap;
}

// Directions of the last rounds: the newest replaces the oldest.
static void note_round(int m, const double *lambda, trReact *r) {
    int at = r->rounds % TR_REACT_DEPTH;
    for (int i = 0; i < m; i++) {
        r->dgap[at][i] = r->gap[i] - r->old_gap[i];
        r->dout[at][i] = lambda[i] - r->old_out[i];
    }
    r->rounds++;
}

// in = out - sum g_i dout_i, by making the dgap_i orthogonal one after another.
static void mix(int n, const double *lambda, trReact *r) {
    int count = r->rounds < TR_REACT_DEPTH ? r->rounds : TR_REACT_DEPTH;
    memcpy(r->in, lambda, (size_t)n * sizeof *r->in);
    memcpy(r->rest, r->gap, (size_t)n * sizeof *r->rest);
    for (int k = 0; k < count; k++) {
        double *x = r->basis[k], *y = r->image[k], before = dot(n, r->dgap[k], r->dgap[k]);
        memcpy(x, r->dgap[k], (size_t)n * sizeof *x);
        memcpy(y, r->dout[k], (size_t)n * sizeof *y);
        for (int j = 0; j < k; j++) {
            double square = dot(n, r->basis[j], r->basis[j]);
            double part = square > 0.0 ? dot(n, r->basis[j], x) / square : 0.0;
            for (int i = 0; i < n; i++) {
                x[i] -= part * r->basis[j][i];
                y[i] -= part * r->image[j][i];
            }
        }
        double square = dot(n, x, x);
        if (!(square > DEPENDENT * before)) {
            memset(x, 0, (size_t)n * sizeof *x);
            continue;
        }
        double part = dot(n, x, r->rest) / square;
        for (int i = 0; i < n; i++) {
            r->rest[i] -= part * x[i];
            r->in[i] -= part * y[i];
        }
    }
}

static trStatus refuse(const trEval *e, int row) {
    tr_fail(TR_E_SIMULATION,
            "the non-ideal force does not converge at t = %.9g s: its reaction and the force "
            "computed from it amplify each other; reduce the friction, or use a stiff force "
            "instead of the constraint",
            e->t);
    return tr_blame_joint(TR_E_SIMULATION, &e->system->joint[e->system->row_joint[row]]);
}

// What rounding leaves of a gap, relative: of this formulation, with this penalty.
static double rounding_of(const trKernel *kernel) {
    const trFormulationKind *kind = kernel->kind;
    return kind->rounding != NULL ? fmax(SETTLED, kind->rounding(kernel->work)) : SETTLED;
}

trStatus tr_nonideal_solve(trReact *r, trKernel *kernel, trEval *e, const double *b, double *a,
                           double *lambda) {
    const At     at = {r, kernel, e, a, lambda};
    const int    m = e->equations.m;
    const size_t bytes = (size_t)m * sizeof *lambda;
    const double settled = rounding_of(kernel);
    // Multipliers of a formulation are no more certain than it states.
    const double close = fmax(fmax(CLOSE, settled), kernel->kind->error);
    double       early = 0.0, before = INFINITY;
    Gap          gap = {0};
    r->rounds = 0;
    memset(r->in, 0, bytes);
    for (int k = 0; k < MAX_SOLVES; k++) {
        TR_TRY(tr_eval_nonideal(e, r->in));
        TR_TRY(solve(&at, b));
        gap = find_gap(&at);
        bool is_close = gap.most <= close * gap.size, falls = gap.most < CONTRACTION * before;
        // What falls no further is rounding, from which Anderson's method would make large steps.
        if (gap.most <= settled * gap.size || (k >= PLAIN && is_close && !falls)) {
            return TR_OK;
        }
        if (k > 0) {
            note_round(m, lambda, r);
        }
        memcpy(r->old_gap, r->gap, bytes);
        memcpy(r->old_out, lambda, bytes);
        before = gap.most;
        early = k == EARLY ? gap.most : early;
        // Over several rounds: what feeds others without coming back may grow at first.
        if (k == PLAIN && !(gap.most < pow(CONTRACTION, LATE_ROUNDS) * early)) {
            return refuse(e, gap.row);
        }
        if (k < PLAIN) {
            memcpy(r->in, lambda, bytes);
        } else {
            mix(m, lambda, r);
        }
    }
    return gap.most <= close * gap.size ? TR_OK : refuse(e, gap.row);
}

trStatus tr_react_plan(trArena *arena, const trSystem *system, trReact *r) {
    double **vectors[] = {&r->in, &r->gap, &r->old_gap, &r->old_out, &r->rest};
    int      m = system->traced != NULL && system->traced->reactive ? system->m : 0;
    r->F = tr_new_array(arena, double, system->nv);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = tr_new_array(arena, double, m);
    }
    for (int k = 0; k < TR_REACT_DEPTH; k++) {
        r->dgap[k] = tr_new_array(arena, double, m);
        r->dout[k] = tr_new_array(arena, double, m);
        r->basis[k] = tr_new_array(arena, double, m);
        r->image[k] = tr_new_array(arena, double, m);
    }
    return tr_arena_status(arena);
}
