// SPDX-License-Identifier: MIT
// Joints and forces of an assembly, between ports:
//
//     g:joint { "revolute", name = "A", tower.top, boom.root }
//     g:joint { "fixed", boom.tip, hook.eye, frame1 = { at = { 0.1, 0 }, angle = 0.5 } }

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/assembly.h"

// In place of the text on top of the stack, "tower.top", the port; other texts stay.
static void push_named_port(lua_State *L) {
    const trAssembling *a = tr_load_of(L)->assembling;
    const char         *name = lua_tostring(L, -1), *dot = strchr(name, '.');
    int module = dot != NULL ? tr_lua_find_module(a, name, (size_t)(dot - name)) : -1;
    if (module >= 0) {
        tr_lua_push_body(L, tr_lua_port(L, module, dot + 1));
        lua_replace(L, -2);
    }
}

// Replaces the table in place 2 by a copy without frame1 and frame2, with ports in place of their
// names, "tower.top". The table itself stays in place 3.
static void copy_table(lua_State *L) {
    lua_newtable(L);
    lua_pushvalue(L, 2);
    lua_replace(L, 1);  // the assembly is not needed any more
    lua_replace(L, 2);
    for (lua_pushnil(L); lua_next(L, 1) != 0;) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        bool        place = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 2;
        if (place && lua_type(L, -1) == LUA_TSTRING) {
            push_named_port(L);
        }
        if (strcmp(key, "frame1") == 0 || strcmp(key, "frame2") == 0) {
            lua_pop(L, 1);
            continue;
        }
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, 2);
    }
}

// A frame is one of the model, so that its parameters are read in one place; joints may report in
// it, by the name "<joint>.frame1".
static trMeeting read_meeting(lua_State *L, const trEntry *entry, int side) {
    trModel    *model = tr_load_of(L)->model;
    trMeeting   none = {.turn = {1.0, 0.0, 0.0, 0.0}};
    const char *key = side == 0 ? "frame1" : "frame2";
    int         type = lua_getfield(L, 1, key);
    if (type == LUA_TNIL) {
        return none;
    }
    if (type != LUA_TTABLE) {
        tr_lua_error(L, "%s: %s must be a table, %s = { at = {...}, %s = ... }, got %s",
                     entry->owner, key, key, model->dim == 2 ? "angle" : "rotation",
                     tr_lua_type(L, -1));
    }
    const char    *owner = lua_pushfstring(L, "%s: %s", entry->owner, key);
    const char    *name = entry->name != NULL
                              ? lua_pushfstring(L, "%s.%s", entry->name, key)
                              : lua_pushfstring(L, "frame%d.%s", model->frames + 1, key);
    const trParam *params = tr_lua_params(L, lua_absindex(L, -3), owner, NULL);
    tr_lua_require(L, tr_model_add_frame(model, name, entry->body[side], params, NULL), owner);
    const trFrame *frame = &model->frame[model->frames - 1];
    return (trMeeting){true, frame->at, frame->turn, frame->angle};
}

static int add(lua_State *L, const char *family, const trEntry *entry, const trField *fields) {
    trMeetingPair pair = {.family = family,
                          .kind = entry->kind,
                          .fields = fields,
                          .name = entry->name,
                          .body1 = entry->body[0],
                          .body2 = entry->body[1]};
    pair.meeting[0] = read_meeting(L, entry, 0);
    pair.meeting[1] = read_meeting(L, entry, 1);
    pair.params = tr_lua_params(L, 2, entry->owner, "name");
    tr_lua_require(L, tr_lua_meet(tr_load_of(L)->model, &pair), entry->owner);
    return 0;
}

// An unknown kind is refused by the model itself, with a suggestion.
static int refuse_kind(lua_State *L, const trEntry *entry, bool force) {
    trModel *model = tr_load_of(L)->model;
    int      body = entry->bodies > 0 ? entry->body[entry->bodies - 1] : TR_GROUND;
    trStatus status =
        force ? tr_model_add_force(model, entry->kind, entry->name, TR_GROUND, body, NULL, NULL)
              : tr_model_add_joint(model, entry->kind, entry->name, TR_GROUND, body, NULL, NULL);
    tr_lua_require(L, status, entry->owner);
    return 0;
}

int tr_lua_assembly_joint(lua_State *L) {
    trLuaLoad *load = tr_lua_method(L, "joint");
    copy_table(L);
    trEntry entry = tr_lua_entry(L, "joint");
    tr_lua_read_positions(L, &entry);
    tr_lua_require_bodies(L, &entry, 2);
    const trJointKind *kind = tr_joint_find(entry.kind, load->model->dim);
    if (kind == NULL) {
        return refuse_kind(L, &entry, false);
    }
    if (kind->nonholonomic > 0) {
        return tr_lua_error(
            L, "%s: '%s' is nonholonomic; modules can be joined by holonomic joints only",
            entry.owner, entry.kind);
    }
    return add(L, "joint", &entry, kind->fields);
}

// Whether the first entry is a port, in place of a kind.
static bool begins_with_port(lua_State *L) {
    if (lua_rawgeti(L, 2, 1) == LUA_TSTRING) {
        push_named_port(L);
    }
    bool port = lua_type(L, -1) == LUA_TUSERDATA;
    lua_settop(L, 2);
    return port;
}

// Functions of a user's own: ports in place of their names, in the table itself.
static int force_law(lua_State *L) {
    for (int place = 1; place <= 2; place++) {
        if (lua_rawgeti(L, 2, place) == LUA_TSTRING) {
            push_named_port(L);
            lua_rawseti(L, 2, place);
        }
        lua_settop(L, 2);
    }
    return tr_lua_force_law(L);
}

int tr_lua_assembly_force(lua_State *L) {
    trLuaLoad *load = tr_lua_method(L, "force");
    if (begins_with_port(L)) {
        return force_law(L);
    }
    copy_table(L);
    trEntry entry = tr_lua_entry(L, "force");
    tr_lua_read_positions(L, &entry);
    const trForceKind *kind = tr_force_find(entry.kind, load->model->dim);
    if (kind == NULL) {
        return refuse_kind(L, &entry, true);
    }
    if (strcmp(entry.kind, "gravity") == 0) {
        return tr_lua_error(L, "%s: ports have no weight; gravity belongs to the modules",
                            entry.owner);
    }
    tr_lua_require_bodies(L, &entry, (kind->traits & TR_ONE_BODY) != 0 ? 1 : 2);
    if ((kind->traits & TR_ONE_BODY) != 0) {
        entry.body[1] = entry.body[0];
        entry.body[0] = TR_GROUND;
    }
    return add(L, "force", &entry, kind->fields);
}
