// SPDX-License-Identifier: MIT
// Texts of fixed length in HDF5 files that come from anywhere: every size is checked before memory
// is asked for.

#ifndef TR_RECORD_HDF5_TEXTS_H
#define TR_RECORD_HDF5_TEXTS_H

#include <hdf5.h>
#include <stddef.h>

#include "base/arena.h"

// Attribute `name` of the root as a text in the arena; NULL if it is none.
char *tr_hdf5_read_attribute(hid_t file, trArena *arena, const char *name);

// The `count` texts of a data set (0: a single one), each at `*stride` bytes after the last, of
// which the last is zero; NULL if that is not what it holds.
char *tr_hdf5_read_texts(hid_t file, trArena *arena, const char *name, int count, size_t *stride);

#endif
