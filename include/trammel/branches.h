// SPDX-License-Identifier: MIT
/// @file branches.h The ways on from a pose in which constraints lose independence.
///
///     trBranches branches;
///     if (tr_branches_find(system, 0.0, q, def.rank_tolerance, &branches) == TR_OK) {
///         for (int i = 0; branches.singular && i < branches.count; i++) {
///             printf("branch %d: %s\n", i + 1, branches.branch[i].words);
///         }
///     }
///     tr_branches_free(&branches);

#ifndef TRAMMEL_BRANCHES_H
#define TRAMMEL_BRANCHES_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No more branches than this are looked for.
#define TR_BRANCHES_MAX 64

/// One way on. All velocities of it are combinations of the columns of `tangent`.
typedef struct trBranch {
    int           dof;      ///< degrees of freedom of the motion: columns of `tangent`
    const double *tangent;  ///< nv x dof, column after column: velocities, each scaled so that the
                            ///< largest rotation is 1 rad or, where nothing turns, the largest way
                            ///< of a body frame 1 m
    const double *time;     ///< dof: how much time passes meanwhile; 0 but for drives [s]
    int           rank;     ///< independent rows beside the pose
    int           loose;    ///< nv - rank - dof: velocities that the rows allow and that are no
                            ///< motions, all along the branch; loads on them have no finite answer
    const char   *loose_words;     ///< one of those, as `words`; "" if there is none
    const char   *words;           ///< "crank +1.00 rad, coupler y +1.00 m"
    const double *loose_velocity;  ///< nv: the one of loose_words; NULL if there is none
} trBranch;

typedef struct trBranches {
    int  count;
    bool more;                     ///< there may be more than these: "at least"
    bool unresolved;               ///< some motions are no linear spaces of velocities, or differ
                                   ///< in what is beyond second order only: not among these
    bool singular;                 ///< there is more than one motion, or fewer rows are
                                   ///< independent than beside the pose
    int             rank;          ///< independent rows in the pose
    int             generic_rank;  ///< beside it, the most of all branches
    int             rows, nv;      ///< of A
    const trBranch *branch;        ///< count; the same order every time
    void           *memory;        ///< owns the rest
} trBranches;

/// Finds the branches at a pose q (nq) on the constraints, at time t: one where the pose is not
/// singular, none where nothing can move. `rank_tolerance` as in trSimDef. TR_E_UNSUPPORTED for
/// constraints that are not linear in velocities. Dense: the time grows with the cube of nv.
/// The result is empty after a failure.
TR_API trStatus tr_branches_find(const trSystem *system, double t, const double *q,
                                 double rank_tolerance, trBranches *out) TR_MUST_CHECK;
TR_API void     tr_branches_free(trBranches *branches);  ///< an empty one is allowed

/// A state to start from, for trSimDef.
typedef struct trBranchStart {
    trNumbers    q, v;     ///< nq, nv
    double       time;     ///< later than `start` of the definition where drives move [s]
    trCorrection moved;    ///< largest change of the assembled pose
    bool         rest;     ///< it starts at rest
    const char  *words;    ///< of the branch
    const char  *warning;  ///< what must be known about results on this branch; NULL: nothing
    void        *memory;   ///< owns the rest
} trBranchStart;

/// The start on branch `number` (1, 2, ...) of the pose that `def` assembles to: the pose is moved
/// along the branch, out of the singular zone, and the velocity is the part along the branch of
/// that in `def`, with the energy of the pose that was left. At rest it is moved to where forces
/// drive it. TR_E_ARGUMENT, in words, where the pose is not singular or has no such branch.
TR_API trStatus tr_branch_start(const trSystem *system, const trSimDef *def, int number,
                                trBranchStart *out) TR_MUST_CHECK;
TR_API void     tr_branch_start_free(trBranchStart *start);  ///< an empty one is allowed

#ifdef __cplusplus
}
#endif

#endif
