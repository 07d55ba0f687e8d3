// SPDX-License-Identifier: MIT
// Memory that runs out on request. Every malloc, calloc, realloc, aligned_alloc, posix_memalign
// and free of the test program goes through memory.c, those of shared libraries (SUNDIALS, KLU,
// LAPACK, HDF5, the C library itself) as well: a definition in the program overrides all others.
// Only requests of the program itself fail: Trammel, which it is linked with, and Lua, whose
// allocator Trammel provides.
//
//     memory_watch();
//     memory_refuse(k, false);              // the k-th request from now on fails
//     ... the calls under test ...
//     reached = memory_allow() >= k;
//     held = memory_held();                 // blocks requested since memory_watch and not freed
//
// One thread only.

#ifndef FAULTS_MEMORY_H
#define FAULTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// From now on the k-th request of the program fails, alone or with all that follow.
// k = 0: requests are only counted.
void memory_refuse(long k, bool all_after);

// No request fails any more. Returns how many there were since memory_refuse.
long memory_allow(void);

// Forgets all blocks. From now on blocks are counted, but for those of HDF5, which keeps some for
// later.
void memory_watch(void);
long memory_held(void);

// A line on standard error for each block that is held: its size and who asked for it.
void memory_print_held(void);

#endif
