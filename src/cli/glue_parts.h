// SPDX-License-Identifier: MIT
// What the files of `trammel glue` share.

#ifndef TR_CLI_GLUE_PARTS_H
#define TR_CLI_GLUE_PARTS_H

#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "trammel/assembly.h"

// A glued run, from its file to its end.
typedef struct trGlued {
    const trRequest *request;
    trGlueAssembly   assembly;
    trCarrier       *carrier;
    trSystem        *ports;
    trGlue          *glue;
    const char      *outcome;   // "done", "interrupted", "failed: ..."
    const char      *files[2];  // written; NULL: none
} trGlued;

// Once the assembly is there: open the modules, glue, run, sum up (glue_run.c).
trExit tr_glued_run(trGlued *glued, bool dry);
// How the processes of a glued run are started.
typedef struct trGlueStart {
    bool        mpi;       // under mpirun; else in this process
    const char *hosts;     // NULL: this machine
    const char *assembly;  // of `trammel resume`; NULL: none is given
} trGlueStart;

#define TR_GLUE_OPTIONS(type, member)                                   \
    TR_FLAG(type, member.mpi, "mpi", 0,                                 \
            "start the modules under mpirun, each in its own process"), \
        TR_STRING(type, member.hosts, "hosts", 0, "FILE", "with --mpi: hostfile of Open MPI")
// Whether that fits together; else one line says what does not.
bool tr_glue_start_fits(const trFileRequest *request, const trGlueStart *start);

// `trammel resume` of a glued run.
trExit tr_glue_go_on(trRequest *request, const char *path, const trCheckpointFile *file,
                     const trGlueStart *start);

// --- checkpoints (glue_keep.c) ---

typedef struct trGlueKeeper {
    trKeeper            keeper;
    trGlued            *glued;
    const volatile int *stop;
    trProgress          progress;
} trGlueKeeper;

trStatus tr_glue_keeper_begin(trGlued *glued, trGlueKeeper *out);
// Fills the hooks, the progress bar among them.
void tr_glue_keeper_hook(trGlueKeeper *keeper, trGlueHooks *hooks);

// --- modules (glue_carrier.c) ---

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

// --- mpirun (glue_launch.c) ---

// `trammel glue --mpi` and `trammel resume --mpi`: start themselves and all modules under mpirun.
// The coordinator gets the command line of `request`, without --mpi and --hosts. `hosts` may be
// NULL.
trExit tr_glue_launch(const trGlueAssembly *assembly, const trFileRequest *request,
                      const char *hosts);

#endif
