// SPDX-License-Identifier: MIT
/// @file lua.h Load a model file.

#ifndef TRAMMEL_LUA_H
#define TRAMMEL_LUA_H

#include "trammel/model.h"
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs a Lua file in a sandbox and returns its model. Settings of simulate{} override those in
/// `def`; their strings live as long as the model. `set`: parameters, "N=40", ending with NULL; may
/// be NULL. TR_E_IO if the file cannot be read, TR_E_MODEL for errors in it: "file.lua:12: joint
/// 'rod': unknown key 'lenght'; did you mean 'length'?".
TR_API trStatus tr_lua_load(const char *path, const char *const *set, trModel **model,
                            trSimDef *def) TR_MUST_CHECK;

/// CPU time limit of tr_lua_load and tr_lua_load_text [s].
#define TR_LUA_SECONDS 30.0

/// The same with another limit of CPU time [s]. It is checked between instructions of the file and
/// in long calls; a single long call may exceed it.
TR_API trStatus tr_lua_load_within(double seconds, const char *path, const char *const *set,
                                   trModel **model, trSimDef *def) TR_MUST_CHECK;

/// The same for `size` bytes in memory; messages use `path` as the name of the file.
TR_API trStatus tr_lua_load_text(const char *path, const char *text, size_t size,
                                 const char *const *set, trModel **model,
                                 trSimDef *def) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
