// SPDX-License-Identifier: MIT
// Every method keeps its word. What it says it can take (redundant rows, a singular mass matrix,
// nonholonomic rows, forces that are not ideal, singular poses) it takes, and arrives with the same
// motion and the same constraint forces as the default method does at a tight tolerance. What it
// does not claim it refuses before the run, naming the joint, body or constraint and a remedy. A
// claim that no model here tries is a failure, too.
//
// How close, relative to one plus the largest number of its kind: adaptive steps have a tolerance
// of 1e-10, and some tens of them add up to a hundred times that at most. That holds for methods
// that drift as well: what drifts is the error of integration; and for those that stabilize, whose
// terms vanish on the exact motion. Forces depend on positions and velocities with factors of ten
// or so in the units of these models. Where less is promised, grade_of says so. Methods that are
// integrators have fixed steps: with half the step they must be closer by their order.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/traits.h"
#include "integrator/integrator.h"
#include "scenario/papers.h"
#include "sim/sim.h"
#include "support/options.h"
#include "support/test.h"

#define NUMBERS 256  // positions, velocities and further states, at most
#define TOLERANCE 1e-10
#define VARIANTS 64  // at most
#define TEXT_ROOM 512
#define STEPS 100.0  // of methods that are integrators; then twice as many
// Of these: what rounding and the softness of park_chiou, 1e-10, leave; and what the error of a
// method of second order is at most with 200 steps in a fraction of a swing, 1 / 200^2 and some; of
// alpha methods twice that: the trapezoidal rule has h^2 / 12 where the midpoint rule has h^2 / 24.
#define FLOOR 1e-9
#define COARSE 1e-4
#define COARSE_ALPHA 2e-4
#define CASES (int)(sizeof cases / sizeof *cases)

// --- what is tried ---

// What no trait speaks of: constraints that are not linear in velocities, further states,
// quaternions as coordinates.
typedef enum Extra { NOTHING, NONLINEAR, STATES, QUATERNIONS } Extra;

typedef struct Case {
    const char *title;     // in the matrix
    const char *file;      // in models/benchmark
    unsigned    need;      // traits that a method must have
    double      duration;  // [s]
    Extra       extra;
} Case;

static const Case cases[] = {
    {"rod", "pendulum_rod.lua", 0, 0.5, NOTHING},
    {"triple", "../papers/triple_crank.lua", TR_COPES_REDUNDANT, 0.5, NOTHING},
    {"parallel", "redundant_parallelogram.lua", TR_COPES_REDUNDANT, 0.5, NOTHING},
    {"bricard", "bricard.lua", TR_COPES_REDUNDANT, 0.3, NOTHING},
    {"massless", "four_bar_massless_coupler.lua", TR_COPES_SINGULAR_MASS, 0.3, NOTHING},
    {"fivebar", "../papers/fivebar.lua", TR_COPES_SINGULAR_MASS, 0.3, QUATERNIONS},
    {"knife", "knife_edge.lua", TR_COPES_NONHOLONOMIC, 1.0, NOTHING},
    {"disk", "rolling_disk.lua", TR_COPES_NONHOLONOMIC, 0.5, NOTHING},
    {"appell", "appell_hamel.lua", TR_COPES_NONHOLONOMIC, 0.4, NONLINEAR},
    {"friction", "sphere_friction.lua", TR_COPES_NONIDEAL, 0.5, NOTHING},
    {"sled", "../guide/sled.lua", TR_COPES_NONHOLONOMIC, 0.5, STATES},
    {"haug", "slider_crank_haug.lua", 0, 3.0, STATES},
    {"driven", "slider_crank_driven.lua", TR_COPES_SINGULAR_MASS, 0.02, NOTHING},
    {"dp3", "../papers/dp3.lua", 0, 0.5, NOTHING},  // its support moves
    {"spatial", "spatial_slider_crank.lua", 0, 0.2, NOTHING},
};

// A method, perhaps with an option that makes another method of it.
typedef struct Variant {
    const trMethod *method;
    const char     *basis, *inverse;
    unsigned        traits;
    unsigned        shown;  // traits that a run has shown
} Variant;

static Variant variants[VARIANTS];
static int     variant_count;

static const char *name_of(const Variant *v) {
    return v->basis != NULL ? v->basis : v->inverse != NULL ? v->inverse : v->method->name;
}

static void add_variant(const trMethod *m, const char *basis, const char *inverse) {
    bool moving = basis != NULL && strcmp(basis, "liang_lance") == 0;
    assert_true(variant_count < VARIANTS);
    variants[variant_count++] = (Variant){
        m, basis, inverse,
        moving ? tr_choice_traits(m->formulation, m->stabilization, basis, "none", m->integrator)
               : tr_method_traits(m),
        0};
}

static void list_variants(void) {
    variant_count = 0;
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *m = tr_method_at(i);
        if (m->integrator != NULL && tr_integrator_find(m->integrator) == NULL) {
            continue;  // SUNDIALS was not found
        }
        add_variant(m, NULL, NULL);
        if (strcmp(m->name, "maggi") == 0) {
            add_variant(m, "liang_lance", NULL);
            add_variant(m, "extraction", NULL);
        } else if (strcmp(m->name, "udwadia_kalaba") == 0) {
            add_variant(m, NULL, "gram_schmidt");
        }
    }
}

// --- how close ---

typedef struct Grade {
    double motion, force;
} Grade;

// Of penalty, accelerations are off by the stated 1e-5 from the first instant on.
static Grade grade_of(const Variant *v) {
    return strcmp(v->method->name, "penalty") == 0 ? (Grade){1e-5, 1e-5}
                                                   : (Grade){100.0 * TOLERANCE, 1000.0 * TOLERANCE};
}

// --- runs ---

typedef struct End {
    int    count, forces;
    double x[NUMBERS];      // q, v, z
    double force[NUMBERS];  // -A' lambda, nv: what constraints do, however it is shared among rows
} End;

static trSimDef define(const Variant *v, const Case *c, double step) {
    trSimDef def = tr_sim_def_default();
    def.method = v->method->name;
    def.basis = v->basis;
    if (v->inverse != NULL) {
        set_word(&def, "inverse", v->inverse);
    }
    def.integrator = v->method->integrator;
    def.duration = c->duration;
    def.rtol = def.atol = TOLERANCE;
    def.step = v->method->integrator != NULL ? step : 0.0;
    return def;
}

// Multipliers of the present state, asked for as users do.
static trStatus ask_for_forces(const trSystem *system, trSim *sim) {
    trReaction   reaction;
    trMultiplier multiplier;
    return tr_system_joints(system) > 0 ? tr_sim_reaction(sim, 0, &reaction)
                                        : tr_sim_multiplier(sim, 0, &multiplier);
}

static trStatus run_to_end(const trSystem *system, const trSimDef *def, End *out) {
    trSim *sim = NULL;
    TR_TRY(tr_sim_create(system, def, &sim));
    trStatus status = tr_sim_run_to(sim, def->duration);
    status = status == TR_OK ? ask_for_forces(system, sim) : status;
    out->count = system->nq + system->nv + tr_system_states(system);
    out->forces = system->nv;
    assert_true(out->count <= NUMBERS);
    memcpy(out->x, sim->x, (size_t)out->count * sizeof *out->x);
    memset(out->force, 0, sizeof out->force);
    tr_rows_tmul_sub(&sim->eval.equations.A, sim->lambda, out->force);
    tr_sim_destroy(sim);
    return status;
}

static double distance(int n, const double *x, const double *y) {
    double most = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        most = fabs(x[i] - y[i]) <= most ? most : fabs(x[i] - y[i]);
        size = fmax(size, fabs(y[i]));
    }
    return most / (1.0 + size);
}

static End find_reference(const trSystem *system, const Case *c) {
    End      end, start;
    trSimDef def = tr_sim_def_default();
    def.method = "direct_mass";
    def.rtol = def.atol = 1e-12;
    def.duration = 1e-9;
    trStatus status = run_to_end(system, &def, &start);
    def.duration = c->duration;
    if (status != TR_OK || run_to_end(system, &def, &end) != TR_OK) {
        fail_msg("%s: the reference: %s", c->title, tr_last_error());
    }
    assert_true(distance(end.count, end.x, start.x) > 0.01);  // else there is nothing to compare
    return end;
}

// --- refusals ---

static bool is_quoted(const char *text, const char *name) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    return strstr(text, quoted) != NULL;
}

// A joint, constraint, body, coordinate or state; forces that are not ideal have no names.
static bool names_the_thing(const trSystem *system, const char *text) {
    static const char *(*const names[])(const trSystem *, int) = {
        tr_system_joint_name, tr_system_constraint_name, tr_system_body_name,
        tr_system_coordinate_name, tr_system_state_name};
    bool named = strstr(text, "nonideal") != NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (int i = 0; names[k](system, i) != NULL; i++) {
            named |= is_quoted(text, names[k](system, i));
        }
    }
    return named;
}

// Before the run, by name, with a remedy. A failure of the run would be TR_E_SIMULATION.
static bool refusal_helps(const trSystem *system, trStatus status) {
    const char *text = tr_last_error();
    bool remedy = strstr(text, "use direct_mass") != NULL || strstr(text, "use dop853") != NULL;
    return (status == TR_E_MODEL || status == TR_E_UNSUPPORTED) && remedy &&
           strstr(text, "support") != NULL && names_the_thing(system, text);
}

// --- the matrix ---

typedef struct Cell {
    bool   good, refused;
    double motion, force;  // distances from the reference
    char   text[TEXT_ROOM];
} Cell;

// One of those that solve for a step by a tangent: here the alpha methods.
static bool is_implicit(const trIntegratorKind *kind) {
    return kind->implicit != NULL && kind->implicit->needs_tangent;
}

// Methods that carry other numbers than velocities need rows that are linear in these; so do those
// that are integrators without tangents, which integrate positions and velocities alone.
static bool is_claimed(const Variant *v, const Case *c) {
    bool carries = strcmp(v->method->stage_projection, "phase_space") == 0 ||
                   (v->basis != NULL && strcmp(v->basis, "liang_lance") == 0);
    const trIntegratorKind *kind =
        v->method->integrator != NULL ? tr_integrator_find(v->method->integrator) : NULL;
    bool own = kind != NULL && !is_implicit(kind);
    bool extra = c->extra == NONLINEAR ? !carries && !own : c->extra == STATES ? !own : true;
    return extra && (v->traits & c->need) == c->need;
}

// With half the step the error falls by the order, less a half for terms that follow.
static trStatus run_own_steps(const trSystem *system, const Variant *v, const Case *c,
                              const End *reference, Cell *cell) {
    const trIntegratorKind *kind = tr_integrator_find(v->method->integrator);
    const double            share = pow(0.5, kind->order - 0.5);
    const double            coarse = is_implicit(kind) ? COARSE_ALPHA : COARSE;
    double                  motion[2] = {0.0}, force[2] = {0.0};
    for (int i = 0; i < 2; i++) {
        static End end;
        trSimDef   def = define(v, c, ldexp(c->duration, -i) / STEPS);
        TR_TRY(run_to_end(system, &def, &end));
        motion[i] = distance(end.count, end.x, reference->x);
        force[i] = distance(end.forces, end.force, reference->force);
    }
    cell->motion = motion[1];
    cell->force = force[1];
    cell->good = motion[1] <= fmax(share * motion[0], FLOOR) && motion[1] <= coarse &&
                 force[1] <= fmax(share * force[0], 10.0 * FLOOR) && force[1] <= 10.0 * coarse;
    return TR_OK;
}

static trStatus run_cell(const trSystem *system, const Variant *v, const Case *c,
                         const End *reference, Cell *cell) {
    static End  end;
    const Grade grade = grade_of(v);
    if (v->method->integrator != NULL) {
        return run_own_steps(system, v, c, reference, cell);
    }
    trSimDef def = define(v, c, 0.0);
    TR_TRY(run_to_end(system, &def, &end));
    cell->motion = distance(end.count, end.x, reference->x);
    cell->force = distance(end.forces, end.force, reference->force);
    cell->good = cell->motion <= grade.motion && cell->force <= grade.force;
    return TR_OK;
}

static Cell try_cell(const trSystem *system, Variant *v, const Case *c, const End *reference) {
    Cell     cell = {0};
    bool     claimed = is_claimed(v, c);
    trStatus status = run_cell(system, v, c, reference, &cell);
    if (status != TR_OK) {
        cell.refused = true;
        cell.good = !claimed && refusal_helps(system, status);
        snprintf(cell.text, sizeof cell.text, "%s", tr_last_error());
    } else if (!claimed) {
        cell.good = false;
        snprintf(cell.text, sizeof cell.text, "it is not claimed, and not refused");
    } else {
        v->shown |= cell.good ? c->need : 0;
        snprintf(cell.text, sizeof cell.text, "it arrives %.1e away, with forces %.1e away",
                 cell.motion, cell.force);
    }
    return cell;
}

static void try_case(const Case *c, Cell *column) {
    Run      run;
    trSimDef def;
    if (run_load(c->file, NULL, &def, &run) != TR_OK) {
        fail_msg("%s: %s", c->file, tr_last_error());
    }
    static End reference;
    reference = find_reference(run.system, c);
    for (int i = 0; i < variant_count; i++) {
        column[i] = try_cell(run.system, &variants[i], c, &reference);
    }
    run_free(&run);
}

static Cell matrix[CASES][VARIANTS];

// The larger of both distances, in powers of ten; "-" refused.
static void print_matrix(void) {
    print_message("%-32s", "distance from direct_mass");
    for (int k = 0; k < CASES; k++) {
        print_message("%9s", cases[k].title);
    }
    for (int i = 0; i < variant_count; i++) {
        print_message("\n%-32s", name_of(&variants[i]));
        for (int k = 0; k < CASES; k++) {
            const Cell *cell = &matrix[k][i];
            if (cell->refused) {
                print_message("%8s%s", "-", cell->good ? " " : "!");
            } else {
                print_message("%8.0e%s", fmax(cell->motion, cell->force), cell->good ? " " : "!");
            }
        }
    }
    print_message("\n");
}

static void methods_arrive_or_refuse_before_the_run(void **state) {
    int bad = 0;
    for (int k = 0; k < CASES; k++) {
        try_case(&cases[k], matrix[k]);
    }
    print_matrix();
    for (int i = 0; i < variant_count; i++) {
        for (int k = 0; k < CASES; k++) {
            if (!matrix[k][i].good) {
                print_message("%s, %s: %s\n", name_of(&variants[i]), cases[k].title,
                              matrix[k][i].text);
                bad++;
            }
        }
    }
    assert_int_equal(bad, 0);
}

// The parallel four-bar turns freely, q1 = pi / 2 + 2 pi t, and a step ends in its flat position.
// Those that claim singular poses pass it; others may say that they do not.
static void singular_poses_are_passed_where_that_is_claimed(void **state) {
    Run      run;
    trSimDef def;
    int      bad = 0;
    assert_int_equal(paper_load("parallel_fourbar_cartesian.lua", NULL, &def, &run), TR_OK);
    for (int i = 0; i < variant_count; i++) {
        static End end;
        Variant   *v = &variants[i];
        const Case c = {"flat", "", TR_COPES_SINGULAR_POSE, 0.6, NOTHING};
        bool       claimed = is_claimed(v, &c);
        def = define(v, &c, 0.01);
        def.integrator = v->method->integrator == NULL ? "rk4" : NULL;
        def.step = 0.01;
        trStatus status = run_to_end(run.system, &def, &end);
        double   off = end.x[2] - acos(-1.0) * (0.5 + 2.0 * c.duration);
        // Implicit ones are of second order: (2 pi h)^2 / 12 of the angle, 1.2e-3, and some.
        double most = v->method->integrator == NULL ? 1e-3 : 2e-3;
        bool   good = status == TR_OK ? fabs(off) <= most : !claimed && status == TR_E_SIMULATION;
        v->shown |= status == TR_OK && good ? c.need : 0;
        if (!good) {
            print_message("%s: q1 off by %.1e rad, %s\n", name_of(v), off,
                          status == TR_OK ? "without a word" : tr_last_error());
            bad++;
        }
    }
    run_free(&run);
    assert_int_equal(bad, 0);
}

static void every_claim_was_put_to_the_test(void **state) {
    int bad = 0;
    for (int i = 0; i < variant_count; i++) {
        unsigned never = variants[i].traits & TR_COPES_ALL & ~variants[i].shown;
        if (never != 0) {
            print_message("%s: never shown are the traits %#x\n", name_of(&variants[i]), never);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_arrive_or_refuse_before_the_run),
        cmocka_unit_test(singular_poses_are_passed_where_that_is_claimed),
        cmocka_unit_test(every_claim_was_put_to_the_test),
    };
    list_variants();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
