// SPDX-License-Identifier: MIT
// Counts states of Lua and calls of functions in a test program, which must be linked with
// -Wl,--wrap=lua_newstate,--wrap=lua_close,--wrap=lua_callk,--wrap=lua_pcallk. Include it in one
// file of the program only.

#ifndef TR_TESTS_LUA_CALLS_H
#define TR_TESTS_LUA_CALLS_H

#include <lua.h>

static int states_opened, states_closed, calls;

lua_State *__real_lua_newstate(lua_Alloc allocate, void *context);
void       __real_lua_close(lua_State *L);
void       __real_lua_callk(lua_State *L, int arguments, int results, lua_KContext context,
                            lua_KFunction next);
int __real_lua_pcallk(lua_State *L, int arguments, int results, int handler, lua_KContext context,
                      lua_KFunction next);
lua_State *__wrap_lua_newstate(lua_Alloc allocate, void *context);
void       __wrap_lua_close(lua_State *L);
void       __wrap_lua_callk(lua_State *L, int arguments, int results, lua_KContext context,
                            lua_KFunction next);
int __wrap_lua_pcallk(lua_State *L, int arguments, int results, int handler, lua_KContext context,
                      lua_KFunction next);

lua_State *__wrap_lua_newstate(lua_Alloc allocate, void *context) {
    states_opened++;
    return __real_lua_newstate(allocate, context);
}

void __wrap_lua_close(lua_State *L) {
    states_closed++;
    __real_lua_close(L);
}

void __wrap_lua_callk(lua_State *L, int arguments, int results, lua_KContext context,
                      lua_KFunction next) {
    calls++;
    __real_lua_callk(L, arguments, results, context, next);
}

int __wrap_lua_pcallk(lua_State *L, int arguments, int results, int handler, lua_KContext context,
                      lua_KFunction next) {
    calls++;
    return __real_lua_pcallk(L, arguments, results, handler, context, next);
}

#endif
