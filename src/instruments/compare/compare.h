// SPDX-License-Identifier: MIT
// The parts of a comparison:
//
//     plan.c       which methods and settings, at which times they are looked at
//     variant.c    a method with an option of its own, "maggi:svd"; integrators that stand beside
//                  methods
//     reference.c  the motion they are measured against, and how far it can be trusted
//     measure.c    the runs: counters, violations, energy, time
//     recommend.c  which one to take, and why; the order of rows by merit

#ifndef TR_COMPARE_COMPARE_H
#define TR_COMPARE_COMPARE_H

#include "base/arena.h"
#include "sim/def.h"
#include "trammel/compare.h"

trStatus tr_compare_plan(trCompare *c, const trSimDef *base, const trCompareOptions *options);
trStatus tr_compare_reference(trCompare *c, const trCompareOptions *options);
trStatus tr_compare_measure(trCompare *c, const trCompareOptions *options);
// Chooses among the rows that are not of the sweep; fills `recommended` and `sentence`.
void tr_compare_recommend(trCompare *c);

// Rank and same_as of the rows, after the recommendation; `order` has room for all rows.
void tr_compare_sort(trCompare *c);

// Integrators for stiff models that are compared as if they were methods, with the defaults where
// they take any; NULL after the last that is built in.
const trMethod *tr_compare_integrator(int index);
// A method by its name, or with a value for its option, "maggi:svd": what it runs with, over `def`.
// TR_E_ARGUMENT for names and values that are none.
trStatus tr_compare_variant(trArena *arena, const char *label, const trMethod **method,
                            trSimDef *def);

#define TR_COMPARE_TRACE_POINTS 400  // intervals of a run in which the largest value is kept

// A step for integrators that need one: a thousandth of the duration and at most 1 ms, rounded down
// to 1, 2 or 5 times a power of ten [s].
double tr_compare_step(double duration);

// Numbers of a motion at one time, and how far two such are apart.
int          tr_compare_width(const trSystem *system);
trCompareGap tr_compare_gap(const trSystem *system, const double *sample, const double *reference);

// The largest time index up to which doubt (running maxima) is at most a tenth of the error shown,
// that is of the running maximum of miss; -1: none. Parts a thousand times smaller than the largest
// do not count.
int tr_compare_trusted(int count, const trCompareGap *miss, const trCompareGap *doubt);

// Error and trust of a row whose misses are known, and what all rows are ranked by.
void tr_compare_judge(const trCompare *c, trCompareRow *row);
void tr_compare_rank(trCompare *c);

bool tr_compare_stopped(const trCompareOptions *options);
// Progress: `part` of a run on top of those that are done.
void tr_compare_tell(const trCompare *c, const trCompareOptions *options, double part,
                     const char *what);

#endif
