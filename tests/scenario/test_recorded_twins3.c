// SPDX-License-Identifier: MIT
// Every spatial joint and force, against the same thing written by a user with m:constraint,
// m:nonholonomic and m:force. The twins are in tests/scenario/recorded.

#include <stdio.h>
#include <string.h>

#include "scenario/recorded_twins.h"
#include "support/test.h"

#define NAME_ROOM 64

static const char *const starts[][2] = {{"seed=1", "coordinates=body"},
                                        {"seed=2", "coordinates=body"},
                                        {"seed=3", "coordinates=quaternion"}};

#define STARTS (sizeof starts / sizeof *starts)
#define IN_BODY_COORDINATES 2  // of them; implicit steps are taken in these

// "kind=revolute" of the spatial kind number i, or NULL where it is planar.
static const char *joint_word(int i, char *room) {
    snprintf(room, NAME_ROOM, "kind=%s", tr_joint_at(i)->name);
    return tr_joint_at(i)->dim == 3 ? room : NULL;
}

static const char *force_word(int i, char *room) {
    snprintf(room, NAME_ROOM, "kind=%s", tr_force_at(i)->name);
    return tr_force_at(i)->dim == 3 ? room : NULL;
}

// Whether the twin has the same functions; the others have products of axes in place of
// quaternions.
static bool has_same_functions(const char *kind) {
    static const char *const others[] = {"constant_velocity", "cylindrical", "fixed", "planar",
                                         "prismatic",         "revolute",    "screw"};
    bool                     same = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        same = same && strcmp(kind, others[i]) != 0;
    }
    return same;
}

static PairChoice joint_choice(const char *kind, size_t k) {
    return (PairChoice){"spatial.lua", {kind, starts[k][0], starts[k][1]}, "functions"};
}

static void every_joint_moves_like_its_twin(void **state) {
    char           room[NAME_ROOM];
    const trSimDef def = pair_def();
    for (int i = 0; i < tr_joint_count(); i++) {
        const char *kind = joint_word(i, room);
        for (size_t k = 0; kind != NULL && k < STARTS; k++) {
            PairChoice choice = joint_choice(kind, k);
            Pair       still = pair_make(&choice, &def), pair = pair_make(&choice, &def);
            expect_equal_joints(&still);
            if (has_same_functions(tr_joint_at(i)->name)) {
                expect_equal_rows(&still);
            }
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
        for (size_t k = 0; kind != NULL && k < IN_BODY_COORDINATES; k++) {
            PairChoice choice = joint_choice(kind, k);
            expect_equal_implicit_steps(&choice);
        }
    }
}

static void check_force(const char *kind, const char *damped, const char *by) {
    const trSimDef def = pair_def();
    for (size_t k = 0; k < STARTS; k++) {
        PairChoice choice = {"spatial_forces.lua", {kind, damped, starts[k][0], starts[k][1]}, by};
        Pair       still = pair_make(&choice, &def), pair = pair_make(&choice, &def);
        expect_equal_forces(&still);
        expect_equal_runs(&pair);
        expect_equal_forces(&pair);
        pair_free(&still);
        pair_free(&pair);
        if (k < IN_BODY_COORDINATES) {
            expect_equal_implicit_steps(&choice);
        }
    }
}

static void every_force_acts_like_its_twin(void **state) {
    char room[NAME_ROOM];
    for (int i = 0; i < tr_force_count(); i++) {
        const char *kind = force_word(i, room);
        if (kind != NULL) {
            check_force(kind, "damped=true", "functions");
        }
    }
}

static void potentials_act_like_forces(void **state) {
    static const char *const kinds[] = {"kind=bump_stop", "kind=bushing", "kind=contact",
                                        "kind=gravity",   "kind=spring",  "kind=torsion_spring"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        check_force(kinds[i], "damped=false", "potential");
    }
}

// Out of contact there is neither load nor power.
static void one_sided_forces_end_where_their_twins_do(void **state) {
    static const char *const kinds[] = {"kind=bump_stop", "kind=contact"};
    static const char *const twins[] = {"functions", "potential"};
    const trSimDef           def = pair_def();
    for (int i = 0; i < 4; i++) {
        PairChoice choice = {"spatial_forces.lua", {kinds[i / 2], "depth=-0.1"}, twins[i % 2]};
        Pair       still = pair_make(&choice, &def);
        expect_equal_forces(&still);
        pair_free(&still);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_moves_like_its_twin),
        cmocka_unit_test(every_joint_steps_like_its_twin),
        cmocka_unit_test(every_force_acts_like_its_twin),
        cmocka_unit_test(potentials_act_like_forces),
        cmocka_unit_test(one_sided_forces_end_where_their_twins_do),
    };
    return cmocka_run_group_tests_name("recorded twins in space", tests, NULL, NULL);
}
