// SPDX-License-Identifier: MIT
// The sandbox of model files: what they cannot reach, and the bounds of what they do.

#include "base/arena.h"
#include "base/clock.h"
#include "lua/lua_case.h"
#include "lua/lua_internal.h"

// Within 0.1 s: the hook sees the first, the allocator the second, where each instruction asks for
// 8 MiB, and the call itself the third, of which one instruction moves two million entries.
static void time_is_bounded_also_where_instructions_are_few(void **state) {
    static const char *const texts[] = {
        "local n = 0\nwhile true do n = n + 1 end",
        "local s = ('x'):rep(8 << 20)\nwhile true do local u = s:upper() end",
        "local t = {} for i = 1, 2e6 do t[i] = i end\nwhile true do table.insert(t, 1, 0) end",
        HEAD "while true do m:force { 'torque', m.ground, a, moment = 1 } end",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        trModel *model = NULL;
        trSimDef def = tr_sim_def_default();
        double   begun = tr_clock_wall();
        write_bytes(texts[i], strlen(texts[i]));
        assert_int_equal(tr_lua_load_within(0.1, FILE_NAME, NULL, &model, &def), TR_E_MODEL);
        assert_non_null(strstr(tr_last_error(), ": the file runs longer than 0.1 s; look for"));
        assert_true(tr_clock_wall() - begun < 20.0);  // not the half minute of tr_lua_load
    }
}

// Lua's memory as its allocator gives it: large blocks only while there is time, no long texts.
static void the_allocator_looks_at_time_and_texts(void **state) {
    trLuaLoad late = {.begun = tr_clock_thread() - 2.0, .seconds = 1.0};
    trLuaLoad early = {.begun = tr_clock_thread(), .seconds = 1e6};
    void     *small = tr_lua_allocate(&late, NULL, LUA_TTABLE, 1000);
    assert_non_null(small);
    assert_null(tr_lua_allocate(&late, small, 1000, (size_t)1 << 20));
    assert_int_equal(late.excess, TR_EXCESS_TIME);
    assert_int_equal(late.bytes, 1000);  // the old block is still there
    assert_null(tr_lua_allocate(&late, small, 1000, 0));
    assert_int_equal(late.bytes, 0);
    void *large = tr_lua_allocate(&early, NULL, LUA_TTABLE, (size_t)20 << 20);
    assert_non_null(large);
    assert_null(tr_lua_allocate(&early, NULL, LUA_TSTRING, (size_t)20 << 20));
    assert_int_equal(early.excess, TR_EXCESS_TEXT);
    assert_null(tr_lua_allocate(&early, NULL, LUA_TTABLE, (size_t)500 << 20));
    assert_int_equal(early.excess, TR_EXCESS_MEMORY);
    assert_null(tr_lua_allocate(&early, large, (size_t)20 << 20, 0));
}

static void functions_that_would_run_long_inside_are_bounded(void **state) {
    expect_error("local s = string.rep('ab', 1 << 24)", NULL,
                 "1: string.rep: the string would be longer than 16 MiB");
    expect_error("local s = string.rep('', 1 << 24, 'ab')", NULL,
                 "1: string.rep: the string would be longer than 16 MiB");
    expect_error("local t = {} for i = 1, 1000001 do t[i] = 0 end\ntable.sort(t)", NULL,
                 "2: table.sort: 1000001 entries are too many; at most 1000000 are possible");
    trModel *model = model_of("assert(string.rep('', 1 << 60) == '')\n"
                              "assert(string.rep('ab', 3, '-') == 'ab-ab-ab')\n"
                              "assert(string.rep('ab', -1) == '' and ('x'):rep(2) == 'xx')\n"
                              "local t = { 3, 1, 2 } table.sort(t)\n"
                              "assert(table.concat(t, ' ') == '1 2 3')\n"
                              "table.insert(t, 1, 0) assert(table.remove(t, 1) == 0)\n"
                              "assert(select('#', table.unpack(t)) == 3)\n" HEAD "return m",
                              NULL);
    tr_model_destroy(model);
}

// The arena of the model is not Lua's, and has its own bound, which is lifted after the load.
static void a_model_cannot_grow_without_bound(void **state) {
    expect_error("local c = {} for i = 1, 10001 do c[i] = 'x' .. i end\nsystem { coordinates = c }",
                 NULL, "2: system: 10001 coordinates are too many; at most 10000 are possible");
    trArena *arena = tr_arena_create();
    assert_non_null(arena);
    tr_arena_limit(arena, (size_t)3 << 20);
    assert_non_null(tr_arena_take(arena, (size_t)2 << 20, 1));
    tr_arena_limit(arena, 0);
    assert_non_null(tr_arena_take(arena, (size_t)2 << 20, 1));
    tr_arena_limit(arena, (size_t)3 << 20);
    assert_null(tr_arena_take(arena, (size_t)2 << 20, 1));
    assert_int_equal(tr_arena_status(arena), TR_E_MODEL);
    assert_string_equal(tr_last_error(), "the model needs too much memory (the limit is 3 MiB); "
                                         "look for a loop that adds without end");
    assert_null(tr_arena_take(arena, 1, 1));  // it is sticky
    tr_arena_destroy(arena);
}

static void errors_of_the_parser_have_a_line(void **state) {
    char text[1024] = "\n\nlocal x = ";
    for (int i = 0; i < 300; i++) {
        strcat(text, "(");
    }
    expect_error(text, NULL,
                 "3: C stack overflow; something is nested too deeply: name its parts by locals");
}

static void random_numbers_start_from_a_fixed_seed(void **state) {
    trModel *model = model_of("local first = math.random()\n"
                              "math.randomseed(1)\n"
                              "assert(math.random() == first)\n" HEAD "return m",
                              NULL);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_bounded_also_where_instructions_are_few),
        cmocka_unit_test(the_allocator_looks_at_time_and_texts),
        cmocka_unit_test(functions_that_would_run_long_inside_are_bounded),
        cmocka_unit_test(a_model_cannot_grow_without_bound),
        cmocka_unit_test(errors_of_the_parser_have_a_line),
        cmocka_unit_test(random_numbers_start_from_a_fixed_seed),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
