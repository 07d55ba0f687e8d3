// SPDX-License-Identifier: MIT
// Assembly on its own: what was, what is, and what remains open. A simulation that is never run
// does what a run would do; where coordinates are kept, the search has done it before.

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/vector.h"
#include "sim/assemble.h"
#include "sim/sim.h"

#define CLOSED 1e-12  // of phi, relative to 1 + max|q|: a run leaves it
#define ON_ROWS 1e-6  // of velocities next to singular poses, relative to 1 + max|v|
#define OPEN 1e-6     // of a pose that does not assemble, relative to 1 + max|q|

trAssembleOptions tr_assemble_options_default(void) {
    return (trAssembleOptions){.struct_size = sizeof(trAssembleOptions), .rank_tolerance = 1e-4};
}

void tr_assembly_destroy(trAssembly *a) {
    if (a != NULL) {
        tr_arena_destroy(a->memory);
    }
}

static trStatus plan(trAssemblyWork *w, const trSystem *system) {
    trArena *arena = w->out->memory;
    w->q0 = tr_new_array(arena, double, system->nq);
    w->v0 = tr_new_array(arena, double, system->nv);
    w->q = tr_new_array(arena, double, system->nq);
    w->v = tr_new_array(arena, double, system->nv);
    w->rate = tr_new_array(arena, double, system->m);
    w->joint = tr_new_array(arena, trJointGap, system->pattern.groups);
    w->open = tr_new_array(arena, int, system->pattern.groups);
    TR_TRY(tr_arena_status(arena));
    w->out->system = system;
    w->out->nq = system->nq;
    w->out->nv = system->nv;
    w->out->joints = system->pattern.groups;
    w->out->q0 = w->q0;
    w->out->v0 = w->v0;
    w->out->q = w->q;
    w->out->v = w->v;
    w->out->joint = w->joint;
    w->out->open = w->open;
    return tr_search_create(system, w->options->time, &w->search);
}

void tr_assembly_start_velocities(const trAssemblyWork *w, const double *q, double *v) {
    const trSystem *s = w->out->system;
    const trSpace  *space = s->space;
    if (w->options->v.count > 0) {
        memcpy(v, w->options->v.at, (size_t)s->nv * sizeof *v);
        return;
    }
    for (int i = 0; i < s->bodies; i++) {
        space->start_velocity(&s->body[i], q + (ptrdiff_t)space->nq * i,
                              v + (ptrdiff_t)space->nv * i);
    }
}

static trStatus check_numbers(const trSystem *s, const trAssembleOptions *o) {
    if ((o->q.count != 0 && o->q.count != s->nq) || (o->v.count != 0 && o->v.count != s->nv)) {
        return tr_fail(TR_E_ARGUMENT, "q and v have %d and %d numbers; the system has %d and %d",
                       o->q.count, o->v.count, s->nq, s->nv);
    }
    for (int i = 0; i < o->q.count + o->v.count; i++) {
        bool   position = i < o->q.count;
        double x = position ? o->q.at[i] : o->v.at[i - o->q.count];
        if (!isfinite(x)) {
            return tr_fail(TR_E_ARGUMENT, "number %d of %s is not finite",
                           position ? i + 1 : i - o->q.count + 1, position ? "q" : "v");
        }
    }
    return TR_OK;
}

// Gaps of all joints at (q, v), before or after.
static trStatus note_gaps(trAssemblyWork *w, const double *q, const double *v, bool after) {
    const trSystem *s = w->out->system;
    trEval         *e = &w->search->eval;
    TR_TRY(tr_system_eval(s, w->search->t, q, v, e));
    tr_rows_mul(&e->equations.A, v, w->rate);
    for (int i = 0; i < s->m; i++) {
        w->rate[i] -= e->b1[i];
    }
    for (int j = 0; j < w->out->joints; j++) {
        trJointGap *gap = &w->joint[j];
        gap->name = s->joint[j].name;
        gap->recorded = s->joint[j].recorded;
        for (int i = s->pattern.group_row[j]; i < s->pattern.group_row[j + 1]; i++) {
            bool length = strcmp(s->row_unit[i], "m") == 0;
            bool angle = strcmp(s->row_unit[i], "rad") == 0;
            gap->length = gap->length || length;
            gap->angle = gap->angle || angle;
            gap->unit = length || angle ? gap->unit : s->row_unit[i];
        }
        *(after ? &gap->position_after : &gap->position_before) = tr_opening_of(s, j, e->phi, true);
        *(after ? &gap->velocity_after : &gap->velocity_before) =
            tr_opening_of(s, j, w->rate, false);
    }
    return TR_OK;
}

// What users call a column.
static const char *word_of(const trSystem *s, int column) {
    static const char *const words[] = {"x", "y", "z"};
    if (column < 0 || s->space->dim == 0) {
        return NULL;
    }
    int part = column % s->space->nv;
    return part < s->space->dim ? words[part] : s->space->dim == 2 ? "angle" : "orientation";
}

// The largest change of (q, v) since the start: of positions, and of what velocities were given.
static trStatus note_changes(trAssemblyWork *w) {
    const trSystem *s = w->out->system;
    double         *given = tr_new_array(w->out->memory, double, s->nv);
    int             column = -1;
    TR_TRY(tr_arena_status(w->out->memory));
    tr_system_difference(s, w->q, w->q0, w->v0);
    w->out->moved = tr_largest_change(s, w->v0, false, &column);
    w->out->moved_coordinate = word_of(s, column);
    tr_assembly_start_velocities(w, w->q, given);
    for (int i = 0; i < s->nv; i++) {
        given[i] = w->v[i] - given[i];
    }
    w->out->changed = tr_largest_change(s, given, true, &column);
    if (s->space->dim == 0 && column >= 0 && s->unit[column][0] != '\0') {
        w->out->changed.unit = tr_arena_format(w->out->memory, "%s/s", s->unit[column]);
    }
    tr_assembly_start_velocities(w, w->q0, w->v0);
    w->out->untouched = memcmp(w->q, w->q0, (size_t)s->nq * sizeof *w->q) == 0 &&
                        memcmp(w->v, w->v0, (size_t)s->nv * sizeof *w->v) == 0;
    if (w->out->untouched) {  // differences of orientations may have rounding
        w->out->moved = w->out->changed = (trCorrection){0};
        w->out->moved_coordinate = NULL;
    }
    return tr_arena_status(w->out->memory);
}

// --- as a run does it ---

// `v` counts where it is given; else the velocities of the model do.
static trStatus ask_simulation(trAssemblyWork *w, const double *q, bool given, const double *v) {
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    def.start = w->options->time;
    def.rank_tolerance = w->options->rank_tolerance;
    def.q = (trNumbers){w->out->nq, q};
    def.v = (trNumbers){given ? w->out->nv : 0, v};
    TR_TRY(tr_sim_create(w->out->system, &def, &sim));
    trSimStats stats = tr_sim_stats(sim);
    memcpy(w->q, tr_sim_q(sim), (size_t)w->out->nq * sizeof *w->q);
    memcpy(w->v, tr_sim_v(sim), (size_t)w->out->nv * sizeof *w->v);
    w->out->degrees_of_freedom = stats.degrees_of_freedom;
    w->out->redundant_rows = stats.redundant_rows;
    w->out->iterations += sim->search.iterations + sim->methods.assembler->iterations;
    w->out->attempts += sim->search.attempts;
    tr_sim_destroy(sim);
    return TR_OK;
}

// What a run would start from is closed to 1e-12; what users copy shall be closed to rounding.
static trStatus round_off(trAssemblyWork *w) {
    const trAssembly run = *w->out;
    double          *q = tr_new_array(run.memory, double, run.nq);
    TR_TRY(tr_arena_status(run.memory));
    memcpy(q, w->q, (size_t)run.nq * sizeof *q);
    TR_TRY(tr_search_polish(w->search, q, w->v));
    if (memcmp(q, w->q, (size_t)run.nq * sizeof *q) != 0 &&
        ask_simulation(w, q, w->options->v.count > 0, w->v0) == TR_E_MEMORY) {
        return TR_E_MEMORY;
    }
    w->out->attempts = run.attempts;
    return TR_OK;
}

// --- next to a singular pose ---

static trStatus stand(void *context, double t, const double *q, const double *v,
                      const trEquations **out) {
    *out = context;
    return TR_OK;
}

// Whether some x satisfies A x = right; starts from x and changes it.
static bool satisfies(trSearch *s, const double *q, const double *right, double *x, double *rate) {
    trEquations e = s->eval.equations;
    trManifold  fixed = s->free;
    e.b1 = right;
    e.nonlinear = false;
    fixed.context = &e;
    fixed.evaluate = stand;
    if (tr_project_velocity(&s->direct, &fixed, s->t, q, x) != TR_OK) {
        return false;
    }
    double size = 1.0 + fmax(tr_largest(e.nv, x), tr_largest(e.m, right));
    tr_rows_mul(&e.A, x, rate);
    for (int i = 0; i < e.m; i++) {
        rate[i] -= right[i];
    }
    return tr_largest(e.m, rate) <= ON_ROWS * size;
}

// Positions are closed, and a run would refuse them. In a singular pose, or next to one, velocities
// exist, but accelerations only for velocities along a branch of the motion; at rest they do. Rows
// that contradict each other, such as two drives, have none even then.
static trStatus close_singular(trAssemblyWork *w, const char *text) {
    const trSystem *s = w->out->system;
    trSearch       *strict = w->search;
    double         *a = tr_new_array(w->out->memory, double, s->nv);
    TR_TRY(tr_arena_status(w->out->memory));
    tr_assembly_start_velocities(w, w->q, w->v);
    trStatus status = tr_project_velocity(&strict->direct, &strict->free, strict->t, w->q, w->v);
    status = status == TR_OK ? tr_system_eval(s, strict->t, w->q, w->v, &strict->eval) : status;
    bool closed = status == TR_OK && satisfies(strict, w->q, strict->eval.b1, w->v, w->rate);
    status = closed ? tr_system_eval(s, strict->t, w->q, a, &strict->eval) : status;
    closed = closed && status == TR_OK && satisfies(strict, w->q, strict->eval.b, a, w->rate);
    w->out->singular = closed ? text : NULL;
    return status < 0 ? status : closed ? TR_OK : tr_fail(TR_E_MODEL, "%s", text);
}

// The least open pose, with all gaps; the status says it in words.
static trStatus tell_open(trAssemblyWork *w, const trFound *found) {
    const trSystem *s = w->out->system;
    double          least = OPEN * (1.0 + tr_largest(s->nq, w->q));
    tr_copy(s->nv, w->v0, w->v);
    TR_TRY(note_gaps(w, w->q, w->v, true));
    w->out->opens = tr_openings(s, w->search->eval.phi, least, w->open);
    if (w->out->opens == 0) {
        w->open[0] = found->widest;
        w->out->opens = 1;
    }
    w->out->others_close = found->others_close;
    TR_TRY(note_changes(w));
    if (w->options->keeps > 0) {
        return tr_refuse_kept(w);
    }
    return tr_refuse_open(w->search, found);
}

// Whether positions as given are closed, and so will not be touched.
static bool positions_stay(const trAssemblyWork *w) {
    const trEquations *e = &w->search->eval.equations;
    int                row = tr_worst_row(e);
    return row < 0 || tr_row_violation(e, row) <= CLOSED * (1.0 + tr_largest(w->out->nq, w->q0));
}

// What a run would do; where it would refuse, how far positions get.
static trStatus assemble_as_run(trAssemblyWork *w, trFound *found) {
    size_t   bytes = (size_t)w->out->nq * sizeof *w->q;
    bool     given = w->options->v.count > 0 || positions_stay(w);
    trStatus status = ask_simulation(w, w->q0, given, w->v0);
    if (status == TR_OK) {
        return memcmp(w->q, w->q0, bytes) != 0 ? round_off(w) : TR_OK;
    }
    const char *text = tr_arena_text(w->out->memory, tr_last_error());
    TR_TRY(tr_arena_status(w->out->memory));
    if (status != TR_E_MODEL) {
        return status;
    }
    trStatus searched = tr_search_pose(w->search, w->q0, w->v0, found);
    w->out->iterations = w->search->iterations;
    w->out->attempts = w->search->attempts;
    if (searched != TR_OK) {
        found->closed = true;  // not the reason
        return searched < 0 ? searched : tr_fail(status, "%s", text);
    }
    tr_copy(w->out->nq, found->q, w->q);
    return found->closed ? close_singular(w, text) : TR_OK;
}

// What is kept may be held by joints already: where a run would leave it alone, this is what a run
// does. *unmoved says whether; if not, q is the start once more.
static trStatus try_as_run(trAssemblyWork *w, bool *unmoved) {
    bool     given = w->options->v.count > 0 || positions_stay(w);
    trStatus status = ask_simulation(w, w->q0, given, w->v0);
    size_t   bytes = (size_t)w->out->nq * sizeof *w->q;
    *unmoved = false;
    if (status == TR_OK) {
        TR_TRY(memcmp(w->q, w->q0, bytes) != 0 ? round_off(w) : TR_OK);
        TR_TRY(tr_kept_unmoved(w, unmoved));
    }
    if (!*unmoved) {
        memcpy(w->q, w->q0, bytes);
        w->out->iterations = 0;
        w->out->attempts = 0;
    }
    return status == TR_E_MEMORY ? status : TR_OK;
}

// As a run if that does; else with columns of what is kept taken out.
static trStatus assemble_with_kept(trAssemblyWork *w, trFound *found) {
    bool unmoved = false;
    TR_TRY(try_as_run(w, &unmoved));
    if (unmoved) {
        return TR_OK;
    }
    trStatus status = tr_assemble_kept(w, found);
    if (status != TR_OK) {
        found->closed = true;  // not the reason
        return status;
    }
    bool given = !w->out->released || w->options->v.count > 0;
    return found->closed ? ask_simulation(w, w->q, given, w->out->released ? w->v0 : w->v) : TR_OK;
}

static trStatus find(trAssemblyWork *w) {
    const trSystem          *s = w->out->system;
    const trAssembleOptions *o = w->options;
    trFound                  found = {.closed = true};
    memcpy(w->q0, o->q.count > 0 ? o->q.at : s->q0, (size_t)s->nq * sizeof *w->q0);
    tr_assembly_start_velocities(w, w->q0, w->v0);
    memcpy(w->q, w->q0, (size_t)s->nq * sizeof *w->q);
    trStatus status = note_gaps(w, w->q0, w->v0, false);
    if (status == TR_OK && o->keeps > 0) {
        status = assemble_with_kept(w, &found);
    } else {
        status = assemble_as_run(w, &found);
    }
    if (!found.closed) {
        return tell_open(w, &found);
    }
    TR_TRY(status);
    w->out->assembled = true;
    TR_TRY(note_changes(w));
    return note_gaps(w, w->q, w->v, true);
}

static const trDefinition definition = {"trAssembleOptions", "tr_assemble_options_default()",
                                        TR_FIRST_LAYOUT(trAssembleOptions, keep),
                                        sizeof(trAssembleOptions)};

trStatus tr_assembly_create(const trSystem *system, const trAssembleOptions *given,
                            trAssembly **out) {
    trAssembleOptions options = tr_assemble_options_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &options));
    TR_TRY(check_numbers(system, &options));
    trArena       *arena = tr_arena_create();
    trAssemblyWork w = {.out = arena != NULL ? tr_new(arena, trAssembly) : NULL,
                        .options = &options};
    trStatus       status = TR_E_MEMORY;
    if (w.out != NULL) {
        w.out->memory = arena;
        status = plan(&w, system);
        status = status == TR_OK ? find(&w) : status;
        tr_search_destroy(w.search);
    }
    if (status == TR_OK || (w.out != NULL && w.out->opens > 0)) {
        *out = w.out;
    } else {
        tr_arena_destroy(arena);
    }
    return status > 0 ? TR_E_MODEL : status;
}
