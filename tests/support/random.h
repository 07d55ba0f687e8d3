// SPDX-License-Identifier: MIT
// Random numbers that are the same everywhere: Knuth's linear congruential generator.

#ifndef TR_TESTS_SUPPORT_RANDOM_H
#define TR_TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

typedef struct trRandom {
    uint64_t state;
} trRandom;

// Uniform in [-1, 1).
static inline double random_real(trRandom *random) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random->state >> 11) / 4503599627370496.0 - 1.0;
}

// Uniform in first ... last.
static inline int random_int(trRandom *random, int first, int last) {
    double at = 0.5 * (random_real(random) + 1.0);
    return first + (int)(at * (last - first + 1));
}

#endif
