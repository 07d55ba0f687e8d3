// SPDX-License-Identifier: MIT
// Systems of the user's own equations: what functions of the file record is evaluated as it was
// written, in every shape that they may return it, and nothing of Lua is left when it runs.

#include "lua/lua_calls.h"
#include "lua/lua_case.h"
#include "system/system.h"
#include "trammel/sim.h"

// A system from a file, evaluated at one instant.
typedef struct Case {
    trModel  *model;
    trSystem *system;
    trArena  *arena;
    trEval    eval;
} Case;

static const double T = 0.7;
static const double q[] = {0.3, -1.2, 2.5}, v[] = {1.5, 0.25, -0.75}, z[] = {0.4, -0.6};

static Case case_of(const char *text, const char *const *set) {
    Case c = {.model = model_of(text, set), .arena = tr_arena_create()};
    if (tr_system_build(c.model, &c.system) != TR_OK) {
        fail_msg("%s\n%s", tr_last_error(), text);
    }
    assert_int_equal(tr_eval_plan(c.arena, c.system, 1e-4, &c.eval), TR_OK);
    c.eval.z = z;
    if (tr_system_eval(c.system, T, q, v, &c.eval) != TR_OK) {
        fail_msg("%s\n%s", tr_last_error(), text);
    }
    return c;
}

static void end_case(Case *c) {
    tr_system_destroy(c->system);
    tr_arena_destroy(c->arena);
    tr_model_destroy(c->model);
}

// A handful of operations, each rounded once, on numbers up to 10.
static void check_numbers(const char *text, int count, const double *got, const double *wanted) {
    for (int i = 0; i < count; i++) {
        if (!(fabs(got[i] - wanted[i]) <= 2e-14)) {
            fail_msg("number %d is %.17g, not %.17g:\n%s", i + 1, got[i], wanted[i], text);
        }
    }
}

#define SYSTEM2 "local s = system { coordinates = { 'x', 'y' }, parameters = { m = 2, k = 3 } }\n"
#define SYSTEM3 \
    "local s = system { coordinates = { 'x', 'y', 'z' }, parameters = { m = 2, k = 3 } }\n"
#define MASS2 "s:mass(function(q, t, p) return { p.m, p.m } end)\n"
#define END "return s"

// --- mass ---

typedef struct Matrix {
    const char *text;  // what the function of s:mass returns
    double      M[9];
} Matrix;

static void masses_are_read_in_every_shape(void **state) {
    const double x = 0.3, y = -1.2, t = T;
    const Matrix matrices[] = {
        {"{ p.m, 1, 0 }", {2, 0, 0, 0, 1, 0, 0, 0, 0}},
        {"vec(p.m, 1 + q.x, 4)", {2, 0, 0, 0, 1 + x, 0, 0, 0, 4}},
        {"{ { p.m, q.x, 0 }, { q.x, 3, t }, { 0, t, 5 } }", {2, x, 0, x, 3, t, 0, t, 5}},
        {"{ vec(p.m, q.x, 0), vec(q.x, 3, q.y), vec(0, q.y, 5) }", {2, x, 0, x, 3, y, 0, y, 5}},
        {"mat { { 7, 1, 2 }, { 1, 8, q.x * q.y }, { 2, q.x * q.y, 9 } }",
         {7, 1, 2, 1, 8, x * y, 2, x * y, 9}},
        {"2 * mat(vec(7, 1, 2), vec(1, 8, 0), vec(2, 0, 9))", {14, 2, 4, 2, 16, 0, 4, 0, 18}},
    };
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        char text[512];
        snprintf(text, sizeof text, SYSTEM3 "s:mass(function(q, t, p) return %s end)\n" END,
                 matrices[i].text);
        Case   c = case_of(text, NULL);
        double M[9], unit[3];
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) {
                unit[j] = j == k;
            }
            tr_mass_mul(&c.eval.equations.M, unit, M + (ptrdiff_t)3 * k);
        }
        check_numbers(text, 9, M, matrices[i].M);
        end_case(&c);
    }
}

static void a_single_mass_may_be_a_number(void **state) {
    static const char *const masses[] = {"4", "{ 4 }", "{ { 4 } }", "q.x - q.x + 4"};
    for (size_t i = 0; i < sizeof masses / sizeof *masses; i++) {
        char         text[256];
        const double one = 1.0, wanted = 4.0;
        double       M = 0.0;
        snprintf(text, sizeof text,
                 "local s = system { coordinates = { 'x' } } "
                 "s:mass(function(q, t, p) return %s end) " END,
                 masses[i]);
        Case c = case_of(text, NULL);
        tr_mass_mul(&c.eval.equations.M, &one, &M);
        check_numbers(text, 1, &M, &wanted);
        end_case(&c);
    }
}

// --- forces ---

typedef struct Force {
    const char *text;  // what the function of s:force returns
    double      Q[2];
} Force;

static void forces_are_read_by_name_and_in_order(void **state) {
    const double x = 0.3, y = -1.2, vx = 1.5, vy = 0.25, t = T, heading = 0.4, speed = -0.6;
    const Force  forces[] = {
         {"{ 1, 2 }", {1, 2}},
         {"{ y = 2 }", {0, 2}},
         {"{ y = 2, x = q.x }", {x, 2}},
         {"{}", {0, 0}},
         {"vec(q.y, 5)", {y, 5}},
         {"{ q[1], q[2] }", {x, y}},
         {"{ q.x * v.y, q[2] * v[1] }", {x * vy, y * vx}},
         {"{ -p.k * q.x, t }", {-3 * x, t}},
         {"{ z.heading, z[2] }", {heading, speed}},
         {"{ where(less(q.x, q.y), 1, v.x), where(greater(q.x, q.y), t, 8) }", {vx, t}},
         {"{ min(q.x, q.y, t), max(q.x, q.y, t) }", {y, t}},
         {"{ abs(q.y) * sign(v.y), atan2(q.y, q.x) }", {1.2, atan2(y, x)}},
         {"{ spring(q.x), 2 * spring(v.y) }", {12 * 0.3, 2 * (3 + 2 * 0.25)}},
         {"{ table_(q.x), table_(v.x) }", {0.3 * 2, 2 + 0.5 * 4}},
         {"{ norm(vec(q.x, q.y)), dot(vec(q.x, q.y), vec(v.x, v.y)) }",
          {sqrt(x * x + y * y), x * vx + y * vy}},
    };
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 SYSTEM2 MASS2
                 "local spring = piecewise { { -math.huge, { 3, 2 } }, { 0.28, { 0, 12 } } }\n"
                 "local table_ = tabulated { { 0, 0 }, { 1, 2 }, { 2, 6 }, linear = true }\n"
                 "s:state { 'heading', 'speed', rate = function() return { 0, 0 } end }\n"
                 "s:force(function(q, v, t, p, z) return %s end)\n" END,
                 forces[i].text);
        Case c = case_of(text, NULL);
        check_numbers(text, 2, c.eval.Q, forces[i].Q);
        end_case(&c);
    }
}

static void a_system_without_forces_has_none(void **state) {
    const double none[2] = {0.0, 0.0};
    Case         c = case_of(SYSTEM2 MASS2 END, NULL);
    check_numbers("no s:force", 2, c.eval.Q, none);
    assert_true(c.eval.power == 0.0 && c.eval.potential == 0.0);
    end_case(&c);
}

// --- constraints ---

// phi = x y - k t:  A = (y, x), b1 = k, b = -2 vx vy
// psi = x vy^2 + t: A = (0, 2 x vy), b1 = A v - psi = x vy^2 - t, b = -(vx vy^2 + 1)
static void rows_have_their_derivatives(void **state) {
    static const char text[] = SYSTEM2 MASS2
        "s:constraint { name = 'area', phi = function(q, t, p) return q.x * q[2] - p.k * t end }\n"
        "s:nonholonomic { name = 'climb', unit = 'm',\n"
        "                 psi = function(q, v, t) return q.x * v.y ^ 2 + t end }\n" END;
    const double x = 0.3, y = -1.2, vx = 1.5, vy = 0.25, t = T;
    const double A[4] = {y, 0, x, 2 * x * vy};  // column by column
    const double b1[2] = {3, x * vy * vy - t}, b[2] = {-2 * vx * vy, -(vx * vy * vy + 1)};
    const double phi[2] = {x * y - 3 * t, 0};
    double       dense[4];
    Case         c = case_of(text, NULL);
    tr_rows_dense(&c.eval.equations.A, dense);
    check_numbers("A", 4, dense, A);
    check_numbers("b1", 2, c.eval.b1, b1);
    check_numbers("b", 2, c.eval.b, b);
    check_numbers("phi", 2, c.eval.phi, phi);
    assert_true(c.eval.equations.nonlinear);
    assert_true(c.eval.equations.holonomic[0] && !c.eval.equations.holonomic[1]);
    assert_string_equal(c.system->row_unit[0], "");
    assert_string_equal(c.system->row_unit[1], "m");
    end_case(&c);
}

static void several_rows_come_from_lists_and_vectors(void **state) {
    static const char *const results[] = {
        "{ q.x - 1, q.y - 2, q.z * q.x }",
        "vec(q.x - 1, q.y - 2, q.z * q.x)",
        "vec(q.x, q.y, q.z * q.x) - vec(1, 2, 0)",
    };
    const double phi[3] = {0.3 - 1, -1.2 - 2, 2.5 * 0.3};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 SYSTEM3 "s:mass(function() return { 1, 1, 1 } end)\n"
                         "s:constraint { name = 'a', phi = function(q, t, p) return %s end }\n"
                         "s:constraint { name = 'b', phi = function(q) return q.x end }\n" END,
                 results[i]);
        Case c = case_of(text, NULL);
        check_numbers(text, 3, c.eval.phi, phi);
        assert_int_equal(tr_system_m(c.system), 4);
        end_case(&c);
    }
}

// --- the rest ---

static void parameters_are_set_from_outside(void **state) {
    static const char *const set[] = {"k=5", "name=b", NULL};
    static const char        text[] =
        "local s = system { coordinates = { 'x', 'y' },\n"
        "                   parameters = { m = 2, k = 3, name = 'a' } }\n" MASS2
        "s:force(function(q, v, t, p) return { p.k, p.name == 'b' and p.m or 0 } end)\n" END;
    const double given[2] = {5, 2}, left[2] = {3, 0};
    Case         c = case_of(text, set);
    check_numbers("set", 2, c.eval.Q, given);
    end_case(&c);
    c = case_of(text, NULL);
    check_numbers("not set", 2, c.eval.Q, left);
    end_case(&c);
}

static void states_have_rates_and_a_start(void **state) {
    static const char text[] = SYSTEM2 MASS2
        "s:state { 'a', start = 0.5, rate = function(q, v, t, p, z) return v.x - z.a end }\n"
        "s:state { 'b', 'c', start = { 1, 2 },\n"
        "          rate = function(q, v, t, p, z) return { z.a * z.b, p.k + z.c } end }\n"
        "s:start { x = 1, a = 7, v = { y = -2 } }\n" END;
    const double numbers[] = {0.4, -0.6, 9.0}, wanted[] = {1.5 - 0.4, 0.4 * -0.6, 3 + 9.0};
    const double start[] = {7, 1, 2}, q0[] = {1, 0}, v0[] = {0, -2};
    Case         c = {.model = model_of(text, NULL), .arena = tr_arena_create()};
    assert_int_equal(tr_system_build(c.model, &c.system), TR_OK);
    assert_int_equal(tr_eval_plan(c.arena, c.system, 1e-4, &c.eval), TR_OK);
    c.eval.z = numbers;
    assert_int_equal(tr_system_eval(c.system, T, q, v, &c.eval), TR_OK);
    check_numbers("rates", 3, c.eval.z_dot, wanted);
    check_numbers("start of states", 3, c.system->z0, start);
    check_numbers("start", 2, c.system->q0, q0);
    check_numbers("start of velocities", 2, c.system->v0, v0);
    end_case(&c);
}

// C = -mu |lambda| v, with lambda of the second row of the second constraint.
static void nonideal_forces_read_reactions(void **state) {
    static const char text[] = SYSTEM2 MASS2
        "s:constraint { name = 'a', phi = function(q) return q.x end }\n"
        "s:constraint { name = 'b', phi = function(q) return { q.y, q.x + q.y } end }\n"
        "s:nonideal(function(q, v, t, p, reaction, z)\n"
        "    return { reaction.a, -p.k * abs(reaction.b[2]) * v.y }\n"
        "end)\n" END;
    const double lambda[] = {1.5, 40.0, -2.0}, wanted[] = {1.5, -3 * 2.0 * 0.25};
    Case         c = case_of(text, NULL);
    assert_int_equal(tr_eval_nonideal(&c.eval, lambda), TR_OK);
    check_numbers("C", 2, c.eval.C, wanted);
    assert_true(c.system->traced->reactive);
    end_case(&c);
}

// E = m v^2 / 2 + k x^2 / 2 with Q = (-k x, 5): V = k x^2 / 2, and 5 has no potential.
static void the_energy_tells_potential_and_power(void **state) {
    static const char text[] =
        SYSTEM2       MASS2 "s:force(function(q, v, t, p) return { -p.k * q.x, 5 } end)\n"
                            "s:energy(function(q, v, t, p)\n"
                            "    return p.m * (v.x ^ 2 + v.y ^ 2) / 2 + p.k * q.x ^ 2 / 2\n"
                            "end)\n" END;
    const double      wanted[] = {3 * 0.3 * 0.3 / 2, 5 * 0.25};
    Case              c = case_of(text, NULL);
    const double      got[] = {c.eval.potential, c.eval.power};
    check_numbers("potential and power", 2, got, wanted);
    end_case(&c);
}

static void names_tell_what_a_system_is_made_of(void **state) {
    static const char text[] =
        "local s = system { name = 'n', coordinates = { 'x', 'y' }, units = { y = 'mm' } }\n"
        "s:mass(function() return { 1, 1 } end)\n"
        "s:constraint { name = 'a', phi = function(q) return { q.x, q.y } end }\n"
        "s:nonholonomic { name = 'b', psi = function(q, v) return v.x end }\n"
        "s:state { 'w', rate = function() return 1 end }\n" END;
    Case            c = case_of(text, NULL);
    const trSystem *s = c.system;
    int             first = -1;
    assert_int_equal(tr_system_dim(s), 0);
    assert_int_equal(tr_system_bodies(s), 0);
    assert_int_equal(tr_system_joints(s), 0);
    assert_int_equal(tr_system_coordinates(s), 2);
    assert_int_equal(tr_system_constraints(s), 2);
    assert_int_equal(tr_system_states(s), 1);
    assert_null(tr_system_body_name(s, 0));
    assert_string_equal(tr_system_coordinate_name(s, 1), "y");
    assert_string_equal(tr_system_coordinate_unit(s, 0), "");
    assert_string_equal(tr_system_coordinate_unit(s, 1), "mm");
    assert_string_equal(tr_system_constraint_name(s, 0), "a");
    assert_string_equal(tr_system_constraint_name(s, 1), "b");
    assert_string_equal(tr_system_state_name(s, 0), "w");
    assert_int_equal(tr_system_constraint_rows(s, 0, &first), 2);
    assert_int_equal(first, 0);
    assert_int_equal(tr_system_constraint_rows(s, 1, &first), 1);
    assert_int_equal(first, 2);
    for (int i = -1; i <= 2; i += 3) {
        assert_null(tr_system_coordinate_name(s, i));
        assert_null(tr_system_coordinate_unit(s, i));
        assert_null(tr_system_constraint_name(s, i));
        assert_null(tr_system_state_name(s, i));
    }
    end_case(&c);
}

// --- Lua ends where the run begins ---

static void no_lua_state_is_alive_in_a_run(void **state) {
    states_opened = states_closed = calls = 0;
    trModel *model =
        model_of(SYSTEM2 MASS2 "s:force(function(q, v, t, p) return { -p.k * q.x, sin(t) } end)\n"
                               "s:start { x = 1 }\n" END,
                 NULL);
    trSystem *system = NULL;
    trSim    *sim = NULL;
    trSimDef  def = tr_sim_def_default();
    int       before = calls;
    def.duration = 10.0;
    assert_int_equal(states_opened, 1);
    assert_int_equal(states_closed, 1);
    assert_true(before >= 3);  // the file, and both functions, once
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    assert_int_equal(tr_sim_create(system, &def, &sim), TR_OK);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    assert_true(tr_sim_stats(sim).evaluations > 100);
    assert_int_equal(calls, before);
    assert_int_equal(states_opened, 1);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static void a_file_that_is_refused_leaves_no_lua_state(void **state) {
    states_opened = states_closed = 0;
    expect_error(SYSTEM2 "s:mass(function(q) return q.w end)\n" END, NULL,
                 "2: there is no coordinate 'w'; choose from x, y");
    assert_int_equal(states_opened, 1);
    assert_int_equal(states_closed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_are_read_in_every_shape),
        cmocka_unit_test(a_single_mass_may_be_a_number),
        cmocka_unit_test(forces_are_read_by_name_and_in_order),
        cmocka_unit_test(a_system_without_forces_has_none),
        cmocka_unit_test(rows_have_their_derivatives),
        cmocka_unit_test(several_rows_come_from_lists_and_vectors),
        cmocka_unit_test(parameters_are_set_from_outside),
        cmocka_unit_test(states_have_rates_and_a_start),
        cmocka_unit_test(nonideal_forces_read_reactions),
        cmocka_unit_test(the_energy_tells_potential_and_power),
        cmocka_unit_test(names_tell_what_a_system_is_made_of),
        cmocka_unit_test(no_lua_state_is_alive_in_a_run),
        cmocka_unit_test(a_file_that_is_refused_leaves_no_lua_state),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
