// SPDX-License-Identifier: MIT
// What every benchmark program shares: the models as lists of rods, the command line, the
// comparison with a reference, and the line of JSON that it prints.
//
// A program runs one model for its simulated time with one setting:
//
//     program <chain|fourbar|chain3|bricard> <N> <setting> <reference or -> <budget>
//
// N is the size of the model; Bricard's loop has only one, and is simulated for N seconds, the
// others for one. A setting of 1 or more is a number of equal steps in a second, a smaller one the
// tolerance of a method that chooses its steps. The run is repeated while it is short, and ends
// early when it has used `budget` seconds.

#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stdbool.h>

#define BENCH_GRAVITY 9.81  // [m/s^2]

#ifdef __cplusplus
extern "C" {
#endif

typedef enum BenchModel {
    BENCH_CHAIN,    // planar
    BENCH_FOURBAR,  // planar
    BENCH_CHAIN3,
    BENCH_BRICARD,
} BenchModel;

typedef struct BenchTask {
    BenchModel  model;
    int         N;
    double      setting;
    const char *reference;  // a file of points, or NULL
    double      budget;     // [s]
} BenchTask;

typedef struct BenchVec {
    double x, y, z;
} BenchVec;

enum { BENCH_GROUND = -1, BENCH_NONE = -2 };  // where a rod is expected

// A rod (1 m, 1 kg) at t = 0. A hinge at its start carries it, so that all rods make a tree; some
// are hinged at their end as well, which closes a loop.
typedef struct BenchRod {
    BenchVec at;        // its start [m]
    BenchVec along;     // from its start to its end, along one of the axes of the world [m]
    BenchVec inertia;   // about its center, in axes of the world [kg m^2]
    BenchVec velocity;  // of its start [m/s]
    double   omega;     // about `axis` [rad/s]
    BenchVec axis;      // of the hinge at its start
    int      parent;    // the rod whose end carries it, or BENCH_GROUND
    int      child;     // the rod that its end carries, or BENCH_NONE
    int      closes;    // the rod whose end is hinged to its end, BENCH_GROUND or BENCH_NONE
    BenchVec closing_axis;
} BenchRod;

// Both ends of a rod.
typedef struct BenchEnds {
    BenchVec start, end;  // [m]
} BenchEnds;

typedef enum BenchOutcome {
    BENCH_DONE,
    BENCH_CUT,     // the budget was used up before the last time
    BENCH_FAILED,  // the code gave up
} BenchOutcome;

// What one run of a task did.
typedef struct BenchRun {
    long         steps, evaluations;
    double       cpu_seconds;
    BenchOutcome outcome;
    double       error;  // worst distance of a rod end from the reference [m]; NAN if unknown
} BenchRun;

// Reads the command line; false, with a message on stderr, if it is not as said above.
bool bench_parse(int argc, char **argv, BenchTask *out);

// Chains: rods 0 .. N-1 in a row. Four-bar: cranks 0 .. N, then couplers 0 .. N-1, of which
// coupler i goes from the tip of crank i to the tip of crank i + 1. Bricard: rods 0 .. 4 around the
// loop.
int      bench_rods(const BenchTask *task);
BenchRod bench_rod(const BenchTask *task, int rod);
bool     bench_planar(const BenchTask *task);
BenchVec bench_gravity(const BenchTask *task);   // [m/s^2]
double   bench_duration(const BenchTask *task);  // [s]

double bench_cpu(void);  // CPU time of this process [s]

// Starts a budget of time anew; what is returned becomes 1 once it is used up. A timer costs a run
// nothing, where a look at the clock after every step would be seen in the fastest ones. It counts
// elapsed time: a timer of CPU time can make the clock of CPU time as coarse as the system's tick.
const volatile int *bench_budget(double seconds);

// Worst distance of a rod end from the reference, NAN if there is none. The file has one rod per
// line, `x1 y1 z1 x2 y2 z2`; the program ends if it cannot be read.
double bench_error(const BenchTask *task, const BenchEnds *ends);

// Keeps the cheaper of two runs; true while repeating is worth the time: short runs are repeated
// until they have used 0.3 s together, at least three times.
bool bench_again(BenchRun *best, const BenchRun *run, int repeats, double spent);

void bench_print(const char *code, const char *method, const BenchTask *task, const BenchRun *run);

#ifdef __cplusplus
}
#endif

#endif
