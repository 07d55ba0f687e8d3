// SPDX-License-Identifier: MIT
/// @file modes.h Eigenvalues and mode shapes about an equilibrium or a steady motion.
///
///     trModes *modes = NULL;
///     trModesOptions options = tr_modes_options_default();
///     if (tr_modes_create(system, &options, &modes) == TR_OK) {
///         for (int i = 0; i < modes->count; i++) {
///             printf("%g Hz\n", modes->mode[i].frequency);
///         }
///     }
///     tr_modes_destroy(modes);

#ifndef TRAMMEL_MODES_H
#define TRAMMEL_MODES_H

#include <string.h>

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from tr_modes_options_default().
typedef struct trModesOptions {
    size_t struct_size;     ///< set by tr_modes_options_default(); lets the struct grow
    double time;            ///< of the pose [s]
    double rank_tolerance;  ///< on rows of A, relative, as in trSimDef
    bool   keep_pose;       ///< linearize at the model's pose, without finding an equilibrium
} trModesOptions;

TR_API trModesOptions tr_modes_options_default(void);

/// An eigenvalue, or a complex pair, given by the one with im > 0.
typedef struct trMode {
    double        re, im;     ///< the eigenvalue s of exp(s t) [1/s]
    double        frequency;  ///< im / 2 pi, with damping [Hz]
    double        undamped;   ///< |s| / 2 pi [Hz]
    double        damping;    ///< -re / |s|; 1: aperiodic, negative: unstable
    bool          unstable;   ///< re > 0, beyond rounding
    const double *shape;      ///< nv: the real part; see trModes
    const double *shape_im;   ///< nv
    const char   *part;       ///< what moves most: a body, coordinate or extra state
    const char   *motion;     ///< "rotation", "translation along x", ...; "" for custom coordinates
    double        share;      ///< share of that motion in the kinetic energy, 0 to 1
    const double *body_share;  ///< bodies or coordinates: shares of kinetic energy
} trMode;

/// A motion without restoring force, with zero eigenvalues.
typedef struct trNeutral {
    const double *shape;  ///< nv; see trModes
    const char   *part, *motion;
    double        share;  ///< as in trMode
} trNeutral;

/// Result. Shapes contain for each body the displacement of its center of mass [m] and its rotation
/// [rad] in world axes: x, y and angle of planar bodies, one number for a custom coordinate. They
/// are normalized to shape* M shape = 1.
typedef struct trModes {
    int              count;       ///< of modes
    const trMode    *mode;        ///< count, in order of |s|
    int              zeros;       ///< number of zero eigenvalues
    int              neutrals;    ///< neutral motions
    const trNeutral *neutral;     ///< neutrals
    int              nq, nv;      ///< positions, velocities
    int              bodies;      ///< or custom coordinates
    bool             moving;      ///< about a steady motion
    const double    *q;           ///< nq: the pose, of centers of mass
    const double    *v;           ///< nv: velocities of the steady motion
    int              iterations;  ///< of the search for equilibrium
    trCorrection     moved;       ///< largest change of the pose; unit NULL: none
    trCorrection     unbalanced;  ///< largest acceleration with keep_pose; unit NULL: none
    const trSystem  *system;
    void            *memory;  ///< owns the rest
} trModes;

/// Assembles the model, finds a static equilibrium if it starts at rest, linearizes it on the
/// constraints and computes all eigenvalues. TR_E_MODEL, TR_E_UNSUPPORTED or TR_E_SIMULATION if
/// there is neither an equilibrium nor a steady motion. The system must outlive the result.
TR_API trStatus tr_modes_create(const trSystem *system, const trModesOptions *options,
                                trModes **out) TR_MUST_CHECK;
TR_API void     tr_modes_destroy(trModes *modes);  ///< NULL is allowed

/// Begins the recorder and writes every mode as a motion of the pose along the shape, with the
/// columns of docs/guide/modes.md. Does not close the recorder.
TR_API trStatus tr_modes_record(const trModes *modes, trRecorder *recorder) TR_MUST_CHECK;

// --- names until the next release: results on the stack ---

static inline trStatus tr_modes_find(const trSystem *system, const trModesOptions *options,
                                     trModes *out) {
    trModes *made = NULL;
    trStatus status = tr_modes_create(system, options, &made);
    memset(out, 0, sizeof *out);
    if (made != NULL) {
        *out = *made;
    }
    return status;
}

static inline void tr_modes_free(trModes *result) {
    tr_modes_destroy(result);
    memset(result, 0, sizeof *result);
}

#ifdef __cplusplus
}
#endif

#endif
