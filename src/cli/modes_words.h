// SPDX-License-Identifier: MIT
// What `trammel modes` prints.

#ifndef TR_CLI_MODES_WORDS_H
#define TR_CLI_MODES_WORDS_H

#include <stdio.h>

#include "trammel/trammel.h"

typedef struct trModesReport {
    const char     *path;  // of the model file
    const char     *file;  // written; NULL: none
    const trModel  *model;
    const trSystem *system;
    const trModes  *modes;
} trModesReport;

void tr_modes_print(FILE *file, const trModesReport *report);
void tr_modes_json(FILE *file, const trModesReport *report);

#endif
