// SPDX-License-Identifier: MIT
// The words of a system of the user's own equations: s:mass, s:force, ...

#ifndef TR_LUA_EQUATIONS_H
#define TR_LUA_EQUATIONS_H

#include "lua/lua_internal.h"
#include "lua/record.h"

#define TR_LUA_PARAMETERS "trammel.system.parameters"  // registry: the table p

// Checks that a method was called as s:method(...) with a value of this type.
trLuaLoad *tr_equations_method(lua_State *L, const char *method, int type);

// Calls the function on top of the stack with the arguments of these letters; leaves its result.
// Recording goes on until tr_lua_end_trace.
int tr_equations_record(lua_State *L, const trModel *model, const char *letters);

trTracedNames tr_equations_names(const trModel *model, trInput kind);
const char   *tr_state_name(const void *model, int i);

// The methods.
int tr_equations_mass(lua_State *L);
int tr_equations_force(lua_State *L);
int tr_equations_constraint(lua_State *L);
int tr_equations_nonholonomic(lua_State *L);
int tr_equations_nonideal(lua_State *L);
int tr_equations_energy(lua_State *L);
int tr_equations_state(lua_State *L);
int tr_equations_start(lua_State *L);

#endif
