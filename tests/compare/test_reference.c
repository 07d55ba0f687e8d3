// SPDX-License-Identifier: MIT
// The reference is right, errors are measured as they are defined, and they count only as long as
// the reference is known.

#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "integrator/integrator.h"
#include "support/machines.h"
#include "support/test.h"
#include "trammel/lua.h"

// Two rods of 1 m, end on end, started above the pivot: chaotic.
static Machine double_pendulum(void) {
    Machine machine = machine_new();
    int     a = machine_body(&machine, "a",
                             TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                       TR_VEC("at", 0.0, 0.5), TR_NUM("angle", 0.5 * acos(-1.0))));
    int     b = machine_body(&machine, "b",
                             TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                       TR_VEC("at", 0.5, 1.0), TR_NUM("angle", 0.0)));
    machine_joint(&machine, "revolute", "A", TR_GROUND, a, TR_PARAMS(TR_VEC("point", 0.0, 0.0)));
    machine_joint(&machine, "revolute", "B", a, b, TR_PARAMS(TR_VEC("point", 0.0, 1.0)));
    machine_build(&machine);
    return machine;
}

static trCompare *compare(const Machine *machine, const trSimDef *def) {
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions), .repeat = 1};
    trCompare             *c = NULL;
    if (tr_compare_create(machine->system, def, &options, &c) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return c;
}

// Against another integrator, with a step whose error is known: that of rk4 falls with h^4, and
// runs with h and h / 2 are 15/16 of the coarse one's error apart.
static void the_reference_agrees_with_another_integrator(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.duration = 2.0;
    trCompare *c = compare(&machine, &def);
    double     end[2];  // angles [rad]
    for (int k = 0; k < 2; k++) {
        trSimDef own = def;
        own.integrator = "rk4";
        own.step = k == 0 ? 1e-2 : 5e-3;
        trSim *sim = machine_sim(&machine, &own);
        assert_int_equal(tr_sim_run_to(sim, 2.0), TR_OK);
        end[k] = tr_sim_body(sim, 0).angle;
        tr_sim_destroy(sim);
    }
    assert_int_equal(c->reference.count, c->times);
    double last = c->reference.track[1].sample[(size_t)(c->times - 1) * 3 + 2];
    double extrapolated = end[1] + (end[1] - end[0]) / 15.0;
    // What extrapolation leaves is of order h^5, a small part of the difference; projections of the
    // two runs leave some 1e-12.
    assert_true(fabs(end[1] - end[0]) > 1e-9);  // else this would prove nothing
    assert_true(fabs(last - extrapolated) <= 0.02 * fabs(end[1] - end[0]) + 2e-12);
    tr_compare_destroy(c);
    machine_free(&machine);
}

static void errors_of_a_regular_motion_count_to_the_end(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.duration = 2.0;
    trCompare *c = compare(&machine, &def);
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        double              error = tr_compare_gap_size(row->error);
        if (row->state != TR_COMPARE_DONE) {
            continue;
        }
        assert_true(row->measured && !row->bound);
        assert_true(row->trusted_until == 2.0);
        // Tolerances of 1e-8 for each of some dozens of steps; the reference has 1e-11. Integrators
        // with a fixed step, here of 1 ms, know no tolerance: those of order 2 leave 2e-5.
        assert_true(error > 1e-11 && error < (row->fixed ? 1e-4 : 1e-5));
        assert_true(tr_compare_gap_size(c->reference.doubt[c->times - 1]) <= 0.1 * error);
    }
    assert_true(c->recommended >= 0);
    tr_compare_destroy(c);
    machine_free(&machine);
}

// By the definition, once more: length and angle apart, none of them negligible here.
static bool is_trusted(const trCompare *c, const trCompareRow *row, int last) {
    double length = 0.0, angle = 0.0;
    for (int i = 0; i <= last; i++) {
        length = fmax(length, row->miss[i].length);
        angle = fmax(angle, row->miss[i].angle);
    }
    return c->reference.doubt[last].length <= 0.1 * length &&
           c->reference.doubt[last].angle <= 0.1 * angle && angle > 0.0;
}

static void errors_of_a_chaotic_motion_count_while_the_reference_is_known(void **state) {
    Machine  machine = double_pendulum();
    trSimDef def = tr_sim_def_default();
    def.duration = 60.0;
    trCompare *c = compare(&machine, &def);
    // The two references have nothing in common in the end.
    assert_true(tr_compare_gap_size(c->reference.doubt[c->times - 1]) > 1.0);
    for (int k = 1; k < c->times; k++) {
        assert_true(c->reference.doubt[k].angle >= c->reference.doubt[k - 1].angle);
    }
    int measured = 0, lost = 0;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        const trMethod     *method = tr_method_find(row->name);
        if (method != NULL && method->integrator != NULL &&
            tr_integrator_is_absent(method->integrator)) {
            assert_int_equal(row->state, TR_COMPARE_REFUSED);
            assert_true(strstr(row->reason, "needs SUNDIALS") != NULL);
            lost++;
            continue;
        }
        if (strcmp(row->name, "newmark") == 0) {  // weakly unstable: it does not arrive
            assert_int_equal(row->state, TR_COMPARE_FAILED);
            assert_true(strstr(row->reason, "Newton's method did not converge") != NULL);
            lost++;
            continue;
        }
        assert_int_equal(row->state, TR_COMPARE_DONE);
        assert_true(row->measured && !row->bound && row->misses == c->times);
        assert_true(row->trusted_until > 1.0 && row->trusted_until < 60.0);
        for (int k = 0; k < c->times; k++) {
            if (c->time[k] == row->trusted_until) {
                assert_true(is_trusted(c, row, k));
                measured++;
            } else if (c->time[k] > row->trusted_until) {
                assert_false(is_trusted(c, row, k));
            }
        }
    }
    assert_int_equal(measured, c->rows - lost);
    // Methods are ranked before errors are as large as the mechanism.
    assert_true(c->ranked_until > 1.0 && c->ranked_until < 60.0);
    assert_true(c->recommended >= 0);
    assert_non_null(strstr(c->sentence, " up to t = "));
    tr_compare_destroy(c);
    machine_free(&machine);
}

// Projections of a run leave some 1e-12, which this mechanism makes a hundred times larger in 5 s:
// no tolerance would remove that from the difference of the references.
static void references_are_projected_to_rounding(void **state) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    trCompare c = {.memory = tr_arena_create()};
    assert_int_equal(tr_lua_load(SOURCE_DIR "/models/benchmark/four_bar.lua", NULL, &model, &def),
                     TR_OK);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions), .repeat = 1};
    c.system = system;
    assert_int_equal(tr_compare_plan(&c, &def, &options), TR_OK);
    assert_int_equal(tr_compare_reference(&c, &options), TR_OK);
    assert_int_equal(c.reference.count, c.times);
    assert_true(tr_compare_gap_size(c.reference.doubt[c.times - 1]) < 3e-11);
    tr_arena_destroy(c.memory);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static void trust_ends_where_doubt_exceeds_a_tenth(void **state) {
    const trCompareGap miss[] = {{0}, {1e-6, 0, 0}, {1e-3, 0, 0}, {1.0, 0, 0}, {0.5, 0, 0}};
    trCompareGap       doubt[] = {{0}, {1e-9, 0, 0}, {0.99e-4, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0}};
    assert_int_equal(tr_compare_trusted(5, miss, doubt), 2);
    doubt[2].length = 1.01e-4;
    assert_int_equal(tr_compare_trusted(5, miss, doubt), 1);
    doubt[1].angle = 1.01e-10;  // more than a tenth of a thousandth of the error in length
    assert_int_equal(tr_compare_trusted(5, miss, doubt), -1);
    doubt[1].angle = 0.99e-10;
    assert_int_equal(tr_compare_trusted(5, miss, doubt), 1);
    assert_int_equal(tr_compare_trusted(0, miss, doubt), -1);
}

// A method with the tolerance of the reference cannot be measured by it, only bounded.
static void a_method_as_good_as_the_reference_gets_a_bound(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.duration = 1.0;
    def.rtol = def.atol = 1e-13;
    trCompare *c = compare(&machine, &def);
    int        bounds = 0;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        bounds += row->bound;
        if (row->bound) {
            assert_true(row->measured && row->trusted_until == 1.0);
            double most = 0.0, doubt = c->reference.doubt[c->times - 1].angle;
            for (int k = 0; k < row->misses; k++) {
                most = fmax(most, row->miss[k].angle);
            }
            assert_true(row->error.angle == most + doubt && doubt > 0.0);
            assert_true(tr_compare_gap_size(row->error) < 1e-9);
        }
    }
    assert_true(bounds > 0);
    // Two runs that happen to take the same steps would have no doubt at all.
    assert_true(tr_compare_gap_size(c->reference.doubt[c->times - 1]) > 0.0);
    tr_compare_destroy(c);
    machine_free(&machine);
}

static trSystem *spatial_body(trModel **model) {
    int       body = 0;
    trSystem *system = NULL;
    assert_int_equal(tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0)), model), TR_OK);
    assert_int_equal(
        tr_model_add_body(*model, "ball",
                          TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 1.0, 1.0)), &body),
        TR_OK);
    assert_int_equal(tr_system_build(*model, &system), TR_OK);
    return system;
}

static void orientations_are_compared_whatever_the_sign_of_quaternions(void **state) {
    static const double angles[] = {0.0, 1e-9, 1e-3, 1.0, 3.0};
    trModel            *model = NULL;
    trSystem           *system = spatial_body(&model);
    const double        p[7] = {1.0, 2.0, 3.0, 0.5, -0.5, 0.5, 0.5};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        // p turned by the angle about its own axis (0, 0.6, 0.8): p * (cos, sin axis).
        double c = cos(0.5 * angles[k]), s = sin(0.5 * angles[k]);
        double y = 0.6 * s, z = 0.8 * s;
        double r[7] = {1.0,
                       2.0,
                       3.0,
                       p[3] * c - p[5] * y - p[6] * z,
                       p[4] * c + p[5] * z - p[6] * y,
                       p[5] * c + p[3] * y - p[4] * z,
                       p[6] * c + p[3] * z + p[4] * y};
        for (int sign = 0; sign < 2; sign++) {
            trCompareGap gap = tr_compare_gap(system, p, r);
            assert_true(fabs(gap.angle - angles[k]) <= 1e-15 + 1e-6 * angles[k]);
            assert_true(gap.length == 0.0);
            for (int i = 3; i < 7; i++) {
                r[i] = -r[i];
            }
        }
    }
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static void lengths_are_distances_and_coordinates_are_relative(void **state) {
    Machine      machine = machine_pendulum(0.3);
    const double a[3] = {1.0, 2.0, 7.0}, b[3] = {4.0, 6.0, 7.5};
    trCompareGap gap = tr_compare_gap(machine.system, a, b);
    assert_true(fabs(gap.length - 5.0) < 1e-15 && gap.angle == 0.5 && gap.general == 0.0);
    machine_free(&machine);

    trModel  *model = NULL;
    trSystem *system = NULL;
    trSimDef  def = tr_sim_def_default();
    assert_int_equal(
        tr_lua_load(SOURCE_DIR "/models/benchmark/equations_pendulum.lua", NULL, &model, &def),
        TR_OK);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    assert_int_equal(tr_compare_width(system), 2);
    const double p[2] = {2.0, 1.0}, r[2] = {3.0, 1.0};
    gap = tr_compare_gap(system, p, r);
    assert_true(gap.general == 0.25 && gap.length == 0.0 && gap.angle == 0.0);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_agrees_with_another_integrator),
        cmocka_unit_test(errors_of_a_regular_motion_count_to_the_end),
        cmocka_unit_test(errors_of_a_chaotic_motion_count_while_the_reference_is_known),
        cmocka_unit_test(references_are_projected_to_rounding),
        cmocka_unit_test(trust_ends_where_doubt_exceeds_a_tenth),
        cmocka_unit_test(a_method_as_good_as_the_reference_gets_a_bound),
        cmocka_unit_test(orientations_are_compared_whatever_the_sign_of_quaternions),
        cmocka_unit_test(lengths_are_distances_and_coordinates_are_relative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
