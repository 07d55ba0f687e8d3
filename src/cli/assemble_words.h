// SPDX-License-Identifier: MIT
// An assembly as a table, as JSON, and as lines for the model file.

#ifndef TR_CLI_ASSEMBLE_WORDS_H
#define TR_CLI_ASSEMBLE_WORDS_H

#include "cli/cli.h"

typedef struct trAssemblyReport {
    const char          *path;  // of the model file
    const trModel       *model;
    const trSystem      *system;
    const trAssembly    *assembly;
    int                  keeps;
    const trKeep        *keep;    // keeps
    bool                 all;     // what was not changed as well
    const char          *error;   // where nothing assembles; NULL
    int                  branch;  // that was chosen; 0: none
    const trBranchStart *start;   // on it
} trAssemblyReport;

// Bodies, or coordinates of a system of the user's own.
int         tr_assembly_parts(const trAssemblyReport *report);
const char *tr_assembly_part_name(const trAssemblyReport *report, int i);

void tr_assembly_print(FILE *file, const trAssemblyReport *report);
void tr_assembly_json(FILE *file, const trAssemblyReport *report);
void tr_assembly_lua(FILE *file, const trAssemblyReport *report);

#endif
