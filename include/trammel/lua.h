// SPDX-License-Identifier: MIT
/// @file lua.h Load a model file.

#ifndef TRAMMEL_LUA_H
#define TRAMMEL_LUA_H

#include "trammel/model.h"
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the Lua file once, in a sandbox, and returns the model it describes. `def` receives what
/// the file says under simulate{}, over what it holds already; its texts live as long as the
/// model. Lua is closed on return. TR_E_IO if the file cannot be read, TR_E_MODEL for anything
/// wrong in it: "file.lua:12: joint 'rod': unknown key 'lenght'; did you mean 'length'?".
/// `set` are parameters given from outside, "N=40", ending with NULL; may be NULL.
TR_API trStatus tr_lua_load(const char *path, const char *const *set, trModel **model,
                            trSimDef *def) TR_MUST_CHECK;

/// The time that tr_lua_load and tr_lua_load_text give a file [s].
#define TR_LUA_SECONDS 30.0

/// The same with another bound on the time that the processor may spend on the file, in seconds. It
/// is looked at between instructions of the file and in long calls; a single one that is longer is
/// not cut short.
TR_API trStatus tr_lua_load_within(double seconds, const char *path, const char *const *set,
                                   trModel **model, trSimDef *def) TR_MUST_CHECK;

/// The same for the text of a file that is in memory, `size` bytes; `path` is its name in messages.
TR_API trStatus tr_lua_load_text(const char *path, const char *text, size_t size,
                                 const char *const *set, trModel **model,
                                 trSimDef *def) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
