// SPDX-License-Identifier: MIT
// A body, joint or force as a file writes it: { "revolute", name = "A", body1, body2, ... }. The
// table stands in place 2 of the stack.

#ifndef TR_LUA_ENTRY_H
#define TR_LUA_ENTRY_H

#include "lua/lua_internal.h"

#define TR_ENTRY_BODIES 2

typedef struct trEntry {
    const char *name;   // NULL if not given
    const char *owner;  // "joint 'A'", for messages
    const char *kind;
    int         bodies;
    int         body[TR_ENTRY_BODIES];
} trEntry;

// Its name, which may be left out where the model makes one.
trEntry tr_lua_entry(lua_State *L, const char *what);
// Refuses entries without a key beyond the first `most`.
void tr_lua_check_keys(lua_State *L, int most, const char *owner);
// The entries without keys: the kind, then the bodies. A variable that is nil leaves a gap.
void tr_lua_read_positions(lua_State *L, trEntry *entry);
void tr_lua_require_bodies(lua_State *L, const trEntry *entry, int count);

// A handle of the body, as the file holds it.
int tr_lua_push_body(lua_State *L, int body);

#endif
