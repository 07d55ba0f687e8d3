// SPDX-License-Identifier: MIT
#include "system/equations.h"

#include <stddef.h>
#include <string.h>

int tr_rows_values(const trRows *A) {
    int count = 0;
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            count += (A->group_row[g + 1] - A->group_row[g]) * A->side_width[s];
        }
    }
    return count;
}

void tr_rows_mul(const trRows *A, const double *x, double *y) {
    memset(y, 0, (size_t)A->m * sizeof *y);
    for (int g = 0; g < A->groups; g++) {
        int     rows = A->group_row[g + 1] - A->group_row[g];
        double *part = y + A->group_row[g];
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s], *from = x + A->side_column[s];
            int           width = A->side_width[s];
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < width; j++) {
                    part[i] += block[i * width + j] * from[j];
                }
            }
        }
    }
}

void tr_rows_tmul_sub(const trRows *A, const double *x, double *y) {
    for (int g = 0; g < A->groups; g++) {
        int           rows = A->group_row[g + 1] - A->group_row[g];
        const double *part = x + A->group_row[g];
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            double       *to = y + A->side_column[s];
            int           width = A->side_width[s];
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < width; j++) {
                    to[j] -= block[i * width + j] * part[i];
                }
            }
        }
    }
}

void tr_rows_dense(const trRows *A, double *dense) {
    memset(dense, 0, (size_t)A->m * (size_t)A->n * sizeof *dense);
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            int           width = A->side_width[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                for (int j = 0; j < width; j++) {
                    dense[i + (ptrdiff_t)(A->side_column[s] + j) * A->m] = *block++;
                }
            }
        }
    }
}

void tr_mass_mul(const trMass *M, const double *x, double *y) {
    for (int i = 0; i < M->n; i++) {
        if (M->diagonal != NULL) {
            y[i] = M->diagonal[i] * x[i];
            continue;
        }
        y[i] = 0.0;
        for (int j = 0; j < M->n; j++) {
            y[i] += M->dense[i + (ptrdiff_t)j * M->n] * x[j];
        }
    }
}

double tr_mass_form(const trMass *M, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < M->n; i++) {
        double row = M->diagonal != NULL ? M->diagonal[i] * x[i] : 0.0;
        for (int j = 0; M->dense != NULL && j < M->n; j++) {
            row += M->dense[i + (ptrdiff_t)j * M->n] * x[j];
        }
        sum += x[i] * row;
    }
    return sum;
}
