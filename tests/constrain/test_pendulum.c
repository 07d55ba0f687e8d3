// SPDX-License-Identifier: MIT
// The pendulum of Masarati 2011 for 10 s, in every way that it can be handed over, against its
// closed form. All three levels are held to rounding after every step, and nothing is allocated.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "constrain/constrain.h"
#include "constrain/pendulum.h"
#include "support/allocations.h"
#include "support/test.h"

#define STEPS 10000  // of 1 ms
#define ROWS 41      // of the reference, one every 250 steps

typedef struct Row {
    double t, x, z, vx, vz, angle, rate, lambda;
} Row;

typedef struct Way {
    const char       *name;
    bool              given, by_solves, by_force;
    trConstrainWeight weight;
} Way;

static const Way ways[] = {
    {"all given", true, false, true, TR_CONSTRAIN_MASS},
    {"by differences", false, false, true, TR_CONSTRAIN_MASS},
    {"by accelerations", true, false, false, TR_CONSTRAIN_MASS},
    {"by solves", true, true, false, TR_CONSTRAIN_MASS},
    {"W = I, by differences", false, false, false, TR_CONSTRAIN_IDENTITY},
};

static void read_reference(Row *rows) {
    char  line[512];
    FILE *file = fopen(SOURCE_DIR "/tests/constrain/reference/S3_pendulum.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int i = 0; i < ROWS; i++) {
        Row *r = &rows[i];
        assert_int_equal(fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &r->t, &r->x, &r->z,
                                &r->vx, &r->vz, &r->angle, &r->rate, &r->lambda),
                         8);
    }
    fclose(file);
    assert_true(fabs(rows[ROWS - 1].t - 10.0) < 1e-12);
}

static trConstrain *make(Pendulum *p, const Way *way, const double *y) {
    trConstrain   *c = NULL;
    trConstrainDef def = pendulum_def(p, way->given);
    def.weight = way->weight;
    if (way->by_solves) {
        def.mass = NULL;
        def.mass_solve = pendulum_mass_solve;
    }
    if (tr_constrain_create(&def, 0.0, y, y + 2, &c) != TR_OK) {
        fail_msg("%s: %s", way->name, tr_last_error());
    }
    return c;
}

// What rounding leaves: at most 8 eps sum |A_j| (|q_j| + 1), which is 8 eps (1 + sqrt 2), of phi;
// (8 + n) eps sum |A_j v_j| of A v, with |v| <= 4.5; and a few eps of a and v^2, both up to 20.
static void check_levels(trConstrain *c, double t, const double *y) {
    double               a[2] = {0.0, -PENDULUM_GRAVITY};
    trConstrainViolation left;
    assert_int_equal(tr_constrain_accel(c, t, y, y + 2, a, NULL), TR_OK);
    assert_int_equal(tr_constrain_violation(c, t, y, y + 2, a, &left), TR_OK);
    assert_true(left.position <= 4.3e-15);
    assert_true(left.velocity <= 1.5e-14);
    assert_true(left.acceleration <= 1e-13);
    assert_string_equal(left.position_name, "rod");
    assert_string_equal(left.velocity_name, "rod");
    assert_string_equal(left.acceleration_name, "rod");
}

// rk4 at h = 1e-3 has an error of about 1e-10 here: halving h divides it by 16. b by differences
// adds up to 1e-9.
static void check_row(const Way *way, trConstrain *c, const double *y, const Row *r) {
    const double allowed = 2e-9;
    double       f[2] = {0.0, -PENDULUM_GRAVITY}, lambda = 0.0;
    assert_int_equal(tr_constrain_force(c, r->t, y, y + 2, f, &lambda), TR_OK);
    const double off[] = {y[0] - r->x, y[1] - r->z, (y[2] - r->vx) / 5.0, (y[3] - r->vz) / 5.0,
                          (lambda - r->lambda) / 30.0};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        if (!(fabs(off[i]) <= allowed)) {
            fail_msg("%s, t = %g: quantity %zu is off by %.3g", way->name, r->t, i, off[i]);
        }
    }
}

static double energy(const double *y) {
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) + PENDULUM_GRAVITY * y[1];
}

static void check_way(const Way *way, const Row *rows) {
    Pendulum     p = {1.0, 1.0};
    double       y[4] = {1.0, 0.0, 0.0, 0.0}, drift = 0.0;
    trConstrain *c = make(&p, way, y);
    const long   before = allocations;
    for (int i = 0; i <= STEPS; i++) {
        const double t = i * 1e-3;
        check_levels(c, t, y);
        drift = fmax(drift, fabs(energy(y)));
        if (i % (STEPS / (ROWS - 1)) == 0) {
            check_row(way, c, y, &rows[i / (STEPS / (ROWS - 1))]);
        }
        assert_int_equal(pendulum_step(c, &p, way->by_force, t, 1e-3, y), TR_OK);
    }
    assert_int_equal(allocations, before);
    assert_true(drift <= 1e-8);  // of 9.81 J
    tr_constrain_destroy(c);
}

static void the_motion_is_that_of_the_closed_form_in_every_way(void **state) {
    Row rows[ROWS];
    read_reference(rows);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        check_way(&ways[i], rows);
    }
}

// (8) as printed would give A a = 2 A a0 - b; see also Udwadia and Kalaba.
static void the_acceleration_is_corrected_with_the_right_sign(void **state) {
    Pendulum     p = {2.0, 1.0};
    double       q[2] = {0.6, -0.8}, v[2] = {0.8, 0.6}, a[2] = {0.0, -PENDULUM_GRAVITY};
    double       f[2] = {0.0, -2.0 * PENDULUM_GRAVITY}, lambda[2] = {0.0, 0.0};
    trConstrain *c = make(&p, &ways[0], (double[]){0.6, -0.8, 0.8, 0.6});
    assert_int_equal(tr_constrain_accel(c, 0.0, q, v, a, &lambda[0]), TR_OK);
    assert_int_equal(tr_constrain_force(c, 0.0, q, v, f, &lambda[1]), TR_OK);
    // Along the rod a = -v^2 / L, across it gravity; lambda = m (v^2 / L - g z / L).
    assert_true(fabs(0.6 * a[0] - 0.8 * a[1] + 1.0) < 1e-14);
    assert_true(fabs(0.8 * a[0] + 0.6 * a[1] + 0.6 * PENDULUM_GRAVITY) < 1e-14);
    assert_true(fabs(lambda[0] - 2.0 * (1.0 + 0.8 * PENDULUM_GRAVITY)) < 1e-13);
    assert_true(fabs(lambda[1] - lambda[0]) < 1e-13);
    assert_true(fabs(f[0] - 2.0 * a[0]) < 1e-13 && fabs(f[1] - 2.0 * a[1]) < 1e-13);
    tr_constrain_destroy(c);
}

static void positions_alone_are_moved_where_there_are_no_velocities(void **state) {
    Pendulum             p = {1.0, 1.0};
    double               q[2] = {0.66, -0.88};
    trConstrainViolation left;
    trConstrain         *c = make(&p, &ways[0], (double[]){1.0, 0.0, 0.0, 0.0});
    assert_int_equal(tr_constrain_state(c, 0.0, q, NULL), TR_OK);
    assert_true(fabs(q[0] - 0.6) < 1e-15 && fabs(q[1] + 0.8) < 1e-15);
    assert_int_equal(tr_constrain_violation(c, 0.0, q, NULL, NULL, &left), TR_OK);
    assert_null(left.velocity_name);
    tr_constrain_destroy(c);
}

// With a tolerance, positions that are within it are left where they are.
static void a_tolerance_leaves_positions_that_are_within_it(void **state) {
    Pendulum       p = {1.0, 1.0};
    trConstrain   *c = NULL;
    trConstrainDef def = pendulum_def(&p, 1);
    double         near[2] = {1.0 + 1e-7, 0.0}, far[2] = {1.0 + 1e-5, 0.0}, v[2] = {0.0, 0.0};
    def.tolerance = 1e-6;
    assert_int_equal(tr_constrain_create(&def, 0.0, near, v, &c), TR_OK);
    assert_int_equal(tr_constrain_state(c, 0.0, near, v), TR_OK);
    assert_true(near[0] == 1.0 + 1e-7);
    assert_int_equal(tr_constrain_state(c, 0.0, far, v), TR_OK);
    assert_true(fabs(far[0] - 1.0) < 1e-12);
    tr_constrain_destroy(c);
}

// A context may change between calls, at the same state: nothing is remembered that depends on it.
static void what_the_context_says_counts_in_every_call(void **state) {
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        Pendulum     p = {1.0, 1.0};
        double       q[2] = {1.0, 0.0}, v[2] = {0.0, 2.0}, lambda = 0.0;
        trConstrain *c = make(&p, &ways[way], (double[]){1.0, 0.0, 0.0, 2.0});
        for (int i = 1; i <= 3; i++) {
            double f[2] = {0.0, 0.0};
            p.mass = i;
            assert_int_equal(tr_constrain_force(c, 0.0, q, v, f, &lambda), TR_OK);
            assert_true(fabs(lambda - 4.0 * i) < 1e-9);  // m v^2 / L; b may be by differences
        }
        tr_constrain_destroy(c);
    }
}

static int calls_of_phi;

static int counted_phi(void *context, double t, const double *q, double *phi) {
    calls_of_phi++;
    return pendulum_phi(context, t, q, phi);
}

static void a_consistent_state_costs_one_evaluation(void **state) {
    Pendulum       p = {1.0, 1.0};
    trConstrain   *c = NULL;
    trConstrainDef def = pendulum_def(&p, 1);
    double         q[2] = {0.6, -0.8}, v[2] = {0.8, 0.6};
    def.phi = counted_phi;
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_OK);
    calls_of_phi = 0;
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_OK);
    assert_int_equal(calls_of_phi, 1);
    tr_constrain_destroy(c);
}

static void a_force_at_a_projected_state_finds_its_factorization_made(void **state) {
    Pendulum     p = {1.0, 1.0};
    double       q[2] = {0.7, -0.8}, v[2] = {0.8, 0.6}, f[2] = {0.0, -PENDULUM_GRAVITY};
    trConstrain *c = make(&p, &ways[0], (double[]){1.0, 0.0, 0.0, 0.0});
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_OK);
    const int64_t before = c->kernel.factorizations;
    assert_int_equal(tr_constrain_force(c, 0.0, q, v, f, NULL), TR_OK);
    assert_int_equal(c->kernel.factorizations, before);
    q[0] += 1e-9;
    assert_int_equal(tr_constrain_force(c, 0.0, q, v, f, NULL), TR_OK);
    assert_int_equal(c->kernel.factorizations, before + 1);
    tr_constrain_destroy(c);
}

// The rod twice, once with a length that was written with twelve digits.
static int two_rods(void *context, double t, const double *q, double *phi) {
    (void)context, (void)t;
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    phi[1] = sqrt(q[0] * q[0] + q[1] * q[1]) - (1.0 - 5e-13);
    return 0;
}

// Both cannot be satisfied to rounding. Newton's method ends between them; a state where it makes
// nothing better stays.
static void states_stay_where_rows_contradict_each_other_in_the_last_digits(void **state) {
    Pendulum       p = {1.0, 1.0};
    trConstrain   *c = NULL;
    trConstrainDef def = pendulum_def(&p, 0);
    def.m = 2;
    def.names = NULL;
    def.phi = two_rods;
    if (tr_constrain_create(&def, 0.0, (double[]){1.0, 0.0}, (double[]){0.0, 1.0}, &c) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    for (int i = 0; i < 200; i++) {
        double               q[2] = {cos(0.1 * i) + 0.02, sin(0.1 * i)}, again[2];
        trConstrainViolation left;
        assert_int_equal(tr_constrain_state(c, 0.0, q, NULL), TR_OK);
        memcpy(again, q, sizeof q);
        assert_int_equal(tr_constrain_violation(c, 0.0, q, NULL, NULL, &left), TR_OK);
        assert_true(left.position >= 2e-13 && left.position <= 6e-13);
        assert_int_equal(tr_constrain_state(c, 0.0, again, NULL), TR_OK);
        assert_memory_equal(again, q, sizeof q);
    }
    tr_constrain_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_motion_is_that_of_the_closed_form_in_every_way),
        cmocka_unit_test(the_acceleration_is_corrected_with_the_right_sign),
        cmocka_unit_test(positions_alone_are_moved_where_there_are_no_velocities),
        cmocka_unit_test(a_tolerance_leaves_positions_that_are_within_it),
        cmocka_unit_test(what_the_context_says_counts_in_every_call),
        cmocka_unit_test(a_force_at_a_projected_state_finds_its_factorization_made),
        cmocka_unit_test(a_consistent_state_costs_one_evaluation),
        cmocka_unit_test(states_stay_where_rows_contradict_each_other_in_the_last_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
