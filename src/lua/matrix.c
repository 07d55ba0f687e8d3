// SPDX-License-Identifier: MIT
// Matrices of 3 x 3 components: mat, transpose and the operators. A matrix is three vectors, its
// rows, and what is computed with it is computed with these:
//
//     (m a)_i = dot(m_i, a)        (m n)_i = m_i1 n_1 + m_i2 n_2 + m_i3 n_3

#include <limits.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/lua_internal.h"
#include "lua/vector.h"

#define MATRIX "matrix"  // its rows are user values 1 to 3

bool tr_lua_is_matrix(lua_State *L, int index) {
    return luaL_testudata(L, index, MATRIX) != NULL;
}

static void push_row(lua_State *L, int index, int i) {
    lua_getiuservalue(L, index, i);
}

// --- making matrices ---

static void settle_row(lua_State *L, int index, int i, const char *owner) {
    const char *label = lua_pushfstring(L, "%s: row %d", owner, i);
    if (!tr_lua_make_vector(L, index, label)) {
        tr_lua_error(L, "%s must be a vector or a list { x, y, z }, got %s", label,
                     tr_lua_type(L, index));
    }
    if (tr_lua_vector_size(L, index) != TR_LUA_SPACE) {
        tr_lua_error(L, "%s must have 3 components, got %d", label, tr_lua_vector_size(L, index));
    }
    lua_pop(L, 1);
}

void tr_lua_push_matrix(lua_State *L, const char *owner) {
    int first = lua_gettop(L) - TR_LUA_SPACE + 1;
    luaL_checkstack(L, 8, "too many matrices");
    lua_newuserdatauv(L, 0, TR_LUA_SPACE);
    luaL_setmetatable(L, MATRIX);
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        settle_row(L, first + i - 1, i, owner);
        lua_pushvalue(L, first + i - 1);
        lua_setiuservalue(L, -2, i);
    }
    lua_replace(L, first);
    lua_settop(L, first);
}

static int push_identity(lua_State *L) {
    for (int i = 0; i < TR_LUA_SPACE; i++) {
        for (int j = 0; j < TR_LUA_SPACE; j++) {
            lua_pushnumber(L, i == j ? 1.0 : 0.0);
        }
        tr_lua_push_vector(L, TR_LUA_SPACE, "mat");
    }
    tr_lua_push_matrix(L, "mat");
    return 1;
}

// Puts the entries of the list at place 1 in its place, and returns how many there are.
static int spread(lua_State *L) {
    lua_Unsigned length = lua_rawlen(L, 1);
    if (length == TR_LUA_SPACE) {
        tr_lua_check_list(L, 1, TR_LUA_SPACE, "mat");
        for (int i = 1; i <= TR_LUA_SPACE; i++) {
            lua_rawgeti(L, 1, i);
        }
        lua_remove(L, 1);
    }
    return length > INT_MAX ? INT_MAX : (int)length;
}

// mat(row, row, row), mat { row, row, row }, or mat() for the identity. A matrix stays what it is.
static int mat(lua_State *L) {
    int rows = lua_gettop(L);
    if (rows == 0) {
        return push_identity(L);
    }
    if (rows == 1 && tr_lua_is_matrix(L, 1)) {
        return 1;
    }
    if (rows == 1 && lua_type(L, 1) == LUA_TTABLE) {
        rows = spread(L);
    }
    if (rows != TR_LUA_SPACE) {
        return tr_lua_error(
            L, "mat: a matrix has 3 rows, mat { { ... }, { ... }, { ... } }, got %d", rows);
    }
    tr_lua_push_matrix(L, "mat");
    return 1;
}

// --- operators ---

// m + n and m - n. The first upvalue is the operation.
static int sum(lua_State *L) {
    int op = (int)lua_tointeger(L, lua_upvalueindex(1));
    lua_settop(L, 2);
    if (!tr_lua_is_matrix(L, 1) || !tr_lua_is_matrix(L, 2)) {
        return tr_lua_refuse_operator(L, op == LUA_OPADD ? "+" : "-", "both must be matrices");
    }
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        push_row(L, 1, i);
        push_row(L, 2, i);
        lua_arith(L, op);
    }
    tr_lua_push_matrix(L, "sum");
    return 1;
}

// Every row of the matrix at place m, multiplied or divided by the scalar at place s.
static int scale(lua_State *L, int m, int s, int op) {
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        push_row(L, m, i);
        lua_pushvalue(L, s);
        lua_arith(L, op);
    }
    tr_lua_push_matrix(L, "product");
    return 1;
}

static int times_vector(lua_State *L) {
    if (tr_lua_vector_size(L, 2) != TR_LUA_SPACE) {
        return tr_lua_error(L, "m * a: the vector must have 3 components, got %d",
                            tr_lua_vector_size(L, 2));
    }
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        push_row(L, 1, i);
        tr_lua_push_dot(L, lua_gettop(L), 2);
        lua_remove(L, -2);
    }
    tr_lua_push_vector(L, TR_LUA_SPACE, "m * a");
    return 1;
}

// Pushes m_ij n_j of the matrices at places 1 and 2.
static void push_term(lua_State *L, int i, int j) {
    push_row(L, 1, i);
    tr_lua_push_component(L, -1, j);
    lua_remove(L, -2);
    push_row(L, 2, j);
    lua_arith(L, LUA_OPMUL);
}

static int times_matrix(lua_State *L) {
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        push_term(L, i, 1);
        for (int j = 2; j <= TR_LUA_SPACE; j++) {
            push_term(L, i, j);
            lua_arith(L, LUA_OPADD);
        }
    }
    tr_lua_push_matrix(L, "m * n");
    return 1;
}

static int product(lua_State *L) {
    lua_settop(L, 2);
    bool left = tr_lua_is_matrix(L, 1), right = tr_lua_is_matrix(L, 2);
    if (left && right) {
        return times_matrix(L);
    }
    if (tr_lua_is_scalar(L, left ? 2 : 1)) {
        return scale(L, left ? 1 : 2, left ? 2 : 1, LUA_OPMUL);
    }
    if (!left && lua_type(L, 1) == LUA_TTABLE) {
        return tr_lua_refuse_operator(L, "*", "use transpose(m) * a");
    }
    if (!left || !tr_lua_make_vector(L, 2, "m * a")) {
        return tr_lua_refuse_operator(L, "*", "a number, a vector or a matrix is needed");
    }
    return times_vector(L);
}

static int quotient(lua_State *L) {
    lua_settop(L, 2);
    if (!tr_lua_is_matrix(L, 1) || !tr_lua_is_scalar(L, 2)) {
        return tr_lua_refuse_operator(L, "/", "a matrix can be divided by a number");
    }
    return scale(L, 1, 2, LUA_OPDIV);
}

static int negative(lua_State *L) {
    lua_settop(L, 1);
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        push_row(L, 1, i);
        lua_arith(L, LUA_OPUNM);
    }
    tr_lua_push_matrix(L, "-m");
    return 1;
}

static int power(lua_State *L) {
    return tr_lua_refuse_operator(L, "^", "write the product: m * m");
}

static int equal(lua_State *L) {
    bool same = tr_lua_is_matrix(L, 1) && tr_lua_is_matrix(L, 2);
    for (int i = 1; same && i <= TR_LUA_SPACE; i++) {
        lua_settop(L, 2);
        push_row(L, 1, i);
        push_row(L, 2, i);
        same = lua_compare(L, 3, 4, LUA_OPEQ) != 0;
    }
    lua_pushboolean(L, same);
    return 1;
}

static int transpose(lua_State *L) {
    lua_settop(L, 1);
    if (!tr_lua_is_matrix(L, 1)) {
        return tr_lua_error(L, "transpose: the argument must be a matrix, got %s",
                            tr_lua_type(L, 1));
    }
    for (int j = 1; j <= TR_LUA_SPACE; j++) {
        for (int i = 1; i <= TR_LUA_SPACE; i++) {
            push_row(L, 1, i);
            tr_lua_push_component(L, -1, j);
            lua_remove(L, -2);
        }
        tr_lua_push_vector(L, TR_LUA_SPACE, "transpose");
    }
    tr_lua_push_matrix(L, "transpose");
    return 1;
}

// --- reading them ---

// m[i], a row.
static int matrix_index(lua_State *L) {
    int         good = 0;
    lua_Integer i = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &good) : 0;
    if (good && i >= 1 && i <= TR_LUA_SPACE) {
        push_row(L, 1, (int)i);
        return 1;
    }
    const char *key = tr_lua_push_key(L, 2);
    bool        turned = strcmp(key, "transpose") == 0 || strcmp(key, "T") == 0;
    return tr_lua_error(L, "a matrix has no '%s'; %s", key,
                        turned ? "write transpose(m)" : "it has rows m[1], m[2], m[3]");
}

static int matrix_newindex(lua_State *L) {
    return tr_lua_error(L, "a matrix cannot be changed; make a new one: mat(row1, row2, row3)");
}

static int matrix_length(lua_State *L) {
    lua_pushinteger(L, TR_LUA_SPACE);
    return 1;
}

static int matrix_text(lua_State *L) {
    lua_settop(L, 1);
    for (int i = 1; i <= TR_LUA_SPACE; i++) {
        push_row(L, 1, i);
        luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
    }
    lua_pushfstring(L, "mat(%s, %s, %s)", lua_tostring(L, 2), lua_tostring(L, 3),
                    lua_tostring(L, 4));
    return 1;
}

static int matrix_concat(lua_State *L) {
    return tr_lua_error(L, "a matrix is not a string; use tostring(m)");
}

void tr_lua_open_matrices(lua_State *L) {
    static const luaL_Reg events[] = {{"__mul", product},
                                      {"__div", quotient},
                                      {"__unm", negative},
                                      {"__pow", power},
                                      {"__eq", equal},
                                      {"__index", matrix_index},
                                      {"__newindex", matrix_newindex},
                                      {"__len", matrix_length},
                                      {"__tostring", matrix_text},
                                      {"__concat", matrix_concat},
                                      {NULL, NULL}};
    luaL_newmetatable(L, MATRIX);
    luaL_setfuncs(L, events, 0);
    tr_lua_add_sums(L, sum);
    lua_pop(L, 1);
    lua_register(L, "mat", mat);
    lua_register(L, "transpose", transpose);
}
