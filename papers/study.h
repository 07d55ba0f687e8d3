// SPDX-License-Identifier: MIT
// Studies of a paper: load a model, run a method on it, keep what the paper looks at. The programs
// of this folder end at the first call that fails, with its text; only a run may fail.

#ifndef TR_PAPERS_STUDY_H
#define TR_PAPERS_STUDY_H

#include "trammel/trammel.h"

typedef struct Model {
    trModel  *model;
    trSystem *system;
    trSimDef  def;  // what the file says under simulate{}, over the defaults
} Model;

// What a method gave, one entry for the start and one for each accepted step.
typedef struct Motion {
    int        n;         // entries
    int        nq;        // coordinates
    double    *t;         // n [s]
    double    *phi;       // n: |phi|, the root of the sum of squares of all rows
    double    *rate;      // n: |A v - b1|
    double    *energy;    // n: T + V - W less its start [J]
    double    *q;         // n x nq, state after state
    trSimStats stats;     // at the end; texts that it points to are gone, set to NULL
    trStatus   status;    // of the run
    char       why[200];  // if it failed
} Motion;

// Ends the program if the status is not TR_OK.
void must(trStatus status);
// `bytes` zeroed bytes, or the end.
void *room(size_t bytes);

// Loads ROOT/models/<file> ("papers/fourbar.lua"); `set` as in tr_lua_load.
void model_load(const char *root, const char *file, const char *const *set, Model *out);
void model_free(Model *model);

// Runs from the start for def->duration. A run that fails is kept up to there.
void motion_run(const Model *model, const trSimDef *def, Motion *out);
void motion_free(Motion *motion);

double motion_worst(const Motion *motion, const double *values);  // largest |value|
// The same up to a time.
double        motion_worst_until(const Motion *motion, const double *values, double time);
const double *motion_end(const Motion *motion);  // q at the end

// |x - y|, n numbers; |x|.
double distance(int n, const double *x, const double *y);
double norm(int n, const double *x);

#endif
