// SPDX-License-Identifier: MIT
// From a system to what there is to say about it: assemble, look at A and M, put it into words.

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "check/check.h"

trCheckOptions tr_check_options_default(void) {
    return (trCheckOptions){.struct_size = sizeof(trCheckOptions),
                            .rank_tolerance = tr_sim_def_default().rank_tolerance};
}

trStatus tr_check_find(trCheckWork *w, trSeverity severity, const char *topic, const char *part,
                       const char *reason, const char *remedy) {
    if (w->out->findings == w->found_room) {
        int        room = 2 * w->found_room + 16;
        trFinding *found = tr_new_array(w->arena, trFinding, room);
        TR_TRY(tr_arena_status(w->arena));
        if (w->out->findings > 0) {
            memcpy(found, w->found, (size_t)w->out->findings * sizeof *found);
        }
        w->found = found;
        w->found_room = room;
    }
    TR_TRY(tr_arena_status(w->arena));  // of the texts
    int at = w->out->findings++;
    for (; at > 0 && w->found[at - 1].severity < severity; at--) {
        w->found[at] = w->found[at - 1];
    }
    w->found[at] = (trFinding){severity, topic, part, reason, remedy};
    w->out->finding = w->found;
    w->out->prevents = w->found[0].severity == TR_PREVENTS;
    return TR_OK;
}

// --- the start ---

// How far joints are from the centers of mass of their bodies, on average: a length that makes
// angles comparable with lengths [m]. Of coordinates of the user's own the mean, for steps.
static double size_of(const trCheckWork *w) {
    double sum = 0.0;
    int    count = 0;
    for (int i = 0; w->dim == 0 && i < w->nq; i++) {
        sum += fabs(w->q[i]);
        count += w->q[i] != 0.0 ? 1 : 0;
    }
    for (int j = 0; j < w->joints; j++) {
        const int body[2] = {w->joint[j].body1, w->joint[j].body2};
        for (int k = 0; k < 2; k++) {
            if (body[k] >= 0) {
                double arm = tr_check_arm(w, j, body[k]);
                sum += arm;
                count += arm > 0.0 ? 1 : 0;
            }
        }
    }
    return count > 0 && sum > 0.0 ? sum / count : 1.0;
}

static trStatus measure(trCheckWork *w, const double *q) {
    TR_TRY(tr_check_points(w, w->t, q));
    w->size = size_of(w);
    return TR_OK;
}

// Words of a simulation end with it.
static trCorrection kept(trCheckWork *w, trCorrection change) {
    change.unit = change.unit != NULL ? tr_arena_text(w->arena, change.unit) : NULL;
    return change;
}

// The state that a run would begin with; or, where none begins, the nearest that the joints allow,
// or else the one that the model gives.
static trStatus assemble(trCheckWork *w, const trCheckOptions *options) {
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    def.start = options->time;
    def.rank_tolerance = options->rank_tolerance;
    trStatus status = tr_sim_create(w->system, &def, &sim);
    if (status == TR_OK) {
        memcpy(w->q, tr_sim_q(sim), (size_t)w->nq * sizeof *w->q);
        memcpy(w->v, tr_sim_v(sim), (size_t)w->nv * sizeof *w->v);
        w->out->moved = kept(w, tr_sim_stats(sim).assembly_position);
        w->out->changed = kept(w, tr_sim_stats(sim).assembly_velocity);
        w->out->assembled = true;
        tr_sim_destroy(sim);
        return measure(w, w->q);
    }
    if (status == TR_E_MEMORY || status == TR_E_ARGUMENT) {
        return status;
    }
    w->out->refusal = tr_arena_text(w->arena, tr_last_error());
    tr_system_start(w->system, w->q, w->v);
    TR_TRY(tr_arena_status(w->arena));
    TR_TRY(measure(w, w->q));
    TR_TRY(tr_check_settle(w, NULL, w->q, &w->out->assembled));
    if (!w->out->assembled) {
        tr_system_start(w->system, w->q, w->v);
    }
    return measure(w, w->q);
}

// Whether the run that is meant begins: its method may not take what others do, or it must not
// assemble.
static trStatus ask_run(trCheckWork *w, const trSimDef *run) {
    trSim *sim = NULL;
    if (run == NULL || w->out->refusal != NULL) {
        return TR_OK;
    }
    trStatus status = tr_sim_create(w->system, run, &sim);
    tr_sim_destroy(sim);
    if (status == TR_OK || status == TR_E_MEMORY) {
        return status;
    }
    w->out->unfit = tr_arena_text(w->arena, tr_last_error());
    return tr_check_find(w, TR_PREVENTS, "settings", tr_system_name(w->system), w->out->unfit, "");
}

// --- the whole ---

// What the system says about itself.
static void describe(trCheckWork *w) {
    for (int i = 0; i < w->m; i++) {
        w->row[i] = tr_system_row(w->system, i);
    }
    for (int j = 0; j < w->joints; j++) {
        w->joint[j] = tr_system_joint(w->system, j);
    }
    for (int g = 0; g < w->groups; g++) {
        w->group[g] = tr_system_group(w->system, g);
        w->norms += tr_check_is_norm(w, g);
    }
}

static trStatus plan(trCheckWork *w) {
    const trSystem *s = w->system;
    w->dim = tr_system_dim(s);
    w->nq = tr_system_nq(s);
    w->nv = tr_system_nv(s);
    w->m = tr_system_m(s);
    w->bodies = tr_system_bodies(s) + tr_system_coordinates(s);
    w->each = w->bodies > 0 ? w->nv / w->bodies : 1;
    w->joints = tr_system_joints(s);
    w->groups = tr_system_groups(s);
    w->width = w->dim == 3 ? 6 : w->each;
    w->size = 1.0;
    w->row = tr_new_array(w->scratch, trRowInfo, w->m);
    w->joint = tr_new_array(w->scratch, trJointInfo, w->joints);
    w->group = tr_new_array(w->scratch, trGroupInfo, w->groups);
    w->q = tr_new_array(w->arena, double, w->nq);
    w->v = tr_new_array(w->arena, double, w->nv);
    w->dv = tr_new_array(w->scratch, double, w->nv);
    w->lambda = tr_new_array(w->scratch, double, w->m);
    w->point = tr_new_array(w->scratch, trVec3, w->joints);
    TR_TRY(tr_check_memory(w));
    describe(w);
    return tr_eval_create(s, &w->eval);
}

// Of rows that hold positions only, by the same factorization.
static trStatus count_positions(trCheckWork *w) {
    trRrqr        qr;
    const trPose *p = &w->here;
    int           rows = 0, *which = tr_new_array(w->scratch, int, p->m);
    TR_TRY(tr_arena_status(w->scratch));
    w->out->free_positions = p->n - p->rank;
    for (int i = 0; i < p->m; i++) {
        if (w->row[p->row[i]].holonomic) {
            which[rows++] = i;
        }
    }
    if (rows == p->m) {
        return TR_OK;
    }
    TR_TRY(tr_pose_factor_some(p, rows, which, w->rank_tolerance, &qr));
    w->out->free_positions = p->n - qr.rank;
    return TR_OK;
}

static trStatus count_rows(trCheckWork *w) {
    trCheck *out = w->out;
    TR_TRY(tr_pose_fill(w, w->scratch, &w->here));
    TR_TRY(tr_pose_factor(w, &w->here));
    tr_eval_accept(w->eval);
    out->size = w->size;
    out->velocities = w->nv;
    out->rows = w->m;
    out->nq = w->nq;
    out->q = w->q;
    out->v = w->v;
    out->degrees_of_freedom = w->here.n - w->here.rank;
    TR_TRY(count_positions(w));
    TR_TRY(tr_check_motion(w));
    out->redundant = w->here.m - out->rank_elsewhere;
    // Every quaternion has a row of its own, which is independent of all others.
    out->rank = w->here.rank + w->norms;
    out->rank_elsewhere += w->norms;
    return TR_OK;
}

static const char *list_joints(trCheckWork *w, const trCheckSet *set) {
    const char *text = "";
    for (int i = 0; i < set->parts; i++) {
        text = tr_arena_format(w->arena, "%s%s%s", text, i > 0 ? ", " : "", set->part[i].joint);
    }
    return text;
}

static trStatus tell_sets(trCheckWork *w) {
    const trCheck *out = w->out;
    for (int i = 0; i < out->sets; i++) {
        const trCheckSet *set = &out->set[i];
        const char       *reason =
            tr_arena_format(w->arena, "%d redundant row%s: some of its reactions are not unique",
                            set->redundancy, set->redundancy > 1 ? "s" : "");
        const char *remedy = set->fixes > 0 ? set->fix[0].text : "";
        for (int k = 1; k < set->fixes; k++) {
            remedy = tr_arena_format(w->arena, "%s; %s", remedy, set->fix[k].text);
        }
        TR_TRY(tr_check_find(w, TR_NOTE, "redundant", list_joints(w, set), reason, remedy));
    }
    for (int i = 0; i < out->lost; i++) {
        TR_TRY(tr_check_find(w, TR_WARNING, "singular", list_joints(w, &out->lost_set[i]),
                             "lose independence in this pose: the motion may go on in several ways",
                             "start beside it, or choose a branch with --branch N"));
    }
    return TR_OK;
}

// The refusal of a run, unless a motion without mass is the reason and is named already.
static trStatus tell_refusal(trCheckWork *w) {
    if (w->out->refusal == NULL || w->out->massless > 0) {
        return TR_OK;
    }
    return tr_check_find(w, TR_PREVENTS, w->out->assembled ? "start" : "assembly",
                         tr_system_name(w->system), w->out->refusal, "");
}

// Constraints that are not linear in velocities have none that can be told; large models take too
// long.
static void release_branches(void *branches) {
    tr_branches_destroy(branches);
}

static trStatus find_branches(trCheckWork *w) {
    trBranches *found = NULL;
    if (!w->out->singular || !w->out->assembled || w->nv > TR_CHECK_BRANCHES_LIMIT) {
        return TR_OK;
    }
    trStatus status = tr_branches_create(w->system, w->t, w->q, w->rank_tolerance, &found);
    if (status != TR_OK) {
        return status == TR_E_UNSUPPORTED ? TR_OK : status;
    }
    w->out->branches = *found;
    tr_arena_defer(w->arena, release_branches, found);
    return tr_arena_status(w->arena);
}

static trStatus look(trCheckWork *w, const trCheckOptions *options) {
    TR_TRY(plan(w));
    TR_TRY(assemble(w, options));
    TR_TRY(count_rows(w));
    TR_TRY(tr_check_massless(w));
    TR_TRY(tell_refusal(w));
    TR_TRY(ask_run(w, options->run));
    TR_TRY(tr_check_sets(w));
    TR_TRY(tell_sets(w));
    TR_TRY(find_branches(w));
    TR_TRY(tr_check_near(w));
    TR_TRY(tr_check_immobile(w));
    TR_TRY(tr_check_loads(w));
    TR_TRY(tr_check_plausible(w));
    return tr_check_gaps(w);
}

static const trDefinition definition = {"trCheckOptions", "tr_check_options_default()",
                                        TR_FIRST_LAYOUT(trCheckOptions, run),
                                        sizeof(trCheckOptions)};

trStatus tr_check_create(const trModel *model, const trSystem *system, const trCheckOptions *given,
                         trCheck **out) {
    trCheckOptions options = tr_check_options_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &options));
    const int nv = tr_system_nv(system), m = tr_system_m(system);
    if (nv > TR_CHECK_LIMIT || m > TR_CHECK_LIMIT) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "check takes up to %d velocities and rows, the model has %d and %d; "
                       "`trammel run` reports its degrees of freedom",
                       TR_CHECK_LIMIT, nv, m);
    }
    trCheckWork w = {.arena = tr_arena_create(),
                     .scratch = tr_arena_create(),
                     .model = model,
                     .system = system,
                     .rank_tolerance = options.rank_tolerance,
                     .t = options.time};
    w.out = w.arena != NULL ? tr_new(w.arena, trCheck) : NULL;
    trStatus status = w.out != NULL && w.scratch != NULL ? look(&w, &options) : TR_E_MEMORY;
    tr_eval_destroy(w.eval);
    tr_arena_destroy(w.scratch);
    if (status != TR_OK) {
        tr_arena_destroy(w.arena);
        return status > 0 ? TR_E_MODEL : status;
    }
    w.out->memory = w.arena;
    *out = w.out;
    return TR_OK;
}

void tr_check_destroy(trCheck *check) {
    if (check != NULL) {
        tr_arena_destroy(check->memory);
    }
}
