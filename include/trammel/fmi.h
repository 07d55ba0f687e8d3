// SPDX-License-Identifier: MIT
/// @file fmi.h FMUs (FMI 2.0 and 3.0, Model Exchange and Co-Simulation) as modules.
///
/// A port is a set of variables, recognized by name. Planar: outputs "tip.x", "tip.y", "tip.angle"
/// (m, rad), "tip.vx", "tip.vy", "tip.omega", "tip.ax", "tip.ay", "tip.alpha", inputs "tip.fx",
/// "tip.fy", "tip.moment" (N, N m). Spatial: x y z e0 e1 e2 e3, vx vy vz wx wy wz, ax ay az alphax
/// alphay alphaz, and fx fy fz mx my mz. trFmuAlias maps other names. If a direction is missing,
/// the port does not move there, whatever the load.
///
/// FMUs are foreign programs that run inside this process; open only those you trust.

#ifndef TRAMMEL_FMI_H
#define TRAMMEL_FMI_H

#include <stddef.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trModule;  // trammel/module.h

typedef enum trFmuKind {
    TR_FMU_ANY = 0,  ///< Model Exchange if available, else Co-Simulation
    TR_FMU_MODEL_EXCHANGE = 1,
    TR_FMU_CO_SIMULATION = 2,
} trFmuKind;

typedef enum trFmuType {
    TR_FMU_REAL,
    TR_FMU_INTEGER,  ///< 32 bits, and enumerations of FMI 2.0
    TR_FMU_LONG,     ///< 64 bits, and enumerations of FMI 3.0
    TR_FMU_BOOLEAN,
    TR_FMU_STRING,
    TR_FMU_OTHER,  ///< not supported: Float32, Int8, Binary, Clock, arrays, ...
} trFmuType;

/// Computation of the compliance W of the ports.
typedef enum trFmuCompliance {
    TR_FMU_AUTO,    ///< TR_FMU_DIRECT; TR_FMU_STEP once that fails
    TR_FMU_DIRECT,  ///< at constant state, by directional derivatives or differences
    TR_FMU_STEP,    ///< over the whole step, by differences of repeated steps
} trFmuCompliance;

/// Value of a parameter, or of a variable with a start value.
typedef struct trFmuSet {
    const char *name;
    double      value;
    const char *text;  ///< for strings; NULL: use `value`
} trFmuSet;

/// "tip.x" is the FMU's "arm.frame_b.r_0[1]".
typedef struct trFmuAlias {
    const char *key, *variable;
} trFmuAlias;

/// Settings of an FMU. Start from tr_fmu_def_default().
typedef struct trFmuDef {
    size_t            struct_size;  ///< set by tr_fmu_def_default(); lets the struct grow
    trFmuKind         kind;
    int               sets;
    const trFmuSet   *set;  ///< sets
    int               aliases;
    const trFmuAlias *alias;           ///< aliases
    double            start;           ///< first time [s]
    int               substeps;        ///< Model Exchange: Runge-Kutta steps per step
    int               strict;          ///< not 0: refuse deviations from the standard
    int               explicit_steps;  ///< not 0: accept Co-Simulation that cannot repeat a step
    int correct_states;  ///< not 0: Model Exchange with positions and velocities of ports as states
                         ///< accepts corrections of them (TR_TAKES_POSITION, _VELOCITY)
    double          difference_step;  ///< Co-Simulation without accelerations, at the start [s]
    trFmuCompliance compliance;
} trFmuDef;

typedef struct trFmuVariable {
    const char *name, *causality, *variability, *type, *unit, *description;
    trFmuType   kind;
    unsigned    reference;      ///< value reference
    int         has_start;      ///< not 0: `start` is given
    const char *start;          ///< as in the file; NULL: none
    int         derivative_of;  ///< index of a variable, or -1
} trFmuVariable;

/// A port. Directions are numbered as loads: fx, fy, moment; fx, fy, fz, mx, my, mz.
typedef struct trFmuPort {
    const char *name;
    int         dim;               ///< 2 or 3
    int         moves[6];          ///< not 0: moves in this direction
    int         x[7], v[6], f[6];  ///< indices of variables, or -1
    int         a[6];              ///< accelerations; -1: differences of v
    const char *missing;           ///< name of a missing variable that it needs, or NULL
} trFmuPort;

/// Description of an FMU; owns its strings.
typedef struct trFmuInfo {
    const char          *path, *version;  ///< "2.0", "3.0"
    const char          *name, *description, *tool, *token;
    unsigned             kinds;          ///< bits of trFmuKind
    const char          *identifier[3];  ///< of the binary, by trFmuKind
    int                  repeats[3];     ///< not 0: states can be read and set, by trFmuKind
    int                  serializes[3];  ///< and serialized
    int                  derives[3];     ///< directional derivatives
    int                  states;         ///< continuous ones
    const int           *state;          ///< states: index of the variable, or -1
    int                  indicators;     ///< of events
    int                  variables;
    const trFmuVariable *variable;
    int                  ports;
    const trFmuPort     *port;
    int                  platforms;
    const char *const   *platform;   ///< folders of binaries/
    const char          *native;     ///< the one for this machine, or NULL
    int                  runs_here;  ///< not 0: its binary exists
    int                  warnings;
    const char *const   *warning;
} trFmuInfo;

TR_API trFmuDef tr_fmu_def_default(void);

/// Reads the description without running the FMU. `def` may be NULL; only strict and aliases are
/// used. TR_E_IO: no such file or not a zip file; TR_E_MODEL: errors in its content;
/// TR_E_UNSUPPORTED: built without libzip or libxml2.
TR_API trStatus tr_fmu_read(const char *path, const trFmuDef *def, trFmuInfo **out) TR_MUST_CHECK;
TR_API void     tr_fmu_info_free(trFmuInfo *info);  ///< NULL is allowed

/// Unpacks the FMU into a temporary folder, loads and initializes it. `out->close` terminates it
/// and removes the folder. `def` may be NULL.
TR_API trStatus tr_fmu_open(const char *path, const trFmuDef *def,
                            struct trModule *out) TR_MUST_CHECK;

/// Notes on a module of tr_fmu_open: kind, computation of accelerations and compliance, directions
/// that do not move, warnings. More may appear later. They live until the module is closed.
TR_API int         tr_fmu_notes(const struct trModule *module);
TR_API const char *tr_fmu_note(const struct trModule *module, int index);

#ifdef __cplusplus
}
#endif

#endif
