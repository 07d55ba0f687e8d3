// SPDX-License-Identifier: MIT
// The smallest expression that still fails, by trying out every simpler neighbor.

#include <math.h>

#include "tape/expression.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const double simple[] = {1.0, 2.0, 0.5, -1.0, -0.5, 0.0};

// How far from simple a number is.
static int oddness(double value) {
    int i = 0;
    while (i < COUNT(simple) && value != simple[i]) {
        i++;
    }
    return i;
}

// Smaller is simpler. Fewer steps count most; of leaves, an input is simpler than a constant.
static int weight(const Expression *e) {
    int sum = 1000 * expression_size(e);
    for (int i = 0; i < e->count; i++) {
        const Step *s = &e->step[i];
        sum += s->op == TR_OP_CONSTANT ? 10 + oddness(s->value) : 0;
        sum += s->op == TR_OP_INPUT ? s->which : 0;
    }
    for (int i = 0; i < INPUTS; i++) {
        sum += oddness(e->x[i]);
    }
    return sum;
}

static bool adopt(Expression *e, const Expression *candidate, bool (*fails)(const Expression *e)) {
    if (weight(candidate) >= weight(e) || !fails(candidate)) {
        return false;
    }
    *e = *candidate;
    return true;
}

// Puts an operand, an input or a simple constant in the place of a step.
static bool shrink_step(Expression *e, int i, bool (*fails)(const Expression *e)) {
    Expression candidate = *e;
    for (int k = 0; k < expression_operands(e->step[i].op); k++) {
        candidate.step[i] = e->step[e->step[i].operand[k]];
        if (adopt(e, &candidate, fails)) {
            return true;
        }
    }
    for (int k = 0; k < INPUTS; k++) {
        candidate.step[i] = (Step){.op = TR_OP_INPUT, .which = k};
        if (adopt(e, &candidate, fails)) {
            return true;
        }
    }
    for (int k = 0; k < COUNT(simple); k++) {
        candidate.step[i] = (Step){.op = TR_OP_CONSTANT, .value = simple[k]};
        if (adopt(e, &candidate, fails)) {
            return true;
        }
    }
    return false;
}

static bool shrink_point(Expression *e, int i, bool (*fails)(const Expression *e)) {
    for (int k = 0; k < COUNT(simple); k++) {
        Expression candidate = *e;
        candidate.x[i] = simple[k];
        if (adopt(e, &candidate, fails)) {
            return true;
        }
    }
    return false;
}

// The function may be any of its parts.
static bool shorten(Expression *e, bool (*fails)(const Expression *e)) {
    for (int count = 1; count < e->count; count++) {
        Expression candidate = *e;
        candidate.count = count;
        if (adopt(e, &candidate, fails)) {
            return true;
        }
    }
    return false;
}

void expression_shrink(Expression *e, bool (*fails)(const Expression *e)) {
    bool smaller = true;
    while (smaller) {
        smaller = shorten(e, fails);
        for (int i = e->count - 1; i >= 0; i--) {
            smaller = shrink_step(e, i, fails) || smaller;
        }
        for (int i = 0; i < INPUTS; i++) {
            smaller = shrink_point(e, i, fails) || smaller;
        }
    }
}
