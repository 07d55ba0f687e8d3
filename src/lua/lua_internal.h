// SPDX-License-Identifier: MIT
// What the files of the Lua front end share: one load, its errors, tables as parameters, traced
// functions.
//
// Everything here runs inside one protected call (load.c). A failure is raised as a Lua error,
// which unwinds C frames without running anything: no frame may own memory or handles. Memory comes
// from Lua itself (userdata that stay on the stack) or from the arena of the model.

#ifndef TR_LUA_LUA_INTERNAL_H
#define TR_LUA_LUA_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <lauxlib.h>
#include <lua.h>

#include "model/model.h"
#include "tape/tape.h"
#include "trammel/sim.h"

// The chunk's name while the file runs. Messages begin with it, and it is replaced by the path at
// the end, because Lua shortens long names.
#define TR_LUA_CHUNK "model"

#define TR_LUA_TEXT_LIMIT ((size_t)16 << 20)     // of one text of Lua [bytes]
#define TR_LUA_MODEL_LIMIT ((size_t)1024 << 20)  // of what the file describes [bytes]
#define TR_LUA_WORDS 160                         // of the words about an excess

// Why Lua got no memory.
typedef enum trExcess {
    TR_EXCESS_NONE,  // there is none
    TR_EXCESS_MEMORY,
    TR_EXCESS_TEXT,
    TR_EXCESS_TIME,
} trExcess;

// One load of one file. Owned by tr_lua_load, found from everywhere by tr_load_of.
typedef struct trLuaLoad {
    const char          *path;           // as the user wrote it
    const char          *text;           // the file
    size_t               text_size;      // bytes
    size_t               parsed;         // bytes handed to the parser
    const char *const   *set;            // "N=40", ends with NULL; NULL for none
    bool                *set_used;       // one per entry of `set`: a parameter() asked for it
    trModel             *model;          // NULL until model{} or system{} is called
    trSimDef             def;            // what simulate{} says, over the caller's
    bool                 simulated;      // simulate{} was called
    bool                 glues;          // the file is to be an assembly
    struct trAssembling *assembling;     // NULL until assembly{} is called (assembly.h)
    trStatus             status;         // how a failure is reported
    size_t               bytes;          // of Lua memory in use
    trExcess             excess;         // of the last block that was refused
    bool                 out_of_memory;  // the file stopped for want of memory, at `line`
    int                  line;           // or 0 where it is not known
    int                  ticks;          // of the instruction counter so far
    double               begun;          // by the clock of the thread [s]
    double               seconds;        // that the file may run
    const char          *called_as;      // arguments of the function being recorded, "q, t, p"
    trTape              *tape;           // being recorded; NULL outside of functions
    int                  serial;         // of the recording
} trLuaLoad;

static inline trLuaLoad *tr_load_of(lua_State *L) {
    return *(trLuaLoad **)lua_getextraspace(L);
}

// --- sandbox.c ---

// Opens what a model file may use.
void tr_lua_open_sandbox(lua_State *L);

// --- bounds.c ---

// The allocator of Lua, with a trLuaLoad as its context.
void *tr_lua_allocate(void *context, void *block, size_t old_size, size_t size);
void  tr_lua_bound(lua_State *L);       // from now on instructions and time are bounded
void  tr_lua_check_time(lua_State *L);  // raises an error when the time is over
// What to say after the allocator refused, with what to do.
const char *tr_lua_excess_words(const trLuaLoad *load, char *words, size_t size);

// --- convert.c ---

// Raises "file:line: text", with the line of the nearest Lua function. Formats as
// lua_pushfstring. Never returns; the result is for `return tr_lua_error(...)`.
int tr_lua_error(lua_State *L, const char *format, ...);

// The line of the file that is being run, or 0.
int tr_lua_line(lua_State *L);

// What the value is, in a word: "number", "nil", "body", "law", "traced value", ...
const char *tr_lua_type(lua_State *L, int index);

// Raises the failure of a library call, if it failed. `owner`, "joint 'A'", is put before its text
// unless it is there already.
void tr_lua_require(lua_State *L, trStatus status, const char *owner);

// Pushes "; did you mean 'x'?" for the text key of the table nearest to `word`, or "".
void tr_lua_push_hint(lua_State *L, int table, const char *word);

// The entries with keys of the table at `table` as parameters, in the order of their keys.
// `skip` is a key to leave out, or NULL. Pushes the userdata that hold them: they are valid while
// these stay on the stack. `owner` is for messages and the names of tapes.
const trParam *tr_lua_params(lua_State *L, int table, const char *owner, const char *skip);

// Adds the globals polynomial, piecewise and tabulated.
void tr_lua_open_laws(lua_State *L);

// local u = m:input { name = "u", unit = "N", start = 0 }, for functions of forces and systems.
int tr_lua_input(lua_State *L);

// --- trace.c ---

// Calls the function at `index` once with a traced time and returns what it recorded, in the arena
// of the model. `name`, "joint 'motor': angle", is for messages.
const trTape *tr_lua_trace(lua_State *L, int index, const char *name);

// A function that is about to be called records on this tape, until the end.
void tr_lua_begin_trace(lua_State *L, trTape *tape);
void tr_lua_end_trace(lua_State *L);

// Traced values by their nodes. tr_lua_node takes numbers too, and raises an error for the rest.
int  tr_lua_push_traced(lua_State *L, int node);
int  tr_lua_push_input(lua_State *L, int number);  // an input of the model
int  tr_lua_node(lua_State *L, int index);
bool tr_lua_is_traced(lua_State *L, int index);

// Makes sin, sqrt, ... accept traced values, here and in `math`; adds where, less, greater,
// atan2 and sign.
void tr_lua_open_trace(lua_State *L);

// --- vector.c, vectors.lua ---

// The name of the metatable of traced values, which components may be.
#define TR_LUA_TRACED "traced value"

// Adds the globals vec, dot, cross, norm, mat and transpose. Traced values and sqrt must be there.
void tr_lua_open_vectors(lua_State *L);

// The components of the vector at `index`, 2 or 3; 0 if it is something else.
int tr_lua_vector_size(lua_State *L, int index);

// Pushes component i, from 1, of the vector at `index`.
void tr_lua_push_component(lua_State *L, int index, int i);

// Pushes the components of the vector at `index` as a list.
void tr_lua_push_components(lua_State *L, int index);

// Turns the `size` values on top of the stack, 2 or 3, into a vector. They must be numbers other
// than NaN or traced values; `owner`, "body 'a': r", is for the message if they are not.
void tr_lua_push_vector(lua_State *L, int size, const char *owner);

// Turns the three rows on top of the stack, spatial vectors, into a matrix.
void tr_lua_push_matrix(lua_State *L);

bool tr_lua_is_matrix(lua_State *L, int index);

// --- system.c, entries.c ---

// Adds the global system.
void tr_lua_open_systems(lua_State *L);
bool tr_lua_is_system(lua_State *L, int index);

// Refuses keys of the table in place 2 other than these, which end with NULL, and entries without a
// key unless it may be a list too.
void tr_lua_check_entries(lua_State *L, const char *owner, const char *const *keys, bool list);
// The text under a key of the table in place 2, or NULL; stays on the stack.
const char *tr_lua_text_field(lua_State *L, const char *key, const char *owner);
// Pushes the function under a key of that table.
void tr_lua_push_function(lua_State *L, const char *key, const char *owner);

// --- bodies.c ---

// The methods constraint and nonholonomic of a model, and force with functions of the user's own.
int  tr_lua_constraint(lua_State *L);
int  tr_lua_nonholonomic(lua_State *L);
int  tr_lua_force_law(lua_State *L);
void tr_lua_open_bodies(lua_State *L);

// --- parameter.c ---

// parameter(name, default), as the file calls it.
int tr_lua_parameter(lua_State *L);

// Refuses entries of `set` that are not NAME=VALUE, and makes room to note which are used.
trStatus tr_lua_check_set(trArena *arena, trLuaLoad *load);

// Adds the global parameter.
void tr_lua_open_parameters(lua_State *L);

// Raises an error unless every parameter that was given from outside has been asked for.
void tr_lua_require_parameters(lua_State *L);

// --- load.c ---

// Runs the file of `load`; afterwards its model is the caller's, unless it fails.
trStatus tr_lua_run(trLuaLoad *load);

// --- assembly.c ---

// Adds the global assembly.
void tr_lua_open_assembly(lua_State *L);
bool tr_lua_is_assembly(lua_State *L, int index);

// --- model.c ---

// Adds the global model.
void tr_lua_open_model(lua_State *L);

// Whether the value at `index` is the model.
bool tr_lua_is_model(lua_State *L, int index);

// Checks that a method was called as m:method { ... } and leaves (m, table) on the stack.
trLuaLoad *tr_lua_method(lua_State *L, const char *method);
// The body on top of the stack, a handle or a name, entry `position` of the table of `owner`.
bool tr_lua_is_body(lua_State *L, int index);
int  tr_lua_body(lua_State *L, const char *owner, int position);
// What model{}, system{} and assembly{} share; `what` is their word and the name of the metatable.
// Leaves the table that describes it, the only one of the file, in places 1 and 2.
trLuaLoad *tr_lua_begin_described(lua_State *L, const char *what, const char *example);
// Pushes its handle.
int tr_lua_push_described(lua_State *L, const char *what);
// Adds the global word, and the methods of its handle, which may have a ground.
void tr_lua_open_described(lua_State *L, const char *what, lua_CFunction describe,
                           const luaL_Reg *methods, bool ground);
// Leaves the settings of m:simulate { ... }, which may be called once.
const trParam *tr_lua_begin_simulate(lua_State *L);
// m:simulate { ... }, of models and systems.
int tr_lua_simulate(lua_State *L);

#endif
