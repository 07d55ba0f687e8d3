// SPDX-License-Identifier: MIT
// What every kind of joint and of force owes, planar and in space, with the parameters of its
// example: rows that belong to the motion, and all parts of the tangent.

#include "support/random.h"
#include "support/tangent_check.h"
#include "system/examples.h"

#define EXACT 1e-9   // of differences; see tangent_check.c
#define ALMOST 1e-7  // where the tangent is made by differences itself

// --- rows: d(phi)/dt = A v - b1 and d(A v - b1)/dt = A a - b along a motion ---

#define ROOM 32      // of anything
#define STEP 1e-4    // of differences: they leave out STEP^2 / 6 of the third derivative
#define CLOSE 1e-5   // of the terms
#define INSTANT 0.3  // [s]

typedef struct Rows {
    double phi[ROOM], psi[ROOM];  // psi: A v - b1
} Rows;

// At t = INSTANT + h on a motion through q with v and accelerations a.
static Rows rows_at(const trSystem *s, trEval *eval, double h, const double *q, const double *v,
                    const double *a) {
    double at[ROOM], dq[ROOM], speed[ROOM];
    Rows   rows;
    memcpy(at, q, (size_t)s->nq * sizeof *at);
    for (int i = 0; i < s->nv; i++) {
        dq[i] = h * v[i] + 0.5 * h * h * a[i];
        speed[i] = v[i] + h * a[i];
    }
    tr_system_retract(s, dq, at);
    assert_int_equal(tr_system_eval(s, INSTANT + h, at, speed, eval), TR_OK);
    tr_rows_mul(&eval->equations.A, speed, rows.psi);
    for (int i = 0; i < s->m; i++) {
        rows.phi[i] = eval->equations.phi[i];
        rows.psi[i] -= eval->equations.b1[i];
    }
    return rows;
}

static void check_rows(const trSystem *s, const char *name, trRandom *random) {
    trArena *arena = tr_arena_create();
    trEval   eval;
    double   q[ROOM], v[ROOM], a[ROOM], reached[ROOM];
    assert_true(s->nq <= ROOM && s->m <= ROOM);
    assert_int_equal(tr_eval_plan(arena, s, 1e-4, &eval), TR_OK);
    memcpy(q, s->q0, (size_t)s->nq * sizeof *q);
    for (int i = 0; i < s->nv; i++) {
        a[i] = 0.2 * random_real(random);
        v[i] = random_real(random);
    }
    tr_system_retract(s, a, q);  // away from the start
    for (int i = 0; i < s->nv; i++) {
        a[i] = 3.0 * random_real(random);
    }
    const Rows before = rows_at(s, &eval, -STEP, q, v, a), after = rows_at(s, &eval, STEP, q, v, a);
    const Rows now = rows_at(s, &eval, 0.0, q, v, a);
    tr_rows_mul(&eval.equations.A, a, reached);
    for (int i = 0; i < s->m; i++) {
        double b = eval.equations.b[i], rate = (after.phi[i] - before.phi[i]) / (2.0 * STEP);
        double second = (after.psi[i] - before.psi[i]) / (2.0 * STEP);
        double terms = 1.0 + fabs(now.psi[i]) + fabs(reached[i]) + fabs(b);
        if (eval.equations.holonomic[i] && !(fabs(now.psi[i] - rate) <= CLOSE * terms)) {
            fail_msg("%s, row %d: A v - b1 is %.10g, phi' %.10g", name, i, now.psi[i], rate);
        }
        if (!(fabs(reached[i] - b - second) <= CLOSE * terms)) {
            fail_msg("%s, row %d: A a - b is %.10g, (A v - b1)' %.10g", name, i, reached[i] - b,
                     second);
        }
    }
    tr_arena_destroy(arena);
}

static void every_joint_has_rows_of_its_motion(void **state) {
    trRandom random = {11};
    for (int i = 0; i < tr_joint_count(); i++) {
        Machine machine = example_joint(tr_joint_at(i), "body");
        for (int k = 0; k < 5; k++) {
            check_rows(machine.system, tr_joint_at(i)->name, &random);
        }
        machine_free(&machine);
    }
}

// --- tangents ---

static void every_joint(const char *coordinates) {
    for (int i = 0; i < tr_joint_count(); i++) {
        const trJointKind *kind = tr_joint_at(i);
        Machine            machine = example_joint(kind, coordinates);
        tangent_check(machine.system, kind->name, EXACT);
        machine_free(&machine);
    }
}

// Applied forces and moments while the bodies move.
static void load_of(const trSystem *s, double Q[ROOM]) {
    trArena *arena = tr_arena_create();
    trEval   eval;
    double   v[ROOM];
    for (int i = 0; i < s->nv; i++) {
        v[i] = 0.1 * (i + 1);
    }
    assert_int_equal(tr_eval_plan(arena, s, 1e-4, &eval), TR_OK);
    assert_int_equal(tr_system_eval(s, INSTANT, s->q0, v, &eval), TR_OK);
    memcpy(Q, eval.equations.Q, (size_t)s->nv * sizeof *Q);
    tr_arena_destroy(arena);
}

// Whether the force of a machine changes what there is without it.
static bool acts(const Machine *machine, const trForceKind *kind, const char *coordinates) {
    double  with[ROOM], without[ROOM];
    Machine bare = example_machine(kind->dim == 2 ? NULL : coordinates, "force", NULL, NULL, NULL);
    load_of(machine->system, with);
    load_of(bare.system, without);
    bool same = memcmp(with, without, (size_t)bare.system->nv * sizeof *with) == 0;
    machine_free(&bare);
    return !same;
}

static void every_force(const char *coordinates) {
    for (int i = 0; i < tr_force_count(); i++) {
        const trForceKind *kind = tr_force_at(i);
        Machine            machine = example_force(kind, coordinates);
        tangent_check(machine.system, kind->name, EXACT);
        if (!acts(&machine, kind, coordinates)) {
            fail_msg("%s does not act in this test", kind->name);
        }
        machine_free(&machine);
    }
}

static void every_joint_has_all_parts(void **state) {
    every_joint("body");
}

static void every_force_has_all_parts(void **state) {
    every_force("body");
}

static void every_joint_has_them_in_rates_of_quaternions(void **state) {
    every_joint("quaternion");
}

static void every_force_has_them_in_rates_of_quaternions(void **state) {
    every_force("quaternion");
}

// A user's kind may have no tangents: here every kind loses its own.
static void joints_without_tangents_are_differentiated(void **state) {
    for (int i = 0; i < tr_joint_count(); i++) {
        trJointKind kind = *tr_joint_at(i);
        Machine     machine = example_joint(&kind, i % 2 == 0 ? "body" : "quaternion");
        kind.tangent = NULL;
        kind.tangent3 = NULL;
        kind.rate_tangent = NULL;
        kind.rate_tangent3 = NULL;
        ((trJoint *)machine.system->joint)[0].kind = &kind;
        tangent_check(machine.system, kind.name, ALMOST);
        machine_free(&machine);
    }
}

static void forces_without_tangents_are_differentiated(void **state) {
    for (int i = 0; i < tr_force_count(); i++) {
        trForceKind kind = *tr_force_at(i);
        Machine     machine = example_force(&kind, i % 2 == 0 ? "body" : "quaternion");
        kind.tangent = NULL;
        kind.tangent3 = NULL;
        ((trForce *)machine.system->force)[0].kind = &kind;
        tangent_check(machine.system, kind.name, ALMOST);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_has_rows_of_its_motion),
        cmocka_unit_test(every_joint_has_all_parts),
        cmocka_unit_test(every_force_has_all_parts),
        cmocka_unit_test(every_joint_has_them_in_rates_of_quaternions),
        cmocka_unit_test(every_force_has_them_in_rates_of_quaternions),
        cmocka_unit_test(joints_without_tangents_are_differentiated),
        cmocka_unit_test(forces_without_tangents_are_differentiated),
    };
    return cmocka_run_group_tests_name("examples", tests, enter_folder, leave_folder);
}
