// SPDX-License-Identifier: MIT
// Model files: what they say arrives in the model, what is wrong in them is said in one line.

#include "lua/lua_case.h"

static void a_file_becomes_a_model(void **state) {
    trModel *model = model_of(
        "local m = model { name = 'four-bar', gravity = { 0, -9.81 } }\n"
        "local crank = m:body { name = 'crank', mass = 1.5, inertia = 0.3, at = { 0.5, 2 },\n"
        "                       angle = 1.25, velocity = { 3, 4 } }\n"
        "local rod = m:body { name = 'rod', mass = 2, at = { 1, 0 } }\n"
        "m:joint { 'revolute', name = 'A', m.ground, crank, point = { 0, 0 } }\n"
        "m:joint { 'revolute', name = 'B', 'rod', 'crank', point = { 1, 0 } }\n"
        "m:joint { 'revolute', name = 'C', 'ground', rod }\n"
        "m:joint { 'distance', m.ground, rod, length = 2 }\n"
        "m:force { 'point_force', name = 'push', rod, fx = 3 }\n"
        "m:force { 'spring', name = 's', m.ground, crank, stiffness = 100, point1 = { 9, 9 } }\n"
        "return m\n",
        NULL);
    assert_string_equal(model->name, "four-bar");
    assert_true(model->gravity.x == 0.0 && model->gravity.y == -9.81);
    assert_int_equal(model->bodies, 2);
    const trBody *crank = &model->body[0];
    assert_string_equal(crank->name, "crank");
    assert_true(crank->mass == 1.5 && crank->inertia == 0.3 && crank->angle == 1.25);
    assert_true(crank->at.x == 0.5 && crank->at.y == 2.0);
    assert_true(crank->velocity.x == 3.0 && crank->velocity.y == 4.0);

    assert_int_equal(model->joints, 4);
    assert_string_equal(model->joint[0].kind->name, "revolute");
    assert_string_equal(model->joint[0].name, "A");
    assert_true(model->joint[0].body1 == TR_GROUND && model->joint[0].body2 == 0);
    assert_true(model->joint[1].body1 == 1 && model->joint[1].body2 == 0);
    assert_true(model->joint[2].body1 == TR_GROUND && model->joint[2].body2 == 1);
    assert_string_equal(model->joint[3].name, "distance1");

    assert_int_equal(model->forces, 2);
    assert_true(model->force[0].body1 == TR_GROUND && model->force[0].body2 == 1);
    assert_true(model->force[1].body1 == TR_GROUND && model->force[1].body2 == 0);
    tr_model_destroy(model);
}

static void simulate_fills_the_definition(void **state) {
    static const char text[] = HEAD "m:simulate { integrator = 'rk4', step = 1e-3, duration = 7 }\n"
                                    "return m";
    trModel          *model = NULL;
    trSimDef          def = tr_sim_def_default();
    def.sample = 0.125;
    write_bytes(text, strlen(text));
    assert_int_equal(tr_lua_load(FILE_NAME, NULL, &model, &def), TR_OK);
    assert_string_equal(def.integrator, "rk4");
    assert_true(def.step == 1e-3 && def.duration == 7.0);
    assert_true(def.sample == 0.125);  // not named in the file
    tr_model_destroy(model);
}

static void a_failed_load_leaves_the_definition_alone(void **state) {
    static const char text[] = HEAD "m:simulate { integrator = 'rk4', duration = 7 }\nerror('no')";
    trModel          *model = NULL;
    trSimDef          def = tr_sim_def_default(), before = def;
    write_bytes(text, strlen(text));
    assert_int_equal(tr_lua_load(FILE_NAME, NULL, &model, &def), TR_E_MODEL);
    assert_memory_equal(&def, &before, sizeof def);
}

// --- parameters ---

static void parameters_come_from_outside(void **state) {
    static const char text[] =
        "local n, s, b, x = parameter('N', 3), parameter('s', 'no'), parameter('b', false),\n"
        "                parameter('x')\n"
        "local m = model { name = s .. math.type(n) .. x }\n"
        "for i = 1, n do m:body { name = 'b' .. i, mass = b and 2 or 1 } end return m";
    static const char *const set[] = {"N=1", "x=y=z", "N=4e0", "s=12", "b=true", NULL};
    trModel                 *model = model_of(text, set);
    assert_int_equal(model->bodies, 4);
    assert_string_equal(model->body[3].name, "b4");
    assert_string_equal(model->name, "12integery=z");
    assert_true(model->body[0].mass == 2.0);
    tr_model_destroy(model);

    static const char *const least[] = {"x=1.5", NULL};
    model = model_of(text, least);
    assert_int_equal(model->bodies, 3);
    assert_string_equal(model->name, "nointeger1.5");
    assert_true(model->body[0].mass == 1.0);
    tr_model_destroy(model);
}

// --- files ---

static void a_long_path_is_written_in_full(void **state) {
    char     path[256] = "", expected[512];
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    for (int i = 0; i < 40; i++) {
        strcat(path, "./");
    }
    strcat(path, FILE_NAME);
    write_bytes("\nlocal x = y", 12);
    assert_int_equal(tr_lua_load(path, NULL, &model, &def), TR_E_MODEL);
    snprintf(expected, sizeof expected, "%s:2: undefined variable 'y'; define it above this line",
             path);
    assert_string_equal(tr_last_error(), expected);
}

static void files_may_be_long_and_begin_with_a_byte_order_mark(void **state) {
    static const char text[] = "\xEF\xBB\xBF" HEAD "return m --";
    size_t            size = 300000;  // more than the first piece that is read
    char             *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, 'x', size);
    memcpy(bytes, text, strlen(text));
    write_bytes(bytes, size);
    free(bytes);
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    assert_int_equal(tr_lua_load(FILE_NAME, NULL, &model, &def), TR_OK);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_becomes_a_model),
        cmocka_unit_test(simulate_fills_the_definition),
        cmocka_unit_test(a_failed_load_leaves_the_definition_alone),
        cmocka_unit_test(parameters_come_from_outside),
        cmocka_unit_test(a_long_path_is_written_in_full),
        cmocka_unit_test(files_may_be_long_and_begin_with_a_byte_order_mark),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
