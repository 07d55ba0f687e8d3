// SPDX-License-Identifier: MIT
// A timer that ends the process.

#include "glue_mpi/guard.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define JOIN 60.0    // [s]
#define LONGEST 1e6  // [s]

// What the handler needs, made before.
static const char           *guard_line;
static volatile sig_atomic_t guard_code;
static struct sigaction      before;

static void give_up(int number) {
    (void)number;
    ssize_t written = write(STDERR_FILENO, guard_line, strlen(guard_line));
    (void)written;
    _exit(guard_code);
}

// With 0 seconds, none.
static void set_timer(double seconds) {
    double           whole = floor(seconds);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void tr_guard_begin(double seconds, int code, const char *line) {
    struct sigaction action = {.sa_handler = give_up};
    sigemptyset(&action.sa_mask);
    guard_line = line;
    guard_code = code;
    sigaction(SIGALRM, &action, &before);
    set_timer(seconds);
}

void tr_guard_end(void) {
    set_timer(0.0);
    sigaction(SIGALRM, &before, NULL);
}

double tr_join_seconds(void) {
    const char *text = getenv("TRAMMEL_JOIN_SECONDS");
    char       *end = NULL;
    double      seconds = text != NULL ? strtod(text, &end) : JOIN;
    int         good = text == NULL || (end != text && *end == '\0');
    return good && seconds > 0.0 && seconds < LONGEST ? seconds : JOIN;
}
