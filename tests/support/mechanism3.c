// SPDX-License-Identifier: MIT
#include "support/mechanism3.h"

#include <string.h>

#include "support/mechanism3_data.h"
#include "tape/tape.h"

#define VECTOR(key, a) TR_VEC(key, (a).x, (a).y, (a).z)
#define LIST 8  // parameters of a joint, with the end

// From the plain world to that of the view: places, and directions.
static trVec3 place(const View3 *v, trVec3 p) {
    return tr_scale3(v->length, tr_add3(tr_quat_rotate(tr_quat_exp(v->turn), p), v->shift));
}

static trVec3 direction(const View3 *v, trVec3 a) {
    return tr_quat_rotate(tr_quat_exp(v->turn), a);
}

// The frame of a body that the view uses, in the plain world.
typedef struct Frame {
    trVec3 at;    // [m]
    trQuat turn;  // from the frame to the world
} Frame;

static Frame frame_of(const View3 *v, int body) {
    const BodySpec *b = &bodies[body];
    Frame           frame = {b->at, tr_quat_exp(b->rotation)};
    if (v->other_frames) {
        frame.at = tr_add3(frame.at, tr_quat_rotate(frame.turn, b->other_at));
        frame.turn = tr_quat_mul(frame.turn, tr_quat_exp(b->other_rotation));
    }
    return frame;
}

// A point and a direction of the plain world in a body's frame, in units of the view.
static trVec3 own_point(const View3 *v, int body, trVec3 p) {
    if (body == TR_GROUND) {
        return place(v, p);
    }
    Frame frame = frame_of(v, body);
    return tr_scale3(v->length, tr_quat_unrotate(frame.turn, tr_sub3(p, frame.at)));
}

static trVec3 own_direction(const View3 *v, int body, trVec3 a) {
    return body == TR_GROUND ? direction(v, a) : tr_quat_unrotate(frame_of(v, body).turn, a);
}

// J in axes that are turned by k: K' J K.
static void turn_tensor(const double J[6], trQuat k, double scale, double out[6]) {
    trMat3       K = tr_quat_matrix(k);
    trMat3       T = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    const trVec3 x = tr_rotate3(&T, K.x), y = tr_rotate3(&T, K.y), z = tr_rotate3(&T, K.z);
    out[0] = scale * tr_dot3(K.x, x);
    out[1] = scale * tr_dot3(K.y, y);
    out[2] = scale * tr_dot3(K.z, z);
    out[3] = scale * tr_dot3(K.x, y);
    out[4] = scale * tr_dot3(K.x, z);
    out[5] = scale * tr_dot3(K.y, z);
}

static trStatus add_body(const View3 *v, int index, trModel *model, int *number) {
    const BodySpec *b = &bodies[index];
    const Frame     frame = frame_of(v, index);
    trQuat given = tr_quat_exp(b->rotation), turn = tr_quat_mul(tr_quat_exp(v->turn), frame.turn);
    trVec3 arm = tr_sub3(frame.at, b->at), at = place(v, frame.at);
    trVec3 com = own_point(v, index, tr_add3(b->at, tr_quat_rotate(given, b->com)));
    trVec3 velocity = tr_add3(b->velocity, tr_cross3(b->omega, arm));
    trVec3 omega = tr_scale3(1.0 / v->time, direction(v, b->omega));
    double mass = v->mass * (v->massless_coupler && index == COUPLER ? 0.0 : 1.0), J[6];
    velocity = tr_scale3(v->length / v->time, direction(v, velocity));
    turn_tensor(b->inertia, tr_quat_mul(tr_quat_conjugate(given), frame.turn),
                mass * v->length * v->length, J);
    return tr_model_add_body(
        model, b->name,
        TR_PARAMS(TR_NUM("mass", b->mass * mass),
                  TR_VEC("inertia", J[0], J[1], J[2], J[3], J[4], J[5]), VECTOR("at", at),
                  TR_VEC("quaternion", turn.w, turn.x, turn.y, turn.z), VECTOR("com", com),
                  VECTOR("velocity", velocity), VECTOR("angular_velocity", omega)),
        number);
}

// amplitude sin(rate t) in the view's units.
static const trTape *swing(const View3 *v, const JointSpec *j, trModel *model) {
    trTape *tape = tr_tape_create(model->arena);
    double  unit = strcmp(j->driver, "value") == 0 ? v->length : 1.0;
    int     rate = tr_tape_constant(tape, j->rate / v->time);
    int     phase = tr_tape_op(tape, TR_OP_MUL, rate, tr_tape_time(tape), -1);
    int     sine = tr_tape_op(tape, TR_OP_SIN, phase, -1, -1);
    int     amplitude = tr_tape_constant(tape, j->amplitude * unit);
    tr_tape_finish(tape, tr_tape_op(tape, TR_OP_MUL, amplitude, sine, -1), j->name);
    return tape;
}

// A list of parameters with room for its vectors.
typedef struct List {
    trParam param[LIST];
    double  vector[4][3];
    int     params, vectors;
} List;

static void give(List *list, const char *key, trVec3 a) {
    double *at = list->vector[list->vectors++];
    at[0] = a.x;
    at[1] = a.y;
    at[2] = a.z;
    list->param[list->params++] =
        (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = 3, .numbers = at};
}

static void give_own(const View3 *v, const JointSpec *j, List *list) {
    if ((j->words & (POINT | ENDS)) != 0) {
        give(list, "point1", own_point(v, j->body1, j->point1));
        give(list, "point2", own_point(v, j->body2, j->point2));
    }
    if ((j->words & (AXIS | AXES | AXIS1)) != 0) {
        give(list, "axis1", own_direction(v, j->body1, j->axis1));
    }
    if ((j->words & (AXIS | AXES)) != 0) {
        give(list, "axis2", own_direction(v, j->body2, j->axis2));
    }
}

static void give_world(const View3 *v, const JointSpec *j, List *list) {
    if ((j->words & POINT) != 0) {
        give(list, "point", place(v, j->point1));
    } else if ((j->words & ENDS) != 0) {
        give(list, "world1", place(v, j->point1));
        give(list, "world2", place(v, j->point2));
    }
    if ((j->words & (AXIS | AXIS1)) != 0) {
        give(list, "axis", direction(v, j->axis1));
    } else if ((j->words & AXES) != 0) {
        give(list, "world_axis1", direction(v, j->axis1));
        give(list, "world_axis2", direction(v, j->axis2));
    }
}

static trStatus add_joint(const View3 *v, int index, const int *number, trModel *model) {
    JointSpec j = joints[index];
    List      list = {.params = 0};
    if (mechanism3_is_swapped(v, index)) {
        const JointSpec *s = &joints[index];
        j.body1 = s->body2, j.point1 = s->point2, j.axis1 = s->axis2;
        j.body2 = s->body1, j.point2 = s->point1, j.axis2 = s->axis1;
    }
    if (v->own_words || (j.words & OWN) != 0) {
        give_own(v, &j, &list);
    } else {
        give_world(v, &j, &list);
    }
    if (j.driver != NULL) {
        list.param[list.params++] =
            (trParam){.key = j.driver, .kind = TR_PARAM_FUNCTION, .function = swing(v, &j, model)};
    }
    if (strcmp(j.name, "knee") == 0) {
        list.param[list.params++] = (trParam)TR_WORD("report", "tip");
    }
    return tr_model_add_joint(model, j.kind, j.name,
                              j.body1 == TR_GROUND ? TR_GROUND : number[j.body1],
                              j.body2 == TR_GROUND ? TR_GROUND : number[j.body2], list.param, NULL);
}

static trStatus add_forces(const View3 *v, const int *number, trModel *model) {
    double stiffness = v->mass / (v->time * v->time), damping = v->mass / v->time;
    double turning = stiffness * v->length * v->length, drag = damping * v->length * v->length;
    trVec3 moment = tr_scale3(turning, direction(v, (trVec3){0.3, -0.2, 2.0}));
    trVec3 x = direction(v, (trVec3){0.8, 0.6, 0.0}), y = direction(v, (trVec3){-0.6, 0.8, 0.0});
    trVec3 at = place(v, (trVec3){0.85, 0.25, -0.45});
    trVec3 end1 = own_point(v, PUCK, (trVec3){1.4, 0.8, -0.95});
    trVec3 end2 = own_point(v, FOLLOWER, (trVec3){2.95, 0.2, -0.05});
    trVec3 hinge = direction(v, (trVec3){0.1, -0.2, 1.0});
    TR_TRY(tr_model_add_force(
        model, "torque", "motor", TR_GROUND, number[ARM],
        TR_PARAMS(TR_NUM("mx", moment.x), TR_NUM("my", moment.y), TR_NUM("mz", moment.z)), NULL));
    TR_TRY(
        tr_model_add_force(model, "bushing", "muscle", number[LINK], number[BALL],
                           TR_PARAMS(VECTOR("point", at), VECTOR("x_axis", x), VECTOR("y_axis", y),
                                     TR_VEC("stiffness", 5.0 * stiffness, 4.0 * stiffness,
                                            3.0 * stiffness, turning, 2.0 * turning, 1.5 * turning),
                                     TR_VEC("damping", 0.1 * damping, 0.1 * damping, 0.2 * damping,
                                            0.02 * drag, 0.03 * drag, 0.01 * drag)),
                           NULL));
    TR_TRY(
        tr_model_add_force(model, "spring", "tether", number[PUCK], number[FOLLOWER],
                           TR_PARAMS(VECTOR("point1", end1), VECTOR("point2", end2),
                                     TR_NUM("stiffness", 15.0 * stiffness),
                                     TR_NUM("damping", 0.8 * damping), TR_NUM("length", v->length)),
                           NULL));
    return tr_model_add_force(model, "torsion_spring", "coil", TR_GROUND, number[CRANK],
                              TR_PARAMS(VECTOR("axis", hinge), TR_NUM("stiffness", 3.0 * turning),
                                        TR_NUM("damping", 0.05 * drag)),
                              NULL);
}

// The tip of the ball, in the plain world at the start.
static trStatus add_tip(const View3 *v, const int *number, trModel *model) {
    trVec3 at = own_point(v, BALL, (trVec3){0.9, 0.3, -0.75});
    trQuat turn = tr_quat_mul(tr_quat_conjugate(frame_of(v, BALL).turn),
                              tr_quat_exp((trVec3){0.4, 0.9, -0.3}));
    return tr_model_add_frame(
        model, "tip", number[BALL],
        TR_PARAMS(VECTOR("at", at), TR_VEC("quaternion", turn.w, turn.x, turn.y, turn.z)), NULL);
}

trStatus mechanism3_model(const View3 *v, trModel **out) {
    int    number[MECHANISM_BODIES] = {0};
    trVec3 g = tr_scale3(v->length / (v->time * v->time), direction(v, (trVec3){0.5, -0.3, -9.81}));
    TR_TRY(tr_model_create(
        TR_PARAMS(TR_NUM("dim", 3), VECTOR("gravity", g),
                  TR_WORD("coordinates", v->coordinates == NULL ? "body" : v->coordinates)),
        out));
    for (int k = 0; k < MECHANISM_BODIES; k++) {
        int i = v->other_order ? other_bodies[k] : k;
        TR_TRY(add_body(v, i, *out, &number[i]));
    }
    TR_TRY(add_tip(v, number, *out));
    for (int k = 0; k < MECHANISM_JOINTS; k++) {
        TR_TRY(add_joint(v, v->other_order ? other_joints[k] : k, number, *out));
    }
    return add_forces(v, number, *out);
}

const char *mechanism3_body(int index) {
    return bodies[index].name;
}

const char *mechanism3_joint(int index) {
    return joints[index].name;
}

bool mechanism3_is_swapped(const View3 *v, int joint) {
    return v->swapped && (joints[joint].words & SYMMETRIC) != 0;
}

bool mechanism3_is_unique(int joint) {
    return joints[joint].body2 < CRANK;
}

trVec3 mechanism3_plain_force(const View3 *v, bool in_world, trVec3 seen) {
    trVec3 force = in_world ? tr_quat_unrotate(tr_quat_exp(v->turn), seen) : seen;
    return tr_scale3(v->time * v->time / (v->mass * v->length), force);
}

trBodyState mechanism3_plain_state(const View3 *v, int index, trBodyState s) {
    trVec3 at = {s.x, s.y, s.z}, velocity = {s.vx, s.vy, s.vz}, omega = {s.wx, s.wy, s.wz};
    trQuat u = {s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]};
    at = tr_quat_unrotate(tr_quat_exp(v->turn), tr_sub3(tr_scale3(1.0 / v->length, at), v->shift));
    velocity = tr_quat_unrotate(tr_quat_exp(v->turn), tr_scale3(v->time / v->length, velocity));
    omega = tr_quat_unrotate(tr_quat_exp(v->turn), tr_scale3(v->time, omega));
    u = tr_quat_mul(tr_quat_conjugate(tr_quat_exp(v->turn)), u);
    if (v->other_frames && index < MECHANISM_BODIES) {
        const BodySpec *b = &bodies[index];
        u = tr_quat_mul(u, tr_quat_conjugate(tr_quat_exp(b->other_rotation)));
        trVec3 arm = tr_quat_rotate(u, b->other_at);
        at = tr_sub3(at, arm);
        velocity = tr_sub3(velocity, tr_cross3(omega, arm));
    }
    return (trBodyState){.x = at.x,
                         .y = at.y,
                         .z = at.z,
                         .quaternion = {u.w, u.x, u.y, u.z},
                         .vx = velocity.x,
                         .vy = velocity.y,
                         .vz = velocity.z,
                         .wx = omega.x,
                         .wy = omega.y,
                         .wz = omega.z};
}
