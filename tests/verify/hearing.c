// SPDX-License-Identifier: MIT
#include "verify/hearing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Ear {
    Hearing  *hearing;
    trResult *result;
    long      row;  // -1: all
} Ear;

// Between rows: of columns that continue, which have names; times have another comparison.
static void note_continued(const Ear *ear, const trDeviation *d) {
    int column = tr_result_find(ear->result, d->name);
    if (column > 0) {
        ear->hearing->continued[column] = true;
    }
}

static void hear(void *to, trVerifyKind kind, long row, const trDeviation *d) {
    const Ear *ear = to;
    Hearing   *h = ear->hearing;
    if (kind == TR_VERIFY_MOTION || kind == TR_VERIFY_WORK) {
        note_continued(ear, d);
        return;
    }
    if (ear->row >= 0 && row != ear->row) {
        return;
    }
    if (h->count == h->room) {
        h->room = 2 * h->room + 1000;
        h->compared = realloc(h->compared, (size_t)h->room * sizeof *h->compared);
        assert_non_null(h->compared);
    }
    h->compared[h->count++] = (Compared){row, kind, d->off, d->slack, d->size};
}

void hear_file(const char *path, long row, bool unseen, Hearing *hearing) {
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    Ear             ear = {hearing, NULL, row};
    trListener      listener = {.hear = hear, .to = &ear};
    *hearing = (Hearing){.findings = 0};
    options.no_checksums = true;
    options.find_unseen = unseen;
    assert_int_equal(tr_result_open(path, &ear.result), TR_OK);
    hearing->continued = calloc((size_t)tr_result_columns(ear.result), sizeof(bool));
    assert_non_null(hearing->continued);
    assert_int_equal(tr_verify_aloud(path, &options, &listener, &seen), TR_OK);
    hearing->findings = seen->findings;
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        hearing->tolerance[k] = seen->figure[k].tolerance;
    }
    tr_verification_free(seen);
    tr_result_close(ear.result);
}

void hearing_free(Hearing *hearing) {
    free(hearing->compared);
    free(hearing->continued);
}

// The first comparison of a row, and how many it has.
static const Compared *of_row(const Hearing *h, long row, int *count) {
    int first = 0;
    while (first < h->count && h->compared[first].row != row) {
        first++;
    }
    for (*count = 0; first + *count < h->count && h->compared[first + *count].row == row;) {
        ++*count;
    }
    return h->compared + first;
}

bool enters_equations(const Hearing *written, const Hearing *altered, long row) {
    int             before = 0, after = 0;
    const Compared *was = of_row(written, row, &before), *is = of_row(altered, row, &after);
    bool            enters = before != after;  // something cannot be evaluated any more
    for (int i = 0; !enters && i < before; i++) {
        double allowed = was[i].slack + written->tolerance[was[i].kind] * was[i].size;
        enters = fabs(is[i].off - was[i].off) > allowed;
    }
    return enters;
}
