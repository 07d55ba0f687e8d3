// SPDX-License-Identifier: MIT
// What a simulation finds at its start does not depend on the method: degrees of freedom, redundant
// rows, the rank that is watched from there on. Also with formulations that keep every row and
// judge none, where another one must be asked.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "support/test.h"
#include "trammel/trammel.h"

// Five of ten rows are redundant.
static const char door[] =
    "local m = model { dim = 3 }\n"
    "local b = m:body { name = 'door', mass = 2, inertia = { 1, 2, 3 }, com = { 0.4, 0, 0.5 } }\n"
    "for i = 0, 1 do\n"
    "    m:joint { 'revolute', name = 'hinge' .. i, m.ground, b, point = { 0, 0, i },\n"
    "              axis = { 0, 0, 1 } }\n"
    "end\n"
    "return m\n";

typedef struct Case {
    const char *file;     // in models/benchmark; or "door"
    const char *set;      // or NULL
    int         freedom;  // known
    unsigned    needs;    // traits
    trModel    *model;
    trSystem   *system;
} Case;

static Case cases[] = {
    {"four_bar.lua", NULL, 1, 0, NULL, NULL},
    {"redundant_parallelogram.lua", NULL, 1, TR_COPES_REDUNDANT, NULL, NULL},
    {"bricard.lua", NULL, 1, TR_COPES_REDUNDANT, NULL, NULL},
    {"door", NULL, 1, TR_COPES_REDUNDANT, NULL, NULL},
    {"knife_edge.lua", NULL, 2, TR_COPES_NONHOLONOMIC, NULL, NULL},
    {"four_bar_massless_coupler.lua", NULL, 1, TR_COPES_SINGULAR_MASS, NULL, NULL},
    {"equations_four_bar_massless.lua", NULL, 1, TR_COPES_SINGULAR_MASS, NULL, NULL},
    {"chain.lua", "N=4", 4, 0, NULL, NULL},
};

#define CASES ((int)(sizeof cases / sizeof *cases))

static int load_all(void **state) {
    for (int i = 0; i < CASES; i++) {
        Case             *c = &cases[i];
        const char *const set[] = {c->set, NULL};
        char              path[512];
        trSimDef          unused = tr_sim_def_default();
        snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, c->file);
        trStatus status =
            strcmp(c->file, "door") == 0
                ? tr_lua_load_text(c->file, door, sizeof door - 1, set, &c->model, &unused)
                : tr_lua_load(path, set, &c->model, &unused);
        if (status != TR_OK || tr_system_build(c->model, &c->system) != TR_OK) {
            print_error("%s\n", tr_last_error());
            return -1;
        }
    }
    return 0;
}

static int free_all(void **state) {
    for (int i = 0; i < CASES; i++) {
        tr_system_destroy(cases[i].system);
        tr_model_destroy(cases[i].model);
    }
    return 0;
}

static int count(int n, const bool *which) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        found += which[i] ? 1 : 0;
    }
    return found;
}

// Returns whether the method takes the model.
static bool check(const Case *c, const trSimDef *def, unsigned traits, const char *what) {
    trSim   *sim = NULL;
    trStatus status = tr_sim_create(c->system, def, &sim);
    if ((c->needs & ~traits) != 0) {
        assert_int_not_equal(status, TR_OK);
        return false;
    }
    if (status != TR_OK) {
        fail_msg("%s, %s: %s", c->file, what, tr_last_error());
    }
    const trSimStats stats = tr_sim_stats(sim);
    const int        rank = sim->nv - c->freedom, redundant = sim->m - rank;
    if (stats.degrees_of_freedom != c->freedom || stats.redundant_rows != redundant) {
        fail_msg("%s, %s: %d degrees of freedom and %d redundant rows, not %d and %d", c->file,
                 what, stats.degrees_of_freedom, stats.redundant_rows, c->freedom, redundant);
    }
    // What is watched, where it is, is the same, and has not changed.
    bool watched = sim->rows.rank >= 0;
    if (watched && (sim->rows.rank != rank || count(sim->m, sim->rows.dependent) != redundant)) {
        fail_msg("%s, %s: rank %d with %d dependent rows, not %d with %d", c->file, what,
                 sim->rows.rank, count(sim->m, sim->rows.dependent), rank, redundant);
    }
    assert_int_equal(stats.rank_changes, 0);
    tr_sim_destroy(sim);
    return true;
}

static void every_formulation_starts_with_the_rank_of_the_model(void **state) {
    static const char *const steps[] = {"none", "mass_orthogonal", "direct"};
    for (int k = 0; k < tr_formulation_count(); k++) {
        const trFormulationKind *kind = tr_formulation_at(k);
        for (int i = 0; i < 3 * CASES; i++) {
            trSimDef def = tr_sim_def_default();
            def.formulation = kind->name;
            def.stage_projection = "none";
            def.step_projection = steps[i / CASES];
            check(&cases[i % CASES], &def, kind->traits, kind->name);
        }
    }
}

// The traits of a method are those that all of its parts have; here each must take what has no
// special rows, and tell the rank of whatever else it takes.
static void every_method_starts_with_the_rank_of_the_model(void **state) {
    for (int k = 0; k < tr_method_count(); k++) {
        const trMethod *method = tr_method_at(k);
        int             taken = 0;
        for (int i = 0; i < CASES; i++) {
            trSimDef def = tr_sim_def_default();
            trSim   *sim = NULL;
            def.method = method->name;
            def.step = 1e-3;
            if (method->integrator != NULL && tr_integrator_find(method->integrator) == NULL) {
                taken = CASES;  // SUNDIALS was not found
            } else if (tr_sim_create(cases[i].system, &def, &sim) == TR_OK) {
                taken += check(&cases[i], &def, ~0u, method->name) ? 1 : 0;
            }
            tr_sim_destroy(sim);
        }
        if (taken < 3) {
            fail_msg("method '%s' takes %d models", method->name, taken);
        }
    }
}

// One body on two balls has rank 5 wherever they are. The nearer the second comes to an axis of the
// rows, the smaller is the pivot of one of them, until it is as small as what rounding leaves of
// the dependent one.
static void two_balls_hold_five_motions_wherever_they_are(void **state) {
    static const char balls[] =
        "local m = model { dim = 3, gravity = { 0, 0, -9.81 } }\n"
        "local b = m:body { name = 'b', mass = 1, inertia = { .2, .3, .4 }, at = { .5, .7, 0 } }\n"
        "m:joint { 'spherical', name = 'one', m.ground, b, point = { 0, 0, 0 } }\n"
        "m:joint { 'spherical', name = 'two', m.ground, b, point = { 1, parameter('off', 0), 0 } "
        "}\n"
        "return m\n";
    for (int i = 0; i <= 240; i++) {
        char              off[32];
        const char *const set[] = {off, NULL};
        Case              c = {.file = "two balls", .set = off, .freedom = 1};
        trSimDef          def = tr_sim_def_default();
        trSim            *sim = NULL;
        snprintf(off, sizeof off, "off=%.4e", pow(10.0, -4.1 + 0.003 * i));  // 8e-5 to 4e-4
        assert_int_equal(tr_lua_load_text(c.file, balls, sizeof balls - 1, set, &c.model, &def),
                         TR_OK);
        assert_int_equal(tr_system_build(c.model, &c.system), TR_OK);
        def.duration = 0.5;
        for (int k = 0; k < tr_formulation_count(); k++) {
            const trFormulationKind *kind = tr_formulation_at(k);
            trSimDef                 own = def;
            own.formulation = kind->name;
            own.stage_projection = own.step_projection = "none";
            if ((kind->traits & TR_COPES_REDUNDANT) != 0) {
                check(&c, &own, kind->traits, off);
            }
        }
        assert_int_equal(tr_sim_create(c.system, &def, &sim), TR_OK);
        if (tr_sim_run(sim, NULL, NULL) != TR_OK || tr_sim_stats(sim).rank_changes != 0) {
            fail_msg("%s: %s", off, tr_last_error());
        }
        tr_sim_destroy(sim);
        tr_system_destroy(c.system);
        tr_model_destroy(c.model);
    }
}

static const char pins[] =
    "local turn, d = parameter('turn', 0), parameter('d', 1e-3)\n"
    "local c, s = math.cos(turn), math.sin(turn)\n"
    "local function at(x, y) return { c * x - s * y, s * x + c * y } end\n"
    "local m = model { gravity = at(0, -9.81) }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = .1, at = at(.5, .1), angle = turn }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = .2, at = at(1.1, .2), angle = turn }\n"
    "m:joint { 'revolute', name = 'pivot', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'pin1', a, b, point = at(1, .1) }\n"
    "m:joint { 'revolute', name = 'pin2', a, b, point = at(1 + .94 * d, .1 + .34 * d) }\n"
    "return m\n";

// Two rows with small pivots are set aside together, and what they hold beside the others cancels
// in a sum of both in some orientations, which had a degree of freedom too many. At 0.15 mm
// their pivots are 2 rank_tolerance^2, and change with the angle while the bodies swing.
static void close_pins_are_kept_in_every_orientation(void **state) {
    for (int i = 0; i < 360 + 24; i++) {
        char              turn[32], d[32];
        const char *const set[] = {turn, d, NULL};
        Case              c = {.file = "two pins", .set = turn, .freedom = 1};
        trSimDef          def = tr_sim_def_default();
        snprintf(turn, sizeof turn, "turn=%.4f", 0.0175 * (i < 360 ? i : 15 * (i - 360) + 1));
        snprintf(d, sizeof d, "d=%g", i < 360 ? 1e-3 : 1.5e-4);
        assert_int_equal(tr_lua_load_text(c.file, pins, sizeof pins - 1, set, &c.model, &def),
                         TR_OK);
        assert_int_equal(tr_system_build(c.model, &c.system), TR_OK);
        check(&c, &def, ~0u, turn);
        trSim *sim = NULL;
        def.duration = 1.0;
        assert_int_equal(tr_sim_create(c.system, &def, &sim), TR_OK);
        if (i >= 360 && tr_sim_run(sim, NULL, NULL) != TR_OK) {
            fail_msg("%s: %s", turn, tr_last_error());
        }
        tr_sim_destroy(sim);
        tr_system_destroy(c.system);
        tr_model_destroy(c.model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_formulation_starts_with_the_rank_of_the_model),
        cmocka_unit_test(every_method_starts_with_the_rank_of_the_model),
        cmocka_unit_test(two_balls_hold_five_motions_wherever_they_are),
        cmocka_unit_test(close_pins_are_kept_in_every_orientation),
    };
    return cmocka_run_group_tests(tests, load_all, free_all);
}
