// SPDX-License-Identifier: MIT
#define _GNU_SOURCE  // MAP_ANONYMOUS
#include "faults/asker.h"

#include <stdlib.h>
#include <sys/mman.h>

void *asker_malloc(size_t bytes) {
    void *volatile memory = malloc(bytes);  // volatile: a call, so that this library is the caller
    return memory;
}

void *asker_calloc(size_t count, size_t size) {
    void *volatile memory = calloc(count, size);
    return memory;
}

void *asker_realloc(void *old, size_t bytes) {
    void *volatile memory = realloc(old, bytes);
    return memory;
}

void *asker_map(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}
