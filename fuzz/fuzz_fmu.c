// SPDX-License-Identifier: MIT
// FMUs: whatever the bytes are, they are refused in one line that names the file, or described.
// What begins as a zip file does is read as one, all else as a description. Nothing is unpacked or
// run.

#include <string.h>

#include "fmi/description.h"
#include "target.h"

GOALS("a description of FMI 2 is read", "a description of FMI 3 is read", "a zip file is read",
      "ports are found", "a file is refused")
enum { TWO, THREE, ZIP, PORTS, REFUSED };

#define FILE_MOST ((size_t)1 << 20)

static const char path[] = "fuzzed.fmu";

static void check(const trFmuInfo *info) {
    MUST(info->version[0] == '2' || info->version[0] == '3');
    MUST(info->name != NULL && info->token != NULL && info->states >= 0 && info->indicators >= 0);
    for (int i = 0; i < info->variables; i++) {
        const trFmuVariable *v = &info->variable[i];
        MUST(v->derivative_of < info->variables);
        MUST(strlen(v->name) + strlen(v->causality) + strlen(v->unit) < FILE_MOST);
    }
    for (int i = 0; i < info->ports; i++) {
        const trFmuPort *port = &info->port[i];
        for (int k = 0; k < 6; k++) {
            MUST(!port->moves[k] || (port->f[k] >= 0 && port->v[k] >= 0 && port->x[k] >= 0));
            MUST(port->a[k] < info->variables && port->f[k] < info->variables);
        }
    }
}

static trStatus describe(trArena *arena, const void *data, size_t size, trFmuInfo *info) {
    trFmuArchive archive;
    trFmuList    warnings;
    trFmuDef     def = tr_fmu_def_default();
    TR_TRY(tr_fmu_list_plan(arena, &warnings));
    info->path = path;
    if (size >= 2 && memcmp(data, "PK", 2) == 0) {
        TR_TRY(tr_fmu_archive_open_bytes(arena, path, data, size, &archive));
        return tr_fmu_describe(&archive, &def, info, &warnings);
    }
    TR_TRY(tr_fmu_description_parse(arena, data, size, info, &warnings));
    return tr_fmu_find_ports(arena, &def, info, &warnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    trFmuInfo info = {0};
    trArena  *arena = size <= FILE_MOST ? tr_arena_create() : NULL;
    if (arena == NULL) {
        return 0;
    }
    tr_arena_limit(arena, (size_t)1 << 28);
    if (describe(arena, data, size, &info) == TR_OK) {
        check(&info);
        REACHED(info.version[0] == '2' ? TWO : THREE);
        fuzz_reached |= (size >= 2 && memcmp(data, "PK", 2) == 0 ? 1u << ZIP : 0u) |
                        (info.ports > 0 ? 1u << PORTS : 0u);
    } else {
        REACHED(REFUSED);
        MUST(strstr(tr_last_error(), path) != NULL || tr_arena_status(arena) != TR_OK);
        MUST(strchr(tr_last_error(), '\n') == NULL);
    }
    tr_arena_destroy(arena);
    return 0;
}
