// SPDX-License-Identifier: MIT
// A timer that ends the process. For programs, not for the library, which has no signals.

#ifndef TR_BASE_TIMER_H
#define TR_BASE_TIMER_H

#include <stdbool.h>

// After `seconds` the process ends with `code` and `line` on standard error, unless `may_go_on`,
// which NULL stands for no, says otherwise: then it is asked again after as long. SIGALRM is taken
// until tr_timer_end, which gives it back.
void tr_timer_begin(double seconds, int code, const char *line, bool (*may_go_on)(void));
void tr_timer_end(void);

// The number in an environment variable, or `otherwise` where that is no number of seconds.
double tr_timer_seconds(const char *variable, double otherwise);

#endif
