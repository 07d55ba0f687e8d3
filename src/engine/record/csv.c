// SPDX-License-Identifier: MIT
// CSV: one line of names with units, "t [s],crank.x [m]", then one line per row. Numbers have the
// fewest digits from 15 to 17 that give back the same double. Quoting follows RFC 4180.
//
// The path "-" is standard output. Whole rows go to the file, so that what is there after a crash
// can be read. Notes and outcome have no place in the format. Where the old table is to be kept at
// first, the new one is made beside it; devices and pipes are written to as they are.

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shortest.h"
#include "record/beside.h"
#include "record/sink.h"

#define BUFFER_BYTES 65536
#define NUMBER_BYTES 32  // room for a number and what separates it; -1.7976931348623157e+308 has 24

typedef struct Csv {
    const char *path;
    trBeside    beside;
    int         file;   // descriptor; -1 when closed
    int         error;  // errno of the first failed write; nothing is written after it
    int         columns;
    size_t      used, room;  // bytes
    char       *buffer;      // room
} Csv;

static trStatus failure(const Csv *csv) {
    return tr_fail(TR_E_IO, "%s: cannot write: %s", csv->path, strerror(csv->error));
}

static trStatus flush(void *sink) {
    Csv   *csv = sink;
    size_t done = 0;
    while (csv->error == 0 && done < csv->used) {
        ssize_t written = write(csv->file, csv->buffer + done, csv->used - done);
        if (written >= 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            csv->error = errno;
        }
    }
    csv->used = 0;
    return csv->error == 0 ? TR_OK : failure(csv);
}

static trStatus put(Csv *csv, char c) {
    if (csv->used == csv->room) {
        TR_TRY(flush(csv));
    }
    csv->buffer[csv->used++] = c;
    return TR_OK;
}

// Quotes inside a quoted text are doubled.
static trStatus put_text(Csv *csv, const char *text, bool quoted) {
    for (const char *c = text; *c != '\0'; c++) {
        if (quoted && *c == '"') {
            TR_TRY(put(csv, '"'));
        }
        TR_TRY(put(csv, *c));
    }
    return TR_OK;
}

static trStatus put_column(Csv *csv, const trColumn *column) {
    const char *special = ",\"\r\n", *name = column->name;
    const char *unit = column->unit == NULL ? "" : column->unit;
    const bool  quoted = strpbrk(name, special) != NULL || strpbrk(unit, special) != NULL;
    const char *quote = quoted ? "\"" : "";
    TR_TRY(put_text(csv, quote, false));
    TR_TRY(put_text(csv, name, quoted));
    if (unit[0] != '\0') {
        TR_TRY(put_text(csv, " [", false));
        TR_TRY(put_text(csv, unit, quoted));
        TR_TRY(put_text(csv, "]", false));
    }
    return put_text(csv, quote, false);
}

static void release(void *sink) {
    Csv *csv = sink;
    if (csv->file >= 0) {
        close(csv->file);
        csv->file = -1;
    }
    tr_beside_end(&csv->beside);
}

static trStatus take_name(void *sink) {
    Csv *csv = sink;
    return tr_beside_take_name(&csv->beside, true);
}

static trStatus open_file(Csv *csv, trArena *arena, const trSinkOpen *with) {
    const char *path = with->path;
    struct stat info;
    if (strcmp(path, "-") == 0) {
        csv->path = "standard output";
        csv->file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    } else {
        if (with->keep_old && (stat(path, &info) != 0 || S_ISREG(info.st_mode))) {
            TR_TRY(tr_beside_begin(arena, path, &csv->beside));
            path = csv->beside.part;
        }
        csv->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    return csv->file >= 0 ? TR_OK
                          : tr_fail(TR_E_IO, "%s: cannot create: %s", csv->path, strerror(errno));
}

static trStatus open_csv(trArena *arena, const trSinkOpen *with, void **sink) {
    if (with->path == NULL) {
        return tr_fail(TR_E_ARGUMENT, "csv: a path is needed");
    }
    Csv *csv = tr_new(arena, Csv);
    TR_TRY(tr_arena_status(arena));
    *sink = csv;
    size_t row_bytes = (size_t)with->columns * NUMBER_BYTES;
    *csv = (Csv){.path = with->path, .file = -1, .columns = with->columns};
    csv->beside.file = -1;
    csv->room = row_bytes > BUFFER_BYTES ? row_bytes : BUFFER_BYTES;
    csv->buffer = tr_arena_take(arena, csv->room, 1);
    tr_arena_defer(arena, release, csv);
    TR_TRY(tr_arena_status(arena));

    TR_TRY(open_file(csv, arena, with));
    for (int i = 0; i < with->columns; i++) {
        if (i > 0) {
            TR_TRY(put(csv, ','));
        }
        TR_TRY(put_column(csv, &with->column[i]));
    }
    TR_TRY(put(csv, '\n'));
    return flush(csv);
}

// Puts the shortest text that reads back as the same number, of at most NUMBER_BYTES.
static void put_number(Csv *csv, double value) {
    char   text[TR_SHORTEST_BYTES];
    size_t length = strlen(tr_shortest(value, text));
    memcpy(csv->buffer + csv->used, text, length);
    csv->used += length;
}

static trStatus add_row(void *sink, const double *values) {
    Csv *csv = sink;
    if (csv->error != 0) {
        return failure(csv);
    }
    if (csv->room - csv->used < (size_t)csv->columns * NUMBER_BYTES) {
        TR_TRY(flush(csv));
    }
    for (int i = 0; i < csv->columns; i++) {
        put_number(csv, values[i]);
        csv->buffer[csv->used++] = i + 1 < csv->columns ? ',' : '\n';
    }
    return TR_OK;
}

static trStatus close_csv(void *sink, const char *outcome) {
    Csv     *csv = sink;
    trStatus status = flush(csv);
    int      file = csv->file;
    csv->file = -1;
    tr_beside_end(&csv->beside);
    if (close(file) != 0 && status == TR_OK) {
        csv->error = errno;
        return failure(csv);
    }
    return status;
}

const trSinkKind tr_sink_csv = {
    .name = "csv",
    .summary = "a text file with one line per row",
    .takes_dash = true,
    .open = open_csv,
    .row = add_row,
    .flush = flush,
    .close = close_csv,
    .take_name = take_name,
};
