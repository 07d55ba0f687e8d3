// SPDX-License-Identifier: MIT
// What `trammel check` prints.

#ifndef TR_CLI_CHECK_WORDS_H
#define TR_CLI_CHECK_WORDS_H

#include <stdio.h>

#include "cli/cli.h"

typedef struct trCheckReport {
    const trLoaded *loaded;
    const trCheck  *check;
} trCheckReport;

void tr_check_print(FILE *file, const trCheckReport *report);
void tr_check_json(FILE *file, const trCheckReport *report);

#endif
