// SPDX-License-Identifier: MIT
// What an FMU is, as text and as JSON.

#ifndef TR_CLI_FMU_WORDS_H
#define TR_CLI_FMU_WORDS_H

#include <stdbool.h>
#include <stdio.h>

#include "trammel/fmi.h"

// `all`: variables that are neither parameters nor inputs nor outputs, too.
void tr_fmu_print(FILE *file, const trFmuInfo *info, bool all);
void tr_fmu_json(FILE *file, const trFmuInfo *info);

// Why it cannot be glued, into `text`; false: it can.
bool tr_fmu_obstacle(const trFmuInfo *info, char *text, size_t size);

#endif
