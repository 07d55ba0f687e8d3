// SPDX-License-Identifier: MIT
// Instants at which a function of time changes its formula: where the two sides of LESS, MIN or MAX
// meet, or the argument of ABS is zero, as far as they are of the form c0 + c1 t. A step should end
// there, for no integrator sees what happens between its stages.

#include <math.h>

#include "tape/node.h"

// c0 + c1 t, if known.
typedef struct Line {
    bool   known;
    double c0, c1;
} Line;

static Line line_of(const trTapeNode *node, const Line *line) {
    const Line none = {false, 0.0, 0.0};
    const Line a = node->operand[0] < 0 ? none : line[node->operand[0]];
    const Line b = node->operand[1] < 0 ? none : line[node->operand[1]];
    switch (node->op) {
    case TR_OP_CONSTANT:
        return (Line){true, node->value, 0.0};
    case TR_OP_INPUT:
        return (Line){node->index == 0, 0.0, 1.0};
    case TR_OP_ADD:
        return (Line){a.known && b.known, a.c0 + b.c0, a.c1 + b.c1};
    case TR_OP_SUB:
        return (Line){a.known && b.known, a.c0 - b.c0, a.c1 - b.c1};
    case TR_OP_NEG:
        return (Line){a.known, -a.c0, -a.c1};
    case TR_OP_MUL:
        return (Line){a.known && b.known && a.c1 * b.c1 == 0.0, a.c0 * b.c0,
                      a.c0 * b.c1 + a.c1 * b.c0};
    case TR_OP_DIV:
        return (Line){a.known && b.known && b.c1 == 0.0, a.c0 / b.c0, a.c1 / b.c0};
    default:
        return none;
    }
}

// Where the two sides of a node meet, or NAN.
static double meeting(const trTapeNode *node, const Line *line) {
    bool two = node->op == TR_OP_LESS || node->op == TR_OP_MIN || node->op == TR_OP_MAX;
    if (!two && node->op != TR_OP_ABS && node->op != TR_OP_SIGN) {
        return NAN;
    }
    Line a = line[node->operand[0]];
    Line b = two ? line[node->operand[1]] : (Line){true, 0.0, 0.0};
    // c0a + c1a t = c0b + c1b t
    return a.known && b.known ? (b.c0 - a.c0) / (a.c1 - b.c1) : NAN;
}

// Marks what the results are made of.
static void mark(const trTape *tape, int results, const int *node, bool *needed) {
    for (int i = 0; i < results; i++) {
        needed[node[i]] = true;
    }
    for (int i = tape->count - 1; i >= 0; i--) {
        for (int k = 0; needed[i] && k < tr_op_operands(tape->node[i].op); k++) {
            needed[tape->node[i].operand[k]] = true;
        }
    }
}

trStatus tr_tape_breaks(trArena *arena, const trTape *tape, int results, const int *node,
                        int *count, const double **times) {
    Line   *line = tr_new_array(arena, Line, tape->count);
    bool   *needed = tr_new_array(arena, bool, tape->count);
    double *found = tr_new_array(arena, double, tape->count);
    *count = 0;
    *times = found;
    TR_TRY(tr_arena_status(arena));
    mark(tape, results, node, needed);
    for (int i = 0; i < tape->count; i++) {
        line[i] = line_of(&tape->node[i], line);
        double t = needed[i] ? meeting(&tape->node[i], line) : NAN;
        if (isfinite(t)) {
            found[(*count)++] = t;
        }
    }
    return TR_OK;
}
