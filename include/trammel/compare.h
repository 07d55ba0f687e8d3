// SPDX-License-Identifier: MIT
/// @file compare.h Compare methods on one model: violations, energy drift, errors against a
/// reference that is computed at two tolerances, and cost.
///
///     trCompare       *compare = NULL;
///     trCompareOptions options = tr_compare_options_default();
///     trSimDef         base = tr_sim_def_default();
///     if (tr_compare_create(system, &base, &options, &compare) == TR_OK) {
///         printf("%s\n", compare->sentence);
///     }
///     tr_compare_destroy(compare);

#ifndef TRAMMEL_COMPARE_H
#define TRAMMEL_COMPARE_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from tr_compare_options_default().
typedef struct trCompareOptions {
    size_t              struct_size;   ///< set by tr_compare_options_default()
    const char *const  *methods;       ///< "direct", "maggi:svd", "cvode"; NULL: all
    int                 method_count;  ///< methods
    int                 repeat;        ///< number of runs, of which the fastest counts; 0: chosen
    bool                force;         ///< dense methods at any size, without limits on evaluations
    bool                traces;        ///< keep the data for charts
    bool                step_given;  ///< the step is a fixed one, not the first of an adaptive one
    bool                integrator_given;  ///< else one that supports no methods is replaced
    trNumbers           sweep_steps;       ///< of the work-precision table; empty: none
    int                 sweep_halvings;    ///< or the number of halvings of the step
    const volatile int *stop;              ///< ends everything once it is not 0; may be NULL
    void (*progress)(void *context, double done, const char *what);  ///< 0 to 1; may be NULL
    void *context;
} trCompareOptions;

TR_API trCompareOptions tr_compare_options_default(void);

#define TR_COMPARE_DENSE_LIMIT 300      ///< velocities + rows above which dense methods are skipped
#define TR_COMPARE_BASELINE "lagrange"  ///< whose time is 1
#define TR_COMPARE_TEXT 512             ///< bytes of a reason
#define TR_COMPARE_LEVELS 3             ///< position, velocity, acceleration

typedef enum trCompareState {
    TR_COMPARE_WAITING,  ///< not begun: the comparison was interrupted
    TR_COMPARE_SKIPPED,  ///< too large for a dense method
    TR_COMPARE_REFUSED,  ///< by tr_sim_create
    TR_COMPARE_FAILED,   ///< on the way
    TR_COMPARE_DONE
} trCompareState;

/// How far two motions are apart. Parts that a system does not have are zero.
typedef struct trCompareGap {
    double length;   ///< of origins of bodies [m]
    double angle;    ///< between orientations of bodies [rad]
    double general;  ///< |dq| / (1 + |q|) of custom coordinates
} trCompareGap;

TR_API double tr_compare_gap_size(trCompareGap gap);  ///< the largest of the three

typedef struct trCompareLevel {
    double worst, mean;  ///< sqrt of the sum of squares over rows; NAN: not known
} trCompareLevel;

/// Course of a run: the largest value in each interval that has the end of a step.
typedef struct trCompareTrace {
    int     count;
    double *time;      ///< count: of the last step in the interval [s]
    double *position;  ///< sqrt of the sum of squares over rows
    double *velocity;
    double *energy;           ///< |T + V - W less that of the start| [energy_unit]
    double  start, duration;  ///< of the run [s]
} trCompareTrace;

/// One method with one setting.
typedef struct trCompareRow {
    const char    *name;      ///< of the method or integrator: "maggi"
    const char    *label;     ///< as requested: "maggi:svd"
    trSimDef       def;       ///< as run
    bool           fixed;     ///< the integrator has a fixed step
    bool           sweep;     ///< of the work-precision table
    bool           shown;     ///< false: run for the time baseline only
    bool           free;      ///< there are no constraints to hold
    bool           projects;  ///< the method itself projects states
    trCompareState state;
    char           reason[TR_COMPARE_TEXT];  ///< why not done
    double         reached;                  ///< time of the last state [s]

    trCompareLevel level[TR_COMPARE_LEVELS];
    double         energy_end, energy_worst;  ///< T + V - W less that of the start [energy_unit]
    int64_t        steps, rejected, forced, evaluations, factorizations;
    int64_t        newton_iterations, formulation_iterations;

    bool          measured;       ///< an error is known
    bool          bound;          ///< it is a bound: the method is as good as the reference
    trCompareGap  error;          ///< largest up to trusted_until
    double        trusted_until;  ///< [s]
    bool          ranks;          ///< it has an error up to ranked_until
    bool          ranked_bound;   ///< which is a bound
    trCompareGap  ranked;         ///< that error, largest part by part
    trCompareGap *miss;           ///< at every output time, or NULL
    int           misses;         ///< entries of `miss`

    trCompareTrace trace;  ///< empty unless requested

    double seconds;  ///< CPU time, best of all repeats; NAN: none
    double ratio;    ///< to lagrange; NAN: not known

    int rank;     ///< by merit among the rows shown that are not of the sweep, from 1; 0: none
    int same_as;  ///< a row of better rank with the same figures except time, or -1
} trCompareRow;

/// The motion at the output times, by bodies: x, y, angle; x, y, z, e0, e1, e2, e3; or coordinates.
typedef struct trCompareTrack {
    int     count;   ///< output times that were reached
    double *sample;  ///< count x width, row after row
    int64_t evaluations;
} trCompareTrack;

typedef struct trCompareReference {
    const char    *integrator;
    const char    *method;        ///< NULL: an integrator that supports none
    bool           stiff;         ///< the model is stiff: dop853 was given up
    double         tolerance[2];  ///< the coarse and the fine one
    trCompareTrack track[2];
    int            count;  ///< output times that both reached
    trCompareGap  *doubt;  ///< count: largest difference of the two up to each time
    trStatus       status;
    char           reason[TR_COMPARE_TEXT];  ///< why it ends early, or ""
} trCompareReference;

/// Result of a comparison; owns its strings.
typedef struct trCompare {
    const trSystem    *system;
    trSimDef           base;         ///< what all methods share
    bool               step_known;   ///< base.step is a fixed one
    bool               step_chosen;  ///< fixed steps were not given
    const char        *replaced;     ///< the model's integrator, which supports no methods; or NULL
    int                times;
    double            *time;   ///< times: when motions are compared [s]
    int                width;  ///< numbers of a motion at one time
    trCompareReference reference;
    int                rows;
    trCompareRow      *row;           ///< rows; those of the sweep last
    double             ranked_until;  ///< errors are ranked up to this time [s]
    const char        *time_unit;     ///< the method whose time is 1; NULL: none finished
    const char        *energy_unit;   ///< "J", or "" where it is not known
    int                turns;         ///< runs of each method for its time
    int                recommended;   ///< a row, or -1
    int               *order;         ///< rows by rank, `ranked` of them
    int                ranked;
    const char        *row_unit;  ///< of positions of all rows: "m", "m or rad", "": not known
    char               sentence[TR_COMPARE_TEXT];  ///< the recommendation
    bool               interrupted;
    double             patience;             ///< evaluations at which a run is stopped
    double             work_done, work_all;  ///< in runs, for the progress
    void              *memory;               ///< owns the rest
} trCompare;

/// Runs the system with all methods; `base` is what they share. Methods that do not support it
/// are rows with a reason, not failures. TR_E_ARGUMENT, with a suggestion, for an unknown method.
/// The system and strings of the options must outlive the result.
TR_API trStatus tr_compare_create(const trSystem *system, const trSimDef *base,
                                  const trCompareOptions *options, trCompare **out) TR_MUST_CHECK;
TR_API void     tr_compare_destroy(trCompare *compare);  ///< NULL is allowed

#ifdef __cplusplus
}
#endif

#endif
