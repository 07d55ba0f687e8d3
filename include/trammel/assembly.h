// SPDX-License-Identifier: MIT
/// @file assembly.h Load an assembly file: modules, and joints between their ports.
///
///     trGlueAssembly assembly;
///     tr_glue_assembly_load("crane.lua", NULL, &assembly);
///     tr_system_build(assembly.ports, &system);       open the modules, make a carrier of them
///     tr_glue_create(system, carrier, &assembly.def, &glue);

#ifndef TRAMMEL_ASSEMBLY_H
#define TRAMMEL_ASSEMBLY_H

#include "trammel/glue.h"
#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a module of an assembly is made of.
typedef enum trModuleSource {
    TR_MODULE_MODEL,    ///< a model file with ports
    TR_MODULE_PROGRAM,  ///< a shared library that exports tr_module_open
    TR_MODULE_FMU,      ///<
    TR_MODULE_COMMAND,  ///< a program that serves by itself, in a process of its own
} trModuleSource;

/// A module as the file asks for it. Texts belong to the assembly.
typedef struct trModuleUse {
    const char    *name;    ///< in the assembly
    const char    *origin;  ///< "crane.lua:3"
    trModuleSource source;
    const char    *path;  ///< from the current folder; of commands, the program
    int            arguments;
    /// "key=value", `set` of the file; those that begin with "@" are options of FMUs: "@kind=cs",
    /// "@strict=true", "@substeps=4", "@port.tip.x=arm.x". Of commands: its further words.
    const char *const *argument;
    int                outputs;  ///< to be recorded; -1: all that there are
    const char *const *output;   ///< outputs
} trModuleUse;

typedef struct trGlueAssembly {
    const char        *name;
    trModel           *ports;  ///< its bodies are ports, "module.port"
    int                modules;
    const trModuleUse *module;  ///< modules
    trGlueDef          def;     ///< what g:simulate{} says, over tr_glue_def_default()
} trGlueAssembly;

/// Runs the Lua file once, in the sandbox of model files. `set` are parameters, "N=40", ending with
/// NULL; may be NULL. TR_E_IO if the file cannot be read, TR_E_MODEL for anything wrong in it, also
/// if it is a model. To be freed with tr_glue_assembly_free, unless it fails.
TR_API trStatus tr_glue_assembly_load(const char *path, const char *const *set,
                                      trGlueAssembly *out) TR_MUST_CHECK;

/// The same within a time by the wall clock, and of a text of `size` bytes unless that is NULL.
TR_API trStatus tr_glue_assembly_load_text(double seconds, const char *path, const char *text,
                                           size_t size, const char *const *set,
                                           trGlueAssembly *out) TR_MUST_CHECK;

TR_API void tr_glue_assembly_free(trGlueAssembly *assembly);

/// "model", "program", "fmu", "command".
TR_API const char *tr_module_source_name(trModuleSource source);

#ifdef __cplusplus
}
#endif

#endif
