// SPDX-License-Identifier: MIT
#include "cli/old_results.h"

#include <string.h>

#define NUMBERS_AT_ONCE 65536

// --- in the child ---

typedef struct Wanted {
    const char *path;
    int64_t     rows;
} Wanted;

static bool send(FILE *to, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, to) == size;
}

static bool send_rows(trResult *result, int64_t rows, FILE *to) {
    int64_t  columns = tr_result_columns(result), at_once = NUMBERS_AT_ONCE / columns + 1;
    trArena *arena = tr_arena_create();
    double  *values = arena != NULL ? tr_new_array(arena, double, at_once *columns) : NULL;
    bool     good = values != NULL;
    for (int64_t first = 0; good && first < rows; first += at_once) {
        int64_t count = rows - first < at_once ? rows - first : at_once;
        good = tr_result_read(result, (long)first, (long)count, values) == TR_OK &&
               send(to, values, (size_t)(count * columns) * sizeof *values);
    }
    return good;
}

static int read_in_child(void *context, FILE *to) {
    const Wanted *wanted = context;
    trResult     *result = NULL;
    trOldHead     head = {.status = tr_result_open(wanted->path, &result)};
    bool          open = head.status == TR_OK;
    head.columns = open ? tr_result_columns(result) : 0;
    head.rows = open ? tr_result_rows(result) : 0;
    snprintf(head.text, sizeof head.text, "%s", open ? tr_result_outcome(result) : tr_last_error());
    int64_t rows = wanted->rows < head.rows ? wanted->rows : head.rows;
    bool    sent = send(to, &head, sizeof head) && (!open || send_rows(result, rows, to));
    return sent ? TR_EXIT_DONE : TR_EXIT_FAILED;
}

// --- here ---

// What the child sent is short: how it ended says why.
static trStatus end_early(trOldResults *old) {
    int code = 0;
    TR_TRY(tr_child_end(&old->child, &code));
    return tr_fail(TR_E_IO, "%s: rows cannot be read: the file is damaged; run the model again",
                   old->child.path);
}

trStatus tr_old_open(const char *path, int64_t wanted, trOldResults *out) {
    Wanted what = {path, wanted};
    TR_TRY(tr_child_begin(path, read_in_child, &what, &out->child));
    if (tr_child_read(&out->child, &out->head, sizeof out->head) != sizeof out->head) {
        return end_early(out);
    }
    out->head.text[TR_OLD_TEXT - 1] = '\0';
    if (out->head.status != TR_OK) {
        int code = 0;
        TR_TRY(tr_child_end(&out->child, &code));
        return tr_fail(out->head.status, "%s", out->head.text);
    }
    return TR_OK;
}

trStatus tr_old_read(trOldResults *old, int64_t rows, double *values) {
    size_t bytes = (size_t)(rows * old->head.columns) * sizeof *values;
    if (tr_child_read(&old->child, values, bytes) != bytes) {
        return tr_fail(TR_E_IO, "%s: rows cannot be read: the file is damaged; run the model again",
                       old->child.path);
    }
    return TR_OK;
}

trStatus tr_old_close(trOldResults *old) {
    int code = 0;
    return tr_child_end(&old->child, &code);
}
