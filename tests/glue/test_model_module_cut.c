// SPDX-License-Identifier: MIT
// Benchmarks cut into modules, against themselves uncut under the same scheme. K of a module and of
// the whole are the same matrix, so that iterates differ by rounding alone; where constraints are
// nearly dependent, rounding counts for more. Without arguments the short ones; "all": all of them.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glue/cut.h"
#include "support/test.h"
#include "trammel/lua.h"

typedef struct Case {
    const char *name, *set;  // of the model; a parameter
    const char *of;          // the module of each body; the last one repeats
    double      step, duration, tolerance;
    const char *scheme;
    bool        ground_too, slow;
    bool        quaternions;  // coordinates
} Case;

// Steps that would end in singular poses (parallel_four_bar at 0.25 s, n_four_bar at 0.72 s) end
// beside them: there, accelerations are found to 1e-10 of their size at best, as with the stiff
// dampers of flyball. Massless bodies of iltis stay with the hub. Not here, as no cut leaves
// modules of which each is determined by itself: four_bar_massless_coupler (the coupler turns
// freely unless both its neighbors hold it) and spring_chain (springs act at every pin, and would
// be between modules; the weight has no inertia without its segment).
static const Case cases[] = {
    {"four_bar", NULL, "012", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"four_bar", NULL, "012", 1e-3, 1.0, 1e-11, "generalized_alpha", true, false, false},
    {"parallel_four_bar", NULL, "012", 1.0 / 99.0, 1.0, 1e-10, "newmark", true, false, false},
    {"parallel_four_bar", NULL, "011", 1.0 / 99.0, 1.0, 1e-10, "newmark", false, false, false},
    {"slider_crank_driven", NULL, "012", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"redundant_parallelogram", NULL, "0123", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"chain", NULL, "0012345677", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"chain", NULL, "0012345677", 1e-3, 1.0, 1e-11, "bdf2", false, true, false},
    {"n_four_bar", NULL, "001234567", 1.0 / 102.0, 1.0, 1e-10, "newmark", false, false, false},
    {"andrews", NULL, "0123456", 1e-5, 0.05, 1e-11, "newmark", false, true, false},
    {"andrews", NULL, "0011223", 1e-5, 0.005, 1e-11, "newmark", false, false, false},
    {"bricard", NULL, "00111", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"bricard", NULL, "01234", 1e-3, 1.0, 1e-11, "newmark", true, true, false},
    {"five_bar", NULL, "01234", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"five_bar", NULL, "01234", 1e-3, 1.0, 1e-11, "bdf1", true, true, false},
    {"five_bar", NULL, "00112", 1e-3, 1.0, 1e-11, "bdf1", true, true, false},
    {"five_bar", NULL, "00112", 1e-3, 1.0, 1e-11, "generalized_alpha", true, true, false},
    {"five_bar", NULL, "00112", 1e-3, 0.5, 1e-11, "newmark", false, false, true},
    {"flyball", NULL, "0111", 1e-3, 1.0, 1e-10, "newmark", false, false, false},
    {"iltis", NULL, "0100", 1e-3, 0.5, 1e-11, "newmark", false, false, false},
    {"spatial_slider_crank", NULL, "012", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
    {"spatial_slider_crank_iftomm", NULL, "012", 1e-3, 1.0, 1e-11, "newmark", false, false, false},
};

#define CASES ((int)(sizeof cases / sizeof *cases))
#define LARGEST 1e-10  // difference of positions [m], and of numbers of quaternions and angles

static void step(Cut *cut, const Case *c) {
    if (tr_glue_step(cut->glue) != TR_OK) {
        fail_msg("%s: %s", c->name, tr_last_error());
    }
}

static void share(const trModel *model, const Case *c, int *of) {
    int last = (int)strlen(c->of) - 1;
    for (int i = 0; i < model->bodies; i++) {
        of[i] = c->of[i < last ? i : last] - '0';
    }
}

static void compare(const Case *c) {
    char              path[512];
    const char *const set[] = {c->set, NULL};
    trModel          *model = NULL;
    trSimDef          sim = tr_sim_def_default();
    trGlueDef         def = tr_glue_def_default();
    Cut               cut[2];
    int               whole[CUT_BODIES] = {0}, of[CUT_BODIES];
    double            most = 0.0, rates = 0.0, rate = 0.0;
    snprintf(path, sizeof path, "%s/models/benchmark/%s.lua", SOURCE_DIR, c->name);
    assert_int_equal(tr_lua_load(path, set, &model, &sim), TR_OK);
    model->coordinates = c->quaternions ? "quaternion" : model->coordinates;
    share(model, c, of);
    def.step = c->step;
    def.duration = c->duration;
    def.tolerance = c->tolerance;
    def.scheme = c->scheme;
    for (int k = 0; k < 2; k++) {
        cut_model(model, k == 0 ? whole : of, k == 1 && c->ground_too, &cut[k]);
        if (cut_glue(&cut[k], &def) != TR_OK) {
            fail_msg("%s: %s", c->name, tr_last_error());
        }
    }
    for (int n = (int)(c->duration / c->step + 0.5); n > 0; n--) {
        step(&cut[0], c);
        step(&cut[1], c);
        most = fmax(most, cut_difference(&cut[0], &cut[1], &rate));
        rates = fmax(rates, rate);
    }
    trGlueStats stats = tr_glue_stats(cut[1].glue), uncut = tr_glue_stats(cut[0].glue);
    printf("%-28s %-17s %d modules: positions %.1e, velocities %.1e, iterations %.2f, uncut %.2f\n",
           c->name, c->scheme, cut[1].modules, most, rates,
           (double)stats.iterations / (double)stats.steps,
           (double)uncut.iterations / (double)uncut.steps);
    assert_true(most < LARGEST);
    assert_true(stats.position.length < 1e-12 && stats.velocity.length < 1e-11);
    cut_free(&cut[0]);
    cut_free(&cut[1]);
    tr_model_destroy(model);
}

static bool all;

static void cut_equals_uncut(void **state) {
    for (int i = 0; i < CASES; i++) {
        if (all || !cases[i].slow) {
            compare(&cases[i]);
        }
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_equals_uncut)};
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
