// SPDX-License-Identifier: MIT
// Every planar joint and force, against the same thing written by a user with m:constraint,
// m:nonholonomic and m:force. The twins are in tests/scenario/recorded/planar.lua.

#include <stdio.h>

#include "scenario/recorded_twins.h"
#include "support/test.h"

#define NAME_ROOM 64

static const char *const seeds[] = {"seed=1", "seed=2", "seed=3"};

#define SEEDS (sizeof seeds / sizeof *seeds)

static PairChoice joint_choice(const char *kind, const char *seed) {
    return (PairChoice){"planar.lua", {kind, seed}, "functions"};
}

// "kind=revolute" of the planar kind number i, or NULL where it is spatial.
static const char *joint_word(int i, char *room) {
    snprintf(room, NAME_ROOM, "kind=%s", tr_joint_at(i)->name);
    return tr_joint_at(i)->dim == 2 ? room : NULL;
}

static const char *force_word(int i, char *room) {
    snprintf(room, NAME_ROOM, "kind=%s", tr_force_at(i)->name);
    return tr_force_at(i)->dim == 2 ? room : NULL;
}

static void every_joint_moves_like_its_twin(void **state) {
    char           room[NAME_ROOM];
    const trSimDef def = pair_def();
    for (int i = 0; i < tr_joint_count(); i++) {
        const char *kind = joint_word(i, room);
        for (size_t k = 0; kind != NULL && k < SEEDS; k++) {
            PairChoice choice = joint_choice(kind, seeds[k]);
            Pair       still = pair_make(&choice, &def), pair = pair_make(&choice, &def);
            expect_equal_joints(&still);
            expect_equal_rows(&still);
            expect_equal_runs(&pair);
            expect_equal_joints(&pair);
            pair_free(&still);
            pair_free(&pair);
        }
    }
}

static void every_joint_steps_like_its_twin(void **state) {
    char room[NAME_ROOM];
    for (int i = 0; i < tr_joint_count(); i++) {
        const char *kind = joint_word(i, room);
        for (size_t k = 0; kind != NULL && k < SEEDS; k++) {
            PairChoice choice = joint_choice(kind, seeds[k]);
            expect_equal_implicit_steps(&choice);
        }
    }
}

static void check_force(const PairChoice *choice) {
    const trSimDef def = pair_def();
    Pair           still = pair_make(choice, &def), pair = pair_make(choice, &def);
    expect_equal_forces(&still);
    expect_equal_runs(&pair);
    expect_equal_forces(&pair);
    pair_free(&still);
    pair_free(&pair);
    expect_equal_implicit_steps(choice);
}

static void every_force_acts_like_its_twin(void **state) {
    char room[NAME_ROOM];
    for (int i = 0; i < tr_force_count(); i++) {
        const char *kind = force_word(i, room);
        for (size_t k = 0; kind != NULL && k < SEEDS; k++) {
            check_force(&(PairChoice){"planar.lua", {"part=force", kind, seeds[k]}, "functions"});
        }
    }
}

static void potentials_act_like_forces(void **state) {
    static const char *const kinds[] = {"kind=gravity", "kind=spring", "kind=torsion_spring"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (size_t k = 0; k < SEEDS; k++) {
            check_force(&(PairChoice){
                "planar.lua", {"part=force", kinds[i], "damped=false", seeds[k]}, "potential"});
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_moves_like_its_twin),
        cmocka_unit_test(every_joint_steps_like_its_twin),
        cmocka_unit_test(every_force_acts_like_its_twin),
        cmocka_unit_test(potentials_act_like_forces),
    };
    return cmocka_run_group_tests_name("recorded twins in the plane", tests, NULL, NULL);
}
