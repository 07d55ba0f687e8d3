// SPDX-License-Identifier: MIT
// Records three rows with the sink of the guide and lets the caller look at the file.

#include <stdio.h>

#include <trammel/record.h>

int main(int argc, char **argv) {
    const trColumn columns[] = {{"t", "s"}, {"x", "m"}};
    const double   rows[][2] = {{0.0, 2.0}, {1.0, -3.0}, {2.0, 1.0}};
    trRecorder    *recorder = NULL;
    trStatus       status = argc == 2 ? tr_recorder_create(&recorder) : TR_E_ARGUMENT;
    if (status == TR_OK) {
        status = tr_recorder_add(recorder, "extremes", argv[1]);
    }
    if (status == TR_OK) {
        status = tr_recorder_begin(recorder, 2, columns, 3);
    }
    for (int i = 0; status == TR_OK && i < 3; i++) {
        status = tr_recorder_row(recorder, rows[i]);
    }
    if (status == TR_OK) {
        status = tr_recorder_close(recorder, "done");
    }
    if (status != TR_OK) {
        fprintf(stderr, "%s\n", tr_last_error());
    }
    tr_recorder_destroy(recorder);
    return status == TR_OK ? 0 : 1;
}
