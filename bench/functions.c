// SPDX-License-Identifier: MIT
// Functions of a system { ... } file: M, f and phi, evaluated many times.
//
//     functions evaluate interpreted FILE COUNT    by the Lua interpreter, with numbers
//     functions evaluate values FILE COUNT         as recorded
//     functions evaluate derivatives FILE COUNT    as recorded, with A, b1, b and all that an
//                                                  evaluation of the system takes
//
// Prints the sum of the results and of their squares, by which the first two can be compared.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "model/traced.h"
#include "system/traced.h"
#include "trammel/trammel.h"

#define TIME 0.3       // [s]
#define FUNCTIONS 100  // of one file

// The state at which functions are evaluated: generic, the same for all.
static double coordinate(int i) {
    return 0.1 * (i + 1);
}

static double velocity(int i) {
    return 1.0 - 0.3 * i;
}

static void must(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "functions: %s (%s)\n", tr_last_error(), tr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

typedef struct Sums {
    double sum, squares;
} Sums;

static void add(Sums *sums, double value) {
    sums->sum += value;
    sums->squares += value * value;
}

// --- interpreted ---

// Keeps the functions that are handed to the system, instead of tracing them.
static const char prelude[] =
    "functions, with_velocity = {}, {}\n"
    "for name, value in pairs(math) do _G[name] = value end\n"
    "local function keep(f, v)\n"
    "    functions[#functions + 1], with_velocity[#functions + 1] = f, v\n"
    "end\n"
    "local ignored = { __index = function() return function() end end }\n"
    "local s = setmetatable({}, ignored)\n"
    "function s:mass(f) keep(f, false) end\n"
    "function s:force(f) keep(f, true) end\n"
    "function s:constraint(c) keep(c.phi, false) end\n"
    "function system(it) coordinates, p = it.coordinates, it.parameters or {} return s end\n";

static void must_lua(lua_State *L, int status) {
    if (status != LUA_OK) {
        fprintf(stderr, "functions: %s\n", lua_tostring(L, -1));
        exit(EXIT_FAILURE);
    }
}

// Leaves a table of numbers by the names of the coordinates.
static void push_state(lua_State *L, double (*number)(int)) {
    lua_getglobal(L, "coordinates");
    int names = lua_gettop(L), count = (int)lua_rawlen(L, names);
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, names, i + 1);
        lua_pushnumber(L, number(i));
        lua_rawset(L, -3);
    }
    lua_remove(L, names);
}

static void add_all(lua_State *L, Sums *sums) {
    if (lua_type(L, -1) == LUA_TNUMBER) {
        add(sums, lua_tonumber(L, -1));
        return;
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        add_all(L, sums);
    }
}

enum { Q = 1, V, P, FIRST };  // places on the stack

// One result of every function is popped, after it was added up if this is asked for.
static void call_all(lua_State *L, int count, const int *moving, Sums *sums) {
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, FIRST + i);
        lua_pushvalue(L, Q);
        if (moving[i]) {
            lua_pushvalue(L, V);
        }
        lua_pushnumber(L, TIME);
        lua_pushvalue(L, P);
        lua_call(L, 3 + moving[i], 1);
        if (sums != NULL) {
            add_all(L, sums);
        }
        lua_pop(L, 1);
    }
}

static void interpret(const char *path, long count, Sums *sums) {
    lua_State *L = luaL_newstate();
    int        moving[FUNCTIONS], functions = 0;
    luaL_openlibs(L);
    must_lua(L, luaL_dostring(L, prelude));
    must_lua(L, luaL_dofile(L, path));
    lua_settop(L, 0);
    push_state(L, coordinate);
    push_state(L, velocity);
    lua_getglobal(L, "p");
    while (functions < FUNCTIONS) {
        lua_getglobal(L, "with_velocity");
        lua_rawgeti(L, -1, functions + 1);
        moving[functions] = lua_toboolean(L, -1);
        lua_getglobal(L, "functions");
        lua_rawgeti(L, -1, functions + 1);
        lua_replace(L, FIRST + functions);
        lua_settop(L, FIRST + functions);
        if (lua_isnil(L, -1)) {
            break;
        }
        functions++;
    }
    luaL_checkstack(L, 2 * FUNCTIONS, "functions");
    for (long i = 0; i < count; i++) {
        call_all(L, functions, moving, NULL);
    }
    call_all(L, functions, moving, sums);
    lua_close(L);
}

// --- recorded ---

static void run(const trProgram *p, const double *input, long count, Sums *sums) {
    double *slot = calloc((size_t)p->slots, sizeof *slot);
    if (slot == NULL) {
        exit(EXIT_FAILURE);
    }
    tr_program_begin(p, slot);
    for (long i = 0; i <= count; i++) {
        tr_program_run(p, input, slot);
    }
    for (int i = 0; i < p->outputs; i++) {
        add(sums, slot[p->output[i]]);
    }
    free(slot);
}

// M, f and phi alone.
static void run_values(trArena *arena, const trModel *model, long count, Sums *sums) {
    const trTraced *traced = model->traced;
    int             n = model->bodies, inputs = tr_input_number(TR_INPUTS, n), nodes = 0;
    int            *node = tr_new_array(arena, int, n *n + n + traced->rows);
    double         *input = tr_new_array(arena, double, inputs);
    trProgram       p;
    must(tr_arena_status(arena));
    for (int i = 0; i < n * n; i++) {
        node[nodes++] = traced->general->mass[i];
    }
    for (int i = 0; i < n; i++) {
        node[nodes++] = traced->general->force[i];
        input[tr_input_number(TR_INPUT_Q, i)] = coordinate(i);
        input[tr_input_number(TR_INPUT_V, i)] = velocity(i);
    }
    for (int g = 0; g < traced->groups; g++) {
        for (int k = 0; k < traced->group[g].rows; k++) {
            node[nodes++] = traced->group[g].node[k];
        }
    }
    input[0] = TIME;
    must(tr_program_compile(arena, traced->tape, nodes, node, &p));
    run(&p, input, count, sums);
}

static void run_derivatives(trArena *arena, const trModel *model, long count, Sums *sums) {
    trTracedSystem system;
    must(tr_traced_compile(model, arena, &system));
    double *input = tr_new_array(arena, double, system.inputs);
    must(tr_arena_status(arena));
    input[0] = TIME;
    for (int i = 0; i < model->bodies; i++) {
        input[system.q + i] = coordinate(i);
        input[system.v + i] = velocity(i);
    }
    run(&system.program, input, count, sums);
}

int main(int count, char **word) {
    Sums sums = {0.0, 0.0};
    if (count != 5 || strcmp(word[1], "evaluate") != 0) {
        fprintf(stderr, "usage: functions evaluate interpreted|values|derivatives FILE COUNT\n");
        return 2;
    }
    long times = strtol(word[4], NULL, 10);
    if (strcmp(word[2], "interpreted") == 0) {
        interpret(word[3], times, &sums);
    } else {
        trModel *model = NULL;
        trSimDef def = tr_sim_def_default();
        trArena *arena = tr_arena_create();
        must(tr_lua_load(word[3], NULL, &model, &def));
        if (arena == NULL || model->traced == NULL || model->traced->general == NULL) {
            fprintf(stderr, "functions: %s describes no system\n", word[3]);
            return 2;
        }
        (strcmp(word[2], "values") == 0 ? run_values : run_derivatives)(arena, model, times, &sums);
        tr_arena_destroy(arena);
        tr_model_destroy(model);
    }
    printf("%.17g %.17g\n", sums.sum, sums.squares);
    return 0;
}
