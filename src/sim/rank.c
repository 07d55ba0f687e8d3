// SPDX-License-Identifier: MIT
// The rank of A at accepted states, and which of the rows that depend on each other are kept.

#include <math.h>

#include "sim/sim.h"

#define NEAR 1e-2  // pivot of A M^-1 A' relative to the best so far, near a singular pose
#define REACH 2.0  // steps within which a pose may be reached

trStatus tr_sim_rank(trSim *s, trRank *out) {
    *out = s->kernel.kind->rank(s->kernel.work);
    return out->unjudged == 0 ? TR_OK : tr_projector_rank(&s->by_identity, &s->eval.equations, out);
}

// Friction that is made from reactions needs them to be unique; at the start it is refused.
static trStatus check_reactions(const trSim *s, const trRank *rank) {
    const trTracedSystem *traced = s->system->traced;
    if (traced == NULL || !traced->reactive || rank->dropped == 0) {
        return TR_OK;
    }
    tr_fail(TR_E_SIMULATION,
            "depends on the other constraints in the pose at t = %.9g s: reactions are not unique, "
            "and the function of s:nonideal uses them; remove what is held twice",
            s->t);
    return tr_blame_joint(TR_E_SIMULATION, &s->system->joint[s->system->row_joint[rank->rows[0]]]);
}

static trStatus accept_projections(trSim *s) {
    const trEquations *e = &s->eval.equations;
    TR_TRY(tr_projector_accept(&s->by_identity, e));
    for (int i = 0; i < 2; i++) {
        if (s->picked[i].kind != NULL) {
            TR_TRY(tr_projector_accept(&s->picked[i], e));
        }
    }
    return TR_OK;
}

// The kernel that judges the rank, and the equations it has factored: those of the motion, or with
// unit masses.
typedef struct Judge {
    trKernel   *kernel;
    trEquations e;
} Judge;

static trStatus find_judge(trSim *s, trKernel *kernel, Judge *judge, trRank *rank) {
    const trEquations *e = &s->eval.equations;
    *judge = (Judge){kernel, *e};
    *rank = kernel->kind->rank(kernel->work);
    if (rank->unjudged == 0) {
        return TR_OK;
    }
    *judge = (Judge){s->by_identity.kernel, tr_projector_equations(&s->by_identity, e)};
    return tr_projector_rank(&s->by_identity, e, rank);
}

static trStatus judge_again(trSim *s, trKernel *kernel, Judge *judge, trRank *rank) {
    TR_TRY(tr_kernel_factor(kernel, &s->eval.equations));
    return find_judge(s, kernel, judge, rank);
}

// One row is kept instead of another; the others that were dropped stay so.
static void exchange(trSim *s, const trRank *rank, int goes, int comes) {
    for (int i = 0; i < rank->dropped; i++) {
        tr_eval_spare(&s->eval, rank->rows[i], true);
    }
    tr_eval_spare(&s->eval, goes, true);
    tr_eval_spare(&s->eval, comes, false);
    s->dependent[goes] = true;
    s->dependent[comes] = false;
    s->redundant[goes] = s->redundant[comes];
    s->redundant[comes] = false;
    s->exchanged = true;
}

// Each exchange enlarges the volume of the kept rows, so that none comes back; m bounds the work.
// In a singular pose the choice stays: the rows that are lost there are needed beside it.
trStatus tr_choose_rows(trSim *s, trKernel *kernel, trRank *rank) {
    Judge judge;
    int   goes = -1, comes = -1, missing = -1;
    TR_TRY(find_judge(s, kernel, &judge, rank));
    s->chooses = judge.kernel == kernel || (kernel->kind->traits & TR_JUDGES_NO_RANK) != 0;
    if (!s->chooses) {  // rows of massless bodies are never dropped
        return TR_OK;
    }
    TR_TRY(tr_row_exchange_missing(&s->exchange, judge.kernel, &judge.e, &missing));
    if (missing >= 0) {
        tr_eval_spare(&s->eval, missing, false);
        TR_TRY(judge_again(s, kernel, &judge, rank));
    }
    for (int i = 0; i < s->m && rank->rank >= s->rank; i++) {
        TR_TRY(tr_row_exchange_find(&s->exchange, judge.kernel, &judge.e, rank, &goes, &comes));
        if (goes < 0) {
            break;
        }
        exchange(s, rank, goes, comes);
        TR_TRY(judge_again(s, kernel, &judge, rank));
    }
    return TR_OK;
}

// The smallest pivot of A M^-1 A' relative to the best one so far: the square of the distance to a
// singular pose [rad], roughly.
static double relative_pivot(const trSim *s, const trRank *rank) {
    return rank->rank < s->rank ? 0.0 : rank->gap / s->best_gap;
}

bool tr_is_near_pose(const trSim *s, const trRank *rank) {
    return relative_pivot(s, rank) < NEAR;
}

// Whether a method that can pass singular poses is near one, or may come to one with the next step.
static bool is_passing(trSim *s, const trRank *rank) {
    const double pivot = relative_pivot(s, rank), elapsed = s->t - s->distance_time;
    const double distance = sqrt(fmin(fmax(pivot, 0.0), 1.0));
    const double speed = elapsed > 0.0 ? (s->distance - distance) / elapsed : 0.0;
    s->distance = distance;
    s->distance_time = s->t;
    return (s->traits & TR_COPES_SINGULAR_POSE) != 0 &&
           (pivot < (s->passing ? 2.0 * NEAR : NEAR) || distance < REACH * s->h * speed);
}

// Rank, and the nominal row norms by which it is judged: their running maximum.
trStatus tr_watch_rank(trSim *s) {
    const double *norm = s->kernel.kind->row_norms(s->kernel.work);
    for (int i = 0; i < s->m; i++) {
        s->eval.row_scale[i] = fmax(s->eval.row_scale[i], sqrt(fmax(norm[i], 0.0)));
    }
    tr_eval_accept(&s->eval);
    trRank rank;
    TR_TRY(tr_choose_rows(s, &s->kernel, &rank));
    s->best_gap = isfinite(rank.gap) ? fmax(s->best_gap, rank.gap) : s->best_gap;
    s->passing = s->dae.passing = is_passing(s, &rank);
    TR_TRY(accept_projections(s));
    if (rank.rank == s->rank) {
        return TR_OK;
    }
    int changed = -1;
    for (int k = 0; k < rank.dropped; k++) {
        s->dependent[rank.rows[k]] ^= true;  // rows that were dependent before become unmarked
    }
    for (int i = 0; i < s->m && changed < 0; i++) {
        changed = s->dependent[i] ? i : -1;
    }
    const char *name = changed < 0 ? "" : tr_name_of_row(s->system, changed);
    for (int i = 0; i < s->m; i++) {
        s->dependent[i] = false;
    }
    for (int k = 0; k < rank.dropped; k++) {
        s->dependent[rank.rows[k]] = true;
    }
    if (s->rank >= 0) {
        TR_TRY(check_reactions(s, &rank));
        if ((s->traits & TR_COPES_SINGULAR_POSE) == 0) {
            return tr_refuse_pose(s, name);
        }
        if (s->stats.rank_change_kept < TR_RANK_CHANGES_KEPT) {
            s->change_row[s->stats.rank_change_kept] = changed;
            s->rank_change[s->stats.rank_change_kept++] =
                (trRankChange){.time = s->t, .from = s->rank, .to = rank.rank, .joint = name};
        }
        s->stats.rank_changes++;
    }
    s->rank = rank.rank;
    return TR_OK;
}
