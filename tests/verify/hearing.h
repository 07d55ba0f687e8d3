// SPDX-License-Identifier: MIT
// What a verification compares, row by row, and what an altered number changes of it.

#ifndef TR_TESTS_VERIFY_HEARING_H
#define TR_TESTS_VERIFY_HEARING_H

#include "verify/runs.h"
#include "verify/verify.h"

// One comparison: `slack` and the tolerance of its kind times `size` are allowed.
typedef struct Compared {
    long         row;
    trVerifyKind kind;
    double       off, slack, size;
} Compared;

typedef struct Hearing {
    long      findings;
    double    tolerance[TR_VERIFY_KINDS];
    int       count, room;
    Compared *compared;   // count, those of a row one after the other
    bool     *continued;  // columns: judged between rows
} Hearing;

// Physics alone. Of one row, or of all where it is -1. `unseen`: columns are altered for trial.
void hear_file(const char *path, long row, bool unseen, Hearing *hearing);
void hearing_free(Hearing *hearing);

// Whether an equation of the row changes by more than is allowed there, from the file as it was
// written to the one with an altered number.
bool enters_equations(const Hearing *written, const Hearing *altered, long row);

#endif
