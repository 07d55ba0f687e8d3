// SPDX-License-Identifier: MIT
#include "record/hdf5_frame.h"

#include <string.h>

#include "record/mark.h"

#define MARKS_OF_CHUNK 8192
#define FRAME_BYTES 16384  // of the frame without its texts
#define NOTE_BYTES 256     // of a note without its texts

hid_t tr_hdf5_text_type(size_t bytes) {
    hid_t type = H5Tcopy(H5T_C_S1);
    bool  made = type >= 0 && H5Tset_size(type, bytes) >= 0 &&
                H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    return made ? type : H5I_INVALID_HID;
}

static herr_t write_attribute(hid_t file, const char *name, hid_t type, const void *value) {
    hid_t  space = H5Screate(H5S_SCALAR);
    hid_t  attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
    return result;
}

static herr_t write_text_attribute(hid_t file, const char *name, const char *text) {
    size_t length = strlen(text);
    hid_t  type = tr_hdf5_text_type(length == 0 ? 1 : length);  // HDF5 has no texts of length zero
    herr_t result = write_attribute(file, name, type, text);
    H5Tclose(type);
    return result;
}

// A data set of `count` texts of `bytes` each; count 0 makes a single one.
static herr_t write_texts(hid_t file, const char *name, hsize_t count, size_t bytes,
                          const char *texts) {
    hid_t  type = tr_hdf5_text_type(bytes);
    hid_t  space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    hid_t  set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    return result;
}

static const char *column_text(const trColumn *column, bool units) {
    return units ? column->unit : column->name;
}

// Names or units, side by side at the length of the longest.
static herr_t write_column_texts(trArena *arena, hid_t file, const trSinkOpen *with, bool units) {
    size_t longest = 1;
    for (int i = 0; i < with->columns; i++) {
        size_t length = strlen(column_text(&with->column[i], units));
        longest = length > longest ? length : longest;
    }
    char *texts = tr_arena_take(arena, (size_t)with->columns, longest);
    if (texts == NULL) {
        return -1;
    }
    for (int i = 0; i < with->columns; i++) {
        const char *text = column_text(&with->column[i], units);
        memcpy(texts + (size_t)i * longest, text, strlen(text));
    }
    return write_texts(file, units ? "units" : "columns", (hsize_t)with->columns, longest, texts);
}

// A data set that grows: `width` 0 makes a list, else a table.
static herr_t create_growing(hid_t file, const char *name, hid_t type, hsize_t width,
                             hsize_t chunk_rows) {
    const hsize_t size[2] = {0, width}, most[2] = {H5S_UNLIMITED, width};
    const hsize_t chunk[2] = {chunk_rows, width};
    const int     rank = width == 0 ? 1 : 2;
    hid_t         space = H5Screate_simple(rank, size, most);
    hid_t         list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t         set = H5I_INVALID_HID;
    if (H5Pset_chunk(list, rank, chunk) >= 0) {
        set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    }
    H5Sclose(space);
    if (set < 0) {
        return -1;  // without memory the list is half made, and closing it would free things twice
    }
    H5Pclose(list);
    return H5Dclose(set);
}

herr_t tr_hdf5_write_frame(hid_t file, trArena *arena, const trSinkOpen *with, hsize_t chunk_rows) {
    const int      layout = TR_LAYOUT_VERSION;
    const uint64_t mark = tr_mark_texts(with->notes, with->columns, with->column);
    const hsize_t  columns = (hsize_t)with->columns;
    const char     running[TR_OUTCOME_BYTES] = "running";
    if (write_attribute(file, "layout_version", H5T_NATIVE_INT, &layout) < 0 ||
        write_text_attribute(file, "trammel_version", tr_version()) < 0) {
        return -1;
    }
    for (const trNote *note = with->notes; note != NULL; note = note->next) {
        if (write_text_attribute(file, note->key, note->text) < 0) {
            return -1;
        }
    }
    bool written = write_attribute(file, "mark", H5T_NATIVE_UINT64, &mark) >= 0 &&
                   write_column_texts(arena, file, with, false) >= 0 &&
                   write_column_texts(arena, file, with, true) >= 0 &&
                   write_texts(file, "outcome", 0, TR_OUTCOME_BYTES, running) >= 0 &&
                   create_growing(file, "rows", H5T_IEEE_F64LE, columns, chunk_rows) >= 0 &&
                   create_growing(file, "marks", H5T_STD_U64LE, 0, MARKS_OF_CHUNK) >= 0;
    return written ? 0 : -1;
}

// HDF5 keeps texts in blocks, heaps and trees, half empty at worst.
size_t tr_hdf5_frame_bytes(const trSinkOpen *with) {
    size_t longest = 1, texts = 0;
    for (int i = 0; i < with->columns; i++) {
        size_t length = strlen(with->column[i].name) + strlen(with->column[i].unit);
        longest = length > longest ? length : longest;
    }
    for (const trNote *note = with->notes; note != NULL; note = note->next) {
        texts += NOTE_BYTES + strlen(note->key) + strlen(note->text);
    }
    return FRAME_BYTES + 2 * (longest * (size_t)with->columns + texts);
}
