// SPDX-License-Identifier: MIT
// HDF5 in SWMR mode (single writer, multiple readers): what has been flushed can be read by others
// at once, and after the death of the process, with H5F_ACC_RDONLY | H5F_ACC_SWMR_READ.
//
//     /rows      double, rows x columns, grows
//     /marks     64 bits for each row, grows after it (mark.h): rows that have one are whole
//     /columns   names        /units   units          fixed-length UTF-8 texts, one per column
//     /outcome   text of 256 bytes, "running" until the file is closed
//     attributes of the root: layout_version, trammel_version, one text per note, and `mark`, of
//     notes, names and units
//
// Nothing but /rows, /marks and the bytes of /outcome changes once rows arrive, as SWMR demands.

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/mark.h"
#include "record/room.h"
#include "record/sink.h"

#define MARKS_OF_CHUNK 8192
#define CHUNK_BYTES 65536
#define LEAST_CHUNK_ROWS 16  // of wide tables, unless that is more than CHUNK_BYTES_MOST
#define CHUNK_BYTES_MOST 1048576
#define OUTCOME_BYTES 256
#define FRAME_BYTES 16384  // of the frame without its texts
#define NOTE_BYTES 256     // of a note without its texts
#define LOCK_TRIES 100     // ten milliseconds apart
#define CLOSED (-1)        // an identifier that is none

typedef struct Hdf5 {
    const char *path;
    hid_t       file, rows, marks, outcome;  // CLOSED when not open
    hsize_t     columns;
    hsize_t     written;     // rows in the file
    hsize_t     chunk_rows;  // rows of a chunk, and of the buffer
    hsize_t     waiting;     // rows in the buffer
    double     *buffer;      // chunk_rows x columns
    uint64_t   *mark;        // chunk_rows
    bool        failed;      // after one failed write nothing more is tried
    int         reason;      // errno of the failure; zero where the system had no part in it
} Hdf5;

static trStatus failure(const Hdf5 *h, const char *what) {
    return tr_fail(TR_E_IO, "%s: cannot %s%s%s", h->path, what, h->reason == 0 ? "" : ": ",
                   h->reason == 0 ? "" : strerror(h->reason));
}

static herr_t release_all(Hdf5 *h) {
    herr_t closed = 0;
    H5E_BEGIN_TRY {
        if (h->outcome >= 0) {
            H5Dclose(h->outcome);
        }
        if (h->marks >= 0) {
            H5Dclose(h->marks);
        }
        if (h->rows >= 0) {
            H5Dclose(h->rows);
        }
        closed = h->file < 0 ? 0 : H5Fclose(h->file);
    }
    H5E_END_TRY
    h->outcome = h->marks = h->rows = h->file = CLOSED;
    return closed;
}

static void release(void *sink) {
    (void)release_all(sink);
}

// A file that HDF5 could not write is one it cannot close either: it keeps trying, and crashes when
// the program ends. From here on its writes go nowhere. What reached the file stays as it is, and
// remains readable to the last flush.
static trStatus give_up(Hdf5 *h) {
    int *descriptor = NULL;
    h->reason = errno;
    h->failed = true;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    H5E_BEGIN_TRY {
        H5Fget_vfd_handle(h->file, H5P_DEFAULT, (void **)&descriptor);
    }
    H5E_END_TRY
    if (nowhere >= 0 && descriptor != NULL) {
        dup2(nowhere, *descriptor);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return failure(h, "write");
}

static hid_t text_type(size_t bytes) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
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
    hid_t  type = text_type(length == 0 ? 1 : length);  // HDF5 has no texts of length zero
    herr_t result = write_attribute(file, name, type, text);
    H5Tclose(type);
    return result;
}

// A data set of `count` texts of `bytes` each; count 0 makes a single one.
static herr_t write_texts(hid_t file, const char *name, hsize_t count, size_t bytes,
                          const char *texts) {
    hid_t  type = text_type(bytes);
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
    H5Pset_chunk(list, rank, chunk);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return set < 0 ? -1 : H5Dclose(set);
}

static herr_t create_tables(const Hdf5 *h) {
    if (create_growing(h->file, "rows", H5T_IEEE_F64LE, h->columns, h->chunk_rows) < 0) {
        return -1;
    }
    return create_growing(h->file, "marks", H5T_STD_U64LE, 0, MARKS_OF_CHUNK);
}

// All that does not change afterwards.
static herr_t write_frame(Hdf5 *h, trArena *arena, const trSinkOpen *with) {
    const int      layout = TR_LAYOUT_VERSION;
    const uint64_t mark = tr_mark_texts(with->notes, with->columns, with->column);
    const char     running[OUTCOME_BYTES] = "running";
    if (write_attribute(h->file, "layout_version", H5T_NATIVE_INT, &layout) < 0 ||
        write_text_attribute(h->file, "trammel_version", tr_version()) < 0) {
        return -1;
    }
    for (const trNote *note = with->notes; note != NULL; note = note->next) {
        if (write_text_attribute(h->file, note->key, note->text) < 0) {
            return -1;
        }
    }
    if (write_attribute(h->file, "mark", H5T_NATIVE_UINT64, &mark) < 0 ||
        write_column_texts(arena, h->file, with, false) < 0 ||
        write_column_texts(arena, h->file, with, true) < 0 ||
        write_texts(h->file, "outcome", 0, OUTCOME_BYTES, running) < 0 || create_tables(h) < 0) {
        return -1;
    }
    // What cannot be written is found before HDF5 changes its mode: it does not take that back.
    if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0 || H5Fstart_swmr_write(h->file) < 0) {
        return -1;
    }
    h->rows = H5Dopen2(h->file, "rows", H5P_DEFAULT);
    h->marks = H5Dopen2(h->file, "marks", H5P_DEFAULT);
    h->outcome = H5Dopen2(h->file, "outcome", H5P_DEFAULT);
    return h->rows < 0 || h->marks < 0 || h->outcome < 0 ? -1 : 0;
}

// What the frame needs at most. HDF5 keeps texts in blocks, heaps and trees, half empty at worst.
static size_t frame_bytes(const trSinkOpen *with) {
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

// HDF5 does not recover from a file that it could open and whose frame it could not write, so the
// room is tried before.
static trStatus probe(Hdf5 *h, const trSinkOpen *with) {
    struct stat info;
    if (stat(h->path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return tr_fail(TR_E_IO, "%s: cannot create: not a file", h->path);
    }
    h->reason = tr_room_for(h->path, frame_bytes(with));
    bool full = h->reason == ENOSPC || h->reason == EFBIG || h->reason == EDQUOT;
    return h->reason == 0 ? TR_OK : failure(h, full ? "write" : "create");
}

// Somebody who looks into the old file holds its lock for a moment: wait for that, a second at
// most.
static hid_t create_file(const char *path) {
    const struct timespec pause = {.tv_nsec = 10000000};
    hid_t                 list = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    for (int i = 0; i < LOCK_TRIES; i++) {
        errno = 0;
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
        if (file >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
            break;
        }
        (void)nanosleep(&pause, NULL);
    }
    H5Pclose(list);
    return file;
}

static hsize_t rows_of_chunk(hsize_t columns) {
    hsize_t row_bytes = columns * sizeof(double);
    hsize_t rows = CHUNK_BYTES / row_bytes, most = CHUNK_BYTES_MOST / row_bytes;
    if (rows < LEAST_CHUNK_ROWS) {
        rows = most < LEAST_CHUNK_ROWS ? most : LEAST_CHUNK_ROWS;
    }
    return rows < 1 ? 1 : rows;
}

static trStatus open_hdf5(trArena *arena, const trSinkOpen *with, void **sink) {
    if (with->path == NULL) {
        return tr_fail(TR_E_ARGUMENT, "hdf5: a path is needed");
    }
    Hdf5 *h = tr_new(arena, Hdf5);
    TR_TRY(tr_arena_status(arena));
    *sink = h;
    *h = (Hdf5){.path = with->path};
    h->file = h->rows = h->marks = h->outcome = CLOSED;
    h->columns = (hsize_t)with->columns;
    h->chunk_rows = rows_of_chunk(h->columns);
    h->buffer = tr_arena_take(arena, (size_t)h->chunk_rows, (size_t)h->columns * sizeof(double));
    h->mark = tr_new_array(arena, uint64_t, h->chunk_rows);
    tr_arena_defer(arena, release, h);
    TR_TRY(tr_arena_status(arena));

    TR_TRY(probe(h, with));
    herr_t framed = -1;
    errno = 0;
    H5E_BEGIN_TRY {
        h->file = create_file(with->path);
    }
    H5E_END_TRY
    if (h->file < 0) {
        h->reason = errno;
        return failure(h, "create");
    }
    errno = 0;
    H5E_BEGIN_TRY {
        framed = write_frame(h, arena, with);
    }
    H5E_END_TRY
    TR_TRY(tr_arena_status(arena));
    if (framed < 0) {
        trStatus status = give_up(h);
        unlink(with->path);  // without a frame it could not be read
        return status;
    }
    return TR_OK;
}

// Appends what waits to one data set, a list or a table, and flushes it.
static herr_t append(const Hdf5 *h, hid_t set, int rank, hid_t type, const void *values) {
    const hsize_t size[2] = {h->written + h->waiting, h->columns};
    const hsize_t start[2] = {h->written, 0}, count[2] = {h->waiting, h->columns};
    if (H5Dset_extent(set, size) < 0) {
        return -1;
    }
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, count, NULL);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    herr_t result = H5Dwrite(set, type, in_memory, in_file, H5P_DEFAULT, values);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return result < 0 ? result : H5Dflush(set);
}

// Rows first: one with a mark is in the file.
static herr_t append_rows(Hdf5 *h) {
    for (hsize_t i = 0; i < h->waiting; i++) {
        h->mark[i] = tr_mark_row((size_t)h->columns, h->buffer + i * h->columns);
    }
    herr_t result = append(h, h->rows, 2, H5T_NATIVE_DOUBLE, h->buffer);
    result = result < 0 ? result : append(h, h->marks, 1, H5T_NATIVE_UINT64, h->mark);
    h->written += h->waiting;
    h->waiting = 0;
    return result;
}

static trStatus flush(void *sink) {
    Hdf5  *h = sink;
    herr_t result = 0;
    if (h->failed) {
        return failure(h, "write");
    }
    if (h->waiting == 0) {
        return TR_OK;
    }
    errno = 0;
    H5E_BEGIN_TRY {
        result = append_rows(h);
    }
    H5E_END_TRY
    return result < 0 ? give_up(h) : TR_OK;
}

static trStatus add_row(void *sink, const double *values) {
    Hdf5  *h = sink;
    size_t columns = (size_t)h->columns;
    if (h->waiting == h->chunk_rows || h->failed) {
        TR_TRY(flush(h));
    }
    memcpy(h->buffer + (size_t)h->waiting * columns, values, columns * sizeof *values);
    h->waiting++;
    return TR_OK;
}

// Cuts between characters of UTF-8, never inside one.
static void fit_outcome(const char *outcome, char *text) {
    size_t length = strlen(outcome);
    if (length >= OUTCOME_BYTES) {
        length = OUTCOME_BYTES - 1;
        while (length > 0 && ((unsigned char)outcome[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    memset(text, 0, OUTCOME_BYTES);
    memcpy(text, outcome, length);
}

static herr_t write_outcome(Hdf5 *h, const char *outcome) {
    char text[OUTCOME_BYTES];
    fit_outcome(outcome, text);
    hid_t  type = text_type(OUTCOME_BYTES);
    herr_t result = H5Dwrite(h->outcome, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    H5Tclose(type);
    return result < 0 ? result : H5Fflush(h->file, H5F_SCOPE_LOCAL);
}

// Everything is in the file before it is closed, while a failure still can be handled.
static trStatus close_hdf5(void *sink, const char *outcome) {
    Hdf5    *h = sink;
    herr_t   result = 0;
    trStatus status = flush(h);
    if (status == TR_OK) {
        errno = 0;
        H5E_BEGIN_TRY {
            result = write_outcome(h, outcome);
        }
        H5E_END_TRY
        status = result < 0 ? give_up(h) : TR_OK;
    }
    errno = 0;
    result = release_all(h);
    if (result < 0 && status == TR_OK) {
        h->reason = errno;
        return failure(h, "write");
    }
    return status;
}

const trSinkKind tr_sink_hdf5 = {
    .name = "hdf5",
    .summary = "an HDF5 file that stays readable while it grows, and after a crash",
    .open = open_hdf5,
    .row = add_row,
    .flush = flush,
    .close = close_hdf5,
};
