// SPDX-License-Identifier: MIT
// Damped least squares where the rows lose rank in the solution itself. Of phi = q^2 each whole
// step halves q, as Newton's method does, as long as mu is small against A^2 = 4 q^2 = 4 phi.
// That takes a bound of mu that falls with phi: with the least mu of far states, 1e-9, steps would
// shrink to nothing at phi = 1e-10.

#include <math.h>

#include "projection/damped.h"
#include "support/test.h"

#define ENOUGH 1e-12  // of phi; 4 phi is still 400 times the least mu of all, 1e-14

// One coordinate and one row.
typedef struct Parabola {
    trEquations e;
    double      A, phi, M;
    int         evaluations;
} Parabola;

static const int  ends[2] = {0, 1}, columns[1] = {0}, widths[1] = {1}, values[1] = {0};
static const bool holonomic[1] = {true};

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    Parabola *p = context;
    (void)t;
    (void)v;
    p->phi = q[0] * q[0];
    p->A = 2.0 * q[0];
    p->evaluations++;
    *out = &p->e;
    return TR_OK;
}

static void retract(void *context, const double *dv, double *q) {
    (void)context;
    q[0] += dv[0];
}

static void begin(Parabola *p) {
    *p = (Parabola){.M = 1.0};
    p->e = (trEquations){.nv = 1,
                         .m = 1,
                         .M = {.n = 1, .diagonal = &p->M},
                         .A = {1, 1, 1, ends, ends, columns, widths, values, &p->A},
                         .phi = &p->phi,
                         .holonomic = holonomic,
                         .rank_tolerance = 1e-4};
}

static void a_double_root_is_reached_by_halves(void **state) {
    Parabola         p;
    trDamped         d;
    trArena         *arena = tr_arena_create();
    const double     scale = 1.0, v = 0.0;
    double           q = 1.0, norm = 1.0;
    const trManifold manifold = {1, 1, &p, evaluate, retract, NULL};
    begin(&p);
    assert_non_null(arena);
    assert_int_equal(tr_damped_plan(arena, &p.e, 1, &scale, &d), TR_OK);
    d.weight[0] = 1.0;
    assert_int_equal(tr_damped_minimize(&d, &manifold, 0.0, &q, &v, ENOUGH, &norm), TR_OK);
    print_message("phi = %.3g after %d iterations\n", norm, (int)d.iterations);
    assert_true(norm <= ENOUGH);
    assert_true(fabs(q * q - norm) <= 1e-15 * norm);
    // Halves: 20 of them from 1 to 1e-6. The first steps are shorter, and what mu adds, at most
    // 1e-14 / 4e-12 of a step or phi / 8 of it, comes to less than ten more.
    assert_true(d.iterations >= 20 && d.iterations <= 30);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_double_root_is_reached_by_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
