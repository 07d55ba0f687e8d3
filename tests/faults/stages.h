// SPDX-License-Identifier: MIT
// The way from a model file to results, in stages that can be made to fail one at a time.

#ifndef FAULTS_STAGES_H
#define FAULTS_STAGES_H

#include <stdbool.h>

#include "trammel/assembly.h"
#include "trammel/trammel.h"

#define MOST_NUMBERS 256  // of the state at the end

// What is run. Texts that are NULL stay as the file has them.
typedef struct Case {
    const char *file;  // below models/
    const char *set;   // "N=40", a parameter of the file
    const char *method, *formulation, *integrator;
    double      step;         // [s]; 0: as the file says
    double      duration;     // [s]
    bool        memory_only;  // no files are written
} Case;

// An assembly (glue_stages.c).
typedef struct Glued {
    trGlueAssembly assembly;
    trModel       *arm;  // of the first module, until that is opened
    trSystem      *ports;
    trCarrier     *carrier;
    trGlue        *glue;
    void          *bytes;  // saved
} Glued;

// What is made on the way. Everything is zero before.
typedef struct Made {
    const Case *what;
    trSimDef    def;
    trModel    *model;
    trSystem   *system;
    trSim      *sim;
    trRecorder *recorder;
    trModes     modes;
    trCompare  *compare;
    Glued       glued;
    int         numbers;            // of the end; 0: there is none
    double      end[MOST_NUMBERS];  // the state after the run, modes, or errors of the comparison
} Made;

typedef struct Stage {
    const char *name;
    trStatus (*go)(Made *made);
} Stage;

extern const Stage stage_load, stage_build, stage_create, stage_record, stage_run, stage_close,
    stage_modes, stage_compare;
extern const Stage stage_glue_load, stage_glue_build, stage_glue_open, stage_glue_create,
    stage_glue_run, stage_glue_keep;

// Destroys all that was made, in the order a program would.
void made_destroy(Made *made);
void glued_destroy(Glued *glued);

#endif
