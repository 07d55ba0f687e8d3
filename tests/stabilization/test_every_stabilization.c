// SPDX-License-Identifier: MIT
// What every stabilization adds, row by row, against its formula written out here: by itself, and
// in a simulation off its constraints. A stabilization without a twin fails.

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/options.h"
#include "support/random.h"
#include "support/test.h"

#define ROWS 7
#define ROOM 16

// All different, so that no gain can stand for another one.
static const trParam gains[] = {TR_NUM("alpha", 3.0),       TR_NUM("beta", 7.0),
                                TR_NUM("mu", 1.3),          TR_NUM("omega", 11.0),
                                TR_NUM("relaxation", 0.17), {0}};

static const void *bind(trArena *arena, const trStabilizationKind *kind, const trParam *params) {
    void *options = NULL;
    assert_int_equal(tr_options_bind(arena, kind->size, kind->fields, params, &options), TR_OK);
    return options;
}

// --- twins ---

// What violations add to one row of b, and to one row of A q' - A v.
typedef struct Twin {
    const char *name;
    double      rate;  // [1/s]
    double (*change)(bool holonomic, double phi, double drift);
    double (*slide)(bool holonomic, double phi, double drift);  // NULL: nothing
} Twin;

static double baumgarte(bool holonomic, double phi, double drift) {
    return holonomic ? -6.0 * drift - 49.0 * phi : -3.0 * drift;
}

static double bayo(bool holonomic, double phi, double drift) {
    return holonomic ? -28.6 * drift - 121.0 * phi : -14.3 * drift;
}

static double braun_goldfarb(bool holonomic, double phi, double drift) {
    (void)holonomic;
    (void)phi;
    return -drift / 0.17;
}

static double braun_goldfarb_slide(bool holonomic, double phi, double drift) {
    return holonomic ? -drift - phi / 0.17 : -drift;
}

static const Twin twins[] = {
    {"baumgarte", 7.0, baumgarte, NULL},
    {"bayo", 14.3, bayo, NULL},
    {"braun_goldfarb", 1.0 / 0.17, braun_goldfarb, braun_goldfarb_slide},
};

static const Twin *twin_of(const trStabilizationKind *kind) {
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        if (strcmp(twins[i].name, kind->name) == 0) {
            return &twins[i];
        }
    }
    fail_msg("stabilization '%s' has no twin; write one and add it to twins", kind->name);
    return NULL;
}

// A sum of three terms rounds by less than 8 DBL_EPSILON of the largest of them.
static void assert_row(const char *name, const char *what, int row, double x, double y,
                       double terms) {
    if (!(fabs(x - y) <= 8.0 * DBL_EPSILON * terms)) {
        fail_msg("%s, row %d: %s is %.17g, should be %.17g", name, row, what, x, y);
    }
}

// --- by themselves ---

static void each_row_gets_its_own_violations(void **state) {
    trRandom random = {5};
    trArena *arena = tr_arena_create();
    for (int k = 0; k < tr_stabilization_count(); k++) {
        const trStabilizationKind *kind = tr_stabilization_at(k);
        const Twin                *twin = twin_of(kind);
        double                     phi[ROWS], b[ROWS], drift[ROWS], out[ROWS + 1];
        bool                       holonomic[ROWS];
        for (int i = 0; i < ROWS; i++) {
            holonomic[i] = i % 3 != 1;
            phi[i] = holonomic[i] ? random_real(&random) : 0.0;
            b[i] = 10.0 * random_real(&random);
            drift[i] = random_real(&random);
        }
        const trEquations e = {.m = ROWS, .phi = phi, .b = b, .holonomic = holonomic};
        assert_true((kind->slide != NULL) == (twin->slide != NULL));
        for (int pass = 0; pass < (twin->slide != NULL ? 2 : 1); pass++) {
            out[ROWS] = 1234.5;
            (pass == 0 ? kind->change : kind->slide)(bind(arena, kind, gains), &e, drift, out);
            for (int i = 0; i < ROWS; i++) {
                double begun = pass == 0 ? b[i] : 0.0;
                double added =
                    (pass == 0 ? twin->change : twin->slide)(holonomic[i], phi[i], drift[i]);
                assert_row(kind->name, pass == 0 ? "b" : "the rate of positions", i, out[i],
                           begun + added, 200.0);
            }
            assert_true(out[ROWS] == 1234.5);
        }
    }
    tr_arena_destroy(arena);
}

// The largest real part or frequency of phi'' + 2 alpha phi' + beta^2 phi = 0 is at most this.
static void rates_are_those_that_a_step_must_resolve(void **state) {
    trArena *arena = tr_arena_create();
    for (int k = 0; k < tr_stabilization_count(); k++) {
        const trStabilizationKind *kind = tr_stabilization_at(k);
        assert_row(kind->name, "rate", 0, kind->rate(bind(arena, kind, gains)), twin_of(kind)->rate,
                   10.0);
    }
    // The other one of two is the larger.
    const trParam              other[] = {TR_NUM("alpha", 9.0), TR_NUM("mu", 0.5), {0}};
    const trStabilizationKind *first = tr_stabilization_find("baumgarte"),
                              *second = tr_stabilization_find("bayo");
    assert_true(first->rate(bind(arena, first, other)) == 9.0);
    assert_true(second->rate(bind(arena, second, other)) == 10.0);
    tr_arena_destroy(arena);
}

// --- in a simulation ---

// A crank that a motor turns by sqrt(t + 1), and a skate on the ground: rows that move with time,
// and one that is nonholonomic.
static Machine machine_mixed(void) {
    Machine machine = machine_new();
    int     crank =
        machine_body(&machine, "crank",
                     TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.5), TR_NUM("angle", 1.0),
                               TR_NUM("angular_velocity", 0.5), TR_VEC("com", 0.4, 0.1)));
    int skate = machine_body(&machine, "skate",
                             TR_PARAMS(TR_NUM("mass", 0.8), TR_NUM("inertia", 0.05),
                                       TR_VEC("at", 4.0, -1.0), TR_NUM("angle", 0.7),
                                       TR_NUM("angular_velocity", 0.6), TR_VEC("com", 0.1, 0.05)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, crank,
                  TR_PARAMS(TR_TIME("angle", machine_root(&machine, -1.0))));
    machine_joint(&machine, "knife_edge", "edge", TR_GROUND, skate, NULL);
    machine_build(&machine);
    assert_true(machine.system->nv <= ROOM && machine.system->m <= ROOM);
    return machine;
}

// x = S^-1 r by Gaussian elimination; S is positive definite and a few rows large.
static void solve(int m, double S[ROOM][ROOM], double *x) {
    for (int i = 0; i < m; i++) {
        for (int k = i + 1; k < m; k++) {
            double factor = S[k][i] / S[i][i];
            for (int j = i; j < m; j++) {
                S[k][j] -= factor * S[i][j];
            }
            x[k] -= factor * x[i];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int j = i + 1; j < m; j++) {
            x[i] -= S[i][j] * x[j];
        }
        x[i] /= S[i][i];
    }
}

// dv = M^-1 A' (A M^-1 A')^-1 right
static void smallest_with(const trEquations *e, double *right, double *dv) {
    double        A[ROOM * ROOM], S[ROOM][ROOM];
    const double *M = e->M.diagonal;
    tr_rows_dense(&e->A, A);
    for (int i = 0; i < e->m; i++) {
        for (int k = 0; k < e->m; k++) {
            S[i][k] = 0.0;
            for (int j = 0; j < e->nv; j++) {
                S[i][k] += A[j * e->m + i] * A[j * e->m + k] / M[j];
            }
        }
    }
    solve(e->m, S, right);
    for (int j = 0; j < e->nv; j++) {
        dv[j] = 0.0;
        for (int i = 0; i < e->m; i++) {
            dv[j] += A[j * e->m + i] * right[i] / M[j];
        }
    }
}

// At one state off the constraints: A a = b + change, q' = v + dv with A dv = slide. Numbers are
// below 1e3, the condition of A M^-1 A' below 1e2: 1e-10 leaves some hundred times of rounding.
static void check_simulation(const trStabilizationKind *kind, trSim *sim) {
    const Twin *twin = twin_of(kind);
    double      x[2 * ROOM + 1], xdot[2 * ROOM + 1], reached[ROOM], drift[ROOM];
    double      right[ROOM], dv[ROOM] = {0.0};
    memcpy(x, sim->x, (size_t)sim->nx * sizeof *x);
    for (int i = 0; i < sim->nv; i++) {
        x[i] += 0.03 * sin(1.0 + 2.0 * i);
        x[sim->nq + i] += 0.05 * cos(2.0 + 3.0 * i);
    }
    const double *v = x + sim->nq;
    assert_int_equal(tr_sim_rhs(sim, 0.25, x, xdot), TR_OK);
    const trEquations *e = &sim->eval.equations;
    tr_rows_mul(&e->A, xdot + sim->nq, reached);
    tr_rows_mul(&e->A, v, drift);
    for (int i = 0; i < e->m; i++) {
        drift[i] -= e->b1[i];
        assert_true(fabs(drift[i]) > 1e-3 && (!e->holonomic[i] || fabs(e->phi[i]) > 1e-3));
        double wanted = e->b[i] + twin->change(e->holonomic[i], e->phi[i], drift[i]);
        if (!(fabs(reached[i] - wanted) <= 1e-10)) {
            fail_msg("%s, row %d: A a is %.17g, should be %.17g", kind->name, i, reached[i],
                     wanted);
        }
        right[i] = twin->slide != NULL ? twin->slide(e->holonomic[i], e->phi[i], drift[i]) : 0.0;
    }
    smallest_with(e, right, dv);
    for (int i = 0; i < sim->nv; i++) {  // in the plane q' is v
        if (!(fabs(xdot[i] - v[i] - dv[i]) <= 1e-10)) {
            fail_msg("%s, position %d: its rate is %.17g, should be %.17g", kind->name, i, xdot[i],
                     v[i] + dv[i]);
        }
    }
}

static void simulations_are_stabilized_by_the_formula(void **state) {
    Machine machine = machine_mixed();
    for (int k = 0; k < tr_stabilization_count(); k++) {
        const trStabilizationKind *kind = tr_stabilization_at(k);
        trSimDef                   def = tr_sim_def_default();
        def.formulation = "lagrange";
        def.stabilization = kind->name;
        for (const trField *f = kind->fields; f->name != NULL; f++) {
            set_param(&def, *tr_param_find(gains, f->name));
        }
        trSim *sim = machine_sim(&machine, &def);
        check_simulation(kind, sim);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_gets_its_own_violations),
        cmocka_unit_test(rates_are_those_that_a_step_must_resolve),
        cmocka_unit_test(simulations_are_stabilized_by_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
