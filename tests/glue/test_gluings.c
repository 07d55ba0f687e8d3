// SPDX-License-Identifier: MIT
// Every gluing algorithm where it converges: the same motion, orders, windows, and what is refused.

#include <math.h>
#include <string.h>

#include "glue/glue.h"
#include "glue/scenes.h"
#include "support/test.h"

int body_open(int arguments, const char *const *argument, trModule *out);

#define OK(call) assert_int_equal((call), TR_OK)

static const TwoMasses masses = {
    .mass = {1.0, 1.0}, .k = 10.0, .coupling = 20.0, .start = {1.0, 0.0}};
static const Links links = {.count = 2, .mass = {10.0, 1.0}, .angle = {0.0, -0.5}, .gravity = 9.81};

static trGlueDef def_of(const char *gluing, const char *scheme, double h) {
    trGlueDef def = tr_glue_def_default();
    def.gluing = gluing;
    def.scheme = scheme;
    def.step = h;
    return def;
}

// Where mass 1 is after 1 s, from where it began.
static double run_masses(const trGlueDef *def) {
    Scene  s;
    double state[6];
    OK(scene_two_masses(&masses, def, &s));
    OK(scene_run(&s, def));
    scene_state(&s, 0, state);
    scene_free(&s);
    return state[0];
}

// Modes of 1/2 (x1 + x2) and 1/2 (x1 - x2).
static double exact_masses(double t) {
    double w1 = sqrt(masses.k), w2 = sqrt(masses.k + 2.0 * masses.coupling);
    return 0.5 * (sin(w1 * t) / w1 + sin(w2 * t) / w2);
}

// The angle of link 2 after 1 s, and the force in the joint between them. [rad], [N]
static double run_links(const trGlueDef *def, double *force) {
    Scene      s;
    double     state[6];
    trReaction reaction;
    OK(scene_links(&links, def, &s));
    OK(scene_run(&s, def));
    trGlueStats stats = tr_glue_stats(s.glue);
    // Positions and velocities of joints are closed last. What the last of them leaves open is
    // of second order in what there was, and that is the tolerance.
    assert_true(stats.position.length < 1e-9 && stats.velocity.length < 1e-9);
    OK(tr_glue_reaction(s.glue, 1, &reaction));
    *force = hypot(reaction.fx, reaction.fy);
    scene_state(&s, 1, state);
    scene_free(&s);
    return state[2];
}

// Through springs all algorithms have the same fixed point, that of the scheme on the whole. Each
// step leaves some 1e-11, relative, and there are 50.
static void all_kinds_find_the_same_motion(void **state) {
    for (int k = 0; k < tr_gluing_count(); k++) {
        const char *name = tr_gluing_at(k)->name;
        const char *scheme = strcmp(name, "bdf") == 0 ? "bdf2" : "newmark";
        trGlueDef   def = def_of(name, scheme, 0.02), same = def_of("gauss", scheme, 0.02);
        double      found = run_masses(&def), wanted = run_masses(&same);
        if (fabs(found - wanted) > 1e-9) {
            fail_msg("%s: %.12g instead of %.12g m", name, found, wanted);
        }
    }
}

// Errors at h and h/2 against the exact motion, as a power of two.
static double order_of(trGlueDef def) {
    double coarse = run_masses(&def) - exact_masses(1.0);
    def.step *= 0.5;
    return log2(fabs(coarse / (run_masses(&def) - exact_masses(1.0))));
}

// With iterations, the order is the scheme's. Without, loads that are held through a step make it
// 1; bdf1 has order 1 anyway.
static void orders_are_two_with_iterations_and_one_without(void **state) {
    static const char *const weak[] = {"jacobi", "gauss_seidel", "waveform"};
    assert_true(fabs(order_of(def_of("gauss", "newmark", 0.01)) - 2.0) < 0.1);
    assert_true(fabs(order_of(def_of("gauss", "generalized_alpha", 0.01)) - 2.0) < 0.2);
    assert_true(fabs(order_of(def_of("bdf", "bdf2", 0.01)) - 2.0) < 0.2);
    assert_true(fabs(order_of(def_of("bdf", "bdf1", 0.001)) - 1.0) < 0.1);
    for (int k = 0; k < 3; k++) {
        trGlueDef def = def_of(weak[k], "newmark", 0.01), once = def;
        assert_true(fabs(order_of(def) - 2.0) < 0.1);
        once.sweeps = 1;
        once.step = 1e-3;
        if (k == 2) {
            once.window = 1;  // one sweep over a longer one is of no use: others stand still
        }
        if (fabs(order_of(once) - 1.0) > 0.15) {
            fail_msg("%s, one sweep: order %g", weak[k], order_of(once));
        }
    }
}

// Through a joint, where the follower is light. Positions are put on the joint in another way, so
// that errors differ, but not their order.
static void light_followers_converge_through_joints(void **state) {
    static const char *const kinds[] = {"gauss", "gauss_seidel", "jacobi", "waveform", "bdf"};
    trGlueDef                fine = def_of("gauss", "newmark", 2.5e-4);
    double                   wanted = 0.0, force = 0.0, reference = run_links(&fine, &wanted);
    for (int k = 0; k < 5; k++) {
        trGlueDef def = def_of(kinds[k], k == 4 ? "bdf2" : "newmark", 0.01), half = def;
        double    h = 0.01;
        half.step = 0.5 * h;
        double coarse = run_links(&def, &force) - reference;
        double finer = run_links(&half, &force) - reference;
        assert_true(fabs(force / wanted - 1.0) < 0.01);
        // The reference is off by (2.5e-4 / 5e-3)^2 = 0.25 % of the finer error.
        if (fabs(log2(fabs(coarse / finer)) - 2.0) > 0.25) {
            fail_msg("%s: order %g", kinds[k], log2(fabs(coarse / finer)));
        }
    }
}

// Windows that fit the duration, that do not, and of one step.
static void windows_of_any_length_give_the_same(void **state) {
    static const int window[] = {1, 7, 50, 80};
    trGlueDef        same = def_of("gauss", "newmark", 0.02);
    double           wanted = run_masses(&same);
    for (int k = 0; k < 4; k++) {
        trGlueDef def = def_of("waveform", "newmark", 0.02);
        def.window = window[k];
        def.max_iterations = 200;
        assert_true(fabs(run_masses(&def) - wanted) < 1e-9);
    }
}

static void sweeps_are_counted(void **state) {
    static const char *const weak[] = {"jacobi", "gauss_seidel", "waveform"};
    for (int k = 0; k < 3; k++) {
        trGlueDef def = def_of(weak[k], "newmark", 0.01);
        Scene     s;
        def.sweeps = 3;
        OK(scene_two_masses(&masses, &def, &s));
        OK(scene_run(&s, &def));
        assert_int_equal(tr_glue_stats(s.glue).iterations, 2 * tr_glue_stats(s.glue).steps);
        scene_free(&s);
    }
}

// A module 'm0' with one body that nothing is joined to, up to the carrier.
static void carry_one(trModule *module, Scene *s) {
    static const char *const name[] = {"m0"};
    int                      body = 0;
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2)), &s->model));
    OK(tr_model_add_body(s->model, "m0.a", TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1)),
                         &body));
    OK(tr_system_build(s->model, &s->system));
    OK(tr_carrier_create_local(1, name, module, &s->carrier));
}

static int (*predict_of_body)(void *self, const trGlueStep *step);

static int predict_without_anew(void *self, const trGlueStep *step) {
    return step->anew != 0 ? 1 : predict_of_body(self, step);
}

// Under bdf1 corrections are made anew if all modules can, in every algorithm and sweep.
static void a_module_that_cannot_make_anew_is_not_asked_to(void **state) {
    static const char *const kinds[] = {"gauss", "bdf", "waveform"};
    for (int k = 0; k < 3; k++) {
        trGlueDef def = def_of(kinds[k], "bdf1", 0.01);
        trModule  module;
        Scene     s = {0};
        assert_int_equal(body_open(0, NULL, &module), 0);
        assert_int_equal(module.takes & TR_MAKES_ANEW, 0);
        predict_of_body = module.predict;
        module.predict = predict_without_anew;
        carry_one(&module, &s);
        OK(tr_glue_create(s.system, s.carrier, &def, &s.glue));
        OK(scene_run(&s, &def));
        scene_free(&s);
    }
}

// Steps of 0.016 s pass 0.006 rad beside the flat pose of the four-bar, where loads are known to
// rounding divided by a small pivot of S: a tolerance below that cannot be asked for.
static void loads_beside_a_singular_pose(void **state) {
    trGlueDef def = tr_glue_def_default();
    Scene     scene;
    def.step = 0.016;
    def.duration = 4.0;
    def.tolerance = 1e-10;
    assert_int_equal(scene_four_bar(&def, &scene), TR_OK);
    assert_int_equal(scene_run(&scene, &def), TR_OK);
    assert_true(tr_glue_stats(scene.glue).position.length < 1e-12);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_beside_a_singular_pose),
        cmocka_unit_test(a_module_that_cannot_make_anew_is_not_asked_to),
        cmocka_unit_test(all_kinds_find_the_same_motion),
        cmocka_unit_test(orders_are_two_with_iterations_and_one_without),
        cmocka_unit_test(light_followers_converge_through_joints),
        cmocka_unit_test(windows_of_any_length_give_the_same),
        cmocka_unit_test(sweeps_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
