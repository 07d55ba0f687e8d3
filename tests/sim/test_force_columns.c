// SPDX-License-Identifier: MIT
// Results have the load of every force that may change, on its body 2: of a spring by its law.

#include <math.h>

#include "support/machines.h"
#include "support/test.h"

#define STIFFNESS 40.0  // [N/m]
#define OFFSET 0.3      // of the spring's end from the center of mass [m]

// A mass on a guide along x, and a spring along x whose end is off the center by OFFSET along y.
static Machine oscillator(int dim) {
    Machine machine = {0};
    assert_int_equal(tr_model_create(TR_PARAMS(TR_NUM("dim", (double)dim)), &machine.model), TR_OK);
    if (dim == 2) {
        int mass = machine_body(
            &machine, "mass",
            TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0), TR_VEC("at", 0.2, 0.0)));
        machine_joint(&machine, "prismatic", "guide", TR_GROUND, mass, NULL);
        machine_force(&machine, "spring", "coil", TR_GROUND, mass,
                      TR_PARAMS(TR_VEC("point1", -2.0, OFFSET), TR_VEC("point2", 0.0, OFFSET),
                                TR_NUM("stiffness", STIFFNESS), TR_NUM("length", 2.0)));
    } else {
        int mass = machine_body(&machine, "mass",
                                TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 1.0, 1.0),
                                          TR_VEC("at", 0.2, 0.0, 0.0)));
        machine_joint(&machine, "prismatic", "guide", TR_GROUND, mass,
                      TR_PARAMS(TR_VEC("axis", 1.0, 0.0, 0.0)));
        machine_force(&machine, "spring", "coil", TR_GROUND, mass,
                      TR_PARAMS(TR_VEC("point1", -2.0, OFFSET, 0.0),
                                TR_VEC("point2", 0.0, OFFSET, 0.0), TR_NUM("stiffness", STIFFNESS),
                                TR_NUM("length", 2.0)));
    }
    machine_build(&machine);
    return machine;
}

static void a_spring_is_recorded_with_its_law(void **state) {
    for (int dim = 2; dim <= 3; dim++) {
        Machine     machine = oscillator(dim);
        trSimDef    def = tr_sim_def_default();
        trSim      *sim = machine_sim(&machine, &def);
        trRecorder *recorder = NULL;
        assert_int_equal(tr_recorder_create(&recorder), TR_OK);
        assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
        assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
        const double *table = tr_recorder_table(recorder);
        int           width = tr_recorder_columns(recorder);
        int           x = tr_recorder_find(recorder, "mass.x");
        int           F = tr_recorder_find(recorder, "coil.Fx");
        int           M = tr_recorder_find(recorder, dim == 2 ? "coil.M" : "coil.Mz");
        assert_true(F >= 0 && M >= 0 && tr_recorder_rows(recorder) > 100);
        assert_true(tr_recorder_find(recorder, "gravity on mass.Fx") < 0);
        for (long i = 0; i < tr_recorder_rows(recorder); i++) {
            const double *row = table + i * width;
            assert_true(fabs(row[F] + STIFFNESS * row[x]) <= 1e-12);
            assert_true(fabs(row[M] + OFFSET * row[F]) <= 1e-12);
        }
        tr_recorder_destroy(recorder);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_is_recorded_with_its_law),
    };
    return cmocka_run_group_tests_name("columns of forces", tests, NULL, NULL);
}
