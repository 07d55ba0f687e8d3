// SPDX-License-Identifier: MIT
// From a tape to a program: what is needed gets a slot, constants first, then inputs, then results.

#include "tape/program.h"

#include "base/law.h"
#include "tape/node.h"
#include "tape/op.h"

// 0 constants, 1 inputs, 2 the rest.
static int sort_of(const trTapeNode *node) {
    return node->op == TR_OP_CONSTANT ? 0 : node->op == TR_OP_INPUT ? 1 : 2;
}

// Numbers the needed nodes of one sort from `next` on.
static int number_slots(const trTape *tape, int sort, int next, const bool *needed, int *slot) {
    for (int i = 0; i < tape->count; i++) {
        if (needed[i] && sort_of(&tape->node[i]) == sort) {
            slot[i] = next++;
        }
    }
    return next;
}

static int slot_or_zero(const int *slot, int operand) {
    return operand < 0 ? 0 : slot[operand];
}

static void fill(const trTape *tape, const int *slot, trProgram *p, double *constant, int *input,
                 trInstruction *code, const trLaw **law) {
    int laws = 0;
    for (int i = 0; i < tape->count; i++) {
        const trTapeNode *n = &tape->node[i];
        if (slot[i] < 0) {
            continue;
        }
        if (n->op == TR_OP_CONSTANT) {
            constant[slot[i]] = n->value;
        } else if (n->op == TR_OP_INPUT) {
            input[slot[i] - p->constants] = n->index;
        } else {
            trInstruction *to = &code[slot[i] - p->constants - p->inputs];
            *to = (trInstruction){.op = (short)n->op,
                                  .a = slot_or_zero(slot, n->operand[0]),
                                  .b = slot_or_zero(slot, n->operand[1]),
                                  .c = slot_or_zero(slot, n->operand[2])};
            if (n->op == TR_OP_LAW) {
                to->order = (short)n->index;
                to->b = laws;
                law[laws++] = n->law;
            }
        }
    }
}

static int count_laws(const trTape *tape, const bool *needed) {
    int laws = 0;
    for (int i = 0; i < tape->count; i++) {
        laws += needed[i] && tape->node[i].op == TR_OP_LAW;
    }
    return laws;
}

static trStatus compile(trArena *arena, trArena *scratch, const trTape *tape, int outputs,
                        const int *node, trProgram *p) {
    int  *slot = tr_new_array(scratch, int, tape->count);
    bool *needed = tr_new_array(scratch, bool, tape->count);
    TR_TRY(tr_arena_status(scratch));
    for (int i = 0; i < tape->count; i++) {
        slot[i] = -1;
    }
    tr_tape_mark(tape, outputs, node, needed);
    int constants = number_slots(tape, 0, 0, needed, slot);
    int known = number_slots(tape, 1, constants, needed, slot);
    int slots = number_slots(tape, 2, known, needed, slot);

    double        *constant = tr_new_array(arena, double, constants);
    int           *input = tr_new_array(arena, int, known - constants);
    trInstruction *code = tr_new_array(arena, trInstruction, slots - known);
    const trLaw  **law = tr_new_array(arena, const trLaw *, count_laws(tape, needed));
    int           *output = tr_new_array(arena, int, outputs);
    TR_TRY(tr_arena_status(arena));
    *p = (trProgram){.slots = slots,
                     .constants = constants,
                     .constant = constant,
                     .inputs = known - constants,
                     .input = input,
                     .count = slots - known,
                     .code = code,
                     .law = law,
                     .outputs = outputs,
                     .output = output};
    fill(tape, slot, p, constant, input, code, law);
    for (int i = 0; i < outputs; i++) {
        output[i] = slot[node[i]];
    }
    return TR_OK;
}

trStatus tr_program_compile(trArena *arena, const trTape *tape, int outputs, const int *node,
                            trProgram *out) {
    TR_TRY(tr_tape_room(tape));
    trArena *scratch = tr_arena_create();
    if (scratch == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = compile(arena, scratch, tape, outputs, node, out);
    tr_arena_destroy(scratch);
    return status;
}

void tr_program_begin(const trProgram *p, double *slot) {
    for (int i = 0; i < p->constants; i++) {
        slot[i] = p->constant[i];
    }
}

void tr_program_run(const trProgram *p, const double *input, double *slot) {
    double *to = slot + p->constants;
    for (int i = 0; i < p->inputs; i++) {
        *to++ = input[p->input[i]];
    }
    const trInstruction *end = p->code + p->count;
    for (const trInstruction *i = p->code; i < end; i++) {
        *to++ = i->op == TR_OP_LAW
                    ? tr_law_derivative(p->law[i->b], i->order, slot[i->a])
                    : tr_op_value((trTapeOp)i->op, slot[i->a], slot[i->b], slot[i->c]);
    }
}
