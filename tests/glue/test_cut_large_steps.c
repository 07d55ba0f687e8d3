// SPDX-License-Identifier: MIT
// Cut mechanisms at steps where corrections of positions and velocities are large. Joints that a
// module has of its own are closed before those between modules, so that iterates of a cut and of
// an uncut mechanism differ by squares of corrections; what they converge to must not.

#include <math.h>
#include <stdio.h>

#include "glue/cut.h"
#include "support/test.h"
#include "trammel/lua.h"

typedef struct Case {
    const char *name, *scheme;
    const char *of;  // the module of each body
    double      step, duration;
} Case;

// bdf1 leaves joints open by h^2 / 2 of the acceleration, more than other schemes. Corrections that
// kept A of the iterations they were made in would differ by 7.7e-9, 1.6e-9 and 2.3e-10 in the
// first three, and by 1.4e-8 and 2.5e-8 in the spatial ones; rotations made one after the other by
// 3.5e-7 in the third, and 1e-6 in the spatial ones.
static const Case cases[] = {
    {"parallel_four_bar", "bdf1", "011", 1.0 / 99.0, 1.0},
    {"parallel_four_bar", "bdf2", "011", 1.0 / 99.0, 1.0},
    {"five_bar", "bdf1", "00111", 4e-3, 1.0},
    {"five_bar", "bdf1", "00112", 1e-3, 1.0},
    {"five_bar", "newmark", "00111", 1e-2, 0.6},
    {"spatial_slider_crank", "bdf1", "011", 1e-3, 1.0},
    {"spatial_slider_crank_iftomm", "bdf1", "001", 1e-3, 1.0},
    {"spatial_slider_crank_iftomm", "newmark", "001", 1e-3, 1.0},
};

#define CASES ((int)(sizeof cases / sizeof *cases))
// Each step ends at 1e-11 of its accelerations, some 100 m/s^2, times c_q of 1e-6 to 1e-3 s^2, and
// there are up to a thousand of them, whose errors grow tenfold in a second.
#define LARGEST 1e-10  // difference of positions [m], and of numbers of quaternions and angles

static void step(const Case *c, Cut *cut) {
    if (tr_glue_step(cut->glue) != TR_OK) {
        fail_msg("%s: %s", c->name, tr_last_error());
    }
}

static void open_cut(const Case *c, const trModel *model, bool cut_it, Cut *out) {
    int       of[CUT_BODIES] = {0};
    trGlueDef def = tr_glue_def_default();
    for (int i = 0; cut_it && i < model->bodies; i++) {
        of[i] = c->of[i] - '0';
    }
    def.step = c->step;
    def.duration = c->duration;
    def.tolerance = 1e-11;
    def.scheme = c->scheme;
    cut_model(model, of, false, out);
    if (cut_glue(out, &def) != TR_OK) {
        fail_msg("%s: %s", c->name, tr_last_error());
    }
}

static double difference(const Case *c) {
    char     path[512];
    trModel *model = NULL;
    trSimDef sim = tr_sim_def_default();
    Cut      whole, parts;
    double   most = 0.0, rates = 0.0;
    snprintf(path, sizeof path, "%s/models/benchmark/%s.lua", SOURCE_DIR, c->name);
    assert_int_equal(tr_lua_load(path, NULL, &model, &sim), TR_OK);
    open_cut(c, model, false, &whole);
    open_cut(c, model, true, &parts);
    for (int n = (int)(c->duration / c->step + 0.5); n > 0; n--) {
        step(c, &whole);
        step(c, &parts);
        most = fmax(most, cut_difference(&whole, &parts, &rates));
    }
    trGlueStats cut = tr_glue_stats(parts.glue), uncut = tr_glue_stats(whole.glue);
    printf("%-28s %-8s h = %.4f s: %.1e, iterations %.2f, uncut %.2f\n", c->name, c->scheme,
           c->step, most, (double)cut.iterations / (double)cut.steps,
           (double)uncut.iterations / (double)uncut.steps);
    assert_true(cut.position.length < 1e-13 && cut.velocity.length < 1e-13);
    cut_free(&whole);
    cut_free(&parts);
    tr_model_destroy(model);
    return most;
}

static void cuts_do_not_change_the_motion(void **state) {
    for (int i = 0; i < CASES; i++) {
        assert_true(difference(&cases[i]) < LARGEST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_do_not_change_the_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
