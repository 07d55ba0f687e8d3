// SPDX-License-Identifier: MIT
// How a row is written and which unit lengths have does not matter, with any method: rows times
// 1e-3 to 1e6, lengths in millimeters, meters and kilometers.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/traits.h"
#include "scenario/scenario.h"
#include "sim/def.h"

#define STEP 1e-3  // of rk4 and of implicit methods [s]
#define END 2.0    // [s]
#define NUMBERS 16

// Steps are fixed and the same, so that truncation errors of one method are, too, up to what its
// corrections make of them; these are of the size of its own error. Rounding: projections leave
// 1e-12 (1 + max|q|), which is 1e-9 m where lengths are in kilometers, and the motion enlarges it;
// of soft methods the rounding that their penalty multiplies.
#define OWN_ERRORS 3.0
#define ROUNDING 1e-8
#define SOFT 2e-6

typedef struct Scaled {
    const char *file;
    bool        lengths;  // what is scaled: lengths, or a row
    double      scale[4];
    int         scales;
} Scaled;

static const Scaled scaled[] = {
    {"rows.lua", false, {1.0, 1e-3, 1e3, 1e6}, 4},
    {"links.lua", true, {1.0, 1e3, 1e-3}, 3},
    {"cranks.lua", true, {1.0, 1e3, 1e-3}, 3},
};
#define MODELS (int)(sizeof scaled / sizeof *scaled)

// Positions at the end, in meters.
typedef struct Motion {
    int    count;
    double x[NUMBERS];
} Motion;

static void load(const char *file, double scale, Run *run) {
    char              path[1024], value[64];
    const char *const set[] = {value, NULL};
    trSimDef          def = tr_sim_def_default();
    snprintf(path, sizeof path, "%s/tests/scenario/scaled/%s", SOURCE_DIR, file);
    snprintf(value, sizeof value, "scale=%.17g", scale);
    memset(run, 0, sizeof *run);
    if (tr_lua_load(path, set, &run->model, &def) != TR_OK ||
        tr_system_build(run->model, &run->system) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static bool run_to_end(const Scaled *c, double scale, const char *method, bool exact, Motion *out) {
    Run             run;
    trSim          *sim = NULL;
    trSimDef        def = tr_sim_def_default();
    const trMethod *chosen = tr_method_find(method);
    load(c->file, scale, &run);
    def.method = method;
    def.integrator = chosen->integrator != NULL ? NULL : exact ? "dop853" : "rk4";
    def.step = exact ? def.step : STEP;
    def.rtol = def.atol = 1e-12;
    trStatus status = tr_sim_create(run.system, &def, &sim);
    status = status == TR_OK ? tr_sim_run_to(sim, END) : status;
    if (status != TR_OK) {
        print_message("  %s %s x %g: %s\n", c->file, method, scale, tr_last_error());
    }
    out->count = run.system->nq;
    assert_true(out->count <= NUMBERS);
    for (int i = 0; status == TR_OK && i < out->count; i++) {
        bool angle = c->lengths && i % 3 == 2;
        out->x[i] = tr_sim_q(sim)[i] / (c->lengths && !angle ? scale : 1.0);
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

static int try_method(const Scaled *c, const trMethod *method, const Motion *reference) {
    Motion        first, other;
    trMethodGroup group = tr_method_group(method);
    double        rest = group == TR_GROUP_SOFT ? SOFT : ROUNDING, worst = 0.0;
    int           bad = 0;
    if (!run_to_end(c, 1.0, method->name, false, &first)) {
        return 1;
    }
    double error = apart(&first, reference);
    for (int k = 1; k < c->scales; k++) {
        bool   done = run_to_end(c, c->scale[k], method->name, false, &other);
        double here = done ? apart(&other, &first) : INFINITY;
        bad += !(here <= OWN_ERRORS * error + rest);
        worst = fmax(worst, here);
    }
    print_message("  %-12s %-30s error %.1e  apart %.1e%s\n", c->file, method->name, error, worst,
                  bad > 0 ? "  WRONG" : "");
    return bad;
}

static void neither_units_nor_the_way_rows_are_written_matter(void **state) {
    (void)state;
    int bad = 0;
    for (int k = 0; k < MODELS; k++) {
        Motion reference;
        assert_true(run_to_end(&scaled[k], 1.0, "masarati", true, &reference));
        for (int i = 0; i < tr_method_count(); i++) {
            const trMethod *method = tr_method_at(i);
            bool            redundant = strcmp(scaled[k].file, "cranks.lua") == 0;
            // epsilon of park_chiou belongs to rows as they are written; bases and partitions of
            // the maggi methods compare coordinates in their units.
            bool by_definition = scaled[k].lengths ? strncmp(method->name, "maggi", 5) == 0 ||
                                                         strcmp(method->name, "partition") == 0
                                                   : strcmp(method->name, "park_chiou") == 0;
            if (!by_definition &&
                (!redundant || (tr_method_traits(method) & TR_COPES_REDUNDANT) != 0)) {
                bad += try_method(&scaled[k], method, &reference);
            }
        }
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_units_nor_the_way_rows_are_written_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
