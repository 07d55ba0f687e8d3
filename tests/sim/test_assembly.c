// SPDX-License-Identifier: MIT
// Assembly on its own: what it finds, what it leaves alone, what it keeps, and what it says.

#include "assembly_case.h"

// Links from (0, 0) to (ground, 0), each as a rod of its own, some way off.
static Case four_bar(double crank, double coupler, double follower, double ground) {
    char text[1200];
    snprintf(
        text, sizeof text,
        "local m = model { name = 'four-bar' }\n"
        "local l = { %.17g, %.17g, %.17g, %.17g }\n"
        "local function rod(name, n, x, y, angle)\n"
        "    return m:body { name = name, mass = l[n], inertia = l[n] ^ 3 / 12,\n"
        "                    at = { x, y }, angle = angle, com = { l[n] / 2, 0 } }\n"
        "end\n"
        "local a = rod('crank', 1, 0, 0, 1.0)\n"
        "local b = rod('coupler', 2, 0.5, 1, 0.4)\n"
        "local c = rod('follower', 3, l[4], 0, 1.2)\n"
        "m:joint { 'revolute', name = 'O', m.ground, a, point1 = { 0, 0 }, point2 = { 0, 0 } }\n"
        "m:joint { 'revolute', name = 'A', a, b, point1 = { l[1], 0 }, point2 = { 0, 0 } }\n"
        "m:joint { 'revolute', name = 'B', b, c, point1 = { l[2], 0 }, point2 = { l[3], 0 } }\n"
        "m:joint { 'revolute', name = 'D', m.ground, c, point1 = { l[4], 0 }, point2 = { 0, 0 } }\n"
        "return m\n",
        crank, coupler, follower, ground);
    return case_of_text(text);
}

// Table 1 of Marques, Souto and Flores as it is printed: the coupler stands at 0.4332, not 0.4232.
static const char misprinted[] =
    "local m = model { name = 'misprinted' }\n"
    "local a = m:body { name = 'crank', mass = 1, inertia = 0.3, at = { 0.5, 0.866 }, angle = "
    "1.0472 }\n"
    "local b = m:body { name = 'coupler', mass = 2.25, inertia = 2, at = { 2.8235, 2.5535 }, angle "
    "= 0.4332 }\n"
    "local c = m:body { name = 'follower', mass = 2.2, inertia = 1.35, at = { 3.5735, 1.6875 }, "
    "angle = 1.0042 }\n"
    "m:joint { 'revolute', name = 'O', m.ground, a, point1 = { 0, 0 }, point2 = { -1, 0 } }\n"
    "m:joint { 'revolute', name = 'A', a, b, point1 = { 1, 0 }, point2 = { -2, 0 } }\n"
    "m:joint { 'revolute', name = 'B', b, c, point1 = { 2, 0 }, point2 = { 2, 0 } }\n"
    "m:joint { 'revolute', name = 'D', m.ground, c, point1 = { 2.5, 0 }, point2 = { -2, 0 } }\n"
    "return m\n";

// With the crank at the angle that is printed, 60 degrees to four digits, the loop has one pose
// near by. Its angles follow from the law of cosines.
static void the_misprinted_four_bar_finds_the_pose_that_was_meant(void **state) {
    Case         c = case_of_text(misprinted);
    trAssembly   a;
    const trKeep keep = {0, "angle"};
    double       x = 2.0 * cos(1.0472), y = 2.0 * sin(1.0472), span = hypot(2.5 - x, y);
    double       coupler = atan2(-y, 2.5 - x) + acos(0.5 * span / 4.0);
    require(assemble(&c, NULL, 1, &keep, &a));
    assert_true(a.assembled && !a.untouched);
    assert_true(fabs(tr_system_body_state(c.system, 0, a.q, a.v).angle - 1.0472) == 0.0);
    assert_true(fabs(tr_system_body_state(c.system, 1, a.q, a.v).angle - coupler) <= 1e-12);
    assert_true(fabs(coupler - 0.423245598298523) <= 1e-5);
    assert_string_equal(a.moved.body, "coupler");
    assert_string_equal(a.moved_coordinate, "angle");
    assert_true(fabs(a.moved.value - (0.4332 - coupler)) <= 1e-12);
    // The pin A of the table is open by 2 m times the error of the angle, and more by other digits.
    assert_true(fabs(a.joint[1].position_before.length - 0.02) <= 1e-3);
    assert_true(a.joint[1].position_after.length <= 1e-14);
    tr_assembly_free(&a);
    // Without anything kept, the same branch.
    require(assemble(&c, NULL, 0, NULL, &a));
    assert_true(a.moved.value < 0.01);
    assert_true(violation(&c, a.q, a.v, NULL) <= 1e-15);
    tr_assembly_free(&a);
    case_free(&c);
}

// The gap that is left when all links lie on one line.
static void what_cannot_be_assembled_is_told_with_its_least_gap(void **state) {
    static const struct {
        double crank, coupler, follower, ground, gap;
    } loops[] = {
        {1.0, 1.0, 1.0, 4.0, 1.0},    // too short
        {0.5, 0.25, 0.75, 3.0, 1.5},  // likewise
        {5.0, 1.0, 1.5, 2.0, 0.5},    // too long a crank
        {1.0, 4.0, 0.5, 2.0, 0.5},    // too long a coupler
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        Case c = four_bar(loops[i].crank, loops[i].coupler, loops[i].follower, loops[i].ground);
        trAssembly a;
        char       text[64];
        assert_int_equal(assemble(&c, NULL, 0, NULL, &a), TR_E_MODEL);
        assert_false(a.assembled);
        assert_int_equal(a.opens, 1);
        assert_true(a.others_close);
        const trJointGap *open = &a.joint[a.open[0]];
        // Others have a weight of 1e4 squared: each takes 1e-8 of the gap.
        if (fabs(open->position_after.length - loops[i].gap) > 1e-6 * loops[i].gap) {
            fail_msg("loop %d: %.12g in place of %g", (int)i, open->position_after.length,
                     loops[i].gap);
        }
        snprintf(text, sizeof text, "joint '%s': cannot be assembled, %.3g m remain", open->name,
                 loops[i].gap);
        assert_non_null(strstr(tr_last_error(), text));
        trSim *sim = NULL;
        assert_int_equal(tr_sim_create(c.system, &c.def, &sim), TR_E_MODEL);
        assert_non_null(strstr(tr_last_error(), text));
        tr_assembly_free(&a);
        case_free(&c);
    }
}

// Two loops that share nothing and both fail: both are named, the wider one first.
static void all_open_joints_are_told_widest_first(void **state) {
    Case c = case_of_text(
        "local m = model { name = 'two' }\n"
        "for i, gap in ipairs { 0.25, 1.5 } do\n"
        "    local rod = m:body { name = 'rod' .. i, mass = 1, inertia = 1, at = { 0, i } }\n"
        "    m:joint { 'revolute', name = 'left' .. i, m.ground, rod, point1 = { 0, i },\n"
        "              point2 = { 0, 0 } }\n"
        "    m:joint { 'revolute', name = 'right' .. i, m.ground, rod, point1 = { 1 + gap, i },\n"
        "              point2 = { 1, 0 } }\n"
        "end\n"
        "return m\n");
    trAssembly a;
    assert_int_equal(assemble(&c, NULL, 0, NULL, &a), TR_E_MODEL);
    assert_int_equal(a.opens, 4);
    assert_false(a.others_close);
    for (int i = 0; i < 4; i++) {  // by least squares a gap is shared by both ends
        double expected = i < 2 ? 0.75 : 0.125;
        assert_true(fabs(a.joint[a.open[i]].position_after.length - expected) <= 1e-6);
        assert_true(strstr(a.joint[a.open[i]].name, i < 2 ? "2" : "1") != NULL);
    }
    assert_non_null(strstr(tr_last_error(), "0.75 m remain"));
    assert_non_null(strstr(tr_last_error(), "by 0.125 m"));
    tr_assembly_free(&a);
    case_free(&c);
}

static const char *const benchmarks[] = {"four_bar.lua",     "bricard.lua",
                                         "iltis.lua",        "andrews.lua",
                                         "rolling_disk.lua", "chain.lua",
                                         "five_bar.lua",     "equations_four_bar_natural.lua",
                                         "heavy_top.lua",    "slider_crank_driven.lua"};

// Starts that are consistent up to 1e-14 are not touched, by assembly or by a run.
static void consistent_states_stay_bit_by_bit(void **state) {
    trRandom random = {11};
    for (size_t f = 0; f < sizeof benchmarks / sizeof *benchmarks; f++) {
        char path[512];
        snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, benchmarks[f]);
        Case       c = case_of_file(path);
        trAssembly first, a;
        require(assemble(&c, NULL, 0, NULL, &first));
        double *q = malloc((size_t)c.system->nq * sizeof *q);
        double *v = malloc((size_t)c.system->nv * sizeof *v);
        assert_true(q != NULL && v != NULL);
        for (int i = 0; i < c.system->nq; i++) {
            q[i] = first.q[i] + 1e-14 * random_real(&random);
        }
        for (int i = 0; i < c.system->nv; i++) {
            v[i] = first.v[i] + 1e-15 * random_real(&random);
        }
        trAssembleOptions options = tr_assemble_options_default();
        options.time = c.def.start;
        options.q = (trNumbers){c.system->nq, q};
        options.v = (trNumbers){c.system->nv, v};
        require(tr_assembly_find(c.system, &options, &a));
        if (!a.untouched || memcmp(a.q, q, (size_t)c.system->nq * sizeof *q) != 0 ||
            memcmp(a.v, v, (size_t)c.system->nv * sizeof *v) != 0) {
            fail_msg("%s: changed by %g %s", benchmarks[f], a.moved.value,
                     a.moved.unit == NULL ? "in velocity" : a.moved.unit);
        }
        assert_true(a.moved.unit == NULL && a.changed.unit == NULL);
        free(q);
        free(v);
        tr_assembly_free(&a);
        tr_assembly_free(&first);
        case_free(&c);
    }
}

// Whatever the size of the error, the result is not further off than what was given.
static void no_state_is_made_worse(void **state) {
    trRandom random = {13};
    Case     c = case_of_file(SOURCE_DIR "/models/benchmark/four_bar.lua");
    for (int k = 0; k < 200; k++) {
        double     size = pow(10.0, -16.0 + 0.08 * k), q[9];
        trAssembly a;
        for (int i = 0; i < 9; i++) {
            q[i] = c.system->q0[i] + size * random_real(&random);
        }
        require(assemble(&c, q, 0, NULL, &a));
        double before = violation(&c, q, a.v, NULL), after = violation(&c, a.q, a.v, NULL);
        if (after > before || after > 1e-12) {
            fail_msg("off by %g: %g became %g", size, before, after);
        }
        tr_assembly_free(&a);
    }
    case_free(&c);
}

// Sums with 1e5 come in steps of 1.5e-11, and 0 is none of them: the best that can be had is 3e-12,
// which is above the tolerance, and a step of Newton's method from there may lead to the other
// side.
static void a_state_at_the_noise_of_its_function_is_not_made_worse(void **state) {
    Case c = case_of_text(
        "local s = system { coordinates = { 'x' }, units = { x = 'm' } }\n"
        "s:mass(function(q, t, p) return { 1 } end)\n"
        "s:constraint { name = 'noisy', unit = 'm',\n"
        "               phi = function(q, t, p) return q.x + 1e5 - 1e5 - 1.000000000003 end }\n"
        "s:start { x = 1 }\n"
        "return s\n");
    int above = 0;
    for (int k = -40; k <= 40; k++) {
        double   x = 1.0 + 1e-12 * k, v = 0.0;
        trSim   *sim = NULL;
        trSimDef def = tr_sim_def_default();
        def.q = (trNumbers){1, &x};
        require(tr_sim_create(c.system, &def, &sim));
        double before = violation(&c, &x, &v, NULL), after = violation(&c, tr_sim_q(sim), &v, NULL);
        if (after > before) {
            fail_msg("%g became %g", before, after);
        }
        above += before > 1e-12 ? 1 : 0;
        tr_sim_destroy(sim);
    }
    assert_true(above > 0);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_misprinted_four_bar_finds_the_pose_that_was_meant),
        cmocka_unit_test(what_cannot_be_assembled_is_told_with_its_least_gap),
        cmocka_unit_test(all_open_joints_are_told_widest_first),
        cmocka_unit_test(consistent_states_stay_bit_by_bit),
        cmocka_unit_test(no_state_is_made_worse),
        cmocka_unit_test(a_state_at_the_noise_of_its_function_is_not_made_worse),
    };
    return cmocka_run_group_tests_name("assembly", tests, NULL, NULL);
}
