// SPDX-License-Identifier: MIT
// A body of a spatial model: what the user writes, checked, and its principal axes.

#include <math.h>

#include "model/params.h"

#define TRIANGLE 1e-6  // by how much moments of inertia may break the inequality, relative
#define NEARLY_UNIT 1e-9
#define ONE_TURN 6.2832  // [rad]

typedef struct Body {
    double    mass;              // [kg]
    trNumbers inertia;           // 3 or 6 [kg m^2]
    trVec3    at;                // [m]
    trNumbers quaternion;        // 4, or none
    trVec3    rotation;          // [rad]
    trVec3    com;               // [m]
    trVec3    velocity;          // [m/s]
    trVec3    angular_velocity;  // [rad/s]
} Body;

const trField tr_body3_fields[] = {
    TR_FIELD(Body, mass, TR_FIELD_REAL, TR_REQUIRED | TR_NOT_NEGATIVE, 0.0, "kg",
             "0 is allowed for a massless body"),
    TR_FIELD(Body, inertia, TR_FIELD_NUMBERS, 0, 0.0, "kg m^2",
             "about the center of mass, in the body frame: {Jxx, Jyy, Jzz} or {Jxx, Jyy, Jzz, Jxy, "
             "Jxz, Jyz} with Jxy = -(integral of x y dm); default: none"),
    TR_FIELD(Body, at, TR_FIELD_VEC3, 0, 0.0, "m", "origin of the body frame at the start"),
    TR_FIELD(Body, quaternion, TR_FIELD_NUMBERS, 0, 0.0, "",
             "{e0, e1, e2, e3}, from the body frame to the world, at the start"),
    TR_FIELD(Body, rotation, TR_FIELD_VEC3, 0, NAN, "rad",
             "of the body frame at the start: axis times angle, instead of quaternion"),
    TR_FIELD(Body, com, TR_FIELD_VEC3, 0, 0.0, "m", "center of mass in the body frame"),
    TR_FIELD(Body, velocity, TR_FIELD_VEC3, 0, 0.0, "m/s", "of the frame origin at the start"),
    TR_FIELD(Body, angular_velocity, TR_FIELD_VEC3, 0, 0.0, "rad/s", "at the start, in world axes"),
    TR_FIELD_END,
};

// Real moments obey J1 + J2 >= J3, for J1 + J2 - J3 is twice the integral of x3^2 dm.
static trStatus find_principal(const trNumbers *inertia, trPlace3 *place) {
    double tensor[6] = {0.0}, value[3];
    trMat3 axes;
    if (inertia->count != 0 && inertia->count != 3 && inertia->count != 6) {
        return tr_fail(TR_E_MODEL, "'inertia' has %d numbers; 3 or 6 are expected", inertia->count);
    }
    for (int i = 0; i < inertia->count; i++) {
        tensor[i] = inertia->at[i];
    }
    tr_principal_axes(tensor, value, &axes);
    double slack = TRIANGLE * value[2];
    if (value[0] < -slack) {
        return tr_fail(TR_E_MODEL,
                       "'inertia' has a negative principal moment, %g kg m^2; check the signs of "
                       "its numbers",
                       value[0]);
    }
    if (value[0] + value[1] < value[2] - slack) {
        return tr_fail(
            TR_E_MODEL,
            "'inertia' violates the triangle inequality: no body has the principal "
            "moments %g, %g and %g kg m^2, the largest exceeds the sum of the others; check "
            "its numbers and that they are about the center of mass",
            value[0], value[1], value[2]);
    }
    place->inertia = (trVec3){fmax(value[0], 0.0), fmax(value[1], 0.0), fmax(value[2], 0.0)};
    place->principal = tr_quat_of_matrix(&axes);
    return TR_OK;
}

// More than a turn is a quaternion like any other, and most likely a slip.
static trStatus warn_of_degrees(trModel *model, const trTurn *turn) {
    const double angle = tr_length3(turn->rotation);  // not a number: none is given
    return angle > ONE_TURN
               ? tr_model_warn(model,
                               tr_arena_format(model->arena,
                                               "%s '%s': 'rotation' is by %g rad, %.3g "
                                               "turns: degrees? Angles are in rad",
                                               turn->family, turn->name, angle, angle / ONE_TURN))
               : TR_OK;
}

trStatus tr_bind_turn(trModel *model, const trTurn *turn, trQuat *out) {
    const trNumbers *q = &turn->quaternion;
    bool             turned = !isnan(turn->rotation.x);
    *out = turned ? tr_quat_exp(turn->rotation) : (trQuat){1.0, 0.0, 0.0, 0.0};
    if (!isfinite(out->w)) {
        return tr_fail(TR_E_MODEL, "'rotation' is too large; it is an axis times an angle in rad");
    }
    if (q->count == 0) {
        return warn_of_degrees(model, turn);
    }
    if (turned) {
        return tr_fail(TR_E_MODEL, "'quaternion' and 'rotation' are both given; keep one of them");
    }
    if (q->count != 4) {
        return tr_fail(TR_E_MODEL, "'quaternion' has %d numbers; 4 are expected", q->count);
    }
    trQuat given = {q->at[0], q->at[1], q->at[2], q->at[3]};
    double norm =
        sqrt(given.w * given.w + given.x * given.x + given.y * given.y + given.z * given.z);
    if (!(norm > 0.0 && isfinite(norm))) {
        return tr_fail(TR_E_MODEL, "'quaternion' is zero; {1, 0, 0, 0} is no rotation");
    }
    *out = tr_quat_unit(given);
    if (fabs(norm - 1.0) <= NEARLY_UNIT) {
        return TR_OK;
    }
    return tr_model_warn(model, tr_arena_format(model->arena,
                                                "%s '%s': 'quaternion' has length %.9g; it was "
                                                "divided by it",
                                                turn->family, turn->name, norm));
}

// What would be right for a planar body.
static trStatus check_planar_words(const trParam *params) {
    const trParam *inertia = tr_param_find(params, "inertia");
    if (tr_param_find(params, "angle") != NULL) {
        return tr_fail(TR_E_MODEL,
                       "'angle' is of planar bodies; in space give 'rotation', axis times angle, "
                       "or 'quaternion'");
    }
    return inertia != NULL && inertia->kind == TR_PARAM_NUMBER
               ? tr_fail(TR_E_MODEL,
                         "'inertia' of a spatial body is a list {Jxx, Jyy, Jzz}, or with Jxy, Jxz "
                         "and Jyz after them")
               : TR_OK;
}

trStatus tr_body3_bind(trModel *model, const trParam *params, trBody *body) {
    TR_TRY(check_planar_words(params));
    Body      b;
    trPlace3 *place = &body->spatial.place;
    TR_TRY(tr_fields_bind(model->arena, tr_body3_fields, params, &b));
    body->mass = b.mass;
    body->spatial = (trBody3){.place = {.at = b.at, .com = b.com, .mass = b.mass},
                              .velocity = b.velocity,
                              .angular_velocity = b.angular_velocity};
    TR_TRY(find_principal(&b.inertia, place));
    trTurn turn = {b.quaternion, b.rotation, "body", body->name};
    return tr_bind_turn(model, &turn, &place->orientation);
}
