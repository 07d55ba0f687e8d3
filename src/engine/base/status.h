// SPDX-License-Identifier: MIT
// How failures are raised and passed on. The text is thread-local and for people only.

#ifndef TR_BASE_STATUS_H
#define TR_BASE_STATUS_H

#include "base/shared.h"
#include "trammel/base.h"

// For small kernels whose sizes must become constants in each caller.
#if defined(__GNUC__)
#define TR_INLINE static inline __attribute__((always_inline))
#else
#define TR_INLINE static inline
#endif

// Passes a failure on to the caller.
#define TR_TRY(call)               \
    do {                           \
        trStatus status_ = (call); \
        if (status_ != TR_OK) {    \
            return status_;        \
        }                          \
    } while (0)

// Sets the error text and returns `status`, so that raising is one line.
trStatus tr_fail(trStatus status, const char *format, ...) TR_PRINTF(2, 3) TR_SHARED;

// Puts a prefix before the present error text ("joint 'rod': ") and returns `status`.
trStatus tr_blame(trStatus status, const char *format, ...) TR_PRINTF(2, 3) TR_SHARED;
// "four.lua:12: joint 'A': "; without the origin or the name where they are NULL.
trStatus tr_blame_thing(trStatus status, const char *origin, const char *family,
                        const char *name) TR_SHARED;

// Appends to the present error text ("; did you mean 'length'?") and returns `status`.
trStatus tr_add_hint(trStatus status, const char *format, ...) TR_PRINTF(2, 3) TR_SHARED;

// Words of others (modules, libraries) may have line ends and the like: spaces, from now on.
trStatus tr_one_line(trStatus status);

#endif
