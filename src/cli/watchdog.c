// SPDX-License-Identifier: MIT
// Loading a model file under a watchdog. The library bounds what a file does as far as it can see
// it; a single long call inside C it cannot. A timer ends the process from outside, so that no file
// can hold the command: one that the processor spent too long on, and one that never comes. On a
// busy machine a file that is merely slow goes on.

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"

#define LINE_SIZE 1024
#define GRACE 0.25  // of the bound, and a second: the library comes first where it can, with a line
#define IDLE 1e-3   // of the time between two looks: who computes less than that waits

// What the handler writes: made before, for a handler can do little.
static char   line[LINE_SIZE];
static size_t line_length;
static double patience;     // between looks, and what the processor may spend [s]
static double begun, seen;  // what it had spent at the start, and at the last look
static double looked;       // the time of that look, which a stopped process takes late

static void look(int signal_number) {
    (void)signal_number;
    double spent = tr_clock_cpu(), now = tr_clock_wall();
    if (spent - begun < patience && spent - seen > IDLE * fmin(now - looked, patience)) {
        seen = spent;
        looked = now;
        return;
    }
    ssize_t written = write(STDERR_FILENO, line, line_length);
    (void)written;
    _exit(TR_EXIT_MODEL);
}

static void make_line(const char *path, double seconds) {
    int length = snprintf(line, sizeof line,
                          "trammel: %.800s: the file runs longer than %g s; look for a loop that "
                          "does not end\n",
                          path, seconds);
    line_length = (size_t)length < sizeof line ? (size_t)length : sizeof line - 1;
}

// With 0 seconds, none.
static void set_timer(double seconds) {
    double           whole = floor(seconds);
    struct timeval   next = {.tv_sec = (time_t)whole,
                             .tv_usec = (suseconds_t)((seconds - whole) * 1e6)};
    struct itimerval timer = {.it_interval = next, .it_value = next};
    setitimer(ITIMER_REAL, &timer, NULL);
}

// TRAMMEL_LOAD_SECONDS, for files that need longer; what is no such number does not count.
static double load_seconds(void) {
    const char *text = getenv("TRAMMEL_LOAD_SECONDS");
    char       *end = NULL;
    double      seconds = text != NULL ? strtod(text, &end) : TR_LUA_SECONDS;
    bool        good = text == NULL || (end != text && *end == '\0');
    return good && seconds > 0.0 && seconds < 1e6 ? seconds : TR_LUA_SECONDS;
}

static struct sigaction before;  // what the signal did without the watchdog

double tr_cli_watch(const char *path) {
    double           seconds = load_seconds();
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    make_line(path, seconds);
    sigaction(SIGALRM, &action, &before);
    begun = seen = tr_clock_cpu();
    looked = tr_clock_wall();
    patience = (1.0 + GRACE) * seconds + 1.0;
    set_timer(patience);
    return seconds;
}

void tr_cli_unwatch(void) {
    set_timer(0.0);
    sigaction(SIGALRM, &before, NULL);
}

trStatus tr_cli_load(const char *path, const char *const *set, trModel **model, trSimDef *def) {
    double   seconds = tr_cli_watch(path);
    trStatus status = tr_lua_load_within(seconds, path, set, model, def);
    tr_cli_unwatch();
    return status;
}
