// SPDX-License-Identifier: MIT
#include "scenario/turned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "trammel/lua.h"

static char *read_all(const char *file) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, file);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fail_msg("%s: cannot be read", path);
    }
    fseek(stream, 0, SEEK_END);
    size_t size = (size_t)ftell(stream);
    char  *text = malloc(size + 1);
    assert_non_null(text);
    rewind(stream);
    assert_int_equal(fread(text, 1, size, stream), size);
    text[size] = '\0';
    fclose(stream);
    return text;
}

trModel *turned_load(const char *file, int turn) {
    static const char form[] = "%s\nlocal made = (function()\n%s\nend)()\nreturn made.real\n";
    char  *before = read_all("tests/scenario/turned/prelude.lua"), *text = read_all(file);
    size_t room = strlen(before) + strlen(text) + sizeof form;
    char  *whole = malloc(room), value[32];
    const char *const set[] = {value, NULL};
    trSimDef          def = tr_sim_def_default();
    trModel          *model = NULL;
    assert_non_null(whole);
    snprintf(whole, room, form, before, text);
    snprintf(value, sizeof value, "turn=%d", turn);
    if (tr_lua_load_text(file, whole, strlen(whole), set, &model, &def) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    free(before);
    free(text);
    free(whole);
    return model;
}

// As prelude.lua has it.
trQuat turned_by(int dim, int turn) {
    double z = 1.0 - (2 * turn + 1) / 24.0, r = sqrt(1.0 - z * z), half = turn * acos(-1.0) / 24.0;
    trVec3 axis = {r * cos(2.4 * turn), r * sin(2.4 * turn), z};
    if (dim != 3) {
        axis = (trVec3){0.0, 0.0, 1.0};
    }
    return (trQuat){cos(half), sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z};
}
