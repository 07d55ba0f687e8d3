// SPDX-License-Identifier: MIT
// The projection `frozen` with several free motions: rows B are renewed where the largest of the
// angles between free motions and those held passes acos(0.9), whichever angle that is. Sizes go up
// to as many free motions as velocities, which fills all memory of the criterion.

#include <math.h>
#include <string.h>

#include "projection/held.h"
#include "support/random.h"
#include "support/test.h"

#define N 6

// m rows that hold the velocities E' v of m directions of an orthonormal set E in N dimensions.
typedef struct Held {
    trEquations e;
    double      value[N * N], zero[N], mass[N];
    bool        holonomic[N];
    int         group_row[2], group_side[2], column[1], width[1], at[1];
} Held;

static void begin(Held *h, int m) {
    *h = (Held){.group_row = {0, m}, .group_side = {0, 1}, .width = {N}};
    for (int i = 0; i < N; i++) {
        h->mass[i] = 1.0;
        h->holonomic[i] = true;
    }
    h->e = (trEquations){
        .nv = N,
        .m = m,
        .M = {.n = N, .diagonal = h->mass},
        .A = {m, N, 1, h->group_row, h->group_side, h->column, h->width, h->at, h->value},
        .b1 = h->zero,
        .phi = h->zero,
        .holonomic = h->holonomic,
        .rank_tolerance = 1e-4,
    };
}

// Row i holds direction k + i, turned by angle[i] towards the free direction i, where there is one.
static void turn(Held *h, int k, double E[N][N], const double *angle) {
    for (int i = 0; i < h->e.m; i++) {
        double turned = i < k ? angle[i] : 0.0;
        for (int j = 0; j < N; j++) {
            h->value[i * N + j] = cos(turned) * E[k + i][j] + sin(turned) * E[i % N][j];
        }
    }
}

// Orthonormal rows, by reflections at random vectors.
static void directions(trRandom *random, double E[N][N]) {
    memset(E, 0, N * sizeof *E);
    for (int i = 0; i < N; i++) {
        E[i][i] = 1.0;
    }
    for (int round = 0; round < 3; round++) {
        double u[N], square = 0.0;
        for (int j = 0; j < N; j++) {
            u[j] = random_real(random);
            square += u[j] * u[j];
        }
        for (int i = 0; i < N; i++) {
            double along = 0.0;
            for (int j = 0; j < N; j++) {
                along += 2.0 * E[i][j] * u[j] / square;
            }
            for (int j = 0; j < N; j++) {
                E[i][j] -= along * u[j];
            }
        }
    }
}

static int64_t renewals(const trProjector *p) {
    return p->held->renewals;
}

static trProjector *plan(trArena *arena, const trEquations *e) {
    trProjector *p = tr_new(arena, trProjector);
    assert_non_null(p);
    assert_int_equal(tr_projector_plan(arena, tr_projection_find("frozen"),
                                       tr_formulation_find("lagrange_dense"), NULL, e, NULL, p),
                     TR_OK);
    return p;
}

// With k free motions, angle `which` passes the border and the others stay below it.
static void try_angles(int k, int which, trRandom *random) {
    const double border = acos(0.9);
    for (int side = 0; side < 2; side++) {
        Held         h;
        double       E[N][N], angle[N] = {0.0};
        const double none[N] = {0.0};
        trArena     *arena = tr_arena_create();
        directions(random, E);
        begin(&h, N - k);
        turn(&h, k, E, none);
        trProjector *p = plan(arena, &h.e);
        assert_int_equal(tr_projector_accept(p, &h.e), TR_OK);
        assert_int_equal(renewals(p), 1);
        for (int i = 0; i < N - k; i++) {
            angle[i] = 0.9 * border * random_real(random);
        }
        angle[which] = side == 0 ? border - 1e-6 : border + 1e-6;
        turn(&h, k, E, angle);
        assert_int_equal(tr_projector_accept(p, &h.e), TR_OK);
        if (renewals(p) != 1 + side) {
            fail_msg("%d free motions, angle %d %s the border: %d renewals", k, which,
                     side == 0 ? "below" : "above", (int)renewals(p));
        }
        tr_arena_destroy(arena);
    }
}

static void the_largest_of_all_angles_decides(void **state) {
    trRandom random = {3};
    for (int k = 1; k < N; k++) {
        for (int which = 0; which < k && which < N - k; which++) {
            try_angles(k, which, &random);
        }
    }
}

// A row that vanishes holds nothing: all motions are free, and none can turn away.
static void all_motions_may_be_free(void **state) {
    Held         h;
    double       step[N];
    const double right[1] = {0.0};
    trArena     *arena = tr_arena_create();
    begin(&h, 1);
    trProjector *p = plan(arena, &h.e);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tr_projector_accept(p, &h.e), TR_OK);
        assert_int_equal(renewals(p), 1);
    }
    assert_int_equal(tr_held_step(p->held, &h.e, false, right, step), TR_OK);
    for (int i = 0; i < N; i++) {
        assert_true(step[i] == 0.0);
    }
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_of_all_angles_decides),
        cmocka_unit_test(all_motions_may_be_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
