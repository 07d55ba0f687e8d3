// SPDX-License-Identifier: MIT
// Vectors of two or three components and 3 x 3 matrices as values of a model file: how they are
// kept and made. What is computed with them is in vectors.lua, which is part of the program.

#include "lua/vector.h"

#include <math.h>

#include <lauxlib.h>

#include "lua/lua_internal.h"

#define VECTOR "vector"
#define MATRIX "matrix"  // its rows are user values 1 to 3
#define ROWS 3

// The components are user values 1 to size.
typedef struct Vector {
    int size;  // 2 or 3
} Vector;

int tr_lua_vector_size(lua_State *L, int index) {
    const Vector *vector = luaL_testudata(L, index, VECTOR);
    return vector == NULL ? 0 : vector->size;
}

bool tr_lua_is_matrix(lua_State *L, int index) {
    return luaL_testudata(L, index, MATRIX) != NULL;
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

void tr_lua_check_list(lua_State *L, int index, int length, const char *owner) {
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        int         good = 0;
        lua_Integer key = lua_tointegerx(L, -2, &good);
        if (lua_type(L, -2) != LUA_TNUMBER || !good || key < 1 || key > length) {
            tr_lua_error(L, "%s: a list without keys or gaps is needed: { x, y, z }", owner);
        }
    }
}

// --- making them ---

// Refuses what cannot be component i, on top of the stack. Integers become floating point numbers:
// products of integers would wrap around.
static void settle_component(lua_State *L, int i, const char *owner) {
    char name = (char)('x' + i - 1);
    if (!tr_lua_is_scalar(L, -1)) {
        tr_lua_error(L, "%s: component %c is %s%s; it must be a number", owner, name,
                     lua_isnil(L, -1) ? "" : "a ", tr_lua_type(L, -1));
    }
    if (lua_type(L, -1) != LUA_TNUMBER) {
        return;
    }
    double number = lua_tonumber(L, -1);
    if (isnan(number)) {
        tr_lua_error(L, "%s: component %c is not a number (NaN); was zero divided by zero?", owner,
                     name);
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

void tr_lua_push_matrix(lua_State *L) {
    int first = lua_gettop(L) - ROWS + 1;
    luaL_checkstack(L, 8, "too many matrices");
    lua_newuserdatauv(L, 0, ROWS);
    luaL_setmetatable(L, MATRIX);
    for (int i = 1; i <= ROWS; i++) {
        lua_pushvalue(L, first + i - 1);
        lua_setiuservalue(L, -2, i);
    }
    lua_replace(L, first);
    lua_settop(L, first);
}

// --- for vectors.lua ---

// vector(owner, x, y[, z])
static int vector(lua_State *L) {
    tr_lua_push_vector(L, lua_gettop(L) - 1, lua_tostring(L, 1));
    return 1;
}

// matrix(row, row, row)
static int matrix(lua_State *L) {
    tr_lua_push_matrix(L);
    return 1;
}

// part(a, i): a component of a vector or a row of a matrix
static int part(lua_State *L) {
    lua_getiuservalue(L, 1, (int)lua_tointeger(L, 2));
    return 1;
}

// size(a): 2 or 3, or 0 for what is no vector
static int size(lua_State *L) {
    lua_pushinteger(L, tr_lua_vector_size(L, 1));
    return 1;
}

// check_list(list, length, owner)
static int check_list(lua_State *L) {
    tr_lua_check_list(L, 1, (int)lua_tointeger(L, 2), lua_tostring(L, 3));
    return 0;
}

static int is_matrix(lua_State *L) {
    lua_pushboolean(L, tr_lua_is_matrix(L, 1));
    return 1;
}

static int is_scalar(lua_State *L) {
    lua_pushboolean(L, tr_lua_is_scalar(L, 1));
    return 1;
}

static int kind(lua_State *L) {
    lua_pushstring(L, tr_lua_type(L, 1));
    return 1;
}

// hint(table, word): "; did you mean 'x'?" or ""
static int hint(lua_State *L) {
    tr_lua_push_hint(L, 1, lua_tostring(L, 2));
    return 1;
}

static int fail(lua_State *L) {
    return tr_lua_error(L, "%s", lua_tostring(L, 1));
}

void tr_lua_open_vectors(lua_State *L) {
    static const luaL_Reg functions[] = {{"vector", vector},
                                         {"matrix", matrix},
                                         {"part", part},
                                         {"size", size},
                                         {"check_list", check_list},
                                         {"is_matrix", is_matrix},
                                         {"is_scalar", is_scalar},
                                         {"kind", kind},
                                         {"hint", hint},
                                         {"fail", fail},
                                         {NULL, NULL}};
    if (luaL_loadbufferx(L, (const char *)tr_lua_vectors, tr_lua_vectors_size, "=vectors", "t") !=
        LUA_OK) {
        lua_error(L);
    }
    luaL_newmetatable(L, VECTOR);
    luaL_newmetatable(L, MATRIX);
    luaL_getmetatable(L, TR_LUA_TRACED);
    luaL_newlib(L, functions);
    lua_call(L, 4, 0);
}
