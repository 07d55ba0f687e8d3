// SPDX-License-Identifier: MIT
// The sparse kernel against the dense one on random spatial mechanisms with loops, redundant rows
// and bodies that lack mass or inertia: same verdict, same accelerations, same forces where these
// are unique.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "support/random3.h"
#include "support/test.h"
#include "trammel/trammel.h"

#define MECHANISMS 600
#define BODIES 7  // at most

// Accelerations relative to 1 + their largest, forces likewise. Both kernels are right to rounding
// times the condition of the mechanism; those that are nearly singular are left out, see below.
#define SAME 1e-9
// A row counts as dependent where less than this of it, of length one, is its own; one that has
// less than CLEAR of its own is neither clearly dependent nor clearly not: the kernels may differ.
#define DEPENDENT 1e-8
#define CLEAR 1e-3

typedef struct Tally {
    int    compared, refused, redundant, massless, unclear;
    double a, force;  // worst differences
} Tally;

// What is known of the rows of A: which multipliers are unique.
typedef struct Rows {
    bool unique[TR_JOINT_ROWS * 3 * BODIES];
    bool clear;
} Rows;

static double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// What is left of row i of A (unit rows, m x n) outside the span of the others, of which an
// orthonormal basis is made here: the multiplier of row i is unique where something is left.
static double own_part(int n, int m, const double *A, int row, double *basis) {
    int    rank = 0;
    double left = 0.0;
    for (int k = 0; k <= m; k++) {
        int     i = k == m ? row : k;
        double *x = basis + (size_t)rank * (size_t)n;
        if (k == row) {
            continue;
        }
        memcpy(x, A + (size_t)i * (size_t)n, (size_t)n * sizeof *x);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < rank; j++) {
                const double *y = basis + (size_t)j * (size_t)n;
                double        part = dot(n, x, y);
                for (int c = 0; c < n; c++) {
                    x[c] -= part * y[c];
                }
            }
        }
        left = sqrt(dot(n, x, x));
        if (k < m && left > DEPENDENT) {
            for (int c = 0; c < n; c++) {
                x[c] /= left;
            }
            rank++;
        }
    }
    return left;
}

static Rows look_at_rows(const trEquations *e) {
    int     n = e->nv, m = e->m;
    double *dense = calloc((size_t)(m * n), sizeof *dense), *A = calloc((size_t)(m * n), sizeof *A);
    double *basis = calloc((size_t)((m + 1) * n), sizeof *basis);
    Rows    rows = {.clear = true};
    assert_true(dense != NULL && A != NULL && basis != NULL);
    tr_rows_dense(&e->A, dense);
    for (int i = 0; i < m; i++) {
        double length = 0.0;
        for (int j = 0; j < n; j++) {
            A[i * n + j] = dense[j * m + i];
        }
        length = sqrt(dot(n, A + i * n, A + i * n));
        for (int j = 0; j < n; j++) {
            A[i * n + j] /= length;
        }
    }
    for (int i = 0; i < m; i++) {
        double left = own_part(n, m, A, i, basis);
        rows.unique[i] = left > CLEAR;
        rows.clear = rows.clear && (left > CLEAR || left <= DEPENDENT);
    }
    free(basis);
    free(A);
    free(dense);
    return rows;
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// Both at the state of the first.
static void compare(trSim *sparse, trSim *dense, int number, Tally *tally) {
    double *a = calloc((size_t)sparse->nv, sizeof *a), *d = calloc((size_t)sparse->nv, sizeof *d);
    double  off = 0.0, force = 0.0;
    assert_true(a != NULL && d != NULL);
    assert_int_equal(tr_sim_accelerate(sparse, 0.0, sparse->x, a), TR_OK);
    assert_int_equal(tr_sim_accelerate(dense, 0.0, sparse->x, d), TR_OK);
    Rows rows = look_at_rows(&sparse->eval.equations);
    for (int i = 0; i < sparse->nv; i++) {
        off = fmax(off, fabs(a[i] - d[i]) / (1.0 + largest(sparse->nv, d)));
    }
    for (int i = 0; i < sparse->m; i++) {
        double difference = rows.unique[i] ? fabs(sparse->lambda[i] - dense->lambda[i]) : 0.0;
        force = fmax(force, difference / (1.0 + largest(sparse->m, dense->lambda)));
    }
    if (!rows.clear) {
        tally->unclear++;
    } else if (!(off <= SAME) || !(force <= SAME)) {
        fail_msg("mechanism %d: accelerations off by %g, forces by %g", number, off, force);
    } else {
        tally->compared++;
        tally->redundant += tr_sim_stats(sparse).redundant_rows > 0 ? 1 : 0;
        tally->a = fmax(tally->a, off);
        tally->force = fmax(tally->force, force);
    }
    free(d);
    free(a);
}

static bool lacks_inertia(const trSystem *system) {
    for (int i = 0; i < system->nv; i++) {
        if (system->mass[i] == 0.0) {
            return true;
        }
    }
    return false;
}

static void try_mechanism(trRandom *random, int number, Tally *tally) {
    int       bodies = random_int(random, 2, BODIES), loops = random_int(random, 0, bodies);
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSim    *sim[2] = {NULL, NULL};
    trSimDef  def = tr_sim_def_default();
    trStatus  status[2];
    assert_int_equal(random3_model(random, bodies, loops, &model), TR_OK);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    for (int k = 0; k < 2; k++) {
        def.formulation = k == 0 ? "lagrange" : "lagrange_dense";
        status[k] = tr_sim_create(system, &def, &sim[k]);
        if (status[k] != TR_OK &&
            (status[k] != TR_E_MODEL || strstr(tr_last_error(), "'") == NULL)) {
            fail_msg("mechanism %d, %s: %s", number, def.formulation, tr_last_error());
        }
    }
    if (status[0] != status[1]) {
        fail_msg("mechanism %d: %s, with lagrange_dense %s (%s)", number, tr_status_text(status[0]),
                 tr_status_text(status[1]), tr_last_error());
    }
    if (status[0] == TR_OK) {
        compare(sim[0], sim[1], number, tally);
        tally->massless += lacks_inertia(system) ? 1 : 0;
    } else {
        tally->refused++;
    }
    tr_sim_destroy(sim[1]);
    tr_sim_destroy(sim[0]);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static void sparse_and_dense_kernels_agree(void **state) {
    trRandom random = {2026};
    Tally    tally = {0};
    for (int i = 0; i < MECHANISMS; i++) {
        try_mechanism(&random, i, &tally);
    }
    print_message("  %d compared (%d redundant, %d lack inertia), %d refused, %d unclear; worst "
                  "%.1e in accelerations, %.1e in forces\n",
                  tally.compared, tally.redundant, tally.massless, tally.refused, tally.unclear,
                  tally.a, tally.force);
    assert_true(tally.compared > MECHANISMS / 3);
    assert_true(tally.redundant > MECHANISMS / 20);
    assert_true(tally.massless > MECHANISMS / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sparse_and_dense_kernels_agree)};
    return cmocka_run_group_tests_name("random mechanisms in space", tests, NULL, NULL);
}
