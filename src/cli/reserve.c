// SPDX-License-Identifier: MIT
// A reserve of memory for libraries. HDF5, SUNDIALS and the C library's own parts crash, or end the
// process, at some of the places where malloc refuses them; Trammel's code looks at every NULL and
// tells. So the command, and only the command, stands in front of malloc:
//
//     who is refused        gets
//     Trammel               NULL
//     a library             a block of the reserve
//     a library, at large   NULL, which all of them look at
//
// Blocks that are freed are given out again, so that a library which asks and frees at every flush
// of a file can go on without end. When the reserve has come to an end the command says so and
// ends; files are then as after `kill -9`. So it does where OpenBLAS finds no room for its buffers:
// it asks for them by mmap, and for one that it does not get again and again, without end.

#define _GNU_SOURCE  // RTLD_NEXT
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"

#define RESERVE_BYTES ((size_t)8 << 20)  // HDF5 takes 2 MiB to begin, and 1 MiB for each file
#define LEAST_BYTES ((size_t)64)         // of a block
#define MMAP_TRIES 1000                  // in a row: nobody who looks at the answer makes so many
#define CLASSES 15  // each of twice the size: to 1 MiB, as HDF5 has caches of half

// --- the reserve: blocks by classes of size, each with its own list of what is free ---

typedef struct Block {
    struct Block *next;  // free block of this class
    size_t        size;  // bytes with this head
} Block;

#define MOST_BYTES ((LEAST_BYTES << (CLASSES - 1)) - sizeof(Block))  // of a request

_Static_assert(sizeof(Block) % alignof(max_align_t) == 0, "what follows a head is aligned");

static alignas(max_align_t) unsigned char reserve[RESERVE_BYTES];
static size_t      used;  // bytes that have become blocks
static Block      *unused[CLASSES];
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void enter(void) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
    }
}

static void leave(void) {
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

static bool is_reserve(const void *block) {
    uintptr_t at = (uintptr_t)block, begin = (uintptr_t)reserve;
    return at >= begin && at - begin < RESERVE_BYTES;
}

// The smallest k such that LEAST_BYTES 2^k >= size.
static int class_of(size_t size) {
    int k = 0;
    while (LEAST_BYTES << k < size) {
        k++;
    }
    return k;
}

static Block *cut_block(size_t size) {
    if (size > RESERVE_BYTES - used) {
        return NULL;
    }
    Block *block = (Block *)(void *)(reserve + used);
    used += size;
    block->size = size;
    return block;
}

static _Noreturn void give_up(void) {
    static const char words[] = "trammel: out of memory\n";
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(TR_EXIT_FAILED);
}

static void *take(size_t bytes) {
    int k = class_of(bytes + sizeof(Block));
    enter();
    Block *block = unused[k];
    if (block != NULL) {
        unused[k] = block->next;
    } else {
        block = cut_block(LEAST_BYTES << k);
    }
    leave();
    if (block == NULL) {
        give_up();
    }
    return block + 1;
}

static void give_back(void *memory) {
    Block *block = (Block *)memory - 1;
    int    k = class_of(block->size);
    enter();
    block->next = unused[k];
    unused[k] = block;
    leave();
}

static size_t bytes_of(void *memory) {
    return ((Block *)memory - 1)->size - sizeof(Block);
}

// --- those behind us: of the C library, or of what LD_PRELOAD names ---

static struct {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *memory, size_t bytes);
    void (*free)(void *memory);
    size_t (*usable)(void *memory);
    void *(*mmap)(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
} next;

static enum { UNKNOWN, SEARCHED, FOUND } search;

// ISO C has no other way from an object to a function.
static void find(const char *name, void *out) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(out, &symbol, sizeof symbol);
}

// Whether they are known. They are not while they are searched, which may ask for memory; the first
// request of a process comes before it has threads.
static bool have_next(void) {
    if (search == UNKNOWN) {
        search = SEARCHED;
        find("malloc", &next.malloc);
        find("calloc", &next.calloc);
        find("realloc", &next.realloc);
        find("free", &next.free);
        find("malloc_usable_size", &next.usable);
        find("mmap", &next.mmap);
        search = FOUND;
    }
    return search == FOUND;
}

// --- the functions themselves ---

extern const char __executable_start, etext;  // the linker's: the code of this program

#define CALLER __builtin_return_address(0)
#define SHOWN __attribute__((visibility("default")))  // to libraries

// What `caller` gets when it was refused. One that gets a block does not learn of the refusal:
// errno is as before.
static void *after_refusal(const void *caller, size_t bytes, int errno_before) {
    uintptr_t at = (uintptr_t)caller;
    bool      ours = at >= (uintptr_t)&__executable_start && at < (uintptr_t)&etext;
    if (ours || bytes > MOST_BYTES) {
        return NULL;
    }
    errno = errno_before;
    return take(bytes);
}

SHOWN void *malloc(size_t bytes) {
    int   before = errno;
    void *memory = have_next() ? next.malloc(bytes) : NULL;
    return memory != NULL ? memory : after_refusal(CALLER, bytes, before);
}

SHOWN void *calloc(size_t count, size_t size) {
    int   before = errno;
    void *memory = have_next() ? next.calloc(count, size) : NULL;
    if (memory != NULL || (size != 0 && count > MOST_BYTES / size)) {
        return memory;
    }
    memory = after_refusal(CALLER, count * size, before);
    return memory == NULL ? NULL : memset(memory, 0, count * size);
}

SHOWN void free(void *memory) {
    if (is_reserve(memory)) {
        give_back(memory);
    } else if (memory != NULL && have_next()) {
        next.free(memory);
    }
}

SHOWN size_t malloc_usable_size(void *memory) {
    if (is_reserve(memory)) {
        return bytes_of(memory);
    }
    return memory != NULL && have_next() ? next.usable(memory) : 0;
}

// Of a block that may be moved out of the reserve or into it.
static void *move(void *old, void *memory, size_t bytes) {
    if (memory != NULL) {
        size_t old_bytes = malloc_usable_size(old);
        memcpy(memory, old, old_bytes < bytes ? old_bytes : bytes);
        free(old);
    }
    return memory;
}

SHOWN void *realloc(void *old, size_t bytes) {
    int  before = errno;
    bool reserved = is_reserve(old);
    if (old != NULL && bytes == 0) {
        free(old);  // as in the C library
        return NULL;
    }
    void *memory = NULL;
    if (have_next()) {
        memory = reserved ? next.malloc(bytes) : next.realloc(old, bytes);
    }
    if (memory != NULL && !reserved) {
        return memory;
    }
    memory = memory != NULL ? memory : after_refusal(CALLER, bytes, before);
    return old == NULL ? memory : move(old, memory, bytes);
}

SHOWN void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    static atomic_int refused;  // since the last that was not
    void *memory = have_next() ? next.mmap(at, bytes, protection, flags, file, offset) : MAP_FAILED;
    if (memory != MAP_FAILED) {
        atomic_store(&refused, 0);
    } else if (errno == ENOMEM && atomic_fetch_add(&refused, 1) == MMAP_TRIES) {
        give_up();
    }
    return memory;
}
