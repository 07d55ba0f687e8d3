// SPDX-License-Identifier: MIT
// What every joint owes: along any motion of its two bodies, with phi' and phi'' from a twin,
//
//     J v - b1 = phi'        J a - b = phi''        (nonholonomic: = psi and psi')

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "joint/cases.h"
#include "support/test.h"

#define MOTIONS 40
#define UNTOUCHED 1234.5

// Planar kinds stand first in the registry; test_every_joint3.c has the others.
static int planar_kinds(void) {
    int count = 0;
    while (count < tr_joint_count() && tr_joint_at(count)->dim == 2) {
        count++;
    }
    return count;
}

// What an evaluation wrote, with one row more than any joint has.
typedef struct Rows {
    double J[TR_JOINT_BODIES][3 * (TR_PLANAR_ROWS + 1)];
    double phi[TR_PLANAR_ROWS + 1], b1[TR_PLANAR_ROWS + 1], b[TR_PLANAR_ROWS + 1];
} Rows;

static Rows evaluate(const Case *c, double t, const trMotion2 *m) {
    Rows    rows;
    double *all = (double *)&rows;
    for (size_t i = 0; i < sizeof rows / sizeof *all; i++) {
        all[i] = UNTOUCHED;
    }
    trJointRows      out = {.t = t, .phi = rows.phi, .b1 = rows.b1, .b = rows.b};
    const trMotion2 *motion[TR_JOINT_BODIES];
    for (int k = 0; k < tr_joint_bodies(c->kind); k++) {
        out.J[k] = rows.J[k];
        motion[k] = &m[k];
    }
    c->kind->eval(c->params, motion, &out);
    return rows;
}

// a: accelerations (x, y, angle) of the bodies.
static void evaluate_twin(const Case *c, Jet t, const trMotion2 *m, double a[][3], Jet *phi) {
    TwinBody body[TR_JOINT_BODIES];
    for (int k = 0; k < tr_joint_bodies(c->kind); k++) {
        body[k] = (TwinBody){.r = {{m[k].r.x, m[k].v.x, a[k][0]}, {m[k].r.y, m[k].v.y, a[k][1]}},
                             .angle = {m[k].angle, m[k].omega, a[k][2]},
                             .com = c->place[k].com};
    }
    c->family->twin(&c->setup, t, &body[0], &body[1], phi);
}

// Some hundred operations round by DBL_EPSILON each, relative to intermediate results that are at
// most ten times the terms of the sum: 1000 DBL_EPSILON times the terms.
static void assert_near(const Case *c, const char *what, int row, double x, double y,
                        double terms) {
    if (!(fabs(x - y) <= 1000.0 * DBL_EPSILON * (1.0 + terms))) {
        fail_msg("%s, row %d: %s is %.17g, should be %.17g", c->kind->name, row, what, x, y);
    }
}

static void random_motions(const Case *c, Random *random, trMotion2 *m) {
    for (int k = 0; k < tr_joint_bodies(c->kind); k++) {
        m[k] = random_motion(random, &c->place[k]);
    }
}

static void check_motion(const Case *c, Random *random) {
    double    t = random_in(random, 0.0, 3.0);
    trMotion2 m[TR_JOINT_BODIES];
    double    a[TR_JOINT_BODIES][3];
    const int bodies = tr_joint_bodies(c->kind);
    for (int k = 0; k < 3 * bodies; k++) {
        a[k / 3][k % 3] = random_in(random, -5.0, 5.0);
    }
    random_motions(c, random, m);
    bool holonomic = c->kind->nonholonomic == 0;
    Rows rows = evaluate(c, t, m);
    Jet  phi[TR_PLANAR_ROWS];
    evaluate_twin(c, (Jet){t, 1.0, 0.0}, m, a, phi);
    for (int i = 0; i < c->kind->rows; i++) {
        double velocity = -rows.b1[i], acceleration = -rows.b[i];
        double terms = fabs(rows.b1[i]) + fabs(rows.b[i]);
        for (int k = 0; k < bodies; k++) {
            const double *J = &rows.J[k][3 * i];
            velocity += J[0] * m[k].v.x + J[1] * m[k].v.y + J[2] * m[k].omega;
            acceleration += J[0] * a[k][0] + J[1] * a[k][1] + J[2] * a[k][2];
            terms += 10.0 * (fabs(J[0]) + fabs(J[1]) + fabs(J[2]));
        }
        if (holonomic) {
            assert_near(c, "phi", i, rows.phi[i], phi[i].value, 5.0);
        }
        assert_near(c, "J v - b1", i, velocity, holonomic ? phi[i].first : phi[i].value, terms);
        assert_near(c, "J a - b", i, acceleration, holonomic ? phi[i].second : phi[i].first, terms);
    }
}

static void derivatives_match_the_motion(void **state) {
    Random random = {7};
    for (int k = 0; k < planar_kinds(); k++) {
        if (!has_twin(tr_joint_at(k))) {
            continue;
        }
        for (int i = 0; i < MOTIONS; i++) {
            Case c;
            open_case(&c, tr_joint_at(k), &random, i % 2 == 0 ? IN_BODY_AXES : IN_THE_WORLD);
            check_motion(&c, &random);
            close_case(&c);
        }
    }
}

// One coordinate moves at a time, with time standing still: the twin's rate is a column of J. Then
// time alone moves: the rate is -b1.
static void check_columns(const Case *c, Random *random) {
    double    rest[TR_JOINT_BODIES][3] = {{0.0}};
    const int bodies = tr_joint_bodies(c->kind), last = 3 * bodies;
    bool      holonomic = c->kind->nonholonomic == 0;
    Jet       phi[TR_PLANAR_ROWS];
    trMotion2 m[TR_JOINT_BODIES];
    random_motions(c, random, m);
    for (int k = 0; k <= last; k++) {
        for (int body = 0; body < bodies; body++) {
            m[body].v.x = k == 3 * body ? 1.0 : 0.0;
            m[body].v.y = k == 3 * body + 1 ? 1.0 : 0.0;
            m[body].omega = k == 3 * body + 2 ? 1.0 : 0.0;
        }
        Rows rows = evaluate(c, 0.4, m);
        evaluate_twin(c, (Jet){0.4, k == last ? 1.0 : 0.0, 0.0}, m, rest, phi);
        for (int i = 0; i < c->kind->rows; i++) {
            double rate = holonomic ? phi[i].first : phi[i].value;
            double mine = k == last ? -rows.b1[i] : rows.J[k / 3][3 * i + k % 3];
            assert_near(c, k == last ? "-b1" : "J", i, mine, rate, 5.0);
        }
    }
}

static void each_column_is_a_gradient(void **state) {
    Random random = {11};
    for (int k = 0; k < planar_kinds(); k++) {
        if (!has_twin(tr_joint_at(k))) {
            continue;
        }
        Case c;
        open_case(&c, tr_joint_at(k), &random, IN_BODY_AXES);
        check_columns(&c, &random);
        close_case(&c);
    }
}

static void what_is_left_to_the_start_is_closed_there(void **state) {
    Random random = {13};
    for (int k = 0; k < planar_kinds(); k++) {
        if (!has_twin(tr_joint_at(k))) {
            continue;
        }
        const trJointKind *kind = tr_joint_at(k);
        if (kind->nonholonomic > 0 || (kind->traits & TR_RHEONOMIC) != 0) {
            continue;
        }
        Case c;
        open_case(&c, kind, &random, AS_AT_THE_START);
        trMotion2 m[TR_JOINT_BODIES];
        for (int b = 0; b < TR_JOINT_BODIES; b++) {
            m[b] = motion_at(&c.place[b]);
        }
        Rows rows = evaluate(&c, 0.0, m);
        for (int i = 0; i < kind->rows; i++) {
            assert_near(&c, "phi", i, rows.phi[i], 0.0, 5.0);
        }
        close_case(&c);
    }
}

static void reactions_are_given_where_the_joint_acts(void **state) {
    Random random = {17};
    for (int k = 0; k < planar_kinds(); k++) {
        if (!has_twin(tr_joint_at(k))) {
            continue;
        }
        Case c;
        open_case(&c, tr_joint_at(k), &random, IN_BODY_AXES);
        trMotion2 m[2] = {random_motion(&random, &c.place[0]), random_motion(&random, &c.place[1])};
        trVec2    expected = m[1].r;
        if ((c.family->uses & AT_CENTER) == 0) {
            trPlace2 turned = {.angle = m[1].angle};
            expected = tr_add2(m[1].r, out_of(&turned, tr_sub2(c.setup.point2, c.place[1].com)));
        }
        trVec2 point =
            tr_joint_reaction_point(c.kind, c.params, (const trMotion2 *const[]){&m[0], &m[1]});
        assert_near(&c, "reaction point x", 0, point.x, expected.x, 5.0);
        assert_near(&c, "reaction point y", 0, point.y, expected.y, 5.0);
        close_case(&c);
    }
}

static void evaluations_write_their_rows_and_nothing_else(void **state) {
    Random random = {19};
    for (int k = 0; k < planar_kinds(); k++) {
        if (!has_twin(tr_joint_at(k))) {
            continue;
        }
        Case c;
        open_case(&c, tr_joint_at(k), &random, IN_BODY_AXES);
        trMotion2 m[TR_JOINT_BODIES];
        random_motions(&c, &random, m);
        Rows rows = evaluate(&c, 1.0, m);
        bool holonomic = c.kind->nonholonomic == 0;
        for (int i = 0; i <= TR_PLANAR_ROWS; i++) {
            bool written = i < c.kind->rows;
            assert_int_equal(rows.phi[i] != UNTOUCHED, written && holonomic);
            assert_int_equal(rows.b1[i] != UNTOUCHED, written);
            assert_int_equal(rows.b[i] != UNTOUCHED, written);
            for (int j = 3 * i; j < 3 * i + 3; j++) {
                for (int b = 0; b < TR_JOINT_BODIES; b++) {
                    bool own = b < tr_joint_bodies(c.kind);
                    assert_int_equal(rows.J[b][j] != UNTOUCHED, written && own);
                }
            }
        }
        close_case(&c);
    }
}

static void every_joint_is_described(void **state) {
    for (int k = 0; k < planar_kinds(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        assert_ptr_equal(tr_joint_find(kind->name, kind->dim), kind);
        assert_null(tr_joint_find(kind->name, 7));
        assert_true(strlen(kind->summary) > 10);
        assert_true(kind->rows >= 1 && kind->rows <= TR_PLANAR_ROWS);
        assert_true(k == 0 || strcmp(tr_joint_at(k - 1)->name, kind->name) < 0);
        for (int i = 0; i < TR_PLANAR_ROWS; i++) {
            const char *unit_text = kind->row_units[i];
            assert_int_equal(unit_text != NULL, i < kind->rows);
            assert_true(unit_text == NULL || strcmp(unit_text, "m") == 0 ||
                        strcmp(unit_text, "rad") == 0);
        }
        for (const trField *f = kind->fields; f->name != NULL; f++) {
            assert_true(f->unit != NULL && strlen(f->help) > 5);
        }
    }
    assert_null(tr_joint_find("hinge", 2));
}

// Binds and prepares at the given places, and expects words in the refusal.
static void expect_refusal(const char *kind_name, const trParam *params, const trPlace2 *place2,
                           const char *words) {
    const trJointKind *kind = tr_joint_find(kind_name, 2);
    trArena           *arena = tr_arena_create();
    trPlace2           ground = {0};
    void              *object = tr_arena_take(arena, 1, kind->size);
    assert_int_equal(tr_fields_bind(arena, kind->fields, params, object), TR_OK);
    assert_int_equal(kind->prepare(object, (const trPlace2[]){ground, *place2, ground}),
                     TR_E_MODEL);
    if (strstr(tr_last_error(), words) == NULL) {
        fail_msg("%s: \"%s\" does not say \"%s\"", kind_name, tr_last_error(), words);
    }
    tr_arena_destroy(arena);
}

static void what_contradicts_itself_is_refused_in_words(void **state) {
    trPlace2 here = {.at = {1.0, 2.0}, .angle = 0.5, .com = {0.1, 0.2}};
    expect_refusal("revolute", TR_PARAMS(TR_VEC("point", 0.0, 0.0), TR_VEC("point1", 1.0, 0.0)),
                   &here, "'point' and 'point1' are both given");
    expect_refusal("fixed", TR_PARAMS(TR_VEC("point", 0.0, 0.0), TR_VEC("point2", 1.0, 0.0)), &here,
                   "'point' and 'point2' are both given");
    expect_refusal("distance", TR_PARAMS(TR_VEC("world1", 0.0, 0.0), TR_VEC("point1", 1.0, 0.0)),
                   &here, "'world1' and 'point1' are both given");
    expect_refusal(
        "driven_distance",
        TR_PARAMS(TR_VEC("world2", 0.0, 0.0), TR_VEC("point2", 1.0, 0.0), TR_NUM("length", 1.0)),
        &here, "'world2' and 'point2' are both given");
    expect_refusal("prismatic", TR_PARAMS(TR_VEC("axis", 1.0, 0.0), TR_VEC("axis1", 1.0, 0.0)),
                   &here, "'axis' and 'axis1' are both given");
    expect_refusal("knife_edge", TR_PARAMS(TR_VEC("axis", 1.0, 0.0), TR_VEC("axis2", 1.0, 0.0)),
                   &here, "'axis' and 'axis2' are both given");
    expect_refusal("point_on_line", TR_PARAMS(TR_VEC("axis1", 0.0, 0.0)), &here,
                   "'axis1' must have a direction");
    expect_refusal("distance", TR_PARAMS(TR_VEC("world1", 1.0, 2.0), TR_NUM("length", 1.0)), &here,
                   "the two points coincide; use a revolute joint");
    expect_refusal("gear", TR_PARAMS(TR_NUM("ratio", 0.0)), &here, "'ratio' must not be zero");
}

// With one of two points given, the other lies at the same place at the start; with none, both lie
// at the frame origin of body 2.
static void a_missing_point_lies_where_the_other_is(void **state) {
    const trJointKind *kind = tr_joint_find("revolute", 2);
    Random             random = {23};
    trPlace2           place[2] = {random_place(&random, 1), random_place(&random, 2)};
    trMotion2          m[2] = {motion_at(&place[0]), motion_at(&place[1])};
    const trParam     *lists[] = {
            TR_PARAMS(TR_VEC("point1", 0.3, 0.4)),
            TR_PARAMS(TR_VEC("point2", 0.3, 0.4)),
            NULL,
    };
    for (int i = 0; i < 3; i++) {
        Case c = {.kind = kind, .arena = tr_arena_create()};
        c.params = tr_arena_take(c.arena, 1, kind->size);
        assert_int_equal(tr_fields_bind(c.arena, kind->fields, lists[i], c.params), TR_OK);
        assert_int_equal(kind->prepare(c.params, place), TR_OK);
        Rows   rows = evaluate(&c, 0.0, m);
        trVec2 pin =
            tr_joint_reaction_point(kind, c.params, (const trMotion2 *const[]){&m[0], &m[1]});
        trVec2   given = i == 2 ? (trVec2){0.0, 0.0} : (trVec2){0.3, 0.4};
        trPlace2 owner = place[i == 0 ? 0 : 1];
        trVec2   expected = tr_add2(owner.at, out_of(&owner, given));
        for (int row = 0; row < 2; row++) {
            assert_near(&c, "phi", row, rows.phi[row], 0.0, 5.0);
        }
        assert_near(&c, "pin x", 0, pin.x, expected.x, 5.0);
        assert_near(&c, "pin y", 1, pin.y, expected.y, 5.0);
        close_case(&c);
    }
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
        cmocka_unit_test(a_missing_point_lies_where_the_other_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
