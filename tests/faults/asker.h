// SPDX-License-Identifier: MIT
// A shared library that asks for memory in its own name.

#ifndef FAULTS_ASKER_H
#define FAULTS_ASKER_H

#include <stddef.h>

void *asker_malloc(size_t bytes);
void *asker_calloc(size_t count, size_t size);
void *asker_realloc(void *old, size_t bytes);
void *asker_map(size_t bytes);  // pages of mmap; NULL: refused

#endif
