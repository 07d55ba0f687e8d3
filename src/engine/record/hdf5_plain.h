// SPDX-License-Identifier: MIT
// Data sets that are stored as hdf5.c stores them: in the file itself and as they are. A forged
// file could name other files (external links, external storage, virtual data sets), code
// (filters), or pieces that take all memory.

#ifndef TR_RECORD_HDF5_PLAIN_H
#define TR_RECORD_HDF5_PLAIN_H

#include <hdf5.h>

// Opens one; H5I_INVALID_HID for anything else.
hid_t tr_hdf5_open_plain(hid_t file, const char *name);

#endif
