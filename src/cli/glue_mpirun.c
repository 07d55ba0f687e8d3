// SPDX-License-Identifier: MIT
// Starting all processes of a glued run.

#include "cli/glue_mpirun.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/glue_notices.h"

#define PATH_SIZE 4096
#define NOT_RUN 127   // as shells have it
#define PATIENCE 3.0  // with mpirun, from the coordinator's end on [s]

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

const char *tr_mpirun_name(trArena *arena, const char *name) {
    return tr_arena_format(arena, "--name=%s", name);
}

trWords tr_mpirun_file(trArena *arena, const char *command, const char *path, const char *name,
                       trWords settings) {
    const char *const first[] = {command, "module", path, tr_mpirun_name(arena, name)};
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

static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
#define ASKING ((int)(sizeof asking / sizeof *asking))

static volatile sig_atomic_t asked;  // by a signal that has not been passed on yet; 0: no

static void ask(int number) {
    asked = number;
}

// What is ignored, as by nohup, stays so.
static void mind_signals(struct sigaction before[ASKING]) {
    struct sigaction action = {.sa_handler = ask};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ASKING; i++) {
        sigaction(asking[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) {
            sigaction(asking[i], &action, NULL);
        }
    }
}

static void restore_signals(const struct sigaction before[ASKING]) {
    for (int i = 0; i < ASKING; i++) {
        sigaction(asking[i], &before[i], NULL);
    }
}

// Options of the line come before its first program.
static bool is_on_one_machine(trWords line) {
    for (int i = 0; strcmp(line[i], "-n") != 0; i++) {
        if (strcmp(line[i], "--hostfile") == 0) {
            return false;
        }
    }
    return true;
}

// Settings that Open MPI 4 and 5 read or ignore, instead of options that one of them refuses or
// applies to the first program only.
static void set_up_mpi(trWords line) {
    setenv("OMPI_MCA_orte_execute_quiet", "1", 1);  // the coordinator reports what fails
    // With this component mpirun of Open MPI 5.0 crashes where a line has several programs and the
    // PMIx is not its own. It only tells processes again what MPI knows.
    setenv("PMIX_MCA_pmdl", "^ompi", 0);
    if (is_on_one_machine(line)) {  // there is shared memory; TCP may not even lead back to it
        setenv("OMPI_MCA_btl", "^tcp", 0);
    }
}

// In a group of its own, so that Ctrl-C does not reach it: it would kill the coordinator before
// that has written its results. Nor may it read from a terminal then.
static void become(trWords line, const char *outcome, const trNotices *notices,
                   const struct sigaction before[ASKING]) {
    restore_signals(before);
    tr_notices_enter(notices);
    setpgid(0, 0);
    if (freopen("/dev/null", "r", stdin) == NULL) {
        _exit(NOT_RUN);
    }
    setenv("TRAMMEL_OUTCOME", outcome, 1);
    set_up_mpi(line);
    // execvp takes words that it does not change as if it might.
    char *const *words = NULL;
    memcpy(&words, &line, sizeof words);
    execvp(words[0], words);
    _exit(NOT_RUN);
}

// The coordinator's exit code; while it runs, less than 0: its process with a minus.
static bool read_outcome(const char *path, int *code) {
    FILE *file = fopen(path, "r");
    bool  good = file != NULL && fscanf(file, "%d", code) == 1;
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

// The coordinator ends the run in good order; where there is none yet, mpirun ends.
static void pass_on(pid_t mpirun, const char *outcome) {
    int number = asked, code = 0;
    asked = 0;
    if (number != 0) {
        bool runs = read_outcome(outcome, &code) && code < -1;
        kill(runs ? (pid_t)-code : mpirun, runs ? SIGTERM : number);
    }
}

// mpirun of Open MPI 4.1 now and then stays for ever when a rank has called MPI_Abort. Once the
// coordinator has told the outcome, mpirun has a few seconds to end the others; then it is killed,
// which ends what is left.
static pid_t wait_for(pid_t process, const char *outcome, trNotices *notices, int *status) {
    const struct timespec pause = {.tv_nsec = 10000000};
    int                   code = 0;
    double                told = 0.0;  // when [s]
    pid_t                 ended = 0;
    while ((ended = waitpid(process, status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        pass_on(process, outcome);
        tr_notices_pass(notices);
        if (told == 0.0 && read_outcome(outcome, &code) && code >= 0) {
            told = tr_clock_wall();
        } else if (told > 0.0 && tr_clock_wall() - told > PATIENCE) {
            kill(process, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
    return ended;
}

static trStatus run_to_end(trWords line, const char *outcome, int *status) {
    struct sigaction before[ASKING];
    trNotices        notices;
    int              code = -1;
    mind_signals(before);
    fflush(NULL);
    tr_notices_open(&notices);
    pid_t process = fork();
    if (process == 0) {
        become(line, outcome, &notices, before);
    }
    tr_notices_begin(&notices);
    pid_t ended = process > 0 ? wait_for(process, outcome, &notices, status) : process;
    int   reason = errno;
    tr_notices_close(&notices, !read_outcome(outcome, &code) || code < 0);
    restore_signals(before);
    if (process < 0 || ended < 0) {
        return tr_fail(TR_E_IO, "mpirun cannot be started: %s", strerror(reason));
    }
    return WIFEXITED(*status) && WEXITSTATUS(*status) == NOT_RUN
               ? tr_fail(TR_E_IO, "mpirun was not found; install openmpi-bin")
               : TR_OK;
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
    bool     told = read_outcome(path, code) && *code >= 0;
    unlink(path);
    if (ran != TR_OK || told) {
        return ran;
    }
    return tr_fail(TR_E_PARTNER, "the coordinator was lost, or mpirun could not start it");
}
