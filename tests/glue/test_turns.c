// SPDX-License-Identifier: MIT
// A port that has turned before: whole turns are no fault of a joint in the plane.

#include <math.h>

#include "glue/free_body.h"
#include "support/test.h"
#include "trammel/glue.h"

#define OK(call)                             \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

// Held by a fixed joint to ground, at an angle of 0: `angle` is where it starts.
static double held_angle(double angle) {
    static const char *const name[] = {"b"};
    const FreeBodyStart start = {.dim = 2, .mass = 1.0, .inertia = 1.0, .x = {0.0, 0.0, angle}};
    trGlueDef           def = tr_glue_def_default();
    trModel            *model = NULL;
    trSystem           *system = NULL;
    trCarrier          *carrier = NULL;
    trGlue             *glue = NULL;
    trModule            module;
    int                 body = 0;
    double              x[3], v[3], a[3];
    OK(tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, 0.0)), &model));
    OK(tr_model_add_body(model, "b.frame", TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1)),
                         &body));
    OK(tr_model_add_joint(model, "fixed", "weld", TR_GROUND, body, NULL, NULL));
    OK(tr_system_build(model, &system));
    assert_int_equal(free_body_open(&start, &module), 0);
    OK(tr_carrier_create_local(1, name, &module, &carrier));
    OK(tr_glue_create(system, carrier, &def, &glue));
    for (int i = 0; i < 5; i++) {
        OK(tr_glue_step(glue));
    }
    assert_true(tr_glue_stats(glue).position.angle < 1e-13);
    assert_int_equal(module.port_motion(module.self, x, v, a), 0);
    tr_glue_destroy(glue);
    tr_carrier_destroy(carrier);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return x[2];
}

// It is put straight by 0.01 rad, not by three turns.
static void whole_turns_stay(void **state) {
    const double turn = 2.0 * acos(-1.0);
    for (int count = -3; count <= 3; count++) {
        assert_true(fabs(held_angle(count * turn + 0.01) - count * turn) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_turns_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
