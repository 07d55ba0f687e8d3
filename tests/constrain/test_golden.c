// SPDX-License-Identifier: MIT
// Ten systems with known accelerations, forces and projections, handed over as callbacks: with all
// derivatives given, with none, and with solves of M in place of M. Among them are dependent rows,
// singular mass matrices, drives and a knife edge.

#include <math.h>
#include <string.h>

#include "formulation/golden.h"
#include "la/dense.h"
#include "support/test.h"
#include "trammel/constrain.h"

typedef enum Way { GIVEN, BY_DIFFERENCES, BY_SOLVES, WAYS } Way;

static const double none[GOLDEN_N];

// The system's numbers at a state.
static const GoldenNumbers *at(void *context, double t, const double *q, const double *v) {
    static GoldenNumbers numbers;
    memset(&numbers, 0, sizeof numbers);
    ((const Golden *)context)->evaluate(t, q, v, &numbers);
    return &numbers;
}

static int put(int count, const double *from, double *to) {
    memcpy(to, from, (size_t)count * sizeof *to);
    return 0;
}

static int mass(void *context, double t, const double *q, double *M) {
    const Golden *g = context;
    return put(g->n * g->n, at(context, t, q, none)->M, M);
}

static int mass_solve(void *context, double t, const double *q, const double *x, double *y) {
    const Golden *g = context;
    static double L[GOLDEN_N * GOLDEN_N], memory[GOLDEN_N];
    put(g->n * g->n, at(context, t, q, none)->M, L);
    put(g->n, x, y);
    if (tr_cholesky_factor(g->n, L, memory, NULL) != TR_OK) {
        return -1;
    }
    tr_cholesky_forward(g->n, L, 1, y);
    tr_cholesky_backward(g->n, L, y);
    return 0;
}

static int phi(void *context, double t, const double *q, double *out) {
    return put(((const Golden *)context)->m, at(context, t, q, none)->phi, out);
}

static int jacobian(void *context, double t, const double *q, double *A) {
    const Golden *g = context;
    return put(g->m * g->n, at(context, t, q, none)->A, A);
}

static int b1(void *context, double t, const double *q, double *out) {
    return put(((const Golden *)context)->m, at(context, t, q, none)->b1, out);
}

static int b(void *context, double t, const double *q, const double *v, double *out) {
    return put(((const Golden *)context)->m, at(context, t, q, v)->b, out);
}

static int psi(void *context, double t, const double *q, const double *v, double *out) {
    const Golden        *g = context;
    const GoldenNumbers *x = at(context, t, q, v);
    for (int i = 0; i < g->m; i++) {
        out[i] = -x->b1[i];
        for (int j = 0; j < g->n; j++) {
            out[i] += x->A[i * g->n + j] * v[j];
        }
    }
    return 0;
}

static int psi_jacobian(void *context, double t, const double *q, const double *v, double *A) {
    (void)v;
    return jacobian(context, t, q, A);
}

static trConstrain *make(const Golden *g, Way way, trConstrainWeight weight, const double *q,
                         const double *v) {
    trConstrain   *c = NULL;
    trConstrainDef def = tr_constrain_def_default();
    const bool     all = way != BY_DIFFERENCES;
    def.n = g->n;
    def.m = g->holonomic ? g->m : 0;
    def.k = g->holonomic ? 0 : g->m;
    def.context = (void *)(uintptr_t)g;
    def.mass = way == BY_SOLVES ? NULL : mass;
    def.mass_solve = way == BY_SOLVES ? mass_solve : NULL;
    def.phi = g->holonomic ? phi : NULL;
    def.psi = g->holonomic ? NULL : psi;
    if (all && g->holonomic) {
        def.jacobian = jacobian;
        def.b1 = b1;
        def.b = b;
    } else if (all) {
        def.psi_jacobian = psi_jacobian;
        def.psi_b = b;
    }
    def.weight = weight;
    def.time_scale = strcmp(g->name, "heli") == 0 ? 1.0 / 40.0 : 1.0;  // its drive is sin 40 t
    if (tr_constrain_create(&def, g->t, q, v, &c) != TR_OK) {
        fail_msg("%s: %s", g->name, tr_last_error());
    }
    return c;
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void assert_near(const Golden *g, Way way, const char *what, const double *x,
                        const double *expected, double within) {
    for (int i = 0; i < g->n; i++) {
        double off = fabs(x[i] - expected[i]);
        if (!(off <= within)) {
            fail_msg("%s, way %d: %s[%d] is off by %.3g, allowed %.3g", g->name, (int)way, what, i,
                     off, within);
        }
    }
}

// Solves exist where M is positive definite.
static bool takes(const Golden *g, Way way) {
    return way != BY_SOLVES || g->q_M != NULL;
}

// What is allowed, relative to the size of what is computed. Rounding is 1e-12, as for the
// formulations. Differences have 4e-11 in A and about 1e-10 in b, of which solving makes 1e-10 in
// the worst of the systems; ten times that. S = A M^-1 A' squares the condition of A.
static double allowed(Way way) {
    return way == GIVEN ? 2e-12 : way == BY_SOLVES ? 1e-11 : 1e-9;
}

static void check_accelerations(const Golden *g, Way way) {
    trConstrain    *c = make(g, way, TR_CONSTRAIN_MASS, g->q, g->v);
    trConstrainRank rank;
    double          a[GOLDEN_N], f[GOLDEN_N], lambda[GOLDEN_M], corrected[GOLDEN_N];
    const double    size_f = largest(g->n, g->Fc) + largest(g->n, g->Q);
    const double    size_a = largest(g->n, g->a) + largest(g->m, g->b) + largest(g->n, g->Q);

    assert_int_equal(tr_constrain_rank(c, g->t, g->q, g->v, &rank), TR_OK);
    assert_int_equal(rank.rank, g->rank);
    assert_int_equal(rank.dropped, g->m - g->rank);
    assert_int_equal(tr_constrain_solve(c, g->t, g->q, g->v, g->Q, a, lambda), TR_OK);
    assert_near(g, way, "a", a, g->a, allowed(way) * size_a);

    memcpy(f, g->Q, (size_t)g->n * sizeof *f);
    assert_int_equal(tr_constrain_force(c, g->t, g->q, g->v, f, NULL), TR_OK);
    for (int i = 0; i < g->n; i++) {
        f[i] -= g->Q[i];
    }
    assert_near(g, way, "f", f, g->Fc, allowed(way) * size_f);

    // From the free acceleration, and from any other that only differs by what constraints take:
    // a + M^-1 A' w. Where M is singular the constrained one itself serves, and must stay.
    memcpy(corrected, g->a, (size_t)g->n * sizeof *a);
    if (g->q_M != NULL) {
        mass_solve((void *)(uintptr_t)g, g->t, g->q, g->Q, corrected);
    }
    assert_int_equal(tr_constrain_accel(c, g->t, g->q, g->v, corrected, NULL), TR_OK);
    assert_near(g, way, "a from accel", corrected, g->a, allowed(way) * size_a);
    tr_constrain_destroy(c);
}

static void accelerations_and_forces_agree(void **state) {
    for (int k = 0; k < golden_count(); k++) {
        for (Way way = GIVEN; way < WAYS; way++) {
            if (takes(golden_at(k), way)) {
                check_accelerations(golden_at(k), way);
            }
        }
    }
}

// Newton's method ends where phi is zero to rounding. With differences A is off by 4e-11, which
// changes where on the constraints a state of distance 1e-2 ends by about 1e-12.
static void check_projection(const Golden *g, Way way, trConstrainWeight weight, const double *q_at,
                             const double *v_at) {
    trConstrain         *c = make(g, way, weight, g->q, g->v);
    trConstrainViolation left;
    double               q[GOLDEN_N], v[GOLDEN_N], q_again[GOLDEN_N], v_again[GOLDEN_N];
    const size_t         bytes = (size_t)g->n * sizeof *q;
    const double         by_steps = way == BY_DIFFERENCES ? 1e3 : 1.0;
    memcpy(q, g->q_off, bytes);
    memcpy(v, g->v_off, bytes);
    assert_int_equal(tr_constrain_state(c, g->t, q, v), TR_OK);
    assert_near(g, way, "q", q, q_at, 1e-13 * by_steps * (1.0 + largest(g->n, q_at)));
    assert_near(g, way, "v", v, v_at, 1e-12 * by_steps * (1.0 + largest(g->n, v_at)));
    assert_int_equal(tr_constrain_violation(c, g->t, q, v, NULL, &left), TR_OK);
    assert_true(left.position <= 1e-14 * (1.0 + largest(g->n, q)));
    // By differences, a dependent row is dependent up to their error only.
    const double between = g->rank < g->m ? by_steps : 1.0;
    assert_true(left.velocity <= 1e-13 * between * (1.0 + largest(g->n, v)));

    memcpy(q_again, q, bytes);
    memcpy(v_again, v, bytes);
    assert_int_equal(tr_constrain_state(c, g->t, q_again, v_again), TR_OK);
    assert_memory_equal(q, q_again, bytes);
    assert_memory_equal(v, v_again, bytes);
    tr_constrain_destroy(c);
}

static void states_are_projected_and_then_stay_bit_for_bit(void **state) {
    for (int k = 0; k < golden_count(); k++) {
        const Golden *g = golden_at(k);
        for (Way way = GIVEN; way < WAYS; way++) {
            if (takes(g, way)) {
                check_projection(g, way, TR_CONSTRAIN_IDENTITY, g->q_I, g->v_I);
            }
            if (takes(g, way) && g->q_M != NULL) {
                check_projection(g, way, TR_CONSTRAIN_MASS, g->q_M, g->v_M);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_and_forces_agree),
        cmocka_unit_test(states_are_projected_and_then_stay_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
