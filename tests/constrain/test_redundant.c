// SPDX-License-Identifier: MIT
// A plate that is fixed to a swinging arm by two pins: 6 rows of rank 5, and one pendulum of known
// acceleration. Which row of the second pin serves depends on how the pins lie to the axes: next to
// an axis one of them is dependent but for 1e-4.

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/test.h"
#include "trammel/constrain.h"

#define BODIES 2
#define N (3 * BODIES)
#define ROWS 6
#define GRAVITY 9.81
#define PI 3.14159265358979323846

typedef struct Scene {
    double pin[3][2];  // where pins are at the angle 0: pivot, first, second
} Scene;

static const double mass_of[BODIES] = {1.0, 2.0}, inertia_of[BODIES] = {0.1, 0.3};
static const double center[BODIES][2] = {{0.5, 0.0}, {1.2, 0.3}};  // at the angle 0

static int mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    memset(M, 0, (size_t)(N * N) * sizeof *M);
    for (int i = 0; i < N; i++) {
        M[i * (N + 1)] = i % 3 == 2 ? inertia_of[i / 3] : mass_of[i / 3];
    }
    return 0;
}

static int mass_solve(void *context, double t, const double *q, const double *x, double *y) {
    (void)context, (void)t, (void)q;
    for (int i = 0; i < N; i++) {
        y[i] = x[i] / (i % 3 == 2 ? inertia_of[i / 3] : mass_of[i / 3]);
    }
    return 0;
}

// Where `body` has the pin, and the arm to it from the center of mass.
static void place(const Scene *s, int pin, int body, const double *q, double *point, double *arm) {
    double c = cos(q[3 * body + 2]), w = sin(q[3 * body + 2]);
    double x = s->pin[pin][0] - center[body][0], y = s->pin[pin][1] - center[body][1];
    arm[0] = c * x - w * y;
    arm[1] = w * x + c * y;
    point[0] = q[3 * body] + arm[0];
    point[1] = q[3 * body + 1] + arm[1];
}

static int pins(void *context, double t, const double *q, double *phi) {
    const Scene *s = context;
    double       one[2], two[2], arm[2];
    (void)t;
    place(s, 0, 0, q, phi, arm);
    for (int k = 1; k < 3; k++) {
        place(s, k, 0, q, one, arm);
        place(s, k, 1, q, two, arm);
        phi[2 * k] = two[0] - one[0];
        phi[2 * k + 1] = two[1] - one[1];
    }
    return 0;
}

static void fill_side(const Scene *s, int pin, int body, double sign, const double *q, double *A) {
    double point[2], arm[2];
    place(s, pin, body, q, point, arm);
    double *x = A + (size_t)(2 * pin * N + 3 * body), *y = x + N;
    x[0] = y[1] = sign;
    x[2] = -sign * arm[1];
    y[2] = sign * arm[0];
}

static int jacobian(void *context, double t, const double *q, double *A) {
    (void)t;
    memset(A, 0, (size_t)(ROWS * N) * sizeof *A);
    for (int k = 0; k < 3; k++) {
        fill_side(context, k, 0, k == 0 ? 1.0 : -1.0, q, A);
        if (k > 0) {
            fill_side(context, k, 1, 1.0, q, A);
        }
    }
    return 0;
}

// b = omega^2 times the arms, with their signs in phi.
static int accelerated(void *context, double t, const double *q, const double *v, double *b) {
    const Scene *s = context;
    (void)t;
    for (int k = 0; k < 3; k++) {
        double point[2], arm[2][2] = {{0.0}};
        place(s, k, 0, q, point, arm[0]);
        if (k > 0) {
            place(s, k, 1, q, point, arm[1]);
        }
        for (int j = 0; j < 2; j++) {
            b[2 * k + j] =
                (k == 0 ? 1.0 : -1.0) * v[2] * v[2] * arm[0][j] + v[5] * v[5] * arm[1][j];
        }
    }
    return 0;
}

// The pendulum at an angle, with an angular velocity, and its accelerations.
static void swing(double angle, double omega, double *q, double *v, double *a) {
    double c = cos(angle), w = sin(angle), moment = 0.0, inertia = 0.0;
    for (int i = 0; i < BODIES; i++) {
        double x = center[i][0], y = center[i][1];
        q[3 * i] = c * x - w * y;
        q[3 * i + 1] = w * x + c * y;
        q[3 * i + 2] = angle;
        moment -= mass_of[i] * GRAVITY * q[3 * i];
        inertia += inertia_of[i] + mass_of[i] * (x * x + y * y);
    }
    double alpha = moment / inertia;
    for (int i = 0; i < BODIES; i++) {
        v[3 * i] = -omega * q[3 * i + 1];
        v[3 * i + 1] = omega * q[3 * i];
        v[3 * i + 2] = omega;
        a[3 * i] = -alpha * q[3 * i + 1] - omega * omega * q[3 * i];
        a[3 * i + 1] = alpha * q[3 * i] - omega * omega * q[3 * i + 1];
        a[3 * i + 2] = alpha;
    }
}

static double apart(const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < N; i++) {
        double here = fabs(x[i] - y[i]);
        most = here <= most ? most : here;
    }
    return most;
}

static trConstrain *make(Scene *scene, int kind) {
    trConstrain   *c = NULL;
    trConstrainDef def = tr_constrain_def_default();
    double         q[N], v[N], a[N];
    def.n = N;
    def.m = ROWS;
    def.context = scene;
    def.mass = kind == 2 ? NULL : mass;
    def.mass_solve = kind == 2 ? mass_solve : NULL;
    def.weight = kind == 1 ? TR_CONSTRAIN_IDENTITY : TR_CONSTRAIN_MASS;
    def.phi = pins;
    def.jacobian = jacobian;
    def.b = accelerated;
    swing(0.4, 2.0, q, v, a);
    if (tr_constrain_create(&def, 0.0, q, v, &c) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return c;
}

// Accelerations of about 10 m/s^2 and a thousand roundings; a row that is dependent but for 2e-4
// loses eight digits.
#define SAME 1e-12

static void accelerations_do_not_depend_on_how_the_pins_lie(void **state) {
    static const double gravity[N] = {0.0, -GRAVITY, 0.0, 0.0, -2.0 * GRAVITY, 0.0};
    Scene               scene = {{{0.0, 0.0}, {0.8, 0.1}, {1.0, 0.2}}};
    for (int kind = 0; kind < 3; kind++) {
        trConstrain *c = make(&scene, kind);
        const double line = atan2(0.1, 0.2);  // of the two pins
        double       most = 0.0, moved = 0.0;
        for (int i = 0; i < 80; i++) {
            double q[N], v[N], a[N], found[N], given[2 * N];
            swing((i / 2) * PI / 2.0 - line + (i % 2 == 0 ? 2e-4 : 0.7 * i), 2.0, q, v, a);
            memcpy(given, q, sizeof q);
            memcpy(given + N, v, sizeof v);
            for (int j = 0; j < N; j++) {  // off the constraints, as an integrator leaves it
                q[j] += 1e-7 * sin(3.0 * j + i);
                v[j] += 1e-7 * cos(5.0 * j + i);
            }
            assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_OK);
            moved = fmax(moved, fmax(apart(q, given), apart(v, given + N)));
            assert_int_equal(tr_constrain_solve(c, 0.0, given, given + N, gravity, found, NULL),
                             TR_OK);
            most = fmax(most, apart(found, a));
            trConstrainViolation left;
            assert_int_equal(tr_constrain_violation(c, 0.0, q, v, NULL, &left), TR_OK);
            assert_true(left.position < 1e-13 && left.velocity < 1e-12);  // angles up to 70 rad
        }
        print_message("kind %d: accelerations off by %.1e, states moved by %.1e\n", kind, most,
                      moved);
        assert_true(most <= SAME);
        assert_true(moved <= 1e-6);
        tr_constrain_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_do_not_depend_on_how_the_pins_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
