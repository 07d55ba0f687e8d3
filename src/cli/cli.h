// SPDX-License-Identifier: MIT
// What the parts of the command share: commands, exit codes, one-line errors, options, listings,
// the progress bar and the summary of a run.

#ifndef TR_CLI_CLI_H
#define TR_CLI_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/field.h"
#include "report/report.h"
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

// What every command that takes one file reads; the first member of what it reads besides.
typedef struct trFileRequest {
    const struct trCommand *command;
    trArena                *arena;
    const char             *path;
    const char            **set;  // "N=40", ending with NULL
    int                     sets;
    trParam *given;             // settings in the order of the command line, ending with a NULL key
    int      givens;            // of them
    bool     json, quiet, all;  // all: nothing of a text is left out
} trFileRequest;

typedef struct trCommand {
    const char *name;  // "check"
    const char *summary;
    const char *help;               // an example first
    trFieldList (*settings)(void);  // that are options, too: the end of the help; or NULL
    // The whole of a command, where argv[0] is its name. NULL: it takes one file, as follows.
    trExit (*entry)(int argc, char **argv);
    const char *needs;    // "a model file"
    const char *example;  // "MODEL.lua"
    size_t      size;     // of what it reads
    // 's' is --set, 'j' --json, 'q' --quiet, 'v' --verbose, 'h' --help; 'o' has a short form, too.
    const struct option *options;
    trFieldList (*fields)(void);  // settings that are options, too; NULL: none
    void (*begin)(trFileRequest *request, int argc, char **argv);  // before options; or NULL
    bool (*option)(trFileRequest *request, int value);  // another option; false: told; or NULL
    bool (*check)(trFileRequest *request);              // options together, likewise; or NULL
    trExit (*run)(trFileRequest *request);
} trCommand;

// Those that list kinds (lists.c), which follow those of commands.def.
int              tr_list_count(void);
const trCommand *tr_list_at(int index);
// Prints its help.
void tr_command_help(const char *name);

// --- errors ---

// One line "trammel: ..." on standard error. Line ends and control characters inside are replaced.
void tr_cli_error(const char *format, ...) TR_PRINTF(1, 2);

// The same for what does not stop the command, "trammel: warning: ...".
void tr_cli_warning(const char *text);

// The exit code of a command that ends with `code`, once standard output is written or could not
// be.
trExit tr_cli_flush_output(trExit code);

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

// The model file; warnings are printed. What is wrong is said in one line. To be released also
// after a failure.
trExit tr_cli_open(const char *path, const char *const *set, trLoaded *out);
// The same and its system.
trExit tr_cli_prepare(const char *path, const char *const *set, trLoaded *out);
void   tr_cli_release(trLoaded *loaded);
// One line about the model, from the last error: what comes from a line of its file says so itself.
trExit tr_cli_refuse(const char *path, trStatus status);

// The line itself: the path, unless the text begins with it.
void tr_cli_about(const char *path, const char *text);

// --- paths (paths.c) ---

// MODEL.h5 in the current folder for some/folder/MODEL.lua and the ending ".h5".
const char *tr_cli_output(trArena *arena, const char *model, const char *ending);
// Where a path leads that is a link, to something that need not exist; NULL without memory.
const char *tr_cli_follow(trArena *arena, const char *path);
// Whether two paths are one file, or would be once it is written. NULL is none.
bool tr_cli_same_file(trArena *arena, const char *a, const char *b);

// --- commands that take one file ---

// The whole of such a command. Values of settings go through the field table later.
trExit tr_cli_file_command(const trCommand *command, int argc, char **argv);

// --- settings as options (setting_options.c) ---

// The command's own options, then one for each setting.
const struct option *tr_setting_options(trArena *arena, const trCommand *command);
bool                 tr_setting_is(int value);  // of getopt
// Turns the text of a setting into a parameter of its kind; false: told.
bool tr_setting_read(trFileRequest *request, int value, const char *text);
// Whether the command line gives the setting.
bool tr_setting_given(const trFileRequest *request, const char *key);
// The last error: a setting of the command line is refused as the option that it was, not as the
// key that it is.
void tr_setting_refuse(const trFileRequest *request, const char *key);
void tr_setting_help(FILE *file, trFieldList fields);

// --- what a run is asked for ---

typedef struct trRequest {
    trFileRequest                  file;
    const char                    *hdf5;    // path; NULL: none
    const char                    *csv;     // path; NULL: none
    int                            branch;  // of a singular pose, from 1; 0: none chosen
    bool                           no_hdf5;
    double                         checkpoint;  // seconds between checkpoints; 0: none are written
    const struct trCheckpointFile *resumed;     // NULL: the run begins (checkpoint.h)
} trRequest;

#define TR_REQUEST_OPTIONS                                                           \
    {"output", required_argument, NULL, 'o'}, {"csv", required_argument, NULL, 'c'}, \
        {"no-hdf5", no_argument, NULL, 'n'}, {"set", required_argument, NULL, 's'},  \
        {"json", no_argument, NULL, 'j'}, {"quiet", no_argument, NULL, 'q'},         \
        {"verbose", no_argument, NULL, 'v'}, {"help", no_argument, NULL, 'h'}, {     \
        "checkpoint", required_argument, NULL, 'k'                                   \
    }

// One of those that are its own; all of them together. false: told.
bool tr_request_option(trRequest *request, int value);
bool tr_request_check(trFileRequest *request);
// Whether every file that the run writes has a path of its own; else one line names the two.
bool tr_request_outputs_differ(const trRequest *request);
// Whether none of them is the file `input`; else one line names it.
bool tr_request_spares(const trRequest *request, const char *input);

// For the files that are asked for.
trStatus tr_request_recorder(const trRequest *request, trRecorder **out) TR_MUST_CHECK;
// "done", "interrupted" or "failed: ..." with the last error, for the files and the summary.
const char *tr_request_outcome(const trRequest *request, trStatus status);
// HDF5 and CSV; NULL where the file could not even be made.
void tr_request_written(const trRequest *request, const trRecorder *recorder, const char *files[2]);
// What follows the reason: rows to the last good state are in the files, if there are any.
const char *tr_request_kept_words(const trRequest *request, const trRecorder *recorder);

// --- the start on a branch of a singular pose ---

// The number of --branch, which counts from 1.
bool tr_cli_branch_number(const char *text, int *out);
// Lets `def` start on the branch; 0 changes nothing. `out` owns what `def` points to then, and is
// freed with tr_branch_start_free. A warning is told.
trStatus tr_cli_branch(const trSystem *system, int number, trSimDef *def, trBranchStart *out);

// From now on Ctrl-C and SIGTERM set what this points to; another one a second or two later kills.
const volatile int *tr_cli_catch_signals(void);

// --- model files ---

// tr_lua_load under a watchdog: a file that runs on beyond all bounds of the library ends the
// process with one line and TR_EXIT_MODEL.
trStatus tr_cli_load(const char *path, const char *const *set, trModel **model,
                     trSimDef *def) TR_MUST_CHECK;
// The watchdog by itself, around anything that runs a file; the seconds that the file may take.
double tr_cli_watch(const char *path);
void   tr_cli_unwatch(void);

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

// --- reports ---

// Writes the report to standard output, as the command line asks, and destroys it. NULL, for want
// of memory, is TR_EXIT_FAILED after a line.
trExit tr_cli_report(trReport *report, const trFileRequest *request);

#endif
