// SPDX-License-Identifier: MIT
// Recorded rows of every integrator, in every form, belong together: accelerations and reactions of
// one row satisfy Newton's and Euler's equations of every body. And a step to a goal that is close
// moves all of the state by its rates.

#include "assembly_case.h"

#include "integrator/integrator.h"

#define STEP 1e-3
#define SHORT 4e-7  // [s]: too short a step for implicit methods

// Two bars whose frames are at their centers of mass: columns tell accelerations of these.
static const char bars[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 2, inertia = 0.3, at = { 0.5, 0 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1.3, 0.4 }, angle = 0.9273 }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0 } }\n"
    "return m\n";

// A pendulum in coordinates of its own with a filter of its x.
static const char filtered[] =
    "local s = system { coordinates = { 'x', 'y' } }\n"
    "s:mass(function(q, t, p) return { 1, 1 } end)\n"
    "s:state { 'f', start = 0.1, rate = function(q, v, t, p, z) return 5 * (q.x - z.f) end }\n"
    "s:force(function(q, v, t, p, z) return { x = -z.f, y = -9.81 } end)\n"
    "s:constraint { name = 'rod', phi = function(q, t, p) return sqrt(q.x^2 + q.y^2) - 1 end }\n"
    "s:start { x = 1 }\n"
    "return s\n";

typedef void (*Check)(const Case *c, const trSimDef *def, const char *what);

// Every integrator in every form that a fixed or a first step can be given to.
static void for_each_integrator(const char *text, Check check) {
    Case c = case_of_text(text);
    for (int i = 0; i < tr_integrator_count(); i++) {
        const trIntegratorKind *kind = tr_integrator_at(i);
        const char *const       none[] = {NULL, NULL};
        const char *const      *form =
            kind->implicit != NULL && kind->implicit->forms != NULL ? kind->implicit->forms : none;
        do {
            char     what[128];
            trSimDef def = c.def;
            snprintf(what, sizeof what, "%s %s", kind->name, *form != NULL ? *form : "");
            def.integrator = kind->name;
            def.form = *form;
            def.step = STEP;
            check(&c, &def, what);
        } while (*form != NULL && *++form != NULL);
    }
    case_free(&c);
}

static double cell(const trRecorder *r, long row, const char *name) {
    int column = tr_recorder_find(r, name);
    assert_true(column >= 0);
    return tr_recorder_table(r)[row * tr_recorder_columns(r) + column];
}

// m a = F - G + m g and J alpha = r x F - s x G, with F on the body in its first pin, G on the next
// one in its second.
static double unbalanced(const trRecorder *r, long row, const char *body, const char *first,
                         const char *second, double mass, double inertia) {
    char        name[64];
    double      value[8], end[2];
    const char *columns[] = {"x", "y", "angle", "ax", "ay", "alpha"};
    const char *loads[] = {"Fx", "Fy"};
    double      F[2], G[2] = {0.0, 0.0};
    for (int k = 0; k < 6; k++) {
        snprintf(name, sizeof name, "%s.%s", body, columns[k]);
        value[k] = cell(r, row, name);
    }
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%s.%s", first, loads[k]);
        F[k] = cell(r, row, name);
        if (second != NULL) {
            snprintf(name, sizeof name, "%s.%s", second, loads[k]);
            G[k] = cell(r, row, name);
        }
    }
    end[0] = 0.5 * cos(value[2]);  // both pins are half a meter from the center
    end[1] = 0.5 * sin(value[2]);
    double x = mass * value[3] - F[0] + G[0];
    double y = mass * value[4] - F[1] + G[1] + mass * 9.81;
    double turn =
        inertia * value[5] + (end[0] * F[1] - end[1] * F[0]) + (end[0] * G[1] - end[1] * G[0]);
    return fmax(fabs(x), fmax(fabs(y), fabs(turn)));
}

// Rows are at ends of steps where these are fixed. Loads are below 100; Newton's method leaves
// about 1e-8 of them, and one step changes them by 1e-2.
static void check_rows(const Case *c, const trSimDef *def, const char *what) {
    trSim      *sim = NULL;
    trRecorder *recorder = NULL;
    trSimDef    own = *def;
    own.duration = 0.05;
    own.sample = 5.0 * STEP;
    require(tr_sim_create(c->system, &own, &sim));
    require(tr_recorder_create(&recorder));
    require(tr_recorder_add(recorder, "memory", NULL));
    require(tr_sim_run(sim, recorder, NULL));
    assert_int_equal(tr_recorder_rows(recorder), 11);
    for (long i = 0; i < 11; i++) {
        double most = fmax(unbalanced(recorder, i, "a", "A", "B", 2.0, 0.3),
                           unbalanced(recorder, i, "b", "B", NULL, 1.0, 0.1));
        if (!(most <= 1e-5)) {
            fail_msg("%s: row %ld has a load of %.3g without acceleration", what, i, most);
        }
    }
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
}

static void rows_balance(void **state) {
    for_each_integrator(bars, check_rows);
}

// Accelerations of index 3 are off by the order of the step: a part in a hundred is wide.
static void check_short(const Case *c, const trSimDef *def, const char *what) {
    trSim   *sim = NULL;
    double   before[6], rate[6], a[2];
    trStatus status = tr_sim_create(c->system, def, &sim);
    if (status != TR_OK && strstr(tr_last_error(), "does not support extra states") != NULL) {
        return;
    }
    require(status);
    require(tr_sim_run_to(sim, 0.05));
    assert_int_equal(sim->nx, 6);  // x, y, their rates, f, work
    memcpy(before, sim->x, sizeof before);
    memcpy(rate, sim->x + 2, 2 * sizeof *rate);
    require(tr_sim_accelerate(sim, tr_sim_time(sim), sim->x, a));
    memcpy(rate + 2, a, sizeof a);
    rate[4] = 5.0 * (before[0] - before[4]);
    require(tr_sim_run_to(sim, 0.05 + SHORT));
    for (int i = 0; i < 5; i++) {
        double moved = sim->x[i] - before[i];
        if (!(fabs(moved - SHORT * rate[i]) <= 0.01 * SHORT * (1.0 + fabs(rate[i])))) {
            fail_msg("%s: number %d moves by %.17g, should be %.17g", what, i, moved,
                     SHORT * rate[i]);
        }
    }
    tr_sim_destroy(sim);
}

static void short_steps_move_everything_by_its_rate(void **state) {
    for_each_integrator(filtered, check_short);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_balance),
        cmocka_unit_test(short_steps_move_everything_by_its_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
