// SPDX-License-Identifier: MIT
// Assembly files: load and build the system of ports. No module is opened. Whatever is wrong is
// told in one line; nothing else happens.

#include <string.h>

#include "target.h"
#include "trammel/assembly.h"
#include "trammel/trammel.h"

GOALS("a planar assembly is built", "a spatial assembly is built", "a file is refused")
enum { PLANAR, SPATIAL, REFUSED };

#define FILE_MOST 65536  // bytes
#define SECONDS 10.0     // for the file, by the wall clock

static void check_message(const char *prefix) {
    const char *text = tr_last_error();
    MUST(strncmp(text, prefix, strlen(prefix)) == 0 && text[0] != '\0');
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        MUST(*c >= 0x20 && *c != 0x7f);
    }
}

static void check(const trGlueAssembly *assembly) {
    MUST(assembly->name != NULL && assembly->ports != NULL && assembly->modules > 0);
    MUST(assembly->def.step > 0.0 && assembly->def.duration >= 0.0);
    MUST(assembly->def.gluing != NULL && assembly->def.scheme != NULL);
    for (int i = 0; i < assembly->modules; i++) {
        const trModuleUse *use = &assembly->module[i];
        MUST(strlen(use->name) > 0 && strchr(use->name, '.') == NULL);
        MUST(use->path != NULL && tr_module_source_name(use->source) != NULL);
        for (int k = 0; k < use->arguments; k++) {
            MUST(use->argument[k] != NULL);
        }
        for (int k = 0; k < use->outputs; k++) {
            MUST(use->output[k] != NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    trGlueAssembly assembly;
    trSystem      *system = NULL;
    if (size > FILE_MOST) {
        return 0;
    }
    if (tr_glue_assembly_load_text(SECONDS, "fuzz.lua", size == 0 ? "" : (const char *)data, size,
                                   NULL, &assembly) != TR_OK) {
        MUST(assembly.ports == NULL);
        check_message("fuzz.lua:");
        REACHED(REFUSED);
        return 0;
    }
    check(&assembly);
    if (tr_system_build(assembly.ports, &system) != TR_OK) {
        check_message("");
    } else {
        REACHED(tr_system_dim(system) == 3 ? SPATIAL : PLANAR);
    }
    tr_system_destroy(system);
    tr_glue_assembly_free(&assembly);
    return 0;
}
