// SPDX-License-Identifier: MIT
// local s, p = system { ... }: its coordinates with their units, its parameters p, its methods.

#include <lauxlib.h>
#include <lua.h>

#include "lua/equations.h"
#include "lua/lua_internal.h"
#include "lua/vector.h"

#define SYSTEM "system"
#define MOST_COORDINATES 10000  // their mass matrix has 1e8 entries

bool tr_lua_is_system(lua_State *L, int index) {
    return luaL_testudata(L, index, SYSTEM) != NULL;
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
    if (type == LUA_TNIL) {
        lua_newtable(L);
        lua_replace(L, given);
    }
    for (lua_pushnil(L); lua_next(L, given) != 0;) {
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
    lua_setfield(L, LUA_REGISTRYINDEX, TR_LUA_PARAMETERS);
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
            tr_lua_error(L, "system: the unit of '%s' must be a string, got %s", key,
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
    lua_getfield(L, 2, "units");
    *count = (int)lua_rawlen(L, table);
    if (*count > MOST_COORDINATES) {
        tr_lua_error(L, "system: %d coordinates are too many; at most %d are possible", *count,
                     MOST_COORDINATES);
    }
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
    }
    check_units(L, unit_table, *count, names);
    for (int i = 0; i < *count; i++) {
        luaL_checkstack(L, 4, "many units");
        bool given =
            !lua_isnil(L, unit_table) && lua_getfield(L, unit_table, names[i]) == LUA_TSTRING;
        (*units)[i] = given ? lua_tostring(L, -1) : NULL;
    }
    return names;
}

static int system(lua_State *L) {
    static const char *const keys[] = {"name", "coordinates", "units", "parameters", NULL};
    trLuaLoad *load = tr_lua_begin_described(L, SYSTEM, "coordinates = { \"x\", \"y\" }");
    tr_lua_check_entries(L, "system", keys, false);
    lua_getfield(L, 2, "parameters");
    make_parameters(L);
    const char  *name = tr_lua_text_field(L, "name", "system");
    int          count = 0;
    const char **units = NULL, **names = coordinates_of(L, &count, &units);
    tr_lua_require(L, tr_general_create(name, count, names, units, &load->model), "system");
    tr_lua_push_described(L, SYSTEM);
    lua_getfield(L, LUA_REGISTRYINDEX, TR_LUA_PARAMETERS);
    return 2;
}

void tr_lua_open_systems(lua_State *L) {
    static const luaL_Reg methods[] = {{"mass", tr_equations_mass},
                                       {"force", tr_equations_force},
                                       {"constraint", tr_equations_constraint},
                                       {"nonholonomic", tr_equations_nonholonomic},
                                       {"nonideal", tr_equations_nonideal},
                                       {"state", tr_equations_state},
                                       {"input", tr_lua_input},
                                       {"start", tr_equations_start},
                                       {"energy", tr_equations_energy},
                                       {"simulate", tr_lua_simulate},
                                       {NULL, NULL}};
    tr_lua_open_described(L, SYSTEM, system, methods, false);
}
