// SPDX-License-Identifier: MIT
// Binding parameters to a struct: values, fallbacks, and every refusal in its words.

#include <math.h>
#include <stdbool.h>

#include "base/field.h"
#include "base/law.h"
#include "base/vec2.h"
#include "support/test.h"
#include "tape/tape.h"

typedef struct Rod {
    double       length;
    double       damping;
    int          teeth;
    bool         locked;
    trVec2       point;
    const char  *color;
    trFunction   drive;
    const trLaw *spring;
    const trLaw *buffer;
    trNumbers    times;
} Rod;

static const trField fields[] = {
    TR_FIELD(Rod, length, TR_FIELD_REAL, TR_REQUIRED | TR_POSITIVE, 0.0, "m", "of the rod"),
    TR_FIELD(Rod, damping, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.25, "", "of the rod"),
    TR_FIELD(Rod, teeth, TR_FIELD_INT, 0, 7.0, "", "of the rod"),
    TR_FIELD(Rod, locked, TR_FIELD_BOOL, 0, 1.0, "", "of the rod"),
    TR_FIELD(Rod, point, TR_FIELD_VEC2, 0, NAN, "m", "of the rod"),
    TR_FIELD(Rod, color, TR_FIELD_TEXT, 0, 0.0, "", "of the rod"),
    TR_FIELD(Rod, drive, TR_FIELD_FUNCTION, 0, 1.5, "m", "of the rod"),
    TR_FIELD(Rod, spring, TR_FIELD_LAW, TR_NOT_NEGATIVE, 2.0, "N/m", "of the rod"),
    TR_FIELD(Rod, buffer, TR_FIELD_LAW, 0, NAN, "N/m", "of the rod"),
    TR_FIELD(Rod, times, TR_FIELD_NUMBERS, 0, 0.0, "s", "of the rod"),
    TR_FIELD_END,
};

static int make_arena(void **state) {
    *state = tr_arena_create();
    return *state == NULL;
}

static int drop_arena(void **state) {
    tr_arena_destroy(*state);
    return 0;
}

static void refused(void **state, const trParam *params, const char *message) {
    Rod rod;
    assert_int_equal(tr_fields_bind(*state, fields, params, &rod), TR_E_MODEL);
    assert_string_equal(tr_last_error(), message);
}

static void what_is_given_arrives(void **state) {
    trTape *tape = tr_tape_create(*state);
    tr_tape_finish(tape, tr_tape_time(tape), "drive");
    const trLaw *law = NULL;
    assert_int_equal(tr_law_linear(*state, 3.0, &law), TR_OK);
    char          color[] = "red";
    double        times[] = {1.0, 2.0, 4.0};
    const trParam params[] = {
        TR_NUM("length", 2.0),
        TR_NUM("damping", 0.0),
        TR_NUM("teeth", -12.0),
        {.key = "locked", .kind = TR_PARAM_BOOL, .number = 0.0},
        TR_VEC("point", 0.5, -0.5),
        TR_WORD("color", color),
        {.key = "drive", .kind = TR_PARAM_FUNCTION, .function = tape},
        {.key = "spring", .kind = TR_PARAM_LAW, .law = law},
        TR_NUM("buffer", 5.0),
        {.key = "times", .kind = TR_PARAM_NUMBERS, .count = 3, .numbers = times},
        {0},
    };
    Rod rod;
    assert_int_equal(tr_fields_bind(*state, fields, params, &rod), TR_OK);
    color[0] = 'b';  // texts and lists must have been copied
    times[2] = 0.0;

    assert_true(rod.length == 2.0 && rod.damping == 0.0);
    assert_int_equal(rod.teeth, -12);
    assert_false(rod.locked);
    assert_true(rod.point.x == 0.5 && rod.point.y == -0.5);
    assert_string_equal(rod.color, "red");
    assert_ptr_equal(rod.drive.tape, tape);
    assert_ptr_equal(rod.spring, law);
    assert_true(tr_law_value(rod.buffer, 2.0) == 10.0);
    assert_int_equal(rod.times.count, 3);
    assert_true(rod.times.at[0] == 1.0 && rod.times.at[2] == 4.0);
}

static void what_is_not_given_falls_back(void **state) {
    Rod rod;
    assert_int_equal(tr_fields_bind(*state, fields, TR_PARAMS(TR_NUM("length", 2.0)), &rod), TR_OK);
    assert_true(rod.damping == 0.25);
    assert_int_equal(rod.teeth, 7);
    assert_true(rod.locked);
    assert_true(isnan(rod.point.x) && isnan(rod.point.y));
    assert_null(rod.color);
    assert_null(rod.drive.tape);
    assert_true(rod.drive.constant == 1.5);
    assert_true(tr_law_value(rod.spring, 3.0) == 6.0);
    assert_null(rod.buffer);
    assert_int_equal(rod.times.count, 0);
}

static void a_number_serves_as_a_function(void **state) {
    Rod            rod;
    const trParam *params = TR_PARAMS(TR_NUM("length", 1.0), TR_NUM("drive", 9.0));
    assert_int_equal(tr_fields_bind(*state, fields, params, &rod), TR_OK);
    assert_null(rod.drive.tape);
    assert_true(rod.drive.constant == 9.0);
}

static void unknown_keys_are_refused_with_advice(void **state) {
    refused(state, TR_PARAMS(TR_NUM("lenght", 1.0)),
            "unknown key 'lenght'; did you mean 'length'?");
    refused(state, TR_PARAMS(TR_NUM("wheel", 1.0)),
            "unknown key 'wheel'; known: length, damping, teeth, locked, point, color, drive, "
            "spring, buffer, times");

    const trField none[] = {TR_FIELD_END};
    char          object;
    assert_int_equal(tr_fields_bind(*state, none, TR_PARAMS(TR_NUM("a", 1.0)), &object),
                     TR_E_MODEL);
    assert_int_equal(tr_fields_bind(*state, none, NULL, &object), TR_OK);
}

static void missing_and_repeated_keys_are_refused(void **state) {
    refused(state, NULL, "'length' is missing");
    refused(state, TR_PARAMS(TR_NUM("teeth", 1.0)), "'length' is missing");
    refused(state, TR_PARAMS(TR_NUM("length", 1.0), TR_NUM("length", 1.0)),
            "'length' is given twice");
}

static void wrong_numbers_are_refused_with_the_reason(void **state) {
    refused(state, TR_PARAMS(TR_NUM("length", -1.0)), "'length' must be positive, not -1");
    refused(state, TR_PARAMS(TR_NUM("length", 0.0)), "'length' must be positive, not 0");
    refused(state, TR_PARAMS(TR_NUM("length", INFINITY)), "'length' must be finite, not inf");
    refused(state, TR_PARAMS(TR_NUM("length", NAN)), "'length' must be finite, not nan");
    refused(state, TR_PARAMS(TR_NUM("length", 1.0), TR_NUM("damping", -0.5)),
            "'damping' must not be negative, but is -0.5");
    refused(state, TR_PARAMS(TR_NUM("length", 1.0), TR_NUM("spring", -2.0)),
            "'spring' must not be negative, but is -2");
    refused(state, TR_PARAMS(TR_NUM("length", 1.0), TR_NUM("teeth", 2.5)),
            "'teeth' must be a whole number, not 2.5");
    refused(state, TR_PARAMS(TR_NUM("length", 1.0), TR_NUM("teeth", 1e10)),
            "'teeth' must be a whole number, not 1e+10");
    refused(state, TR_PARAMS(TR_NUM("length", 1.0), TR_VEC("point", 0.0, NAN)),
            "'point' must be finite, not nan");
}

static void types_have_names(void **state) {
    assert_string_equal(tr_field_type_text(TR_FIELD_REAL), "number");
    assert_string_equal(tr_field_type_text(TR_FIELD_VEC2), "vector {x, y}");
    assert_string_equal(tr_field_type_text(TR_FIELD_BOOL), "true or false");
    assert_int_equal(tr_param_count(NULL), 0);
    assert_int_equal(tr_param_count(TR_PARAMS(TR_NUM("a", 1.0), TR_NUM("b", 1.0))), 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_given_arrives),
        TEST(what_is_not_given_falls_back),
        TEST(a_number_serves_as_a_function),
        TEST(unknown_keys_are_refused_with_advice),
        TEST(missing_and_repeated_keys_are_refused),
        TEST(wrong_numbers_are_refused_with_the_reason),
        TEST(types_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
