// SPDX-License-Identifier: MIT
// Calling functions of the file with traced arguments, and reading what they return.

#ifndef TR_LUA_RECORD_H
#define TR_LUA_RECORD_H

#include <lua.h>

#include "model/traced.h"

// A family of named inputs: coordinates, velocities, states.
typedef struct trTracedNames {
    const char *what;   // "coordinate", for messages
    const char *after;  // " above this line", or NULL
    trInput     kind;
    int         count;
    const void *context;
    const char *(*name)(const void *context, int i);
} trTracedNames;

// Pushes a table of traced values, by name and by number.
void tr_lua_push_inputs(lua_State *L, const trTracedNames *names);
// The table below the top of the stack refuses unknown names, and changes. Takes the text on top,
// the names that there are ("x, z", or ""), for messages.
void tr_lua_seal_names(lua_State *L, const char *what, const char *after);

#define TR_LUA_MOST_NAMES 12  // in a message
// Pushes "x, z".
const char *tr_lua_push_names(lua_State *L, const trTracedNames *names);
// From a suggestion, or "", and the names that there are, both on top of the stack: what to do.
const char *tr_lua_push_choice(lua_State *L);

// Calls the function below `count` arguments, which may return one value; leaves it, or nil, and
// returns its place.
int tr_lua_call_recorded(lua_State *L, int count);

// How many numbers a list or vector has; 0 for what is neither.
int tr_lua_list_length(lua_State *L, int index);
// Of a number, a list or a vector. Raises an error for the rest.
int  tr_lua_count_rows(lua_State *L, int index, const char *owner);
void tr_lua_read_list(lua_State *L, int index, const char *owner, int count, int *node);
// The end of a recording: what the function returned, at `index`, becomes rows of the model.
int tr_lua_add_rows(lua_State *L, int index, const char *owner, trTracedRows *rows);
// A list of as many numbers as there are names, or entries by name, where missing ones are 0.
void tr_lua_read_named(lua_State *L, int index, const char *owner, const trTracedNames *names,
                       int *node);
// n x n, row after row: rows, or the diagonal alone.
void tr_lua_read_mass(lua_State *L, int index, int n, int *node);

#endif
