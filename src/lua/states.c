// SPDX-License-Identifier: MIT
// Further states of a system, and where it starts: s:state and s:start.

#include <math.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/equations.h"
#include "lua/lua_internal.h"

// A name of table 2 at this place, that nothing has yet.
static const char *new_state_name(lua_State *L, const trModel *model, int place) {
    if (lua_rawgeti(L, 2, place) != LUA_TSTRING) {
        tr_lua_error(L, "state: entry %d must be a name, got %s", place, tr_lua_type(L, -1));
    }
    const char *name = lua_tostring(L, -1);
    tr_lua_require(L, tr_model_check_name("state", name), "state");
    for (int i = 0; i < model->traced->general->states; i++) {
        if (strcmp(tr_state_name(model, i), name) == 0) {
            tr_lua_error(L, "state '%s': exists already; choose another name", name);
        }
    }
    if (tr_names_find(&model->body_names, name) >= 0) {
        tr_lua_error(L, "state '%s': there is a coordinate of this name; choose another", name);
    }
    return name;
}

// start = 0.5, or a list of as many numbers as there are names.
static double start_of(lua_State *L, int place, int count) {
    int type = lua_getfield(L, 2, "start");
    if (type == LUA_TTABLE && count > 1) {
        if ((int)lua_rawlen(L, -1) != count) {
            tr_lua_error(L, "state: start must be a number, or a list of %d, one for each name",
                         count);
        }
        type = lua_rawgeti(L, -1, place);
    }
    bool good = type == LUA_TNIL || (type == LUA_TNUMBER && isfinite(lua_tonumber(L, -1)));
    if (!good) {
        tr_lua_error(L, "state: start must be a finite number for each name, got %s",
                     type == LUA_TNUMBER ? lua_tostring(L, -1) : tr_lua_type(L, -1));
    }
    return lua_tonumber(L, -1);
}

int tr_equations_state(lua_State *L) {
    static const char *const keys[] = {"start", "rate", NULL};
    trModel                 *model = tr_equations_method(L, "state", LUA_TTABLE)->model;
    trGeneral               *g = model->traced->general;
    int                      count = (int)lua_rawlen(L, 2), first = g->states;
    tr_lua_check_entries(L, "state", keys, true);
    if (count == 0) {
        return tr_lua_error(L, "state: the name is missing: s:state { \"heading\", rate = ... }");
    }
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING && !(lua_tointeger(L, -2) <= count)) {
            return tr_lua_error(L, "state: the names must be a list without gaps");
        }
    }
    for (int i = 0; i < count; i++) {
        const char *name = new_state_name(L, model, i + 1);
        tr_lua_require(L, tr_general_add_state(model, name, start_of(L, i + 1, count), -1),
                       "state");
        lua_settop(L, 2);
    }
    const char *owner = lua_pushfstring(L, "state '%s'", tr_state_name(model, first));
    tr_lua_push_function(L, "rate", owner);
    int at = tr_equations_record(L, model, "qvtpz");
    if (tr_lua_count_rows(L, at, owner) != count) {
        return tr_lua_error(L,
                            "%s: the function must return %d number%s, one for each name, got %d",
                            owner, count, count == 1 ? "" : "s", tr_lua_count_rows(L, at, owner));
    }
    tr_lua_read_list(L, at, owner, count, g->state_rate + first);
    tr_lua_end_trace(L);
    return 0;
}

// --- start ---

static double finite_number(lua_State *L, const char *key) {
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    if (!number || !isfinite(lua_tonumber(L, -1))) {
        tr_lua_error(L, "start: %s must be a finite number, got %s", key,
                     number ? luaL_tolstring(L, -1, NULL) : tr_lua_type(L, -1));
    }
    return lua_tonumber(L, -1);
}

// Suggests among coordinates, and states unless these are velocities.
static int refuse_start(lua_State *L, const trModel *model, const char *key, bool velocity) {
    lua_newtable(L);
    for (int i = 0; i < model->bodies; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, model->body[i].name);
    }
    for (int i = 0; !velocity && i < model->traced->general->states; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, tr_state_name(model, i));
    }
    if (!velocity && key[0] == 'v' && tr_names_find(&model->body_names, key + 1) >= 0) {
        return tr_lua_error(L,
                            "start: there is no coordinate or state '%s'; velocities are given as "
                            "v = { %s = ... }",
                            key, key + 1);
    }
    const trTracedNames names = tr_equations_names(model, TR_INPUT_Q);
    tr_lua_push_hint(L, lua_gettop(L), key);
    tr_lua_push_names(L, &names);
    tr_lua_push_choice(L);
    return tr_lua_error(L, "start: there is no coordinate%s '%s'%s%s", velocity ? "" : " or state",
                        key, velocity ? "" : " above this line", lua_tostring(L, -1));
}

// Takes the value on top of the stack.
static void set_start(lua_State *L, trModel *model, const char *key, bool velocity) {
    int     number = tr_names_find(&model->body_names, key);
    trBody *body = number < 0 ? NULL : &model->body[number];
    if (body != NULL) {
        *(velocity ? &body->velocity.x : &body->at.x) = finite_number(L, key);
        return;
    }
    for (int i = 0; !velocity && i < model->traced->general->states; i++) {
        if (strcmp(tr_state_name(model, i), key) == 0) {
            model->traced->general->state[i].start = finite_number(L, key);
            return;
        }
    }
    refuse_start(L, model, key, velocity);
}

// The name under the value on top of the stack; a number stands for that coordinate.
static const char *key_of(lua_State *L, const trModel *model) {
    if (lua_type(L, -2) == LUA_TSTRING) {
        return lua_tostring(L, -2);
    }
    lua_Integer place = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    if (place < 1 || place > model->bodies) {
        tr_lua_error(L,
                     "start: write name = value, or a list of %d numbers, one for each coordinate",
                     model->bodies);
    }
    return model->body[place - 1].name;
}

static void read_start(lua_State *L, trModel *model, int table, bool velocity) {
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        const char *key = key_of(L, model);
        if (!velocity && lua_type(L, -1) == LUA_TTABLE && strcmp(key, "v") == 0) {
            read_start(L, model, lua_gettop(L), true);
        } else {
            set_start(L, model, key, velocity);
        }
    }
}

int tr_equations_start(lua_State *L) {
    trModel *model = tr_equations_method(L, "start", LUA_TTABLE)->model;
    read_start(L, model, 2, false);
    return 0;
}
