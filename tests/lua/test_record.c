// SPDX-License-Identifier: MIT
// Functions that are recorded: what they return is taken whole or refused.

#include "lua/lua_case.h"

#define SYSTEM \
    "local s = system { coordinates = { 'x', 'y' } } s:mass(function() return { 1, 1 } end)\n"

static void what_a_function_returns_is_taken_whole_or_refused(void **state) {
    const Mistake mistakes[] = {
        {SYSTEM "s:constraint { name = 'c', phi = function(q) return q.x, q.y end } return s",
         "2: the function returns 2 values; make them a list: return { a, b }"},
        {HEAD "m:constraint { name = 'c', a, phi = function(b) return b.x, b.y end } return m",
         "2: the function returns 2 values; make them a list: return { a, b }"},
        {SYSTEM "s:constraint { name = 'c', phi = function(q) return { q.x, y = q.y } end } "
                "return s",
         "2: constraint 'c': a list without keys or gaps is needed: { x, y, z }"},
        {SYSTEM "s:force(function(q) return { 1, 2, y = 3 } end) return s",
         "2: force: a list without keys or gaps is needed: { x, y, z }"},
        {SYSTEM "s:force(function(q) end) return s",
         "2: force: the function must return 2 numbers, for x, y; got nil; is 'return' missing?"},
    };
    EXPECT_ERRORS(mistakes);
}

static void a_list_of_arguments_may_be_returned_as_it_is(void **state) {
    trModel *model = model_of(SYSTEM "s:state { 'a', 'b', rate = function(q, v) return v end }\n"
                                     "s:constraint { name = 'c', phi = function(q) return q end }\n"
                                     "return s",
                              NULL);
    tr_model_destroy(model);
}

static void states_and_units_are_looked_at(void **state) {
    const Mistake mistakes[] = {
        {SYSTEM "s:state { 'a', start = 1 / 0, rate = function() return 1 end } return s",
         "2: state: start must be a finite number for each name, got inf"},
        {SYSTEM "s:state { 'a', 'b', start = { 1 }, rate = function() return { 1, 2 } end } "
                "return s",
         "2: state: start must be a number, or a list of 2, one for each name"},
        {SYSTEM "s:state { 'a', [3] = 'b', rate = function() return 1 end } return s",
         "2: state: the names must be a list without gaps"},
        {"local s = system { coordinates = { 'x' }, units = 'm' } return s",
         "1: system: units must be a table { x = \"m\", ... }, got string"},
        {"local s = system { coordinates = { 'x' }, units = { x = 1 } } return s",
         "1: system: the unit of 'x' must be a string, got number"},
        {"local s = system { coordinates = { 'x', y = 'z' } } return s",
         "1: system: coordinates: a list without keys or gaps is needed: { x, y, z }"},
    };
    EXPECT_ERRORS(mistakes);
}

static void a_potential_of_velocities_is_refused(void **state) {
    expect_error(
        HEAD "m:force { name = 'f', a, potential = function(b) return b.x * b.vx end }", NULL,
        "2: force 'f': potential depends on velocities; give the force and moment instead");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_function_returns_is_taken_whole_or_refused),
        cmocka_unit_test(a_list_of_arguments_may_be_returned_as_it_is),
        cmocka_unit_test(states_and_units_are_looked_at),
        cmocka_unit_test(a_potential_of_velocities_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
