// SPDX-License-Identifier: MIT
// `trammel glue --mpi`: starts itself and all modules of the assembly under mpirun.

#ifndef TR_CLI_GLUE_LAUNCH_H
#define TR_CLI_GLUE_LAUNCH_H

#include "cli/cli.h"
#include "trammel/assembly.h"

// `argv` is the command line as it was given; --mpi and --hosts are left out of the coordinator's.
// `hosts` may be NULL.
trExit tr_glue_launch(const trGlueAssembly *assembly, int argc, char *const *argv,
                      const char *hosts);

#endif
