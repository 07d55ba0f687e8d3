// SPDX-License-Identifier: MIT
// The factors of radau5's matrices grow in proportion to a mechanism, also where it has many loops.

#include "integrator/radau5.h"
#include "lua/lua_case.h"
#include "support/machines.h"

// N four-bars in a row, at an angle of 0.6 rad.
#define ROW                                                                                    \
    "local m, cranks = model {}, {}\n"                                                         \
    "local x, y = 0.8, 0.6\n"                                                                  \
    "for i = 0, parameter('N', 1) do\n"                                                        \
    "  cranks[i] = m:body { name = 'c' .. i, mass = 1, inertia = 0.1, at = { i, 0 } }\n"       \
    "  m:joint { 'revolute', name = 'g' .. i, m.ground, cranks[i], point = { i, 0 } }\n"       \
    "end\n"                                                                                    \
    "for i = 1, #cranks do\n"                                                                  \
    "  local b = m:body { name = 'b' .. i, mass = 1, inertia = 0.1, at = { i - 1 + x, y } }\n" \
    "  m:joint { 'revolute', name = 'l' .. i, cranks[i - 1], b, point = { i - 1 + x, y } }\n"  \
    "  m:joint { 'revolute', name = 'r' .. i, cranks[i], b, point = { i + x, y } }\n"          \
    "end\n"                                                                                    \
    "return m\n"

// Nonzeros of the factors of the complex matrix, which couples two stages.
static int fill_of(const char *number) {
    const char *const set[] = {number, NULL};
    Machine           machine = {.model = model_of(ROW, set)};
    trArena          *arena = tr_arena_create();
    trEval            eval;
    trTangent         tangent;
    trRadauMatrices   matrices;
    machine_build(&machine);
    const trSystem *s = machine.system;
    assert_int_equal(tr_eval_plan(arena, s, 1e-4, &eval), TR_OK);
    assert_int_equal(tr_tangent_plan(arena, s, &tangent), TR_OK);
    assert_int_equal(tr_system_eval(s, 0.0, s->q0, s->v0, &eval), TR_OK);
    double *lambda = tr_new_array(arena, double, s->m), *a = tr_new_array(arena, double, s->nv);
    tr_tangent_evaluate(&tangent, &eval, &(trTangentState){.v = s->v0, .a = a, .lambda = lambda});
    trDae dae = {.nv = s->nv, .m = s->m, .tangent = &tangent};
    assert_int_equal(tr_radau_plan(arena, &dae, &matrices), TR_OK);
    assert_int_equal(tr_radau_factor(&matrices, 1e-2), TR_OK);
    int fill = matrices.pair.sparse.fill;
    tr_arena_destroy(arena);
    machine_free(&machine);
    return fill;
}

// Four times the mechanism has four times the fill but for its ends; orders that do not allow for
// pivots off the diagonal gave 18 times.
static void four_times_the_loops_have_four_times_the_fill(void **state) {
    int few = fill_of("N=20"), many = fill_of("N=80");
    print_message("fill %d with 20 loops, %d with 80\n", few, many);
    assert_true(many <= 5 * few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_times_the_loops_have_four_times_the_fill),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
