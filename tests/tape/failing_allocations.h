// SPDX-License-Identifier: MIT
// Refuses a request for memory of a test program, which must be linked with
// -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc. Include it in one file of
// the program only.

#ifndef TR_TESTS_TAPE_FAILING_ALLOCATIONS_H
#define TR_TESTS_TAPE_FAILING_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

static long requests;  // so far
static long fails_at;  // the first request that fails; 0: none
static bool fails_on;  // and so do all after it

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static bool is_refused(void) {
    requests++;
    return fails_at > 0 && (requests == fails_at || (fails_on && requests > fails_at));
}

void *__wrap_malloc(size_t bytes) {
    return is_refused() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t size) {
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t bytes) {
    return is_refused() ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return is_refused() ? NULL : __real_aligned_alloc(alignment, bytes);
}

#endif
