// SPDX-License-Identifier: MIT
/// @file verify.h Verify a result file by itself: checksums, equations of motion, constraints,
/// energy, continuity.
///
///     trVerification *seen = NULL;
///     trVerifyOptions options = tr_verify_options_default();
///     if (tr_verification_create("four_bar.h5", &options, &seen) == TR_OK) {
///         for (int i = 0; i < seen->kept; i++) {
///             printf("row %ld: %s\n", seen->finding[i].row + 1, seen->finding[i].what);
///         }
///     }
///     tr_verification_destroy(seen);

#ifndef TRAMMEL_VERIFY_H
#define TRAMMEL_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is recomputed: identifier, word and description.
// clang-format off
#define TR_VERIFY_LIST(X)                                                                          \
    X(TR_VERIFY_TEXT,         "text",         "texts and their check mark")                        \
    X(TR_VERIFY_MARK,         "mark",         "numbers of a row and their check mark")             \
    X(TR_VERIFY_NUMBER,       "number",       "numbers that can be computed with")                 \
    X(TR_VERIFY_TIME,         "time",         "times that increase, and those asked for")          \
    X(TR_VERIFY_BALANCE,      "balance",      "M a = loads + reactions, of each body")             \
    X(TR_VERIFY_REACTION,     "reaction",     "reactions that their joints can transmit")          \
    X(TR_VERIFY_POSITION,     "position",     "phi(q, t), and the stored violation")               \
    X(TR_VERIFY_VELOCITY,     "velocity",     "A v - b1, and the stored violation")                \
    X(TR_VERIFY_ACCELERATION, "acceleration", "A a - b")                                           \
    X(TR_VERIFY_QUATERNION,   "quaternion",   "unit length of quaternions")                        \
    X(TR_VERIFY_FRAME,        "frame",        "frames and their bodies")                           \
    X(TR_VERIFY_FORCE,        "force",        "loads of forces, and the stored ones")              \
    X(TR_VERIFY_KINETIC,      "kinetic",      "kinetic energy, and the stored one")                \
    X(TR_VERIFY_POTENTIAL,    "potential",    "potential energy, and the stored one")              \
    X(TR_VERIFY_ENERGY,       "energy",       "T + V - W, and the stored balance")                 \
    X(TR_VERIFY_WORK,         "work",         "W, and the power between rows")                     \
    X(TR_VERIFY_MOTION,       "motion",       "positions, velocities, and rates between rows")
// clang-format on

#define TR_VERIFY_ENUM(name, word, summary) name,
typedef enum trVerifyKind { TR_VERIFY_LIST(TR_VERIFY_ENUM) TR_VERIFY_KINDS } trVerifyKind;
#undef TR_VERIFY_ENUM

TR_API const char *tr_verify_word(trVerifyKind kind);     ///< "balance"
TR_API const char *tr_verify_summary(trVerifyKind kind);  ///< its description

/// Start from tr_verify_options_default().
typedef struct trVerifyOptions {
    size_t struct_size;   ///< set by tr_verify_options_default(); lets the struct grow
    bool   no_checksums;  ///< physics only
    bool   no_physics;    ///< checksums only
    /// Called before the model text of the file runs (`begins`) and after; may be NULL.
    void (*load)(void *context, bool begins);
    void *context;
} trVerifyOptions;

TR_API trVerifyOptions tr_verify_options_default(void);

/// A deviation in one row.
typedef struct trVerifyFinding {
    trVerifyKind kind;
    long         row;      ///< from 0; -1: the whole file
    double       time;     ///< of the row [s]
    const char  *what;     ///< "body 'rod': force along x"
    double       off;      ///< deviation [unit]
    double       allowed;  ///< tolerance [unit]
    const char  *unit;
} trVerifyFinding;

/// The largest deviation of one kind in the file, whether within tolerance or not.
typedef struct trVerifyFigure {
    long            checked;   ///< rows
    long            findings;  ///< rows with deviations beyond tolerance
    trVerifyFinding worst;     ///< relative to the tolerance; `what` is NULL if nothing differs
} trVerifyFigure;

/// Result of a verification; owns its strings.
typedef struct trVerification {
    const char      *model;    ///< its name
    const char      *method;   ///< integrator and formulation
    const char      *outcome;  ///< as tr_result_outcome
    long             rows;
    int              columns;
    long             findings;  ///< all
    int              kept;      ///< entries of `finding`
    trVerifyFinding *finding;   ///< kept, worst first
    trVerifyFigure   figure[TR_VERIFY_KINDS];
    double           energy_start;      ///< `energy.balance` of the first row [energy_unit]
    double           energy_drift;      ///< largest deviation from it; not judged
    double           energy_end_drift;  ///< deviation in the last row, signed
    const char      *energy_unit;       ///< NULL: nothing was recomputed
    int              notes;             ///< what was not checked, and why
    const char     **note;              ///< notes
    void            *memory;
} trVerification;

/// Opens the file, rebuilds the system from the model in it and checks every row. TR_E_IO for files
/// that cannot be read or verified, TR_E_MODEL if the model does not load. Deviations are no
/// failure: see `findings`.
TR_API trStatus tr_verification_create(const char *path, const trVerifyOptions *options,
                                       trVerification **out) TR_MUST_CHECK;
TR_API void     tr_verification_destroy(trVerification *verification);  ///< NULL is allowed

// --- names until the next release ---

static inline trStatus tr_verify(const char *path, const trVerifyOptions *options,
                                 trVerification **out) {
    return tr_verification_create(path, options, out);
}

static inline void tr_verification_free(trVerification *verification) {
    tr_verification_destroy(verification);
}

#ifdef __cplusplus
}
#endif

#endif
