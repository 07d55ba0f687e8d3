// SPDX-License-Identifier: MIT
// Rank, and what it is measured by.

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/test.h"
#include "trammel/constrain.h"

static int mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = 3.0;
    M[3] = 2.0;
    M[1] = M[2] = 1.0;
    return 0;
}

static int mass_solve(void *context, double t, const double *q, const double *x, double *y) {
    (void)context, (void)t, (void)q;
    y[0] = (2.0 * x[0] - x[1]) / 5.0;
    y[1] = (3.0 * x[1] - x[0]) / 5.0;
    return 0;
}

static trConstrain *make(trConstrainDef *def, bool by_solves, const double *q, const double *v) {
    trConstrain *c = NULL;
    def->n = 2;
    def->mass = by_solves ? NULL : mass;
    def->mass_solve = by_solves ? mass_solve : NULL;
    if (tr_constrain_create(def, 0.0, q, v, &c) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return c;
}

// A rope of length 1 + t: its row, q, grows with it.
static int rope(void *context, double t, const double *q, double *phi) {
    (void)context;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - (1.0 + t) * (1.0 + t));
    return 0;
}

// Norms of rows are compared with the largest that they had at a state that satisfies the
// constraints. So a row that fades is seen, and is dropped in the end.
static void rows_are_compared_with_what_they_were(void **state) {
    const double start[2] = {1.0, 0.0}, rest[2] = {0.0, 0.0};
    for (int by_solves = 0; by_solves < 2; by_solves++) {
        double          q[2] = {10.0, 0.0}, v[2] = {1.0, 0.0};
        trConstrainRank rank;
        trConstrainDef  def = tr_constrain_def_default();
        def.m = 1;
        def.phi = rope;
        trConstrain *c = make(&def, by_solves != 0, start, v);
        assert_int_equal(tr_constrain_rank(c, 0.0, start, rest, &rank), TR_OK);
        assert_true(fabs(rank.gap - 1.0) < 1e-9);
        assert_string_equal(rank.gap_name, "0");
        v[1] = 1.0;
        q[1] = 1e-3;
        assert_int_equal(tr_constrain_state(c, 9.0, q, v), TR_OK);
        assert_int_equal(tr_constrain_rank(c, 0.0, start, rest, &rank), TR_OK);
        assert_true(fabs(rank.gap - 0.1) < 1e-3);
        assert_int_equal(rank.rank, 1);
        assert_int_equal(rank.freedoms, 1);
        const double faded[2] = {5e-4, 0.0};
        assert_int_equal(tr_constrain_rank(c, 0.0, faded, rest, &rank), TR_OK);
        assert_int_equal(rank.rank, 0);
        assert_null(rank.gap_name);
        assert_int_equal(rank.rows[0], 0);
        tr_constrain_destroy(c);
    }
}

static int ring(void *context, double t, const double *q, double *phi) {
    (void)context, (void)t;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    return 0;
}

static void the_first_state_counts_even_where_nothing_had_to_be_corrected(void **state) {
    const double    start[2] = {1.0, 0.0}, rest[2] = {0.0, 0.0}, small[2] = {5e-5, 0.0};
    trConstrainRank rank;
    trConstrainDef  def = tr_constrain_def_default();
    def.m = 1;
    def.phi = ring;
    for (int weight = 0; weight < 2; weight++) {
        double q[2] = {5e-5, 0.0};
        def.weight = weight == 0 ? TR_CONSTRAIN_MASS : TR_CONSTRAIN_IDENTITY;
        trConstrain *c = make(&def, false, start, rest);
        assert_int_equal(tr_constrain_rank(c, 0.0, small, rest, &rank), TR_OK);
        assert_int_equal(rank.rank, 0);
        // A row that is dropped moves nothing: Newton's method cannot leave from there.
        assert_int_equal(tr_constrain_state(c, 0.0, q, NULL), TR_NO_CONVERGENCE);
        tr_constrain_destroy(c);
    }
}

// Two lines that meet at an angle of 1e-3: S = A M^-1 A' has a condition of 1e7. What is asked of
// the acceleration is met all the same, and it is the same with M and with its solves.
static int two_lines(void *context, double t, const double *q, double *phi) {
    (void)context;
    phi[0] = q[1] - t * t;
    phi[1] = q[1] - 1e-3 * q[0] - 2.0 * t * t;
    return 0;
}

static void nearly_dependent_rows_are_met(void **state) {
    const double q[2] = {0.0, 0.0}, v[2] = {0.0, 0.0};
    for (int by_solves = 0; by_solves < 2; by_solves++) {
        double               a[2] = {3.0, -9.81};
        trConstrainViolation left;
        trConstrainDef       def = tr_constrain_def_default();
        def.m = 2;
        def.phi = two_lines;
        trConstrain *c = make(&def, by_solves != 0, q, v);
        assert_int_equal(tr_constrain_accel(c, 0.0, q, v, a, NULL), TR_OK);
        assert_int_equal(tr_constrain_violation(c, 0.0, q, v, a, &left), TR_OK);
        // |a| is 2000 and A has 4e-11 by differences, but both sides have the same A: rounding.
        assert_true(left.acceleration < 1e-12);
        assert_true(fabs(a[0] + 2000.0) < 1e-4 && fabs(a[1] - 2.0) < 1e-8);
        tr_constrain_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_compared_with_what_they_were),
        cmocka_unit_test(the_first_state_counts_even_where_nothing_had_to_be_corrected),
        cmocka_unit_test(nearly_dependent_rows_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
