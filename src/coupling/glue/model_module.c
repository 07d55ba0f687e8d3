// SPDX-License-Identifier: MIT
// A model as a module: its calls, in the order in which a coordinator makes them.

#include "glue/model_module.h"

#include <math.h>
#include <string.h>

#include "base/largest.h"

trStatus tr_module_look(trModelModule *m) {
    if (!m->looked || m->ahead) {
        m->ahead = m->looked = false;
        TR_TRY(tr_system_eval(m->system, m->step.t, m->q, m->v, &m->eval));
        m->looked = true;
    }
    return TR_OK;
}

void tr_module_moved(trModelModule *m) {
    m->looked = m->ahead = m->prepared = false;
}

// Movements are counted from here.
static void stand(trModelModule *m) {
    memcpy(m->q_base, m->q, (size_t)m->system->nq * sizeof *m->q);
    memset(m->way, 0, (size_t)m->system->nv * sizeof *m->way);
}

// Rotations by dx1 and dx2 one after the other, of the module's own joints and of those between
// modules, would be off by their commutator 1/2 dx1 x dx2 from the one that an uncut mechanism
// takes.
void tr_module_go(const trModelModule *m, double share, const double *dx, double *way, double *q) {
    for (int i = 0; i < m->system->nv; i++) {
        way[i] = m->way[i] + share * dx[i];
    }
    memcpy(q, m->q_base, (size_t)m->system->nq * sizeof *q);
    tr_system_retract(m->system, way, q);
}

static void forget_corrections(trModelModule *m) {
    for (int k = 0; k < 2; k++) {
        memset(m->corrected[k], 0, (size_t)m->system->nv * sizeof(double));
        memset(m->impulse[k], 0, (size_t)(m->wide * m->ports) * sizeof(double));
    }
}

// --- a step ---

static void begin(trModelModule *m) {
    const trSystem *s = m->system;
    bool            first = !(m->step.h > 0.0);
    const size_t    positions = (size_t)s->nq * sizeof(double);
    const size_t    velocities = (size_t)s->nv * sizeof(double);
    memcpy(m->q_before, first ? m->q : m->q0, positions);
    memcpy(m->v_before, first ? m->v : m->v0, velocities);
    memcpy(m->q0, m->q, positions);
    memcpy(m->v0, m->v, velocities);
    memcpy(m->a0, m->a, velocities);
    memcpy(m->s0, m->s, velocities);
}

// From the same acceleration: s, v, and q by a movement from where it was.
int tr_module_predict(void *self, const trGlueStep *step) {
    trModelModule *m = self;
    const double   h = step->h;
    TR_TRY(tr_eval_check_turn_speed(&m->eval, h));
    m->step = *step;
    begin(m);
    memset(m->x, 0, (size_t)m->system->nv * sizeof *m->x);
    if (step->p != 0.0) {
        tr_system_difference(m->system, m->q0, m->q_before, m->x);
    }
    for (int i = 0; i < m->system->nv; i++) {
        double s = (step->alpha_f * m->a0[i] + (1.0 - step->alpha_f) * m->a[i] -
                    step->alpha_m * m->s0[i]) /
                   (1.0 - step->alpha_m);
        m->s[i] = h > 0.0 ? s : m->a[i];
        m->v[i] = m->v0[i] + step->p * (m->v0[i] - m->v_before[i]) +
                  h * (step->g0 * m->s0[i] + step->g1 * m->s[i]);
        m->x[i] = step->p * m->x[i] + h * (step->r0 * m->v0[i] + step->r1 * m->v[i]) +
                  h * h * (step->b0 * m->s0[i] + step->b1 * m->s[i]);
    }
    tr_system_retract(m->system, m->x, m->q);
    stand(m);
    forget_corrections(m);
    memset(m->da, 0, (size_t)m->system->nv * sizeof *m->da);
    memset(m->dl, 0, (size_t)m->system->m * sizeof *m->dl);
    m->linear = false;
    m->rest = 0.0;
    tr_module_moved(m);
    return 0;
}

// --- the equations ---

// r = M a + A' lambda - Q, and how large its terms are. 1 m/s^2 and 1 rad/s^2 count as large, too:
// where nothing moves, all terms are rounding.
static void measure_terms(trModelModule *m) {
    const trEquations *e = &m->eval.equations;
    int                nv = m->system->nv;
    memset(m->r, 0, (size_t)nv * sizeof *m->r);
    tr_rows_tmul_sub(&e->A, m->lambda, m->r);
    tr_mass_mul(&e->M, m->a, m->x);
    m->force = fmax(fmax(tr_largest(nv, m->r), tr_largest(nv, m->x)), tr_largest(nv, e->Q));
    m->force = fmax(m->force, tr_largest(nv, tr_tangent_weight(&m->tangent)));
    for (int i = 0; i < nv; i++) {
        m->r[i] = m->x[i] - m->r[i] - e->Q[i];
    }
}

static trStatus prepare(trModelModule *m) {
    const trEquations *e = &m->eval.equations;
    TR_TRY(tr_module_look(m));
    TR_TRY(tr_module_factor(m));
    if (!(m->step.h > 0.0)) {  // a start may be far from where it closes
        stand(m);
    }
    measure_terms(m);
    tr_rows_mul(&e->A, m->a, m->c);
    for (int i = 0; i < m->system->m; i++) {
        m->c[i] = m->tangent.left_out[i] ? 0.0 : m->c[i] - e->b[i];
    }
    tr_module_turn_ports(m);
    m->prepared = true;
    return TR_OK;
}

static void solve_trial(trModelModule *m) {
    int nv = m->system->nv;
    for (int i = 0; i < nv; i++) {
        m->y[i] = -m->r[i];
    }
    tr_module_add_loads(m, m->f, m->y);
    for (int i = 0; i < m->system->m; i++) {
        m->y[nv + i] = -m->c[i];
    }
    tr_module_solve(m);
    memcpy(m->da, m->y, (size_t)nv * sizeof *m->da);
    memcpy(m->dl, m->y + nv, (size_t)m->system->m * sizeof *m->dl);
}

// The largest of `row` in units in which rows change by 1, but for those that are left out.
static double largest_row(const trModelModule *m, const double *row) {
    double most = 0.0;
    for (int i = 0; i < m->system->m; i++) {
        most = fmax(most, m->tangent.left_out[i] ? 0.0 : fabs(row[i]) / m->eval.row_size[i]);
    }
    return most;
}

// How far the module's own joints are off, on all levels, at the state (q, v) evaluated last with
// the acceleration a + share * da: measured as the coordinator measures joints between modules.
static double measure_joints(trModelModule *m, const double *q, const double *v, double share) {
    const trEquations *e = &m->eval.equations;
    int                nv = m->system->nv, rows = m->system->m;
    double             most = largest_row(m, e->phi) / (1.0 + tr_largest(m->system->nq, q));
    tr_rows_mul(&e->A, v, m->rate);
    for (int i = 0; i < rows; i++) {
        m->rate[i] -= e->b1[i];
    }
    most = fmax(most, largest_row(m, m->rate) / (1.0 + tr_largest(nv, v)));
    for (int i = 0; i < nv; i++) {
        m->x[i] = m->a[i] + share * m->da[i];
    }
    tr_rows_mul(&e->A, m->x, m->rate);
    for (int i = 0; i < rows; i++) {
        m->rate[i] -= e->b[i];
    }
    return fmax(most, largest_row(m, m->rate) / (1.0 + tr_largest(nv, m->x)));
}

// Where the trial leads: what comes next, unless loads change once more.
static trStatus look_ahead(trModelModule *m) {
    const trSystem *s = m->system;
    for (int i = 0; i < s->nv; i++) {
        m->v1[i] = m->v[i] + m->step.c_v * m->da[i];
    }
    tr_module_go(m, m->step.c_q, m->da, m->x, m->q1);
    m->looked = m->ahead = false;
    TR_TRY(tr_system_eval(s, m->step.t, m->q1, m->v1, &m->eval));
    m->looked = m->ahead = true;
    return TR_OK;
}

#define SAFETY 10.0

// What is left of `rest` once the trial is taken: iterations converge linearly, at the ratio of the
// last two, as Newton's method is stopped for stiff equations.
static double foresee(trModelModule *m, double rest) {
    double left = m->rest > 0.0 ? fmin(rest, SAFETY * rest / m->rest * rest) : rest;
    m->rest = rest;
    return left;
}

// At a new state the joints are judged there. After loads alone have changed, which is how a
// coordinator asks whether the step is done, they are judged where the trial leads. Of r, the part
// that the joints can carry is no residual: what is left after the solve is K da.
int tr_module_residual(void *self, double *size) {
    trModelModule *m = self;
    bool           fresh = !m->prepared;
    if (fresh) {
        TR_TRY(prepare(m));
    }
    solve_trial(m);
    double rest = fmax(tr_module_largest_product(m, m->da) - m->rounding, 0.0);
    rest = fresh ? rest : foresee(m, rest);
    *size = rest / fmax(m->force, tr_largest(m->wide * m->ports, m->f));
    if (fresh) {
        *size = fmax(*size, measure_joints(m, m->q, m->v, 0.0));
    } else if (m->system->m > 0) {
        TR_TRY(look_ahead(m));
        *size = fmax(*size, measure_joints(m, m->q1, m->v1, 1.0));
    }
    return TR_OK;
}

// --- the end of a step ---

int tr_module_accept(void *self) {
    trModelModule *m = self;
    TR_TRY(tr_module_look(m));
    TR_TRY(tr_eval_check_ends(&m->eval));
    TR_TRY(tr_eval_check_turn_speed(&m->eval, m->step.h));
    tr_eval_accept(&m->eval);
    TR_TRY(tr_module_judge_rows(m, !m->started));
    m->started = true;
    return TR_OK;
}

// y = J r.
int tr_module_port_residual(void *self, double *y) {
    trModelModule *m = self;
    for (int i = 0; i < m->system->nv; i++) {
        m->x[i] = -m->r[i];
    }
    tr_module_add_loads(m, m->f, m->x);
    for (int i = 0; i < m->wide * m->ports; i++) {
        y[i] = -tr_module_port_product(m, i, m->x);
    }
    return 0;
}
