// SPDX-License-Identifier: MIT
// What every spatial force owes, along any motion of its bodies:
//
//     power balance       v1.F1 + omega1.M1 + v2.F2 + omega2.M2 = power - dV/dt
//     momentum balance    of kinds between two bodies: the loads are equal and opposite, and so are
//                         their moments about any point
//     invariance          a scene that is turned as a whole has its loads turned with it

#include <float.h>
#include <math.h>

#include "force/families3.h"
#include "support/test.h"

#define MOTIONS 60

// The weights of the central difference of order eight, f' = sum w_i (f(i h) - f(-i h)) / h. Its
// error is h^8 / 630 times the ninth derivative.
static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};

static double size_of(trVec3 a) {
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

static double load_size(trLoad3 load) {
    return size_of(load.force) + size_of(load.moment);
}

// The scene a time `ahead`, if the bodies keep their velocities.
static trForceOut ahead_of(const Scene *scene, double ahead) {
    trMotion3 moved[2];
    for (int k = 0; k < 2; k++) {
        const trMotion3 *m = &scene->m[k];
        trQuat           u = tr_quat_mul(tr_quat_exp(tr_scale3(ahead, m->w)), m->u);
        moved[k] = motion_of3(tr_add_scaled3(m->r, ahead, m->v), u, m->v, m->w);
    }
    return evaluate(scene->kind, scene->params, scene->t + ahead, moved);
}

// dV/dt, with the largest |V| that it is made of. Rates of turning in these motions stay below
// 3.5 rad/s and V is of the fourth order in them, so that the ninth derivative is some 14^9 |V| =
// 2e10 |V|: with h = 1/512 s the error is 1e-14 |V|. Rounding adds 3 DBL_EPSILON |V| / h =
// 4e-13 |V|. False where the scene changes its formula between the points of the difference.
static bool potential_rate(const Scene *scene, double *rate, double *largest) {
    const double h = 1.0 / 512.0;
    int          touching = 0;
    double       sum = 0.0;
    *largest = 0.0;
    for (int i = 0; i < 4; i++) {
        double after = ahead_of(scene, (i + 1) * h).potential;
        double before = ahead_of(scene, -(i + 1) * h).potential;
        sum += weight[i] * (after - before);
        *largest = fmax(*largest, fmax(fabs(after), fabs(before)));
        touching += (after != 0.0) + (before != 0.0);
    }
    *rate = sum / h;
    return (scene->family->is & ONE_SIDED) == 0 || touching == 0 || touching == 8;
}

static double power_of(trLoad3 load, const trMotion3 *m) {
    return tr_dot3(load.force, m->v) + tr_dot3(load.moment, m->w);
}

static void power_is_balanced(void **state) {
    Materials *s = open_materials();
    Random     random = {5};
    int        checked = 0, loaded = 0;
    for (int i = 0; i < s->families * MOTIONS; i++) {
        Scene      scene = open_scene(s, i % s->families, &random);
        trForceOut out = evaluate(scene.kind, scene.params, scene.t, scene.m);
        double     rate = 0.0, largest = 0.0;
        if (!potential_rate(&scene, &rate, &largest)) {
            continue;
        }
        double found = power_of(out.at1, &scene.m[0]) + power_of(out.at2, &scene.m[1]);
        double expected = out.power - rate;
        // Positions are rounded to some 4e-15 m and rad, which moves V by as much times the loads;
        // the difference magnifies this by 2 / h = 1024 1/s. Where a damper cancels the spring,
        // dV/dt stands for its load. The other errors of the difference are given above.
        double loads = load_size(out.at1) + load_size(out.at2);
        double tolerance = 4e-12 * (loads + fabs(rate)) + 2e-12 * largest + 1e-13;
        if (!(fabs(found - expected) <= tolerance)) {
            fail_msg("%s (family %d): loads have power %.15g, should be %.15g +- %g",
                     scene.kind->name, i % s->families, found, expected, tolerance);
        }
        if ((scene.kind->traits & TR_CONSERVATIVE) != 0) {
            assert_true(out.power == 0.0);
        }
        if ((scene.kind->traits & TR_CONSTANT) != 0) {
            assert_true(out.potential == -tr_dot3(out.at2.force, scene.m[1].r));
            assert_true(size_of(out.at2.moment) == 0.0);
        }
        checked++;
        loaded += loads > 0.0;
    }
    // Few scenes lie near the beginning of a contact; half of the one-sided ones are without load.
    assert_true(checked > s->families * MOTIONS * 9 / 10);
    assert_true(loaded > s->families * MOTIONS * 7 / 10 && loaded < checked);
    close_materials(s);
}

static void momentum_is_balanced(void **state) {
    Materials *s = open_materials();
    Random     random = {6};
    for (int i = 0; i < s->families * MOTIONS; i++) {
        Scene      scene = open_scene(s, i % s->families, &random);
        trForceOut out = evaluate(scene.kind, scene.params, scene.t, scene.m);
        trVec3     F = tr_add3(out.at1.force, out.at2.force);
        trVec3     M = tr_add3(out.at1.moment, out.at2.moment);
        M = tr_add3(M, tr_cross3(scene.m[0].r, out.at1.force));
        M = tr_add3(M, tr_cross3(scene.m[1].r, out.at2.force));
        // The moments are sums of some ten products of forces and arms, which are below 6 m;
        // `loads` counts the same forces several times.
        double loads = load_size(out.at1) + load_size(out.at2);
        if ((scene.kind->traits & TR_ONE_BODY) != 0) {
            assert_true(load_size(out.at1) == 0.0);
        } else if (!(size_of(F) + size_of(M) <= 10.0 * DBL_EPSILON * (1.0 + loads))) {
            fail_msg("%s: sums are %g and %g", scene.kind->name, size_of(F), size_of(M));
        }
    }
    close_materials(s);
}

// --- invariance ---

static const char *const of_the_world[] = {"acceleration", "point",  "world1", "world2", "axis",
                                           "x_axis",       "y_axis", "up",     "forward"};

// The family's parameters with vectors of the world turned by Q.
static Family turned_family(const Family *family, trQuat Q, double numbers[14][3]) {
    Family turned = *family;
    for (int i = 0; i < 14 && turned.list[i].key != NULL; i++) {
        for (size_t k = 0; k < sizeof of_the_world / sizeof *of_the_world; k++) {
            if (strcmp(turned.list[i].key, of_the_world[k]) == 0) {
                const double *at = turned.list[i].numbers;
                trVec3        a = tr_quat_rotate(Q, (trVec3){at[0], at[1], at[2]});
                numbers[i][0] = a.x;
                numbers[i][1] = a.y;
                numbers[i][2] = a.z;
                turned.list[i].numbers = numbers[i];
            }
        }
    }
    return turned;
}

static double turned_difference(trLoad3 load, trLoad3 turned, trQuat Q) {
    return size_of(tr_sub3(tr_quat_rotate(Q, load.force), turned.force)) +
           size_of(tr_sub3(tr_quat_rotate(Q, load.moment), turned.moment));
}

static void a_turned_scene_has_its_loads_turned(void **state) {
    Materials *s = open_materials();
    Random     random = {7};
    for (int i = 0; i < s->families * MOTIONS; i++) {
        Scene scene = open_scene(s, i % s->families, &random);
        if ((scene.family->is & HELD_BY_WORLD) != 0) {
            continue;
        }
        trQuat    Q = random_quat(&random);
        double    numbers[14][3];
        Family    family = turned_family(scene.family, Q, numbers);
        trPlace3  place[2] = {scene.place[0], scene.place[1]};
        trMotion3 m[2];
        for (int k = 0; k < 2; k++) {
            const trMotion3 *old = &scene.m[k];
            place[k].at = tr_quat_rotate(Q, place[k].at);
            place[k].orientation = tr_quat_mul(Q, place[k].orientation);
            m[k] = motion_of3(tr_quat_rotate(Q, old->r), tr_quat_mul(Q, old->u),
                              tr_quat_rotate(Q, old->v), tr_quat_rotate(Q, old->w));
        }
        const void *params = prepared(s->arena, scene.kind, family.list, place);
        trForceOut  out = evaluate(scene.kind, scene.params, scene.t, scene.m);
        trForceOut  turned = evaluate(scene.kind, params, scene.t, m);
        double      different = turned_difference(out.at1, turned.at1, Q) +
                           turned_difference(out.at2, turned.at2, Q) +
                           fabs(out.potential - turned.potential) + fabs(out.power - turned.power);
        // Rounding of positions, some 20 DBL_EPSILON, through laws with slopes of 20 to 100 N/m.
        double size =
            1.0 + load_size(out.at1) + load_size(out.at2) + fabs(out.potential) + fabs(out.power);
        if (!(different <= 2e3 * DBL_EPSILON * size)) {
            fail_msg("%s: differs by %g of %g", scene.kind->name, different, size);
        }
    }
    close_materials(s);
}

// --- descriptions ---

static int families_of(const Materials *s, const char *name) {
    int there = 0;
    for (int i = 0; i < s->families; i++) {
        there += strcmp(s->family[i].name, name) == 0;
    }
    return there;
}

static void every_force_is_described_and_has_parameters_here(void **state) {
    Materials  *s = open_materials();
    const char *before = "";
    int         spatial = 0;
    for (int k = 0; k < tr_force_count(); k++) {
        const trForceKind *kind = tr_force_at(k);
        if (kind->dim != 3) {
            assert_int_equal(spatial, 0);
            continue;
        }
        spatial++;
        assert_true(families_of(s, kind->name) > 0);
        assert_ptr_equal(tr_force_find(kind->name, 3), kind);
        assert_true(strlen(kind->summary) > 10);
        assert_true(strcmp(before, kind->name) < 0);
        assert_true(kind->turns <= TR_JOINT_TURNS);
        assert_true(kind->prepare3 != NULL && kind->eval3 != NULL);
        assert_true((kind->tangent3 == NULL) == ((kind->traits & TR_CONSTANT) != 0));
        assert_true(kind->prepare == NULL && kind->eval == NULL && kind->tangent == NULL);
        for (const trField *f = kind->fields; f->name != NULL; f++) {
            assert_true(f->unit != NULL && strlen(f->help) > 5);
        }
        before = kind->name;
    }
    assert_true(spatial > 0);
    assert_null(tr_force_find("wind", 3));
    close_materials(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_balanced),
        cmocka_unit_test(momentum_is_balanced),
        cmocka_unit_test(a_turned_scene_has_its_loads_turned),
        cmocka_unit_test(every_force_is_described_and_has_parameters_here),
    };
    return cmocka_run_group_tests_name("every_force3", tests, NULL, NULL);
}
