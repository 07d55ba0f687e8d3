// SPDX-License-Identifier: MIT
// Whatever request for memory fails, the library says so, leaves nothing behind and does not
// crash. Lua asks through the library.

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "faults/memory.h"
#include "trammel/trammel.h"

#define MODELS SOURCE_DIR "/models/benchmark/"

static bool fails_on;  // with the request that fails, all after it

// What is made on the way to a result.
typedef struct Made {
    trModel    *model;
    trSystem   *system;
    trSim      *sim;
    trRecorder *recorder;
    trSimDef    def;
} Made;

static void destroy(Made *made) {
    tr_recorder_destroy(made->recorder);
    tr_sim_destroy(made->sim);
    tr_system_destroy(made->system);
    tr_model_destroy(made->model);
}

static trStatus load(Made *made) {
    made->def = tr_sim_def_default();
    trStatus status =
        tr_lua_load(MODELS "four_bar_massless_coupler.lua", NULL, &made->model, &made->def);
    made->def.duration = 0.1;
    return status;
}

static int links;  // of the chain

static trStatus load_chain(Made *made) {
    char              text[16];
    const char *const set[] = {text, NULL};
    snprintf(text, sizeof text, "N=%d", links);
    made->def = tr_sim_def_default();
    trStatus status = tr_lua_load(MODELS "chain.lua", set, &made->model, &made->def);
    made->def.duration = 0.01;
    return status;
}

static const char *recorded;  // a file with equations or constraints of its own

static trStatus load_recorded(Made *made) {
    char path[256];
    snprintf(path, sizeof path, MODELS "%s", recorded);
    made->def = tr_sim_def_default();
    trStatus status = tr_lua_load(path, NULL, &made->model, &made->def);
    made->def.duration = 0.01;
    return status;
}

static trStatus build(Made *made) {
    return tr_system_build(made->model, &made->system);
}

static trStatus create(Made *made) {
    return tr_sim_create(made->system, &made->def, &made->sim);
}

static trStatus create_dense(Made *made) {
    made->def.formulation = "lagrange_dense";
    return create(made);
}

static trStatus record(Made *made) {
    trStatus status = tr_recorder_create(&made->recorder);
    if (status == TR_OK) {
        status = tr_recorder_add(made->recorder, "memory", NULL);
    }
    return status == TR_OK ? tr_recorder_note(made->recorder, "model", "four-bar") : status;
}

static trStatus run(Made *made) {
    return tr_sim_run(made->sim, made->recorder, NULL);
}

typedef trStatus (*Stage)(Made *made);

// One stage, whose k-th request fails, alone or with all that follow. Every failure is told as one
// of memory, by its status or, from inside Lua, in words. Returns whether there was a k-th request.
static bool strike(Stage stage, Made *made, long k) {
    bool lua = stage == load || stage == load_recorded;
    (void)tr_fail(TR_OK, "nothing");
    memory_refuse(k, fails_on);
    trStatus status = stage(made);
    bool     reached = memory_allow() >= k;
    if (status == TR_OK) {
        // Only Lua tries again, after it has collected its garbage.
        assert_true(!reached || (lua && !fails_on));
        return reached;
    }
    bool in_words = strstr(tr_last_error(), "memory") != NULL;
    if (!reached || !in_words || !(status == TR_E_MEMORY || (lua && status == TR_E_MODEL))) {
        fail_msg("request %ld: status %d, '%s'", k, (int)status, tr_last_error());
    }
    return reached;
}

// Goes through the stages up to the victim, which is struck. Nothing may be left behind.
static bool attack(const Stage *stages, int victim, long k) {
    Made made = {0};
    memory_watch();
    for (int i = 0; i < victim; i++) {
        assert_int_equal(stages[i](&made), TR_OK);
    }
    bool reached = strike(stages[victim], &made, k);
    destroy(&made);
    assert_int_equal(memory_held(), 0);
    return reached;
}

static void attack_all(const Stage *stages, int first, int last) {
    for (int victim = first; victim <= last; victim++) {
        for (int on = 0; on < 2; on++) {
            long k = 1;
            fails_on = on == 1;
            while (attack(stages, victim, k)) {
                k++;
            }
            assert_true(k > 1);  // every stage asks for memory
        }
    }
}

static void every_failed_request_is_reported_and_leaves_nothing_behind(void **state) {
    (void)state;
    static const Stage stages[] = {load, build, create, record, run};
    attack_all(stages, 0, 4);
}

static void so_it_is_with_the_dense_formulation(void **state) {
    (void)state;
    static const Stage stages[] = {load, build, create_dense, record, run};
    attack_all(stages, 2, 4);
}

// Non-ideal and nonlinear rows, a dense mass matrix, many coordinates.
static void so_it_is_with_recorded_equations(void **state) {
    (void)state;
    static const Stage       stages[] = {load_recorded, build, create, record, run};
    static const char *const files[] = {"sphere_friction.lua", "appell_hamel.lua",
                                        "slider_crank_flexible.lua", "andrews_equations.lua"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        recorded = files[i];
        attack_all(stages, i == 0 ? 0 : 1, 3);
    }
}

// Arenas ask for memory piece by piece, so what fails is the one array that needs a new piece.
// With the size of the model this becomes another one.
static void so_it_is_with_models_of_many_sizes(void **state) {
    (void)state;
    static const Stage stages[] = {load_chain, build, create, record, run};
    for (links = 40; links <= 400; links += 40) {
        attack_all(stages, 1, 1);
        attack_all(stages, 3, 4);
    }
}

// A simulation does not change its system, so that one will do for all attacks.
static void so_it_is_with_simulations_of_many_sizes(void **state) {
    (void)state;
    fails_on = true;
    for (links = 100; links <= 700; links += 17) {
        Made made = {0};
        bool reached = true;
        assert_int_equal(load_chain(&made), TR_OK);
        assert_int_equal(build(&made), TR_OK);
        for (long k = 1; reached; k++) {
            memory_watch();
            reached = strike(create, &made, k);
            tr_sim_destroy(made.sim);
            made.sim = NULL;
            assert_int_equal(memory_held(), 0);
        }
        destroy(&made);
    }
}

// If requests did not go through memory.c, the other tests would prove nothing.
static void requests_of_the_library_and_of_lua_are_counted(void **state) {
    (void)state;
    Made made = {0};
    memory_watch();
    memory_refuse(0, false);
    assert_int_equal(load(&made), TR_OK);
    assert_true(memory_allow() > 100);
    assert_true(memory_held() > 0);
    destroy(&made);
    assert_int_equal(memory_held(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_the_library_and_of_lua_are_counted),
        cmocka_unit_test(every_failed_request_is_reported_and_leaves_nothing_behind),
        cmocka_unit_test(so_it_is_with_the_dense_formulation),
        cmocka_unit_test(so_it_is_with_recorded_equations),
        cmocka_unit_test(so_it_is_with_models_of_many_sizes),
        cmocka_unit_test(so_it_is_with_simulations_of_many_sizes),
    };
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
