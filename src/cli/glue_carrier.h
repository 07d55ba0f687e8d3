// SPDX-License-Identifier: MIT
// Where the modules of an assembly are: opens them, and what carries messages to them.

#ifndef TR_CLI_GLUE_CARRIER_H
#define TR_CLI_GLUE_CARRIER_H

#include "cli/cli.h"
#include "trammel/assembly.h"

// All modules, in this process. What is wrong with one names it and its line.
trStatus tr_cli_glue_carrier(const trGlueAssembly *assembly, trCarrier **out);

#endif
