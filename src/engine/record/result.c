// SPDX-License-Identifier: MIT
// Reads what hdf5.c writes; the layout is described there. Files come from anywhere: every size is
// checked before memory is asked for, and only the one format that Trammel writes is handed to
// HDF5, whose parts all carry check sums of their own.

#include "trammel/result.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "base/plain.h"
#include "record/hdf5_calls.h"
#include "record/mark.h"

#define SUPERBLOCK_VERSION 3  // of files in SWMR mode
#define COLUMNS_MOST 10000000
// Where a check sum of HDF5 does not fit, a writer may be at work; it waits and reads again, each
// time twice as long as before. Of a damaged file 100 times, its default, would take minutes.
#define READ_ATTEMPTS 20
#define READ_AT_ONCE 65536  // numbers

struct trResult {
    trArena  *arena;
    char     *path;
    hid_t     file, table, marks;
    int       columns;
    trColumn *column;       // columns
    char     *name, *unit;  // their texts
    size_t    name_stride, unit_stride;
    long      rows;
    char     *outcome;
    trNote   *notes;
    bool      whole;  // texts are as written
};

// A file is not called damaged where HDF5 only had no memory to read it, which errno tells.
static trStatus refuse(const trResult *r, const char *what) {
    if (errno == ENOMEM) {
        return tr_fail(TR_E_MEMORY, "%s: out of memory", r->path);
    }
    return tr_fail(TR_E_IO, "%s: %s; give the HDF5 file of 'trammel run', or run the model again",
                   r->path, what);
}

static void release(void *result) {
    trResult *r = result;
    if (r->file < 0) {
        return;  // HDF5 may never have begun
    }
    tr_hdf5_lock();
    tr_hdf5_close(r->marks);
    tr_hdf5_close(r->table);
    H5Fclose(r->file);
    tr_hdf5_unlock();
}

// --- notes ---

static bool is_own(const char *name) {
    return strcmp(name, "layout_version") == 0 || strcmp(name, "trammel_version") == 0 ||
           strcmp(name, "mark") == 0;
}

static herr_t add_note(hid_t file, const char *name, const H5A_info_t *info, void *result) {
    trResult *r = result;
    char     *text = is_own(name) ? NULL : tr_hdf5_read_attribute(r->file, r->arena, name);
    if (text != NULL) {
        trNote *note = tr_new(r->arena, trNote);
        if (note != NULL) {
            *note = (trNote){.next = r->notes, .key = tr_arena_text(r->arena, name), .text = text};
            r->notes = note;
        }
    }
    return tr_arena_status(r->arena) == TR_OK ? 0 : -1;
}

// One number, 64 bits, of an attribute.
static bool read_number(const trResult *r, const char *name, uint64_t *out) {
    hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool  good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR &&
                H5Aread(attribute, H5T_NATIVE_UINT64, out) >= 0;
    tr_hdf5_close(space);
    tr_hdf5_close(attribute);
    return good;
}

// --- tables ---

// Rows and columns of a data set of numbers; a list has one column.
static bool read_shape(hid_t set, int rank, H5T_class_t class, hsize_t shape[2]) {
    hid_t space = set >= 0 ? H5Dget_space(set) : -1, type = set >= 0 ? H5Dget_type(set) : -1;
    bool  good = space >= 0 && type >= 0 && H5Tget_class(type) == class &&
                H5Tget_size(type) == sizeof(double) && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, shape, NULL) == rank;
    tr_hdf5_close(type);
    tr_hdf5_close(space);
    return good;
}

// What is stored as it is takes its place in the file: no table has more numbers than that.
static hsize_t most_numbers(const trResult *r) {
    struct stat info;
    return stat(r->path, &info) == 0 ? (hsize_t)info.st_size / sizeof(double) : 0;
}

static bool open_tables(trResult *r) {
    hsize_t rows[2] = {0}, marks[2] = {0};
    r->table = tr_hdf5_open_plain(r->file, "rows");
    r->marks = tr_hdf5_open_plain(r->file, "marks");
    if (!read_shape(r->table, 2, H5T_FLOAT, rows) || !read_shape(r->marks, 1, H5T_INTEGER, marks) ||
        rows[1] < 1 || rows[1] > COLUMNS_MOST) {
        return false;
    }
    r->columns = (int)rows[1];
    hsize_t both = rows[0] < marks[0] ? rows[0] : marks[0];
    bool    fits = both <= most_numbers(r) / (rows[1] + 1);  // with its mark
    r->rows = fits ? (long)both : 0;
    return fits;
}

static bool read_columns(trResult *r) {
    r->name = tr_hdf5_read_texts(r->file, r->arena, "columns", r->columns, &r->name_stride);
    r->unit = tr_hdf5_read_texts(r->file, r->arena, "units", r->columns, &r->unit_stride);
    r->column = tr_new_array(r->arena, trColumn, r->columns);
    if (r->name == NULL || r->unit == NULL || r->column == NULL) {
        return false;
    }
    for (int i = 0; i < r->columns; i++) {
        r->column[i] =
            (trColumn){r->name + (size_t)i * r->name_stride, r->unit + (size_t)i * r->unit_stride};
    }
    return true;
}

// What stands in lines of reports. Notes are handed out as they are.
static void make_plain(const trResult *r) {
    tr_make_plain(r->outcome);
    for (int i = 0; i < r->columns; i++) {
        tr_make_plain(r->name + (size_t)i * r->name_stride);
        tr_make_plain(r->unit + (size_t)i * r->unit_stride);
    }
}

static trStatus read_frame(trResult *r) {
    uint64_t layout = 0, mark = 0;
    hsize_t  at = 0;
    size_t   stride = 0;
    if (!read_number(r, "layout_version", &layout)) {
        return refuse(r, "not a result of Trammel, or a damaged one");
    }
    if (layout != TR_LAYOUT_VERSION) {
        return tr_fail(TR_E_IO,
                       "%s: its layout is version %d, this is a reader of version %d; run the "
                       "model again",
                       r->path, (int)layout, TR_LAYOUT_VERSION);
    }
    bool read =
        open_tables(r) && read_columns(r) && read_number(r, "mark", &mark) &&
        (r->outcome = tr_hdf5_read_texts(r->file, r->arena, "outcome", 0, &stride)) != NULL &&
        H5Aiterate2(r->file, H5_INDEX_NAME, H5_ITER_INC, &at, add_note, r) >= 0;
    TR_TRY(tr_arena_status(r->arena));
    if (!read) {
        return refuse(r, "the file is damaged");
    }
    r->whole = mark == tr_mark_texts(r->notes, r->columns, r->column);
    make_plain(r);
    return TR_OK;
}

// --- the file ---

// The superblock: signature, version, sizes of addresses and lengths, flags, then addresses of 8
// bytes, the lowest first: base, extension, end of the file, root.
#define HEAD_BYTES 36
#define AT_VERSION 8
#define AT_ADDRESS_SIZE 9
#define AT_FLAGS 11
#define AT_END 28
#define BEING_WRITTEN 0x05u  // in SWMR mode: set until the writer closes the file

static trStatus read_head(const trResult *r, unsigned char head[HEAD_BYTES], size_t *read,
                          uint64_t *size) {
    struct stat info = {0};
    if (stat(r->path, &info) == 0 && !S_ISREG(info.st_mode)) {  // a pipe would be waited for
        return tr_fail(TR_E_IO, "%s: cannot read: not a file", r->path);
    }
    FILE *file = fopen(r->path, "rb");
    if (file == NULL) {
        return tr_fail(TR_E_IO, "%s: cannot read: %s", r->path, strerror(errno));
    }
    *read = fread(head, 1, HEAD_BYTES, file);
    int reason = ferror(file) != 0 || fstat(fileno(file), &info) != 0 ? errno : 0;
    *size = (uint64_t)info.st_size;
    fclose(file);
    return reason != 0 ? tr_fail(TR_E_IO, "%s: cannot read: %s", r->path, strerror(reason)) : TR_OK;
}

// HDF5 1.10 compares the two itself; 1.14 does not where it opens a file for SWMR.
static bool is_cut_off(const unsigned char head[HEAD_BYTES], uint64_t size) {
    uint64_t end = 0;
    for (int i = 7; i >= 0; i--) {
        end = end << 8 | head[AT_END + i];
    }
    return size < end;
}

// A writer may store the end before the file has that length; such a file is checked again.
static trStatus check_format(const trResult *r) {
    static const unsigned char signature[AT_VERSION] = "\x89HDF\r\n\x1a\n";
    const struct timespec      pause = {.tv_nsec = 10000000};
    for (int looks = 0; looks < READ_ATTEMPTS; looks++) {
        unsigned char head[HEAD_BYTES] = {0};
        size_t        read = 0;
        uint64_t      size = 0;
        TR_TRY(read_head(r, head, &read, &size));
        if (read <= AT_VERSION || memcmp(head, signature, sizeof signature) != 0) {
            return refuse(r, "not an HDF5 file");
        }
        if (head[AT_VERSION] != SUPERBLOCK_VERSION || head[AT_ADDRESS_SIZE] != sizeof(uint64_t)) {
            return refuse(r, "not a result of Trammel");
        }
        if (read == HEAD_BYTES && !is_cut_off(head, size)) {
            return TR_OK;
        }
        if ((head[AT_FLAGS] & BEING_WRITTEN) != BEING_WRITTEN) {
            break;
        }
        nanosleep(&pause, NULL);
    }
    return refuse(r, "the file is damaged: it was cut off");
}

static trStatus open_file(trResult *r) {
    errno = 0;
    TR_TRY(check_format(r));
    tr_hdf5_lock();
    errno = 0;
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(list, READ_ATTEMPTS);
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, list);
    H5Pclose(list);
    trStatus status = r->file < 0 ? refuse(r, "the file is damaged") : read_frame(r);
    tr_hdf5_unlock();
    return status;
}

trStatus tr_result_open(const char *path, trResult **out) {
    trArena *arena = tr_arena_create();
    *out = NULL;
    trResult *r = tr_new(arena, trResult);
    trStatus  status = tr_arena_status(arena);
    if (status == TR_OK) {
        *r = (trResult){.arena = arena, .file = -1, .table = -1, .marks = -1};
        r->path = tr_arena_text(arena, path);
        tr_arena_defer(arena, release, r);
        status = tr_arena_status(arena);
    }
    status = status == TR_OK ? open_file(r) : status;
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    *out = r;
    return TR_OK;
}

void tr_result_close(trResult *r) {
    if (r != NULL) {
        tr_arena_destroy(r->arena);
    }
}

// --- questions ---

int tr_result_columns(const trResult *r) {
    return r->columns;
}

const trColumn *tr_result_column(const trResult *r, int index) {
    return index >= 0 && index < r->columns ? &r->column[index] : NULL;
}

int tr_result_find(const trResult *r, const char *name) {
    return tr_column_find(r->columns, r->column, name);
}

long tr_result_rows(const trResult *r) {
    return r->rows;
}

const char *tr_result_outcome(const trResult *r) {
    return r->outcome;
}

const char *tr_result_note(const trResult *r, const char *key) {
    for (const trNote *note = r->notes; note != NULL; note = note->next) {
        if (strcmp(note->key, key) == 0) {
            return note->text;
        }
    }
    return NULL;
}

bool tr_result_texts_are_whole(const trResult *r) {
    return r->whole;
}

static herr_t read_part(hid_t set, int rank, hid_t type, const hsize_t start[2],
                        const hsize_t count[2], void *values) {
    hid_t  in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, count, NULL);
    herr_t result = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    result = result < 0 ? result : H5Dread(set, type, in_memory, in_file, H5P_DEFAULT, values);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return result;
}

static trStatus read_set(trResult *r, bool marks, long first, long count, void *values) {
    const hsize_t start[2] = {(hsize_t)first, 0};
    const hsize_t shape[2] = {(hsize_t)count, (hsize_t)r->columns};
    if (first < 0 || count < 0 || first > r->rows || count > r->rows - first) {
        return tr_fail(TR_E_ARGUMENT, "%s: has %ld rows; %ld from %ld on were requested", r->path,
                       r->rows, count, first);
    }
    if (count == 0) {
        return TR_OK;
    }
    tr_hdf5_lock();
    errno = 0;
    herr_t result = marks ? read_part(r->marks, 1, H5T_NATIVE_UINT64, start, shape, values)
                          : read_part(r->table, 2, H5T_NATIVE_DOUBLE, start, shape, values);
    tr_hdf5_unlock();
    if (result < 0 && errno == ENOMEM) {
        return tr_fail(TR_E_MEMORY, "%s: out of memory", r->path);
    }
    return result < 0 ? tr_fail(TR_E_IO, "%s: rows %ld to %ld cannot be read: the file is damaged",
                                r->path, first + 1, first + count)
                      : TR_OK;
}

trStatus tr_result_read(trResult *r, long first, long count, double *values) {
    return read_set(r, false, first, count, values);
}

trStatus tr_result_find_altered(trResult *r, long first, long *row) {
    long     at_once = READ_AT_ONCE / r->columns + 1;
    trArena *arena = tr_arena_create();
    *row = -1;
    double   *values = tr_new_array(arena, double, at_once * r->columns);
    uint64_t *mark = tr_new_array(arena, uint64_t, at_once);
    trStatus  status = tr_arena_status(arena);
    for (long i = first; status == TR_OK && *row < 0 && i < r->rows; i += at_once) {
        long count = r->rows - i < at_once ? r->rows - i : at_once;
        status = read_set(r, false, i, count, values);
        status = status == TR_OK ? read_set(r, true, i, count, mark) : status;
        for (long k = 0; status == TR_OK && *row < 0 && k < count; k++) {
            const double *at = values + k * r->columns;
            *row = tr_mark_row((size_t)r->columns, at) == mark[k] ? -1 : i + k;
        }
    }
    tr_arena_destroy(arena);
    return status;
}
