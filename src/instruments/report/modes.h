// SPDX-License-Identifier: MIT
// Eigenvalues and mode shapes.

#ifndef TR_REPORT_MODES_H
#define TR_REPORT_MODES_H

#include "report/report.h"
#include "trammel/trammel.h"

typedef struct trModesReport {
    const char     *path;  // of the model file
    const char     *file;  // with the shapes; NULL: none
    const trModel  *model;
    const trSystem *system;
    const trModes  *modes;
} trModesReport;

// NULL when out of memory.
trReport *tr_report_modes(const trModesReport *report);

#endif
