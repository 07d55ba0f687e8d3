// SPDX-License-Identifier: MIT
// A simulation that is saved and restored goes on bit for bit: with every method, integrator,
// formulation, stage, projection and basis, on models with everything that is carried from step to
// step. With the argument "long": every method with every integrator on every model.
//
// Each run is made four times: in one go; in one go, saved on the way (which must change nothing);
// in a new simulation from what was saved; and in one that has run to its end, whose numbers are
// all different. Rows, state and counters must have the same bits.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis/basis.h"
#include "integrator/integrator.h"
#include "sim/def.h"
#include "sim/sim.h"
#include "support/options.h"
#include "support/test.h"
#include "trammel/trammel.h"

#define ROWS 12
#define CHOICES 64

static bool is_long;

// --- models ---

typedef struct Model {
    const char *name;
    const char *text;  // NULL: models/benchmark/<name>
    const char *set;   // or NULL
    double      duration;
    bool        parts;  // on which formulations, bases and projections are tried
} Model;

// A force that changes its formula twice, a state of a filter, a drive: breaks and z.
static const char *const switched =
    "local m = model { name = 'switched', gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 0.2, at = { 1.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0 } }\n"
    "m:force { 'torque', name = 'push', m.ground, a, moment = function(t)\n"
    "  return where(less(t, 0.31), 0, where(less(t, 0.62), 4, -3)) end }\n"
    "m:force { 'torsion_spring', name = 'coil', a, b, stiffness = 5, damping = 0.1 }\n"
    "m:simulate { duration = 1 }\n"
    "return m\n";

static const char *const filtered =
    "local s = system { coordinates = { 'x', 'y' }, parameters = { m = 1, L = 1, g = 9.81 } }\n"
    "s:mass(function(q, t, p) return { p.m, p.m } end)\n"
    "s:state { 'f', start = 0.1, rate = function(q, v, t, p, z) return 5 * (q.x - z.f) end }\n"
    "s:force(function(q, v, t, p, z) return { x = -z.f, y = -p.m * p.g } end)\n"
    "s:constraint { name = 'rod', phi = function(q, t, p) return sqrt(q.x^2 + q.y^2) - p.L end }\n"
    "s:start { x = 1 }\n"
    "return s\n";

static const Model models[] = {
    {"redundant_parallelogram.lua", NULL, NULL, 1.0, true},
    {"switched", NULL, NULL, 1.0, false},
    {"filtered", NULL, NULL, 0.8, true},
    {"bricard.lua", NULL, NULL, 0.6, true},
    {"knife_edge.lua", NULL, NULL, 1.0, true},
    {"bead_on_hoop.lua", NULL, NULL, 0.5, false},
    {"n_four_bar.lua", NULL, "N=2", 2.4, false},
    {"four_bar_massless_coupler.lua", NULL, NULL, 0.5, true},
    {"spring_chain.lua", NULL, "N=4", 0.05, false},
    {"heavy_top.lua", NULL, NULL, 0.1, false},
};

#define MODELS ((int)(sizeof models / sizeof *models))

static trSystem *load(const Model *m, trModel **model, trSimDef *def) {
    const char *const set[] = {m->set, NULL};
    const char       *text = strcmp(m->name, "switched") == 0   ? switched
                             : strcmp(m->name, "filtered") == 0 ? filtered
                                                                : NULL;
    char              path[512];
    trSystem         *system = NULL;
    snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, m->name);
    *def = tr_sim_def_default();
    trStatus status = text != NULL ? tr_lua_load_text(m->name, text, strlen(text), set, model, def)
                                   : tr_lua_load(path, set, model, def);
    status = status == TR_OK ? tr_system_build(*model, &system) : status;
    if (status != TR_OK) {
        fail_msg("%s: %s", m->name, tr_last_error());
    }
    trSimDef plain = tr_sim_def_default();
    plain.start = def->start;
    plain.duration = m->duration;
    plain.sample = m->duration / ROWS;
    plain.rtol = plain.atol = 1e-6;
    *def = plain;
    return system;
}

// --- choices ---

typedef struct Choice {
    const char *method, *integrator, *form;
    double      step;  // in parts of the duration; 0: adaptive
    const char *formulation, *stage_projection, *step_projection, *basis, *inverse;
} Choice;

// --- a run, saved on the way ---

typedef struct Saver {
    double         after;  // [s]
    unsigned char *bytes;
    size_t         size;
    bool           saved;
    int64_t        rows;  // at that moment
} Saver;

// The first time after `after`; where a library has to be started for it, the last time before it.
static trStatus save(void *keeper, trSim *sim, bool stopping) {
    Saver *s = keeper;
    bool   late = tr_sim_time(sim) >= s->after;
    (void)stopping;
    if (!tr_sim_can_save(sim)) {
        assert_int_equal(tr_sim_save(sim, s->bytes, s->size), TR_E_UNSUPPORTED);
        return TR_OK;
    }
    bool outside = sim->stepper.kind->owner != NULL ||
                   (sim->stepper.kind->implicit != NULL && sim->stepper.kind->implicit->outside);
    if (outside || (late && !s->saved)) {
        s->saved = true;
        s->rows = tr_sim_rows(sim);
        return tr_sim_save(sim, s->bytes, s->size);
    }
    return TR_OK;
}

typedef struct Ran {
    trSim        *sim;
    trRecorder   *recorder;
    const double *table;
    long          rows;
    int           columns;
    trStatus      status;
} Ran;

static Ran run(trSim *sim, const trRunHooks *hooks) {
    Ran ran = {.sim = sim};
    assert_int_equal(tr_recorder_create(&ran.recorder), TR_OK);
    assert_int_equal(tr_recorder_add(ran.recorder, "memory", NULL), TR_OK);
    ran.status = tr_sim_run(sim, ran.recorder, hooks);
    ran.rows = tr_recorder_rows(ran.recorder);
    ran.table = tr_recorder_table(ran.recorder);
    ran.columns = tr_recorder_columns(ran.recorder);
    return ran;
}

// Counters and worst values as bytes; pointers to names of one system are equal where names are.
static trSimStats stats_of(const trSim *sim) {
    trSimStats stats = tr_sim_stats(sim);
    stats.cpu_seconds = 0.0;
    stats.rank_change = NULL;
    stats.forced_time = NULL;
    return stats;
}

static void check_counters(const trSimStats *a, const trSimStats *b, const char *what) {
    const int64_t one[] = {a->steps,       a->rejected,       a->forced,
                           a->evaluations, a->factorizations, a->newton_iterations,
                           a->jacobians,   a->renewals,       a->solver_iterations};
    const int64_t two[] = {b->steps,       b->rejected,       b->forced,
                           b->evaluations, b->factorizations, b->newton_iterations,
                           b->jacobians,   b->renewals,       b->solver_iterations};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        if (one[i] != two[i]) {
            fail_msg("%s: counter %zu is %lld, not %lld", what, i, (long long)two[i],
                     (long long)one[i]);
        }
    }
}

// Changes of rank with their joints, and when steps were forced.
static void check_lists(const trSim *whole, const trSim *part, const char *what) {
    const trSimStats a = tr_sim_stats(whole), b = tr_sim_stats(part);
    bool same = a.rank_change_kept == b.rank_change_kept && a.forced_kept == b.forced_kept;
    for (int i = 0; same && i < a.rank_change_kept; i++) {
        const trRankChange *one = &a.rank_change[i], *two = &b.rank_change[i];
        same = one->time == two->time && one->from == two->from && one->to == two->to &&
               one->joint == two->joint;
    }
    for (int i = 0; same && i < a.forced_kept; i++) {
        same = a.forced_time[i] == b.forced_time[i];
    }
    if (!same) {
        fail_msg("%s: changes of rank or forced steps differ", what);
    }
}

// `part` has the rows from `first` on.
static void check_same(const Ran *whole, const Ran *part, int64_t first, const char *what) {
    if (whole->status != part->status || whole->rows - first != part->rows) {
        fail_msg("%s: %ld rows, not %ld (%s)", what, part->rows, whole->rows - (long)first,
                 tr_last_error());
    }
    const double *from = whole->table + first * whole->columns;
    for (long i = 0; i < part->rows * part->columns; i++) {
        if (memcmp(&from[i], &part->table[i], sizeof *from) != 0) {
            fail_msg("%s: row %ld, column %ld: %.17g, not %.17g", what,
                     (long)first + i / part->columns, i % part->columns, part->table[i], from[i]);
        }
    }
    const trSimStats a = stats_of(whole->sim), b = stats_of(part->sim);
    check_counters(&a, &b, what);
    if (memcmp(whole->sim->x, part->sim->x, (size_t)whole->sim->nx * sizeof(double)) != 0 ||
        whole->sim->t != part->sim->t || whole->sim->stepper.h != part->sim->stepper.h) {
        fail_msg("%s: the state at the end differs", what);
    }
    if (memcmp(&a.position, &b.position, sizeof a.position) != 0 ||
        memcmp(&a.velocity_squares, &b.velocity_squares, sizeof a.velocity_squares) != 0 ||
        a.energy_drift != b.energy_drift || a.rank_changes != b.rank_changes ||
        a.smallest_step != b.smallest_step || a.largest_step != b.largest_step) {
        fail_msg("%s: what was watched differs", what);
    }
    assert_true(tr_sim_rows_mark(whole->sim) == tr_sim_rows_mark(part->sim));
    assert_int_equal(tr_sim_rows(whole->sim), tr_sim_rows(part->sim));
    check_lists(whole->sim, part->sim, what);
}

static void finish(Ran *ran) {
    tr_recorder_destroy(ran->recorder);
    ran->recorder = NULL;
}

// Whether the choice can be made on this system at all.
static bool check_choice(const trSystem *system, const Model *m, const trSimDef *def,
                         const char *what) {
    trSim *one = NULL, *two = NULL, *three = NULL;
    if (tr_sim_create(system, def, &one) != TR_OK) {
        return false;
    }
    assert_int_equal(tr_sim_create(system, def, &two), TR_OK);
    Ran   whole = run(one, NULL);
    Saver saver = {.after = def->start + 0.47 * m->duration, .size = tr_sim_saved_size(two)};
    saver.bytes = malloc(saver.size);
    const trRunHooks hooks = {.between = save, .keeper = &saver};
    Ran              saved = run(two, &hooks);
    check_same(&whole, &saved, 0, what);
    if (saver.saved) {  // some methods stop before
        assert_int_equal(tr_sim_create(system, def, &three), TR_OK);
        if (tr_sim_restore(three, saver.bytes, saver.size) != TR_OK) {
            fail_msg("%s: %s", what, tr_last_error());
        }
        Ran rest = run(three, NULL);
        check_same(&whole, &rest, saver.rows, what);
        finish(&rest);
        finish(&saved);
        assert_int_equal(tr_sim_restore(two, saver.bytes, saver.size), TR_OK);
        saved = run(two, NULL);
        check_same(&whole, &saved, saver.rows, what);
    }
    finish(&saved);
    finish(&whole);
    free(saver.bytes);
    tr_sim_destroy(three);
    tr_sim_destroy(two);
    tr_sim_destroy(one);
    return saver.saved;
}

static void set_choice(trSimDef *def, const Choice *c) {
    const trIntegratorKind *kind = tr_integrator_find(c->integrator);
    bool                    fixed = kind != NULL && kind->error_order == 0;
    def->method = c->method;
    def->integrator = c->integrator;
    def->form = c->form;
    def->formulation = c->formulation;
    def->stage_projection = c->stage_projection;
    def->step_projection = c->step_projection;
    def->basis = c->basis;
    if (c->inverse != NULL) {
        set_word(def, "inverse", c->inverse);
    }
    def->step = fixed ? def->duration / 100.0 : c->step * def->duration;
}

#define WORDS 256

static void describe(const Choice *c, const char *model, char what[WORDS]) {
    const char *const given[] = {c->method,           c->integrator,      c->form,  c->formulation,
                                 c->stage_projection, c->step_projection, c->basis, c->inverse};
    int               used = snprintf(what, WORDS, "%s:", model);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        used +=
            given[i] == NULL ? 0 : snprintf(what + used, (size_t)(WORDS - used), " %s", given[i]);
    }
}

// Tries all choices on one model and notes which of them ran.
static void check_model(const Model *m, int count, const Choice *choice, bool *ran) {
    trModel  *model = NULL;
    trSimDef  def;
    trSystem *system = load(m, &model, &def);
    for (int i = 0; i < count; i++) {
        char     what[WORDS];
        trSimDef own = def;
        set_choice(&own, &choice[i]);
        describe(&choice[i], m->name, what);
        ran[i] |= check_choice(system, m, &own, what);
    }
    tr_system_destroy(system);
    tr_model_destroy(model);
}

// --- tests ---

static int list_methods(const char *integrator, Choice *choice) {
    int count = 0;
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *m = tr_method_at(i);
        const char     *own = m->integrator != NULL ? m->integrator : integrator;
        bool            given = m->integrator != NULL;  // steps, which some of them need
        if (tr_integrator_find(own) == NULL) {
            continue;  // SUNDIALS was not found
        }
        choice[count++] =
            (Choice){.method = m->name, .integrator = own, .step = given ? 0.005 : 0.0};
    }
    return count;
}

// All forms of all integrators, with steps of their own and, where they take both, given ones.
static int list_integrators(Choice *choice) {
    int count = 0;
    for (int i = 0; i < tr_integrator_count(); i++) {
        const trIntegratorKind *kind = tr_integrator_at(i);
        const char *const       none[] = {NULL, NULL};
        const char *const      *forms =
            kind->implicit != NULL && kind->implicit->forms != NULL ? kind->implicit->forms : none;
        int k = 0;
        do {
            const char *adaptive = kind->implicit != NULL ? kind->implicit->adaptive_form : NULL;
            if (adaptive == NULL || strcmp(adaptive, forms[k]) == 0) {
                choice[count++] = (Choice){.integrator = kind->name, .form = forms[k]};
            }
            if (kind->keeps_given_step) {
                choice[count++] =
                    (Choice){.integrator = kind->name, .form = forms[k], .step = 0.005};
            }
            k++;
        } while (forms[0] != NULL && forms[k] != NULL);
    }
    return count;
}

// Every formulation, alone and between projections of stages and steps.
static int list_formulations(Choice *choice) {
    static const char *const inverses[] = {"svd", "gram_schmidt"};
    int                      count = 0;
    for (int i = 0; i < tr_formulation_count(); i++) {
        const char  *name = tr_formulation_at(i)->name;
        const Choice alone = {.integrator = "dopri5",
                              .formulation = name,
                              .stage_projection = "none",
                              .step_projection = "none"};
        choice[count++] = alone;
        choice[count] = alone;
        choice[count++].step_projection = "direct";
        choice[count] = alone;
        choice[count].stage_projection = "masarati";
        choice[count++].step_projection = "mass_orthogonal";
        for (int k = 0; k < 2 && strcmp(name, "udwadia_kalaba") == 0; k++) {
            choice[count] = alone;
            choice[count++].inverse = inverses[k];
        }
    }
    return count;
}

// Every basis where one is read: in a formulation, in stages, in steps.
static int list_bases(Choice *choice) {
    int count = 0;
    for (int i = 0; i < tr_basis_count(); i++) {
        const Choice alone = {.integrator = "dopri5",
                              .basis = tr_basis_at(i)->name,
                              .formulation = "maggi",
                              .stage_projection = "none",
                              .step_projection = "none"};
        choice[count++] = alone;
        choice[count] = alone;
        choice[count++].step_projection = "basis";
        choice[count] = alone;
        choice[count].formulation = "lagrange";
        choice[count].stage_projection = "basis";
        choice[count++].step_projection = "basis";
        choice[count++] = (Choice){.method = "maggi", .integrator = "dopri5", .basis = alone.basis};
    }
    return count;
}

// Every projection of stages and of steps, on the sparse and on a dense formulation.
static int list_projections(Choice *choice) {
    int count = 0;
    for (int i = 0; i < tr_stage_count() + tr_projection_count(); i++) {
        int          step = i - tr_stage_count();
        const Choice one = {.integrator = "dopri5",
                            .formulation = i % 2 == 0 ? "lagrange" : "lagrange_dense",
                            .stage_projection = step < 0 ? tr_stage_at(i)->name : "none",
                            .step_projection = step < 0 ? "none" : tr_projection_at(step)->name};
        choice[count++] = one;
    }
    return count;
}

// `each`: every choice must have run on some model. `parts`: on models for parts of methods only.
static void check_all(int count, const Choice *choice, bool each, bool parts) {
    bool ran[CHOICES] = {false};
    assert_in_range(count, 1, CHOICES);
    for (int i = 0; i < MODELS; i++) {
        if (!parts || models[i].parts || is_long) {
            check_model(&models[i], count, choice, ran);
        }
    }
    for (int i = 0; each && i < count; i++) {
        if (!ran[i]) {
            char what[WORDS];
            describe(&choice[i], "no model ran", what);
            fail_msg("%s", what);
        }
    }
}

static void every_method_goes_on_bit_for_bit(void **state) {
    Choice choice[CHOICES];
    check_all(list_methods("dopri5", choice), choice, true, false);
}

static void every_formulation_goes_on_bit_for_bit(void **state) {
    Choice choice[CHOICES];
    check_all(list_formulations(choice), choice, true, true);
}

static void every_basis_and_projection_goes_on_bit_for_bit(void **state) {
    Choice choice[CHOICES];
    check_all(list_bases(choice), choice, true, true);
    check_all(list_projections(choice), choice, true, true);
}

static void every_integrator_goes_on_bit_for_bit(void **state) {
    Choice choice[CHOICES];
    check_all(list_integrators(choice), choice, true, false);
}

static void every_pair_of_them_goes_on_bit_for_bit(void **state) {
    for (int i = 0; is_long && i < tr_integrator_count(); i++) {
        const trIntegratorKind *kind = tr_integrator_at(i);
        if (kind->implicit == NULL) {
            Choice choice[CHOICES];
            check_all(list_methods(kind->name, choice), choice, false, false);
        }
    }
}

// --- refusals ---

static void damaged_and_foreign_bytes_are_refused(void **state) {
    trModel  *model = NULL;
    trSimDef  def;
    trSystem *system = load(&models[0], &model, &def);
    trSim    *sim = NULL, *other = NULL;
    assert_int_equal(tr_sim_create(system, &def, &sim), TR_OK);
    size_t         size = tr_sim_saved_size(sim);
    unsigned char *bytes = malloc(size);
    assert_int_equal(tr_sim_save(sim, bytes, size - 1), TR_E_ARGUMENT);
    assert_int_equal(tr_sim_save(sim, bytes, size), TR_OK);
    for (size_t at = 0; at < size; at += 1 + size / 997) {
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[at] ^= (unsigned char)(1 << bit);
            assert_int_equal(tr_sim_restore(sim, bytes, size), TR_E_ARGUMENT);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    for (size_t short_by = 1; short_by <= size; short_by += 1 + size / 97) {
        assert_int_equal(tr_sim_restore(sim, bytes, size - short_by), TR_E_ARGUMENT);
    }
    def.rtol = 1e-7;
    assert_int_equal(tr_sim_create(system, &def, &other), TR_OK);
    assert_int_equal(tr_sim_restore(other, bytes, size), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "with other settings"));
    assert_int_equal(tr_sim_restore(sim, bytes, size), TR_OK);
    free(bytes);
    tr_sim_destroy(other);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static void single_steps_can_be_repeated_from_memory(void **state) {
    trModel  *model = NULL;
    trSimDef  def;
    trSystem *system = load(&models[0], &model, &def);
    trSim    *sim = NULL;
    assert_int_equal(tr_sim_create(system, &def, &sim), TR_OK);
    size_t         size = tr_sim_saved_size(sim);
    unsigned char *bytes = malloc(size);
    double         first[64];
    assert_in_range(sim->nx, 1, 64);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    assert_int_equal(tr_sim_save(sim, bytes, size), TR_OK);
    assert_int_equal(tr_sim_run_to(sim, 2.0), TR_OK);
    memcpy(first, sim->x, (size_t)sim->nx * sizeof *first);
    assert_int_equal(tr_sim_restore(sim, bytes, size), TR_OK);
    assert_int_equal(tr_sim_stats(sim).steps, 5);
    assert_int_equal(tr_sim_run_to(sim, 2.0), TR_OK);
    assert_memory_equal(first, sim->x, (size_t)sim->nx * sizeof *first);
    free(bytes);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

int main(int argc, char **argv) {
    is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_goes_on_bit_for_bit),
        cmocka_unit_test(every_formulation_goes_on_bit_for_bit),
        cmocka_unit_test(every_basis_and_projection_goes_on_bit_for_bit),
        cmocka_unit_test(every_integrator_goes_on_bit_for_bit),
        cmocka_unit_test(every_pair_of_them_goes_on_bit_for_bit),
        cmocka_unit_test(damaged_and_foreign_bytes_are_refused),
        cmocka_unit_test(single_steps_can_be_repeated_from_memory),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
