// SPDX-License-Identifier: MIT
// Whichever of the library's own requests for memory fails, the failure is reported, nothing is
// left behind and nothing crashes. What comes to its end all the same has the same numbers.
// Argument: a stride, by default 1; with n only every n-th request fails, beginning with another
// one for each case.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "faults/memory.h"
#include "faults/stages.h"
#include "integrator/integrator.h"
#include "record/scratch.h"
#include "sim/def.h"
#include "support/test.h"

#define MOST_STAGES 8
#define NOTHING "nothing was told"
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const Stage *const way[] = {&stage_load,   &stage_build, &stage_create,
                                   &stage_record, &stage_run,   &stage_close};
static const Stage *const way_of_modes[] = {&stage_load, &stage_build, &stage_record, &stage_modes,
                                            &stage_close};
static const Stage *const way_of_compare[] = {&stage_load, &stage_build, &stage_compare};

static const Stage *const way_of_glue[] = {&stage_glue_load,   &stage_glue_build, &stage_glue_open,
                                           &stage_glue_create, &stage_record,     &stage_glue_run,
                                           &stage_glue_keep,   &stage_close};

// What one attack found.
typedef struct Attack {
    const Stage *const *stages;
    int                 count;   // stages
    int                 victim;  // which of them
    long                k;       // the request that fails
    bool                all_after;
    const Made         *clean;  // what comes out without a fault
} Attack;

static void complain(const Attack *a, trStatus status, const char *what) {
    fail_msg("%s (%s): request %ld%s of '%s': %s; status %d, '%s'", a->clean->what->file,
             a->clean->def.method == NULL ? "" : a->clean->def.method, a->k,
             a->all_after ? " and all after it" : "", a->stages[a->victim]->name, what, (int)status,
             tr_last_error());
}

// A request that fails must be reported, except that Lua tries again once it has collected its
// garbage.
static bool may_be_survived(const Attack *a) {
    const Stage *victim = a->stages[a->victim];
    return (victim == &stage_load || victim == &stage_glue_load) && !a->all_after;
}

static void check_status(const Attack *a, trStatus status, bool reached) {
    if (status == TR_OK) {
        if (reached && !may_be_survived(a)) {
            complain(a, status, "the failure was not told");
        }
        return;
    }
    if (!reached) {
        complain(a, status, "a failure that was not asked for");
    }
    if (status > 0 || strstr(tr_last_error(), "memory") == NULL) {
        complain(a, status, "not told as one of memory");
    }
}

static void check_end(const Attack *a, const Made *made) {
    size_t bytes = (size_t)a->clean->numbers * sizeof *made->end;
    if (made->numbers != a->clean->numbers || memcmp(made->end, a->clean->end, bytes) != 0) {
        complain(a, TR_OK, "another result than without the fault");
    }
}

// Goes all the way; the victim's k-th request fails. Whether there was one.
static bool strike(const Attack *a) {
    Made     made = {.what = a->clean->what};
    trStatus status = TR_OK;
    bool     reached = false;
    memory_watch();
    for (int i = 0; i < a->count && status == TR_OK; i++) {
        if (i == a->victim) {
            (void)tr_fail(TR_OK, NOTHING);
            memory_refuse(a->k, a->all_after);
            status = a->stages[i]->go(&made);
            reached = memory_allow() >= a->k;
            check_status(a, status, reached);
        } else if (i < a->victim || reached) {
            status = a->stages[i]->go(&made);
            assert_int_equal(status, TR_OK);
        }
    }
    if (status == TR_OK && reached) {
        check_end(a, &made);
    }
    made_destroy(&made);
    if (memory_held() != 0) {
        memory_print_held();
        complain(a, status, "memory was left behind");
    }
    return reached;
}

// Without faults: what comes out, or why it cannot be run at all.
static trStatus go_clean(const Stage *const *stages, int count, const Case *what, Made *out) {
    trStatus status = TR_OK;
    *out = (Made){.what = what};
    for (int i = 0; i < count && status == TR_OK; i++) {
        status = stages[i]->go(out);
    }
    return status;
}

static long stride = 1, attacks;

// Every request of every stage from `first` on, or those of the stride. Returns how many there
// were.
static long attack_all(const Stage *const *stages, int count, int first, const Case *what) {
    Made     clean, again;
    Attack   a = {.stages = stages, .count = count, .clean = &clean};
    long     requests = 0;
    trStatus status = go_clean(stages, count, what, &clean);
    if (status != TR_OK) {
        complain(&a, status, "does not even run without faults");
    }
    for (a.victim = first; a.victim < count; a.victim++) {
        for (int all = 0; all < 2; all++) {
            a.all_after = all == 1;
            for (a.k = 1 + attacks++ % stride; strike(&a); a.k += stride) {
                requests++;
            }
        }
    }
    assert_int_equal(go_clean(stages, count, what, &again), TR_OK);
    check_end(&a, &again);
    made_destroy(&again);
    made_destroy(&clean);
    return requests;
}

// --- models ---

static void every_request_for_a_model_of_each_sort(void **state) {
    static const Case cases[] = {
        {.file = "benchmark/pendulum.lua", .duration = 0.02, .memory_only = true},
        {.file = "benchmark/four_bar_massless_coupler.lua", .duration = 0.02},
        {.file = "benchmark/heavy_top.lua", .duration = 0.002},
        {.file = "benchmark/slider_crank_driven.lua", .duration = 0.002, .memory_only = true},
        {.file = "benchmark/equations_pendulum.lua", .duration = 0.02},
        {.file = "benchmark/sphere_friction.lua", .duration = 0.02, .memory_only = true},
        {.file = "benchmark/appell_hamel.lua", .duration = 0.02, .memory_only = true},
        {.file = "guide/suspension.lua", .duration = 0.02},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        long requests = attack_all(way, COUNT(way), 0, &cases[i]);
        print_message("%-45s %6ld requests failed\n", cases[i].file, requests);
        assert_true(requests * stride >
                    200);  // those of Lua and of several arenas, once and for good
    }
}

// --- methods ---

// Simulations of a system that is there already: create, run.
static long attack_method(const Case *what) {
    return attack_all(way, COUNT(way), 2, what);
}

static void every_request_of_every_integrator(void **state) {
    for (int i = 0; i < tr_integrator_count(); i++) {
        Case what = {.file = "benchmark/pendulum_rod.lua",
                     .integrator = tr_integrator_at(i)->name,
                     .step = 1e-3,
                     .duration = 0.01,
                     .memory_only = true};
        long requests = attack_method(&what);
        print_message("%-45s %6ld requests failed\n", what.integrator, requests);
        assert_true(requests * stride > 8);  // arenas and their blocks: of simulation and recorder
    }
}

static void every_request_of_every_method(void **state) {
    for (int i = 0; i < tr_method_count(); i++) {
        Case what = {.file = "benchmark/pendulum_rod.lua",
                     .method = tr_method_at(i)->name,
                     .step = 1e-3,
                     .duration = 0.01,
                     .memory_only = true};
        long requests = attack_method(&what);
        print_message("%-45s %6ld requests failed\n", what.method, requests);
        assert_true(requests * stride > 8);
    }
}

static void every_request_of_implicit_methods_in_space(void **state) {
    static const char *const integrators[] = {"generalized_alpha", "radau5", "rattle"};
    for (int i = 0; i < COUNT(integrators); i++) {
        Case what = {.file = "benchmark/spatial_slider_crank.lua",
                     .integrator = integrators[i],
                     .step = 1e-3,
                     .duration = 0.005,
                     .memory_only = true};
        long requests = attack_method(&what);
        print_message("%-45s %6ld requests failed\n", what.integrator, requests);
        assert_true(requests * stride > 8);
    }
}

// --- other ways ---

static void every_request_for_modes(void **state) {
    static const Case cases[] = {{.file = "benchmark/pendulum_rod.lua"},
                                 {.file = "guide/suspension.lua"}};
    long              requests = 0;
    for (int i = 0; i < COUNT(cases); i++) {
        requests += attack_all(way_of_modes, COUNT(way_of_modes), 3, &cases[i]);
    }
    print_message("%-45s %6ld requests failed\n", "modes", requests);
    assert_true(requests * stride > 8);
}

static void every_request_for_a_comparison(void **state) {
    const Case what = {.file = "benchmark/pendulum_rod.lua", .duration = 0.01};
    long       requests = attack_all(way_of_compare, COUNT(way_of_compare), 2, &what);
    print_message("%-45s %6ld requests failed\n", "compare", requests);
    assert_true(requests * stride > 8);
}

// Of the coordinator, of a model and of a program as modules.
static void every_request_for_an_assembly(void **state) {
    static const Case cases[] = {
        {.file = "glued.lua", .set = "gluing=gauss", .memory_only = true},
        {.file = "glued.lua", .set = "gluing=gauss_seidel", .memory_only = true},
        {.file = "glued.lua", .set = "gluing=waveform", .memory_only = true},
    };
    trModule library;  // stays loaded once it is
    assert_int_equal(tr_module_open_program(MASS_SPRING, 1, (const char *const[]){"m=1"}, &library),
                     TR_OK);
    library.close(library.self);
    for (int i = 0; i < COUNT(cases); i++) {
        long requests = attack_all(way_of_glue, COUNT(way_of_glue), i == 0 ? 0 : 3, &cases[i]);
        print_message("%-45s %6ld requests failed\n", cases[i].set, requests);
        assert_true(requests * stride > 8);
    }
}

// If requests did not come through memory.c, the other tests would prove nothing.
static void requests_are_seen(void **state) {
    const Case what = {
        .file = "benchmark/pendulum_rod.lua", .integrator = "radau5", .duration = 0.01};
    Made made;
    memory_watch();
    memory_refuse(0, false);
    assert_int_equal(go_clean(way, COUNT(way), &what, &made), TR_OK);
    assert_true(memory_allow() > 10);
    assert_true(memory_held() > 0);
    made_destroy(&made);
    assert_int_equal(memory_held(), 0);
}

// Result files go to a folder of their own.
static Scratch scratch;

static int enter_scratch(void **state) {
    return scratch_make(&scratch, "faults.h5") == 0 ? chdir(scratch.folder) : -1;
}

static int leave_scratch(void **state) {
    unlink("faults.csv");
    unlink("faults.h5");
    return rmdir(scratch.folder);
}

int main(int argc, char **argv) {
    stride = argc > 1 ? atol(argv[1]) : stride;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_seen),
        cmocka_unit_test(every_request_for_a_model_of_each_sort),
        cmocka_unit_test(every_request_of_every_integrator),
        cmocka_unit_test(every_request_of_every_method),
        cmocka_unit_test(every_request_of_implicit_methods_in_space),
        cmocka_unit_test(every_request_for_modes),
        cmocka_unit_test(every_request_for_a_comparison),
        cmocka_unit_test(every_request_for_an_assembly),
    };
    return cmocka_run_group_tests_name("allocations", tests, enter_scratch, leave_scratch);
}
