// SPDX-License-Identifier: MIT
// Vectors of two or three components as values of a model file: how they are made, read, compared
// and shown. What can be computed with them is in vector_algebra.c.

#include "lua/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/lua_internal.h"

#define VECTOR "vector"

// The components are user values 1 to size.
typedef struct Vector {
    int size;  // 2 or 3
} Vector;

static const char *const fields[TR_LUA_SPACE] = {"x", "y", "z"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

int tr_lua_vector_size(lua_State *L, int index) {
    const Vector *vector = luaL_testudata(L, index, VECTOR);
    return vector == NULL ? 0 : vector->size;
}

bool tr_lua_is_scalar(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TNUMBER || luaL_testudata(L, index, TR_LUA_TRACED) != NULL;
}

void tr_lua_push_component(lua_State *L, int index, int i) {
    lua_getiuservalue(L, index, i);
}

void tr_lua_push_components(lua_State *L, int index) {
    int size = tr_lua_vector_size(L, index);
    index = lua_absindex(L, index);
    lua_createtable(L, size, 0);
    for (int i = 1; i <= size; i++) {
        tr_lua_push_component(L, index, i);
        lua_rawseti(L, -2, i);
    }
}

// --- making vectors ---

// Refuses what cannot be component i, on top of the stack. Integers become floating point numbers:
// products of integers would wrap around.
static void settle_component(lua_State *L, int i, const char *owner) {
    if (!tr_lua_is_scalar(L, -1)) {
        tr_lua_error(L, "%s: component %s is %s%s; it must be a number", owner, fields[i - 1],
                     lua_isnil(L, -1) ? "" : "a ", tr_lua_type(L, -1));
    }
    if (lua_type(L, -1) != LUA_TNUMBER) {
        return;
    }
    double number = lua_tonumber(L, -1);
    if (isnan(number)) {
        tr_lua_error(L, "%s: component %s is not a number (NaN); was zero divided by zero?", owner,
                     fields[i - 1]);
    }
    lua_pop(L, 1);
    lua_pushnumber(L, number);
}

void tr_lua_push_vector(lua_State *L, int size, const char *owner) {
    int first = lua_gettop(L) - size + 1;
    luaL_checkstack(L, 8, "too many vectors");
    Vector *vector = lua_newuserdatauv(L, sizeof *vector, size);
    vector->size = size;
    luaL_setmetatable(L, VECTOR);
    for (int i = 1; i <= size; i++) {
        lua_pushvalue(L, first + i - 1);
        settle_component(L, i, owner);
        lua_setiuservalue(L, -2, i);
    }
    lua_replace(L, first);
    lua_settop(L, first);
}

void tr_lua_check_list(lua_State *L, int index, int length, const char *owner) {
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        int         good = 0;
        lua_Integer key = lua_tointegerx(L, -2, &good);
        if (lua_type(L, -2) != LUA_TNUMBER || !good || key < 1 || key > length) {
            tr_lua_error(L, "%s: a list without keys or gaps is needed: { x, y, z }", owner);
        }
    }
}

static int refuse_size(lua_State *L, lua_Unsigned size, const char *owner) {
    return tr_lua_error(L, "%s: a vector has 2 or 3 components, got %I", owner, (lua_Integer)size);
}

// Pushes the list at `index`, counted from the bottom, as a vector.
static void push_list(lua_State *L, int index, const char *owner) {
    lua_Unsigned size = lua_rawlen(L, index);
    if (size <= TR_LUA_SPACE) {
        tr_lua_check_list(L, index, (int)size, owner);  // of { x = 1 } the keys are to blame
    }
    if (size != TR_LUA_PLANE && size != TR_LUA_SPACE) {
        refuse_size(L, size, owner);
        return;
    }
    for (int i = 1; i <= (int)size; i++) {
        lua_rawgeti(L, index, i);
    }
    tr_lua_push_vector(L, (int)size, owner);
}

bool tr_lua_make_vector(lua_State *L, int index, const char *owner) {
    index = lua_absindex(L, index);
    if (lua_type(L, index) == LUA_TTABLE) {
        luaL_checkstack(L, 8, "too many vectors");
        push_list(L, index, owner);
        lua_replace(L, index);
    }
    return tr_lua_vector_size(L, index) > 0;
}

// vec(x, y, z), vec { x, y, z }, or the same with two components. A vector stays what it is.
static int vec(lua_State *L) {
    int count = lua_gettop(L);
    if (count == 1 && tr_lua_make_vector(L, 1, "vec")) {
        return 1;
    }
    if (count != TR_LUA_PLANE && count != TR_LUA_SPACE) {
        return refuse_size(L, (lua_Unsigned)count, "vec");
    }
    tr_lua_push_vector(L, count, "vec");
    return 1;
}

// --- reading them ---

const char *tr_lua_push_key(lua_State *L, int index) {
    int type = lua_type(L, index);
    if (type == LUA_TNUMBER || type == LUA_TSTRING) {
        return luaL_tolstring(L, index, NULL);
    }
    return lua_pushstring(L, tr_lua_type(L, index));
}

// a.norm and the like are mistaken for functions; other words may be misspelled fields.
static void push_remedy(lua_State *L, const char *key, int size) {
    static const char *const calls[][2] = {
        {"cross", "cross(a, b)"}, {"dot", "dot(a, b)"}, {"norm", "norm(a)"}};
    for (size_t i = 0; i < COUNT(calls); i++) {
        if (strcmp(key, calls[i][0]) == 0) {
            lua_pushfstring(L, "; write %s", calls[i][1]);
            return;
        }
    }
    lua_createtable(L, 0, size);
    for (int i = 0; i < TR_LUA_SPACE && i < size; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, fields[i]);
    }
    tr_lua_push_hint(L, -1, key);
}

// The number of the component at place 2, x or 1 and so on; 0 if it is something else. *counted
// tells whether it was asked for by a whole number.
static lua_Integer component_asked(lua_State *L, int *counted) {
    *counted = 0;
    if (lua_type(L, 2) == LUA_TNUMBER) {
        return lua_tointegerx(L, 2, counted);
    }
    for (int i = 0; lua_type(L, 2) == LUA_TSTRING && i < TR_LUA_SPACE; i++) {
        if (strcmp(lua_tostring(L, 2), fields[i]) == 0) {
            return i + 1;
        }
    }
    return 0;
}

// a.x, a.y, a.z and a[1], a[2], a[3].
static int vector_index(lua_State *L) {
    int         size = tr_lua_vector_size(L, 1), counted = 0;
    lua_Integer i = component_asked(L, &counted);
    if (i >= 1 && i <= size) {
        tr_lua_push_component(L, 1, (int)i);
        return 1;
    }
    const char *key = tr_lua_push_key(L, 2);
    if (counted) {
        return tr_lua_error(
            L, "a vector of %d components has no [%s]; a loop over it is 'for i = 1, #a do'", size,
            key);
    }
    push_remedy(L, key, size);
    return tr_lua_error(L, "a vector of %d components has no '%s'%s", size, key,
                        lua_tostring(L, -1));
}

static int vector_newindex(lua_State *L) {
    return tr_lua_error(L, "a vector cannot be changed; make a new one: vec(x, y, z)");
}

static int vector_length(lua_State *L) {
    lua_pushinteger(L, tr_lua_vector_size(L, 1));
    return 1;
}

static int vector_text(lua_State *L) {
    int size = tr_lua_vector_size(L, 1);
    lua_settop(L, 1);
    lua_pushliteral(L, "vec(");
    for (int i = 1; i <= size; i++) {
        char text[32];
        tr_lua_push_component(L, 1, i);
        bool number = lua_type(L, -1) == LUA_TNUMBER;
        snprintf(text, sizeof text, "%.14g", lua_tonumber(L, -1));
        const char *shown = number ? text : tr_lua_type(L, -1);
        lua_pop(L, 1);
        lua_pushfstring(L, "%s%s", i > 1 ? ", " : "", shown);
    }
    lua_pushliteral(L, ")");
    lua_concat(L, size + 2);
    return 1;
}

// a == b of two userdata of different identity.
static int equal(lua_State *L) {
    int  size = tr_lua_vector_size(L, 1);
    bool same = size == tr_lua_vector_size(L, 2);
    for (int i = 1; same && i <= size; i++) {
        lua_settop(L, 2);
        tr_lua_push_component(L, 1, i);
        tr_lua_push_component(L, 2, i);
        if (lua_type(L, 3) != LUA_TNUMBER || lua_type(L, 4) != LUA_TNUMBER) {
            return tr_lua_error(L, "cannot compare a vector with a traced component; use "
                                   "where(less(a, b), x, y) on numbers");
        }
        same = lua_compare(L, 3, 4, LUA_OPEQ) != 0;
    }
    lua_pushboolean(L, same);
    return 1;
}

static int vector_concat(lua_State *L) {
    return tr_lua_error(L, "a vector is not a string; use tostring(a)");
}

void tr_lua_open_vectors(lua_State *L) {
    static const luaL_Reg events[] = {{"__eq", equal},
                                      {"__index", vector_index},
                                      {"__newindex", vector_newindex},
                                      {"__len", vector_length},
                                      {"__tostring", vector_text},
                                      {"__concat", vector_concat},
                                      {NULL, NULL}};
    luaL_newmetatable(L, VECTOR);
    luaL_setfuncs(L, events, 0);
    tr_lua_add_vector_operators(L);
    lua_pop(L, 1);
    lua_register(L, "vec", vec);
    tr_lua_open_matrices(L);
    tr_lua_open_vector_functions(L);
}
