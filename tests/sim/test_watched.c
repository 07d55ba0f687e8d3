// SPDX-License-Identifier: MIT
// What a simulation watches at accepted states, against an evaluation of its own at every one of
// them: violations on three levels with their joints, sums of squares, energy, sizes of steps.

#include "assembly_case.h"
#include "support/options.h"

#define STEPS 25

// Rows in m, in rad and in a unit of its own, one of them nonholonomic, one driven.
static const char text[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local function body(name, x, angle)\n"
    "    return m:body { name = name, mass = 1 + x, inertia = 0.2, at = { x, 0 }, angle = angle,\n"
    "                    com = { 0.3, 0.1 }, angular_velocity = 0.5 * x }\n"
    "end\n"
    "local a, b, c = body('a', 0, 0.3), body('b', 1, -0.4), body('c', 3, 1)\n"
    "m:joint { 'revolute', name = 'pin', m.ground, a }\n"
    "m:joint { 'driven_angle', name = 'motor', m.ground, a,\n"
    "          angle = function(t) return 0.3 + sin(3 * t) end }\n"
    "m:joint { 'fixed', name = 'weld', a, b, point = { 1, 0 } }\n"
    "m:joint { 'knife_edge', name = 'blade', m.ground, c }\n"
    "m:constraint { name = 'own', c, unit = 'V', phi = function(c, t)\n"
    "    return 3 * c.angle - 3 - sin(t) * c.x end }\n"
    "m:force { 'spring', name = 'k', b, c, stiffness = 30, damping = 1, length = 1 }\n"
    "return m\n";

typedef struct Watched {
    trViolation level[3];
    trSquares   squares[3];
    double      energy, start, drift, smallest, largest;
    int         states;
} Watched;

static void note_row(const trSystem *s, int row, double size, trViolation *worst) {
    const char *name = s->joint[s->row_joint[row]].name;
    bool        length = strcmp(s->row_unit[row], "m") == 0;
    bool        angle = strcmp(s->row_unit[row], "rad") == 0;
    double     *most = length ? &worst->length : angle ? &worst->angle : &worst->other;
    if (fabs(size) > *most) {
        *most = fabs(size);
        *(length ? &worst->length_joint : angle ? &worst->angle_joint : &worst->other_joint) = name;
    }
}

// The present state of the simulation, evaluated by `eval`.
static void watch(const trSim *sim, trEval *eval, Watched *w) {
    const trEquations *e = &eval->equations;
    const double      *q = tr_sim_q(sim), *v = tr_sim_v(sim), *a = tr_sim_acceleration(sim);
    double             rate[16], acceleration[16];
    assert_true(sim->m <= 16);
    eval->z = tr_sim_z(sim);
    require(tr_system_eval(sim->system, tr_sim_time(sim), q, v, eval));
    tr_rows_mul(&e->A, v, rate);
    tr_rows_mul(&e->A, a, acceleration);
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        for (int i = 0; i < sim->m; i++) {
            double size = k == 0   ? e->phi[i]
                          : k == 1 ? rate[i] - e->b1[i]
                                   : acceleration[i] - e->b[i];
            note_row(sim->system, i, size, &w->level[k]);
            sum += size * size;
        }
        w->squares[k].worst = fmax(w->squares[k].worst, sum);
        w->squares[k].mean += sum;  // divided in the end
    }
    w->energy = tr_eval_kinetic(eval, q, v) + eval->potential - sim->x[sim->nx - 1];
    w->start = w->states == 0 ? w->energy : w->start;
    w->drift = fmax(w->drift, fabs(w->energy - w->start));
    w->states++;
}

// The same operations in another order, on numbers whose terms are below 1e3.
static void same(const char *method, const char *what, double x, double y) {
    if (!(fabs(x - y) <= 1e-11 * (1.0 + fabs(y)))) {
        fail_msg("%s: %s is %.17g, should be %.17g", method, what, x, y);
    }
}

static void same_name(const char *method, double size, const char *x, const char *y) {
    if (size > 1e-9 && (x == NULL || y == NULL || strcmp(x, y) != 0)) {
        fail_msg("%s: %s is named, not %s", method, x, y);
    }
}

static void compare(const char *method, const trSimStats *s, const Watched *w) {
    const trViolation *level[] = {&s->position, &s->velocity, &s->acceleration};
    const trSquares   *squares[] = {&s->position_squares, &s->velocity_squares,
                                    &s->acceleration_squares};
    for (int k = 0; k < 3; k++) {
        same(method, "length", level[k]->length, w->level[k].length);
        same(method, "angle", level[k]->angle, w->level[k].angle);
        same(method, "other", level[k]->other, w->level[k].other);
        same_name(method, w->level[k].length, level[k]->length_joint, w->level[k].length_joint);
        same_name(method, w->level[k].angle, level[k]->angle_joint, w->level[k].angle_joint);
        same_name(method, w->level[k].other, level[k]->other_joint, w->level[k].other_joint);
        assert_string_equal(level[k]->other_unit, "V");
        same(method, "worst square", squares[k]->worst, w->squares[k].worst);
        same(method, "mean square", squares[k]->mean, w->squares[k].mean / w->states);
    }
    same(method, "energy at the start", s->energy_start, w->start);
    same(method, "energy", s->kinetic + s->potential - s->work, w->energy);
    same(method, "drift of energy", s->energy_drift, w->drift);
    same(method, "drift of energy at the end", s->energy_end_drift, w->energy - w->start);
    same(method, "smallest step", s->smallest_step, w->smallest);
    same(method, "largest step", s->largest_step, w->largest);
    assert_int_equal(s->steps, w->states - 1);
}

// Methods that drift, softly hold and project: violations of every size and level.
static void what_is_watched_is_what_there_is(void **state) {
    static const char *const methods[] = {"lagrange", "baumgarte", "penalty", "direct_mass"};
    for (int k = 0; k < 4; k++) {
        Case     c = case_of_text(text);
        trSim   *sim = NULL;
        trArena *arena = tr_arena_create();
        trEval   eval;
        Watched  w = {.smallest = INFINITY};
        c.def.method = methods[k];
        c.def.rtol = c.def.atol = 1e-3;  // large steps, which drift
        if (k == 1) {
            set_number(&c.def, "alpha", 8.0);
            set_number(&c.def, "beta", 8.0);
        }
        require(tr_sim_create(c.system, &c.def, &sim));
        require(tr_eval_plan(arena, c.system, 1e-4, &eval));
        watch(sim, &eval, &w);
        for (int i = 0; i < STEPS; i++) {
            double before = tr_sim_time(sim);
            require(tr_sim_step(sim));
            w.smallest = fmin(w.smallest, tr_sim_time(sim) - before);
            w.largest = fmax(w.largest, tr_sim_time(sim) - before);
            watch(sim, &eval, &w);
        }
        const trSimStats stats = tr_sim_stats(sim);
        if (k == 1) {  // what is stabilized differs on all levels
            assert_true(w.level[0].other > 1e-9 && w.level[1].length > 1e-9);
            assert_true(w.level[2].length > 1e-9 && w.level[2].angle > 1e-9);
        }
        compare(methods[k], &stats, &w);
        tr_sim_destroy(sim);
        tr_arena_destroy(arena);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_watched_is_what_there_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
