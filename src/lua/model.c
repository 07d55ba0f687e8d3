// SPDX-License-Identifier: MIT
// The words of a model file: model{}, and the methods body, joint, force and simulate of what it
// returns. A joint or force lists, without keys, its kind and then its bodies:
//
//     m:joint { "revolute", name = "A", m.ground, crank, point = { 0, 0 } }

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/entry.h"
#include "lua/lua_internal.h"
#include "sim/def.h"

#define MODEL "model"
#define BODY "body"
#define MOST_BODIES TR_ENTRY_BODIES

// A handle of a body, as the file holds it.
typedef struct Handle {
    int body;  // number in the model, or TR_GROUND
} Handle;

bool tr_lua_is_model(lua_State *L, int index) {
    return luaL_testudata(L, index, MODEL) != NULL;
}

bool tr_lua_is_body(lua_State *L, int index) {
    return luaL_testudata(L, index, BODY) != NULL;
}

int tr_lua_push_body(lua_State *L, int body) {
    Handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
    handle->body = body;
    luaL_setmetatable(L, BODY);
    return 1;
}

// --- what all methods share ---

// Checks that the method was called as m:method { ... } and leaves (m, table) on the stack.
trLuaLoad *tr_lua_method(lua_State *L, const char *method) {
    trLuaLoad *load = tr_load_of(L);
    if (!tr_lua_is_model(L, 1) && !tr_lua_is_system(L, 1) && !tr_lua_is_assembly(L, 1)) {
        tr_lua_error(L, "call %s with a colon: m:%s { ... }", method, method);
    }
    if (lua_type(L, 2) != LUA_TTABLE) {
        tr_lua_error(L, "%s needs a table: m:%s { ... }, got %s", method, method,
                     tr_lua_type(L, 2));
    }
    if (load->tape != NULL) {
        tr_lua_error(L, "%s cannot be called in a function of time", method);
    }
    lua_settop(L, 2);
    tr_lua_check_time(L);
    load->model->origin = tr_arena_format(load->model->arena, "%s:%d", load->path, tr_lua_line(L));
    return load;
}

// The name may be left out where the model makes one.
trEntry tr_lua_entry(lua_State *L, const char *what) {
    trEntry entry = {.owner = what};
    int     type = lua_getfield(L, 2, "name");
    if (type == LUA_TNIL) {
        return entry;
    }
    if (type != LUA_TSTRING) {
        tr_lua_error(L, "%s: name must be a string, got %s", what, tr_lua_type(L, -1));
    }
    entry.name = lua_tostring(L, -1);
    if (strlen(entry.name) != lua_rawlen(L, -1)) {
        tr_lua_error(L, "%s: the name contains a zero byte", what);
    }
    tr_lua_require(L, tr_model_check_name(what, entry.name), what);
    entry.owner = lua_pushfstring(L, "%s '%s'", what, entry.name);
    return entry;
}

// Refuses entries of table 2 that have no key and stand outside of positions 1 to `most`.
void tr_lua_check_keys(lua_State *L, int most, const char *owner) {
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        if (type == LUA_TSTRING) {
            continue;
        }
        if (type != LUA_TNUMBER) {
            tr_lua_error(L, "%s: a key must be a name, got a %s", owner, lua_typename(L, type));
        }
        double position = lua_tonumber(L, -2);
        if (most == 0) {
            tr_lua_error(L, "%s: an entry has no key; write key = value", owner);
        }
        if (!(position >= 1 && position <= most) && most == 1) {
            tr_lua_error(L, "%s: too many entries without a key; its body alone is expected",
                         owner);
        }
        if (!(position >= 1 && position <= most)) {
            tr_lua_error(L,
                         "%s: too many entries without a key; its kind and at most %d bodies "
                         "are expected",
                         owner, MOST_BODIES);
        }
    }
}

int tr_lua_body(lua_State *L, const char *owner, int position) {
    const Handle *handle = luaL_testudata(L, -1, BODY);
    int           body = TR_GROUND;
    if (handle != NULL) {
        return handle->body;
    }
    if (lua_type(L, -1) != LUA_TSTRING) {
        tr_lua_error(L, "%s: entry %d must be a body, got %s", owner, position, tr_lua_type(L, -1));
    }
    tr_lua_require(L, tr_model_find_body(tr_load_of(L)->model, lua_tostring(L, -1), &body), owner);
    return body;
}

// Reads the entries without keys: the kind, then the bodies. A variable that is nil leaves a gap.
void tr_lua_read_positions(lua_State *L, trEntry *entry) {
    tr_lua_check_keys(L, 1 + MOST_BODIES, entry->owner);
    if (lua_rawgeti(L, 2, 1) != LUA_TSTRING) {
        tr_lua_error(L, "%s: the first entry must be its kind, a string, got %s", entry->owner,
                     tr_lua_type(L, -1));
    }
    entry->kind = lua_tostring(L, -1);
    for (int i = 0; i < MOST_BODIES; i++) {
        if (lua_rawgeti(L, 2, i + 2) != LUA_TNIL) {
            entry->body[entry->bodies++] = tr_lua_body(L, entry->owner, i + 2);
        }
        lua_pop(L, 1);
    }
}

void tr_lua_require_bodies(lua_State *L, const trEntry *entry, int count) {
    const char *wanted = count == 1 ? "one body" : "two bodies";
    if (entry->bodies > count) {
        tr_lua_error(L, "%s: needs %s, got %d", entry->owner, wanted, entry->bodies);
    }
    if (entry->bodies < count) {
        tr_lua_error(L,
                     "%s: needs %s, got %d; is a body's variable misspelled or not defined above "
                     "this line?",
                     entry->owner, wanted, entry->bodies);
    }
}

// --- the methods ---

static int body(lua_State *L) {
    trLuaLoad *load = tr_lua_method(L, "body");
    trEntry    entry = tr_lua_entry(L, "body");
    int        number = TR_GROUND;
    tr_lua_check_keys(L, 0, entry.owner);
    const trParam *params = tr_lua_params(L, 2, entry.owner, "name");
    tr_lua_require(L, tr_model_add_body(load->model, entry.name, params, &number), entry.owner);
    return tr_lua_push_body(L, number);
}

typedef trStatus (*AddFrame)(trModel *model, const char *name, int body, const trParam *params,
                             int *out);

static int add_frame(lua_State *L, const char *family, AddFrame add) {
    trLuaLoad *load = tr_lua_method(L, family);
    trEntry    entry = tr_lua_entry(L, family);
    tr_lua_check_keys(L, 1, entry.owner);
    if (lua_rawgeti(L, 2, 1) == LUA_TNIL) {
        return tr_lua_error(L, "%s: the first entry must be its body", entry.owner);
    }
    int            number = tr_lua_body(L, entry.owner, 1);
    const trParam *params = tr_lua_params(L, 2, entry.owner, "name");
    tr_lua_require(L, add(load->model, entry.name, number, params, NULL), entry.owner);
    lua_pushstring(L, entry.name);
    return 1;
}

// local tip = m:frame { body, name = "tip", at = { 0, 0, 1 } }: its name, which joints take.
static int frame(lua_State *L) {
    return add_frame(L, "frame", tr_model_add_frame);
}

// m:port { body, name = "tip", at = { 0, 0, 1 } }: a frame that other modules are glued to.
static int port(lua_State *L) {
    return add_frame(L, "port", tr_model_add_port);
}

typedef struct Input {
    const char *unit;
    double      start;
} Input;

static const trField input_fields[] = {
    TR_FIELD(Input, unit, TR_FIELD_TEXT, 0, 0, "", "of the number"),
    TR_FIELD(Input, start, TR_FIELD_REAL, 0, 0, "", "until a program sets another value"),
    TR_FIELD_END,
};

int tr_lua_input(lua_State *L) {
    trModel       *model = tr_lua_method(L, "input")->model;
    trEntry        entry = tr_lua_entry(L, "input");
    Input          input;
    int            number = 0;
    const trParam *params = tr_lua_params(L, 2, entry.owner, "name");
    tr_lua_check_keys(L, 0, entry.owner);
    tr_lua_require(L, tr_fields_bind(model->arena, input_fields, params, &input), entry.owner);
    tr_lua_require(L, tr_model_add_input(model, entry.name, input.unit, input.start, &number),
                   entry.owner);
    return tr_lua_push_input(L, number);
}

static int joint(lua_State *L) {
    trLuaLoad *load = tr_lua_method(L, "joint");
    trEntry    entry = tr_lua_entry(L, "joint");
    tr_lua_read_positions(L, &entry);
    tr_lua_require_bodies(L, &entry, 2);
    const trParam *params = tr_lua_params(L, 2, entry.owner, "name");
    tr_lua_require(L,
                   tr_model_add_joint(load->model, entry.kind, entry.name, entry.body[0],
                                      entry.body[1], params, NULL),
                   entry.owner);
    return 0;
}

static int force(lua_State *L) {
    trLuaLoad *load = tr_lua_method(L, "force");
    if (lua_rawgeti(L, 2, 1) == LUA_TUSERDATA) {  // a body in place of a kind
        return tr_lua_force_law(L);
    }
    lua_settop(L, 2);
    trEntry entry = tr_lua_entry(L, "force");
    tr_lua_read_positions(L, &entry);
    const trForceKind *kind = tr_force_find(entry.kind, load->model->dim);
    if (kind != NULL && (kind->traits & TR_ONE_BODY) != 0) {
        tr_lua_require_bodies(L, &entry, 1);
        entry.body[1] = entry.body[0];
        entry.body[0] = TR_GROUND;
    } else if (kind != NULL) {
        tr_lua_require_bodies(L, &entry, 2);
    }
    // An unknown kind is refused by the model itself, with a suggestion.
    const trParam *params = tr_lua_params(L, 2, entry.owner, "name");
    tr_lua_require(L,
                   tr_model_add_force(load->model, entry.kind, entry.name, entry.body[0],
                                      entry.body[1], params, NULL),
                   entry.owner);
    return 0;
}

// Output times are judged here as far as the file alone can tell, so that the line is known; that
// they lie within the run is judged when it begins.
static void check_times(lua_State *L, const trParam *params) {
    const trParam *times = tr_field_given(tr_setting_find("output_times"), params);
    if (times != NULL && tr_field_given(tr_setting_find("output_step"), params) != NULL) {
        tr_lua_error(L, "simulate: output_step and output_times exclude each other; keep one of "
                        "them");
    }
    if (times == NULL || times->kind != TR_PARAM_NUMBERS) {
        return;
    }
    if (times->count == 0) {
        tr_lua_error(L, "simulate: output_times is empty; give at least one, or leave it out");
    }
    for (int i = 1; i < times->count; i++) {
        if (!(times->numbers[i] > times->numbers[i - 1])) {
            tr_lua_error(L, "simulate: output_times must increase; number %d does not", i + 1);
        }
    }
}

const trParam *tr_lua_begin_simulate(lua_State *L) {
    trLuaLoad *load = tr_lua_method(L, "simulate");
    if (load->simulated) {
        tr_lua_error(L, "simulate: was called before; call it once");
    }
    load->simulated = true;
    tr_lua_check_keys(L, 0, "simulate");
    return tr_lua_params(L, 2, "simulate", NULL);
}

int tr_lua_simulate(lua_State *L) {
    trLuaLoad     *load = tr_load_of(L);
    const trParam *params = tr_lua_begin_simulate(L);
    check_times(L, params);
    tr_lua_require(L, tr_sim_def_bind(load->model->arena, params, &load->def), "simulate");
    tr_lua_require(L, tr_sim_def_check(&load->def), "simulate");
    return 0;
}

// --- the model itself, a system or an assembly ---

// What the file describes by this word.
static const char *described(const char *what) {
    return strcmp(what, "model") == 0    ? "a model"
           : strcmp(what, "system") == 0 ? "a system"
                                         : "an assembly";
}

// m.key: a method, or ground. The table of these is the first upvalue, "model" the second.
static int member(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        return 1;
    }
    const char *key = luaL_tolstring(L, 2, NULL);
    tr_lua_push_hint(L, lua_upvalueindex(1), key);
    const char *what = lua_tostring(L, lua_upvalueindex(2));
    return tr_lua_error(L, "%s has no '%s'%s", described(what), key, lua_tostring(L, -1));
}

static int refuse_member(lua_State *L) {
    const char *what = lua_tostring(L, lua_upvalueindex(1));
    return tr_lua_error(L, "'%s' of %s cannot be set here; write it in %s { ... }",
                        luaL_tolstring(L, 2, NULL), described(what), what);
}

trLuaLoad *tr_lua_begin_described(lua_State *L, const char *what, const char *example) {
    trLuaLoad *load = tr_load_of(L);
    if (load->model != NULL) {
        tr_lua_error(L,
                     "%s: a file can describe only one model, system or assembly; put others into "
                     "files of their own",
                     what);
    }
    if (lua_type(L, 1) != LUA_TTABLE) {
        tr_lua_error(L, "%s needs a table: %s { %s }", what, what, example);
    }
    // Everything that reads a table expects it in place 2.
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    return load;
}

int tr_lua_push_described(lua_State *L, const char *what) {
    tr_arena_limit(tr_load_of(L)->model->arena, TR_LUA_MODEL_LIMIT);
    lua_newuserdatauv(L, 0, 0);
    luaL_setmetatable(L, what);
    return 1;
}

void tr_lua_open_described(lua_State *L, const char *what, lua_CFunction describe,
                           const luaL_Reg *methods, bool ground) {
    luaL_newmetatable(L, what);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    if (ground) {
        tr_lua_push_body(L, TR_GROUND);
        lua_setfield(L, -2, "ground");
    }
    lua_pushstring(L, what);
    lua_pushcclosure(L, member, 2);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, what);
    lua_pushcclosure(L, refuse_member, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pop(L, 1);
    lua_register(L, what, describe);
}

static int model(lua_State *L) {
    trLuaLoad *load = tr_lua_begin_described(L, "model", "name = \"...\"");
    if (lua_getfield(L, 1, "parameters") != LUA_TNIL) {
        return tr_lua_error(L, "model: unknown key 'parameters'; ask for each with "
                               "parameter(\"name\", default)");
    }
    lua_settop(L, 2);
    tr_lua_check_keys(L, 0, "model");
    const trParam *params = tr_lua_params(L, 2, "model", NULL);
    tr_lua_require(L, tr_model_create(params, &load->model), "model");
    return tr_lua_push_described(L, MODEL);
}

void tr_lua_open_model(lua_State *L) {
    static const luaL_Reg methods[] = {{"body", body},
                                       {"frame", frame},
                                       {"port", port},
                                       {"joint", joint},
                                       {"force", force},
                                       {"input", tr_lua_input},
                                       {"constraint", tr_lua_constraint},
                                       {"nonholonomic", tr_lua_nonholonomic},
                                       {"simulate", tr_lua_simulate},
                                       {NULL, NULL}};
    luaL_newmetatable(L, BODY);
    lua_pop(L, 1);
    tr_lua_open_described(L, MODEL, model, methods, true);
}
