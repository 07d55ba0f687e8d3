// SPDX-License-Identifier: MIT
// In row i, velocities of measure g count beside those of the first measure 0 by their arm
//
//     r_i^2 = sum over j in g of A_ij^2 / sum over j in 0 of A_ij^2
//
// The size of all of measure g is the median of the arms, which neither a few arms of zero nor one
// that grows beyond bounds changes much; without arms the root of the mean mass over that of 0.

#include "formulation/unit_sizes.h"
#include "la/dense.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// Squares of the entries of a row in columns of two measures, summed.
static void sum_squares(const trEquations *e, int group, int row, const int measure[2],
                        double sum[2]) {
    const trRows *A = &e->A;
    for (int s = A->group_side[group]; s < A->group_side[group + 1]; s++) {
        const int     width = A->side_width[s], *found = e->measure + A->side_column[s];
        const double *entry = A->value + A->side_value[s] + (ptrdiff_t)row * width;
        for (int j = 0; j < width; j++) {
            for (int k = 0; k < 2; k++) {
                sum[k] += found[j] == measure[k] ? entry[j] * entry[j] : 0.0;
            }
        }
    }
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median arm, squared; 0 without arms.
static double typical_arm(const trEquations *e, const int measure[2], double *work) {
    const trRows *A = &e->A;
    int           count = 0;
    for (int g = 0; g < A->groups; g++) {
        for (int i = 0; i < A->group_row[g + 1] - A->group_row[g]; i++) {
            double sum[2] = {0.0, 0.0};
            sum_squares(e, g, i, measure, sum);
            const double arm = sum[0] > 0.0 ? sum[1] / sum[0] : 0.0;
            if (arm > 0.0 && isfinite(arm)) {
                work[count++] = arm;
            }
        }
    }
    qsort(work, (size_t)count, sizeof *work, compare);
    return count > 0 ? work[count / 2] : 0.0;
}

double tr_mean_mass(const trEquations *e, int measure, const double *mass) {
    double sum = 0.0;
    int    count = 0;
    for (int j = 0; j < e->nv; j++) {
        const double here = mass != NULL ? mass[j] : tr_mass_of(&e->M, j);
        const bool   counts = tr_measure_of(e, j) == measure && here > 0.0;
        sum += counts ? here : 0.0;
        count += counts;
    }
    return count > 0 ? sum / count : 0.0;
}

static double size_of(const trEquations *e, int measure, double *work) {
    const int    both[2] = {e->measure[0], measure};
    const double arm = typical_arm(e, both, work);
    const double here = tr_mean_mass(e, both[1], NULL), first = tr_mean_mass(e, both[0], NULL);
    const double square = arm > 0.0 ? arm : here > 0.0 && first > 0.0 ? here / first : 1.0;
    return sqrt(square);
}

void tr_unit_sizes(const trEquations *e, double *size, double *work) {
    tr_fill(e->nv, 1.0, size);
    for (int j = 1; e->measure != NULL && j < e->nv; j++) {
        int first = 0;  // with this measure
        while (e->measure[first] != e->measure[j]) {
            first++;
        }
        size[j] = first == j ? size_of(e, e->measure[j], work) : size[first];
    }
}
