// SPDX-License-Identifier: MIT
// The functions of the C library that give memory, in front of the real ones. Those are, in a plain
// program, the ones glibc exports under a second name; with AddressSanitizer its own, which it
// exports under a second name for this purpose, so that it sees every block and what is done
// with it.
//
// Compiled without sanitizers (tests/faults/CMakeLists.txt): the loader asks for memory before they
// are ready.

#define _GNU_SOURCE  // dl_iterate_phdr
#include "faults/memory.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAULTS_SANITIZED
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t bytes);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old, size_t bytes);
void *REAL(memalign)(size_t alignment, size_t bytes);
void  REAL(free)(void *memory);

// --- who asks ---

extern const char __executable_start, etext;  // the linker's: the code of this program

typedef struct Range {
    uintptr_t begin, end;
} Range;

#define MOST_RANGES 16

static Range hdf5[MOST_RANGES];  // the code of its libraries
static int   range_count;

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context) {
    bool wanted = strstr(info->dlpi_name, "hdf5") != NULL;
    (void)size;
    (void)context;
    for (int i = 0; wanted && i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            uintptr_t begin = info->dlpi_addr + part->p_vaddr;
            hdf5[range_count++] = (Range){begin, begin + part->p_memsz};
        }
    }
    return 0;
}

static bool is_ours(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    return at >= (uintptr_t)&__executable_start && at < (uintptr_t)&etext;
}

static bool is_of_hdf5(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    for (int i = 0; i < range_count; i++) {
        if (at >= hdf5[i].begin && at < hdf5[i].end) {
            return true;
        }
    }
    return false;
}

// --- what is held: a hash table with open addressing, since it must not ask for memory itself ---

#define SLOTS ((size_t)1 << 17)

typedef struct Held {
    void       *block;  // NULL: free slot
    size_t      bytes;
    const void *caller;
} Held;

static Held   held[SLOTS];
static long   held_count;
static bool   watching;
static size_t overflow;  // blocks that found no room

static size_t slot_of(const void *block) {
    return (size_t)(((uintptr_t)block >> 4) * (uintptr_t)0x9E3779B97F4A7C15u >> 40) & (SLOTS - 1);
}

static void note(void *block, size_t bytes, const void *caller) {
    if (!watching || block == NULL || is_of_hdf5(caller)) {
        return;
    }
    if (held_count > (long)(SLOTS / 4 * 3)) {
        overflow++;
        return;
    }
    size_t i = slot_of(block);
    while (held[i].block != NULL) {
        i = (i + 1) & (SLOTS - 1);
    }
    held[i] = (Held){block, bytes, caller};
    held_count++;
}

// Entries after the free slot move back to where a search for them passes.
static void close_gap(size_t gap) {
    for (size_t i = (gap + 1) & (SLOTS - 1); held[i].block != NULL; i = (i + 1) & (SLOTS - 1)) {
        size_t home = slot_of(held[i].block);
        if (((i - home) & (SLOTS - 1)) >= ((i - gap) & (SLOTS - 1))) {
            held[gap] = held[i];
            gap = i;
        }
    }
    held[gap].block = NULL;
}

static void forget(const void *block) {
    if (!watching || block == NULL) {
        return;
    }
    for (size_t i = slot_of(block); held[i].block != NULL; i = (i + 1) & (SLOTS - 1)) {
        if (held[i].block == block) {
            close_gap(i);
            held_count--;
            return;
        }
    }
}

void memory_watch(void) {
    if (held_count > 0) {
        memset(held, 0, sizeof held);
    }
    held_count = 0;
    overflow = 0;
    watching = true;
    if (range_count == 0) {
        dl_iterate_phdr(look_at_library, NULL);
    }
}

long memory_held(void) {
    return held_count + (long)overflow;
}

void memory_print_held(void) {
    for (size_t i = 0; i < SLOTS; i++) {
        if (held[i].block != NULL) {
            ptrdiff_t at = (const char *)held[i].caller - &__executable_start;
            fprintf(stderr, "held: %zu bytes, asked for at %p (program + %#tx)\n", held[i].bytes,
                    held[i].caller, at);
        }
    }
}

// --- what fails ---

static long requests, fails_at;
static bool counting, fails_on;

void memory_refuse(long k, bool all_after) {
    requests = 0;
    fails_at = k;
    fails_on = all_after;
    counting = true;
}

long memory_allow(void) {
    counting = false;
    return requests;
}

static bool is_refused(const void *caller) {
    if (!counting || !is_ours(caller)) {
        return false;
    }
    requests++;
    if (fails_at == 0 || !(requests == fails_at || (fails_on && requests > fails_at))) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

// --- the functions themselves ---

#define CALLER __builtin_return_address(0)

void *malloc(size_t bytes) {
    void *block = is_refused(CALLER) ? NULL : REAL(malloc)(bytes);
    note(block, bytes, CALLER);
    return block;
}

void *calloc(size_t count, size_t size) {
    void *block = is_refused(CALLER) ? NULL : REAL(calloc)(count, size);
    note(block, count * size, CALLER);
    return block;
}

void *realloc(void *old, size_t bytes) {
    if (is_refused(CALLER)) {
        return NULL;
    }
    forget(old);
    void *block = REAL(realloc)(old, bytes);
    note(block, bytes, CALLER);
    return block;
}

void *memalign(size_t alignment, size_t bytes) {
    void *block = is_refused(CALLER) ? NULL : REAL(memalign)(alignment, bytes);
    note(block, bytes, CALLER);
    return block;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    void *block = is_refused(CALLER) ? NULL : REAL(memalign)(alignment, bytes);
    note(block, bytes, CALLER);
    return block;
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    void *block = is_refused(CALLER) ? NULL : REAL(memalign)(alignment, bytes);
    note(block, bytes, CALLER);
    *out = block == NULL ? *out : block;
    return block == NULL ? ENOMEM : 0;
}

// Those of the C library would ask in its own name.
static char *copy_text(const char *text, size_t length, const void *caller) {
    char *copy = is_refused(caller) ? NULL : REAL(malloc)(length + 1);
    note(copy, length + 1, caller);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *strdup(const char *text) {
    return copy_text(text, strlen(text), CALLER);
}

char *strndup(const char *text, size_t most) {
    return copy_text(text, strnlen(text, most), CALLER);
}

void free(void *memory) {
    int error = errno;  // which free does not change
    forget(memory);
    REAL(free)(memory);
    errno = error;
}
