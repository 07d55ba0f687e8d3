// SPDX-License-Identifier: MIT
// Calling a function of the file once with traced arguments, and reading what it returns as nodes.

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/lua_internal.h"
#include "lua/record.h"
#include "lua/vector.h"

#define MOST_ROWS 1000  // of one function: they are one dense block of the equations

// --- arguments ---

const char *tr_lua_push_names(lua_State *L, const trTracedNames *names) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; i < names->count && i < TR_LUA_MOST_NAMES; i++) {
        luaL_addstring(&text, i == 0 ? "" : ", ");
        luaL_addstring(&text, names->name(names->context, i));
    }
    luaL_addstring(&text, names->count > TR_LUA_MOST_NAMES ? ", ..." : "");
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

const char *tr_lua_push_choice(lua_State *L) {
    const char *hint = lua_tostring(L, -2), *names = lua_tostring(L, -1);
    if (hint[0] != '\0' || names[0] == '\0') {
        lua_pushvalue(L, -2);
    } else {
        lua_pushfstring(L, "; choose from %s", names);
    }
    return lua_tostring(L, -1);
}

// __index of a table of arguments; the upvalues say what its entries are, where they must be
// declared, and which there are.
static int unknown_entry(lua_State *L) {
    const char *what = lua_tostring(L, lua_upvalueindex(1));
    const char *after = lua_tostring(L, lua_upvalueindex(2));
    const char *key = luaL_tolstring(L, 2, NULL);
    tr_lua_push_hint(L, 1, key);
    lua_pushvalue(L, lua_upvalueindex(3));
    const char *choice = tr_lua_push_choice(L);
    if (choice[0] == '\0') {
        choice = after[0] != '\0'                 ? "; declare it first"
                 : strcmp(what, "parameter") == 0 ? "; declare it in parameters = { ... }"
                                                  : "";
    }
    return tr_lua_error(L, "there is no %s '%s'%s%s", what, key, after, choice);
}

static int refuse_change(lua_State *L) {
    return tr_lua_error(L, "'%s' cannot be set: arguments of a function are given",
                        luaL_tolstring(L, 2, NULL));
}

void tr_lua_seal_names(lua_State *L, const char *what, const char *after) {
    lua_createtable(L, 0, 2);
    lua_pushstring(L, what);
    lua_pushstring(L, after);
    lua_rotate(L, -4, -1);  // the names stand above
    lua_pushcclosure(L, unknown_entry, 3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_change);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
}

void tr_lua_push_inputs(lua_State *L, const trTracedNames *names) {
    trTape *tape = tr_load_of(L)->tape;
    lua_createtable(L, names->count, names->count);
    for (int i = 0; i < names->count; i++) {
        tr_lua_push_traced(L, tr_tape_input(tape, tr_input_number(names->kind, i)));
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, names->name(names->context, i));
        lua_rawseti(L, -2, i + 1);
    }
    tr_lua_push_names(L, names);
    tr_lua_seal_names(L, names->what, names->after == NULL ? "" : names->after);
}

// --- results ---

int tr_lua_list_length(lua_State *L, int index) {
    int size = tr_lua_vector_size(L, index);
    return lua_type(L, index) == LUA_TTABLE ? (int)lua_rawlen(L, index) : size;
}

static int scalar_node(lua_State *L, int index, const char *owner) {
    if (!tr_lua_is_scalar(L, index)) {
        tr_lua_error(L, "%s: the function must return numbers, got %s%s", owner,
                     tr_lua_type(L, index), lua_isnil(L, index) ? "; is 'return' missing?" : "");
    }
    return tr_lua_node(L, index);
}

int tr_lua_count_rows(lua_State *L, int index, const char *owner) {
    if (tr_lua_is_scalar(L, index)) {
        return 1;
    }
    int count = tr_lua_list_length(L, index);
    if (count == 0) {
        tr_lua_error(L, "%s: the function must return a number or a list of numbers, got %s%s",
                     owner,
                     lua_type(L, index) == LUA_TTABLE ? "an empty one" : tr_lua_type(L, index),
                     lua_isnil(L, index) ? "; is 'return' missing?" : "");
    }
    return count;
}

// Whether the table is one of the arguments, which have their entries by name too.
static bool is_sealed(lua_State *L, int index) {
    bool sealed = lua_getmetatable(L, index) != 0;
    lua_pop(L, sealed ? 1 : 0);
    return sealed;
}

void tr_lua_read_list(lua_State *L, int index, const char *owner, int count, int *node) {
    if (tr_lua_is_scalar(L, index) && count == 1) {
        node[0] = tr_lua_node(L, index);
        return;
    }
    if (lua_type(L, index) == LUA_TTABLE && !is_sealed(L, index)) {
        tr_lua_check_list(L, index, count, owner);  // { q.x, y = q.y } would lose an entry
    }
    for (int i = 0; i < count; i++) {
        lua_geti(L, index, i + 1);
        node[i] = scalar_node(L, lua_gettop(L), owner);
        lua_pop(L, 1);
    }
}

int tr_lua_add_rows(lua_State *L, int index, const char *owner, trTracedRows *rows) {
    rows->rows = tr_lua_count_rows(L, index, owner);
    if (rows->rows > MOST_ROWS) {
        tr_lua_error(L, "%s: the function returns %d numbers; at most %d are possible", owner,
                     rows->rows, MOST_ROWS);
    }
    int *node = lua_newuserdatauv(L, (size_t)rows->rows * sizeof *node, 0);
    tr_lua_read_list(L, index, owner, rows->rows, node);
    tr_lua_end_trace(L);
    rows->node = node;
    tr_lua_require(L, tr_model_add_rows(tr_load_of(L)->model, rows), owner);
    return 0;
}

int tr_lua_call_recorded(lua_State *L, int count) {
    int function = lua_gettop(L) - count;
    lua_call(L, count, LUA_MULTRET);
    if (lua_gettop(L) > function) {
        tr_lua_error(L, "the function returns %d values; make them a list: return { a, b }",
                     lua_gettop(L) - function + 1);
    }
    lua_settop(L, function);  // nothing is nil
    return function;
}

static int number_of(lua_State *L, const trTracedNames *names, const char *key) {
    for (int i = 0; i < names->count; i++) {
        if (strcmp(names->name(names->context, i), key) == 0) {
            return i;
        }
    }
    // For the suggestion.
    lua_createtable(L, 0, names->count);
    for (int i = 0; i < names->count; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, names->name(names->context, i));
    }
    tr_lua_push_hint(L, lua_gettop(L), key);
    tr_lua_push_names(L, names);
    tr_lua_push_choice(L);
    return -1;
}

// { z = ... }: what is missing is 0.
static void read_keyed(lua_State *L, int index, const char *owner, const trTracedNames *names,
                       int *node) {
    for (int i = 0; i < names->count; i++) {
        node[i] = tr_tape_constant(tr_load_of(L)->tape, 0.0);
    }
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            tr_lua_error(L, "%s: give either a list of %d numbers or entries by name (%s)", owner,
                         names->count, tr_lua_push_names(L, names));
        }
        const char *key = lua_tostring(L, -2);
        int         value = lua_gettop(L), number = number_of(L, names, key);
        if (number < 0) {
            tr_lua_error(L, "%s: there is no %s '%s'%s", owner, names->what, key,
                         lua_tostring(L, -1));
        }
        node[number] = scalar_node(L, value, owner);
        lua_settop(L, value);
    }
}

void tr_lua_read_named(lua_State *L, int index, const char *owner, const trTracedNames *names,
                       int *node) {
    int length = tr_lua_list_length(L, index), count = names->count;
    if (lua_type(L, index) == LUA_TTABLE && length == 0) {
        read_keyed(L, index, owner, names, node);
        return;
    }
    if (!(tr_lua_is_scalar(L, index) && count == 1) && length != count) {
        const char *got = length > 0 ? lua_pushfstring(L, "%d", length) : tr_lua_type(L, index);
        tr_lua_error(L, "%s: the function must return %d number%s, for %s; got %s%s", owner, count,
                     count == 1 ? "" : "s", tr_lua_push_names(L, names), got,
                     lua_isnil(L, index) ? "; is 'return' missing?" : "");
    }
    tr_lua_read_list(L, index, owner, count, node);
}

static void read_row(lua_State *L, int index, int row, int n, int *node) {
    lua_geti(L, index, row + 1);
    int at = lua_gettop(L), length = tr_lua_list_length(L, at);
    if (length != n) {
        tr_lua_error(L, "mass: row %d must have %d numbers, got %s", row + 1, n,
                     length > 0 ? lua_pushfstring(L, "%d", length) : tr_lua_type(L, at));
    }
    tr_lua_read_list(L, at, "mass", n, node + (ptrdiff_t)row * n);
    lua_settop(L, at - 1);
}

void tr_lua_read_mass(lua_State *L, int index, int n, int *node) {
    bool matrix = tr_lua_is_matrix(L, index), scalar = n == 1 && tr_lua_is_scalar(L, index);
    int  length = matrix ? 3 : tr_lua_list_length(L, index);
    int  zero = tr_tape_constant(tr_load_of(L)->tape, 0.0);
    if (length != n && !scalar) {
        tr_lua_error(L,
                     "mass: the function must return %d rows of %d numbers, or a list of %d: the "
                     "diagonal; got %s%s",
                     n, n, n, length > 0 ? lua_pushfstring(L, "%d", length) : tr_lua_type(L, index),
                     lua_isnil(L, index) ? "; is 'return' missing?" : "");
    }
    if (scalar) {
        node[0] = tr_lua_node(L, index);
        return;
    }
    lua_geti(L, index, 1);
    bool diagonal = !matrix && tr_lua_is_scalar(L, lua_gettop(L));
    lua_pop(L, 1);
    for (int i = 0; i < n; i++) {
        if (!diagonal) {
            read_row(L, index, i, n, node);
            continue;
        }
        for (int j = 0; j < n; j++) {
            node[i * n + j] = zero;
        }
        lua_geti(L, index, i + 1);
        node[i * n + i] = scalar_node(L, lua_gettop(L), "mass: the diagonal");
        lua_pop(L, 1);
    }
}
