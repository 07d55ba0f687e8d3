// SPDX-License-Identifier: MIT
// What was simulated, as bytes from which it goes on. The numbers are those that an arena keeps
// (base/keep.h); more may follow them. In words of 64 bits:
//
//     magic   1   origin   layout of the numbers   size in words
//     numbers, filled up with zeros   more   mark of all that is before it
//
// The second word is 1 in the order of bytes of this machine.

#ifndef TR_RECORD_SAVED_H
#define TR_RECORD_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct trSaved {
    const trArena *arena;   // of the numbers
    size_t         more;    // bytes, of whole words
    uint64_t       magic;   // of this sort
    uint64_t       origin;  // a mark of all that must be the same where it is restored
    const char    *word;    // for this sort: "simulation"
    const char    *other;   // what is said where the origin is another one
} trSaved;

size_t   tr_saved_room(size_t bytes);          // in whole words
size_t   tr_saved_more(const trSaved *saved);  // bytes before `more`
size_t   tr_saved_size(const trSaved *saved);
trStatus tr_saved_check_size(const trSaved *saved, size_t size);
// All but `more`, which is there by now.
void tr_saved_write(const trSaved *saved, unsigned char *bytes);
// TR_E_ARGUMENT, in words, for bytes that are damaged or something else.
trStatus tr_saved_check(const trSaved *saved, const unsigned char *bytes, size_t size);
trStatus tr_saved_damaged(const trSaved *saved);
// Once they are checked.
trStatus tr_saved_restore(trArena *arena, const unsigned char *bytes);

#endif
