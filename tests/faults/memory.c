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
    unsigned  who;
} Range;

#define MOST_RANGES 16

static Range ranges[MOST_RANGES];  // code of libraries that count apart
static int   range_count;

// By parts of file names.
static const struct {
    const char *name;
    unsigned    who;
} apart[] = {{"hdf5", FROM_HDF5}, {"sundials", FROM_SUNDIALS}};

static unsigned asker_of_library(const char *path) {
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        if (strstr(path, apart[i].name) != NULL) {
            return apart[i].who;
        }
    }
    return 0;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context) {
    unsigned who = asker_of_library(info->dlpi_name);
    (void)size;
    (void)context;
    for (int i = 0; who != 0 && i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            uintptr_t begin = info->dlpi_addr + part->p_vaddr;
            ranges[range_count++] = (Range){begin, begin + part->p_memsz, who};
        }
    }
    return 0;
}

static void find_libraries(void) {
    if (range_count == 0) {
        dl_iterate_phdr(look_at_library, NULL);
    }
}

static unsigned asker(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    if (at >= (uintptr_t)&__executable_start && at < (uintptr_t)&etext) {
        return FROM_US;
    }
    for (int i = 0; i < range_count; i++) {
        if (at >= ranges[i].begin && at < ranges[i].end) {
            return ranges[i].who;
        }
    }
    return FROM_OTHERS;
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
    if (!watching || block == NULL || asker(caller) == FROM_HDF5) {
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
    find_libraries();
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

static long     requests, fails_at;
static bool     fails_on, fails_for_all;
static unsigned counted, refused;
static size_t   least;  // bytes of a request that counts

void memory_refuse(long k, bool all_after, unsigned askers) {
    find_libraries();
    requests = 0;
    refused = 0;
    fails_at = k;
    fails_on = all_after;
    fails_for_all = false;
    counted = askers;
    least = 0;
}

void memory_refuse_everybody(void) {
    fails_for_all = true;
}

void memory_spare_below(size_t bytes) {
    least = bytes;
}

long memory_allow(void) {
    counted = 0;
    return requests;
}

unsigned memory_refused(void) {
    return refused;
}

static bool is_refused(const void *caller, size_t bytes) {
    unsigned who = counted == 0 ? 0 : asker(caller);
    if (fails_for_all && counted != 0 && requests >= fails_at) {
        errno = ENOMEM;
        return true;
    }
    if ((counted & who) == 0 || bytes < least) {
        return false;
    }
    requests++;
    if (fails_at == 0 || !(requests == fails_at || (fails_on && requests > fails_at))) {
        return false;
    }
    refused = refused == 0 ? who : refused;
    errno = ENOMEM;
    return true;
}

// --- the functions themselves ---

#define CALLER __builtin_return_address(0)

void *malloc(size_t bytes) {
    void *block = is_refused(CALLER, bytes) ? NULL : REAL(malloc)(bytes);
    note(block, bytes, CALLER);
    return block;
}

void *calloc(size_t count, size_t size) {
    void *block = is_refused(CALLER, count * size) ? NULL : REAL(calloc)(count, size);
    note(block, count * size, CALLER);
    return block;
}

void *realloc(void *old, size_t bytes) {
    if (is_refused(CALLER, bytes)) {
        return NULL;
    }
    forget(old);
    void *block = REAL(realloc)(old, bytes);
    note(block, bytes, CALLER);
    return block;
}

void *memalign(size_t alignment, size_t bytes) {
    void *block = is_refused(CALLER, bytes) ? NULL : REAL(memalign)(alignment, bytes);
    note(block, bytes, CALLER);
    return block;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    void *block = is_refused(CALLER, bytes) ? NULL : REAL(memalign)(alignment, bytes);
    note(block, bytes, CALLER);
    return block;
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    void *block = is_refused(CALLER, bytes) ? NULL : REAL(memalign)(alignment, bytes);
    note(block, bytes, CALLER);
    *out = block == NULL ? *out : block;
    return block == NULL ? ENOMEM : 0;
}

// Those of the C library would ask in its own name.
static char *copy_text(const char *text, size_t length, const void *caller) {
    char *copy = is_refused(caller, length + 1) ? NULL : REAL(malloc)(length + 1);
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
