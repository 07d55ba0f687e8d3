// SPDX-License-Identifier: MIT
/// @file branches.h Branches: the motions out of a pose in which constraints become dependent.
///
///     trBranches *branches = NULL;
///     if (tr_branches_create(system, 0.0, q, def.rank_tolerance, &branches) == TR_OK) {
///         for (int i = 0; branches->singular && i < branches->count; i++) {
///             printf("branch %d: %s\n", i + 1, branches->branch[i].words);
///         }
///     }
///     tr_branches_destroy(branches);

#ifndef TRAMMEL_BRANCHES_H
#define TRAMMEL_BRANCHES_H

#include <string.h>

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest number of branches.
#define TR_BRANCHES_MAX 64

/// A branch. Its velocities are combinations of the columns of `tangent`.
typedef struct trBranch {
    int           dof;      ///< degrees of freedom of the motion: columns of `tangent`
    const double *tangent;  ///< nv x dof, column by column, scaled to a largest rotation of 1 rad
                            ///< or, if nothing turns, a largest displacement of 1 m
    const double *time;     ///< dof: change of time; 0 except for drives [s]
    int           rank;     ///< independent rows on the branch
    int loose;  ///< nv - rank - dof: velocities, all along the branch, that the rows allow
                ///< but that are not motions; loads on them have no finite response
    const char   *loose_words;     ///< one of those, as `words`, or ""
    const char   *words;           ///< "crank +1.00 rad, coupler y +1.00 m"
    const double *loose_velocity;  ///< nv: the one of loose_words, or NULL
} trBranch;

typedef struct trBranches {
    int  count;
    bool more;                     ///< there may be more than these
    bool unresolved;               ///< some motions are not linear spaces of velocities, or differ
                                   ///< beyond second order only; they are not included
    bool singular;                 ///< several branches, or fewer independent rows than beside
                                   ///< the pose
    int             rank;          ///< independent rows in the pose
    int             generic_rank;  ///< on the branches, the largest
    int             rows, nv;      ///< of A
    const trBranch *branch;        ///< count, in a reproducible order
    void           *memory;        ///< owns the rest
} trBranches;

/// Finds the branches at a pose q (nq) on the constraints at time t: one if the pose is not
/// singular, none if nothing can move. `rank_tolerance` as in trSimDef. TR_E_UNSUPPORTED for
/// constraints that are not linear in velocities. Cost grows with the cube of nv.
TR_API trStatus tr_branches_create(const trSystem *system, double t, const double *q,
                                   double rank_tolerance, trBranches **out) TR_MUST_CHECK;
TR_API void     tr_branches_destroy(trBranches *branches);  ///< NULL is allowed

/// A start state for trSimDef.
typedef struct trBranchStart {
    trNumbers    q, v;     ///< nq, nv
    double       time;     ///< later than `start` of the definition if drives move [s]
    trCorrection moved;    ///< largest change from the assembled pose
    bool         rest;     ///< starts at rest
    const char  *words;    ///< description of the branch
    const char  *warning;  ///< about results on this branch, or NULL
    void        *memory;   ///< owns the rest
} trBranchStart;

/// Computes the start on branch `number` (1, 2, ...) of the pose that `def` assembles to. The pose
/// moves along the branch out of the singular zone; the velocity is the part of that in `def` along
/// the branch, with the same energy. At rest the pose moves to where forces drive it. TR_E_ARGUMENT
/// if the pose is not singular or has no such branch.
TR_API trStatus tr_branch_start_create(const trSystem *system, const trSimDef *def, int number,
                                       trBranchStart **out) TR_MUST_CHECK;
TR_API void     tr_branch_start_destroy(trBranchStart *start);  ///< NULL is allowed

// --- names until the next release: results on the stack ---

static inline trStatus tr_branches_find(const trSystem *system, double t, const double *q,
                                        double rank_tolerance, trBranches *out) {
    trBranches *made = NULL;
    trStatus    status = tr_branches_create(system, t, q, rank_tolerance, &made);
    memset(out, 0, sizeof *out);
    if (made != NULL) {
        *out = *made;
    }
    return status;
}

static inline void tr_branches_free(trBranches *result) {
    tr_branches_destroy(result);
    memset(result, 0, sizeof *result);
}

static inline trStatus tr_branch_start(const trSystem *system, const trSimDef *def, int number,
                                       trBranchStart *out) {
    trBranchStart *made = NULL;
    trStatus       status = tr_branch_start_create(system, def, number, &made);
    memset(out, 0, sizeof *out);
    if (made != NULL) {
        *out = *made;
    }
    return status;
}

static inline void tr_branch_start_free(trBranchStart *result) {
    tr_branch_start_destroy(result);
    memset(result, 0, sizeof *result);
}

#ifdef __cplusplus
}
#endif

#endif
