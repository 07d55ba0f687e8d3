// SPDX-License-Identifier: MIT
// The parallel four-bar of paper 002: a chain in relative angles, glued to ground where it was cut.
// The exact motion is q1 = pi/2 + 2 pi t - t^3 / 81.

#include <math.h>
#include <stdio.h>

#include "support/test.h"
#include "trammel/glue.h"

int chain_open(int arguments, const char *const *argument, trModule *out);

#define OK(call) assert_int_equal((call), TR_OK)

typedef struct Glued {
    trModel   *model;
    trSystem  *system;
    trCarrier *carrier;
    trGlue    *glue;
    trModule   module;
} Glued;

static Glued glue_chain(const trGlueDef *def) {
    Glued                    g = {0};
    int                      body = 0;
    static const char *const name[] = {"chain"};
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, 0.0)), &g.model));
    OK(tr_model_add_body(g.model, "chain.end",
                         TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1), TR_VEC("at", 2.0, 0.0)),
                         &body));
    OK(tr_model_add_joint(g.model, "revolute", "cut", TR_GROUND, body,
                          TR_PARAMS(TR_VEC("point", 2.0, 0.0)), NULL));
    OK(tr_system_build(g.model, &g.system));
    assert_int_equal(chain_open(0, NULL, &g.module), 0);
    OK(tr_carrier_create_local(1, name, &g.module, &g.carrier));
    OK(tr_glue_create(g.system, g.carrier, def, &g.glue));
    return g;
}

static void free_glued(Glued *g) {
    tr_glue_destroy(g->glue);
    tr_carrier_destroy(g->carrier);
    tr_system_destroy(g->system);
    tr_model_destroy(g->model);
}

// To the end, with q1.
static double run(Glued *g, double end) {
    double q[3];
    while (tr_glue_time(g->glue) < end - 1e-9) {
        if (tr_glue_step(g->glue) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
    }
    g->module.output(g->module.self, q);
    return q[0];
}

// Newmark's formula with beta = 1/4 is off by 1.6e-2 after 8.7 turns and back in steps of 0.4 s;
// with beta = 1/6 it is exact for accelerations that are linear in t, up to the tolerance.
static void one_iteration_at_large_steps(void **state) {
    const double pi = acos(-1.0), t = 16.0, exact = 0.5 * pi + 2.0 * pi * t - t * t * t / 81.0;
    trGlueDef    def = tr_glue_def_default();
    def.step = 0.4;
    def.duration = t;
    def.tolerance = 1e-8;
    for (int k = 0; k < 2; k++) {
        def.beta = k == 0 ? 0.25 : 1.0 / 6.0;
        Glued       g = glue_chain(&def);
        double      error = run(&g, t) - exact;
        trGlueStats s = tr_glue_stats(g.glue);
        assert_int_equal(s.steps, 40);
        assert_true((double)s.iterations <= 1.1 * (double)s.steps && s.max_iterations <= 2);
        assert_true(k == 0 ? fabs(error + 1.58e-2) < 1e-4 : fabs(error) < 1e-8);
        assert_true(s.position.length < 1e-13 && s.velocity.length < 1e-13);
        assert_true(s.acceleration.length < def.tolerance * 100.0);  // of 80 m/s^2
        free_glued(&g);
    }
}

// q1 as bdf1 or bdf2, whose first step is one of bdf1, has it: q1'' = -2 t / 27, a free motion.
static double scheme_alone(bool second, double h, int steps) {
    double v[2] = {2.0 * acos(-1.0), 0.0}, q[2] = {0.5 * acos(-1.0), 0.0};  // now, before
    for (int n = 1; n <= steps; n++) {
        bool   two = second && n > 1;
        double p = two ? 1.0 / 3.0 : 0.0, share = two ? 2.0 / 3.0 : 1.0, t = n * h;
        double v_next = v[0] + p * (v[0] - v[1]) - share * h * 2.0 * t / 27.0;
        double q_next = q[0] + p * (q[0] - q[1]) + share * h * v_next;
        v[1] = v[0], v[0] = v_next, q[1] = q[0], q[0] = q_next;
    }
    return q[0];
}

// In relative angles the joint takes nothing from the motion: with positions and velocities as
// unknowns q1 is what the scheme makes of it alone, in steps in which loads turn by up to 2.5 rad,
// and through flat poses, at 0.25 s and each half second after, which steps of 0.05 and 0.01 s hit
// but for 2e-4 rad and less. Loads are found to the tolerance; in the poses to rounding divided by
// the smallest pivot of S, 1e-6, of which c_q is seen in positions.
static void bdf_passes_flat_poses_at_large_steps(void **state) {
    static const double step[] = {0.4, 0.1, 0.05, 0.04, 0.01};
    for (int k = 0; k < 10; k++) {
        trGlueDef def = tr_glue_def_default();
        def.gluing = "bdf";
        def.scheme = k % 2 == 0 ? "bdf1" : "bdf2";
        def.step = step[k / 2];
        def.duration = 4.0;
        def.tolerance = 1e-8;
        Glued       g = glue_chain(&def);
        double      exact = scheme_alone(k % 2 == 1, def.step, (int)round(4.0 / def.step));
        double      error = run(&g, 4.0) - exact;
        trGlueStats s = tr_glue_stats(g.glue);
        printf("%s, h = %g s: %.1e rad off, %.2f iterations, at most %d\n", def.scheme, def.step,
               error, (double)s.iterations / (double)s.steps, s.max_iterations);
        assert_true(fabs(error) < def.tolerance);
        assert_true(s.max_iterations <= 4);
        assert_true(s.position.length < 1e-13 && s.velocity.length < 1e-12);
        free_glued(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_iteration_at_large_steps),
        cmocka_unit_test(bdf_passes_flat_poses_at_large_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
