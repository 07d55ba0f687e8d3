// SPDX-License-Identifier: MIT
// The parts of `trammel compare`: what it is asked for, and what it writes.

#ifndef TR_CLI_COMPARE_PARTS_H
#define TR_CLI_COMPARE_PARTS_H

#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "report/compare.h"
#include "report/mechanics.h"

// What the command line asks for.
typedef struct trCompareRequest {
    trFileRequest    file;
    const char      *csv;    // path; NULL: none
    const char      *plots;  // folder; NULL: none
    trCompareOptions compare;
} trCompareRequest;

extern const struct option tr_compare_options[];
trFieldList                tr_compare_fields(void);
bool                       tr_compare_option(trFileRequest *request, int value);
bool                       tr_compare_check(trFileRequest *request);

// --- what is written ---

typedef struct trCompareReport {
    const char      *path;  // of the model file
    const trCompare *compare;
} trCompareReport;

void tr_compare_csv(FILE *file, const trCompareReport *report);
// Makes the folder of charts if it is not there. TR_EXIT_FILE after a line that says why not.
trExit tr_compare_plots_folder(const char *folder);
// Charts in that folder. TR_EXIT_FILE after a line that says why not.
trExit tr_compare_plots(const char *folder, const trCompareReport *report);

#endif
