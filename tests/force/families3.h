// SPDX-License-Identifier: MIT
// Parameters for each spatial force, and scenes: random bodies that move, with a force between
// them. Include after cmocka.h.

#ifndef TR_TESTS_FORCE_FAMILIES3_H
#define TR_TESTS_FORCE_FAMILIES3_H

#include <string.h>

#include "base/law.h"
#include "force/force.h"
#include "joint/space.h"
#include "support/test.h"
#include "tape/tape.h"

enum {
    // Bodies turn by at most 1 rad from the start: angles between them stay clear of half a turn,
    // where a bushing jumps and a torsion spring has no direction.
    CALM = 1 << 0,
    // Components in world axes are functions of time, which cannot be turned with the scene.
    HELD_BY_WORLD = 1 << 1,
    // Has two formulas, with and without contact.
    ONE_SIDED = 1 << 2,
};

// Laws and functions that are not just numbers.
typedef struct Family {
    const char *name;
    unsigned    is;
    trParam     list[14];
} Family;

#define FAMILIES 16

typedef struct Materials {
    trArena      *arena;
    const trLaw  *stiffness, *damping, *profile;
    const trTape *wave;         // 3 sin t
    double        coupled[36];  // symmetric
    double        crooked[36];  // not symmetric
    int           families;
    Family        family[FAMILIES];
} Materials;

static const double end1[3] = {0.3, -0.2, 0.1}, end2[3] = {-0.1, 0.4, 0.2};
static const double way[3] = {0.4, -1.0, 2.0}, way2[3] = {1.5, 0.3, 0.2};
static const double diagonal[6] = {20.0, 30.0, 40.0, 5.0, 6.0, 7.0};
static const double preload[6] = {1.0, -2.0, 3.0, 0.5, 0.4, -0.3};

#define LIST(name, many, at)                                                      \
    (trParam) {                                                                   \
        .key = (name), .kind = TR_PARAM_NUMBERS, .count = (many), .numbers = (at) \
    }
#define LAW(name, value)                                    \
    (trParam) {                                             \
        .key = (name), .kind = TR_PARAM_LAW, .law = (value) \
    }
#define FUNCTION(name, value)                                         \
    (trParam) {                                                       \
        .key = (name), .kind = TR_PARAM_FUNCTION, .function = (value) \
    }

static inline void add_family(Materials *s, Family family) {
    assert_true(s->families < FAMILIES);
    s->family[s->families++] = family;
}

static inline void add_simple_families(Materials *s) {
    const trLaw *k = s->stiffness, *c = s->damping;
    add_family(s, (Family){"gravity", 0, {LIST("acceleration", 3, way)}});
    add_family(s, (Family){"point_force",
                           HELD_BY_WORLD,
                           {LIST("point2", 3, end2), FUNCTION("fx", s->wave), TR_NUM("fz", -2.0)}});
    add_family(s, (Family){"point_force",
                           0,
                           {LIST("point", 3, end2), FUNCTION("fy", s->wave), TR_NUM("fz", -2.0),
                            TR_WORD("frame", "body")}});
    add_family(s, (Family){"torque", HELD_BY_WORLD, {FUNCTION("my", s->wave), TR_NUM("mz", 2.0)}});
    add_family(s, (Family){"torque",
                           0,
                           {FUNCTION("mx", s->wave), TR_NUM("my", 1.0), TR_WORD("frame", "body")}});
    add_family(s, (Family){"spring",
                           0,
                           {LIST("world1", 3, end1), LIST("point2", 3, end2), LAW("stiffness", k),
                            LAW("damping", c), TR_NUM("length", 3.5)}});
    add_family(s, (Family){"torsion_spring",
                           CALM,
                           {LIST("axis2", 3, way2), LAW("stiffness", k), LAW("damping", c),
                            TR_NUM("angle", 0.4)}});
    add_family(s, (Family){"torsion_spring", CALM, {LIST("axis", 3, way), LAW("stiffness", k)}});
    add_family(s, (Family){"joint_friction",
                           0,
                           {LIST("point", 3, end2), LIST("axis", 3, way), LAW("damping", c),
                            TR_NUM("friction", 4.0), TR_NUM("rate", 2.0), LAW("slide_damping", c),
                            TR_NUM("slide_friction", 5.0), TR_NUM("slide_rate", 3.0)}});
}

static inline void add_rich_families(Materials *s) {
    const trLaw *k = s->stiffness;
    add_family(s, (Family){"bushing",
                           CALM,
                           {LIST("point", 3, end2), LIST("x_axis", 3, way), LIST("y_axis", 3, way2),
                            LIST("stiffness", 36, s->coupled), LIST("damping", 36, s->crooked),
                            LIST("preload", 6, preload)}});
    add_family(s,
               (Family){"bushing",
                        CALM,
                        {LIST("point1", 3, end1), LIST("point2", 3, end2), LIST("x_axis", 3, way2),
                         LIST("y_axis", 3, way), LIST("stiffness", 6, diagonal)}});
    add_family(s, (Family){"contact",
                           ONE_SIDED,
                           {LIST("world1", 3, end1), LIST("point2", 3, end2), LIST("up", 3, way),
                            LIST("forward", 3, way2), TR_NUM("radius", 1.0), LAW("stiffness", k),
                            TR_NUM("damping", 9.0), LAW("profile", s->profile),
                            TR_NUM("speed", 1.5), TR_NUM("offset", -0.5)}});
    add_family(s, (Family){"contact",
                           ONE_SIDED,
                           {LIST("point1", 3, end1), LIST("up", 3, way2), LIST("forward", 3, way),
                            TR_NUM("radius", 3.0), LAW("stiffness", k), TR_NUM("damping", 5.0),
                            FUNCTION("road", s->wave)}});
    add_family(s, (Family){"bump_stop",
                           ONE_SIDED,
                           {LIST("point1", 3, end1), LIST("point2", 3, end2), LIST("axis", 3, way2),
                            TR_NUM("limit", 0.5), LAW("stiffness", k), TR_NUM("damping", 5.0)}});
    add_family(s, (Family){"bump_stop",
                           ONE_SIDED,
                           {LIST("world1", 3, end1), LIST("world2", 3, end2), LIST("axis1", 3, way),
                            TR_NUM("limit", 0.3), LAW("stiffness", k), TR_NUM("damping", 5.0),
                            TR_WORD("side", "below")}});
}

static inline Materials *open_materials(void) {
    trArena     *arena = tr_arena_create();
    Materials   *s = tr_new(arena, Materials);
    const double zero = 0.0, cubic[4] = {0.0, 20.0, 3.0, 2.0}, drag[4] = {0.0, 1.5, 0.0, 0.2};
    const double hill[4] = {0.2, 0.3, -0.1, 0.02};
    *s = (Materials){.arena = arena};
    assert_int_equal(tr_law_pieces(arena, 1, &zero, 4, cubic, &s->stiffness), TR_OK);
    assert_int_equal(tr_law_pieces(arena, 1, &zero, 4, drag, &s->damping), TR_OK);
    assert_int_equal(tr_law_pieces(arena, 1, &zero, 4, hill, &s->profile), TR_OK);
    trTape *tape = tr_tape_create(arena);
    int     wave = tr_tape_op(tape, TR_OP_SIN, tr_tape_time(tape), -1, -1);
    wave = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 3.0), wave, -1);
    tr_tape_finish(tape, wave, "wave");
    s->wave = tape;
    for (int i = 0; i < 36; i++) {
        int row = i / 6, column = i % 6;
        s->coupled[i] = row == column ? diagonal[row] : 0.3 * (row + column) - 1.0;
        s->crooked[i] = row == column ? 3.0 : 0.1 * row - 0.2 * column;
    }
    add_simple_families(s);
    add_rich_families(s);
    return s;
}

static inline void close_materials(Materials *s) {
    tr_arena_destroy(s->arena);
}

static inline void *prepared(trArena *arena, const trForceKind *kind, const trParam *list,
                             const trPlace3 place[2]) {
    void *params = tr_arena_take(arena, 1, kind->size);
    if (tr_fields_bind(arena, kind->fields, list, params) != TR_OK ||
        kind->prepare3(params, &place[0], &place[1], arena) != TR_OK) {
        fail_msg("%s: %s", kind->name, tr_last_error());
    }
    return params;
}

static inline trForceOut evaluate(const trForceKind *kind, const void *params, double t,
                                  const trMotion3 m[2]) {
    const double near[TR_JOINT_TURNS] = {0.0, 0.0};
    double       turn[TR_JOINT_TURNS];
    trForceOut   out = {.near = near, .turn = turn};
    kind->eval3(params, t, &m[0], &m[1], &out);
    out.near = NULL;
    out.turn = NULL;
    return out;
}

// One force of a family between two random bodies that move.
typedef struct Scene {
    const Family      *family;
    const trForceKind *kind;
    trPlace3           place[2];
    trMotion3          m[2];
    double             t;
    void              *params;
} Scene;

static inline trMotion3 family_motion(Random *random, const Family *family, const trPlace3 *place) {
    trMotion3 m = random_motion3(random, place);
    if ((family->is & CALM) != 0) {
        trQuat start = tr_quat_mul(place->orientation, place->principal);
        trVec3 turn = tr_scale3(random_in(random, 0.0, 1.0), random_direction3(random));
        m = motion_of3(m.r, tr_quat_mul(tr_quat_exp(turn), start), m.v, m.w);
    }
    return m;
}

static inline Scene open_scene(const Materials *s, int family, Random *random) {
    Scene scene = {.family = &s->family[family],
                   .kind = tr_force_find(s->family[family].name, 3),
                   .t = random_in(random, 0.0, 3.0)};
    for (int k = 0; k < 2; k++) {
        scene.place[k] = random_place3(random, k + 1);
        scene.m[k] = family_motion(random, scene.family, &scene.place[k]);
    }
    scene.params = prepared(s->arena, scene.kind, scene.family->list, scene.place);
    return scene;
}

#endif
