// SPDX-License-Identifier: MIT
// The equations of motion and those of the constraints at a row, from the a and lambda that are
// stored there:
//
//     M a + A' lambda = Q + C        phi = 0        A v = b1        A a = b

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "verify/verify.h"

#define MEMORY 0.9        // of the largest sum of terms, from row to row: all may vanish in one
#define INDEPENDENT 0.03  // what is left of a row of length one

trStatus tr_equations_plan(trVerifier *V) {
    trResiduals *of[] = {&V->here, &V->there};
    for (int i = 0; i < 2; i++) {
        of[i]->balance = tr_new_array(V->arena, double, V->nv);
        of[i]->position = tr_new_array(V->arena, double, V->m);
        of[i]->velocity = tr_new_array(V->arena, double, V->m);
        of[i]->acceleration = tr_new_array(V->arena, double, V->m);
    }
    V->size = tr_new_array(V->arena, double, V->nv);
    V->level_size = tr_new_array(V->arena, double, V->m);
    V->work = tr_new_array(V->arena, double, V->nv + V->m + V->nz);
    if ((double)V->m * V->nv <= TR_VERIFY_ENTRIES) {
        V->A = tr_new_array(V->arena, double, (ptrdiff_t)V->m * V->nv);
        tr_rrqr_plan(V->arena, V->m, V->nv, &V->rows);
    }
    if (V->dim == 0 && (double)V->nv * V->nv <= TR_VERIFY_ENTRIES) {
        V->M = tr_new_array(V->arena, double, (ptrdiff_t)V->nv * V->nv);
    }
    return tr_arena_status(V->arena);
}

// --- left sides ---

static void find_residuals(trVerifier *V, const trEval *e, trResiduals *out) {
    const double *Q = tr_eval_Q(e), *C = tr_eval_C(V->eval), *b = tr_eval_b(e);
    const double *b1 = tr_eval_b1(e);
    tr_eval_mul_At(e, V->lambda, V->work);
    tr_eval_mul_M(e, V->now.a, out->balance);
    for (int i = 0; i < V->nv; i++) {
        out->balance[i] += V->work[i] - Q[i] - (C != NULL ? C[i] : 0.0);
    }
    memcpy(out->position, tr_eval_phi(e), (size_t)V->m * sizeof *out->position);
    tr_eval_mul_A(e, tr_eval_v(e), out->velocity);
    tr_eval_mul_A(e, V->now.a, out->acceleration);
    for (int i = 0; i < V->m; i++) {
        out->velocity[i] -= b1[i];
        out->acceleration[i] -= b[i];
    }
    out->potential = tr_eval_energy(e).potential;
}

static double change_of(double here, double there) {
    return fabs(there - here) / TR_VERIFY_STEP;
}

// --- sizes of terms ---

// sum over j of |A_ij| |x_j|; where A is too large in full, without what cancels.
static void add_rows(trVerifier *V, const double *x, double *to) {
    if (V->A == NULL) {
        tr_eval_mul_A(V->eval, x, V->work);
    }
    for (int i = 0; i < V->m; i++) {
        double sum = V->A == NULL ? fabs(V->work[i]) : 0.0;
        for (int j = 0; V->A != NULL && j < V->nv; j++) {
            sum += fabs(V->A[(ptrdiff_t)i * V->nv + j] * x[j]);
        }
        to[i] += sum;
    }
}

static void add_columns(trVerifier *V, const double *lambda, double *to) {
    if (V->A == NULL) {
        tr_eval_mul_At(V->eval, lambda, V->work);
    }
    for (int j = 0; j < V->nv && V->A == NULL; j++) {
        to[j] += fabs(V->work[j]);
    }
    for (ptrdiff_t k = 0; V->A != NULL && k < (ptrdiff_t)V->m * V->nv; k++) {
        to[k % V->nv] += fabs(V->A[k] * lambda[k / V->nv]);
    }
}

static void add_masses(trVerifier *V) {
    if (V->M != NULL) {
        tr_eval_dense_M(V->eval, V->M);
    } else {
        tr_eval_mul_M(V->eval, V->a_size, V->work);
    }
    for (int i = 0; i < V->nv; i++) {
        V->size[i] += V->M == NULL ? fabs(V->work[i]) : 0.0;
        for (int j = 0; V->M != NULL && j < V->nv; j++) {
            V->size[i] += fabs(V->M[(ptrdiff_t)i * V->nv + j]) * V->a_size[j];
        }
    }
}

static void add_forces(trVerifier *V) {
    int forces = tr_system_count(V->system, TR_THING_FORCE);
    for (int i = 0; i < forces; i++) {
        trForceInfo force = tr_system_force(V->system, i);
        const int   body[2] = {force.body1, force.body2};
        for (int side = 0; side < 2; side++) {
            trLoad load = tr_eval_force_load(V->eval, i, body[side]);
            double F = tr_length3((trVec3){load.fx, load.fy, load.fz});
            double M = tr_length3((trVec3){load.mx, load.my, load.mz});
            int    first = V->body_v * body[side];
            for (int k = first; body[side] != TR_GROUND && k < first + V->body_v; k++) {
                V->size[k] += V->turns[k] ? M : F;
            }
        }
    }
}

static void find_sizes(trVerifier *V) {
    const double *Q = tr_eval_Q(V->eval), *C = tr_eval_C(V->eval);
    if (V->A != NULL) {
        tr_eval_dense_A(V->eval, V->A);
    }
    for (int i = 0; i < V->nv; i++) {
        V->size[i] = fabs(Q[i]) + (C != NULL ? fabs(C[i]) : 0.0);
    }
    add_masses(V);
    add_forces(V);
    add_columns(V, V->lambda, V->size);
    V->largest = fmax(MEMORY * V->largest, tr_largest(V->nv, V->size));
}

// --- M a + A' lambda = Q + C ---

double tr_verify_power(const trVerifier *V, const trEval *eval, const double *v,
                       const double *lambda) {
    const double *b1 = tr_eval_b1(eval), *C = tr_eval_C(eval);
    double        power = tr_eval_energy(eval).power;
    for (int i = 0; C != NULL && i < V->nv; i++) {
        power += C[i] * v[i];
    }
    for (int i = 0; i < V->m; i++) {
        power -= lambda[i] * b1[i];
    }
    return power;
}

static const char *direction(const trVerifier *V, int k) {
    static const char *const planar[] = {"force along x", "force along y", "moment"};
    static const char *const spatial[] = {"force along x",
                                          "force along y",
                                          "force along z",
                                          "moment about its first principal axis",
                                          "moment about its second principal axis",
                                          "moment about its third principal axis"};
    return V->dim == 0 ? "M a + A' lambda = Q + C" : V->dim == 2 ? planar[k] : spatial[k];
}

void tr_verify_balance(trVerifier *V) {
    find_residuals(V, V->eval, &V->here);
    find_residuals(V, V->beside, &V->there);
    find_sizes(V);
    for (int i = 0; i < V->nv && V->settled; i++) {
        double change = change_of(V->here.balance[i], V->there.balance[i]);
        double size = V->size[i] + V->noted.share * V->largest;
        tr_see(V, TR_VERIFY_BALANCE,
               (trDeviation){.off = V->here.balance[i],
                             .allowed = V->noted.tolerance * size + TR_VERIFY_ROUNDING * change,
                             .unit = V->dim == 0   ? ""
                                     : V->turns[i] ? "N m"
                                                   : "N",
                             .role = V->dim == 0 ? "coordinate" : "body",
                             .name = tr_system_velocity(V->system, i).name,
                             .detail = direction(V, i % V->body_v)});
    }
    V->power = tr_verify_power(V, V->eval, V->now.v, V->lambda);
}

// --- three levels ---

enum { LENGTH, ANGLE, OTHER, QUANTITIES };

static int quantity_of(const trRowInfo *row) {
    return strcmp(row->unit, "m") == 0 ? LENGTH : strcmp(row->unit, "rad") == 0 ? ANGLE : OTHER;
}

static trDeviation of_row(const trVerifier *V, int i, int level) {
    static const char *const units[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
    trRowInfo                row = tr_system_row(V->system, i);
    int                      quantity = quantity_of(&row);
    return (trDeviation){.unit = quantity == OTHER ? "" : units[quantity][level],
                         .role = row.joint < 0 ? "constraint" : "joint",
                         .name = row.name};
}

// The largest of `here` in each quantity must be as large as the violation that the run stored: a
// method that drifts says so itself.
static void compare_stored(trVerifier *V, int level, const double *here, const double *there,
                           const double *stored) {
    int    worst[QUANTITIES] = {-1, -1, -1};
    double allowed[QUANTITIES] = {0.0};
    for (int i = 0; i < V->m; i++) {
        trRowInfo row = tr_system_row(V->system, i);
        int       k = quantity_of(&row);
        worst[k] = worst[k] < 0 || fabs(here[i]) > fabs(here[worst[k]]) ? i : worst[k];
        allowed[k] = fmax(allowed[k], TR_VERIFY_TOLERANCE * V->level_size[i] +
                                          TR_VERIFY_ROUNDING * change_of(here[i], there[i]));
    }
    for (int k = 0; k < QUANTITIES && k < V->layout.quantities; k++) {
        double found = worst[k] < 0 ? 0.0 : fabs(here[worst[k]]);
        bool   more = found > stored[k];
        // Rows that hold quaternions to unit length cannot be seen any more.
        if (!more && V->quaternion && k == ANGLE) {
            continue;
        }
        trDeviation d = worst[k] < 0 ? (trDeviation){.off = 0.0} : of_row(V, worst[k], level);
        d.off = found - stored[k];
        d.allowed = allowed[k] + TR_VERIFY_TOLERANCE * fabs(stored[k]);
        d.detail =
            more ? "violated by more than the row says" : "violated by less than the row says";
        tr_see(V, level == 0 ? TR_VERIFY_POSITION : TR_VERIFY_VELOCITY, d);
    }
}

// Whether rows of A depend on each other, or nearly so, or are too many to tell.
static bool are_dependent(trVerifier *V) {
    double *length = V->unit, longest = 0.0, shortest = INFINITY;
    if (V->A == NULL) {
        return true;
    }
    memset(length, 0, (size_t)V->m * sizeof *length);
    for (ptrdiff_t k = 0; k < (ptrdiff_t)V->m * V->nv; k++) {
        length[k / V->nv] = hypot(length[k / V->nv], V->A[k]);
    }
    for (int i = 0; i < V->m; i++) {
        longest = fmax(longest, length[i]);
        shortest = fmin(shortest, length[i]);
    }
    if (!(shortest > INDEPENDENT * longest)) {
        return true;
    }
    for (int i = 0; i < V->m; i++) {
        for (int j = 0; j < V->nv; j++) {
            V->rows.X[i + (ptrdiff_t)j * V->m] = V->A[(ptrdiff_t)i * V->nv + j] / length[i];
        }
    }
    return tr_rrqr_factor(&V->rows, INDEPENDENT) != TR_OK || V->rows.rank < V->m;
}

// a has the rounding of all loads over its mass, which may cancel. Of rows that depend on each
// other a formulation drops some, and these may ask for another acceleration; whether they do is
// looked at only where one is off.
static void see_accelerations(trVerifier *V) {
    const double *b = tr_eval_b(V->eval);
    double       *parts = V->beside_v, most = 0.0;
    tr_eval_mul_M(V->eval, V->a_size, parts);
    for (int i = 0; i < V->nv; i++) {
        double mass = V->a_size[i] > 0.0 ? fabs(parts[i]) / V->a_size[i] : 0.0;
        parts[i] = mass > 0.0 ? TR_VERIFY_ROUNDING / TR_VERIFY_TOLERANCE * V->size[i] / mass : 0.0;
        parts[i] += fabs(V->now.a[i]);
    }
    memset(V->level_size, 0, (size_t)V->m * sizeof *V->level_size);
    add_rows(V, parts, V->level_size);
    for (int i = 0; i < V->m; i++) {
        most = fmax(most, V->level_size[i] + fabs(b[i]));
    }
    for (int i = 0; i < V->m; i++) {
        trDeviation d = of_row(V, i, 2);
        d.off = V->here.acceleration[i];
        d.allowed = V->noted.tolerance * most +
                    TR_VERIFY_ROUNDING * change_of(d.off, V->there.acceleration[i]);
        d.detail = "A a - b";
        if (!(fabs(d.off) > d.allowed) || !are_dependent(V)) {
            tr_see(V, TR_VERIFY_ACCELERATION, d);
        }
    }
}

void tr_verify_levels(trVerifier *V) {
    const double *stored = V->row + V->layout.violation, *b1 = tr_eval_b1(V->eval);
    double       *x = V->beside_v;
    if (V->pole) {
        return;
    }
    for (int i = 0; i < V->nv; i++) {
        bool turned = V->dim == 3 && V->turns[i];
        x[i] = turned ? 1.0 : V->now.q[i / V->body_v * V->body_q + i % V->body_v];
    }
    for (int i = 0; i < V->m; i++) {
        V->level_size[i] = V->q_most;
    }
    add_rows(V, x, V->level_size);
    compare_stored(V, 0, V->here.position, V->there.position, stored);
    for (int i = 0; i < V->m; i++) {
        V->level_size[i] = V->v_most + fabs(b1[i]);
    }
    add_rows(V, V->now.v, V->level_size);
    compare_stored(V, 1, V->here.velocity, V->there.velocity, stored + V->layout.quantities);
    if (!V->noted.feeds_back) {
        see_accelerations(V);
    }
}
