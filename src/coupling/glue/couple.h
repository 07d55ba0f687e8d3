// SPDX-License-Identifier: MIT
// Weak coupling, as co-simulation has it: each module solves its step by itself, with what it was
// told of the others, and is told again (docs/theory/gluing.md).
//
// Through forces between ports, modules are told loads Q at how the ports moved. Through joints,
// one side leads, and the other follows its motion and answers with the force that it needs:
//
//     S2 lambda = G (a + da) - b + G W2 (Q - f2)        S2 = G W2 G', of the follower alone
//
// Of a joint's two modules the later one follows; a joint to ground is the module's own.

#ifndef TR_GLUE_COUPLE_H
#define TR_GLUE_COUPLE_H

#include "glue/glue.h"

// How all ports move, as modules told it.
typedef struct trPortMotion {
    double *x;      // nx ports
    double *v, *a;  // nw ports
} trPortMotion;

typedef struct trCouple {
    int           *follower;       // m: a module
    trSemidefinite S;              // S2 of all followers: blocks, as rows follow with their module
    double        *others;         // m: lambda as leaders have it
    double        *mixed, *right;  // m: memory
    double        *load;           // nw ports: memory
    double        *judged;         // modules: residuals under new loads, before they solved
    trPortMotion   last, now;      // what others are told; what modules said
    double         change[4];      // of loads: the largest of this sweep and of three before [N]
    bool           counts_change;  // the kind finds `change` by itself
    double        *Q;              // nw ports: loads of forces between ports as they are told
    bool           tells_Q;        // Q is used; else that of motions in the interface
} trCouple;

trStatus tr_couple_plan(trArena *arena, trGlue *glue, bool tells_Q, trCouple *out);

void tr_port_motion_plan(trArena *arena, const trInterface *it, trPortMotion *out);
void tr_port_motion_copy(const trInterface *it, const trPortMotion *from, const trPortMotion *to);
// How the ports move in the interface.
void tr_port_motion_keep(const trInterface *it, const trPortMotion *out);
void tr_port_motion_put(trInterface *it, const trPortMotion *from);
// c->last, but c->now of one module.
void tr_port_motion_put_others(trInterface *it, const trCouple *c, int module);

// Makes the load of one module at the motion that stands in the interface, with lambda of `others`
// in joints where it leads; lambda where it follows goes to glue->lambda.
trStatus tr_couple_answer(trGlue *glue, trCouple *c, const trGlueStep *step, int module,
                          const double *others);
// Impulses of followers at how the ports move now, into w of that level.
void tr_couple_correct(trGlue *glue, trCouple *c, int module, trLevel level);

// Loads of all modules, each with its own motion as it stands in the interface and with c->last of
// the others. Motions in the interface are spoiled: modules are to be asked again, or c->now put.
trStatus tr_couple_answer_all(trGlue *glue, trCouple *c, const trGlueStep *step);

// Calls to one module, or to all: module < 0.
trStatus tr_couple_ask(trGlue *glue, int module, unsigned calls);
// Modules take their loads and solve until their equations hold.
trStatus tr_couple_settle(trGlue *glue, trCouple *c, int module);
// TR_NO_CONVERGENCE if loads change by more and more.
trStatus tr_couple_check_progress(trGlue *glue, const trCouple *c, const trGlueStep *step);
// Begins a sweep: the first one of a step, or another one.
void tr_couple_begin_sweep(trCouple *c, bool first);

// Sweeps a step until they converge, or as often as def.sweeps says; g->work is the trCouple. After
// each, joints are closed by their followers.
typedef trStatus trSweep(trGlue *glue, trCouple *c, const trGlueStep *step, bool first);
trStatus         tr_couple_advance(trGlue *glue, const trGlueStep *step, trSweep *sweep);

#endif
