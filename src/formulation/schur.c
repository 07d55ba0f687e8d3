// SPDX-License-Identifier: MIT
// The numeric part of the sparse kernel: assemble, factor, solve, refine. The equations stand in
// schur.h.

#include "formulation/schur.h"

#include <math.h>
#include <string.h>

#define COMPLIANCE 1e-7        // of E, relative to |A_i|^2 / (mean mass)
#define SWEEPS_MAX 12          // of refinement with compliance
#define SWEEP_TOLERANCE 4e-16  // relative correction at which refinement ends

// B = A M^-1/2, so that S_jk = B_j B_k' needs no M.
static void scale_sides(trSchur *s, const double *value) {
    for (int i = 0; i < s->sides; i++) {
        const trSide *side = &s->side[i];
        const double *root = s->root + side->column, *from = value + side->value;
        double       *to = s->B + side->value;
        int           width = side->width, count = s->side_rows[i] * width;
        if (count == 6 && width == 3) {
            double r0 = root[0], r1 = root[1], r2 = root[2];
            to[0] = from[0] * r0, to[1] = from[1] * r1, to[2] = from[2] * r2;
            to[3] = from[3] * r0, to[4] = from[4] * r1, to[5] = from[5] * r2;
            continue;
        }
        for (int k = 0; k < count; k++) {
            to[k] = from[k] * root[k % width];
        }
    }
}

// S (rl x rr) = S + L (rl x w) R' (R: rr x w). Sizes are constants after inlining.
TR_INLINE void add_product(int rl, int rr, int w, const double *L, const double *R, double *S) {
    for (int i = 0; i < rl; i++) {
        for (int j = 0; j < rr; j++) {
            double sum = S[i * rr + j];
            for (int k = 0; k < w; k++) {
                sum += L[i * w + k] * R[j * w + k];
            }
            S[i * rr + j] = sum;
        }
    }
}

static void assemble_products(trSchur *s) {
    double *S = s->ldl.value;
    memset(S, 0, (size_t)s->ldl.values * sizeof *S);
    for (int i = 0; i < s->gathers; i++) {
        const trGather *g = &s->gather[i];
        const double   *left = s->B + g->left, *right = s->B + g->right;
        if (g->rows_left == 2 && g->rows_right == 2 && g->width == 3) {
            add_product(2, 2, 3, left, right, S + g->block);
        } else {
            add_product(g->rows_left, g->rows_right, g->width, left, right, S + g->block);
        }
    }
}

// Kept bodies: -A0' below the diagonal, -M0 on it; E in the rows that touch them.
static void assemble_kept(trSchur *s, const trEquations *e) {
    double *S = s->ldl.value;
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            S[s->kept_block[k] + j * (s->kept_width[k] + 1)] =
                -e->M.diagonal[s->kept_column[k] + j];
        }
    }
    for (int g = 0; g < s->groups; g++) {
        int r = s->group_row[g + 1] - s->group_row[g], row = s->group_row[g];
        if (!s->soft[row]) {
            continue;
        }
        for (int i = 0; i < r; i++) {
            double norm = 0.0;
            for (int k = s->group_side[g]; k < s->group_side[g + 1]; k++) {
                const trSide *side = &s->side[k];
                const double *from = e->A.value + side->value + i * side->width;
                for (int j = 0; j < side->width; j++) {
                    norm += from[j] * from[j];
                    if (side->kept >= 0) {
                        S[side->kept + j * r + i] = -from[j];
                    }
                }
            }
            s->compliance[row + i] = COMPLIANCE * norm / s->mean_mass;
            S[s->group_block[g] + i * (r + 1)] += s->compliance[row + i];
        }
    }
}

// diag(S), and below which pivot a row counts as dependent.
static void set_limits(trSchur *s, const trEquations *e) {
    double factor = e->rank_tolerance * e->rank_tolerance;
    for (int g = 0; g < s->groups; g++) {
        int           row = s->group_row[g], r = s->group_row[g + 1] - row;
        const double *S = s->ldl.value + s->group_block[g];
        double       *limit = s->ldl.limit + s->group_first[g];
        for (int i = 0; i < r; i++) {
            double norm = S[i * (r + 1)];
            double scale = e->row_scale == NULL ? 0.0 : e->row_scale[row + i];
            s->row_norm[row + i] = norm;
            s->nominal[row + i] = scale > 0.0 ? scale * scale : norm;
            limit[i] = s->soft[row + i] ? 0.0 : factor * s->nominal[row + i];
        }
    }
}

static int column_of_unknown(const trSchur *s, int unknown) {
    for (int k = 0; k < s->kept; k++) {
        if (unknown >= s->kept_first[k] && unknown < s->kept_first[k] + s->kept_width[k]) {
            return s->kept_column[k] + unknown - s->kept_first[k];
        }
    }
    return -1;
}

trStatus tr_schur_factor(trSchur *s, const trEquations *e) {
    scale_sides(s, e->A.value);
    assemble_products(s);
    if (s->kept > 0) {
        assemble_kept(s, e);
    }
    set_limits(s, e);
    int vanished = tr_block_factor(&s->ldl);
    s->free_column = vanished < 0 ? s->lone_column : column_of_unknown(s, vanished);
    if (s->free_column >= 0) {
        return tr_fail(TR_SINGULAR, "velocity %d has neither inertia nor a constraint",
                       s->free_column);
    }
    return TR_OK;
}

// y (rows) = y + block (rows x width) x.
TR_INLINE void add_block(int rows, int width, const double *block, const double *x, double *y) {
    for (int i = 0; i < rows; i++) {
        double sum = y[i];
        for (int j = 0; j < width; j++) {
            sum += block[i * width + j] * x[j];
        }
        y[i] = sum;
    }
}

// The right side of the block system:  A1 M1^-1 F1 - b  and  -F0.
static void make_right_side(trSchur *s, const double *A, const double *F, const double *b) {
    for (int i = 0; i < s->n; i++) {
        s->a0[i] = s->minv[i] * F[i];  // 0 in kept columns
    }
    for (int g = 0; g < s->groups; g++) {
        int     row = s->group_row[g], r = s->group_row[g + 1] - row;
        double *x = s->x + s->group_first[g];
        for (int i = 0; i < r; i++) {
            x[i] = -b[row + i];
        }
        for (int k = s->group_side[g]; k < s->group_side[g + 1]; k++) {
            const trSide *side = &s->side[k];
            if (r == 2 && side->width == 3) {
                add_block(2, 3, A + side->value, s->a0 + side->column, x);
            } else {
                add_block(r, side->width, A + side->value, s->a0 + side->column, x);
            }
        }
    }
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            s->x[s->kept_first[k] + j] = -F[s->kept_column[k] + j];
        }
    }
}

// a = a0 - M^-1 block' x.
TR_INLINE void take_back(int rows, int width, const double *block, const double *x,
                         const double *minv, double *a) {
    for (int j = 0; j < width; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++) {
            sum += block[i * width + j] * x[i];
        }
        a[j] -= minv[j] * sum;
    }
}

// One solve of the factored system, compliance included.
static void solve_once(trSchur *s, const double *A, const double *F, const double *b, double *a,
                       double *lambda) {
    make_right_side(s, A, F, b);
    tr_block_solve(&s->ldl, s->x);
    memcpy(a, s->a0, (size_t)s->n * sizeof *a);
    for (int g = 0; g < s->groups; g++) {
        int           row = s->group_row[g], r = s->group_row[g + 1] - row;
        const double *x = s->x + s->group_first[g];
        for (int i = 0; i < r; i++) {
            lambda[row + i] = x[i];
        }
        for (int k = s->group_side[g]; k < s->group_side[g + 1]; k++) {
            const trSide *side = &s->side[k];
            const double *minv = s->minv + side->column, *block = A + side->value;
            if (r == 2 && side->width == 3) {
                take_back(2, 3, block, x, minv, a + side->column);
            } else {
                take_back(r, side->width, block, x, minv, a + side->column);
            }
        }
    }
    for (int k = 0; k < s->kept; k++) {
        memcpy(a + s->kept_column[k], s->x + s->kept_first[k],
               (size_t)s->kept_width[k] * sizeof *a);
    }
}

static double largest(const double *x, int count) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// Corrects (a, lambda) by a solve for the residuals of the equations without compliance.
// Returns the largest relative change of an acceleration.
static double refine(trSchur *s, const trEquations *e, const double *F, const double *b, double *a,
                     double *lambda) {
    for (int i = 0; i < s->n; i++) {
        s->r_a[i] = F[i] - e->M.diagonal[i] * a[i];
    }
    tr_rows_tmul_sub(&e->A, lambda, s->r_a);
    tr_rows_mul(&e->A, a, s->r_lambda);
    for (int i = 0; i < s->m; i++) {
        s->r_lambda[i] = b[i] - s->r_lambda[i];
    }
    solve_once(s, e->A.value, s->r_a, s->r_lambda, s->d_a, s->d_lambda);
    for (int i = 0; i < s->n; i++) {
        a[i] += s->d_a[i];
    }
    for (int i = 0; i < s->m; i++) {
        lambda[i] += s->d_lambda[i];
    }
    double size = largest(a, s->n);
    return size > 0.0 ? largest(s->d_a, s->n) / size : 0.0;
}

trStatus tr_schur_solve(trSchur *s, const trEquations *e, const double *F, const double *b,
                        double *a, double *lambda) {
    solve_once(s, e->A.value, F, b, a, lambda);
    if (s->kept == 0) {
        if (s->ldl.dropped > 0) {
            (void)refine(s, e, F, b, a, lambda);
        }
        return TR_OK;
    }
    // With compliance each sweep gains digits until only rounding is left.
    double last = INFINITY;
    for (int i = 0; i < SWEEPS_MAX; i++) {
        double change = refine(s, e, F, b, a, lambda);
        if (change <= SWEEP_TOLERANCE || (change < 1e-12 && change > 0.5 * last)) {
            return TR_OK;
        }
        last = change;
    }
    return last < 1e-9 ? TR_OK
                       : tr_fail(TR_SINGULAR,
                                 "the constraints of bodies without mass are close "
                                 "to singular (refinement stops at %.1e)",
                                 last);
}

trRank tr_schur_rank(trSchur *s) {
    trRank rank = {.rank = s->m, .gap = INFINITY, .gap_row = -1, .free_column = s->free_column};
    tr_block_pivots(&s->ldl, s->pivot);
    for (int g = 0; g < s->groups; g++) {
        for (int row = s->group_row[g]; row < s->group_row[g + 1]; row++) {
            double pivot = s->pivot[s->group_first[g] + row - s->group_row[g]];
            if (pivot == 0.0) {
                s->dropped[rank.dropped++] = row;
            } else if (!s->soft[row] && pivot < rank.gap * s->nominal[row]) {
                rank.gap = pivot / s->nominal[row];
                rank.gap_row = row;
            }
        }
    }
    rank.rank -= rank.dropped;
    rank.rows = s->dropped;
    return rank;
}
