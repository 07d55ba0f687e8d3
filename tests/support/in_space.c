// SPDX-License-Identifier: MIT
#include "support/in_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tape/tape.h"

#define NAME_ROOM 128
#define VECTOR(key, a) TR_VEC(key, (a).x, (a).y, (a).z)

static const trVec3 normal = {0.0, 0.0, 1.0};

// The prepared parameter of this name.
static const void *prepared(const trField *fields, const void *params, const char *name) {
    while (strcmp(fields->name, name) != 0) {
        fields++;
    }
    return (const char *)params + fields->offset;
}

// A direction of a body's frame: for ground that is the world, in which the plane is turned.
static trVec3 direction(const Plane *plane, int body, trVec3 a) {
    return body == TR_GROUND ? tr_quat_rotate(plane->turn, a) : a;
}

// A prepared point counts from the center of mass; in a model file it counts from the frame origin.
static trVec3 point(const trModel *planar, const Plane *plane, int body, const trVec2 *p) {
    trVec2 com = body == TR_GROUND ? (trVec2){0.0, 0.0} : planar->body[body].com;
    return direction(plane, body, (trVec3){p->x + com.x, p->y + com.y, 0.0});
}

static trParam function(const char *key, const trFunction *f) {
    return f->tape == NULL ? (trParam)TR_NUM(key, f->constant)
                           : (trParam){.key = key, .kind = TR_PARAM_FUNCTION, .function = f->tape};
}

// Moments across the plane must not matter: J is that of a body that is no plate.
static trStatus add_body(const trBody *b, const Plane *plane, trModel *out) {
    trQuat turn = tr_quat_mul(plane->turn, tr_quat_exp(tr_scale3(b->angle, normal)));
    trVec3 at = tr_quat_rotate(plane->turn, (trVec3){b->at.x, b->at.y, 0.0});
    trVec3 v = tr_quat_rotate(plane->turn, (trVec3){b->velocity.x, b->velocity.y, 0.0});
    trVec3 w = tr_quat_rotate(plane->turn, tr_scale3(b->angular_velocity, normal));
    int    number = 0;
    return tr_model_add_body(
        out, b->name,
        TR_PARAMS(TR_NUM("mass", b->mass),
                  TR_VEC("inertia", 0.9 * b->inertia, 0.7 * b->inertia, b->inertia),
                  VECTOR("at", at), TR_VEC("quaternion", turn.w, turn.x, turn.y, turn.z),
                  TR_VEC("com", b->com.x, b->com.y, 0.0), VECTOR("velocity", v),
                  VECTOR("angular_velocity", w)),
        &number);
}

static trStatus add_knife_edge(const trModel *planar, const Plane *plane, const trJoint *j,
                               trModel *out) {
    const trField *fields = j->kind->fields;
    const trVec2  *axis = prepared(fields, j->params, "axis2");
    trVec3         p2 = point(planar, plane, j->body2, prepared(fields, j->params, "point2"));
    trVec3         a2 = direction(plane, j->body2, (trVec3){axis->x, axis->y, 0.0});
    trVec3         n1 = direction(plane, j->body1, normal), n2 = direction(plane, j->body2, normal);
    char           name[NAME_ROOM];
    TR_TRY(tr_model_add_joint(
        out, "knife_edge", j->name, j->body1, j->body2,
        TR_PARAMS(VECTOR("point2", p2), VECTOR("axis2", a2), VECTOR("normal1", n1)), NULL));
    snprintf(name, sizeof name, "%s plane", j->name);
    return tr_model_add_joint(
        out, "planar", name, j->body1, j->body2,
        TR_PARAMS(VECTOR("point2", p2), VECTOR("axis1", n1), VECTOR("axis2", n2)), NULL);
}

// A spatial drive counts from the start, a planar one from equal angles.
static trStatus add_driven_angle(const trModel *planar, const Plane *plane, const trJoint *j,
                                 trModel *out) {
    double angle1 = j->body1 == TR_GROUND ? 0.0 : planar->body[j->body1].angle;
    double angle2 = j->body2 == TR_GROUND ? 0.0 : planar->body[j->body2].angle;
    if (angle1 != angle2) {
        return tr_fail(TR_E_UNSUPPORTED, "joint '%s' does not start from zero", j->name);
    }
    trVec3  n1 = direction(plane, j->body1, normal), n2 = direction(plane, j->body2, normal);
    trParam angle = function("angle", prepared(j->kind->fields, j->params, "angle"));
    return tr_model_add_joint(out, "driven_angle", j->name, j->body1, j->body2,
                              TR_PARAMS(VECTOR("axis1", n1), VECTOR("axis2", n2), angle), NULL);
}

static trStatus add_pair(const trModel *planar, const Plane *plane, const trJoint *j,
                         trModel *out) {
    const trField *fields = j->kind->fields;
    trVec3         p1 = point(planar, plane, j->body1, prepared(fields, j->params, "point1"));
    trVec3         p2 = point(planar, plane, j->body2, prepared(fields, j->params, "point2"));
    trVec3         n1 = direction(plane, j->body1, normal), n2 = direction(plane, j->body2, normal);
    if (strcmp(j->kind->name, "revolute") == 0) {
        return tr_model_add_joint(out, "revolute", j->name, j->body1, j->body2,
                                  TR_PARAMS(VECTOR("point1", p1), VECTOR("point2", p2),
                                            VECTOR("axis1", n1), VECTOR("axis2", n2)),
                                  NULL);
    }
    const trVec2 *axis = prepared(fields, j->params, "axis1");
    trVec3        a1 = direction(plane, j->body1, (trVec3){axis->x, axis->y, 0.0});
    return tr_model_add_joint(
        out, "prismatic", j->name, j->body1, j->body2,
        TR_PARAMS(VECTOR("point1", p1), VECTOR("point2", p2), VECTOR("axis1", a1)), NULL);
}

static trStatus add_joint(const trModel *planar, const Plane *plane, const trJoint *j,
                          trModel *out) {
    const char *kind = j->kind->name;
    if (strcmp(kind, "knife_edge") == 0) {
        return add_knife_edge(planar, plane, j, out);
    }
    if (strcmp(kind, "driven_angle") == 0) {
        return add_driven_angle(planar, plane, j, out);
    }
    if (strcmp(kind, "revolute") == 0 || strcmp(kind, "prismatic") == 0) {
        return add_pair(planar, plane, j, out);
    }
    return tr_fail(TR_E_UNSUPPORTED, "joint '%s' of kind %s", j->name, kind);
}

static trStatus add_spring(const trModel *planar, const Plane *plane, const trForce *f,
                           trModel *out) {
    const trField      *fields = f->kind->fields;
    const trLaw *const *stiffness = prepared(fields, f->params, "stiffness");
    const trLaw *const *damping = prepared(fields, f->params, "damping");
    const double       *length = prepared(fields, f->params, "length");
    trVec3              p1 = point(planar, plane, f->body1, prepared(fields, f->params, "point1"));
    trVec3              p2 = point(planar, plane, f->body2, prepared(fields, f->params, "point2"));
    trParam list[6] = {VECTOR("point1", p1), VECTOR("point2", p2), TR_NUM("length", *length)};
    int     count = 3;
    if (*stiffness != NULL) {
        list[count++] = (trParam){.key = "stiffness", .kind = TR_PARAM_LAW, .law = *stiffness};
    }
    if (*damping != NULL) {
        list[count++] = (trParam){.key = "damping", .kind = TR_PARAM_LAW, .law = *damping};
    }
    return tr_model_add_force(out, "spring", f->name, f->body1, f->body2, list, NULL);
}

static trStatus add_force(const trModel *planar, const Plane *plane, const trForce *f,
                          trModel *out) {
    if (strcmp(f->kind->name, "spring") == 0) {
        return add_spring(planar, plane, f, out);
    }
    if (strcmp(f->kind->name, "torque") == 0 && f->body2 != TR_GROUND) {
        trParam moment = function("mz", prepared(f->kind->fields, f->params, "moment"));
        return tr_model_add_force(out, "torque", f->name, f->body1, f->body2,
                                  TR_PARAMS(moment, TR_WORD("frame", "body")), NULL);
    }
    // That of the model comes with its parameters.
    return strcmp(f->kind->name, "gravity") == 0
               ? TR_OK
               : tr_fail(TR_E_UNSUPPORTED, "force '%s' of kind %s", f->name, f->kind->name);
}

trStatus model_in_space(const trModel *planar, const Plane *plane, trModel **out) {
    trVec3 g = {planar->gravity.x, planar->gravity.y, plane->gravity};
    g = tr_quat_rotate(plane->turn, g);
    TR_TRY(tr_model_create(
        TR_PARAMS(TR_WORD("name", planar->name), TR_NUM("dim", 3), VECTOR("gravity", g)), out));
    for (int i = 0; i < planar->bodies; i++) {
        TR_TRY(add_body(&planar->body[i], plane, *out));
    }
    for (int i = 0; i < planar->joints; i++) {
        TR_TRY(add_joint(planar, plane, &planar->joint[i], *out));
    }
    for (int i = 0; i < planar->forces; i++) {
        TR_TRY(add_force(planar, plane, &planar->force[i], *out));
    }
    return TR_OK;
}
