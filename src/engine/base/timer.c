// SPDX-License-Identifier: MIT
#include "base/timer.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define LONGEST 1e6  // [s]

// What the handler needs, made before: a handler can do little.
static const char           *timer_line;
static volatile sig_atomic_t timer_code;
static bool (*timer_may_go_on)(void);
static struct sigaction before;

static void look(int number) {
    if (timer_may_go_on == NULL || !timer_may_go_on()) {
        ssize_t written = write(STDERR_FILENO, timer_line, strlen(timer_line));
        (void)written;
        _exit(timer_code);
    }
}

// With 0 seconds, none.
static void set_timer(double seconds) {
    double           whole = floor(seconds);
    struct timeval   next = {.tv_sec = (time_t)whole,
                             .tv_usec = (suseconds_t)((seconds - whole) * 1e6)};
    struct itimerval timer = {.it_interval = next, .it_value = next};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void tr_timer_begin(double seconds, int code, const char *line, bool (*may_go_on)(void)) {
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    timer_line = line;
    timer_code = code;
    timer_may_go_on = may_go_on;
    sigaction(SIGALRM, &action, &before);
    set_timer(seconds);
}

void tr_timer_end(void) {
    set_timer(0.0);
    sigaction(SIGALRM, &before, NULL);
}

double tr_timer_seconds(const char *variable, double otherwise) {
    const char *text = getenv(variable);
    char       *end = NULL;
    double      seconds = text != NULL ? strtod(text, &end) : otherwise;
    bool        good = text == NULL || (end != text && *end == '\0');
    return good && seconds > 0.0 && seconds < LONGEST ? seconds : otherwise;
}
