// SPDX-License-Identifier: MIT
// Motions of bodies without mass that nothing determines: v with M v = 0 and A v = 0.
//
// In the factorization for accelerations, with its small compliance, what is left of one body after
// another may be rounding. With velocities in one unit, rows scaled to length one and the
// compliance 1 instead of S1 + E, the pivots of kept bodies are those of
//
//     M0 / (mean mass) + A0' A0
//
// A pivot far below its own diagonal entry holds nothing; nor does one whose diagonal entry is
// itself what rounding leaves of zero (a rod that spins about its pins). The smallest tells how
// small the compliance may be: a ball that spins on a spherical joint has only its inertia there.

#include "formulation/schur.h"

#include <math.h>
#include <string.h>

#include "base/largest.h"

#define FREE 1e-11     // relative to the diagonal entry
#define NOTHING 1e-20  // a diagonal entry, relative to the largest of its body

#define COMPLIANCE 1e-8       // of E, relative to the mobility of its row
#define MOST_COMPLIANCE 1e-2  // with which refinement still is fast
#define ROUNDING 1e-13        // of M + A'A, with a margin

double tr_schur_row_square(const trSchur *s, const trGroup *group, const double *A, int i) {
    double sum = 0.0;
    for (int k = group->begin; k < group->end; k++) {
        const trSide *side = &s->side[k];
        const double *row = A + side->value + i * side->width;
        for (int j = 0; j < side->width; j++) {
            const double entry = row[j] / s->size[side->column + j];
            sum += entry * entry;
        }
    }
    return sum;
}

// 1 on the diagonals of rows and -A0' below them. `diagonal` (n) receives that of A0' A0.
static void assemble_rows(trSchur *s, const double *A, double *diagonal) {
    double *S = s->ldl.value;
    for (int g = 0; g < s->groups; g++) {
        const trGroup *group = &s->group[g];
        for (int i = 0; i < group->rows; i++) {
            double square = tr_schur_row_square(s, group, A, i);
            double length = square > 0.0 ? sqrt(square) : 1.0;
            S[group->block + i * (group->rows + 1)] = 1.0;
            s->ldl.limit[group->first + i] = 0.0;
            for (int k = group->begin; k < group->end; k++) {
                const trSide *side = &s->side[k];
                for (int j = 0; side->kept >= 0 && j < side->width; j++) {
                    double entry = A[side->value + i * side->width + j];
                    double value = entry / (length * s->size[side->column + j]);
                    S[side->kept + i * side->width + j] = -value;
                    diagonal[side->column + j] += value * value;
                }
            }
        }
    }
}

// -M0 / (mean mass) on the diagonals of kept bodies.
static void assemble_masses(trSchur *s, const trEquations *e, double *diagonal) {
    for (int k = 0; k < s->kept; k++) {
        for (int j = 0; j < s->kept_width[k]; j++) {
            int    column = s->kept_column[k] + j;
            double mean = s->mean_mass * s->size[column] * s->size[column];
            double mass = e->M.diagonal[column] / mean;
            s->ldl.value[s->kept_block[k] + j * (s->kept_width[k] + 1)] = -mass;
            diagonal[column] += mass;
        }
    }
}

// The largest diagonal entry of a kept body among velocities with the unit of this one.
static double largest_alike(const trSchur *s, const trEquations *e, const double *diagonal, int k,
                            int column) {
    double most = 0.0;
    for (int j = s->kept_column[k]; j < s->kept_column[k] + s->kept_width[k]; j++) {
        bool alike = e->measure != NULL ? e->measure[j] == e->measure[column] : j == column;
        most = alike ? fmax(most, diagonal[j]) : most;
    }
    return most;
}

// M + A'D A is rounded by eps D, which must not hide what holds the least.
static double choose_compliance(double least) {
    return fmin(fmax(COMPLIANCE, ROUNDING / least), MOST_COMPLIANCE);
}

int tr_schur_find_free(trSchur *s, const trEquations *e) {
    double *diagonal = s->r_a, held = 1.0;
    memset(diagonal, 0, (size_t)s->n * sizeof *diagonal);
    memset(s->ldl.value, 0, (size_t)s->ldl.values * sizeof *s->ldl.value);
    assemble_rows(s, e->A.value, diagonal);
    assemble_masses(s, e, diagonal);
    int vanished = tr_block_factor(&s->ldl);
    tr_block_pivots(&s->ldl, s->pivot);
    for (int k = 0; k < s->kept; k++) {
        double nothing = NOTHING * tr_largest(s->kept_width[k], diagonal + s->kept_column[k]);
        for (int j = 0; j < s->kept_width[k]; j++) {
            int    column = s->kept_column[k] + j, unknown = s->kept_first[k] + j;
            double pivot = -s->pivot[unknown], least = fmax(FREE * diagonal[column], nothing);
            // Where the factorization stopped, later pivots do not count.
            if (unknown == vanished || (vanished < 0 && !(pivot > least))) {
                return column;
            }
            held = fmin(held, pivot / largest_alike(s, e, diagonal, k, column));
        }
    }
    s->compliance = choose_compliance(held);
    return -1;
}
