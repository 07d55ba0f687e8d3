// SPDX-License-Identifier: MIT
// The summary of a run: everything in it comes from the simulation.

#ifndef TR_REPORT_RUN_H
#define TR_REPORT_RUN_H

#include "report/report.h"
#include "trammel/trammel.h"

typedef struct trRunReport {
    const char          *path;     // of the model file
    const char          *outcome;  // "done", "interrupted", "failed: ..."
    const trModel       *model;
    const trSystem      *system;
    trSim               *sim;
    const char          *files[2];  // written; NULL: none
    int                  branch;    // that it starts on; 0: none was chosen
    const trBranchStart *branch_start;
} trRunReport;

// NULL when out of memory.
trReport *tr_report_run(const trRunReport *run);

#endif
