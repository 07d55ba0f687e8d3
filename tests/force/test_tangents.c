// SPDX-License-Identifier: MIT
// Tangents of every planar force against differences of its evaluation:
//
//     K = -dQ/dq        D = -dQ/dv

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/law.h"
#include "force/force.h"
#include "joint/motion.h"
#include "tape/tape.h"

#define MOTIONS 40
#define FAMILIES 11

// Parameters for each kind, in all its forms.
typedef struct Family {
    const char *name;
    trParam     list[8];
} Family;

typedef struct Materials {
    trArena      *arena;
    const trLaw  *stiffness, *damping;
    const trTape *wave;  // 3 sin t
    Family        family[FAMILIES];
} Materials;

static const double point1[2] = {0.3, -0.2}, point2[2] = {-0.1, 0.4}, field[2] = {1.5, -9.0};

#define VECTOR(name, at)                                                     \
    (trParam) {                                                              \
        .key = (name), .kind = TR_PARAM_NUMBERS, .count = 2, .numbers = (at) \
    }
#define LAW(name, value)                                    \
    (trParam) {                                             \
        .key = (name), .kind = TR_PARAM_LAW, .law = (value) \
    }
#define FUNCTION(name, value)                                         \
    (trParam) {                                                       \
        .key = (name), .kind = TR_PARAM_FUNCTION, .function = (value) \
    }

static const trTape *wave_tape(trArena *arena) {
    trTape *tape = tr_tape_create(arena);
    int     wave = tr_tape_op(tape, TR_OP_SIN, tr_tape_time(tape), -1, -1);
    wave = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 3.0), wave, -1);
    tr_tape_finish(tape, wave, "wave");
    return tape;
}

static Materials open_materials(void) {
    Materials    s = {.arena = tr_arena_create()};
    const double zero = 0.0, cubic[4] = {0.0, 20.0, 3.0, 2.0}, drag[4] = {0.0, 1.5, 0.0, 0.02};
    assert_int_equal(tr_law_pieces(s.arena, 1, &zero, 4, cubic, &s.stiffness), TR_OK);
    assert_int_equal(tr_law_pieces(s.arena, 1, &zero, 4, drag, &s.damping), TR_OK);
    s.wave = wave_tape(s.arena);
    const trParam at1 = VECTOR("point1", point1), at2 = VECTOR("point2", point2);
    const trParam fx = FUNCTION("fx", s.wave), fy = TR_NUM("fy", -2.0);
    const trParam spring = LAW("stiffness", s.stiffness), damper = LAW("damping", s.damping);
    const trParam length = TR_NUM("length", 8.0), angle = TR_NUM("angle", 0.4);
    const trParam in_body = TR_WORD("frame", "body");
    const Family  family[FAMILIES] = {
         {"gravity", {VECTOR("acceleration", field)}},
         {"point_force", {at2, fx, fy}},
         {"point_force", {at2, fx, fy, in_body}},
         {"torque", {FUNCTION("moment", s.wave)}},
         {"spring", {at1, at2, spring, damper, length}},
         {"spring", {at1, at2, spring, length}},
         {"spring", {at1, at2, damper}},
         {"spring", {TR_NUM("stiffness", 20.0), TR_NUM("length", 0.0)}},
         {"torsion_spring", {spring, damper, angle}},
         {"torsion_spring", {spring}},
         {"torsion_spring", {damper}},
    };
    memcpy(s.family, family, sizeof family);
    return s;
}

static void *prepared(trArena *arena, const trForceKind *kind, const trParam *list,
                      const trPlace2 place[2]) {
    void *params = tr_arena_take(arena, 1, kind->size);
    if (tr_fields_bind(arena, kind->fields, list, params) != TR_OK ||
        kind->prepare(params, &place[0], &place[1], arena) != TR_OK) {
        fail_msg("%s: %s", kind->name, tr_last_error());
    }
    return params;
}

// One force of given parameters at one instant.
typedef struct Case {
    const trForceKind *kind;
    const void        *params;
    double             t;
    trMotion2          m[2];
} Case;

static void loads(const Case *c, double Q[6]) {
    trForceOut out = {0};
    c->kind->eval(c->params, c->t, &c->m[0], &c->m[1], &out);
    const double all[6] = {out.on1.fx, out.on1.fy, out.on1.moment,
                           out.on2.fx, out.on2.fy, out.on2.moment};
    memcpy(Q, all, sizeof all);
}

// Moves coordinate j of q, or of v.
static Case moved(const Case *c, bool velocity, int j, double by) {
    Case       out = *c;
    trMotion2 *m = &out.m[j / 3];
    double     step[3] = {0.0};
    step[j % 3] = by;
    if (velocity) {
        m->v = tr_add2(m->v, (trVec2){step[0], step[1]});
        m->omega += step[2];
    } else {
        trVec2 r = tr_add2(m->r, (trVec2){step[0], step[1]});
        *m = motion_of(r, m->angle + step[2], m->v, m->omega);
    }
    return out;
}

// -dQ by the central difference of order eight.
static void difference(const Case *c, bool velocity, int j, double slope[6]) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double        h = 1.0 / 128.0;
    for (int k = 0; k < 6; k++) {
        slope[k] = 0.0;
    }
    for (int i = 0; i < 4; i++) {
        double ahead[6], behind[6];
        Case   later = moved(c, velocity, j, (i + 1) * h);
        Case   before = moved(c, velocity, j, -(i + 1) * h);
        loads(&later, ahead);
        loads(&before, behind);
        for (int k = 0; k < 6; k++) {
            slope[k] -= weight[i] * (ahead[k] - behind[k]) / h;
        }
    }
}

// The error of the difference is h^8 / 630 = 2.2e-20 times a ninth derivative. The loads are
// analytic within 0.85 of every coordinate, because the ends of a spring are at least 4.3 m apart
// on arms of at most 0.85 m, and below 4000 there: by Cauchy's estimate ninth derivatives are below
// 4000 * 9! / 0.85^9 = 6.3e9, the error below 1.4e-10. In v, and in the angle of a torsion spring,
// the loads are cubic and the difference is exact. Rounding of the loads by 8 DBL_EPSILON becomes
// 2.1 / h = 270 times as much.
static void assert_matrix(const Case *c, bool velocity, const double *mine) {
    double Q[6], size = 9.0;  // The matrices start with numbers up to 9, see check_tangent.
    loads(c, Q);
    for (int k = 0; k < 6; k++) {
        size = fmax(size, fabs(Q[k]));
    }
    for (int j = 0; j < 6; j++) {
        double slope[6];
        difference(c, velocity, j, slope);
        for (int k = 0; k < 6; k++) {
            double value = mine[6 * k + j] - 0.25 * (6 * k + j);
            if (!(fabs(value - slope[k]) <= 1.4e-10 + 270.0 * 8.0 * DBL_EPSILON * size)) {
                fail_msg("%s: %s(%d, %d) is %.15g, should be %.15g", c->kind->name,
                         velocity ? "D" : "K", k, j, value, slope[k]);
            }
        }
    }
}

// K and D start with numbers of their own, because a tangent adds.
static void check_tangent(const Case *c) {
    double         K[36], D[36];
    trForceTangent out = {.K = K, .D = D};
    for (int i = 0; i < 36; i++) {
        K[i] = D[i] = 0.25 * i;
    }
    if (c->kind->tangent == NULL) {
        fail_msg("%s has no tangent", c->kind->name);
    }
    c->kind->tangent(c->params, c->t, &c->m[0], &c->m[1], &out);
    assert_matrix(c, false, K);
    assert_matrix(c, true, D);
}

static void tangents_are_derivatives_of_the_loads(void **state) {
    (void)state;
    Materials s = open_materials();
    Random    random = {37};
    for (int i = 0; i < FAMILIES * MOTIONS; i++) {
        const Family *family = &s.family[i % FAMILIES];
        Case          c = {.kind = tr_force_find(family->name, 2)};
        trPlace2      place[2] = {random_place(&random, 1), random_place(&random, 2)};
        c.params = prepared(s.arena, c.kind, family->list, place);
        c.t = random_in(&random, 0.0, 3.0);
        c.m[0] = random_motion(&random, &place[0]);
        c.m[1] = random_motion(&random, &place[1]);
        c.m[1].r.x += 4.0;
        check_tangent(&c);
    }
    tr_arena_destroy(s.arena);
}

static void every_planar_force_is_tested_here(void **state) {
    (void)state;
    Materials s = open_materials();
    for (int k = 0; k < tr_force_count(); k++) {
        const trForceKind *kind = tr_force_at(k);
        int                there = 0;
        for (int i = 0; i < FAMILIES; i++) {
            there += strcmp(s.family[i].name, kind->name) == 0;
        }
        if (kind->dim == 2 && there == 0) {
            fail_msg("force '%s' has no parameters here; add a line to open_materials", kind->name);
        }
    }
    tr_arena_destroy(s.arena);
}

// The tangent of a spring whose ends coincide: body 2 is turned, and placed so that they do.
static Case spring_of_no_length(trArena *arena, const trParam *list) {
    trPlace2 place[2] = {{.mass = 1.0}, {.mass = 1.0}};
    Case     c = {.kind = tr_force_find("spring", 2)};
    c.params = prepared(arena, c.kind, list, place);
    // A quarter turn has R p without rounding: R2 (0.5, 0.25) = (-0.25, 0.5).
    c.m[0] = motion_of((trVec2){1.0, 2.0}, 0.0, (trVec2){0.5, -1.0}, 0.75);
    c.m[1] = (trMotion2){.r = {1.75, 1.75}, .angle = acos(0.0), .c = 0.0, .s = 1.0};
    return c;
}

#define ENDS TR_VEC("point1", 0.5, 0.25), TR_VEC("point2", 0.5, 0.25)

// Without free length a linear spring is F = -k d, which has a derivative at zero.
static void a_spring_without_free_length_has_a_tangent_at_zero(void **state) {
    (void)state;
    trArena       *arena = tr_arena_create();
    const trParam *list = TR_PARAMS(ENDS, TR_NUM("stiffness", 10.0), TR_NUM("length", 0.0));
    Case           c = spring_of_no_length(arena, list);
    double         Q[6];
    loads(&c, Q);
    for (int k = 0; k < 6; k++) {
        assert_true(Q[k] == 0.0);
    }
    check_tangent(&c);
    tr_arena_destroy(arena);
}

static void a_force_without_direction_has_no_tangent(void **state) {
    (void)state;
    trArena       *arena = tr_arena_create();
    const trParam *lists[] = {
        TR_PARAMS(ENDS, TR_NUM("stiffness", 10.0), TR_NUM("length", 1.0)),
        TR_PARAMS(ENDS, TR_NUM("damping", 10.0)),
    };
    for (int i = 0; i < 2; i++) {
        Case           c = spring_of_no_length(arena, lists[i]);
        double         K[36] = {0.0}, D[36] = {0.0};
        trForceTangent out = {.K = K, .D = D};
        c.kind->tangent(c.params, c.t, &c.m[0], &c.m[1], &out);
        for (int k = 0; k < 36; k++) {
            assert_true(K[k] == 0.0 && D[k] == 0.0);
        }
    }
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_derivatives_of_the_loads),
        cmocka_unit_test(every_planar_force_is_tested_here),
        cmocka_unit_test(a_spring_without_free_length_has_a_tangent_at_zero),
        cmocka_unit_test(a_force_without_direction_has_no_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
