// SPDX-License-Identifier: MIT
// Equations of a user's own. Every function of the file is called once, with traced arguments in
// the order of its letters:
//
//     q coordinates   v velocities   t time   p parameters   r reactions   z further states

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/equations.h"
#include "lua/lua_internal.h"

// --- names ---

static const char *coordinate_name(const void *context, int i) {
    return ((const trModel *)context)->body[i].name;
}

const char *tr_state_name(const void *context, int i) {
    return ((const trModel *)context)->traced->general->state[i].name;
}

static const char *constraint_name(const void *context, int i) {
    return ((const trModel *)context)->traced->group[i].name;
}

trTracedNames tr_equations_names(const trModel *model, trInput kind) {
    trTracedNames names = {.what = kind == TR_INPUT_V ? "velocity" : "coordinate",
                           .kind = kind,
                           .count = model->bodies,
                           .context = model,
                           .name = coordinate_name};
    if (kind == TR_INPUT_Z) {
        names.what = "state";
        names.after = " above this line";
        names.count = model->traced->general->states;
        names.name = tr_state_name;
    }
    return names;
}

// reaction.rod, or reaction.rod[2] of a constraint with several rows.
static void push_reactions(lua_State *L, const trModel *model) {
    const trTraced *traced = model->traced;
    lua_createtable(L, 0, traced->groups);
    for (int g = 0; g < traced->groups; g++) {
        const trTracedRows *rows = &traced->group[g];
        if (rows->rows > 1) {
            lua_createtable(L, rows->rows, 0);
        }
        for (int k = 0; k < rows->rows; k++) {
            int input = tr_input_number(TR_INPUT_LAMBDA, rows->first + k);
            tr_lua_push_traced(L, tr_tape_input(traced->tape, input));
            if (rows->rows > 1) {
                lua_rawseti(L, -2, k + 1);
            }
        }
        lua_setfield(L, -2, rows->name);
    }
    const trTracedNames names = {
        .count = traced->groups, .context = model, .name = constraint_name};
    tr_lua_push_names(L, &names);
    tr_lua_seal_names(L, "constraint", " above this line");
}

// --- calls ---

trLuaLoad *tr_equations_method(lua_State *L, const char *method, int type) {
    trLuaLoad  *load = tr_load_of(L);
    const char *shape = type == LUA_TFUNCTION ? "(function(...) ... end)" : " { ... }";
    if (!tr_lua_is_system(L, 1)) {
        tr_lua_error(L, "call %s with a colon: s:%s%s", method, method, shape);
    }
    if (lua_type(L, 2) != type) {
        tr_lua_error(L, "%s needs a %s: s:%s%s, got %s", method, lua_typename(L, type), method,
                     shape, tr_lua_type(L, 2));
    }
    if (load->tape != NULL) {
        tr_lua_error(L, "%s cannot be called in a function that is recorded", method);
    }
    lua_settop(L, 2);
    tr_lua_check_time(L);
    load->model->origin = tr_arena_format(load->model->arena, "%s:%d", load->path, tr_lua_line(L));
    return load;
}

static void push_argument(lua_State *L, const trModel *model, char letter) {
    trTracedNames names = tr_equations_names(model, letter == 'q'   ? TR_INPUT_Q
                                                    : letter == 'v' ? TR_INPUT_V
                                                                    : TR_INPUT_Z);
    switch (letter) {
    case 't':
        tr_lua_push_traced(L, tr_tape_time(model->traced->tape));
        return;
    case 'p':
        lua_getfield(L, LUA_REGISTRYINDEX, TR_LUA_PARAMETERS);
        return;
    case 'r':
        push_reactions(L, model);
        return;
    default:
        tr_lua_push_inputs(L, &names);
    }
}

// How a function with these letters is to be written.
static const char *called_as(const char *letters) {
    static const char *const forms[][2] = {{"qtp", "q, t, p"},
                                           {"qvtp", "q, v, t, p"},
                                           {"qvtpz", "q, v, t, p, z"},
                                           {"qvtprz", "q, v, t, p, reaction, z"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(letters, forms[i][0]) == 0) {
            return forms[i][1];
        }
    }
    return NULL;
}

int tr_equations_record(lua_State *L, const trModel *model, const char *letters) {
    int count = (int)strlen(letters);
    luaL_checkstack(L, 16, "a function with many arguments");
    tr_load_of(L)->called_as = called_as(letters);
    tr_lua_begin_trace(L, model->traced->tape);
    for (int i = 0; i < count; i++) {
        push_argument(L, model, letters[i]);
    }
    return tr_lua_call_recorded(L, count);
}

static int *nodes_for(lua_State *L, const trModel *model, int count) {
    int *node = tr_new_array(model->arena, int, count);
    if (node == NULL) {
        tr_lua_require(L, tr_arena_status(model->arena), "system");
    }
    return node;
}

static void refuse_twice(lua_State *L, const char *what, bool twice) {
    if (twice) {
        tr_lua_error(L, "%s: was called before; a system can have only one %s", what, what);
    }
}

// --- the methods ---

int tr_equations_mass(lua_State *L) {
    trModel   *model = tr_equations_method(L, "mass", LUA_TFUNCTION)->model;
    trGeneral *g = model->traced->general;
    refuse_twice(L, "mass", g->mass != NULL);
    int *node = nodes_for(L, model, model->bodies * model->bodies);
    tr_lua_read_mass(L, tr_equations_record(L, model, "qtp"), model->bodies, node);
    tr_lua_end_trace(L);
    g->mass = node;
    g->mass_origin = model->origin;
    return 0;
}

// A function with one number for each coordinate.
static const int *record_forces(lua_State *L, trModel *model, const char *what,
                                const char *letters) {
    trTracedNames names = tr_equations_names(model, TR_INPUT_Q);
    int          *node = nodes_for(L, model, model->bodies);
    tr_lua_read_named(L, tr_equations_record(L, model, letters), what, &names, node);
    tr_lua_end_trace(L);
    return node;
}

int tr_equations_force(lua_State *L) {
    trModel *model = tr_equations_method(L, "force", LUA_TFUNCTION)->model;
    refuse_twice(L, "force", model->traced->general->force != NULL);
    model->traced->general->force = record_forces(L, model, "force", "qvtpz");
    model->traced->general->origin[TR_OF_FORCE] = model->origin;
    return 0;
}

int tr_equations_nonideal(lua_State *L) {
    trModel *model = tr_equations_method(L, "nonideal", LUA_TFUNCTION)->model;
    refuse_twice(L, "nonideal", model->traced->general->nonideal != NULL);
    model->traced->general->nonideal = record_forces(L, model, "nonideal", "qvtprz");
    model->traced->general->origin[TR_OF_NONIDEAL] = model->origin;
    return 0;
}

int tr_equations_energy(lua_State *L) {
    trModel *model = tr_equations_method(L, "energy", LUA_TFUNCTION)->model;
    refuse_twice(L, "energy", model->traced->general->energy >= 0);
    int at = tr_equations_record(L, model, "qvtpz"), node = -1;
    if (tr_lua_count_rows(L, at, "energy") != 1) {
        return tr_lua_error(L, "energy: the function must return one number");
    }
    tr_lua_read_list(L, at, "energy", 1, &node);
    tr_lua_end_trace(L);
    model->traced->general->energy = node;
    model->traced->general->origin[TR_OF_ENERGY] = model->origin;
    return 0;
}

static int add_rows(lua_State *L, const char *method, const char *key, const char *letters) {
    const char *const keys[] = {"name", "unit", key, NULL};
    trModel          *model = tr_equations_method(L, method, LUA_TTABLE)->model;
    const char       *name = tr_lua_text_field(L, "name", method);
    if (name == NULL) {
        return tr_lua_error(L, "%s: 'name' is missing", method);
    }
    const char  *owner = lua_pushfstring(L, "%s '%s'", method, name);
    trTracedRows rows = {.name = name, .nonholonomic = strcmp(key, "psi") == 0};
    tr_lua_check_entries(L, owner, keys, false);
    rows.unit = tr_lua_text_field(L, "unit", owner);
    tr_lua_push_function(L, key, owner);
    return tr_lua_add_rows(L, tr_equations_record(L, model, letters), owner, &rows);
}

int tr_equations_constraint(lua_State *L) {
    return add_rows(L, "constraint", "phi", "qtp");
}

int tr_equations_nonholonomic(lua_State *L) {
    return add_rows(L, "nonholonomic", "psi", "qvtp");
}
