// SPDX-License-Identifier: MIT
// HDF5 and memory that runs out. Where a request of its own is refused, HDF5 may crash (a name that
// it could not copy is read), end the process (identifiers stand in a hash table that calls exit)
// or damage what the end of the process tidies up. So we ask first, for more than HDF5 takes in the
// calls that follow, and give it back at once: what is short is told before HDF5 meets it.
//
// That holds while no other thread takes the memory in between.

#ifndef TR_RECORD_HDF5_READY_H
#define TR_RECORD_HDF5_READY_H

#include <stddef.h>

#include "base/status.h"

// What calls of one kind take at most, next to the bytes that they read or write.
#define TR_HDF5_OPEN_BYTES ((size_t)2 << 20)
#define TR_HDF5_WRITE_BYTES ((size_t)1 << 20)

// HDF5 has begun, and `bytes` are free for its next calls; else TR_E_MEMORY. An HDF5 that could not
// begin is not called again in this process.
trStatus tr_hdf5_ready(size_t bytes);

#endif
