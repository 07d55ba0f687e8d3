// SPDX-License-Identifier: MIT
// Entries and laws: values arrive in the model, and mistakes are named with their line.

#include "lua/lua_case.h"

typedef struct LawCase {
    const char *text;
    double      x, value;
} LawCase;

static void laws_arrive_in_the_model(void **state) {
    (void)state;
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

static void mistakes_in_entries_are_named_with_their_line(void **state) {
    (void)state;
    static const Mistake mistakes[] = {
        {HEAD "m:joint { 'distance', name = 'A',\nm.ground, a, lenght = 1 } return m",
         "2: joint 'A': unknown key 'lenght'; did you mean 'length'?"},
        {HEAD "m:joint { 'revolut', name = 'A', m.ground, a }",
         "2: joint 'A': unknown kind 'revolut'; did you mean 'revolute'?"},
        {HEAD "\nlocal b\nm:joint { 'revolute', name = 'A', m.ground, b }",
         "4: joint 'A': needs two bodies, got 1; is a body's variable misspelled or not defined "
         "above this line?"},
        {HEAD "local b\nm:joint { 'revolute', name = 'A', b, a }",
         "3: joint 'A': needs two bodies, got 1; is a body's variable misspelled or not defined "
         "above this line?"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, a, a }",
         "2: joint 'A': too many entries without a key; its kind and at most 2 bodies are "
         "expected"},
        {HEAD "m:joint { name = 'A', m.ground, a }",
         "2: joint 'A': the first entry must be its kind, a text, got body"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, 3 }",
         "2: joint 'A': entry 3 must be a body, got number"},
        {HEAD
         "m:body { name = 'crank', mass = 1 }\nm:joint { 'revolute', name = 'A', 'a', 'crnk' }",
         "3: joint 'A': there is no body 'crnk'; did you mean 'crank'?"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, a, point = { 1, x = 2 } }",
         "2: joint 'A': point must be a list of numbers, without keys; use a list: { 0, 0 }"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, a, point = { x = 0, y = 0 } }",
         "2: joint 'A': point must be a list of numbers, without keys; use a list: { 0, 0 }"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, a, point = { 1, a } }",
         "2: joint 'A': point must be a list of numbers; it contains a body"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, polynomial { 1 } }",
         "2: joint 'A': entry 3 must be a body, got law"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, a, point = { 1, 'x' } }",
         "2: joint 'A': point must be a list of numbers; it contains a string"},
        {HEAD "local y\nm:joint { 'revolute', name = 'A', m.ground, a, point = { y, 2, 3 } }",
         "3: joint 'A': point: the list has a gap; is a variable in it misspelled or not defined?"},
        {HEAD "m:joint { 'revolute', name = 'A', m.ground, a, point = a }",
         "2: joint 'A': point cannot be a body"},
        {HEAD "m:joint { 'revolute', m.ground, a, points = { 0, 0 } }",
         "2: joint 'revolute1': unknown key 'points'; did you mean 'point'?"},
        {HEAD "m:joint { 'revolute', name = 7, m.ground, a }",
         "2: joint: name must be a text, got number"},
        {HEAD "m:force { 'point_force', name = 'f', m.ground, a }",
         "2: force 'f': needs one body, got 2"},
        {HEAD "m:force { 'torque', name = 'f', a, moment = 1 }",
         "2: force 'f': needs two bodies, got 1; is a body's variable misspelled or not defined "
         "above this line?"},
        {HEAD "m:force { 'sprin', name = 'f', m.ground, a }",
         "2: force 'f': unknown kind 'sprin'; did you mean 'spring'?"},
        {HEAD "m:body { mass = 1 }", "2: body: 'name' is missing"},
        {HEAD "m:body { name = '', mass = 1 }",
         "2: body: the name is empty; write at least a letter"},
        {HEAD "m:joint { 'revolute', name = 'A\\n', m.ground, a }",
         "2: joint: the name contains a control character, number 10; line ends, tabs and the like "
         "cannot be in a name"},
        {HEAD "m:force { 'point_force', name = 'f', a }",
         "2: force 'f': does nothing; give fx or fy"},
        {HEAD "m:body { 'b', mass = 1 }", "2: body: an entry has no key; write key = value"},
        {HEAD "m:body { name = 'b', mass = 1, [true] = 2 }",
         "2: body 'b': a key must be a name, got a boolean"},
        // Of several wrong keys the first by name is reported, whatever order Lua keeps them in.
        {HEAD "m:body { name = 'b', zzz1 = 1, mas = 1, zzz2 = 1, zzz3 = 3 }",
         "2: body 'b': unknown key 'mas'; did you mean 'mass'?"},
    };
    EXPECT_ERRORS(mistakes);
}

static void mistakes_in_laws_are_explained(void **state) {
    (void)state;
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
        cmocka_unit_test(mistakes_in_entries_are_named_with_their_line),
        cmocka_unit_test(mistakes_in_laws_are_explained),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
