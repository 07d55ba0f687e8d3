// SPDX-License-Identifier: MIT
// A run that is asked to stop at any step ends where it can be saved, with all rows up to there.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"
#include "trammel/trammel.h"

// Asks to stop within the step after a given number of them; the last call must be for that.
typedef struct Interruption {
    int     calls, after;
    int     stop;
    bool    told;
    int64_t rows;  // of the state that could have been saved
} Interruption;

static trStatus ask_to_stop(void *keeper, trSim *sim, bool stopping) {
    Interruption *i = keeper;
    assert_true(stopping == (i->stop != 0));
    i->stop = i->calls++ == i->after;
    i->told = stopping;
    i->rows = tr_sim_rows(sim);
    return TR_OK;
}

// Steps have five rows each, so that all of these stops are asked for before rows of a step.
static void a_run_that_is_asked_to_stop_within_a_step_can_be_saved_at_its_end(void **state) {
    (void)state;
    Machine machine = machine_four_bar(1.0);
    for (int after = 0; after < 30; after++) {
        trSimDef def = tr_sim_def_default();
        def.integrator = "rk4";
        def.step = 0.01;
        def.sample = 0.002;
        trSim       *sim = machine_sim(&machine, &def);
        trRecorder  *recorder = NULL;
        Interruption i = {.after = after};
        trRunHooks   hooks = {.stop = &i.stop, .between = ask_to_stop, .keeper = &i};
        assert_int_equal(tr_recorder_create(&recorder), TR_OK);
        assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
        assert_int_equal(tr_sim_run(sim, recorder, &hooks), TR_E_INTERRUPTED);
        assert_true(i.told);
        assert_int_equal(i.rows, tr_recorder_rows(recorder));
        assert_int_equal(i.rows, 5 * (after + 1) + 1);
        tr_recorder_destroy(recorder);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_is_asked_to_stop_within_a_step_can_be_saved_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
