// SPDX-License-Identifier: MIT
// What vectors and matrices of model files share beyond lua_internal.h. A scalar is a number or a
// traced value. `owner`, "dot" or "a + b", is for messages.

#ifndef TR_LUA_VECTOR_H
#define TR_LUA_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

// The text of vectors.lua, embedded by the build.
extern const unsigned char tr_lua_vectors[];
extern const size_t        tr_lua_vectors_size;  // [bytes]

bool tr_lua_is_scalar(lua_State *L, int index);

// Refuses keys of the table at `index`, counted from the bottom, other than 1 to `length`.
void tr_lua_check_list(lua_State *L, int index, int length, const char *owner);

#endif
