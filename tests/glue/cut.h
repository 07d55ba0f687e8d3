// SPDX-License-Identifier: MIT
// Cuts a model into modules: bodies are shared out, joints between bodies of different modules
// become joints between ports, all else stays with its bodies. Ports are the principal axes at the
// centers of mass, where joints are prepared for, so that their parameters serve as they are.

#ifndef TESTS_GLUE_CUT_H
#define TESTS_GLUE_CUT_H

#include <stdbool.h>

#include "glue/model_module.h"
#include "model/model.h"

#define CUT_MODULES 8
#define CUT_BODIES 128

typedef struct Cut {
    int        modules, bodies;
    int        of[CUT_BODIES], local[CUT_BODIES];  // bodies: their modules, their numbers there
    trModel   *model[CUT_MODULES], *port_model;
    trSystem  *system[CUT_MODULES], *ports;
    trModule   module[CUT_MODULES];
    trCarrier *carrier;
    trGlue    *glue;
} Cut;

// `of` has the module of each body; `ground_too`: joints with ground are glued, too. The model must
// not be built yet, and outlives the cut. Fails the test where it cannot be cut.
void cut_model(const trModel *whole, const int *of, bool ground_too, Cut *out);
// Opens the modules and glues them.
trStatus cut_glue(Cut *cut, const trGlueDef *def);
void     cut_free(Cut *cut);

const trModelModule *cut_module(const Cut *cut, int module);
// The largest difference of the positions of bodies, and of velocities relative to 1 + the largest.
double cut_difference(const Cut *one, const Cut *two, double *velocities);

#endif
