// SPDX-License-Identifier: MIT
// Counts heap requests of a test program, which must be linked with
// -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc. Include it in one file of
// the program only.

#ifndef TR_TESTS_SUPPORT_ALLOCATIONS_H
#define TR_TESTS_SUPPORT_ALLOCATIONS_H

#include <stddef.h>

static long allocations;  // so far

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes) {
    allocations++;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t bytes) {
    allocations++;
    return __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    allocations++;
    return __real_aligned_alloc(alignment, bytes);
}

#endif
