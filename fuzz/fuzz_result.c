// SPDX-License-Identifier: MIT
// Result files: the reader refuses them in one line that names the file, or gives rows. The first
// byte says which of two:
//
//     odd    the file is these bytes. What HDF5 itself would parse is left out: its crashes are not
//            ours, and the command reads files in a child process (tests/faults/test_mutants.py).
//     even   HDF5 makes the file, and each byte is a choice: zeros give a whole result, anything
//            else another type, shape, layout, link, text or mark. No bytes are zeros.

#include <fcntl.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/mark.h"
#include "target.h"
#include "trammel/result.h"

GOALS("a whole result is read", "an altered row is found", "an altered text is found",
      "a table is refused", "bytes are refused")
enum { WHOLE, ALTERED_ROW, ALTERED_TEXT, TABLE_REFUSED, BYTES_REFUSED };

#define FILE_MOST ((size_t)1 << 20)
#define NUMBERS_MOST 4096
#define ROWS 3
#define COLUMNS 2
#define TEXT 8  // bytes of a name, a unit or a note

static char path[64];

// --- bytes that are choices ---

typedef struct Choices {
    const uint8_t *at;
    size_t         left;
} Choices;

// 0 is what a result has.
static unsigned choose(Choices *c, unsigned below) {
    uint8_t byte = c->left > 0 ? *c->at : 0;
    c->at += c->left > 0;
    c->left -= c->left > 0;
    return byte % below;
}

static void choose_text(Choices *c, char text[TEXT + 1], const char *usual) {
    snprintf(text, TEXT + 1, "%s", usual);
    for (int i = 0; i < TEXT && choose(c, 2) == 1; i++) {
        text[i] = (char)choose(c, 256);
    }
}

// Sizes without end, too.
static hsize_t choose_size(Choices *c, hsize_t usual) {
    static const hsize_t odd[] = {
        0, 1, 2, 100, 65536, 1u << 31, (hsize_t)1 << 40, (hsize_t)1 << 62};
    unsigned which = choose(c, 9);
    return which == 0 ? usual : odd[which - 1];
}

// --- the file ---

// To be closed; a text of `bytes` where the usual type is a text.
static hid_t choose_type(Choices *c, hid_t usual, size_t bytes) {
    unsigned which = choose(c, 6);
    hid_t    type = H5Tcopy(which == 0   ? usual
                            : which == 1 ? H5T_STD_I32BE
                            : which == 2 ? H5T_IEEE_F32LE
                            : which == 3 ? H5T_STD_U64BE
                                         : H5T_C_S1);
    bool     text = (which == 0 && bytes > 0) || which == 4;
    H5Tset_size(type, text         ? (bytes > 0 ? bytes : 3)
                      : which == 5 ? H5T_VARIABLE
                                   : H5Tget_size(type));
    return type;
}

static hid_t choose_list(Choices *c, int rank, hsize_t rows, bool grows) {
    const hsize_t chunk[3] = {choose_size(c, rows > 0 ? rows : 1), COLUMNS, 1};
    hid_t         list = H5Pcreate(H5P_DATASET_CREATE);
    unsigned      how = choose(c, 6);
    if (rank > 0 && ((how == 0 && grows) || how == 1 || how == 2)) {
        H5Pset_chunk(list, rank, chunk);
    }
    if (how == 2) {
        H5Pset_shuffle(list);
    } else if (how == 3) {
        H5Pset_external(list, "/dev/null", 0, H5F_UNLIMITED);
    } else if (how == 4) {
        H5Pset_layout(list, H5D_COMPACT);
    }
    return list;
}

typedef struct Set {
    const char *name;
    hid_t       type;   // usual
    size_t      bytes;  // of a text; 0: none
    int         rank;   // usual
    hsize_t     size[3];
    bool        grows;
    const void *values;
} Set;

static void make_set(Choices *c, hid_t file, const Set *set) {
    int     rank = (set->rank + (int)choose(c, 4)) % 4;
    hsize_t size[3] = {choose_size(c, set->size[0]), choose_size(c, set->size[1]), 1};
    hsize_t most[3] = {set->grows ? H5S_UNLIMITED : size[0], size[1], 1};
    hid_t   type = choose_type(c, set->type, set->bytes);
    hid_t   space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, most);
    hid_t   list = choose_list(c, rank, set->size[0], set->grows);
    hid_t   made = H5Dcreate2(file, set->name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool    usual = rank == set->rank && memcmp(size, set->size, 2 * sizeof *size) == 0 &&
                 H5Tget_size(type) == H5Tget_size(set->bytes > 0 ? type : set->type);
    if (made >= 0 && usual && H5Tis_variable_str(type) <= 0 && choose(c, 2) == 0) {
        H5Dwrite(made, set->bytes > 0 ? type : set->type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 set->values);
    }
    unsigned link = choose(c, 4);
    if (link > 0) {
        H5Ldelete(file, set->name, H5P_DEFAULT);
    }
    if (link == 1) {
        H5Lcreate_soft("/outcome", file, set->name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (link == 2) {
        H5Lcreate_external("trammel-fuzz-outside", "/", file, set->name, H5P_DEFAULT, H5P_DEFAULT);
    }
    H5Dclose(made);
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
}

static void make_attribute(Choices *c, hid_t file, const char *name, hid_t usual,
                           const void *value) {
    const hsize_t count = 2;
    hid_t         type = choose_type(c, usual, H5Tget_class(usual) == H5T_STRING ? TEXT : 0);
    hid_t space = choose(c, 2) == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    hid_t made = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Sget_simple_extent_type(space) == H5S_SCALAR &&
        H5Tget_class(type) == H5Tget_class(usual) && H5Tis_variable_str(type) <= 0 &&
        H5Tget_size(type) <= TEXT) {
        H5Awrite(made, H5Tget_class(usual) == H5T_STRING ? type : usual, value);
    }
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
}

static void make_texts(Choices *c, hid_t file, const trColumn column[COLUMNS]) {
    char   text[TEXT + 1];
    int    layout = TR_LAYOUT_VERSION + (int)choose(c, 3);
    trNote note = {.key = "model", .text = "plain"};
    choose_text(c, text, note.text);
    uint64_t mark = tr_mark_texts(&note, COLUMNS, column) + choose(c, 2);
    make_attribute(c, file, "layout_version", H5T_NATIVE_INT, &layout);
    make_attribute(c, file, "mark", H5T_NATIVE_UINT64, &mark);
    make_attribute(c, file, note.key, H5T_C_S1, text);
}

static void make_file(Choices *c) {
    static const trColumn column[COLUMNS] = {{"t", "s"}, {"x", "m"}};
    const char            names[COLUMNS][TEXT] = {"t", "x"}, units[COLUMNS][TEXT] = {"s", "m"};
    const char            outcome[TEXT] = "done";
    double                rows[ROWS][COLUMNS] = {{0, 1}, {1, 2}, {2, 4}};
    uint64_t              marks[ROWS];
    for (int i = 0; i < ROWS; i++) {
        marks[i] = tr_mark_row(COLUMNS, rows[i]);
        rows[i][1] += choose(c, 3);
    }
    const Set sets[] = {
        {"rows", H5T_IEEE_F64LE, 0, 2, {ROWS, COLUMNS}, true, rows},
        {"marks", H5T_STD_U64LE, 0, 1, {ROWS, 0}, true, marks},
        {"columns", H5T_C_S1, TEXT, 1, {COLUMNS, 0}, false, names},
        {"units", H5T_C_S1, TEXT, 1, {COLUMNS, 0}, false, units},
        {"outcome", H5T_C_S1, TEXT, 0, {0, 0}, false, outcome},
    };
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    make_texts(c, file, column);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        make_set(c, file, &sets[i]);
    }
    H5Pclose(access);
    H5Fclose(file);
}

// Whether HDF5 would be called.
static bool write_bytes(const uint8_t *data, size_t size) {
    static const unsigned char result[9] = "\x89HDF\r\n\x1a\n\x03";
    if (size > FILE_MOST || (size >= sizeof result && memcmp(data, result, sizeof result) == 0)) {
        return false;
    }
    int  file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = file >= 0 && write(file, data, size) == (ssize_t)size;
    close(file);
    return written;
}

// --- the reader ---

static void read_rows(trResult *result) {
    static double values[NUMBERS_MOST];
    long          rows = tr_result_rows(result), columns = tr_result_columns(result), row = 0;
    long          count = columns > 0 ? NUMBERS_MOST / columns : 0;
    MUST(columns > 0 && rows >= 0);
    count = count < rows ? count : rows;
    if (tr_result_read(result, 0, count, values) != TR_OK) {
        MUST(strstr(tr_last_error(), path) != NULL);
    }
    for (int i = 0; i < columns; i++) {
        const trColumn *column = tr_result_column(result, i);
        MUST(strlen(column->name) + strlen(column->unit) < FILE_MOST);
    }
    MUST(tr_result_outcome(result) != NULL);
    trStatus status = tr_result_find_altered(result, 0, &row);
    MUST(status != TR_OK || (row >= -1 && row < rows));
    if (status == TR_OK && row >= 0) {
        REACHED(ALTERED_ROW);
    } else if (status == TR_OK && rows == ROWS && tr_result_texts_are_whole(result)) {
        REACHED(WHOLE);
    }
    if (!tr_result_texts_are_whole(result)) {
        REACHED(ALTERED_TEXT);
    }
}

// A file of this process, in memory where there is a file system for that.
static void choose_path(void) {
    struct stat info;
    bool        shm = stat("/dev/shm", &info) == 0;
    snprintf(path, sizeof path, "%s/trammel-fuzz-%ld", shm ? "/dev/shm" : "/tmp", (long)getpid());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    trResult *result = NULL;
    bool      raw = size > 0 && data[0] % 2 == 1;
    Choices   choices = {data + (size > 0), size - (size > 0)};
    choose_path();
    if (raw && !write_bytes(choices.at, choices.left)) {
        return 0;
    }
    H5E_BEGIN_TRY {
        if (!raw) {
            make_file(&choices);
        }
    }
    H5E_END_TRY
    if (tr_result_open(path, &result) == TR_OK) {
        read_rows(result);
    } else {
        MUST(result == NULL && strstr(tr_last_error(), path) != NULL);
        REACHED(raw ? BYTES_REFUSED : TABLE_REFUSED);
    }
    tr_result_close(result);
    unlink(path);
    return 0;
}
