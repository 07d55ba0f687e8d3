// SPDX-License-Identifier: MIT
// Functions of time: operations are recorded as written, and what cannot be recorded is refused.

#include "lua/lua_case.h"

typedef struct Function {
    const char *text;   // of t
    double      value;  // at t = 0.3
} Function;

static void functions_are_recorded(void **state) {
    const double   t = 0.3;
    const Function functions[] = {
        {"2 + t", 2 + t},
        {"t + t", t + t},
        {"2 - t", 2 - t},
        {"t - 2", t - 2},
        {"3 * t", 3 * t},
        {"3 / t", 3 / t},
        {"t / 3", t / 3},
        {"t ^ 2", t * t},
        {"2 ^ t", pow(2, t)},
        {"-t", -t},
        {"sin(t)", sin(t)},
        {"math.cos(t)", cos(t)},
        {"tan(t)", tan(t)},
        {"asin(t)", asin(t)},
        {"acos(t)", acos(t)},
        {"atan(t)", atan(t)},
        {"sinh(t)", sinh(t)},
        {"math.cosh(t)", cosh(t)},
        {"tanh(t)", tanh(t)},
        {"exp(t)", exp(t)},
        {"log(t)", log(t)},
        {"log(t, 10)", log(t) / log(10)},
        {"math.log(8, 2) * t", 3 * t},
        {"sqrt(t)", sqrt(t)},
        {"abs(-t)", t},
        {"min(t, 1)", t},
        {"max(t, 0.1, 7, t)", 7},
        {"math.max(1, 2) * t", 2 * t},
        {"math.rad(t)", t * acos(-1) / 180},
        {"math.deg(t)", t * 180 / acos(-1)},
        {"where(less(t, 1), 5, 6)", 5},
        {"where(less(1, t), 5, 6)", 6},
        {"where(greater(t, 1), 5, t)", t},
        {"where(greater(1, t), 5, t)", 5},
        {"where(less(1, 2), t, 5)", t},
        {"where(greater(1, 2), t, 5)", 5},
        {"sinh(1) + cosh(1) + tanh(1)", sinh(1) + cosh(1) + tanh(1)},
        {"7", 7},
        {"dot(where(less(t, 1), vec(t, 2, 3), vec(4, 5, 6)), vec(1, 1, 1))", t + 5},
        {"dot(where(less(1, t), vec(t, 2), vec(4, 5)), vec(1, 10))", 54},
        {"atan2(t, -2) + atan(-t, 2) + atan2(1, t)", atan2(t, -2) + atan2(-t, 2) + atan2(1, t)},
        {"sign(t) + sign(-t) * 5 + sign(0 * t)", -4},
        {"sign(-3) + atan2(1, 2)", -1 + atan2(1, 2)},
        {"tabulated({ { 0, 0 }, { 1, 2 }, { 2, 5 }, linear = true })(5 * t)", 2 + 3 * (5 * t - 1)},
        {"tabulated({ { 0, 1 }, { 2, 5 } })(t) + polynomial({ 1, 0, 2 })(t)",
         1 + 2 * t + 1 + 2 * t * t},
        {"polynomial({ 1, 2 })(3)", 7},
        {"math.floor(3.5) * t", 3 * t},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "m:force { 'torque', name = 'f', m.ground, a,\n"
                      "moment = function(t) return %s end } return m",
                 functions[i].text);
        trModel *model = model_of(text, NULL);
        double   error = fabs(moment(model, t, 0.0) - functions[i].value);
        // A handful of operations, each rounded once, on numbers up to 20.
        if (!(error <= 1e-14)) {
            fail_msg("%s is off by %g", functions[i].text, error);
        }
        tr_model_destroy(model);
    }
}

static void a_function_may_be_one_of_the_library(void **state) {
    trModel *model =
        model_of(HEAD "m:force { 'torque', m.ground, a, moment = sin } return m", NULL);
    assert_true(fabs(moment(model, 0.3, 0.0) - sin(0.3)) <= 1e-15);
    tr_model_destroy(model);
}

// A function of time for a torque on the second line.
#define MOMENT(body)                                                                         \
    HEAD "m:force { 'torque', name = 'f', m.ground, a, moment = function(t) " body " end } " \
         "return m"

static void mistakes_with_traced_values_name_the_remedy(void **state) {
    static const char compare[] = "2: cannot compare a traced value; use where(less(a, b), x, y)";
    static const Mistake mistakes[] = {
        {MOMENT("if t < 1 then return 0 end return t"), compare},
        {MOMENT("if 1 <= t then return 0 end return t"), compare},
        {MOMENT("if t == t * 1 then return 0 end return t"), compare},
        {MOMENT("return math.floor(t)"),
         "2: math.floor does not accept a traced value; use where(less(a, b), x, y)"},
        {MOMENT("return t % 1"), "2: this operator does not accept a traced value; use + - * / ^"},
        {MOMENT("return t & 1"), "2: this operator does not accept a traced value; use + - * / ^"},
        {MOMENT("return 1 + less(t, 1)"),
         "2: less(a, b) and greater(a, b) can only be used in where()"},
        {MOMENT("return where(t, 1, 2)"), "2: where() needs a condition: where(less(a, b), x, y)"},
        {MOMENT("return where(1, t, 2)"), "2: where() needs a condition: where(less(a, b), x, y)"},
        {MOMENT("local x = t * t"),
         "2: force 'f': moment: the function must return a number, got nil; is 'return' missing?"},
        {MOMENT("return 'x'"),
         "2: force 'f': moment: the function must return a number, got string"},
        {MOMENT("m:body { name = 'b', mass = 1 } return t"),
         "2: body cannot be called in a function of time"},
        {HEAD "m:force { 'torque', m.ground, a, moment = function(t) kept = t return t end }\n"
              "local x = 2 * kept",
         "3: a traced value is used outside of its function"},
        {HEAD "m:force { 'torque', m.ground, a, moment = function(t) kept = t return t end }\n"
              "m:force { 'torque', m.ground, a, moment = function(t) return kept + t end }",
         "3: a traced value is used outside of its function"},
        {MOMENT("for i = 1, 1000 do t = sin(t) end return t"),
         "2: force 'f': moment: the function takes 7996 operations with its "
         "derivatives; 4096 are possible: use fewer terms, or tabulated { ... }"},
        {MOMENT("return max(t, {})"), "2: a number or a traced value is needed here, got table"},
        {MOMENT("return 'a' .. t"),
         "2: a traced value cannot be part of a string; it has a number only when the simulation "
         "runs"},
        {MOMENT("return t.x"), "2: a traced value has no entries; use it as a number"},
        {MOMENT("t.x = 1"), "2: a traced value has no entries; use it as a number"},
        {MOMENT("return t(1)"), "2: a traced value is not a function; use it as a number"},
        {MOMENT("return #t"), "2: a traced value has no length; use it as a number"},
        {MOMENT("for i = 1, t do end return t"),
         "2: bad 'for' limit (number expected, got traced value); a loop needs a fixed number of "
         "iterations"},
        {HEAD "for i = 1, 'x' do end", "2: bad 'for' limit (number expected, got string)"},
        {MOMENT("return t + a"), "2: a number or a traced value is needed here, got body"},
        {MOMENT("return a"), "2: force 'f': moment: the function must return a number, got body"},
        {HEAD "m:force { 'torque', m.ground, a, moment = function(t) kept = t return t end }\n"
              "m:force { 'torque', name = 'f', m.ground, a, moment = kept }",
         "3: force 'f': moment cannot be a traced value"},
        {MOMENT("return t + nil"), "2: a number or a traced value is needed here, got nil"},
    };
    EXPECT_ERRORS(mistakes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_recorded),
        cmocka_unit_test(a_function_may_be_one_of_the_library),
        cmocka_unit_test(mistakes_with_traced_values_name_the_remedy),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
