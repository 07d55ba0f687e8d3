// SPDX-License-Identifier: MIT
// Damaged and foreign files, for tests of what reads result files. The same number gives the same
// damage.
//
//     for (int i = 0; i < damage_count(); i++) {
//         char what[DAMAGE_WORDS];
//         damage(i, "whole.h5", "damaged.h5", what);
//         ... read damaged.h5: an error in words, or right rows ...
//     }

#ifndef FAULTS_DAMAGE_H
#define FAULTS_DAMAGE_H

#include <stdbool.h>

#define DAMAGE_WORDS 128

#define DAMAGE_CUTS 100   // the file, cut off at lengths from 0 to all but one byte
#define DAMAGE_FLIPS 500  // the file with one bit the other way round, at random places

// Cuts, then flips, then files that are not HDF5, then HDF5 files of other content.
int damage_count(void);

// Writes `path`, made from the whole file `from`; `what` says what it is. False: it could not.
bool damage(int number, const char *from, const char *path, char what[DAMAGE_WORDS]);

// Whether it is a file that HDF5 can open, of other content than a result has.
bool damage_is_foreign(int number);

#endif
