// SPDX-License-Identifier: MIT
// The parts of `trammel compare`: what it is asked for, and what it writes.

#ifndef TR_CLI_COMPARE_PARTS_H
#define TR_CLI_COMPARE_PARTS_H

#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "compare/compare.h"
#include "report/mechanics.h"

// What the command line asks for.
typedef struct trCompareRequest {
    trFileRequest    file;
    const char      *csv;    // path; NULL: none
    const char      *plots;  // folder; NULL: none
    trCompareOptions compare;
} trCompareRequest;

extern const struct option tr_compare_options[];
extern const char *const   tr_compare_settings[];  // that are options, too
bool                       tr_compare_option(trFileRequest *request, int value);
bool                       tr_compare_check(trFileRequest *request);

// --- what is written ---

typedef struct trCompareReport {
    const char      *path;  // of the model file
    const trCompare *compare;
    bool             color;
} trCompareReport;

void tr_compare_print(FILE *file, const trCompareReport *report);
void tr_compare_json(FILE *file, const trCompareReport *report);
void tr_compare_csv(FILE *file, const trCompareReport *report);
// Makes the folder of charts if it is not there. TR_EXIT_FILE after a line that says why not.
trExit tr_compare_plots_folder(const char *folder);
// Charts in that folder. TR_EXIT_FILE after a line that says why not.
trExit tr_compare_plots(const char *folder, const trCompareReport *report);

// The words around the tables: what was run, what did not run and why, what signs mean.
void tr_compare_print_heading(FILE *file, const trCompareReport *report);
void tr_compare_print_reasons(FILE *file, const trCompareReport *report, int names);
void tr_compare_print_end(FILE *file, const trCompareReport *report);
// Methods that stand behind another with the same figures, and their times.
void tr_compare_print_same(FILE *file, const trCompareReport *report);
// The name of a row's method, with the number of those that stand behind it: "lagrange +2".
#define TR_COMPARE_NAME 96
const char *tr_compare_name(const trCompare *c, const trCompareRow *row,
                            char text[TR_COMPARE_NAME]);
// That name in `names` columns, with its color.
void tr_compare_print_name(FILE *file, const trCompareReport *report, const trCompareRow *row,
                           int names);

// In one word: "done", "failed", "refused", "skipped", "waiting".
const char *tr_compare_state_name(trCompareState state);

// Of violations at a level: "m/s or rad/s"; "" where it is not known.
void tr_compare_unit(const trCompare *c, int level, char text[48]);

// Coordinates of the user's own have one relative error, bodies have one in m and one in rad.
static inline bool tr_compare_is_general(const trCompare *c) {
    return tr_system_dim(c->system) == 0;
}

#endif
