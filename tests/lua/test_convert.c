// SPDX-License-Identifier: MIT
// Entries and laws: values arrive in the model, and mistakes are named with their line.

#include "lua/lua_case.h"

typedef struct LawCase {
    const char *text;
    double      x, value;
} LawCase;

static void laws_arrive_in_the_model(void **state) {
    static const LawCase cases[] = {
        {"10", 0.5, 5},
        {"polynomial { 1, 2, 3 }", 0.5, 2.75},
        // Pieces are polynomials of x itself, and reach outwards at both ends.
        {"piecewise { { -1, { 1, 1 } }, { 1, { 0, 0, 2 } } }", -3, -2},
        {"piecewise { { -1, { 1, 1 } }, { 1, { 0, 0, 2 } } }", 0.5, 1.5},
        {"piecewise { { -1, { 1, 1 } }, { 1, { 0, 0, 2 } } }", 3, 18},
        {"piecewise { { -math.huge, { 1, 1 } }, { 2, { 0, 0, 2 } } }", -9, -8},
        {"piecewise { { -math.huge, { 1, 1 } }, { 2, { 0, 0, 2 } } }", 3, 18},
        {"piecewise { { -math.huge, { 1, 1, 1 } }, { -2, { 5, 1 } } }", -9, 73},
        {"piecewise { { -math.huge, { 1, 1, 1 } } }", 2, 7},
        {"tabulated { { 0, 0 }, { 1, 2 }, { 2, 4 } }", 0.25, 0.5},
        {"tabulated { { 0, 0 }, { 1, 2 }, { 2, 4 } }", 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        // The law is made before the model exists.
        snprintf(text, sizeof text,
                 "local law = %s\n" HEAD
                 "m:force { 'torsion_spring', m.ground, a, stiffness = law } return m",
                 cases[i].text);
        trModel *model = model_of(text, NULL);
        // The spring pulls back. Shifted polynomials of these small integers are nearly exact.
        double error = fabs(-moment(model, 0.0, cases[i].x) - cases[i].value);
        if (!(error <= 1e-13)) {
            fail_msg("%s at %g is off by %g", cases[i].text, cases[i].x, error);
        }
        tr_model_destroy(model);
    }
}

static void mistakes_in_laws_are_explained(void **state) {
    static const Mistake mistakes[] = {
        {"polynomial { }", "1: polynomial needs at least one coefficient, e.g. {0, 100}"},
        {"polynomial { 0, 0/0 }", "1: polynomial: number 2 of the list is not finite"},
        {"piecewise { }", "1: piecewise needs at least one piece {from, {c0, c1, ...}}"},
        {"piecewise { { 0, 1 } }", "1: piecewise: piece 1 must be {from, {c0, c1, ...}}"},
        {"piecewise { { 1, { 1 } }, { 1, { 1 } } }",
         "1: piecewise: piece 2 must start after piece 1"},
        {"piecewise { { math.huge, { 1 } } }",
         "1: piecewise: piece 1 starts at a number that is not finite"},
        {"tabulated { { 0, 1 } }", "1: tabulated needs at least two points {x, y}"},
        {"tabulated { { 0, 1 }, { 1 } }",
         "1: tabulated: point 2 must be {x, y}, two finite numbers"},
        {"tabulated { { 0, 1 }, { 1, 1 }, { 1, 2 } }",
         "1: tabulated: x must increase from point 2 to point 3"},
    };
    EXPECT_ERRORS(mistakes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_arrive_in_the_model),
        cmocka_unit_test(mistakes_in_laws_are_explained),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
