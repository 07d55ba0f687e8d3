// SPDX-License-Identifier: MIT
// Where modules meet: a system whose bodies are the ports, evaluated at how the ports move. From it
// come the rows of the joints,
//
//     phi(x) = 0        G v = b1        G a = b        load on the ports = Q - G' lambda
//
// with G in world axes, and S = G W G' from the modules' compliances W.

#ifndef TR_GLUE_INTERFACE_H
#define TR_GLUE_INTERFACE_H

#include "glue/carrier.h"
#include "la/semidefinite.h"
#include "system/system.h"

typedef struct trInterface {
    const trSystem     *system;
    const trModuleFace *face;  // modules
    trEval              eval;
    int                 dim, nx, nw;  // numbers of a port: of x; of v, a and loads
    int                 modules, m;   // m: rows of the joints
    int                 ports;        // of all modules, joined or not
    int                *first;        // modules + 1: their first port
    int                *port_module;  // ports
    int                *body_port;    // bodies of the system: which port each one is
    int                *side_port;    // sides of G
    int                *W_first;      // modules: where W of each starts
    double             *x;            // nx ports: the motion as modules tell it
    double             *v, *a;        // nw ports
    double             *W;            // all compliances
    double             *turns;        // ports: whole turns that are added to planar angles [rad]
    double             *q, *qv, *qa;  // the same motion as the system has it
    double             *G;            // values of A, with moments about world axes
    double             *phi, *rate, *acceleration;      // m: phi, G v - b1, G a - b
    double             *Q;                              // nw ports: loads of springs and the like
    double             *nominal;                        // m: largest S_ii so far
    trSemidefinite      force;                          // S of all modules
    trSemidefinite      position, velocity;             // of those that take these levels
    bool               *held_position, *held_velocity;  // m: rows that some module can be moved by
    double             *right, *y;                      // m: memory
    double             *moved;                          // nw ports: memory
    double              rank_tolerance;
} trInterface;

// TR_E_MODEL names a body that is no port of a module, a module of another dimension, a constraint
// that is not one of positions.
trStatus tr_interface_plan(trArena *arena, const trSystem *system, const trCarrier *carrier,
                           double rank_tolerance, trInterface *out);

// phi, rate, acceleration and Q at x, v, a and the time t. `turn`: G becomes that of this instant,
// too; without, it stays what it was.
trStatus tr_interface_evaluate(trInterface *it, double t, bool turn);

// At the start, after an evaluation: a port that stands whole turns away from where its joints want
// it, in the plane, is where they want it. Evaluates again.
trStatus tr_interface_count_turns(trInterface *it, double t);

// S of all three levels from G and W as they are.
void tr_interface_factor(trInterface *it);

// Sets what pivots of S are compared with, from nominal values as they are.
void tr_interface_scale(const trInterface *it, trSemidefinite *S);

// load (nw ports) = -G' y.
void tr_interface_spread(const trInterface *it, const double *y, double *load);
// y (m) = G x, x (nw ports).
void tr_interface_rows(const trInterface *it, const double *x, double *y);
// y (m) = G W load.
void tr_interface_respond(const trInterface *it, const double *load, double *y);
// The largest entry of W load: accelerations of ports.
double tr_interface_largest_response(const trInterface *it, const double *load);

const char *tr_interface_row_name(const trInterface *it, int row);  // its joint

#endif
