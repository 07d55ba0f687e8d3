// SPDX-License-Identifier: MIT
// HDF5 as systems ship it is not safe to call from two threads, whatever the files. One lock of the
// process is around all its calls; it is taken at the entries of the sink and of the reader, and
// nothing but HDF5 and our own code runs while it is held.

#ifndef TR_RECORD_HDF5_LOCK_H
#define TR_RECORD_HDF5_LOCK_H

// Waits for the lock, and turns the messages of HDF5 off until it is released.
void tr_hdf5_lock(void);
void tr_hdf5_unlock(void);

#endif
