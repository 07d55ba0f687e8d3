// SPDX-License-Identifier: MIT
// A start off the constraints is assembled to the same pose however the world axes lie, and to one
// that is not far away, also where rows are redundant: off the constraints these contradict each
// other, and which of them are kept must not matter.

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "scenario/scenario.h"
#include "scenario/turned.h"
#include "support/test.h"
#include "trammel/assemble.h"

#define BODIES 4

// Damped least squares end with |phi| below 1e-9, so that Newton's method, which depends on the
// axes, does the square of that; the rest is rounding (3e-13 seen).
#define SAME 1e-10
// Bodies are up to 0.025 m and 0.03 rad off.
#define NEAR 0.06

typedef struct Pose {
    trVec3 at[BODIES];
    double moved;
    int    freedom;
} Pose;

static void assemble(const char *file, int turn, const char *method, Pose *out) {
    Run run;
    memset(&run, 0, sizeof run);
    run.model = turned_load(file, turn);
    trSimDef def = tr_sim_def_default();
    def.method = method;
    if (tr_system_build(run.model, &run.system) != TR_OK ||
        tr_sim_create(run.system, &def, &run.sim) != TR_OK) {
        fail_msg("%s, turn %d: %s", file, turn, tr_last_error());
    }
    trMat3 R = tr_quat_matrix(turned_by(run.system->space->dim, turn));
    assert_int_equal(run.system->bodies, BODIES);
    for (int i = 0; i < BODIES; i++) {
        trBodyState b = tr_sim_body(run.sim, i);
        out->at[i] = tr_unrotate3(&R, (trVec3){b.x, b.y, b.z});
    }
    trSimStats stats = tr_sim_stats(run.sim);
    out->moved = stats.assembly_position.value;
    out->freedom = stats.degrees_of_freedom;
    run_free(&run);
}

static void assembled_starts_do_not_depend_on_the_axes(void **state) {
    static const char *const file[] = {"tests/scenario/turned/open_cranks.lua",
                                       "tests/scenario/turned/open_hinges.lua"};
    static const char *const method[] = {"direct_mass", "nullspace"};
    for (int k = 0; k < 4; k++) {
        Pose   first, here;
        double most = 0.0;
        assemble(file[k / 2], 0, method[k % 2], &first);
        for (int turn = 0; turn < TURNS; turn++) {
            assemble(file[k / 2], turn, method[k % 2], &here);
            for (int i = 0; i < BODIES; i++) {
                most = fmax(most, tr_length3(tr_sub3(here.at[i], first.at[i])));
            }
            assert_true(here.moved <= NEAR);
            assert_int_equal(here.freedom, 1);
        }
        print_message("%s, %s: apart %.1e, moved by %.3f\n", file[k / 2], method[k % 2], most,
                      first.moved);
        assert_true(most <= SAME);
    }
}

// With something kept least squares end where Newton's method takes over, too.
static void kept_parts_do_not_make_a_start_depend_on_the_axes(void **state) {
    static const struct {
        const char *file;
        trKeep      keep;
        int         freedom;
    } given[] = {{"tests/scenario/turned/open_doors.lua", {0, NULL}, 2},
                 {"tests/scenario/turned/open_doors.lua", {0, "orientation"}, 2},
                 {"tests/scenario/turned/open_plates.lua", {0, NULL}, 1},
                 {"tests/scenario/turned/open_plates.lua", {1, "angle"}, 1}};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        trVec3 first[BODIES];
        double most = 0.0, moved = 0.0;
        for (int turn = 0; turn < TURNS; turn++) {
            Run               run = {.model = turned_load(given[k].file, turn)};
            trAssembly        a;
            trAssembleOptions options = tr_assemble_options_default();
            options.keep = &given[k].keep;
            options.keeps = 1;
            assert_int_equal(tr_system_build(run.model, &run.system), TR_OK);
            if (tr_assembly_find(run.system, &options, &a) != TR_OK) {
                fail_msg("%s, turn %d: %s", given[k].file, turn, tr_last_error());
            }
            trMat3 R = tr_quat_matrix(turned_by(run.system->space->dim, turn));
            for (int i = 0; i < run.system->bodies; i++) {
                trBodyState b = tr_system_body_state(run.system, i, a.q, a.v);
                trVec3      at = tr_unrotate3(&R, (trVec3){b.x, b.y, b.z});
                first[i] = turn == 0 ? at : first[i];
                most = fmax(most, tr_length3(tr_sub3(at, first[i])));
            }
            moved = fmax(moved, a.moved.value);
            assert_int_equal(a.degrees_of_freedom, given[k].freedom);
            tr_assembly_free(&a);
            run_free(&run);
        }
        print_message("%s, kept %d: apart %.1e, moved by %.3f\n", given[k].file, (int)k, most,
                      moved);
        assert_true(most <= SAME);
        assert_true(moved <= 2.0 * NEAR);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembled_starts_do_not_depend_on_the_axes),
        cmocka_unit_test(kept_parts_do_not_make_a_start_depend_on_the_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
