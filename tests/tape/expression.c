// SPDX-License-Identifier: MIT
#include "tape/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const char *const words[] = {
    [TR_OP_ADD] = "+",       [TR_OP_SUB] = "-",       [TR_OP_MUL] = "*",     [TR_OP_DIV] = "/",
    [TR_OP_POW] = "^",       [TR_OP_NEG] = "-",       [TR_OP_SIN] = "sin",   [TR_OP_COS] = "cos",
    [TR_OP_TAN] = "tan",     [TR_OP_ASIN] = "asin",   [TR_OP_ACOS] = "acos", [TR_OP_ATAN] = "atan",
    [TR_OP_SINH] = "sinh",   [TR_OP_ATAN2] = "atan2", [TR_OP_COSH] = "cosh", [TR_OP_TANH] = "tanh",
    [TR_OP_EXP] = "exp",     [TR_OP_LOG] = "log",     [TR_OP_SQRT] = "sqrt", [TR_OP_ABS] = "abs",
    [TR_OP_SIGN] = "sign",   [TR_OP_MIN] = "min",     [TR_OP_MAX] = "max",   [TR_OP_LESS] = "less",
    [TR_OP_WHERE] = "where", [TR_OP_LAW] = "law",
};

trStatus expression_laws(trArena *arena, const trLaw *law[LAWS]) {
    const double x[5] = {-2.0, -0.7, 0.1, 0.9, 2.5}, y[5] = {-1.0, 0.4, 0.6, 1.9, 2.0};
    const double breaks[3] = {-1.0, 0.3, 1.2};
    const double c[12] = {0.5, -1.0, 0.3, 0.2, -0.4, 0.8, 0.6, -0.5, 1.1, 0.2, -0.7, 0.1};
    TR_TRY(tr_law_table(arena, 5, x, y, &law[0]));
    return tr_law_pieces(arena, 3, breaks, 4, c, &law[1]);
}

int expression_operands(trTapeOp op) {
    switch (op) {
    case TR_OP_CONSTANT:
    case TR_OP_INPUT:
        return 0;
    case TR_OP_WHERE:
        return 3;
    case TR_OP_ADD:
    case TR_OP_SUB:
    case TR_OP_MUL:
    case TR_OP_DIV:
    case TR_OP_POW:
    case TR_OP_ATAN2:
    case TR_OP_MIN:
    case TR_OP_MAX:
    case TR_OP_LESS:
        return 2;
    default:
        return 1;
    }
}

// --- random expressions ---

typedef struct Maker {
    trRandom   *random;
    bool        safe;
    Expression *e;
} Maker;

static int put(Maker *m, Step step) {
    m->e->step[m->e->count] = step;
    return m->e->count++;
}

static int put_op(Maker *m, trTapeOp op, int a, int b, int c) {
    return put(m, (Step){.op = op, .operand = {a, b, c}});
}

static int put_constant(Maker *m, double value) {
    return put(m, (Step){.op = TR_OP_CONSTANT, .value = value});
}

// Constants that are simplified, and others.
static int any_constant(Maker *m) {
    static const double special[] = {0.0, 1.0, -1.0, 2.0, 0.5};
    int                 which = random_int(m->random, 0, COUNT(special) + 2);
    return put_constant(m, which < COUNT(special) ? special[which] : 2.0 * random_real(m->random));
}

// One of the steps so far, the last ones most often.
static int any(Maker *m) {
    int last = m->e->count - 1;
    if (random_int(m->random, 0, 9) == 0) {
        return any_constant(m);
    }
    return random_int(m->random, 0, 2) == 0 ? random_int(m->random, 0, last)
                                            : random_int(m->random, last > 5 ? last - 5 : 0, last);
}

// Below 1 by magnitude, if safe.
static int bounded(Maker *m) {
    int a = any(m);
    if (!m->safe) {
        return a;
    }
    int wave = put_op(m, random_int(m->random, 0, 1) == 0 ? TR_OP_SIN : TR_OP_TANH, a, 0, 0);
    return put_op(m, TR_OP_MUL, put_constant(m, 0.9), wave, 0);
}

// Above 0.5, if safe.
static int positive(Maker *m) {
    int a = any(m);
    if (!m->safe) {
        return a;
    }
    int grown = random_int(m->random, 0, 1) == 0 ? put_op(m, TR_OP_ABS, a, 0, 0)
                                                 : put_op(m, TR_OP_MUL, a, a, 0);
    return put_op(m, TR_OP_ADD, grown, put_constant(m, 0.5), 0);
}

static int away_from_zero(Maker *m) {
    int a = positive(m);
    return random_int(m->random, 0, 1) == 0 ? a : put_op(m, TR_OP_NEG, a, 0, 0);
}

static int put_power(Maker *m) {
    static const double whole[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, -1.0, -2.0, -3.0};
    static const double broken[] = {0.5, -0.5, 1.5, 2.5, 0.3, -1.7};
    int                 a = 0, b = 0;
    switch (random_int(m->random, 0, 2)) {
    case 0:
        b = put_constant(m, whole[random_int(m->random, 0, COUNT(whole) - 1)]);
        a = m->e->step[b].value < 0.0 ? away_from_zero(m) : any(m);
        break;
    case 1:
        b = put_constant(m, broken[random_int(m->random, 0, COUNT(broken) - 1)]);
        a = positive(m);
        break;
    default:
        b = bounded(m);
        a = positive(m);
        break;
    }
    return put_op(m, TR_OP_POW, a, b, 0);
}

// Conditions are comparisons mostly; any number that is not 0 will do.
static int put_choice(Maker *m) {
    int a = any(m), b = any(m), condition = any(m);
    if (random_int(m->random, 0, 3) > 0) {
        condition = put_op(m, TR_OP_LESS, condition, any(m), 0);
    }
    return put_op(m, TR_OP_WHERE, condition, a, b);
}

static int put_any(Maker *m) {
    trTapeOp op = (trTapeOp)random_int(m->random, TR_OP_ADD, TR_OP_LAW);
    int      a = 0, b = 0;  // drawn one after the other, so that the order is the same everywhere
    switch (op) {
    case TR_OP_POW:
        return put_power(m);
    case TR_OP_WHERE:
        return put_choice(m);
    case TR_OP_LAW:
        a = any(m);
        return put(m,
                   (Step){.op = op, .operand = {a}, .which = random_int(m->random, 0, LAWS - 1)});
    case TR_OP_DIV:
        a = any(m);
        return put_op(m, op, a, away_from_zero(m), 0);
    case TR_OP_ATAN2:
        a = any(m);
        b = away_from_zero(m);
        return random_int(m->random, 0, 1) == 0 ? put_op(m, op, a, b, 0) : put_op(m, op, b, a, 0);
    case TR_OP_LOG:
    case TR_OP_SQRT:
        return put_op(m, op, positive(m), 0, 0);
    case TR_OP_ASIN:
    case TR_OP_ACOS:
    case TR_OP_TAN:
    case TR_OP_SINH:
    case TR_OP_COSH:
    case TR_OP_EXP:
        return put_op(m, op, bounded(m), 0, 0);
    default:
        a = any(m);
        return put_op(m, op, a, expression_operands(op) > 1 ? any(m) : 0, 0);
    }
}

void expression_random(trRandom *random, bool safe, const trLaw *const *law, Expression *out) {
    static const double ends[] = {0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.3};
    Maker               m = {.random = random, .safe = safe, .e = out};
    int                 length = random_int(random, 6, 40);
    *out = (Expression){.law = law};
    for (int i = 0; i < INPUTS; i++) {
        out->x[i] = safe ? 2.0 * random_real(random) : ends[random_int(random, 0, COUNT(ends) - 1)];
        put(&m, (Step){.op = TR_OP_INPUT, .which = i});
    }
    while (out->count < length) {
        put_any(&m);
    }
}

// --- recording ---

static void mark_needed(const Expression *e, bool *needed) {
    memset(needed, 0, STEPS * sizeof *needed);
    needed[e->count - 1] = true;
    for (int i = e->count - 1; i >= 0; i--) {
        for (int k = 0; needed[i] && k < expression_operands(e->step[i].op); k++) {
            needed[e->step[i].operand[k]] = true;
        }
    }
}

int expression_record(const Expression *e, trTape *tape) {
    bool needed[STEPS];
    int  node[STEPS];
    mark_needed(e, needed);
    for (int i = 0; i < e->count; i++) {
        const Step *s = &e->step[i];
        node[i] = -1;
        if (!needed[i]) {
            continue;
        }
        switch (s->op) {
        case TR_OP_CONSTANT:
            node[i] = tr_tape_constant(tape, s->value);
            break;
        case TR_OP_INPUT:
            node[i] = tr_tape_input(tape, s->which);
            break;
        case TR_OP_LAW:
            node[i] = tr_tape_law(tape, e->law[s->which], 0, node[s->operand[0]]);
            break;
        default:
            node[i] = tr_tape_op(tape, s->op, node[s->operand[0]], node[s->operand[1]],
                                 node[s->operand[2]]);
            break;
        }
    }
    return node[e->count - 1];
}

int expression_size(const Expression *e) {
    bool needed[STEPS];
    int  size = 0;
    mark_needed(e, needed);
    for (int i = 0; i < e->count; i++) {
        size += needed[i];
    }
    return size;
}

// --- printing ---

typedef struct Text {
    char  *at;
    size_t left;
} Text;

static void say(Text *t, const char *word) {
    for (; *word != '\0' && t->left > 1; word++, t->left--) {
        *t->at++ = *word;
    }
    *t->at = '\0';
}

static void say_leaf(Text *t, const Step *s) {
    char word[32];
    if (s->op == TR_OP_INPUT) {
        snprintf(word, sizeof word, "x%d", s->which);
    } else {
        snprintf(word, sizeof word, s->value < 0.0 ? "(%.17g)" : "%.17g", s->value);
    }
    say(t, word);
}

static void say_step(Text *t, const Expression *e, int i) {
    const Step *s = &e->step[i];
    int         operands = expression_operands(s->op);
    bool        between = s->op >= TR_OP_ADD && s->op <= TR_OP_POW;
    if (operands == 0 || t->left < 2) {
        say_leaf(t, s);
        return;
    }
    say(t, between ? "" : words[s->op]);
    if (s->op == TR_OP_LAW) {
        say(t, s->which == 0 ? "0" : "1");
    }
    say(t, "(");
    for (int k = 0; k < operands; k++) {
        say(t, k == 0 ? "" : between ? " " : ", ");
        say(t, k == 1 && between ? words[s->op] : "");
        say(t, k == 1 && between ? " " : "");
        say_step(t, e, s->operand[k]);
    }
    say(t, ")");
}

void expression_print(const Expression *e, char *text, size_t room) {
    Text t = {.at = text, .left = room};
    char word[64];
    say(&t, "f = ");
    say_step(&t, e, e->count - 1);
    for (int i = 0; i < INPUTS; i++) {
        snprintf(word, sizeof word, "%s x%d = %.17g", i == 0 ? "  at" : ",", i, e->x[i]);
        say(&t, word);
    }
}
