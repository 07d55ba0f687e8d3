// SPDX-License-Identifier: MIT
// Nodes of a tape, each kept once: a hash table finds one that does the same.

#include <string.h>

#include "tape/node.h"

#define FIRST_ROOM 64

trTape *tr_tape_create(trArena *arena) {
    trTape *tape = tr_new(arena, trTape);
    if (tape != NULL) {
        tape->arena = arena;
        tape->name = "";
        tape->result = -1;
    }
    return tape;
}

int tr_op_operands(trTapeOp op) {
    static const int operands[] = {
#define TR_OP(name, operands, value) operands,
#include "tape/ops.def"
#undef TR_OP
    };
    return operands[op];
}

void tr_tape_mark(const trTape *tape, int results, const int *node, bool *needed) {
    for (int i = 0; i < results; i++) {
        needed[node[i]] = true;
    }
    for (int i = tape->count - 1; i >= 0; i--) {
        for (int k = 0; needed[i] && k < tr_op_operands(tape->node[i].op); k++) {
            needed[tape->node[i].operand[k]] = true;
        }
    }
}

static uint64_t mix(uint64_t hash, uint64_t part) {
    hash = (hash ^ part) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static uint64_t bits_of(double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t hash_of(const trTapeNode *n) {
    uint64_t hash = mix((uint64_t)n->op, bits_of(n->value));
    for (int k = 0; k < 3; k++) {
        hash = mix(hash, (uint64_t)n->operand[k]);
    }
    return mix(mix(hash, (uint64_t)n->index), (uint64_t)(uintptr_t)n->law);
}

static bool is_same(const trTapeNode *a, const trTapeNode *b) {
    return a->op == b->op && a->operand[0] == b->operand[0] && a->operand[1] == b->operand[1] &&
           a->operand[2] == b->operand[2] && bits_of(a->value) == bits_of(b->value) &&
           a->index == b->index && a->law == b->law;
}

// Where the node is in the table, or the free place where it belongs.
static int place_of(const trTape *tape, const trTapeNode *n) {
    int mask = tape->buckets - 1, at = (int)(hash_of(n) & (uint64_t)mask);
    while (tape->bucket[at] >= 0 && !is_same(&tape->node[tape->bucket[at]], n)) {
        at = (at + 1) & mask;
    }
    return at;
}

// Twice the room, and a table four times as large as that.
static bool grow(trTape *tape) {
    int         room = tape->room == 0 ? FIRST_ROOM : 2 * tape->room, buckets = 4 * room;
    trTapeNode *node = tr_new_array(tape->arena, trTapeNode, room);
    int        *bucket = tr_new_array(tape->arena, int, buckets);
    if (node == NULL || bucket == NULL) {
        return false;
    }
    if (tape->count > 0) {
        memcpy(node, tape->node, (size_t)tape->count * sizeof *node);
    }
    for (int i = 0; i < buckets; i++) {
        bucket[i] = -1;
    }
    tape->node = node;
    tape->room = room;
    tape->bucket = bucket;
    tape->buckets = buckets;
    for (int i = 0; i < tape->count; i++) {
        bucket[place_of(tape, &node[i])] = i;
    }
    return true;
}

int tr_tape_append(trTape *tape, trTapeNode node) {
    if (tape->count == TR_TAPE_MAX) {
        tape->overflow = true;
        return -1;
    }
    if (tape->count == tape->room && !grow(tape)) {
        return -1;
    }
    int at = place_of(tape, &node);
    if (tape->bucket[at] < 0) {
        tape->bucket[at] = tape->count;
        tape->node[tape->count++] = node;
    }
    return tape->bucket[at];
}

int tr_tape_constant(trTape *tape, double value) {
    return tr_tape_append(
        tape, (trTapeNode){.op = TR_OP_CONSTANT, .operand = {-1, -1, -1}, .value = value});
}

int tr_tape_input(trTape *tape, int index) {
    return tr_tape_append(tape,
                          (trTapeNode){.op = TR_OP_INPUT, .operand = {-1, -1, -1}, .index = index});
}

int tr_tape_time(trTape *tape) {
    return tr_tape_input(tape, 0);
}

int tr_tape_count(const trTape *tape) {
    return tape->count;
}

bool tr_tape_is_constant(const trTape *tape, int node, double *value) {
    if (node < 0 || node >= tape->count || tape->node[node].op != TR_OP_CONSTANT) {
        return false;
    }
    *value = tape->node[node].value;
    return true;
}

trStatus tr_tape_room(const trTape *tape) {
    if (tape->overflow) {
        return tr_fail(
            TR_E_MODEL,
            "the functions have more than %d operations with their derivatives; look for a "
            "loop that records too much",
            TR_TAPE_MAX);
    }
    return tr_arena_status(tape->arena);
}
