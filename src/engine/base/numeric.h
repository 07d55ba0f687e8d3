// SPDX-License-Identifier: MIT
// Numbers in files have a point, whatever locale the program has set: a library that reads or
// writes them as text does so with the locale "C", of this thread only.

#ifndef TR_BASE_NUMERIC_H
#define TR_BASE_NUMERIC_H

#include <locale.h>

typedef struct trNumeric {
    locale_t plain, before;
} trNumeric;

static inline trNumeric tr_numeric_begin(void) {
    trNumeric numeric = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    numeric.before = numeric.plain != (locale_t)0 ? uselocale(numeric.plain) : (locale_t)0;
    return numeric;
}

static inline void tr_numeric_end(trNumeric numeric) {
    if (numeric.plain != (locale_t)0) {
        uselocale(numeric.before);
        freelocale(numeric.plain);
    }
}

#endif
