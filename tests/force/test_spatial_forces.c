// SPDX-License-Identifier: MIT
// Values of spatial forces, where balances cannot tell, and what is refused.

#include <float.h>
#include <math.h>

#include "force/families3.h"
#include "support/test.h"

#define PI 3.14159265358979323846

static const trVec3 still = {0.0, 0.0, 0.0};
static const trQuat straight = {1.0, 0.0, 0.0, 0.0};

// A dozen operations on numbers of the size `size`.
static void within(double found, double expected, double size) {
    if (!(fabs(found - expected) <= 16.0 * DBL_EPSILON * (1.0 + size))) {
        fail_msg("%.17g is not %.17g", found, expected);
    }
}

static void near_to(double found, double expected) {
    within(found, expected, fabs(expected));
}

static void vector_is(trVec3 found, double x, double y, double z) {
    double size = fabs(x) + fabs(y) + fabs(z);
    within(found.x, x, size);
    within(found.y, y, size);
    within(found.z, z, size);
}

// Body 1 stands at the origin, body 2 at (2, 0, 0) with its center of mass there and a mass of 3
// kg. Body 1 stays; body 2 has moved.
static trForceOut between_two(const char *name, const trParam *list, double t, trMotion3 moved) {
    const trForceKind *kind = tr_force_find(name, 3);
    trArena           *arena = tr_arena_create();
    trPlace3           place[2] = {ground_place3(), ground_place3()};
    place[1].at = (trVec3){2.0, 0.0, 0.0};
    place[1].mass = 3.0;
    const void *params = prepared(arena, kind, list, place);
    trMotion3   m[2] = {motion_at3(&place[0]), moved};
    trForceOut  out = evaluate(kind, params, t, m);
    tr_arena_destroy(arena);
    return out;
}

static trMotion3 at_start(trVec3 v, trVec3 w) {
    return motion_of3((trVec3){2.0, 0.0, 0.0}, straight, v, w);
}

static trMotion3 shifted(double x, double y, double z, trVec3 v) {
    return motion_of3((trVec3){2.0 + x, y, z}, straight, v, still);
}

static trMotion3 turned(double x, double y, double z) {
    return motion_of3((trVec3){2.0, 0.0, 0.0}, tr_quat_exp((trVec3){x, y, z}), still, still);
}

static void gravity_is_mass_times_acceleration(void **state) {
    trForceOut out = between_two("gravity", NULL, 0.0, at_start(still, still));
    vector_is(out.at2.force, 0.0, 0.0, -3.0 * 9.81);
    const trParam *list = TR_PARAMS(TR_VEC("acceleration", 2.0, 1.0, 5.0));
    out = between_two("gravity", list, 0.0, at_start(still, still));
    vector_is(out.at2.force, 6.0, 3.0, 15.0);
    assert_true(out.potential == -12.0);
}

static void a_stretched_spring_pulls_and_a_damper_resists(void **state) {
    const trParam *spring = TR_PARAMS(TR_NUM("stiffness", 10.0), TR_NUM("length", 1.5));
    trForceOut     out = between_two("spring", spring, 0.0, at_start(still, still));
    vector_is(out.at2.force, -5.0, 0.0, 0.0);
    vector_is(out.at1.force, 5.0, 0.0, 0.0);
    assert_true(out.potential == 1.25 && out.power == 0.0);

    const trParam *damper = TR_PARAMS(TR_NUM("damping", 4.0));
    out = between_two("spring", damper, 0.0, at_start((trVec3){0.5, 3.0, 1.0}, still));
    vector_is(out.at2.force, -2.0, 0.0, 0.0);
    assert_true(out.power == -1.0);

    out = between_two("spring", TR_PARAMS(TR_NUM("stiffness", 10.0)), 0.0, at_start(still, still));
    vector_is(out.at2.force, 0.0, 0.0, 0.0);
    const trParam *end = TR_PARAMS(TR_NUM("stiffness", 10.0), TR_VEC("point1", 2.0, 0.0, 0.0),
                                   TR_NUM("damping", 1.0), TR_NUM("length", 1.0));
    out = between_two("spring", end, 0.0, at_start((trVec3){1.0, 2.0, 2.0}, still));
    vector_is(out.at2.force, -1.0, -2.0, -2.0);  // the line begins along the velocity
    assert_true(out.potential == 5.0 && out.ends.length == 1.0);
    near_to(out.power, -9.0);
}

static void torque_and_point_force_are_as_written(void **state) {
    const trParam *list = TR_PARAMS(TR_NUM("mz", 7.0), TR_NUM("mx", 2.0));
    trForceOut     out = between_two("torque", list, 0.0, at_start(still, (trVec3){1.0, 5.0, 2.0}));
    vector_is(out.at2.moment, 2.0, 0.0, 7.0);
    vector_is(out.at1.moment, -2.0, 0.0, -7.0);
    assert_true(out.power == 16.0);
    const trParam *push = TR_PARAMS(TR_VEC("point", 2.0, 1.0, 0.0), TR_NUM("fx", 4.0));
    out = between_two("point_force", push, 0.0, at_start((trVec3){0.5, 0.0, 0.0}, still));
    vector_is(out.at2.force, 4.0, 0.0, 0.0);
    vector_is(out.at2.moment, 0.0, 0.0, -4.0);
    assert_true(out.power == 2.0 && out.potential == 0.0);
}

// The frame that the user sees is not that of the principal axes.
static void components_in_the_body_turn_with_its_frame(void **state) {
    trArena *arena = tr_arena_create();
    trPlace3 place[2] = {ground_place3(), ground_place3()};
    place[1].principal = tr_quat_exp((trVec3){0.5 * PI, 0.0, 0.0});
    // The frame has turned by 90 degrees about z: its x is the world's y.
    trQuat    u = tr_quat_mul(tr_quat_exp((trVec3){0.0, 0.0, 0.5 * PI}), place[1].principal);
    trMotion3 m[2] = {motion_at3(&place[0]), motion_of3(still, u, still, still)};

    const trForceKind *push = tr_force_find("point_force", 3), *turn = tr_force_find("torque", 3);
    const trParam     *force =
        TR_PARAMS(TR_NUM("fx", 4.0), TR_NUM("fz", 1.0), TR_WORD("frame", "body"));
    vector_is(evaluate(push, prepared(arena, push, force, place), 0.0, m).at2.force, 0.0, 4.0, 1.0);
    const trParam *moment =
        TR_PARAMS(TR_NUM("my", 4.0), TR_NUM("mz", 1.0), TR_WORD("frame", "body"));
    vector_is(evaluate(turn, prepared(arena, turn, moment, place), 0.0, m).at2.moment, -4.0, 0.0,
              1.0);
    tr_arena_destroy(arena);
}

static void a_torsion_spring_counts_turns(void **state) {
    const trForceKind *kind = tr_force_find("torsion_spring", 3);
    trArena           *arena = tr_arena_create();
    trPlace3           place[2] = {ground_place3(), ground_place3()};
    const trParam     *list = TR_PARAMS(TR_VEC("axis", 0.0, 2.0, 0.0), TR_NUM("stiffness", 8.0),
                                        TR_NUM("angle", -0.5), TR_NUM("damping", 3.0));
    const void        *params = prepared(arena, kind, list, place);
    double             near = 0.0, turn = 0.0;
    // Three turns back in steps of 0.1 turns; the quaternion goes on, and repeats after two.
    for (int i = 1; i <= 30; i++) {
        double     angle = -0.2 * PI * i;
        trQuat     u = {cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
        trMotion3  m[2] = {motion_at3(&place[0]),
                           motion_of3(still, u, still, (trVec3){1.0, -2.0, 0.0})};
        trForceOut out = {.near = &near, .turn = &turn};
        kind->eval3(params, 0.0, &m[0], &m[1], &out);
        near_to(turn, angle);
        vector_is(out.at2.moment, 0.0, -8.0 * (angle + 0.5) + 6.0, 0.0);
        vector_is(out.at1.moment, 0.0, 8.0 * (angle + 0.5) - 6.0, 0.0);
        near_to(out.potential, 4.0 * (angle + 0.5) * (angle + 0.5));
        near_to(out.power, -12.0);
        near = turn;
    }
    tr_arena_destroy(arena);
}

static void a_bushing_pulls_back_along_its_axes(void **state) {
    const trParam *list =
        TR_PARAMS(TR_VEC("x_axis", 0.0, 1.0, 0.0), TR_VEC("y_axis", 1.0, 1.0, 0.0),
                  TR_VEC("stiffness", 10.0, 20.0, 30.0, 1.0, 2.0, 3.0),
                  TR_VEC("damping", 1.0, 1.0, 1.0, 0.0, 0.0, 0.0));
    // x of the bushing is y of the world, y is x, z is -z.
    trForceOut out =
        between_two("bushing", list, 0.0, shifted(0.1, 0.2, 0.3, (trVec3){0.0, 0.5, 0.0}));
    vector_is(out.at2.force, -2.0, -2.0 - 0.5, -9.0);
    near_to(out.potential, 0.5 * (20.0 * 0.01 + 10.0 * 0.04 + 30.0 * 0.09));
    near_to(out.power, -0.25);
    // About y of the world, x of the bushing.
    out = between_two("bushing", list, 0.0, turned(0.0, 0.4, 0.0));
    vector_is(out.at2.moment, 0.0, -0.4, 0.0);
    vector_is(out.at1.moment, 0.0, 0.4, 0.0);
    // About -z of the world, z of the bushing.
    out = between_two("bushing", list, 0.0, turned(0.0, 0.0, 0.4));
    vector_is(out.at2.moment, 0.0, 0.0, -3.0 * 0.4);
}

// A bushing with these moments of stiffness and damping between ground and a body that is turned by
// `turn`, and that has come there on the way `near`.
typedef struct Turned {
    trArena           *arena;
    const trForceKind *kind;
    const void        *params;
    trPlace3           place[2];
} Turned;

static Turned open_turned(const trParam *list) {
    Turned b = {.arena = tr_arena_create(),
                .kind = tr_force_find("bushing", 3),
                .place = {ground_place3(), ground_place3()}};
    b.params = prepared(b.arena, b.kind, list, b.place);
    return b;
}

static trForceOut turned_by(const Turned *b, trVec3 turn, trVec3 near, trVec3 w, double *reached) {
    trMotion3  m[2] = {motion_at3(&b->place[0]), motion_of3(still, tr_quat_exp(turn), still, w)};
    double     from[3] = {near.x, near.y, near.z};
    trForceOut out = {.near = from, .turn = reached};
    b->kind->eval3(b->params, 0.0, &m[0], &m[1], &out);
    return out;
}

static void a_bushing_pulls_back_by_its_angle_up_to_a_full_turn(void **state) {
    Turned       b = open_turned(TR_PARAMS(TR_VEC("stiffness", 0.0, 0.0, 0.0, 5.0, 5.0, 5.0),
                                           TR_VEC("damping", 0.0, 0.0, 0.0, 2.0, 2.0, 2.0)));
    trVec3       n = tr_scale3(1.0 / 7.0, (trVec3){2.0, -3.0, 6.0});
    const double degrees[6] = {45.0, 90.0, 170.0, 200.0, 300.0, 359.9};
    for (int i = 0; i < 12; i++) {
        double     angle = (i % 2 == 0 ? 1.0 : -1.0) * degrees[i / 2] * PI / 180.0, reached[3];
        trVec3     turn = tr_scale3(angle, n), near = tr_scale3(0.9, turn);
        trForceOut out = turned_by(&b, turn, near, tr_scale3(0.7, n), reached);
        double     moment = -5.0 * angle - 2.0 * 0.7;
        // n is rounded, and near a full turn J magnifies this by |theta| / 2 / sin(|theta| / 2).
        double allowed = 1e-13 / fmin(1.0, fabs(sin(0.5 * angle)));
        assert_true(tr_length3(tr_sub3(out.at2.moment, tr_scale3(moment, n))) < allowed);
        assert_true(fabs(tr_dot3(tr_sub3((trVec3){reached[0], reached[1], reached[2]}, turn), n)) <
                    1e-13);
        near_to(out.potential, 2.5 * angle * angle);
        near_to(out.power, -2.0 * 0.49);
        assert_null(out.undefined);
    }
    tr_arena_destroy(b.arena);
}

// Along a unit vector h the moment is -dV, by a difference of order four. The error is h^4 / 30
// times the fifth derivative of V, which grows as (2 pi - |theta|)^-5: 1e-8 at 5.8 rad.
static void moments_of_a_bushing_are_the_slope_of_its_potential(void **state) {
    double X[36] = {0.0};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            X[6 * i + j] = i == j ? 4.0 + i : 0.2 * (i + j) - 0.7;
        }
    }
    Turned b = open_turned(
        TR_PARAMS(LIST("stiffness", 36, X), TR_VEC("preload", 0.0, 0.0, 0.0, 1.0, -2.0, 0.5)));
    Random random = {3};
    for (int i = 0; i < 300; i++) {
        const double h = 1e-3, weight[2] = {2.0 / 3.0, -1.0 / 12.0};
        trVec3       turn = tr_scale3(random_in(&random, 0.0, 5.8), random_direction3(&random));
        trVec3       along = random_direction3(&random);
        double       reached[3], slope = 0.0;
        for (int k = 0; k < 4; k++) {
            double       step = (k < 2 ? 1.0 : -1.0) * (k % 2 + 1) * h;
            trQuat       u = tr_quat_mul(tr_quat_exp(tr_scale3(step, along)), tr_quat_exp(turn));
            trMotion3    m[2] = {motion_at3(&b.place[0]), motion_of3(still, u, still, still)};
            const double from[3] = {turn.x, turn.y, turn.z};
            trForceOut   out = {.near = from, .turn = reached};
            b.kind->eval3(b.params, 0.0, &m[0], &m[1], &out);
            slope += (k < 2 ? 1.0 : -1.0) * weight[k % 2] * out.potential / h;
        }
        trForceOut out = turned_by(&b, turn, turn, still, reached);
        double     found = tr_dot3(out.at2.moment, along);
        if (!(fabs(found + slope) < 1e-6)) {
            fail_msg("turned by %g rad: moment %.12g, slope of V %.12g", tr_length3(turn), found,
                     slope);
        }
    }
    tr_arena_destroy(b.arena);
}

// Moments in body axes after a further turn by `step` about axis k of the body.
static trVec3 moment_beside(const Turned *b, trVec3 turn, int k, double step) {
    const double from[3] = {turn.x, turn.y, turn.z};
    double       reached[3];
    trVec3       further = {k == 0 ? step : 0.0, k == 1 ? step : 0.0, k == 2 ? step : 0.0};
    trQuat       u = tr_quat_mul(tr_quat_exp(turn), tr_quat_exp(further));
    trMotion3    m[2] = {motion_at3(&b->place[0]),
                         motion_of3(still, u, still, tr_quat_rotate(u, (trVec3){0.3, 0.8, -0.5}))};
    trForceOut   out = {.near = from, .turn = reached};
    b->kind->eval3(b->params, 0.0, &m[0], &m[1], &out);
    return tr_quat_unrotate(u, out.at2.moment);
}

// The error of the difference is as in the test above, one derivative further.
static void tangents_of_a_bushing_hold_for_large_turns(void **state) {
    Turned b = open_turned(TR_PARAMS(TR_VEC("stiffness", 0.0, 0.0, 0.0, 4.0, 7.0, 2.0),
                                     TR_VEC("damping", 0.0, 0.0, 0.0, 1.0, 2.0, 3.0),
                                     TR_VEC("preload", 0.0, 0.0, 0.0, 1.0, -2.0, 0.5)));
    Random random = {4};
    for (int i = 0; i < 100; i++) {
        const double h = 1e-3;
        trVec3       turn = tr_scale3(random_in(&random, 0.0, 5.5), random_direction3(&random));
        double       K[144] = {0.0}, D[144] = {0.0};
        const double from[3] = {turn.x, turn.y, turn.z};
        trQuat       u = tr_quat_exp(turn);
        trVec3       w = tr_quat_rotate(u, (trVec3){0.3, 0.8, -0.5});
        trMotion3    m[2] = {motion_at3(&b.place[0]), motion_of3(still, u, still, w)};
        b.kind->tangent3(b.params, 0.0, &m[0], &m[1],
                         &(trForceTangent){.K = K, .D = D, .near = from});
        for (int k = 0; k < 3; k++) {
            trVec3 near = tr_sub3(moment_beside(&b, turn, k, h), moment_beside(&b, turn, k, -h));
            trVec3 far =
                tr_sub3(moment_beside(&b, turn, k, 2.0 * h), moment_beside(&b, turn, k, -2.0 * h));
            trVec3 slope =
                tr_scale3(1.0 / (12.0 * h), tr_add_scaled3(tr_scale3(8.0, near), -1, far));
            trVec3 column = {-K[12 * 9 + 9 + k], -K[12 * 10 + 9 + k], -K[12 * 11 + 9 + k]};
            if (!(tr_length3(tr_sub3(slope, column)) < 1e-6)) {
                fail_msg("turned by %g rad: column %d is wrong by %g", tr_length3(turn), k,
                         tr_length3(tr_sub3(slope, column)));
            }
        }
    }
    tr_arena_destroy(b.arena);
}

static void a_bushing_ends_at_a_full_turn_unless_it_only_bears(void **state) {
    const trVec3 z = {0.0, 0.0, 1.0}, x = {1.0, 0.0, 0.0};
    double       reached[3];
    Turned       b = open_turned(TR_PARAMS(TR_VEC("stiffness", 1.0, 1.0, 1.0, 1.0, 1.0, 0.0)));
    for (int sign = -1; sign < 2; sign += 2) {
        trVec3 near = tr_scale3(sign * 6.2, z);
        assert_null(turned_by(&b, tr_scale3(sign * 6.28, z), near, still, reached).undefined);
        assert_non_null(turned_by(&b, tr_scale3(sign * 6.29, z), near, still, reached).undefined);
        assert_non_null(turned_by(&b, still, near, still, reached).undefined);
    }
    // Half a turn back from beyond half a turn is no full turn.
    assert_null(turned_by(&b, tr_scale3(3.0, z), tr_scale3(3.3, z), still, reached).undefined);
    assert_null(turned_by(&b, tr_scale3(5.0, x), tr_scale3(5.0, z), still, reached).undefined);
    tr_arena_destroy(b.arena);
    b = open_turned(TR_PARAMS(TR_VEC("stiffness", 1.0, 1.0, 1.0, 0.0, 0.0, 0.0),
                              TR_VEC("damping", 0.0, 0.0, 0.0, 2.0, 2.0, 2.0)));
    trForceOut out = turned_by(&b, tr_scale3(7.0, z), tr_scale3(6.2, z), x, reached);
    assert_null(out.undefined);
    vector_is(out.at2.moment, -2.0, 0.0, 0.0);
    tr_arena_destroy(b.arena);
}

static void a_bushing_couples_its_directions_and_has_a_preload(void **state) {
    double X[36] = {0.0};
    X[6 * 0 + 5] = X[6 * 5 + 0] = 7.0;
    const trParam *list =
        TR_PARAMS(LIST("stiffness", 36, X), TR_VEC("preload", 0.0, 1.0, 0.0, 0.0, 0.0, 2.0));
    trForceOut out = between_two("bushing", list, 0.0, at_start(still, still));
    vector_is(out.at2.force, 0.0, 1.0, 0.0);
    vector_is(out.at2.moment, 0.0, 0.0, 2.0);
    vector_is(out.at1.moment, 0.0, 0.0, -4.0);  // the force acts 2 m from body 1
    out = between_two("bushing", list, 0.0, shifted(0.5, 0.0, 0.0, still));
    vector_is(out.at2.force, 0.0, 1.0, 0.0);
    vector_is(out.at2.moment, 0.0, 0.0, 2.0 - 3.5);
    // The opposite quaternion is the same rotation.
    trMotion3 m = shifted(0.5, 0.0, 0.0, still);
    m.u = (trQuat){-1.0, 0.0, 0.0, 0.0};
    out = between_two("bushing", list, 0.0, m);
    vector_is(out.at2.moment, 0.0, 0.0, 2.0 - 3.5);
}

static void joint_friction_brakes_turning_and_sliding(void **state) {
    const trParam *turning = TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 3.0), TR_NUM("damping", 2.0),
                                       TR_NUM("friction", 5.0), TR_NUM("rate", 0.5));
    trMotion3      m = at_start((trVec3){9.0, 8.0, -4.0}, (trVec3){7.0, 6.0, -1.0});
    trForceOut     out = between_two("joint_friction", turning, 0.0, m);
    double         brake = 2.0 + 5.0 * tanh(2.0);
    vector_is(out.at2.moment, 0.0, 0.0, brake);
    vector_is(out.at2.force, 0.0, 0.0, 0.0);
    near_to(out.power, -brake);

    const trParam *sliding = TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 3.0), TR_NUM("slide_damping", 2.0),
                                       TR_NUM("slide_friction", 5.0), TR_NUM("slide_rate", 0.5));
    out = between_two("joint_friction", sliding, 0.0, m);
    brake = 8.0 + 5.0 * tanh(8.0);
    vector_is(out.at2.force, 0.0, 0.0, brake);
    vector_is(out.at2.moment, 0.0, 0.0, 0.0);
    near_to(out.power, -4.0 * brake);
}

// The tire of the IAVSD benchmark vehicle, 460 N/mm, and the flat road under it.
static void a_wheel_is_pushed_up_and_never_pulled_down(void **state) {
    const trParam *tire = TR_PARAMS(TR_NUM("stiffness", 460e3), TR_NUM("radius", 0.364325));
    trForceOut     out = between_two("contact", tire, 0.0, shifted(0.0, 0.5, 0.356, still));
    // The penetration is rounded to 1e-16 m.
    assert_true(fabs(out.at2.force.z - 3829.5) < 460e3 * DBL_EPSILON + 1e-12 * 3829.5);
    assert_true(out.at2.force.x == 0.0 && out.at2.force.y == 0.0);
    out = between_two("contact", tire, 0.0, shifted(0.0, 0.5, 0.365, still));
    assert_true(out.at2.force.z == 0.0 && out.potential == 0.0);

    const trParam *damped =
        TR_PARAMS(TR_NUM("stiffness", 100.0), TR_NUM("damping", 10.0), TR_NUM("radius", 0.5));
    out = between_two("contact", damped, 0.0, shifted(0.0, 0.0, 0.25, (trVec3){0.0, 0.0, -1.0}));
    vector_is(out.at2.force, 0.0, 0.0, 35.0);
    near_to(out.power, -10.0);
    // Leaving at 3 m/s the damper would pull: the spring's 25 N are lost instead.
    out = between_two("contact", damped, 0.0, shifted(0.0, 0.0, 0.25, (trVec3){0.0, 0.0, 3.0}));
    assert_true(out.at2.force.z == 0.0);
    near_to(out.power, -75.0);
}

static void a_wheel_follows_the_road(void **state) {
    trArena     *arena = tr_arena_create();
    const double zero = 0.0, square[3] = {0.0, 0.0, 0.125};
    const trLaw *hill = NULL;
    assert_int_equal(tr_law_pieces(arena, 1, &zero, 3, square, &hill), TR_OK);
    // At x = 2 + 3 * 0.5 + 0.5 = 4 the road is 2 m high and rises by 1, and x grows by 3 + 2 m/s.
    const trParam *list =
        TR_PARAMS(TR_NUM("stiffness", 8.0), LAW("profile", hill), TR_NUM("speed", 3.0),
                  TR_NUM("offset", 0.5), TR_VEC("forward", 3.0, 0.0, -4.0));
    trForceOut out = between_two("contact", list, 0.5, at_start((trVec3){2.0, 0.0, 0.25}, still));
    vector_is(out.at2.force, 0.0, 0.0, 16.0);
    near_to(out.potential, 16.0);
    near_to(out.power, 16.0 * 5.0);

    Materials     *s = open_materials();
    const trParam *time = TR_PARAMS(TR_NUM("stiffness", 8.0), FUNCTION("road", s->wave));
    out = between_two("contact", time, 0.7, at_start((trVec3){2.0, 0.0, 0.25}, still));
    vector_is(out.at2.force, 0.0, 0.0, 24.0 * sin(0.7));
    near_to(out.power, 24.0 * sin(0.7) * 3.0 * cos(0.7));
    close_materials(s);
    tr_arena_destroy(arena);
}

// The leaf spring of the IAVSD benchmark vehicle pushes down above its free height.
static void a_bump_stop_acts_on_one_side_of_its_limit(void **state) {
    const trParam *leaf = TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 1.0), TR_NUM("limit", 0.455),
                                    TR_NUM("stiffness", 35900.0));
    trForceOut     out = between_two("bump_stop", leaf, 0.0, shifted(0.0, 0.0, 0.531, still));
    assert_true(fabs(out.at2.force.z + 2728.4) < 1e-11 && out.at2.force.x == 0.0);
    out = between_two("bump_stop", leaf, 0.0, shifted(0.0, 0.0, 0.4, still));
    assert_true(out.at2.force.z == 0.0 && out.potential == 0.0);

    const trParam *below =
        TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 1.0), TR_NUM("limit", 0.25), TR_WORD("side", "below"),
                  TR_NUM("stiffness", 100.0), TR_NUM("damping", 10.0));
    out = between_two("bump_stop", below, 0.0, shifted(0.0, 0.0, -0.25, (trVec3){0.0, 0.0, -2.0}));
    vector_is(out.at2.force, 0.0, 0.0, 70.0);
    near_to(out.potential, 12.5);
    near_to(out.power, -40.0);
    out = between_two("bump_stop", below, 0.0, shifted(0.0, 0.0, -0.25, (trVec3){0.0, 0.0, 6.0}));
    assert_true(out.at2.force.z == 0.0 && out.potential == 12.5);
    out = between_two("bump_stop", below, 0.0, shifted(0.0, 0.0, 0.3, (trVec3){0.0, 0.0, -6.0}));
    assert_true(out.at2.force.z == 0.0 && out.power == 0.0);
}

static void expect_refusal(const char *name, const trParam *list, const char *words) {
    const trForceKind *kind = tr_force_find(name, 3);
    trArena           *arena = tr_arena_create();
    trPlace3           place = ground_place3();
    void              *params = tr_arena_take(arena, 1, kind->size);
    trStatus           status = tr_fields_bind(arena, kind->fields, list, params);
    if (status == TR_OK) {
        status = kind->prepare3(params, &place, &place, arena);
    }
    if (status != TR_E_MODEL || strstr(tr_last_error(), words) == NULL) {
        fail_msg("%s: %d, \"%s\" does not say \"%s\"", name, status, tr_last_error(), words);
    }
    tr_arena_destroy(arena);
}

static void words_and_missing_parameters_are_refused(void **state) {
    expect_refusal("point_force", TR_PARAMS(TR_WORD("frame", "bodi")), "did you mean \"body\"?");
    expect_refusal("torque", TR_PARAMS(TR_WORD("frame", "moon")), "\"world\" or \"body\"");
    expect_refusal("bump_stop",
                   TR_PARAMS(TR_WORD("side", "belw"), TR_NUM("limit", 1.0), TR_NUM("stiffness", 1)),
                   "did you mean \"below\"?");
    expect_refusal("point_force",
                   TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("point2", 0.0, 0.0, 0.0)),
                   "'point' and 'point2' are both given");
    expect_refusal("point_force", NULL, "does nothing; give fx, fy or fz");
    expect_refusal("torque", NULL, "does nothing; give mx, my or mz");
    expect_refusal("gravity", NULL, "has no mass");
    expect_refusal("spring", NULL, "neither 'stiffness' nor 'damping'");
    expect_refusal("torsion_spring", NULL, "neither 'stiffness' nor 'damping'");
    expect_refusal("torsion_spring", TR_PARAMS(TR_NUM("damping", 1.0)), "'axis' is missing");
    expect_refusal("bump_stop", TR_PARAMS(TR_NUM("limit", 1.0)), "'stiffness'");
    expect_refusal("bump_stop", TR_PARAMS(TR_NUM("stiffness", 1.0)), "'limit'");
    expect_refusal("bump_stop", TR_PARAMS(TR_NUM("limit", 1.0), TR_NUM("stiffness", 1.0)),
                   "'axis' is missing");
    expect_refusal("joint_friction", NULL, "does nothing");
    expect_refusal("joint_friction", TR_PARAMS(TR_NUM("friction", 1.0)),
                   "'friction' is given without 'rate'");
    expect_refusal("joint_friction", TR_PARAMS(TR_NUM("slide_rate", 1.0)),
                   "'slide_rate' is given without 'slide_friction'");
    expect_refusal("joint_friction", TR_PARAMS(TR_NUM("friction", 1.0), TR_NUM("rate", 0.0)),
                   "'rate' must be positive");
}

static void roads_and_matrices_that_make_no_sense_are_refused(void **state) {
    expect_refusal("contact", NULL, "'stiffness'");
    expect_refusal("contact",
                   TR_PARAMS(TR_NUM("stiffness", 1.0), TR_NUM("profile", 0.1), TR_NUM("road", 1.0)),
                   "'profile' and 'road' are both given");
    expect_refusal("contact", TR_PARAMS(TR_NUM("stiffness", 1.0), TR_NUM("speed", 3.0)),
                   "'speed' is given without 'profile'");
    expect_refusal("contact", TR_PARAMS(TR_NUM("stiffness", 1.0), TR_NUM("offset", 3.0)),
                   "'offset' is given without 'profile'");
    expect_refusal("contact", TR_PARAMS(TR_NUM("stiffness", 1.0), TR_VEC("up", 1.0, 0.0, 0.0)),
                   "must not be parallel to 'up'");
    expect_refusal("contact", TR_PARAMS(TR_NUM("stiffness", 1.0), TR_VEC("up", 0.0, 0.0, 0.0)),
                   "'up' must have a direction");
    expect_refusal("bushing", NULL, "does nothing");
    expect_refusal("bushing", TR_PARAMS(TR_VEC("stiffness", 1.0, 2.0)), "6 or 36 numbers, not 2");
    expect_refusal("bushing", TR_PARAMS(TR_VEC("damping", 1.0)), "6 or 36 numbers, not 1");
    expect_refusal("bushing", TR_PARAMS(TR_VEC("preload", 1.0)), "6 numbers, not 1");
    expect_refusal("bushing",
                   TR_PARAMS(LIST("damping", 6, diagonal), TR_VEC("x_axis", 0.0, -2.0, 0.0)),
                   "that are not parallel");
    expect_refusal("bushing",
                   TR_PARAMS(LIST("damping", 6, diagonal), TR_VEC("x_axis", 0.0, 0.0, 0.0)),
                   "that are not parallel");
    double X[36] = {0.0};
    X[6 * 4 + 1] = 2.0;
    expect_refusal("bushing", TR_PARAMS(LIST("stiffness", 36, X)),
                   "row 5 column 2 is 2 and row 2 column 5 is 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_is_mass_times_acceleration),
        cmocka_unit_test(a_stretched_spring_pulls_and_a_damper_resists),
        cmocka_unit_test(torque_and_point_force_are_as_written),
        cmocka_unit_test(components_in_the_body_turn_with_its_frame),
        cmocka_unit_test(a_torsion_spring_counts_turns),
        cmocka_unit_test(a_bushing_pulls_back_along_its_axes),
        cmocka_unit_test(a_bushing_pulls_back_by_its_angle_up_to_a_full_turn),
        cmocka_unit_test(moments_of_a_bushing_are_the_slope_of_its_potential),
        cmocka_unit_test(tangents_of_a_bushing_hold_for_large_turns),
        cmocka_unit_test(a_bushing_ends_at_a_full_turn_unless_it_only_bears),
        cmocka_unit_test(a_bushing_couples_its_directions_and_has_a_preload),
        cmocka_unit_test(joint_friction_brakes_turning_and_sliding),
        cmocka_unit_test(a_wheel_is_pushed_up_and_never_pulled_down),
        cmocka_unit_test(a_wheel_follows_the_road),
        cmocka_unit_test(a_bump_stop_acts_on_one_side_of_its_limit),
        cmocka_unit_test(words_and_missing_parameters_are_refused),
        cmocka_unit_test(roads_and_matrices_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests_name("spatial_forces", tests, NULL, NULL);
}
