// SPDX-License-Identifier: MIT
/// @file assembly.h Load a coupled model from a file: modules, and joints between their ports.
///
///     trGlueAssembly assembly;
///     tr_glue_assembly_load("crane.lua", NULL, &assembly);
///     tr_system_build(assembly.ports, &system);       open the modules, create a carrier
///     tr_glue_create(system, carrier, &assembly.def, &glue);

#ifndef TRAMMEL_ASSEMBLY_H
#define TRAMMEL_ASSEMBLY_H

#include "trammel/glue.h"
#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Source of a module.
typedef enum trModuleSource {
    TR_MODULE_MODEL,    ///< a model file with ports
    TR_MODULE_PROGRAM,  ///< a shared library that exports tr_module_open
    TR_MODULE_FMU,
    TR_MODULE_COMMAND,  ///< a program that serves the module in its own process
} trModuleSource;

/// A module of a coupled model, which owns the strings.
typedef struct trModuleUse {
    const char    *name;    ///< in the assembly
    const char    *origin;  ///< "crane.lua:3"
    trModuleSource source;
    const char    *path;  ///< relative to the current folder; for commands, the program
    int            arguments;
    /// "key=value", `set` of the file; "@" marks options of FMUs: "@kind=cs", "@strict=true",
    /// "@substeps=4", "@port.tip.x=arm.x". For commands, the arguments.
    const char *const *argument;
    int                outputs;  ///< to record; -1: all
    const char *const *output;   ///< outputs
} trModuleUse;

typedef struct trGlueAssembly {
    const char        *name;
    trModel           *ports;  ///< its bodies are ports, "module.port"
    int                modules;
    const trModuleUse *module;  ///< modules
    trGlueDef          def;     ///< settings of g:simulate{}
} trGlueAssembly;

/// Runs a Lua file in the sandbox of model files. `set`: parameters, "N=40", ending with NULL; may
/// be NULL. TR_E_IO if the file cannot be read, TR_E_MODEL for errors in it or if it is a model.
/// Free the result with tr_glue_assembly_free unless the call fails.
TR_API trStatus tr_glue_assembly_load(const char *path, const char *const *set,
                                      trGlueAssembly *out) TR_MUST_CHECK;

/// The same with a limit of wall-clock time, from `size` bytes of `text` unless that is NULL.
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
