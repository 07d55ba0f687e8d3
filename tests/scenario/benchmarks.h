// SPDX-License-Identifier: MIT
// The benchmarks: which model stands against which reference, in what quantities and how closely.

#ifndef TR_TESTS_SCENARIO_BENCHMARKS_H
#define TR_TESTS_SCENARIO_BENCHMARKS_H

#include <stdint.h>

#include "scenario/scenario.h"

#define COMPARED_ROOM 18

// Columns of the reference, and the same quantities derived from a row of a run.
typedef struct Comparison {
    const char *column[COMPARED_ROOM];  // ends with NULL
    void (*derive)(const Run *run, long row, double *out);
    double tolerance;  // on |difference| / (1 + |reference|)
} Comparison;

typedef struct Benchmark {
    const char *name;
    const char *model;      // in models/benchmark
    const char *set[2];     // parameters given to it, ends with NULL
    const char *reference;  // in tests/scenario/reference
    Comparison  motion;
    Comparison  rates;       // what is less accurate than the motion, or without columns
    Comparison  reactions;   // without columns where the reference gives none
    int         freedom;     // degrees of freedom at the start
    int         redundant;   // dependent rows at the start
    int64_t     most_steps;  // 0: no limit
    double      tolerance;   // rtol and atol; 0: 1e-10
    double      until;       // last time of the reference to compare with; 0: its end [s]
    double      drift;       // allowed of T + V - W; 0: as the motion's tolerance gives [J]
} Benchmark;

// All of them.
int              benchmark_count(void);
const Benchmark *benchmark_at(int index);

// Of these, the spatial ones.
int              spatial_benchmark_count(void);
const Benchmark *spatial_benchmark_at(int index);

// Those that are written as equations, without bodies.
int              equations_benchmark_count(void);
const Benchmark *equations_benchmark_at(int index);

#endif
