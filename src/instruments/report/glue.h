// SPDX-License-Identifier: MIT
// Modules that are glued together, and the summary of their run.

#ifndef TR_REPORT_GLUE_H
#define TR_REPORT_GLUE_H

#include "glue/carrier.h"
#include "glue/glue.h"
#include "report/report.h"
#include "trammel/assembly.h"

typedef struct trGlueReport {
    const char           *path;     // of the assembly file
    const char           *outcome;  // "done", "interrupted", "failed: ..."; NULL: it did not run
    const trGlueAssembly *assembly;
    const trModuleFace   *face;   // modules
    const trSystem       *ports;  // with the joints between modules
    trGlue               *glue;
    const char           *files[2];   // written; NULL: none
    bool                  processes;  // each module in its own
} trGlueReport;

// NULL when out of memory.
trReport *tr_report_glue(const trGlueReport *run);

#endif
