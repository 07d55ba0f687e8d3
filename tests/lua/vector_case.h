// SPDX-License-Identifier: MIT
// What the tests of vectors and matrices share: an expression of a model file and what it must be,
// computed in C, with plain numbers and with traced ones.

#ifndef TR_TESTS_VECTOR_CASE_H
#define TR_TESTS_VECTOR_CASE_H

#include "lua/lua_case.h"
#include "support/test.h"

#define TIME 0.3  // where functions of t are evaluated

// Some ten operations on numbers up to 100, each rounded once: 10 * 100 * 1.1e-16.
#define ROUNDING 1.2e-13

typedef struct Expression {
    const char *text;   // of t
    double      value;  // at t = TIME
} Expression;

// Evaluates the expression as a number, with t = TIME, and as a function of a traced t, which
// records it and is evaluated in C.
static inline void expect_number(const char *definitions, const char *text, double value) {
    static const char *const ways[] = {
        "local number = f(0.3) moment = function() return number end", "moment = f"};
    for (size_t i = 0; i < 2; i++) {
        char file[2048];
        snprintf(file, sizeof file,
                 HEAD "%s local moment local function f(t) return %s end %s\n"
                      "m:force { 'torque', name = 'f', m.ground, a, moment = moment } return m",
                 definitions, text, ways[i]);
        trModel *model = model_of(file, NULL);
        double   error = fabs(moment(model, TIME, 0.0) - value);
        if (!(error <= ROUNDING)) {
            fail_msg("%s is off by %g, %s", text, error, i == 0 ? "untraced" : "traced");
        }
        tr_model_destroy(model);
    }
}

// Runs statements, which assert what they claim.
static inline void expect_claims(const char *statements) {
    char file[2048];
    snprintf(file, sizeof file, HEAD "%s\nreturn m", statements);
    tr_model_destroy(model_of(file, NULL));
}

#endif
