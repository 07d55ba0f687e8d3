// SPDX-License-Identifier: MIT
// Constraints and forces of a user's own on bodies: functions of the motion of one or more bodies,
// called once with traced bodies and a traced time.
//
//     m:constraint { name = "track", crank, phi = function(b, t) return b.x^2 + b.y^2 - 1 end }
//
// A traced body shows its frame: x, y, r, angle, vx, vy, v, omega in the plane; x, y, z, r, R,
// quaternion, vx, vy, vz, v, wx, wy, wz, omega in space; and point and velocity of points fixed in
// it.

#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/lua_internal.h"
#include "lua/record.h"

#define TRACED_BODY "traced body"
#define MOST_BODIES 64  // of one function

typedef struct TracedBody {
    int body;
    int serial;  // of the recording that it belongs to
} TracedBody;

// --- traced bodies ---

static int push_nodes(lua_State *L, int count, const int *node) {
    for (int i = 0; i < count; i++) {
        tr_lua_push_traced(L, node[i]);
    }
    tr_lua_push_vector(L, count, "vector");
    return 1;
}

static int push_matrix(lua_State *L, int R[3][3]) {
    for (int i = 0; i < 3; i++) {
        push_nodes(L, 3, R[i]);
    }
    tr_lua_push_matrix(L);
    return 1;
}

static int push_list(lua_State *L, int count, const int *node) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        tr_lua_push_traced(L, node[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static trTracedBody motion_of(lua_State *L, int index) {
    trLuaLoad        *load = tr_load_of(L);
    const TracedBody *body = luaL_checkudata(L, index, TRACED_BODY);
    trTracedBody      motion;
    if (load->tape == NULL || body->serial != load->serial) {
        tr_lua_error(L, "a traced body is used outside of its function");
    }
    tr_trace_body(load->model, load->tape, body->body, &motion);
    if (tr_tape_room(load->tape) != TR_OK) {
        tr_lua_require(L, tr_tape_room(load->tape), "the functions");
    }
    return motion;
}

// The arm of a point given in the body frame, in world axes.
static void arm_of(lua_State *L, const trTracedBody *b, int *arm) {
    trLuaLoad *load = tr_load_of(L);
    int        dim = load->model->dim, zero = tr_tape_constant(load->tape, 0.0);
    int        local[3] = {zero, zero, zero}, R[3][3];
    if (tr_lua_list_length(L, 2) != dim) {
        tr_lua_error(L, "a point fixed in a body has %d coordinates: b:point { %s }", dim,
                     dim == 2 ? "x, y" : "x, y, z");
    }
    tr_lua_read_list(L, 2, "point", dim, local);
    memcpy(R, b->R, sizeof R);
    tr_trace_rotate(load->tape, R, local, arm);
}

// b:point { px, py }: where a point fixed in the frame is.
static int point(lua_State *L) {
    lua_settop(L, 2);
    trTracedBody b = motion_of(L, 1);
    int          arm[3];
    arm_of(L, &b, arm);
    tr_trace_add(tr_load_of(L)->tape, b.r, arm, arm);
    return push_nodes(L, tr_load_of(L)->model->dim, arm);
}

// b:velocity { px, py }: and its velocity, v + omega x arm.
static int velocity(lua_State *L) {
    lua_settop(L, 2);
    trTracedBody b = motion_of(L, 1);
    int          arm[3];
    arm_of(L, &b, arm);
    tr_trace_cross(tr_load_of(L)->tape, b.omega, arm, arm);
    tr_trace_add(tr_load_of(L)->tape, b.v, arm, arm);
    return push_nodes(L, tr_load_of(L)->model->dim, arm);
}

// A number of the frame's motion by name, or -1.
static int component(const trTracedBody *b, int dim, const char *key) {
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
    const int                nodes[] = {b->r[0], b->r[1],     b->r[2],     b->v[0],    b->v[1],
                                        b->v[2], b->omega[0], b->omega[1], b->omega[2]};
    for (int i = 0; i < 9; i++) {
        bool in_plane = i == 0 || i == 1 || i == 3 || i == 4;
        if ((dim == 3 || in_plane) && strcmp(key, names[i]) == 0) {
            return nodes[i];
        }
    }
    if (dim == 2 && strcmp(key, "angle") == 0) {
        return b->angle;
    }
    return dim == 2 && strcmp(key, "omega") == 0 ? b->omega[2] : -1;
}

static int refuse_field(lua_State *L, int dim, const char *key) {
    static const char *const planar[] = {"x", "y", "angle", "vx",       "vy", "omega",
                                         "r", "v", "point", "velocity", NULL};
    static const char *const spatial[] = {"x",  "y",     "z",        "vx",         "vy", "vz",
                                          "wx", "wy",    "wz",       "r",          "v",  "omega",
                                          "R",  "point", "velocity", "quaternion", NULL};
    const char *const       *fields = dim == 2 ? planar : spatial;
    lua_newtable(L);
    for (int i = 0; fields[i] != NULL; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, fields[i]);
    }
    tr_lua_push_hint(L, lua_gettop(L), key);
    const char *hint = lua_tostring(L, -1);
    if (*hint == '\0') {
        hint = dim == 2 ? "; it has x, y, angle, vx, vy, omega, r, v, point and velocity"
                        : "; it has x, y, z, vx, vy, vz, wx, wy, wz, r, v, omega, R, quaternion, "
                          "point and velocity";
    }
    return tr_lua_error(L, "a body %s has no '%s'%s", dim == 2 ? "of the plane" : "of space", key,
                        hint);
}

static int body_index(lua_State *L) {
    const char *key = luaL_tolstring(L, 2, NULL);
    int         dim = tr_load_of(L)->model->dim;
    if (strcmp(key, "point") == 0 || strcmp(key, "velocity") == 0) {
        lua_pushcfunction(L, key[0] == 'p' ? point : velocity);
        return 1;
    }
    trTracedBody b = motion_of(L, 1);
    int          node = component(&b, dim, key);
    if (node >= 0) {
        return tr_lua_push_traced(L, node);
    }
    if (strcmp(key, "r") == 0 || strcmp(key, "v") == 0) {
        return push_nodes(L, dim, key[0] == 'r' ? b.r : b.v);
    }
    if (dim == 3 && strcmp(key, "omega") == 0) {
        return push_nodes(L, 3, b.omega);
    }
    if (dim == 3 && strcmp(key, "R") == 0) {
        return push_matrix(L, b.R);
    }
    if (dim == 3 && strcmp(key, "quaternion") == 0) {
        return push_list(L, 4, b.quaternion);
    }
    return refuse_field(L, dim, key);
}

static int refuse_change(lua_State *L) {
    return tr_lua_error(L, "'%s' of a body cannot be set in a function",
                        luaL_tolstring(L, 2, NULL));
}

// --- calls ---

typedef struct Bodies {
    int count;
    int body[MOST_BODIES];
} Bodies;

// The entries without keys, in table 2.
static Bodies read_bodies(lua_State *L, const char *owner, int least, int most) {
    Bodies bodies = {0};
    int    numbered = 0;
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        numbered += lua_type(L, -2) == LUA_TNUMBER;
    }
    while (bodies.count < most && lua_rawgeti(L, 2, bodies.count + 1) != LUA_TNIL) {
        bodies.body[bodies.count] = tr_lua_body(L, owner, bodies.count + 1);
        bodies.count++;
    }
    if (numbered > bodies.count || bodies.count < least) {
        const char *wanted = least == most ? lua_pushfstring(L, "%d", least)
                                           : lua_pushfstring(L, "%d to %d", least, most);
        tr_lua_error(
            L,
            "%s: needs %s bodies without a key, got %d; is a body's variable misspelled or "
            "not defined above this line?",
            owner, wanted, numbered);
    }
    return bodies;
}

// Calls the function under this key of table 2; leaves its result.
static int record(lua_State *L, const char *key, const char *owner, const Bodies *bodies) {
    trLuaLoad *load = tr_load_of(L);
    trTraced  *traced = NULL;
    tr_lua_require(L, tr_model_traced(load->model, &traced), owner);
    luaL_checkstack(L, bodies->count + 8, "many bodies");
    load->called_as = "its bodies in their order, t";
    tr_lua_push_function(L, key, owner);
    tr_lua_begin_trace(L, traced->tape);
    for (int i = 0; i < bodies->count; i++) {
        TracedBody *body = lua_newuserdatauv(L, sizeof *body, 0);
        *body = (TracedBody){.body = bodies->body[i], .serial = load->serial};
        luaL_setmetatable(L, TRACED_BODY);
    }
    tr_lua_push_traced(L, tr_tape_time(traced->tape));
    return tr_lua_call_recorded(L, bodies->count + 1);
}

// --- constraints ---

static int add_rows(lua_State *L, const char *method, const char *key) {
    const char *const keys[] = {"name", "unit", key, NULL};
    tr_lua_method(L, method);
    const char *name = tr_lua_text_field(L, "name", method);
    if (name == NULL) {
        return tr_lua_error(L, "%s: 'name' is missing", method);
    }
    const char *owner = lua_pushfstring(L, "%s '%s'", method, name);
    tr_lua_check_entries(L, owner, keys, true);
    trTracedRows rows = {.name = name, .nonholonomic = strcmp(key, "psi") == 0};
    rows.unit = tr_lua_text_field(L, "unit", owner);
    rows.unit = rows.unit == NULL ? "m" : rows.unit;
    Bodies bodies = read_bodies(L, owner, 1, MOST_BODIES);
    return tr_lua_add_rows(L, record(L, key, owner, &bodies), owner, &rows);
}

int tr_lua_constraint(lua_State *L) {
    return add_rows(L, "constraint", "phi");
}

int tr_lua_nonholonomic(lua_State *L) {
    return add_rows(L, "nonholonomic", "psi");
}

// --- forces ---

static bool has_key(lua_State *L, const char *key) {
    bool there = lua_getfield(L, 2, key) != LUA_TNIL;
    lua_pop(L, 1);
    return there;
}

// `count` numbers of the function under a key; left as they are without it.
static void read_load(lua_State *L, const char *key, const char *owner, const Bodies *bodies,
                      int count, int *node) {
    if (!has_key(L, key)) {
        return;
    }
    const char *what = lua_pushfstring(L, "%s: %s", owner, key);
    int         at = record(L, key, owner, bodies);
    if (tr_lua_count_rows(L, at, what) != count) {
        tr_lua_error(L, "%s: the function must return %d number%s, got %d", what, count,
                     count == 1 ? "" : "s", tr_lua_count_rows(L, at, what));
    }
    tr_lua_read_list(L, at, what, count, node);
    tr_lua_end_trace(L);
}

static trStatus trace_force(lua_State *L, const char *owner, const Bodies *bodies, int body1,
                            int body2, trTracedForce *out) {
    trModel  *model = tr_load_of(L)->model;
    trTraced *traced = NULL;
    TR_TRY(tr_model_traced(model, &traced));
    trTape *tape = traced->tape;
    int     zero = tr_tape_constant(tape, 0.0), dim = model->dim;
    if (has_key(L, "potential")) {
        int potential = zero;
        read_load(L, "potential", owner, bodies, 1, &potential);
        return tr_trace_potential(model, tape, body1, body2, potential, out);
    }
    int force[3] = {zero, zero, zero}, moment[3] = {zero, zero, zero};
    read_load(L, "force", owner, bodies, dim, force);
    read_load(L, "moment", owner, bodies, dim == 2 ? 1 : 3, dim == 2 ? &moment[2] : moment);
    tr_trace_load(model, tape, body1, body2, force, moment, out);
    return tr_tape_room(tape);
}

int tr_lua_force_law(lua_State *L) {
    static const char *const keys[] = {"name", "force", "moment", "potential", NULL};
    trModel                 *model = tr_lua_method(L, "force")->model;
    const char              *name = tr_lua_text_field(L, "name", "force");
    const char *owner = name == NULL ? "force" : lua_pushfstring(L, "force '%s'", name);
    tr_lua_check_entries(L, owner, keys, true);
    bool potential = has_key(L, "potential"), load = has_key(L, "force") || has_key(L, "moment");
    if (potential == load) {
        return tr_lua_error(L,
                            "%s: give its kind as the first entry, or custom functions: either "
                            "force and moment, or potential",
                            owner);
    }
    Bodies        bodies = read_bodies(L, owner, 1, 2);
    int           body1 = bodies.count == 2 ? bodies.body[0] : TR_GROUND;
    int           body2 = bodies.body[bodies.count - 1];
    trTracedForce force;
    trStatus      status = trace_force(L, owner, &bodies, body1, body2, &force);
    if (status == TR_OK) {
        status = tr_model_add_traced_force(model, name, body1, body2, &force);
    }
    tr_lua_require(L, status, owner);
    return 0;
}

void tr_lua_open_bodies(lua_State *L) {
    luaL_newmetatable(L, TRACED_BODY);
    lua_pushcfunction(L, body_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_change);
    lua_setfield(L, -2, "__newindex");
    lua_pop(L, 1);
}
