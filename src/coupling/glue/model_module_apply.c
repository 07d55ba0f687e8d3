// SPDX-License-Identifier: MIT
// What joints between modules do to a model that is one of them: loads, and corrections of
// positions, velocities and accelerations. Its own joints are closed level by level in between.

#include <string.h>

#include "base/largest.h"
#include "glue/model_module.h"

static bool is_nothing(const trModelModule *m, const double *w) {
    return !(tr_largest(m->wide * m->ports, w) > 0.0);
}

// y = the movement by J' w, along the module's own joints.
static void spread(trModelModule *m, const double *w) {
    memset(m->y, 0, (size_t)(m->system->nv + m->system->m) * sizeof *m->y);
    tr_module_add_loads(m, w, m->y);
    if (!m->step.plain) {
        tr_module_solve(m);
    }
}

// Adds to what positions and velocities were corrected by, against those that follow from
// accelerations: accelerations that change alone leave them behind.
static void add_up(const trGlueStep *step, trLevel level, int count, const double *change,
                   double *const sum[2]) {
    double position = level == TR_LEVEL_ACCELERATION ? -step->c_q : level == TR_LEVEL_POSITION;
    double velocity = level == TR_LEVEL_ACCELERATION ? -step->c_v : level == TR_LEVEL_VELOCITY;
    for (int i = 0; i < count; i++) {
        sum[0][i] += position * change[i];
        sum[1][i] += velocity * change[i];
    }
}

// ds/da of the step.
static double share_of_s(const trGlueStep *step) {
    return step->h > 0.0 ? (1.0 - step->alpha_f) / (1.0 - step->alpha_m) : 1.0;
}

// Positions, velocities or accelerations are corrected by y.
static void move(trModelModule *m, trLevel level) {
    double ds = share_of_s(&m->step);
    add_up(&m->step, level, m->system->nv, m->y, m->corrected);
    if (level == TR_LEVEL_POSITION) {
        tr_module_go(m, 1.0, m->y, m->way, m->q);
    }
    for (int i = 0; level == TR_LEVEL_VELOCITY && i < m->system->nv; i++) {
        m->v[i] += m->y[i];
    }
    for (int i = 0; level == TR_LEVEL_ACCELERATION && i < m->system->nv; i++) {
        m->a[i] += m->y[i];
        m->s[i] += ds * m->y[i];
    }
    if (level == TR_LEVEL_ACCELERATION) {
        m->prepared = false;
    } else {
        tr_module_moved(m);
    }
}

// How far the module's own joints are off at a level.
static void measure_own(trModelModule *m, trLevel level, double *off) {
    const trEquations *e = &m->eval.equations;
    const double      *due = level == TR_LEVEL_VELOCITY ? e->b1 : e->b;
    if (level == TR_LEVEL_POSITION) {
        memcpy(off, e->phi, (size_t)m->system->m * sizeof *off);
        return;
    }
    tr_rows_mul(&e->A, level == TR_LEVEL_VELOCITY ? m->v : m->a, off);
    for (int i = 0; i < m->system->m; i++) {
        off[i] -= due[i];
    }
}

// y = [K A'; A 0] \ [y; -off]. Where y is all that a step was corrected by, its rounding opens
// joints of bodies that are much lighter than others: what it leaves open is closed by another
// solve.
static void solve_rows(trModelModule *m, const double *off, bool again) {
    int nv = m->system->nv, rows = m->system->m;
    for (int i = 0; i < rows; i++) {
        m->y[nv + i] = m->tangent.left_out[i] ? 0.0 : -off[i];
    }
    tr_module_solve(m);
    if (!again || rows == 0) {
        return;
    }
    memcpy(m->x, m->y, (size_t)nv * sizeof *m->x);
    memset(m->y, 0, (size_t)nv * sizeof *m->y);
    for (int i = 0; i < rows; i++) {
        m->y[nv + i] = m->tangent.left_out[i] ? 0.0 : -off[i];
    }
    tr_module_subtract_rows(m, m->x, m->y + nv);
    tr_module_solve(m);
    for (int i = 0; i < nv; i++) {
        m->y[i] += m->x[i];
    }
}

// The module closes its own joints before it tells how its ports move. Closed together with those
// between modules they would move the ports by what the coordinator does not know of. If the step
// asks for it, what it was corrected by so far, c, is made anew with A and J as they are now,
//
//     K c = J' w - A' mu,  w: all impulses on its ports in this step
//
// so that c does not depend on the iterations that led there. Accelerations need not be: they
// follow from the equations in the end.
static trStatus close_own(trModelModule *m, trLevel level) {
    int  nv = m->system->nv, sum = level == TR_LEVEL_POSITION ? 0 : 1;
    bool anew = m->step.anew && level != TR_LEVEL_ACCELERATION;
    if (m->system->m == 0 && !(anew && !is_nothing(m, m->impulse[sum]))) {
        return TR_OK;
    }
    TR_TRY(tr_module_look(m));
    memset(m->y, 0, (size_t)nv * sizeof *m->y);
    if (anew) {
        tr_module_add_loads(m, m->impulse[sum], m->y);
        tr_module_subtract_product(m, m->corrected[sum], m->y);
    }
    measure_own(m, level, m->rate);
    solve_rows(m, m->rate, anew);
    move(m, level);
    return TR_OK;
}

static trStatus take_force(trModelModule *m, const double *w) {
    const trSystem   *s = m->system;
    const trGlueStep *step = &m->step;
    double            ds = share_of_s(step);
    bool              known = m->ahead && is_nothing(m, w);
    if (!is_nothing(m, w)) {
        spread(m, w);
        for (int i = 0; i < s->nv; i++) {
            m->da[i] += m->y[i];
        }
        for (int i = 0; i < s->m; i++) {
            m->dl[i] += m->y[s->nv + i];
        }
    }
    tr_module_go(m, step->c_q, m->da, m->way, m->q);
    for (int i = 0; i < s->nv; i++) {
        m->a[i] += m->da[i];
        m->s[i] += ds * m->da[i];
        m->v[i] += step->c_v * m->da[i];
        m->da[i] = 0.0;
    }
    for (int i = 0; i < s->m; i++) {
        m->lambda[i] += m->dl[i];
        m->dl[i] = 0.0;
    }
    tr_module_moved(m);
    m->looked = known;
    return close_own(m, TR_LEVEL_POSITION);
}

int tr_module_apply(void *self, trLevel level, const double *w) {
    trModelModule *m = self;
    if (level == TR_LEVEL_LOAD || (level == TR_LEVEL_FORCE && !m->step.plain)) {
        for (int i = 0; i < m->wide * m->ports; i++) {
            m->f[i] += w[i];
        }
    }
    if (level == TR_LEVEL_LOAD) {
        return TR_OK;
    }
    if (level == TR_LEVEL_FORCE) {
        return take_force(m, w);
    }
    add_up(&m->step, level, m->wide * m->ports, w, m->impulse);
    spread(m, w);
    move(m, level);
    return level == TR_LEVEL_ACCELERATION ? TR_OK : close_own(m, (trLevel)(level + 1));
}
