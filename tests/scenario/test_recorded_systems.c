// SPDX-License-Identifier: MIT
// Equations that a user writes with system { ... }, against the same mechanisms built from bodies
// and joints (tests/scenario/recorded/systems.lua).

#include <math.h>

#include "scenario/recorded_twins.h"
#include "support/test.h"

#define ROUNDING 1e-11   // relative: some hundred operations, and conditions of up to a hundred
#define SAME_PLACE 1e-8  // after a run with tolerances of 1e-10
#define SAME_FORCE \
    1e-6  // there: positions to 1e-8 times stiffnesses of bodies that turn, 100 1/s^2

#define SPIN 25.0  // of the top: accelerations are differences of its square [rad/s]

static void expect_near(const char *what, double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance * fmax(1.0, fabs(a)))) {
        fail_msg("%s is %.17g, as equations %.17g", what, a, b);
    }
}

// Angles, their rates and accelerations of `bars` planar bodies, which are the coordinates of the
// twin, and the energy of their motion.
static void expect_equal_bars(const Pair *pair, int bars, double place, double force) {
    const trSim  *bodies = pair->sim[0], *equations = pair->sim[1];
    const double *a = tr_sim_acceleration(bodies), *b = tr_sim_acceleration(equations);
    for (int i = 0; i < bars; i++) {
        trBodyState bar = tr_sim_body(bodies, i);
        expect_near("an angle", bar.angle, tr_sim_q(equations)[i], place);
        expect_near("a rate", bar.omega, tr_sim_v(equations)[i], force);
        expect_near("an acceleration", a[3 * i + 2], b[i], force);
    }
    expect_near("the kinetic energy", tr_sim_stats(bodies).kinetic, tr_sim_stats(equations).kinetic,
                force);
    assert_int_equal(tr_sim_stats(bodies).degrees_of_freedom,
                     tr_sim_stats(equations).degrees_of_freedom);
}

static void a_double_pendulum_swings_as_its_equations_say(void **state) {
    const trSimDef   def = pair_def();
    const PairChoice choice = {"systems.lua", {"what=double_pendulum"}, "functions"};
    Pair             pair = pair_load(&choice, &def);
    expect_equal_bars(&pair, 2, ROUNDING, ROUNDING);
    run_both(&pair);
    expect_equal_bars(&pair, 2, SAME_PLACE, SAME_FORCE);
    pair_free(&pair);
}

// The multipliers of the loop are the force that the coupler puts on the follower.
static void expect_equal_pin(Pair *pair, double tolerance) {
    const int     B = 3;  // the fourth joint
    trReaction    pin;
    trSim        *equations = pair->sim[1];
    double        a[3];
    const double *lambda = equations->lambda;
    assert_int_equal(tr_sim_accelerate(equations, equations->t, equations->x, a), TR_OK);
    assert_string_equal(tr_system_joint_name(pair->system[0], B), "B");
    assert_int_equal(tr_sim_reaction(pair->sim[0], B, &pin), TR_OK);
    expect_near("the reaction along x", pin.fx, lambda[0], tolerance);
    expect_near("the reaction along y", pin.fy, lambda[1], tolerance);
}

static void a_four_bar_turns_as_its_equations_say(void **state) {
    const trSimDef   def = pair_def();
    const PairChoice choice = {"systems.lua", {"what=four_bar"}, "functions"};
    Pair             pair = pair_load(&choice, &def);
    expect_equal_bars(&pair, 3, ROUNDING, ROUNDING);
    expect_equal_pin(&pair, ROUNDING);
    run_both(&pair);
    expect_equal_bars(&pair, 3, SAME_PLACE, SAME_FORCE);
    expect_equal_pin(&pair, SAME_FORCE);
    pair_free(&pair);
}

// What the rows do to the top: force, and moment about the center of mass in its axes, E load / 2.
// Along e itself loads say nothing: there M is singular, and the row of the norm takes what Q has.
static void top_loads(Pair *pair, int which, double *a, double *out) {
    const trSim  *bodies = pair->sim[0];
    trSim        *sim = pair->sim[which];
    const double *e = bodies->x + 3;
    double        load[7] = {0.0};
    assert_int_equal(tr_sim_accelerate(sim, bodies->t, bodies->x, a), TR_OK);
    tr_rows_tmul_sub(&sim->eval.equations.A, sim->lambda, load);
    for (int i = 0; i < 3; i++) {
        out[i] = load[i];
    }
    out[3] = 0.5 * (-e[1] * load[3] + e[0] * load[4] + e[3] * load[5] - e[2] * load[6]);
    out[4] = 0.5 * (-e[2] * load[3] - e[3] * load[4] + e[0] * load[5] + e[1] * load[6]);
    out[5] = 0.5 * (-e[3] * load[3] + e[2] * load[4] - e[1] * load[5] + e[0] * load[6]);
}

static void expect_equal_tops(Pair *pair) {
    double a[2][7], load[2][6];
    top_loads(pair, 0, a[0], load[0]);
    top_loads(pair, 1, a[1], load[1]);
    for (int i = 0; i < 7; i++) {
        expect_near("an acceleration", a[0][i], a[1][i], ROUNDING * SPIN);
    }
    for (int i = 0; i < 6; i++) {
        expect_near("a reaction", load[0][i], load[1][i], ROUNDING * SPIN);
    }
    assert_int_equal(tr_sim_stats(pair->sim[0]).degrees_of_freedom, 3);
    assert_int_equal(tr_sim_stats(pair->sim[1]).degrees_of_freedom, 3);
}

static void expect_equal_states(const Pair *pair, double tolerance) {
    for (int i = 0; i < 7; i++) {
        expect_near("a position", tr_sim_q(pair->sim[0])[i], tr_sim_q(pair->sim[1])[i], tolerance);
    }
}

// The equations of the top have the coordinates that the space "quaternion" has: the same seven
// numbers, the same singular mass, four rows.
static void a_heavy_top_turns_as_its_equations_say(void **state) {
    const trSimDef   def = pair_def();
    const PairChoice choice = {"systems.lua", {"what=heavy_top"}, "functions"};
    Pair             still = pair_make(&choice, &def), pair = pair_make(&choice, &def);
    expect_equal_states(&pair, ROUNDING);
    expect_equal_tops(&still);
    run_both(&pair);
    expect_equal_states(&pair, SAME_PLACE);
    expect_equal_tops(&pair);
    pair_free(&still);
    pair_free(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_swings_as_its_equations_say),
        cmocka_unit_test(a_four_bar_turns_as_its_equations_say),
        cmocka_unit_test(a_heavy_top_turns_as_its_equations_say),
    };
    return cmocka_run_group_tests_name("recorded systems", tests, NULL, NULL);
}
