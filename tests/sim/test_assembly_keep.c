// SPDX-License-Identifier: MIT
// Assembly with things that stay, the velocity level, drives, rows of velocities, redundant rows,
// equations of the user's own, welds that must not flip, and runs that must not assemble.

#include "assembly_case.h"

static Case benchmark(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, name);
    return case_of_file(path);
}

// The model's positions, each off by up to `size`.
static double *beside(const Case *c, double size, uint64_t seed) {
    trRandom random = {seed};
    double  *q = malloc((size_t)c->system->nq * sizeof *q);
    double  *dv = malloc((size_t)c->system->nv * sizeof *dv);
    assert_true(q != NULL && dv != NULL);
    memcpy(q, c->system->q0, (size_t)c->system->nq * sizeof *q);
    for (int i = 0; i < c->system->nv; i++) {
        dv[i] = size * random_real(&random);
    }
    tr_system_retract(c->system, dv, q);
    tr_system_normalize(c->system, q);
    free(dv);
    return q;
}

static double part_of(const trBodyState *s, const char *word) {
    return strcmp(word, "x") == 0 ? s->x : strcmp(word, "y") == 0 ? s->y : s->angle;
}

// Frames stay to rounding: of bodies whose center of mass is elsewhere, x is a difference.
static void kept_coordinates_of_the_plane_stay(void **state) {
    static const struct {
        int         body;
        const char *word;
    } kept[] = {{0, "angle"}, {2, "angle"}, {1, "x"}, {1, "y"}, {2, NULL}};
    Case    c = benchmark("four_bar.lua");
    double *q = beside(&c, 0.05, 3);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const trKeep keep = {kept[i].body, kept[i].word};
        trAssembly   a;
        if (kept[i].word == NULL) {  // where its pin is
            memcpy(q + 6, c.system->q0 + 6, 3 * sizeof *q);
        }
        require(assemble(&c, q, 1, &keep, &a));
        trBodyState before = tr_system_body_state(c.system, keep.body, q, c.system->v0);
        trBodyState after = tr_system_body_state(c.system, keep.body, a.q, a.v);
        if (kept[i].word == NULL) {
            assert_memory_equal(a.q + 6, q + 6, 3 * sizeof *q);
        } else {
            assert_true(fabs(part_of(&after, keep.coordinate) -
                             part_of(&before, keep.coordinate)) <= 4e-15);
        }
        assert_true(violation(&c, a.q, a.v, NULL) <= 1e-12);
        assert_true(a.moved.value > 1e-3);
        tr_assembly_free(&a);
    }
    free(q);
    case_free(&c);
}

// A body on a hinge, its center of mass beside the frame, with principal axes of its own.
static const char hinged[] =
    "local m = model { name = 'hinged', dim = 3 }\n"
    "local b = m:body { name = 'arm', mass = 2, inertia = { 0.3, 0.4, 0.5, 0.05, 0.02, 0.01 },\n"
    "                   at = { 0.1, -0.2, 0.3 }, com = { 0.4, 0.2, -0.1 },\n"
    "                   rotation = { 0.3, 0.2, 0.1 }, angular_velocity = { 0.5, 1, 2 } }\n"
    "m:joint { 'spherical', name = 'ball', m.ground, b, point1 = { 0, 0, 0 },\n"
    "          point2 = { 0.3, 0.1, 0.2 } }\n"
    "return m\n";

static void kept_coordinates_in_space_stay(void **state) {
    static const char *const words[] = {"x", "y", "z", "orientation"};
    Case                     c = case_of_text(hinged);
    for (int i = 0; i < 4; i++) {
        const trKeep keep = {0, words[i]};
        trAssembly   a;
        require(assemble(&c, NULL, 1, &keep, &a));
        trBodyState  s0 = tr_system_body_state(c.system, 0, a.q0, a.v0);
        trBodyState  s1 = tr_system_body_state(c.system, 0, a.q, a.v);
        const double before[] = {s0.x, s0.y, s0.z, s0.quaternion[1]};
        const double after[] = {s1.x, s1.y, s1.z, s1.quaternion[1]};
        assert_true(fabs(after[i] - before[i]) <= 1e-15);
        assert_true(violation(&c, a.q, a.v, NULL) <= 1e-12);
        if (i == 3) {  // and so does the angular velocity
            assert_true(fabs(s1.wx - 0.5) + fabs(s1.wy - 1.0) + fabs(s1.wz - 2.0) <= 1e-14);
        }
        assert_false(a.released);
        tr_assembly_free(&a);
    }
    case_free(&c);
}

// The crank's angle and speed are kept: all other velocities follow from them.
static void kept_velocities_drive_the_others(void **state) {
    Case         c = benchmark("four_bar.lua");
    const trKeep keep = {0, "angle"};
    trAssembly   a;
    double       v[9] = {0}, rate = 1.0;
    v[2] = 3.0;
    trAssembleOptions options = tr_assemble_options_default();
    options.v = (trNumbers){9, v};
    options.keeps = 1;
    options.keep = &keep;
    require(tr_assembly_find(c.system, &options, &a));
    assert_true(a.v[2] == 3.0 && !a.released);
    assert_true(violation(&c, a.q, a.v, &rate) <= 1e-12 && rate <= 1e-14);
    // The crank's center of mass, 1 m from its pin.
    assert_true(fabs(hypot(a.v[0], a.v[1]) - 3.0) <= 1e-13);
    tr_assembly_free(&a);
    case_free(&c);
}

// A spatial slider-crank whose rod is typed with a wrong angle: it assembles to one degree of
// freedom, with velocities that do not fit either. The bob hangs elsewhere, beside its pin.
#define SLIDER_CRANK(degrees)                                                                    \
    "local m = model { name = 'ssc', dim = 3, gravity = { 0, 0, -9.81 } }\n"                     \
    "local tip = { 0, 0, 0.1 }\n"                                                                \
    "local crank = m:body { name = 'crank', mass = 0.12, inertia = { 1e-4, 1e-4, 1e-5 },\n"      \
    "    com = { 0, 0, 0.05 }, angular_velocity = { 0, -2 * math.pi, 0 } }\n"                    \
    "local rod = m:body { name = 'rod', mass = 0.5, inertia = { 4e-3, 4e-4, 4e-3 }, at = tip,\n" \
    "    com = { 0, 0.145, 0 }, rotation = { math.rad(" degrees "), 0, 0 } }\n"                  \
    "local slider = m:body { name = 'slider', mass = 0.5, inertia = { 1e-4, 1e-4, 1e-4 },\n"     \
    "    at = { 0, 0.15, -0.15 } }\n"                                                            \
    "m:joint { 'revolute', name = 'pivot', m.ground, crank, point = { 0, 0, 0 },\n"              \
    "    axis = { 0, 1, 0 } }\n"                                                                 \
    "m:joint { 'spherical', name = 'ball', crank, rod, point1 = tip, point2 = { 0, 0, 0 } }\n"   \
    "m:joint { 'universal', name = 'cross', rod, slider, point1 = { 0, 0.29, 0 },\n"             \
    "    point2 = { 0, 0, 0 }, axis1 = { 1, 0, 0 }, axis2 = { 0, 1, 0 } }\n"                     \
    "m:joint { 'prismatic', name = 'guide', m.ground, slider, point = { 0, 0.15, -0.15 },\n"     \
    "    axis = { 0, 1, 0 } }\n"                                                                 \
    "local bob = m:body { name = 'bob', mass = 1, inertia = { 0.1, 0.2, 0.25 }, at = { 2, 0, 0 " \
    "},\n"                                                                                       \
    "    com = { 0.3, 0.2, 0 } }\n"                                                              \
    "m:joint { 'spherical', name = 'pin', m.ground, bob, point1 = { 2, 0, 0.1 },\n"              \
    "    point2 = { 0, 0, 0 } }\n"                                                               \
    "return m\n"

static void assert_same_result(const trAssembly *a, const trAssembly *b, const trKeep *keep) {
    double most = 0.0;
    for (int i = 0; i < a->nq; i++) {
        most = fmax(most, fabs(a->q[i] - b->q[i]));
    }
    for (int i = 0; i < a->nv; i++) {
        most = fmax(most, fabs(a->v[i] - b->v[i]));
    }
    if (!(most <= 1e-9)) {
        fail_msg("body %d, %s: differs by %g", keep->body, keep->coordinate, most);
    }
    assert_int_equal(a->released, b->released);
}

// What a joint holds already: its columns leave rows of rounding, which must not count. Kept alone
// it gives what nothing kept gives; beside the bob, which would turn, what the bob alone gives.
static void keeping_what_joints_hold_changes_nothing(void **state) {
    static const char *const text[] = {SLIDER_CRANK("40"), SLIDER_CRANK("-60")};
    static const trKeep      held[] = {{0, "x"}, {0, "y"}, {0, "z"},
                                       {2, "x"}, {2, "z"}, {2, "orientation"}};
    for (int k = 0; k < 2; k++) {
        Case         c = case_of_text(text[k]);
        const trKeep bob = {3, "orientation"};
        trAssembly   nothing, alone, a;
        require(assemble(&c, NULL, 0, NULL, &nothing));
        require(assemble(&c, NULL, 1, &bob, &alone));
        assert_true(nothing.moved.value > 1e-3 && nothing.changed.value > 1e-3);
        trBodyState turned = tr_system_body_state(c.system, 3, nothing.q, nothing.v);
        trBodyState stayed = tr_system_body_state(c.system, 3, alone.q, alone.v);
        assert_true(fabs(turned.quaternion[0]) < 0.9999 && stayed.quaternion[0] == 1.0);
        for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
            const trKeep both[] = {bob, held[i]};
            require(assemble(&c, NULL, 1, &held[i], &a));
            assert_same_result(&a, &nothing, &held[i]);
            tr_assembly_free(&a);
            require(assemble(&c, NULL, 2, both, &a));
            assert_same_result(&a, &alone, &held[i]);
            tr_assembly_free(&a);
        }
        tr_assembly_free(&nothing);
        tr_assembly_free(&alone);
        case_free(&c);
    }
}

static void what_is_kept_and_contradicts_is_named_with_the_joint(void **state) {
    Case         c = benchmark("four_bar.lua");
    double      *q = beside(&c, 0.0, 1);
    const trKeep keep[] = {{1, "angle"}, {0, NULL}, {2, NULL}};
    trAssembly   a;
    q[8] += 0.3;  // the follower turns about its center of mass: its pin opens
    assert_int_equal(assemble(&c, q, 3, keep, &a), TR_E_MODEL);
    assert_true(a.opens > 0);
    assert_non_null(strstr(tr_last_error(), "joint '"));
    assert_non_null(strstr(tr_last_error(), "cannot be closed while 'follower' is kept"));
    tr_assembly_free(&a);
    // Nothing stands in the way of the others.
    require(assemble(&c, q, 1, keep, &a));
    tr_assembly_free(&a);
    const trKeep unknown = {0, "angel"};
    assert_int_equal(assemble(&c, q, 1, &unknown, &a), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "has no coordinate 'angel'; did you mean 'angle'?"));
    assert_null(a.memory);
    free(q);
    case_free(&c);
}

// A drive turns the crank: its speed cannot be kept at zero, its angle can.
static void velocities_that_cannot_be_kept_are_released(void **state) {
    Case         c = case_of_text("local m = model { name = 'driven' }\n"
                                          "local a = m:body { name = 'crank', mass = 1, inertia = 1 }\n"
                                          "m:joint { 'revolute', name = 'pin', m.ground, a, point = { 0, 0 } }\n"
                                          "m:joint { 'driven_angle', name = 'motor', m.ground, a,\n"
                                          "          angle = function(t) return 0.5 + 2 * t end }\n"
                                          "m:simulate { start = 1.5 }\n"
                                          "return m\n");
    const trKeep pose = {0, "x"}, angle = {0, "angle"};
    double       q[] = {0.0, 0.0, 3.5};
    trAssembly   a;
    // At t = 1.5 s, from any angle.
    require(assemble(&c, NULL, 1, &pose, &a));
    assert_true(fabs(a.q[2] - 3.5) <= 1e-12 && fabs(a.v[2] - 2.0) <= 1e-12);
    tr_assembly_free(&a);
    require(assemble(&c, q, 1, &angle, &a));
    assert_true(a.released && a.q[2] == 3.5 && fabs(a.v[2] - 2.0) <= 1e-12);
    tr_assembly_free(&a);
    assert_int_equal(assemble(&c, NULL, 1, &angle, &a), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(),
                           "joint 'motor': cannot be closed while 'crank.angle' is kept, 3.5 rad"));
    tr_assembly_free(&a);
    case_free(&c);
}

// One degree of freedom and no drive: v itself spans the free motions, so that the smallest change
// in the metric of M is the one with v' M (v - v0) = 0.
static void velocities_are_the_nearest_in_the_metric_of_mass(void **state) {
    Case       c = benchmark("four_bar.lua");
    trRandom   random = {17};
    trAssembly a;
    for (int k = 0; k < 10; k++) {
        double v[9], sum = 0.0, size = 0.0, rate = 1.0;
        for (int i = 0; i < 9; i++) {
            v[i] = random_real(&random);
        }
        trAssembleOptions options = tr_assemble_options_default();
        options.v = (trNumbers){9, v};
        require(tr_assembly_find(c.system, &options, &a));
        for (int i = 0; i < 9; i++) {
            sum += a.v[i] * c.system->mass[i] * (a.v[i] - v[i]);
            size += a.v[i] * c.system->mass[i] * a.v[i];
        }
        assert_true(size > 1e-6);
        assert_true(fabs(sum) <= 1e-13 * (1.0 + size));
        violation(&c, a.q, a.v, &rate);
        assert_true(rate <= 1e-14);
        tr_assembly_free(&a);
    }
    case_free(&c);
}

// Rows of velocities alone, redundant rows, drives, and equations of the user's own.
static void models_of_every_sort_are_assembled_at_both_levels(void **state) {
    static const char *const names[] = {
        "knife_edge.lua",   "rolling_disk.lua",        "bicycle.lua",
        "bricard.lua",      "slider_crank_driven.lua", "redundant_parallelogram.lua",
        "car_axis.lua",     "andrews_equations.lua",   "equations_four_bar_natural.lua",
        "vertical_coin.lua"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        Case       c = benchmark(names[k]);
        double    *q = beside(&c, 1e-2, 19 + k), rate = 1.0;
        double    *v = malloc((size_t)c.system->nv * sizeof *v);
        trRandom   random = {23 + k};
        trAssembly a;
        assert_non_null(v);
        for (int i = 0; i < c.system->nv; i++) {
            v[i] = c.system->v0[i] + 0.1 * random_real(&random);
        }
        trAssembleOptions options = tr_assemble_options_default();
        options.time = c.def.start;
        options.q = (trNumbers){c.system->nq, q};
        options.v = (trNumbers){c.system->nv, v};
        require(tr_assembly_find(c.system, &options, &a));
        double left = violation(&c, a.q, a.v, &rate);
        if (!(left <= 1e-14) || !(rate <= 1e-12)) {
            fail_msg("%s: left %g and %g", names[k], left, rate);
        }
        free(q);
        free(v);
        tr_assembly_free(&a);
        case_free(&c);
    }
}

// A weld holds the orientation: from half a turn off about any axis, exactly or nearly, the body
// returns to it. Rows that are products of axes would be satisfied by the flipped body as well.
static void a_weld_never_ends_flipped(void **state) {
    Case c =
        case_of_text("local m = model { name = 'weld', dim = 3 }\n"
                     "local b = m:body { name = 'block', mass = 1, inertia = { 0.1, 0.2, 0.25 },\n"
                     "                   com = { 0.2, 0.1, 0 } }\n"
                     "m:joint { 'fixed', name = 'weld', m.ground, b }\n"
                     "return m\n");
    trRandom random = {29};
    for (int k = 0; k < 40; k++) {
        double     axis[3], length = 0.0, q[7];
        double     angle = k < 20 ? PI : PI * (1.0 + 0.05 * random_real(&random));
        trAssembly a;
        for (int i = 0; i < 3; i++) {
            axis[i] = k < 3 ? (i == k ? 1.0 : 0.0) : random_real(&random);
            length = hypot(length, axis[i]);
        }
        double dv[6] = {0.0,
                        0.0,
                        0.0,
                        angle * axis[0] / length,
                        angle * axis[1] / length,
                        angle * axis[2] / length};
        memcpy(q, c.system->q0, sizeof q);
        tr_system_retract(c.system, dv, q);
        require(assemble(&c, q, 0, NULL, &a));
        trBodyState s = tr_system_body_state(c.system, 0, a.q, a.v);
        if (fabs(fabs(s.quaternion[0]) - 1.0) > 1e-12 ||
            fabs(s.x) + fabs(s.y) + fabs(s.z) > 1e-11) {
            fail_msg("case %d: e0 = %g, at (%g, %g, %g)", k, s.quaternion[0], s.x, s.y, s.z);
        }
        tr_assembly_free(&a);
    }
    case_free(&c);
}

static void a_run_that_must_not_assemble_refuses_and_says_by_how_much(void **state) {
    Case   c = benchmark("four_bar.lua");
    trSim *sim = NULL;
    double q[9], v[9] = {0};
    memcpy(q, c.system->q0, sizeof q);
    c.def.initial = "strict";
    require(tr_sim_create(c.system, &c.def, &sim));  // the model itself is consistent
    tr_sim_destroy(sim);
    q[5] += 1e-6;  // the coupler, whose pins are 2 m from its center of mass
    c.def.q = (trNumbers){9, q};
    assert_int_equal(tr_sim_create(c.system, &c.def, &sim), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), "joint 'A': is off by 1.82e-06 m at the start"));
    assert_non_null(strstr(tr_last_error(), "trammel assemble"));
    memcpy(q, c.system->q0, sizeof q);
    v[2] = 1e-3;
    c.def.v = (trNumbers){9, v};
    assert_int_equal(tr_sim_create(c.system, &c.def, &sim), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), " m/s at the start"));
    c.def.initial = "assemble";
    require(tr_sim_create(c.system, &c.def, &sim));
    tr_sim_destroy(sim);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_coordinates_of_the_plane_stay),
        cmocka_unit_test(kept_coordinates_in_space_stay),
        cmocka_unit_test(kept_velocities_drive_the_others),
        cmocka_unit_test(keeping_what_joints_hold_changes_nothing),
        cmocka_unit_test(what_is_kept_and_contradicts_is_named_with_the_joint),
        cmocka_unit_test(velocities_that_cannot_be_kept_are_released),
        cmocka_unit_test(velocities_are_the_nearest_in_the_metric_of_mass),
        cmocka_unit_test(models_of_every_sort_are_assembled_at_both_levels),
        cmocka_unit_test(a_weld_never_ends_flipped),
        cmocka_unit_test(a_run_that_must_not_assemble_refuses_and_says_by_how_much),
    };
    return cmocka_run_group_tests_name("assembly: kept, levels, drives", tests, NULL, NULL);
}
