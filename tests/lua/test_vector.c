// SPDX-License-Identifier: MIT
// Vectors of model files: values are right for numbers and traced values alike, vectors stand for
// lists of numbers, and mistakes are named with their line.

#include "lua/vector_case.h"

#define DEFINITIONS \
    "local u, w = vec(1, -2, 5), vec { 4, 7, -3 } local p, r = vec(3, -5), vec { 2, 8 }"

static void components_are_as_given(void **state) {
    static const Expression expressions[] = {
        {"vec(t, 2, 3).x", TIME},    {"vec(1, t, 3).y", TIME},        {"vec(1, 2, t).z", TIME},
        {"vec(t, 2, 3)[1]", TIME},   {"vec(1, t, 3)[2]", TIME},       {"vec(1, 2, t)[3]", TIME},
        {"vec { 1, 2, t }.z", TIME}, {"vec { t, 2 }.x", TIME},        {"vec(vec(1, 2, t)).z", TIME},
        {"vec(1, t).y", TIME},       {"#vec(1, t, 3) + 10 * t", 6.0}, {"#vec(1, t) + 10 * t", 5.0},
        {"vec(1, t, 3)[2.0]", TIME},
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        expect_number("", expressions[i].text, expressions[i].value);
    }
}

// u = (1, -2, 5), w = (4, 7, -3), in the plane p = (3, -5), r = (2, 8).
static void operators_work_on_every_component(void **state) {
    static const Expression expressions[] = {
        {"(t * u + w).x", TIME + 4.0},
        {"(t * u + w).y", -2.0 * TIME + 7.0},
        {"(t * u + w).z", 5.0 * TIME - 3.0},
        {"(w - u * t).x", 4.0 - TIME},
        {"(w - u * t).y", 7.0 + 2.0 * TIME},
        {"(w - u * t).z", -3.0 - 5.0 * TIME},
        {"(3 * u * t).z", 15.0 * TIME},
        {"(u / t).x", 1.0 / TIME},
        {"(u / t).z", 5.0 / TIME},
        {"(-(t * u)).x", -TIME},
        {"(-(t * u)).z", -5.0 * TIME},
        {"(t * u + { 1, 2, 3 }).y", 2.0 - 2.0 * TIME},
        {"({ 1, 2, 3 } - t * u).z", 3.0 - 5.0 * TIME},
        {"(t * p + r).y", -5.0 * TIME + 8.0},
        {"(p / t - r).x", 3.0 / TIME - 2.0},
        {"(-p * t)[2]", 5.0 * TIME},
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        expect_number(DEFINITIONS, expressions[i].text, expressions[i].value);
    }
}

static void products_and_norms_are_right(void **state) {
    // u + t w, whose components are these.
    const double     x = 1.0 + 4.0 * TIME, y = -2.0 + 7.0 * TIME, z = 5.0 - 3.0 * TIME;
    const Expression expressions[] = {
        {"dot(u + t * w, w)", 4.0 * x + 7.0 * y - 3.0 * z},
        {"dot(w, u + t * w)", 4.0 * x + 7.0 * y - 3.0 * z},
        {"dot({ 0, 1, 0 }, u + t * w)", y},
        {"dot({ t, 1, 0 }, { 2, 3, 4 })", 2.0 * TIME + 3.0},
        {"cross(u + t * w, w).x", y * -3.0 - z * 7.0},
        {"cross(u + t * w, w).y", z * 4.0 - x * -3.0},
        {"cross(u + t * w, w).z", x * 7.0 - y * 4.0},
        {"cross({ 1, 0, 0 }, { 0, t, 0 }).z", TIME},
        {"norm(u + t * w)", sqrt(x * x + y * y + z * z)},
        {"norm({ 3 * t, 4 * t, 12 * t })", 13.0 * TIME},
        {"dot(p, t * r)", (6.0 - 40.0) * TIME},
        {"cross(p, t * r)", (24.0 + 10.0) * TIME},
        {"norm(vec(3 * t, -4 * t))", 5.0 * TIME},
        // What a file calls sqrt is its own matter.
        {"(function() sqrt = function() return 0 end return norm { 3 * t, 4 * t } end)()",
         5.0 * TIME},
        // An integer would wrap around beyond 2^63.
        {"dot(vec(10000000000, t), vec(10000000000, 0)) / 1e20", 1.0},
        {"(vec(10000000000, t) * 10000000000).x / 1e20", 1.0},
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        expect_number(DEFINITIONS, expressions[i].text, expressions[i].value);
    }
}

static void vectors_compare_and_show_their_components(void **state) {
    expect_claims("assert(vec(1, 2, 3) == vec { 1, 2, 3 })\n"
                  "assert(vec(1, 2, 3) ~= vec(1, 2, 4) and vec(1, 2, 3) ~= vec(0, 2, 3))\n"
                  "assert(vec(1, 2) == vec(1, 2) and vec(1, 2) ~= vec(1, 2, 0))\n"
                  "assert(vec(1, 2, 3) ~= a and a ~= vec(1, 2, 3) and vec(1, 2) ~= mat())\n");
    expect_claims("assert(tostring(vec(1, -0.5, 1e20)) == 'vec(1, -0.5, 1e+20)')\n"
                  "assert(tostring(vec(1, 2)) == 'vec(1, 2)')\n"
                  "local x, y, z = table.unpack(vec(4, 5, 6))\n"
                  "assert(x == 4 and y == 5 and z == 6)\n");
    expect_claims("m:force { 'torque', m.ground, a, moment = function(t)\n"
                  "assert(tostring(vec(t, 2)) == 'vec(traced value, 2)')\n"
                  "local v = vec(t, 2) assert(v == v and v ~= vec(1, 2, 3)) return t end }\n");
}

static void a_vector_stands_for_a_list_of_numbers(void **state) {
    trModel *model =
        model_of("local m = model { name = 'x', dim = 3, gravity = vec(1, 2, 3) }\n"
                 "local b = m:body { name = 'b', mass = 2, inertia = vec(1, 2, 2),\n"
                 "    at = 2 * vec(1, 2, 3), velocity = cross({ 1, 0, 0 }, { 0, 1, 0 }) }\n"
                 "return m",
                 NULL);
    const trBody3 *b = &model->body[0].spatial;
    assert_true(model->gravity.x == 1 && model->gravity.y == 2 && model->gravity.z == 3);
    assert_true(b->place.at.x == 2 && b->place.at.y == 4 && b->place.at.z == 6);
    assert_true(b->velocity.x == 0 && b->velocity.y == 0 && b->velocity.z == 1);
    tr_model_destroy(model);

    model = model_of("local law = tabulated { vec(0, 0), vec(1, 2), { 2, 4 } }\n" HEAD
                     "m:force { 'torsion_spring', m.ground, a, stiffness = law }\n"
                     "m:simulate { duration = 3, times = vec(1, 2, 3) } return m",
                     NULL);
    // The table is the line 2 x, exactly so between its points; the spring pulls back.
    assert_true(fabs(moment(model, 0.0, 0.25) + 0.5) <= 1e-15);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_as_given),
        cmocka_unit_test(operators_work_on_every_component),
        cmocka_unit_test(products_and_norms_are_right),
        cmocka_unit_test(vectors_compare_and_show_their_components),
        cmocka_unit_test(a_vector_stands_for_a_list_of_numbers),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
