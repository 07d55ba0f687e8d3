// SPDX-License-Identifier: MIT
// A state to start from on one branch. In the singular pose itself accelerations along other
// branches are not determined by A a = b (third-order terms decide), so the start is moved along
// the branch until the rows are clearly as independent as they are there:
//
//     v = T y,  |v - v of the model|_M smallest        at the pose
//     q(s) on the rows, q'(s) by differences           s = 1e-3 rad, 2e-3 rad, ...
//     v(s) = c q'(s),  T + V as at the pose            or at rest

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "branches/branches.h"
#include "la/symmetric.h"

#define FIRST_DISTANCE 1e-3  // [rad], or parts of the mechanism's size
#define LAST_DISTANCE 0.1
#define CLEARLY 10.0     // times the tolerance of ranks
#define NO_SPEED 1e-9    // of the velocities of the model
#define DIFFERENCE 0.25  // of the distance

typedef struct Start {
    trArena        *arena;    // of the result
    trArena        *scratch;  // of the rest
    const trSystem *system;
    const trSimDef *def;
    int             nq, nv;
    double         *q0;     // nq: assembled
    double         *model;  // nv: velocities of the model there
    trFork          pose;
    trWalk          walk;
    trBranches     *all;
    const trBranch *branch;
    double         *v;      // nv: at the pose, along the branch
    double         *w;      // n: the way, measure 1
    double         *ahead;  // nq
    double         *slope;  // nv: q'(s)
    double         *q1;     // nq: the result, as the next one
    double         *v1;     // nv
    double          t1;     // [s]
} Start;

// The assembled pose, by a simulation that is never run. It starts at rest: velocities that belong
// to no branch would be refused.
static trStatus assemble_at_rest(Start *s) {
    trSim   *sim = NULL;
    trSimDef plain = tr_sim_def_default();
    plain.start = s->def->start;
    plain.rank_tolerance = s->def->rank_tolerance;
    plain.q = s->def->q;
    plain.v = (trNumbers){s->nv, s->v};
    trStatus status = tr_sim_create(s->system, &plain, &sim);
    if (status == TR_OK) {
        tr_copy(s->nq, tr_sim_q(sim), s->q0);
    }
    tr_sim_destroy(sim);
    return status;
}

// Where drives move, the velocity of least energy may belong to no branch either: then positions
// alone, in the metric of the walk.
static trStatus assemble(Start *s) {
    if (s->def->q.count > 0) {
        tr_copy(s->nq, s->def->q.at, s->q0);
    } else {
        tr_system_start(s->system, s->q0, s->model);
    }
    if (assemble_at_rest(s) == TR_OK) {
        return TR_OK;
    }
    TR_TRY(tr_fork_find(s->scratch, s->system, s->def->start, s->q0, s->def->rank_tolerance,
                        &s->pose));
    tr_walk_plan(s->scratch, &s->pose, &s->walk);
    TR_TRY(tr_arena_status(s->scratch));
    if (s->pose.n == s->pose.nv ||
        tr_walk(&s->pose, s->pose.zero, FIRST_DISTANCE, &s->walk) != TR_OK) {
        return assemble_at_rest(s);  // in its words
    }
    tr_copy(s->nq, s->walk.q, s->q0);
    return TR_OK;
}

// What the caller gives, or the model.
static void give_velocities(Start *s) {
    if (s->def->v.count > 0) {
        tr_copy(s->nv, s->def->v.at, s->model);
    } else {
        tr_system_start_velocity(s->system, s->q0, s->model);
    }
}

// x' M y at what was evaluated last; `work` nv.
static double mass_product(const Start *s, const double *x, const double *y, double *work) {
    tr_eval_mul_M(s->pose.eval, y, work);
    return tr_dot(s->nv, x, work);
}

// out = T y with T' M T y = right (dim, overwritten), T from column `first` on.
static trStatus combine(Start *s, int first, double *right, double *out) {
    int     nv = s->nv, dim = s->branch->dof - first;
    size_t  square = (size_t)dim * (size_t)dim;
    double *E = tr_new_array(s->scratch, double, square + 5 * (size_t)dim), *value = E + square;
    double *work = tr_new_array(s->scratch, double, nv);
    TR_TRY(tr_arena_status(s->scratch));
    const double *T = s->branch->tangent + (ptrdiff_t)first * nv;
    for (int a = 0; a < dim; a++) {
        for (int c = 0; c < dim; c++) {
            E[a + (ptrdiff_t)c * dim] =
                mass_product(s, T + (ptrdiff_t)a * nv, T + (ptrdiff_t)c * nv, work);
        }
    }
    if (dim > 0) {
        TR_TRY(tr_symmetric_eigen(dim, E, value, value + dim));
    }
    for (int e = 0; e < dim; e++) {  // motions without mass get nothing
        const double *x = E + (ptrdiff_t)e * dim;
        bool          none = !(value[e] > 1e-14 * value[dim - 1]);
        for (int a = 0; a < dim && !none; a++) {
            double part = tr_dot(dim, x, right) / value[e] * x[a];
            tr_add_scaled(nv, part, T + (ptrdiff_t)a * nv, out);
        }
    }
    return TR_OK;
}

// v: the part along the branch of the model's velocities; what drives prescribe comes first.
static trStatus find_velocity(Start *s) {
    int     nv = s->nv, first = s->branch->time[0] != 0.0 ? 1 : 0;
    double *right = tr_new_array(s->scratch, double, s->branch->dof);
    double *work = tr_new_array(s->scratch, double, nv), *rest = s->slope;
    TR_TRY(tr_arena_status(s->scratch));
    TR_TRY(tr_eval_at(s->pose.eval, s->pose.t, s->q0, s->pose.zero, NULL));
    for (int i = 0; i < nv; i++) {
        s->v[i] = first == 1 ? s->branch->tangent[i] / s->branch->time[0] : 0.0;
        rest[i] = s->model[i] - s->v[i];
    }
    for (int a = first; a < s->branch->dof; a++) {
        right[a - first] = mass_product(s, s->branch->tangent + (ptrdiff_t)a * nv, rest, work);
    }
    return combine(s, first, right, s->v);
}

// The way of a start at rest: where forces drive it; else the first tangent.
static trStatus find_way_at_rest(Start *s) {
    int     nv = s->nv;
    double *right = tr_new_array(s->scratch, double, s->branch->dof), most = 0.0, all = 0.0;
    TR_TRY(tr_arena_status(s->scratch));
    memset(s->w, 0, (size_t)s->pose.n * sizeof *s->w);
    TR_TRY(tr_eval_at(s->pose.eval, s->pose.t, s->q0, s->pose.zero, NULL));
    for (int a = 0; a < s->branch->dof; a++) {
        for (int i = 0; i < nv; i++) {
            double part = s->branch->tangent[i + (ptrdiff_t)a * nv] * tr_eval_Q(s->pose.eval)[i];
            right[a] += part;
            all += fabs(part);
        }
        most = fmax(most, fabs(right[a]));
    }
    if (most > NO_SPEED * all) {
        TR_TRY(combine(s, 0, right, s->w));
    }
    if (!(tr_fork_measure(&s->pose, s->w) > 0.0)) {
        tr_copy(nv, s->branch->tangent, s->w);
    }
    return TR_OK;
}

static void scale_way(Start *s) {
    double size = tr_fork_measure(&s->pose, s->w);
    for (int i = 0; i < s->pose.n; i++) {
        s->w[i] /= size;
    }
}

static trStatus walk_on(Start *s, double *distance) {
    trFork *p = &s->pose;
    for (*distance = FIRST_DISTANCE; *distance <= LAST_DISTANCE; *distance *= 2.0) {
        TR_TRY(tr_walk(p, s->w, *distance, &s->walk));
        TR_TRY(tr_fork_factor(p, s->walk.t, s->walk.q, CLEARLY * p->tolerance));
        if (p->qr.rank >= s->branch->rank) {
            tr_copy(s->nq, s->walk.q, s->q1);
            s->t1 = s->walk.t;
            return TR_OK;
        }
    }
    return tr_fail(TR_NO_CONVERGENCE, "the branch does not leave the singular zone within %g rad",
                   LAST_DISTANCE);
}

// q'(s) by a central difference, with what violates A q' = b1 tau taken out.
static trStatus find_slope(Start *s, double distance) {
    trFork *p = &s->pose;
    double  h = DIFFERENCE * distance;
    TR_TRY(tr_walk(p, s->w, distance + h, &s->walk));
    tr_copy(s->nq, s->walk.q, s->ahead);
    TR_TRY(tr_walk(p, s->w, distance - h, &s->walk));
    tr_system_difference(s->system, s->ahead, s->walk.q, s->slope);
    double tau = p->n > p->nv ? s->w[p->nv] : 0.0;
    for (int i = 0; i < p->nv; i++) {
        s->slope[i] /= 2.0 * h;
    }
    TR_TRY(tr_fork_factor(p, s->t1, s->q1, p->tolerance));
    tr_eval_mul_A(p->eval, s->slope, p->right);
    tr_add_scaled(p->m, -tau, tr_eval_b1(p->eval), p->right);
    tr_fork_correct(p, p->right);
    if (p->n == p->nv) {
        tr_add_scaled(p->nv, 1.0, p->step, s->slope);
    }
    return TR_OK;
}

// The velocity at q1 that has the energy of (q0, v); false where there is not so much of it.
static trStatus find_speed(Start *s, bool *enough) {
    trEval *eval = s->pose.eval;
    double  speed = tr_fork_measure(&s->pose, s->v);
    bool    timed = s->pose.n > s->pose.nv;
    for (int i = 0; i < s->nv; i++) {
        s->v1[i] = timed ? s->slope[i] / s->w[s->pose.nv] : speed * s->slope[i];
    }
    TR_TRY(tr_eval_at(eval, s->pose.t, s->q0, s->v, NULL));
    const trEnergy before = tr_eval_energy(eval);
    TR_TRY(tr_eval_at(eval, s->t1, s->q1, s->v1, NULL));
    const trEnergy after = tr_eval_energy(eval);
    const double   left = before.kinetic + before.potential - after.potential;
    *enough = timed || left > 0.0 || !(after.kinetic > 0.0);
    for (int i = 0; *enough && !timed && after.kinetic > 0.0 && i < s->nv; i++) {
        s->v1[i] *= sqrt(left / after.kinetic);
    }
    return TR_OK;
}

// With the velocity, or at rest.
static trStatus leave(Start *s, bool *rest) {
    double distance = 0.0;
    bool   enough = true;
    if (*rest) {
        TR_TRY(find_way_at_rest(s));
    } else {
        tr_copy(s->nv, s->v, s->w);
        s->w[s->pose.nv] = s->pose.n > s->pose.nv ? 1.0 : 0.0;
    }
    scale_way(s);
    TR_TRY(walk_on(s, &distance));
    if (*rest) {
        memset(s->v1, 0, (size_t)s->nv * sizeof *s->v1);
        return TR_OK;
    }
    TR_TRY(find_slope(s, distance));
    TR_TRY(find_speed(s, &enough));
    if (!enough) {  // it would come to rest and turn before it is there
        *rest = true;
        return leave(s, rest);
    }
    return TR_OK;
}

#define NO_LOAD 1e-9  // of the sum of parts of a power that vanishes

// Where the joints hold a velocity x to second order only, all along the branch, x is in the null
// space of A and no reaction A' lambda has a part along it: what acts on it, x' Q, would need
// infinite ones.
trStatus tr_branch_refuse_loads(const trFork *pose, const trBranch *branch, int number, double t,
                                const double *q, const double *v) {
    const double *x = branch->loose_velocity;
    double        power = 0.0, size = 0.0;
    if (x == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_eval_at(pose->eval, t, q, v, NULL));
    const double *Q = tr_eval_Q(pose->eval);
    for (int i = 0; i < pose->nv; i++) {
        power += x[i] * Q[i];
        size += fabs(x[i] * Q[i]);
    }
    if (fabs(power) <= NO_LOAD * size) {
        return TR_OK;
    }
    return tr_fail(
        TR_E_MODEL,
        "all along branch %d the joints hold one velocity (%s) to second order only, and "
        "forces act on it: reactions would be infinite; remove these forces, or choose another "
        "branch",
        number, branch->loose_words);
}

// Why the pose has no numbered branches at all.
static trStatus refuse_pose(const trBranches *all) {
    const char *text = "the pose is not singular: there is one motion only; leave --branch out";
    if (all->unresolved) {
        text = "the motions of this singular pose are not linear spaces of velocities, so they "
               "have no numbers; start beside the pose";
    } else if (all->count == 0) {
        text = "nothing can move in this pose: it has no branches; leave --branch out";
    }
    return tr_fail(TR_E_ARGUMENT, "%s", text);
}

#define BRANCHES_TOLD 4

static trStatus choose(Start *s, int number) {
    const trBranches *all = s->all;
    if (!all->singular || all->count == 0) {
        return refuse_pose(all);
    }
    if (number < 1 || number > all->count) {
        tr_fail(TR_E_ARGUMENT, "there is no branch %d; choose one of %s%d:", number,
                all->more || all->unresolved ? "at least " : "", all->count);
        for (int i = 0; i < all->count && i < BRANCHES_TOLD; i++) {
            tr_add_hint(TR_E_ARGUMENT, "%s %d (%s)", i > 0 ? "," : "", i + 1, all->branch[i].words);
        }
        return tr_add_hint(TR_E_ARGUMENT, "%s", all->count > BRANCHES_TOLD ? ", ..." : "");
    }
    s->branch = &all->branch[number - 1];
    if (s->pose.n > s->pose.nv && s->branch->time[0] == 0.0) {
        return tr_fail(TR_E_ARGUMENT,
                       "on branch %d (%s) drives stand still, but they move at this time; choose "
                       "another branch",
                       number, s->branch->words);
    }
    return TR_OK;
}

static trCorrection largest_change(const Start *s) {
    trCorrection most = {0};
    tr_system_difference(s->system, s->q1, s->q0, s->slope);
    for (int i = 0; i < s->nv; i++) {
        const trCoordinateInfo at = tr_system_velocity(s->system, i);
        if (fabs(s->slope[i]) > most.value) {
            most = (trCorrection){fabs(s->slope[i]), at.turns ? "rad" : at.unit, at.name};
        }
    }
    return most;
}

static trStatus tell(Start *s, bool rest, trBranchStart *out) {
    *out = (trBranchStart){.q = {s->nq, s->q1},
                           .v = {s->nv, s->v1},
                           .time = s->t1,
                           .moved = largest_change(s),
                           .rest = rest,
                           .words = tr_arena_text(s->arena, s->branch->words)};
    if (s->branch->loose > 0) {
        out->warning = tr_arena_format(
            s->arena,
            "all along this branch the joints hold one velocity (%s) to second order only: loads "
            "on it, that of inertia too, have no finite reactions, and a run with such loads goes "
            "wrong",
            s->branch->loose_words);
    }
    return tr_arena_status(s->arena);
}

static trStatus plan(Start *s) {
    s->nq = tr_system_nq(s->system);
    s->nv = tr_system_nv(s->system);
    s->q0 = tr_new_array(s->scratch, double, s->nq);
    s->ahead = tr_new_array(s->scratch, double, s->nq);
    s->model = tr_new_array(s->scratch, double, s->nv);
    s->v = tr_new_array(s->scratch, double, s->nv);
    s->slope = tr_new_array(s->scratch, double, s->nv);
    s->w = tr_new_array(s->scratch, double, s->nv + 1);
    s->q1 = tr_new_array(s->arena, double, s->nq);
    s->v1 = tr_new_array(s->arena, double, s->nv);
    TR_TRY(tr_arena_status(s->arena));
    return tr_arena_status(s->scratch);
}

static trStatus start(Start *s, int number, trBranchStart *out) {
    double tolerance = s->def->rank_tolerance;
    TR_TRY(plan(s));
    TR_TRY(assemble(s));
    give_velocities(s);
    TR_TRY(tr_fork_find(s->scratch, s->system, s->def->start, s->q0, tolerance, &s->pose));
    tr_walk_plan(s->scratch, &s->pose, &s->walk);
    TR_TRY(tr_arena_status(s->scratch));
    TR_TRY(tr_branches_create(s->system, s->def->start, s->q0, tolerance, &s->all));
    TR_TRY(choose(s, number));
    TR_TRY(find_velocity(s));
    double speed = tr_fork_measure(&s->pose, s->v);
    bool   rest = speed <= NO_SPEED * tr_fork_measure(&s->pose, s->model);
    TR_TRY(leave(s, &rest));
    TR_TRY(tr_branch_refuse_loads(&s->pose, s->branch, number, s->t1, s->q1, s->v1));
    return tell(s, rest, out);
}

trStatus tr_branch_start_create(const trSystem *system, const trSimDef *def, int number,
                                trBranchStart **out) {
    Start s = {
        .arena = tr_arena_create(), .scratch = tr_arena_create(), .system = system, .def = def};
    trBranchStart *made = s.arena != NULL ? tr_new(s.arena, trBranchStart) : NULL;
    trStatus status = made != NULL && s.scratch != NULL ? start(&s, number, made) : TR_E_MEMORY;
    *out = NULL;
    tr_branches_destroy(s.all);
    tr_arena_destroy(s.scratch);
    if (status != TR_OK) {
        tr_arena_destroy(s.arena);
        return status > 0 ? TR_E_SIMULATION : status;
    }
    made->memory = s.arena;
    *out = made;
    return TR_OK;
}

void tr_branch_start_destroy(trBranchStart *start_of) {
    if (start_of != NULL) {
        tr_arena_destroy(start_of->memory);
    }
}
