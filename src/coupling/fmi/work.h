// SPDX-License-Identifier: MIT
// An FMU at work as a module. Files: open.c makes it, advance.c takes steps, compliance.c finds W,
// events.c what Model Exchange asks for at the ends of steps, keep.c saves, module.c is the
// contract of trammel/module.h.

#ifndef TR_FMI_WORK_H
#define TR_FMI_WORK_H

#include "fmi/instance.h"
#include "trammel/module.h"

typedef struct trFmuWork {
    trArena      *arena;
    trFmuDef      def;
    trFmuInfo     info;
    trFmuInstance instance;
    trFmuList     notes;
    int           dim, ports;
    int           nx_port, nw;  // numbers of all positions; of all velocities and loads

    int       nu;     // inputs that are loads
    unsigned *u_ref;  // nu
    int      *u_of;   // nu: which load of nw
    double   *u;      // nu

    int          nr;  // variables that are read, by one call
    unsigned    *r_ref;
    int         *r_of;            // nr: variable, for its name
    double      *r;               // nr
    int         *x_at;            // nx_port: place in r; -1: constant
    int         *v_at, *a_at;     // nw; -1: constant, or by differences
    int          outputs, *o_at;  // place in r
    const char **output_name, **output_unit;
    const char **port_name;  // ports

    double *f, *f_begin,
        *f_used;              // nw: loads now, at the beginning of the step, and of the last one
    double *x;                // nx_port
    double *v, *a, *v_begin;  // nw
    double *kept;             // nx_port + 3 nw + nr: of compliance
    double *W, *W_fixed;      // nw x nw: the last one; the only one of explicit steps
    double *delta;            // nw: differences of loads [N, N m]; 0: not known yet

    double *s, *s_begin, *s_try, *k;  // nx; k 4 nx: stages
    double *z, *z_begin;              // nz
    double  next;                     // then [s]

    int    *x_state, *v_state;    // nw: then which ones; -1: does not move
    double *x_change, *v_change;  // nw: corrections at the end of this step

    trGlueStep step;
    double     t;             // of the last accepted step [s]
    bool       differs;       // some accelerations are differences of velocities
    bool       timed;         // Model Exchange has an event to come
    bool       corrects;      // states of ports take corrections
    bool       accepted;      // nothing was tried since
    bool       dirty;         // loads have changed since the step was taken
    bool       away;          // the FMU stands elsewhere than what was read says
    bool       initializing;  // Co-Simulation before its first step
    bool       once;          // explicit: steps are not repeated
    bool       over_step;     // W is found over the step
    bool       derives;       // directional derivatives are used
    bool       has_W;
    void      *begin;        // state of the FMU at the beginning of the step
    bool       begin_old;    // it is that of an earlier step
    size_t     blob;         // bytes for a serialized state; 0: none
    char       about[1024];  // all notes
} trFmuWork;

// --- advance.c ---

trStatus tr_fmu_leave_initialization(trFmuWork *w);
// Loads that the FMU is given: f_begin + (f - f_begin) part.
trStatus tr_fmu_set_loads(trFmuWork *w, double part);
trStatus tr_fmu_renew_begin(trFmuWork *w);
// From the beginning of the step to its end with the loads f; then x, v, a and r are those there.
trStatus tr_fmu_advance(trFmuWork *w);
// The same where something has changed since.
trStatus tr_fmu_settle(trFmuWork *w);
// Reads x, v, a and r where the FMU stands, under the loads f.
trStatus tr_fmu_read_motion(trFmuWork *w);

// At the start, what was corrected is where steps begin.
trStatus tr_fmu_keep_corrections(trFmuWork *w);

// --- events.c ---

// Event iteration, from event mode to continuous-time mode; states are read again.
trStatus tr_fmu_iterate_events(trFmuWork *w);
// The end of a step of Model Exchange.
trStatus tr_fmu_complete_step(trFmuWork *w);

// --- compliance.c ---

int tr_fmu_compliance(void *work, double *W);  // of trModule
// With the state held; false: there is no way.
bool     tr_fmu_can_hold(const trFmuWork *w);
trStatus tr_fmu_compliance_held(trFmuWork *w, double *W);
// After a change of loads by `change`: accelerations were `before`.
void tr_fmu_judge_compliance(trFmuWork *w, const double *change, const double *before);

// --- keep.c ---

trStatus tr_fmu_plan_keeping(trFmuWork *w);
// Functions of trModule.
size_t tr_fmu_kept_size(void *work);
int    tr_fmu_save(void *work, void *bytes);
int    tr_fmu_restore(void *work, const void *bytes);

// --- layout.c ---

// Which variables are read and written, and where their values go.
trStatus tr_fmu_lay_out(trFmuWork *w);

// --- module.c ---

void tr_fmu_fill_module(trFmuWork *w, trModule *out);
void tr_fmu_close(void *work);

#endif
