// SPDX-License-Identifier: MIT
// HDF5 in SWMR mode (single writer, multiple readers): what has been flushed can be read by others
// at once, and after the death of the process, with H5F_ACC_RDONLY | H5F_ACC_SWMR_READ.
//
//     /rows      double, rows x columns, grows
//     /marks     64 bits for each row, grows after it (mark.h): rows that have one are whole
//     /columns   names        /units   units          fixed-length UTF-8 texts, one per column
//     /outcome   text of 1040 bytes, "running" until the file is closed
//     attributes of the root: layout_version, trammel_version, one text per note, and `mark`, of
//     notes, names and units
//
// Nothing but /rows, /marks and the bytes of /outcome changes once rows arrive, as SWMR demands.
// Until all of that is in the file, and the mode has begun, nobody could read it: it is made beside
// the old one (beside.h).

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/beside.h"
#include "record/hdf5_calls.h"
#include "record/hdf5_frame.h"
#include "record/mark.h"
#include "record/sink.h"
#include "trammel/hdf5.h"

#define CHUNK_BYTES 65536
#define LEAST_CHUNK_ROWS 16  // of wide tables, unless that is more than CHUNK_BYTES_MOST
#define CHUNK_BYTES_MOST 1048576
#define BLOCK_BYTES 4096
#define CLOSED (-1)  // an identifier that is none

typedef struct Hdf5 {
    const char *path;
    trBeside    beside;
    bool        sync;  // not before the disk has it does the file take its name
    hid_t       file, rows, marks, outcome;  // CLOSED when not open
    int         descriptor;                  // of HDF5; -1: none
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
    if (h->file < 0) {
        return 0;  // HDF5 may never have begun
    }
    tr_hdf5_lock();
    tr_hdf5_close(h->outcome);
    tr_hdf5_close(h->marks);
    tr_hdf5_close(h->rows);
    herr_t closed = H5Fclose(h->file);
    tr_hdf5_unlock();
    h->outcome = h->marks = h->rows = h->file = CLOSED;
    return closed;
}

static void release(void *sink) {
    Hdf5 *h = sink;
    (void)release_all(h);
    tr_beside_end(&h->beside);
}

// A file that HDF5 could not write is one it cannot close either: it keeps trying, and crashes when
// the program ends. From here on its writes go nowhere. What reached the file stays as it is, and
// remains readable to the last flush. After a request of its own that was refused HDF5 may hold
// things half made, which must not be touched again, not even to close them.
static trStatus give_up(Hdf5 *h) {
    h->reason = errno;
    h->failed = true;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0 && h->descriptor >= 0) {
        dup2(nowhere, h->descriptor);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    if (h->reason == ENOMEM) {
        h->outcome = h->marks = h->rows = h->file = CLOSED;
    }
    return failure(h, "write");
}

// The frame, and the mode in which rows are added.
static herr_t write_frame(Hdf5 *h, trArena *arena, const trSinkOpen *with) {
    if (tr_hdf5_write_frame(h->file, arena, with, h->chunk_rows) < 0) {
        return -1;
    }
    // What cannot be written is found before HDF5 changes its mode: it does not take that back.
    if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0 || H5Fstart_swmr_write(h->file) < 0) {
        return -1;
    }
    h->rows = H5Dopen2(h->file, "rows", H5P_DEFAULT);
    h->marks = H5Dopen2(h->file, "marks", H5P_DEFAULT);
    h->outcome = H5Dopen2(h->file, "outcome", H5P_DEFAULT);
    bool open = h->rows >= 0 && h->marks >= 0 && h->outcome >= 0;
    return open ? H5Fflush(h->file, H5F_SCOPE_LOCAL) : -1;
}

// Zero, or errno where the file cannot become that long. It is empty afterwards.
static int try_room(int file, size_t bytes) {
    static const char nothing[BLOCK_BYTES];
    int               reason = ftruncate(file, 0) == 0 ? 0 : errno;
    for (size_t size = 0; reason == 0 && size < bytes;) {
        // Where there is room for a part only, the next attempt says why.
        ssize_t written = write(file, nothing, sizeof nothing);
        size += written > 0 ? (size_t)written : 0;
        reason = written < 0 && errno != EINTR ? errno : 0;
    }
    return ftruncate(file, 0) == 0 || reason != 0 ? reason : errno;
}

// HDF5 does not recover from a file that it could open and whose frame it could not write, so the
// room is tried before.
static trStatus make_room(Hdf5 *h, trArena *arena, const trSinkOpen *with) {
    struct stat info;
    if (stat(h->path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return tr_fail(TR_E_IO, "%s: cannot create: not a file", h->path);
    }
    TR_TRY(tr_beside_begin(arena, h->path, &h->beside));
    h->reason = try_room(h->beside.file, tr_hdf5_frame_bytes(with));
    bool full = h->reason == ENOSPC || h->reason == EFBIG || h->reason == EDQUOT;
    return h->reason == 0 ? TR_OK : failure(h, full ? "write" : "create");
}

// The part is locked already; on network file systems a lock of HDF5 would collide with that.
static hid_t create_file(const char *path) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list < 0 || H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) < 0 ||
        H5Pset_file_locking(list, false, true) < 0) {
        return CLOSED;
    }
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    H5Pclose(list);
    return file;
}

// Asked for while all is well: see give_up.
static int descriptor_of(hid_t file) {
    void *handle = NULL;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != NULL ? *(int *)handle
                                                                                : -1;
}

static trStatus take_name(void *sink) {
    Hdf5 *h = sink;
    return tr_beside_take_name(&h->beside, h->sync);
}

static trStatus write_file(Hdf5 *h, trArena *arena, const trSinkOpen *with) {
    errno = 0;
    h->file = create_file(h->beside.part);
    if (h->file < 0) {
        h->reason = errno;
        return failure(h, "create");
    }
    errno = 0;
    h->descriptor = descriptor_of(h->file);
    herr_t framed = write_frame(h, arena, with);
    TR_TRY(tr_arena_status(arena));
    return framed < 0 ? give_up(h) : TR_OK;
}

static trStatus begin_file(Hdf5 *h, trArena *arena, const trSinkOpen *with) {
    tr_hdf5_lock();
    trStatus status = write_file(h, arena, with);
    tr_hdf5_unlock();
    return status;
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
    *h = (Hdf5){.path = with->path, .beside = {.file = -1}, .sync = with->keep_old};
    h->file = h->rows = h->marks = h->outcome = CLOSED;
    h->descriptor = -1;
    h->columns = (hsize_t)with->columns;
    h->chunk_rows = rows_of_chunk(h->columns);
    h->buffer = tr_arena_take(arena, (size_t)h->chunk_rows, (size_t)h->columns * sizeof(double));
    h->mark = tr_new_array(arena, uint64_t, h->chunk_rows);
    tr_arena_defer(arena, release, h);
    TR_TRY(tr_arena_status(arena));

    trStatus status = make_room(h, arena, with);
    status = status == TR_OK ? begin_file(h, arena, with) : status;
    status = status == TR_OK && !with->later ? take_name(h) : status;
    if (status != TR_OK) {
        tr_beside_end(&h->beside);
    }
    return status;
}

// Appends what waits to one data set, a list or a table, and flushes it.
static herr_t append(const Hdf5 *h, hid_t set, int rank, hid_t type, const void *values) {
    const hsize_t size[2] = {h->written + h->waiting, h->columns};
    const hsize_t start[2] = {h->written, 0}, count[2] = {h->waiting, h->columns};
    if (H5Dset_extent(set, size) < 0) {
        return -1;
    }
    hid_t  in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, count, NULL);
    herr_t result = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    result = result < 0 ? result : H5Dwrite(set, type, in_memory, in_file, H5P_DEFAULT, values);
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
    Hdf5 *h = sink;
    if (h->failed) {
        return failure(h, "write");
    }
    if (h->waiting == 0) {
        return TR_OK;
    }
    tr_hdf5_lock();
    errno = 0;
    herr_t   result = append_rows(h);
    trStatus status = result < 0 ? give_up(h) : TR_OK;
    tr_hdf5_unlock();
    return status;
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
    if (length >= TR_OUTCOME_BYTES) {
        length = TR_OUTCOME_BYTES - 1;
        while (length > 0 && ((unsigned char)outcome[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    memset(text, 0, TR_OUTCOME_BYTES);
    memcpy(text, outcome, length);
}

static herr_t write_outcome(Hdf5 *h, const char *outcome) {
    char text[TR_OUTCOME_BYTES];
    fit_outcome(outcome, text);
    hid_t  type = tr_hdf5_text_type(TR_OUTCOME_BYTES);
    herr_t result = H5Dwrite(h->outcome, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    H5Tclose(type);
    return result < 0 ? result : H5Fflush(h->file, H5F_SCOPE_LOCAL);
}

// Everything is in the file before it is closed, while a failure still can be handled.
static trStatus close_hdf5(void *sink, const char *outcome) {
    Hdf5    *h = sink;
    trStatus status = flush(h);
    if (status == TR_OK) {
        tr_hdf5_lock();
        errno = 0;
        status = write_outcome(h, outcome) < 0 ? give_up(h) : TR_OK;
        tr_hdf5_unlock();
    }
    errno = 0;
    herr_t result = release_all(h);
    tr_beside_end(&h->beside);
    if (result < 0 && status == TR_OK) {
        h->reason = errno;
        return failure(h, "write");
    }
    return status;
}

const trSinkKind tr_sink_hdf5 = {
    .name = "hdf5",
    .summary = "an HDF5 file that stays readable while it grows, and after a crash",
    .is_beside = true,
    .keeps_outcome = true,
    .open = open_hdf5,
    .row = add_row,
    .flush = flush,
    .close = close_hdf5,
    .take_name = take_name,
};

trStatus tr_recorder_add_hdf5(trRecorder *recorder, const char *path) {
    return tr_recorder_add_kind(recorder, &tr_sink_hdf5, path);
}
