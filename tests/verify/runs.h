// SPDX-License-Identifier: MIT
// Result files for tests of `verify`: short runs of model files, with the notes of `trammel run`,
// and single numbers of them altered through HDF5.

#ifndef TR_TESTS_VERIFY_RUNS_H
#define TR_TESTS_VERIFY_RUNS_H

#include "record/scratch.h"
#include "support/test.h"
#include "trammel/trammel.h"

typedef struct Run {
    const char *model;     // path below models/
    double      duration;  // [s]
    int         rows;
    const char *method, *integrator;  // NULL: the model's
} Run;

// Runs the model and writes `path`.
void run_to_file(const Run *run, const char *path);
void run_with_steps(const Run *run, double max_step, const char *path);  // [s]; 0: the model's

// Rows, columns and all numbers of a file; to be freed.
double *read_table(const char *path, long *rows, int *columns);

// Replaces one number.
void put_number(const char *path, long row, int column, double value);

// Findings of a file; the first of them is written to `first` (may be NULL).
long count_findings(const char *path, bool checksums, char *first, size_t size);

uint32_t next_random(uint32_t *seed);  // 24 bits
double   next_part(uint32_t *seed);    // 0 to 1

#endif
