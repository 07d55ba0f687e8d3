// SPDX-License-Identifier: MIT
#include "projection/coordinates.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define CLEARLY 1e-6  // of equals the first is chosen, whatever rounding says

void tr_coordinates_fill(int n, int k, const double *G, double *N) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++) {
                sum += G[l * (ptrdiff_t)n + i] * G[l * (ptrdiff_t)n + j];
            }
            N[j * (ptrdiff_t)n + i] = sum;
        }
    }
}

// rest = rest - column column' / pivot; the column of the pivot becomes zero.
static double eliminate(int n, double *rest, int p) {
    const double *column = rest + p * (ptrdiff_t)n;
    double        pivot = column[p];
    for (int j = 0; pivot > 0.0 && j < n; j++) {
        double factor = rest[j * (ptrdiff_t)n + p] / pivot;
        for (int i = 0; j != p && i < n; i++) {
            rest[j * (ptrdiff_t)n + i] -= factor * column[i];
        }
    }
    memset(rest + p * (ptrdiff_t)n, 0, (size_t)n * sizeof *rest);
    return pivot;
}

static int largest(int n, const double *rest) {
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = rest[i * (ptrdiff_t)(n + 1)] > (1.0 + CLEARLY) * rest[best * (ptrdiff_t)(n + 1)]
                   ? i
                   : best;
    }
    return best;
}

double tr_coordinates_choose(int n, int k, const double *N, double *memory, int *chosen) {
    double sum = 0.0;
    memcpy(memory, N, (size_t)n * (size_t)n * sizeof *memory);
    for (int l = 0; l < k; l++) {
        chosen[l] = largest(n, memory);
        sum += log(eliminate(n, memory, chosen[l]));
    }
    return sum;
}

double tr_coordinates_quality(int n, int k, const double *N, double *memory, const int *chosen) {
    double sum = 0.0;
    memcpy(memory, N, (size_t)n * (size_t)n * sizeof *memory);
    for (int l = 0; l < k; l++) {
        double pivot = eliminate(n, memory, chosen[l]);
        sum += pivot > 0.0 ? log(pivot) : -INFINITY;
    }
    return sum;
}
