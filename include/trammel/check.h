// SPDX-License-Identifier: MIT
/// @file check.h What a model is before it runs: degrees of freedom, redundant joints and how to
/// free them, singular poses, motions without mass, reactions that are not unique, odd numbers.
///
///     trCheck        check;
///     trCheckOptions options = tr_check_options_default();
///     if (tr_check(model, system, &options, &check) == TR_OK) {
///         printf("%d degrees of freedom\n", check.degrees_of_freedom);
///     }
///     tr_check_free(&check);

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
    const trSimDef *run;  ///< the run that is meant, which may refuse the model; NULL: any
} trCheckOptions;

TR_API trCheckOptions tr_check_options_default(void);

/// Velocities of the largest model that is checked; work grows with the third power.
#define TR_CHECK_LIMIT 2000

/// Branches of a singular pose are looked for up to so many velocities: the time grows with the
/// fourth power.
#define TR_CHECK_BRANCHES_LIMIT 300

typedef enum trSeverity {
    TR_NOTE,
    TR_WARNING,
    TR_PREVENTS,  ///< no run begins
} trSeverity;

/// One thing to know or to change.
typedef struct trFinding {
    trSeverity  severity;
    const char *topic;  ///< "assembly", "massless", "redundant", "singular", "inertia", ...
    const char
        *part;  ///< the body, joint or coordinate; the model's name where it is no single one
    const char *reason;  ///< what is wrong
    const char *remedy;  ///< what to do; "" where nothing has to be done
} trFinding;

/// Directions at a joint, unit vectors in world axes: of forces or translations, and of moments or
/// rotations.
typedef struct trDirections {
    int         count;         ///< of independent ones; less than `forces` + `moments`: coupled
    int         forces;        ///< 0 to 3
    double      force[3][3];   ///< forces
    int         moments;       ///< 0 to 3
    double      moment[3][3];  ///< moments
    const char *text;          ///< "rotation about x and y"
} trDirections;

/// A joint, or a constraint of the user's own, that takes part in a set.
typedef struct trCheckPart {
    const char  *joint;
    const char  *kind;     ///< "revolute", ...; "constraint" of the user's own
    trDirections blocked;  ///< what it blocks that others of the set block too
} trCheckPart;

/// A change of a joint that frees redundant directions and nothing else.
typedef struct trCheckFix {
    const char *joint;
    const char *kind;
    const char *replace;  ///< the kind to take in its place; NULL: no kind has just these rows
    const char *text;     ///< "free rotation about x and y in joint 'D': ..."
} trCheckFix;

/// Joints that block the same motions several times.
typedef struct trCheckSet {
    int                redundancy;  ///< rows too many
    int                parts;
    const trCheckPart *part;   ///< parts
    int                fixes;  ///< that together remove the redundancy; the rank was computed again
    const trCheckFix  *fix;    ///< fixes; 0: none was found
} trCheckSet;

/// A motion of one body, or of a coordinate of the user's own.
typedef struct trCheckMotion {
    const char *body;
    const char *text;      ///< "rotation about its axis"
    double      twist[6];  ///< velocity of the center of mass, angular velocity, world axes
} trCheckMotion;

/// Whether the load of a joint follows from the motion.
typedef struct trCheckLoad {
    const char  *joint;
    const char  *kind;
    bool         unique;
    trDirections open;  ///< in which it does not
    const char  *text;  ///< "force along crank0 (its x axis) not unique; across it unique"
} trCheckLoad;

/// How far the start as the model gives it is off at one joint: distances, the same as of
/// tr_assembly_find().
typedef struct trCheckGap {
    const char *joint;
    double      length, angle, other;                 ///< [m], [rad], [unit]
    double      length_rate, angle_rate, other_rate;  ///< per second
    const char *unit;                                 ///< of `other`
} trCheckGap;

/// What was found. Plain data; texts live as long as it.
typedef struct trCheck {
    int  velocities;          ///< nv, with those of quaternions
    int  rows;                ///< m
    int  rank;                ///< of A at this pose
    int  degrees_of_freedom;  ///< velocities - rank
    int  free_positions;      ///< without rows that hold velocities only
    int  redundant;           ///< rows too many everywhere
    int  poses;               ///< that were reached along the motion
    int  rank_elsewhere;      ///< the highest there
    bool singular;            ///< the rank is lower here than there
    bool assembled;           ///< the pose satisfies the joints
    bool near;                ///< something nearly moves
    bool prevents;            ///< some finding prevents a run
    int  nq, sets, lost, massless, loads, gaps, findings;  ///< sizes of the lists below
    // lists:
    const trCheckSet    *set;          ///< sets: of rows that are dependent everywhere
    const trCheckSet    *lost_set;     ///< lost: of rows that are dependent in this pose; no fixes
    const trCheckMotion *free_motion;  ///< massless: motions without mass
    const trCheckLoad   *load;         ///< loads: of joints and constraints of the user's own
    const trCheckGap    *gap;          ///< gaps: joints that the start as given violates
    const trFinding     *finding;      ///< findings, those that prevent a run first
    const double        *q;            ///< nq: the pose, of centers of mass
    const double        *v;            ///< velocities: at it
    // the rest:
    const char   *refusal;  ///< why no run begins; NULL: it does
    const char   *unfit;  ///< why the run of the options does not; NULL: it does, as far as others
    trCorrection  moved;  ///< by assembly; unit NULL: not
    trCorrection  changed;   ///< velocities, likewise
    double        smallest;  ///< nonzero singular value of A, rows and lengths scaled
    double        ratio;     ///< of it to the largest one
    double        size;      ///< length by which angles are compared with lengths [m]
    trCheckMotion nearly;    ///< what nearly moves
    trBranches    branches;  ///< the ways on from a singular pose; empty elsewhere
    void         *memory;    ///< owns the rest
} trCheck;

/// Assembles the system as a run would, and looks at it; nothing is simulated. What prevents a run
/// is a finding, not a failure. TR_E_UNSUPPORTED above TR_CHECK_LIMIT, TR_E_MODEL where the start
/// cannot be evaluated. The system must outlive the
/// result, which is empty after a failure.
TR_API trStatus tr_check(const trModel *model, const trSystem *system,
                         const trCheckOptions *options, trCheck *out) TR_MUST_CHECK;
TR_API void     tr_check_free(trCheck *check);  ///< an empty one is allowed

#ifdef __cplusplus
}
#endif

#endif
