// SPDX-License-Identifier: MIT
// Whether a state is in balance, and whether the linearized equations stay the same along the
// motion: they are evaluated again a little later, with the same bases.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "modes/modes.h"

#define UNCHANGED 1e-7  // what may differ later, relative
#define BALANCED 1e-8   // accelerations against forces
#define FAR 1e-6        // of phi, in its units

double tr_modes_imbalance(const trLinear *l, const double *a) {
    const double *v = l->x + l->nq;
    double        sum = 0.0, moving = 0.0;
    for (int i = 0; i < l->n; i++) {
        sum += l->root[i] * l->root[i] * a[i] * a[i];
        moving += l->root[i] * l->root[i] * v[i] * v[i];
    }
    double size = tr_norm(l->n, l->F) + sqrt(moving) * tr_largest(l->n, v);
    return sqrt(sum) <= tr_linear_rounding(l) ? 0.0 : sqrt(sum) / size;
}

int tr_modes_fastest(const trLinear *l, const double *a, trCorrection *out) {
    int body = 0;
    *out = (trCorrection){0};
    for (int i = 0; i < l->n; i++) {
        if (fabs(a[i]) > out->value) {
            const trCoordinateInfo at = tr_system_velocity(l->system, i);
            const char            *unit = at.turns ? "rad/s^2" : "m/s^2";
            body = i / l->each;
            *out = (trCorrection){fabs(a[i]), l->dim == 0 ? "/s^2" : unit, at.name};
        }
    }
    return body;
}

static trStatus refuse_acceleration(const trLinear *l, bool later) {
    trCorrection most;
    int          body = tr_modes_fastest(l, l->a, &most);
    bool         moving = tr_norm(l->n, l->x + l->nq) > 0.0;
    tr_fail(TR_E_MODEL, "accelerates by %.3g %s%s; modes need %s", most.value, most.unit,
            later ? " a little later" : "",
            moving ? "a start at rest or a steady motion, without accelerations"
                   : "forces and drives that do not change with time");
    return tr_modes_blame(l, TR_E_MODEL, l->each * body);
}

// At what was evaluated last.
static trStatus check_balance(const trLinear *l, bool later) {
    const double *phi = tr_eval_phi(l->eval), *size = tr_eval_row_size(l->eval);
    const double *z = tr_eval_z(l->eval), *z_rate = tr_eval_z_rate(l->eval);
    for (int i = 0; later && i < l->m; i++) {
        const trRowInfo row = tr_system_row(l->system, i);
        if (row.holonomic && !(fabs(phi[i]) <= FAR * fmax(1.0, size[i]))) {
            tr_fail(TR_E_MODEL,
                    "does not hold along the motion that starts here; modes need drives "
                    "that stand still, or a steady motion without accelerations");
            return tr_blame_thing(TR_E_MODEL, row.origin,
                                  row.constraint >= 0 ? "constraint" : "joint", row.name);
        }
    }
    if (!(tr_modes_imbalance(l, l->a) <= BALANCED)) {
        return refuse_acceleration(l, later);
    }
    for (int i = 0; i < l->nz; i++) {
        if (!(fabs(z_rate[i]) <= BALANCED * (1.0 + fabs(z[i])))) {
            return tr_fail(TR_E_MODEL,
                           "state '%s': changes by %.3g /s at the start; modes need it at rest: "
                           "give its value there",
                           tr_system_state_name(l->system, i), z_rate[i]);
        }
    }
    return TR_OK;
}

// The body whose inertia changes most in axes of the world.
static trStatus refuse_change(const trLinear *l, const double *M) {
    int    most = 0;
    double change = 0.0;
    for (int i = 0; i < l->n; i++) {
        for (int j = i - i % l->each; j <= i; j++) {
            double difference = fabs(l->M[i + (ptrdiff_t)j * l->n] - M[i + (ptrdiff_t)j * l->n]);
            most = difference > change ? i / l->each : most;
            change = fmax(change, difference);
        }
    }
    if (l->dim == 3 && change > UNCHANGED) {
        tr_fail(TR_E_MODEL,
                "is not symmetric about the axis it turns about, so that the linearized "
                "equations change with time; modes need constant ones");
        return tr_modes_blame(l, TR_E_MODEL, l->each * most);
    }
    return tr_fail(TR_E_MODEL, "the linearized equations change with time along the motion; modes "
                               "need a steady motion, or forces that do not depend on time");
}

// Rows that hold the bases no more.
static bool rows_changed(trLinear *l) {
    const double *basis[2] = {l->G, l->U};
    const int     columns[2] = {l->ns, l->nu};
    double        largest = 0.0;
    for (int k = 0; k < 2; k++) {
        tr_product(l->m, l->n, columns[k], l->A, basis[k], l->block);
        for (int i = 0; i < l->m; i++) {
            if (k == 0 && !tr_system_row(l->system, i).holonomic) {
                continue;
            }
            for (int j = 0; j < columns[k]; j++) {
                largest = fmax(largest, fabs(l->block[i + (ptrdiff_t)j * l->m]));
            }
        }
    }
    return largest > UNCHANGED;
}

static trStatus look_later(trLinear *l, double t, double by, double *x, double *X, double *M) {
    memcpy(x, l->x, (size_t)(l->nq + l->n + l->nz) * sizeof *x);
    for (int i = 0; i < l->n; i++) {
        l->block[i] = by * l->x[l->nq + i];
    }
    tr_system_move(l->system, l->block, x);
    tr_copy(l->nx * l->nx, l->X, X);
    tr_copy(l->n * l->n, l->M, M);
    double size = tr_norm(l->nx * l->nx, X) + l->K_size + l->D_size;
    TR_TRY(tr_linear_evaluate(l, t + by, x));
    TR_TRY(check_balance(l, true));
    bool changed = rows_changed(l);
    if (!changed) {
        TR_TRY(tr_linear_reduce(l));
        tr_add_scaled(l->nx * l->nx, -1.0, l->X, X);
        changed = tr_norm(l->nx * l->nx, X) > UNCHANGED * size;
    }
    if (changed) {
        return refuse_change(l, M);
    }
    TR_TRY(tr_linear_evaluate(l, t, l->x));
    return tr_linear_reduce(l);
}

// Later: when the fastest part has moved by about 1 m or rad, at rest after a second; and again at
// a time that is no multiple of it.
trStatus tr_modes_check_steady(trLinear *l, double t) {
    double *x = tr_new_array(l->arena, double, l->nq + l->n + l->nz);
    double *X = tr_new_array(l->arena, double, (size_t)l->nx *(size_t)l->nx);
    double *M = tr_new_array(l->arena, double, (size_t)l->n *(size_t)l->n);
    TR_TRY(tr_arena_status(l->arena));
    TR_TRY(check_balance(l, false));
    double fastest = tr_largest(l->n, l->x + l->nq);
    double unit = fastest > 0.0 ? 1.0 / fastest : 1.0;
    TR_TRY(look_later(l, t, 0.7 * unit, x, X, M));
    return look_later(l, t, 2.3 * unit, x, X, M);
}
