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
    case TR_OP_TIME:
        return (Line){true, 0.0, 1.0};
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

int tr_tape_breaks(const trTape *tape, double *times) {
    Line line[TR_TAPE_MAX];
    int  count = 0;
    for (int i = 0; i <= tape->result; i++) {
        const trTapeNode *node = &tape->node[i];
        bool two = node->op == TR_OP_LESS || node->op == TR_OP_MIN || node->op == TR_OP_MAX;
        line[i] = line_of(node, line);
        if (!two && node->op != TR_OP_ABS) {
            continue;
        }
        Line a = line[node->operand[0]];
        Line b = two ? line[node->operand[1]] : (Line){true, 0.0, 0.0};
        // c0a + c1a t = c0b + c1b t
        double t = (b.c0 - a.c0) / (a.c1 - b.c1);
        if (a.known && b.known && isfinite(t)) {
            times[count++] = t;
        }
    }
    return count;
}
