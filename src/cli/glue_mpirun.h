// SPDX-License-Identifier: MIT
// `trammel glue --mpi`: the line of mpirun that starts the coordinator and all modules, and what
// came of it.

#ifndef TR_CLI_GLUE_MPIRUN_H
#define TR_CLI_GLUE_MPIRUN_H

#include "base/arena.h"

typedef const char *const *trWords;  // ending with NULL

typedef struct trMpirun {
    const char    *hosts;  // a hostfile of Open MPI, whose first line is this machine; or NULL
    trWords        coordinator;  // the command itself and its arguments, without --mpi
    int            modules;
    const trWords *module;  // modules, in the order of the assembly
} trMpirun;

// The path of this command, for the line.
const char *tr_mpirun_self(trArena *arena);

// "--name=NAME" in one word: a module may be called ':', which on the line of mpirun ends a
// program.
const char *tr_mpirun_name(trArena *arena, const char *name);

// The words of a module that is a file: COMMAND module FILE --name=NAME --set KEY=VALUE ...
trWords tr_mpirun_file(trArena *arena, const char *command, const char *path, const char *name,
                       trWords settings);

// The whole line.
trWords tr_mpirun_line(trArena *arena, const trMpirun *mpirun);

// Runs it to its end. `code` is the coordinator's own exit code, whatever mpirun's is. TR_E_IO
// where mpirun cannot be run; TR_E_PARTNER where the coordinator ended without a word.
trStatus tr_mpirun_run(trWords line, int *code);

#endif
