// SPDX-License-Identifier: MIT
// Memory that runs out on request. Every malloc, calloc, realloc, aligned_alloc, posix_memalign
// and free of the test program goes through memory.c, those of shared libraries (SUNDIALS, KLU,
// LAPACK, HDF5, the C library itself) as well: a definition in the program stands before all
// others.
//
//     memory_watch();
//     memory_refuse(k, false, FROM_US);     // the k-th request from now on fails
//     ... the calls under test ...
//     reached = memory_allow() >= k;
//     held = memory_held();                 // blocks requested since memory_watch and not freed
//
// One thread only.

#ifndef FAULTS_MEMORY_H
#define FAULTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Whose requests count, by the code that asks.
typedef enum Asker {
    FROM_US = 1,        // the program: Trammel, which the test is linked with, and Lua through it
    FROM_HDF5 = 2,      // HDF5 keeps blocks for later, so what it holds says nothing
    FROM_SUNDIALS = 4,  // CVODE, IDA, ARKODE
    FROM_OTHERS = 8     // all other shared libraries: KLU, LAPACK, the C library
} Asker;

// From now on the k-th request of these askers fails, alone or with all of theirs that follow.
// k = 0: they are counted only.
void memory_refuse(long k, bool all_after, unsigned askers);

// After memory_refuse(k, true, ...): from the k-th on requests of everybody fail, counted or not.
void memory_refuse_everybody(void);

// Requests of fewer bytes than this do not count, from memory_refuse to memory_allow.
void memory_spare_below(size_t bytes);

// No request fails any more. How many there were of these askers since memory_refuse.
long memory_allow(void);

// Who was refused first since memory_refuse; 0: nobody.
unsigned memory_refused(void);

// Forgets all blocks; from now on those are counted that are requested by us and by others.
void memory_watch(void);
long memory_held(void);

// A line on standard error for each block that is held: its size and who asked for it.
void memory_print_held(void);

#endif
