// SPDX-License-Identifier: MIT
// What is wrong with a definition is found when the handle is made, and named. What goes wrong
// later is a status with the name of the constraint, and leaves the state as it was.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "trammel/constrain.h"

// Two coordinates and a number to steer what is wrong:
//     slide: 0.5 x + 0.5 y - 0.25 t^2        circle: x^2 + y^2 + sin t - 1
typedef enum Flaw {
    NONE,
    NEARLY_RIGHT,
    WRONG_ENTRY,
    RIGHT_AT_START_ONLY,
    WRONG_RATE,
    WRONG_B,
    ASYMMETRIC,
    NEGATIVE,
    SILENT,
    TALKATIVE,
    NOT_A_NUMBER,
    INFINITE_MASS,
    RETRY,
    HOPELESS,
    IMPOSSIBLE
} Flaw;

static int mass(void *context, double t, const double *q, double *M) {
    const Flaw flaw = *(const Flaw *)context;
    (void)t;
    M[0] = 2.0 + (flaw == INFINITE_MASS ? INFINITY : q[0] * q[0]);
    M[1] = M[2] = flaw == NEGATIVE ? 3.0 : 0.5;
    M[3] = 1.0;
    M[2] += flaw == ASYMMETRIC ? 0.125 : 0.0;
    return 0;
}

// M^-1 = [1 2; 2 1], with the eigenvalue -1.
static int negative_solve(void *context, double t, const double *q, const double *x, double *y) {
    (void)context, (void)t, (void)q;
    y[0] = x[0] + 2.0 * x[1];
    y[1] = 2.0 * x[0] + x[1];
    return 0;
}

static int phi(void *context, double t, const double *q, double *out) {
    const Flaw flaw = *(const Flaw *)context;
    out[0] = 0.5 * q[0] + 0.5 * q[1] - 0.25 * t * t;
    if (flaw == SILENT) {
        return 0;
    }
    out[1] = q[0] * q[0] + q[1] * q[1] + (flaw == IMPOSSIBLE ? 1.0 : sin(t) - 1.0);
    if (flaw == TALKATIVE) {
        out[2] = 0.0;
    }
    if (flaw == NOT_A_NUMBER) {
        out[1] = NAN;
    }
    return flaw == RETRY ? 1 : flaw == HOPELESS ? -7 : 0;
}

static int jacobian(void *context, double t, const double *q, double *A) {
    const Flaw flaw = *(const Flaw *)context;
    (void)t;
    A[0] = 0.5;
    A[1] = flaw == WRONG_ENTRY ? 1.5 : flaw == NEARLY_RIGHT ? 0.5 + 4e-6 : 0.5;
    A[2] = flaw == RIGHT_AT_START_ONLY ? 2.0 : 2.0 * q[0];
    A[3] = 2.0 * q[1];
    return 0;
}

static int b1(void *context, double t, const double *q, double *out) {
    const Flaw flaw = *(const Flaw *)context;
    (void)q;
    out[0] = 0.5 * t;
    out[1] = flaw == WRONG_RATE ? cos(t) : -cos(t);
    return 0;
}

static int b(void *context, double t, const double *q, const double *v, double *out) {
    const Flaw flaw = *(const Flaw *)context;
    (void)q;
    out[0] = 0.5;
    out[1] = sin(t) - (flaw == WRONG_B ? 1.0 : 2.0) * (v[0] * v[0] + v[1] * v[1]);
    return 0;
}

static trConstrainDef define(Flaw *flaw) {
    static const char *const names[] = {"slide", "circle"};
    trConstrainDef           def = tr_constrain_def_default();
    def.n = 2;
    def.m = 2;
    def.context = flaw;
    def.names = names;
    def.mass = mass;
    def.phi = phi;
    def.jacobian = jacobian;
    def.b1 = b1;
    def.b = b;
    return def;
}

// Without derivatives; `function` has m rows.
static trConstrainDef define_plain(Flaw *flaw, int m,
                                   int (*function)(void *, double, const double *, double *)) {
    trConstrainDef def = define(flaw);
    def.m = m;
    def.phi = function;
    def.jacobian = NULL;
    def.b1 = NULL;
    def.b = NULL;
    return def;
}

static const double start_q[2] = {1.0, -1.0}, at_rest[2] = {0.0, 0.0};

static void assert_refused(const trConstrainDef *def, const double *q, const double *v,
                           trStatus expected, const char *text) {
    trConstrain *c = (trConstrain *)(uintptr_t)1;
    trStatus     status = tr_constrain_create(def, 0.0, q, v, &c);
    if (status != expected || strstr(tr_last_error(), text) == NULL) {
        fail_msg("'%s' expected, but the status is %d: %s", text, (int)status, tr_last_error());
    }
    assert_null(c);
}

static void a_right_definition_is_taken(void **state) {
    Flaw           flaw = NONE;
    trConstrain   *c = NULL;
    trConstrainDef def = define(&flaw);
    for (int i = 0; i < 2; i++) {
        if (tr_constrain_create(&def, 0.0, start_q, at_rest, &c) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
        assert_int_equal(tr_constrain_size(c), 2);
        assert_string_equal(tr_constrain_name(c, 1), i == 0 ? "circle" : "1");
        assert_null(tr_constrain_name(c, 2));
        tr_constrain_destroy(c);
        def = define_plain(&flaw, 2, phi);
        def.names = NULL;
    }
    tr_constrain_destroy(NULL);
}

// 1e-5 of the largest entry of a row, here 0.5, is allowed.
static void derivatives_with_small_errors_are_taken(void **state) {
    Flaw           flaw = NEARLY_RIGHT;
    trConstrain   *c = NULL;
    trConstrainDef def = define(&flaw);
    assert_int_equal(tr_constrain_create(&def, 0.0, start_q, at_rest, &c), TR_OK);
    tr_constrain_destroy(c);
}

static void wrong_derivatives_are_named_with_both_numbers(void **state) {
    static const struct {
        Flaw        flaw;
        const char *text;
    } cases[] = {
        {WRONG_ENTRY, "the Jacobian of constraint 'slide' with respect to coordinate 1 is 1.5, "
                      "differences give 0.5"},
        {RIGHT_AT_START_ONLY, "the Jacobian of constraint 'circle' with respect to coordinate 0 is "
                              "2, differences give "},
        {WRONG_RATE, "b1 = -d phi / dt of constraint 'circle' is 1, differences give -1"},
        {WRONG_B, "b of constraint 'circle' is "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Flaw           flaw = cases[i].flaw;
        trConstrainDef def = define(&flaw);
        assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, cases[i].text);
    }
}

static void mass_matrices_are_looked_at(void **state) {
    Flaw           flaw = ASYMMETRIC;
    trConstrainDef def = define(&flaw);
    assert_refused(&def, start_q, at_rest, TR_E_MODEL,
                   "the mass matrix is not symmetric: entry (0, 1) is 0.5, entry (1, 0) is 0.625");
    flaw = INFINITE_MASS;
    assert_refused(&def, start_q, at_rest, TR_E_MODEL, "mass, entry (0, 0), is infinite");
}

static int held_x(void *context, double t, const double *q, double *out) {
    (void)context, (void)t;
    out[0] = q[0];
    return 0;
}

// kg, kg m^2, kg: singular but for the part 1e-8 of its coupling.
static int mass_in_mixed_units(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = M[8] = 1.0;
    M[2] = M[6] = 0.5;
    M[1] = M[3] = M[5] = M[7] = (1.0 + 1e-8) * sqrt(0.75e-9);
    M[4] = 1e-9;
    return 0;
}

// M is judged as S = D M D with a diagonal of one. To y, of length one, with the lowest eigenvalue
// of S belongs the direction x = D y, where x' M x / x'x is that eigenvalue / x'x.
static void negative_masses_are_told_with_their_direction(void **state) {
    // M = [3 3; 3 1]: 1 - sqrt 3, y = (1, -1)/sqrt 2, x'x = 2/3.
    Flaw           flaw = NEGATIVE;
    trConstrainDef def = define(&flaw);
    assert_refused(&def, start_q, at_rest, TR_E_MODEL, "the mass matrix is negative, -1.09808, in");
    assert_non_null(strstr(tr_last_error(), "0.866 in coordinate 1"));
    assert_non_null(strstr(tr_last_error(), "0.5 in coordinate 0"));
    flaw = NONE;
    def.mass = NULL;
    def.mass_solve = negative_solve;
    assert_refused(&def, start_q, at_rest, TR_E_MODEL,
                   "M^-1 as mass_solve has it is negative, -1,");
    // -1.2e-8, y = (0.447, -0.775, 0.447), x'x = 0.6e9: -2e-17, while eigenvalues of M, of size
    // one, are rounded by 1e-16. Without coordinates 0 and 2 the direction would have positive
    // energy.
    const double q[3] = {0.0};
    def = define_plain(&flaw, 1, held_x);
    def.n = 3;
    def.mass = mass_in_mixed_units;
    assert_refused(&def, q, q, TR_E_MODEL, "the mass matrix is negative, -2e-17, in");
    assert_non_null(strstr(tr_last_error(), "1 in coordinate 1"));
    assert_non_null(strstr(tr_last_error(), "1.83e-05 in coordinate 0"));
    assert_non_null(strstr(tr_last_error(), "1.83e-05 in coordinate 2"));
}

static void entries_that_are_not_or_should_not_be_written_are_found(void **state) {
    Flaw           flaw = SILENT;
    trConstrainDef def = define(&flaw);
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT,
                   "phi of constraint 'circle' is not written");
    flaw = TALKATIVE;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "phi writes more than its 2 entries");
}

static void what_callbacks_cannot_tell_is_told(void **state) {
    Flaw           flaw = NOT_A_NUMBER;
    trConstrainDef def = define(&flaw);
    assert_refused(&def, start_q, at_rest, TR_E_MODEL,
                   "phi of constraint 'circle' is not a number at t = 0");
    flaw = RETRY;
    assert_refused(&def, start_q, at_rest, TR_E_MODEL, "phi returned 1, a failure, at t = 0");
    flaw = HOPELESS;
    assert_refused(&def, start_q, at_rest, TR_E_EXTERNAL, "phi returned -7, a failure, at t = 0");
}

static void constraints_that_no_state_satisfies_are_named(void **state) {
    Flaw           flaw = IMPOSSIBLE;
    trConstrainDef def = define_plain(&flaw, 2, phi);
    assert_refused(&def, start_q, at_rest, TR_E_MODEL,
                   "constraint 'circle' cannot be satisfied at t = 0");
}

// x - t and x - t^2 agree at t = 0 and ask for velocities 1 and 0. The first of equal rows is kept.
static int two_drives(void *context, double t, const double *q, double *out) {
    (void)context;
    out[0] = q[0] - t;
    out[1] = q[0] - t * t;
    return 0;
}

static void velocities_that_contradict_each_other_are_named(void **state) {
    Flaw           flaw = NONE;
    trConstrainDef def = define_plain(&flaw, 2, two_drives);
    const double   q[2] = {0.0, 0.0};
    assert_refused(&def, q, at_rest, TR_E_MODEL,
                   "constraint 'circle' cannot be satisfied by velocities at t = 0: 1 is left");
}

static int half_mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = 1.0;
    M[1] = M[2] = M[3] = 0.0;
    return 0;
}

static void motions_without_inertia_are_refused(void **state) {
    const double   q[2] = {0.0, 0.0};
    Flaw           flaw = NONE;
    trConstrainDef def = define_plain(&flaw, 1, held_x);
    def.mass = half_mass;
    assert_refused(&def, q, at_rest, TR_E_MODEL, "without inertia (velocity 1)");
}

// A rod of a tenth of a millimeter, in meters: steps of differences are too long for it, and say
// so. With its scale they are not.
static int tiny_rod(void *context, double t, const double *q, double *out) {
    (void)context, (void)t;
    out[0] = sqrt(q[0] * q[0] + q[1] * q[1]) - 1e-4;
    return 0;
}

static void differences_that_do_not_settle_are_refused(void **state) {
    Flaw           flaw = NONE;
    trConstrain   *c = NULL;
    const double   q[2] = {6e-5, -8e-5}, v[2] = {1.0, 0.0}, scale[2] = {1e-4, 1e-4};
    double         a[2] = {0.0, 0.0}, w[2] = {8e-3, 6e-3};
    trConstrainDef def = define_plain(&flaw, 1, tiny_rod);
    assert_refused(&def, q, v, TR_E_ARGUMENT, "by differences does not converge");
    def.scale = scale;
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_OK);
    assert_int_equal(tr_constrain_accel(c, 0.0, q, w, a, NULL), TR_OK);
    assert_true(fabs(0.6 * a[0] - 0.8 * a[1] + 1.0) < 1e-8);  // -v^2 / L = -1
    tr_constrain_destroy(c);
}

// A function with an edge: b by differences comes from the steps that stay inside of it.
static int edged(void *context, double t, const double *q, double *out) {
    (void)context, (void)t;
    out[0] = q[1] - q[0] * q[0];
    return q[0] > 1.0;
}

static void differences_may_meet_the_edge_of_what_phi_knows(void **state) {
    Flaw           flaw = NONE;
    trConstrain   *c = NULL;
    const double   q[2] = {0.99, 0.9801}, v[2] = {1.0, 1.98};
    double         a[2] = {0.0, 0.0};
    trConstrainDef def = define_plain(&flaw, 1, edged);
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_OK);
    assert_int_equal(tr_constrain_accel(c, 0.0, q, v, a, NULL), TR_OK);
    assert_true(fabs(a[1] - 1.98 * a[0] - 2.0) < 1e-8);  // y'' - 2 x x'' = 2 x'^2
    tr_constrain_destroy(c);
}

static void definitions_that_say_too_little_or_too_much_are_refused(void **state) {
    Flaw           flaw = NONE;
    trConstrainDef def = define(&flaw);
    const double   X[4] = {1.0, 2.0, 2.0, 4.0};
    def.struct_size = 0;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "tr_constrain_def_default()");
    def = define(&flaw);
    def.mass = NULL;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "one of mass and mass_solve");
    def = define(&flaw);
    def.m = 0;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "at least one coordinate and one");
    def = define(&flaw);
    def.k = 1;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "psi and k = 1 do not fit: give both");
    def.m = 0;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "phi and m = 0 do not fit: give both");
    def = define(&flaw);
    def.rank_tolerance = 0.0;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "rank_tolerance = 0");
    def = define(&flaw);
    def.time_scale = -1.0;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "time_scale = -1");
    def = define(&flaw);
    def.forms = 2;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT, "X is needed");
    def.X = X;
    assert_refused(&def, start_q, at_rest, TR_E_ARGUMENT,
                   "form 1, a column of X, depends on those before it");
    def = define(&flaw);
    assert_refused(&def, (double[]){1.0, NAN}, at_rest, TR_E_MODEL, "coordinate 1 is not a number");
}

static void a_failure_later_leaves_the_state_as_it_was(void **state) {
    Flaw           flaw = NONE;
    trConstrain   *c = NULL;
    trConstrainDef def = define(&flaw);
    double         q[2] = {1.1, -0.9}, v[2] = {1.0, 2.0}, f[2] = {3.0, 4.0};
    assert_int_equal(tr_constrain_create(&def, 0.0, start_q, at_rest, &c), TR_OK);
    flaw = NOT_A_NUMBER;
    assert_int_equal(tr_constrain_state(c, 0.5, q, v), TR_NOT_FINITE);
    assert_non_null(
        strstr(tr_last_error(), "phi of constraint 'circle' is not a number at t = 0.5"));
    assert_int_equal(tr_constrain_force(c, 0.5, q, v, f, NULL), TR_NOT_FINITE);
    flaw = RETRY;
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_NOT_FINITE);
    flaw = HOPELESS;
    assert_int_equal(tr_constrain_force(c, 0.0, q, v, f, NULL), TR_E_EXTERNAL);
    flaw = IMPOSSIBLE;
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_NO_CONVERGENCE);
    assert_non_null(strstr(tr_last_error(), "constraint 'circle' cannot be satisfied at t = 0"));
    assert_true(q[0] == 1.1 && q[1] == -0.9 && v[0] == 1.0 && v[1] == 2.0);
    assert_true(f[0] == 3.0 && f[1] == 4.0);
    flaw = NONE;
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_OK);
    tr_constrain_destroy(c);
}

// phi = x - |y|: fine where differences do not reach y = 0, and only there.
static int bent(void *context, double t, const double *q, double *out) {
    (void)context, (void)t;
    out[0] = q[0] - fabs(q[1]);
    return 0;
}

static void a_kink_within_the_steps_of_differences_is_found(void **state) {
    Flaw           flaw = NONE;
    trConstrain   *c = NULL;
    trConstrainDef def = define_plain(&flaw, 1, bent);
    const double   far[2] = {2.0, 2.0}, near[2] = {1e-3, 1e-3}, v[2] = {1.0, 1.0};
    double         f[2] = {1.0, 0.0};
    assert_int_equal(tr_constrain_create(&def, 0.0, far, v, &c), TR_OK);
    assert_int_equal(tr_constrain_force(c, 0.0, far, v, f, NULL), TR_OK);
    f[0] = 1.0;
    f[1] = 0.0;
    assert_int_equal(tr_constrain_force(c, 0.0, near, v, f, NULL), TR_NO_CONVERGENCE);
    assert_non_null(
        strstr(tr_last_error(), "b of constraint 'slide' by differences does not converge"));
    assert_true(f[0] == 1.0 && f[1] == 0.0);
    assert_int_equal(tr_constrain_force(c, 0.0, far, NULL, f, NULL), TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "accelerations need velocities");
    tr_constrain_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_definition_is_taken),
        cmocka_unit_test(derivatives_with_small_errors_are_taken),
        cmocka_unit_test(wrong_derivatives_are_named_with_both_numbers),
        cmocka_unit_test(mass_matrices_are_looked_at),
        cmocka_unit_test(negative_masses_are_told_with_their_direction),
        cmocka_unit_test(entries_that_are_not_or_should_not_be_written_are_found),
        cmocka_unit_test(what_callbacks_cannot_tell_is_told),
        cmocka_unit_test(constraints_that_no_state_satisfies_are_named),
        cmocka_unit_test(velocities_that_contradict_each_other_are_named),
        cmocka_unit_test(motions_without_inertia_are_refused),
        cmocka_unit_test(differences_that_do_not_settle_are_refused),
        cmocka_unit_test(differences_may_meet_the_edge_of_what_phi_knows),
        cmocka_unit_test(definitions_that_say_too_little_or_too_much_are_refused),
        cmocka_unit_test(a_failure_later_leaves_the_state_as_it_was),
        cmocka_unit_test(a_kink_within_the_steps_of_differences_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
