// SPDX-License-Identifier: MIT
// The reports of all commands. Each function returns NULL when out of memory; `path` is that of the
// file that the command was given.

#ifndef TR_REPORT_REPORTS_H
#define TR_REPORT_REPORTS_H

#include "glue/carrier.h"
#include "glue/glue.h"
#include "report/report.h"
#include "sim/def.h"
#include "trammel/assembly.h"
#include "trammel/compare.h"
#include "trammel/fmi.h"
#include "trammel/registry.h"
#include "trammel/trammel.h"
#include "trammel/verify.h"

typedef struct trRunReport {
    const char          *path;
    const char          *outcome;  // "done", "interrupted", "failed: ..."
    const trModel       *model;
    const trSystem      *system;
    trSim               *sim;
    const char          *files[2];  // written; NULL: none
    int                  branch;    // that it starts on; 0: none was chosen
    const trBranchStart *branch_start;
} trRunReport;

trReport *tr_report_run(const trRunReport *run);

// Modules that are glued together, and the summary of their run.
typedef struct trGlueReport {
    const char           *path;
    const char           *outcome;  // as above; NULL: it did not run
    const trGlueAssembly *assembly;
    const trModuleFace   *face;   // modules
    const trSystem       *ports;  // with the joints between modules
    trGlue               *glue;
    const char           *files[2];   // written; NULL: none
    bool                  processes;  // each module in its own
} trGlueReport;

trReport *tr_report_glue(const trGlueReport *run);

// Positions and velocities before and after, and how far joints were open.
typedef struct trAssemblyReport {
    const char          *path;
    const trModel       *model;
    const trSystem      *system;
    const trAssembly    *assembly;
    int                  keeps;
    const trKeep        *keep;    // keeps
    const char          *error;   // where nothing assembles; NULL
    int                  branch;  // that was chosen; 0: none
    const trBranchStart *start;   // on it
} trAssemblyReport;

trReport *tr_report_assembly(const trAssemblyReport *report);

// Eigenvalues and mode shapes.
typedef struct trModesReport {
    const char     *path;
    const char     *file;  // with the shapes; NULL: none
    const trModel  *model;
    const trSystem *system;
    const trModes  *modes;
} trModesReport;

trReport *tr_report_modes(const trModesReport *report);

// What there is to know of a model before it runs.
trReport *tr_report_check(const trSystem *system, const char *path, const trCheck *check);
// A result file: what was compared, then what is off, worst first.
trReport *tr_report_verify(const char *path, const trVerification *seen);
// What an FMU is, and what of it joints can be glued to.
trReport *tr_report_fmu(const trFmuInfo *info);

// Methods side by side: what they reach and what they cost.
trReport *tr_report_compare(const trCompare *c, const char *path);
// What of it is in JSON.
void tr_compare_add_data(trReport *r, const trCompare *c, const char *path);

// "done", "failed", "refused", "skipped", "waiting".
const char *tr_compare_state_name(trCompareState state);
// Of violations at a level: "m/s or rad/s"; "" where it is not known.
#define TR_COMPARE_UNIT 48
void tr_compare_unit(const trCompare *c, int level, char text[TR_COMPARE_UNIT]);
// Custom coordinates have one relative error, bodies have one in m and one in rad.
static inline bool tr_compare_is_general(const trCompare *c) {
    return tr_system_dim(c->system) == 0;
}

// Kinds of families of trammel/registry.h.
typedef struct trListing {
    int             families;
    const trFamily *family;  // families
    const char     *name;    // one kind in full; NULL: all in short
    int             dim;     // 0: both
} trListing;

bool      tr_listing_has(const trListing *listing, trFamily family, int index);
trReport *tr_report_listing(const trListing *listing);

// A setting as a result file notes it: numbers to the last digit, lists in full. NULL for what was
// not set or is not read; also if there is no memory, which the arena knows.
const char *tr_setting_note(trArena *arena, const trSimDef *def, const trField *field);

#endif
