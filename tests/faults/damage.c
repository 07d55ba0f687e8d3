// SPDX-License-Identifier: MIT
#include "faults/damage.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 0x7261646eu

typedef struct Bytes {
    size_t         size;
    unsigned char *at;
} Bytes;

// --- files ---

static Bytes read_bytes(const char *path) {
    Bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    long  size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size > 0) {
        bytes.at = malloc((size_t)size);
        rewind(file);
        bytes.size = bytes.at == NULL ? 0 : fread(bytes.at, 1, (size_t)size, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

static bool write_bytes(const char *path, size_t size, const void *bytes) {
    FILE *file = fopen(path, "wb");
    bool  written = file != NULL && fwrite(bytes, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && written;
}

// The i-th of a sequence that depends on nothing else (splitmix64).
static uint64_t random_number(uint64_t i) {
    uint64_t z = SEED + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// --- what is made from the whole file ---

static bool cut(int i, const Bytes *whole, const char *path, char *what) {
    size_t size = (size_t)i * (whole->size - 1) / (DAMAGE_CUTS - 1);
    snprintf(what, DAMAGE_WORDS, "cut off after %zu of %zu bytes", size, whole->size);
    return write_bytes(path, size, whole->at);
}

static bool flip(int i, Bytes *whole, const char *path, char *what) {
    uint64_t bit = random_number((uint64_t)i) % (8 * (uint64_t)whole->size);
    whole->at[bit / 8] ^= (unsigned char)(1u << (bit % 8));
    snprintf(what, DAMAGE_WORDS, "bit %d of byte %llu flipped", (int)(bit % 8),
             (unsigned long long)(bit / 8));
    return write_bytes(path, whole->size, whole->at);
}

// --- what is not HDF5 ---

#define ALIEN_BYTES 4096

static bool alien_text(const char *path, const char *text) {
    return write_bytes(path, strlen(text), text);
}

static bool empty_file(const Bytes *whole, const char *path) {
    (void)whole;
    return alien_text(path, "");
}

static bool table_of_text(const Bytes *whole, const char *path) {
    (void)whole;
    return alien_text(path, "t [s],rod.x [m]\n0,1\n0.5,0.9\n");
}

static bool model_file(const Bytes *whole, const char *path) {
    (void)whole;
    return alien_text(path, "local m = model { name = \"no result\" }\nreturn m\n");
}

static bool zeros(const Bytes *whole, const char *path) {
    static const char nothing[ALIEN_BYTES];
    (void)whole;
    return write_bytes(path, sizeof nothing, nothing);
}

static bool noise(const Bytes *whole, const char *path) {
    uint64_t bytes[ALIEN_BYTES / sizeof(uint64_t)];
    (void)whole;
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        bytes[i] = random_number(1000000u + i);
    }
    return write_bytes(path, sizeof bytes, bytes);
}

// The first eight bytes of every HDF5 file, and then something else.
static bool signature_and_noise(const Bytes *whole, const char *path) {
    unsigned char bytes[ALIEN_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)random_number(2000000u + i);
    }
    memcpy(bytes, whole->at, 8);
    return write_bytes(path, sizeof bytes, bytes);
}

// --- HDF5 of other content ---

static hid_t make_file(const char *path) {
    return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

// A data set that holds zeros; rank 0 is a single one.
static bool add_set(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size) {
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

static bool nothing_inside(const Bytes *whole, const char *path) {
    (void)whole;
    return H5Fclose(make_file(path)) >= 0;
}

static bool other_names(const Bytes *whole, const char *path) {
    const hsize_t size[2] = {3, 2};
    hid_t         file = make_file(path);
    (void)whole;
    bool made = add_set(file, "temperature", H5T_NATIVE_DOUBLE, 2, size);
    return H5Fclose(file) >= 0 && made;
}

// A group where the table should be.
static bool group_of_rows(const Bytes *whole, const char *path) {
    hid_t file = make_file(path);
    hid_t group = H5Gcreate2(file, "rows", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    (void)whole;
    bool made = group >= 0 && H5Gclose(group) >= 0;
    return H5Fclose(file) >= 0 && made;
}

// The right names, with a table of the given rank, type and size, and columns of the given count.
static bool like_a_result(const char *path, int rank, hid_t type, const hsize_t *size,
                          hsize_t columns) {
    hid_t file = make_file(path), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 16);
    bool made =
        add_set(file, "rows", type, rank, size) && add_set(file, "columns", text, 1, &columns) &&
        add_set(file, "units", text, 1, &columns) && add_set(file, "outcome", text, 0, NULL);
    H5Tclose(text);
    return H5Fclose(file) >= 0 && made;
}

static bool rows_of_one_dimension(const Bytes *whole, const char *path) {
    const hsize_t size[1] = {6};
    (void)whole;
    return like_a_result(path, 1, H5T_NATIVE_DOUBLE, size, 2);
}

static bool rows_of_texts(const Bytes *whole, const char *path) {
    const hsize_t size[2] = {3, 2};
    (void)whole;
    return like_a_result(path, 2, H5T_C_S1, size, 2);
}

static bool more_columns_than_names(const Bytes *whole, const char *path) {
    const hsize_t size[2] = {3, 5};
    (void)whole;
    return like_a_result(path, 2, H5T_NATIVE_DOUBLE, size, 2);
}

// Takes no room in the file, and all memory of a reader that asks for it at once.
static bool rows_beyond_memory(const Bytes *whole, const char *path) {
    const hsize_t size[2] = {(hsize_t)1 << 40, (hsize_t)1 << 8};
    hid_t         file = make_file(path), list = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[2] = {16, 16};
    hid_t         space = H5Screate_simple(2, size, NULL);
    (void)whole;
    H5Pset_chunk(list, 2, chunk);
    hid_t set = H5Dcreate2(file, "rows", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool  made = set >= 0 && H5Dclose(set) >= 0;
    H5Sclose(space);
    H5Pclose(list);
    return H5Fclose(file) >= 0 && made;
}

// --- all of them ---

typedef struct Foreign {
    const char *what;
    bool        hdf5;
    bool (*make)(const Bytes *whole, const char *path);
} Foreign;

static const Foreign foreign[] = {
    {"an empty file", false, empty_file},
    {"a table of text", false, table_of_text},
    {"a model file", false, model_file},
    {"zeros", false, zeros},
    {"noise", false, noise},
    {"the signature of HDF5 and noise", false, signature_and_noise},
    {"HDF5 with nothing inside", true, nothing_inside},
    {"HDF5 with other names", true, other_names},
    {"HDF5 with a group named rows", true, group_of_rows},
    {"rows of one dimension", true, rows_of_one_dimension},
    {"rows of texts", true, rows_of_texts},
    {"more columns than names", true, more_columns_than_names},
    {"rows beyond all memory", true, rows_beyond_memory},
};

#define FIRST_FOREIGN (DAMAGE_CUTS + DAMAGE_FLIPS)

int damage_count(void) {
    return FIRST_FOREIGN + (int)(sizeof foreign / sizeof *foreign);
}

bool damage_is_foreign(int number) {
    return number >= FIRST_FOREIGN && foreign[number - FIRST_FOREIGN].hdf5;
}

bool damage(int number, const char *from, const char *path, char what[DAMAGE_WORDS]) {
    Bytes whole = read_bytes(from);
    bool  made = false;
    if (whole.size > 8 && number < DAMAGE_CUTS) {
        made = cut(number, &whole, path, what);
    } else if (whole.size > 8 && number < FIRST_FOREIGN) {
        made = flip(number - DAMAGE_CUTS, &whole, path, what);
    } else if (whole.size > 8) {
        const Foreign *f = &foreign[number - FIRST_FOREIGN];
        snprintf(what, DAMAGE_WORDS, "%s", f->what);
        made = f->make(&whole, path);
    }
    free(whole.at);
    return made;
}
