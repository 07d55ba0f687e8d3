// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keep.h"

// With AddressSanitizer, what lies between the pieces of a block is out of bounds, too.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GUARD_BYTES ((size_t)64)
#define FORBID(memory, bytes) __asan_poison_memory_region((memory), (bytes))
#define ALLOW(memory, bytes) __asan_unpoison_memory_region((memory), (bytes))
#else
#define GUARD_BYTES ((size_t)0)
#define FORBID(memory, bytes) ((void)0)
#define ALLOW(memory, bytes) ((void)0)
#endif

#define ALIGNMENT 64
#define FIRST_ROOM 16  // of a table
#ifndef BLOCK_BYTES    // a test that lets every single request fail makes it small
#define BLOCK_BYTES ((size_t)1 << 16)
#endif

typedef struct Block {
    struct Block *next;
    size_t        used, size;  // bytes, of the memory that follows this header
} Block;

typedef struct Deferred {
    struct Deferred *next;
    void (*release)(void *);
    void *object;
} Deferred;

struct trArena {
    Block    *blocks;    // newest first
    Deferred *deferred;  // newest first
    trKept   *kept;      // NULL: nothing
    trStatus  status;
    bool      sealed;
    size_t    bytes;  // of all blocks
    size_t    limit;  // 0: none
};

#define HEADER_BYTES ((sizeof(Block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

trArena *tr_arena_create(void) {
    trArena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) {
        (void)tr_fail(TR_E_MEMORY, "out of memory");
    }
    return arena;
}

void tr_arena_destroy(trArena *arena) {
    if (arena == NULL) {
        return;
    }
    for (Deferred *d = arena->deferred; d != NULL; d = d->next) {
        d->release(d->object);
    }
    for (Block *block = arena->blocks; block != NULL;) {
        Block *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

void tr_arena_seal(trArena *arena) {
    arena->sealed = true;
}

void tr_arena_limit(trArena *arena, size_t bytes) {
    arena->limit = bytes;
}

trStatus tr_arena_status(const trArena *arena) {
    return arena != NULL ? arena->status : TR_E_MEMORY;
}

static Block *add_block(trArena *arena, size_t bytes) {
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    if (arena->limit > 0 && (size > arena->limit || arena->bytes > arena->limit - size)) {
        arena->status = tr_fail(TR_E_MODEL,
                                "the model needs too much memory (the limit is %zu MiB); look for "
                                "a loop that adds without end",
                                arena->limit >> 20);
        return NULL;
    }
    Block *block = aligned_alloc(ALIGNMENT, HEADER_BYTES + size);
    if (block != NULL) {
        arena->bytes += size;
        *block = (Block){.next = arena->blocks, .size = size};
        arena->blocks = block;
        FORBID((char *)block + HEADER_BYTES, size);
    }
    return block;
}

void *tr_arena_take(trArena *arena, size_t count, size_t size) {
    if (tr_arena_status(arena) != TR_OK) {
        return NULL;
    }
    if (arena->sealed || (size != 0 && count > (SIZE_MAX / 2) / size)) {
        arena->status = tr_fail(TR_E_MEMORY, "memory was requested after planning, or too much");
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GUARD_BYTES;
    Block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(arena, bytes);
    }
    if (block == NULL) {
        arena->status = arena->status != TR_OK
                            ? arena->status
                            : tr_fail(TR_E_MEMORY, "out of memory (%zu bytes)", bytes);
        return NULL;
    }
    char *memory = (char *)block + HEADER_BYTES + block->used;
    block->used += bytes;
    ALLOW(memory, count * size);
    memset(memory, 0, count * size);
    return memory;
}

void *tr_arena_take_array(trArena *arena, size_t count, size_t size, trElement element) {
    void *memory = tr_arena_take(arena, count, size);
    if (memory != NULL && arena->kept != NULL && element == TR_ELEMENT_DOUBLE) {
        tr_keep_doubles(arena, memory, count);
    } else if (memory != NULL && arena->kept != NULL && element == TR_ELEMENT_BOOL) {
        tr_keep_bools(arena, memory, count);
    }
    return memory;
}

trKept *tr_arena_kept(const trArena *arena) {
    return arena != NULL ? arena->kept : NULL;
}

void tr_arena_set_kept(trArena *arena, trKept *kept) {
    arena->kept = kept;
}

void tr_arena_defer(trArena *arena, void (*release)(void *), void *object) {
    Deferred *d = tr_new(arena, Deferred);
    if (d == NULL) {
        release(object);
        return;
    }
    *d = (Deferred){.next = arena->deferred, .release = release, .object = object};
    arena->deferred = d;
}

void *tr_arena_copy(trArena *arena, const void *from, size_t count, size_t size) {
    void *copy = tr_arena_take(arena, count, size);
    if (copy != NULL && count > 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

char *tr_arena_text(trArena *arena, const char *text) {
    return tr_arena_copy(arena, text, strlen(text) + 1, 1);
}

char *tr_arena_format(trArena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int   length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : tr_arena_take(arena, (size_t)length + 1, 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    return text;
}

trStatus tr_table_add(trArena *arena, void *table, int *count, int *room, const void *entry,
                      size_t size) {
    char *at = NULL;
    memcpy(&at, table, sizeof at);
    if (*count == *room) {
        const int more = *room == 0 ? FIRST_ROOM : 2 * *room;
        char     *larger = tr_arena_take(arena, (size_t)more, size);
        if (larger != NULL && *count > 0) {
            memcpy(larger, at, (size_t)*count * size);
        }
        TR_TRY(tr_arena_status(arena));
        memcpy(table, &larger, sizeof larger);
        at = larger;
        *room = more;
    }
    memcpy(at + (size_t)*count * size, entry, size);
    ++*count;
    return tr_arena_status(arena);
}
