// SPDX-License-Identifier: MIT
// The parallel four-bar of paper 002 as three bodies in Cartesian coordinates, four joints glued;
// stiff forces on its crank; and what travels, which does not depend on the size of modules.

#include <math.h>
#include <stdio.h>

#include "glue/cut.h"
#include "support/allocations.h"
#include "support/test.h"
#include "trammel/lua.h"

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

static trModel *four_bar(void) {
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    OK(tr_lua_load(SOURCE_DIR "/models/benchmark/parallel_four_bar.lua", NULL, &model, &def));
    return model;
}

static void run(trGlue *glue, double t) {
    while (tr_glue_time(glue) < t - 1e-9) {
        OK(tr_glue_step(glue));
    }
}

static const int apart[CUT_BODIES] = {0, 1, 2};

// Three modules of one body each: q1 = pi/2 + 2 pi t - t^3 / 81, of second order. Steps of 0.01 s
// end in the flat pose at 0.25 s, where joints become dependent.
static void three_bodies(void **state) {
    static const double step[3] = {0.04, 0.02, 0.01};
    const double        pi = acos(-1.0), t = 4.0;
    const double        exact = 0.5 * pi + 2.0 * pi * t - t * t * t / 81.0;
    double              error[3], mean[3];
    for (int i = 0; i < 3; i++) {
        trModel  *model = four_bar();
        trGlueDef def = tr_glue_def_default();
        Cut       cut;
        def.step = step[i];
        def.duration = t;
        def.tolerance = 1e-8;
        cut_model(model, apart, true, &cut);
        OK(cut_glue(&cut, &def));
        run(cut.glue, t);
        trGlueStats s = tr_glue_stats(cut.glue);
        error[i] = fabs(cut_module(&cut, 0)->q[2] - exact);
        mean[i] = (double)s.iterations / (double)s.steps;
        printf("h = %.4f s: error %.3e rad, %.2f iterations\n", step[i], error[i], mean[i]);
        assert_true(s.position.length < 1e-12 && s.velocity.length < 1e-10);
        cut_free(&cut);
        tr_model_destroy(model);
    }
    assert_true(error[0] < 0.11 && mean[0] <= 4.0);
    for (int i = 0; i < 2; i++) {
        double order = log(error[i] / error[i + 1]) / log(step[i] / step[i + 1]);
        assert_true(order > 1.9 && order < 2.2);
    }
}

// A spring or a damper on the crank, stiff beyond what the step resolves: the crank swings by 0.03
// rad at 190 rad/s, in steps of 2 rad; or is pushed through 1.2 rad against the damper. With M in
// place of K no step converges, and with accelerations left to follow by themselves there would be
// 4.8 iterations.
static void stiff_modules(void **state) {
    for (int k = 0; k < 2; k++) {
        trModel  *model = four_bar();
        trGlueDef def = tr_glue_def_default();
        Cut       cut;
        OK(tr_model_add_force(model, "torsion_spring", "stiff", TR_GROUND, 0,
                              k == 0 ? TR_PARAMS(TR_NUM("stiffness", 1e6))
                                     : TR_PARAMS(TR_NUM("damping", 1e4)),
                              NULL));
        if (k == 1) {
            OK(tr_model_add_force(model, "torque", "push", TR_GROUND, 0,
                                  TR_PARAMS(TR_NUM("moment", 1.2e4)), NULL));
        }
        def.step = 0.01;
        def.duration = 1.0;
        def.tolerance = 1e-8;
        cut_model(model, apart, true, &cut);
        OK(cut_glue(&cut, &def));
        run(cut.glue, 1.0);
        trGlueStats s = tr_glue_stats(cut.glue);
        double      mean = (double)s.iterations / (double)s.steps;
        printf("%s: %.2f iterations, at most %d; crank at %.4f rad\n",
               k == 0 ? "k = 1e6" : "c = 1e4", mean, s.max_iterations, cut_module(&cut, 0)->q[2]);
        assert_true(mean > 1.0 && mean <= 3.0 && s.max_iterations <= 4);
        cut_free(&cut);
        tr_model_destroy(model);
    }
}

// --- traffic ---

// A chain of `bodies` rods that lies flat, with a port at its end.
static trModel *chain(int bodies) {
    trModel *model = NULL;
    int      previous = TR_GROUND, body = 0;
    char     name[32];
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, -9.81)), &model));
    for (int i = 0; i < bodies; i++) {
        snprintf(name, sizeof name, "rod%d", i);
        OK(tr_model_add_body(model, name,
                             TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1.0 / 12.0),
                                       TR_VEC("at", (double)i, 0.0), TR_VEC("com", 0.5, 0.0)),
                             &body));
        OK(tr_model_add_joint(model, "revolute", NULL, previous, body,
                              TR_PARAMS(TR_VEC("point", (double)i, 0.0)), NULL));
        previous = body;
    }
    OK(tr_model_add_port(model, "end", body, TR_PARAMS(TR_VEC("at", 1.0, 0.0)), NULL));
    return model;
}

#define STEPS 6

typedef struct Traffic {
    int64_t messages[STEPS], bytes[STEPS];
    int     iterations[STEPS];
    long    requests;  // of memory
} Traffic;

static Traffic watch(trGlue *glue) {
    Traffic     out = {0};
    trGlueStats before, after;
    OK(tr_glue_step(glue));
    out.requests = allocations;
    for (int i = 0; i < STEPS; i++) {
        before = tr_glue_stats(glue);
        OK(tr_glue_step(glue));
        after = tr_glue_stats(glue);
        out.messages[i] = after.messages - before.messages;
        out.bytes[i] = after.bytes - before.bytes;
        out.iterations[i] = tr_glue_iterations(glue);
    }
    out.requests = allocations - out.requests;
    return out;
}

// The last rods of two chains turn together.
static Traffic measure(int bodies) {
    trModel                 *model[2] = {chain(bodies), chain(1)}, *ports = NULL;
    trSystem                *system[3];
    trModule                 module[2];
    trCarrier               *carrier = NULL;
    trGlue                  *glue = NULL;
    trGlueDef                def = tr_glue_def_default();
    int                      end[2];
    static const char *const names[] = {"long", "short"};
    const trParam           *own = TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1));
    for (int k = 0; k < 2; k++) {
        OK(tr_system_build(model[k], &system[k]));
        OK(tr_module_open_system(system[k], &module[k]));
    }
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, 0.0)), &ports));
    OK(tr_model_add_body(ports, "long.end", own, &end[0]));
    OK(tr_model_add_body(ports, "short.end", own, &end[1]));
    OK(tr_model_add_joint(ports, "gear", NULL, end[0], end[1], TR_PARAMS(TR_NUM("ratio", 1)),
                          NULL));
    OK(tr_system_build(ports, &system[2]));
    OK(tr_carrier_create_local(2, names, module, &carrier));
    def.tolerance = 1e-8;
    OK(tr_glue_create(system[2], carrier, &def, &glue));
    Traffic out = watch(glue);
    tr_glue_destroy(glue);
    tr_carrier_destroy(carrier);
    for (int k = 0; k < 3; k++) {
        tr_system_destroy(system[k]);
        tr_model_destroy(k < 2 ? model[k] : ports);
    }
    return out;
}

// Steps of as many iterations take as many messages and bytes, whatever the size; and memory is
// not asked for in a step.
static void traffic_of_any_size(void **state) {
    Traffic small = measure(10), large = measure(10000);
    int     compared = 0;
    for (int i = 0; i < STEPS; i++) {
        for (int k = 0; k < STEPS; k++) {
            if (small.iterations[i] == large.iterations[k]) {
                assert_int_equal(small.messages[i], large.messages[k]);
                assert_int_equal(small.bytes[i], large.bytes[k]);
                compared++;
            }
        }
    }
    printf("%d messages, %d bytes in a step of %d iterations\n", (int)small.messages[0],
           (int)small.bytes[0], small.iterations[0]);
    assert_true(compared > 0);
    assert_int_equal(small.requests, 0);
    assert_int_equal(large.requests, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_bodies),
        cmocka_unit_test(stiff_modules),
        cmocka_unit_test(traffic_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
