// SPDX-License-Identifier: MIT
#include "la/block_matrix.h"

#include <math.h>
#include <string.h>

#include "support/test.h"

void matrix_draw_sizes(trRandom *random, Matrix *m) {
    memset(m, 0, sizeof *m);
    m->nodes = random_int(random, 1, MAX_NODES);
    for (int i = 0; i < m->nodes; i++) {
        m->size[i] = random_int(random, 1, TR_BLOCK_MAX);
    }
}

void matrix_number(Matrix *m) {
    m->n = 0;
    for (int i = 0; i < m->nodes; i++) {
        m->first[i] = m->n;
        m->n += m->size[i];
    }
}

void matrix_draw_edges(trRandom *random, Matrix *m) {
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < i; j++) {
            bool waiting = m->firm[i] && m->firm[j];
            m->edge[i][j] = m->edge[j][i] = !waiting && random_real(random) > 0.2;
        }
    }
}

void matrix_draw_values(trRandom *random, Matrix *m) {
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < m->size[i] * m->size[j]; k++) {
                int    row = m->first[i] + k / m->size[j], column = m->first[j] + k % m->size[j];
                double value = i == j || m->edge[i][j] ? random_real(random) : 0.0;
                if (row > column) {
                    m->at[row][column] = m->at[column][row] = value;
                }
            }
        }
    }
    for (int i = 0; i < m->nodes; i++) {
        for (int row = m->first[i]; row < m->first[i] + m->size[i]; row++) {
            double sum = 1.0;
            for (int j = 0; j < m->n; j++) {
                sum += j == row ? 0.0 : fabs(m->at[row][j]);
            }
            m->at[row][row] = m->firm[i] ? -sum : sum;
        }
    }
}

Sparse matrix_plan(const Matrix *m) {
    Sparse  s = {.arena = tr_arena_create()};
    int     start[MAX_NODES + 1], neighbor[MAX_NODES * MAX_NODES], count = 0;
    trGraph graph = {.nodes = m->nodes, .start = start, .neighbor = neighbor, .late = m->firm};
    for (int i = 0; i < m->nodes; i++) {
        start[i] = count;
        for (int j = 0; j < m->nodes; j++) {
            if (m->edge[i][j]) {
                neighbor[count++] = j;
            }
        }
    }
    start[m->nodes] = count;
    assert_int_equal(tr_block_plan(s.arena, &graph, m->size, m->firm, &s.ldl), TR_OK);
    assert_int_equal(s.ldl.n, m->n);
    return s;
}

void matrix_put(const Matrix *m, trBlockLdl *ldl) {
    memset(ldl->value, 0, (size_t)ldl->values * sizeof *ldl->value);
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < m->nodes; j++) {
            if (i != j && !m->edge[i][j]) {
                continue;
            }
            bool    swapped = false;
            double *block = ldl->value + tr_block_find(ldl, i, j, &swapped);
            for (int k = 0; k < m->size[i] * m->size[j]; k++) {
                int row = k / m->size[j], column = k % m->size[j];
                block[swapped ? k : column * m->size[i] + row] =
                    m->at[m->first[i] + row][m->first[j] + column];
            }
        }
    }
}

void matrix_reorder(const Matrix *m, const trBlockLdl *ldl, bool back, const double *x, double *y) {
    for (int i = 0; i < m->nodes; i++) {
        for (int k = 0; k < m->size[i]; k++) {
            int mine = m->first[i] + k, theirs = ldl->first[i] + k;
            y[back ? mine : theirs] = x[back ? theirs : mine];
        }
    }
}

void matrix_solve_sparse(const Matrix *m, const trBlockLdl *ldl, const double *right, double *x) {
    double y[MAX_N];
    matrix_reorder(m, ldl, false, right, y);
    tr_block_solve(ldl, y);
    matrix_reorder(m, ldl, true, y, x);
}

double matrix_solve_dense(const Matrix *m, const double *right, double *x) {
    static double at[MAX_N][MAX_N];
    double        determinant = 1.0;
    memcpy(at, m->at, sizeof at);
    memcpy(x, right, (size_t)m->n * sizeof *x);
    for (int k = 0; k < m->n; k++) {
        int best = k;
        for (int i = k; i < m->n; i++) {
            best = fabs(at[i][k]) > fabs(at[best][k]) ? i : best;
        }
        for (int j = 0; j < m->n; j++) {
            double kept = at[k][j];
            at[k][j] = at[best][j];
            at[best][j] = kept;
        }
        double kept = x[k];
        x[k] = x[best];
        x[best] = kept;
        determinant *= best == k ? at[k][k] : -at[k][k];
        for (int i = k + 1; i < m->n; i++) {
            double factor = at[i][k] / at[k][k];
            for (int j = k; j < m->n; j++) {
                at[i][j] -= factor * at[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = m->n - 1; k >= 0; k--) {
        for (int j = k + 1; j < m->n; j++) {
            x[k] -= at[k][j] * x[j];
        }
        x[k] /= at[k][k];
    }
    return determinant;
}
