// SPDX-License-Identifier: MIT
// Systems of recorded functions that must not be answered wrongly in silence: short pulses, rows
// that change their direction, units far from one, masses that are no numbers.

#include "lua/lua_case.h"
#include "support/machines.h"

static Machine machine_of(const char *body) {
    char text[1024];
    snprintf(text, sizeof text, "local s = system { coordinates = { 'x', 'y' } }\n%s\nreturn s",
             body);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

#define UNIT_MASS "s:mass(function() return { 1, 1 } end)\n"

// A pulse of 2 ms in steps of up to 0.2 s: what it leaves is its integral. The default tolerance
// is 1e-8, relative, in each of a few dozen steps.
static void pulses_are_not_stepped_over(void **state) {
    static const struct {
        const char *body;
        double      integral;  // [N s]
    } cases[] = {
        {"s:force(function(q, v, t) return { where(less(t, 0.3), 0, where(less(t, 0.302), 1e5, "
         "0)), 0 } end)",
         200.0},
        {"s:nonideal(function(q, v, t) return { where(less(t, 0.3), 0, where(less(t, 0.302), 1e5, "
         "0)), 0 } end)",
         200.0},
        {"local f = tabulated { { 0, 0 }, { 0.3, 0 }, { 0.301, 1e5 }, { 0.302, 0 }, { 1, 0 }, "
         "linear = true }\n"
         "s:force(function(q, v, t) return { f(t), 0 } end)",
         100.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, UNIT_MASS "%s", cases[i].body);
        Machine  machine = machine_of(text);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        assert_true(fabs(tr_sim_v(sim)[0] - cases[i].integral) <= 1e-6 * cases[i].integral);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// At t = 0.5 the row holds y in place of x. Nothing else of it jumps: phi and b1 are 0 on both
// sides.
static void a_row_that_takes_another_direction_is_refused(void **state) {
    static const char *const rows[] = {
        "s:nonholonomic { name = 'c', psi = function(q, v, t)\n"
        "    return where(less(t, 0.5), v.x, v.y) end }",
        "s:constraint { name = 'c', phi = function(q, t)\n"
        "    return where(less(t, 0.5), q.x, q.y - 0.5) end }",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, UNIT_MASS "%s s:start { v = { y = 1 } }", rows[i]);
        Machine  machine = machine_of(text);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_E_MODEL);
        assert_non_null(strstr(tr_last_error(), "constraint 'c': the rate of its function jumps by "
                                                "1 at t = 0.5 s"));
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// Newton's method for |v| = 1 from v = 1.5, whatever psi is multiplied by.
static void rows_of_second_degree_may_have_any_unit(void **state) {
    static const double unit[] = {1e-12, 1e-6, 1.0, 1e6, 1e12};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 UNIT_MASS "s:nonholonomic { name = 'c', psi = function(q, v)\n"
                           "    return %g * (v.x^2 + v.y^2 - 1) end }\n"
                           "s:start { v = { x = 1.2, y = 0.9 } }",
                 unit[i]);
        Machine  machine = machine_of(text);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        assert_true(fabs(hypot(tr_sim_v(sim)[0], tr_sim_v(sim)[1]) - 1.0) <= 1e-15);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

static void expect_refusal(const char *body, const char *message) {
    Machine  machine = machine_of(body);
    trSimDef def = tr_sim_def_default();
    trSim   *sim = NULL;
    assert_int_equal(tr_sim_create(machine.system, &def, &sim), TR_E_MODEL);
    if (strstr(tr_last_error(), message) == NULL) {
        fail_msg("'%s' is not in '%s'", message, tr_last_error());
    }
    machine_free(&machine);
}

// Half a meter off; with the smallest unit phi is 1.25e-12. Positions are held as closely in all,
// also while it moves.
static void phi_may_have_any_unit(void **state) {
    static const double unit[] = {1e-12, 1e-6, 1.0, 1e6, 1e12};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 UNIT_MASS "s:force(function() return { 0, -9.81 } end)\n"
                           "s:constraint { name = 'c', phi = function(q)\n"
                           "    return %g * (q.x^2 + q.y^2 - 1) end } s:start { x = 1.5 }",
                 unit[i]);
        Machine  machine = machine_of(text);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        for (int k = 0; k < 20; k++) {
            const double *q = tr_sim_q(sim), *v = tr_sim_v(sim);
            // Newton's tolerance: 1e-12 (1 + max|q|).
            assert_true(fabs(hypot(q[0], q[1]) - 1.0) <= 2.1e-12);
            assert_true(fabs(q[0] * v[0] + q[1] * v[1]) <= 1e-14 * (1.0 + hypot(v[0], v[1])));
            assert_int_equal(tr_sim_run_to(sim, 0.1 * (k + 1)), TR_OK);
        }
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// A constraint of two rows has the columns lambda.l.1 and lambda.l.2.
static void columns_of_one_name_are_refused(void **state) {
    expect_refusal(UNIT_MASS
                   "s:constraint { name = 'l', phi = function(q) return { q.x, q.y } end }\n"
                   "s:constraint { name = 'l.1', phi = function(q) return q.x end }",
                   "two columns of the results would be called 'lambda.l.1'");
}

static void masses_that_are_no_numbers_are_named(void **state) {
    expect_refusal("s:mass(function() return { 1, 0 / 0 } end)",
                   "coordinate 'y': its mass is not a finite number");
    expect_refusal("s:mass(function() return { 1 / 0, 1 } end)",
                   "coordinate 'x': its mass is not a finite number");
    expect_refusal("s:mass(function(q) return { 1 + sqrt(q.x), 1 } end) s:start { v = { x = 1 } }",
                   "model.lua:2: coordinate 'x': its mass or its rate is not a finite number at "
                   "t = 0 s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulses_are_not_stepped_over),
        cmocka_unit_test(a_row_that_takes_another_direction_is_refused),
        cmocka_unit_test(rows_of_second_degree_may_have_any_unit),
        cmocka_unit_test(phi_may_have_any_unit),
        cmocka_unit_test(columns_of_one_name_are_refused),
        cmocka_unit_test(masses_that_are_no_numbers_are_named),
    };
    return cmocka_run_group_tests_name("recorded", tests, enter_folder, leave_folder);
}
