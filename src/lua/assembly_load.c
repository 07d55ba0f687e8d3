// SPDX-License-Identifier: MIT
// From a file to an assembly.

#include "lua/assembly.h"
#include "trammel/lua.h"

trStatus tr_glue_assembly_load_text(double seconds, const char *path, const char *text, size_t size,
                                    const char *const *set, trGlueAssembly *out) {
    trLuaLoad load = {.path = path,
                      .text = text,
                      .text_size = size,
                      .set = set,
                      .seconds = seconds,
                      .glues = true};
    *out = (trGlueAssembly){0};
    TR_TRY(tr_lua_run(&load));
    *out = (trGlueAssembly){.name = load.model->name,
                            .ports = load.model,
                            .modules = load.assembling->modules,
                            .module = load.assembling->module,
                            .def = load.assembling->def};
    if (out->modules > 0 && load.model->bodies > 0) {
        return TR_OK;
    }
    bool empty = out->modules == 0;
    tr_glue_assembly_free(out);
    return tr_fail(TR_E_MODEL, "%s: %s", path,
                   empty ? "the assembly has no modules; add them with g:module { ... }"
                         : "no port of any module is mentioned; join them with g:joint { ... }");
}

trStatus tr_glue_assembly_load(const char *path, const char *const *set, trGlueAssembly *out) {
    return tr_glue_assembly_load_text(TR_LUA_SECONDS, path, NULL, 0, set, out);
}

void tr_glue_assembly_free(trGlueAssembly *assembly) {
    tr_model_destroy(assembly->ports);
    *assembly = (trGlueAssembly){0};
}
