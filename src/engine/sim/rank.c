// SPDX-License-Identifier: MIT
// The rank of A at accepted states, and which of the rows that depend on each other are kept.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"

#define NEAR 1e-2  // pivot of A M^-1 A' relative to the best so far, near a singular pose
#define NEARLY_DEPENDENT 1e-2  // likewise, relative to its nominal size
#define FAR 0.1         // likewise, where it is what the rows of one joint leave of each other
#define REACH 2.0       // steps within which a pose may be reached
#define ROUNDING 2e-14  // of pivots, over the smallest one that is kept
#define MARGIN 10.0     // of the smallest pivot at the start over those that are dropped later

// Formulations that judge no rank leave that to the kernel that assembled the start, which does so
// in the metric of M, whatever units are.
trKernel *tr_rank_kernel(trSim *s, trKernel *kernel) {
    bool judges = (kernel->kind->traits & TR_JUDGES_NO_RANK) == 0 || s->methods.judge.kind == NULL;
    return judges ? kernel : &s->methods.judge;
}

static trStatus judge_rows(trSim *s, trKernel *kernel, trRowJudge *out) {
    trKernel *judges = tr_rank_kernel(s, kernel);
    TR_TRY(tr_projector_judge(&s->methods.by_units, judges, &s->eval.equations, out));
    out->stands_in |= judges != kernel;
    return TR_OK;
}

trStatus tr_sim_rank(trSim *s, trRank *out) {
    trRowJudge judge;
    TR_TRY(judge_rows(s, &s->methods.kernel, &judge));
    *out = judge.rank;
    return TR_OK;
}

trStatus tr_check_reactions(const trSim *s, const trRank *rank, trStatus status) {
    const trTracedSystem *traced = s->system->traced;
    if (traced == NULL || !traced->reactive || rank->dropped == 0) {
        return TR_OK;
    }
    tr_fail(status,
            "depends on the other constraints in the pose at t = %.9g s: reactions are not unique, "
            "and the function of s:nonideal uses them; remove redundant constraints",
            s->t);
    return tr_blame_row(s, status, rank->rows[0]);
}

static trStatus accept_projections(trSim *s) {
    const trEquations *e = &s->eval.equations;
    TR_TRY(tr_projector_accept(&s->methods.by_units, e));
    if (s->methods.by_identity.kind != NULL) {
        TR_TRY(tr_projector_accept(&s->methods.by_identity, e));
    }
    for (int i = 0; i < 2; i++) {
        if (s->methods.picked[i].kind != NULL) {
            TR_TRY(tr_projector_accept(&s->methods.picked[i], e));
        }
    }
    return TR_OK;
}

typedef struct Owner {
    trSim    *s;
    trKernel *kernel;
} Owner;

static trStatus judge(void *self, trRowJudge *out) {
    const Owner *owner = self;
    return judge_rows(owner->s, owner->kernel, out);
}

static void set_spare(void *self, int row, bool spare) {
    tr_eval_spare(&((const Owner *)self)->s->eval, row, spare);
}

static void exchanged(void *self, int goes, int comes) {
    trSim *s = ((const Owner *)self)->s;
    s->rows.dependent[goes] = true;
    s->rows.dependent[comes] = false;
    s->rows.redundant[goes] = s->rows.redundant[comes];
    s->rows.redundant[comes] = false;
    s->rows.exchanged = true;
}

// A start in a singular pose is no first choice: rows were chosen beside it.
trStatus tr_choose_rows(trSim *s, trKernel *kernel, trRank *rank) {
    Owner            self = {s, kernel};
    const trRowOwner owner = {&self, judge, set_spare, exchanged};
    const int least = s->rows.rank < 0 && s->pose.at_start ? s->rows.exchange.most : s->rows.rank;
    return tr_row_exchange_choose(&s->rows.exchange, &owner, least, rank);
}

// S = A M^-1 A' of the rows of one joint, of which `last` comes last. Returns how many there are; 0
// where they are recorded, or M does not tell.
static int mobility_of_joint(const trSim *s, int last, double S[TR_JOINT_ROWS][TR_JOINT_ROWS]) {
    const trEquations *e = &s->eval.equations;
    const trRows      *A = &e->A;
    const int          g = s->system->row_joint[last], first = A->group_row[g];
    const int          count = A->group_row[g + 1] - first;
    int                at[TR_JOINT_ROWS] = {0};  // of rows in S
    if (s->system->joint[g].recorded || e->M.diagonal == NULL) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        at[i] = first + i == last ? count - 1 : i < last - first ? i : i - 1;
    }
    memset(S, 0, TR_JOINT_ROWS * sizeof *S);
    for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
        const int     width = A->side_width[side];
        const double *mass = e->M.diagonal + A->side_column[side];
        const double *block = A->value + A->side_value[side];
        for (int i = 0; i < count * count * width; i++) {
            const int k = i % width, row = i / width / count, other = i / width % count;
            S[at[row]][at[other]] += block[row * width + k] * block[other * width + k] / mass[k];
        }
    }
    return count;
}

// The pivot of a row after those of its joint alone, relative to its nominal size. A body that is
// nearly a point gives the rows of one joint mobilities from 1 / m to 1 / m + r^2 / J, and which
// row has which depends on how the body is turned.
static double pivot_in_joint(const trSim *s, int row) {
    const double scale = s->eval.row_scale[row];
    double       S[TR_JOINT_ROWS][TR_JOINT_ROWS];
    const int    count = mobility_of_joint(s, row, S);
    for (int k = 0; k < count - 1; k++) {
        for (int i = k + 1; i < count; i++) {
            for (int j = k + 1; j < count; j++) {
                S[i][j] -= S[i][k] * S[k][j] / S[k][k];
            }
        }
    }
    const double pivot = count > 0 ? S[count - 1][count - 1] / (scale * scale) : 1.0;
    return pivot > 0.0 && pivot < 1.0 ? pivot : 1.0;
}

// The smallest pivot of A M^-1 A' relative to the best one so far: the square of the distance to a
// singular pose [rad], roughly. What a joint has by itself is no sign of a pose.
double tr_relative_pivot(const trSim *s, const trRank *rank) {
    const double pivot = rank->gap / s->pose.best_gap;
    if (rank->gap_row < 0 || !(pivot < FAR)) {
        return pivot;
    }
    return fmax(pivot, fmin(FAR, FAR * rank->gap / pivot_in_joint(s, rank->gap_row)));
}

bool tr_is_near_pose(const trSim *s, const trRank *rank) {
    return rank->rank < s->rows.exchange.most || tr_relative_pivot(s, rank) < NEAR;
}

// Whether a method that can pass singular poses is near one, or may come to one with the next
// steps.
static bool is_passing(trSim *s, const trRank *rank) {
    const double pivot = rank->rank < s->rows.exchange.most ? 0.0 : tr_relative_pivot(s, rank);
    const double elapsed = s->t - s->pose.distance_time;
    const double distance = sqrt(fmin(fmax(pivot, 0.0), 1.0));
    const double speed = elapsed > 0.0 ? (s->pose.distance - distance) / elapsed : 0.0;
    s->pose.distance = distance;
    s->pose.distance_time = s->t;
    const bool comes = s->stepper.adaptive && distance < REACH * s->stepper.h * speed;
    return (s->methods.traits & TR_COPES_SINGULAR_POSE) != 0 &&
           (pivot < (s->pose.passing ? 2.0 * NEAR : NEAR) || comes);
}

// What was kept at the start is not dropped because the pivot of a row that is written in world
// axes changes while the mechanism turns: by a factor of 3 at most.
static void leave_margin(trSim *s, const trRank *rank) {
    double *tolerance = &s->eval.equations.rank_tolerance;
    *tolerance = fmin(*tolerance, sqrt(rank->gap / MARGIN));
}

// Rank, and the nominal row norms by which it is judged: their running maximum.
trStatus tr_watch_rank(trSim *s) {
    trKernel *kernel = tr_rank_kernel(s, &s->methods.kernel);
    TR_TRY(tr_kernel_factor(kernel, &s->eval.equations));
    const double *norm = kernel->kind->row_norms(kernel->work);
    for (int i = 0; i < s->m; i++) {
        s->eval.row_scale[i] = fmax(s->eval.row_scale[i], sqrt(fmax(norm[i], 0.0)));
    }
    tr_eval_accept(&s->eval);
    trRank rank;
    TR_TRY(tr_choose_rows(s, &s->methods.kernel, &rank));
    if (s->rows.rank < 0 && rank.gap > 0.0) {
        leave_margin(s, &rank);
    }
    s->pose.best_gap = isfinite(rank.gap) ? fmax(s->pose.best_gap, rank.gap) : s->pose.best_gap;
    s->pose.passing = s->second.dae.passing = is_passing(s, &rank);
    TR_TRY(accept_projections(s));
    if (rank.rank == s->rows.rank) {
        return TR_OK;
    }
    int changed = -1;
    for (int k = 0; k < rank.dropped; k++) {
        s->rows.dependent[rank.rows[k]] ^= true;  // rows that were dependent before become unmarked
    }
    for (int i = 0; i < s->m && changed < 0; i++) {
        changed = s->rows.dependent[i] ? i : -1;
    }
    const char *name = changed < 0 ? "" : tr_name_of_row(s->system, changed);
    for (int i = 0; i < s->m; i++) {
        s->rows.dependent[i] = false;
    }
    for (int k = 0; k < rank.dropped; k++) {
        s->rows.dependent[rank.rows[k]] = true;
    }
    if (s->rows.rank >= 0) {
        TR_TRY(tr_check_reactions(s, &rank, TR_E_SIMULATION));
        if ((s->methods.traits & TR_COPES_SINGULAR_POSE) == 0) {
            return tr_refuse_pose(s, name);
        }
        if (s->notes.stats.rank_change_kept < TR_RANK_CHANGES_KEPT) {
            s->notes.change_row[s->notes.stats.rank_change_kept] = changed;
            s->notes.rank_change[s->notes.stats.rank_change_kept++] =
                (trRankChange){.time = s->t, .from = s->rows.rank, .to = rank.rank, .joint = name};
        }
        s->notes.stats.rank_changes++;
    }
    s->rows.rank = rank.rank;
    return TR_OK;
}

// How much of a joint's dropped rows the kept ones do not imply, at the accepted state; 0: nothing
// but rounding.
static double independent_part(trSim *s, int joint) {
    const trSystem *system = s->system;
    trRowJudge      judge;
    double          most = 0.0, pivot = 0.0;
    s->at_state = false;
    s->eval.z = s->x + s->nq + s->nv;
    if (tr_system_eval(system, s->t, s->x, s->x + s->nq, &s->eval) != TR_OK ||
        judge_rows(s, &s->methods.kernel, &judge) != TR_OK) {
        return 0.0;
    }
    for (int i = 0; i < s->m; i++) {
        bool counts = system->row_joint[i] == joint;
        if (counts &&
            tr_row_exchange_pivot(&s->rows.exchange, judge.kernel, &judge.e, i, &pivot) == TR_OK) {
            most = fmax(most, pivot);
        }
    }
    return most * fmin(1.0, judge.rank.gap) > ROUNDING ? sqrt(most) : 0.0;
}

trStatus tr_hint_nearly_dependent(trSim *s, trStatus status, int row) {
    char         words[TR_WORDS];
    const double tolerance = s->eval.equations.rank_tolerance;
    snprintf(words, sizeof words, "%s", tr_last_error());
    const double part = independent_part(s, s->system->row_joint[row]);
    tr_fail(status, "%s", words);
    if (!(part > 0.0) || !(part < 3.0 * tolerance)) {
        return status;
    }
    tr_add_hint(status,
                "; it nearly depends on the other %s, which leave %.1e of it: less than "
                "rank_tolerance (%.0e), so that it is not held; ",
                tr_word_for_rows(s), part, tolerance);
    return part / 3.0 >= TR_RANK_TOLERANCE_MIN
               ? tr_add_hint(status, "use rank_tolerance = %.0e", part / 3.0)
               : tr_add_hint(status, "place its points further apart");
}

int tr_nearly_dependent_row(const trSim *s) {
    const bool known =
        s->methods.kernel.stamp == s->eval.equations.stamp;  // A is what was factored
    const trRank rank = s->methods.kernel.kind->rank(s->methods.kernel.work);
    const int    row = rank.gap_row;
    const bool   near = row >= 0 && rank.gap < NEARLY_DEPENDENT;
    if (near && !(known && rank.gap >= FAR * pivot_in_joint(s, row))) {
        return row;
    }
    return rank.dropped > s->notes.stats.redundant_rows ? rank.rows[0] : -1;
}
