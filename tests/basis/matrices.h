// SPDX-License-Identifier: MIT
// Matrices for tests of bases: random ones, ones with given singular values, projectors. Stored
// column by column.

#ifndef TR_TESTS_BASIS_MATRICES_H
#define TR_TESTS_BASIS_MATRICES_H

#include <stdint.h>

#include "basis/basis.h"

#define MAX_N 35
#define MAX_SIZE (MAX_N * MAX_N)

typedef struct Random {
    uint64_t state;
} Random;

// m x n with rows of length one, of which `rank` are independent and the others combinations.
void random_rows(int n, int m, int rank, Random *random, double *A);

// m x n, m <= n, random but for singular values 1, ..., 1, least.
void rows_with_least_singular_value(int n, int m, double least, Random *random, double *A);

void random_orthonormal(int n, int columns, Random *random, double *X);
void orthonormalize(int n, int columns, double *X);  // Gram-Schmidt, twice

// Z = X Y (rows x inner, inner x columns); X is given transposed in the second.
void multiply(int rows, int inner, int columns, const double *X, const double *Y, double *Z);
void multiply_transposed(int rows, int inner, int columns, const double *Xt, const double *Y,
                         double *Z);

double largest(int count, const double *x);                      // max |x|
double difference(int count, const double *x, const double *y);  // max |x - y|
double distance(int count, const double *x, const double *y);    // Frobenius
double away_from_identity(int n, const double *X);               // max |X - I|
void   projector(int n, const trBasis *basis, double *P);        // on the span of Gamma
// A basis of a kind on its own; its arena is handed out in `arena`.
trBasis make_alone(const trBasisKind *kind, int n, int m, const double *A, trArena **arena);

#endif
