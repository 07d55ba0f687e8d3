// SPDX-License-Identifier: MIT
// A glued simulation, and the contract of a gluing algorithm.

#ifndef TR_GLUE_GLUE_H
#define TR_GLUE_GLUE_H

#include "base/registry.h"
#include "glue/interface.h"
#include "glue/schemes.h"
#include "trammel/glue.h"
#include "trammel/record.h"

// Residuals of (28) of paper 002: the largest of each.
typedef enum trResidual {
    TR_DYNAMIC,       // of the modules' equations, relative
    TR_ACCELERATION,  // of the joints, against the largest acceleration of a port
    TR_VELOCITY,
    TR_POSITION,
    TR_RESIDUALS
} trResidual;

typedef struct trGluingKind {
    const char *name;
    const char *title;    // as people say it
    const char *summary;  //
    const char *source;
    const char *options[TR_GLUE_OPTION_COUNT];  // members of trGlueDef that not all kinds read
    unsigned    takes;                          // TR_TAKES_... that every module must have
    bool        no_joints;  // couples through forces between ports alone, as it should be used
    bool        windows;    // sweeps def.window steps together
    // Memory of its own, or NULL.
    trStatus (*plan)(trArena *arena, trGlue *glue);
    // From step n to n + 1: leaves the modules at the end of the step, not yet accepted.
    // TR_NO_CONVERGENCE names what does not converge.
    trStatus (*advance)(trGlue *glue, const trGlueStep *step);
} trGluingKind;

// Finds the start of all kinds, too: h = 0 has no steps that could be weak.
extern const trGluingKind tr_gluing_gauss;

TR_REGISTRY(gluing, trGluingKind);

// Rows of a run. Counters are saved with the glue.
typedef struct trGlueRows {
    bool      **chosen;    // modules: which outputs are recorded
    int         outputs;   // how many
    int         columns;   //
    trColumn   *column;    // columns
    double     *row;       // columns: the last state
    int64_t     every;     // steps from row to row
    int64_t     recorded;  // steps up to the last row, and one; 0: there is none
    int64_t     count;     // of rows
    uint64_t    mark;      // of their numbers
    trRecorder *recorder;  // NULL: none
} trGlueRows;

#define TR_GLUE_LEVELS 6  // of violations

struct trGlue {
    trArena            *arena;
    trGlueDef           def;
    const trGluingKind *kind;
    const trSchemeKind *scheme;
    void               *work;  // of the kind
    trCarrier          *carrier;
    trInterface         it;
    trExchange         *exchange;      // modules: answers go to the interface
    double             *w[TR_LEVELS];  // nw ports: what modules are given
    double             *load;          // nw ports: what they have on their ports
    double             *impulse[2];    // nw ports: positions, velocities, all in this step
    double             *lambda;        // m
    int64_t             n, last;       // steps taken; of the whole run
    double              t, h;          // [s]
    bool                accepting;     // the next message tells modules that the step is done
    int                 iterations;    // of the last step
    double (*history)[TR_RESIDUALS];   // max_iterations + 1
    trGlueStats stats;
    int         worst[TR_GLUE_LEVELS][3];  // rows of the worst violations, by quantity
    trGlueRows  rows;
};

// --- what algorithms are made of (iterate.c) ---

// The same calls to all modules, but for levels that a module does not take.
trStatus tr_glue_exchange(trGlue *glue, unsigned calls);
// Step n as the scheme has it and all modules can take it.
trGlueStep tr_glue_step_at(const trGlue *glue, int64_t n);
// Residuals at what the interface was evaluated at, as entry `k` of the history.
void tr_glue_measure(trGlue *glue, int k);
bool tr_glue_converged(const trGlue *glue, int k);
// After entry k: TR_NO_CONVERGENCE once there were too many, or residuals grow.
trStatus tr_glue_check_progress(const trGlue *glue, const trGlueStep *step, int k);
// Adds what to try where iterations do not converge: a shorter window, a smaller step.
trStatus tr_glue_hint(const trGlue *glue, trStatus status);
// After TR_NOT_FINITE in a weak coupling: TR_NO_CONVERGENCE if loads had grown beyond all bounds
// before; else a hint where a number of sweeps was given.
trStatus tr_glue_blame_divergence(const trGlue *glue, trStatus status);
// Loads f <- Q - G' lambda that change rows of accelerations by -`share` of `row`, and by how much
// they change, w (nw ports). Multipliers so far are kept, and their change is solved for,
//
//     S dlambda = share row + G W (Q - G' lambda - f)
//
// because W makes large accelerations of moments on bodies with little inertia about an axis. In
// G W f those would have to cancel, and would leave their rounding in lambda; changes are small.
void tr_glue_solve_loads(trGlue *glue, const double *row, double share, double *w);
// The correction of positions, velocities or accelerations at how the ports move now, into w of
// that level; G and S stay those of the iteration's beginning.
trStatus tr_glue_correct(trGlue *glue, const trGlueStep *step, trLevel level);

// Positions, then velocities, then accelerations put on the joints, with G and S of the iteration's
// beginning; `calls` go with the last message (iterate.c).
trStatus tr_glue_close_joints(trGlue *glue, const trGlueStep *step, unsigned calls);
// Closes them to rounding once an iteration has converged, which keeps the next step from beginning
// with a fault, and evaluates the interface there.
trStatus tr_glue_finish(trGlue *glue, const trGlueStep *step);

// A level of violations of the stats, in the order of `worst` (state.c).
trViolation *tr_glue_violation(trGlueStats *stats, int level);
// Notes how far joints are open before the modules are put together (state.c).
void tr_glue_watch_start(trGlue *glue);
// Notes violations at the end of a step.
void tr_glue_watch(trGlue *glue);

// Asks modules what they say of themselves: exchange[i].about (state.c).
trStatus tr_glue_ask_about(trGlue *glue);

// --- joints that nobody closes (state.c) ---

// The row that is open most where no module takes positions, or -1: none by more than rounding.
int tr_glue_open_row(const trGlue *glue);
// At the start. TR_E_MODEL names a joint that is open, or opens, where none of its ports moves at
// all: no load would ever close it.
trStatus tr_glue_check_start(const trGlue *glue);

// TR_E_ARGUMENT if a run would take more than max_steps: steps are equal, so that it is known
// before the first (run.c).
trStatus tr_glue_check_steps(const trGlue *glue);

// Declares what is carried from step to step, besides arrays of numbers (keep.c).
void tr_glue_keep(trGlue *glue);

// --- rows (record.c) ---

trStatus tr_glue_rows_begin(trGlue *glue);  // names the columns
// The state at the end of a step as a row. `ask`: modules are asked for their outputs, too; else
// these are not known.
trStatus tr_glue_rows_fill(trGlue *glue, bool ask);

#endif
