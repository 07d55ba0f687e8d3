// SPDX-License-Identifier: MIT
// What the parts of the command share: commands, exit codes, one-line errors, options, listings,
// the progress bar and the summary of a run.

#ifndef TR_CLI_CLI_H
#define TR_CLI_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/field.h"
#include "base/json.h"
#include "trammel/trammel.h"

// What the command returns to the shell.
typedef enum trExit {
    TR_EXIT_DONE = 0,
    TR_EXIT_FAILED = 1,
    TR_EXIT_USAGE = 2,
    TR_EXIT_MODEL = 3,
    TR_EXIT_FILE = 4,
    TR_EXIT_PARTNER = 5,
    TR_EXIT_INTERRUPTED = 130,
} trExit;

typedef struct trCommand {
    const char *name;
    const char *summary;
    void (*help)(FILE *file);              // an example first
    trExit (*run)(int argc, char **argv);  // argv[0] is the name
} trCommand;

// The registry, in the order of commands.def.
int              tr_command_count(void);
const trCommand *tr_command_at(int index);

// --- errors ---

// One line "trammel: ..." on standard error. Line ends and control characters inside are replaced.
void tr_cli_error(const char *format, ...) TR_PRINTF(1, 2);

// The same for what does not stop the command, "trammel: warning: ...".
void tr_cli_warning(const char *text);

// The exit code of a status that came from a model or its run.
trExit tr_cli_exit(trStatus status);

// --- options ---

#define TR_CLI_BAD_OPTION '?'

// The next option by getopt_long, -1 after the last one, or TR_CLI_BAD_OPTION after a line that
// says what is wrong and what was perhaps meant.
int tr_cli_option(int argc, char **argv, const char *letters, const struct option *options);

// A finite number, and nothing else, or a comma-separated list of them. `what` is the option's
// name for the error line.
bool tr_cli_number(const char *what, const char *text, double *out);
bool tr_cli_numbers(trArena *arena, const char *what, const char *text, trNumbers *out);
// NAME=VALUE of --set, added to the `count` ones before; each name may be set once.
bool tr_cli_set(const char *text, const char **set, int *count);

// --- a model file ---

typedef struct trLoaded {
    const char *path;
    trModel    *model;
    trSystem   *system;
    trSimDef    def;  // what the file says under simulate{}
} trLoaded;

// The model file and its system; warnings are printed. What is wrong is said in one line. To be
// unloaded also after a failure.
trExit tr_cli_prepare(const char *path, const char *const *set, trLoaded *out);
void   tr_cli_release(trLoaded *loaded);
// One line about the model, from the last error: what comes from a line of its file says so itself.
trExit tr_cli_refuse(const char *path, trStatus status);

// --- what a run is asked for ---

typedef struct trRequest {
    trArena     *arena;
    const char  *model;   // path
    const char  *hdf5;    // path; NULL: none
    const char  *csv;     // path; NULL: none
    const char **set;     // "N=40", ending with NULL
    int          sets;    // of them
    trParam     *given;   // settings in the order of the command line, ending with a NULL key
    int          givens;  // of them
    int          branch;  // of a singular pose, from 1; 0: none chosen
    bool         no_hdf5, json, quiet;
    double       checkpoint;                 // seconds between checkpoints; 0: none are written
    const struct trCheckpointFile *resumed;  // NULL: the run begins (checkpoint.h)
    struct option                  options[64];
} trRequest;

// Reads the options and checks them together, except for the settings' values, which go through
// the field table later. *helped is set, and nothing else to be done, where --help was found.
trExit tr_request_read(trRequest *request, int argc, char **argv, bool *helped);

// Whether the command line gives the setting.
bool tr_request_gives(const trRequest *request, const char *key);

// --- the start on a branch of a singular pose ---

// The number of --branch, which counts from 1.
bool tr_cli_branch_number(const char *text, int *out);
// Lets `def` start on the branch; 0 changes nothing. `out` owns what `def` points to then, and is
// freed with tr_branch_start_free. A warning is told.
trStatus tr_cli_branch(const trSystem *system, int number, trSimDef *def, trBranchStart *out);
// Two lines of a summary, and an object "branch"; nothing for 0.
void tr_cli_branch_print(FILE *file, int number, const trBranchStart *start);
void tr_cli_branch_json(trJson *json, int number, const trBranchStart *start);

// From now on Ctrl-C and SIGTERM set what this points to, once; the next one kills.
const volatile int *tr_cli_catch_signals(void);

// --- model files ---

// tr_lua_load under a watchdog: a file that runs on beyond all bounds of the library ends the
// process with one line and TR_EXIT_MODEL.
trStatus tr_cli_load(const char *path, const char *const *set, trModel **model,
                     trSimDef *def) TR_MUST_CHECK;

// --- listings ---

// Entries of one registry as a listing shows them.
typedef struct trListing {
    const char *title;  // "joints": heading and JSON key
    int (*count)(void);
    const char *(*name)(int index);
    int (*dim)(int index);  // 2 or 3: entries are grouped by it; NULL: they have none
    void (*print)(FILE *file, int index, bool full);
    void (*json)(trJson *json, int index);  // members of the entry's object
} trListing;

// The whole of a listing command: `[NAME] [--json]` over the listings, or one entry in full; with
// `[--dim 2|3]` where the entries have a dimension. Names may stand in both dimensions.
trExit tr_cli_list(int argc, char **argv, void (*help)(FILE *), int count,
                   const trListing *listings);

// Parameters of a kind: their names and units on a line, a table, or JSON objects in an array.
void tr_cli_field_names(FILE *file, const trField *fields);
void tr_cli_field_table(FILE *file, const trField *fields);
void tr_cli_field_json(trJson *json, const char *key, const trField *fields);

// --- progress ---

// Whether the stream of this number (STDOUT_FILENO, ...) is a terminal that shows colors.
bool tr_cli_color(int stream);

typedef struct trProgress {
    bool   shown;  // standard error is a terminal
    bool   color;
    double t_start;  // of the simulation [s]
    double begun;    // wall clock [s]
    double drawn;    // wall clock of the last drawing [s]
} trProgress;

trProgress tr_progress_begin(bool wanted, double t_start);
void       tr_progress_draw(void *progress, double t, double t_end);         // a hook of tr_sim_run
void       tr_progress_part(void *progress, double done, const char *what);  // done: 0 to 1
void       tr_progress_end(trProgress *progress);                            // clears the line

// --- summary ---

typedef struct trSummary {
    const char          *path;     // of the model file
    const char          *outcome;  // "done", "interrupted", "failed: ..."
    const trModel       *model;
    const trSystem      *system;
    trSim               *sim;
    const char          *files[2];  // written; NULL: none
    int                  branch;    // that it starts on; 0: none was chosen
    const trBranchStart *branch_start;
} trSummary;

// The three levels, each with the units of its lengths and angles, and what other units are
// followed by.
typedef struct trLevel {
    const char *name, *length_unit, *angle_unit, *per;
} trLevel;

#define TR_LEVELS 3
extern const trLevel tr_levels[TR_LEVELS];
const trViolation   *tr_level_worst(const trSimStats *stats, int level);

void tr_summary_print(FILE *file, const trSummary *summary);
void tr_summary_json(FILE *file, const trSummary *summary);

#endif
