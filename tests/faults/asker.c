// SPDX-License-Identifier: MIT
#include "faults/asker.h"

#include <stdlib.h>

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
