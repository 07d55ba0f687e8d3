// SPDX-License-Identifier: MIT
// How a row is written and which units lengths and masses have does not matter, with any method:
// rows times 1e-3 to 1e6; millimeters, meters, kilometers; grams, kilograms, tons. Left out is what
// depends on units by definition and says so.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/traits.h"
#include "basis/basis.h"
#include "integrator/integrator.h"
#include "scenario/scenario.h"
#include "sim/def.h"
#include "support/test.h"
#include "system/system.h"

#define STEP 2e-3  // of rk4 and of implicit methods [s]
#define END 1.0    // [s]
#define NUMBERS 16

// Steps are fixed and the same, so that truncation errors of one method are, too, up to what its
// corrections make of them; these are of the size of its own error. Rounding: projections leave
// 1e-12 (1 + max|q|), which is 1e-9 m where lengths are in kilometers, and the motion enlarges it;
// of soft methods the rounding that their penalty multiplies.
#define OWN_ERRORS 3.0
#define ROUNDING 1e-8
#define SOFT 2e-6

typedef enum Scale { LENGTHS, MASSES, ROW } Scale;

typedef struct Scaled {
    const char *file;
    Scale       what;
    bool        redundant;
    double      scale[4];
    int         scales;
} Scaled;

static const Scaled scaled[] = {
    {"rows.lua", ROW, false, {1.0, 1e-3, 1e3, 1e6}, 4},
    {"redundant_rows.lua", ROW, true, {1.0, 1e-3, 1e6}, 3},
    {"links.lua", LENGTHS, false, {1.0, 1e3, 1e-3}, 3},
    {"links.lua", MASSES, false, {1.0, 1e3, 1e-3}, 3},
    {"cranks.lua", LENGTHS, true, {1.0, 1e3, 1e-3}, 3},
    {"arm.lua", LENGTHS, false, {1.0, 1e3, 1e-3}, 3},
    {"arm.lua", MASSES, false, {1.0, 1e3, 1e-3}, 3},
};
#define MODELS (int)(sizeof scaled / sizeof *scaled)

// Positions at the end, in meters.
typedef struct Motion {
    int    count;
    double x[NUMBERS];
} Motion;

// A method, and for some of them a basis.
typedef struct Choice {
    const trMethod    *method;
    const trBasisKind *basis;
} Choice;

static void load(const Scaled *c, double scale, Run *run) {
    char              path[1024], value[64];
    const char *const set[] = {value, NULL};
    trSimDef          def = tr_sim_def_default();
    snprintf(path, sizeof path, "%s/tests/scenario/scaled/%s", SOURCE_DIR, c->file);
    snprintf(value, sizeof value, "%s=%.17g", c->what == MASSES ? "mass" : "scale", scale);
    memset(run, 0, sizeof *run);
    if (tr_lua_load(path, set, &run->model, &def) != TR_OK ||
        tr_system_build(run->model, &run->system) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static bool is_length(const trSystem *system, int i) {
    return i % system->space->nq < system->space->dim;
}

static bool run_to_end(const Scaled *c, double scale, Choice choice, bool exact, Motion *out) {
    Run      run;
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    load(c, scale, &run);
    def.method = choice.method->name;
    def.basis = choice.basis != NULL ? choice.basis->name : NULL;
    def.integrator = choice.method->integrator != NULL ? NULL : exact ? "dop853" : "rk4";
    def.step = exact ? def.step : STEP;
    def.rtol = def.atol = 1e-12;
    trStatus status = tr_sim_create(run.system, &def, &sim);
    status = status == TR_OK ? tr_sim_run_to(sim, END) : status;
    if (status != TR_OK) {
        print_message("  %s %s x %g: %s\n", c->file, def.method, scale, tr_last_error());
    }
    out->count = run.system->nq;
    assert_true(out->count <= NUMBERS);
    for (int i = 0; status == TR_OK && i < out->count; i++) {
        bool by_scale = c->what == LENGTHS && is_length(run.system, i);
        out->x[i] = tr_sim_q(sim)[i] / (by_scale ? scale : 1.0);
    }
    tr_sim_destroy(sim);
    run_free(&run);
    return status == TR_OK;
}

static double apart(const Motion *a, const Motion *b) {
    double most = 0.0;
    for (int i = 0; i < a->count; i++) {
        double here = fabs(a->x[i] - b->x[i]);
        most = here <= most ? most : here;
    }
    return most;
}

static int try_choice(const Scaled *c, Choice choice, const Motion *reference) {
    static const char *const what[] = {"lengths", "masses", "row"};
    Motion                   first, other;
    trMethodGroup            group = tr_method_group(choice.method);
    double                   rest = group == TR_GROUP_SOFT ? SOFT : ROUNDING, worst = 0.0;
    int                      bad = 0;
    if (!run_to_end(c, 1.0, choice, false, &first)) {
        return 1;
    }
    double error = apart(&first, reference);
    for (int k = 1; k < c->scales; k++) {
        bool   done = run_to_end(c, c->scale[k], choice, false, &other);
        double here = done ? apart(&other, &first) : INFINITY;
        bad += !(here <= OWN_ERRORS * error + rest);
        worst = fmax(worst, here);
    }
    print_message("  %-10s %-7s %-30s %-15s error %.1e  apart %.1e%s\n", c->file, what[c->what],
                  choice.method->name, choice.basis != NULL ? choice.basis->name : "", error, worst,
                  bad > 0 ? "  WRONG" : "");
    return bad;
}

// Whether it depends on the scale by definition, and says so. W = I adds squares of lengths and
// angles, whatever masses and rows are; epsilon of an integrator has the units of rows.
static bool depends(const Scaled *c, Choice choice) {
    const char *advance = choice.method->integrator;
    bool        soft = advance != NULL && (tr_integrator_find(advance)->traits & TR_BY_UNITS) != 0;
    unsigned traits = choice.basis != NULL ? choice.basis->traits : tr_method_traits(choice.method);
    return soft || (c->what == LENGTHS && (traits & TR_BY_UNITS) != 0);
}

static int try_method(const Scaled *c, const trMethod *method, const Motion *reference) {
    const trSimDef def = {.method = method->name};
    const bool     bases = tr_stage_find(method->stage_projection) != NULL &&
                       strcmp(method->stage_projection, "basis") == 0;
    int bad = 0;
    if (c->redundant && (tr_method_traits(method) & TR_COPES_REDUNDANT) == 0) {
        return 0;
    }
    assert_true(!bases || tr_sim_def_reads(&def, "basis"));
    for (int i = 0; i < (bases ? tr_basis_count() : 1); i++) {
        Choice choice = {method, bases ? tr_basis_at(i) : NULL};
        bool   carried = bases && strcmp(choice.basis->name, "liang_lance") == 0;
        if (!depends(c, choice) && !(carried && c->redundant)) {
            bad += try_choice(c, choice, reference);
        }
    }
    return bad;
}

static void neither_units_nor_the_way_rows_are_written_matter(void **state) {
    int bad = 0;
    for (int k = 0; k < MODELS; k++) {
        Motion reference;
        Choice exact = {tr_method_find("masarati"), NULL};
        assert_true(run_to_end(&scaled[k], 1.0, exact, true, &reference));
        for (int i = 0; i < tr_method_count(); i++) {
            bad += try_method(&scaled[k], tr_method_at(i), &reference);
        }
    }
    assert_int_equal(bad, 0);
}

static int degrees_of_freedom(const Scaled *c, double scale, const char *method) {
    Run      run;
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    load(c, scale, &run);
    def.method = method;
    def.step = 1e-3;
    if (tr_sim_create(run.system, &def, &sim) != TR_OK) {
        fail_msg("%s x %g: %s", method, scale, tr_last_error());
    }
    int found = tr_sim_stats(sim).degrees_of_freedom;
    tr_sim_destroy(sim);
    run_free(&run);
    return found;
}

// With W = I arms longer than 1 / rank_tolerance cannot be taken.
static bool has_identity(const trMethod *method) {
    return strcmp(method->name, "direct") == 0 || strcmp(method->name, "masarati_identity") == 0;
}

static void arms_that_are_too_long_for_the_identity_are_refused(void **state) {
    static const char *const names[] = {"direct", "masarati_identity"};
    const Scaled             cranks = {.file = "cranks.lua", .what = LENGTHS};
    for (int i = 0; i < 2; i++) {
        Run      run;
        trSim   *sim = NULL;
        trSimDef def = tr_sim_def_default();
        load(&cranks, 1e6, &run);
        def.method = names[i];
        assert_int_equal(tr_sim_create(run.system, &def, &sim), TR_E_MODEL);
        assert_non_null(strstr(tr_last_error(), "W = I, which depends on units"));
        run_free(&run);
    }
}

// From micrometers to thousands of kilometers.
static void ranks_do_not_depend_on_units(void **state) {
    static const double scale[] = {1e-6, 1e-3, 1.0, 1e3, 1e6};
    const Scaled        cranks = {.file = "cranks.lua", .what = LENGTHS};
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *method = tr_method_at(i);
        unsigned        traits = tr_method_traits(method);
        for (int k = 0; k < 5 && (traits & TR_COPES_REDUNDANT) != 0; k++) {
            if (scale[k] > 1e4 && has_identity(method)) {
                continue;
            }
            int found = degrees_of_freedom(&cranks, scale[k], method->name);
            if (found != 1) {
                fail_msg("%s x %g: %d degrees of freedom", method->name, scale[k], found);
            }
        }
    }
}

// The mobility of rows at bodies without mass is found from their neighbors; projections leave
// 1e-12 m, which is 1e-6 of the smallest links here.
static void units_do_not_matter_to_bodies_without_mass(void **state) {
    static const char *const names[] = {"masarati", "maggi_frozen", "udwadia_wanichanon",
                                        "lagrange_kkt", "penalty"};
    const Scaled             massless = {
                    .file = "massless.lua", .what = LENGTHS, .scale = {1.0, 1e-3, 1e3, 1e6}, .scales = 4};
    int    bad = 0;
    Motion reference;
    Choice exact = {tr_method_find("masarati"), NULL};
    assert_true(run_to_end(&massless, 1.0, exact, true, &reference));
    for (int i = 0; i < 5; i++) {
        bad += try_choice(&massless, (Choice){tr_method_find(names[i]), NULL}, &reference);
    }
    assert_int_equal(bad, 0);
}

// What is left out above: no more than these, and each of them says so.
static void what_depends_on_units_says_so(void **state) {
    static const char *const known[] = {"direct", "maggi", "masarati_identity", "park_chiou"};
    int                      count = 0;
    for (int i = 0; i < 4; i++) {
        assert_true((tr_method_traits(tr_method_find(known[i])) & TR_BY_UNITS) != 0);
    }
    for (int i = 0; i < tr_method_count(); i++) {
        count += (tr_method_traits(tr_method_at(i)) & TR_BY_UNITS) != 0;
    }
    assert_int_equal(count, 4);
    for (int i = 0; i < tr_basis_count(); i++) {
        const trBasisKind *basis = tr_basis_at(i);
        assert_true(((basis->traits & TR_BY_UNITS) != 0) == !basis->extracts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_units_nor_the_way_rows_are_written_matter),
        cmocka_unit_test(ranks_do_not_depend_on_units),
        cmocka_unit_test(units_do_not_matter_to_bodies_without_mass),
        cmocka_unit_test(arms_that_are_too_long_for_the_identity_are_refused),
        cmocka_unit_test(what_depends_on_units_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
