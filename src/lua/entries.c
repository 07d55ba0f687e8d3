// SPDX-License-Identifier: MIT
// Entries of the table that a method was called with, in place 2 of the stack.

#include <lua.h>

#include <string.h>

#include "lua/lua_internal.h"

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
        tr_lua_error(L, "%s: %s must be a string, got %s", owner, key, tr_lua_type(L, -1));
    }
    const char *text = type == LUA_TNIL ? NULL : lua_tostring(L, -1);
    if (text != NULL && strlen(text) != lua_rawlen(L, -1)) {
        tr_lua_error(L, "%s: %s contains a zero byte", owner, key);
    }
    return text;
}

void tr_lua_push_function(lua_State *L, const char *key, const char *owner) {
    if (lua_getfield(L, 2, key) != LUA_TFUNCTION) {
        tr_lua_error(L, "%s: '%s' must be a function, got %s", owner, key, tr_lua_type(L, -1));
    }
}
