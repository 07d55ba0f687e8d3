// SPDX-License-Identifier: MIT
// Frames of spatial models in joints, and what they are refused for.

#include <string.h>

#include "support/test.h"
#include "trammel/model.h"

#define MANY 2000  // parameters, more than a block of an arena holds

// Ground and a body "a" with the frames "g" and "f".
static trModel *make_model(void) {
    trModel *model = NULL;
    int      a = TR_GROUND;
    assert_int_equal(tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0)), &model), TR_OK);
    assert_int_equal(tr_model_add_body(model, "a", TR_PARAMS(TR_NUM("mass", 1.0)), &a), TR_OK);
    assert_int_equal(tr_model_add_frame(model, "g", TR_GROUND, NULL, NULL), TR_OK);
    assert_int_equal(tr_model_add_frame(model, "f", a, NULL, NULL), TR_OK);
    return model;
}

static void refuses(const char *kind, const trParam *params, const char *part) {
    trModel *model = make_model();
    assert_int_equal(tr_model_add_joint(model, kind, "j", TR_GROUND, 0, params, NULL), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), part));
    tr_model_destroy(model);
}

static void takes(const char *kind, const trParam *params) {
    trModel *model = make_model();
    assert_int_equal(tr_model_add_joint(model, kind, "j", TR_GROUND, 0, params, NULL), TR_OK);
    tr_model_destroy(model);
}

// Each stands for two parameters; sanitizers see a list that is too short.
static void a_frame_that_is_given_often_is_refused(void **state) {
    trParam params[MANY + 1] = {{0}};
    for (int i = 0; i < MANY; i++) {
        params[i] = (trParam)TR_WORD("frame1", "g");
    }
    refuses("revolute", params, "given twice");
}

static void a_frame_that_a_kind_cannot_use_is_refused(void **state) {
    refuses("gear",
            TR_PARAMS(TR_VEC("world_axis1", 0, 0, 1), TR_NUM("ratio", 2), TR_WORD("frame2", "f")),
            "'frame2' would do nothing");
    refuses("knife_edge",
            TR_PARAMS(TR_VEC("axis", 1, 0, 0), TR_VEC("normal", 0, 0, 1), TR_WORD("frame1", "g")),
            "'frame1' would do nothing");
}

static void an_axis_in_the_world_goes_before_that_of_a_frame(void **state) {
    takes("universal", TR_PARAMS(TR_VEC("world_axis1", 1, 0, 0), TR_VEC("world_axis2", 0, 1, 0),
                                 TR_WORD("frame1", "g"), TR_WORD("frame2", "f")));
}

static void a_driven_point_and_the_zero_of_its_coordinate_are_two_points(void **state) {
    takes("driven_coordinate", TR_PARAMS(TR_VEC("axis", 1, 0, 0), TR_VEC("point", 1, 0, 0),
                                         TR_VEC("point1", 0, 1, 0), TR_NUM("value", 1)));
}

static void a_rotation_beyond_all_bounds_is_refused(void **state) {
    trModel *model = make_model();
    assert_int_equal(
        tr_model_add_frame(model, "x", 0, TR_PARAMS(TR_VEC("rotation", 1e200, 0, 0)), NULL),
        TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), "'rotation' is too large"));
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_that_is_given_often_is_refused),
        cmocka_unit_test(a_frame_that_a_kind_cannot_use_is_refused),
        cmocka_unit_test(an_axis_in_the_world_goes_before_that_of_a_frame),
        cmocka_unit_test(a_driven_point_and_the_zero_of_its_coordinate_are_two_points),
        cmocka_unit_test(a_rotation_beyond_all_bounds_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
