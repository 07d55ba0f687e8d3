// SPDX-License-Identifier: MIT
// Joints of random parameters between random bodies, with their twins. Include after cmocka.h.

#ifndef TR_TESTS_JOINT_CASES_H
#define TR_TESTS_JOINT_CASES_H

#include <stdbool.h>
#include <string.h>

#include "joint/motion.h"
#include "joint/twins.h"
#include "support/test.h"

// What a kind is made of: which parameters to give it.
enum {
    POINT = 1 << 0,        // point | point1, point2
    POINT2 = 1 << 1,       // point | point2
    FROM_ORIGIN = 1 << 2,  // with `point`, point1 is the frame origin of body 1
    ENDS = 1 << 3,         // world1, world2 | point1, point2
    AXIS1 = 1 << 4,        // axis | axis1
    AXIS2 = 1 << 5,        // axis | axis2
    ANGLE = 1 << 6,        // angle, a number
    LENGTH = 1 << 7,       // length, a number
    RATIO = 1 << 8,        // ratio
    RACK = 1 << 10,        // axis and radius
    AT_CENTER = 1 << 9,    // reaction at the center of mass of body 2, else at its point
};

typedef struct Family {
    const char *name;
    Twin        twin;
    unsigned    uses;
    const char *driver;  // the key of its function of time, or NULL
} Family;

static const Family families[] = {
    {"distance", twin_distance, ENDS | LENGTH, NULL},
    {"driven_angle", twin_driven_angle, AT_CENTER, "angle"},
    {"driven_coordinate", twin_driven_coordinate, POINT | FROM_ORIGIN | AXIS1, "value"},
    {"driven_distance", twin_driven_distance, ENDS, "length"},
    {"fixed", twin_fixed, POINT | ANGLE, NULL},
    {"gear", twin_gear, RATIO | AT_CENTER, NULL},
    {"knife_edge", twin_knife_edge, POINT2 | AXIS2, NULL},
    {"point_on_line", twin_point_on_line, POINT | AXIS1, NULL},
    {"prismatic", twin_prismatic, POINT | AXIS1 | ANGLE, NULL},
    {"rack_and_pinion", twin_rack_and_pinion, RACK | AT_CENTER, NULL},
    {"revolute", twin_revolute, POINT, NULL},
};

// How the parameters are written.
typedef enum Wording {
    IN_BODY_AXES,
    IN_THE_WORLD,
    AS_AT_THE_START,  // in the world, with angle and length left to the start
} Wording;

// One joint of random parameters between two random bodies.
typedef struct Case {
    const Family      *family;
    const trJointKind *kind;
    trArena           *arena;
    trPlace2           place[TR_JOINT_BODIES];
    Setup              setup;
    void              *params;
    double             number[6][2];  // vectors among the parameters
    trParam            list[12];
    int                count;  // of list, and of number
    int                vectors;
} Case;

static inline const Family *family_of(const char *name) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].name, name) == 0) {
            return &families[i];
        }
    }
    return NULL;
}

// Kinds without one have their rows tested by differences (system/test_examples.c).
static inline bool has_twin(const trJointKind *kind) {
    return family_of(kind->name) != NULL;
}

static inline void give_vec(Case *c, const char *key, trVec2 a) {
    double *at = c->number[c->vectors++];
    at[0] = a.x;
    at[1] = a.y;
    c->list[c->count++] =
        (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = 2, .numbers = at};
}

static inline void give_number(Case *c, const char *key, double number) {
    c->list[c->count++] = (trParam)TR_NUM(key, number);
}

// From the world into body axes, and back.
static inline trVec2 into(const trPlace2 *place, trVec2 a) {
    double c = cos(place->angle), s = sin(place->angle);
    return (trVec2){c * a.x + s * a.y, c * a.y - s * a.x};
}

static inline trVec2 out_of(const trPlace2 *place, trVec2 a) {
    double c = cos(place->angle), s = sin(place->angle);
    return (trVec2){c * a.x - s * a.y, s * a.x + c * a.y};
}

static inline void give_points(Case *c, Random *random, Wording wording) {
    Setup   *setup = &c->setup;
    unsigned uses = c->family->uses;
    if ((uses & (POINT | POINT2)) != 0 && wording != IN_BODY_AXES) {
        trVec2 pin = tr_add2(c->place[1].at, random_vec(random, 0.4));
        setup->point1 = into(&c->place[0], tr_sub2(pin, c->place[0].at));
        setup->point2 = into(&c->place[1], tr_sub2(pin, c->place[1].at));
        if ((uses & FROM_ORIGIN) != 0) {
            setup->point1 = (trVec2){0.0, 0.0};
        }
        give_vec(c, "point", pin);
    } else if ((uses & ENDS) != 0 && wording != IN_BODY_AXES) {
        give_vec(c, "world1", tr_add2(c->place[0].at, out_of(&c->place[0], setup->point1)));
        give_vec(c, "world2", tr_add2(c->place[1].at, out_of(&c->place[1], setup->point2)));
    } else {
        if ((uses & (POINT | ENDS)) != 0) {
            give_vec(c, "point1", setup->point1);
        }
        if ((uses & (POINT | POINT2 | ENDS)) != 0) {
            give_vec(c, "point2", setup->point2);
        }
    }
}

// A rack between bodies 1 and 3; its axis is given in the world, in any wording.
static inline void give_rack(Case *c, Random *random) {
    trVec2 axis = random_vec(random, 2.0);
    double size = hypot(axis.x, axis.y);
    trVec2 com1 = tr_add2(c->place[0].at, out_of(&c->place[0], c->place[0].com));
    trVec2 com3 = tr_add2(c->place[2].at, out_of(&c->place[2], c->place[2].com));
    c->setup.axis1 = into(&c->place[2], axis);
    c->setup.apart = tr_dot2(axis, tr_sub2(com1, com3)) / size;
    give_vec(c, "world_axis1", axis);
    give_number(c, "radius", c->setup.ratio);
}

static inline void give_the_rest(Case *c, Random *random, Wording wording) {
    Setup   *setup = &c->setup;
    unsigned uses = c->family->uses;
    if ((uses & (AXIS1 | AXIS2)) != 0) {
        trVec2 axis = random_vec(random, 2.0);
        setup->axis1 = into(&c->place[0], axis);
        setup->axis2 = into(&c->place[1], axis);
        if (wording != IN_BODY_AXES) {
            give_vec(c, "axis", axis);
        } else if ((uses & AXIS1) != 0) {
            give_vec(c, "axis1", setup->axis1);
        } else {
            give_vec(c, "axis2", setup->axis2);
        }
    }
    if ((uses & RACK) != 0) {
        give_rack(c, random);
    }
    if ((uses & ANGLE) != 0 && wording != AS_AT_THE_START) {
        give_number(c, "angle", setup->angle);
    }
    if ((uses & LENGTH) != 0 && wording != AS_AT_THE_START) {
        give_number(c, "length", setup->length);
    }
    if ((uses & RATIO) != 0) {
        give_number(c, "ratio", setup->ratio);
    }
    if (c->family->driver != NULL) {
        c->list[c->count++] = (trParam){
            .key = c->family->driver, .kind = TR_PARAM_FUNCTION, .function = setup->function};
    }
}

// The tape of twin_driver.
static inline const trTape *driver_tape(trArena *arena) {
    trTape *tape = tr_tape_create(arena);
    int     t = tr_tape_time(tape);
    int     twice = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 2.0), t, -1);
    int     wave = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 0.3),
                              tr_tape_op(tape, TR_OP_SIN, twice, -1, -1), -1);
    int     square = tr_tape_op(tape, TR_OP_MUL, t, t, -1);
    int     growth = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 0.1), square, -1);
    int     sum = tr_tape_op(tape, TR_OP_ADD, wave, growth, -1);
    sum = tr_tape_op(tape, TR_OP_ADD, tr_tape_constant(tape, 1.2), sum, -1);
    tr_tape_finish(tape, sum, "driver");
    return tape;
}

static inline void open_case(Case *c, const trJointKind *kind, Random *random, Wording wording) {
    *c = (Case){.family = family_of(kind->name), .kind = kind, .arena = tr_arena_create()};
    for (int k = 0; k < TR_JOINT_BODIES; k++) {
        c->place[k] = random_place(random, k + 1);
    }
    c->setup = (Setup){.point1 = random_vec(random, 0.4), .point2 = random_vec(random, 0.4)};
    c->setup.angle = random_in(random, -2.0, 2.0);
    c->setup.length = random_in(random, 1.0, 3.0);
    c->setup.ratio = random_in(random, -3.0, -1.0);
    for (int k = 0; k < 3; k++) {
        c->setup.angle_0[k] = c->place[k].angle;
    }
    c->setup.function = driver_tape(c->arena);
    give_points(c, random, wording);
    give_the_rest(c, random, wording);
    c->params = tr_arena_take(c->arena, 1, kind->size);
    if (tr_fields_bind(c->arena, kind->fields, c->list, c->params) != TR_OK ||
        kind->prepare(c->params, c->place) != TR_OK) {
        fail_msg("%s: %s", kind->name, tr_last_error());
    }
}

static inline void close_case(Case *c) {
    tr_arena_destroy(c->arena);
}

#endif
