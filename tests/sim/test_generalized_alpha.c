// SPDX-License-Identifier: MIT
// generalized_alpha on the second face: of second order in q, v and lambda, constraints on
// positions at Newton's tolerance, and clear words about what it refuses.

#include <math.h>
#include <string.h>

#include "support/allocations.h"
#include "support/machines.h"
#include "support/options.h"
#include "support/test.h"

#define RHO 0.8
#define NUMBERS 8  // that are compared

static Machine spatial_machine(void) {
    Machine machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -GRAVITY)),
                        &machine.model),
        TR_OK);
    return machine;
}

// Benchmark P6.8.
static Machine heavy_top(void) {
    Machine machine = spatial_machine();
    int     top = machine_body(
            &machine, "top",
            TR_PARAMS(TR_NUM("mass", 15.0), TR_VEC("inertia", 0.234375, 0.46875, 0.234375),
                      TR_VEC("com", 0.0, 1.0, 0.0), TR_VEC("angular_velocity", 0.0, 150.0, -4.61538)));
    machine_joint(&machine, "spherical", "O", TR_GROUND, top, TR_PARAMS(TR_VEC("point", 0, 0, 0)));
    machine_build(&machine);
    return machine;
}

// Benchmark S4c, with a universal joint: 17 rows, one degree of freedom.
static Machine slider_crank(void) {
    const double pi = 3.14159265358979323846, y = sqrt(0.29 * 0.29 - 0.25 * 0.25);
    Machine      machine = spatial_machine();
    int          crank = machine_body(&machine, "crank",
                                      TR_PARAMS(TR_NUM("mass", 0.12), TR_VEC("inertia", 1e-4, 1e-4, 1e-5),
                                                TR_VEC("at", 0.0, 0.0, 0.05),
                                                TR_VEC("velocity", -0.1 * pi, 0.0, 0.0),
                                                TR_VEC("angular_velocity", 0.0, -2.0 * pi, 0.0)));
    int          rod = machine_body(
                 &machine, "rod",
                 TR_PARAMS(TR_NUM("mass", 0.5), TR_VEC("inertia", 4e-3, 4e-4, 4e-3),
                           TR_VEC("at", 0.0, 0.5 * y, -0.025),
                           TR_VEC("quaternion", 0.8679835773980649, -0.49659290104396125, 0.0, 0.0),
                           TR_VEC("velocity", -0.1 * pi, 0.0, 0.0),
                           TR_VEC("angular_velocity", 0.0, -0.8 * pi, 0.0)));
    int slider = machine_body(&machine, "slider",
                              TR_PARAMS(TR_NUM("mass", 0.5), TR_VEC("inertia", 1e-4, 1e-4, 1e-4),
                                        TR_VEC("at", 0.0, y, -0.15)));
    machine_joint(&machine, "revolute", "A", TR_GROUND, crank,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("axis", 0.0, 1.0, 0.0)));
    machine_joint(&machine, "spherical", "B", crank, rod,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.1)));
    machine_joint(&machine, "universal", "C", rod, slider,
                  TR_PARAMS(TR_VEC("point", 0.0, y, -0.15), TR_VEC("world_axis1", 1.0, 0.0, 0.0),
                            TR_VEC("world_axis2", 0.0, 1.0, 0.0)));
    machine_joint(&machine, "prismatic", "D", TR_GROUND, slider,
                  TR_PARAMS(TR_VEC("point", 0.0, y, -0.15), TR_VEC("axis", 0.0, 1.0, 0.0)));
    machine_build(&machine);
    return machine;
}

// A kind in a form, with its one number.
typedef struct Choice {
    const char *integrator, *form;
    double      rho;
} Choice;

static const Choice usual = {"generalized_alpha", "index3", RHO};

static trSimDef choice_def(const Choice *choice, double step) {
    trSimDef def = tr_sim_def_default();
    def.integrator = choice->integrator;
    def.form = choice->form;
    def.step = step;
    if (strcmp(choice->integrator, "newmark") != 0) {
        set_number(&def, "rho", choice->rho);
    }
    return def;
}

static trSimDef alpha_def(double step) {
    return choice_def(&usual, step);
}

// Positions and velocities, of the last body above all, and the reaction of joint 0, at time t: q,
// v and lambda.
static void observe(const Machine *machine, const trSimDef *def, double t, double out[NUMBERS]) {
    trSim     *sim = machine_sim(machine, def);
    trReaction r;
    if (tr_sim_run_to(sim, t) != TR_OK || tr_sim_reaction(sim, 0, &r) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    trBodyState   b = tr_sim_body(sim, tr_system_bodies(machine->system) - 1);
    const double *v = tr_sim_v(sim);
    const double  numbers[NUMBERS] = {
         b.y, tr_sim_q(sim)[sim->nq - 1], b.vy, v[0], v[sim->nv - 1], r.fx, r.fy, r.fz};
    memcpy(out, numbers, sizeof numbers);
    trSimStats stats = tr_sim_stats(sim);
    // Newton's method ends at rounding, some 1e-14 of positions at most; of velocities that is
    // gamma / (beta h) times as much, 2e-10 with the shortest step here.
    if (def->integrator != NULL) {
        assert_true(stats.position.length <= 1e-13 && stats.position.angle <= 1e-13);
    }
    if (def->form != NULL && strcmp(def->form, "ggl") == 0) {
        assert_true(stats.velocity.length <= 2e-10 && stats.velocity.angle <= 2e-10);
    }
    tr_sim_destroy(sim);
}

// The distance of two observations in positions (0), velocities (1) or forces (2).
static double distance(const double *a, const double *b, int level) {
    static const int begin[] = {0, 2, 5, NUMBERS};
    double           sum = 0.0;
    for (int i = begin[level]; i < begin[level + 1]; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

// Errors against dop853 with steps h and h / 2: of second order they fall by 4, up to terms of
// higher order, which are of the relative size of h times the fastest rate of the motion.
static void assert_second_order(const Machine *machine, const Choice *choice, double t, double h) {
    double   exact[NUMBERS], coarse[NUMBERS], fine[NUMBERS];
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-12;
    observe(machine, &def, t, exact);
    def = choice_def(choice, h);
    observe(machine, &def, t, coarse);
    def.step = 0.5 * h;
    observe(machine, &def, t, fine);
    for (int level = 0; level < 3; level++) {
        double e1 = distance(coarse, exact, level), e2 = distance(fine, exact, level);
        double order = log2(e1 / e2);
        if (!(fabs(order - 2.0) < 0.2)) {
            fail_msg("%s, %s, rho %g, level %d: errors %.3g and %.3g, order %.3f",
                     choice->integrator, choice->form, choice->rho, level, e1, e2, order);
        }
    }
}

// Newmark's multipliers are of no order at all in index 3.
static const Choice choices[] = {
    {"generalized_alpha", "index3", 0.0},
    {"generalized_alpha", "index3", 0.5},
    {"generalized_alpha", "index3", 0.8},
    {"generalized_alpha", "index3", 0.9},
    {"hht", "index3", 0.9},
    {"generalized_alpha", "ggl", 0.0},
    {"generalized_alpha", "ggl", 0.5},
    {"generalized_alpha", "ggl", 0.8},
    {"generalized_alpha", "ggl", 0.9},
    {"hht", "ggl", 0.9},
    {"newmark", "ggl", 1.0},
};

static void assert_all_of_second_order(Machine machine, double t, double h) {
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        assert_second_order(&machine, &choices[i], t, h);
    }
    machine_free(&machine);
}

static void the_heavy_top_converges_with_second_order_in_q_v_and_lambda(void **state) {
    assert_all_of_second_order(heavy_top(), 0.5, 2.5e-4);
}

static void the_slider_crank_converges_with_second_order_in_q_v_and_lambda(void **state) {
    Machine machine = slider_crank();
    assert_second_order(&machine, &usual, 0.5, 1e-3);
    machine_free(&machine);
}

static void the_pendulum_converges_with_second_order_in_q_v_and_lambda(void **state) {
    assert_all_of_second_order(machine_pendulum(0.3), 0.7, 2e-3);
}

// The same for a planar loop, with a motor that a function of time turns.
static void planar_loops_and_drives_converge_likewise(void **state) {
    assert_all_of_second_order(machine_four_bar(1.0), 0.5, 1e-3);
    Machine  machine = machine_driven(0.2, 1.5, -0.7);
    trSimDef def = alpha_def(1e-2);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
    assert_true(fabs(tr_sim_body(sim, 0).angle - (0.2 + 1.5 - 0.7)) <= 1e-13);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The smaller rho, the more a mechanism loses of its energy.
static void rho_decides_on_damping(void **state) {
    Machine machine = machine_four_bar(1.0);
    double  lost[2];
    for (int i = 0; i < 2; i++) {
        trSimDef def = alpha_def(5e-3);
        set_number(&def, "rho", i == 0 ? 0.95 : 0.0);
        trSim *sim = machine_sim(&machine, &def);
        if (tr_sim_run_to(sim, 2.0) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
        trSimStats stats = tr_sim_stats(sim);
        lost[i] = stats.energy_start - (stats.kinetic + stats.potential - stats.work);
        tr_sim_destroy(sim);
    }
    assert_true(lost[0] > 0.0 && lost[1] > 5.0 * lost[0]);
    machine_free(&machine);
}

// A motor turns a crank against gravity: its work, by the trapezoidal rule, balances the energy
// with second order.
static void work_of_drivers_balances_the_energy(void **state) {
    Machine machine = machine_driven(0.2, 1.5, -0.7);
    double  drift[2];
    for (int i = 0; i < 2; i++) {
        trSimDef def = alpha_def(i == 0 ? 0.02 : 0.01);
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        trSimStats stats = tr_sim_stats(sim);
        assert_true(fabs(stats.work) > 0.1);
        drift[i] = fabs(stats.kinetic + stats.potential - stats.work - stats.energy_start);
        tr_sim_destroy(sim);
    }
    assert_true(fabs(log2(drift[0] / drift[1]) - 2.0) < 0.2);
    machine_free(&machine);
}

// Motion that is much faster than the step: of the three roots of the method all are -rho, so that
//
//     x_n+3 + 3 rho x_n+2 + 3 rho^2 x_n+1 + rho^3 x_n = 0
//
// up to some 1 / (omega h)^2 = 1e-6, and what rounding of 1000 m, the spring's length, leaves of x.
static void fast_motion_is_damped_by_rho_in_each_step(void **state) {
    const double rho = 0.6;
    Machine      machine = machine_new();
    double       x[12];
    int          mass = machine_body(
                 &machine, "mass",
                 TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0), TR_VEC("velocity", 100.0, 0.0)));
    machine_force(&machine, "spring", "spring", TR_GROUND, mass,
                  TR_PARAMS(TR_VEC("point1", -1000.0, 0.0), TR_NUM("stiffness", 1e6),
                            TR_NUM("length", 1000.0)));
    machine_joint(&machine, "prismatic", "guide", TR_GROUND, mass, TR_PARAMS(TR_VEC("axis", 1, 0)));
    machine_build(&machine);
    trSimDef def = alpha_def(1.0);
    set_number(&def, "rho", rho);
    def.duration = 100.0;
    trSim *sim = machine_sim(&machine, &def);
    for (int n = 0; n < 12; n++) {
        x[n] = tr_sim_body(sim, 0).x;
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    for (int n = 0; n + 3 < 12; n++) {
        double rest =
            x[n + 3] + 3.0 * rho * x[n + 2] + 3.0 * rho * rho * x[n + 1] + rho * rho * rho * x[n];
        if (!(fabs(rest) <= 1e-4 * fabs(x[1]))) {
            fail_msg("step %d: x = %g, %g remains", n, x[n], rest);
        }
    }
    assert_true(fabs(x[1]) > 1e-5);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Rows inside steps are of second order, too, and leave the run as it is.
static void rows_inside_steps_do_not_disturb_the_run(void **state) {
    const double times[] = {0.0137, 0.1004, 0.31};
    Machine      machine = slider_crank();
    double       plain[NUMBERS];
    trSimDef     def = alpha_def(1e-2);
    observe(&machine, &def, 0.31, plain);
    def.duration = 0.31;
    def.times = (trNumbers){3, times};
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    assert_true(tr_sim_body(sim, 2).y == plain[0]);
    const double *table = tr_recorder_table(recorder);
    int           width = tr_recorder_columns(recorder);
    int x = tr_recorder_find(recorder, "slider.y"), F = tr_recorder_find(recorder, "A.Fz");
    def = tr_sim_def_default();
    def.rtol = def.atol = 1e-11;
    for (int i = 0; i < 2; i++) {
        double exact[NUMBERS];
        observe(&machine, &def, times[i], exact);
        // After one step and after ten. The slider moves by 3 mm in a step; between steps the cubic
        // leaves out h^4 / 384 times the fourth derivative, 1e-6 m, and forces are linear.
        const double length[] = {2e-5, 3e-4}, force[] = {0.05, 0.2};
        if (!(fabs(table[i * width + x] - exact[0]) <= length[i]) ||
            !(fabs(table[i * width + F] - exact[7]) <= force[i])) {
            fail_msg("t = %g: off by %.2g m, %.2g N", times[i], table[i * width + x] - exact[0],
                     table[i * width + F] - exact[7]);
        }
    }
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Two pins between the same bodies: of the second one's rows nothing is asked, and the rod swings
// as it does with one.
static void dependent_joints_are_left_out(void **state) {
    double angle[2] = {0.0};
    for (int pins = 1; pins <= 2; pins++) {
        Machine  machine = machine_new();
        trSimDef def = alpha_def(1e-3);
        int      rod = machine_body(
                 &machine, "rod",
                 TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1), TR_VEC("com", 0.5, 0.0)));
        machine_joint(&machine, "revolute", "first", TR_GROUND, rod, NULL);
        if (pins == 2) {
            machine_joint(&machine, "revolute", "second", TR_GROUND, rod, NULL);
        }
        machine_build(&machine);
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 0.5), TR_OK);
        angle[pins - 1] = tr_sim_body(sim, 0).angle;
        assert_true(tr_sim_stats(sim).redundant_rows == 2 * (pins - 1));
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
    assert_true(fabs(angle[1] - angle[0]) <= 1e-12 && fabs(angle[0]) > 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heavy_top_converges_with_second_order_in_q_v_and_lambda),
        cmocka_unit_test(the_slider_crank_converges_with_second_order_in_q_v_and_lambda),
        cmocka_unit_test(the_pendulum_converges_with_second_order_in_q_v_and_lambda),
        cmocka_unit_test(planar_loops_and_drives_converge_likewise),
        cmocka_unit_test(rho_decides_on_damping),
        cmocka_unit_test(work_of_drivers_balances_the_energy),
        cmocka_unit_test(fast_motion_is_damped_by_rho_in_each_step),
        cmocka_unit_test(rows_inside_steps_do_not_disturb_the_run),
        cmocka_unit_test(dependent_joints_are_left_out),
    };
    return cmocka_run_group_tests_name("generalized_alpha", tests, NULL, NULL);
}
