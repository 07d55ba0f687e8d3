// SPDX-License-Identifier: MIT
// Instants at which a function of time changes its formula: where the two sides of LESS, MIN or MAX
// meet, the argument of ABS or SIGN is zero, or that of a law is where two of its pieces meet, as
// far as they are of the form c0 + c1 t. A step should end there, for no integrator sees what
// happens between its stages.

#include <math.h>

#include "base/law.h"
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

// How many instants a node may have.
static int most_of(const trTapeNode *node) {
    return node->op == TR_OP_LAW ? node->law->pieces - 1 : 1;
}

static int note(double t, int count, double *found) {
    if (isfinite(t)) {
        found[count++] = t;
    }
    return count;
}

// The instants of a node, behind the `count` found before. Returns how many there are then.
static int note_node(const trTapeNode *node, const Line *line, int count, double *found) {
    if (node->op != TR_OP_LAW) {
        return note(meeting(node, line), count, found);
    }
    Line a = line[node->operand[0]];
    for (int i = 1; a.known && i < node->law->pieces; i++) {
        count = note((node->law->breaks[i] - a.c0) / a.c1, count, found);
    }
    return count;
}

trStatus tr_tape_breaks(trArena *arena, const trTape *tape, int results, const int *node,
                        int *count, const double **times) {
    Line  *line = tr_new_array(arena, Line, tape->count);
    bool  *needed = tr_new_array(arena, bool, tape->count);
    size_t room = 0;
    *count = 0;
    TR_TRY(tr_arena_status(arena));
    tr_tape_mark(tape, results, node, needed);
    for (int i = 0; i < tape->count; i++) {
        line[i] = line_of(&tape->node[i], line);
        room += needed[i] ? (size_t)most_of(&tape->node[i]) : 0;
    }
    double *found = tr_new_array(arena, double, room);
    *times = found;
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < tape->count; i++) {
        *count = needed[i] ? note_node(&tape->node[i], line, *count, found) : *count;
    }
    return TR_OK;
}
