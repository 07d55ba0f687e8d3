// SPDX-License-Identifier: MIT
// What can be computed with vectors: operators between vectors and scalars, dot, cross, norm. All
// arithmetic on components is Lua's own, so that traced ones are recorded like any others.
//
//     dot(a, b) = a1 b1 + a2 b2 + a3 b3        norm(a) = sqrt(dot(a, a))
//     cross(a, b) = (a2 b3 - a3 b2, a3 b1 - a1 b3, a1 b2 - a2 b1), in the plane a1 b2 - a2 b1

#include "lua/vector.h"

#include <stddef.h>

#include <lauxlib.h>

#include "lua/lua_internal.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

// --- operators ---

int tr_lua_refuse_operator(lua_State *L, const char *sign, const char *remedy) {
    return tr_lua_error(L, "%s %s %s is not defined; %s", tr_lua_type(L, 1), sign,
                        tr_lua_type(L, 2), remedy);
}

// The size of the vectors at places a and b, which must be the same.
static int common_size(lua_State *L, int a, int b, const char *owner) {
    int size = tr_lua_vector_size(L, a), other = tr_lua_vector_size(L, b);
    if (size != other) {
        tr_lua_error(L, "%s: a vector of %d components cannot be combined with one of %d", owner,
                     size, other);
    }
    return size;
}

// a + b and a - b, where one may be a list. The first upvalue is the operation.
static int sum(lua_State *L) {
    int         op = (int)lua_tointeger(L, lua_upvalueindex(1));
    const char *sign = op == LUA_OPADD ? "+" : "-";
    const char *owner = op == LUA_OPADD ? "a + b" : "a - b";
    lua_settop(L, 2);
    if (!tr_lua_make_vector(L, 1, owner) || !tr_lua_make_vector(L, 2, owner)) {
        return tr_lua_refuse_operator(L, sign, "both must be vectors");
    }
    int size = common_size(L, 1, 2, owner);
    for (int i = 1; i <= size; i++) {
        tr_lua_push_component(L, 1, i);
        tr_lua_push_component(L, 2, i);
        lua_arith(L, op);
    }
    tr_lua_push_vector(L, size, owner);
    return 1;
}

// Every component of the vector at place v, multiplied or divided by the scalar at place s.
static int scale(lua_State *L, int v, int s, int op, const char *owner) {
    int size = tr_lua_vector_size(L, v);
    for (int i = 1; i <= size; i++) {
        tr_lua_push_component(L, v, i);
        lua_pushvalue(L, s);
        lua_arith(L, op);
    }
    tr_lua_push_vector(L, size, owner);
    return 1;
}

// scalar * vector and vector * scalar.
static int product(lua_State *L) {
    lua_settop(L, 2);
    int v = tr_lua_vector_size(L, 1) > 0 ? 1 : 2, other = 3 - v;
    if (tr_lua_is_scalar(L, other)) {
        return scale(L, v, other, LUA_OPMUL, "a * number");
    }
    if (tr_lua_is_matrix(L, other)) {
        return tr_lua_refuse_operator(L, "*", "use transpose(m) * a");
    }
    if (lua_type(L, other) == LUA_TTABLE || tr_lua_vector_size(L, other) > 0) {
        return tr_lua_refuse_operator(L, "*", "use dot(a, b) or cross(a, b)");
    }
    return tr_lua_refuse_operator(L, "*", "a vector can be multiplied by a number");
}

static int quotient(lua_State *L) {
    lua_settop(L, 2);
    if (tr_lua_vector_size(L, 1) == 0 || !tr_lua_is_scalar(L, 2)) {
        return tr_lua_refuse_operator(L, "/", "a vector can be divided by a number");
    }
    return scale(L, 1, 2, LUA_OPDIV, "a / number");
}

static int negative(lua_State *L) {
    int size = tr_lua_vector_size(L, 1);
    lua_settop(L, 1);
    for (int i = 1; i <= size; i++) {
        tr_lua_push_component(L, 1, i);
        lua_arith(L, LUA_OPUNM);
    }
    tr_lua_push_vector(L, size, "-a");
    return 1;
}

static int power(lua_State *L) {
    return tr_lua_refuse_operator(L, "^", "use dot(a, a) or norm(a)");
}

// --- functions ---

static void require_vector(lua_State *L, int index, const char *owner) {
    if (!tr_lua_make_vector(L, index, owner)) {
        tr_lua_error(L, "%s: argument %d must be a vector or a list { x, y, z }, got %s", owner,
                     index, tr_lua_type(L, index));
    }
}

// Pushes the product of component i at place a and component j at place b.
static void push_product(lua_State *L, int a, int i, int b, int j) {
    tr_lua_push_component(L, a, i);
    tr_lua_push_component(L, b, j);
    lua_arith(L, LUA_OPMUL);
}

void tr_lua_push_dot(lua_State *L, int a, int b) {
    int size = common_size(L, a, b, "dot");
    push_product(L, a, 1, b, 1);
    for (int i = 2; i <= size; i++) {
        push_product(L, a, i, b, i);
        lua_arith(L, LUA_OPADD);
    }
}

static int dot(lua_State *L) {
    lua_settop(L, 2);
    require_vector(L, 1, "dot");
    require_vector(L, 2, "dot");
    tr_lua_push_dot(L, 1, 2);
    return 1;
}

// Pushes a_i b_j - a_j b_i of the vectors at places 1 and 2.
static void push_minor(lua_State *L, int i, int j) {
    push_product(L, 1, i, 2, j);
    push_product(L, 1, j, 2, i);
    lua_arith(L, LUA_OPSUB);
}

static int cross(lua_State *L) {
    lua_settop(L, 2);
    require_vector(L, 1, "cross");
    require_vector(L, 2, "cross");
    if (common_size(L, 1, 2, "cross") == TR_LUA_PLANE) {
        push_minor(L, 1, 2);
        return 1;
    }
    push_minor(L, 2, 3);
    push_minor(L, 3, 1);
    push_minor(L, 1, 2);
    tr_lua_push_vector(L, TR_LUA_SPACE, "cross");
    return 1;
}

// The first upvalue is the global sqrt as it was when the file began.
static int norm(lua_State *L) {
    lua_settop(L, 1);
    require_vector(L, 1, "norm");
    lua_pushvalue(L, lua_upvalueindex(1));
    tr_lua_push_dot(L, 1, 1);
    lua_call(L, 1, 1);
    return 1;
}

// --- registration ---

// An operator looks at its left operand first. This stands before an operator of traced values,
// the first upvalue, and gives what has a vector or matrix on the right to these: the second
// upvalue names the operator.
static int hand_on(lua_State *L) {
    lua_settop(L, 2);
    if (tr_lua_vector_size(L, 2) > 0 || tr_lua_is_matrix(L, 2)) {
        luaL_getmetafield(L, 2, lua_tostring(L, lua_upvalueindex(2)));
    } else {
        lua_pushvalue(L, lua_upvalueindex(1));
    }
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
}

static void extend_traced(lua_State *L) {
    static const char *const events[] = {"__add", "__sub", "__mul", "__div"};
    luaL_getmetatable(L, TR_LUA_TRACED);
    for (size_t i = 0; i < COUNT(events); i++) {
        lua_getfield(L, -1, events[i]);
        lua_pushstring(L, events[i]);
        lua_pushcclosure(L, hand_on, 2);
        lua_setfield(L, -2, events[i]);
    }
    lua_pop(L, 1);
}

void tr_lua_add_sums(lua_State *L, lua_CFunction function) {
    lua_pushinteger(L, LUA_OPADD);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, "__add");
    lua_pushinteger(L, LUA_OPSUB);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, "__sub");
}

void tr_lua_add_vector_operators(lua_State *L) {
    static const luaL_Reg events[] = {{"__mul", product},
                                      {"__div", quotient},
                                      {"__unm", negative},
                                      {"__pow", power},
                                      {NULL, NULL}};
    luaL_setfuncs(L, events, 0);
    tr_lua_add_sums(L, sum);
}

void tr_lua_open_vector_functions(lua_State *L) {
    extend_traced(L);
    lua_register(L, "dot", dot);
    lua_register(L, "cross", cross);
    lua_getglobal(L, "sqrt");
    lua_pushcclosure(L, norm, 1);
    lua_setglobal(L, "norm");
}
