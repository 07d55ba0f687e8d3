// SPDX-License-Identifier: MIT
// What the parts of the command share: commands, exit codes, one-line errors, options, listings,
// the progress bar and the summary of a run.

#ifndef TR_CLI_CLI_H
#define TR_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
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

// What every command reads; the first member of what it reads besides.
typedef struct trFileRequest {
    const struct trCommand *command;
    trArena                *arena;
    int                     argc;  // the command line, from the command's name on
    char *const            *argv;
    const char             *path;  // of the file; NULL where it may be left out
    const char            **set;   // "N=40", ending with NULL
    int                     sets;
    trParam *given;             // settings in the order of the command line, ending with a NULL key
    int      givens;            // of them
    int      branch;            // of a singular pose to start on, from 1; 0: none chosen
    bool     json, quiet, all;  // all: nothing of a text is left out
} trFileRequest;

// An option of a command.
typedef struct trOption {
    const char *name;    // "output"; NULL ends a table
    char        letter;  // "o" of -o; 0: there is no short form
    const char *value;   // what it takes, as the help names it: "FILE"; NULL: nothing
    const char *help;    // NULL: another name of the one before it, which the help leaves out
    size_t      member;  // of the request that it sets: a bool, or of one with a value a string
    // Instead of `member`; false: what is wrong has been reported.
    bool (*read)(trFileRequest *request, const char *text);
} trOption;

#define TR_FLAG(type, member, name, letter, help) \
    { name, letter, NULL, help, offsetof(type, member), NULL }
#define TR_STRING(type, member, name, letter, value, help) \
    { name, letter, value, help, offsetof(type, member), NULL }
#define TR_READ(read, name, letter, value, help) \
    { name, letter, value, help, 0, read }

// Options that mean the same in all commands.
#define TR_SET(what) \
    TR_READ(tr_read_set, "set", 0, "NAME=VALUE", "set a parameter of " what "; may be repeated")
#define TR_JSON(what) TR_FLAG(trFileRequest, json, "json", 0, "print " what " as JSON")
#define TR_VERBOSE(what) TR_FLAG(trFileRequest, all, "verbose", 'v', "print " what)
#define TR_QUIET(what) TR_FLAG(trFileRequest, quiet, "quiet", 'q', "print " what)
#define TR_BRANCH                             \
    TR_READ(tr_read_branch, "branch", 0, "N", \
            "start on branch N of a singular pose (see 'trammel check')")
// NAME=VALUE of --set, where each name may be set once; the number of --branch.
bool tr_read_set(trFileRequest *request, const char *text);
bool tr_read_branch(trFileRequest *request, const char *text);

typedef struct trLoaded trLoaded;

typedef struct trCommand {
    const char     *name;   // "check"
    const char     *alias;  // its former name, still accepted; or NULL
    const char     *summary;
    const char     *examples;               // lines of the help, the first ones
    const char     *help;                   // lines before the options
    const char     *notes;                  // lines after them; or NULL
    const char     *needs;                  // "a model file"
    const char     *file;                   // "MODEL.lua"
    bool            optional;               // it may be left out
    size_t          size;                   // of what it reads
    const trOption *options;                // but --help; settings follow
    trFieldList (*fields)(void);            // settings that are options, too; NULL: none
    bool (*check)(trFileRequest *request);  // options together; false as above; or NULL
    // What it does with the request, or with the model in the file and its system.
    trExit (*run)(trFileRequest *request);
    trExit (*run_model)(trFileRequest *request, trLoaded *loaded);
} trCommand;

// Those that list kinds (lists.c), which follow those of commands.def.
int              tr_list_count(void);
const trCommand *tr_list_at(int index);

// A whole command, where argv[0] is its name (command.c).
trExit tr_cli_command(const trCommand *command, int argc, char **argv);

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

// Writes the report to standard output, as the command line asks, and destroys it. NULL, for want
// of memory, is TR_EXIT_FAILED after a line.
trExit tr_cli_report(trReport *report, const trFileRequest *request);

// --- options (options.c) ---

// Reads all options; argv[optind] is the first word after them. `helped`: --help is among them.
// TR_EXIT_USAGE after a line that reports what is wrong and what was perhaps meant.
trExit tr_options_read(trFileRequest *request, int argc, char **argv, bool *helped);
// Prints the help of a command.
void tr_command_help(const trCommand *command);

// A finite number, and nothing else; a comma-separated list of them, or of words, which are added
// to those before. `what` is the option's name for the error line.
bool tr_cli_number(const char *what, const char *text, double *out);
bool tr_cli_numbers(trArena *arena, const char *what, const char *text, trNumbers *out);
bool tr_cli_words(trArena *arena, const char *what, const char *text, int *count,
                  const char ***out);

// Whether the command line gives the setting.
bool tr_setting_given(const trFileRequest *request, const char *key);
// The last error: a setting of the command line is refused as the option that it was, not as the
// key that it is.
void tr_setting_refuse(const trFileRequest *request, const char *key);

// --- a model file ---

struct trLoaded {
    const char *path;
    trModel    *model;
    trSystem   *system;
    trSimDef    def;  // what the file says under simulate{}
};

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

// --- what a run is asked for ---

typedef struct trRequest {
    trFileRequest                  file;
    const char                    *hdf5;  // path; NULL: none
    const char                    *csv;   // path; NULL: none
    bool                           no_hdf5;
    double                         checkpoint;  // seconds between checkpoints; 0: none are written
    const struct trCheckpointFile *resumed;     // NULL: the run begins (checkpoint.h)
} trRequest;

// Its options; the file of results is named after the `model`.
#define TR_REQUEST_OPTIONS(model)                                                              \
    TR_STRING(trRequest, hdf5, "output", 'o', "FILE",                                          \
              "write this HDF5 file (default " model ".h5)"),                                  \
        TR_STRING(trRequest, csv, "csv", 0, "FILE",                                            \
                  "also write a table; '-': to standard output, without summary"),             \
        TR_FLAG(trRequest, no_hdf5, "no-hdf5", 0, "do not write an HDF5 file"),                \
        TR_READ(tr_request_checkpoint, "checkpoint", 0, "SECONDS",                             \
                "update " model ".h5.checkpoint, from which 'trammel resume' continues a run " \
                "that was stopped or killed"),                                                 \
        TR_VERBOSE("the full summary"), TR_QUIET("neither progress nor summary")
bool tr_request_checkpoint(trFileRequest *request, const char *text);
// Options together; false: what is wrong has been reported.
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

// Once the system is there: creates, runs, sums up. Its settings get the start on the branch that
// was asked for.
trExit tr_run_model(const trRequest *request, trLoaded *loaded);

// --- the start on a branch of a singular pose ---

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

#endif
