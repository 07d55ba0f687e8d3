// SPDX-License-Identifier: MIT
// A verification as text and as JSON.

#ifndef TR_CLI_VERIFY_WORDS_H
#define TR_CLI_VERIFY_WORDS_H

#include <stdio.h>

#include "trammel/verify.h"

#define TR_FINDINGS_SHOWN 20

void tr_verify_print(FILE *file, const char *path, const trVerification *seen, bool all);
void tr_verify_json(FILE *file, const char *path, const trVerification *seen);

#endif
