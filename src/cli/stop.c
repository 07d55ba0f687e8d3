// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: the library looks at a flag between steps.

#include <signal.h>

#include "cli/cli.h"

static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal_number) {
    (void)signal_number;
    stop_asked = 1;
}

// A second signal finds the default action and kills.
const volatile int *tr_cli_catch_signals(void) {
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &stop_asked;
}
