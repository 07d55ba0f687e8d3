// SPDX-License-Identifier: MIT
// The same mechanism in other units, seen from a turned world, or with its bodies and joints in
// another order, moves in the same way.
//
// The mechanism is a four-bar with a motor torque on the crank, an arm on the coupler that is
// driven against it, and a skate (knife edge) on the ground, tied to the coupler by a spring and
// damper.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario/scenario.h"
#include "support/test.h"
#include "tape/tape.h"

#define BODIES 5
#define JOINTS 7
#define STEP 1e-3     // of rk4 [s]
#define DURATION 2.0  // [s]
#define ROWS 20       // after the first

// Both runs take the same 2000 steps up to rounding and up to how closely the projection meets the
// constraints, 1e-12 (1 + max|q|) in the units of each. The motion is not chaotic within its 2 s,
// so that these differences stay far below this bound.
#define SAME 1e-9

// How a mechanism given in m, kg, s is written down.
typedef struct Variant {
    double     length, mass, time;  // how many of its units make 1 m, 1 kg, 1 s
    double     turn;                // of the world [rad]
    const int *body_order;          // BODIES
    const int *joint_order;         // JOINTS
} Variant;

typedef struct BodySpec {
    const char *name;
    double      mass, inertia;
    trVec2      at;
    double      angle;
    trVec2      com;
    trVec2      velocity;
    double      omega;
} BodySpec;

// The arm's angle against the coupler is ARM_START + ARM_SWING sin(ARM_RATE t).
#define ARM_START 0.3
#define ARM_SWING 0.4
#define ARM_RATE 2.0
#define PHI2 0.4232455982985229
#define PHI3 1.004203159591008

static const BodySpec bodies[BODIES] = {
    {"crank", 1.0, 0.3, {0.0, 0.0}, 1.0471975511965976, {1.0, 0.0}, {0.0, 0.0}, 0.0},
    {"coupler", 2.25, 2.0, {1.0, 1.7320508075688772}, PHI2, {2.0, 0.1}, {0.0, 0.0}, 0.0},
    {"follower", 2.2, 1.35, {2.5, 0.0}, PHI3, {2.0, 0.0}, {0.0, 0.0}, 0.0},
    {"arm",
     0.5,
     0.02,
     {2.8235214136195177, 2.553494447796906},
     PHI2 + ARM_START,
     {0.4, 0.0},
     {0.0, 0.0},
     ARM_SWING *ARM_RATE},
    {"skate", 0.8, 0.05, {4.0, -1.0}, 0.7, {0.1, 0.05}, {0.382421093642, 0.322108843619}, 0.6},
};

enum { CRANK, COUPLER, FOLLOWER, ARM, SKATE };

typedef struct JointSpec {
    const char *kind, *name;
    int         body1, body2;
    trVec2      point1, point2;  // in body axes
} JointSpec;

static const JointSpec joints[JOINTS] = {
    {"revolute", "O", TR_GROUND, CRANK, {0.0, 0.0}, {0.0, 0.0}},
    {"revolute", "A", CRANK, COUPLER, {2.0, 0.0}, {0.0, 0.0}},
    {"revolute", "B", COUPLER, FOLLOWER, {4.0, 0.0}, {4.0, 0.0}},
    {"revolute", "D", TR_GROUND, FOLLOWER, {2.5, 0.0}, {0.0, 0.0}},
    {"revolute", "shoulder", COUPLER, ARM, {2.0, 0.0}, {0.0, 0.0}},
    {"driven_angle", "drive", COUPLER, ARM, {0.0, 0.0}, {0.0, 0.0}},
    {"knife_edge", "edge", TR_GROUND, SKATE, {0.0, 0.0}, {0.0, 0.0}},
};

static const int plain_bodies[BODIES] = {0, 1, 2, 3, 4};
static const int plain_joints[JOINTS] = {0, 1, 2, 3, 4, 5, 6};
static const int mixed_bodies[BODIES] = {3, 0, 4, 2, 1};
static const int mixed_joints[JOINTS] = {5, 2, 6, 0, 4, 3, 1};

static trVec2 turned(const Variant *v, double scale, trVec2 a) {
    return tr_scale2(scale, tr_rotate2(cos(v->turn), sin(v->turn), a));
}

static trStatus add_bodies(const Variant *v, trModel *model, int number[BODIES]) {
    for (int k = 0; k < BODIES; k++) {
        int             i = v->body_order[k];
        const BodySpec *b = &bodies[i];
        trVec2          at = turned(v, v->length, b->at);
        trVec2          velocity = turned(v, v->length / v->time, b->velocity);
        TR_TRY(tr_model_add_body(
            model, b->name,
            TR_PARAMS(TR_NUM("mass", b->mass * v->mass),
                      TR_NUM("inertia", b->inertia * v->mass * v->length * v->length),
                      TR_VEC("at", at.x, at.y), TR_NUM("angle", b->angle + v->turn),
                      TR_VEC("com", b->com.x * v->length, b->com.y * v->length),
                      TR_VEC("velocity", velocity.x, velocity.y),
                      TR_NUM("angular_velocity", b->omega / v->time)),
            &number[i]));
    }
    return TR_OK;
}

// ARM_START + ARM_SWING sin(ARM_RATE t) in the variant's time.
static const trTape *arm_angle(const Variant *v, trArena *arena) {
    trTape *tape = tr_tape_create(arena);
    int     rate = tr_tape_constant(tape, ARM_RATE / v->time);
    int     phase = tr_tape_op(tape, TR_OP_MUL, rate, tr_tape_time(tape), -1);
    int     sine = tr_tape_op(tape, TR_OP_SIN, phase, -1, -1);
    int     swing = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, ARM_SWING), sine, -1);
    int     sum = tr_tape_op(tape, TR_OP_ADD, tr_tape_constant(tape, ARM_START), swing, -1);
    tr_tape_finish(tape, sum, "arm_angle");
    return tape;
}

static trStatus add_joint(const Variant *v, const JointSpec *j, int body1, int body2,
                          const trTape *angle, trModel *model) {
    trVec2 p1 = tr_scale2(v->length, j->point1), p2 = tr_scale2(v->length, j->point2);
    if (body1 == TR_GROUND) {
        p1 = turned(v, v->length, j->point1);
    }
    if (strcmp(j->kind, "knife_edge") == 0) {
        return tr_model_add_joint(
            model, j->kind, j->name, body1, body2,
            TR_PARAMS(TR_VEC("point2", p2.x, p2.y), TR_VEC("axis2", 1.0, 0.0)), NULL);
    }
    if (strcmp(j->kind, "driven_angle") == 0) {
        const trParam drive = {.key = "angle", .kind = TR_PARAM_FUNCTION, .function = angle};
        return tr_model_add_joint(model, j->kind, j->name, body1, body2, TR_PARAMS(drive), NULL);
    }
    return tr_model_add_joint(model, j->kind, j->name, body1, body2,
                              TR_PARAMS(TR_VEC("point1", p1.x, p1.y), TR_VEC("point2", p2.x, p2.y)),
                              NULL);
}

static trStatus add_joints(const Variant *v, trModel *model, const int number[BODIES],
                           trArena *arena) {
    const trTape *angle = arm_angle(v, arena);
    for (int k = 0; k < JOINTS; k++) {
        const JointSpec *j = &joints[v->joint_order[k]];
        int              body1 = j->body1 == TR_GROUND ? TR_GROUND : number[j->body1];
        TR_TRY(add_joint(v, j, body1, number[j->body2], angle, model));
    }
    return TR_OK;
}

static trStatus add_forces(const Variant *v, trModel *model, const int number[BODIES]) {
    double moment = 15.0 * v->mass * v->length * v->length / (v->time * v->time);
    double stiffness = 20.0 * v->mass / (v->time * v->time), damping = 0.7 * v->mass / v->time;
    TR_TRY(tr_model_add_force(model, "torque", "motor", TR_GROUND, number[CRANK],
                              TR_PARAMS(TR_NUM("moment", moment)), NULL));
    return tr_model_add_force(model, "spring", "tie", number[COUPLER], number[SKATE],
                              TR_PARAMS(TR_VEC("point1", 3.0 * v->length, 0.2 * v->length),
                                        TR_VEC("point2", -0.1 * v->length, 0.0),
                                        TR_NUM("stiffness", stiffness), TR_NUM("damping", damping),
                                        TR_NUM("length", 2.0 * v->length)),
                              NULL);
}

static trStatus build(const Variant *v, trArena *arena, Run *run) {
    int    number[BODIES] = {0};
    trVec2 gravity = turned(v, v->length / (v->time * v->time), (trVec2){0.0, -9.81});
    TR_TRY(tr_model_create(
        TR_PARAMS(TR_WORD("name", "invariance"), TR_VEC("gravity", gravity.x, gravity.y)),
        &run->model));
    TR_TRY(add_bodies(v, run->model, number));
    TR_TRY(add_joints(v, run->model, number, arena));
    TR_TRY(add_forces(v, run->model, number));
    return tr_system_build(run->model, &run->system);
}

static trStatus simulate(const Variant *v, trArena *arena, Run *run) {
    memset(run, 0, sizeof *run);
    TR_TRY(build(v, arena, run));
    trSimDef def = tr_sim_def_default();
    def.integrator = "rk4";
    def.step_projection = "mass_orthogonal";
    def.step = STEP * v->time;
    def.duration = DURATION * v->time;
    def.sample = DURATION / ROWS * v->time;
    return run_simulate(run, &def);
}

// The columns of body `name` in m, s and the world that is not turned: x, y, angle and rates.
static void motion(const Variant *v, const Run *run, long row, const char *name, double out[6]) {
    trVec2 at = {run_part(run, row, name, "x"), run_part(run, row, name, "y")};
    trVec2 velocity = {run_part(run, row, name, "vx"), run_part(run, row, name, "vy")};
    at = tr_scale2(1.0 / v->length, tr_unrotate2(cos(v->turn), sin(v->turn), at));
    velocity = tr_scale2(v->time / v->length, tr_unrotate2(cos(v->turn), sin(v->turn), velocity));
    out[0] = at.x;
    out[1] = at.y;
    out[2] = run_part(run, row, name, "angle") - v->turn;
    out[3] = velocity.x;
    out[4] = velocity.y;
    out[5] = run_part(run, row, name, "omega") * v->time;
}

static void compare(const Variant *v, const Run *base, const Variant *w, const Run *other) {
    double expected[6], found[6];
    assert_int_equal(base->rows, ROWS + 1);
    assert_int_equal(other->rows, ROWS + 1);
    for (long row = 0; row <= ROWS; row++) {
        for (int i = 0; i < BODIES; i++) {
            motion(v, base, row, bodies[i].name, expected);
            motion(w, other, row, bodies[i].name, found);
            for (int k = 0; k < 6; k++) {
                double error = fabs(found[k] - expected[k]) / (1.0 + fabs(expected[k]));
                if (!(error <= SAME)) {
                    fail_msg("%s, quantity %d, row %ld: off by %g", bodies[i].name, k, row, error);
                }
            }
        }
    }
}

static const Variant plain = {1.0, 1.0, 1.0, 0.0, plain_bodies, plain_joints};

static void check_variant(const Variant *variant) {
    trArena *arena = tr_arena_create();
    Run      base, other;
    assert_non_null(arena);
    trStatus status = simulate(&plain, arena, &base);
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    status = simulate(variant, arena, &other);
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    compare(&plain, &base, variant, &other);
    run_free(&other);
    run_free(&base);
    tr_arena_destroy(arena);
}

static void motion_does_not_depend_on_units(void **state) {
    check_variant(&(Variant){1e3, 1e3, 1e3, 0.0, plain_bodies, plain_joints});
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

// Without motion the comparisons would prove nothing.
static void every_body_turns(void **state) {
    trArena *arena = tr_arena_create();
    Run      run;
    double   first[6], now[6];
    assert_int_equal(simulate(&plain, arena, &run), TR_OK);
    for (int i = 0; i < BODIES; i++) {
        double most = 0.0;
        motion(&plain, &run, 0, bodies[i].name, first);
        for (long row = 1; row <= ROWS; row++) {
            motion(&plain, &run, row, bodies[i].name, now);
            most = fmax(most, fabs(now[2] - first[2]));
        }
        assert_true(most > 0.1);
    }
    run_free(&run);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_does_not_depend_on_units),
        cmocka_unit_test(motion_does_not_depend_on_the_direction_of_the_world),
        cmocka_unit_test(motion_does_not_depend_on_the_order_of_bodies_and_joints),
        cmocka_unit_test(motion_does_not_depend_on_all_of_these_together),
        cmocka_unit_test(every_body_turns),
    };
    return cmocka_run_group_tests_name("invariance", tests, NULL, NULL);
}
