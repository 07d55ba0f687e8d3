// SPDX-License-Identifier: MIT
// An assembly as lines for the model file.

#ifndef TR_CLI_ASSEMBLE_LUA_H
#define TR_CLI_ASSEMBLE_LUA_H

#include <stdio.h>

#include "report/assemble.h"

// `all`: what was not changed as well.
void tr_assembly_lua(FILE *file, const trAssemblyReport *report, bool all);

#endif
