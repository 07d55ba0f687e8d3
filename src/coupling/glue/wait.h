// SPDX-License-Identifier: MIT
// Waiting with an end: looking without pause first, as answers come within microseconds, then with
// longer and longer naps, so that a slow module has the machine for itself.

#ifndef TR_GLUE_WAIT_H
#define TR_GLUE_WAIT_H

#include <stdbool.h>

#include "glue/link.h"

typedef struct trWait {
    double begun, seconds;  // wall clock [s]
    double looked;          // when the last pause began [s]
    double glanced;         // when processes were last looked at [s]
    double nap;             // the next one [s]
} trWait;

trWait tr_wait_begin(double seconds);
// A pause; false once the time is over. Time in which this process itself was stopped (Ctrl-Z, a
// sleeping computer) does not count: the other one was likely stopped, too.
bool tr_wait_more(trWait *wait);
// Now and then, the first time soon: time to see whether the other process is there at all.
bool tr_wait_glance(trWait *wait);

// Sends a message to a partner of the link; false if it is not accepted within `seconds`.
bool tr_wait_send(const trLink *link, int partner, double seconds, const void *bytes, size_t count);

#endif
