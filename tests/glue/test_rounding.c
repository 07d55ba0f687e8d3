// SPDX-License-Identifier: MIT
// Joints that are open by what rounding of loads makes of accelerations count as closed; all else
// counts as open.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "glue/cut.h"
#include "glue/glue.h"
#include "scenario/turned.h"
#include "support/test.h"

// Wheels and thin rods: 1 N m about the axis of a rod is 5e5 rad/s^2, a force of 10 N at the arm of
// 1 m a moment of which 1e-15 N m are rounding.
static void glue_wheels(trModel **model, Cut *cut) {
    static const int of[] = {0, 0, 1, 2};
    trGlueDef        def = tr_glue_def_default();
    *model = turned_load("tests/scenario/turned/coupled_wheels.lua", 5);
    def.step = 1e-3;
    def.duration = 1e-2;
    def.tolerance = 1e-11;
    cut_model(*model, of, false, cut);
    assert_int_equal(cut_glue(cut, &def), TR_OK);
    assert_int_equal(tr_glue_step(cut->glue), TR_OK);
}

static int softest_row(const trInterface *it) {
    int best = -1;
    for (int i = 0; i < it->m; i++) {
        const double *S = it->force.S;
        if (!tr_semidefinite_dropped(&it->force, i) &&
            (best < 0 || S[i * (it->m + 1)] > S[best * (it->m + 1)])) {
            best = i;
        }
    }
    return best;
}

// The residual with joints open by what `load` in one row makes of accelerations.
static double measure(trGlue *g, int row, double load) {
    trInterface *it = &g->it;
    for (int i = 0; i < it->m; i++) {
        it->acceleration[i] = it->force.S[i * it->m + row] * load;
    }
    tr_glue_measure(g, 0);
    return g->history[0][TR_ACCELERATION];
}

static void only_rounding_of_loads_counts_as_closed(void **state) {
    trModel *model;
    Cut      cut;
    glue_wheels(&model, &cut);
    trGlue      *g = cut.glue;
    trInterface *it = &g->it;
    double       force = tr_largest(it->nw * it->ports, g->load);
    int          row = softest_row(it);
    double       soft = it->force.S[row * (it->m + 1)];
    double       scale = 1.0 + tr_largest(it->nw * it->ports, it->a);
    assert_true(force > 1.0 && soft > 1e5);
    assert_true(soft * 1e-15 * force > 1e-11 * scale);
    assert_true(measure(g, row, 1e-15 * force) < 1e-11);
    for (double load = 1e-12; load < 1.0; load *= 1e3) {
        assert_true(measure(g, row, load * force) > 0.99 * soft * load * force / scale);
    }
    cut_free(&cut);
    tr_model_destroy(model);
}

// No load closes a row that depends on others.
static void a_dependent_row_that_is_open_counts(void **state) {
    trModel *model;
    Cut      cut;
    int      dropped = 0;
    glue_wheels(&model, &cut);
    trInterface *it = &cut.glue->it;
    double       scale = 1.0 + tr_largest(it->nw * it->ports, it->a);
    for (int i = 0; i < it->m; i++) {
        memset(it->acceleration, 0, (size_t)it->m * sizeof(double));
        if (tr_semidefinite_dropped(&it->force, i)) {
            it->acceleration[i] = 1e-9;
            tr_glue_measure(cut.glue, 0);
            assert_true(fabs(cut.glue->history[0][TR_ACCELERATION] - 1e-9 / scale) < 1e-15);
            dropped++;
        }
    }
    assert_true(dropped > 0);
    cut_free(&cut);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_rounding_of_loads_counts_as_closed),
        cmocka_unit_test(a_dependent_row_that_is_open_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
