// SPDX-License-Identifier: MIT
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
#define SANITIZED
#elif defined(__has_feature)  // Clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

// Limits for a file of `size` bytes. Rows are read piece by piece, and the model text in a file has
// bounds of its own (lua/bounds.c); time is what the processor spends.
#define MEMORY_BASE ((uint64_t)4 << 30)
#define MEMORY_PER_BYTE 4
#define SECONDS_BASE 600
#define BYTES_PER_SECOND 16384
#define LINES_SIZE 4096  // of what a child says

static uint64_t size_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 0 ? (uint64_t)info.st_size : 0;
}

// TRAMMEL_READ_SECONDS, for files that need longer; what is no such number does not count.
static rlim_t seconds_for(const char *path) {
    const char *text = getenv("TRAMMEL_READ_SECONDS");
    char       *end = NULL;
    long        given = text != NULL ? strtol(text, &end, 10) : 0;
    bool        good = text != NULL && end != text && *end == '\0' && given > 0;
    return good ? (rlim_t)given : SECONDS_BASE + size_of(path) / BYTES_PER_SECOND;
}

// A limit that is lower already stays.
static void limit(int resource, rlim_t most) {
    struct rlimit bounds;
    if (getrlimit(resource, &bounds) == 0 &&
        (bounds.rlim_cur == RLIM_INFINITY || bounds.rlim_cur > most)) {
        bounds.rlim_cur = most;
        (void)setrlimit(resource, &bounds);
    }
}

static void confine(const char *path) {
    (void)setenv("HDF5_PLUGIN_PRELOAD", "::", 1);  // a file cannot ask for code: HDF5 loads none
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, seconds_for(path));
#ifndef SANITIZED  // sanitizers map terabytes
    limit(RLIMIT_AS, MEMORY_BASE + MEMORY_PER_BYTE * size_of(path));
#endif
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits for it any more
#endif
}

// Libraries that come with others (UCX with Open MPI 5) catch crashes and print reports of them.
static void forget_handlers(void) {
#ifndef SANITIZED  // reports of sanitizers are wanted
    static const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crash / sizeof *crash; i++) {
        (void)signal(crash[i], SIG_DFL);
    }
#endif
}

static void silence_errors(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDERR_FILENO);
    }
}

static bool catches_signals(void) {
    struct sigaction action;
    return sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
}

static _Noreturn void be_child(const char *path, trChildWork work, void *context, int pipe_end) {
    confine(path);
    if (catches_signals()) {  // then the parent decides when to stop
        (void)signal(SIGINT, SIG_IGN);
        (void)signal(SIGTERM, SIG_IGN);
    }
    silence_errors();
    FILE *to = fdopen(pipe_end, "wb");
    int   code = to != NULL ? work(context, to) : TR_EXIT_FAILED;
    bool  failed = to == NULL || fflush(to) != 0;
    _exit(failed ? TR_EXIT_FAILED : code);
}

trStatus tr_child_begin(const char *path, trChildWork work, void *context, trChild *out) {
    int ends[2];
    *out = (trChild){.path = path, .id = -1};
    fflush(NULL);  // else both would write what waits
    forget_handlers();
    if (pipe(ends) != 0) {
        return tr_fail(TR_E_MEMORY, "%s: cannot start a process to read it: %s", path,
                       strerror(errno));
    }
    out->id = fork();
    if (out->id == 0) {
        close(ends[0]);
        be_child(path, work, context, ends[1]);
    }
    close(ends[1]);
    out->from = out->id > 0 ? fdopen(ends[0], "rb") : NULL;
    if (out->from == NULL) {
        int reason = errno, code = 0;
        close(ends[0]);
        if (out->id > 0) {
            (void)waitpid(out->id, &code, 0);  // it cannot write any more
        }
        return tr_fail(TR_E_MEMORY, "%s: cannot start a process to read it: %s", path,
                       strerror(reason));
    }
    return TR_OK;
}

size_t tr_child_read(trChild *child, void *to, size_t bytes) {
    size_t got = 0;
    while (got < bytes) {
        errno = 0;
        size_t more = fread((char *)to + got, 1, bytes - got, child->from);
        got += more;
        if (got < bytes && errno != EINTR) {
            break;
        }
        clearerr(child->from);
    }
    return got;
}

static trStatus blame_signal(const trChild *child, int number) {
    if (number == SIGINT || number == SIGTERM) {
        return tr_fail(TR_E_INTERRUPTED, "%s: interrupted while it was read", child->path);
    }
    if (number == SIGXCPU) {
        return tr_fail(TR_E_IO,
                       "%s: reading it takes longer than %lu s of CPU time; the file may be "
                       "damaged: run the model again, or set TRAMMEL_READ_SECONDS",
                       child->path, (unsigned long)seconds_for(child->path));
    }
    return tr_fail(TR_E_IO,
                   "%s: the file is damaged: reading it ended with signal %d; give the HDF5 file "
                   "of 'trammel run', or run the model again",
                   child->path, number);
}

trStatus tr_child_end(trChild *child, int *code) {
    int outcome = 0;
    fclose(child->from);  // one that still writes is ended by SIGPIPE
    while (waitpid(child->id, &outcome, 0) < 0) {
        if (errno != EINTR) {
            return tr_fail(TR_E_IO, "%s: cannot be read: %s", child->path, strerror(errno));
        }
    }
    *code = WIFEXITED(outcome) ? WEXITSTATUS(outcome) : TR_EXIT_FAILED;
    return WIFEXITED(outcome) || WTERMSIG(outcome) == SIGPIPE
               ? TR_OK
               : blame_signal(child, WTERMSIG(outcome));
}

// --- a whole command ---

typedef struct Command {
    trExit (*work)(void *context);
    void *context;
} Command;

static int run_command(void *context, FILE *to) {
    const Command *c = context;
    (void)dup2(fileno(to), STDERR_FILENO);
    return (int)tr_cli_flush_output(c->work(c->context));
}

// What the child says is heard if it comes to its end: one that crashes is not to be believed.
trExit tr_child_command(const char *path, trExit (*work)(void *context), void *context) {
    Command  command = {work, context};
    trChild  child;
    char     lines[LINES_SIZE];
    int      code = TR_EXIT_FAILED;
    trStatus status = tr_child_begin(path, run_command, &command, &child);
    if (status == TR_OK) {
        char   rest;
        size_t length = tr_child_read(&child, lines, sizeof lines);
        while (tr_child_read(&child, &rest, 1) == 1) {  // more than anyone reads
        }
        status = tr_child_end(&child, &code);
        (void)fwrite(lines, 1, status == TR_OK ? length : 0, stderr);
    }
    if (status != TR_OK) {
        tr_cli_error("%s", tr_last_error());
        return tr_cli_exit(status);
    }
    return (trExit)code;
}
