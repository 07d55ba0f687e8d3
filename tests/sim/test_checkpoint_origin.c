// SPDX-License-Identifier: MIT
// Where a saved simulation may be restored: in one that was created alike, whenever it was saved,
// also before its first step, and in no other.

#include "assembly_case.h"

#include "integrator/integrator.h"
#include "sim/def.h"

// One number or name each, of which a test changes one.
typedef struct Words {
    const char *model, *mass, *x, *omega, *body, *joint;
} Words;

static const Words original = {"one", "2", "0.5", "0.3", "bar", "pin"};

static Case case_of(const Words *w) {
    char text[700];
    snprintf(text, sizeof text,
             "local m = model { name = '%s' }\n"
             "local a = m:body { name = '%s', mass = %s, inertia = 0.3, at = { %s, 0 },\n"
             "                   velocity = { 0, 0.15 }, angular_velocity = %s }\n"
             "m:joint { 'revolute', name = '%s', m.ground, a, point = { 0, 0 } }\n"
             "return m\n",
             w->model, w->body, w->mass, w->x, w->omega, w->joint);
    return case_of_text(text);
}

typedef struct Saved {
    size_t         size;
    unsigned char *bytes;
} Saved;

static Saved save(trSim *sim) {
    Saved s = {.size = tr_sim_saved_size(sim)};
    s.bytes = malloc(s.size);
    require(tr_sim_save(sim, s.bytes, s.size));
    return s;
}

static void assert_refused(const Case *c, const Saved *s, const char *what) {
    trSim *sim = NULL;
    require(tr_sim_create(c->system, &c->def, &sim));
    if (tr_sim_restore(sim, s->bytes, s->size) != TR_E_ARGUMENT) {
        fail_msg("restored with another %s", what);
    }
    tr_sim_destroy(sim);
}

static void other_models_and_settings_are_refused(void **state) {
    Case   c = case_of(&original);
    trSim *sim = NULL, *twin = NULL;
    require(tr_sim_create(c.system, &c.def, &sim));
    Saved s = save(sim);
    require(tr_sim_create(c.system, &c.def, &twin));
    require(tr_sim_restore(twin, s.bytes, s.size));
    static const char *const names[] = {"model", "mass", "x", "omega", "body", "joint"};
    for (int i = 0; i < 6; i++) {
        Words        w = original;
        const char **word[] = {&w.model, &w.mass, &w.x, &w.omega, &w.body, &w.joint};
        *word[i] = i >= 1 && i <= 3 ? "0.75" : "other";
        Case other = case_of(&w);
        assert_refused(&other, &s, names[i]);
        case_free(&other);
    }
    trSimDef def = c.def;
    struct {
        const char *name;
        double     *number;
    } numbers[] = {{"rtol", &c.def.rtol},         {"atol", &c.def.atol},
                   {"start", &c.def.start},       {"duration", &c.def.duration},
                   {"max_step", &c.def.max_step}, {"rank_tolerance", &c.def.rank_tolerance}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i].number = *numbers[i].number * 1.5 + 1e-3;
        assert_refused(&c, &s, numbers[i].name);
        c.def = def;
    }
    c.def.method = "masarati";
    assert_refused(&c, &s, "method");
    free(s.bytes);
    tr_sim_destroy(twin);
    tr_sim_destroy(sim);
    case_free(&c);
}

// Nothing has been factored yet, no step has a history. Libraries of others cannot be saved then.
static void a_start_can_be_saved_with_every_integrator(void **state) {
    Case c = case_of(&original);
    int  saved = 0;
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSim *sim = NULL, *twin = NULL;
        c.def.integrator = tr_integrator_at(i)->name;
        c.def.step = 1e-3;
        require(tr_sim_create(c.system, &c.def, &sim));
        require(tr_sim_create(c.system, &c.def, &twin));
        if (tr_sim_can_save(sim)) {
            Saved s = save(sim);
            require(tr_sim_run_to(twin, 0.01));  // all of its numbers are others now
            if (tr_sim_restore(twin, s.bytes, s.size) != TR_OK) {
                fail_msg("%s: %s", c.def.integrator, tr_last_error());
            }
            require(tr_sim_run_to(sim, 0.02));
            require(tr_sim_run_to(twin, 0.02));
            assert_memory_equal(sim->x, twin->x, (size_t)sim->nx * sizeof *sim->x);
            free(s.bytes);
            saved++;
        }
        tr_sim_destroy(twin);
        tr_sim_destroy(sim);
    }
    assert_true(saved >= 8);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_models_and_settings_are_refused),
        cmocka_unit_test(a_start_can_be_saved_with_every_integrator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
