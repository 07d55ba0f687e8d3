// SPDX-License-Identifier: MIT
// The same mechanism in other units, seen from a turned world, or with its bodies and joints in
// another order, moves in the same way and bears the same loads, also where it has a body without
// mass and joints that repeat others.
//
// The mechanism is a crank with a massless rod to a slider, which two prismatic joints hold in the
// same way; a gear ties a wheel to the crank, and a spring holds the slider.

#include <math.h>
#include <string.h>

#include "scenario/scenario.h"
#include "support/test.h"

#define BODIES 4
#define JOINTS 7
#define ROWS 20       // after the first
#define STEP 1e-3     // of rk4 [s]
#define DURATION 2.0  // [s]

// Both runs take the same 2000 steps up to rounding and up to how closely the projection meets the
// constraints, 1e-12 (1 + max|q|) in the units of each.
#define SAME 1e-9

// How a mechanism given in m, kg, s is written down.
typedef struct Variant {
    double     length, mass, time;  // how many of its units make 1 m, 1 kg, 1 s
    double     turn;                // of the world [rad]
    const int *body_order;          // BODIES
    const int *joint_order;         // JOINTS
} Variant;

enum { CRANK, ROD, SLIDER, WHEEL };

typedef struct BodySpec {
    const char *name;
    double      mass, inertia;
    trVec2      at;
    double      angle;
    trVec2      com;
} BodySpec;

// The crank of 1 m stands upright, the rod of sqrt(5) m reaches down to (2, 0).
static const BodySpec bodies[BODIES] = {
    {"crank", 1.0, 0.3, {0.0, 0.0}, 1.5707963267948966, {0.4, 0.1}},
    {"rod", 0.0, 0.0, {0.0, 1.0}, -0.4636476090008061, {1.0, 0.0}},
    {"slider", 2.0, 0.1, {2.0, 0.0}, 0.0, {0.1, 0.2}},
    {"wheel", 1.5, 0.2, {-1.0, 0.5}, 0.3, {0.2, 0.0}},
};

typedef struct JointSpec {
    const char *kind, *name;
    int         body1, body2;
    trVec2      point;  // in the world, at the start
} JointSpec;

static const JointSpec joints[JOINTS] = {
    {"revolute", "O", TR_GROUND, CRANK, {0.0, 0.0}},
    {"revolute", "A", CRANK, ROD, {0.0, 1.0}},
    {"revolute", "B", ROD, SLIDER, {2.0, 0.0}},
    {"prismatic", "guide", TR_GROUND, SLIDER, {2.0, 0.0}},
    {"prismatic", "again", TR_GROUND, SLIDER, {2.4, 0.3}},
    {"revolute", "bearing", TR_GROUND, WHEEL, {-1.0, 0.5}},
    {"gear", "gear", CRANK, WHEEL, {0.0, 0.0}},
};

static const int plain_bodies[BODIES] = {0, 1, 2, 3};
static const int plain_joints[JOINTS] = {0, 1, 2, 3, 4, 5, 6};
static const int mixed_bodies[BODIES] = {3, 1, 0, 2};
static const int mixed_joints[JOINTS] = {6, 2, 4, 0, 5, 3, 1};

static trVec2 turned(const Variant *v, double scale, trVec2 a) {
    return tr_scale2(scale, tr_rotate2(cos(v->turn), sin(v->turn), a));
}

static trStatus add_bodies(const Variant *v, trModel *model, int number[BODIES]) {
    for (int k = 0; k < BODIES; k++) {
        int             i = v->body_order[k];
        const BodySpec *b = &bodies[i];
        trVec2          at = turned(v, v->length, b->at);
        TR_TRY(tr_model_add_body(
            model, b->name,
            TR_PARAMS(TR_NUM("mass", b->mass * v->mass),
                      TR_NUM("inertia", b->inertia * v->mass * v->length * v->length),
                      TR_VEC("at", at.x, at.y), TR_NUM("angle", b->angle + v->turn),
                      TR_VEC("com", b->com.x * v->length, b->com.y * v->length)),
            &number[i]));
    }
    return TR_OK;
}

static trStatus add_joints(const Variant *v, trModel *model, const int number[BODIES]) {
    trVec2 axis = turned(v, 1.0, (trVec2){1.0, 0.0});
    for (int k = 0; k < JOINTS; k++) {
        const JointSpec *j = &joints[v->joint_order[k]];
        int              body1 = j->body1 == TR_GROUND ? TR_GROUND : number[j->body1];
        trVec2           point = turned(v, v->length, j->point);
        const trParam   *pin = TR_PARAMS(TR_VEC("point", point.x, point.y));
        const trParam   *slide =
            TR_PARAMS(TR_VEC("point", point.x, point.y), TR_VEC("axis", axis.x, axis.y));
        const trParam *ratio = TR_PARAMS(TR_NUM("ratio", -1.5));
        const trParam *params = strcmp(j->kind, "gear") == 0       ? ratio
                                : strcmp(j->kind, "revolute") == 0 ? pin
                                                                   : slide;
        TR_TRY(tr_model_add_joint(model, j->kind, j->name, body1, number[j->body2], params, NULL));
    }
    return TR_OK;
}

static trStatus simulate(const Variant *v, Run *run) {
    int    number[BODIES] = {0};
    trVec2 gravity = turned(v, v->length / (v->time * v->time), (trVec2){0.0, -9.81});
    trVec2 wall = turned(v, v->length, (trVec2){3.5, 0.4});
    double stiffness = 20.0 * v->mass / (v->time * v->time), damping = 0.7 * v->mass / v->time;
    memset(run, 0, sizeof *run);
    TR_TRY(tr_model_create(TR_PARAMS(TR_VEC("gravity", gravity.x, gravity.y)), &run->model));
    TR_TRY(add_bodies(v, run->model, number));
    TR_TRY(add_joints(v, run->model, number));
    TR_TRY(tr_model_add_force(run->model, "spring", "tie", TR_GROUND, number[SLIDER],
                              TR_PARAMS(TR_VEC("point1", wall.x, wall.y),
                                        TR_NUM("stiffness", stiffness), TR_NUM("damping", damping),
                                        TR_NUM("length", 1.0 * v->length)),
                              NULL));
    TR_TRY(tr_system_build(run->model, &run->system));
    trSimDef def = tr_sim_def_default();
    def.integrator = "rk4";
    def.step = STEP * v->time;
    def.duration = DURATION * v->time;
    def.sample = DURATION / ROWS * v->time;
    return run_simulate(run, &def);
}

#define QUANTITIES 9

// Of one body in m, s and the world that is not turned: x, y, angle, their rates, and the moment of
// the gear and the force in the pin A, which are unique although those of the guides are not.
static void quantities(const Variant *v, const Run *run, long row, const char *name, double *out) {
    double c = cos(v->turn), s = sin(v->turn);
    double force = v->mass * v->length / (v->time * v->time);
    trVec2 at = {run_part(run, row, name, "x"), run_part(run, row, name, "y")};
    trVec2 velocity = {run_part(run, row, name, "vx"), run_part(run, row, name, "vy")};
    trVec2 pin = {run_value(run, row, "A.Fx"), run_value(run, row, "A.Fy")};
    at = tr_scale2(1.0 / v->length, tr_unrotate2(c, s, at));
    velocity = tr_scale2(v->time / v->length, tr_unrotate2(c, s, velocity));
    pin = tr_scale2(1.0 / force, tr_unrotate2(c, s, pin));
    out[0] = at.x;
    out[1] = at.y;
    out[2] = run_part(run, row, name, "angle") - v->turn;
    out[3] = velocity.x;
    out[4] = velocity.y;
    out[5] = run_part(run, row, name, "omega") * v->time;
    out[6] = run_value(run, row, "gear.M") / (force * v->length);
    out[7] = pin.x;
    out[8] = pin.y;
}

static const Variant plain = {1.0, 1.0, 1.0, 0.0, plain_bodies, plain_joints};

static void run_or_fail(const Variant *v, Run *run) {
    if (simulate(v, run) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    assert_int_equal(run->rows, ROWS + 1);
    assert_int_equal(tr_sim_stats(run->sim).degrees_of_freedom, 1);
    assert_int_equal(tr_sim_stats(run->sim).redundant_rows, 2);
}

static void check_variant(const Variant *variant) {
    Run    base, other;
    double wanted[QUANTITIES], found[QUANTITIES];
    run_or_fail(&plain, &base);
    run_or_fail(variant, &other);
    for (long row = 0; row <= ROWS; row++) {
        for (int i = 0; i < BODIES; i++) {
            quantities(&plain, &base, row, bodies[i].name, wanted);
            quantities(variant, &other, row, bodies[i].name, found);
            for (int k = 0; k < QUANTITIES; k++) {
                double error = fabs(found[k] - wanted[k]) / (1.0 + fabs(wanted[k]));
                if (!(error <= SAME)) {
                    fail_msg("%s, quantity %d, row %ld: off by %g", bodies[i].name, k, row, error);
                }
            }
        }
    }
    run_free(&other);
    run_free(&base);
}

static void motion_does_not_depend_on_units(void **state) {
    check_variant(&(Variant){1e3, 1e3, 1e3, 0.0, plain_bodies, plain_joints});
    check_variant(&(Variant){1e3, 1e-3, 1.0, 0.0, plain_bodies, plain_joints});
    check_variant(&(Variant){1e3, 1e6, 1.0, 0.0, plain_bodies, plain_joints});
}

static void motion_does_not_depend_on_the_direction_of_the_world(void **state) {
    check_variant(&(Variant){1.0, 1.0, 1.0, 2.2176543, plain_bodies, plain_joints});
}

static void motion_does_not_depend_on_the_order_of_bodies_and_joints(void **state) {
    check_variant(&(Variant){1.0, 1.0, 1.0, 0.0, mixed_bodies, mixed_joints});
}

static void motion_does_not_depend_on_all_of_these_together(void **state) {
    check_variant(&(Variant){1e3, 1e3, 1e3, -0.8123, mixed_bodies, mixed_joints});
}

// Without motion and loads the comparisons would prove nothing.
static void every_body_moves_and_the_gear_bears_a_moment(void **state) {
    Run    run;
    double first[QUANTITIES], now[QUANTITIES];
    run_or_fail(&plain, &run);
    for (int i = 0; i < BODIES; i++) {
        double most = 0.0, load = 0.0;
        quantities(&plain, &run, 0, bodies[i].name, first);
        for (long row = 1; row <= ROWS; row++) {
            quantities(&plain, &run, row, bodies[i].name, now);
            most = fmax(most, fmax(fabs(now[0] - first[0]), fabs(now[2] - first[2])));
            load = fmax(load, fabs(now[6]));
        }
        assert_true(most > 0.1);
        assert_true(load > 0.1);
    }
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_does_not_depend_on_units),
        cmocka_unit_test(motion_does_not_depend_on_the_direction_of_the_world),
        cmocka_unit_test(motion_does_not_depend_on_the_order_of_bodies_and_joints),
        cmocka_unit_test(motion_does_not_depend_on_all_of_these_together),
        cmocka_unit_test(every_body_moves_and_the_gear_bears_a_moment),
    };
    return cmocka_run_group_tests_name("invariance, massless", tests, NULL, NULL);
}
