// SPDX-License-Identifier: MIT
// Recorded functions at one instant: inputs gathered, the program run, results put where they
// belong.

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "system/system.h"

#define ASYMMETRY 1e-10  // of M, relative to |M_ii| + |M_jj| + |M_ij| + |M_ji|

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

static double result(const trEval *e, int output) {
    return e->slot[e->system->traced->program.output[output]];
}

// --- before ---

// A spatial body as it was recorded: unit quaternion, angular velocity in principal axes.
static void gather_spatial(const trSystem *s, const double *v, trEval *e) {
    for (int i = 0; i < s->bodies; i++) {
        const trMotion3 *m = &e->motion3[i + 1];
        double          *to_q = e->input + s->traced->q + (ptrdiff_t)7 * i;
        double          *to_v = e->input + s->traced->v + (ptrdiff_t)6 * i;
        trVec3           W = tr_unrotate3(&m->R, m->w);
        const double     numbers[7] = {m->r.x, m->r.y, m->r.z, m->u.w, m->u.x, m->u.y, m->u.z};
        memcpy(to_q, numbers, sizeof numbers);
        memcpy(to_v, v + (ptrdiff_t)s->space->nv * i, 3 * sizeof *v);
        to_v[3] = W.x;
        to_v[4] = W.y;
        to_v[5] = W.z;
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
}

// --- after ---

static void put_rows(const trSystem *s, trEval *e) {
    const trTracedSystem *t = s->traced;
    int                   own = s->joints + s->norms, row = s->pattern.group_row[own];
    for (int i = 0; i < t->rows; i++) {
        e->phi[row + i] = s->holonomic[row + i] ? result(e, t->phi + i) : 0.0;
        e->b1[row + i] = result(e, t->b1 + i);
        e->b[row + i] = result(e, t->b + i);
        e->row_size[row + i] = 0.0;
    }
    for (int i = 0, output = t->A; i < t->sides; i++) {
        const trTracedSide *side = &t->side[i];
        double             *to = e->value + s->pattern.side_value[s->pattern.group_side[own] + i];
        double             *block = s->space->widen != NULL ? e->narrow : to;
        double             *size = e->row_size + row + side->row;
        for (int k = 0; k < side->rows * t->width; k++) {
            block[k] = result(e, output++);
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
        e->potential = result(e, t->energy) - 0.5 * tr_mass_form(&e->equations.M, v);
        e->power += result(e, t->energy + 1);
    } else if (t->inertia_power >= 0) {
        e->power += result(e, t->inertia_power);
    }
}

static void put_general(const trSystem *s, const double *v, trEval *e) {
    const trTracedSystem *t = s->traced;
    int                   n = s->nv;
    for (int i = 0; t->M >= 0 && i < n * n; i++) {
        e->M[i] = result(e, t->M + i);
    }
    for (int i = 0; i < n; i++) {
        e->Q[i] = result(e, t->Q + i);
    }
    for (int i = 0; i < s->states; i++) {
        e->z_dot[i] = result(e, t->rate + i);
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

static trLoad3 load_of(const double *x) {
    return (trLoad3){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
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
        x[k] = result(e, t->force + TR_TRACED_LOADS * f->number + k);
    }
    trForceOut out = {.at1 = load_of(x), .at2 = load_of(x + 6), .potential = x[12], .power = x[13]};
    out.on1 = planar(&out.at1);
    out.on2 = planar(&out.at2);
    if (f->potential < 0) {
        out.power = power_of(e, force->body1, &out.at1) + power_of(e, force->body2, &out.at2);
    }
    return out;
}

// --- the non-ideal part ---

static trStatus blame_origin(trStatus status, const char *origin) {
    return origin == NULL ? status : tr_blame(status, "%s: ", origin);
}

trStatus tr_eval_nonideal(trEval *e, const double *lambda) {
    const trSystem       *s = e->system;
    const trTracedSystem *t = s->traced;
    memcpy(e->input + t->lambda, lambda, (size_t)t->rows * sizeof *lambda);
    tr_program_run(&t->nonideal, e->input, e->slot_C);
    for (int i = 0; i < s->nv; i++) {
        e->C[i] = e->slot_C[t->nonideal.output[i]];
        if (!isfinite(e->C[i])) {
            tr_fail(TR_NOT_FINITE,
                    "its non-ideal force is not a finite number at t = %.9g s; check the function "
                    "there (a direction v / |v| has none at rest)",
                    e->t);
            tr_blame_body(TR_NOT_FINITE, &s->body[i]);
            return blame_origin(TR_NOT_FINITE, t->general->origin[TR_OF_NONIDEAL]);
        }
    }
    return TR_OK;
}

// --- checks ---

static trStatus check_symmetry(const trSystem *s, double t, const trEval *e) {
    int n = s->nv;
    for (int k = 0; k < s->traced->pairs; k++) {
        int    i = s->traced->pair[k].i, j = s->traced->pair[k].j;
        double one = e->M[i + (ptrdiff_t)j * n], other = e->M[j + (ptrdiff_t)i * n];
        double size = fabs(e->M[i + (ptrdiff_t)i * n]) + fabs(e->M[j + (ptrdiff_t)j * n]) +
                      fabs(one) + fabs(other);
        if (fabs(one - other) > ASYMMETRY * size) {
            tr_fail(TR_E_MODEL,
                    "the matrix is not symmetric at t = %.9g s: %.9g in row '%s', column '%s', but "
                    "%.9g in row '%s', column '%s'; make them equal",
                    t, one, s->body[i].name, s->body[j].name, other, s->body[j].name,
                    s->body[i].name);
            return tr_blame_mass(TR_E_MODEL, s);
        }
    }
    return TR_OK;
}

static trStatus blame_row(const trSystem *s, double t, int row, const char *what) {
    tr_fail(TR_NOT_FINITE, "%s is not a finite number at t = %.9g s; check its function there",
            what, t);
    return tr_blame_joint(TR_NOT_FINITE, tr_system_recorded(s, row));
}

static trStatus blame_coordinate(const trSystem *s, double t, int i, const char *what,
                                 const char *origin) {
    tr_fail(TR_NOT_FINITE, "its %s is not a finite number at t = %.9g s; check the function there",
            what, t);
    tr_blame_body(TR_NOT_FINITE, &s->body[i]);
    return blame_origin(TR_NOT_FINITE, origin);
}

// Who made a number that is none? Forces of bodies are found elsewhere.
static trStatus find_culprit(const trSystem *s, double t, const trEval *e) {
    const trTracedSystem *r = s->traced;
    for (int i = 0; i < r->rows; i++) {
        bool value = isfinite(result(e, r->phi + i));
        if (!value || !isfinite(result(e, r->b + i)) || !isfinite(result(e, r->b1 + i))) {
            return blame_row(s, t, i, value ? "its derivative" : "it");
        }
    }
    for (int i = 0, output = r->A; i < r->sides; i++) {
        for (int k = 0; k < r->side[i].rows * r->width; k++) {
            if (!isfinite(result(e, output++))) {
                return blame_row(s, t, r->side[i].row, "its derivative");
            }
        }
    }
    for (int i = 0; r->M >= 0 && i < s->nv * s->nv; i++) {
        if (!isfinite(result(e, r->M + i))) {
            return blame_coordinate(s, t, i % s->nv, "mass", s->mass_origin);
        }
    }
    if (r->inertia_power >= 0 && !isfinite(result(e, r->inertia_power))) {
        tr_fail(TR_NOT_FINITE,
                "its rate is not a finite number at t = %.9g s; check the function there", t);
        return tr_blame_mass(TR_NOT_FINITE, s);
    }
    for (int i = 0; r->Q >= 0 && i < s->nv; i++) {
        if (!isfinite(result(e, r->Q + i))) {
            return blame_coordinate(s, t, i, "force", r->general->origin[TR_OF_FORCE]);
        }
    }
    for (int i = 0; i < r->states; i++) {
        if (!isfinite(result(e, r->rate + i))) {
            tr_fail(TR_NOT_FINITE,
                    "state '%s': its rate is not a finite number at t = %.9g s; check the function "
                    "there",
                    s->state_name[i], t);
            return blame_origin(TR_NOT_FINITE, r->general->state_origin[i]);
        }
    }
    if (r->energy >= 0 && !isfinite(result(e, r->energy) + result(e, r->energy + 1))) {
        tr_fail(TR_NOT_FINITE,
                "energy: it or its rate is not a finite number at t = %.9g s; check the function "
                "there",
                t);
        return blame_origin(TR_NOT_FINITE, r->general->origin[TR_OF_ENERGY]);
    }
    return TR_OK;
}

trStatus tr_traced_check(const trSystem *s, double t, const trEval *e) {
    int  first = s->pattern.groups > s->joints + s->norms
                     ? s->pattern.side_value[s->pattern.group_side[s->joints + s->norms]]
                     : s->values;
    bool finite =
        tr_all_finite(e->phi, s->m) && tr_all_finite(e->b, s->m) && tr_all_finite(e->b1, s->m) &&
        tr_all_finite(e->value + first, s->values - first) && tr_all_finite(e->Q, s->nv) &&
        tr_all_finite(e->z_dot, s->states) && isfinite(e->potential + e->power) &&
        (!s->dense || tr_all_finite(e->M, s->nv * s->nv));
    TR_TRY(finite ? TR_OK : find_culprit(s, t, e));
    return check_symmetry(s, t, e);
}
