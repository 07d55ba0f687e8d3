// SPDX-License-Identifier: MIT
// The matrix of Newton's method on the second face is the derivative of the residual. With
// q = q0 (+) x, v = v0 + cv x and a = a0 + ca x, moving x by dq changes the residual as the matrix
// says; a multiplier changes it by a column of A'.

#include <math.h>
#include <string.h>

#include "lua/lua_case.h"
#include "support/machines.h"
#include "support/random.h"
#include "support/test.h"

#define ROOM 64    // coordinates, velocities or rows
#define STEP 1e-3  // of the differences
#define CV 7.0     // [1/s]
#define CA 40.0    // [1/s^2]

// A state that is far from everything: from q0 by x, with velocities and accelerations to match.
typedef struct Point {
    trSim *sim;
    double q0[ROOM], x[ROOM], v0[ROOM], a0[ROOM], lambda[ROOM];
    double q[ROOM], v[ROOM], a[ROOM], rate[ROOM];
} Point;

static void choose(Point *p, trSim *sim, trRandom *random) {
    p->sim = sim;
    memcpy(p->q0, tr_sim_q(sim), (size_t)sim->nq * sizeof *p->q0);
    for (int i = 0; i < sim->nv; i++) {
        p->x[i] = 0.4 * (random_real(random) - 0.5);
        p->v0[i] = random_real(random) - 0.5;
        p->a0[i] = random_real(random) - 0.5;
    }
    for (int i = 0; i < sim->m; i++) {
        p->lambda[i] = 2.0 * random_real(random) - 1.0;
    }
}

// r and g, one after the other, after x has moved by dq.
static void residual(Point *p, const double *dq, double *out) {
    trSim     *s = p->sim;
    double     x[ROOM];
    trDaeState state = {.t = 0.3, .q = p->q, .v = p->v, .a = p->a, .lambda = p->lambda};
    memcpy(x, p->x, sizeof x);
    s->second.dae.compose(s->second.dae.context, dq, x);
    s->second.dae.move(s->second.dae.context, p->q0, x, p->q);
    for (int i = 0; i < s->nv; i++) {
        p->v[i] = p->v0[i] + CV * x[i];
        p->a[i] = p->a0[i] + CA * x[i];
    }
    trDaeResidual residual = {.r = out, .phi = out + s->nv, .rate = p->rate};
    assert_int_equal(s->second.dae.residual(s->second.dae.context, &state, &residual), TR_OK);
    for (int i = 0; i < s->m; i++) {
        out[s->nv + i] += s->system->holonomic[i] ? 0.0 : p->rate[i];
    }
}

// An entry of a part, as the sum of its blocks.
static double part_entry(const trTangent *t, trPart part, int i, int k) {
    double sum = 0.0;
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        int                row = i - block->row, column = k - block->column;
        if (block->part != part || row < 0 || row >= block->rows) {
            continue;
        }
        if (block->columns == 0) {
            sum += row == column ? t->value[block->value + row] : 0.0;
        } else if (column >= 0 && column < block->columns) {
            sum += t->value[block->value + row * block->columns + column];
        }
    }
    return sum;
}

// The derivative of row i by unknown k, out of the parts.
static double entry(const trSim *s, int i, int k) {
    const trTangent *t = &s->tangent;
    int              nv = s->nv, row = i - nv, column = k - nv;
    if (i < nv && k < nv) {
        return CA * part_entry(t, TR_PART_M, i, k) + CV * part_entry(t, TR_PART_D, i, k) +
               part_entry(t, TR_PART_K, i, k);
    }
    if (i < nv) {
        double scale = t->scale[s->system->row_joint[column]];
        return (part_entry(t, TR_PART_AT, i, column) + part_entry(t, TR_PART_AT_VEL, i, column)) /
               scale;
    }
    return k >= nv ? 0.0
           : s->system->holonomic[row]
               ? part_entry(t, TR_PART_A, row, k)
               : CV * part_entry(t, TR_PART_V_VEL, row, k) + part_entry(t, TR_PART_N_VEL, row, k);
}

// Differences of fourth order leave out STEP^4 / 30 times the fifth derivative, which is below 1e3
// times the size of the residuals here: 3e-11. Rounding adds 1e-16 / STEP times their size.
static void check_column(Point *p, int k, double size) {
    trSim *s = p->sim;
    double at[4][2 * ROOM], dq[ROOM] = {0};
    for (int i = 0; i < 4; i++) {
        const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
        if (k < s->nv) {
            dq[k] = steps[i] * STEP;
        } else {
            p->lambda[k - s->nv] += steps[i] * STEP;
        }
        residual(p, dq, at[i]);
        if (k >= s->nv) {
            p->lambda[k - s->nv] -= steps[i] * STEP;
        }
    }
    for (int i = 0; i < s->nv + s->m; i++) {
        double slope = (at[0][i] - 8.0 * at[1][i] + 8.0 * at[2][i] - at[3][i]) / (12.0 * STEP);
        if (!(fabs(slope - entry(s, i, k)) <= 1e-9 * size)) {
            fail_msg("row %d, unknown %d of %d: %.12g, should be %.12g", i, k, s->nv,
                     entry(s, i, k), slope);
        }
    }
}

// V of rows of positions is A T^-1, where T^-1 v is the rate of x.
static void check_chained_rows(Point *p) {
    trSim *s = p->sim;
    for (int k = 0; k < s->nv; k++) {
        double unit[ROOM] = {0}, turned[ROOM];
        unit[k] = 1.0;
        s->second.dae.x_rate(s->second.dae.context, p->x, unit, turned);
        for (int i = 0; i < s->m; i++) {
            double sum = 0.0;
            for (int j = 0; j < s->nv; j++) {
                sum += part_entry(&s->tangent, TR_PART_A, i, j) * turned[j];
            }
            assert_true(fabs(part_entry(&s->tangent, TR_PART_V, i, k) - sum) <= 1e-14);
        }
    }
}

static void check_machine(Machine machine) {
    trSimDef def = tr_sim_def_default();
    trRandom random = {5};
    double   r[2 * ROOM], none[ROOM] = {0}, size = 1.0;
    Point    p;
    def.integrator = "generalized_alpha";
    def.step = 1e-3;
    trSim *sim = machine_sim(&machine, &def);
    assert_true(sim->nq <= ROOM && sim->m <= ROOM);
    choose(&p, sim, &random);
    residual(&p, none, r);
    for (int i = 0; i < sim->nv; i++) {
        size = fmax(size, fabs(r[i]));
    }
    trDaeState state = {.t = 0.3, .q = p.q, .v = p.v, .a = p.a, .lambda = p.lambda};
    assert_int_equal(sim->second.dae.linearize(sim->second.dae.context, &state, p.x), TR_OK);
    check_chained_rows(&p);
    for (int k = 0; k < sim->nv + sim->m; k++) {
        check_column(&p, k, size);
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A disk that rolls, a bar on a universal joint, and what acts between them.
static Machine spatial(void) {
    Machine machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -GRAVITY)),
                        &machine.model),
        TR_OK);
    int disk = machine_body(&machine, "disk",
                            TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.06, 0.12, 0.06),
                                      TR_VEC("at", 0.0, 0.0, 0.5)));
    int bar = machine_body(&machine, "bar",
                           TR_PARAMS(TR_NUM("mass", 2.0),
                                     TR_VEC("inertia", 0.3, 0.2, 0.15, 0.02, -0.03, 0.01),
                                     TR_VEC("at", 1.0, 0.2, 0.8), TR_VEC("com", 0.1, 0.2, 0.3)));
    machine_joint(&machine, "rolling_disk", "R", TR_GROUND, disk,
                  TR_PARAMS(TR_NUM("radius", 0.5), TR_VEC("axis", 0.0, 1.0, 0.0),
                            TR_VEC("normal", 0.0, 0.0, 1.0)));
    machine_joint(&machine, "universal", "U", disk, bar,
                  TR_PARAMS(TR_VEC("point", 0.5, 0.1, 0.6), TR_VEC("world_axis1", 1.0, 0.0, 0.0),
                            TR_VEC("world_axis2", 0.0, 1.0, 0.0)));
    machine_force(&machine, "spring", "S", disk, bar,
                  TR_PARAMS(TR_VEC("point1", 0.1, 0.0, 0.2), TR_VEC("point2", 0.0, 0.3, 0.1),
                            TR_NUM("stiffness", 5.0), TR_NUM("damping", 0.7)));
    machine_force(&machine, "bushing", "B", TR_GROUND, bar,
                  TR_PARAMS(TR_VEC("point", 1.2, 0.0, 0.9),
                            TR_VEC("stiffness", 3.0, 4.0, 5.0, 0.6, 0.7, 0.8),
                            TR_VEC("damping", 0.3, 0.4, 0.5, 0.06, 0.07, 0.08)));
    machine_build(&machine);
    return machine;
}

// A knife edge and a pendulum on it, with a torsion spring.
static Machine planar(void) {
    Machine machine = machine_new();
    int     skate =
        machine_body(&machine, "skate", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.4)));
    int rod = machine_body(
        &machine, "rod",
        TR_PARAMS(TR_NUM("mass", 0.5), TR_NUM("inertia", 0.1), TR_VEC("com", 0.3, 0.2)));
    machine_joint(&machine, "knife_edge", "K", TR_GROUND, skate, NULL);
    machine_joint(&machine, "revolute", "P", skate, rod, TR_PARAMS(TR_VEC("point", 0.1, 0.3)));
    machine_force(&machine, "torsion_spring", "T", skate, rod,
                  TR_PARAMS(TR_NUM("stiffness", 2.0), TR_NUM("damping", 0.3)));
    machine_build(&machine);
    return machine;
}

static void the_matrix_is_the_derivative_of_the_residual_in_space(void **state) {
    check_machine(spatial());
}

static void the_matrix_is_the_derivative_of_the_residual_in_the_plane(void **state) {
    check_machine(planar());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_the_derivative_of_the_residual_in_space),
        cmocka_unit_test(the_matrix_is_the_derivative_of_the_residual_in_the_plane),
    };
    return cmocka_run_group_tests_name("second face", tests, enter_folder, leave_folder);
}
