// SPDX-License-Identifier: MIT
// Who is at the other end: enough to see, where both are on one machine, that it has died.

#ifndef TR_GLUE_PROCESS_H
#define TR_GLUE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#define TR_PROCESS_PLACE 96

typedef struct trProcess {
    uint64_t id;
    uint64_t started;                  // clock ticks since the machine started
    char     place[TR_PROCESS_PLACE];  // machine and its space of process numbers; "": not known
} trProcess;

trProcess tr_process_self(void);
// Certainly gone. False for one that lives, and for one that cannot be seen from here.
bool tr_process_gone(const trProcess *process);

#endif
