// SPDX-License-Identifier: MIT
// Functions of time with their first two derivatives: a driven joint needs f, f', f''.

#include <math.h>

#include "tape/derive.h"
#include "tape/node.h"
#include "trammel/control.h"

#define SLOTS 4096  // of a function with its derivatives; evaluation takes them from the stack

// f, f' and f'' as one program. Time changes at the rate 1.
static trStatus compile_jet(trTape *tape, trArena *scratch) {
    trDerive d;
    int      node[3] = {tape->result, -1, -1};
    int      rate = tr_tape_constant(tape, 1.0);
    tr_derive_begin(&d, tape, scratch);
    tr_derive_set_rates(&d, 1, &rate);
    TR_TRY(tr_derive_rate(&d, node[0], &node[1]));
    TR_TRY(tr_derive_rate(&d, node[1], &node[2]));
    return tr_program_compile(tape->arena, tape, 3, node, &tape->jet);
}

void tr_tape_finish(trTape *tape, int result, const char *name) {
    trArena *scratch = tr_arena_create();
    tape->result = result;
    if (name != NULL) {
        tape->name = tr_arena_text(tape->arena, name);
    }
    tape->compiled = scratch != NULL && result >= 0 && compile_jet(tape, scratch) == TR_OK;
    tr_arena_destroy(scratch);
}

void tr_tape_call(trTape *tape, const trTimeFunction *function) {
    tape->call = function;
}

trStatus tr_tape_function_breaks(trArena *arena, const trTape *tape, int *count,
                                 const double **times) {
    if (tape->call != NULL) {
        *count = tape->call->breaks.count;
        *times = tape->call->breaks.at;
        return TR_OK;
    }
    return tr_tape_breaks(arena, tape, 1, &tape->result, count, times);
}

trStatus tr_tape_status(const trTape *tape) {
    if (tape->call != NULL) {
        return TR_OK;
    }
    TR_TRY(tr_tape_room(tape));
    if (tape->result < 0 || tape->result >= tape->count) {
        return tr_fail(TR_E_MODEL, "function '%s' has no result", tape->name);
    }
    if (!tape->compiled) {
        return TR_E_MEMORY;
    }
    if (tape->jet.slots > SLOTS) {
        return tr_fail(
            TR_E_MODEL,
            "the function takes %d operations with its derivatives; %d are possible: use "
            "fewer terms, or tabulated { ... }",
            tape->jet.slots, SLOTS);
    }
    return TR_OK;
}

trJet tr_function_jet(const trFunction *f, double t) {
    const trTape *tape = f->tape;
    if (tape == NULL) {
        return (trJet){f->constant, 0.0, 0.0};
    }
    if (tape->call != NULL) {
        double x[3];
        return tape->call->value(tape->call->context, t, x) == 0 ? (trJet){x[0], x[1], x[2]}
                                                                 : (trJet){NAN, NAN, NAN};
    }
    const trProgram *p = &tape->jet;
    if (!tape->compiled || p->slots > SLOTS) {
        return (trJet){NAN, NAN, NAN};
    }
    double slot[SLOTS];
    tr_program_begin(p, slot);
    tr_program_run(p, &t, slot);
    trJet jet = {slot[p->output[0]], slot[p->output[1]], slot[p->output[2]]};
    // Outside of its domain nothing is a number, not even derivatives that have a formula there.
    return isnan(jet.value) ? (trJet){NAN, NAN, NAN} : jet;
}
