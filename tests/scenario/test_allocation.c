// SPDX-License-Identifier: MIT
// No memory is asked for between the first and the last step, for every method, formulation and
// integrator.
// The linker sends every request of the library through the counters below.

#include <stdlib.h>
#include <string.h>

#include "formulation/formulation.h"
#include "integrator/integrator.h"
#include "scenario/scenario.h"
#include "sim/def.h"
#include "support/test.h"

#define STEPS 50
#define SHORT_RUN 0.1  // [s]; of 100 fixed steps

// All masses positive and all rows independent; a body without mass; rows that depend on others.
static const char *const models[] = {"four_bar.lua", "four_bar_massless_coupler.lua",
                                     "redundant_parallelogram.lua"};
#define MODELS (sizeof models / sizeof *models)

static long requests;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size) {
    requests++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    requests++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    requests++;
    return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    requests++;
    return __real_aligned_alloc(alignment, size);
}

// Calls `check` with one of the models for every method as it is and for every formulation with
// the default method, with every explicit integrator and those that methods bring. Dense ones,
// which take their time, are tried with one integrator of fixed and one of adaptive steps;
// integrators do not know them.
static void for_every_choice(const char *model,
                             void (*check)(const char *model, const trSimDef *def)) {
    for (int i = 0; i < tr_method_count() + tr_formulation_count(); i++) {
        const trMethod *method = i < tr_method_count() ? tr_method_at(i) : NULL;
        for (int k = 0; k < tr_integrator_count(); k++) {
            const trIntegratorKind *integrator = tr_integrator_at(k);
            bool                    own = method != NULL && method->integrator != NULL;
            trSimDef                def = tr_sim_def_default();
            def.method = method != NULL ? method->name : NULL;
            def.formulation =
                method != NULL ? NULL : tr_formulation_at(i - tr_method_count())->name;
            def.integrator = integrator->name;
            def.step = 1e-3;
            unsigned traits = method != NULL ? tr_method_traits(method)
                                             : tr_formulation_at(i - tr_method_count())->traits;
            bool     spared = (traits & TR_DENSE) != 0 && strcmp(integrator->name, "dopri5") == 0;
            if (own ? strcmp(method->integrator, integrator->name) == 0
                    : integrator->implicit == NULL && integrator->owner == NULL && !spared) {
                check(model, &def);
            }
        }
    }
}

static void complain(const char *model, const trSimDef *def, const char *what) {
    fail_msg("%s, %s, %s: %s", model, def->method != NULL ? def->method : def->formulation,
             def->integrator, what);
}

// A method that cannot pass a singular pose has come to one.
static bool is_lost(trStatus status) {
    return status == TR_E_SIMULATION && (strstr(tr_last_error(), "does not support") != NULL ||
                                         strstr(tr_last_error(), "cannot pass") != NULL);
}

// What a method cannot take is refused by name.
static bool is_refused(trStatus status) {
    return status == TR_E_MODEL && strstr(tr_last_error(), "does not support") != NULL;
}

static void load(const char *model, Run *run) {
    trSimDef unused;
    if (run_load(model, NULL, &unused, run) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static void check_steps(const char *model, const trSimDef *def) {
    Run run;
    load(model, &run);
    trStatus status = tr_sim_create(run.system, def, &run.sim);
    if (is_refused(status)) {
        run_free(&run);
        return;
    }
    if (status != TR_OK) {
        complain(model, def, tr_last_error());
    }
    long before = requests;
    for (int i = 0; i < STEPS; i++) {
        status = tr_sim_step(run.sim);
        if (status != TR_OK && !is_lost(status)) {
            complain(model, def, tr_last_error());
        }
        if (status != TR_OK) {
            break;
        }
    }
    if (requests != before) {
        complain(model, def, "memory was asked for");
    }
    run_free(&run);
}

static void steps_ask_for_no_memory(void **state) {
    for (size_t i = 0; i < MODELS; i++) {
        for_every_choice(models[i], check_steps);
    }
}

// Requests during a run of `duration` with ten rows.
static long requests_of_run(const char *model, const trSimDef *given, double duration) {
    Run      run;
    trSimDef def = *given;
    def.duration = duration;
    def.sample = duration / 10.0;
    load(model, &run);
    trStatus status = tr_sim_create(run.system, &def, &run.sim);
    if (is_refused(status)) {
        run_free(&run);
        return 0;
    }
    if (status == TR_OK) {
        status = tr_recorder_create(&run.recorder);
    }
    if (status == TR_OK) {
        status = tr_recorder_add(run.recorder, "memory", NULL);
    }
    long before = requests;
    status = status == TR_OK ? tr_sim_run(run.sim, run.recorder, NULL) : status;
    if (status != TR_OK && !is_lost(status)) {
        complain(model, &def, tr_last_error());
    }
    long count = requests - before;
    run_free(&run);
    return count;
}

static void check_runs(const char *model, const trSimDef *def) {
    if (requests_of_run(model, def, SHORT_RUN) != requests_of_run(model, def, 2.0 * SHORT_RUN)) {
        complain(model, def, "a run twice as long asks for more memory");
    }
}

static void a_longer_run_asks_for_no_more_memory(void **state) {
    for (size_t i = 0; i < MODELS; i++) {
        for_every_choice(models[i], check_runs);
    }
}

// If the linker did not send requests through the counters, the other tests would prove nothing.
static void requests_of_the_library_are_counted(void **state) {
    trModel *model = NULL;
    long     before = requests;
    assert_int_equal(tr_model_create(NULL, &model), TR_OK);
    assert_true(requests > before);
    tr_model_destroy(model);
}

static void there_are_methods_formulations_and_integrators(void **state) {
    assert_true(tr_method_count() > 0);
    assert_true(tr_integrator_count() > 0);
    assert_true(tr_formulation_count() > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_the_library_are_counted),
        cmocka_unit_test(there_are_methods_formulations_and_integrators),
        cmocka_unit_test(steps_ask_for_no_memory),
        cmocka_unit_test(a_longer_run_asks_for_no_more_memory),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
