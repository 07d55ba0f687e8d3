// SPDX-License-Identifier: MIT
// What a model file finds: the words of the model, and of Lua what neither reaches outside nor gets
// around the bounds (bounds.c). Whatever is left out says so by its name, and what to do instead.

#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "lua/lua_internal.h"

#define SORT_LIMIT 1000000  // entries of a table that is sorted: one call must stay short

typedef struct Refused {
    const char *name;
    const char *remedy;  // in a few words, or NULL
} Refused;

#define COMPLETE \
    "model files cannot load other files; pass values with parameter(\"N\", 1) and --set N=2"
#define PLAIN "use plain tables and functions"
#define TEXTS "compare whole strings with ==, or cut them with string.sub"

// Files, processes, code from texts, and what would let a file hide an error, get around the
// bounds or reach into handles.
static const Refused refused[] = {{"_G", "use local variables"},
                                  {"collectgarbage", "memory is managed automatically"},
                                  {"coroutine", "use functions and loops"},
                                  {"debug", "error(\"x = \" .. x) stops and shows a value"},
                                  {"dofile", COMPLETE},
                                  {"getmetatable", PLAIN},
                                  {"io", COMPLETE},
                                  {"load", "write the function in the file"},
                                  {"loadfile", COMPLETE},
                                  {"loadstring", "write the function in the file"},
                                  {"os", COMPLETE},
                                  {"package", COMPLETE},
                                  {"pcall", "errors end the file; test before with if"},
                                  {"print", "error(\"x = \" .. x) stops and shows a value"},
                                  {"rawequal", PLAIN},
                                  {"rawget", PLAIN},
                                  {"rawlen", PLAIN},
                                  {"rawset", PLAIN},
                                  {"require", COMPLETE},
                                  {"setmetatable", PLAIN},
                                  {"utf8", NULL},
                                  {"warn", "error(\"x = \" .. x) stops and shows a value"},
                                  {"xpcall", "errors end the file; test before with if"},
                                  {NULL, NULL}};

// Functions that run long inside C, where instructions are not counted, or that give bytecode.
static const Refused refused_string[] = {{"dump", NULL},  {"find", TEXTS},  {"gmatch", TEXTS},
                                         {"gsub", TEXTS}, {"match", TEXTS}, {NULL, NULL}};
static const Refused refused_table[] = {{"move", "copy the entries in a loop"}, {NULL, NULL}};
static const Refused refused_math[] = {{NULL, NULL}};

// --- undefined names ---

static const Refused *find_refused(const Refused *list, const char *name) {
    while (list->name != NULL && strcmp(list->name, name) != 0) {
        list++;
    }
    return list->name != NULL ? list : NULL;
}

static int refuse(lua_State *L, const Refused *word, const char *library) {
    return tr_lua_error(L, "%s%s is not available in model files%s%s", library, word->name,
                        word->remedy != NULL ? "; " : "", word->remedy != NULL ? word->remedy : "");
}

// __index of the globals.
static int undefined_variable(lua_State *L) {
    const char    *name = luaL_tolstring(L, 2, NULL);
    const Refused *word = find_refused(refused, name);
    if (word != NULL) {
        return refuse(L, word, "");
    }
    tr_lua_push_hint(L, 1, name);
    const char *hint = strcmp(name, "ground") == 0 ? tr_load_of(L)->glues
                                                         ? "; write g.ground, of the assembly g"
                                                         : "; write m.ground, of the model m"
                                                   : lua_tostring(L, -1);
    return tr_lua_error(L, "undefined variable '%s'%s", name,
                        *hint == '\0' ? "; define it above this line" : hint);
}

// __index of a library, whose name is the first upvalue, and what is refused the second.
static int undefined_member(lua_State *L) {
    const char    *library = lua_tostring(L, lua_upvalueindex(1));
    const char    *name = luaL_tolstring(L, 2, NULL);
    const Refused *word = find_refused(lua_touserdata(L, lua_upvalueindex(2)), name);
    if (word != NULL) {
        return refuse(L, word, lua_pushfstring(L, "%s.", library));
    }
    tr_lua_push_hint(L, 1, name);
    const char *hint = lua_tostring(L, -1);
    return tr_lua_error(L, "undefined function '%s.%s'%s", library, name,
                        *hint == '\0' ? "; Lua 5.4 has no such function" : hint);
}

// Takes what is refused out of the table on top of the stack, and pops it.
static void seal_library(lua_State *L, const char *name, const Refused *list) {
    for (int i = 0; list[i].name != NULL; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, list[i].name);
    }
    lua_createtable(L, 0, 1);
    lua_pushstring(L, name);
    lua_pushlightuserdata(L, (void *)list);
    lua_pushcclosure(L, name == NULL ? undefined_variable : undefined_member, 2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

// --- functions whose time grows with their arguments ---

// string.rep(s, n, separator): Lua's own runs through n rounds even where s is empty.
static int repeat(lua_State *L) {
    size_t      length = 0, between = 0;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    (void)luaL_optlstring(L, 3, "", &between);
    (void)text;
    if (count <= 0 || length + between == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((size_t)count > TR_LUA_TEXT_LIMIT / (length + between)) {
        return tr_lua_error(L, "string.rep: the string would be longer than %d MiB",
                            (int)(TR_LUA_TEXT_LIMIT >> 20));
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// A function of `table` is one instruction, however long the table is: time is looked at first.
static int guarded(lua_State *L) {
    tr_lua_check_time(L);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int sort(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_rawlen(L, 1) > SORT_LIMIT) {
        return tr_lua_error(L, "table.sort: %d entries are too many; at most %d are possible",
                            (int)lua_rawlen(L, 1), SORT_LIMIT);
    }
    return guarded(L);
}

// Puts a function in place of one of the table on top of the stack, which becomes its upvalue.
static void replace(lua_State *L, const char *name, lua_CFunction function) {
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

static void bound_libraries(lua_State *L) {
    static const char *const long_ones[] = {"concat", "insert", "remove", "unpack"};
    lua_getglobal(L, "string");
    replace(L, "rep", repeat);
    lua_getglobal(L, "table");
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        replace(L, long_ones[i], guarded);
    }
    replace(L, "sort", sort);
    lua_pop(L, 2);
}

void tr_lua_open_sandbox(lua_State *L) {
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
    // The same file gives the same model: random numbers start from a fixed seed.
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, 1);
    lua_call(L, 1, 0);
    lua_settop(L, 0);
    bound_libraries(L);
    tr_lua_open_trace(L);
    tr_lua_open_vectors(L);
    tr_lua_open_laws(L);
    tr_lua_open_model(L);
    tr_lua_open_systems(L);
    tr_lua_open_assembly(L);
    tr_lua_open_bodies(L);
    tr_lua_open_parameters(L);
    lua_getglobal(L, "string");
    seal_library(L, "string", refused_string);
    lua_getglobal(L, "table");
    seal_library(L, "table", refused_table);
    lua_getglobal(L, "math");
    seal_library(L, "math", refused_math);
    lua_pushglobaltable(L);
    seal_library(L, NULL, refused);
}
