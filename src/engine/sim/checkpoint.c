// SPDX-License-Identifier: MIT
// Saving and restoring a simulation (record/saved.h). The numbers are those that the arena keeps
// (base/keep.h): all arrays of numbers, and what plan functions declare. The origin is a mark of
// version, model and definition.

#include "trammel/checkpoint.h"

#include <limits.h>
#include <math.h>

#include "base/clock.h"
#include "base/keep.h"
#include "record/mark.h"
#include "record/saved.h"
#include "sim/sim.h"

#define MAGIC 0x317461747372745full  // "_trstat1" backwards

// --- what is kept ---

static void keep_stats(trSim *s) {
    trSimStats  *t = &s->notes.stats;
    trArena     *arena = s->arena;
    int64_t     *counts[] = {&t->steps,       &t->rejected,          &t->forced,
                             &t->evaluations, &t->factorizations,    &t->newton_iterations,
                             &t->jacobians,   &t->solver_iterations, &t->renewals};
    double      *numbers[] = {&t->kinetic,       &t->potential,    &t->work,
                              &t->energy_start,  &t->energy_drift, &t->energy_end_drift,
                              &t->smallest_step, &t->largest_step, &t->cpu_seconds};
    trViolation *worst[] = {&t->position, &t->velocity, &t->acceleration};
    trSquares   *squares[] = {&t->position_squares, &t->velocity_squares, &t->acceleration_squares};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        tr_keep_count(arena, counts[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tr_keep_double(arena, numbers[i]);
    }
    for (int i = 0; i < TR_VIOLATION_LEVELS; i++) {
        tr_keep_double(arena, &worst[i]->length);
        tr_keep_double(arena, &worst[i]->angle);
        tr_keep_double(arena, &worst[i]->other);
        tr_keep_double(arena, &squares[i]->worst);
        tr_keep_double(arena, &squares[i]->mean);
        tr_keep_ints(arena, s->notes.worst_row[i], TR_QUANTITIES, -1, s->m - 1);
    }
    tr_keep_int(arena, &t->rank_changes, 0, INT_MAX / 2);
    tr_keep_int(arena, &t->rank_change_kept, 0, TR_RANK_CHANGES_KEPT);
    tr_keep_int(arena, &t->forced_kept, 0, TR_FORCED_KEPT);
    tr_keep_ints(arena, s->notes.change_row, TR_RANK_CHANGES_KEPT, -1, s->m - 1);
    for (int i = 0; s->notes.rank_change != NULL && i < TR_RANK_CHANGES_KEPT; i++) {
        tr_keep_double(arena, &s->notes.rank_change[i].time);
        tr_keep_int(arena, &s->notes.rank_change[i].from, -1, s->m);
        tr_keep_int(arena, &s->notes.rank_change[i].to, -1, s->m);
    }
}

static void keep_output(trSim *s) {
    trOutput *o = &s->output;
    double   *numbers[] = {&o->first, &o->sample, &o->last, &o->latest};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tr_keep_double(s->arena, numbers[i]);
    }
    tr_keep_count(s->arena, &o->next);
    tr_keep_count(s->arena, &o->count);
    tr_keep_count(s->arena, &o->rows);
    tr_keep_bits(s->arena, &o->mark, 1);
    tr_keep_bool(s->arena, &o->running);
}

void tr_sim_keep(trSim *s) {
    trArena  *arena = s->arena;
    double   *numbers[] = {&s->t,
                           &s->stepper.h,
                           &s->second.power,
                           &s->second.power_next,
                           &s->pose.best_gap,
                           &s->second.now.t,
                           &s->second.now.work,
                           &s->second.next.t,
                           &s->second.next.work,
                           &s->owned.gamma};
    trKernel *kernels[] = {&s->methods.kernel, &s->methods.judge};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tr_keep_double(arena, numbers[i]);
    }
    for (int i = 0; i < 2; i++) {
        tr_keep_count(arena, &kernels[i]->stamp);
        tr_keep_count(arena, &kernels[i]->factorizations);
    }
    for (int i = 0; i < TR_VIOLATION_LEVELS * TR_QUANTITIES; i++) {
        s->notes.worst_row[i / TR_QUANTITIES][i % TR_QUANTITIES] = -1;
    }
    tr_keep_int(arena, &s->owned.dodges, 0, INT_MAX / 2);
    tr_keep_int(arena, &s->rows.rank, -1, s->m);
    tr_keep_int(arena, &s->pose.lost_row, -1, s->m - 1);
    tr_keep_int(arena, &s->stepper.next_break, 0, s->system->breaks);
    tr_keep_bool(arena, &s->pose.passing);
    tr_keep_bool(arena, &s->second.dae.passing);
    tr_keep_double(arena, &s->pose.distance);
    tr_keep_double(arena, &s->pose.distance_time);
    tr_keep_double(arena, &s->pose.far_step);
    tr_keep_double(arena, &s->turns.speed);
    tr_keep_int(arena, &s->turns.fastest, 0, s->system->turns);
    tr_keep_bool(arena, &s->rows.exchanged);
    tr_keep_bool(arena, &s->at_state);
    tr_keep_bool(arena, &s->second.evaluated);
    tr_keep_count(arena, &s->stepper.restarted_at);
    keep_stats(s);
    keep_output(s);
}

// --- marks ---

static uint64_t mark_text(uint64_t mark, const char *text) {
    return tr_mark_text(tr_mark_add(mark, text != NULL), text != NULL ? text : "");
}

static uint64_t mark_doubles(uint64_t mark, int count, const double *at) {
    return tr_mark_add(tr_mark_add(mark, (uint64_t)count), tr_mark_row((size_t)count, at));
}

// Of the settings as they are in the end.
static uint64_t mark_definition(uint64_t mark, const trSimDef *def) {
    const trFieldList all = tr_settings();
    for (int i = 0; i < all.count; i++) {
        const trParam p = tr_sim_def_value(def, all.at[i]);
        if (p.kind == TR_PARAM_TEXT) {
            mark = mark_text(mark, p.text);
        } else if (p.kind == TR_PARAM_NUMBERS) {
            mark = mark_doubles(mark, p.count, p.numbers);
        } else {
            mark = mark_doubles(mark, 1, &p.number);
        }
    }
    return mark;
}

static uint64_t mark_origin(const trSim *s) {
    const trSystem *system = s->system;
    uint64_t        mark = mark_text(TR_MARK_START, tr_version());
    mark = mark_text(mark, system->name);
    for (int i = 0; i < system->bodies; i++) {
        mark = mark_text(mark, system->body[i].name);
    }
    for (int i = 0; i < s->m; i++) {
        mark = mark_text(mark, system->joint[system->row_joint[i]].name);
    }
    if (system->mass != NULL) {
        mark = mark_doubles(mark, system->nv, system->mass);
    }
    mark = mark_doubles(mark, system->nq, system->q0);
    mark = mark_doubles(mark, system->nv, system->v0);
    return mark_definition(mark, &s->def);
}

uint64_t tr_rows_mark_add(uint64_t mark, int columns, const double *row) {
    return tr_mark_add(mark, tr_mark_row((size_t)columns, row));
}

// --- saving ---

static trSaved saved_of(const trSim *s) {
    return (trSaved){
        .arena = s->arena,
        .magic = MAGIC,
        .origin = mark_origin(s),
        .word = "simulation",
        .other = "it was saved from another model, with other settings or by another version; "
                 "create the simulation as that one was",
    };
}

size_t tr_sim_saved_size(const trSim *s) {
    const trSaved saved = {.arena = s->arena};
    return tr_saved_size(&saved);
}

bool tr_sim_can_save(const trSim *s) {
    const bool here = !tr_integrator_is_outside(s->stepper.kind) ||
                      s->notes.stats.steps == s->stepper.restarted_at;
    return here && s->system->remembering == NULL;
}

trStatus tr_sim_save(trSim *s, void *bytes, size_t size) {
    const trSaved saved = saved_of(s);
    if (s->system->remembering != NULL) {
        tr_fail(TR_E_UNSUPPORTED, "remembers what was before, so that it cannot be saved");
        return tr_blame_force(TR_E_UNSUPPORTED, s->system->remembering);
    }
    TR_TRY(tr_saved_check_size(&saved, size));
    if (!tr_sim_can_save(s)) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "t = %.9g s: integrator '%s' can be saved only where it was started: before "
                       "the first step, or where a function of time has changed its formula",
                       s->t, s->stepper.kind->name);
    }
    if (s->output.running) {
        double now = tr_clock_cpu();
        s->notes.stats.cpu_seconds += now - s->output.cpu_begun;
        s->output.cpu_begun = now;
    }
    tr_saved_write(&saved, bytes);
    return TR_OK;
}

static bool is_possible(const trSim *s) {
    const trOutput *o = &s->output;
    bool            listed = s->def.times.count == 0 || o->count == s->def.times.count;
    return isfinite(s->t) && isfinite(s->stepper.h) &&
           (!o->running || (o->next <= o->count && listed));
}

trStatus tr_sim_restore(trSim *s, const void *bytes, size_t size) {
    const trSaved saved = saved_of(s);
    TR_TRY(tr_saved_check(&saved, bytes, size));
    trStatus status = tr_saved_restore(s->arena, bytes);
    if (status == TR_OK && !is_possible(s)) {
        status = tr_saved_damaged(&saved);
    }
    s->followed.start = s->followed.end = 0.0;
    s->output.recorder = NULL;
    s->output.times = s->def.times;
    return status > 0 ? TR_E_ARGUMENT : status;
}

int64_t tr_sim_rows(const trSim *s) {
    return s->output.rows;
}

uint64_t tr_sim_rows_mark(const trSim *s) {
    return s->output.mark;
}
