// SPDX-License-Identifier: MIT
// The parts of a simulation: what each file of this folder carries from step to step.

#ifndef TR_SIM_PARTS_H
#define TR_SIM_PARTS_H

#include "carry/carry.h"
#include "eval/solver.h"
#include "formulation/row_exchange.h"
#include "integrator/integrator.h"
#include "projection/projection.h"
#include "sim/column_list.h"
#include "sim/def.h"
#include "stabilization/stabilization.h"
#include "system/tangent.h"

#define TR_RANK_CHANGES_KEPT 64
#define TR_FORCED_KEPT 64
#define TR_WARNINGS_KEPT 4
#define TR_VIOLATION_LEVELS 3

// Which rows are to be recorded, and where they go.
typedef struct trOutput {
    trRecorder *recorder;             // NULL: nowhere
    int64_t     next;                 // index of the next output time
    int64_t     count;                // of output times
    double      first, sample, last;  // regular ones [s]
    double      latest;               // of rows handed over [s]
    trNumbers   times;                // or given ones
    bool        running;              // a run has begun, and neither ended nor failed
    int64_t     rows;                 // handed over
    uint64_t    mark;                 // of them (record/mark.h)
    double      cpu_begun;            // on the clock [s]
} trOutput;

// (1 - gamma J)^-1 for methods that own their step (owner.c).
typedef struct trOwned {
    trNewtonMatrix matrix;
    double         gamma;   // [s]
    double        *a;       // nv: accelerations where J is made
    double        *q;       // nq: positions where it is used
    trSwing        swing;   // of the mechanism since
    double        *p;       // nv: memory
    double        *w;       // nv + m + nz: memory
    int            dodges;  // in a row, of singular poses
} trOwned;

// What a run is warned of (watch.c).
typedef enum trAlarm {
    TR_ALARM_MOVED,     // a body, by the assembly
    TR_ALARM_GROWTH,    // of energy, exponential
    TR_ALARM_STIFF,     // equations
    TR_ALARM_COLLAPSE,  // of the step size
    TR_ALARM_SWINGING,  // of multipliers from step to step
    TR_ALARM_OPEN,      // joints or constraints, far more than rounding
    TR_ALARMS,
} trAlarm;

#define TR_GRAINS 12  // factors by which growth is followed (growth.c)

typedef struct trGrowth {
    double level;                  // the largest T so far [J], ...
    double time;                   // ... and when it was looked at last [s]
    double mark;                   // the last grain that it has passed [J]
    double passed[TR_GRAINS + 1];  // when it passed that and those before [s]
    int    count;                  // of these
    int    off;                    // of these in a row with T + V - W off, ...
    int    unbalanced;             // ... most of them when the alarm was given
} trGrowth;

typedef struct trWatch {
    int      column[TR_ALARMS];  // of v; nv: of none; -1: there is no such alarm
    double   time[TR_ALARMS];    // when it was found [s]
    double   value[TR_ALARMS];   // of the motion, or the step [s]
    char    *words[TR_ALARMS];   // memory
    double   size;               // of the model at the start [m]
    double   limited;            // steps that are limited by stability, in all
    int      stiff, other;       // steps that are limited by stability, and others in a row
    trGrowth growth;
    double   window_time;  // when the present window of steps began [s]
    double  *off, *push;   // nv: the method's a less that of its state; M times it
    int      swings;       // steps in a row in which it changed its sign
} trWatch;

// How the integrators of one face are driven. A state that is accepted, and the end of the last
// attempt (x_new, as integrated), are all that the rest of a simulation knows of them.
typedef struct trDriver {
    double same_step;      // steps that differ by less, relative, are one
    bool   staged;         // attempts have stages that may lie in a singular pose
    bool   repeats;        // an attempt can be made again from its start; else it has been already
    bool   divides_by_h2;  // the rounding of positions: no step may be tiny
    trStatus (*plan)(trSim *sim);
    trStatus (*restart)(trSim *sim);  // at the accepted state, without history; or NULL
    // From the accepted state to x_new, by h [s] or by what the method makes of it. The error is at
    // most 1 where tolerances are met.
    trStatus (*attempt)(trSim *sim, double *h, double *error);
    void (*accept)(trSim *sim);      // the end of the last attempt, at sim->t; or NULL
    trStatus (*settle)(trSim *sim);  // evaluates the accepted state and solves for accelerations
    void (*take_multipliers)(trSim *sim);  // others than before, in lambda; or NULL
    // x_row at t + theta h inside the last attempt, and with it a and lambda if they are its own.
    // The `first` time dense output is prepared.
    trStatus (*interpolate)(trSim *sim, double h, double theta, bool first);
    const double *(*acceleration)(const trSim *sim);  // of the accepted state, nv
    const double *(*slope)(const trSim *sim);         // likewise x', nx; NULL: none is at hand
} trDriver;

extern const trDriver tr_explicit_driver;  // (explicit.c)
extern const trDriver tr_implicit_driver;  // (implicit.c)
extern const trDriver tr_owner_driver;     // (owner.c)

// What was chosen (create.c, choose.c).
typedef struct trMethods {
    unsigned       traits;   // of all choices together
    const trParam *given;    // options, and the basis
    void          *options;  // of the formulation
    trKernel       kernel;   // of the accelerations
    trKernel       judge;    // robust, where the chosen formulation is not
    trManifold     manifold;
    trProjector    by_mass, by_identity, by_units;
    trProjector    by_judge;      // W = M by the robust kernel
    trProjector    picked[2];     // kinds that pick their steps, of stages and steps
    trProjector   *assembler;     // of the start: by_mass, or by_judge
    bool           closely;       // ends of steps are held to 1e-12 m: see attempt.c
    trProjector   *stage, *step;  // projections chosen, or NULL
    double        *mass;          // nv x nv: memory of a test of M, where it is dense

    const trStabilizationKind *stabilization;  // or NULL
    void                      *gains;          // options of the stabilization
    const trCarryKind         *carry;          // or NULL: velocities are integrated
    void                      *carry_work;
    double                    *x_carry;  // nx: the accepted state as it is integrated, (q, y, z, W)
    double                    *carry_at;  // nq + 2 nv: memory of its rate
} trMethods;

// The integrator and the sizes of its steps (step.c, control.c).
typedef struct trStepper {
    const trIntegratorKind *kind;
    void                   *options;  // of the integrator
    void                   *work;
    const trDriver         *driver;
    bool                    own_step;       // the integrator chooses its steps by itself
    bool                    own_reactions;  // its own accelerations and multipliers are results
    bool                    adaptive;    // errors are controlled; else steps are of the size given
    bool                    attempting;  // a step that can be repeated with another size
    double                  h;           // the next step [s]
    double                 *weight;      // nx: of errors
    double                  share;       // of the way to its goal that a step is integrated
    double                  beyond;      // the rest of that way [s], by dense output
    double                  found;   // the step that has been found and is not committed yet [s]
    double                  arrive;  // its end [s]
    int                     next_break;    // of the system's breaks
    int64_t                 restarted_at;  // steps before the integrator was started last
} trStepper;

// Angles that are counted from step to step (attempt.c, control.c).
typedef struct trTurning {
    double speed;    // at the accepted state [rad/s]
    int    fastest;  // which one
    double longest;  // the longest step in which they can be counted [s]
    bool   far;      // the last attempt turned them too far for that
} trTurning;

// Singular poses on the way (passing.c, rank.c, jumps.c).
typedef struct trPassing {
    int    lost_row;       // one that is nearly dependent where an evaluation failed, or -1
    double best_gap;       // largest of the smallest pivots at accepted states
    double distance;       // from a singular pose at the accepted state, relative
    double distance_time;  // of that state [s]
    double far_step;       // the last one that began elsewhere [s]
    int    dodges;         // of singular poses at its end, by this step
    double leap;           // by which the least step there has grown in this one
    bool   passing;        // the accepted state is near a singular pose
    bool   at_start;       // the start is in one, or so near that rows were chosen beside it
    bool   came_near;      // an evaluation of this attempt was near one
    bool   stage_lost;     // a stage near a pose is so far off the constraints that it is turned
    bool   holds_stages;   // those of a fixed step are put on them
    bool   drops_rows;     // stages of this step may be in a singular pose
} trPassing;

// Rows that depend on others (rank.c).
typedef struct trDependence {
    int           rank;
    bool         *dependent;  // m: rows found dependent at the last accepted state
    bool         *redundant;  // m: at the first one
    trQuantity   *quantity;   // m
    bool          others;     // some row is in neither m nor rad
    trRowExchange exchange;   // of rows that are kept
    bool          exchanged;  // at the last accepted state
} trDependence;

// The second face, of implicit integrators (second_face.c, implicit.c).
typedef struct trSecond {
    trDae      dae;
    trEval     ahead;              // the equations a little later
    trDaeState now, next;          // the accepted state, and the end of the last attempt
    double    *slope;              // 2 nq, rates of q at both ends of a step
    double     power, power_next;  // of what W is the integral of [W]
    bool       evaluated;          // the last residual could be evaluated
} trSecond;

// Memory of evaluations (faces.c).
typedef struct trScratch {
    double *x_stage;      // nx: a state projected inside the right-hand side
    double *x_row;        // nx: an output state
    double *a_stage;      // nv: of the last evaluation, where velocities are not integrated
    double *b;            // m: acceleration level, stabilized
    double *rate;         // m: A v - b1, then A a - b
    double *slide_right;  // m: what slide shall add to A v
    double *slide;        // nv: velocities with which positions move
} trScratch;

// What the run will be able to tell (stats.c, rank.c).
typedef struct trNotes {
    trSimStats    stats;
    double        since[2];  // largest squares of positions and velocities since they were taken
    const char   *warning[TR_WARNINGS_KEPT];  // what must be known about the results
    int           warnings;
    int           worst_row[TR_VIOLATION_LEVELS][TR_QUANTITIES];  // of the worst violations, or -1
    int           change_row[TR_RANK_CHANGES_KEPT];  // of rank_change: a row of its joint, or -1
    trRankChange *rank_change;                       // TR_RANK_CHANGES_KEPT
    double       *forced_time;                       // TR_FORCED_KEPT
} trNotes;

// States inside the last step, as integrated (follow.c).
typedef struct trFollowed {
    trArena *arena;       // NULL: steps are not kept
    double   start, end;  // of the step [s]
    double  *x;           // at its points
} trFollowed;

// An attempt, and what it came to.
typedef struct trTrial {
    double h;       // its size [s]
    double most;    // which was asked for [s]
    double error;   // at most 1 where tolerances are met
    bool   last;    // it ends at the goal
    bool   forced;  // no smaller step may be taken
} trTrial;

// Where a step should end: integrate up to `reach`, then call it `arrive`.
typedef struct trGoal {
    double reach, arrive;  // [s]
} trGoal;

#endif
