// SPDX-License-Identifier: MIT
// What is said of a motion with M v = 0 and A v = 0, and what to do.

#ifndef TR_BASE_FREE_WORDS_H
#define TR_BASE_FREE_WORDS_H

#include <stdbool.h>

typedef struct trFreeWords {
    const char *lacks, *remedy;
} trFreeWords;

// `dim`: of the system, 0 for coordinates of the user's own.
static inline trFreeWords tr_words_for_free(int dim, bool turns) {
    if (dim == 0) {
        return (trFreeWords){"has neither mass nor a constraint that holds it",
                             "give it mass > 0, or a constraint"};
    }
    return (trFreeWords){"has neither inertia nor a joint that holds it",
                         turns ? "give it inertia > 0, or a joint"
                               : "give it mass > 0, or a joint"};
}

// Of a column of M whose mass is canceled by that of others.
static inline trFreeWords tr_words_for_canceled(void) {
    return (trFreeWords){"together with that of others has neither mass nor a constraint that "
                         "holds it",
                         "make the mass matrix positive definite, or add a constraint"};
}

#endif
