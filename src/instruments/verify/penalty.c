// SPDX-License-Identifier: MIT
// What rounding leaves of multipliers that are a penalty times a gap,
//
//     (M + A'DA) a_1 = F + A'Db        lambda = sum over rounds of D (A a_i - b)        D =
//     diag(alpha)
//
// with alpha_i = size / (A_i M^-1 A_i'), or as it was given. M a + A' lambda = F would hold after
// any round, but gaps are the last digits of A a and b, and alpha makes them large. Coordinate j is
// left open by about
//
//     4 u sqrt(45 sum_i alpha_i^2 A_ij^2 g_i^2 + n K_jj sum_k K_kk a_k^2)
//     g_i^2 = sum_k A_ik^2 a_k^2 + b_i^2        K = M + A'DA = L L'
//
// because roundings are independent of each other, 4 times over. The first term: a gap is a sum of
// 12 products and b, with 15 roundings on the way to lambda, in each of the 3 rounds that are the
// rule. The second: a solution by Cholesky's factor leaves n u |L| |L'| |a| at most (Higham 2002,
// theorem 10.4), where rows of L have the lengths sqrt(K_jj); rounds do not correct this, because
// they begin at the gap it has left. Where rows hold orientations and bodies are small, alpha is
// large beside moments of inertia: both terms grow with alpha / J, 1e6 times from 1 m to 1 mm.

#include <math.h>
#include <string.h>

#include "formulation/row_weights.h"
#include "verify/verify.h"

#define ROUNDINGS 45.0
#define DEVIATIONS 4.0

static double mass_of(const trVerifier *V, int i) {
    const trMass *M = &V->eval.equations.M;
    return M->dense != NULL ? M->dense[i + (ptrdiff_t)i * M->n] : M->diagonal[i];
}

// |a| of a coordinate. Rates of quaternions have e'' = alpha e / 2 - w.w e / 4, and rows of 2 E for
// one of E.
static double acceleration_of(const trVerifier *V, int i) {
    const trSpace *space = V->system->space;
    double         spin = 0.0;
    if (V->quaternion && tr_space_turns(space, i % space->nv)) {
        const double *w = V->v + i / space->nv * space->nv + 3;
        spin = 0.5 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    return fabs(V->a[i]) + spin;
}

// sum_j A_ij^2 x_j of all rows; transposed sum_i A_ij^2 x_i of all coordinates.
static void add_squares(const trRows *A, bool transposed, const double *x, double *to) {
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                for (int j = A->side_column[s]; j < A->side_column[s] + A->side_width[s]; j++) {
                    double square = *block * *block;
                    to[transposed ? j : i] += square * x[transposed ? i : j];
                    block++;
                }
            }
        }
    }
}

// As the formulation chooses it. `memory`: nv. Of rates of quaternions M and A'A are up to four
// times as large.
static void find_alpha(const trVerifier *V, double *memory, double *alpha) {
    double factor = V->quaternion ? 4.0 : 1.0;
    tr_row_weights(&V->eval.equations, memory, alpha);
    for (int i = 0; i < V->system->m; i++) {
        alpha[i] = factor * (V->penalty > 0.0 ? V->penalty : V->penalty_size * alpha[i]);
    }
}

// sum_i alpha_i^2 A_ij^2 g_i^2 of all coordinates, from their a^2.
static void find_loads(const trVerifier *V, const double *alpha, double *gap, double *squares) {
    const trSystem *s = V->system;
    for (int i = 0; i < s->m; i++) {
        gap[i] = V->eval.b[i] * V->eval.b[i];
    }
    add_squares(&V->eval.equations.A, false, squares, gap);
    for (int i = 0; i < s->m; i++) {
        gap[i] *= alpha[i] * alpha[i];
    }
    memset(squares, 0, (size_t)s->nv * sizeof *squares);
    add_squares(&V->eval.equations.A, true, gap, squares);
}

void tr_verify_penalty(trVerifier *V) {
    const trSystem *s = V->system;
    double         *gap = V->work, *K = V->work2, *to = V->gapped, *alpha = V->alpha, sum = 0.0;
    memset(to, 0, (size_t)s->nv * sizeof *to);
    if (!(V->penalty_size > 0.0)) {
        return;
    }
    find_alpha(V, to, alpha);
    memset(K, 0, (size_t)s->nv * sizeof *K);
    add_squares(&V->eval.equations.A, true, alpha, K);
    for (int i = 0; i < s->nv; i++) {
        K[i] += mass_of(V, i);
        to[i] = pow(acceleration_of(V, i), 2.0);
        sum += K[i] * to[i];
    }
    find_loads(V, alpha, gap, to);
    for (int i = 0; i < s->nv; i++) {
        to[i] = DEVIATIONS * TR_ROUNDING * sqrt(ROUNDINGS * to[i] + s->nv * K[i] * sum);
    }
}
