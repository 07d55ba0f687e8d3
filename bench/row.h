// SPDX-License-Identifier: MIT
// What every benchmark program shares: the two models as lists of rods, the command line, the
// comparison with a reference, and the line of JSON that it prints.
//
// A program runs one model for one simulated second with one setting:
//
//     program <chain|fourbar> <N> <setting> <reference or -> <budget>
//
// A setting of 1 or more is a number of equal steps, a smaller one the tolerance of a method that
// chooses its steps. The run is repeated while it is short, and ends early when it has used
// `budget` seconds.

#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include <stdbool.h>

#define BENCH_DURATION 1.0  // [s]
#define BENCH_GRAVITY 9.81  // [m/s^2]
#define BENCH_PI 3.14159265358979323846

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchTask {
    bool        fourbar;  // else the chain
    int         N;
    double      setting;
    const char *reference;  // a file of points, or NULL
    double      budget;     // [s]
} BenchTask;

// Where a rod (1 m, 1 kg) starts at t = 0, and in which direction it points.
typedef struct BenchRod {
    double x, y;   // [m]
    double angle;  // from the x axis [rad]
    double omega;  // [rad/s]
} BenchRod;

// Both ends of a rod.
typedef struct BenchEnds {
    double x1, y1, x2, y2;  // [m]
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

// Chain: rods 0 .. N-1 in a row. Four-bar: cranks 0 .. N, then couplers 0 .. N-1, of which
// coupler i goes from the tip of crank i to the tip of crank i + 1.
int      bench_rods(const BenchTask *task);
BenchRod bench_rod(const BenchTask *task, int rod);

double bench_cpu(void);  // CPU time of this process [s]

// Starts a budget of time anew; what is returned becomes 1 once it is used up. A timer costs a run
// nothing, where a look at the clock after every step would be seen in the fastest ones. It counts
// elapsed time: a timer of CPU time can make the clock of CPU time as coarse as the system's tick.
const volatile int *bench_budget(double seconds);

// Worst distance of a rod end from the reference, NAN if there is none. The file has one rod per
// line, `x1 y1 x2 y2`; the program ends if it cannot be read.
double bench_error(const BenchTask *task, const BenchEnds *ends);

// Keeps the cheaper of two runs; true while repeating is worth the time: short runs are repeated
// until they have used 0.3 s together, at least three times.
bool bench_again(BenchRun *best, const BenchRun *run, int repeats, double spent);

void bench_print(const char *code, const char *method, const BenchTask *task, const BenchRun *run);

#ifdef __cplusplus
}
#endif

#endif
