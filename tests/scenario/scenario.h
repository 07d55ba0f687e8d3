// SPDX-License-Identifier: MIT
// Whole runs for the scenario tests: a model file goes in, a table of columns comes out.

#ifndef TR_TESTS_SCENARIO_SCENARIO_H
#define TR_TESTS_SCENARIO_SCENARIO_H

#include "system/system.h"
#include "trammel/trammel.h"

// A reference file: named columns of numbers.
typedef struct Reference {
    int     columns;
    char  **name;  // columns
    long    rows;
    double *value;  // rows x columns, row after row
    char   *text;   // owns the names
} Reference;

// One simulation with everything it is made from. All zero when not run.
typedef struct Run {
    trModel        *model;
    trSystem       *system;
    trSim          *sim;
    trRecorder     *recorder;
    int             columns;
    const trColumn *column;  // columns
    long            rows;
    const double   *table;  // rows x columns, row after row
} Run;

// Reads tests/scenario/reference/<file>; false if it is missing or malformed.
bool   reference_read(const char *file, Reference *out);
void   reference_free(Reference *reference);
int    reference_column(const Reference *reference, const char *name);  // -1 if absent
double reference_value(const Reference *reference, long row, int column);

// Loads models/benchmark/<file> into `out` and builds the system. `def` starts as the default and
// receives what the file says.
trStatus run_load(const char *file, const char *const *set, trSimDef *def, Run *out);
// Simulates the system of `run` to the end of `def`, recording to memory.
trStatus run_simulate(Run *run, const trSimDef *def);
void     run_free(Run *run);

int    run_column(const Run *run, const char *name);           // -1 if absent
double run_value(const Run *run, long row, const char *name);  // fails the test if absent
double run_part(const Run *run, long row, const char *owner, const char *part);  // "owner.part"
// In space: the three columns "owner.<part>x" to "owner.<part>z", and "owner.e0" to "owner.e3".
trVec3 run_vector(const Run *run, long row, const char *owner, const char *part);
trQuat run_turn(const Run *run, long row, const char *owner);

#endif
