// SPDX-License-Identifier: MIT
// The words of an assembly file: assembly{}, and the methods module, joint, force and simulate of
// what it returns. Ports are bodies of a model, made when they are first mentioned:
//
//     local tower = g:module { name = "tower", model = "tower.lua" }
//     tower.top, or tower["top"], or "tower.top"

#include "lua/assembly.h"

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "base/plain.h"
#include "base/shortest.h"
#include "glue/def.h"
#include "model/params.h"

#define ASSEMBLY "coupled"
#define MODULE "module"
#define MOST_MODULES 4096

typedef struct Module {
    int number;
} Module;

bool tr_lua_is_assembly(lua_State *L, int index) {
    return luaL_testudata(L, index, ASSEMBLY) != NULL;
}

int tr_lua_find_module(const trAssembling *a, const char *name, size_t length) {
    for (int i = 0; i < a->modules; i++) {
        if (strlen(a->module[i].name) == length && strncmp(a->module[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

// --- ports ---

// A port has no inertia of its own; a body must have some, which nothing reads.
static const trParam *port_params(int dim) {
    static const double  unit[] = {1.0, 1.0, 1.0};
    static const trParam planar[] = {
        {.key = "mass", .number = 1.0}, {.key = "inertia", .number = 1.0}, {.key = NULL}};
    static const trParam spatial[] = {
        {.key = "mass", .number = 1.0},
        {.key = "inertia", .kind = TR_PARAM_NUMBERS, .count = 3, .numbers = unit},
        {.key = NULL}};
    return dim == 2 ? planar : spatial;
}

int tr_lua_port(lua_State *L, int module, const char *port) {
    trLuaLoad  *load = tr_load_of(L);
    trModel    *model = load->model;
    const char *name = lua_pushfstring(L, "%s.%s", load->assembling->module[module].name, port);
    int         body = tr_names_find(&model->body_names, name);
    if (body < 0) {
        model->origin = tr_arena_format(model->arena, "%s:%d", load->path, tr_lua_line(L));
        tr_lua_require(L, tr_model_add_body(model, name, port_params(model->dim), &body), "port");
    }
    lua_pop(L, 1);
    return body;
}

static int port_of_module(lua_State *L) {
    const Module *module = luaL_checkudata(L, 1, MODULE);
    if (lua_type(L, 2) != LUA_TSTRING) {
        return tr_lua_error(L, "a port has a name: %s.top, got %s",
                            tr_load_of(L)->assembling->module[module->number].name,
                            tr_lua_type(L, 2));
    }
    return tr_lua_push_body(L, tr_lua_port(L, module->number, lua_tostring(L, 2)));
}

static int refuse_change(lua_State *L) {
    return tr_lua_error(L, "'%s' cannot be set; a module has the ports that it has",
                        luaL_tolstring(L, 2, NULL));
}

// --- modules ---

// The path from the current folder: files of an assembly are named from where it lies.
static const char *path_from(trLuaLoad *load, const char *path) {
    const char *slash = strrchr(load->path, '/');
    trArena    *arena = load->model->arena;
    if (path[0] == '/') {
        return tr_arena_text(arena, path);
    }
    return slash == NULL
               ? tr_arena_format(arena, "./%s", path)
               : tr_arena_format(arena, "%.*s/%s", (int)(slash - load->path), load->path, path);
}

// The value on top of the stack, as the text of an argument.
static const char *value_text(lua_State *L, trArena *arena, const char *owner, const char *key) {
    char number[TR_SHORTEST_BYTES];
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        return lua_toboolean(L, -1) ? "true" : "false";
    case LUA_TSTRING:
        return tr_arena_text(arena, lua_tostring(L, -1));
    case LUA_TNUMBER:
        return lua_isinteger(L, -1)
                   ? tr_arena_format(arena, "%lld", (long long)lua_tointeger(L, -1))
                   : tr_arena_text(arena, tr_shortest(lua_tonumber(L, -1), number));
    default:
        tr_lua_error(L, "%s: %s must be a number, a string, true or false, got %s", owner, key,
                     tr_lua_type(L, -1));
        return NULL;
    }
}

typedef struct Texts {
    const char **at;
    int          count, room;
} Texts;

static void add_text(lua_State *L, Texts *list, const char *text) {
    tr_lua_require(L,
                   tr_table_add(tr_load_of(L)->model->arena, &list->at, &list->count, &list->room,
                                &text, sizeof text),
                   "module");
}

// "prefix" "key" = "value" for every entry of the table under `field`, in the order of keys.
static void add_pairs(lua_State *L, const char *field, const char *owner, const char *prefix,
                      Texts *list) {
    trArena *arena = tr_load_of(L)->model->arena;
    int      type = lua_getfield(L, 2, field);
    if (type != LUA_TNIL && type != LUA_TTABLE) {
        tr_lua_error(L, "%s: %s must be a table, %s = { key = value }, got %s", owner, field, field,
                     tr_lua_type(L, -1));
    }
    for (lua_pushnil(L); type == LUA_TTABLE && lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) {
            tr_lua_error(L, "%s: %s: an entry has no key; write key = value", owner, field);
        }
        const char *key = lua_tostring(L, -2);
        if (key[0] == '@' || strchr(key, '=') != NULL) {
            tr_lua_error(L, "%s: %s: '%s' is not the name of a parameter", owner, field, key);
        }
        add_text(L, list,
                 tr_arena_format(arena, "%s%s=%s", prefix, key, value_text(L, arena, owner, key)));
    }
    lua_settop(L, 2);
    // The order of Lua's tables is not fixed: runs are to be the same.
    for (int i = 1; i < list->count; i++) {
        for (int k = i; k > 0 && strcmp(list->at[k - 1], list->at[k]) > 0; k--) {
            const char *swapped = list->at[k];
            list->at[k] = list->at[k - 1];
            list->at[k - 1] = swapped;
        }
    }
}

// The texts of the list under `field`; false if there is none.
static bool add_list(lua_State *L, const char *field, const char *owner, Texts *list) {
    int type = lua_getfield(L, 2, field);
    if (type == LUA_TNIL) {
        lua_settop(L, 2);
        return false;
    }
    if (type != LUA_TTABLE) {
        tr_lua_error(L, "%s: %s must be a list of strings, got %s", owner, field,
                     tr_lua_type(L, -1));
    }
    for (int i = 1; lua_rawgeti(L, 3, i) != LUA_TNIL; i++, lua_settop(L, 3)) {
        if (lua_type(L, -1) != LUA_TSTRING) {
            tr_lua_error(L, "%s: %s: number %d must be a string, got %s", owner, field, i,
                         tr_lua_type(L, -1));
        }
        add_text(L, list, tr_arena_text(tr_load_of(L)->model->arena, lua_tostring(L, -1)));
    }
    lua_settop(L, 2);
    return true;
}

static void add_option(lua_State *L, const char *key, const char *owner, Texts *list) {
    trArena *arena = tr_load_of(L)->model->arena;
    if (lua_getfield(L, 2, key) != LUA_TNIL) {
        add_text(L, list, tr_arena_format(arena, "@%s=%s", key, value_text(L, arena, owner, key)));
    }
    lua_settop(L, 2);
}

// Files are known by the ends of their names.
static void check_path(lua_State *L, const char *owner, trModuleSource source, const char *path) {
    static const char *const ends[] = {".lua", ".so", ".fmu"};
    size_t                   length = strlen(path), end = strlen(ends[source]);
    if (length < end || strcmp(path + length - end, ends[source]) != 0) {
        tr_lua_error(L, "%s: %s = \"%s\" must end with %s", owner, tr_module_source_name(source),
                     path, ends[source]);
    }
}

// model = "...", program = "...", fmu = "..." or command = { ... }: one of them.
static void read_source(lua_State *L, const char *owner, trModuleUse *use, Texts *arguments) {
    trLuaLoad *load = tr_load_of(L);
    int        found = 0;
    for (int i = TR_MODULE_MODEL; i <= TR_MODULE_COMMAND; i++) {
        const char *key = tr_module_source_name((trModuleSource)i);
        lua_settop(L, 2);
        if (i == TR_MODULE_COMMAND && add_list(L, key, owner, arguments)) {
            if (arguments->count == 0 || arguments->at == NULL) {
                tr_lua_error(L, "%s: command = { \"./program\", ... } has no words", owner);
                return;
            }
            use->path = arguments->at[0];
        } else if (i != TR_MODULE_COMMAND && tr_lua_text_field(L, key, owner) != NULL) {
            check_path(L, owner, (trModuleSource)i, lua_tostring(L, -1));
            use->path = path_from(load, lua_tostring(L, -1));
        } else {
            continue;
        }
        if (use->path != NULL && tr_find_control(use->path) != NULL) {
            tr_lua_error(L, "%s: %s contains a control character", owner, key);
        }
        found++;
        use->source = (trModuleSource)i;
    }
    if (found != 1) {
        tr_lua_error(L,
                     "%s: give one of model = \"file.lua\", program = \"file.so\", fmu = "
                     "\"file.fmu\", command = { \"./my_module\" }",
                     owner);
    }
    lua_settop(L, 2);
}

static const char *const of_fmu[] = {"kind",           "strict", "substeps", "explicit_steps",
                                     "correct_states", "ports",  NULL};

static void refuse_options(lua_State *L, const char *owner, const trModuleUse *use) {
    for (int i = 0; use->source != TR_MODULE_FMU && of_fmu[i] != NULL; i++) {
        if (lua_getfield(L, 2, of_fmu[i]) != LUA_TNIL) {
            tr_lua_error(L, "%s: '%s' belongs to FMUs; this is a %s", owner, of_fmu[i],
                         tr_module_source_name(use->source));
        }
        lua_settop(L, 2);
    }
}

static trModuleUse read_module(lua_State *L, const char *name, const char *owner) {
    trLuaLoad  *load = tr_load_of(L);
    Texts       arguments = {0}, outputs = {0};
    trModuleUse use = {.name = tr_arena_text(load->model->arena, name),
                       .origin = load->model->origin};
    read_source(L, owner, &use, &arguments);
    refuse_options(L, owner, &use);
    if (use.source == TR_MODULE_FMU) {
        for (int i = 0; strcmp(of_fmu[i], "ports") != 0; i++) {
            add_option(L, of_fmu[i], owner, &arguments);
        }
        add_pairs(L, "ports", owner, "@port.", &arguments);
    }
    Texts set = {0};
    add_pairs(L, "set", owner, "", &set);
    for (int i = 0; i < set.count; i++) {
        add_text(L, &arguments, set.at[i]);
    }
    use.outputs = add_list(L, "outputs", owner, &outputs) ? outputs.count : -1;
    int program = use.source == TR_MODULE_COMMAND;  // its first word is the path
    use.arguments = arguments.count - program;
    use.argument = program > 0 ? arguments.at + program : arguments.at;
    use.output = outputs.at;
    return use;
}

static int module(lua_State *L) {
    static const char *const keys[] = {"name",           "model",  "program",  "fmu",
                                       "command",        "set",    "outputs",  "kind",
                                       "ports",          "strict", "substeps", "explicit_steps",
                                       "correct_states", NULL};
    trLuaLoad               *load = tr_lua_method(L, "module");
    trAssembling            *a = load->assembling;
    trEntry                  entry = tr_lua_entry(L, "module");
    const char              *name = entry.name, *owner = entry.owner;
    if (name == NULL) {
        return tr_lua_error(L, "module: 'name' is missing");
    }
    tr_lua_check_entries(L, owner, keys, false);
    if (strchr(name, '.') != NULL) {
        return tr_lua_error(
            L, "%s: the name of a module must not contain '.', which separates its ports", owner);
    }
    if (tr_lua_find_module(a, name, strlen(name)) >= 0) {
        return tr_lua_error(L, "%s: a module of this name exists already", owner);
    }
    if (a->modules >= MOST_MODULES) {
        return tr_lua_error(L, "%s: an assembly has at most %d modules", owner, MOST_MODULES);
    }
    // What is read below takes the stack back to (g, table): the texts are kept first.
    owner = tr_arena_text(load->model->arena, owner);
    name = tr_arena_text(load->model->arena, name);
    lua_settop(L, 2);
    tr_lua_require(L, tr_arena_status(load->model->arena), "module");
    const trModuleUse use = read_module(L, name, owner);
    tr_lua_require(
        L, tr_table_add(load->model->arena, &a->module, &a->modules, &a->room, &use, sizeof use),
        owner);
    Module *handle = lua_newuserdatauv(L, sizeof *handle, 0);
    handle->number = a->modules - 1;
    luaL_setmetatable(L, MODULE);
    return 1;
}

// --- the assembly ---

static int simulate(lua_State *L) {
    trLuaLoad     *load = tr_load_of(L);
    const trParam *params = tr_lua_begin_simulate(L);
    trGlueDef     *def = &load->assembling->def;
    tr_lua_require(L, tr_glue_def_bind(load->model->arena, params, def), "simulate");
    tr_lua_require(L, tr_glue_def_check(def), "simulate");
    return 0;
}

static int assembly(lua_State *L) {
    static const char *const keys[] = {"name", "dim", NULL};
    trLuaLoad               *load = tr_lua_begin_described(L, ASSEMBLY, "name = \"...\", dim = 2");
    tr_lua_check_entries(L, ASSEMBLY, keys, false);
    tr_lua_require(L, tr_model_create(tr_lua_params(L, 2, ASSEMBLY, NULL), &load->model), ASSEMBLY);
    load->assembling = tr_new(load->model->arena, trAssembling);
    tr_lua_require(L, tr_arena_status(load->model->arena), ASSEMBLY);
    load->assembling->def = tr_glue_def_default();
    return tr_lua_push_described(L, ASSEMBLY);
}

void tr_lua_open_assembly(lua_State *L) {
    static const luaL_Reg methods[] = {{"module", module},
                                       {"joint", tr_lua_assembly_joint},
                                       {"force", tr_lua_assembly_force},
                                       {"simulate", simulate},
                                       {NULL, NULL}};
    luaL_newmetatable(L, MODULE);
    lua_pushcfunction(L, port_of_module);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_change);
    lua_setfield(L, -2, "__newindex");
    lua_pop(L, 1);
    tr_lua_open_described(L, ASSEMBLY, assembly, methods, true);
    lua_register(L, "assembly", assembly);  // its former name
}
