// SPDX-License-Identifier: MIT
// modelDescription.xml, of FMI 2.0 and 3.0, as trFmuInfo. What is not as the standard says but can
// be understood is a warning.

#ifndef TR_FMI_DESCRIPTION_H
#define TR_FMI_DESCRIPTION_H

#include "base/arena.h"
#include "fmi/archive.h"
#include "trammel/fmi.h"

#define TR_FMU_MOST_WARNINGS 50

// Sentences that are collected, the last one saying that there were more.
typedef struct trFmuList {
    trArena     *arena;
    int          count;
    const char **text;  // TR_FMU_MOST_WARNINGS
} trFmuList;

trStatus tr_fmu_list_plan(trArena *arena, trFmuList *out);
void     tr_fmu_list_add(trFmuList *list, const char *format, ...) TR_PRINTF(2, 3);

// All of `info` but ports and platforms; `info->path` is set.
trStatus tr_fmu_description_parse(trArena *arena, const char *xml, size_t size, trFmuInfo *info,
                                  trFmuList *warnings);

// The whole of what an archive says, ports included. Warnings are errors where def->strict.
trStatus tr_fmu_describe(const trFmuArchive *archive, const trFmuDef *def, trFmuInfo *info,
                         trFmuList *warnings);

// Whether the word stands in the list " a b c ".
bool tr_xml_in(const char *list, const char *word);

int tr_fmu_find_variable(const trFmuInfo *info, const char *name);  // -1: none

// The folder of binaries/ that the standard asks for on this machine.
const char *tr_fmu_platform_name(const trFmuInfo *info);
// Whether a folder may hold binaries for this machine; and the one that does, NULL: none.
bool        tr_fmu_platform_fits(const trFmuInfo *info, const char *folder);
const char *tr_fmu_platform_find(const trFmuArchive *archive, const trFmuInfo *info);

// Ports by the names of variables and by aliases.
trStatus tr_fmu_find_ports(trArena *arena, const trFmuDef *def, trFmuInfo *info,
                           trFmuList *warnings);
// Keys of numbers of a port: level 0 position, 1 velocity, 2 acceleration, 3 load.
const char *tr_fmu_key(int dim, int level, int i);

#endif
