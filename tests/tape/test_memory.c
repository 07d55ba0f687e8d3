// SPDX-License-Identifier: MIT
// Whatever request for memory fails, recording, deriving and compiling say so and do not crash.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tape/derive.h"
#include "tape/expression.h"
#include "tape/failing_allocations.h"
#include "tape/program.h"

static const int inputs[INPUTS] = {0, 1, 2, 3};

// A sum of random functions with its gradient, rate and their second derivatives, compiled.
static trStatus record_sum(trTape *tape, const trLaw *const *law, int terms, int *sum) {
    trRandom random = {6};
    *sum = tr_tape_constant(tape, 0.0);
    for (int i = 0; i < terms; i++) {
        Expression e;
        expression_random(&random, true, law, &e);
        *sum = tr_tape_op(tape, TR_OP_ADD, *sum, expression_record(&e, tape), -1);
    }
    return *sum < 0 ? tr_tape_room(tape) : TR_OK;
}

// All that is well has its nodes.
static trStatus gradient(trDerive *d, int node, int *out) {
    trStatus status = tr_derive_gradient(d, node, INPUTS, inputs, out);
    for (int i = 0; i < INPUTS; i++) {
        assert_true(status != TR_OK || out[i] >= 0);
    }
    return status;
}

static trStatus rate(trDerive *d, int node, int *out) {
    trStatus status = tr_derive_rate(d, node, out);
    assert_true(status != TR_OK || *out >= 0);
    return status;
}

static trStatus derive_sum(trDerive *d, int sum, int *node) {
    const int input_rate[2] = {tr_tape_input(d->tape, 4), tr_tape_input(d->tape, 5)};
    tr_derive_set_rates(d, 2, input_rate);
    node[0] = sum;
    TR_TRY(gradient(d, sum, node + 1));
    TR_TRY(rate(d, sum, &node[1 + INPUTS]));
    TR_TRY(rate(d, node[1 + INPUTS], &node[2 + INPUTS]));
    return gradient(d, node[1], node + 3 + INPUTS);
}

static trStatus record_and_compile(int terms) {
    trArena     *arena = tr_arena_create(), *scratch = tr_arena_create();
    trTape      *tape = arena == NULL ? NULL : tr_tape_create(arena);
    const trLaw *law[LAWS];
    trDerive     d;
    trProgram    p;
    trStatus     status = TR_E_MEMORY;
    int          sum = -1, node[3 + 2 * INPUTS];
    if (tape != NULL && scratch != NULL) {
        status = expression_laws(arena, law);
        status = status == TR_OK ? record_sum(tape, law, terms, &sum) : status;
        tr_derive_begin(&d, tape, scratch);
        if (status == TR_OK) {
            status = derive_sum(&d, sum, node);
            // Who asks again after a failure is told again.
            assert_int_equal(derive_sum(&d, sum, node), status);
        }
        int outputs = (int)(sizeof node / sizeof *node);
        if (tr_tape_room(tape) != TR_OK) {  // what is on the tape is not all that was asked for
            assert_int_equal(tr_program_compile(scratch, tape, 1, &(int){0}, &p), TR_E_MEMORY);
        }
        status = status == TR_OK ? tr_program_compile(arena, tape, outputs, node, &p) : status;
    }
    tr_arena_destroy(scratch);
    tr_arena_destroy(arena);
    return status;
}

// Arenas ask for memory piece by piece, so what fails is the one array that needs a new piece. With
// the number of terms this becomes another one.
static void every_failed_request_is_reported(void **state) {
    (void)state;
    for (int terms = 1; terms <= 400; terms += 7) {
        for (int on = 0; on < 2; on++) {
            bool reached = true;
            long k = 0;
            fails_on = on == 1;
            while (reached) {
                requests = 0;
                fails_at = ++k;
                trStatus status = record_and_compile(terms);
                reached = requests >= k;
                fails_at = 0;
                assert_int_equal(status, reached ? TR_E_MEMORY : TR_OK);
            }
            assert_true(k > 6);
        }
    }
}

// If the linker did not send requests through the functions that refuse them, the other test would
// prove nothing.
static void requests_are_counted(void **state) {
    (void)state;
    requests = 0;
    assert_int_equal(record_and_compile(400), TR_OK);
    assert_true(requests > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_counted),
        cmocka_unit_test(every_failed_request_is_reported),
    };
    return cmocka_run_group_tests_name("memory of tapes", tests, NULL, NULL);
}
