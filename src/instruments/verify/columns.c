// SPDX-License-Identifier: MIT
// Columns that follow from others: quaternions have length one, frames follow their bodies, loads
// of forces and energies follow from the state, and the balance is T + V - W.

#include <math.h>

#include "sim/column_list.h"
#include "verify/verify.h"

static void see_column(trVerifier *V, trVerifyKind kind, int at, double expected, double allowed) {
    const trColumn *column = tr_result_column(V->result, at);
    tr_see(V, kind,
           (trDeviation){.off = V->row[at] - expected,
                         .allowed = allowed,
                         .unit = column->unit,
                         .role = "column",
                         .name = column->name,
                         .detail = kind == TR_VERIFY_ENERGY ? "is not T + V - W"
                                                            : "does not follow from the state"});
}

// |e|^2 = 1 of a body or frame whose columns begin at `at`.
static void see_quaternion(trVerifier *V, int at) {
    const double *e = V->row + at + 3;
    tr_see(V, TR_VERIFY_QUATERNION,
           (trDeviation){.off = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0,
                         .allowed = TR_VERIFY_TOLERANCE,
                         .role = "column",
                         .name = tr_result_column(V->result, at + 3)->name,
                         .detail = "the quaternion's length is not one"});
}

// --- frames ---

// Place, orientation, their rates and second rates.
static void expect_frame(const trVerifier *V, int i, double *out) {
    trBodyState        f = tr_eval_frame(V->eval, i);
    trBodyAcceleration a = tr_eval_frame_acceleration(V->eval, i, V->now.a);
    tr_columns_fill_frame(V->dim, &f, &(trAcceleration){{a.ax, a.ay, a.az}, {a.wx, a.wy, a.wz}},
                          out);
}

static int level_of(const trVerifier *V, int k) {
    return V->dim == 2 ? k / 3 : k < 7 ? 0 : k < 13 ? 1 : 2;
}

// Compared with the largest number of all bodies and of the frame on each level.
static void see_frames(trVerifier *V) {
    int    per = V->layout.per_body, frames = tr_system_count(V->system, TR_THING_FRAME);
    double all[3] = {1.0 + V->q_most, V->v_most * (1.0 + V->q_most), 0.0}, out[19] = {0.0};
    for (int i = 0; i < V->nv; i++) {
        all[2] = fmax(all[2], V->a_size[i] * (1.0 + V->q_most));
    }
    all[2] += V->v_most * V->v_most * (1.0 + V->q_most);
    for (int i = 0; i < frames; i++) {
        int    at = V->layout.frame + per * i;
        double most[3] = {all[0], all[1], all[2]};
        expect_frame(V, i, out);
        for (int k = 0; k < per; k++) {
            most[level_of(V, k)] = fmax(most[level_of(V, k)], fabs(out[k]));
        }
        for (int k = 0; k < per; k++) {
            double allowed = TR_VERIFY_TOLERANCE * most[level_of(V, k)];
            see_column(V, TR_VERIFY_FRAME, at + k, out[k], allowed);
        }
        if (V->dim == 3) {
            see_quaternion(V, at);
        }
    }
}

// --- forces ---

static double change_of(double x, double y, double z) {
    return tr_length3((trVec3){x, y, z}) / TR_VERIFY_STEP;
}

static void see_forces(trVerifier *V) {
    for (int i = 0; i < V->layout.forces; i++) {
        int          force = V->layout.number[i], body = tr_system_force(V->system, force).body2;
        int          n = V->layout.per_load, at = V->layout.force + n * i;
        trLoad       a = tr_eval_force_load(V->eval, force, body);
        trLoad       b = tr_eval_force_load(V->beside, force, body);
        const double load[6] = {a.fx, a.fy, V->dim == 2 ? a.mz : a.fz, a.mx, a.my, a.mz};
        double       F = tr_length3((trVec3){a.fx, a.fy, a.fz});
        double       size[2] = {F, F + tr_length3((trVec3){a.mx, a.my, a.mz})};
        double       change[2] = {change_of(b.fx - a.fx, b.fy - a.fy, b.fz - a.fz),
                                  change_of(b.mx - a.mx, b.my - a.my, b.mz - a.mz)};
        for (int k = 0; k < n && body != TR_GROUND; k++) {
            bool turns = k >= V->dim;
            see_column(V, TR_VERIFY_FORCE, at + k, load[k],
                       TR_VERIFY_TOLERANCE * size[turns] + TR_VERIFY_ROUNDING * change[turns]);
        }
    }
}

// --- energies ---

// V of custom equations is their energy less T.
static void see_energies(trVerifier *V) {
    const double *stored = V->row + V->layout.energy;
    int           at = V->layout.energy;
    trEnergy      energy = tr_eval_energy(V->eval);
    double        T = energy.kinetic, E = energy.potential;
    double        change = fabs(V->there.potential - E) / TR_VERIFY_STEP;
    double        terms = fabs(stored[0]) + fabs(stored[1]) + fabs(stored[2]);
    see_column(V, TR_VERIFY_KINETIC, at, T, TR_VERIFY_TOLERANCE * T);
    see_column(V, TR_VERIFY_POTENTIAL, at + 1, E,
               TR_VERIFY_TOLERANCE * (fabs(E) + (V->dim == 0 ? T : 0.0)) +
                   TR_VERIFY_ROUNDING * change);
    see_column(V, TR_VERIFY_ENERGY, at + 3, stored[0] + stored[1] - stored[2],
               TR_VERIFY_TOLERANCE * terms);
}

void tr_verify_columns(trVerifier *V) {
    for (int i = 0; V->dim == 3 && i < V->bodies; i++) {
        see_quaternion(V, V->layout.body + V->layout.per_body * i);
    }
    if (V->dim > 0) {
        see_frames(V);
        see_forces(V);
    }
    see_energies(V);
}
