// SPDX-License-Identifier: MIT
// Numbers by name: a hash table, so that large models are described in linear time.

#ifndef TR_MODEL_NAMES_H
#define TR_MODEL_NAMES_H

#include "base/arena.h"

typedef struct trNamed {
    const char *name;  // NULL in an empty slot
    int         number;
} trNamed;

typedef struct trNames {
    int      room;   // slots, a power of two, or 0
    int      count;  // of names
    trNamed *slot;   // room
} trNames;

int tr_names_find(const trNames *names, const char *name) TR_SHARED;  // its number, or -1

// Remembers a name that is not there yet. The text must live as long as the table.
trStatus tr_names_add(trArena *arena, trNames *names, const char *name, int number);

// How many of a kind there are, to be read and changed; 0 at first. NULL when out of memory.
int *tr_names_count(trArena *arena, trNames *names, const char *kind);

#endif
