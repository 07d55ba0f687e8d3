// SPDX-License-Identifier: MIT
#include "record/hdf5_texts.h"

#include "record/hdf5_plain.h"

#define TEXT_MOST ((size_t)64 << 20)

// The size of a fixed-length text, or 0 for anything else.
static size_t text_size(hid_t type) {
    bool   fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    size_t size = fixed ? H5Tget_size(type) : 0;
    return size <= TEXT_MOST ? size : 0;
}

char *tr_hdf5_read_attribute(hid_t file, trArena *arena, const char *name) {
    hid_t  attribute = H5Aopen(file, name, H5P_DEFAULT);
    hid_t  type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t  space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool   single = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    size_t size = single ? text_size(type) : 0;
    char  *text = size > 0 ? tr_arena_take(arena, size + 1, 1) : NULL;
    if (text != NULL && H5Aread(attribute, type, text) < 0) {
        text = NULL;
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return text;
}

char *tr_hdf5_read_texts(hid_t file, trArena *arena, const char *name, int count, size_t *stride) {
    hid_t   set = tr_hdf5_open_plain(file, name);
    hid_t   type = set >= 0 ? H5Dget_type(set) : -1, space = set >= 0 ? H5Dget_space(set) : -1;
    int     rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    hsize_t number = 1;
    char   *texts = NULL;
    bool    shaped = rank == (count == 0 ? 0 : 1);
    if (shaped && rank == 1) {
        H5Sget_simple_extent_dims(space, &number, NULL);
        shaped = number == (hsize_t)count;
    }
    size_t size = shaped ? text_size(type) : 0;
    if (size > 0 && number <= TEXT_MOST / size) {
        hid_t wide = H5Tcopy(type);
        *stride = size + 1;
        texts = H5Tset_size(wide, size + 1) >= 0 ? tr_arena_take(arena, number, size + 1) : NULL;
        if (texts != NULL && H5Dread(set, wide, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) < 0) {
            texts = NULL;
        }
        H5Tclose(wide);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return texts;
}
