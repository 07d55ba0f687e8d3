// SPDX-License-Identifier: MIT
// Modules in other processes: the command as coordinator or as module under mpirun. MPI comes with
// a plugin, libtrammel_mpi.so, which is loaded when it is needed: beside the command, in the folder
// of libraries, or what TRAMMEL_MPI_PLUGIN names.

#ifndef TR_CLI_GLUE_MPI_H
#define TR_CLI_GLUE_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct trCarrier;

// Whether mpirun has started this process together with others.
bool tr_cli_under_mpirun(void);

// --- the coordinator ---

// Starts MPI, first of all: from here on the modules hear of every failure. TR_E_ARGUMENT where
// this is not the first program of mpirun.
trStatus tr_cli_mpi_join(void);

// Meets the modules, which must be those of the assembly; joins first where that was not done.
// `stop` is tr_cli_catch_signals(): mpirun sends SIGTERM when a process has died, and SIGKILL a
// second later, within which the run is to be ended in good order.
trStatus tr_cli_mpi_carrier(int modules, const char *const *name, double timeout,
                            const volatile int *stop, struct trCarrier **out);

// What really went over the link so far, both ways; the greeting is in it.
void tr_cli_mpi_traffic(int64_t *messages, int64_t *bytes);

// The end, in place of tr_carrier_destroy: results are written and errors are told before. `code`
// is the command's exit code. The carrier may be NULL: there is none yet. Does not return where a
// module is lost: all processes end then, this one with `code`.
void tr_cli_mpi_end(struct trCarrier *carrier, int code);

// --- a module ---

// A file, with "key=value" arguments, serves until the coordinator ends it; `name` in the assembly,
// or NULL. `code` is what the command shall return; other than 0 with the last error.
int tr_cli_mpi_serve(const char *path, int arguments, const char *const *argument,
                     const char *name);

#endif
