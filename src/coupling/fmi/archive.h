// SPDX-License-Identifier: MIT
// The zip file that an FMU is. Nothing of it is believed: names that lead out of a folder are
// refused, and sizes are counted while unpacking.

#ifndef TR_FMI_ARCHIVE_H
#define TR_FMI_ARCHIVE_H

#include <stddef.h>

#include "base/arena.h"

#define TR_FMU_MOST_ENTRIES 20000
#define TR_FMU_MOST_BYTES ((size_t)1 << 30)      // of all that is unpacked
#define TR_FMU_MOST_XML_BYTES ((size_t)1 << 26)  // of modelDescription.xml

typedef struct trFmuArchive {
    const char *path;  // as errors name it
    trArena    *arena;
    void       *zip;  // zip_t
    int         entries;
} trFmuArchive;

// Closed with the arena. TR_E_IO: no such file, or no zip; TR_E_MODEL: names or numbers in it.
trStatus tr_fmu_archive_open(trArena *arena, const char *path, trFmuArchive *out);
// The same from memory, which must outlive the arena.
trStatus tr_fmu_archive_open_bytes(trArena *arena, const char *path, const void *bytes, size_t size,
                                   trFmuArchive *out);

// The whole of a file in it, in the arena, with a zero behind. `*out` is NULL if there is none.
trStatus tr_fmu_archive_text(const trFmuArchive *archive, const char *name, const char **out,
                             size_t *size);

// The first `size` bytes of a file in it, or fewer; how many they are.
size_t tr_fmu_archive_head(const trFmuArchive *archive, const char *name, void *out, size_t size);

// Names of the folders binaries/NAME/, in the arena.
int tr_fmu_archive_platforms(const trFmuArchive *archive, const char *const **out);

// Unpacks all files below `prefix` ("resources/") into the folder. `*left` are bytes that may still
// be written.
trStatus tr_fmu_archive_unpack(const trFmuArchive *archive, const char *prefix, const char *folder,
                               size_t *left);

// A new folder for this process alone, below TMPDIR or /tmp, removed with all in it when the arena
// is destroyed.
trStatus tr_fmu_folder_create(trArena *arena, const char **out);

#endif
