// SPDX-License-Identifier: MIT
// A model as a module (trammel/module.h). With a and the multipliers lambda of its own joints,
//
//     r = M a + A' lambda - Q - J' f        f: loads on its ports
//
//     [ K  A' ] [ da ]   [     -r     ]
//     [ A  0  ] [ dl ] = [ -(A a - b) ]        K = M + c_v D + c_q K_q
//
// K has no part of the multipliers, so that it is that of the bodies alone, wherever a mechanism is
// cut. It is made where a step was predicted and stays for the step; A is that of the iteration's
// beginning. The same factors carry corrections of positions, with -phi below, and velocities, with
// -(A v - b1): joints of the module's own close in the solve that closes those of its ports.

#ifndef TR_GLUE_MODEL_MODULE_H
#define TR_GLUE_MODEL_MODULE_H

#include "projection/projection.h"
#include "system/tangent_parts.h"
#include "trammel/glue.h"

typedef struct trModelModule {
    trArena        *arena;  // keeps: its numbers are saved and restored
    const trSystem *system;
    trSystem       *own_system;  // destroyed with the module, as its model; or NULL
    trModel        *own_model;
    trEval          eval;
    trTangent       tangent;
    trNewtonMatrix  matrix;
    trKernel        kernel;     // judges which rows are redundant
    trProjector     by_units;   // does where M alone is singular
    trRowExchange   exchange;   // of rows that are kept
    int             rank;       // at the last accepted state; -1: none yet
    bool           *redundant;  // m: from the start on
    bool            any;        // there are some
    // ports:
    int        ports, wide;  // wide: numbers of a load
    int       *port;         // ports: which frames they are
    double    *f;            // wide ports
    double    *J;            // wide ports x velocities of a body: columns of J'
    trGlueStep step;
    // state, at the end of the step and at its beginning:
    double *q, *v, *a, *s, *lambda;  // nq, nv, nv, nv, m
    double *q0, *v0, *a0, *s0;
    double *q_before, *v_before;  // one step before that
    // an iteration:
    bool    started;   // a step was taken, if only that at the start
    bool    linear;    // K of this step is made
    bool    prepared;  // factors and r belong to this state
    bool    looked;    // the equations are evaluated at this state
    bool    ahead;     // they are, and it is the one after the trial is taken: (q1, v1)
    double *r, *c;     // nv: r without loads; m: A a - b
    double  force;     // the largest term of r [N or N m]
    double  rest;      // |K da| as judged last in this step; 0: not yet [N or N m]
    double  rounding;  // what rounding makes of stiff forces [N or N m]
    double *y;         // nv + m: a solve
    double *da, *dl;   // nv, m: the trial
    double *q1, *v1;   // nq, nv
    double *q_base;    // nq: q as predicted; at the start, that of the iteration's beginning
    double *way;       // nv: how q has moved since
    // corrections in all of the step: positions, velocities
    double *corrected[2];  // nv
    double *impulse[2];    // wide ports
    double *x, *rate;      // nv, m: memory
    // outputs:
    int     outputs, *output;  // which columns they are
    double *row;               // all columns
} trModelModule;

// --- model_module_matrix.c ---

trStatus tr_module_plan_matrix(trModelModule *m);
// Factors at what was evaluated last; `linear` says whether K is to be made anew.
trStatus tr_module_factor(trModelModule *m);
// y = [K A'; A 0] \ y, with multipliers in N and N m, then.
void tr_module_solve(trModelModule *m);
void tr_module_subtract_product(const trModelModule *m, const double *x, double *y);  // y -= K x
void tr_module_subtract_rows(const trModelModule *m, const double *x, double *y);     // y -= A x
// The largest entry of K x.
double tr_module_largest_product(const trModelModule *m, const double *x);
// Which rows are redundant, at what was evaluated last and is on the joints.
trStatus tr_module_judge_rows(trModelModule *m, bool first);

// --- model_module_ports.c ---

trStatus tr_module_plan_ports(trModelModule *m);
void     tr_module_turn_ports(trModelModule *m);                                   // J at q
void     tr_module_add_loads(const trModelModule *m, const double *w, double *y);  // y += J' w, nv
// (J x)_i, i one of wide ports.
double tr_module_port_product(const trModelModule *m, int i, const double *x);
int    tr_module_motion(void *self, double *x, double *v, double *a);
int    tr_module_compliance(void *self, double *W);

// --- model_module.c ---

// The equations at the present state.
trStatus tr_module_look(trModelModule *m);
void     tr_module_moved(trModelModule *m);  // the state is another one
// Where `share` of dx leads, as `way` from the base and as q: movements are added up.
void tr_module_go(const trModelModule *m, double share, const double *dx, double *way, double *q);
// Functions of trModule.
int tr_module_predict(void *self, const trGlueStep *step);
int tr_module_residual(void *self, double *size);
int tr_module_accept(void *self);
int tr_module_port_residual(void *self, double *y);

int tr_module_apply(void *self, trLevel level, const double *w);  // model_module_apply.c

int tr_module_output(void *self, double *value);  // model_module_output.c

#endif
