// SPDX-License-Identifier: MIT
// compare_rows WHOLE PART: how many rows the result file PART has, all of which are read and are
// those that WHOLE begins with. Reads as a SWMR reader. Exit 1: PART cannot be opened; 2: usage,
// or WHOLE cannot be read; 3: rows of PART cannot be read; 4: they are others.

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Table {
    hsize_t size[2];  // rows, columns
    double *value;
} Table;

static int read_table(hid_t file, Table *t) {
    hid_t  set = H5Dopen2(file, "/rows", H5P_DEFAULT);
    hid_t  space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    herr_t status = -1;
    if (space >= 0 && H5Sget_simple_extent_dims(space, t->size, NULL) == 2) {
        t->value = calloc((size_t)(t->size[0] * t->size[1]) + 1, sizeof *t->value);
        status = t->value == NULL
                     ? -1
                     : H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t->value);
    }
    H5Sclose(space);
    H5Dclose(set);
    return status < 0;
}

int main(int argc, char **argv) {
    Table part = {0}, whole = {0};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const unsigned flags = H5F_ACC_RDONLY | H5F_ACC_SWMR_READ;
    hid_t          first = argc == 3 ? H5Fopen(argv[1], flags, H5P_DEFAULT) : H5I_INVALID_HID;
    if (first < 0 || read_table(first, &whole) != 0) {
        return 2;
    }
    H5Fclose(first);
    hid_t second = H5Fopen(argv[2], flags, H5P_DEFAULT);
    int   code = second < 0 ? 1 : 0;
    if (code == 0 && read_table(second, &part) != 0) {
        code = 3;
    }
    size_t bytes = (size_t)(part.size[0] * part.size[1]) * sizeof *part.value;
    if (code == 0 && (part.size[1] != whole.size[1] || part.size[0] > whole.size[0] ||
                      memcmp(part.value, whole.value, bytes) != 0)) {
        code = 4;
    }
    printf("%llu\n", (unsigned long long)part.size[0]);
    free(part.value);
    free(whole.value);
    H5Fclose(second);
    return code;
}
