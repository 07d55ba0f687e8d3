// SPDX-License-Identifier: MIT
// A chain that is pinned by m:constraint has the work and the pattern of one with revolute joints.

#include <math.h>

#include "scenario/recorded_twins.h"
#include "support/test.h"

#define N 50  // as in the choice

// The same numbers in another order of operations: some 1e-15 that fifty rods enlarge.
#define SAME_PLACE 1e-11

static const PairChoice chain = {"chain.lua", {"N=50"}, "functions"};

static void the_run_takes_the_same_evaluations(void **state) {
    const trSimDef def = pair_def();
    Pair           pair = pair_load(&chain, &def);
    run_both(&pair);
    trSimStats joints = tr_sim_stats(pair.sim[0]), own = tr_sim_stats(pair.sim[1]);
    assert_int_equal(joints.evaluations, own.evaluations);
    assert_int_equal(joints.steps, own.steps);
    assert_int_equal(joints.rejected, own.rejected);
    assert_int_equal(joints.degrees_of_freedom, N);
    assert_int_equal(own.degrees_of_freedom, N);
    double apart = pair_apart(&pair);
    if (!(apart <= SAME_PLACE)) {
        fail_msg("the chains end %g apart", apart);
    }
    pair_free(&pair);
}

// Rows 2i and 2i + 1 hold the pin before rod i: they touch rods i - 1 and i and no other.
static void rows_touch_their_two_rods_only(void **state) {
    const trSimDef def = pair_def();
    Pair           pair = pair_load(&chain, &def);
    const trRows  *A = &pair.system[1]->pattern;
    int            sides = 0;
    assert_int_equal(A->m, 2 * N);
    for (int group = 0; group < A->groups; group++) {
        for (int side = A->group_side[group]; side < A->group_side[group + 1]; side++, sides++) {
            int rod = A->side_column[side] / 3, own = A->group_row[group] / 2;
            assert_int_equal(A->side_width[side], 3);
            assert_true(rod == own || rod == own - 1);
        }
    }
    assert_int_equal(A->groups, N);
    assert_int_equal(sides, 2 * N - 1);
    // As many numbers as the blocks of revolute joints have.
    assert_int_equal(pair.system[1]->values, pair.system[0]->values);
    pair_free(&pair);
}

// The arm of a pin turns with its own rod, so d(A' lambda)/dq has blocks on the diagonal alone.
static void the_tangent_has_one_block_for_each_rod(void **state) {
    const trSimDef         def = pair_def();
    Pair                   pair = pair_load(&chain, &def);
    const trTracedTangent *tangent = &pair.system[1]->traced->tangent;
    assert_int_equal(tangent->blocks, N);
    for (int i = 0; i < tangent->blocks; i++) {
        assert_int_equal(tangent->block[i].i, tangent->block[i].j);
    }
    pair_free(&pair);
    expect_equal_implicit_steps(&chain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_takes_the_same_evaluations),
        cmocka_unit_test(rows_touch_their_two_rods_only),
        cmocka_unit_test(the_tangent_has_one_block_for_each_rod),
    };
    return cmocka_run_group_tests_name("recorded chain", tests, NULL, NULL);
}
