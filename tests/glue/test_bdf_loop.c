// SPDX-License-Identifier: MIT
// Gluing 'bdf' on a closed loop: the parallel four-bar of paper 002 as three bodies, four joints
// glued, through poses where the loop is flat and its joints nearly depend on each other.

#include <math.h>
#include <stdio.h>

#include "glue/cut.h"
#include "glue/glue.h"
#include "support/test.h"
#include "trammel/lua.h"

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

typedef struct Loop {
    trModel *model;
    Cut      cut;
} Loop;

static void open_loop(const trGlueDef *def, Loop *out) {
    static const int apart[CUT_BODIES] = {0, 1, 2};
    trSimDef         sim = tr_sim_def_default();
    OK(tr_lua_load(SOURCE_DIR "/models/benchmark/parallel_four_bar.lua", NULL, &out->model, &sim));
    cut_model(out->model, apart, true, &out->cut);
    OK(cut_glue(&out->cut, def));
}

static void close_loop(Loop *loop) {
    cut_free(&loop->cut);
    tr_model_destroy(loop->model);
}

static trGlueDef def_of(const char *scheme, int steps_in_a_second) {
    trGlueDef def = tr_glue_def_default();
    def.gluing = "bdf";
    def.scheme = scheme;
    def.step = 1.0 / steps_in_a_second;
    def.duration = 1.0;
    def.tolerance = 1e-11;
    return def;
}

// The error of q1 = pi/2 + 2 pi t - t^3 / 81 after a second [rad]. Joints are of 1 m and 2 m, and
// ends move at 6 m/s: some ten roundings of these are left.
static double error_of(const char *scheme, int steps_in_a_second) {
    trGlueDef def = def_of(scheme, steps_in_a_second);
    double    pi = acos(-1.0), exact = 2.5 * pi - 1.0 / 81.0;
    Loop      loop;
    open_loop(&def, &loop);
    for (int n = 0; n < steps_in_a_second; n++) {
        OK(tr_glue_step(loop.cut.glue));
    }
    trGlueStats s = tr_glue_stats(loop.cut.glue);
    double      error = fabs(cut_module(&loop.cut, 0)->q[2] - exact);
    printf("%s, h = %.5f s: error %.3e rad, %.2f iterations, at most %d, open by %.0e m, %.0e "
           "m/s\n",
           scheme, def.step, error, (double)s.iterations / (double)s.steps, s.max_iterations,
           s.position.length, s.velocity.length);
    assert_true(s.position.length < 5e-15 && s.velocity.length < 2e-14);
    assert_true(s.max_iterations <= 4);
    close_loop(&loop);
    return error;
}

// No step ends in a flat pose, at 0.25 and 0.75 s. Errors of bdf1 are a fourth of a radian at the
// first step, so that their next order, some h, is seen.
static void orders_are_the_schemes(void **state) {
    static const char *const scheme[] = {"bdf1", "bdf2"};
    for (int k = 0; k < 2; k++) {
        double order = log(error_of(scheme[k], 198) / error_of(scheme[k], 594)) / log(3.0);
        if (fabs(order - (k + 1.0)) > 0.08) {
            fail_msg("%s: order %g", scheme[k], order);
        }
    }
}

// Positions converge quadratically: ends of links have curvatures of some 1/m, and velocities with
// them. There is left what K does not know of, loads that turn with the joints: c_q times their
// stiffness against M, which is the square of the angular velocity, 2 pi rad/s at most. Nothing of
// it grows where the loop is flat.
static void loads_that_turn_are_all_that_is_left(void **state) {
    trGlueDef def = def_of("bdf2", 50);
    double    pi = acos(-1.0), c_q = 4.0 / 9.0 * def.step * def.step, flattest = 1.0;
    Loop      loop;
    open_loop(&def, &loop);
    for (int n = 0; n < 50; n++) {
        OK(tr_glue_step(loop.cut.glue));
        const trGlue *g = loop.cut.glue;
        flattest = fmin(flattest, g->it.force.smallest);
        assert_true(g->iterations >= 4);
        for (int k = 2; n > 0 && k <= g->iterations; k++) {
            assert_true(g->history[k][TR_DYNAMIC] <
                        c_q * 4.0 * pi * pi * g->history[k - 1][TR_DYNAMIC] + 1e-15);
            assert_true(g->history[k][TR_VELOCITY] < 1e-13);
        }
        assert_true(g->history[1][TR_POSITION] <
                    10.0 * g->history[0][TR_POSITION] * g->history[0][TR_POSITION] + 1e-15);
    }
    assert_true(flattest < 1e-2);
    close_loop(&loop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_the_schemes),
        cmocka_unit_test(loads_that_turn_are_all_that_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
