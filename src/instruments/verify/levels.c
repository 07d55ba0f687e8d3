// SPDX-License-Identifier: MIT
// The three levels of the constraints at the stored state:
//
//     phi(q, t)    A v - b1    A a - b
//
// The first two must be as large as the violations that the run stored beside them, no more and no
// less: a method that drifts says so itself. A v - b1 is besides compared with differences of phi
// along v, which ask neither A nor b1:
//
//     d(h) = (phi(q + h v, t + h) - phi(q - h v, t - h)) / 2 h        (4 d(h) - d(2 h)) / 3

#include <math.h>
#include <string.h>

#include "verify/verify.h"

#define STEP 1e-3       // of differences, times the fastest rate
#define FEW_ULPS 3e-14  // of differences

enum { LENGTH, ANGLE, OTHER, QUANTITIES };

static int quantity_of(const trSystem *s, int row) {
    return strcmp(s->row_unit[row], "m") == 0     ? LENGTH
           : strcmp(s->row_unit[row], "rad") == 0 ? ANGLE
                                                  : OTHER;
}

// The largest angle that a joint counts, which its phi is made from; 1 if it is less. [rad]
static double counted(const trVerifier *V, int group) {
    const trSystem *s = V->system;
    double          most = 1.0;
    for (int k = 0; group < s->joints && k < s->joint[group].kind->turns; k++) {
        most = fmax(most, fabs(V->eval.turn[s->joint_turn[group] + k]));
    }
    return most;
}

// sum_j |A_ij| |x_j| of all rows, with 1, or what the joint counts, for rotations of spatial bodies
// where x are positions.
static void add_sizes(const trVerifier *V, const double *x, bool positions, double *size) {
    const trRows  *A = &V->eval.equations.A;
    const trSpace *space = V->system->space;
    for (int g = 0; g < A->groups; g++) {
        double angle = positions ? counted(V, g) : 1.0;
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                for (int j = A->side_column[s]; j < A->side_column[s] + A->side_width[s]; j++) {
                    int  body = j / space->nv, own = j % space->nv;
                    bool turned = positions && space->dim == 3 && own >= 3;
                    int  at = positions ? body * space->nq + own : j;
                    size[i] += fabs(*block++) * (turned ? angle : fabs(x[at]));
                }
            }
        }
    }
}

static const char *role_of(const trVerifier *V, int row) {
    return V->system->joint[V->system->row_joint[row]].recorded ? "constraint" : "joint";
}

static const char *unit_of(const trVerifier *V, int row, const char *per) {
    static const char *const units[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
    int quantity = quantity_of(V->system, row), level = per[0] == '\0' ? 0 : per[2] == '\0' ? 1 : 2;
    return quantity == OTHER ? "" : units[quantity][level];
}

// The largest of `residual` (m) in each quantity against the stored ones; size (m) times a few
// roundings is explained.
static void compare_stored(trVerifier *V, trVerifyKind kind, const double *residual,
                           const double *size, const double *stored) {
    const trSystem *s = V->system;
    const char     *per = kind == TR_VERIFY_POSITION ? "" : "/s";
    int             worst[QUANTITIES] = {-1, -1, -1};
    double          slack[QUANTITIES] = {0.0};
    double          scale = kind == TR_VERIFY_POSITION ? V->scale.q : V->scale.v;
    for (int i = 0; i < s->m; i++) {
        int k = quantity_of(s, i);
        worst[k] = worst[k] < 0 || fabs(residual[i]) > fabs(residual[worst[k]]) ? i : worst[k];
        slack[k] = fmax(slack[k], TR_ROUNDINGS_LEVEL * TR_ROUNDING * (size[i] + scale));
    }
    for (int k = 0; k < QUANTITIES && k < V->layout.quantities; k++) {
        double found = worst[k] < 0 ? 0.0 : fabs(residual[worst[k]]);
        bool   more = found > stored[k];
        // Rows that hold quaternions to unit length cannot be seen any more.
        if (!more && V->quaternion && k == ANGLE) {
            continue;
        }
        tr_see(V, kind,
               (trDeviation){.off = found - stored[k],
                             .size = found + fabs(stored[k]),
                             .slack = slack[k],
                             .unit = worst[k] < 0 ? "" : unit_of(V, worst[k], per),
                             .role = worst[k] < 0 ? NULL : role_of(V, worst[k]),
                             .name = worst[k] < 0 ? "" : s->joint[s->row_joint[worst[k]]].name,
                             .detail = more ? "violated by more than the row says"
                                            : "violated by less than the row says"});
    }
}

#define REGULAR 0.01     // of the size: where no row can have been dropped
#define SINGULAR 1000.0  // where one may: it then asks for another acceleration

static void see_accelerations(trVerifier *V, const double *size) {
    const trSystem *s = V->system;
    double          part = V->regular ? REGULAR : SINGULAR;
    double          rounding = TR_ROUNDINGS_BALANCE * TR_ROUNDING;
    double         *rest = V->work, *beside = V->work2;
    memset(V->cancelled, 0, (size_t)s->m * sizeof *V->cancelled);
    add_sizes(V, V->parts, false, V->cancelled);
    tr_rows_mul(&V->eval.equations.A, V->a, rest);
    tr_rows_mul(&V->nudged.equations.A, V->a, beside);
    for (int i = 0; i < s->m; i++) {
        double change =
            V->steady ? fabs((beside[i] - V->nudged.b[i]) - (rest[i] - V->eval.b[i])) : 0.0;
        tr_see(V, TR_VERIFY_ACCELERATION,
               (trDeviation){.off = rest[i] - V->eval.b[i],
                             .size = part * (size[i] + fabs(V->eval.b[i]) + 1e-3 * V->scale.a),
                             .slack = TR_NUDGED * change / V->nudge + rounding * V->cancelled[i],
                             .unit = unit_of(V, i, "/s^2"),
                             .role = role_of(V, i),
                             .name = s->joint[s->row_joint[i]].name,
                             .detail = "A a - b"});
    }
}

void tr_verify_levels(trVerifier *V) {
    const trSystem *s = V->system;
    const double   *stored = V->row + V->layout.violation;
    double         *size = V->sizes, *rest = V->work, *beside = V->work2;
    memset(size, 0, (size_t)s->m * sizeof *size);
    add_sizes(V, V->q, true, size);
    for (int i = 0; V->steady && i < s->m; i++) {
        size[i] += fabs(V->nudged.phi[i] - V->eval.phi[i]) / V->nudge;
    }
    compare_stored(V, TR_VERIFY_POSITION, V->eval.phi, size, stored);

    tr_rows_mul(&V->eval.equations.A, V->v, rest);
    tr_rows_mul(&V->nudged.equations.A, V->beside + s->nq, beside);
    memset(size, 0, (size_t)s->m * sizeof *size);
    add_sizes(V, V->v, false, size);
    for (int i = 0; i < s->m; i++) {
        rest[i] -= V->eval.b1[i];
        beside[i] -= V->nudged.b1[i];
        size[i] += fabs(V->eval.b1[i]);
        size[i] += V->steady ? fabs(beside[i] - rest[i]) / V->nudge : 0.0;
    }
    compare_stored(V, TR_VERIFY_VELOCITY, rest, size, stored + V->layout.quantities);
    memcpy(V->rate, rest, (size_t)s->m * sizeof *rest);
    memcpy(V->rate_size, size, (size_t)s->m * sizeof *size);

    memset(size, 0, (size_t)s->m * sizeof *size);
    add_sizes(V, V->a, false, size);
    see_accelerations(V, size);
}

// --- differences of phi along v ---

// phi at (t + h, q moved by h v), by the nudged evaluation.
static bool phi_at(trVerifier *V, double h, double *phi) {
    const trSystem *s = V->system;
    double         *q = V->beside, *dv = V->beside + s->nq;
    memcpy(q, V->q, (size_t)s->nq * sizeof *q);
    for (int i = 0; i < s->nv; i++) {
        dv[i] = h * V->v[i];
    }
    tr_system_retract(s, dv, q);
    if (tr_system_eval(s, V->row[0] + h, q, V->v, &V->nudged) != TR_OK) {
        return false;
    }
    memcpy(phi, V->nudged.phi, (size_t)s->m * sizeof *phi);
    return true;
}

// A step in which nothing turns or moves by more than STEP of a turn or of its distance. [s]
static double step_of(const trVerifier *V) {
    const trSpace *space = V->system->space;
    double         rate = 1.0, size = 1e-3;
    int            lengths = space->dim == 0 ? 1 : space->dim;
    for (int i = 0; i < V->system->bodies; i++) {
        for (int k = 0; k < lengths; k++) {
            size = fmax(size, fabs(V->q[space->nq * i + k]));
        }
    }
    size = space->dim == 0 ? fmin(size, 1.0) : size;  // they may be angles
    for (int i = 0; i < V->system->nv; i++) {
        double own = fabs(V->v[i]);
        rate = fmax(rate, tr_space_turns(space, i % space->nv) ? own : own / size);
    }
    return STEP / rate;
}

static bool near_break(const trVerifier *V, double h) {
    for (int i = 0; i < V->system->breaks; i++) {
        if (fabs(V->system->break_time[i] - V->row[0]) <= 2.0 * h) {
            return true;
        }
    }
    return false;
}

void tr_verify_rates(trVerifier *V) {
    const trSystem *s = V->system;
    double          h = step_of(V), *p = V->differences;
    int             m = s->m;
    if (m == 0 || near_break(V, h) || !phi_at(V, h, p) || !phi_at(V, -h, p + m) ||
        !phi_at(V, 2.0 * h, p + 2 * m) || !phi_at(V, -2.0 * h, p + 3 * m)) {
        return;
    }
    for (int i = 0; i < m; i++) {
        double near = (p[i] - p[m + i]) / (2.0 * h);
        double far = (p[2 * m + i] - p[3 * m + i]) / (4.0 * h);
        if (!s->holonomic[i]) {
            continue;
        }
        tr_see(V, TR_VERIFY_RATE,
               (trDeviation){.off = (4.0 * near - far) / 3.0 - V->rate[i],
                             .size = V->rate_size[i] + fabs(V->eval.phi[i]) / h + 1e-3 * V->scale.v,
                             .slack = fabs(near - far) + FEW_ULPS * V->scale.q / h,
                             .unit = unit_of(V, i, "/s"),
                             .role = role_of(V, i),
                             .name = s->joint[s->row_joint[i]].name,
                             .detail = "its equation and its rate"});
    }
}
