// SPDX-License-Identifier: MIT
// Describing a mechanism: what a model keeps, and what it refuses in which words.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/law.h"
#include "model/model.h"
#include "support/test.h"

static void expect_ok(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static void expect_refusal(trStatus status, const char *words) {
    assert_true(status < 0);
    if (strstr(tr_last_error(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", tr_last_error(), words);
    }
}

static trModel *new_model(const trParam *params) {
    trModel *model = NULL;
    expect_ok(tr_model_create(params, &model));
    return model;
}

// A body of one kilogram at (x, 0).
static int add_body(trModel *model, const char *name, double x) {
    int number = -7;
    expect_ok(tr_model_add_body(
        model, name, TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1), TR_VEC("at", x, 0.0)),
        &number));
    return number;
}

static void a_body_keeps_what_it_is_given_and_the_rest_is_zero(void **state) {
    trModel *model = new_model(NULL);
    char     name[] = "crank";
    int      number = -7;
    expect_ok(tr_model_add_body(
        model, name,
        TR_PARAMS(TR_NUM("mass", 2.0), TR_VEC("com", 0.5, 0.25), TR_NUM("angular_velocity", 3.0)),
        &number));
    name[0] = 'X';  // the model has a copy
    assert_int_equal(number, 0);
    const trBody *body = &model->body[0];
    assert_string_equal(body->name, "crank");
    assert_true(body->mass == 2.0 && body->com.x == 0.5 && body->com.y == 0.25);
    assert_true(body->angular_velocity == 3.0 && body->inertia == 0.0 && body->angle == 0.0);
    assert_true(body->at.x == 0.0 && body->at.y == 0.0 && body->velocity.x == 0.0);
    tr_model_destroy(model);
}

static void a_model_keeps_its_name_and_gravity(void **state) {
    trModel *model = new_model(
        TR_PARAMS(TR_WORD("name", "four-bar"), TR_VEC("gravity", 0.0, -9.81), TR_NUM("dim", 2.0)));
    assert_string_equal(model->name, "four-bar");
    assert_true(model->dim == 2 && model->gravity.x == 0.0 && model->gravity.y == -9.81);
    tr_model_destroy(model);
    model = new_model(NULL);
    assert_true(model->dim == 2 && model->gravity.x == 0.0 && model->gravity.y == 0.0);
    tr_model_destroy(model);
    tr_model_destroy(NULL);
}

static void bodies_are_found_by_name(void **state) {
    trModel *model = new_model(NULL);
    int      crank = add_body(model, "crank", 0.0), rod = add_body(model, "rod", 1.0), found = -7;
    expect_ok(tr_model_find_body(model, "rod", &found));
    assert_int_equal(found, rod);
    expect_ok(tr_model_find_body(model, "crank", &found));
    assert_int_equal(found, crank);
    expect_ok(tr_model_find_body(model, "ground", &found));
    assert_int_equal(found, TR_GROUND);
    expect_refusal(tr_model_find_body(model, "crnk", &found),
                   "there is no body 'crnk'; did you mean 'crank'?");
    expect_refusal(tr_model_find_body(model, "gruond", &found), "did you mean 'ground'?");
    tr_model_destroy(model);
}

static void joints_are_prepared_at_the_places_of_their_bodies(void **state) {
    trModel *model = new_model(NULL);
    int      a = add_body(model, "a", 0.0), b = add_body(model, "b", 1.0);
    expect_ok(tr_model_add_joint(model, "revolute", "A", a, b,
                                 TR_PARAMS(TR_VEC("point", 0.75, 0.5)), NULL));
    expect_ok(tr_model_add_joint(model, "revolute", "B", b, TR_GROUND,
                                 TR_PARAMS(TR_VEC("point", 0.75, 0.5)), NULL));
    // A body that has turned a quarter about its center of mass at (3, 4).
    trMotion2      turned = {{3.0, 4.0}, acos(0.0), 0.0, 1.0, {0.0, 0.0}, 0.0};
    trMotion2      rest = {.c = 1.0};
    const trJoint *A = &model->joint[0], *B = &model->joint[1];
    trVec2         pin =
        tr_joint_reaction_point(A->kind, A->params, (const trMotion2 *const[]){&rest, &turned});
    assert_true(A->body1 == a && A->body2 == b && B->body1 == b && B->body2 == TR_GROUND);
    assert_true(pin.x == 2.5 && pin.y == 3.75);  // (-0.25, 0.5), turned
    pin = tr_joint_reaction_point(B->kind, B->params, (const trMotion2 *const[]){&turned, &rest});
    assert_true(pin.x == 0.75 && pin.y == 0.5);
    tr_model_destroy(model);
}

static void joints_and_forces_without_a_name_get_one(void **state) {
    trModel       *model = new_model(NULL);
    int            a = add_body(model, "a", 0.0), b = add_body(model, "b", 1.0);
    const trParam *spring = TR_PARAMS(TR_NUM("stiffness", 1.0));
    expect_ok(tr_model_add_joint(model, "revolute", NULL, TR_GROUND, a, NULL, NULL));
    expect_ok(tr_model_add_joint(model, "revolute", "revolute3", TR_GROUND, b, NULL, NULL));
    expect_ok(tr_model_add_joint(model, "revolute", NULL, a, b, NULL, NULL));
    expect_ok(tr_model_add_joint(model, "fixed", NULL, a, b, NULL, NULL));
    expect_ok(tr_model_add_force(model, "spring", NULL, a, b, spring, NULL));
    expect_ok(tr_model_add_force(model, "spring", NULL, a, b, spring, NULL));
    static const char *const names[] = {"revolute1", "revolute3", "revolute4", "fixed1"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(model->joint[i].name, names[i]);
    }
    assert_string_equal(model->force[0].name, "spring1");
    assert_string_equal(model->force[1].name, "spring2");
    tr_model_destroy(model);
}

static void forces_that_do_nothing_are_refused(void **state) {
    trModel *model = new_model(NULL);
    int      shadow = 0;
    expect_ok(tr_model_add_body(model, "shadow", TR_PARAMS(TR_NUM("mass", 0.0)), &shadow));
    expect_refusal(tr_model_add_force(model, "gravity", "g", TR_GROUND, shadow, NULL, NULL),
                   "force 'g': its body has no mass; give it mass > 0 or leave gravity out");
    expect_refusal(tr_model_add_force(model, "point_force", "f", TR_GROUND, shadow, NULL, NULL),
                   "force 'f': does nothing; give fx or fy");
    assert_int_equal(model->forces, 0);
    tr_model_destroy(model);
}

// 100 bytes are allowed and 101 are not, for bodies, joints and forces alike.
static void names_are_short_and_printable(void **state) {
    static const char *const refused[][2] = {{"a\nb", "control character, number 10;"},
                                             {"a\x7f", "control character, number 127;"},
                                             {"", ": the name is empty; "}};
    trModel                 *model = new_model(TR_PARAMS(TR_VEC("gravity", 0.0, -1.0)));
    const trParam           *mass = TR_PARAMS(TR_NUM("mass", 1.0));
    const trParam           *push = TR_PARAMS(TR_NUM("fx", 1.0));
    char                     name[102] = {0};
    int                      body = 0;
    memset(name, 'x', 101);
    expect_refusal(tr_model_add_body(model, name, mass, &body),
                   "body: the name has 101 bytes; at most 100 are allowed");
    name[100] = '\0';
    expect_ok(tr_model_add_body(model, name, mass, &body));
    expect_ok(tr_model_add_joint(model, "revolute", name, TR_GROUND, body, NULL, NULL));
    expect_refusal(tr_model_add_force(model, "point_force", name, TR_GROUND, body, push, NULL),
                   "there is already a joint of this name");
    name[0] = 'y';
    expect_ok(tr_model_add_force(model, "point_force", name, TR_GROUND, body, push, NULL));
    expect_refusal(tr_model_add_joint(model, "revolute", name, TR_GROUND, body, NULL, NULL),
                   "there is already a force of this name");
    name[100] = 'x';
    expect_refusal(tr_model_add_joint(model, "revolute", name, TR_GROUND, body, NULL, NULL),
                   "joint: the name has 101 bytes");
    expect_refusal(tr_model_add_force(model, "point_force", name, TR_GROUND, body, push, NULL),
                   "force: the name has 101 bytes");
    for (int i = 0; i < 3; i++) {
        const char *bad = refused[i][0], *words = refused[i][1];
        expect_refusal(tr_model_add_body(model, bad, mass, &body), words);
        expect_refusal(tr_model_add_joint(model, "revolute", bad, TR_GROUND, 0, NULL, NULL), words);
        expect_refusal(tr_model_add_force(model, "point_force", bad, TR_GROUND, 0, push, NULL),
                       words);
    }
    assert_true(model->bodies == 1 && model->joints == 1 && model->forces == 1);
    expect_ok(tr_model_add_body(model, "K\xc3\xb6rper 1", mass, &body));
    expect_ok(tr_model_finish(model));  // the names made for gravity may be longer
    tr_model_destroy(model);
}

static void a_model_that_was_built_takes_nothing_more(void **state) {
    static const char words[] = "the model has been built; add everything before";
    trModel          *model = new_model(TR_PARAMS(TR_VEC("gravity", 0.0, -1.0)));
    int               number = 0, body = add_body(model, "a", 0.0);
    for (int i = 0; i < 2; i++) {
        expect_ok(tr_model_finish(model));
        assert_int_equal(tr_model_add_body(model, "b", TR_PARAMS(TR_NUM("mass", 1.0)), &number),
                         TR_E_ARGUMENT);
        assert_string_equal(tr_last_error(), words);
        assert_int_equal(tr_model_add_joint(model, "revolute", "A", TR_GROUND, body, NULL, NULL),
                         TR_E_ARGUMENT);
        assert_string_equal(tr_last_error(), words);
        assert_int_equal(tr_model_add_force(model, "point_force", "f", TR_GROUND, body,
                                            TR_PARAMS(TR_NUM("fx", 1.0)), NULL),
                         TR_E_ARGUMENT);
        assert_string_equal(tr_last_error(), words);
        assert_true(model->bodies == 1 && model->joints == 0 && model->forces == 1);
    }
    tr_model_destroy(model);
}

static void finishing_gives_gravity_to_every_body_with_mass_once(void **state) {
    trModel *model = new_model(TR_PARAMS(TR_VEC("gravity", 1.0, -2.0)));
    int      number = 0;
    expect_refusal(tr_model_finish(model), "the model has no bodies; add one: m:body { ... }");
    add_body(model, "a", 0.0);
    expect_ok(tr_model_add_body(model, "shadow", TR_PARAMS(TR_NUM("mass", 0.0)), &number));
    expect_ok(tr_model_add_body(model, "b", TR_PARAMS(TR_NUM("mass", 3.0)), &number));
    expect_ok(tr_model_finish(model));
    expect_ok(tr_model_finish(model));
    assert_int_equal(model->forces, 2);
    assert_string_equal(model->force[0].name, "gravity on a");
    assert_string_equal(model->force[1].name, "gravity on b");
    const trForce *force = &model->force[1];
    trMotion2      rest = {.c = 1.0};
    trForceOut     out = {0};
    force->kind->eval(force->params, 0.0, &rest, &rest, &out);
    assert_true(force->body2 == 2 && out.on2.fx == 3.0 && out.on2.fy == -6.0);
    tr_model_destroy(model);

    model = new_model(NULL);
    add_body(model, "a", 0.0);
    expect_ok(tr_model_finish(model));
    assert_int_equal(model->forces, 0);
    tr_model_destroy(model);
}

// Long enough for every table to move several times.
static void a_long_chain_keeps_its_order_and_names(void **state) {
    enum { LINKS = 500 };
    trModel *model = new_model(TR_PARAMS(TR_VEC("gravity", 0.0, -1.0)));
    char     name[32];
    for (int i = 0; i < LINKS; i++) {
        snprintf(name, sizeof name, "link%d", i);
        assert_int_equal(add_body(model, name, (double)i), i);
        snprintf(name, sizeof name, "pin%d", i);
        expect_ok(tr_model_add_joint(model, "revolute", name, i - 1, i, NULL, NULL));
    }
    expect_ok(tr_model_finish(model));
    assert_true(model->bodies == LINKS && model->joints == LINKS && model->forces == LINKS);
    for (int i = 0; i < LINKS; i++) {
        int number = -7;
        snprintf(name, sizeof name, "link%d", i);
        expect_ok(tr_model_find_body(model, name, &number));
        assert_int_equal(number, i);
        assert_string_equal(model->body[i].name, name);
        assert_true(model->body[i].at.x == (double)i && model->joint[i].body2 == i);
        snprintf(name, sizeof name, "pin%d", i);
        assert_string_equal(model->joint[i].name, name);
        snprintf(name, sizeof name, "gravity on link%d", i);
        assert_string_equal(model->force[i].name, name);
    }
    tr_model_destroy(model);
}

static void laws_belong_to_the_model(void **state) {
    trModel     *model = new_model(NULL);
    const double zero = 0.0, line[2] = {1.0, 3.0}, x[3] = {0.0, 1.0, 2.0}, y[3] = {0.0, 2.0, 4.0};
    const double backwards[3] = {0.0, 2.0, 1.0};
    const trLaw *law = NULL;
    expect_ok(tr_model_law(model, 1, &zero, 2, line, &law));
    assert_true(tr_law_value(law, 2.0) == 7.0);
    expect_ok(tr_model_table(model, 3, x, y, &law));
    assert_true(fabs(tr_law_value(law, 1.5) - 3.0) < 1e-14);
    assert_true(tr_model_table(model, 3, backwards, y, &law) < 0);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_keeps_what_it_is_given_and_the_rest_is_zero),
        cmocka_unit_test(a_model_keeps_its_name_and_gravity),
        cmocka_unit_test(bodies_are_found_by_name),
        cmocka_unit_test(joints_are_prepared_at_the_places_of_their_bodies),
        cmocka_unit_test(joints_and_forces_without_a_name_get_one),
        cmocka_unit_test(forces_that_do_nothing_are_refused),
        cmocka_unit_test(names_are_short_and_printable),
        cmocka_unit_test(a_model_that_was_built_takes_nothing_more),
        cmocka_unit_test(finishing_gives_gravity_to_every_body_with_mass_once),
        cmocka_unit_test(a_long_chain_keeps_its_order_and_names),
        cmocka_unit_test(laws_belong_to_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
