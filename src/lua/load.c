// SPDX-License-Identifier: MIT
// Runs a model file once, in a sandbox with bounds on memory and instructions, inside one protected
// call. Lua is closed before tr_lua_load returns, whatever happens.

#include "trammel/lua.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "lua/lua_internal.h"

#define FILE_LIMIT ((size_t)16 << 20)  // of a model file [bytes]
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // thousands of files a second
#define MEMORY_LIMIT ((size_t)16 << 20)
#define TICK 1000
#define TICK_LIMIT 50
#else
#define MEMORY_LIMIT ((size_t)512 << 20)  // of Lua [bytes]
#define TICK 1000000                      // instructions between looks at the limit
#define TICK_LIMIT 500                    // 5e8 instructions
#endif

// What Lua offers and a model file does not get: files, processes, code from texts, and what would
// let a file hide an error, get around the bounds or reach into handles.
static const char *const refused[] = {
    "_G",      "collectgarbage", "coroutine", "debug",      "dofile", "getmetatable",
    "io",      "load",           "loadfile",  "loadstring", "os",     "package",
    "pcall",   "print",          "rawequal",  "rawget",     "rawlen", "rawset",
    "require", "setmetatable",   "utf8",      "warn",       "xpcall"};

// Functions that run long inside C, where instructions are not counted, or that give bytecode.
static const char *const refused_string[] = {"dump", "find", "gmatch", "gsub", "match"};
static const char *const refused_table[] = {"move"};

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

// --- the file ---

static trStatus read_stream(trArena *arena, FILE *file, trLoad *load) {
    size_t room = (size_t)1 << 16, size = 0;
    char  *text = tr_arena_take(arena, room, 1);
    while (text != NULL) {
        size += fread(text + size, 1, room - size, file);
        if (size < room || size > FILE_LIMIT) {
            break;
        }
        char *larger = tr_arena_take(arena, 2 * room, 1);
        if (larger != NULL) {
            memcpy(larger, text, size);
        }
        text = larger;
        room *= 2;
    }
    load->text = text;
    load->text_size = size;
    return tr_arena_status(arena);
}

static trStatus read_file(trArena *arena, trLoad *load) {
    FILE *file = fopen(load->path, "rb");
    if (file == NULL) {
        return tr_fail(TR_E_IO, "%s: cannot read: %s", load->path, strerror(errno));
    }
    errno = 0;
    trStatus status = read_stream(arena, file, load);
    int      reason = ferror(file) ? errno : 0;
    bool     failed = ferror(file) != 0;
    fclose(file);
    TR_TRY(status);
    if (failed) {
        return tr_fail(TR_E_IO, "%s: cannot read: %s", load->path, strerror(reason));
    }
    if (load->text_size > FILE_LIMIT) {
        return tr_fail(TR_E_MODEL, "%s: the file is larger than %d MiB; it is not a model file",
                       load->path, (int)(FILE_LIMIT >> 20));
    }
    return TR_OK;
}

static trStatus check_text(trLoad *load) {
    static const char mark[] = "\xEF\xBB\xBF";  // some editors put it before UTF-8 text
    if (load->text_size >= 3 && memcmp(load->text, mark, 3) == 0) {
        load->text += 3;
        load->text_size -= 3;
    }
    bool blank = true;
    for (size_t i = 0; i < load->text_size; i++) {
        char c = load->text[i];
        if (c == '\0' || (i == 0 && c == LUA_SIGNATURE[0])) {
            return tr_fail(TR_E_MODEL, "%s: not a text file", load->path);
        }
        blank = blank && isspace((unsigned char)c);
    }
    if (blank) {
        return tr_fail(TR_E_MODEL,
                       "%s: the file is empty; it must return a model (see "
                       "docs/guide/model-files.md)",
                       load->path);
    }
    return TR_OK;
}

// --- bounds ---

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
    trLoad *load = context;
    size_t  old = block == NULL ? 0 : old_size;  // of a new block, old_size is its type
    if (size == 0) {
        free(block);
        load->bytes -= old;
        return NULL;
    }
    if (load->bytes - old > MEMORY_LIMIT || size > MEMORY_LIMIT - (load->bytes - old)) {
        load->exhausted = true;
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL) {
        load->bytes = load->bytes - old + size;
    }
    return moved;
}

static void count_instructions(lua_State *L, lua_Debug *event) {
    trLoad *load = tr_load_of(L);
    (void)event;
    load->ticks++;
    if (load->ticks >= TICK_LIMIT) {
        tr_lua_error(L, "the file runs too long (more than %d million instructions)",
                     (int)((long)TICK_LIMIT * TICK / 1000000));
    }
}

// --- undefined names ---

static bool is_listed(const char *const *list, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// __index of the globals.
static int undefined_variable(lua_State *L) {
    const char *name = luaL_tolstring(L, 2, NULL);
    if (is_listed(refused, COUNT(refused), name)) {
        return tr_lua_error(L, "%s is not available in model files", name);
    }
    tr_lua_push_hint(L, 1, name);
    const char *hint = lua_tostring(L, -1);
    return tr_lua_error(L, "undefined variable '%s'%s", name,
                        *hint == '\0' ? "; define it above this line" : hint);
}

// __index of a library, whose name is the first upvalue.
static int undefined_member(lua_State *L) {
    const char *library = lua_tostring(L, lua_upvalueindex(1));
    const char *name = luaL_tolstring(L, 2, NULL);
    if (is_listed(refused_string, COUNT(refused_string), name) ||
        is_listed(refused_table, COUNT(refused_table), name)) {
        return tr_lua_error(L, "%s.%s is not available in model files", library, name);
    }
    tr_lua_push_hint(L, 1, name);
    return tr_lua_error(L, "undefined function '%s.%s'%s", library, name, lua_tostring(L, -1));
}

// --- the run ---

// Takes what is refused out of the table on top of the stack, and pops it.
static void seal_library(lua_State *L, const char *name, const char *const *list, int count) {
    for (int i = 0; i < count; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, list[i]);
    }
    lua_createtable(L, 0, 1);
    lua_pushstring(L, name);
    lua_pushcclosure(L, name == NULL ? undefined_variable : undefined_member, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

static void open_sandbox(lua_State *L) {
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
    // The same file gives the same model: random numbers start from a fixed seed.
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, 1);
    lua_call(L, 1, 0);
    lua_settop(L, 0);
    tr_lua_open_trace(L);
    tr_lua_open_vectors(L);
    tr_lua_open_laws(L);
    tr_lua_open_model(L);
    tr_lua_open_systems(L);
    tr_lua_open_bodies(L);
    tr_lua_open_parameters(L);
    lua_getglobal(L, "string");
    seal_library(L, "string", refused_string, COUNT(refused_string));
    lua_getglobal(L, "table");
    seal_library(L, "table", refused_table, COUNT(refused_table));
    lua_getglobal(L, "math");
    seal_library(L, "math", NULL, 0);
    lua_pushglobaltable(L);
    seal_library(L, NULL, refused, COUNT(refused));
}

// Runs the file and leaves what it returns. It runs as a coroutine, which keeps its calls when it
// fails: where memory is short, Lua has no message with a line, and the calls still tell it.
static void run_file(lua_State *L) {
    trLoad    *load = tr_load_of(L);
    lua_State *file = lua_newthread(L);
    int        results = 0;
    int        outcome = luaL_loadbufferx(file, load->text, load->text_size, "=" TR_LUA_CHUNK, "t");
    if (outcome == LUA_OK) {
        outcome = lua_resume(file, L, 0, &results);
    }
    if (outcome != LUA_OK) {
        load->out_of_memory = outcome == LUA_ERRMEM;
        load->line = tr_lua_line(file);
        lua_xmove(file, L, 1);
        lua_error(L);
    }
    lua_settop(file, 1);
    lua_xmove(file, L, 1);
}

// The protected function.
static int run(lua_State *L) {
    trLoad *load = tr_load_of(L);
    open_sandbox(L);
    lua_sethook(L, count_instructions, LUA_MASKCOUNT, TICK);
    run_file(L);
    if (load->model == NULL) {
        lua_pushliteral(L, "the file describes no model; it must call model { ... } or system { "
                           "... } and return that");
        return lua_error(L);
    }
    bool system = load->model->dim == 0;
    if (!tr_lua_is_model(L, -1) && !tr_lua_is_system(L, -1)) {
        lua_pushfstring(L, "the file must return its %s, but returns %s%s; end it with 'return %s'",
                        system ? "system" : "model", lua_isnil(L, -1) ? "" : "a ",
                        tr_lua_type(L, -1), system ? "s" : "m");
        return lua_error(L);
    }
    tr_lua_require_parameters(L);
    return 0;
}

// Lua's own words, "bad 'for' limit (number expected, got traced value)", lack the remedy.
static const char *loop_hint(const char *text) {
    return strstr(text, "bad 'for' ") != NULL && strstr(text, "got traced value") != NULL
               ? "; a loop needs a fixed number of rounds"
               : "";
}

// A nil where an argument was expected, or an argument of another sort, is mostly the wrong order.
static const char *order_hint(const trLoad *load, const char *text, char *hint, size_t size) {
    static const char *const signs[] = {"nil value (local", "traced value has no entries",
                                        "traced value is not a function", "index a body value"};
    bool                     likely = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        likely = likely || strstr(text, signs[i]) != NULL;
    }
    hint[0] = '\0';
    if (likely && load->called_as != NULL) {
        snprintf(hint, size, "; the function is called with (%s)", load->called_as);
    }
    return hint;
}

static trStatus report_memory(const trLoad *load) {
    char     place[32] = ":";
    trStatus status = load->exhausted ? TR_E_MODEL : TR_E_MEMORY;
    if (load->line > 0) {
        snprintf(place, sizeof place, ":%d:", load->line);
    }
    return tr_fail(status, "%s%s the file needs too much memory (the limit is %d MiB)", load->path,
                   place, (int)(MEMORY_LIMIT >> 20));
}

// Sets the error text from what stopped the file: one line that begins with the path.
static trStatus report(lua_State *L, const trLoad *load, int outcome) {
    char        line[1024], hint[128];
    const char *text = "the file stopped with an error that is not a text";
    const char *chunk = TR_LUA_CHUNK ":";
    if (outcome == LUA_ERRMEM || load->out_of_memory) {
        return report_memory(load);
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        text = lua_tostring(L, -1);
    }
    bool placed = strncmp(text, chunk, strlen(chunk)) == 0;
    snprintf(line, sizeof line, "%s%s%s", placed ? text + strlen(chunk) : text, loop_hint(text),
             order_hint(load, text, hint, sizeof hint));
    for (char *c = line; *c != '\0'; c++) {
        *c = iscntrl((unsigned char)*c) ? ' ' : *c;
    }
    return tr_fail(load->status, "%s:%s%s", load->path, placed ? "" : " ", line);
}

// Results carry the model that they come from.
static trStatus keep_source(const trLoad *load) {
    trModel *model = load->model;
    model->source = tr_arena_format(model->arena, "%.*s", (int)load->text_size, load->text);
    model->given = tr_arena_text(model->arena, "");
    for (int i = 0; load->set != NULL && load->set[i] != NULL; i++) {
        model->given =
            tr_arena_format(model->arena, "%s%s%s", model->given, i == 0 ? "" : "\n", load->set[i]);
    }
    return tr_arena_status(model->arena);
}

static trStatus load_model(trArena *arena, trLoad *load) {
    TR_TRY(tr_lua_check_set(arena, load));
    if (load->text == NULL) {
        TR_TRY(read_file(arena, load));
    }
    TR_TRY(check_text(load));
    lua_State *L = lua_newstate(allocate, load);
    if (L == NULL) {
        return tr_fail(TR_E_MEMORY, "%s: out of memory", load->path);
    }
    *(trLoad **)lua_getextraspace(L) = load;
    lua_pushcfunction(L, run);
    int      outcome = lua_pcall(L, 0, 0, 0);
    trStatus status = outcome == LUA_OK ? TR_OK : report(L, load, outcome);
    lua_close(L);
    return status == TR_OK ? keep_source(load) : status;
}

// `text` NULL: the file is read.
trStatus tr_lua_load_text(const char *path, const char *text, size_t size, const char *const *set,
                          trModel **model, trSimDef *def) {
    trArena *arena = tr_arena_create();
    *model = NULL;
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trLoad   load = {.path = path,
                     .text = text,
                     .text_size = size,
                     .set = set,
                     .def = *def,
                     .status = TR_E_MODEL};
    trStatus status = load_model(arena, &load);
    tr_arena_destroy(arena);
    if (status != TR_OK) {
        tr_model_destroy(load.model);
        return status;
    }
    *model = load.model;
    *def = load.def;
    return TR_OK;
}

trStatus tr_lua_load(const char *path, const char *const *set, trModel **model, trSimDef *def) {
    return tr_lua_load_text(path, NULL, 0, set, model, def);
}
