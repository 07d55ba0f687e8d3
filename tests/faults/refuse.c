// SPDX-License-Identifier: MIT
// Stands in front of malloc in a whole process, by LD_PRELOAD, for its libraries and, behind the
// command's reserve, for the program.
//
//     REFUSE_AT=K         the K-th request is refused
//     REFUSE_ALL=1        and all that follow
//     REFUSE_COUNT=FILE   in which the number of requests is written when the process ends
//
// A program may refuse all, and allow them again, by refuse_all(true) and refuse_all(false).

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Of glibc.
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static long        refused;  // 0: none
static bool        all_after;
static atomic_long requests;
static atomic_bool all;

void refuse_all(bool wish);

void refuse_all(bool wish) {
    all = wish;
}

__attribute__((constructor)) static void read_wishes(void) {
    const char *at = getenv("REFUSE_AT");
    all_after = getenv("REFUSE_ALL") != NULL;
    refused = at == NULL ? 0 : strtol(at, NULL, 10);
    requests = 0;
}

__attribute__((destructor)) static void write_count(void) {
    const char *path = getenv("REFUSE_COUNT");
    char        text[32];
    int         file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) {
        int length = snprintf(text, sizeof text, "%ld\n", requests);
        (void)!write(file, text, (size_t)length);
        close(file);
    }
}

static bool is_refused(void) {
    long k = atomic_fetch_add(&requests, 1) + 1;
    bool now = all || (refused > 0 && (k == refused || (all_after && k > refused)));
    errno = now ? ENOMEM : errno;
    return now;
}

void *malloc(size_t bytes) {
    return is_refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size) {
    return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t bytes) {
    return is_refused() ? NULL : __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    return is_refused() ? NULL : __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    void *memory = memalign(alignment, bytes);
    *out = memory == NULL ? *out : memory;
    return memory == NULL ? ENOMEM : 0;
}
