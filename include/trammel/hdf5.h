// SPDX-License-Identifier: MIT
/// @file hdf5.h Record to HDF5 files (library trammel_hdf5). result.h reads them.

#ifndef TRAMMEL_HDF5_H
#define TRAMMEL_HDF5_H

#include "trammel/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds an HDF5 file to a recorder that has not begun.
TR_API trStatus tr_recorder_add_hdf5(trRecorder *recorder, const char *path) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
