// SPDX-License-Identifier: MIT
// A start off the constraints is assembled to the same pose however the world axes lie, and to one
// that is not far away, also where rows are redundant: off the constraints these contradict each
// other, and which of them are kept must not matter.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "scenario/scenario.h"
#include "scenario/turned.h"

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
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembled_starts_do_not_depend_on_the_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
