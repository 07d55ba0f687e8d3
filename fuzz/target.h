// SPDX-License-Identifier: MIT
// A target takes any bytes. It ends the process where the library breaks a promise; memory errors
// and undefined behavior are the sanitizers' business. libFuzzer, AFL++ and replay.c call it.

#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A promise that must hold for every input.
#define MUST(condition)     \
    do {                    \
        if (!(condition)) { \
            abort();        \
        }                   \
    } while (0)

// What the seeds of a target reach: a target that does not see what it shall try is blind. The test
// that replays them fails where a goal is missed.
extern const char *const fuzz_goal[];   // ends with NULL
extern unsigned          fuzz_reached;  // a bit for each goal

#define GOALS(...)                                       \
    const char *const fuzz_goal[] = {__VA_ARGS__, NULL}; \
    unsigned          fuzz_reached = 0;
#define REACHED(goal) (fuzz_reached |= 1u << (goal))

#endif
