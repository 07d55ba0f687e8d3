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
    bool         mpi;       // under mpirun; else in this process
    const char  *hosts;     // NULL: this machine
    const char  *assembly;  // of `trammel resume`; NULL: none is given
    int          argc;      // the command line, for the coordinator
    char *const *argv;
} trGlueStart;

// Whether that fits together; else one line says what does not.
bool tr_glue_start_fits(const trGlueStart *start);

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

#endif
