// SPDX-License-Identifier: MIT
// Calls of HDF5 that its sink and its reader share.
//
// HDF5 as systems ship it is not safe to call from two threads, whatever the files. One lock of the
// process is around all its calls; it is taken at the entries of the sink and of the reader, and
// nothing but HDF5 and our own code runs while it is held.

#ifndef TR_RECORD_HDF5_CALLS_H
#define TR_RECORD_HDF5_CALLS_H

#include <hdf5.h>
#include <stddef.h>

#include "base/arena.h"

// Waits for the lock, and turns the messages of HDF5 off until it is released.
void tr_hdf5_lock(void);
void tr_hdf5_unlock(void);

// Closes a data set, an attribute, a space, a type or a list; nothing for an identifier that is
// none.
void tr_hdf5_close(hid_t id);

// --- reading files that come from anywhere: every size is checked before memory is asked for ---

// Opens a data set that is stored as hdf5.c stores it: in the file itself and as it is. A forged
// file could name other files (external links, external storage, virtual data sets), code
// (filters), or pieces that take all memory: H5I_INVALID_HID.
hid_t tr_hdf5_open_plain(hid_t file, const char *name);

// Attribute `name` of the root as a text in the arena; NULL if it is none.
char *tr_hdf5_read_attribute(hid_t file, trArena *arena, const char *name);

// The `count` texts of a data set (0: a single one), each at `*stride` bytes after the last, of
// which the last is zero; NULL if that is not what it holds.
char *tr_hdf5_read_texts(hid_t file, trArena *arena, const char *name, int count, size_t *stride);

#endif
