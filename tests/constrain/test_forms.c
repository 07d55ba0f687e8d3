// SPDX-License-Identifier: MIT
// Ritz forms: a beam of nine nodes described by two symmetric forms, held at two nodes that mirror
// each other. Independent in x, the two rows coincide in q. The motion is that of the one
// coordinate that is left, in closed form.

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/allocations.h"
#include "support/test.h"
#include "trammel/constrain.h"

#define N 9
#define HELD 1         // and its mirror image
#define LOAD 0.75      // at the middle node [N]
#define STIFFNESS 7.0  // between neighbors, and to the ends [N/m]

static const double pi = 3.14159265358979323846;

// Neighbors share mass, so that M is not diagonal.
static int mass(void *context, double t, const double *x, double *M) {
    (void)context, (void)t, (void)x;
    for (int i = 0; i < N * N; i++) {
        int off = i / N - i % N;
        M[i] = off == 0 ? 2.0 : off == 1 || off == -1 ? 0.5 : 0.0;
    }
    return 0;
}

static int phi(void *context, double t, const double *x, double *out) {
    (void)context, (void)t;
    out[0] = x[HELD];
    out[1] = x[N - 1 - HELD];
    return 0;
}

static int jacobian(void *context, double t, const double *x, double *A) {
    (void)context, (void)t, (void)x;
    for (int i = 0; i < 2 * N; i++) {
        A[i] = i == HELD || i == N + N - 1 - HELD ? 1.0 : 0.0;
    }
    return 0;
}

static void force(const double *x, double *f) {
    for (int i = 0; i < N; i++) {
        double before = i > 0 ? x[i - 1] : 0.0, after = i < N - 1 ? x[i + 1] : 0.0;
        f[i] = STIFFNESS * (before - 2.0 * x[i] + after) + (i == N / 2 ? LOAD : 0.0);
    }
}

// First and third form of a string; the second column is stretched, so that X'X is not I.
static void make_forms(double *X) {
    for (int i = 0; i < N; i++) {
        X[2 * i] = sin(pi * (i + 1) / (N + 1));
        X[2 * i + 1] = 3.0 * sin(3.0 * pi * (i + 1) / (N + 1)) + 0.2 * X[2 * i];
    }
}

static trConstrain *make(const double *X, bool given, trConstrainWeight weight) {
    static const char *const names[] = {"left", "right"};
    const double             q[2] = {0.1, 0.2}, v[2] = {0.0, 0.0};
    trConstrain             *c = NULL;
    trConstrainDef           def = tr_constrain_def_default();
    def.n = N;
    def.m = 2;
    def.names = names;
    def.mass = mass;
    def.phi = phi;
    def.jacobian = given ? jacobian : NULL;
    def.forms = 2;
    def.X = X;
    def.weight = weight;
    if (tr_constrain_create(&def, 0.0, q, v, &c) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return c;
}

// x = T z satisfies both rows; m z'' + k z = p.
typedef struct Minimal {
    double T[N], direction[2];  // x = T z, q = direction z
    double m, k, p;
} Minimal;

static Minimal reduce_by_hand(const double *X) {
    Minimal one = {.direction = {X[2 * HELD + 1], -X[2 * HELD]}};
    double  f[N], M[N * N];
    for (int i = 0; i < N; i++) {
        one.T[i] = X[2 * i] * one.direction[0] + X[2 * i + 1] * one.direction[1];
    }
    mass(NULL, 0.0, one.T, M);
    force(one.T, f);
    for (int i = 0; i < N; i++) {
        one.k -= one.T[i] * (f[i] - (i == N / 2 ? LOAD : 0.0));
        one.p += i == N / 2 ? one.T[i] * LOAD : 0.0;
        for (int j = 0; j < N; j++) {
            one.m += one.T[i] * M[i * N + j] * one.T[j];
        }
    }
    return one;
}

static void rhs(trConstrain *c, double t, const double *y, double *ydot) {
    double q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]}, x[N], f[N], g[2];
    assert_int_equal(tr_constrain_state(c, t, q, v), TR_OK);
    tr_constrain_expand(c, q, x);
    force(x, f);
    tr_constrain_reduce(c, f, g);
    assert_int_equal(tr_constrain_solve(c, t, q, v, g, ydot + 2, NULL), TR_OK);
    ydot[0] = v[0];
    ydot[1] = v[1];
}

static void step(trConstrain *c, double t, double h, double *y) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              slope[4] = {0.0}, sum[4] = {0.0}, stage[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++) {
            stage[i] = y[i] + at[s] * h * slope[i];
        }
        rhs(c, t + at[s] * h, stage, slope);
        for (int i = 0; i < 4; i++) {
            sum[i] += weight[s] / 6.0 * slope[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        y[i] += h * sum[i];
    }
    assert_int_equal(tr_constrain_state(c, t + h, y, y + 2), TR_OK);
}

// rk4 with 2000 steps over 4 s: omega is about 2, so h^4 omega^5 T / 120 is below 1e-11.
static void coinciding_rows_leave_the_motion_of_the_minimal_coordinate(void **state) {
    double X[2 * N];
    make_forms(X);
    const Minimal one = reduce_by_hand(X);
    const double  omega = sqrt(one.k / one.m), still = one.p / one.k, z0 = 0.3, end = 4.0;
    for (int way = 0; way < 4; way++) {
        trConstrain *c = make(X, way % 2 == 0, way < 2 ? TR_CONSTRAIN_MASS : TR_CONSTRAIN_IDENTITY);
        double       y[4] = {one.direction[0] * z0, one.direction[1] * z0, 0.0, 0.0};
        trConstrainRank      rank;
        trConstrainViolation left;
        assert_int_equal(tr_constrain_size(c), 2);
        assert_int_equal(tr_constrain_rank(c, 0.0, y, y + 2, &rank), TR_OK);
        assert_int_equal(rank.rank, 1);
        assert_int_equal(rank.dropped, 1);
        assert_int_equal(rank.freedoms, 1);
        const long before = allocations;
        for (int i = 0; i < 2000; i++) {
            step(c, end / 2000 * i, end / 2000, y);
        }
        assert_int_equal(allocations, before);
        const double z = still + (z0 - still) * cos(omega * end);
        const double rate = -(z0 - still) * omega * sin(omega * end);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(y[i] - one.direction[i] * z) < 1e-10);
            assert_true(fabs(y[2 + i] - one.direction[i] * rate) < 1e-10);
        }
        assert_int_equal(tr_constrain_violation(c, end, y, y + 2, NULL, &left), TR_OK);
        assert_true(left.position < 1e-14 && left.velocity < 1e-14);
        tr_constrain_destroy(c);
    }
    assert_true(fabs(omega * end) > 3.0);  // it does move
}

// (25): q moves by -What^-1 Ahat' (Ahat What^-1 Ahat')^+ phi with What = X' W X, one row here.
static void corrections_are_smallest_in_the_metric_of_the_full_coordinates(void **state) {
    double X[2 * N], M[N * N], W[2][2];
    make_forms(X);
    mass(NULL, 0.0, X, M);
    for (int way = 0; way < 2; way++) {
        trConstrain *c = make(X, true, way == 0 ? TR_CONSTRAIN_MASS : TR_CONSTRAIN_IDENTITY);
        double       q[2] = {0.5, 0.3}, kept[4];
        memset(W, 0, sizeof W);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < N * N; i++) {
                double weight = way == 0 ? M[i] : (i / N == i % N ? 1.0 : 0.0);
                W[k / 2][k % 2] += X[2 * (i / N) + k / 2] * weight * X[2 * (i % N) + k % 2];
            }
        }
        assert_int_equal(tr_constrain_mass(c, 0.0, q, kept), TR_OK);
        for (int k = 0; way == 0 && k < 4; k++) {
            assert_true(fabs(kept[k] - W[k / 2][k % 2]) < 1e-12);
        }
        const double *a = X + 2 * HELD, det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
        const double  u[2] = {(W[1][1] * a[0] - W[0][1] * a[1]) / det,
                              (W[0][0] * a[1] - W[1][0] * a[0]) / det};
        const double  part = (a[0] * q[0] + a[1] * q[1]) / (a[0] * u[0] + a[1] * u[1]);
        const double  expected[2] = {q[0] - u[0] * part, q[1] - u[1] * part};
        assert_int_equal(tr_constrain_state(c, 0.0, q, NULL), TR_OK);
        assert_true(fabs(q[0] - expected[0]) < 1e-14 && fabs(q[1] - expected[1]) < 1e-14);
        tr_constrain_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coinciding_rows_leave_the_motion_of_the_minimal_coordinate),
        cmocka_unit_test(corrections_are_smallest_in_the_metric_of_the_full_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
