// SPDX-License-Identifier: MIT
// Runs of glued modules: rows and columns, what a run that fails leaves, saving and going on. The
// module is the chain of paper 002, glued to ground where it was cut.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "glue/free_body.h"
#include "support/test.h"
#include "trammel/assembly.h"
#include "trammel/checkpoint.h"
#include "trammel/lua.h"

int chain_open(int arguments, const char *const *argument, trModule *out);

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

static const char text[] = "local g = assembly { name = 'four-bar', dim = 2 }\n"
                           "local chain = g:module { name = 'chain', program = 'chain.so' }\n"
                           "g:joint { 'revolute', name = 'cut', g.ground, chain['end'],\n"
                           "          point = { 2, 0 } }\n"
                           "g:simulate { step = 0.01, duration = 0.2, sample = 0.03,\n"
                           "             tolerance = 1e-9 }\n"
                           "return g\n";

typedef struct Glued {
    trGlueAssembly assembly;
    trSystem      *system;
    trCarrier     *carrier;
    trGlue        *glue;
    trModule       module;
    trRecorder    *recorder;
} Glued;

// A chain that fails after so many steps; 0: never.
static int fails_after, steps_of_chain;
static int (*predict_of_chain)(void *self, const trGlueStep *step);

static int failing_predict(void *self, const trGlueStep *step) {
    return steps_of_chain++ == fails_after ? 1 : predict_of_chain(self, step);
}

static const char *words(void *self) {
    (void)self;
    return "the rope has torn";
}

static Glued glue_chain(const char *outputs) {
    static const char *const name[] = {"chain"};
    Glued                    g = {0};
    OK(tr_glue_assembly_load_text(TR_LUA_SECONDS, "four.lua", text, strlen(text), NULL,
                                  &g.assembly));
    OK(tr_system_build(g.assembly.ports, &g.system));
    assert_int_equal(chain_open(0, NULL, &g.module), 0);
    if (fails_after > 0) {
        steps_of_chain = 0;
        predict_of_chain = g.module.predict;
        g.module.predict = failing_predict;
        g.module.error = words;
    }
    OK(tr_carrier_create_local(1, name, &g.module, &g.carrier));
    OK(tr_glue_create(g.system, g.carrier, &g.assembly.def, &g.glue));
    if (outputs != NULL) {
        OK(tr_glue_choose_outputs(g.glue, "chain", 1, &outputs));
    }
    OK(tr_recorder_create(&g.recorder));
    OK(tr_recorder_add(g.recorder, "memory", NULL));
    return g;
}

static void free_glued(Glued *g) {
    tr_recorder_destroy(g->recorder);
    tr_glue_destroy(g->glue);
    tr_carrier_destroy(g->carrier);
    tr_system_destroy(g->system);
    tr_glue_assembly_free(&g->assembly);
}

static double number(const Glued *g, long row, const char *column) {
    int at = tr_recorder_find(g->recorder, column);
    assert_true(at >= 0);
    return tr_recorder_table(g->recorder)[row * tr_recorder_columns(g->recorder) + at];
}

// --- rows ---

// 20 steps of 0.01 s; a row every third one and at the end: t = 0, 0.03, ..., 0.18, 0.2.
static void rows_are_whole_steps_and_the_end(void **state) {
    Glued g = glue_chain(NULL);
    OK(tr_glue_run(g.glue, g.recorder, NULL));
    assert_int_equal(tr_recorder_rows(g.recorder), 8);
    assert_int_equal(tr_glue_rows(g.glue), 8);
    for (long i = 0; i < 7; i++) {
        assert_true(fabs(number(&g, i, "t") - 0.03 * (double)i) < 1e-15);
    }
    assert_true(fabs(number(&g, 7, "t") - 0.2) < 1e-15);
    free_glued(&g);
}

// The same as what may be asked for at the end, and as the paper has it: q1 = pi/2 + 2 pi t -
// t^3 / 81. Newmark's formula is off by an amount that grows with h^2 t, by 1.6e-2 for steps of
// 0.4 s over 16 s (test_chain.c): that makes 1.2e-7 here.
static void columns_hold_ports_joints_and_outputs(void **state) {
    Glued g = glue_chain(NULL);
    OK(tr_glue_run(g.glue, g.recorder, NULL));
    const double pi = acos(-1.0), t = 0.2;
    trBodyState  port = tr_glue_port(g.glue, 0);
    trReaction   r;
    OK(tr_glue_reaction(g.glue, 0, &r));
    assert_true(number(&g, 7, "chain.end.x") == port.x);
    assert_true(number(&g, 7, "chain.end.angle") == port.angle);
    assert_true(number(&g, 7, "chain.end.vy") == port.vy);
    assert_true(number(&g, 7, "cut.Fx") == r.fx && number(&g, 7, "cut.Fy") == r.fy);
    assert_true(fabs(r.fx) > 1.0);
    assert_true(fabs(number(&g, 7, "chain.q1") - (0.5 * pi + 2.0 * pi * t - t * t * t / 81.0)) <
                2e-7);
    assert_true(number(&g, 7, "cut.violation.position.length") < 1e-13);
    assert_true(number(&g, 7, "cut.violation.velocity.length") < 1e-13);
    assert_true(number(&g, 7, "glue.iterations") == tr_glue_iterations(g.glue));
    assert_true(number(&g, 7, "glue.residual.dynamic") < 1e-9);
    assert_int_equal(tr_recorder_find(g.recorder, "cut.violation.position.angle"), -1);
    free_glued(&g);
}

static void outputs_may_be_chosen(void **state) {
    const char *unknown = "q4";
    Glued       g = glue_chain("q2");
    assert_int_equal(tr_glue_choose_outputs(g.glue, "chain", 1, &unknown), TR_E_MODEL);
    assert_string_equal(tr_last_error(), "module 'chain' has no output 'q4'; did you mean 'q1'?");
    free_glued(&g);
    g = glue_chain("q2");
    OK(tr_glue_run(g.glue, g.recorder, NULL));
    assert_true(tr_recorder_find(g.recorder, "chain.q2") > 0);
    assert_int_equal(tr_recorder_find(g.recorder, "chain.q1"), -1);
    free_glued(&g);
}

// --- failures ---

// Step 9 fails: rows at 0, 0.03, 0.06, and the last good state at 0.08, whose outputs can no more
// be asked for.
static void a_run_that_fails_keeps_its_rows_and_last_state(void **state) {
    fails_after = 9;
    Glued    g = glue_chain(NULL);
    trStatus status = tr_glue_run(g.glue, g.recorder, NULL);
    fails_after = 0;
    assert_int_equal(status, TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "chain"));
    assert_non_null(strstr(tr_last_error(), "the rope has torn"));
    assert_int_equal(tr_recorder_rows(g.recorder), 4);
    assert_true(fabs(number(&g, 3, "t") - 0.08) < 1e-15);
    assert_true(number(&g, 3, "cut.violation.position.length") < 1e-13);
    assert_true(isnan(number(&g, 3, "chain.q1")));
    free_glued(&g);
}

// --- saving ---

typedef struct Saved {
    int64_t at;  // after so many rows
    void   *bytes;
    size_t  size;
} Saved;

static trStatus save_between(void *context, trGlue *glue) {
    Saved *s = context;
    if (tr_glue_rows(glue) == s->at && s->bytes == NULL) {
        s->size = tr_glue_saved_size(glue);
        s->bytes = malloc(s->size);
        return tr_glue_save(glue, s->bytes, s->size);
    }
    return TR_OK;
}

static Glued saved_run(Saved *saved) {
    Glued             g = glue_chain(NULL);
    const trGlueHooks hooks = {.between = save_between, .context = saved};
    OK(tr_glue_run(g.glue, g.recorder, &hooks));
    assert_non_null(saved->bytes);
    return g;
}

// Rows of a run that goes on are, bit for bit, the missing ones; so are counters, and the mark.
static void a_restored_run_is_the_same(void **state) {
    for (int64_t at = 1; at <= 7; at++) {
        Saved saved = {.at = at};
        Glued whole = glue_chain(NULL), first = saved_run(&saved), again = glue_chain(NULL);
        OK(tr_glue_run(whole.glue, whole.recorder, NULL));
        OK(tr_glue_restore(again.glue, saved.bytes, saved.size));
        assert_int_equal(tr_glue_rows(again.glue), at);
        OK(tr_glue_run(again.glue, again.recorder, NULL));
        int           columns = tr_recorder_columns(whole.recorder);
        size_t        size = (size_t)(8 * columns) * sizeof(double);
        const double *table = tr_recorder_table(whole.recorder);
        assert_memory_equal(tr_recorder_table(first.recorder), table, size);
        assert_int_equal(tr_recorder_rows(again.recorder), 8 - at);
        assert_memory_equal(tr_recorder_table(again.recorder), table + at * columns,
                            (size_t)((8 - at) * columns) * sizeof(double));
        trGlueStats a = tr_glue_stats(whole.glue), b = tr_glue_stats(again.glue);
        assert_true(tr_glue_rows_mark(whole.glue) == tr_glue_rows_mark(again.glue));
        assert_true(a.steps == b.steps && a.iterations == b.iterations);
        assert_true(a.messages == b.messages && a.bytes == b.bytes);
        assert_true(a.position.length == b.position.length);
        assert_string_equal(b.position.length_joint, "cut");
        free(saved.bytes);
        free_glued(&whole);
        free_glued(&first);
        free_glued(&again);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    Saved saved = {.at = 3};
    Glued first = saved_run(&saved), again = glue_chain(NULL);
    free_glued(&first);
    unsigned char *bytes = saved.bytes;
    for (size_t i = 0; i < saved.size; i += 7) {
        bytes[i] ^= 0x10;
        assert_int_equal(tr_glue_restore(again.glue, bytes, saved.size), TR_E_ARGUMENT);
        bytes[i] ^= 0x10;
    }
    assert_int_equal(tr_glue_restore(again.glue, bytes, saved.size - 8), TR_E_ARGUMENT);
    assert_int_equal(tr_glue_restore(again.glue, bytes, 3), TR_E_ARGUMENT);
    free_glued(&again);
    trGlue *other = NULL;
    again = glue_chain(NULL);
    again.assembly.def.step = 0.02;
    OK(tr_glue_create(again.system, again.carrier, &again.assembly.def, &other));
    assert_int_equal(tr_glue_restore(other, bytes, saved.size), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "another assembly"));
    tr_glue_destroy(other);
    free_glued(&again);
    free(saved.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole_steps_and_the_end),
        cmocka_unit_test(columns_hold_ports_joints_and_outputs),
        cmocka_unit_test(outputs_may_be_chosen),
        cmocka_unit_test(a_run_that_fails_keeps_its_rows_and_last_state),
        cmocka_unit_test(a_restored_run_is_the_same),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
