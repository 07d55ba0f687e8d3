// SPDX-License-Identifier: MIT
#include "record/hdf5_calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "trammel/result.h"

#define CHUNK_BYTES_MOST ((hsize_t)64 << 20)  // unless it is a single row
#define TEXT_MOST ((size_t)64 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t     messages;  // what the program lets HDF5 print, while the lock is held
static void           *messages_data;

void tr_hdf5_lock(void) {
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &messages, &messages_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void tr_hdf5_unlock(void) {
    int reason = errno;  // of the calls before; the caller reads it
    H5Eset_auto2(H5E_DEFAULT, messages, messages_data);
    pthread_mutex_unlock(&lock);
    errno = reason;
}

void tr_result_leave_at_exit(void) {
    H5dont_atexit();
}

void tr_hdf5_close(hid_t id) {
    switch (id >= 0 ? H5Iget_type(id) : H5I_BADID) {
    case H5I_DATASET:
        H5Dclose(id);
        break;
    case H5I_ATTR:
        H5Aclose(id);
        break;
    case H5I_DATASPACE:
        H5Sclose(id);
        break;
    case H5I_DATATYPE:
        H5Tclose(id);
        break;
    case H5I_GENPROP_LST:
        H5Pclose(id);
        break;
    default:
        break;
    }
}

// --- data sets ---

static bool is_hard_link(hid_t file, const char *name) {
    H5L_info_t info;
    return H5Lget_info(file, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

static bool is_small_chunk(hid_t list, size_t item) {
    hsize_t chunk[2] = {0, 1};
    int     rank = H5Pget_chunk(list, 2, chunk);
    bool    wide = rank == 2 && chunk[1] > CHUNK_BYTES_MOST / item;
    return (rank == 1 || rank == 2) && chunk[0] > 0 && chunk[1] > 0 &&
           (chunk[0] == 1 || (!wide && chunk[0] <= CHUNK_BYTES_MOST / item / chunk[1]));
}

static bool is_plain(hid_t set) {
    hid_t        list = H5Dget_create_plist(set), type = H5Dget_type(set);
    H5D_layout_t layout = list >= 0 ? H5Pget_layout(list) : H5D_LAYOUT_ERROR;
    size_t       item = type >= 0 ? H5Tget_size(type) : 0;
    bool plain = item > 0 && H5Pget_nfilters(list) == 0 && H5Pget_external_count(list) == 0 &&
                 (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT ||
                  (layout == H5D_CHUNKED && is_small_chunk(list, item)));
    tr_hdf5_close(type);
    tr_hdf5_close(list);
    return plain;
}

hid_t tr_hdf5_open_plain(hid_t file, const char *name) {
    hid_t set = is_hard_link(file, name) ? H5Dopen2(file, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (set >= 0 && !is_plain(set)) {
        H5Dclose(set);
        return H5I_INVALID_HID;
    }
    return set;
}

// --- texts of fixed length ---

// The size of one, or 0 for anything else.
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
    tr_hdf5_close(space);
    tr_hdf5_close(type);
    tr_hdf5_close(attribute);
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
        tr_hdf5_close(wide);
    }
    tr_hdf5_close(space);
    tr_hdf5_close(type);
    tr_hdf5_close(set);
    return texts;
}
