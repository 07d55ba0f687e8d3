// SPDX-License-Identifier: MIT
// Calling functions of the file with traced arguments, and reading what they return.

#ifndef TR_LUA_RECORD_H
#define TR_LUA_RECORD_H

#include <lua.h>

#include "model/traced.h"

// A family of named inputs: coordinates, velocities, states.
typedef struct trTracedNames {
    const char *what;  // "coordinate", for messages
    trInput     kind;
    int         count;
    const void *context;
    const char *(*name)(const void *context, int i);
} trTracedNames;

// Pushes a table of traced values, by name and by number.
void tr_lua_push_inputs(lua_State *L, const trTracedNames *names);
// The table on top of the stack refuses unknown names, with a suggestion, and changes.
void tr_lua_seal_names(lua_State *L, const char *what);

// Calls the function below `count` arguments, which may return one value; leaves it, or nil, and
// returns its place.
int tr_lua_call_recorded(lua_State *L, int count);

// How many numbers a list or vector has; 0 for what is neither.
int tr_lua_list_length(lua_State *L, int index);
// Of a number, a list or a vector. Raises an error for the rest.
int  tr_lua_count_rows(lua_State *L, int index, const char *owner);
void tr_lua_read_list(lua_State *L, int index, const char *owner, int count, int *node);
// A list of as many numbers as there are names, or entries by name, where missing ones are 0.
void tr_lua_read_named(lua_State *L, int index, const char *owner, const trTracedNames *names,
                       int *node);
// n x n, row after row: rows, or the diagonal alone.
void tr_lua_read_mass(lua_State *L, int index, int n, int *node);

#endif
