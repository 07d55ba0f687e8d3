// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: the library looks at a flag between steps.

#include <signal.h>
#include <time.h>

#include "cli/cli.h"

#define ONE_REQUEST 1  // [s]: signals within this time are one, of an impatient hand or of mpirun

static volatile sig_atomic_t stop_asked;
static time_t                first_asked;  // by the handler alone, in which both signals wait

static void ask_to_stop(int number) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (stop_asked == 0) {
        first_asked = now.tv_sec;
        stop_asked = 1;
    } else if (now.tv_sec - first_asked > ONE_REQUEST) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

const volatile int *tr_cli_catch_signals(void) {
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &stop_asked;
}
