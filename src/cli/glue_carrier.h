// SPDX-License-Identifier: MIT
// Where the modules of an assembly are: opens them, and what carries messages to them.

#ifndef TR_CLI_GLUE_CARRIER_H
#define TR_CLI_GLUE_CARRIER_H

#include "cli/cli.h"
#include "trammel/assembly.h"

// All modules: in this process, or those that mpirun has started beside it. What is wrong with one
// names it and its line.
trStatus tr_cli_glue_carrier(const trGlueAssembly *assembly, trCarrier **out);

// The end of all modules, once results are written and errors told; `carrier` may be NULL. Under
// mpirun it does not return where a module is lost.
void tr_cli_glue_end(trCarrier *carrier, trExit code);

// What a module is opened with, ending with NULL: its arguments, the outputs that a model is asked
// for, and when an FMU starts [s]. NULL when out of memory.
const char **tr_cli_module_arguments(trArena *arena, const trModuleUse *use, double start,
                                     int *count);

#endif
