// SPDX-License-Identifier: MIT
// system { ... }: equations of a user's own. Every function of the file is called once, with traced
// arguments in the order of its letters:
//
//     q coordinates   v velocities   t time   p parameters   r reactions   z further states

#include <math.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/lua_internal.h"
#include "lua/record.h"
#include "lua/vector.h"

#define SYSTEM "system"
#define PARAMETERS "trammel.system.parameters"  // registry: the table p

bool tr_lua_is_system(lua_State *L, int index) {
    return luaL_testudata(L, index, SYSTEM) != NULL;
}

// --- names ---

static const char *coordinate_name(const void *context, int i) {
    return ((const trModel *)context)->body[i].name;
}

static const char *state_name(const void *context, int i) {
    return ((const trModel *)context)->traced->general->state_name[i];
}

static trTracedNames names_of(const trModel *model, trInput kind) {
    trTracedNames names = {.what = kind == TR_INPUT_V ? "velocity" : "coordinate",
                           .kind = kind,
                           .count = model->bodies,
                           .context = model,
                           .name = coordinate_name};
    if (kind == TR_INPUT_Z) {
        names.what = "state";
        names.after = " above this line";
        names.count = model->traced->general->states;
        names.name = state_name;
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
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    for (int g = 0; g < traced->groups && g < TR_LUA_MOST_NAMES; g++) {
        luaL_addstring(&list, g == 0 ? "" : ", ");
        luaL_addstring(&list, traced->group[g].name);
    }
    luaL_pushresult(&list);
    tr_lua_seal_names(L, "constraint", " above this line");
}

// --- calls ---

// Checks that the method was called as s:method(...) with a value of this type.
static trLoad *method_call(lua_State *L, const char *method, int type) {
    trLoad     *load = tr_load_of(L);
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
    load->model->origin = tr_arena_format(load->model->arena, "%s:%d", load->path, tr_lua_line(L));
    return load;
}

static void push_argument(lua_State *L, const trModel *model, char letter) {
    trTracedNames names = names_of(model, letter == 'q'   ? TR_INPUT_Q
                                          : letter == 'v' ? TR_INPUT_V
                                                          : TR_INPUT_Z);
    switch (letter) {
    case 't':
        tr_lua_push_traced(L, tr_tape_time(model->traced->tape));
        return;
    case 'p':
        lua_getfield(L, LUA_REGISTRYINDEX, PARAMETERS);
        return;
    case 'r':
        push_reactions(L, model);
        return;
    default:
        tr_lua_push_inputs(L, &names);
    }
}

// Calls the function on top of the stack with the arguments of these letters; leaves its result.
// Recording goes on until tr_lua_end_trace.
static int record(lua_State *L, const trModel *model, const char *letters) {
    int count = (int)strlen(letters);
    luaL_checkstack(L, 16, "a function with many arguments");
    tr_lua_warn_equality(L, lua_gettop(L));
    tr_lua_begin_trace(L, model->traced->tape);
    for (int i = 0; i < count; i++) {
        push_argument(L, model, letters[i]);
    }
    return tr_lua_call_recorded(L, count);
}

static int *nodes_for(lua_State *L, const trModel *model, int count) {
    int *node = tr_new_array(model->arena, int, count);
    if (node == NULL) {
        tr_lua_raise(L, TR_E_MEMORY, "system");
    }
    return node;
}

static void refuse_twice(lua_State *L, const char *what, bool twice) {
    if (twice) {
        tr_lua_error(L, "%s: was called before; a system has one %s", what, what);
    }
}

// --- the methods ---

static int mass(lua_State *L) {
    trModel   *model = method_call(L, "mass", LUA_TFUNCTION)->model;
    trGeneral *g = model->traced->general;
    refuse_twice(L, "mass", g->mass != NULL);
    int *node = nodes_for(L, model, model->bodies * model->bodies);
    tr_lua_read_mass(L, record(L, model, "qtp"), model->bodies, node);
    tr_lua_end_trace(L);
    g->mass = node;
    g->mass_origin = model->origin;
    return 0;
}

// A function with one number for each coordinate.
static const int *record_forces(lua_State *L, trModel *model, const char *what,
                                const char *letters) {
    trTracedNames names = names_of(model, TR_INPUT_Q);
    int          *node = nodes_for(L, model, model->bodies);
    tr_lua_read_named(L, record(L, model, letters), what, &names, node);
    tr_lua_end_trace(L);
    return node;
}

static int force(lua_State *L) {
    trModel *model = method_call(L, "force", LUA_TFUNCTION)->model;
    refuse_twice(L, "force", model->traced->general->force != NULL);
    model->traced->general->force = record_forces(L, model, "force", "qvtpz");
    model->traced->general->origin[TR_OF_FORCE] = model->origin;
    return 0;
}

static int nonideal(lua_State *L) {
    trModel *model = method_call(L, "nonideal", LUA_TFUNCTION)->model;
    refuse_twice(L, "nonideal", model->traced->general->nonideal != NULL);
    model->traced->general->nonideal = record_forces(L, model, "nonideal", "qvtprz");
    model->traced->general->origin[TR_OF_NONIDEAL] = model->origin;
    return 0;
}

static int energy(lua_State *L) {
    trModel *model = method_call(L, "energy", LUA_TFUNCTION)->model;
    refuse_twice(L, "energy", model->traced->general->energy >= 0);
    int at = record(L, model, "qvtpz"), node = -1;
    if (tr_lua_count_rows(L, at, "energy") != 1) {
        return tr_lua_error(L, "energy: the function must return one number");
    }
    tr_lua_read_list(L, at, "energy", 1, &node);
    tr_lua_end_trace(L);
    model->traced->general->energy = node;
    model->traced->general->origin[TR_OF_ENERGY] = model->origin;
    return 0;
}

// Refuses keys of table 2 other than these, and entries without a key if there may be none.
void tr_lua_check_entries(lua_State *L, const char *owner, const char *const *keys, bool list) {
    lua_newtable(L);
    for (int i = 0; keys[i] != NULL; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, keys[i]);
    }
    int known = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            if (!list) {
                tr_lua_error(L, "%s: an entry has no key; write key = value", owner);
            }
            continue;
        }
        const char *key = lua_tostring(L, -2);
        lua_pushvalue(L, -2);
        if (lua_rawget(L, known) == LUA_TNIL) {
            tr_lua_push_hint(L, known, key);
            tr_lua_error(L, "%s: unknown key '%s'%s", owner, key, lua_tostring(L, -1));
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

const char *tr_lua_text_field(lua_State *L, const char *key, const char *owner) {
    int type = lua_getfield(L, 2, key);
    if (type != LUA_TNIL && type != LUA_TSTRING) {
        tr_lua_error(L, "%s: %s must be a text, got %s", owner, key, tr_lua_type(L, -1));
    }
    return type == LUA_TNIL ? NULL : lua_tostring(L, -1);
}

void tr_lua_push_function(lua_State *L, const char *key, const char *owner) {
    if (lua_getfield(L, 2, key) != LUA_TFUNCTION) {
        tr_lua_error(L, "%s: '%s' must be a function, got %s", owner, key, tr_lua_type(L, -1));
    }
}

static int add_rows(lua_State *L, const char *method, const char *key, const char *letters) {
    const char *const keys[] = {"name", "unit", key, NULL};
    trModel          *model = method_call(L, method, LUA_TTABLE)->model;
    const char       *name = tr_lua_text_field(L, "name", method);
    if (name == NULL) {
        return tr_lua_error(L, "%s: 'name' is missing", method);
    }
    const char  *owner = lua_pushfstring(L, "%s '%s'", method, name);
    trTracedRows rows = {.name = name, .nonholonomic = key[1] == 's'};
    tr_lua_check_entries(L, owner, keys, false);
    rows.unit = tr_lua_text_field(L, "unit", owner);
    tr_lua_push_function(L, key, owner);
    int at = record(L, model, letters);
    rows.rows = tr_lua_count_rows(L, at, owner);
    int *node = nodes_for(L, model, rows.rows);
    tr_lua_read_list(L, at, owner, rows.rows, node);
    tr_lua_end_trace(L);
    rows.node = node;
    trStatus status = tr_model_add_rows(model, &rows);
    return status == TR_OK ? 0 : tr_lua_raise(L, status, owner);
}

static int constraint(lua_State *L) {
    return add_rows(L, "constraint", "phi", "qtp");
}

static int nonholonomic(lua_State *L) {
    return add_rows(L, "nonholonomic", "psi", "qvtp");
}

// A name of table 2 at this place, that nothing has yet.
static const char *new_state_name(lua_State *L, const trModel *model, int place) {
    if (lua_rawgeti(L, 2, place) != LUA_TSTRING) {
        tr_lua_error(L, "state: entry %d must be a name, got %s", place, tr_lua_type(L, -1));
    }
    const char *name = lua_tostring(L, -1);
    trStatus    status = tr_model_check_name("state", name);
    if (status != TR_OK) {
        tr_lua_raise(L, status, "state");
    }
    for (int i = 0; i < model->traced->general->states; i++) {
        if (strcmp(state_name(model, i), name) == 0) {
            tr_lua_error(L, "state '%s': is there already; choose another name", name);
        }
    }
    if (tr_names_find(&model->body_names, name) >= 0) {
        tr_lua_error(L, "state '%s': there is a coordinate of this name; choose another", name);
    }
    return name;
}

// start = 0.5, or a list of as many numbers as there are names.
static double start_of(lua_State *L, int place, int count) {
    int type = lua_getfield(L, 2, "start");
    if (type == LUA_TTABLE && count > 1) {
        if ((int)lua_rawlen(L, -1) != count) {
            tr_lua_error(L, "state: start must be a number, or a list of %d, one for each name",
                         count);
        }
        type = lua_rawgeti(L, -1, place);
    }
    bool good = type == LUA_TNIL || (type == LUA_TNUMBER && isfinite(lua_tonumber(L, -1)));
    if (!good) {
        tr_lua_error(L, "state: start must be a finite number for each name, got %s",
                     type == LUA_TNUMBER ? lua_tostring(L, -1) : tr_lua_type(L, -1));
    }
    return lua_tonumber(L, -1);
}

static int state(lua_State *L) {
    static const char *const keys[] = {"start", "rate", NULL};
    trModel                 *model = method_call(L, "state", LUA_TTABLE)->model;
    trGeneral               *g = model->traced->general;
    int                      count = (int)lua_rawlen(L, 2), first = g->states;
    tr_lua_check_entries(L, "state", keys, true);
    if (count == 0) {
        return tr_lua_error(L, "state: the name is missing: s:state { \"heading\", rate = ... }");
    }
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING && !(lua_tointeger(L, -2) <= count)) {
            return tr_lua_error(L, "state: the names must be a list without gaps");
        }
    }
    for (int i = 0; i < count; i++) {
        const char *name = new_state_name(L, model, i + 1);
        trStatus    status = tr_general_add_state(model, name, start_of(L, i + 1, count), -1);
        if (status != TR_OK) {
            return tr_lua_raise(L, status, "state");
        }
        lua_settop(L, 2);
    }
    const char *owner = lua_pushfstring(L, "state '%s'", state_name(model, first));
    tr_lua_push_function(L, "rate", owner);
    int at = record(L, model, "qvtpz");
    if (tr_lua_count_rows(L, at, owner) != count) {
        return tr_lua_error(L, "%s: the function must return %d number%s, one for each name", owner,
                            count, count == 1 ? "" : "s");
    }
    tr_lua_read_list(L, at, owner, count, g->state_rate + first);
    tr_lua_end_trace(L);
    return 0;
}

// --- start ---

static double finite_number(lua_State *L, const char *key) {
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    if (!number || !isfinite(lua_tonumber(L, -1))) {
        tr_lua_error(L, "start: %s must be a finite number, got %s", key,
                     number ? luaL_tolstring(L, -1, NULL) : tr_lua_type(L, -1));
    }
    return lua_tonumber(L, -1);
}

// Suggests among coordinates, and states unless these are velocities.
static int refuse_start(lua_State *L, const trModel *model, const char *key, bool velocity) {
    lua_newtable(L);
    for (int i = 0; i < model->bodies; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, model->body[i].name);
    }
    for (int i = 0; !velocity && i < model->traced->general->states; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, state_name(model, i));
    }
    const trTracedNames names = names_of(model, TR_INPUT_Q);
    tr_lua_push_hint(L, lua_gettop(L), key);
    tr_lua_push_names(L, &names);
    tr_lua_push_choice(L);
    return tr_lua_error(L, "start: there is no coordinate%s '%s'%s%s", velocity ? "" : " or state",
                        key, velocity ? "" : " above this line", lua_tostring(L, -1));
}

// Takes the value on top of the stack.
static void set_start(lua_State *L, trModel *model, const char *key, bool velocity) {
    int     number = tr_names_find(&model->body_names, key);
    trBody *body = number < 0 ? NULL : &model->body[number];
    if (body != NULL) {
        *(velocity ? &body->velocity.x : &body->at.x) = finite_number(L, key);
        return;
    }
    for (int i = 0; !velocity && i < model->traced->general->states; i++) {
        if (strcmp(state_name(model, i), key) == 0) {
            model->traced->general->state_start[i] = finite_number(L, key);
            return;
        }
    }
    refuse_start(L, model, key, velocity);
}

static void read_start(lua_State *L, trModel *model, int table, bool velocity) {
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            tr_lua_error(L, "start: an entry has no key; write name = value");
        }
        const char *key = lua_tostring(L, -2);
        if (!velocity && lua_type(L, -1) == LUA_TTABLE && strcmp(key, "v") == 0) {
            read_start(L, model, lua_gettop(L), true);
        } else {
            set_start(L, model, key, velocity);
        }
    }
}

static int start(lua_State *L) {
    trModel *model = method_call(L, "start", LUA_TTABLE)->model;
    read_start(L, model, 2, false);
    return 0;
}

// --- the system itself ---

// p, with what was given from outside, from the table of defaults or nil on top of the stack.
static void make_parameters(lua_State *L) {
    int given = lua_gettop(L), type = lua_type(L, given);
    if (type != LUA_TNIL && type != LUA_TTABLE) {
        tr_lua_error(L, "system: parameters must be a table { m = 1, ... }, got %s",
                     tr_lua_type(L, given));
    }
    lua_newtable(L);
    int own = lua_gettop(L);
    for (lua_pushnil(L); type == LUA_TTABLE && lua_next(L, given) != 0;) {
        lua_pushvalue(L, -2);
        lua_pushcfunction(L, tr_lua_parameter);
        lua_pushvalue(L, -4);
        lua_pushvalue(L, -4);
        if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) != LUA_TTABLE) {
            lua_call(L, 2, 1);
        } else {  // lists, tables and what has no name come as they are
            lua_copy(L, -1, -3);
            lua_pop(L, 2);
        }
        lua_rawset(L, own);
        lua_pop(L, 1);
    }
    lua_pushliteral(L, "");
    tr_lua_seal_names(L, "parameter", "");
    lua_setfield(L, LUA_REGISTRYINDEX, PARAMETERS);
}

// units = { x = "m" }, of coordinates that there are; or nil.
static void check_units(lua_State *L, int units, int count, const char *const *names) {
    if (lua_isnil(L, units)) {
        return;
    }
    if (lua_type(L, units) != LUA_TTABLE) {
        tr_lua_error(L, "system: units must be a table { x = \"m\", ... }, got %s",
                     tr_lua_type(L, units));
    }
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, names[i]);
    }
    int known = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, units) != 0; lua_pop(L, 1)) {
        const char *key = luaL_tolstring(L, -2, NULL);
        if (lua_type(L, -2) != LUA_TSTRING) {
            tr_lua_error(L, "system: the unit of %s must be a text, got %s", key,
                         tr_lua_type(L, -2));
        }
        if (lua_getfield(L, known, key) == LUA_TNIL) {
            tr_lua_push_hint(L, known, key);
            tr_lua_error(L, "system: units: there is no coordinate '%s'%s", key,
                         lua_tostring(L, -1));
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

// Names and units of the coordinates, in userdata that stay on the stack.
static const char **coordinates_of(lua_State *L, int *count, const char ***units) {
    if (lua_getfield(L, 2, "coordinates") != LUA_TTABLE || lua_rawlen(L, -1) == 0) {
        tr_lua_error(L, "system: 'coordinates' is missing; give their names: { \"x\", \"y\" }");
    }
    int table = lua_gettop(L), unit_table = table + 1;
    int type = lua_getfield(L, 2, "units");
    if (type != LUA_TNIL && type != LUA_TTABLE) {
        tr_lua_error(L, "system: units must be a table { x = \"m\" }, got %s", tr_lua_type(L, -1));
    }
    *count = (int)lua_rawlen(L, table);
    tr_lua_check_list(L, table, *count, "system: coordinates");
    const char **names = lua_newuserdatauv(L, 2 * (size_t)*count * sizeof *names, 0);
    *units = names + *count;
    for (int i = 0; i < *count; i++) {
        luaL_checkstack(L, 4, "many coordinates");
        if (lua_rawgeti(L, table, i + 1) != LUA_TSTRING) {
            tr_lua_error(L, "system: coordinate %d must be a name, got %s", i + 1,
                         tr_lua_type(L, -1));
        }
        names[i] = lua_tostring(L, -1);
        (*units)[i] = NULL;
        int unit = type == LUA_TNIL ? LUA_TNIL : lua_getfield(L, unit_table, names[i]);
        if (unit != LUA_TNIL && unit != LUA_TSTRING) {
            tr_lua_error(L, "system: the unit of '%s' must be a text, got %s", names[i],
                         tr_lua_type(L, -1));
        }
        (*units)[i] = unit == LUA_TNIL ? NULL : lua_tostring(L, -1);
    }
    check_units(L, unit_table, *count, names);
    return names;
}

static int system(lua_State *L) {
    static const char *const keys[] = {"name", "coordinates", "units", "parameters", NULL};
    trLoad                  *load = tr_load_of(L);
    if (load->model != NULL) {
        return tr_lua_error(L, "system: a model or system was described before; a file has one");
    }
    if (lua_type(L, 1) != LUA_TTABLE) {
        return tr_lua_error(L, "system needs a table: system { coordinates = { \"x\", \"y\" } }");
    }
    // Everything that reads a table expects it in place 2.
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    tr_lua_check_entries(L, "system", keys, false);
    lua_getfield(L, 2, "parameters");
    make_parameters(L);
    const char  *name = tr_lua_text_field(L, "name", "system");
    int          count = 0;
    const char **units = NULL, **names = coordinates_of(L, &count, &units);
    trStatus     status = tr_general_create(name, count, names, units, &load->model);
    if (status != TR_OK) {
        return tr_lua_raise(L, status, "system");
    }
    lua_newuserdatauv(L, 0, 0);
    luaL_setmetatable(L, SYSTEM);
    return 1;
}

static int system_index(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        return 1;
    }
    const char *key = luaL_tolstring(L, 2, NULL);
    tr_lua_push_hint(L, lua_upvalueindex(1), key);
    return tr_lua_error(L, "a system has no '%s'%s", key, lua_tostring(L, -1));
}

void tr_lua_open_systems(lua_State *L) {
    static const luaL_Reg methods[] = {{"mass", mass},
                                       {"force", force},
                                       {"constraint", constraint},
                                       {"nonholonomic", nonholonomic},
                                       {"nonideal", nonideal},
                                       {"state", state},
                                       {"start", start},
                                       {"energy", energy},
                                       {"simulate", tr_lua_simulate},
                                       {NULL, NULL}};
    luaL_newmetatable(L, SYSTEM);
    luaL_newlib(L, methods);
    lua_pushcclosure(L, system_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    lua_register(L, "system", system);
}
