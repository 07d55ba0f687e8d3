// SPDX-License-Identifier: MIT
/// @file fmi.h FMUs (FMI 2.0 and 3.0, Model Exchange and Co-Simulation) as modules that joints can
/// be glued to.
///
/// A port is a set of variables by their names: in the plane "tip.x", "tip.y", "tip.angle" (m,
/// rad), "tip.vx", "tip.vy", "tip.omega", "tip.ax", "tip.ay", "tip.alpha" are read, and "tip.fx",
/// "tip.fy", "tip.moment" (N, N m) are inputs. In space: x y z e0 e1 e2 e3, vx vy vz wx wy wz,
/// ax ay az alphax alphay alphaz, and fx fy fz mx my mz. Other names are told by trFmuAlias.
/// Directions may be missing: the port does not move there, whatever the load.
///
/// An FMU is a program of somebody else that runs inside this process: open what you trust.

#ifndef TRAMMEL_FMI_H
#define TRAMMEL_FMI_H

#include <stddef.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trModule;  // trammel/module.h

typedef enum trFmuKind {
    TR_FMU_ANY = 0,  ///< Model Exchange where there is one, else Co-Simulation
    TR_FMU_MODEL_EXCHANGE = 1,
    TR_FMU_CO_SIMULATION = 2,
} trFmuKind;

typedef enum trFmuType {
    TR_FMU_REAL,
    TR_FMU_INTEGER,  ///< 32 bits; of FMI 2.0 enumerations, too
    TR_FMU_LONG,     ///< 64 bits; of FMI 3.0 enumerations, too
    TR_FMU_BOOLEAN,
    TR_FMU_STRING,
    TR_FMU_OTHER,  ///< neither read nor written: Float32, Int8, Binary, Clock, arrays, ...
} trFmuType;

/// How W, the compliance of the ports, is found.
typedef enum trFmuCompliance {
    TR_FMU_AUTO,    ///< with the state held; over the step once that is seen not to do
    TR_FMU_DIRECT,  ///< with the state held: by directional derivatives, else by differences
    TR_FMU_STEP,    ///< over the whole step, by differences of repeated steps
} trFmuCompliance;

/// The value of a parameter, or of a variable that has a start value.
typedef struct trFmuSet {
    const char *name;
    double      value;
    const char *text;  ///< of a string; NULL: it is a number
} trFmuSet;

/// "tip.x" is the FMU's "arm.frame_b.r_0[1]".
typedef struct trFmuAlias {
    const char *key, *variable;
} trFmuAlias;

/// How to open an FMU. Start from tr_fmu_def_default().
typedef struct trFmuDef {
    size_t            struct_size;  ///< set by tr_fmu_def_default(); lets the struct grow
    trFmuKind         kind;
    int               sets;
    const trFmuSet   *set;  ///< sets
    int               aliases;
    const trFmuAlias *alias;           ///< aliases
    double            start;           ///< first time [s]
    int               substeps;        ///< Model Exchange: of Runge-Kutta in a step
    int               strict;          ///< not 0: what is not as the standard says is refused
    int               explicit_steps;  ///< not 0: Co-Simulation that cannot repeat a step is taken
    int correct_states;  ///< not 0: Model Exchange whose ports' positions and velocities are states
                         ///< of its own takes corrections of them (TR_TAKES_POSITION, _VELOCITY)
    double          difference_step;  ///< Co-Simulation without accelerations, at the start [s]
    trFmuCompliance compliance;
} trFmuDef;

typedef struct trFmuVariable {
    const char *name, *causality, *variability, *type, *unit, *description;
    trFmuType   kind;
    unsigned    reference;      ///< value reference
    int         has_start;      ///< not 0: `start` is given
    const char *start;          ///< as it stands in the file; NULL: none
    int         derivative_of;  ///< index of a variable; -1: of none
} trFmuVariable;

/// What a port has. Directions count as loads do: fx, fy, moment; fx, fy, fz, mx, my, mz.
typedef struct trFmuPort {
    const char *name;
    int         dim;               ///< 2 or 3
    int         moves[6];          ///< not 0: it moves there
    int         x[7], v[6], f[6];  ///< indices of variables; -1: none
    int         a[6];              ///< the acceleration's; -1: by differences of v
    const char *missing;           ///< a variable without which it cannot be used; NULL: none
} trFmuPort;

/// What an FMU says about itself. Texts belong to it.
typedef struct trFmuInfo {
    const char          *path, *version;  ///< "2.0", "3.0"
    const char          *name, *description, *tool, *token;
    unsigned             kinds;          ///< bits of trFmuKind
    const char          *identifier[3];  ///< of binaries, by trFmuKind
    int                  repeats[3];     ///< not 0: states can be got and set, by trFmuKind
    int                  serializes[3];  ///< and written as bytes
    int                  derives[3];     ///< directional derivatives
    int                  states;         ///< continuous ones
    const int           *state;          ///< states: index of the variable; -1: not declared
    int                  indicators;     ///< of events
    int                  variables;
    const trFmuVariable *variable;
    int                  ports;
    const trFmuPort     *port;
    int                  platforms;
    const char *const   *platform;   ///< folders of binaries/
    const char          *native;     ///< the one for this machine; NULL: none
    int                  runs_here;  ///< not 0: there is one
    int                  warnings;
    const char *const   *warning;
} trFmuInfo;

TR_API trFmuDef tr_fmu_def_default(void);

/// Reads the description, and runs nothing. `def` may be NULL; of it, strict and aliases count.
/// TR_E_IO: no such file, no zip; TR_E_MODEL: what is in it; TR_E_UNSUPPORTED: built without libzip
/// or libxml2.
TR_API trStatus tr_fmu_read(const char *path, const trFmuDef *def, trFmuInfo **out) TR_MUST_CHECK;
TR_API void     tr_fmu_info_free(trFmuInfo *info);  ///< NULL is allowed

/// Unpacks into a temporary folder, loads and initializes the FMU. `out->close` ends it and removes
/// the folder. `def` may be NULL.
TR_API trStatus tr_fmu_open(const char *path, const trFmuDef *def,
                            struct trModule *out) TR_MUST_CHECK;

/// What is worth knowing about a module that tr_fmu_open has made, in sentences: the kind, how
/// accelerations and compliance are found, directions that do not move, warnings. Later calls may
/// have more. Texts live until it is closed.
TR_API int         tr_fmu_notes(const struct trModule *module);
TR_API const char *tr_fmu_note(const struct trModule *module, int index);

#ifdef __cplusplus
}
#endif

#endif
