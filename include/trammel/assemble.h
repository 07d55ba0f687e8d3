// SPDX-License-Identifier: MIT
/// @file assemble.h Consistent positions and velocities from ones that are not.
///
///     trAssembly         assembly;
///     trAssembleOptions options = tr_assemble_options_default();
///     if (tr_assembly_find(system, &options, &assembly) == TR_OK) {
///         printf("%s moves by %g %s\n", assembly.moved.body, assembly.moved.value, ...);
///     }
///     tr_assembly_free(&assembly);

#ifndef TRAMMEL_ASSEMBLE_H
#define TRAMMEL_ASSEMBLE_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What shall stay where it is: the frame of a body, or one coordinate of it.
typedef struct trKeep {
    int         body;        ///< or the coordinate of the user's own
    const char *coordinate;  ///< "x", "y", "angle"; in space "x", "y", "z", "orientation"; NULL:
                             ///< the whole body
} trKeep;

/// Start from tr_assemble_options_default().
typedef struct trAssembleOptions {
    size_t        struct_size;     ///< set by tr_assemble_options_default(); lets the struct grow
    double        time;            ///< of functions of time [s]
    double        rank_tolerance;  ///< on rows of A, relative, as in trSimDef
    trNumbers     q, v;            ///< what to start from, as in trSimDef; empty: the model's
    int           keeps;
    const trKeep *keep;  ///< keeps
} trAssembleOptions;

TR_API trAssembleOptions tr_assemble_options_default(void);

/// How far a joint or constraint is from being satisfied: the roots of the sums of squares of its
/// rows, apart for lengths, angles and other units; of a pin the distance of its two points.
typedef struct trOpening {
    double length;  ///< [m], or [m/s]
    double angle;   ///< [rad], or [rad/s]
    double other;   ///< in the user's unit, or that per second
} trOpening;

/// A joint, or a constraint of the user's own, before and after.
typedef struct trJointGap {
    const char *name;
    const char *unit;           ///< of `other`; NULL: the joint has no such row
    bool        recorded;       ///< of the user's own
    bool        length, angle;  ///< whether it has such rows
    trOpening   position_before, position_after;
    trOpening   velocity_before, velocity_after;
} trJointGap;

/// What was found. Everything in it lives until tr_assembly_free.
typedef struct trAssembly {
    bool              assembled;     ///< false: what could not be closed is in `open`
    bool              untouched;     ///< the state was consistent and is the given one, bit by bit
    bool              released;      ///< what is kept had to change its velocity
    int               nq, nv;        ///< positions, velocities
    const double     *q0, *v0;       ///< as given, of centers of mass
    const double     *q, *v;         ///< consistent; where nothing assembles, the least open pose
    int               joints;        ///< and constraints
    const trJointGap *joint;         ///< joints, in the order of the model
    int               opens;         ///< joints that remain open
    const int        *open;          ///< opens: their numbers, widest first
    bool              others_close;  ///< all but the first of them can be closed
    trCorrection      moved;         ///< largest change of a position; unit NULL: none
    const char       *moved_coordinate;  ///< of it: "x", "angle", "orientation", ...; or NULL
    trCorrection      changed;           ///< of a velocity, likewise
    const char       *singular;          ///< why a run would refuse this pose; NULL: it would not
    int64_t           iterations;        ///< of all attempts together
    int               attempts;          ///< from other poses, until one was assembled
    int               degrees_of_freedom, redundant_rows;  ///< of the assembled pose
    const trSystem   *system;
    void             *memory;  ///< owns the rest
} trAssembly;

/// Puts positions and velocities on the constraints, with the smallest changes, and looks whether
/// accelerations exist. A consistent state is left as it is. TR_E_MODEL if it cannot be: where
/// positions are the reason, the result tells how far they get; after all other failures it is
/// empty. TR_E_ARGUMENT for a body or coordinate to keep that there is not. The system must outlive
/// the result.
TR_API trStatus tr_assembly_find(const trSystem *system, const trAssembleOptions *options,
                                 trAssembly *out) TR_MUST_CHECK;
TR_API void     tr_assembly_free(trAssembly *assembly);  ///< an empty one is allowed

#ifdef __cplusplus
}
#endif

#endif
