// SPDX-License-Identifier: MIT
// Starting all processes of a glued run.

#include "cli/glue_mpirun.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_SIZE 4096
#define NOT_RUN 127  // as shells have it

// --- the line ---

const char *tr_mpirun_self(trArena *arena) {
    char    path[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return tr_arena_text(arena, length > 0 ? path : "trammel");
}

static int count_words(trWords words) {
    int count = 0;
    while (words != NULL && words[count] != NULL) {
        count++;
    }
    return count;
}

trWords tr_mpirun_file(trArena *arena, const char *command, const char *path, const char *name,
                       trWords settings) {
    const char *const first[] = {command, "module", path, "--name", name};
    int               count = (int)(sizeof first / sizeof *first);
    int               sets = count_words(settings);
    const char      **words = tr_new_array(arena, const char *, count + 2 * sets + 1);
    if (words == NULL) {
        return NULL;
    }
    memcpy(words, first, sizeof first);
    for (int i = 0; i < sets; i++) {
        words[count++] = "--set";
        words[count++] = settings[i];
    }
    return words;
}

typedef struct Line {
    const char **word;
    int          count;
} Line;

static void add(Line *line, const char *word) {
    line->word[line->count++] = word;
}

static void add_program(Line *line, trWords words) {
    add(line, "-n");
    add(line, "1");
    for (int i = 0; words[i] != NULL; i++) {
        add(line, words[i]);
    }
}

// What the command looks at in its environment, for processes on other machines.
static const char *const passed_on[] = {"TRAMMEL_JOIN_SECONDS", "TRAMMEL_LOAD_SECONDS",
                                        "TRAMMEL_MPI_PLUGIN", "OPENBLAS_NUM_THREADS"};
#define PASSED_ON ((int)(sizeof passed_on / sizeof *passed_on))
#define OPTIONS (16 + 2 * PASSED_ON)  // words of mpirun itself, at most

static void add_options(Line *line, const trMpirun *mpirun) {
    add(line, "mpirun");
    add(line, "--quiet");          // what fails is told by the coordinator
    add(line, "--oversubscribe");  // modules wait for each other most of the time
    add(line, "--bind-to");
    add(line, "none");
    if (geteuid() == 0) {
        add(line, "--allow-run-as-root");
    }
    if (mpirun->hosts != NULL) {
        add(line, "--hostfile");
        add(line, mpirun->hosts);
    }
    for (int i = 0; i < PASSED_ON; i++) {
        if (getenv(passed_on[i]) != NULL) {
            add(line, "-x");
            add(line, passed_on[i]);
        }
    }
}

trWords tr_mpirun_line(trArena *arena, const trMpirun *mpirun) {
    int count = OPTIONS + count_words(mpirun->coordinator);
    for (int i = 0; i < mpirun->modules; i++) {
        count += 3 + count_words(mpirun->module[i]);
    }
    Line line = {.word = tr_new_array(arena, const char *, count + 1)};
    if (line.word == NULL) {
        return NULL;
    }
    add_options(&line, mpirun);
    add_program(&line, mpirun->coordinator);
    for (int i = 0; i < mpirun->modules; i++) {
        add(&line, ":");
        add_program(&line, mpirun->module[i]);
    }
    return line.word;
}

// --- the run ---

static volatile sig_atomic_t child;

static void pass_on(int number) {
    if (child > 0) {
        kill((pid_t)child, number);
    }
}

// Ctrl-C reaches mpirun by itself; this process stays to tell the outcome. The rest is passed on.
static void mind_signals(struct sigaction before[2]) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pass = {.sa_handler = pass_on};
    sigemptyset(&ignore.sa_mask);
    sigemptyset(&pass.sa_mask);
    sigaction(SIGINT, &ignore, &before[0]);
    sigaction(SIGTERM, &pass, &before[1]);
}

static void restore_signals(const struct sigaction before[2]) {
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
}

static void become(trWords line, const char *outcome, const struct sigaction before[2]) {
    restore_signals(before);
    setenv("TRAMMEL_OUTCOME", outcome, 1);
    // execvp takes words that it does not change as if it might.
    char *const *words = NULL;
    memcpy(&words, &line, sizeof words);
    execvp(words[0], words);
    _exit(NOT_RUN);
}

static trStatus run_to_end(trWords line, const char *outcome, int *status) {
    struct sigaction before[2];
    mind_signals(before);
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        become(line, outcome, before);
    }
    child = (sig_atomic_t)process;
    pid_t ended = process;
    while (process > 0 && (ended = waitpid(process, status, 0)) < 0 && errno == EINTR) {
    }
    child = 0;
    restore_signals(before);
    if (process < 0 || ended < 0) {
        return tr_fail(TR_E_IO, "mpirun cannot be started: %s", strerror(errno));
    }
    return WIFEXITED(*status) && WEXITSTATUS(*status) == NOT_RUN
               ? tr_fail(TR_E_IO, "mpirun was not found; install openmpi-bin")
               : TR_OK;
}

static bool read_outcome(const char *path, int *code) {
    FILE *file = fopen(path, "r");
    bool  good = file != NULL && fscanf(file, "%d", code) == 1;
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

trStatus tr_mpirun_run(trWords line, int *code) {
    const char *folder = getenv("TMPDIR");
    char        path[PATH_SIZE];
    int         status = 0;
    snprintf(path, sizeof path, "%s/trammel-outcome-XXXXXX",
             folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) {
        return tr_fail(TR_E_IO, "%s: cannot be made: %s", path, strerror(errno));
    }
    close(file);
    trStatus ran = run_to_end(line, path, &status);
    bool     told = read_outcome(path, code);
    unlink(path);
    if (ran != TR_OK || told) {
        return ran;
    }
    return tr_fail(TR_E_PARTNER, "the coordinator was lost, or could not be started by mpirun");
}
