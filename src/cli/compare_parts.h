// SPDX-License-Identifier: MIT
// What `trammel compare` writes besides its report.

#ifndef TR_CLI_COMPARE_PARTS_H
#define TR_CLI_COMPARE_PARTS_H

#include <stdio.h>

#include "cli/cli.h"
#include "report/mechanics.h"
#include "report/reports.h"

void tr_compare_csv(FILE *file, const trCompare *c);
// Makes the folder of charts if it is not there. TR_EXIT_FILE after a line that says why not.
trExit tr_compare_plots_folder(const char *folder);
// Charts in that folder. TR_EXIT_FILE after a line that says why not.
trExit tr_compare_plots(const char *folder, const char *path, const trCompare *c);

#endif
