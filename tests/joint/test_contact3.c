// SPDX-License-Identifier: MIT
// Spatial joints that touch, drive and gear: facts beside those that every joint owes.

#include <float.h>
#include <string.h>

#include "joint/cases3.h"
#include "support/test.h"

#define PI 3.14159265358979323846

static const trVec3 none = {0.0, 0.0, 0.0};
static const trQuat upright = {1.0, 0.0, 0.0, 0.0};

// A kind with parameters between two bodies; a case far enough for evaluate3.
static Case3 open_between(const char *name, const trParam *params, const trPlace3 *place) {
    const trJointKind *kind = tr_joint_find(name, 3);
    Case3              c = {.kind = kind, .arena = tr_arena_create()};
    c.params = tr_arena_take(c.arena, 1, kind->size);
    if (tr_fields_bind(c.arena, kind->fields, params, c.params) != TR_OK ||
        kind->prepare3(c.params, place) != TR_OK) {
        fail_msg("%s: %s", name, tr_last_error());
    }
    return c;
}

static Case3 open_on_ground(const char *name, const trParam *params, const trPlace3 *here) {
    trPlace3 place[3] = {ground_place3(), *here, ground_place3()};
    return open_between(name, params, place);
}

// A body of which frame, center of mass and principal axes coincide.
static trPlace3 place_at(trVec3 at) {
    trPlace3 place = ground_place3();
    place.at = at;
    return place;
}

static trMotion3 ground_at_rest(void) {
    return motion_of3(none, upright, none, none);
}

// One row of J2 times (f, c), both in the world.
static double row_times(const Rows3 *rows, int row, const trMotion3 *m, trVec3 f, trVec3 c) {
    const double *J = &rows->J[1][6 * row];
    trVec3        C = tr_unrotate3(&m->R, c);
    return J[0] * f.x + J[1] * f.y + J[2] * f.z + J[3] * C.x + J[4] * C.y + J[5] * C.z;
}

// A few dozen operations on numbers of at most 20.
static void assert_zero(double x) {
    assert_true(fabs(x) <= 100.0 * DBL_EPSILON * 20.0);
}

// A coin leans by `lean` and rolls round a circle: its center goes round the z axis at the distance
// rho with the rate p, and it spins with s about its axis a. With e from contact to center, the
// contact is at rest where
//
//     p z x (rho x) = (p z + s a) x (radius e),       a x e = -y:    s = -p (rho / radius + sin
//     lean)
//
// The motion is steady: v' = p z x v and omega' = p z x omega.
static void a_coin_rolls_round_a_circle(void **state) {
    const double radius = 0.4, rho = 1.1, p = 1.7;
    const trVec3 z = {0.0, 0.0, 1.0}, y = {0.0, 1.0, 0.0};
    for (int i = 0; i < 12; i++) {
        double         lean = -1.2 + 0.2 * i, s = -p * (rho / radius + sin(lean));
        trVec3         a = {cos(lean), 0.0, sin(lean)}, center = {rho, 0.0, radius * cos(lean)};
        trVec3         v = tr_scale3(p * rho, y), w = tr_add_scaled3(tr_scale3(p, z), s, a);
        trPlace3       here = place_at(center);
        const trParam *params = TR_PARAMS(TR_NUM("radius", radius), TR_VEC("axis2", 1.0, 0.0, 0.0),
                                          TR_VEC("normal", 0.0, 0.0, i % 2 == 0 ? 3.0 : -3.0));
        Case3          c = open_on_ground("rolling_disk", params, &here);
        trMotion3      m[2] = {ground_at_rest(),
                               motion_of3(center, tr_quat_exp(tr_scale3(-lean, y)), v, w)};
        Rows3          rows = evaluate3(&c, 0.0, m);
        trVec3         v_dot = tr_scale3(p, tr_cross3(z, v)), w_dot = tr_scale3(p, tr_cross3(z, w));
        double         slip[3];
        assert_zero(rows.phi[0]);
        for (int row = 0; row < 3; row++) {
            assert_zero(row_times(&rows, row, &m[1], v, w));
            assert_zero(row_times(&rows, row, &m[1], v_dot, w_dot) - rows.b[row]);
            slip[row] = row_times(&rows, row, &m[1], v, tr_add3(w, a));
        }
        // One rad/s more of spin: the rim slips with 1 rad/s times the radius, in the plane.
        assert_zero(slip[0]);
        assert_zero(hypot(slip[1], slip[2]) - radius);
        close_case3(&c);
    }
}

// A skate along x, leaning about its blade or not: free along the blade, held across it, free in
// height.
static void a_skate_glides_along_its_blade(void **state) {
    trPlace3 here = place_at(none);
    Case3    c = open_on_ground(
           "knife_edge", TR_PARAMS(TR_VEC("axis", 2.0, 0.0, 0.0), TR_VEC("normal", 0.0, 0.0, 2.0)),
           &here);
    for (int i = 0; i < 5; i++) {
        double    heading = 0.7 * i;
        trQuat    lean = tr_quat_exp((trVec3){0.3 * i, 0.0, 0.0});
        trQuat    u = tr_quat_mul(tr_quat_exp((trVec3){0.0, 0.0, heading}), lean);
        trMotion3 m[2] = {ground_at_rest(), motion_of3(none, u, none, none)};
        Rows3     rows = evaluate3(&c, 0.0, m);
        assert_zero(row_times(&rows, 0, &m[1], (trVec3){cos(heading), sin(heading), 0.0}, none));
        assert_zero(row_times(&rows, 0, &m[1], (trVec3){0.0, 0.0, 1.0}, none));
        assert_zero(row_times(&rows, 0, &m[1], (trVec3){-sin(heading), cos(heading), 0.0}, none) -
                    1.0);
    }
    close_case3(&c);
}

static void what_has_no_direction_is_not_a_number(void **state) {
    trPlace3  here = place_at((trVec3){0.0, 0.0, 0.5});
    Case3     rod = open_on_ground("distance", NULL, &here);
    trMotion3 m[2] = {ground_at_rest(), ground_at_rest()};
    Rows3     rows = evaluate3(&rod, 0.0, m);
    assert_true(isnan(rows.J[1][0]) && isnan(rows.b[0]));
    close_case3(&rod);

    // x becomes z, to the last bit: the disk lies flat, the blade stands upright.
    const trParam *params =
        TR_PARAMS(TR_VEC("axis", 1.0, 0.0, 0.0), TR_VEC("normal", 0.0, 0.0, 1.0));
    const trParam *disk_params = TR_PARAMS(TR_NUM("radius", 0.5), TR_VEC("axis", 1.0, 0.0, 0.0),
                                           TR_VEC("normal", 0.0, 0.0, 1.0));
    Case3          disk = open_on_ground("rolling_disk", disk_params, &here);
    Case3          blade = open_on_ground("knife_edge", params, &here);
    m[1].r = here.at;
    m[1].R = (trMat3){{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}};
    rows = evaluate3(&disk, 0.0, m);
    assert_true(isnan(rows.J[1][4]) && isnan(rows.b[1]));
    rows = evaluate3(&blade, 0.0, m);
    assert_true(isnan(rows.J[1][0]) && isnan(rows.b[0]));
    close_case3(&disk);
    close_case3(&blade);
}

// Without a point of its own, body 2 is driven at its frame origin, as seen from that of body 1 or
// from point1.
static void a_coordinate_counts_between_frame_origins(void **state) {
    Random         random = {53};
    trPlace3       place[2] = {random_place3(&random, 1), random_place3(&random, 2)};
    trMotion3      m[2] = {motion_at3(&place[0]), motion_at3(&place[1])};
    const trParam *lists[] = {
        TR_PARAMS(TR_VEC("axis", 0.0, 0.6, 0.8), TR_NUM("value", 0.25)),
        TR_PARAMS(TR_VEC("axis", 0.0, 0.6, 0.8), TR_NUM("value", 0.25),
                  TR_VEC("point1", 0.1, 0.2, 0.3)),
    };
    for (int i = 0; i < 2; i++) {
        Case3  c = open_between("driven_coordinate", lists[i], place);
        Rows3  rows = evaluate3(&c, 0.0, m);
        trVec3 point1 = i == 0 ? none : (trVec3){0.1, 0.2, 0.3};
        trVec3 from = tr_add3(place[0].at, out_of3(&place[0], point1));
        trVec3 apart = tr_sub3(place[1].at, from);
        assert_zero(rows.phi[0] - (0.6 * apart.y + 0.8 * apart.z - 0.25));
        close_case3(&c);
    }
}

// Bevel wheels on crossed shafts turn ten times forward and back; at each step `near` is where the
// turns were before.
static void a_gear_counts_its_turns(void **state) {
    const double ratio = -1.5;
    Random       random = {47};
    trPlace3     place[3] = {random_place3(&random, 1), random_place3(&random, 2), ground_place3()};
    trVec3       axis1 = {0.0, 0.6, 0.8}, axis2 = {1.0, 0.0, 0.0};
    const trParam *params = TR_PARAMS(TR_VEC("world_axis1", 0.0, 6.0, 8.0),
                                      TR_VEC("world_axis2", 2.0, 0.0, 0.0), TR_NUM("ratio", ratio));
    Case3          c = open_between("gear", params, place);
    trMotion3      start[2] = {motion_at3(&place[0]), motion_at3(&place[1])};
    for (int i = 0; i <= 100; i++) {
        double    angle = 20.0 * PI * sin(2.0 * PI * i / 100.0);
        trQuat    turn1 = tr_quat_exp(tr_scale3(angle, axis1));
        trQuat    turn2 = tr_quat_exp(tr_scale3(ratio * angle, axis2));
        trMotion3 m[3] = {motion_of3(start[0].r, tr_quat_mul(turn1, start[0].u), none, none),
                          motion_of3(start[1].r, tr_quat_mul(turn2, start[1].u), none, none),
                          ground_at_rest()};
        Rows3     rows = evaluate3(&c, 0.0, m);
        assert_zero((rows.turn[0] - angle) / 10.0);  // angles of up to 100 rad
        assert_zero((rows.turn[1] - ratio * angle) / 10.0);
        assert_zero(rows.phi[0] / 10.0);
        memcpy(c.setup.near, rows.turn, sizeof c.setup.near);
    }
    close_case3(&c);
}

// With one axis both bodies turn about it; with none the gear is refused.
static void wheels_on_parallel_shafts_need_one_axis(void **state) {
    const trJointKind *kind = tr_joint_find("gear", 3);
    const trVec3       axis = {0.0, 0.6, 0.8};
    trPlace3           here = place_at((trVec3){1.0, 2.0, 3.0});
    const trParam *params = TR_PARAMS(TR_VEC("world_axis1", 0.0, 3.0, 4.0), TR_NUM("ratio", 2.0));
    Case3          c = open_on_ground("gear", params, &here);
    trQuat         turn = tr_quat_exp(tr_scale3(0.9, axis));
    trMotion3 m[3] = {ground_at_rest(), motion_of3(here.at, turn, none, none), ground_at_rest()};
    Rows3     rows = evaluate3(&c, 0.0, m);
    assert_zero(rows.phi[0] - 0.9);
    assert_zero(row_times(&rows, 0, &m[1], none, axis) - 1.0);
    assert_int_equal(
        tr_fields_bind(c.arena, kind->fields, TR_PARAMS(TR_NUM("ratio", 2.0)), c.params),
        TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), "axis1"));
    close_case3(&c);
}

// Nothing is remembered: any number of turns is told by the driver alone, and an error of up to two
// turns to either side is seen as it is.
static void a_motor_needs_no_memory(void **state) {
    trPlace3 here = place_at((trVec3){1.0, 2.0, 3.0});
    for (int i = -8; i <= 8; i++) {
        double         driven = 2.5 * i, error = 0.7 * i;
        const trParam *params = TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 1.0), TR_NUM("angle", driven));
        Case3          c = open_on_ground("driven_angle", params, &here);
        trQuat         turn = tr_quat_exp((trVec3){0.0, 0.0, driven + error});
        trMotion3      m[2] = {ground_at_rest(), motion_of3(here.at, turn, none, none)};
        Rows3          rows = evaluate3(&c, 0.0, m);
        assert_zero(rows.phi[0] - error);
        assert_zero(row_times(&rows, 0, &m[1], none, (trVec3){0.0, 0.0, 1.0}) - 1.0);
        close_case3(&c);
    }
}

// Binds and prepares between ground and a body, and expects words in the refusal.
static void expect_refusal(const char *name, const trParam *params, const char *words) {
    const trJointKind *kind = tr_joint_find(name, 3);
    trArena           *arena = tr_arena_create();
    trPlace3           ground = ground_place3(), here = place_at((trVec3){1.0, 2.0, 3.0});
    void              *object = tr_arena_take(arena, 1, kind->size);
    assert_int_equal(tr_fields_bind(arena, kind->fields, params, object), TR_OK);
    assert_int_equal(kind->prepare3(object, (const trPlace3[]){ground, here, ground}), TR_E_MODEL);
    if (strstr(tr_last_error(), words) == NULL) {
        fail_msg("%s: \"%s\" does not say \"%s\"", name, tr_last_error(), words);
    }
    tr_arena_destroy(arena);
}

#define Z(name) TR_VEC(name, 0.0, 0.0, 1.0)
#define X(name) TR_VEC(name, 1.0, 0.0, 0.0)
#define ZERO(name) TR_VEC(name, 0.0, 0.0, 0.0)
#define RADIUS TR_NUM("radius", 1.0)

static void what_contradicts_itself_is_refused_in_words(void **state) {
    const char *on_body1[] = {"point_on_line", "point_on_plane"};
    for (int i = 0; i < 2; i++) {
        expect_refusal(on_body1[i], NULL, "'axis' is missing");
        expect_refusal(on_body1[i], TR_PARAMS(ZERO("axis1")), "'axis1' must have a direction");
        expect_refusal(on_body1[i], TR_PARAMS(Z("axis"), Z("axis1")), "'axis' and 'axis1'");
        expect_refusal(on_body1[i], TR_PARAMS(Z("axis"), Z("point"), Z("point1")),
                       "'point' and 'point1' are both given");
    }
    expect_refusal("distance", TR_PARAMS(TR_VEC("point1", 1.0, 2.0, 3.0)),
                   "the two points coincide");
    expect_refusal("distance", TR_PARAMS(Z("world2"), Z("point2")), "'world2' and 'point2'");
    expect_refusal("driven_distance",
                   TR_PARAMS(TR_NUM("length", 1.0), TR_VEC("point1", 1.0, 2.0, 3.0)),
                   "the two points coincide");
    expect_refusal("driven_coordinate", TR_PARAMS(TR_NUM("value", 1.0)), "'axis' is missing");
    expect_refusal("driven_angle", TR_PARAMS(TR_NUM("angle", 1.0)), "'axis' is missing");
    expect_refusal("gear", TR_PARAMS(Z("world_axis1"), TR_NUM("ratio", 0.0)),
                   "'ratio' must not be zero");
    expect_refusal("gear", TR_PARAMS(ZERO("world_axis1"), TR_NUM("ratio", 1.0)),
                   "'world_axis1' must have a direction");
    expect_refusal("gear", TR_PARAMS(Z("world_axis1"), ZERO("world_axis2"), TR_NUM("ratio", 1.0)),
                   "'world_axis2' must have a direction");
    expect_refusal("knife_edge", TR_PARAMS(X("axis")), "'normal' is missing");
    expect_refusal("knife_edge", TR_PARAMS(Z("normal")), "'axis' is missing");
    expect_refusal("knife_edge", TR_PARAMS(Z("axis"), Z("normal")), "the blade is normal to");
    expect_refusal("knife_edge", TR_PARAMS(X("axis"), Z("normal"), Z("normal1")),
                   "'normal' and 'normal1' are both given");
    expect_refusal("rolling_disk", TR_PARAMS(RADIUS, Z("normal")), "'axis' is missing");
    expect_refusal("rolling_disk", TR_PARAMS(RADIUS, X("axis")), "'normal' is missing");
    expect_refusal("rolling_disk", TR_PARAMS(RADIUS, Z("axis"), Z("normal")), "lies flat");
    expect_refusal(
        "rolling_disk",
        TR_PARAMS(RADIUS, X("axis"), Z("normal"), ZERO("plane_point"), ZERO("plane_point1")),
        "'plane_point' and 'plane_point1' are both given");
    expect_refusal("rolling_disk",
                   TR_PARAMS(RADIUS, X("axis"), Z("normal"), ZERO("point"), ZERO("point2")),
                   "'point' and 'point2' are both given");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coin_rolls_round_a_circle),
        cmocka_unit_test(a_skate_glides_along_its_blade),
        cmocka_unit_test(what_has_no_direction_is_not_a_number),
        cmocka_unit_test(a_coordinate_counts_between_frame_origins),
        cmocka_unit_test(a_gear_counts_its_turns),
        cmocka_unit_test(wheels_on_parallel_shafts_need_one_axis),
        cmocka_unit_test(a_motor_needs_no_memory),
        cmocka_unit_test(what_contradicts_itself_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
