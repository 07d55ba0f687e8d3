// SPDX-License-Identifier: MIT
// Expression traces: bytes are operations on what was recorded before. The tape is derived both
// ways, compiled, and evaluated twice with the same result.

#include <string.h>

#include "tape/derive.h"
#include "tape/program.h"
#include "target.h"

GOALS("a trace and its derivatives are evaluated")

#define INPUTS 4
#define NODES 256  // that operations may refer to
#define BYTES_MOST 2048

typedef struct Reader {
    const uint8_t *data;
    size_t         size;
} Reader;

static uint8_t next_byte(Reader *r) {
    uint8_t byte = r->size > 0 ? *r->data : 0;
    r->data += r->size > 0;
    r->size -= r->size > 0;
    return byte;
}

// Any eight bytes are a number, NaN and infinity too.
static double next_number(Reader *r) {
    uint8_t bytes[sizeof(double)];
    double  number;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = next_byte(r);
    }
    memcpy(&number, bytes, sizeof number);
    return number;
}

static int record_one(Reader *r, trTape *tape, const int *node, int count) {
    trTapeOp op = (trTapeOp)(next_byte(r) % TR_OP_LAW);
    if (op == TR_OP_CONSTANT) {
        uint8_t small = next_byte(r);
        return tr_tape_constant(tape, small < 128 ? small - 64.0 : next_number(r));
    }
    if (op == TR_OP_INPUT || count == 0) {
        return tr_tape_input(tape, next_byte(r) % INPUTS);
    }
    int operand[3];
    for (int i = 0; i < 3; i++) {
        operand[i] = node[next_byte(r) % count];
    }
    return tr_tape_op(tape, op, operand[0], operand[1], operand[2]);
}

static int record(Reader *r, trTape *tape, int *node) {
    int count = 0;
    while (r->size > 0 && count < NODES) {
        node[count] = record_one(r, tape, node, count);
        MUST(node[count] >= 0 && node[count] < tr_tape_count(tape));
        count++;
    }
    return count;
}

// The gradient, the rate, and the rate of the rate.
static bool derive(trTape *tape, trArena *scratch, int node, int *out) {
    static const int inputs[INPUTS] = {0, 1, 2, 3};
    trDerive         d;
    int              rates[INPUTS];
    for (int i = 0; i < INPUTS; i++) {
        rates[i] = tr_tape_constant(tape, i + 1.0);
    }
    tr_derive_begin(&d, tape, scratch);
    if (tr_derive_gradient(&d, node, INPUTS, inputs, out) != TR_OK) {
        return false;
    }
    tr_derive_set_rates(&d, INPUTS, rates);
    return tr_derive_rate(&d, node, &out[INPUTS]) == TR_OK &&
           tr_derive_rate(&d, out[INPUTS], &out[INPUTS + 1]) == TR_OK;
}

static void evaluate(trArena *arena, const trTape *tape, int outputs, const int *node) {
    static const double input[INPUTS] = {0.5, -1.25, 3.0, 0.0};
    trProgram           program;
    double              first[INPUTS + 3];
    MUST(tr_program_compile(arena, tape, outputs, node, &program) == TR_OK);
    double *slot = tr_new_array(arena, double, program.slots);
    MUST(slot != NULL);
    tr_program_begin(&program, slot);
    for (int round = 0; round < 2; round++) {
        tr_program_run(&program, input, slot);
        for (int i = 0; i < outputs; i++) {
            double value = slot[program.output[i]];
            MUST(round == 0 || memcmp(&first[i], &value, sizeof value) == 0);
            first[i] = value;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Reader   reader = {data, size < BYTES_MOST ? size : BYTES_MOST};
    trArena *arena = tr_arena_create();
    trTape  *tape = tr_tape_create(arena);
    int      node[NODES], result[INPUTS + 3], breaks = 0, count = 0;
    MUST(tape != NULL);
    count = record(&reader, tape, node);
    if (count > 0) {
        const double *times = NULL;
        result[0] = node[count - 1];
        MUST(tr_tape_breaks(arena, tape, 1, result, &breaks, &times) == TR_OK);
        evaluate(arena, tape, 1, result);
        if (derive(tape, arena, result[0], result + 1)) {
            evaluate(arena, tape, INPUTS + 3, result);
            REACHED(0);
        }
    }
    tr_arena_destroy(arena);
    return 0;
}
