// SPDX-License-Identifier: MIT
// One arena owns everything of one object: create, plan, seal, use, destroy.
//
// A failed request is sticky: plan functions ask for what they need without testing and end with
// `return tr_arena_status(arena);`. After tr_arena_seal a request fails.

#ifndef TR_BASE_ARENA_H
#define TR_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct trArena trArena;
typedef struct trKept  trKept;  // what is carried from step to step (keep.h)

// NULL when out of memory: an arena from which every request fails.
trArena *tr_arena_create(void) TR_SHARED;
// Runs deferred releases, newest first.
void     tr_arena_destroy(trArena *arena) TR_SHARED;
void     tr_arena_seal(trArena *arena);
trStatus tr_arena_status(const trArena *arena) TR_SHARED;

// From now on requests fail, with TR_E_MODEL, where the arena would be larger than `bytes`; 0: no
// limit.
void tr_arena_limit(trArena *arena, size_t bytes) TR_SHARED;

// Zeroed, aligned to 64 bytes; NULL after a failure. Zero bytes give a valid pointer.
void *tr_arena_take(trArena *arena, size_t count, size_t size) TR_SHARED;

// `release(object)` runs when the arena is destroyed.
void tr_arena_defer(trArena *arena, void (*release)(void *), void *object) TR_SHARED;

// Copies: of `count` times `size` bytes, of a text.
void *tr_arena_copy(trArena *arena, const void *from, size_t count, size_t size) TR_SHARED;
char *tr_arena_text(trArena *arena, const char *text) TR_SHARED;
char *tr_arena_format(trArena *arena, const char *format, ...) TR_PRINTF(2, 3) TR_SHARED;

#define tr_new(arena, type) ((type *)tr_arena_take((arena), 1, sizeof(type)))

// Arrays of numbers of an arena that keeps (keep.h) are kept by themselves.
typedef enum trElement { TR_ELEMENT_OTHER, TR_ELEMENT_DOUBLE, TR_ELEMENT_BOOL } trElement;

#define TR_ELEMENT(type) \
    _Generic((type *)0,                   \
        double *: TR_ELEMENT_DOUBLE,      \
        bool *: TR_ELEMENT_BOOL,          \
        default: TR_ELEMENT_OTHER)

void *tr_arena_take_array(trArena *arena, size_t count, size_t size, trElement element) TR_SHARED;

#define tr_new_array(arena, type, count) \
    ((type *)tr_arena_take_array((arena), (size_t)(count), sizeof(type), TR_ELEMENT(type)))

// Adds an entry of `size` bytes to a table that has `*room` entries and grows by doubling. `table`
// is the address of the pointer to it, which may change.
trStatus tr_table_add(trArena *arena, void *table, int *count, int *room, const void *entry,
                      size_t size) TR_SHARED;

trKept *tr_arena_kept(const trArena *arena);  // NULL: it keeps nothing
void    tr_arena_set_kept(trArena *arena, trKept *kept);

#endif
