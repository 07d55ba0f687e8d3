// SPDX-License-Identifier: MIT
// Compares two result files: same_rows WHOLE PART. Every row of PART must be whole, by its mark,
// and have the bits of the same row of WHOLE; columns must be the same. Says
// "<rows of PART> <rows of WHOLE> <outcome of PART>". Exit 0: equal as far as PART goes; 1: PART
// cannot be opened; 2: it differs.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/trammel.h"

#define AT_ONCE 1000  // rows

static int differ(const char *what, long row) {
    fprintf(stderr, "%s (row %ld)\n", what, row);
    return 2;
}

static int compare(trResult *whole, trResult *part) {
    int  columns = tr_result_columns(part);
    long rows = tr_result_rows(part), altered = -1;
    if (columns != tr_result_columns(whole) || rows > tr_result_rows(whole)) {
        return differ("other columns, or more rows", rows);
    }
    if (!tr_result_texts_are_whole(part) || tr_result_find_altered(part, 0, &altered) != TR_OK ||
        altered >= 0) {
        return differ("not as it was written", altered);
    }
    size_t  bytes = (size_t)columns * sizeof(double);
    double *one = malloc(bytes), *two = malloc(bytes);
    int     code = one != NULL && two != NULL ? 0 : 1;
    for (long i = 0; code == 0 && i < rows; i++) {
        bool read =
            tr_result_read(whole, i, 1, one) == TR_OK && tr_result_read(part, i, 1, two) == TR_OK;
        if (!read || memcmp(one, two, bytes) != 0) {
            code = differ("the numbers differ", i);
        }
    }
    free(one);
    free(two);
    return code;
}

int main(int argc, char **argv) {
    trResult *whole = NULL, *part = NULL;
    if (argc != 3 || tr_result_open(argv[1], &whole) != TR_OK) {
        return 3;
    }
    int code = 1;
    if (tr_result_open(argv[2], &part) == TR_OK) {
        code = compare(whole, part);
        printf("%ld %ld %s\n", tr_result_rows(part), tr_result_rows(whole),
               tr_result_outcome(part));
    } else {
        fprintf(stderr, "%s\n", tr_last_error());
    }
    tr_result_close(part);
    tr_result_close(whole);
    return code;
}
