// SPDX-License-Identifier: MIT
// What every spatial joint owes: along any motion of its bodies, with phi' and phi'' from a
// twin,
//
//     J v - b1 = phi'        J a - b = phi''        (nonholonomic: = psi and psi')

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "joint/cases3.h"
#include "support/test.h"

#define MOTIONS 40

static const trVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
static const trVec3 none = {0.0, 0.0, 0.0};

// a, alpha: accelerations of the bodies, in world axes.
static void evaluate_twin3(const Case3 *c, Jet t, const trMotion3 *m, const trVec3 *a,
                           const trVec3 *alpha, Jet *phi) {
    TwinBody3 body[TR_JOINT_BODIES];
    for (int k = 0; k < tr_joint_bodies(c->kind); k++) {
        body[k] = twin_body3(&m[k], &c->setup.place[k], a[k], alpha[k]);
    }
    c->family->twin(&c->setup, t, &body[0], &body[1], phi);
}

// Some hundred operations round by DBL_EPSILON each, relative to intermediate results that are at
// most ten times the terms of the sum: 1000 DBL_EPSILON times the terms.
static void assert_near3(const Case3 *c, const char *what, int row, double x, double y,
                         double terms) {
    if (!(fabs(x - y) <= 1000.0 * DBL_EPSILON * (1.0 + terms))) {
        fail_msg("%s, row %d: %s is %.17g, should be %.17g", c->kind->name, row, what, x, y);
    }
}

// One row of one side times (f, c), with c in world axes.
static double side_rate(const double *J, const trMotion3 *m, trVec3 f, trVec3 c) {
    trVec3 C = tr_unrotate3(&m->R, c);
    return J[0] * f.x + J[1] * f.y + J[2] * f.z + J[3] * C.x + J[4] * C.y + J[5] * C.z;
}

// W' = R' alpha: the angular velocity and its body axes turn together.
static void check_motion3(const Case3 *c, Random *random) {
    double    t = random_in(random, 0.0, 3.0);
    trMotion3 m[TR_JOINT_BODIES];
    trVec3    a[TR_JOINT_BODIES], alpha[TR_JOINT_BODIES];
    const int bodies = tr_joint_bodies(c->kind);
    for (int k = 0; k < bodies; k++) {
        m[k] = random_motion3(random, &c->setup.place[k]);
        a[k] = random_vec3(random, 5.0);
        alpha[k] = random_vec3(random, 5.0);
    }
    int   held = c->kind->rows - c->kind->nonholonomic;  // rows with a phi
    Rows3 rows = evaluate3(c, t, m);
    Jet   phi[TR_JOINT_ROWS];
    evaluate_twin3(c, (Jet){t, 1.0, 0.0}, m, a, alpha, phi);
    for (int i = 0; i < c->kind->rows; i++) {
        bool   holonomic = i < held;
        double velocity = -rows.b1[i], acceleration = -rows.b[i];
        double terms = fabs(rows.b1[i]) + fabs(rows.b[i]);
        for (int k = 0; k < bodies; k++) {
            const double *J = &rows.J[k][6 * i];
            velocity += side_rate(J, &m[k], m[k].v, m[k].w);
            acceleration += side_rate(J, &m[k], a[k], alpha[k]);
            for (int j = 0; j < 6; j++) {
                terms += 10.0 * fabs(J[j]);
            }
        }
        if (holonomic) {
            assert_near3(c, "phi", i, rows.phi[i], phi[i].value,
                         5.0 + fabs(c->setup.ratio * c->setup.near[0]) + fabs(c->setup.near[1]));
        }
        assert_near3(c, "J v - b1", i, velocity, holonomic ? phi[i].first : phi[i].value, terms);
        assert_near3(c, "J a - b", i, acceleration, holonomic ? phi[i].second : phi[i].first,
                     terms);
    }
    for (int i = 0; i < c->kind->turns; i++) {
        double period = 4.0 * 3.14159265358979323846;
        assert_true(fabs(rows.turn[i] - c->setup.near[i]) <= 0.5 * period * (1.0 + 1e-12));
    }
}

static void derivatives_match_the_motion(void **state) {
    Random random = {7};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        if (!has_twin3(tr_joint_at(k))) {
            continue;
        }
        for (int i = 0; i < MOTIONS; i++) {
            Case3 c;
            open_random_case3(&c, tr_joint_at(k), &random,
                              i % 2 == 0 ? IN_BODY_AXES : IN_THE_WORLD);
            c.setup.near[0] = random_in(&random, -30.0, 30.0);
            c.setup.near[1] = random_in(&random, -30.0, 30.0);
            check_motion3(&c, &random);
            close_case3(&c);
        }
    }
}

// One coordinate moves at a time, with time standing still: the twin's rate is a column of J. Then
// time alone moves: the rate is -b1.
static void check_columns3(const Case3 *c, Random *random) {
    const trVec3 rest[TR_JOINT_BODIES] = {{0.0, 0.0, 0.0}};
    const int    bodies = tr_joint_bodies(c->kind), last = 6 * bodies;
    int          held = c->kind->rows - c->kind->nonholonomic;
    Jet          phi[TR_JOINT_ROWS];
    trMotion3    m[TR_JOINT_BODIES];
    for (int k = 0; k < bodies; k++) {
        m[k] = random_motion3(random, &c->setup.place[k]);
    }
    for (int k = 0; k <= last; k++) {
        for (int body = 0; body < bodies; body++) {
            int mine = k - 6 * body;
            m[body].v = mine >= 0 && mine < 3 ? axes[mine] : none;
            m[body].w = mine >= 3 && mine < 6 ? tr_rotate3(&m[body].R, axes[mine - 3]) : none;
        }
        Rows3 rows = evaluate3(c, 0.4, m);
        evaluate_twin3(c, (Jet){0.4, k == last ? 1.0 : 0.0, 0.0}, m, rest, rest, phi);
        for (int i = 0; i < c->kind->rows; i++) {
            double rate = i < held ? phi[i].first : phi[i].value;
            double mine = k == last ? -rows.b1[i] : rows.J[k / 6][6 * i + k % 6];
            assert_near3(c, k == last ? "-b1" : "J", i, mine, rate, 5.0 + 10.0 * fabs(mine));
        }
    }
}

static void each_column_is_a_gradient(void **state) {
    Random random = {11};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        if (!has_twin3(tr_joint_at(k))) {
            continue;
        }
        Case3 c;
        open_random_case3(&c, tr_joint_at(k), &random, IN_BODY_AXES);
        check_columns3(&c, &random);
        close_case3(&c);
    }
}

static void what_is_left_to_the_start_is_closed_there(void **state) {
    Random random = {13};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        if (!has_twin3(tr_joint_at(k))) {
            continue;
        }
        const trJointKind *kind = tr_joint_at(k);
        if ((kind->traits & TR_RHEONOMIC) != 0) {
            continue;
        }
        Case3 c;
        open_random_case3(&c, kind, &random, AS_AT_THE_START);
        trMotion3 m[TR_JOINT_BODIES];
        for (int b = 0; b < tr_joint_bodies(kind); b++) {
            m[b] = motion_at3(&c.setup.place[b]);
        }
        Rows3 rows = evaluate3(&c, 0.0, m);
        for (int i = 0; i < kind->rows - kind->nonholonomic; i++) {
            assert_near3(&c, "phi", i, rows.phi[i], 0.0, 5.0);
        }
        close_case3(&c);
    }
}

static void reactions_are_given_where_the_joint_acts(void **state) {
    Random random = {17};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        if (!has_twin3(tr_joint_at(k))) {
            continue;
        }
        Case3 c;
        open_random_case3(&c, tr_joint_at(k), &random, IN_BODY_AXES);
        trMotion3 m[2] = {random_motion3(&random, &c.setup.place[0]),
                          random_motion3(&random, &c.setup.place[1])};
        trVec3    arm = tr_sub3(c.setup.point2, c.setup.place[1].com), expected = m[1].r;
        if ((c.family->uses & AT_CONTACT) != 0) {
            TwinBody3 b1 = twin_body3(&m[0], &c.setup.place[0], none, none);
            TwinBody3 b2 = twin_body3(&m[1], &c.setup.place[1], none, none);
            JetVec3   P = twin_disk_contact3(&c.setup, &b1, &b2);
            expected = (trVec3){P.at[0].value, P.at[1].value, P.at[2].value};
        } else if ((c.family->uses & AT_CENTER) == 0) {
            expected = tr_add3(expected, vector_of3(&c, m, 1, arm));
        }
        trVec3 point =
            tr_joint_reaction_point3(c.kind, c.params, (const trMotion3 *const[]){&m[0], &m[1]});
        assert_near3(&c, "reaction point x", 0, point.x, expected.x, 5.0);
        assert_near3(&c, "reaction point y", 0, point.y, expected.y, 5.0);
        assert_near3(&c, "reaction point z", 0, point.z, expected.z, 5.0);
        close_case3(&c);
    }
}

static void evaluations_write_their_rows_and_nothing_else(void **state) {
    Random random = {19};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        if (!has_twin3(tr_joint_at(k))) {
            continue;
        }
        Case3 c;
        open_random_case3(&c, tr_joint_at(k), &random, IN_BODY_AXES);
        trMotion3 m[TR_JOINT_BODIES];
        const int bodies = tr_joint_bodies(c.kind);
        for (int b = 0; b < bodies; b++) {
            m[b] = random_motion3(&random, &c.setup.place[b]);
        }
        Rows3 rows = evaluate3(&c, 1.0, m);
        int   holonomic = c.kind->rows - c.kind->nonholonomic;
        for (int i = 0; i <= TR_JOINT_ROWS; i++) {
            bool written = i < c.kind->rows;
            assert_int_equal(rows.phi[i] != UNTOUCHED3, i < holonomic);
            assert_int_equal(rows.b1[i] != UNTOUCHED3, written);
            assert_int_equal(rows.b[i] != UNTOUCHED3, written);
            for (int j = 6 * i; j < 6 * i + 6; j++) {
                for (int b = 0; b < TR_JOINT_BODIES; b++) {
                    assert_int_equal(rows.J[b][j] != UNTOUCHED3, written && b < bodies);
                }
            }
        }
        for (int i = 0; i <= TR_JOINT_TURNS; i++) {
            assert_int_equal(rows.turn[i] != UNTOUCHED3, i < c.kind->turns);
        }
        close_case3(&c);
    }
}

static void every_joint_is_described(void **state) {
    int first = first_spatial_kind();
    assert_true(first > 0 && first < tr_joint_count());
    for (int k = first; k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        assert_int_equal(kind->dim, 3);
        assert_ptr_equal(tr_joint_find(kind->name, 3), kind);
        assert_true(strlen(kind->summary) > 10 && strlen(kind->reaction_at) > 5);
        assert_true(kind->rows >= 1 && kind->rows <= TR_JOINT_ROWS);
        assert_true(kind->turns >= 0 && kind->turns <= TR_JOINT_TURNS);
        assert_true(k == first || strcmp(tr_joint_at(k - 1)->name, kind->name) < 0);
        for (int i = 0; i < TR_JOINT_ROWS; i++) {
            const char *unit_text = kind->row_units[i];
            assert_int_equal(unit_text != NULL, i < kind->rows);
            assert_true(unit_text == NULL || strcmp(unit_text, "m") == 0 ||
                        strcmp(unit_text, "rad") == 0);
        }
        for (const trField *f = kind->fields; f->name != NULL; f++) {
            assert_true(f->unit != NULL && strlen(f->help) > 5);
        }
    }
    assert_null(tr_joint_find("hinge", 3));
}

// Binds and prepares between ground and a body, and expects words in the refusal.
static void expect_refusal(const char *kind_name, const trParam *params, const char *words) {
    const trJointKind *kind = tr_joint_find(kind_name, 3);
    trArena           *arena = tr_arena_create();
    trPlace3           ground = ground_place3(), here = ground_place3();
    void              *object = tr_arena_take(arena, 1, kind->size);
    here.at = (trVec3){1.0, 2.0, 3.0};
    here.com = (trVec3){0.1, 0.2, 0.3};
    here.principal = tr_quat_exp((trVec3){0.4, 0.5, 0.6});
    assert_int_equal(tr_fields_bind(arena, kind->fields, params, object), TR_OK);
    assert_int_equal(kind->prepare3(object, (const trPlace3[]){ground, here, ground}), TR_E_MODEL);
    if (strstr(tr_last_error(), words) == NULL) {
        fail_msg("%s: \"%s\" does not say \"%s\"", kind_name, tr_last_error(), words);
    }
    tr_arena_destroy(arena);
}

#define Z(name) TR_VEC(name, 0.0, 0.0, 1.0)
#define ZERO(name) TR_VEC(name, 0.0, 0.0, 0.0)

static void what_contradicts_itself_is_refused_in_words(void **state) {
    const char *with_axis[] = {"cylindrical", "planar", "prismatic", "revolute"};
    for (int i = 0; i < 4; i++) {
        const char *kind = with_axis[i];
        expect_refusal(kind, NULL, "'axis' is missing");
        expect_refusal(kind, TR_PARAMS(ZERO("axis")), "'axis' must have a direction");
        expect_refusal(kind, TR_PARAMS(ZERO("axis2")), "must have a direction");
        expect_refusal(kind, TR_PARAMS(Z("axis"), Z("axis1")), "'axis' and 'axis1' are both given");
        expect_refusal(kind, TR_PARAMS(Z("axis"), Z("axis2")), "'axis' and 'axis2' are both given");
        expect_refusal(kind, TR_PARAMS(Z("axis"), Z("point"), Z("point2")),
                       "'point' and 'point2' are both given");
    }
    expect_refusal("screw", TR_PARAMS(TR_NUM("pitch", 1.0)), "'axis' is missing");
    expect_refusal("spherical", TR_PARAMS(Z("point"), Z("point1")),
                   "'point' and 'point1' are both given");
    expect_refusal("fixed", TR_PARAMS(Z("point"), Z("point2")),
                   "'point' and 'point2' are both given");
    const char *with_axes[] = {"constant_velocity", "universal"};
    for (int i = 0; i < 2; i++) {
        const char *kind = with_axes[i];
        expect_refusal(kind, NULL, "'world_axis1' is missing");
        expect_refusal(kind, TR_PARAMS(Z("axis1")), "'world_axis2' is missing");
        expect_refusal(kind, TR_PARAMS(Z("axis1"), Z("world_axis1")),
                       "'world_axis1' and 'axis1' are both given");
        expect_refusal(kind, TR_PARAMS(Z("axis1"), ZERO("axis2")), "'axis2' must have a direction");
        expect_refusal(kind, TR_PARAMS(ZERO("world_axis1"), Z("axis2")),
                       "'world_axis1' must have a direction");
    }
    // tan(12.3 degrees) = 0.21804
    expect_refusal("universal", TR_PARAMS(Z("axis1"), TR_VEC("world_axis2", 0.21804, 0.0, 1.0)),
                   "must be perpendicular at the start, they are at 12.3 degrees");
    expect_refusal("universal", TR_PARAMS(Z("axis1"), TR_VEC("axis2", 0.99, 0.0, -1.0)),
                   "they are at 135.3 degrees");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_match_the_motion),
        cmocka_unit_test(each_column_is_a_gradient),
        cmocka_unit_test(what_is_left_to_the_start_is_closed_there),
        cmocka_unit_test(reactions_are_given_where_the_joint_acts),
        cmocka_unit_test(evaluations_write_their_rows_and_nothing_else),
        cmocka_unit_test(every_joint_is_described),
        cmocka_unit_test(what_contradicts_itself_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
