// SPDX-License-Identifier: MIT
// A model as a module: its memory, what of it is saved, and what it refuses.

#include <string.h>

#include "base/keep.h"
#include "glue/model_module.h"

#define RANK_TOLERANCE 1e-4  // of redundant rows, as simulations have it

// --- keeping ---

static size_t state_size(void *self) {
    return tr_kept_bytes(((trModelModule *)self)->arena);
}

static int save(void *self, void *state) {
    tr_kept_save(((trModelModule *)self)->arena, state);
    return 0;
}

static int restore(void *self, const void *state) {
    return tr_kept_restore(((trModelModule *)self)->arena, state);
}

static void keep(trModelModule *m) {
    bool *const   flags[] = {&m->any, &m->started, &m->linear, &m->prepared, &m->looked, &m->ahead};
    double *const step[] = {&m->step.t,       &m->step.h,       &m->step.c_v, &m->step.c_q,
                            &m->step.alpha_m, &m->step.alpha_f, &m->step.p,   &m->step.r0,
                            &m->step.r1,      &m->step.b0,      &m->step.b1,  &m->step.g0,
                            &m->step.g1,      &m->force,        &m->rounding, &m->rest};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        tr_keep_bool(m->arena, flags[i]);
    }
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        tr_keep_double(m->arena, step[i]);
    }
    tr_keep_ints(m->arena, &m->step.plain, 1, 0, 1);
    tr_keep_int(m->arena, &m->rank, -1, m->system->m);
    tr_keep_count(m->arena, &m->kernel.stamp);
    tr_keep_count(m->arena, &m->kernel.factorizations);
}

// --- opening ---

static const char *error(void *self) {
    return tr_last_error();
}

static void close(void *self) {
    trModelModule *m = self;
    trSystem      *system = m->own_system;
    trModel       *model = m->own_model;
    tr_arena_destroy(m->arena);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static trStatus refuse(const trSystem *s) {
    if (s->space->dim == 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "'%s' is a system of equations and has no ports; a module needs bodies, or "
                       "is a program (trammel/module.h)",
                       s->name);
    }
    if (s->remembering != NULL) {
        tr_fail(TR_E_UNSUPPORTED, "remembers what was before; a module repeats its steps");
        return tr_blame_force(TR_E_UNSUPPORTED, s->remembering);
    }
    for (int i = 0; i < s->m; i++) {
        if (!s->holonomic[i]) {
            tr_fail(TR_E_UNSUPPORTED, "is nonholonomic; joints of a module must be holonomic");
            return tr_blame_joint(TR_E_UNSUPPORTED, &s->joint[s->row_joint[i]]);
        }
    }
    return TR_OK;
}

static void plan_state(trModelModule *m) {
    const trSystem *s = m->system;
    double        **positions[] = {&m->q, &m->q0, &m->q_before, &m->q1, &m->q_base};
    double        **velocities[] = {
               &m->v,        &m->a, &m->s,  &m->v0, &m->a0,  &m->s0,           &m->r,
               &m->v_before, &m->x, &m->da, &m->v1, &m->way, &m->corrected[0], &m->corrected[1]};
    double **rows[] = {&m->lambda, &m->c, &m->dl, &m->rate};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        *positions[i] = tr_new_array(m->arena, double, s->nq);
    }
    for (size_t i = 0; i < sizeof velocities / sizeof *velocities; i++) {
        *velocities[i] = tr_new_array(m->arena, double, s->nv);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = tr_new_array(m->arena, double, s->m);
    }
    m->y = tr_new_array(m->arena, double, s->nv + s->m);
}

static trStatus plan(trModelModule *m) {
    const trSystem *s = m->system;
    tr_keep_begin(m->arena);
    plan_state(m);
    keep(m);
    TR_TRY(tr_arena_status(m->arena));
    TR_TRY(tr_eval_plan(m->arena, s, RANK_TOLERANCE, &m->eval));
    if (m->eval.C != NULL) {
        return tr_fail(
            TR_E_UNSUPPORTED,
            "'%s' has forces of s:nonideal that use reactions, which a module cannot have",
            s->name);
    }
    TR_TRY(tr_module_plan_ports(m));
    memcpy(m->q, s->q0, (size_t)s->nq * sizeof *m->q);
    memcpy(m->v, s->v0, (size_t)s->nv * sizeof *m->v);
    TR_TRY(tr_module_look(m));
    TR_TRY(tr_eval_check_gears(&m->eval));
    TR_TRY(tr_module_plan_matrix(m));  // which looks at the arms of joints
    return tr_module_judge_rows(m, true);
}

static trStatus describe(trModelModule *m, trModule *out) {
    const trSystem *s = m->system;
    const char    **name = tr_new_array(m->arena, const char *, m->ports);
    TR_TRY(tr_arena_status(m->arena));
    for (int i = 0; i < m->ports; i++) {
        name[i] = s->frame[m->port[i]].name;
    }
    unsigned plain = s->m == 0 ? TR_TAKES_PLAIN : 0u;
    *out = (trModule){.version = TR_MODULE_VERSION,
                      .name = s->name,
                      .dim = s->space->dim,
                      .ports = m->ports,
                      .port_name = name,
                      .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY | TR_TAKES_ACCELERATION |
                               TR_MAKES_ANEW | plain,
                      .self = m,
                      .predict = tr_module_predict,
                      .residual = tr_module_residual,
                      .port_motion = tr_module_motion,
                      .compliance = tr_module_compliance,
                      .apply = tr_module_apply,
                      .accept = tr_module_accept,
                      .state_size = state_size,
                      .save = save,
                      .restore = restore,
                      .port_residual = tr_module_port_residual,
                      .output = tr_module_output,
                      .error = error,
                      .close = close};
    return TR_OK;
}

trStatus tr_module_open_system(const trSystem *system, trModule *out) {
    TR_TRY(refuse(system));
    trArena       *arena = tr_arena_create();
    trModelModule *m = arena != NULL ? tr_new(arena, trModelModule) : NULL;
    if (m == NULL) {
        tr_arena_destroy(arena);
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    *m = (trModelModule){.arena = arena, .system = system};
    trStatus status = plan(m);
    status = status == TR_OK ? describe(m, out) : status;
    if (status != TR_OK) {
        tr_arena_destroy(arena);
    }
    return status;
}

trStatus tr_module_open_model(trModel *model, trModule *out) {
    trSystem *system = NULL;
    TR_TRY(tr_system_build(model, &system));
    trStatus status = tr_module_open_system(system, out);
    if (status != TR_OK) {
        tr_system_destroy(system);
        return status;
    }
    trModelModule *m = out->self;
    m->own_system = system;
    m->own_model = model;
    return TR_OK;
}
