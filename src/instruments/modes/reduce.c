// SPDX-License-Identifier: MIT
// The linearized equations without constraints. With y = G s and y' = U u + H s,
//
//     s' = G' (U u + H s)
//     U' (M (U u' + H s') + D (U u + H s) + K G s + Z z) = 0
//     z' = -Gq G s - Gv (U u + H s) - Gz z

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "la/dense.h"
#include "la/symmetric.h"
#include "modes/modes.h"

// to += U' B X, with B n x n and X n x columns.
static void add_form(trLinear *l, int columns, const double *B, const double *X, double *to) {
    tr_product(l->n, l->n, columns, B, X, l->block);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < l->nu; i++) {
            const double *u = l->U + (ptrdiff_t)i * l->n, *x = l->block + (ptrdiff_t)j * l->n;
            to[i + (ptrdiff_t)j * l->nu] += tr_dot(l->n, u, x);
        }
    }
}

// Mu, Du, Ku. X is memory.
static void find_forms(trLinear *l) {
    int       n = l->n, ns = l->ns, nu = l->nu;
    double   *GU = l->X, *GH = GU + (ptrdiff_t)ns * nu;
    ptrdiff_t square = (ptrdiff_t)nu * nu;
    memset(l->Mu, 0, (size_t)square * sizeof *l->Mu);
    memset(l->Du, 0, (size_t)square * sizeof *l->Du);
    memset(l->Ku, 0, (size_t)nu * (size_t)ns * sizeof *l->Ku);
    add_form(l, nu, l->M, l->U, l->Mu);
    add_form(l, nu, l->D, l->U, l->Du);
    add_form(l, ns, l->K, l->G, l->Ku);
    if (l->holonomic) {
        return;
    }
    add_form(l, ns, l->D, l->H, l->Ku);
    tr_product_t(ns, n, nu, l->G, l->U, GU);
    tr_product_t(ns, n, ns, l->G, l->H, GH);
    double *H1 = GH + (ptrdiff_t)ns * ns;
    tr_product(n, ns, nu, l->H, GU, H1);
    add_form(l, nu, l->M, H1, l->Du);
    tr_product(n, ns, ns, l->H, GH, H1);
    add_form(l, ns, l->M, H1, l->Ku);
}

// A velocity in words.
static const char *motion_words(const trLinear *l, int column) {
    static const char *const along[] = {"its motion along x", "its motion along y",
                                        "its motion along z"};
    const int                k = column % l->each;
    if (l->dim == 0) {
        return "its motion";
    }
    return k < l->dim ? along[k] : l->dim == 2 ? "its rotation" : "a rotation of it";
}

// The free motion with the least inertia, by its body.
static trStatus blame_massless(trLinear *l) {
    double   *values = l->block, *work = values + l->nu, *y = work + (ptrdiff_t)4 * l->nu;
    ptrdiff_t size = (ptrdiff_t)l->nu * l->nu;
    memset(l->Mu, 0, (size_t)size * sizeof *l->Mu);
    add_form(l, l->nu, l->M, l->U, l->Mu);
    TR_TRY(tr_symmetric_eigen(l->nu, l->Mu, values, work));
    tr_product(l->n, l->nu, 1, l->U, l->Mu, y);
    int most = 0;
    for (int i = 0; i < l->n; i++) {
        most = fabs(y[i]) > fabs(y[most]) ? i : most;
    }
    tr_fail(TR_E_MODEL, "%s has no inertia, so that it has no modes; give it some, or hold it",
            motion_words(l, most));
    return tr_modes_blame(l, TR_E_MODEL, most);
}

static void add_block(trLinear *l, int row, int column, int rows, int columns, double factor,
                      const double *block) {
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            l->X[row + i + (ptrdiff_t)(column + j) * l->nx] +=
                factor * block[i + (ptrdiff_t)j * rows];
        }
    }
}

// Rows of u: -Mu^-1 (nu x columns), in place.
static void add_accelerations(trLinear *l, int column, int columns, double *right) {
    tr_cholesky_forward(l->nu, l->Mu, columns, right);
    for (int j = 0; j < columns; j++) {
        tr_cholesky_backward(l->nu, l->Mu, right + (ptrdiff_t)j * l->nu);
    }
    add_block(l, l->ns, column, l->nu, columns, -1.0, right);
}

static void add_states(trLinear *l) {
    int ns = l->ns, nu = l->nu, nz = l->nz, n = l->n;
    tr_product_t(nu, n, nz, l->U, l->Z, l->block);
    add_accelerations(l, ns + nu, nz, l->block);
    tr_product(nz, n, ns, l->Gq, l->G, l->block);
    add_block(l, ns + nu, 0, nz, ns, -1.0, l->block);
    tr_product(nz, n, ns, l->Gv, l->H, l->block);
    add_block(l, ns + nu, 0, nz, ns, -1.0, l->block);
    tr_product(nz, n, nu, l->Gv, l->U, l->block);
    add_block(l, ns + nu, ns, nz, nu, -1.0, l->block);
    add_block(l, ns + nu, ns + nu, nz, nz, -1.0, l->Gz);
}

// Ku and Du stay; Mu becomes its factor.
trStatus tr_linear_reduce(trLinear *l) {
    int ns = l->ns, nu = l->nu;
    TR_TRY(tr_linear_rates(l));
    find_forms(l);
    trStatus status = tr_cholesky_factor(nu, l->Mu, l->block, NULL);
    if (status != TR_OK) {
        return status == TR_SINGULAR ? blame_massless(l) : status;
    }
    memset(l->X, 0, (size_t)l->nx * (size_t)l->nx * sizeof *l->X);
    tr_product_t(ns, l->n, ns, l->G, l->H, l->block);
    add_block(l, 0, 0, ns, ns, 1.0, l->block);
    tr_product_t(ns, l->n, nu, l->G, l->U, l->block);
    add_block(l, 0, ns, ns, nu, 1.0, l->block);
    memcpy(l->block, l->Ku, (size_t)nu * (size_t)ns * sizeof *l->block);
    add_accelerations(l, 0, ns, l->block);
    memcpy(l->block, l->Du, (size_t)nu * (size_t)nu * sizeof *l->block);
    add_accelerations(l, ns, nu, l->block);
    add_states(l);
    return TR_OK;
}
