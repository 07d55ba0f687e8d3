// SPDX-License-Identifier: MIT
// Clocks of the system, in seconds.

#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double tr_clock_wall(void) {
    return seconds(CLOCK_MONOTONIC);
}

double tr_clock_cpu(void) {
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double tr_clock_thread(void) {
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}
