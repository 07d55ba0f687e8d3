// SPDX-License-Identifier: MIT
// Check marks of results: 64 bits that follow from every number of a row, or from every byte of a
// text. A single number that is changed always changes the mark of its row, since each step below
// can be undone:
//
//     h <- (h xor number) * p    with p odd, modulo 2^64

#ifndef TR_RECORD_MARK_H
#define TR_RECORD_MARK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/sink.h"

#define TR_LAYOUT_VERSION 2  // of result files
#define TR_MARK_START 14695981039346656037u
#define TR_MARK_FACTOR 1099511628211u

static inline uint64_t tr_mark_add(uint64_t mark, uint64_t number) {
    mark = (mark ^ number) * TR_MARK_FACTOR;
    return mark ^ (mark >> 29);  // the high bits, too, shall meet what follows
}

// Of the bits of the numbers, whatever their order in memory.
static inline uint64_t tr_mark_row(size_t count, const double *values) {
    uint64_t mark = TR_MARK_START;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        mark = tr_mark_add(mark, bits);
    }
    return mark;
}

// Texts with their ends: "ab", "c" differs from "a", "bc".
static inline uint64_t tr_mark_text(uint64_t mark, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        mark = tr_mark_add(mark, *c);
    }
    return tr_mark_add(mark, 0);
}

// Of all texts that describe the rows: notes, in whatever order they come, names and units.
static inline uint64_t tr_mark_texts(const trNote *notes, int columns, const trColumn *column) {
    uint64_t sum = 0;
    for (const trNote *note = notes; note != NULL; note = note->next) {
        sum += tr_mark_text(tr_mark_text(TR_MARK_START, note->key), note->text);
    }
    uint64_t mark = tr_mark_add(TR_MARK_START, sum);
    for (int i = 0; i < columns; i++) {
        mark = tr_mark_text(tr_mark_text(mark, column[i].name), column[i].unit);
    }
    return mark;
}

#endif
