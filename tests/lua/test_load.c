// SPDX-License-Identifier: MIT
// Model files: what they say arrives in the model, what is wrong in them is said in one line.

#include "lua/lua_case.h"

static void a_file_becomes_a_model(void **state) {
    (void)state;
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
    (void)state;
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
    (void)state;
    static const char text[] = HEAD "m:simulate { integrator = 'rk4', duration = 7 }\nerror('no')";
    trModel          *model = NULL;
    trSimDef          def = tr_sim_def_default(), before = def;
    write_bytes(text, strlen(text));
    assert_int_equal(tr_lua_load(FILE_NAME, NULL, &model, &def), TR_E_MODEL);
    assert_memory_equal(&def, &before, sizeof def);
}

static void models_of_the_guide_load(void **state) {
    (void)state;
    static const char *const names[] = {"pendulum", "slider_crank", "driven", "spring"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char     path[1024];
        trModel *model = NULL;
        trSimDef def = tr_sim_def_default();
        snprintf(path, sizeof path, SOURCE_DIR "/models/guide/%s.lua", names[i]);
        if (tr_lua_load(path, NULL, &model, &def) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
        tr_model_destroy(model);
    }
}

// --- parameters ---

static void parameters_come_from_outside(void **state) {
    (void)state;
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

static void wrong_parameters_are_refused(void **state) {
    (void)state;
    static const char text[] = "local n = parameter('count', 3)\n" HEAD "return m";
    expect_error(text, (const char *const[]){"coutn=3", NULL},
                 " the file has no parameter 'coutn'; did you mean 'count'?");
    expect_error(text, (const char *const[]){"count=3", "zzz=", NULL},
                 " the file has no parameter 'zzz'");
    expect_error(text, (const char *const[]){"count=many", NULL},
                 "1: parameter 'count' must be a number, as its default is; got 'many'");
    expect_error("local x = parameter('x')", NULL,
                 "1: parameter 'x' is not given and has no default");

    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    assert_int_equal(tr_lua_load(FILE_NAME, (const char *const[]){"x", NULL}, &model, &def),
                     TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "parameter 'x' must be given as NAME=VALUE");
}

static void mistakes_with_the_model_are_explained(void **state) {
    (void)state;
    static const Mistake mistakes[] = {
        {HEAD "m:boddy { name = 'b' }", "2: a model has no 'boddy'; did you mean 'body'?"},
        {HEAD "m.body { name = 'b' }", "2: call body with a colon: m:body { ... }"},
        {HEAD "m:body('b')", "2: body needs a table: m:body { ... }, got string"},
        {HEAD "m.gravity = { 0, 1 }",
         "2: 'gravity' of a model cannot be set here; write it in model { ... }"},
        {HEAD "model { name = 'y' }", "2: model: was called before; a file describes one model"},
        {HEAD "m:simulate { duration = 1 }\nm:simulate { duration = 1 }",
         "3: simulate: was called before; a file says once how to simulate"},
        {HEAD "\nm:simulate { \"rk4\" }", "3: simulate: an entry has no key; write key = value"},
        {HEAD "m:simulate { duraton = 1 }",
         "2: simulate: unknown key 'duraton'; did you mean 'duration'?"},
        {HEAD "m:simulate { integrator = 'dopri6' }",
         "2: simulate: unknown integrator 'dopri6'; did you mean 'dopri5'?"},
        {HEAD "m:simulate { duration = 1,\ntimes = {} }",
         "2: simulate: times is empty; give at least one, or leave it out"},
        {HEAD "m:simulate { duration = 1, times = { 0.5, 0.5 } }",
         "2: simulate: times must increase; number 2 does not"},
        {HEAD "m:simulate(a)", "2: simulate needs a table: m:simulate { ... }, got body"},
        {"\nmodel { nmae = 'y' }", "2: model: unknown key 'nmae'; did you mean 'name'?"},
        {"model { gravity = function(t) return t end }", "1: model: gravity cannot be a function"},
        {"model 'x'", "1: model needs a table: model { name = \"...\" }"},
        {"local x = 1", " the file describes no model; it must call model { ... } or system { ... "
                        "} and return that"},
        {HEAD, " the file must return its model, but returns nil; end it with 'return m'"},
        {HEAD "return a",
         " the file must return its model, but returns a body; end it with 'return m'"},
    };
    EXPECT_ERRORS(mistakes);
}

static void mistakes_in_lua_keep_their_line(void **state) {
    (void)state;
    static const Mistake mistakes[] = {
        {"\n\nlocal = 3", "3: <name> expected near '='"},
        {HEAD "local crank = 3\ngravty = 3\nlocal x = gravity",
         "4: undefined variable 'gravity'; did you mean 'gravty'?"},
        {"local x = sine(3)", "1: undefined variable 'sine'; did you mean 'sin'?"},
        {"local x = math.sine(3)", "1: undefined function 'math.sine'; did you mean 'sin'?"},
        {"local x = qwertyuiop", "1: undefined variable 'qwertyuiop'; define it above this line"},
        {"\nerror('two\\nlines')", "2: two lines"},
        {"error({})", "1: the file stopped with an error that is not a text; write error(\"...\")"},
        {"\nlocal x = {} + 1", "2: attempt to perform arithmetic on a table value"},
        {"\nlocal x = sin('a')", "2: bad argument #1 to 'sin' (number expected, got string)"},
        {"local function f() return 1 + f() end f()",
         "1: stack overflow; a function calls itself without end: give its calls an end"},
    };
    EXPECT_ERRORS(mistakes);
}

// --- files ---

static void expect_file_error(const char *path, trStatus expected, const char *message) {
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    assert_int_equal(tr_lua_load(path, NULL, &model, &def), expected);
    assert_string_equal(tr_last_error(), message);
    assert_null(model);
}

static void unsuitable_files_are_refused(void **state) {
    (void)state;
    expect_file_error("absent.lua", TR_E_IO, "absent.lua: cannot read: No such file or directory");
    expect_file_error(".", TR_E_IO, ".: cannot read: Is a directory");
    write_bytes("", 0);
    expect_file_error(FILE_NAME, TR_E_MODEL,
                      "model.lua: the file is empty; it must return a model (see "
                      "docs/guide/model-files.md)");
    write_bytes(" \n\t\n", 4);
    expect_file_error(FILE_NAME, TR_E_MODEL,
                      "model.lua: the file is empty; it must return a model (see "
                      "docs/guide/model-files.md)");
    write_bytes("return\0 1", 9);
    expect_file_error(FILE_NAME, TR_E_MODEL,
                      "model.lua: not a text file; a model file is Lua in plain text (UTF-8)");
    write_bytes("\x1bLuaS", 5);
    expect_file_error(FILE_NAME, TR_E_MODEL,
                      "model.lua: not a text file; a model file is Lua in plain text (UTF-8)");
    expect_file_error("/dev/zero", TR_E_MODEL,
                      "/dev/zero: the file is larger than 16 MiB; it is not a model file");
}

static void a_long_path_is_written_in_full(void **state) {
    (void)state;
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
    (void)state;
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
        cmocka_unit_test(models_of_the_guide_load),
        cmocka_unit_test(parameters_come_from_outside),
        cmocka_unit_test(wrong_parameters_are_refused),
        cmocka_unit_test(mistakes_with_the_model_are_explained),
        cmocka_unit_test(mistakes_in_lua_keep_their_line),
        cmocka_unit_test(unsuitable_files_are_refused),
        cmocka_unit_test(a_long_path_is_written_in_full),
        cmocka_unit_test(files_may_be_long_and_begin_with_a_byte_order_mark),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
