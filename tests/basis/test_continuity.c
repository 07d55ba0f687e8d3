// SPDX-License-Identifier: MIT
// Continuous bases follow the motion; others jump. The five-bar pendulum of the golden systems (35
// quaternion coordinates, 30 rows) falls from rest for 0.6 s, in steps of 0.01 s and of half of
// that.

#include <math.h>
#include <string.h>

#include "basis/matrices.h"
#include "formulation/golden.h"
#include "support/test.h"

#define NV 35
#define ROWS 30
#define STEP 0.01
#define STEPS 60
#define KINDS 16  // at most
#define BARS 5

// Bars along x, turned about z by -0.5, 0.5, -0.5, ... rad, end to end from the origin.
static void start(double *q, double *v) {
    double end[2] = {0.0, 0.0};
    memset(q, 0, NV * sizeof *q);
    memset(v, 0, NV * sizeof *v);
    for (int bar = 0; bar < BARS; bar++) {
        const double angle = bar % 2 == 0 ? -0.5 : 0.5, along[2] = {cos(angle), sin(angle)};
        for (int i = 0; i < 2; i++) {
            q[7 * bar + i] = end[i] + 0.5 * along[i];
            end[i] += along[i];
        }
        q[7 * bar + 3] = cos(angle / 2.0);
        q[7 * bar + 6] = sin(angle / 2.0);
    }
}

typedef struct Fall {
    GoldenSystem             s;
    trArena                 *arena;
    const trFormulationKind *kind;
    void                    *work;
    trProjector              projector;
    double                   q[NV], v[NV];
} Fall;

static void begin(Fall *f) {
    for (int k = 0; k < golden_count(); k++) {
        if (strcmp(golden_at(k)->name, "fivebar") == 0) {
            golden_begin(&f->s, golden_at(k));
        }
    }
    f->arena = tr_arena_create();
    f->kind = tr_formulation_find("lagrange_dense");
    assert_int_equal(f->kind->plan(f->arena, &f->s.equations, NULL, &f->work), TR_OK);
    assert_int_equal(tr_projector_plan(f->arena, tr_projection_find("direct"), f->kind, NULL,
                                       &f->s.equations, NULL, &f->projector),
                     TR_OK);
    start(f->q, f->v);
    golden_equations(&f->s, 0.0, f->q, f->v);
    assert_true(largest(ROWS, f->s.numbers.phi) < 1e-14);
}

static void accelerate(Fall *f, const double *q, const double *v, double *a) {
    double             lambda[ROWS];
    const trEquations *e = golden_equations(&f->s, 0.0, q, v);
    assert_int_equal(f->kind->factor(f->work, e), TR_OK);
    assert_int_equal(f->kind->solve(f->work, e, e->Q, e->b, a, lambda), TR_OK);
}

// One step of the classical Runge-Kutta method, then a projection.
static void step(Fall *f, double h) {
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double dq[NV] = {0.0}, dv[NV] = {0.0}, q[NV], v[NV], a[NV], slope_q[NV], slope_v[NV];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < NV; i++) {
            q[i] = f->q[i] + (stage > 0 ? part[stage] * h * slope_q[i] : 0.0);
            v[i] = f->v[i] + (stage > 0 ? part[stage] * h * slope_v[i] : 0.0);
        }
        accelerate(f, q, v, a);
        memcpy(slope_q, v, sizeof v);
        memcpy(slope_v, a, sizeof a);
        for (int i = 0; i < NV; i++) {
            dq[i] += weight[stage] * h / 6.0 * v[i];
            dv[i] += weight[stage] * h / 6.0 * a[i];
        }
    }
    for (int i = 0; i < NV; i++) {
        f->q[i] += dq[i];
        f->v[i] += dv[i];
    }
    assert_int_equal(tr_project(&f->projector, &f->s.manifold, 0.0, f->q, f->v, NULL), TR_OK);
    golden_equations(&f->s, 0.0, f->q, f->v);
}

// Rows of A with length one.
static void rows_of(const Fall *f, double *A) {
    tr_rows_dense(&f->s.equations.A, A);
    for (int k = 0; k < ROWS; k++) {
        double sum = 0.0;
        for (int j = 0; j < NV; j++) {
            sum += A[j * ROWS + k] * A[j * ROWS + k];
        }
        for (int j = 0; j < NV; j++) {
            A[j * ROWS + k] /= sqrt(sum);
        }
    }
}

// Kinetic and potential energy; the mass of each bar is 1.
static double energy(const Fall *f) {
    double sum = 0.5 * tr_mass_form(&f->s.equations.M, f->v);
    for (int bar = 0; bar < BARS; bar++) {
        sum += 9.81 * f->q[7 * bar + 2];
    }
    return sum;
}

// The largest |Gamma_k+1 - Gamma_k|_F of each kind, in the order of the registry.
static void largest_changes(int steps, double *change) {
    static Fall   f;
    static double A[MAX_SIZE];
    trBasis       basis[KINDS][2];
    trBasisMaker  maker[KINDS];
    const int     kinds = tr_basis_count();
    assert_true(kinds <= KINDS);
    begin(&f);
    for (int k = 0; k < kinds; k++) {
        assert_int_equal(tr_basis_begin(f.arena, tr_basis_at(k), NV, ROWS, &maker[k]), TR_OK);
        tr_basis_plan(f.arena, NV, &basis[k][0]);
        tr_basis_plan(f.arena, NV, &basis[k][1]);
        change[k] = 0.0;
    }
    for (int i = 0; i <= steps; i++) {
        if (i > 0) {
            step(&f, STEP * STEPS / steps);
        }
        rows_of(&f, A);
        for (int k = 0; k < kinds; k++) {
            trBasis *next = &basis[k][i % 2], *previous = &basis[k][(i + 1) % 2];
            assert_int_equal(tr_basis_make(&maker[k], A, 1e-8, i > 0 ? previous : NULL, next),
                             TR_OK);
            assert_int_equal(next->columns, NV - ROWS);
            if (i > 0) {
                change[k] =
                    fmax(change[k], distance(NV * (NV - ROWS), next->Gamma, previous->Gamma));
            }
        }
    }
    // The motion is what it should be: at rest at height zero there is no energy, and it stays so
    // to the error of the method, 5e-7 J at the larger step.
    assert_true(fabs(energy(&f)) < 5e-6);
    assert_true(f.q[7 * 4 + 2] < -1.7);
    tr_arena_destroy(f.arena);
}

// Free motions turn by at most 5 rad/s here, which is 0.053 in a step (an independent program says
// 0.053, too) and half of it in half a step. What jumps does so by the length of a column at least,
// whatever the step.
static void continuous_bases_follow_where_others_jump(void **state) {
    double change[KINDS], halved[KINDS];
    largest_changes(STEPS, change);
    largest_changes(2 * STEPS, halved);
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        const double       ratio = halved[k] / change[k];
        if (kind->continuous ? !(fabs(change[k] - 0.053) < 0.001 && fabs(ratio - 0.5) < 0.02)
                             : !(change[k] > 1.0 && halved[k] > 1.0)) {
            fail_msg("%s changes by %.3g in a step, by %.3g in half of it", kind->name, change[k],
                     halved[k]);
        }
    }
}

// n = 12, m = 7: five free motions, in a basis that is turned at random.
static void turned_basis(Random *random, double *A, trBasis *out, trArena **arena) {
    double  turn[25];
    trBasis plain;
    random_rows(12, 7, 7, random, A);
    plain = make_alone(tr_basis_find("svd"), 12, 7, A, arena);
    tr_basis_plan(*arena, 12, out);
    random_orthonormal(5, 5, random, turn);
    multiply(12, 5, 5, plain.Gamma, turn, out->Gamma);
    out->columns = 5;
}

// What spans the free motions already is the nearest basis to itself. `out` is off by rounding.
static void a_basis_that_still_fits_is_kept(void **state) {
    static double A[MAX_SIZE];
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        Random             random = {47};
        trArena           *arena = NULL;
        trBasis            previous, out;
        trBasisMaker       maker;
        turned_basis(&random, A, &previous, &arena);
        tr_basis_plan(arena, 12, &out);
        assert_int_equal(tr_basis_begin(arena, kind, 12, 7, &maker), TR_OK);
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, &previous, &out), TR_OK);
        double off = difference(12 * 5, out.Gamma, previous.Gamma);
        assert_true(kind->continuous ? off < 1e-14 : off > 0.01);
        tr_arena_destroy(arena);
    }
}

// A basis of another size, and one of motions that are all forbidden now, are of no use: the result
// is that without one, or at least a basis.
static void a_basis_that_cannot_be_followed_is_left(void **state) {
    static double A[MAX_SIZE], Z[MAX_SIZE];
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        Random             random = {53};
        trArena           *arena = NULL;
        trBasis            previous, out, alone;
        trBasisMaker       maker;
        turned_basis(&random, A, &previous, &arena);
        tr_basis_plan(arena, 12, &out);
        tr_basis_plan(arena, 12, &alone);
        assert_int_equal(tr_basis_begin(arena, kind, 12, 7, &maker), TR_OK);
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, NULL, &alone), TR_OK);
        previous.columns = 4;
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, &previous, &out), TR_OK);
        assert_memory_equal(out.Gamma, alone.Gamma, 12 * 5 * sizeof(double));

        previous.columns = 5;
        for (int j = 0; j < 5; j++) {
            for (int i = 0; i < 12; i++) {
                previous.Gamma[j * 12 + i] = A[i * 7 + j];
            }
        }
        orthonormalize(12, 5, previous.Gamma);
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, &previous, &out), TR_OK);
        assert_int_equal(out.columns, 5);
        multiply(7, 12, 5, A, out.Gamma, Z);
        assert_true(largest(7 * 5, Z) < 1e-13);
        if (strcmp(kind->name, "kim_vanderploeg") != 0) {  // which has no use for a limit
            assert_memory_equal(out.Gamma, alone.Gamma, 12 * 5 * sizeof(double));
        }
        if (kind->orthonormal) {
            multiply_transposed(5, 12, 5, out.Gamma, out.Gamma, Z);
            assert_true(away_from_identity(5, Z) < 1e-13);
        }
        tr_arena_destroy(arena);
    }
}

// Procrustes: no other orthonormal basis is nearer than that of kim_vanderploeg.
static void kim_vanderploeg_is_the_nearest(void **state) {
    static double A[MAX_SIZE], X[MAX_SIZE];
    Random        random = {59};
    trArena      *arena = NULL;
    trBasis       previous, out;
    trBasisMaker  maker;
    double        turn[25];
    turned_basis(&random, A, &previous, &arena);
    random_rows(12, 7, 7, &random, X);
    for (int i = 0; i < 12 * 7; i++) {
        A[i] += 0.2 * X[i];
    }
    tr_basis_plan(arena, 12, &out);
    const trBasisKind *kind = tr_basis_find("kim_vanderploeg");
    assert_int_equal(tr_basis_begin(arena, kind, 12, 7, &maker), TR_OK);
    assert_int_equal(tr_basis_make(&maker, A, 1e-8, &previous, &out), TR_OK);
    const double nearest = distance(12 * 5, out.Gamma, previous.Gamma);
    assert_true(nearest > 0.01);
    for (int repeat = 0; repeat < 200; repeat++) {
        random_orthonormal(5, 5, &random, turn);
        for (int i = 0; i < 25; i++) {  // turns of all sizes down to 0.01
            turn[i] = turn[i] * pow(0.01, repeat / 200.0) + (i % 6 == 0 ? 1.0 : 0.0);
        }
        orthonormalize(5, 5, turn);
        multiply(12, 5, 5, out.Gamma, turn, X);
        assert_true(distance(12 * 5, X, previous.Gamma) >= nearest - 1e-14);
    }
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continuous_bases_follow_where_others_jump),
        cmocka_unit_test(a_basis_that_still_fits_is_kept),
        cmocka_unit_test(a_basis_that_cannot_be_followed_is_left),
        cmocka_unit_test(kim_vanderploeg_is_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
