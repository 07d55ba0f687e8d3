// SPDX-License-Identifier: MIT
// `trammel glue --mpi` and `trammel resume --mpi`: start themselves and all modules under mpirun.

#ifndef TR_CLI_GLUE_LAUNCH_H
#define TR_CLI_GLUE_LAUNCH_H

#include "cli/cli.h"
#include "trammel/assembly.h"

// `argv` is the command line as it was given, from the command's name on; --mpi and --hosts are
// left out of the coordinator's. `hosts` may be NULL.
trExit tr_glue_launch(const trGlueAssembly *assembly, int argc, char *const *argv,
                      const char *hosts);

#endif
