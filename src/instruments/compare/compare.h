// SPDX-License-Identifier: MIT
// One model under many methods: what each violates, drifts, misses and costs, against a reference
// that is computed at two tolerances. Prints nothing; the command `trammel compare` does.
//
//     plan.c       which methods and settings, at which times they are looked at
//     variant.c    a method with an option of its own, "maggi:svd"; integrators that stand beside
//                  methods
//     reference.c  the motion they are measured against, and how far it can be trusted
//     measure.c    the runs: counters, violations, energy, time
//     trace.c      violations and energy on the way, for charts
//     recommend.c  which one to take, and why
//     merit.c      the order of rows by merit, and which have the same figures

#ifndef TR_COMPARE_COMPARE_H
#define TR_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sim/def.h"
#include "trammel/sim.h"

#define TR_COMPARE_DENSE_LIMIT 300  // velocities + rows above which dense formulations are unwise
#define TR_COMPARE_PATIENCE 10.0  // evaluations, in those of the reference, until a run is given up
#define TR_COMPARE_BASELINE "lagrange"  // whose time is 1
#define TR_COMPARE_TEXT 512             // of a reason
#define TR_COMPARE_LEVELS 3             // position, velocity, acceleration
#define TR_COMPARE_TRACE_POINTS 400     // intervals of a run in which the largest value is kept

typedef enum trCompareState {
    TR_COMPARE_WAITING,  // not begun: the comparison was interrupted
    TR_COMPARE_SKIPPED,  // too large for a dense method
    TR_COMPARE_REFUSED,  // by tr_sim_create
    TR_COMPARE_FAILED,   // on the way
    TR_COMPARE_DONE,
} trCompareState;

// How far two motions are apart. What a system does not have stays zero.
typedef struct trGap {
    double length;   // of origins of bodies [m]
    double angle;    // between orientations of bodies [rad]
    double general;  // |dq| / (1 + |q|) of coordinates of the user's own
} trGap;

typedef struct trCompareLevel {
    double worst, mean;  // sqrt of the sum of squares over rows; NAN: not known
} trCompareLevel;

// What happens on the way: the largest value in each interval that has the end of a step.
typedef struct trCompareTrace {
    int     count;
    double *time;      // count: of the last step in the interval [s]
    double *position;  // sqrt of the sum of squares over rows
    double *velocity;
    double *energy;           // |T + V - W less that of the start| [energy_unit]
    double  start, duration;  // of the run [s]
} trCompareTrace;

// One method with one setting.
typedef struct trCompareRow {
    const trMethod *method;
    const char     *label;  // as it was asked for: "maggi", "maggi:svd"
    trSimDef        def;    // as it was run
    bool            fixed;  // the integrator has a fixed step
    bool            sweep;  // of the work-precision table
    bool            shown;  // false: run as the measure of time only
    bool            free;   // there are no constraints to hold
    trCompareState  state;
    char            reason[TR_COMPARE_TEXT];  // why not done
    double          reached;                  // time of the last state [s]

    trCompareLevel level[TR_COMPARE_LEVELS];
    double         energy_end, energy_worst;  // T + V - W less that of the start [energy_unit]
    int64_t        steps, rejected, forced, evaluations, factorizations;
    int64_t        newton_iterations, formulation_iterations;

    bool   measured;       // an error is known
    bool   bound;          // it is a bound: the method is as good as the reference
    trGap  error;          // largest up to trusted_until
    double trusted_until;  // [s]
    bool   ranks;          // it has an error up to ranked_until
    bool   ranked_bound;   // which is a bound
    trGap  ranked;         // that error, largest part by part
    trGap *miss;           // at every output time, or NULL; `misses` of them
    int    misses;

    trCompareTrace trace;  // empty if it was not asked for

    double seconds;  // of the processor, best of all repeats; NAN: none
    double ratio;    // to lagrange; NAN: not known

    int rank;     // by merit among the rows shown that are not of the sweep, from 1; 0: none
    int same_as;  // a row of better rank with the same figures but for time, or -1
} trCompareRow;

// The motion at the output times, by bodies: x, y, angle; x, y, z, e0, e1, e2, e3; or coordinates.
typedef struct trCompareTrack {
    int     count;   // output times that were reached
    double *sample;  // count x width, row after row
    int64_t evaluations;
} trCompareTrack;

typedef struct trReference {
    const char    *integrator;
    const char    *method;        // NULL: an integrator that takes none
    bool           stiff;         // where dop853 was given up for
    double         tolerance[2];  // the coarse and the fine one
    trCompareTrack track[2];
    int            count;  // output times that both reached
    trGap         *doubt;  // count: largest difference of the two up to each time
    trStatus       status;
    char           reason[TR_COMPARE_TEXT];  // why it ends early, or ""
} trReference;

typedef struct trCompareOptions {
    const char *const  *methods;  // "direct", "maggi:svd"; NULL: all
    int                 method_count;
    int                 repeat;      // runs of which the fastest counts; 0: as many as it takes
    bool                force;       // dense methods at any size, and all to their end
    bool                traces;      // keep what charts need
    bool                step_given;  // base.step is a fixed step, not the first of an adaptive one
    bool                integrator_given;  // else one that takes no methods is replaced
    trNumbers           sweep_steps;       // of the work-precision table; empty: none
    int                 sweep_halvings;
    const volatile int *stop;  // ends everything once it is not 0; may be NULL
    void (*progress)(void *context, double done, const char *what);  // 0 to 1; may be NULL
    void *context;
} trCompareOptions;

typedef struct trCompare {
    trArena        *arena;
    const trSystem *system;
    trSimDef        base;         // what all methods share
    bool            step_known;   // base.step is a fixed one
    bool            step_chosen;  // fixed steps were not given
    const char     *replaced;     // the model's integrator, which takes no methods; or NULL
    int             times;
    double         *time;   // times: when motions are looked at [s]
    int             width;  // numbers of a motion at one time
    trReference     reference;
    int             rows;
    trCompareRow   *row;           // rows; those of the sweep last
    double          ranked_until;  // errors are ranked by what they are up to this time [s]
    const char     *time_unit;     // the method whose time is 1; NULL: none came to the end
    const char     *energy_unit;   // "J", or "" where it is not known
    int             turns;         // how often each method was run for its time
    int             recommended;   // a row, or -1
    int            *order;         // rows by rank, `ranked` of them
    int             ranked;
    const char     *row_unit;  // of positions of all rows: "m", "m or rad", "": not known
    char            sentence[TR_COMPARE_TEXT];
    bool            interrupted;
    double          patience;             // evaluations after which a run is given up
    double          work_done, work_all;  // in runs, for the progress
} trCompare;

// Runs everything. Methods that cannot are rows with a reason, not failures. TR_E_ARGUMENT, with a
// suggestion, for a name that is not a method's. Destroy what was made in any case.
trStatus tr_compare_run(const trSystem *system, const trSimDef *base,
                        const trCompareOptions *options, trCompare **out);
void     tr_compare_destroy(trCompare *compare);  // NULL is allowed

// --- the parts (see above) ---

trStatus tr_compare_plan(trCompare *c, const trSimDef *base, const trCompareOptions *options);
trStatus tr_compare_reference(trCompare *c, const trCompareOptions *options);
trStatus tr_compare_measure(trCompare *c, const trCompareOptions *options);
// Chooses among the rows that are not of the sweep; fills `recommended` and `sentence`.
void tr_compare_recommend(trCompare *c);

// Rank and same_as of the rows, after the recommendation; `order` has room for all rows.
void tr_compare_sort(trCompare *c);
// The circles of the recommendation, 0 the best, and error times the square of time: what merit is.
int    tr_compare_circle(const trCompareRow *row);
double tr_compare_price(const trCompareRow *row);

// Integrators for stiff models that are compared as if they were methods, with the defaults where
// they take any; NULL after the last that is built in.
const trMethod *tr_compare_integrator(int index);

// A method by its name, or with a value for its option, "maggi:svd": what it runs with, over `def`.
// TR_E_ARGUMENT for names and values that are none.
trStatus tr_compare_variant(trArena *arena, const char *label, const trMethod **method,
                            trSimDef *def);
// The setting that a value after the colon gives, or NULL.

// Room for a trace, and what a step adds.
trStatus tr_compare_trace_plan(trArena *arena, const trSimDef *def, trCompareTrace *trace);
void     tr_compare_trace_step(trCompareTrace *trace, trSim *sim);

// A step for integrators that need one: a thousandth of the duration and at most 1 ms, rounded down
// to 1, 2 or 5 times a power of ten [s].
double tr_compare_step(double duration);

// Numbers of a motion at one time, and how far two such are apart.
int    tr_compare_width(const trSystem *system);
trGap  tr_compare_gap(const trSystem *system, const double *sample, const double *reference);
trGap  tr_gap_larger(trGap a, trGap b);  // part by part
double tr_gap_size(trGap gap);           // the largest part

// The largest time index up to which doubt (running maxima) is at most a tenth of the error shown,
// that is of the running maximum of miss; -1: none. Parts a thousand times smaller than the largest
// do not count.
int tr_compare_trusted(int count, const trGap *miss, const trGap *doubt);

// Error and trust of a row whose misses are known, and what all rows are ranked by.
void tr_compare_judge(const trCompare *c, trCompareRow *row);
void tr_compare_rank(trCompare *c);

bool tr_compare_stopped(const trCompareOptions *options);
// Progress: `part` of a run on top of those that are done.
void tr_compare_tell(const trCompare *c, const trCompareOptions *options, double part,
                     const char *what);

#endif
