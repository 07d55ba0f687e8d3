// SPDX-License-Identifier: MIT
// The frame of a result file: all that does not change once rows arrive. The layout is in hdf5.c.

#ifndef TR_RECORD_HDF5_FRAME_H
#define TR_RECORD_HDF5_FRAME_H

#include <hdf5.h>

#include "record/sink.h"

#define TR_OUTCOME_BYTES 1040  // the longest error text, and what stands before it

// Negative if the file, or the arena, did not take it.
herr_t tr_hdf5_write_frame(hid_t file, trArena *arena, const trSinkOpen *with, hsize_t chunk_rows);
// What it needs at most.
size_t tr_hdf5_frame_bytes(const trSinkOpen *with);
// A type of fixed-length UTF-8, to be closed.
hid_t tr_hdf5_text_type(size_t bytes);

#endif
