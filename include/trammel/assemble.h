// SPDX-License-Identifier: MIT
/// @file assemble.h Find positions and velocities that satisfy the constraints.
///
///     trAssembly       *assembly = NULL;
///     trAssembleOptions options = tr_assemble_options_default();
///     if (tr_assembly_create(system, &options, &assembly) == TR_OK) {
///         printf("%s moves by %g %s\n", assembly->moved.body, assembly->moved.value, ...);
///     }
///     tr_assembly_destroy(assembly);

#ifndef TRAMMEL_ASSEMBLE_H
#define TRAMMEL_ASSEMBLE_H

#include <string.h>

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Something that assembly must not move: a body frame, or one of its coordinates.
typedef struct trKeep {
    int         body;        ///< or custom coordinate
    const char *coordinate;  ///< "x", "y", "angle"; in 3D "x", "y", "z", "orientation"; NULL:
                             ///< the whole body
} trKeep;

/// Start from tr_assemble_options_default().
typedef struct trAssembleOptions {
    size_t        struct_size;     ///< set by tr_assemble_options_default(); lets the struct grow
    double        time;            ///< of functions of time [s]
    double        rank_tolerance;  ///< on rows of A, relative, as in trSimDef
    trNumbers     q, v;            ///< start, as in trSimDef; empty: the model's
    int           keeps;
    const trKeep *keep;  ///< keeps
} trAssembleOptions;

TR_API trAssembleOptions tr_assemble_options_default(void);

/// Violation of a joint or constraint: root of the sum of squares of its rows, separately for
/// lengths, angles and other units. For a pin, the distance between its two points.
typedef struct trOpening {
    double length;  ///< [m], or [m/s]
    double angle;   ///< [rad], or [rad/s]
    double other;   ///< in the user's unit, or that per second
} trOpening;

/// From numbers of all rows (m), as phi or A v - b1, for a group of rows (system.h). `positions`:
/// of holonomic rows alone.
TR_API trOpening tr_opening_of(const trSystem *system, int group, const double *rows,
                               bool positions);

/// A joint or custom constraint before and after assembly.
typedef struct trJointGap {
    const char *name;
    const char *unit;           ///< of `other`; NULL: the joint has no such row
    bool        recorded;       ///< a custom constraint
    bool        length, angle;  ///< whether it has such rows
    trOpening   position_before, position_after;
    trOpening   velocity_before, velocity_after;
} trJointGap;

/// Result of an assembly. Its contents live until tr_assembly_destroy.
typedef struct trAssembly {
    bool              assembled;         ///< false: see `open`
    bool              untouched;         ///< the given state was consistent and is unchanged
    bool              released;          ///< a fixed item had to change its velocity
    int               nq, nv;            ///< positions, velocities
    const double     *q0, *v0;           ///< as given, of centers of mass
    const double     *q, *v;             ///< consistent, or the pose that closes best
    int               joints;            ///< and custom constraints
    const trJointGap *joint;             ///< joints, in the order of the model
    int               opens;             ///< joints that remain open
    const int        *open;              ///< opens: their numbers, widest first
    bool              others_close;      ///< all but the first can be closed
    trCorrection      moved;             ///< largest change of position; unit NULL: none
    const char       *moved_coordinate;  ///< of it: "x", "angle", "orientation", ...; or NULL
    trCorrection      changed;           ///< of a velocity, likewise
    const char       *singular;          ///< why a run would refuse this pose, or NULL
    int64_t           iterations;        ///< of all attempts
    int               attempts;          ///< from different poses
    int               degrees_of_freedom, redundant_rows;  ///< of the assembled pose
    const trSystem   *system;
    void             *memory;  ///< owns the rest
} trAssembly;

/// Finds the nearest positions and velocities that satisfy the constraints, and tests whether
/// accelerations exist. A consistent state is not changed. TR_E_MODEL if assembly fails; if
/// positions are the reason, the result shows how far they close, otherwise it is NULL.
/// TR_E_ARGUMENT for a body or coordinate in `keep` that does not exist. The system must outlive
/// the result.
TR_API trStatus tr_assembly_create(const trSystem *system, const trAssembleOptions *options,
                                   trAssembly **out) TR_MUST_CHECK;
TR_API void     tr_assembly_destroy(trAssembly *assembly);  ///< NULL is allowed

// --- names until the next release: results on the stack ---

static inline trStatus tr_assembly_find(const trSystem *system, const trAssembleOptions *options,
                                        trAssembly *out) {
    trAssembly *made = NULL;
    trStatus    status = tr_assembly_create(system, options, &made);
    memset(out, 0, sizeof *out);
    if (made != NULL) {
        *out = *made;
    }
    return status;
}

static inline void tr_assembly_free(trAssembly *result) {
    tr_assembly_destroy(result);
    memset(result, 0, sizeof *result);
}

#ifdef __cplusplus
}
#endif

#endif
