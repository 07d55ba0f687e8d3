// SPDX-License-Identifier: MIT
// A folder for the files of one test, and readers for what the sinks leave there.

#ifndef TESTS_RECORD_SCRATCH_H
#define TESTS_RECORD_SCRATCH_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRATCH_PATH 256

typedef struct Scratch {
    char folder[64];
    char path[SCRATCH_PATH];  // of the file
} Scratch;

// A new folder with a path in it that ends with `name`. Nonzero on failure.
static inline int scratch_make(Scratch *scratch, const char *name) {
    strcpy(scratch->folder, "/tmp/trammel-XXXXXX");
    if (mkdtemp(scratch->folder) == NULL) {
        return 1;
    }
    snprintf(scratch->path, sizeof scratch->path, "%s/%s", scratch->folder, name);
    return 0;
}

static inline void scratch_drop(Scratch *scratch) {
    char part[SCRATCH_PATH + 8];  // of a writer that was killed
    snprintf(part, sizeof part, "%s.part", scratch->path);
    unlink(part);
    unlink(scratch->path);
    rmdir(scratch->folder);
}

// The whole file as text, to be freed; NULL if it cannot be read.
static inline char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long  size = ftell(file);
    char *text = calloc((size_t)size + 1, 1);
    rewind(file);
    if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

// The table /rows, to be freed; NULL if it cannot be read. `flags` as for H5Fopen.
static inline double *read_hdf5_rows(const char *path, unsigned flags, hsize_t size[2]) {
    hid_t   file = H5Fopen(path, flags, H5P_DEFAULT);
    hid_t   set = H5Dopen2(file, "rows", H5P_DEFAULT);
    hid_t   space = H5Dget_space(set);
    double *table = NULL;
    if (H5Sget_simple_extent_dims(space, size, NULL) == 2) {
        table = calloc((size_t)(size[0] * size[1]) + 1, sizeof *table);
    }
    if (table != NULL &&
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table) < 0) {
        free(table);
        table = NULL;
    }
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return table;
}

#endif
