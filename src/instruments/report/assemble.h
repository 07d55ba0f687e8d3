// SPDX-License-Identifier: MIT
// An assembly: positions and velocities before and after, and how far joints were open.

#ifndef TR_REPORT_ASSEMBLE_H
#define TR_REPORT_ASSEMBLE_H

#include "report/report.h"
#include "trammel/trammel.h"

typedef struct trAssemblyReport {
    const char          *path;  // of the model file
    const trModel       *model;
    const trSystem      *system;
    const trAssembly    *assembly;
    int                  keeps;
    const trKeep        *keep;    // keeps
    const char          *error;   // where nothing assembles; NULL
    int                  branch;  // that was chosen; 0: none
    const trBranchStart *start;   // on it
} trAssemblyReport;

// Bodies, or custom coordinates.
int         tr_assembly_parts(const trAssemblyReport *report);
const char *tr_assembly_part_name(const trAssemblyReport *report, int i);

// NULL when out of memory.
trReport *tr_report_assembly(const trAssemblyReport *report);

#endif
