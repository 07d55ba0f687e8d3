// SPDX-License-Identifier: MIT
// HDF5 and memory that runs out. Where a request of its own is refused, HDF5 may crash (a name that
// it could not copy is read), end the process (identifiers stand in a hash table that calls exit)
// or damage what the end of the process tidies up. So we ask first, for more than HDF5 takes in the
// calls that follow, and give it back at once: what is short is told before HDF5 meets it. That
// holds while no other thread takes the memory in between.
//
// HDF5 as systems ship it is not safe to call from two threads, whatever the files. One lock of the
// process is around all its calls; it is taken at the entries of the sink and of the reader, and
// nothing but HDF5 and our own code runs while it is held.

#ifndef TR_RECORD_HDF5_READY_H
#define TR_RECORD_HDF5_READY_H

#include <stddef.h>

#include "base/status.h"

// What calls of one kind take at most, next to the bytes that they read or write.
#define TR_HDF5_OPEN_BYTES ((size_t)2 << 20)
#define TR_HDF5_WRITE_BYTES ((size_t)1 << 20)

// Waits for the lock, then begins HDF5 if it has not begun, with `bytes` free for its next calls
// and its messages off. Else TR_E_MEMORY, without the lock; an HDF5 that could not begin is not
// called again in this process. With 0 bytes it never fails: to close what is open.
trStatus tr_hdf5_enter(size_t bytes);
void     tr_hdf5_leave(void);

#endif
