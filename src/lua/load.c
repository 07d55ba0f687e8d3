// SPDX-License-Identifier: MIT
// Runs a model file once, in a sandbox (sandbox.c) with bounds (bounds.c), inside one protected
// call. Lua is closed before tr_lua_load returns, whatever happens.

#include "trammel/lua.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "base/clock.h"
#include "base/numeric.h"
#include "base/plain.h"
#include "lua/lua_internal.h"

#define FILE_LIMIT ((size_t)16 << 20)  // of a model file [bytes]

// --- the file ---

static trStatus read_stream(trArena *arena, FILE *file, trLuaLoad *load) {
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

static trStatus read_file(trArena *arena, trLuaLoad *load) {
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

static trStatus check_text(trLuaLoad *load) {
    static const char mark[] = "\xEF\xBB\xBF";  // some editors put it before UTF-8 text
    if (load->text == NULL) {
        return TR_E_MEMORY;  // read_stream has said so
    }
    if (load->text_size >= 3 && memcmp(load->text, mark, 3) == 0) {
        load->text += 3;
        load->text_size -= 3;
    }
    if (load->text_size > 0 && load->text[0] == '#') {  // the line that names an interpreter
        const char *end = memchr(load->text, '\n', load->text_size);
        size_t      line = end != NULL ? (size_t)(end - load->text) : load->text_size;
        load->text += line;
        load->text_size -= line;
    }
    bool blank = true;
    for (size_t i = 0; i < load->text_size; i++) {
        char c = load->text[i];
        if (c == '\0' || (i == 0 && c == LUA_SIGNATURE[0])) {
            return tr_fail(TR_E_MODEL,
                           "%s: not a text file; a model file is Lua in plain text (UTF-8)",
                           load->path);
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

// --- the run ---

// Buffers of Lua's libraries say in a text what is otherwise a status.
static bool is_memory_text(lua_State *L) {
    return lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "not enough memory") == 0;
}

// Hands the file over line by line: an error of the parser that has no line is at the last one.
static const char *next_line(lua_State *L, void *context, size_t *size) {
    trLuaLoad  *load = context;
    const char *from = load->text + load->parsed;
    size_t      rest = load->text_size - load->parsed;
    const char *end = rest > 0 ? memchr(from, '\n', rest) : NULL;
    *size = end != NULL ? (size_t)(end - from) + 1 : rest;
    load->parsed += *size;
    load->line += *size > 0;
    return from;
}

// Runs the file and leaves what it returns. It runs as a coroutine, which keeps its calls when it
// fails: where memory is short, Lua has no message with a line, and the calls still tell it.
static void run_file(lua_State *L) {
    trLuaLoad *load = tr_load_of(L);
    lua_State *file = lua_newthread(L);
    int        results = 0;
    int        outcome = lua_load(file, next_line, load, "=" TR_LUA_CHUNK, "t");
    bool       parsed = outcome == LUA_OK;
    if (parsed) {
        outcome = lua_resume(file, L, 0, &results);
    }
    if (outcome != LUA_OK) {
        load->out_of_memory = outcome == LUA_ERRMEM || is_memory_text(file);
        load->line = parsed ? tr_lua_line(file) : load->line;
        lua_xmove(file, L, 1);
        lua_error(L);
    }
    load->line = 0;
    lua_settop(file, 1);
    lua_xmove(file, L, 1);
}

// A model where an assembly is needed, and the other way round: who takes it.
static void check_sort(lua_State *L, const trLuaLoad *load) {
    if (load->assembling != NULL && !load->glues) {
        lua_pushliteral(L, "this is an assembly of modules, which 'trammel glue' runs; other "
                           "commands take models");
        lua_error(L);
    }
    if (load->model != NULL && load->assembling == NULL && load->glues) {
        lua_pushliteral(L, "this is a model, which 'trammel run' simulates; an assembly begins "
                           "with coupled { ... } and names its modules");
        lua_error(L);
    }
}

// What the file describes is what it returns.
static void check_returned(lua_State *L, const trLuaLoad *load) {
    check_sort(L, load);
    if (load->model == NULL) {
        lua_pushstring(L, load->glues ? "the file describes no assembly; it must call coupled { "
                                        "... } and return that"
                                      : "the file describes no model; it must call model { ... } "
                                        "or system { ... } and return that");
        lua_error(L);
    }
    bool        system = load->model->dim == 0;
    const char *what = load->glues ? "assembly" : system ? "system" : "model";
    if (!tr_lua_is_model(L, -1) && !tr_lua_is_system(L, -1) && !tr_lua_is_assembly(L, -1)) {
        lua_pushfstring(L, "the file must return its %s, but returns %s%s; end it with 'return %s'",
                        what, lua_isnil(L, -1) ? "" : "a ", tr_lua_type(L, -1),
                        load->glues ? "g"
                        : system    ? "s"
                                    : "m");
        lua_error(L);
    }
}

// The protected function.
static int run(lua_State *L) {
    trLuaLoad *load = tr_load_of(L);
    tr_lua_open_sandbox(L);
    tr_lua_bound(L);
    run_file(L);
    check_returned(L, load);
    tr_lua_require_parameters(L);
    return 0;
}

// Lua's own words, "bad 'for' limit (number expected, got traced value)", lack the remedy.
static const char *own_hint(const char *text) {
    static const struct {
        const char *signs[2], *hint;
    } hints[] = {
        {{"bad 'for' ", "got traced value"}, "; a loop needs a fixed number of iterations"},
        {{"C stack overflow", ""}, "; something is nested too deeply: name its parts by locals"},
        {{"stack overflow", ""}, "; a function calls itself without end"},
        {{"'then' expected", "near '='"}, "; to compare, write =="},
        {{"syntax error near '+'", ""}, "; Lua has no += : write n = n + 1"},
        {{"<eof> expected", ""},
         "; 'return' must be the last statement, or there is one 'end' too many"},
        {{"near '<\\", ""}, "; names have letters a to z, digits and _"},
        {{"index a function value", ""}, "; call it first, as in model { ... }"},
        {{"too many results to unpack", ""}, "; use the table itself"},
        {{"invalid order function", ""}, "; it must be true only if a comes before b"},
        {{"too many local variables", ""}, "; keep them in a table"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (strstr(text, hints[i].signs[0]) != NULL && strstr(text, hints[i].signs[1]) != NULL) {
            return hints[i].hint;
        }
    }
    return "";
}

// A nil where an argument was expected, or an argument of another sort, is mostly the wrong order.
static const char *order_hint(const trLuaLoad *load, const char *text, char *hint, size_t size) {
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

static trStatus report_memory(const trLuaLoad *load) {
    char     place[32] = ":", words[TR_LUA_WORDS];
    trStatus status = load->excess != TR_EXCESS_NONE ? TR_E_MODEL : TR_E_MEMORY;
    if (load->line > 0) {
        snprintf(place, sizeof place, ":%d:", load->line);
    }
    return tr_fail(status, "%s%s %s", load->path, place,
                   status == TR_E_MEMORY ? "out of memory"
                                         : tr_lua_excess_words(load, words, sizeof words));
}

// Sets the error text from what stopped the file: one line that begins with the path.
static trStatus report(lua_State *L, const trLuaLoad *load, int outcome) {
    char        line[1024], hint[128], place[32] = "";
    const char *text = "the file stopped with an error that is not a string; write error(\"...\")";
    const char *chunk = TR_LUA_CHUNK ":";
    if (outcome == LUA_ERRMEM || load->out_of_memory) {
        return report_memory(load);
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        text = lua_tostring(L, -1);
    }
    bool placed = strncmp(text, chunk, strlen(chunk)) == 0;
    if (!placed && load->line > 0) {
        snprintf(place, sizeof place, "%d:", load->line);
    }
    snprintf(line, sizeof line, "%s%s%s", placed ? text + strlen(chunk) : text, own_hint(text),
             order_hint(load, text, hint, sizeof hint));
    tr_make_plain(line);
    return tr_fail(load->status, "%s:%s%s%s", load->path, place, placed ? "" : " ", line);
}

// Results carry the model that they come from.
static trStatus keep_source(const trLuaLoad *load) {
    trModel *model = load->model;
    model->source = tr_arena_format(model->arena, "%.*s", (int)load->text_size, load->text);
    model->given = tr_arena_text(model->arena, "");
    for (int i = 0; load->set != NULL && load->set[i] != NULL; i++) {
        model->given =
            tr_arena_format(model->arena, "%s%s%s", model->given, i == 0 ? "" : "\n", load->set[i]);
    }
    return tr_arena_status(model->arena);
}

static trStatus load_model(trArena *arena, trLuaLoad *load) {
    TR_TRY(tr_lua_check_set(arena, load));
    if (load->text == NULL) {
        TR_TRY(read_file(arena, load));
    }
    TR_TRY(check_text(load));
    load->begun = tr_clock_thread();
    lua_State *L = lua_newstate(tr_lua_allocate, load);
    if (L == NULL) {
        return tr_fail(TR_E_MEMORY, "%s: out of memory", load->path);
    }
    *(trLuaLoad **)lua_getextraspace(L) = load;
    lua_pushcfunction(L, run);
    int      outcome = lua_pcall(L, 0, 0, 0);
    trStatus status = outcome == LUA_OK ? TR_OK : report(L, load, outcome);
    lua_close(L);
    return status == TR_OK ? keep_source(load) : status;
}

trStatus tr_lua_run(trLuaLoad *load) {
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    load->status = TR_E_MODEL;
    trNumeric numeric = tr_numeric_begin();
    trStatus  status = load_model(arena, load);
    tr_numeric_end(numeric);
    tr_arena_destroy(arena);
    if (status != TR_OK) {
        tr_model_destroy(load->model);
        return status;
    }
    tr_arena_limit(load->model->arena, 0);
    return TR_OK;
}

static trStatus load_within(trLuaLoad *load, trModel **model, trSimDef *def) {
    *model = NULL;
    load->def = *def;
    TR_TRY(tr_lua_run(load));
    *model = load->model;
    *def = load->def;
    return TR_OK;
}

trStatus tr_lua_load_text(const char *path, const char *text, size_t size, const char *const *set,
                          trModel **model, trSimDef *def) {
    trLuaLoad load = {
        .path = path, .text = text, .text_size = size, .set = set, .seconds = TR_LUA_SECONDS};
    return load_within(&load, model, def);
}

trStatus tr_lua_load_within(double seconds, const char *path, const char *const *set,
                            trModel **model, trSimDef *def) {
    trLuaLoad load = {.path = path, .set = set, .seconds = seconds};
    return load_within(&load, model, def);
}

trStatus tr_lua_load(const char *path, const char *const *set, trModel **model, trSimDef *def) {
    return tr_lua_load_within(TR_LUA_SECONDS, path, set, model, def);
}
