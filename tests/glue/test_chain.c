// SPDX-License-Identifier: MIT
// The parallel four-bar of paper 002: a chain in relative angles, glued to ground where it was cut.
// The exact motion is q1 = pi/2 + 2 pi t - t^3 / 81.

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

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
                          TR_PARAMS(TR_VEC("point", 2.0, 0.0))));
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
static double run(Glued *g) {
    double q[3];
    while (tr_glue_time(g->glue) < 16.0 - 1e-9) {
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
    (void)state;
    def.step = 0.4;
    def.duration = t;
    def.tolerance = 1e-8;
    for (int k = 0; k < 2; k++) {
        def.beta = k == 0 ? 0.25 : 1.0 / 6.0;
        Glued       g = glue_chain(&def);
        double      error = run(&g) - exact;
        trGlueStats s = tr_glue_stats(g.glue);
        assert_int_equal(s.steps, 40);
        assert_true((double)s.iterations <= 1.1 * (double)s.steps && s.max_iterations <= 2);
        assert_true(k == 0 ? fabs(error + 1.58e-2) < 1e-4 : fabs(error) < 1e-8);
        assert_true(s.position.length < 1e-13 && s.velocity.length < 1e-13);
        assert_true(s.acceleration.length < def.tolerance * 100.0);  // of 80 m/s^2
        free_glued(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_iteration_at_large_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
