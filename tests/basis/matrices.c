// SPDX-License-Identifier: MIT
#include "basis/matrices.h"

#include <math.h>
#include <string.h>

#include "support/test.h"

// Uniform in (-1, 1); a linear congruential generator of Knuth's.
static double draw(Random *random) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random->state >> 11) / 4503599627370496.0 - 1.0;
}

void random_rows(int n, int m, int rank, Random *random, double *A) {
    for (int k = 0; k < m; k++) {
        double weight[MAX_N], sum = 0.0;
        for (int i = 0; i < rank; i++) {
            weight[i] = draw(random);
        }
        for (int j = 0; j < n; j++) {
            double *x = A + j * m;
            x[k] = k < rank ? draw(random) : 0.0;
            for (int i = 0; k >= rank && i < rank; i++) {
                x[k] += weight[i] * x[i];
            }
            sum += x[k] * x[k];
        }
        for (int j = 0; j < n; j++) {
            A[j * m + k] /= sqrt(sum);
        }
    }
}

static void remove_parts(int n, int count, const double *X, double *x) {
    for (int k = 0; k < count; k++) {
        double part = 0.0;
        for (int i = 0; i < n; i++) {
            part += X[k * n + i] * x[i];
        }
        for (int i = 0; i < n; i++) {
            x[i] -= part * X[k * n + i];
        }
    }
}

void orthonormalize(int n, int columns, double *X) {
    for (int j = 0; j < columns; j++) {
        double *x = X + j * n, sum = 0.0;
        remove_parts(n, j, X, x);
        remove_parts(n, j, X, x);
        for (int i = 0; i < n; i++) {
            sum += x[i] * x[i];
        }
        for (int i = 0; i < n; i++) {
            x[i] /= sqrt(sum);
        }
    }
}

void random_orthonormal(int n, int columns, Random *random, double *X) {
    for (int i = 0; i < n * columns; i++) {
        X[i] = draw(random);
    }
    orthonormalize(n, columns, X);
}

void rows_with_least_singular_value(int n, int m, double least, Random *random, double *A) {
    static double U[MAX_SIZE], V[MAX_SIZE];
    random_orthonormal(m, m, random, U);
    random_orthonormal(n, m, random, V);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            A[j * m + i] = 0.0;
            for (int k = 0; k < m; k++) {
                A[j * m + i] += U[k * m + i] * (k == m - 1 ? least : 1.0) * V[k * n + j];
            }
        }
    }
}

void multiply(int rows, int inner, int columns, const double *X, const double *Y, double *Z) {
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            Z[j * rows + i] = 0.0;
            for (int k = 0; k < inner; k++) {
                Z[j * rows + i] += X[k * rows + i] * Y[j * inner + k];
            }
        }
    }
}

void multiply_transposed(int rows, int inner, int columns, const double *Xt, const double *Y,
                         double *Z) {
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            Z[j * rows + i] = 0.0;
            for (int k = 0; k < inner; k++) {
                Z[j * rows + i] += Xt[i * inner + k] * Y[j * inner + k];
            }
        }
    }
}

double largest(int count, const double *x) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = x[i] == x[i] ? fmax(most, fabs(x[i])) : INFINITY;
    }
    return most;
}

double difference(int count, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        double off = fabs(x[i] - y[i]);
        most = off == off ? fmax(most, off) : INFINITY;
    }
    return most;
}

double distance(int count, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sqrt(sum);
}

double away_from_identity(int n, const double *X) {
    double most = 0.0;
    for (int i = 0; i < n * n; i++) {
        double off = fabs(X[i] - (i % (n + 1) == 0 ? 1.0 : 0.0));
        most = off == off ? fmax(most, off) : INFINITY;
    }
    return most;
}

void projector(int n, const trBasis *basis, double *P) {
    static double X[MAX_SIZE];
    memcpy(X, basis->Gamma, (size_t)(n * basis->columns) * sizeof *X);
    orthonormalize(n, basis->columns, X);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            P[j * n + i] = 0.0;
            for (int k = 0; k < basis->columns; k++) {
                P[j * n + i] += X[k * n + i] * X[k * n + j];
            }
        }
    }
}

trBasis make_alone(const trBasisKind *kind, int n, int m, const double *A, trArena **arena) {
    trBasisMaker maker;
    trBasis      basis;
    *arena = tr_arena_create();
    tr_basis_plan(*arena, n, &basis);
    assert_int_equal(tr_basis_begin(*arena, kind, n, m, &maker), TR_OK);
    if (tr_basis_make(&maker, A, 1e-8, NULL, &basis) != TR_OK) {
        fail_msg("%s: %s", kind->name, tr_last_error());
    }
    return basis;
}
