// SPDX-License-Identifier: MIT
// What the files about assemblies share.

#ifndef TR_LUA_ASSEMBLY_H
#define TR_LUA_ASSEMBLY_H

#include "lua/entry.h"
#include "trammel/assembly.h"

// An assembly while its file runs. Its memory is that of the model of ports.
typedef struct trAssembling {
    trModuleUse *module;  // modules
    int          modules, room;
    trGlueDef    def;
} trAssembling;

// The body of a port, which is made when it is first mentioned.
int tr_lua_port(lua_State *L, int module, const char *port);
// The module of this name, or -1.
int tr_lua_find_module(const trAssembling *assembling, const char *name, size_t length);

// g:joint { ... }, g:force { ... }
int tr_lua_assembly_joint(lua_State *L);
int tr_lua_assembly_force(lua_State *L);

// Where a joint or force meets a body: in the frame of the port, or in the world for ground.
typedef struct trMeeting {
    bool   given;
    trVec3 at;     // [m]
    trQuat turn;   // from the meeting frame
    double angle;  // planar: the same [rad]
} trMeeting;

// A joint or force of ports. Where ports are at the start is not known when the file is read: what
// kinds take from the start is taken with the two meeting frames on each other.
typedef struct trMeetingPair {
    const char    *family;  // "joint" or "force"
    const char    *kind;
    const trField *fields;  // of the kind
    const char    *name;    // or NULL
    int            body1, body2;
    trMeeting      meeting[2];
    const trParam *params;  // without frame1 and frame2
} trMeetingPair;

// Adds it to the model (assembly_place.c).
trStatus tr_lua_meet(trModel *model, trMeetingPair *pair);

#endif
