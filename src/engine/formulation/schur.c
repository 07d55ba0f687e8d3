// SPDX-License-Identifier: MIT
// The numeric part of the sparse kernel: assemble, factor, solve, refine. The equations stand in
// schur.h.

#include "formulation/schur.h"

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "la/dense.h"

#define SWEEPS_MAX 30          // of refinement with compliance
#define SWEEP_TOLERANCE 4e-16  // relative correction at which refinement ends
#define SLOW 0.5               // and if a correction is not this much smaller than the last

// S (rl x rr, column after column) = S + L M^-1 R', with L (rl x w) and R (rr x w) row after row;
// the first product of a block starts it. Sizes are constants after inlining, where the caller has
// constants; a triangle of a diagonal block would have loops of other lengths, and be slower.
TR_INLINE void add_product(const trGather *g, int rl, int rr, int w, const double *A,
                           const double *minv, double *S) {
    const double *L = A + g->left, *R = A + g->right;
    double        scaled[TR_BLOCK_MAX * TR_BLOCK_MAX];  // M^-1 L'
    for (int k = 0; k < w; k++) {
        for (int i = 0; i < rl; i++) {
            scaled[k * rl + i] = L[i * w + k] * minv[k];
        }
    }
    for (int j = 0; j < rr; j++) {
        double column[TR_BLOCK_MAX];
        for (int i = 0; i < rl; i++) {
            column[i] = g->first ? 0.0 : S[j * rl + i];
        }
        for (int k = 0; k < w; k++) {
            for (int i = 0; i < rl; i++) {
                column[i] += scaled[k * rl + i] * R[j * w + k];
            }
        }
        for (int i = 0; i < rl; i++) {
            S[j * rl + i] = column[i];
        }
    }
}

// The same for two planar pins that share a body, the most frequent product of all.
TR_INLINE void add_pins(const trGather *g, const double *A, const double *minv, double *S) {
    const double *L = A + g->left, *R = A + g->right;
    double        a0 = L[0] * minv[0], a1 = L[1] * minv[1], a2 = L[2] * minv[2];
    double        b0 = L[3] * minv[0], b1 = L[4] * minv[1], b2 = L[5] * minv[2];
    double        s00 = a0 * R[0] + a1 * R[1] + a2 * R[2], s10 = b0 * R[0] + b1 * R[1] + b2 * R[2];
    double        s01 = a0 * R[3] + a1 * R[4] + a2 * R[5], s11 = b0 * R[3] + b1 * R[4] + b2 * R[5];
    if (g->first) {
        S[0] = s00, S[1] = s10, S[2] = s01, S[3] = s11;
    } else {
        S[0] += s00, S[1] += s10, S[2] += s01, S[3] += s11;
    }
}

static void assemble_products(trSchur *s, const double *A) {
    for (int i = 0; i < s->gathers; i++) {
        const trGather *g = &s->gather[i];
        const double   *minv = s->minv + g->column;
        double         *S = s->ldl.value + g->block;
        const int       rl = g->rows_left, rr = g->rows_right;
        if (rl == 2 && rr == 2 && g->width == 3) {
            add_pins(g, A, minv, S);
        } else if (rl == 5 && rr == 5 && g->width == 6) {
            add_product(g, 5, 5, 6, A, minv, S);
        } else if (g->width == 6) {
            add_product(g, rl, rr, 6, A, minv, S);
        } else {
            add_product(g, rl, rr, g->width, A, minv, S);
        }
    }
}

// Kept bodies: -A0' below the diagonal, -M0 on it.
static void assemble_kept(trSchur *s, const trEquations *e) {
    double *S = s->ldl.value;
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            S[s->kept_block[k] + j * (s->kept_width[k] + 1)] =
                -e->M.diagonal[s->kept_column[k] + j];
        }
    }
    for (int i = 0; i < s->sides; i++) {
        const trSide *side = &s->side[i];
        const double *block = e->A.value + side->value;
        for (int r = 0; side->kept >= 0 && r < s->group[side->group].rows; r++) {
            for (int j = 0; j < side->width; j++) {
                S[side->kept + r * side->width + j] = -block[r * side->width + j];
            }
        }
    }
}

// E in the rows that touch a kept body: a small part of the mobility that the row has without it
// or, where it has none, would have with the mean mass.
static void add_compliance(trSchur *s, const trEquations *e) {
    for (int g = 0; g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        for (int i = 0; s->soft[group->row] && i < group->rows; i++) {
            double *diagonal = &s->ldl.value[group->block + i * (group->rows + 1)];
            double  norm = tr_schur_row_square(s, group, e->A.value, i);
            *diagonal += s->compliance * (*diagonal > 0.0 ? *diagonal : norm / s->mean_mass);
        }
    }
}

// The nominal diagonal entry of S: as large as it was at any accepted state.
TR_INLINE double nominal(const double *row_scale, int row, double norm) {
    double scale = row_scale == NULL ? 0.0 : row_scale[row];
    return scale > 0.0 ? scale * scale : norm;
}

// diag(S), and below which pivot a row counts as dependent. Rows with compliance never do by their
// pivots; spare ones always do.
static void set_limits(trSchur *s, const trEquations *e) {
    const double tolerance = e->rank_tolerance * e->rank_tolerance, *scale = e->row_scale;
    s->row_scale = scale;
    for (int g = 0; g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        const double  *S = s->ldl.value + group->block;
        double        *limit = s->ldl.limit + group->first, *norm = s->row_norm + group->row;
        if (group->shape == TR_PIN) {
            norm[0] = S[0];
            norm[1] = S[3];
            limit[0] = tolerance * nominal(scale, group->row, S[0]);
            limit[1] = tolerance * nominal(scale, group->row + 1, S[3]);
            continue;
        }
        for (int i = 0; i < group->rows; i++) {
            norm[i] = S[i * (group->rows + 1)];
            limit[i] = tolerance * nominal(scale, group->row + i, norm[i]);
        }
    }
    for (int g = 0; s->kept > 0 && g < s->groups; g++) {
        for (int i = 0; s->soft[s->group[g].row] && i < s->group[g].rows; i++) {
            s->ldl.limit[s->group[g].first + i] = 0.0;
        }
    }
    for (int g = 0; e->spare != NULL && g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        for (int i = 0; i < group->rows; i++) {
            if (e->spare[group->row + i]) {
                s->ldl.limit[group->first + i] = INFINITY;
            }
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

static trStatus refuse_free(const trSchur *s) {
    return tr_fail(TR_SINGULAR, "velocity %d has neither inertia nor a constraint", s->free_column);
}

trStatus tr_schur_factor(void *work, const trEquations *e) {
    trSchur *s = work;
    if (s->kept > 0 && !s->determined) {
        s->free_column = tr_schur_find_free(s, e);
        if (s->free_column >= 0) {
            return refuse_free(s);
        }
        s->determined = true;
    }
    assemble_products(s, e->A.value);
    if (s->kept > 0) {
        assemble_kept(s, e);
        add_compliance(s, e);
    }
    set_limits(s, e);
    int vanished = tr_block_factor(&s->ldl);
    s->free_column = vanished < 0 ? s->lone_column : column_of_unknown(s, vanished);
    return s->free_column >= 0 ? refuse_free(s) : TR_OK;
}

// x = A1 a1 - b for the rows of one joint.
TR_INLINE void group_right_side(trSchur *s, const trGroup *group, int rows, int width,
                                const double *A, const double *b, const double *a) {
    double x[TR_BLOCK_MAX], *to = s->x + group->first;
    for (int i = 0; i < rows; i++) {
        x[i] = -b[group->row + i];
    }
    for (int k = group->begin; k < group->end; k++) {
        const trSide *side = &s->side[k];
        const int     w = width > 0 ? width : side->width;
        const double *block = A + side->value, *from = a + side->column;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < w; j++) {
                x[i] += block[i * w + j] * from[j];
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        to[i] = x[i];
    }
}

// The right side of the block system,  A1 a1 - b  and  -F0, with a = a1 = M1^-1 F1 and 0 in kept
// columns.
static void make_right_side(trSchur *s, const double *A, const double *F, const double *b,
                            const double *a) {
    for (int g = 0; g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        if (group->shape == TR_PIN) {
            group_right_side(s, group, 2, 3, A, b, a);
        } else if (group->shape == TR_HINGE) {
            group_right_side(s, group, 5, 6, A, b, a);
        } else {
            group_right_side(s, group, group->rows, 0, A, b, a);
        }
    }
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            s->x[s->kept_first[k] + j] = -F[s->kept_column[k] + j];
        }
    }
}

// lambda of one joint out of the unknowns x, and a = a - M^-1 A' lambda.
TR_INLINE void group_solution(const trSchur *s, const trGroup *group, int rows, int width,
                              const double *A, double *a, double *lambda) {
    const double *x = s->x + group->first;
    for (int i = 0; i < rows; i++) {
        lambda[group->row + i] = x[i];
    }
    for (int k = group->begin; k < group->end; k++) {
        const trSide *side = &s->side[k];
        const int     w = width > 0 ? width : side->width;
        const double *block = A + side->value, *minv = s->minv + side->column;
        for (int j = 0; j < w; j++) {
            double sum = 0.0;
            for (int i = 0; i < rows; i++) {
                sum += block[i * w + j] * x[i];
            }
            a[side->column + j] -= minv[j] * sum;
        }
    }
}

// lambda, and a = M^-1 (F - A' lambda) from a = M^-1 F.
static void take_solution(const trSchur *s, const double *A, double *a, double *lambda) {
    for (int g = 0; g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        if (group->shape == TR_PIN) {
            group_solution(s, group, 2, 3, A, a, lambda);
        } else if (group->shape == TR_HINGE) {
            group_solution(s, group, 5, 6, A, a, lambda);
        } else {
            group_solution(s, group, group->rows, 0, A, a, lambda);
        }
    }
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            a[s->kept_column[k] + j] = s->x[s->kept_first[k] + j];
        }
    }
}

// One solve of the factored system, compliance included.
static void solve_once(trSchur *s, const double *A, const double *F, const double *b, double *a,
                       double *lambda) {
    for (int i = 0; i < s->n; i++) {
        a[i] = s->minv[i] * F[i];  // 0 in kept columns
    }
    make_right_side(s, A, F, b, a);
    tr_block_solve(&s->ldl, s->x);
    take_solution(s, A, a, lambda);
}

static double relative(const double *change, const double *x, int count, double least) {
    double size = fmax(tr_largest(count, x), least);
    return size > 0.0 ? tr_largest(count, change) / size : 0.0;
}

// Corrects (a, lambda) by a solve for the residuals of the equations without compliance.
// Returns the largest change of an acceleration or a multiplier, relative to the largest one. In a
// structure that cannot move, accelerations are what is left of `free`, those of free bodies.
static double refine(trSchur *s, const trEquations *e, const double *F, const double *b,
                     double free, double *a, double *lambda) {
    for (int i = 0; i < s->n; i++) {
        s->r_a[i] = F[i] - e->M.diagonal[i] * a[i];
    }
    tr_rows_tmul_sub(&e->A, lambda, s->r_a);
    tr_rows_mul(&e->A, a, s->r_lambda);
    tr_subtract_from(s->m, b, s->r_lambda);
    solve_once(s, e->A.value, s->r_a, s->r_lambda, s->d_a, s->d_lambda);
    tr_add(s->n, s->d_a, a);
    tr_add(s->m, s->d_lambda, lambda);
    return fmax(relative(s->d_a, a, s->n, free), relative(s->d_lambda, lambda, s->m, 0.0));
}

// The largest of M^-1 F, with the mean mass where a body is kept.
static double free_acceleration(const trSchur *s, const double *F) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double mean = s->mean_mass * s->size[i] * s->size[i];
        most = fmax(most, fabs(F[i]) * (s->minv[i] > 0.0 ? s->minv[i] : 1.0 / mean));
    }
    return most;
}

trStatus tr_schur_solve(void *work, const trEquations *e, const double *F, const double *b,
                        double *a, double *lambda) {
    trSchur *s = work;
    solve_once(s, e->A.value, F, b, a, lambda);
    if (s->kept == 0) {
        if (s->ldl.dropped > 0) {
            (void)refine(s, e, F, b, 0.0, a, lambda);
        }
        return TR_OK;
    }
    double last = INFINITY, free = free_acceleration(s, F);
    for (int i = 0; i < SWEEPS_MAX; i++) {
        double change = refine(s, e, F, b, free, a, lambda);
        if (change <= SWEEP_TOLERANCE || change > SLOW * last) {
            break;
        }
        last = change;
    }
    return TR_OK;
}

trRank tr_schur_rank(void *work) {
    trSchur *s = work;
    trRank   rank = {.rank = s->m, .gap = INFINITY, .gap_row = -1, .free_column = s->free_column};
    tr_block_pivots(&s->ldl, s->pivot);
    for (int g = 0; g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        for (int row = group->row; row < group->row + group->rows; row++) {
            rank.unjudged += s->soft[row];
            double pivot = s->pivot[group->first + row - group->row];
            if (pivot == 0.0) {
                s->dropped[rank.dropped++] = row;
                continue;
            }
            double ratio = pivot / nominal(s->row_scale, row, s->row_norm[row]);
            if (!s->soft[row] && ratio < rank.gap) {
                rank.gap = ratio;
                rank.gap_row = row;
            }
        }
    }
    rank.rank -= rank.dropped;
    rank.rows = s->dropped;
    return rank;
}
