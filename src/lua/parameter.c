// SPDX-License-Identifier: MIT
// parameter(name, default): numbers, flags and texts that come from outside, "N=40".

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/lua_internal.h"

#define PARAMETERS "trammel.parameters"  // registry: names that parameter() asked for

// The value given for the parameter, or NULL. The last one counts.
static const char *given(trLuaLoad *load, const char *name) {
    const char *value = NULL;
    size_t      length = strlen(name);
    for (int i = 0; load->set != NULL && load->set[i] != NULL; i++) {
        if (strncmp(load->set[i], name, length) == 0 && load->set[i][length] == '=') {
            value = load->set[i] + length + 1;
            load->set_used[i] = true;
        }
    }
    return value;
}

// Pushes a value given as text: a number, true, false, or the text itself.
static void push_given(lua_State *L, const char *value, int default_type) {
    if (default_type == LUA_TSTRING) {
        lua_pushstring(L, value);
    } else if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
        lua_pushboolean(L, value[0] == 't');
    } else if (lua_stringtonumber(L, value) == 0) {
        lua_pushstring(L, value);
    } else if (lua_isinteger(L, 2)) {
        // 1e2 in place of a whole number is as good as 100.
        int         whole = 0;
        lua_Integer integer = lua_tointegerx(L, -1, &whole);
        if (whole) {
            lua_pushinteger(L, integer);
        }
    }
}

// parameter(name, default)
int tr_lua_parameter(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING) {
        return tr_lua_error(L, "parameter needs a name: parameter(\"N\", 40)");
    }
    lua_settop(L, 2);
    if (tr_lua_is_traced(L, 2)) {
        return tr_lua_error(L, "parameter: a traced value cannot be a default; give a number");
    }
    const char *name = lua_tostring(L, 1);
    int         type = lua_type(L, 2);
    lua_getfield(L, LUA_REGISTRYINDEX, PARAMETERS);
    lua_pushvalue(L, 1);
    lua_pushboolean(L, true);
    lua_rawset(L, -3);
    const char *value = given(tr_load_of(L), name);
    if (value == NULL) {
        if (type == LUA_TNIL) {
            return tr_lua_error(L, "parameter '%s' is not given and has no default", name);
        }
        lua_pushvalue(L, 2);
        return 1;
    }
    push_given(L, value, type);
    if (type != LUA_TNIL && lua_type(L, -1) != type) {
        return tr_lua_error(L, "parameter '%s' must be a %s, as its default is; got '%s'", name,
                            lua_typename(L, type), value);
    }
    return 1;
}

void tr_lua_require_parameters(lua_State *L) {
    trLuaLoad *load = tr_load_of(L);
    for (int i = 0; load->set != NULL && load->set[i] != NULL; i++) {
        if (!load->set_used[i]) {
            const char *end = strchr(load->set[i], '=');
            const char *name = lua_pushlstring(L, load->set[i], (size_t)(end - load->set[i]));
            lua_getfield(L, LUA_REGISTRYINDEX, PARAMETERS);
            tr_lua_push_hint(L, -1, name);
            tr_lua_error(L, "the file has no parameter '%s'%s", name, lua_tostring(L, -1));
        }
    }
}

trStatus tr_lua_check_set(trArena *arena, trLuaLoad *load) {
    int count = 0;
    while (load->set != NULL && load->set[count] != NULL) {
        const char *equals = strchr(load->set[count], '=');
        if (equals == NULL || equals == load->set[count]) {
            return tr_fail(TR_E_ARGUMENT, "parameter '%s' must be given as NAME=VALUE",
                           load->set[count]);
        }
        count++;
    }
    load->set_used = tr_new_array(arena, bool, count);
    return tr_arena_status(arena);
}

void tr_lua_open_parameters(lua_State *L) {
    lua_register(L, "parameter", tr_lua_parameter);
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, PARAMETERS);
}
