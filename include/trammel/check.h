// SPDX-License-Identifier: MIT
/// @file check.h Check a model before it runs: degrees of freedom, redundant joints and remedies,
/// singular poses, massless motions, reactions that are not unique, suspicious numbers.
///
///     trCheck       *check = NULL;
///     trCheckOptions options = tr_check_options_default();
///     if (tr_check_create(model, system, &options, &check) == TR_OK) {
///         printf("%d degrees of freedom\n", check->degrees_of_freedom);
///     }
///     tr_check_destroy(check);

#ifndef TRAMMEL_CHECK_H
#define TRAMMEL_CHECK_H

#include "trammel/branches.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from tr_check_options_default().
typedef struct trCheckOptions {
    size_t          struct_size;     ///< set by tr_check_options_default(); lets the struct grow
    double          time;            ///< of the pose [s]
    double          rank_tolerance;  ///< on rows of A, relative, as in trSimDef
    const trSimDef *run;             ///< settings of the run to check for; NULL: any
} trCheckOptions;

TR_API trCheckOptions tr_check_options_default(void);

/// Velocities of the largest model that is checked; cost grows with the cube.
#define TR_CHECK_LIMIT 2000

/// Velocities of the largest model whose branches are computed; cost grows with the fourth power.
#define TR_CHECK_BRANCHES_LIMIT 300

typedef enum trSeverity {
    TR_NOTE,
    TR_WARNING,
    TR_PREVENTS,  ///< no run can start
} trSeverity;

/// A finding.
typedef struct trFinding {
    trSeverity  severity;
    const char *topic;   ///< "assembly", "massless", "redundant", "singular", "inertia", ...
    const char *part;    ///< the body, joint or coordinate, or the name of the model
    const char *reason;  ///< what is wrong
    const char *remedy;  ///< what to do, or ""
} trFinding;

/// Directions at a joint, unit vectors in world axes: of forces or translations, and of moments or
/// rotations.
typedef struct trDirections {
    int         count;         ///< independent ones; fewer than `forces` + `moments` if coupled
    int         forces;        ///< 0 to 3
    double      force[3][3];   ///< forces
    int         moments;       ///< 0 to 3
    double      moment[3][3];  ///< moments
    const char *text;          ///< "rotation about x and y"
} trDirections;

/// A joint or custom constraint of a set.
typedef struct trCheckPart {
    const char  *joint;
    const char  *kind;     ///< "revolute", ...; "constraint" for custom ones
    trDirections blocked;  ///< directions that others of the set block, too
} trCheckPart;

/// A change of a joint that frees redundant directions only.
typedef struct trCheckFix {
    const char *joint;
    const char *kind;
    const char *replace;  ///< kind to use instead; NULL: no kind has exactly these rows
    const char *text;     ///< "free rotation about x and y in joint 'D': ..."
} trCheckFix;

/// Joints that block the same motions several times.
typedef struct trCheckSet {
    int                redundancy;  ///< redundant rows
    int                parts;
    const trCheckPart *part;   ///< parts
    int                fixes;  ///< changes that together remove the redundancy; verified by rank
    const trCheckFix  *fix;    ///< fixes; 0: none was found
} trCheckSet;

/// A motion of a body or custom coordinate.
typedef struct trCheckMotion {
    const char *body;
    const char *text;      ///< "rotation about its axis"
    double      twist[6];  ///< velocity of the center of mass, angular velocity, world axes
} trCheckMotion;

/// Uniqueness of the load of a joint.
typedef struct trCheckLoad {
    const char  *joint;
    const char  *kind;
    bool         unique;
    trDirections open;  ///< directions in which it is not unique
    const char  *text;  ///< "force along crank0 (its x axis) not unique; across it unique"
} trCheckLoad;

/// Violation of a joint by the start in the model, as in tr_assembly_find().
typedef struct trCheckGap {
    const char *joint;
    double      length, angle, other;                 ///< [m], [rad], [unit]
    double      length_rate, angle_rate, other_rate;  ///< per second
    const char *unit;                                 ///< of `other`
} trCheckGap;

/// Result of a check; owns its strings.
typedef struct trCheck {
    int  velocities;          ///< nv, including rates of quaternions
    int  rows;                ///< m
    int  rank;                ///< of A at this pose
    int  degrees_of_freedom;  ///< velocities - rank
    int  free_positions;      ///< degrees of freedom without nonholonomic rows
    int  redundant;           ///< redundant rows in all poses
    int  poses;               ///< examined along the motion
    int  rank_elsewhere;      ///< the highest there
    bool singular;            ///< the rank is lower here than there
    bool assembled;           ///< the pose satisfies the joints
    bool near;                ///< some motion is nearly free
    bool prevents;            ///< a finding is TR_PREVENTS
    int  nq, sets, lost, massless, loads, gaps, findings;  ///< sizes of the lists below
    // lists:
    const trCheckSet    *set;       ///< sets: rows that are redundant in all poses
    const trCheckSet    *lost_set;  ///< lost: rows that are dependent in this pose only; no fixes
    const trCheckMotion *free_motion;  ///< massless: motions without mass
    const trCheckLoad   *load;         ///< loads: of joints and custom constraints
    const trCheckGap    *gap;          ///< gaps: joints violated by the start
    const trFinding     *finding;      ///< findings, TR_PREVENTS first
    const double        *q;            ///< nq: the pose, of centers of mass
    const double        *v;            ///< velocities: at it
    // the rest:
    const char   *refusal;   ///< why no run can start, or NULL
    const char   *unfit;     ///< why the run of the options cannot start, or NULL
    trCorrection  moved;     ///< by assembly; unit NULL: nothing
    trCorrection  changed;   ///< velocities, likewise
    double        smallest;  ///< nonzero singular value of A, rows and lengths scaled
    double        ratio;     ///< of it to the largest one
    double        size;      ///< length that compares angles with lengths [m]
    trCheckMotion nearly;    ///< the nearly free motion
    trBranches    branches;  ///< of a singular pose; else empty
    void         *memory;    ///< owns the rest
} trCheck;

/// Assembles and checks the system without simulating it. Problems are findings, not failures.
/// TR_E_UNSUPPORTED above TR_CHECK_LIMIT, TR_E_MODEL if the start cannot be evaluated. The system
/// must outlive the result.
TR_API trStatus tr_check_create(const trModel *model, const trSystem *system,
                                const trCheckOptions *options, trCheck **out) TR_MUST_CHECK;
TR_API void     tr_check_destroy(trCheck *check);  ///< NULL is allowed

// --- names until the next release: results on the stack ---

static inline trStatus tr_check(const trModel *model, const trSystem *system,
                                const trCheckOptions *options, trCheck *out) {
    trCheck *made = NULL;
    trStatus status = tr_check_create(model, system, options, &made);
    memset(out, 0, sizeof *out);
    if (made != NULL) {
        *out = *made;
    }
    return status;
}

static inline void tr_check_free(trCheck *result) {
    tr_check_destroy(result);
    memset(result, 0, sizeof *result);
}

#ifdef __cplusplus
}
#endif

#endif
