// SPDX-License-Identifier: MIT
// Acting on simulations from C: functions of time, force functions, inputs, states that are set,
// and states inside steps.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"
#include "trammel/checkpoint.h"
#include "trammel/glue.h"
#include "trammel/lua.h"

#define MOST 40    // velocities of the machines here
#define STEP 1e-6  // of central differences

static void near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", actual, expected, tolerance);
    }
}

static void expect(trStatus status, trStatus expected, const char *text) {
    if (status != expected || strstr(tr_last_error(), text) == NULL) {
        fail_msg("status %d, '%s'", (int)status, tr_last_error());
    }
}

static const char *const integrators[] = {"rk4", "dopri5", "dop853", "generalized_alpha", "radau5"};

#define INTEGRATORS ((int)(sizeof integrators / sizeof *integrators))

static trSimDef definition(const char *integrator) {
    trSimDef def = tr_sim_def_default();
    def.integrator = integrator;
    def.rtol = def.atol = 1e-9;
    def.step =
        strcmp(integrator, "rk4") == 0 || strcmp(integrator, "generalized_alpha") == 0 ? 2e-4 : 0.0;
    return def;
}

// --- functions of time ---

// sin(w t), then, from t = 1 on, straight ahead.
static int sine_until_one(void *context, double t, double out[3]) {
    const double w = *(const double *)context, at = fmin(t, 1.0);
    out[1] = w * cos(w * at);
    out[0] = sin(w * at) + out[1] * (t - at);
    out[2] = t < 1.0 ? -w * w * sin(w * t) : 0.0;
    return t < 2.0 ? 0 : 1;
}

static Machine driven(double *w) {
    const double  one = 1.0;
    Machine       machine = machine_new();
    const trTape *angle = NULL;
    int           crank = machine_body(
                  &machine, "crank",
                  TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.5), TR_NUM("angular_velocity", *w)));
    trTimeFunction f = {
        .name = "angle", .context = w, .value = sine_until_one, .breaks = {1, &one}};
    assert_int_equal(tr_model_add_time_function(machine.model, &f, &angle), TR_OK);
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, crank,
                  TR_PARAMS(TR_TIME("angle", angle)));
    machine_build(&machine);
    return machine;
}

static void a_joint_follows_a_function_in_c(void **state) {
    double   w = 2.0;
    Machine  machine = driven(&w);
    trSimDef def = definition("dop853");
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 0.5), TR_OK);
    near(tr_sim_body(sim, 0).angle, sin(1.0), 1e-9);
    near(tr_sim_body(sim, 0).omega, 2.0 * cos(1.0), 1e-9);
    near(tr_sim_acceleration(sim)[2], -4.0 * sin(1.0), 1e-9);
    assert_int_equal(tr_sim_run_to(sim, 1.5), TR_OK);  // a break is passed
    near(tr_sim_body(sim, 0).angle, sin(2.0) + cos(2.0), 1e-9);
    near(tr_sim_acceleration(sim)[2], 0.0, 1e-9);
    expect(tr_sim_run_to(sim, 2.5), TR_E_SIMULATION, "joint 'motor'");
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// --- forces ---

typedef struct Spring {
    double k, c;    // [N/m], [N s/m]
    double kt, ct;  // of rotations of the first body [N m/rad], [N m s]
    bool   potential;
    int    code;  // after t = 1
} Spring;

// Between the origins of all bodies in their order, and from the first one to the ground.
static int spring_load(void *context, const trForceAt *at, trLoad *load, double *potential) {
    const Spring *s = context;
    trBodyState   ground = {0};
    double        energy = 0.0;
    for (int k = 0; k < at->bodies; k++) {
        const trBodyState *a = k == 0 ? &ground : &at->body[k - 1], *b = &at->body[k];
        const double       fx = -s->k * (b->x - a->x) - s->c * (b->vx - a->vx);
        const double       fy = -s->k * (b->y - a->y) - s->c * (b->vy - a->vy);
        const double       fz = -s->k * (b->z - a->z) - s->c * (b->vz - a->vz);
        load[k].fx += fx;
        load[k].fy += fy;
        load[k].fz += fz;
        if (k > 0) {
            load[k - 1].fx -= fx;
            load[k - 1].fy -= fy;
            load[k - 1].fz -= fz;
        }
        energy += 0.5 * s->k * (pow(b->x - a->x, 2.0) + pow(b->y - a->y, 2.0));
    }
    load[0].mx -= s->ct * at->body[0].wx;
    load[0].my -= s->ct * at->body[0].wy;
    load[0].mz -= s->ct * (at->body[0].wz != 0.0 ? at->body[0].wz : at->body[0].omega);
    if (s->potential) {
        *potential = energy;
    }
    return at->t > 1.0 ? s->code : 0;
}

static int spring_tangent(void *context, const trForceAt *at, double *K, double *D) {
    const Spring *s = context;
    const bool    planar = at->body[0].quaternion[1] == 0.0 && at->body[0].quaternion[2] == 0.0;
    const int     width = planar ? 3 : 6, axes = planar ? 2 : 3, n = width * at->bodies;
    for (int k = 0; k < at->bodies; k++) {
        for (int i = 0; i < axes; i++) {
            const int b = (width * k + i) * n + width * k + i, a = b - width * n;
            K[b] += s->k;
            D[b] += s->c;
            if (k > 0) {
                K[a - width] += s->k;
                D[a - width] += s->c;
                K[a] -= s->k;
                D[a] -= s->c;
                K[b - width] -= s->k;
                D[b - width] -= s->c;
            }
        }
    }
    for (int i = axes; i < width; i++) {
        D[i * n + i] += s->ct;
    }
    return 0;
}

// Masses of 1 kg on the x axis, at x = 1, 2, ...
static Machine masses(int count, const trForceFunction *f) {
    Machine machine = {0};
    int     body[3];
    assert_int_equal(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, 0.0)), &machine.model),
                     TR_OK);
    for (int i = 0; i < count; i++) {
        const char *name[] = {"one", "two", "three"};
        body[i] = machine_body(
            &machine, name[i],
            TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0), TR_VEC("at", 1.0 + i, 0.0)));
    }
    assert_int_equal(tr_model_add_force_function(machine.model, "spring", count, body, f, NULL),
                     TR_OK);
    machine_build(&machine);
    return machine;
}

static void a_mass_on_a_spring_in_c_oscillates(void **state) {
    for (int i = 0; i < 2 * INTEGRATORS; i++) {
        Spring          spring = {.k = 9.0, .potential = i % 2 == 0};
        trForceFunction f = {.context = &spring, .load = spring_load};
        Machine         machine = masses(1, &f);
        trSimDef        def = definition(integrators[i / 2]);
        trSim          *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        near(tr_sim_body(sim, 0).x, cos(3.0), 1e-4);
        near(tr_sim_body(sim, 0).vx, -3.0 * sin(3.0), 1e-4);
        const trSimStats stats = tr_sim_stats(sim);
        near(stats.energy_drift, 0.0, 1e-4);
        near(stats.potential, spring.potential ? 4.5 * pow(cos(3.0), 2.0) : 0.0, 1e-3);
        near(stats.work, spring.potential ? 0.0 : 4.5 * (1.0 - pow(cos(3.0), 2.0)), 1e-3);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// Both ends, and what is between: forces on three bodies sum up to that of the first spring.
static void loads_act_on_each_body(void **state) {
    Spring          spring = {.k = 2.0};
    trForceFunction f = {.context = &spring, .load = spring_load};
    Machine         machine = masses(3, &f);
    trEval         *e = NULL;
    const double    q[9] = {1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 3.5, 0.0, 0.0}, v[9] = {0.0};
    assert_int_equal(tr_eval_create(machine.system, &e), TR_OK);
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    near(tr_eval_force_load(e, 0, 0).fx, -2.0 + 4.0, 1e-14);
    near(tr_eval_force_load(e, 0, 1).fx, -4.0 + 1.0, 1e-14);
    near(tr_eval_force_load(e, 0, 2).fx, -1.0, 1e-14);
    near(tr_eval_Q(e)[3], -3.0, 1e-14);
    near(tr_eval_Q(e)[6], -1.0, 1e-14);
    tr_eval_destroy(e);
    machine_free(&machine);
}

// Two bodies in space, or three in the plane, with centers of mass beside their frames.
static Machine bodies_with_offsets(int dim, const trForceFunction *f) {
    Machine machine = {0};
    int     body[3], count = dim == 3 ? 2 : 3;
    assert_int_equal(
        tr_model_create(dim == 3 ? TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, 0.0))
                                 : TR_PARAMS(TR_VEC("gravity", 0.0, 0.0)),
                        &machine.model),
        TR_OK);
    for (int i = 0; i < count; i++) {
        const char *name[] = {"one", "two", "three"};
        body[i] = machine_body(
            &machine, name[i],
            dim == 3 ? TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 1.5, 2.0),
                                 TR_VEC("at", 1.0 + i, 0.5 * i, 0.2), TR_VEC("com", 0.3, 0.1, -0.2),
                                 TR_VEC("rotation", 0.4, 0.9 * i, -0.3))
                     : TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0), TR_NUM("angle", 0.3),
                                 TR_VEC("at", 1.0 + i, 0.5 * i), TR_VEC("com", 0.3, 0.1)));
    }
    assert_int_equal(tr_model_add_force_function(machine.model, NULL, count, body, f, NULL), TR_OK);
    machine_build(&machine);
    return machine;
}

// -Q at q moved by h along j, or v changed by it.
static void opposite_force(trEval *e, const trSystem *s, int j, bool of_v, double h,
                           const double *q, const double *v, double *out) {
    double moved[MOST], other[MOST], dv[MOST] = {0.0};
    memcpy(moved, q, (size_t)tr_system_nq(s) * sizeof *q);
    memcpy(other, v, (size_t)tr_system_nv(s) * sizeof *v);
    (of_v ? other : dv)[j] += h;
    tr_system_move(s, dv, moved);
    assert_int_equal(tr_eval_at(e, 0.0, moved, other, NULL), TR_OK);
    for (int i = 0; i < tr_system_nv(s); i++) {
        out[i] = -tr_eval_Q(e)[i];
    }
}

static void check_tangent(Machine *machine) {
    const trSystem *s = machine->system;
    const int       nv = tr_system_nv(s);
    trEval         *e = NULL;
    double q[MOST], v[MOST], zero[MOST] = {0.0}, K[MOST * MOST], D[MOST * MOST], more[MOST],
                             less[MOST];
    const trLinearization out = {.K = K, .D = D};
    assert_int_equal(tr_eval_create(s, &e), TR_OK);
    tr_system_start(s, q, v);
    for (int i = 0; i < nv; i++) {
        v[i] = 0.7 * cos(1.0 + i);
    }
    assert_int_equal(tr_eval_at(e, 0.0, q, v, NULL), TR_OK);
    assert_int_equal(tr_eval_linearize(e, zero, zero, &out), TR_OK);
    for (int j = 0; j < 2 * nv; j++) {
        opposite_force(e, s, j % nv, j >= nv, STEP, q, v, more);
        opposite_force(e, s, j % nv, j >= nv, -STEP, q, v, less);
        for (int i = 0; i < nv; i++) {
            near((j < nv ? K : D)[nv * i + j % nv], (more[i] - less[i]) / (2.0 * STEP), 1e-7);
        }
    }
    tr_eval_destroy(e);
}

static void tangents_of_force_functions_are_derivatives(void **state) {
    for (int i = 0; i < 4; i++) {
        Spring          spring = {.k = 5.0, .c = 0.7, .ct = 0.4};
        trForceFunction f = {.context = &spring, .load = spring_load};
        f.tangent = i % 2 == 0 ? spring_tangent : NULL;
        Machine machine = bodies_with_offsets(i < 2 ? 2 : 3, &f);
        check_tangent(&machine);
        machine_free(&machine);
    }
}

static void functions_that_fail_are_named(void **state) {
    Spring          spring = {.k = 1.0, .code = -7};
    trForceFunction f = {.context = &spring, .load = spring_load};
    Machine         machine = masses(1, &f);
    trSimDef        def = definition("rk4");
    trSim          *sim = machine_sim(&machine, &def);
    expect(tr_sim_run_to(sim, 2.0), TR_E_SIMULATION, "force 'spring'");
    expect(tr_sim_run_to(sim, 2.0), TR_E_SIMULATION, "its function ended the run at t = ");
    tr_sim_destroy(sim);
    machine_free(&machine);

    const int one = 0, two[] = {0, 0};
    machine = machine_new();
    machine_body(&machine, "one", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    const trForceFunction nothing = {0};
    expect(tr_model_add_force_function(machine.model, "f", 1, &one, &nothing, NULL), TR_E_ARGUMENT,
           "force 'f': `load` is missing");
    expect(tr_model_add_force_function(machine.model, "f", 2, two, &f, NULL), TR_E_ARGUMENT,
           "force 'f': body 'one' is listed twice");
    expect(tr_model_add_force_function(machine.model, NULL, 0, &one, &f, NULL), TR_E_ARGUMENT,
           "force: it acts on no body");
    machine_free(&machine);
}

// --- inputs ---

static int push(void *context, const trForceAt *at, trLoad *load, double *potential) {
    (void)context;
    (void)potential;
    load[0].fx = at->input[0];
    return 0;
}

static Machine cart(void) {
    const trForceFunction f = {.load = push};
    Machine               machine = {0};
    int                   body = 0, input = 7;
    assert_int_equal(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, 0.0)), &machine.model),
                     TR_OK);
    body = machine_body(&machine, "cart", TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "prismatic", "rail", TR_GROUND, body, NULL);
    assert_int_equal(tr_model_add_input(machine.model, "push", "N", 1.0, &input), TR_OK);
    assert_int_equal(input, 0);
    expect(tr_model_add_input(machine.model, "push", NULL, 0.0, NULL), TR_E_MODEL,
           "input 'push': there is already an input of this name");
    assert_int_equal(tr_model_add_force_function(machine.model, "motor", 1, &body, &f, NULL),
                     TR_OK);
    machine_build(&machine);
    return machine;
}

// x'' = u / 2 with u = 1, then -3 from t = 1 on: at t = 2, x = 1/4 + 1/2 - 3/4 = 0, v = -1.
static void an_input_acts_from_where_it_is_set(void **state) {
    for (int i = 0; i < INTEGRATORS; i++) {
        Machine  machine = cart();
        trSimDef def = definition(integrators[i]);
        trSim   *sim = machine_sim(&machine, &def), *other = machine_sim(&machine, &def);
        int      number = -1;
        assert_int_equal(tr_system_find(machine.system, TR_THING_INPUT, "push", &number), TR_OK);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        near(tr_sim_acceleration(sim)[0], 0.5, 1e-12);
        assert_int_equal(tr_sim_set_input(sim, number, -3.0), TR_OK);
        near(tr_sim_input(sim, number), -3.0, 0.0);
        near(tr_sim_input(other, number), 1.0, 0.0);  // it belongs to the simulation
        near(tr_sim_acceleration(sim)[0], -1.5, 1e-12);
        size_t size = tr_sim_saved_size(sim);
        char  *saved = malloc(size);
        assert_non_null(saved);
        assert_int_equal(tr_sim_save(sim, saved, size), TR_OK);
        assert_int_equal(tr_sim_run_to(sim, 2.0), TR_OK);
        near(tr_sim_body(sim, 0).x, 0.0, 1e-6);
        near(tr_sim_body(sim, 0).vx, -1.0, 1e-6);
        near(tr_sim_stats(sim).energy_drift, 0.0, 1e-6);
        assert_int_equal(tr_sim_restore(other, saved, size), TR_OK);  // inputs are saved
        near(tr_sim_input(other, number), -3.0, 0.0);
        assert_int_equal(tr_sim_run_to(other, 2.0), TR_OK);
        near(tr_sim_body(other, 0).x, tr_sim_body(sim, 0).x, 0.0);
        free(saved);
        tr_sim_destroy(other);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

static void what_cannot_be_set_or_saved_is_refused_by_name(void **state) {
    Machine  machine = cart();
    trSimDef def = definition("dop853");
    trSim   *sim = machine_sim(&machine, &def);
    expect(tr_sim_set_input(sim, 1, 0.0), TR_E_ARGUMENT, "there is no input 1; the model has 1");
    expect(tr_sim_set_input(sim, 0, NAN), TR_E_ARGUMENT, "input 'push': the value is not finite");
    near(tr_sim_input(sim, 3), 0.0, 0.0);
    tr_sim_destroy(sim);
    machine_free(&machine);

    Spring                spring = {.k = 1.0};
    const trForceFunction f = {.context = &spring, .load = spring_load, .remembers = true};
    char                  byte;
    machine = masses(1, &f);
    sim = machine_sim(&machine, &def);
    assert_false(tr_sim_can_save(sim));
    expect(tr_sim_save(sim, &byte, 1), TR_E_UNSUPPORTED,
           "force 'spring': remembers what was before, so that it cannot be saved");
    trModule module;
    expect(tr_module_open_system(machine.system, &module), TR_E_UNSUPPORTED,
           "force 'spring': remembers what was before; a module repeats its steps");
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void model_files_have_inputs_too(void **state) {
    static const char text[] = "local m = model { gravity = { 0, 0 } }\n"
                               "local c = m:body { name = 'cart', mass = 2, inertia = 1 }\n"
                               "local u = m:input { name = 'push', unit = 'N', start = 3 }\n"
                               "m:force { c, force = function(b, t) return { u * b.x, 0 } end }\n"
                               "return m\n";
    char              path[] = "/tmp/trammel_inputXXXXXX";
    int               file = mkstemp(path);
    FILE             *out = fdopen(file, "w");
    trModel          *model = NULL;
    trSystem         *system = NULL;
    trSim            *sim = NULL;
    trSimDef          def = tr_sim_def_default();
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    assert_int_equal(tr_lua_load(path, NULL, &model, &def), TR_OK);
    remove(path);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    assert_int_equal(tr_sim_create(system, &def, &sim), TR_OK);
    const double q[3] = {0.5, 0.0, 0.0}, v[3] = {0.0};
    assert_int_equal(tr_sim_set_state(sim, q, v), TR_OK);
    near(tr_sim_acceleration(sim)[0], 3.0 * 0.5 / 2.0, 1e-14);
    assert_int_equal(tr_sim_set_input(sim, 0, -1.0), TR_OK);
    near(tr_sim_acceleration(sim)[0], -0.5 / 2.0, 1e-14);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

// --- states ---

static void a_state_that_is_set_is_put_on_the_constraints(void **state) {
    for (int i = 0; i < INTEGRATORS; i++) {
        Machine  machine = machine_pendulum(0.3);
        trSimDef def = definition(integrators[i]);
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 0.4), TR_OK);
        const double q[3] = {0.5 + 1e-3, 0.0, 0.0}, v[3] = {0.0, 1.0, 2.0};
        assert_int_equal(tr_sim_set_state(sim, q, v), TR_OK);
        const trBodyState rod = tr_sim_body(sim, 0);
        near(hypot(rod.x, rod.y), 0.0, 1e-12);  // its frame is at the pin
        near(rod.angle, 0.0, 1e-3);
        near(rod.omega, 2.0, 1e-2);
        near(tr_sim_acceleration(sim)[2], -1.5 * GRAVITY * cos(rod.angle), 1e-9);
        // From here on energy is kept: w^2 I / 2 + m g c sin(angle)
        assert_int_equal(tr_sim_run_to(sim, 0.8), TR_OK);
        const trBodyState later = tr_sim_body(sim, 0);
        near(later.omega * later.omega / 3.0 + GRAVITY * sin(later.angle),
             rod.omega * rod.omega / 3.0 + GRAVITY * sin(rod.angle), 1e-5);
        near(tr_sim_stats(sim).energy_drift, 0.0, 1e-5);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

static void a_state_that_cannot_be_set_changes_nothing(void **state) {
    Machine  machine = machine_four_bar(1.0);
    trSimDef def = definition("dop853");
    trSim   *sim = machine_sim(&machine, &def);
    double   q[9], before[9], v[9] = {0.0};
    assert_int_equal(tr_sim_run_to(sim, 0.2), TR_OK);
    memcpy(before, tr_sim_q(sim), sizeof before);
    memcpy(q, before, sizeof q);
    q[0] = q[3] = 1e6;
    q[6] = -1e6;
    assert_int_not_equal(tr_sim_set_state(sim, q, v), TR_OK);
    assert_memory_equal(tr_sim_q(sim), before, sizeof before);
    q[0] = NAN;
    expect(tr_sim_set_state(sim, q, v), TR_E_ARGUMENT, "number 1 of q is not finite");
    assert_int_equal(tr_sim_run_to(sim, 0.4), TR_OK);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The state that a run ends with is found inside the last step of another one.
static void states_inside_a_step_are_those_of_the_motion(void **state) {
    for (int i = 0; i < INTEGRATORS; i++) {
        Machine  machine = machine_pendulum(0.3);
        trSimDef def = definition(integrators[i]), fine = definition("dop853");
        fine.rtol = fine.atol = 1e-12;
        trSim *sim = machine_sim(&machine, &def), *exact = machine_sim(&machine, &fine);
        double q[3], v[3], t0 = 0.0;
        expect(tr_sim_interpolate(sim, 0.0, q, v), TR_E_ARGUMENT, "call tr_sim_follow first");
        assert_int_equal(tr_sim_follow(sim, true), TR_OK);
        expect(tr_sim_interpolate(sim, 0.0, q, v), TR_E_ARGUMENT, "there was no step yet");
        for (int k = 0; k < 5; k++) {
            t0 = tr_sim_time(sim);
            assert_int_equal(tr_sim_step(sim), TR_OK);
        }
        const double t1 = tr_sim_time(sim);
        for (int k = 0; k <= 4; k++) {
            const double t = t0 + (t1 - t0) * (k == 2 ? 0.37 : k / 4.0);
            trSim       *there = k == 4 ? sim : exact;
            if (k < 4) {
                assert_int_equal(tr_sim_run_to(exact, t), TR_OK);
            }
            assert_int_equal(tr_sim_interpolate(sim, t, q, v), TR_OK);
            for (int j = 0; j < 3; j++) {
                near(q[j], tr_sim_q(there)[j], 1e-6);
                near(v[j], tr_sim_v(there)[j], 1e-5);
            }
            near(hypot(q[0], q[1]), 0.5, i < 3 ? 1e-12 : 1e-9);  // implicit ones as they solve
        }
        expect(tr_sim_interpolate(sim, t1 + 1.0, q, v), TR_E_ARGUMENT, "is not in the last step");
        tr_sim_destroy(exact);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// Reading inside of steps does not change them.
static void following_changes_no_result(void **state) {
    for (int i = 0; i < INTEGRATORS; i++) {
        Machine  machine = machine_four_bar(1.0);
        trSimDef def = definition(integrators[i]);
        trSim   *plain = machine_sim(&machine, &def), *followed = machine_sim(&machine, &def);
        double   q[9], v[9];
        assert_int_equal(tr_sim_follow(followed, true), TR_OK);
        for (int k = 0; k < 8; k++) {
            const double t = tr_sim_time(followed);
            assert_int_equal(tr_sim_step(plain), TR_OK);
            assert_int_equal(tr_sim_step(followed), TR_OK);
            assert_int_equal(tr_sim_interpolate(followed, 0.5 * (t + tr_sim_time(followed)), q, v),
                             TR_OK);
        }
        assert_memory_equal(tr_sim_q(plain), tr_sim_q(followed), sizeof q);
        assert_memory_equal(tr_sim_v(plain), tr_sim_v(followed), sizeof v);
        tr_sim_destroy(followed);
        tr_sim_destroy(plain);
        machine_free(&machine);
    }
}

// The worst of all steps is the worst of what each has had since the one before.
static void steps_end_at_a_time_and_tell_their_worst(void **state) {
    Machine  machine = machine_four_bar(1.0);
    trSimDef def = definition("rk4");
    def.method = "lagrange";  // which drifts
    trSim  *sim = machine_sim(&machine, &def);
    trWorst most = {0.0, 0.0};
    assert_int_equal(tr_sim_step_to(sim, 1e-4), TR_OK);
    near(tr_sim_time(sim), 1e-4, 0.0);
    expect(tr_sim_step_to(sim, 1e-4), TR_E_ARGUMENT, "is not after the present time");
    for (int i = 0; i < 200; i++) {
        const trWorst one = tr_sim_take_worst(sim);
        most.position = fmax(most.position, one.position);
        most.velocity = fmax(most.velocity, one.velocity);
        near(tr_sim_take_worst(sim).position, 0.0, 0.0);  // it is taken
        assert_int_equal(tr_sim_step_to(sim, 1.0), TR_OK);
        near(tr_sim_next_step(sim), 2e-4, 0.0);
    }
    const trWorst    last = tr_sim_take_worst(sim);
    const trSimStats stats = tr_sim_stats(sim);
    near(fmax(most.position, last.position), sqrt(stats.position_squares.worst), 1e-18);
    near(fmax(most.velocity, last.velocity), sqrt(stats.velocity_squares.worst), 1e-18);
    assert_true(most.position > 0.0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_follows_a_function_in_c),
        cmocka_unit_test(a_mass_on_a_spring_in_c_oscillates),
        cmocka_unit_test(loads_act_on_each_body),
        cmocka_unit_test(tangents_of_force_functions_are_derivatives),
        cmocka_unit_test(functions_that_fail_are_named),
        cmocka_unit_test(an_input_acts_from_where_it_is_set),
        cmocka_unit_test(what_cannot_be_set_or_saved_is_refused_by_name),
        cmocka_unit_test(model_files_have_inputs_too),
        cmocka_unit_test(a_state_that_is_set_is_put_on_the_constraints),
        cmocka_unit_test(a_state_that_cannot_be_set_changes_nothing),
        cmocka_unit_test(states_inside_a_step_are_those_of_the_motion),
        cmocka_unit_test(following_changes_no_result),
        cmocka_unit_test(steps_end_at_a_time_and_tell_their_worst),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
