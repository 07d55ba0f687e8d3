// SPDX-License-Identifier: MIT
// Recorded functions at one instant: inputs gathered, the program run, results put where they
// belong.

#include <math.h>
#include <string.h>

#include "system/system.h"

trStatus tr_traced_plan(trArena *arena, const trSystem *s, trEval *e) {
    const trTracedSystem *t = s->traced;
    e->z_dot = tr_new_array(arena, double, s->states);
    e->z = s->z0;
    if (t == NULL) {
        return TR_OK;
    }
    e->input = tr_new_array(arena, double, t->inputs);
    e->slot = tr_new_array(arena, double, t->program.slots);
    if (t->nonideal.outputs > 0) {
        e->C = tr_new_array(arena, double, s->nv);
        e->slot_C = tr_new_array(arena, double, t->nonideal.slots);
    }
    TR_TRY(tr_arena_status(arena));
    tr_program_begin(&t->program, e->slot);
    if (e->C != NULL) {
        tr_program_begin(&t->nonideal, e->slot_C);
    }
    return TR_OK;
}

// --- before ---

// A spatial body as it was recorded: unit quaternion, angular velocity in principal axes.
static void gather_spatial(const trSystem *s, const double *v, trEval *e) {
    for (int i = 0; i < s->bodies; i++) {
        const trMotion3 *m = &e->motion3[i + 1];
        double          *to_q = e->input + s->traced->q + (ptrdiff_t)7 * i;
        double          *to_v = e->input + s->traced->v + (ptrdiff_t)6 * i;
        tr_vec3_put(m->r, to_q);
        tr_quat_put(m->u, to_q + 3);
        memcpy(to_v, v + (ptrdiff_t)s->space->nv * i, 3 * sizeof *v);
        tr_vec3_put(tr_unrotate3(&m->R, m->w), to_v + 3);
    }
}

static void gather(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    const trTracedSystem *traced = s->traced;
    e->input[0] = t;
    if (s->space->dim == 3) {
        gather_spatial(s, v, e);
    } else {
        memcpy(e->input + traced->q, q, (size_t)s->nq * sizeof *q);
        memcpy(e->input + traced->v, v, (size_t)s->nv * sizeof *v);
    }
    for (int i = 0; i < s->states; i++) {
        e->input[traced->z + i] = e->z[i];
    }
    for (int i = 0; i < s->inputs; i++) {
        e->input[traced->u + i] = e->u[i];
    }
}

// --- after ---

static void put_rows(const trSystem *s, trEval *e) {
    const trTracedSystem *t = s->traced;
    int                   own = s->joints + s->norms, row = s->pattern.group_row[own];
    for (int i = 0; i < t->rows; i++) {
        e->phi[row + i] = s->holonomic[row + i] ? tr_traced_result(e, t->phi + i) : 0.0;
        e->b1[row + i] = tr_traced_result(e, t->b1 + i);
        e->b[row + i] = tr_traced_result(e, t->b + i);
        e->row_size[row + i] = 0.0;
    }
    for (int i = 0, output = t->A; i < t->sides; i++) {
        const trTracedSide *side = &t->side[i];
        double             *to = e->value + s->pattern.side_value[s->pattern.group_side[own] + i];
        double             *block = s->space->widen != NULL ? e->narrow : to;
        double             *size = e->row_size + row + side->row;
        for (int k = 0; k < side->rows * t->width; k++) {
            block[k] = tr_traced_result(e, output++);
            size[k / t->width] = fmax(size[k / t->width], fabs(block[k]));
        }
        if (s->space->widen != NULL) {
            s->space->widen(e, side->body, side->rows, block, to, e->b + row + side->row);
        }
    }
}

// With E = T + V the power of what has no potential is v'Q + D E; without E nothing has one.
static void put_energy(const trTracedSystem *t, const double *v, trEval *e) {
    int n = e->system->nv;
    for (int i = 0; i < n; i++) {
        e->power += v[i] * e->Q[i];
    }
    if (t->energy >= 0) {
        e->potential = tr_traced_result(e, t->energy) - 0.5 * tr_mass_form(&e->equations.M, v);
        e->power += tr_traced_result(e, t->energy + 1);
    }
    for (int i = 0; t->energy < 0 && t->inertia_power >= 0 && i < n; i++) {
        e->power += tr_traced_result(e, t->inertia_power + i);
    }
}

static void put_general(const trSystem *s, const double *v, trEval *e) {
    const trTracedSystem *t = s->traced;
    int                   n = s->nv;
    for (int i = 0; t->M >= 0 && i < n * n; i++) {
        e->M[i] = tr_traced_result(e, t->M + i);
    }
    for (int i = 0; i < n; i++) {
        e->Q[i] = tr_traced_result(e, t->Q + i);
    }
    for (int i = 0; i < s->states; i++) {
        e->z_dot[i] = tr_traced_result(e, t->rate + i);
    }
    put_energy(t, v, e);
}

void tr_traced_eval(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    gather(s, t, q, v, e);
    tr_program_run(&s->traced->program, e->input, e->slot);
    put_rows(s, e);
    if (s->traced->Q >= 0) {
        put_general(s, v, e);
    }
}

static double power_of(const trEval *e, int body, const trLoad3 *load) {
    if (body == TR_GROUND) {
        return 0.0;
    }
    if (e->motion3 != NULL) {
        const trMotion3 *m = &e->motion3[body + 1];
        return tr_dot3(load->force, m->v) + tr_dot3(load->moment, m->w);
    }
    const trMotion2 *m = &e->motion2[body + 1];
    return load->force.x * m->v.x + load->force.y * m->v.y + load->moment.z * m->omega;
}

static trLoad2 planar(const trLoad3 *load) {
    return (trLoad2){load->force.x, load->force.y, load->moment.z};
}

trForceOut tr_traced_load(const trEval *e, int i) {
    const trForce        *force = &e->system->force[i];
    const trTracedForce  *f = force->params;
    const trTracedSystem *t = e->system->traced;
    double                x[TR_TRACED_LOADS];
    for (int k = 0; k < TR_TRACED_LOADS; k++) {
        x[k] = tr_traced_result(e, t->force + TR_TRACED_LOADS * f->number + k);
    }
    trForceOut out = {.at1 = {tr_vec3_of(x), tr_vec3_of(x + 3)},
                      .at2 = {tr_vec3_of(x + 6), tr_vec3_of(x + 9)},
                      .potential = x[12],
                      .power = x[13]};
    out.on1 = planar(&out.at1);
    out.on2 = planar(&out.at2);
    if (f->potential < 0) {
        out.power = power_of(e, force->body1, &out.at1) + power_of(e, force->body2, &out.at2);
    }
    return out;
}

// --- the non-ideal part ---

trStatus tr_eval_nonideal(trEval *e, const double *lambda) {
    const trSystem       *s = e->system;
    const trTracedSystem *t = s->traced;
    memcpy(e->input + t->lambda, lambda, (size_t)t->rows * sizeof *lambda);
    tr_program_run(&t->nonideal, e->input, e->slot_C);
    for (int i = 0; i < s->nv; i++) {
        e->C[i] = e->slot_C[t->nonideal.output[i]];
        if (!isfinite(e->C[i])) {
            return tr_blame_nonideal(s, e->t, i);
        }
    }
    return TR_OK;
}
