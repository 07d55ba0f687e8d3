// SPDX-License-Identifier: MIT
/// @file modes.h Eigenvalues and mode shapes about an equilibrium or a steady motion.
///
///     trModes modes;
///     trModesOptions options = tr_modes_options_default();
///     if (tr_modes_find(system, &options, &modes) == TR_OK) {
///         for (int i = 0; i < modes.count; i++) {
///             printf("%g Hz\n", modes.mode[i].frequency);
///         }
///     }
///     tr_modes_free(&modes);

#ifndef TRAMMEL_MODES_H
#define TRAMMEL_MODES_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from tr_modes_options_default().
typedef struct trModesOptions {
    size_t struct_size;     ///< set by tr_modes_options_default(); lets the struct grow
    double time;            ///< of the pose [s]
    double rank_tolerance;  ///< on rows of A, relative, as in trSimDef
    bool   keep_pose;       ///< linearize at the model's pose; do not look for an equilibrium
} trModesOptions;

TR_API trModesOptions tr_modes_options_default(void);

/// One eigenvalue, or a pair of complex ones, of which the one with im > 0 is given.
typedef struct trMode {
    double        re, im;     ///< the eigenvalue s: motions go with exp(s t) [1/s]
    double        frequency;  ///< im / 2 pi, with damping [Hz]
    double        undamped;   ///< |s| / 2 pi [Hz]
    double        damping;    ///< -re / |s|: 1 is aperiodic, negative is unstable
    bool          unstable;   ///< re > 0, beyond rounding
    const double *shape;      ///< nv: the real part; see trModes
    const double *shape_im;   ///< nv
    const char   *part;       ///< what moves most: a body, a coordinate or a further state
    const char   *motion;     ///< how: "rotation", "translation along x", ...; "" of the user's own
    double        share;      ///< of the kinetic energy in that motion, 0 to 1
    const double *body_share;  ///< bodies or coordinates: of the kinetic energy
} trMode;

/// A motion that nothing drives back: of its zero eigenvalues only the shape is of interest.
typedef struct trNeutral {
    const double *shape;  ///< nv; see trModes
    const char   *part, *motion;
    double        share;  ///< these three as in trMode
} trNeutral;

/// What was found. Shapes have for each body the motion of its center of mass along the axes of the
/// world [m] and its rotation about them [rad]; a planar body has x, y and the angle, a coordinate
/// of the user's own one number. They have unit kinetic energy at unit rate: shape* M shape = 1.
typedef struct trModes {
    int              count;       ///< of modes
    const trMode    *mode;        ///< count, by increasing |s|
    int              zeros;       ///< eigenvalues that are zero
    int              neutrals;    ///< neutral motions, which they belong to
    const trNeutral *neutral;     ///< neutrals
    int              nq, nv;      ///< positions, velocities
    int              bodies;      ///< or coordinates of the user's own
    bool             moving;      ///< about a steady motion, not about rest
    const double    *q;           ///< nq: the pose, of centers of mass
    const double    *v;           ///< nv: velocities of the steady motion
    int              iterations;  ///< to find the equilibrium
    trCorrection     moved;       ///< largest change of the pose; unit NULL: none
    trCorrection     unbalanced;  ///< largest acceleration where keep_pose kept it; unit NULL: none
    const trSystem  *system;
    void            *memory;  ///< owns the rest
} trModes;

/// Assembles the model; finds a static equilibrium if it starts at rest; linearizes on the
/// constraints; finds all eigenvalues. TR_E_MODEL, TR_E_UNSUPPORTED or TR_E_SIMULATION, by name,
/// for what has neither an equilibrium nor a steady motion. The system must outlive the result,
/// which is empty after a failure.
TR_API trStatus tr_modes_find(const trSystem *system, const trModesOptions *options,
                              trModes *out) TR_MUST_CHECK;
TR_API void     tr_modes_free(trModes *modes);  ///< an empty one is allowed

/// Begins the recorder and hands over every mode as a motion: the pose, moved along the shape.
/// docs/guide/modes.md has the columns. Does not close the recorder.
TR_API trStatus tr_modes_record(const trModes *modes, trRecorder *recorder) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
