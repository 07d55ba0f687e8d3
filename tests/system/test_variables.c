// SPDX-License-Identifier: MIT
// The joint variables of every kind, planar and in space, with the parameters of its example: they
// are those of the motion, do not depend on where the model stands, and count turns.

#include "support/random.h"
#include "system/examples.h"
#include "trammel/checkpoint.h"

#define ROOM 32     // of anything
#define STEP 1e-4   // of differences: they leave out STEP^2 / 6 of the third derivative
#define CLOSE 1e-5  // of the terms
#define ROUNDED 1e-11
#define INSTANT 0.3  // [s]

// Calls `check` for every variable of every kind.
typedef void (*Check)(const Machine *machine, const trJointKind *kind, int variable);

static void every_variable(Check check, const char *coordinates) {
    for (int i = 0; i < tr_joint_count(); i++) {
        const trJointKind *kind = tr_joint_at(i);
        for (int k = 0; k < tr_joint_variables(kind); k++) {
            Machine machine = example_joint(kind, coordinates);
            check(&machine, kind, k);
            machine_free(&machine);
        }
    }
}

static trEval *handle(const Machine *machine) {
    trEval *e = NULL;
    assert_int_equal(tr_eval_create(machine->system, &e), TR_OK);
    return e;
}

// A random state near the start: of moderate turns, so that no angle jumps.
static void state_near_start(const trSystem *s, trRandom *random, double *q, double *v) {
    double dq[ROOM];
    tr_system_start(s, q, v);
    for (int i = 0; i < s->nv; i++) {
        dq[i] = 0.2 * random_real(random);
        v[i] = random_real(random);
    }
    tr_system_move(s, dq, q);
    tr_system_normalize(s, q);
}

// --- what is declared ---

static void names_and_units_are_in_order(void **state) {
    for (int i = 0; i < tr_joint_count(); i++) {
        const trJointKind *kind = tr_joint_at(i);
        const int          count = tr_joint_variables(kind);
        assert_true((count > 0) == (kind->dim == 2 ? kind->vary != NULL : kind->vary3 != NULL));
        for (int k = 0; k < count; k++) {
            const trVariableKind *v = &kind->variable[k];
            const bool            angle = strcmp(v->unit, "rad") == 0;
            assert_true(angle || strcmp(v->unit, "m") == 0);
            assert_true(v->period == 0.0 || (angle && kind->dim == 3));
            assert_true(!v->held || (k == 0 && strcmp(v->unit, kind->row_units[0]) == 0));
            for (int other = 0; other < k; other++) {
                assert_string_not_equal(kind->variable[other].name, v->name);
            }
        }
    }
}

static void a_system_lists_them(void **state) {
    Machine        machine = example_joint(tr_joint_find("cylindrical", 3), "body");
    trVariableInfo angle = tr_system_joint_variable(machine.system, 0, 1);
    assert_int_equal(tr_system_joint(machine.system, 0).variables, 2);
    assert_string_equal(tr_system_joint_variable(machine.system, 0, 0).name, "travel");
    assert_string_equal(angle.name, "angle");
    assert_string_equal(angle.unit, "rad");
    assert_false(angle.held);
    assert_null(tr_system_joint_variable(machine.system, 0, 2).name);
    assert_null(tr_system_joint_variable(machine.system, 0, -1).name);
    assert_null(tr_system_joint_variable(machine.system, 1, 0).name);
    machine_free(&machine);
}

// --- value, rate and gradient ---

static trRandom random_state = {17};

static double rate_at(trEval *e, double t, int k, const double *q, const double *v) {
    assert_int_equal(tr_eval_at(e, t, q, v, NULL), TR_OK);
    return tr_eval_joint_variable(e, 0, k, NULL).rate;
}

// rate = gradient' v, linear in v: both derivatives are exact.
static void check_gradient(const Machine *machine, const trJointKind *kind, int k) {
    const trSystem *s = machine->system;
    trEval         *e = handle(machine);
    double          q[ROOM], v[ROOM], gradient[ROOM], sum = 0.0;
    state_near_start(s, &random_state, q, v);
    const double rate = rate_at(e, INSTANT, k, q, v);
    tr_eval_joint_gradient(e, 0, k, gradient);
    for (int i = 0; i < s->nv; i++) {
        sum += gradient[i] * v[i];
        v[i] += 1.0;
        if (fabs(rate_at(e, INSTANT, k, q, v) - rate - gradient[i]) > ROUNDED) {
            fail_msg("%s, dim %d, %s: gradient %d is %g", kind->name, kind->dim,
                     kind->variable[k].name, i, gradient[i]);
        }
        v[i] -= 1.0;
    }
    if (fabs(sum - rate) > ROUNDED) {
        fail_msg("%s, dim %d, %s: gradient' v = %g, rate %g", kind->name, kind->dim,
                 kind->variable[k].name, sum, rate);
    }
    tr_eval_destroy(e);
}

static void gradients_are_derivatives_of_rates(void **state) {
    every_variable(check_gradient, "body");
    every_variable(check_gradient, "quaternion");
}

// At q (+) (h v + h^2 a / 2), with v + h a.
static trJointVariable variable_at(const trSystem *s, trEval *e, int k, double h, const double *q,
                                   const double *v, const double *a) {
    double at[ROOM], dq[ROOM], speed[ROOM];
    memcpy(at, q, (size_t)s->nq * sizeof *at);
    for (int i = 0; i < s->nv; i++) {
        dq[i] = h * v[i] + 0.5 * h * h * a[i];
        speed[i] = v[i] + h * a[i];
    }
    tr_system_move(s, dq, at);
    assert_int_equal(tr_eval_at(e, INSTANT + h, at, speed, NULL), TR_OK);
    return tr_eval_joint_variable(e, 0, k, NULL);
}

// The rate is that of the value, and J a - b, of the row, that of the rate.
static void check_rates(const Machine *machine, const trJointKind *kind, int k) {
    const trSystem *s = machine->system;
    trEval         *e = handle(machine);
    double          q[ROOM], v[ROOM], a[ROOM], gradient[ROOM], second = 0.0;
    trJointAlone    row;
    state_near_start(s, &random_state, q, v);
    for (int i = 0; i < s->nv; i++) {
        a[i] = 3.0 * random_real(&random_state);
    }
    const trJointVariable less = variable_at(s, e, k, -STEP, q, v, a);
    const trJointVariable more = variable_at(s, e, k, STEP, q, v, a);
    const trJointVariable now = variable_at(s, e, k, 0.0, q, v, a);
    tr_eval_joint_gradient(e, 0, k, gradient);
    tr_variable_row(e, 0, k, &row);
    for (int i = 0; i < s->nv; i++) {
        second += gradient[i] * a[i];
    }
    const double rate = (more.value - less.value) / (2.0 * STEP);
    const double change = (more.rate - less.rate) / (2.0 * STEP);
    const double terms = 1.0 + fabs(now.rate) + fabs(second) + fabs(row.b[0]);
    if (!(fabs(rate - now.rate) <= CLOSE * terms) ||
        !(fabs(change - (second - row.b[0])) <= CLOSE * terms) || row.b1[0] != 0.0) {
        fail_msg("%s, dim %d, %s: rate %.9g, should be %.9g; its rate %.9g, should be %.9g",
                 kind->name, kind->dim, kind->variable[k].name, now.rate, rate, second - row.b[0],
                 change);
    }
    tr_eval_destroy(e);
}

static void rates_are_those_of_values_along_a_motion(void **state) {
    for (int i = 0; i < 5; i++) {
        every_variable(check_rates, "body");
    }
}

// The whole model turned by u about the origin and shifted.
static void move_model(const trSystem *s, trVec3 turn, trVec3 shift, double *q, double *v) {
    const trQuat u = tr_quat_exp(s->space->dim == 2 ? (trVec3){0.0, 0.0, turn.z} : turn);
    for (int i = 0; i < s->bodies; i++) {
        double      *r = q + s->space->nq * i, *w = v + s->space->nv * i;
        const bool   flat = s->space->dim == 2;
        const trVec3 at =
            tr_add3(shift, tr_quat_rotate(u, (trVec3){r[0], r[1], flat ? 0.0 : r[2]}));
        const trVec3 speed = tr_quat_rotate(u, (trVec3){w[0], w[1], flat ? 0.0 : w[2]});
        r[0] = at.x, r[1] = at.y, w[0] = speed.x, w[1] = speed.y;
        if (flat) {
            r[2] += turn.z;
        } else {
            const trQuat e = tr_quat_mul(u, (trQuat){r[3], r[4], r[5], r[6]});
            r[2] = at.z, w[2] = speed.z;
            r[3] = e.w, r[4] = e.x, r[5] = e.y, r[6] = e.z;
        }
    }
}

static void check_turned(const Machine *machine, const trJointKind *kind, int k) {
    const trSystem *s = machine->system;
    trEval         *e = handle(machine);
    double          q[ROOM], v[ROOM];
    state_near_start(s, &random_state, q, v);
    assert_int_equal(tr_eval_at(e, INSTANT, q, v, NULL), TR_OK);
    const trJointVariable before = tr_eval_joint_variable(e, 0, k, NULL);
    move_model(s, (trVec3){0.7, -1.1, 0.9}, (trVec3){2.0, -3.0, 1.5}, q, v);
    assert_int_equal(tr_eval_at(e, INSTANT, q, v, NULL), TR_OK);
    const trJointVariable after = tr_eval_joint_variable(e, 0, k, NULL);
    if (fabs(after.value - before.value) > ROUNDED || fabs(after.rate - before.rate) > ROUNDED) {
        fail_msg("%s, dim %d, %s: %.15g, %.15g of the model turned, not %.15g, %.15g", kind->name,
                 kind->dim, kind->variable[k].name, after.value, after.rate, before.value,
                 before.rate);
    }
    tr_eval_destroy(e);
}

static void variables_do_not_depend_on_where_the_model_stands(void **state) {
    every_variable(check_turned, "body");
}

// --- what they mean: a motion of body 2 from the start along one of them changes this one alone
// ---

typedef struct Meaning {
    const char *kind;
    int         dim, variable;
    trVec3      turn;   // direction of the axis about which body 2 turns, or zero
    trVec3      point;  // of the axis, in the world [m]
    trVec3      shift;  // direction of its travel, or zero
    double      start;  // the value there; NAN: see below
} Meaning;

#define ANGLE 0.3  // of body 2 in the plane, at the start

static const Meaning meanings[] = {
    {"distance", 2, 0, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, NAN},
    {"driven_angle", 2, 0, {0, 0, 1}, {0.3, 0.2, 0}, {0, 0, 0}, ANGLE},
    {"driven_coordinate", 2, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.3, 0}, NAN},
    {"driven_distance", 2, 0, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, NAN},
    {"point_on_line", 2, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.4, 0}, 0.0},
    {"point_on_line", 2, 1, {0, 0, 1}, {NAN, NAN, 0}, {0, 0, 0}, ANGLE},
    {"prismatic", 2, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.4, 0}, 0.0},
    {"revolute", 2, 0, {0, 0, 1}, {0.4, 0.1, 0}, {0, 0, 0}, ANGLE},
    {"cylindrical", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.2, 0.3}, 0.0},
    {"cylindrical", 3, 1, {1, 0.2, 0.3}, {0.4, 0.1, 0.2}, {0, 0, 0}, 0.0},
    {"distance", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, NAN},
    {"driven_angle", 3, 0, {1, 0.2, 0.3}, {0.1, 0.5, 0.6}, {0, 0, 0}, 0.0},
    {"driven_coordinate", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.3, 0.2}, NAN},
    {"driven_distance", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, NAN},
    {"planar", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, 0.0},
    {"planar", 3, 1, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, 0.0},
    {"planar", 3, 2, {1, 0.2, 0.3}, {0.4, 0.1, 0.2}, {0, 0, 0}, 0.0},
    {"point_on_line", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.4, 0.3}, 0.0},
    {"point_on_plane", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, 0.0},
    {"point_on_plane", 3, 1, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, 0.0},
    {"prismatic", 3, 0, {0, 0, 0}, {0, 0, 0}, {1, 0.2, 0.3}, 0.0},
    {"revolute", 3, 0, {1, 0.2, 0.3}, {0.4, 0.1, 0.2}, {0, 0, 0}, 0.0},
    {"screw", 3, 0, {1, 0.2, 0.3}, {0.4, 0.1, 0.2}, {0, 0, 0}, 0.0},
    {"universal", 3, 0, {1, 0.2, 0}, {0.4, 0.1, 0.2}, {0, 0, 0}, 0.0},
    {"universal", 3, 1, {-0.2, 1, 0}, {0.4, 0.1, 0.2}, {0, 0, 0}, 0.0},
};

#define MEANINGS ((int)(sizeof meanings / sizeof *meanings))

static const Meaning *meaning_of(const trJointKind *kind, int k) {
    for (int i = 0; i < MEANINGS; i++) {
        const Meaning *m = &meanings[i];
        if (strcmp(m->kind, kind->name) == 0 && m->dim == kind->dim && m->variable == k) {
            return m;
        }
    }
    fail_msg("%s, dim %d: add the meaning of variable '%s' to this test", kind->name, kind->dim,
             kind->variable[k].name);
    return NULL;
}

// x and y in a plane are those of the world, turned by the shortest rotation from z to its normal.
static trVec3 direction_of(const trJointKind *kind, const Meaning *m) {
    const bool   plane = strcmp(kind->name, "planar") == 0, point = strstr(kind->name, "plane");
    const trVec3 normal = plane ? (trVec3){1.0, 0.2, 0.3} : (trVec3){1.0, 0.4, 0.3};
    if (!plane && !point) {
        return m->shift;
    }
    const trVec3 n = tr_scale3(1.0 / tr_length3(normal), normal);
    return tr_quat_rotate(tr_quat_between((trVec3){0.0, 0.0, 1.0}, n), m->shift);
}

// Body 2 turned about the axis, and shifted, by x.
static void move_body(const trSystem *s, const Meaning *m, trVec3 along, double x, double *q) {
    double      *r = q + s->space->nq;
    const bool   flat = s->space->dim == 2;
    trVec3       at = {r[0], r[1], flat ? 0.0 : r[2]}, point = m->point;
    const double turn = tr_length3(m->turn), shift = tr_length3(along);
    if (turn > 0.0) {
        const trQuat u = tr_quat_exp(tr_scale3(x / turn, m->turn));
        if (isnan(point.x)) {  // the pin of point_on_line, in axes of body 2
            const trVec2 arm = tr_rotate2(cos(r[2]), sin(r[2]), (trVec2){0.2, 0.1});
            point = (trVec3){at.x + arm.x, at.y + arm.y, 0.0};
        }
        at = tr_add3(point, tr_quat_rotate(u, tr_sub3(at, point)));
        if (flat) {
            r[2] += x;
        } else {
            const trQuat e = tr_quat_mul(u, (trQuat){r[3], r[4], r[5], r[6]});
            r[3] = e.w, r[4] = e.x, r[5] = e.y, r[6] = e.z;
        }
    } else {
        at = tr_add_scaled3(at, x / shift, along);
    }
    r[0] = at.x, r[1] = at.y;
    if (!flat) {
        r[2] = at.z;
    }
}

static void check_meaning(const Machine *machine, const trJointKind *kind, int k) {
    const trSystem *s = machine->system;
    const Meaning  *m = meaning_of(kind, k);
    trEval         *e = handle(machine);
    double          q[ROOM], v[ROOM], x = -0.25;
    trJointVariable before[TR_JOINT_VARIABLES];
    trVec3          along = direction_of(kind, m);
    assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);
    for (int i = 0; i < tr_joint_variables(kind); i++) {
        before[i] = tr_eval_joint_variable(e, 0, i, NULL);
    }
    if (strstr(kind->name, "distance") != NULL) {  // along the rod, so that it gets longer by x
        double gradient[ROOM];
        tr_eval_joint_gradient(e, 0, k, gradient);
        along = (trVec3){gradient[s->space->nv], gradient[s->space->nv + 1],
                         kind->dim == 3 ? gradient[s->space->nv + 2] : 0.0};
    }
    assert_true(isnan(m->start) || fabs(before[k].value - m->start) <= ROUNDED);
    tr_system_start(s, q, v);
    move_body(s, m, along, x, q);
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    for (int i = 0; i < tr_joint_variables(kind); i++) {
        const double change = tr_eval_joint_variable(e, 0, i, NULL).value - before[i].value;
        const double wanted = i == k ? x : 0.0;
        if (!(fabs(change - wanted) <= ROUNDED)) {
            fail_msg("%s, dim %d: %s changes by %.15g instead of %g as %s does by %g", kind->name,
                     kind->dim, kind->variable[i].name, change, wanted, kind->variable[k].name, x);
        }
    }
    tr_eval_destroy(e);
}

static void each_variable_is_what_it_is_called(void **state) {
    every_variable(check_meaning, "body");
}

// --- loads along what is held ---

static void check_load(const Machine *machine, const trJointKind *kind, int k) {
    const trSystem *s = machine->system;
    trEval         *e = handle(machine);
    double          gradient[ROOM], force[ROOM], lambda[ROOM];
    for (int i = 0; i < s->m; i++) {
        lambda[i] = i < kind->rows ? 2.0 + i : 0.0;  // none of quaternions
    }
    assert_int_equal(tr_eval_at(e, INSTANT, NULL, NULL, NULL), TR_OK);
    tr_eval_joint_gradient(e, 0, k, gradient);
    tr_eval_mul_At(e, lambda, force);
    const double load = tr_eval_joint_variable(e, 0, k, lambda).load;
    assert_true(tr_system_joint_variable(s, 0, k).held ? load == -2.0 : load == 0.0);
    for (int i = 0; load != 0.0 && i < s->nv; i++) {
        assert_true(fabs(gradient[i] * load + force[i]) <= ROUNDED);
    }
    assert_true(tr_eval_joint_variable(e, 0, k, NULL).load == 0.0);
    tr_eval_destroy(e);
}

static void loads_along_what_is_held_are_those_of_the_joint(void **state) {
    every_variable(check_load, "body");
    every_variable(check_load, "quaternion");
}

// --- counting ---

#define SPEED 40.0    // [rad/s]
#define TORQUE 3.0    // [N m]
#define INERTIA 0.5   // about all axes [kg m^2]
#define DURATION 2.0  // 80 rad and more

// A ball on a hinge or on the cross of a universal joint whose first axis it turns about.
static Machine spinning(const char *kind, const char *coordinates) {
    Machine machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_WORD("coordinates", coordinates)),
                        &machine.model),
        TR_OK);
    const int ball =
        machine_body(&machine, "ball",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", INERTIA, INERTIA, INERTIA),
                               TR_VEC("angular_velocity", SPEED, 0.0, 0.0)));
    if (strcmp(kind, "universal") == 0) {
        machine_joint(&machine, kind, "J", TR_GROUND, ball,
                      TR_PARAMS(TR_VEC("world_axis1", 1, 0, 0), TR_VEC("world_axis2", 0, 1, 0)));
    } else {
        machine_joint(&machine, kind, "J", TR_GROUND, ball, TR_PARAMS(TR_VEC("axis", 1, 0, 0)));
    }
    machine_force(&machine, "torque", "T", TR_GROUND, ball, TR_PARAMS(TR_NUM("mx", TORQUE)));
    machine_build(&machine);
    return machine;
}

static double angle_at(double t) {
    return SPEED * t + 0.5 * TORQUE / INERTIA * t * t;
}

static void near_to(double value, double wanted, const char *what) {
    if (!(fabs(value - wanted) <= 1e-6)) {
        fail_msg("%s: %.12g instead of %.12g", what, value, wanted);
    }
}

static trJointVariable angle_of(trSim *sim) {
    trJointVariable angle;
    assert_int_equal(tr_sim_joint_variable(sim, 0, 0, &angle), TR_OK);
    return angle;
}

static void angles_count_turns_from_step_to_step(void **state) {
    static const char *const kinds[] = {"revolute", "universal", "planar"};
    static const char *const integrators[] = {"dop853", "generalized_alpha", "rk4"};
    for (int i = 0; i < 12; i++) {  // rates of quaternions with the first integrator alone
        const char *kind = kinds[i % 3];
        Machine     machine = spinning(kind, i < 9 ? "body" : "quaternion");
        trSimDef    def = tr_sim_def_default();
        def.integrator = integrators[i / 3 % 3];
        def.step = strcmp(def.integrator, "dop853") == 0 ? 0.0 : 1e-3;
        def.duration = DURATION;
        const int angle = strcmp(kind, "planar") == 0 ? 2 : 0;
        trSim    *sim = machine_sim(&machine, &def);
        if (tr_sim_run(sim, NULL, NULL) != TR_OK) {
            fail_msg("%s with %s: %s", kind, def.integrator, tr_last_error());
        }
        trJointVariable out;
        assert_int_equal(tr_sim_joint_variable(sim, 0, angle, &out), TR_OK);
        near_to(out.value, angle_at(DURATION), def.integrator);
        near_to(out.rate, SPEED + TORQUE / INERTIA * DURATION, def.integrator);
        assert_true(out.load == 0.0);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

static void a_step_may_be_of_many_turns(void **state) {
    Machine machine = spinning("revolute", "body");
    trEval *e = handle(&machine);
    double  q[7], v[6], dq[6] = {0.0};
    tr_system_start(machine.system, q, v);
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    tr_eval_accept(e);
    for (int i = 1; i <= 5; i++) {
        const double t = 0.9 * i;
        dq[3] = angle_at(t) - angle_at(t - 0.9);
        v[3] = SPEED + TORQUE / INERTIA * t;
        tr_system_move(machine.system, dq, q);
        assert_int_equal(tr_eval_at(e, t, q, v, NULL), TR_OK);
        near_to(tr_eval_joint_variable(e, 0, 0, NULL).value, angle_at(t), "a step of six turns");
        tr_eval_accept(e);
    }
    tr_eval_destroy(e);
    machine_free(&machine);
}

static void a_plane_needs_no_counting(void **state) {
    Machine   machine = machine_new();
    const int wheel =
        machine_body(&machine, "wheel",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", INERTIA),
                               TR_NUM("angular_velocity", SPEED), TR_NUM("angle", 0.5)));
    machine_joint(&machine, "revolute", "J", TR_GROUND, wheel, NULL);
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, DURATION), TR_OK);
    near_to(angle_of(sim).value, 0.5 + SPEED * DURATION, "in the plane");
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void counts_are_saved_and_handed_on(void **state) {
    Machine  machine = spinning("revolute", "body");
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def), *other = machine_sim(&machine, &def);
    trEval  *e = NULL;
    assert_int_equal(tr_sim_run_to(sim, DURATION), TR_OK);
    const size_t size = tr_sim_saved_size(sim);
    void        *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tr_sim_save(sim, bytes, size), TR_OK);
    assert_int_equal(tr_sim_restore(other, bytes, size), TR_OK);
    assert_true(angle_of(other).value == angle_of(sim).value);
    assert_int_equal(tr_sim_run_to(other, 2.0 * DURATION), TR_OK);
    near_to(angle_of(other).value, angle_at(2.0 * DURATION), "restored");
    assert_int_equal(tr_sim_new_eval(sim, &e), TR_OK);
    assert_int_equal(tr_eval_at(e, DURATION, tr_sim_q(sim), tr_sim_v(sim), NULL), TR_OK);
    near_to(tr_eval_joint_variable(e, 0, 0, NULL).value, angle_at(DURATION), "another evaluation");
    free(bytes);
    tr_eval_destroy(e);
    tr_sim_destroy(sim);
    tr_sim_destroy(other);
    machine_free(&machine);
}

static void numbers_out_of_range_are_refused(void **state) {
    Machine         machine = spinning("revolute", "body");
    trSimDef        def = tr_sim_def_default();
    trSim          *sim = machine_sim(&machine, &def);
    trEval         *e = handle(&machine);
    trJointVariable out;
    double          gradient[6] = {1.0};
    assert_int_equal(tr_sim_joint_variable(sim, 1, 0, &out), TR_E_ARGUMENT);
    assert_int_equal(tr_sim_joint_variable(sim, 0, -1, &out), TR_E_ARGUMENT);
    assert_int_equal(tr_sim_joint_variable(sim, 0, 1, &out), TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "joint 'J' has no variable 1; it has 1");
    assert_true(tr_eval_joint_variable(NULL, 0, 0, NULL).rate == 0.0);
    assert_true(tr_eval_joint_variable(e, 0, 0, NULL).rate == 0.0);  // not evaluated yet
    assert_int_equal(tr_eval_at(e, 0.0, NULL, NULL, NULL), TR_OK);
    near_to(tr_eval_joint_variable(e, 0, 0, NULL).rate, SPEED, "at the start");
    assert_true(tr_eval_joint_variable(e, 0, 1, NULL).rate == 0.0);
    tr_eval_joint_gradient(e, 0, 1, gradient);
    assert_true(gradient[0] == 0.0);
    tr_eval_joint_gradient(NULL, 0, 0, gradient);
    tr_eval_destroy(e);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_units_are_in_order),
        cmocka_unit_test(a_system_lists_them),
        cmocka_unit_test(gradients_are_derivatives_of_rates),
        cmocka_unit_test(rates_are_those_of_values_along_a_motion),
        cmocka_unit_test(variables_do_not_depend_on_where_the_model_stands),
        cmocka_unit_test(each_variable_is_what_it_is_called),
        cmocka_unit_test(loads_along_what_is_held_are_those_of_the_joint),
        cmocka_unit_test(angles_count_turns_from_step_to_step),
        cmocka_unit_test(a_step_may_be_of_many_turns),
        cmocka_unit_test(a_plane_needs_no_counting),
        cmocka_unit_test(counts_are_saved_and_handed_on),
        cmocka_unit_test(numbers_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("variables", tests, enter_folder, leave_folder);
}
