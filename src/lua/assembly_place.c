// SPDX-License-Identifier: MIT
// Joints and forces between ports whose poses at the start are not known.
//
// Kinds prepare themselves from where their bodies stand in the model. Here one of the two bodies
// is put, for as long as that takes, where the meeting frames F1 and F2 lie on each other:
//
//     pose2 = F1 F2^-1          (or pose1 = F2 F1^-1, if body 2 is ground)
//
// so that "as at the start" means "as with the frames on each other". Kinds between two points
// that must not coincide have them one meter apart, and must be told lengths.

#include <math.h>
#include <string.h>

#include "lua/assembly.h"
#include "model/params.h"

#define MOST_ADDED 4  // parameters that follow from the frames

static bool has_field(const trField *fields, const char *name) {
    while (fields->name != NULL && strcmp(fields->name, name) != 0) {
        fields++;
    }
    return fields->name != NULL;
}

static const trParam *find(const trParam *params, const char *key) {
    while (params->key != NULL && strcmp(params->key, key) != 0) {
        params++;
    }
    return params->key != NULL ? params : NULL;
}

// --- point and axis of ground ---

static trStatus read_vector(const trParam *p, int dim, trVec3 *out) {
    if (p->kind != TR_PARAM_NUMBERS || p->count != dim) {
        return tr_fail(TR_E_MODEL, "'%s' must be %s", p->key, dim == 2 ? "{x, y}" : "{x, y, z}");
    }
    *out = (trVec3){p->numbers[0], p->numbers[1], dim == 3 ? p->numbers[2] : 0.0};
    return TR_OK;
}

static trStatus turn_to(trVec3 axis, int dim, trMeeting *m) {
    double length = tr_length3(axis);
    if (!(length > 0.0 && isfinite(length))) {
        return tr_fail(TR_E_MODEL, "'axis' must have a direction");
    }
    if (dim == 2) {
        m->angle = atan2(axis.y, axis.x);
        m->turn = (trQuat){cos(0.5 * m->angle), 0.0, 0.0, sin(0.5 * m->angle)};
    } else {
        m->turn = tr_quat_between((trVec3){0.0, 0.0, 1.0}, tr_scale3(1.0 / length, axis));
    }
    return TR_OK;
}

// `point` and `axis`, in the world: the frame of ground.
static trStatus take_world(const trModel *model, trMeetingPair *pair) {
    int            side = pair->body1 == TR_GROUND ? 0 : 1;
    trMeeting     *m = &pair->meeting[side];
    const trParam *point = find(pair->params, "point"), *axis = find(pair->params, "axis");
    trVec3         direction = {0.0, 0.0, 0.0};
    if (m->given) {
        return tr_fail(TR_E_MODEL, "'%s' and 'frame%d' are both given; keep one of them",
                       point != NULL ? "point" : "axis", side + 1);
    }
    if (point != NULL) {
        TR_TRY(read_vector(point, model->dim, &m->at));
    }
    if (axis != NULL) {
        TR_TRY(read_vector(axis, model->dim, &direction));
        TR_TRY(turn_to(direction, model->dim, m));
    }
    m->given = true;
    return TR_OK;
}

// --- what cannot be said of ports ---

static trStatus refuse_world(const trMeetingPair *pair) {
    static const char *const of_start[] = {"point",  "axis",        "world1",     "world2",
                                           "x_axis", "world_axis1", "world_axis2"};
    bool                     grounded = pair->body1 == TR_GROUND || pair->body2 == TR_GROUND;
    for (size_t i = 0; i < sizeof of_start / sizeof *of_start; i++) {
        bool of_ground = grounded && i < 2;
        bool absolute = strncmp(of_start[i], "world_axis", 10) == 0 &&
                        !has_field(pair->fields, "axis1");  // gears turn against ground
        if (find(pair->params, of_start[i]) != NULL && !of_ground && !absolute) {
            return tr_fail(TR_E_MODEL,
                           "'%s' cannot be given: it means the start, where ports are as their "
                           "modules say; give frame1 and frame2, or point1, point2, axis1, axis2 "
                           "in the ports",
                           of_start[i]);
        }
    }
    return TR_OK;
}

// Lengths that are not given would be those of the start.
static trStatus require_length(const trMeetingPair *pair) {
    for (const trField *f = pair->fields; f->name != NULL; f++) {
        if (strcmp(f->name, "length") == 0 && f->kind == TR_FIELD_REAL &&
            find(pair->params, "length") == NULL) {
            return tr_fail(TR_E_MODEL, "'length' is missing; how far the ports are apart at the "
                                       "start is not known here");
        }
    }
    return TR_OK;
}

static trStatus check_frames(const trMeetingPair *pair) {
    bool useful = has_field(pair->fields, "point1") || has_field(pair->fields, "axis1") ||
                  has_field(pair->fields, "point2");
    for (int side = 0; side < 2 && !useful; side++) {
        if (pair->meeting[side].given) {
            return tr_fail(TR_E_MODEL,
                           "'frame%d' would do nothing; '%s' has neither point nor axis", side + 1,
                           pair->kind);
        }
    }
    return TR_OK;
}

// --- parameters ---

static trStatus give(trModel *model, const char *key, trVec3 a, trParam **to) {
    double *numbers = tr_new_array(model->arena, double, 3);
    TR_TRY(tr_arena_status(model->arena));
    numbers[0] = a.x;
    numbers[1] = a.y;
    numbers[2] = a.z;
    *(*to)++ =
        (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = model->dim, .numbers = numbers};
    return TR_OK;
}

// The axis of a kind: z of its frame in space, x in the plane. The two axes of a universal joint
// are those of its cross, at right angles: the second one is x.
static trVec3 axis_of(const trModel *model, const trMeetingPair *pair, int side) {
    bool   x = model->dim == 2 || (side == 1 && strcmp(pair->kind, "universal") == 0);
    trVec3 own = x ? (trVec3){1.0, 0.0, 0.0} : (trVec3){0.0, 0.0, 1.0};
    return tr_quat_rotate(pair->meeting[side].turn, own);
}

static trStatus expand(trModel *model, trMeetingPair *pair) {
    static const char *const point[] = {"point1", "point2"}, *const axis[] = {"axis1", "axis2"};
    int      count = tr_param_count(pair->params);
    trParam *list = tr_new_array(model->arena, trParam, count + MOST_ADDED + 1), *to = list;
    TR_TRY(tr_arena_status(model->arena));
    for (int i = 0; i < count; i++) {
        const trParam *p = &pair->params[i];
        if (strcmp(p->key, "point") != 0 && strcmp(p->key, "axis") != 0) {
            *to++ = *p;
        }
    }
    for (int side = 0; side < 2; side++) {
        if (has_field(pair->fields, point[side]) && find(pair->params, point[side]) == NULL) {
            TR_TRY(give(model, point[side], pair->meeting[side].at, &to));
        }
        if (has_field(pair->fields, axis[side]) && find(pair->params, axis[side]) == NULL) {
            TR_TRY(give(model, axis[side], axis_of(model, pair, side), &to));
        }
    }
    pair->params = list;
    return TR_OK;
}

// --- poses ---

// Puts `body` where its frame `own` lies on the frame `other` of a body at the origin, or `apart`
// along the frame's x.
static void pose(trModel *model, int body, const trMeeting *own, const trMeeting *other,
                 double apart) {
    trBody *b = &model->body[body];
    trQuat  turn = tr_quat_mul(other->turn, tr_quat_conjugate(own->turn));
    trVec3  there = tr_add3(other->at, tr_quat_rotate(other->turn, (trVec3){apart, 0.0, 0.0}));
    trVec3  at = tr_sub3(there, tr_quat_rotate(turn, own->at));
    b->at = (trVec2){at.x, at.y};
    b->angle = other->angle - own->angle;
    b->spatial.place.at = at;
    b->spatial.place.orientation = turn;
}

trStatus tr_lua_meet(trModel *model, trMeetingPair *pair) {
    bool force = pair->family[0] == 'f';
    bool grounded = pair->body1 == TR_GROUND || pair->body2 == TR_GROUND;
    if (pair->body1 == TR_GROUND && pair->body2 == TR_GROUND) {
        return tr_fail(TR_E_MODEL, "connects ground with itself; name a port of a module");
    }
    TR_TRY(refuse_world(pair));
    TR_TRY(require_length(pair));
    if (grounded && (find(pair->params, "point") != NULL || find(pair->params, "axis") != NULL)) {
        TR_TRY(take_world(model, pair));
    }
    TR_TRY(check_frames(pair));
    TR_TRY(expand(model, pair));
    int    moved = pair->body2 != TR_GROUND ? pair->body2 : pair->body1;
    int    side = moved == pair->body2 ? 1 : 0;
    trBody kept = model->body[moved];
    double apart = has_field(pair->fields, "world1") ? 1.0 : 0.0;
    pose(model, moved, &pair->meeting[side], &pair->meeting[1 - side], apart);
    trStatus status = force ? tr_model_add_force(model, pair->kind, pair->name, pair->body1,
                                                 pair->body2, pair->params, NULL)
                            : tr_model_add_joint(model, pair->kind, pair->name, pair->body1,
                                                 pair->body2, pair->params, NULL);
    model->body[moved] = kept;
    return status;
}
