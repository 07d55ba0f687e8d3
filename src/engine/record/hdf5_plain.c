// SPDX-License-Identifier: MIT
#include "record/hdf5_plain.h"

#include <stdbool.h>

#define CHUNK_BYTES_MOST ((hsize_t)64 << 20)  // unless it is a single row

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
    if (type >= 0) {
        H5Tclose(type);
    }
    if (list >= 0) {
        H5Pclose(list);
    }
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
