// SPDX-License-Identifier: MIT
// What every space owes: its coordinates move as its velocities say, and frames of bodies with
// them. Derivatives are differences of fourth order with h = 1e-3, which leave out h^4 / 30 times
// the fifth derivative; rates are of the order of 1 here, so that is 1e-12 at most, and rounding
// adds 1e-12.

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/random.h"
#include "support/test.h"

#define H 1e-3
#define NEAR 2e-10  // of derivatives by differences
#define ROUNDING 1e-14
#define NQ 7
#define NV 7

static const trSpace *const spaces[] = {&tr_space_planar, &tr_space_body, &tr_space_quaternion};

static double number(trRandom *random) {
    return random_real(random);
}

static trVec3 vector(trRandom *random) {
    return (trVec3){number(random), number(random), number(random)};
}

// A body with everything that a body can have.
static trBody body_of(trRandom *random) {
    trBody body = {.name = "body", .mass = 1.7, .inertia = 0.3};
    body.at = (trVec2){number(random), number(random)};
    body.angle = number(random);
    body.com = (trVec2){number(random), number(random)};
    body.velocity = (trVec2){number(random), number(random)};
    body.angular_velocity = number(random);
    body.spatial = (trBody3){.place = {.at = vector(random),
                                       .orientation = tr_quat_exp(vector(random)),
                                       .com = vector(random),
                                       .principal = tr_quat_exp(vector(random)),
                                       .mass = 1.7,
                                       .inertia = {0.2, 0.3, 0.4}},
                             .velocity = vector(random),
                             .angular_velocity = vector(random)};
    return body;
}

static void assert_close(double a, double b, double tolerance, const char *what) {
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%s: %.15g, should be %.15g", what, a, b);
    }
}

static void random_velocity(const trSpace *space, trRandom *random, const double *q, double *v) {
    double along = 0.0;
    for (int k = 0; k < space->nv; k++) {
        v[k] = number(random);
    }
    for (int k = 3; space->nv == 7 && k < 7; k++) {  // a quaternion keeps its length
        along += v[k] * q[k];
    }
    for (int k = 3; space->nv == 7 && k < 7; k++) {
        v[k] -= along * q[k];
    }
}

// q moved by x, from q.
static void moved(const trSpace *space, const double *q, const double *x, double *out) {
    memcpy(out, q, (size_t)space->nq * sizeof *q);
    tr_space_retract(space, x, out);
}

static void rate_is_how_coordinates_move(void **state) {
    trRandom random = {3};
    for (int n = 0; n < 3; n++) {
        const trSpace *space = spaces[n];
        trBody         body = body_of(&random);
        double         q[NQ], v[NV], x[NV], at[4][NQ], rate[NQ];
        const double   steps[4] = {-2.0 * H, -H, H, 2.0 * H};
        space->start(&body, q);
        random_velocity(space, &random, q, v);
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < space->nv; k++) {
                x[k] = steps[i] * v[k];
            }
            moved(space, q, x, at[i]);
        }
        memcpy(rate, v, sizeof rate);
        if (space->rate != NULL) {
            space->rate(q, v, rate);
        }
        for (int k = 0; k < space->nq; k++) {
            double slope = (at[0][k] - 8.0 * at[1][k] + 8.0 * at[2][k] - at[3][k]) / (12.0 * H);
            assert_close(rate[k], slope, NEAR, space->name);
        }
    }
}

static void difference_and_compose_undo_and_join_movements(void **state) {
    trRandom random = {5};
    for (int n = 0; n < 60; n++) {
        const trSpace *space = spaces[n % 3];
        trBody         body = body_of(&random);
        double         q[NQ], x[NV], dq[NV], one[NQ], two[NQ], back[NV];
        space->start(&body, q);
        random_velocity(space, &random, q, x);
        random_velocity(space, &random, q, dq);
        moved(space, q, x, one);
        tr_space_difference(space, one, q, back);
        for (int k = 0; k < space->nv; k++) {
            assert_close(back[k], x[k], ROUNDING, "difference");
        }
        moved(space, one, dq, two);
        tr_space_difference(space, two, q, back);
        for (int k = 0; k < space->nv; k++) {
            x[k] += space->compose == NULL ? dq[k] : 0.0;
        }
        if (space->compose != NULL) {
            space->compose(dq, x);
        }
        for (int k = 0; k < space->nv; k++) {
            assert_close(back[k], x[k], ROUNDING, "compose");
        }
    }
}

// Rows of B T^-1 are B times the derivative of compose.
static void chain_is_the_derivative_of_compose(void **state) {
    trRandom       random = {7};
    const trSpace *space = &tr_space_body;
    for (int n = 0; n < 20; n++) {
        double size = n < 5 ? 1e-5 : 1.5, x[6], B[6] = {0}, y[2][6];
        for (int k = 0; k < 6; k++) {
            x[k] = size * number(&random);
            B[k] = number(&random);
        }
        for (int j = 0; j < 6; j++) {
            double dq[6] = {0}, row[6], slope = 0.0;
            for (int side = 0; side < 2; side++) {
                memcpy(y[side], x, sizeof x);
                dq[j] = side == 0 ? -1e-6 : 1e-6;
                space->compose(dq, y[side]);
            }
            for (int k = 0; k < 6; k++) {
                slope += B[k] * (y[1][k] - y[0][k]) / 2e-6;
            }
            memcpy(row, B, sizeof row);
            space->chain(x, 1, 6, row);
            // 1e-12 are left out, and rounding of numbers up to 3 is divided by 2e-6.
            assert_close(row[j], slope, 2e-9, "chain");
        }
    }
}

// Along the motion that starts with (q, v) and has the constant acceleration a, as coordinates see
// it: for velocities that are not rates the body turns by the Magnus series of v + a t, up to h^3.
static trBodyState state_after(const trSpace *space, const trBody *body, const double *q,
                               const double *v, const double *a, double t) {
    double x[NV], rate[NV], there[NQ];
    for (int k = 0; k < space->nv; k++) {
        x[k] = v[k] * t + 0.5 * a[k] * t * t;
        rate[k] = v[k] + a[k] * t;
    }
    if (space == &tr_space_body) {  // W = w + w' t: the rotation vector gains (w x w') t^3 / 12
        trVec3 W = {v[3], v[4], v[5]}, A = {a[3], a[4], a[5]}, c = tr_cross3(W, A);
        x[3] += c.x * t * t * t / 12.0;
        x[4] += c.y * t * t * t / 12.0;
        x[5] += c.z * t * t * t / 12.0;
    }
    moved(space, q, x, there);
    return space->state(body, there, rate);
}

// Errors of the motion itself are of the order t^5: in differences h^4.
static void frames_move_as_their_velocities_and_accelerations_say(void **state) {
    trRandom random = {11};
    for (int n = 0; n < 3; n++) {
        const trSpace *space = spaces[n];
        trBody         body = body_of(&random);
        double         q[NQ], v[NV], a[NV];
        trBodyState    at[4];
        const double   steps[4] = {-2.0 * H, -H, H, 2.0 * H};
        space->start(&body, q);
        random_velocity(space, &random, q, v);
        random_velocity(space, &random, q, a);
        for (int k = 3; space->nv == 7 && k < 7; k++) {  // u.u'' = -u'.u'
            a[k] -= q[k] * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
        }
        for (int i = 0; i < 4; i++) {
            at[i] = state_after(space, &body, q, v, a, steps[i]);
        }
        trBodyState    now = space->state(&body, q, v);
        trAcceleration acceleration = space->acceleration(&body, q, v, a);
#define SLOPE(part) ((at[0].part - 8.0 * at[1].part + 8.0 * at[2].part - at[3].part) / (12.0 * H))
        assert_close(now.vx, SLOPE(x), NEAR, "vx");
        assert_close(now.vy, SLOPE(y), NEAR, "vy");
        assert_close(now.vz, SLOPE(z), NEAR, "vz");
        trQuat e = {now.quaternion[0], now.quaternion[1], now.quaternion[2], now.quaternion[3]};
        trQuat e_dot = {SLOPE(quaternion[0]), SLOPE(quaternion[1]), SLOPE(quaternion[2]),
                        SLOPE(quaternion[3])};
        trQuat w = tr_quat_mul(e_dot, tr_quat_conjugate(e));  // omega / 2
        assert_close(now.wx, 2.0 * w.x, NEAR, "wx");
        assert_close(now.wy, 2.0 * w.y, NEAR, "wy");
        assert_close(now.wz, 2.0 * w.z, NEAR, "wz");
        assert_close(acceleration.origin.x, SLOPE(vx), NEAR, "ax");
        assert_close(acceleration.origin.y, SLOPE(vy), NEAR, "ay");
        assert_close(acceleration.origin.z, SLOPE(vz), NEAR, "az");
        assert_close(acceleration.angular.x, SLOPE(wx), NEAR, "alphax");
        assert_close(acceleration.angular.y, SLOPE(wy), NEAR, "alphay");
        assert_close(acceleration.angular.z, SLOPE(wz), NEAR, "alphaz");
#undef SLOPE
    }
}

// The state that a user gives is the one that comes back.
static void a_start_gives_the_frame_back(void **state) {
    trRandom random = {13};
    for (int n = 1; n < 3; n++) {
        trBody body = body_of(&random);
        double q[NQ], v[NV];
        spaces[n]->start(&body, q);
        spaces[n]->start_velocity(&body, q, v);
        trBodyState     s = spaces[n]->state(&body, q, v);
        const trPlace3 *place = &body.spatial.place;
        assert_close(s.x, place->at.x, ROUNDING, "x");
        assert_close(s.z, place->at.z, ROUNDING, "z");
        assert_close(s.quaternion[0], place->orientation.w, ROUNDING, "e0");
        assert_close(s.quaternion[2], place->orientation.y, ROUNDING, "e2");
        assert_close(s.vy, body.spatial.velocity.y, ROUNDING, "vy");
        assert_close(s.wx, body.spatial.angular_velocity.x, ROUNDING, "wx");
        // T = (m v.v + omega.(R J R' omega)) / 2 with v of the center of mass
        trVec3 arm = tr_quat_rotate(place->orientation, place->com);
        trVec3 w = body.spatial.angular_velocity;
        trVec3 center = tr_add3(body.spatial.velocity, tr_cross3(w, arm));
        trVec3 W = tr_quat_unrotate(tr_quat_mul(place->orientation, place->principal), w);
        double T = 0.5 * (1.7 * tr_dot3(center, center) + 0.2 * W.x * W.x + 0.3 * W.y * W.y +
                          0.4 * W.z * W.z);
        assert_close(spaces[n]->kinetic(&body, q, v), T, ROUNDING, "kinetic energy");
    }
}

// The rows of a pair of bodies in the coordinates of quaternions, where no quaternion has length
// one: along q + v t + a t^2 / 2, A a - b is the rate of A v - b1.
static void rows_stay_exact_where_quaternions_have_another_length(void **state) {
    trRandom random = {17};
    Machine  machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_WORD("coordinates", "quaternion")),
                        &machine.model),
        TR_OK);
    int one = machine_body(&machine, "one",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.2, 0.3, 0.4)));
    int two = machine_body(&machine, "two",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.2, 0.3, 0.4),
                                     TR_VEC("at", 0.3, 0.5, 0.1)));
    machine_joint(&machine, "revolute", "J", one, two, TR_PARAMS(TR_VEC("axis", 1.0, 2.0, 3.0)));
    machine_build(&machine);
    const trSystem *s = machine.system;
    trArena        *arena = tr_arena_create();
    trEval          e;
    double          q[14], v[14], a[14], rate[14], r[5][7], left[7];
    assert_int_equal(tr_eval_plan(arena, s, 1e-4, &e), TR_OK);
    for (int k = 0; k < 14; k++) {
        q[k] = s->q0[k] + 0.3 * number(&random);
        v[k] = number(&random);
        a[k] = number(&random);
    }
    for (int i = 0; i < 5; i++) {
        double t = (i - 2) * H, there[14];
        for (int k = 0; k < 14; k++) {
            there[k] = q[k] + v[k] * t + 0.5 * a[k] * t * t;
            rate[k] = v[k] + a[k] * t;
        }
        assert_int_equal(tr_system_eval(s, 0.0, there, rate, &e), TR_OK);
        tr_rows_mul(&e.equations.A, rate, r[i]);
    }
    assert_int_equal(tr_system_eval(s, 0.0, q, v, &e), TR_OK);
    tr_rows_mul(&e.equations.A, a, left);
    for (int i = 0; i < s->m; i++) {
        double slope = (r[0][i] - 8.0 * r[1][i] + 8.0 * r[3][i] - r[4][i]) / (12.0 * H);
        assert_close(left[i] - e.b[i], slope, 1e-9, "A a - b");
    }
    tr_arena_destroy(arena);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_is_how_coordinates_move),
        cmocka_unit_test(difference_and_compose_undo_and_join_movements),
        cmocka_unit_test(chain_is_the_derivative_of_compose),
        cmocka_unit_test(frames_move_as_their_velocities_and_accelerations_say),
        cmocka_unit_test(a_start_gives_the_frame_back),
        cmocka_unit_test(rows_stay_exact_where_quaternions_have_another_length),
    };
    return cmocka_run_group_tests_name("spaces", tests, NULL, NULL);
}
