// SPDX-License-Identifier: MIT
// Adaptive integrators hold the errors of velocities and of further states, too: with motions of
// which that part alone is large enough to be seen by the tolerances.

#include "assembly_case.h"

#include "integrator/integrator.h"

#define OMEGA 1000.0  // [1/s]
#define END (6.0 * PI / OMEGA)
#define TOLERANCE 1e-6
#define MOST 1e-3  // of the error: 1000 tolerances, for three periods of the oscillation

// x = 5e-7 sin(omega t), which is below the tolerance; x' = 5e-4 cos(omega t) is 500 times as
// large.
static const char fast[] =
    "local s = system { coordinates = { 'x', 'y' } }\n"
    "s:mass(function(q, t, p) return { 1, 1 } end)\n"
    "s:force(function(q, v, t, p) return { x = -1e6 * q.x, y = 0 } end)\n"
    "s:constraint { name = 'line', phi = function(q, t, p) return q.y end }\n"
    "s:start { v = { x = 5e-4 } }\n"
    "return s\n";

// Nothing moves, but u = sin(omega t).
static const char states[] =
    "local s = system { coordinates = { 'x', 'y' } }\n"
    "s:mass(function(q, t, p) return { 1, 1 } end)\n"
    "s:state { 'u', start = 0, rate = function(q, v, t, p, z)\n"
    "    return 1000 * cos(1000 * t) end }\n"
    "s:force(function(q, v, t, p, z) return { x = 0, y = 0 } end)\n"
    "s:constraint { name = 'line', phi = function(q, t, p) return q.y end }\n"
    "return s\n";

// The state after three periods, where the integrator can be used.
static void run(const char *text, const char *integrator, double *x, bool *ran) {
    Case   c = case_of_text(text);
    trSim *sim = NULL;
    c.def.integrator = integrator;
    c.def.rtol = c.def.atol = TOLERANCE;
    trStatus status = tr_sim_create(c.system, &c.def, &sim);
    *ran = status == TR_OK;
    if (status != TR_OK) {
        assert_true(strstr(tr_last_error(), "does not support extra states") != NULL ||
                    strstr(tr_last_error(), "fixed step") != NULL);
    } else {
        require(tr_sim_run_to(sim, END));
        memcpy(x, sim->x, (size_t)sim->nx * sizeof *x);
    }
    tr_sim_destroy(sim);
    case_free(&c);
}

static void every_adaptive_integrator_holds_velocities_and_states(void **state) {
    const double t = END;
    int          seen = 0;
    for (int i = 0; i < tr_integrator_count(); i++) {
        const trIntegratorKind *kind = tr_integrator_at(i);
        double                  x[8];
        bool                    ran = false;
        if (!tr_integrator_adapts(kind, 0.0)) {
            continue;
        }
        run(fast, kind->name, x, &ran);
        double off = fabs(x[2] - 5e-4 * cos(OMEGA * t));
        if (!ran || !(off <= 100.0 * TOLERANCE)) {
            fail_msg("%s: the velocity is off by %.3g", kind->name, off);
        }
        run(states, kind->name, x, &ran);
        off = fabs(x[4] - sin(OMEGA * t));
        if (ran && !(off <= MOST)) {
            fail_msg("%s: a state is off by %.3g", kind->name, off);
        }
        seen += ran ? 1 : 0;
    }
    assert_true(seen >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_adaptive_integrator_holds_velocities_and_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
