// SPDX-License-Identifier: MIT
// What a simulation carries from one step to the next, so that it can be saved and restored.
//
// An arena that keeps lists its arrays of double and bool by itself, in the order in which they are
// planned. What else is carried, scalars in structs and arrays of int, is declared by the plan
// function that owns it:
//
//     tr_keep_double(arena, &work->h_last);
//     tr_keep_int(arena, &work->count, 0, work->depth);        and the range it may have
//     tr_keep_remake(arena, factor_again, work);               what cannot be copied
//
// Pointers are never kept: two arrays that change places must exchange their numbers. In an arena
// that does not keep, all of this does nothing.

#ifndef TR_BASE_KEEP_H
#define TR_BASE_KEEP_H

#include <stdint.h>

#include "base/arena.h"

// From here on the arena keeps.
void tr_keep_begin(trArena *arena);

void tr_keep_doubles(trArena *arena, double *at, size_t count);
void tr_keep_bools(trArena *arena, bool *at, size_t count);
// Each of them from `least` to `most`: what is restored is checked.
void tr_keep_ints(trArena *arena, int *at, size_t count, int least, int most);
// Of LAPACK's getrf, count of them: from 1 to count, which they are set to at first, since getrs
// follows them without looking.
void tr_keep_pivots(trArena *arena, int *at, int count);
void tr_keep_counts(trArena *arena, int64_t *at, size_t count);  // not negative
void tr_keep_bits(trArena *arena, uint64_t *at, size_t count);   // anything

static inline void tr_keep_double(trArena *arena, double *at) {
    tr_keep_doubles(arena, at, 1);
}

static inline void tr_keep_bool(trArena *arena, bool *at) {
    tr_keep_bools(arena, at, 1);
}

static inline void tr_keep_int(trArena *arena, int *at, int least, int most) {
    tr_keep_ints(arena, at, 1, least, most);
}

static inline void tr_keep_count(trArena *arena, int64_t *at) {
    tr_keep_counts(arena, at, 1);
}

// After all numbers are back, `remake(object)` makes again what lies outside of the arena, or in
// it and is not kept. It may use and change what is kept: that is put back once more.
void tr_keep_remake(trArena *arena, trStatus (*remake)(void *), void *object);

size_t   tr_kept_bytes(const trArena *arena);
uint64_t tr_kept_layout(const trArena *arena);  // a mark of kinds, counts and ranges, in order
void     tr_kept_save(const trArena *arena, unsigned char *bytes);  // tr_kept_bytes
// TR_E_ARGUMENT, with nothing changed, for numbers that are out of their range.
trStatus tr_kept_restore(trArena *arena, const unsigned char *bytes);

#endif
