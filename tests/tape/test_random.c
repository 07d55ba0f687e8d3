// SPDX-License-Identifier: MIT
// Random expressions: a tape's value, gradient, rate and their second derivatives against an
// interpreter of the construction. What fails is made smaller and printed.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "tape/derive.h"
#include "tape/expression.h"
#include "tape/program.h"
#include "tape/reference.h"

#define EXPRESSIONS 2000  // of each sort
#define SLOTS 65536
#define STEP_ERROR 1e-45  // of the complex step, 1e-60 times third derivatives
#define TEXT_ROOM 2000

// Inputs of the tape: x, their rates v, the rates of these a.
#define ALL_INPUTS (3 * INPUTS)

static const double rates[INPUTS] = {1.0, -0.7, 0.4, 1.3},
                    accelerations[INPUTS] = {0.0, 0.6, -1.1, 0.2};
static const double still[INPUTS] = {0.0};

// What a tape gives; also as the list of results of a program.
typedef union Results {
    struct {
        double value, rate, second_rate;
        double gradient[INPUTS];
        double rate_gradient[INPUTS];  // of the rate
        double hessian[INPUTS][INPUTS];
    };
    double list[3 + 2 * INPUTS + INPUTS * INPUTS];
} Results;

#define RESULTS ((int)(sizeof(Results) / sizeof(double)))

// The nodes, in the order of the list.
static trStatus derive_all(const Expression *e, trTape *tape, trArena *scratch, int node[RESULTS]) {
    static const int inputs[INPUTS] = {0, 1, 2, 3};
    trDerive         d;
    int              input_rate[2 * INPUTS];
    int             *gradient = node + 3, *hessian = node + 3 + 2 * INPUTS;
    node[0] = expression_record(e, tape);
    for (int i = 0; i < 2 * INPUTS; i++) {
        input_rate[i] = tr_tape_input(tape, INPUTS + i);
    }
    tr_derive_begin(&d, tape, scratch);
    tr_derive_set_rates(&d, 2 * INPUTS, input_rate);
    TR_TRY(tr_derive_rate(&d, node[0], &node[1]));
    TR_TRY(tr_derive_rate(&d, node[1], &node[2]));
    TR_TRY(tr_derive_gradient(&d, node[0], INPUTS, inputs, gradient));
    TR_TRY(tr_derive_gradient(&d, node[1], INPUTS, inputs, gradient + INPUTS));
    for (int i = 0; i < INPUTS; i++) {
        TR_TRY(tr_derive_gradient(&d, gradient[i], INPUTS, inputs, hessian + i * INPUTS));
    }
    return TR_OK;
}

static Results run_tape(const Expression *e) {
    static double slot[SLOTS];
    trArena      *arena = tr_arena_create();
    trTape       *tape = tr_tape_create(arena);
    trProgram     p;
    Results       results;
    double        input[ALL_INPUTS];
    int           node[RESULTS];
    memcpy(input, e->x, sizeof e->x);
    memcpy(input + INPUTS, rates, sizeof rates);
    memcpy(input + 2 * INPUTS, accelerations, sizeof accelerations);
    assert_int_equal(derive_all(e, tape, arena, node), TR_OK);
    assert_int_equal(tr_program_compile(arena, tape, RESULTS, node, &p), TR_OK);
    assert_true(p.slots <= SLOTS);
    tr_program_begin(&p, slot);
    tr_program_run(&p, input, slot);
    for (int i = 0; i < RESULTS; i++) {
        results.list[i] = slot[p.output[i]];
    }
    tr_arena_destroy(arena);
    return results;
}

// --- comparison ---

// What was found in one expression, and how sharp the tests were.
typedef struct Findings {
    bool   failed;
    char   what[40];  // that differs
    double actual, expected, bound;
    int    compared, sharp;  // sharp: known to ten digits or more
} Findings;

static void compare(Findings *f, const char *what, double actual, double expected, double bound) {
    if (f->failed || !isfinite(bound)) {
        return;
    }
    f->compared++;
    f->sharp += bound <= 1e-10 * (fabs(expected) + 1.0);
    if (fabs(actual - expected) <= bound + STEP_ERROR) {
        return;
    }
    f->failed = true;
    f->actual = actual;
    f->expected = expected;
    f->bound = bound;
    snprintf(f->what, sizeof f->what, "%s", what);
}

static void compare_entries(Findings *f, const Expression *e, const Results *r) {
    char what[40];
    for (int i = 0; i < INPUTS; i++) {
        for (int j = 0; j < INPUTS; j++) {
            double   along_i[INPUTS] = {0.0}, along_j[INPUTS] = {0.0};
            unsigned bits = (1u << i) | (1u << j);
            along_i[i] = along_j[j] = 1.0;
            Reference at = reference_at(e, along_i, along_j);
            snprintf(what, sizeof what, "df/dx%d", j);
            if (i == 0 && (at.singular & (1u << j)) == 0) {
                compare(f, what, r->gradient[j], at.first, at.first_bound);
            }
            snprintf(what, sizeof what, "d2f/dx%d dx%d", i, j);
            if ((at.singular & bits) == 0) {
                compare(f, what, r->hessian[i][j], at.second, at.second_bound);
            }
        }
    }
}

// f' = v.grad f,  f'' = a.grad f + v.H v,  and the gradient of f' is H v.
static void compare_rates(Findings *f, const Expression *e, const Results *r) {
    Reference turn = reference_at(e, rates, rates), push = reference_at(e, still, accelerations);
    compare(f, "f'", r->rate, turn.first, turn.first_bound);
    compare(f, "f''", r->second_rate, push.first + turn.second,
            push.first_bound + turn.second_bound);
    for (int j = 0; j < INPUTS; j++) {
        double along[INPUTS] = {0.0};
        char   what[40];
        along[j] = 1.0;
        Reference at = reference_at(e, rates, along);
        snprintf(what, sizeof what, "df'/dx%d", j);
        compare(f, what, r->rate_gradient[j], at.second, at.second_bound);
    }
}

// Where the value is not a finite number it must not be one on the tape, and where rounding decides
// nothing is said. Derivatives are told where the value is.
static Findings look_at(const Expression *e) {
    Findings  f = {0};
    Results   r = run_tape(e);
    Reference at = reference_at(e, still, still);
    if (at.undecided) {
        return f;
    }
    if (!at.defined) {
        compare(&f, "f is finite", isfinite(r.value) ? 1.0 : 0.0, 0.0, 0.0);
        return f;
    }
    compare(&f, "f", r.value, at.value, at.value_bound);
    compare_entries(&f, e, &r);
    if (at.singular == 0) {
        compare_rates(&f, e, &r);
    }
    return f;
}

static bool fails(const Expression *e) {
    return look_at(e).failed;
}

// --- tests ---

typedef struct Laws {
    trArena     *arena;
    const trLaw *law[LAWS];
} Laws;

static Laws laws;

static int make_laws(void **state) {
    laws.arena = tr_arena_create();
    return laws.arena == NULL || expression_laws(laws.arena, laws.law) != TR_OK;
}

static int drop_laws(void **state) {
    tr_arena_destroy(laws.arena);
    return 0;
}

static void examine(Expression *e, int number, Findings *sum) {
    char     text[TEXT_ROOM];
    Findings found = look_at(e);
    sum->compared += found.compared;
    sum->sharp += found.sharp;
    if (!found.failed) {
        return;
    }
    int size = expression_size(e);
    expression_shrink(e, fails);
    found = look_at(e);
    expression_print(e, text, sizeof text);
    fail_msg("expression %d of %d steps, shrunk to %d:\n%s\n%s: %.17g is not %.17g within %.3g",
             number, size, expression_size(e), text, found.what, found.actual, found.expected,
             found.bound);
}

// Returns how many expressions could be compared.
static int examine_all(bool safe, uint64_t seed, Findings *sum) {
    trRandom random = {seed};
    int      looked_at = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
        Expression e;
        int        before = sum->compared;
        expression_random(&random, safe, laws.law, &e);
        examine(&e, i, sum);
        looked_at += sum->compared > before;
    }
    print_message("%d of %d expressions, %d numbers, %d sharply\n", looked_at, EXPRESSIONS,
                  sum->compared, sum->sharp);
    return looked_at;
}

static void values_and_derivatives_are_those_of_the_construction(void **state) {
    Findings sum = {0};
    int      looked_at = examine_all(true, 1, &sum);
    // If most were left out, or bounds were wide, the test would prove little.
    assert_true(looked_at >= EXPRESSIONS * 9 / 10);
    assert_true(sum.sharp >= sum.compared / 100 * 99);
}

static void so_they_are_at_the_ends_of_domains_and_beyond(void **state) {
    Findings sum = {0};
    int      looked_at = examine_all(false, 2, &sum);
    assert_true(looked_at >= EXPRESSIONS * 8 / 10);
    assert_true(sum.sharp >= sum.compared / 100 * 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_derivatives_are_those_of_the_construction),
        cmocka_unit_test(so_they_are_at_the_ends_of_domains_and_beyond),
    };
    return cmocka_run_group_tests_name("random expressions", tests, make_laws, drop_laws);
}
