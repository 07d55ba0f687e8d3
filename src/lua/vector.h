// SPDX-License-Identifier: MIT
// What vectors and matrices of model files share beyond lua_internal.h. A scalar is a number or a
// traced value. `owner`, "dot" or "a + b", is for messages.

#ifndef TR_LUA_VECTOR_H
#define TR_LUA_VECTOR_H

#include <stdbool.h>

#include <lua.h>

#define TR_LUA_PLANE 2  // components of a vector in the plane
#define TR_LUA_SPACE 3  // and in space; also rows of a matrix

// --- vector.c ---

bool tr_lua_is_scalar(lua_State *L, int index);

// Turns a list at `index` into a vector, in its place. Returns whether a vector is there then;
// raises an error if the list cannot be one.
bool tr_lua_make_vector(lua_State *L, int index, const char *owner);

// Refuses keys of the table at `index`, counted from the bottom, other than 1 to `length`.
void tr_lua_check_list(lua_State *L, int index, int length, const char *owner);

// Pushes a key that was asked for, as messages show it.
const char *tr_lua_push_key(lua_State *L, int index);

// --- vector_algebra.c ---

// Adds the operators to the metatable on top of the stack.
void tr_lua_add_vector_operators(lua_State *L);

// Adds dot, cross and norm, and lets traced values stand on the left of vectors and matrices.
void tr_lua_open_vector_functions(lua_State *L);

// Makes `function` the operators + and - of the metatable on top of the stack. Its first upvalue
// is the operation, for lua_arith.
void tr_lua_add_sums(lua_State *L, lua_CFunction function);

// Raises "vector * vector is not defined; <remedy>", of the operands at places 1 and 2.
int tr_lua_refuse_operator(lua_State *L, const char *sign, const char *remedy);

// Pushes the product of the vectors at places a and b, counted from the bottom.
void tr_lua_push_dot(lua_State *L, int a, int b);

// --- matrix.c ---

// Adds mat and transpose.
void tr_lua_open_matrices(lua_State *L);

#endif
