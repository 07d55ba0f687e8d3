// SPDX-License-Identifier: MIT
// Symmetric matrices by nodes for the tests of the block factorization: drawn at random, put into
// blocks, and solved densely.

#ifndef TR_TESTS_LA_BLOCK_MATRIX_H
#define TR_TESTS_LA_BLOCK_MATRIX_H

#include "la/blockldl.h"
#include "support/random.h"

#define MAX_NODES 12
#define MAX_N (MAX_NODES * TR_BLOCK_MAX)

// Unknowns are numbered node after node.
typedef struct Matrix {
    int    nodes, n;
    int    size[MAX_NODES], first[MAX_NODES];
    bool   edge[MAX_NODES][MAX_NODES];
    bool   firm[MAX_NODES];
    double at[MAX_N][MAX_N];
} Matrix;

typedef struct Sparse {
    trArena   *arena;
    trBlockLdl ldl;
} Sparse;

// Clears the matrix and draws how many nodes it has, and how large they are.
void matrix_draw_sizes(trRandom *random, Matrix *m);
void matrix_number(Matrix *m);  // n and first, from the sizes
void matrix_draw_edges(trRandom *random, Matrix *m);
// Off-diagonal blocks where there are edges; diagonals larger than the rest of their rows, with the
// sign of the node: negative for firm ones.
void matrix_draw_values(trRandom *random, Matrix *m);

Sparse matrix_plan(const Matrix *m);
void   matrix_put(const Matrix *m, trBlockLdl *ldl);  // into its blocks
// From the numbering of nodes to elimination order, or back.
void matrix_reorder(const Matrix *m, const trBlockLdl *ldl, bool back, const double *x, double *y);
void matrix_solve_sparse(const Matrix *m, const trBlockLdl *ldl, const double *right, double *x);
// Gauss with row exchanges; returns the determinant.
double matrix_solve_dense(const Matrix *m, const double *right, double *x);

#endif
