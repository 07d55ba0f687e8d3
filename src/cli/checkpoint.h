// SPDX-License-Identifier: MIT
// Checkpoints of a run: what is in the file, when it is written, and how a run goes on from one.

#ifndef TR_CLI_CHECKPOINT_H
#define TR_CLI_CHECKPOINT_H

#include "cli/cli.h"

// The first three words of the file; the second is 1 in the order of bytes of the machine.
#define TR_CHECKPOINT_MAGIC 0x746e696f706b6863ull  // "chkpoint"
#define TR_CHECKPOINT_LAYOUT 2

// What a checkpoint file holds: all that the run was made from, and its state.
typedef struct trCheckpointFile {
    const char          *sort;     // "run" or "glue"
    const char          *version;  // of the program
    const char          *model;    // path, as it was given
    const char          *text;     // of the model file, text_size bytes
    size_t               text_size;
    int                  sets;
    const char         **set;      // "N=40", sets; ends with NULL
    int                  givens;   // settings that are not as by default
    trParam             *given;    // givens; ends with a NULL key
    trNumbers            q, v;     // of the start, where the model's was not taken
    const char          *csv;      // path; "": none
    double               seconds;  // between checkpoints
    const unsigned char *state;    // of tr_sim_save, state_size bytes
    size_t               state_size;
} trCheckpointFile;

// Rows that a checkpoint counts on.
typedef struct trCheckpointRows {
    int64_t  count;
    uint64_t mark;  // of all of them (tr_rows_mark_add)
} trCheckpointRows;

// Replaces the file as a whole: after any end of the process it is the old one or the new one.
trStatus tr_checkpoint_write(const char *path, const trCheckpointFile *file);
// TR_E_IO, with a remedy, for what is damaged, something else, or from another version. What is
// read lives as long as the arena.
trStatus tr_checkpoint_read(trArena *arena, const char *path, trCheckpointFile *out);

// "results.h5.checkpoint"
char *tr_checkpoint_path(trArena *arena, const char *results);
bool  tr_checkpoint_is_path(const char *path);  // whether it ends so

// A run that writes checkpoints, or goes on from one.
typedef struct trKeeper {
    const trRequest *request;
    const char      *path;     // of the checkpoint
    bool             outside;  // the integrator can be saved only where it was started
    trCheckpointFile file;
    unsigned char   *state;    // of file
    bool             is_new;   // the state has not been written
    bool             written;  // some checkpoint was
    bool             tried;    // to write one
    bool             failed;   // the last one could not be written
    double           last;     // when, on the wall clock [s]
    int64_t          had;      // rows of the results that the run goes on from
    trRecorder      *recorder;
} trKeeper;

// For the run that `request` asks for: where rows go, and the state of the checkpoint that it goes
// on from.
trStatus tr_keeper_begin(const trRequest *request, const trModel *model, const trSimDef *def,
                         trSim *sim, trKeeper *out);
void     tr_keeper_hook(trKeeper *keeper, trRunHooks *hooks);
// The run has ended and its files are open still: new results that have fewer rows than the old
// ones are dropped, unless the run is done.
trStatus tr_keeper_settle(trKeeper *keeper, int64_t rows, trStatus status);
// The run has ended and its files are closed: a checkpoint is needed no more if it is done.
void tr_keeper_end(trKeeper *keeper, trStatus status);
// Fills the file but for the `settings` that are given, and plans its state.
trStatus tr_keeper_plan(trKeeper *keeper, const char *sort, const trModel *model, int settings,
                        size_t state_size);
// The parts of its hooks, which checkpoints of glued runs share: files are open and `rows` of them
// are in the checkpoint, TR_E_IO if the old results have others; whether it is time to save; the
// state is saved, and goes to its file.
trStatus tr_keeper_begun(trKeeper *keeper, trCheckpointRows rows, trRecorder *recorder);
bool     tr_keeper_due(const trKeeper *keeper, bool stopping);
trStatus tr_keeper_write(trKeeper *keeper);
// Whether there is a checkpoint to go on from.
bool tr_keeper_has_checkpoint(const trKeeper *keeper);

#endif
