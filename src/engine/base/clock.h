// SPDX-License-Identifier: MIT
// Clocks, in seconds from an arbitrary start.

#ifndef TR_BASE_CLOCK_H
#define TR_BASE_CLOCK_H

#include "base/shared.h"

double tr_clock_wall(void);              // monotonic
double tr_clock_cpu(void);               // that processors spent on this process
double tr_clock_thread(void) TR_SHARED;  // on this thread

#endif
