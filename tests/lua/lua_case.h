// SPDX-License-Identifier: MIT
// What the tests of model files share: a folder of their own, a file written from a text, and the
// exact message that it must give.

#ifndef TR_TESTS_LUA_CASE_H
#define TR_TESTS_LUA_CASE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/model.h"
#include "support/test.h"
#include "trammel/lua.h"

#define FILE_NAME "model.lua"
#define SECONDS 3600.0  // for one file, on slow machines, too: bounds of instructions come first
#define HEAD \
    "local m = model { name = 'x' } local a = m:body { name = 'a', mass = 1, inertia = 1 }\n"

static char folder[] = "/tmp/trammel_lua_XXXXXX";

static inline int enter_folder(void **state) {
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static inline int leave_folder(void **state) {
    unlink(FILE_NAME);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

static inline void write_bytes(const char *bytes, size_t size) {
    FILE *file = fopen(FILE_NAME, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// The model in `text`, which must be good.
static inline trModel *model_of(const char *text, const char *const *set) {
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    write_bytes(text, strlen(text));
    trStatus status = tr_lua_load_within(SECONDS, FILE_NAME, set, &model, &def);
    if (status != TR_OK) {
        fail_msg("%s\n%s", tr_last_error(), text);
    }
    return model;
}

// Loads `text`, which must fail with exactly this message after the file's name.
static inline void expect_error(const char *text, const char *const *set, const char *message) {
    char     expected[1024];
    trModel *model = NULL;
    trSimDef def = tr_sim_def_default();
    write_bytes(text, strlen(text));
    trStatus status = tr_lua_load_within(SECONDS, FILE_NAME, set, &model, &def);
    snprintf(expected, sizeof expected, FILE_NAME ":%s", message);
    if (status == TR_OK) {
        fail_msg("this should be refused:\n%s", text);
    }
    assert_string_equal(tr_last_error(), expected);
    assert_int_equal(status, TR_E_MODEL);
    assert_null(model);
}

// What the moment of the first force, a torque or torsion spring, is at time t and angle x.
static inline double moment(const trModel *model, double t, double x) {
    const trForce  *force = &model->force[0];
    const trMotion2 still = {.c = 1.0}, turned = {.angle = x, .c = cos(x), .s = sin(x)};
    trForceOut      out = {0};
    force->kind->eval(force->params, t, &still, &turned, &out);
    return out.on2.moment;
}

typedef struct Mistake {
    const char *text;
    const char *message;  // after the file's name and ':'
} Mistake;

static inline void expect_errors(const Mistake *mistakes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expect_error(mistakes[i].text, NULL, mistakes[i].message);
    }
}

#define EXPECT_ERRORS(list) expect_errors(list, sizeof(list) / sizeof *(list))

#endif
