// SPDX-License-Identifier: MIT
// Results as they were written are found to be right: every kind of model, and methods that are not
// exact. The whole list of models is in tests/cli/verify_every_model.py.

#include "verify/runs.h"

#include <stdlib.h>
#include <string.h>

static const Run runs[] = {
    {"benchmark/four_bar.lua", 2.0, 101, NULL, NULL},
    {"benchmark/four_bar.lua", 1.0, 101, "penalty", NULL},
    {"benchmark/four_bar.lua", 1.0, 101, "baumgarte", NULL},
    {"benchmark/four_bar.lua", 1.0, 101, "lagrange", NULL},
    {"benchmark/chain.lua", 1.0, 101, NULL, "generalized_alpha"},
    {"benchmark/heavy_top.lua", 0.5, 101, NULL, NULL},
    {"benchmark/heavy_top.lua", 0.5, 101, "augmented_lagrangian", NULL},
    {"benchmark/bead_on_hoop.lua", 0.3, 1001, "penalty", NULL},  // C is made from lambda
    {"benchmark/bricard.lua", 1.0, 51, NULL, NULL},
    {"benchmark/parallel_four_bar.lua", 3.0, 101, NULL, NULL},
    {"papers/quaternion.lua", 0.5, 51, NULL, NULL},
    {"papers/parallel_fourbar_joint.lua", 0.3, 31, NULL, "generalized_alpha"},  // loads vanish once
    {"guide/suspension.lua", 0.5, 51, NULL, NULL},
    {"guide/sliding_block.lua", 0.5, 51, NULL, NULL},
    {"guide/sled.lua", 0.5, 51, NULL, NULL},
    {"guide/sled.lua", 3.0, 16, NULL, NULL},
    {"benchmark/slider_crank_haug.lua", 0.03726, 11, "lagrange", "dopri5"},  // z begins below atol
    {"../tests/verify/jumps.lua", 2.0, 2001, NULL, NULL},
    {"../tests/verify/jumps.lua", 2.0, 101, NULL, NULL},
    {"../tests/verify/jumps.lua", 2.0, 41, NULL, "dopri5"},
    {"../tests/verify/jumps.lua", 2.0, 201, NULL, "radau5"},
    {"../tests/verify/turns.lua", 2.0, 401, NULL, NULL},  // 0.5 rad from row to row, and 1.2 rad
    {"../tests/verify/turns.lua", 2.0, 21, NULL, NULL},   // 10 rad and 25 rad
    {"../tests/verify/turns.lua", 4.0, 11, NULL, NULL},   // 40 rad and 100 rad
};

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r.h5");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static void results_as_written_are_right(void **state) {
    const Scratch *scratch = *state;
    char           first[256];
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        run_to_file(&runs[i], scratch->path);
        if (count_findings(scratch->path, true, first, sizeof first) != 0) {
            fail_msg("%s, %s: %s", runs[i].model, runs[i].method != NULL ? runs[i].method : "-",
                     first);
        }
    }
}

// A run that drifts says so in its own columns; a larger violation than that is damage.
static void drift_is_no_damage_but_more_is(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"benchmark/four_bar.lua", 1.0, 41, "lagrange", NULL};
    long           rows = 0;
    int            columns = 0;
    char           first[256];
    run_to_file(&run, scratch->path);
    double *table = read_table(scratch->path, &rows, &columns);
    double  drift = table[(rows - 1) * columns + columns - 4];  // violation.position.length
    assert_true(drift > 1e-13);
    assert_int_equal(count_findings(scratch->path, false, NULL, 0), 0);
    put_number(scratch->path, rows - 1, columns - 4, drift + 1e-7);
    assert_true(count_findings(scratch->path, false, first, sizeof first) > 0);
    assert_non_null(strstr(first, "violated by less than the row says"));
    free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(results_as_written_are_right, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(drift_is_no_damage_but_more_is, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
