// SPDX-License-Identifier: MIT
// What every force owes, along any motion of its bodies:
//
//     power balance       v1.F1 + v2.F2 = power - dV/dt
//     momentum balance    of kinds between two bodies: the loads are equal and opposite, and so are
//                         their moments about any point

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/law.h"
#include "force/force.h"
#include "joint/motion.h"
#include "support/test.h"
#include "tape/tape.h"

#define MOTIONS 40

// Parameters for each kind; they are laws and functions that are not just numbers.
typedef struct Family {
    const char *name;
    trParam     list[8];
} Family;

typedef struct Materials {
    trArena      *arena;
    const trLaw  *stiffness, *damping;
    const trTape *wave;  // 3 sin t
    int           families;
    Family        family[8];
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

static Materials open_materials(void) {
    Materials    s = {.arena = tr_arena_create(), .families = 6};
    const double zero = 0.0, cubic[4] = {0.0, 20.0, 3.0, 2.0}, drag[4] = {0.0, 1.5, 0.0, 0.2};
    assert_int_equal(tr_law_pieces(s.arena, 1, &zero, 4, cubic, &s.stiffness), TR_OK);
    assert_int_equal(tr_law_pieces(s.arena, 1, &zero, 4, drag, &s.damping), TR_OK);
    trTape *tape = tr_tape_create(s.arena);
    int     wave = tr_tape_op(tape, TR_OP_SIN, tr_tape_time(tape), -1, -1);
    wave = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 3.0), wave, -1);
    tr_tape_finish(tape, wave, "wave");
    s.wave = tape;
    s.family[0] = (Family){"gravity", {VECTOR("acceleration", field)}};
    s.family[1] = (Family){"point_force",
                           {VECTOR("point2", point2), FUNCTION("fx", s.wave), TR_NUM("fy", -2.0)}};
    s.family[2] = (Family){"point_force",
                           {VECTOR("point", point2), FUNCTION("fx", s.wave), TR_NUM("fy", -2.0),
                            TR_WORD("frame", "body")}};
    s.family[3] = (Family){"torque", {FUNCTION("moment", s.wave)}};
    s.family[4] =
        (Family){"spring",
                 {VECTOR("point1", point1), VECTOR("point2", point2), LAW("stiffness", s.stiffness),
                  LAW("damping", s.damping), TR_NUM("length", 3.5)}};
    s.family[5] =
        (Family){"torsion_spring",
                 {LAW("stiffness", s.stiffness), LAW("damping", s.damping), TR_NUM("angle", 0.4)}};
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

static trForceOut evaluate(const trForceKind *kind, const void *params, double t,
                           const trMotion2 m[2]) {
    trForceOut out = {0};
    kind->eval(params, t, &m[0], &m[1], &out);
    return out;
}

// The potential a time `ahead`, if the bodies keep their velocities.
static double potential_ahead(const trForceKind *kind, const void *params, double t,
                              const trMotion2 m[2], double ahead) {
    trMotion2 moved[2];
    for (int k = 0; k < 2; k++) {
        moved[k] = motion_of(tr_add2(m[k].r, tr_scale2(ahead, m[k].v)),
                             m[k].angle + ahead * m[k].omega, m[k].v, m[k].omega);
    }
    return evaluate(kind, params, t, moved).potential;
}

// dV/dt by the central difference of order eight. Its error is h^8 / 630 times the ninth derivative
// of V, which stays below 1e7 J/s^9 in these motions: with h = 1/128 s, below 3e-13 W. Rounding
// adds some 3 DBL_EPSILON |V| / h = 1e-13 |V|.
static double potential_rate(const trForceKind *kind, const void *params, double t,
                             const trMotion2 m[2]) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double        h = 1.0 / 128.0;
    double              sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double ahead = (i + 1) * h;
        sum += weight[i] * (potential_ahead(kind, params, t, m, ahead) -
                            potential_ahead(kind, params, t, m, -ahead));
    }
    return sum / h;
}

static double power_of(trLoad2 load, const trMotion2 *m) {
    return load.fx * m->v.x + load.fy * m->v.y + load.moment * m->omega;
}

static void power_is_balanced(void **state) {
    Materials s = open_materials();
    Random    random = {5};
    for (int i = 0; i < s.families * MOTIONS; i++) {
        const Family      *family = &s.family[i % s.families];
        const trForceKind *kind = tr_force_find(family->name, 2);
        trPlace2           place[2] = {random_place(&random, 1), random_place(&random, 2)};
        const void        *params = prepared(s.arena, kind, family->list, place);
        trMotion2  m[2] = {random_motion(&random, &place[0]), random_motion(&random, &place[1])};
        double     t = random_in(&random, 0.0, 3.0);
        trForceOut out = evaluate(kind, params, t, m);
        double     load_power = power_of(out.on1, &m[0]) + power_of(out.on2, &m[1]);
        double     expected = out.power - potential_rate(kind, params, t, m);
        if (!(fabs(load_power - expected) <= 3e-12 * (1.0 + fabs(out.potential)))) {
            fail_msg("%s: loads have power %.15g, should be %.15g", kind->name, load_power,
                     expected);
        }
        if ((kind->traits & TR_CONSERVATIVE) != 0) {
            assert_true(out.power == 0.0);
        }
    }
    tr_arena_destroy(s.arena);
}

static void momentum_is_balanced(void **state) {
    Materials s = open_materials();
    Random    random = {6};
    for (int i = 0; i < s.families * MOTIONS; i++) {
        const Family      *family = &s.family[i % s.families];
        const trForceKind *kind = tr_force_find(family->name, 2);
        trPlace2           place[2] = {random_place(&random, 1), random_place(&random, 2)};
        const void        *params = prepared(s.arena, kind, family->list, place);
        trMotion2  m[2] = {random_motion(&random, &place[0]), random_motion(&random, &place[1])};
        trForceOut out = evaluate(kind, params, 1.0, m);
        trVec2     F1 = {out.on1.fx, out.on1.fy}, F2 = {out.on2.fx, out.on2.fy};
        double     M1 = tr_cross2(m[0].r, F1) + out.on1.moment;
        double     M2 = tr_cross2(m[1].r, F2) + out.on2.moment;
        // A few dozen operations on terms of this size.
        double tolerance = 100.0 * DBL_EPSILON * (1.0 + fabs(M1) + 5.0 * fabs(F1.x) + fabs(F1.y));
        if ((kind->traits & TR_ONE_BODY) != 0) {
            assert_true(F1.x == 0.0 && F1.y == 0.0 && out.on1.moment == 0.0);
        } else if (!(fabs(F1.x + F2.x) + fabs(F1.y + F2.y) + fabs(M1 + M2) <= tolerance)) {
            fail_msg("%s: sums are (%g, %g) and %g", kind->name, F1.x + F2.x, F1.y + F2.y, M1 + M2);
        }
    }
    tr_arena_destroy(s.arena);
}

static void every_force_is_described_and_has_parameters_here(void **state) {
    Materials s = open_materials();
    for (int k = 0; k < tr_force_count(); k++) {
        const trForceKind *kind = tr_force_at(k);
        if (kind->dim != 2) {
            continue;
        }
        int there = 0;
        for (int i = 0; i < s.families; i++) {
            there += strcmp(s.family[i].name, kind->name) == 0;
        }
        assert_true(there > 0);
        assert_ptr_equal(tr_force_find(kind->name, 2), kind);
        assert_true(strlen(kind->summary) > 10);
        assert_true(k == 0 || strcmp(tr_force_at(k - 1)->name, kind->name) < 0);
        for (const trField *f = kind->fields; f->name != NULL; f++) {
            assert_true(f->unit != NULL && strlen(f->help) > 5);
        }
    }
    assert_null(tr_force_find("wind", 2));
    tr_arena_destroy(s.arena);
}

// --- values, where balances cannot tell ---

// Body 1 at the origin and body 2 at (2, 0), at rest; body 2 may move.
static trForceOut between_two(const char *name, const trParam *list, double t, trVec2 v,
                              double omega) {
    const trForceKind *kind = tr_force_find(name, 2);
    trArena           *arena = tr_arena_create();
    trPlace2           place[2] = {{.mass = 1.0}, {.at = {2.0, 0.0}, .mass = 3.0}};
    const void        *params = prepared(arena, kind, list, place);
    trMotion2          m[2] = {motion_at(&place[0]), motion_of((trVec2){2.0, 0.0}, 0.0, v, omega)};
    trForceOut         out = evaluate(kind, params, t, m);
    tr_arena_destroy(arena);
    return out;
}

static const trVec2 at_rest = {0.0, 0.0};

static void gravity_is_mass_times_acceleration(void **state) {
    trForceOut out = between_two("gravity", NULL, 0.0, at_rest, 0.0);
    assert_true(out.on2.fx == 0.0 && fabs(out.on2.fy + 3.0 * 9.81) < 1e-14);
    out = between_two("gravity", TR_PARAMS(TR_VEC("acceleration", 2.0, 1.0)), 0.0, at_rest, 0.0);
    assert_true(out.on2.fx == 6.0 && out.on2.fy == 3.0 && out.potential == -12.0);
}

static void a_stretched_spring_pulls_and_a_damper_resists(void **state) {
    const trParam *spring = TR_PARAMS(TR_NUM("stiffness", 10.0), TR_NUM("length", 1.5));
    trForceOut     out = between_two("spring", spring, 0.0, at_rest, 0.0);
    assert_true(out.on2.fx == -5.0 && out.on1.fx == 5.0);
    assert_true(out.potential == 1.25 && out.power == 0.0);

    const trParam *damper = TR_PARAMS(TR_NUM("damping", 4.0));
    out = between_two("spring", damper, 0.0, (trVec2){0.5, 3.0}, 0.0);
    assert_true(out.on2.fx == -2.0 && out.on2.fy == 0.0 && out.power == -1.0);

    out = between_two("spring", TR_PARAMS(TR_NUM("stiffness", 10.0)), 0.0, at_rest, 0.0);
    assert_true(out.on2.fx == 0.0 && out.potential == 0.0);
}

// The damper resists along the velocity, on which the line begins.
static void a_spring_of_no_length_only_damps(void **state) {
    const trParam *list = TR_PARAMS(TR_NUM("stiffness", 10.0), TR_NUM("damping", 1.0),
                                    TR_VEC("point1", 2.0, 0.0), TR_NUM("length", 1.0));
    trForceOut     out = between_two("spring", list, 0.0, (trVec2){0.0, 0.0}, 2.0);
    assert_true(out.on1.fx == 0.0 && out.on1.fy == 0.0 && out.on1.moment == 0.0);
    assert_true(out.on2.fx == 0.0 && out.on2.fy == 0.0 && out.on2.moment == 0.0);
    assert_true(out.potential == 5.0 && out.power == 0.0 && out.ends.length == 1.0);
    out = between_two("spring", list, 0.0, (trVec2){3.0, 4.0}, 2.0);
    // A direction of length 1 to rounding, times 5: a few operations on numbers up to 25.
    assert_true(fabs(out.on1.fx - 3.0) + fabs(out.on1.fy - 4.0) < 1e-14);
    assert_true(fabs(out.on2.fx + 3.0) + fabs(out.on2.fy + 4.0) < 1e-14);
    assert_true(fabs(out.on1.moment - 8.0) < 1e-14 && fabs(out.power + 25.0) < 1e-13);
}

static void a_torsion_spring_turns_back_and_brakes(void **state) {
    const trParam *spring = TR_PARAMS(TR_NUM("stiffness", 8.0), TR_NUM("angle", -0.5));
    trForceOut     out = between_two("torsion_spring", spring, 0.0, at_rest, 0.0);
    assert_true(out.on2.moment == -4.0 && out.on1.moment == 4.0 && out.potential == 1.0);
    out = between_two("torsion_spring", TR_PARAMS(TR_NUM("damping", 3.0)), 0.0, at_rest, 2.0);
    assert_true(out.on2.moment == -6.0 && out.power == -12.0);
    out = between_two("torsion_spring", TR_PARAMS(TR_NUM("stiffness", 8.0)), 0.0, at_rest, 0.0);
    assert_true(out.on2.moment == 0.0);
}

static void torque_and_point_force_are_as_written(void **state) {
    trForceOut out = between_two("torque", TR_PARAMS(TR_NUM("moment", 7.0)), 0.0, at_rest, 2.0);
    assert_true(out.on2.moment == 7.0 && out.on1.moment == -7.0 && out.power == 14.0);
    const trParam *push = TR_PARAMS(TR_VEC("point", 2.0, 1.0), TR_NUM("fx", 4.0));
    out = between_two("point_force", push, 0.0, (trVec2){0.5, 0.0}, 0.0);
    assert_true(out.on2.fx == 4.0 && out.on2.fy == 0.0 && out.on2.moment == -4.0);
    assert_true(out.power == 2.0 && out.potential == 0.0);
    out = between_two("point_force", TR_PARAMS(TR_NUM("fy", 4.0)), 0.0, at_rest, 0.0);
    assert_true(out.on2.fx == 0.0 && out.on2.fy == 4.0);
}

static void a_force_in_body_axes_turns_with_the_body(void **state) {
    const trForceKind *kind = tr_force_find("point_force", 2);
    trArena           *arena = tr_arena_create();
    trPlace2           place[2] = {{.mass = 1.0}, {.mass = 1.0}};
    const trParam     *list = TR_PARAMS(TR_NUM("fx", 4.0), TR_WORD("frame", "body"));
    const void        *params = prepared(arena, kind, list, place);
    trMotion2          m[2] = {motion_at(&place[0]), motion_of(at_rest, acos(0.0), at_rest, 0.0)};
    trForceOut         out = evaluate(kind, params, 0.0, m);
    assert_true(fabs(out.on2.fx) < 1e-15 && fabs(out.on2.fy - 4.0) < 1e-15);
    tr_arena_destroy(arena);
}

static void expect_refusal(const char *name, const trParam *list, const char *words) {
    const trForceKind *kind = tr_force_find(name, 2);
    trArena           *arena = tr_arena_create();
    trPlace2           place = {0};
    void              *params = tr_arena_take(arena, 1, kind->size);
    assert_int_equal(tr_fields_bind(arena, kind->fields, list, params), TR_OK);
    assert_int_equal(kind->prepare(params, &place, &place, arena), TR_E_MODEL);
    if (strstr(tr_last_error(), words) == NULL) {
        fail_msg("%s: \"%s\" does not say \"%s\"", name, tr_last_error(), words);
    }
    tr_arena_destroy(arena);
}

static void what_makes_no_sense_is_refused_in_words(void **state) {
    expect_refusal("point_force", TR_PARAMS(TR_WORD("frame", "bodi")), "did you mean \"body\"?");
    expect_refusal("point_force", TR_PARAMS(TR_WORD("frame", "moon")), "\"world\" or \"body\"");
    expect_refusal("point_force", TR_PARAMS(TR_VEC("point", 0.0, 0.0), TR_VEC("point2", 0.0, 0.0)),
                   "'point' and 'point2' are both given");
    expect_refusal("point_force", NULL, "does nothing; give fx or fy");
    expect_refusal("gravity", NULL, "has no mass");
    expect_refusal("spring", NULL, "neither 'stiffness' nor 'damping'");
    expect_refusal("torsion_spring", NULL, "neither 'stiffness' nor 'damping'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_balanced),
        cmocka_unit_test(momentum_is_balanced),
        cmocka_unit_test(every_force_is_described_and_has_parameters_here),
        cmocka_unit_test(gravity_is_mass_times_acceleration),
        cmocka_unit_test(a_stretched_spring_pulls_and_a_damper_resists),
        cmocka_unit_test(a_spring_of_no_length_only_damps),
        cmocka_unit_test(a_torsion_spring_turns_back_and_brakes),
        cmocka_unit_test(torque_and_point_force_are_as_written),
        cmocka_unit_test(a_force_in_body_axes_turns_with_the_body),
        cmocka_unit_test(what_makes_no_sense_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
