// SPDX-License-Identifier: MIT
// Result files: whatever the bytes are, the reader refuses them in one line that names the file, or
// gives rows.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target.h"
#include "trammel/result.h"

#define FILE_MOST ((size_t)1 << 20)
#define NUMBERS_MOST 4096

static char path[64];

// A file of this process, in memory where there is a file system for that.
static int open_scratch(void) {
    struct stat info;
    bool        shm = stat("/dev/shm", &info) == 0;
    snprintf(path, sizeof path, "%s/trammel-fuzz-%ld", shm ? "/dev/shm" : "/tmp", (long)getpid());
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

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
    if (tr_result_find_altered(result, 0, &row) == TR_OK) {
        MUST(row >= -1 && row < rows);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    trResult *result = NULL;
    int       file = size <= FILE_MOST ? open_scratch() : -1;
    if (file < 0) {
        return 0;
    }
    bool written = write(file, data, size) == (ssize_t)size;
    close(file);
    if (written && tr_result_open(path, &result) == TR_OK) {
        read_rows(result);
    } else if (written) {
        MUST(result == NULL && strstr(tr_last_error(), path) != NULL);
    }
    tr_result_close(result);
    unlink(path);
    return 0;
}
