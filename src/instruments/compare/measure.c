// SPDX-License-Identifier: MIT
// The runs of a comparison. The first of each method gives counters, violations and energy; a
// second one, with rows at the output times, the trajectory; further ones only the time. They take
// turns, so that what disturbs the machine disturbs all methods alike.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "compare/compare.h"

#define TURNS_LEAST 3.0  // where the number of repeats is left open
#define TURNS_MOST 20.0
#define TIMING_SECONDS 0.5  // what they may take together, then
#define NAME_SIZE 160       // of a column

bool tr_compare_stopped(const trCompareOptions *o) {
    return o->stop != NULL && *o->stop != 0;
}

void tr_compare_tell(const trCompare *c, const trCompareOptions *o, double part, const char *what) {
    if (o->progress != NULL && c->work_all > 0.0) {
        o->progress(o->context, fmin(1.0, (c->work_done + part) / c->work_all), what);
    }
}

// --- traces ---
//
// A run is divided into equal intervals, and of the steps that end in one the largest value is
// kept: however long the run is, no peak is lost.

static trStatus plan_trace(trArena *arena, const trSimDef *def, trCompareTrace *trace) {
    double **numbers[] = {&trace->time, &trace->position, &trace->velocity, &trace->energy};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = tr_new_array(arena, double, TR_COMPARE_TRACE_POINTS);
    }
    trace->start = def->start;
    trace->duration = def->duration;
    return tr_arena_status(arena);
}

static int interval(const trCompareTrace *trace, double t) {
    double part = (t - trace->start) / trace->duration * TR_COMPARE_TRACE_POINTS;
    return (int)fmin(fmax(ceil(part) - 1.0, 0.0), TR_COMPARE_TRACE_POINTS - 1.0);
}

static void trace_step(trCompareTrace *trace, trSim *sim) {
    const double  t = tr_sim_time(sim);
    const trWorst worst = tr_sim_take_worst(sim);
    bool          same =
        trace->count > 0 && interval(trace, trace->time[trace->count - 1]) == interval(trace, t);
    int i = same ? trace->count - 1 : trace->count++;
    if (!same) {
        trace->position[i] = trace->velocity[i] = trace->energy[i] = 0.0;
    }
    trace->time[i] = t;
    trace->position[i] = fmax(trace->position[i], worst.position);
    trace->velocity[i] = fmax(trace->velocity[i], worst.velocity);
    trace->energy[i] = fmax(trace->energy[i], fabs(tr_sim_stats(sim).energy_end_drift));
}

// --- progress ---

// What the progress of one run needs.
typedef struct Teller {
    const trCompare        *c;
    const trCompareOptions *o;
    trCompareRow           *row;
    trSim                  *sim;
    trCompareTrace         *trace;  // or NULL
    volatile int            stop;   // the run
    bool                    given_up;
} Teller;

// After every step.
static void tell_run(void *context, double t, double t_end) {
    Teller *teller = context;
    double  start = teller->row->def.start;
    if (!teller->row->fixed && t < t_end &&
        (double)tr_sim_stats(teller->sim).evaluations > teller->c->patience) {
        teller->given_up = true;
    }
    teller->stop = tr_compare_stopped(teller->o) || teller->given_up;
    if (teller->trace != NULL) {
        trace_step(teller->trace, teller->sim);
    }
    tr_compare_tell(teller->c, teller->o, (t - start) / (t_end - start), teller->row->label);
}

// --- counters ---

static trCompareLevel level_of(const trSquares *squares) {
    return (trCompareLevel){.worst = sqrt(squares->worst), .mean = sqrt(squares->mean)};
}

static void read_levels(const trSimStats *stats, trCompareLevel level[TR_COMPARE_LEVELS]) {
    level[0] = level_of(&stats->position_squares);
    level[1] = level_of(&stats->velocity_squares);
    level[2] = level_of(&stats->acceleration_squares);
}

static void read_stats(trCompare *c, const trSim *sim, trCompareRow *row) {
    const trSimStats s = tr_sim_stats(sim);
    c->energy_unit = s.energy_unit;
    read_levels(&s, row->level);
    row->energy_worst = s.energy_drift;
    row->energy_end = s.kinetic + s.potential - s.work - s.energy_start;
    row->steps = s.steps;
    row->rejected = s.rejected;
    row->forced = s.forced;
    row->evaluations = s.evaluations;
    row->factorizations = s.factorizations;
    row->newton_iterations = s.newton_iterations;
    row->formulation_iterations = s.solver_iterations;
    row->reached = tr_sim_time(sim);
}

// --- trajectories ---

// The columns that a track is made of, in its order.
static trStatus find_columns(const trCompare *c, const trRecorder *recorder, int *column) {
    static const char *const planar[] = {"x", "y", "angle"};
    static const char *const spatial[] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
    const trSystem          *system = c->system;
    int                      dim = tr_system_dim(system);
    int                      per = dim == 0 ? 1 : dim == 2 ? 3 : 7;
    for (int i = 0; i < c->width; i++) {
        char name[NAME_SIZE];
        if (dim == 0) {
            snprintf(name, sizeof name, "q.%s", tr_system_coordinate_name(system, i));
        } else {
            snprintf(name, sizeof name, "%s.%s", tr_system_body_name(system, i / per),
                     dim == 2 ? planar[i % per] : spatial[i % per]);
        }
        column[i] = tr_recorder_find(recorder, name);
        if (column[i] < 0) {
            return tr_fail(TR_E_ARGUMENT, "results have no column '%s'", name);
        }
    }
    return TR_OK;
}

// How far the recorded motion is from the reference, at every output time that both have.
static trStatus read_misses(trCompare *c, const trRecorder *recorder, trCompareRow *row) {
    const trCompareReference *r = &c->reference;
    const double             *table = tr_recorder_table(recorder);
    int                       count = (int)tr_recorder_rows(recorder);
    int                      *column = tr_new_array(c->memory, int, c->width);
    double                   *sample = tr_new_array(c->memory, double, c->width);
    row->misses = count < r->count ? count : r->count;
    row->miss = tr_new_array(c->memory, trCompareGap, row->misses);
    TR_TRY(tr_arena_status(c->memory));
    TR_TRY(find_columns(c, recorder, column));
    for (int i = 0; i < row->misses; i++) {
        const double *values = table + (size_t)i * (size_t)tr_recorder_columns(recorder);
        for (int k = 0; k < c->width; k++) {
            sample[k] = values[column[k]];
        }
        row->miss[i] =
            tr_compare_gap(c->system, sample, r->track[1].sample + (size_t)i * (size_t)c->width);
    }
    return TR_OK;
}

// --- runs ---

// The first run without a recorder leaves its trace, if that is wanted.
static trStatus run_traced(Teller *teller, trSim *sim, trRecorder *recorder,
                           const trRunHooks *hooks) {
    trCompareRow *row = teller->row;
    bool          wanted = teller->o->traces && row->shown && !row->sweep;
    if (!wanted || recorder != NULL || row->trace.count > 0) {
        return tr_sim_run(sim, recorder, hooks);
    }
    TR_TRY(plan_trace(teller->c->memory, &row->def, &row->trace));
    teller->trace = &row->trace;
    return tr_sim_run(sim, recorder, hooks);
}

static trStatus give_up(const trCompare *c, const trSim *sim) {
    return tr_fail(
        TR_E_SIMULATION,
        "given up after %.3g evaluations, %.3g times those of the reference, with steps of "
        "%.1e s%s; --force goes on",
        c->patience, c->patience / (double)c->reference.track[1].evaluations, tr_sim_next_step(sim),
        c->reference.stiff ? ": the equations are stiff" : "");
}

// One run; without a recorder its time counts. A method that cannot is no failure of this function:
// the row says why.
static void run_once(trCompare *c, const trCompareOptions *o, trCompareRow *row,
                     trRecorder *recorder) {
    trSim           *sim = NULL;
    Teller           teller = {.c = c, .o = o, .row = row, .stop = tr_compare_stopped(o)};
    const trRunHooks hooks = {.stop = &teller.stop, .progress = tell_run, .context = &teller};
    trSimDef         def = row->def;
    def.times = (trNumbers){c->times, c->time};
    trStatus status = tr_sim_create(c->system, &def, &sim);
    bool     created = status == TR_OK;
    if (created) {
        teller.sim = sim;
        status = run_traced(&teller, sim, recorder, &hooks);
    }
    if (teller.given_up) {
        status = give_up(c, sim);
    }
    if (status == TR_E_INTERRUPTED) {
        c->interrupted = true;
    } else if (status != TR_OK) {
        row->state = created ? TR_COMPARE_FAILED : TR_COMPARE_REFUSED;
        snprintf(row->reason, sizeof row->reason, "%s", tr_last_error());
    }
    if (created && status != TR_E_INTERRUPTED && recorder == NULL) {
        read_stats(c, sim, row);
    }
    if (status == TR_OK && recorder == NULL) {
        row->state = TR_COMPARE_DONE;
        row->seconds =
            fmin(isnan(row->seconds) ? INFINITY : row->seconds, tr_sim_stats(sim).cpu_seconds);
    }
    tr_sim_destroy(sim);
    c->work_done += 1.0;
}

static trStatus record(trCompare *c, const trCompareOptions *o, trCompareRow *row) {
    trRecorder *recorder = NULL;
    trStatus    status = tr_recorder_create(&recorder);
    if (status == TR_OK) {
        status = tr_recorder_add(recorder, "memory", NULL);
    }
    if (status == TR_OK) {
        run_once(c, o, row, recorder);
        if (row->state == TR_COMPARE_DONE && !c->interrupted) {
            status = read_misses(c, recorder, row);
        }
    }
    tr_recorder_destroy(recorder);
    return status;
}

// The first turn: counters, then the trajectory.
static trStatus first_turn(trCompare *c, const trCompareOptions *o) {
    for (int i = 0; i < c->rows && !c->interrupted; i++) {
        trCompareRow *row = &c->row[i];
        if (row->state != TR_COMPARE_WAITING) {
            c->work_done += 2.0;
            continue;
        }
        run_once(c, o, row, NULL);
        if (row->state == TR_COMPARE_DONE && row->shown && !c->interrupted) {
            TR_TRY(record(c, o, row));
            tr_compare_judge(c, row);
        }
    }
    return TR_OK;
}

// The row whose time is 1: lagrange, or the fastest where that did not come to the end.
static const trCompareRow *unit_row(const trCompare *c) {
    const trCompareRow *unit = NULL;
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        if (row->sweep || row->state != TR_COMPARE_DONE) {
            continue;
        }
        if (strcmp(row->label, TR_COMPARE_BASELINE) == 0) {
            return row;
        }
        unit = unit == NULL || row->seconds < unit->seconds ? row : unit;
    }
    return unit;
}

static void set_ratios(trCompare *c) {
    const trCompareRow *unit = unit_row(c);
    double              seconds = unit != NULL ? unit->seconds : NAN;
    c->time_unit = unit != NULL ? unit->label : NULL;
    for (int i = 0; i < c->rows; i++) {
        c->row[i].ratio = seconds > 0.0 ? c->row[i].seconds / seconds : NAN;
    }
}

// Where it is left open, short runs are repeated more often: a millisecond is easily disturbed.
static int turns_of(const trCompare *c, const trCompareOptions *o) {
    double seconds = 0.0;
    for (int i = 0; i < c->rows; i++) {
        seconds += isnan(c->row[i].seconds) ? 0.0 : c->row[i].seconds;
    }
    double wanted = seconds > 0.0 ? TIMING_SECONDS / seconds : 0.0;
    return o->repeat > 0 ? o->repeat : (int)fmin(fmax(wanted, TURNS_LEAST), TURNS_MOST);
}

trStatus tr_compare_measure(trCompare *c, const trCompareOptions *options) {
    if (!c->interrupted) {
        TR_TRY(first_turn(c, options));
    }
    c->turns = turns_of(c, options);
    c->work_all = c->work_done + (c->turns - 1.0) * c->rows;
    for (int turn = 1; turn < c->turns; turn++) {
        for (int i = 0; i < c->rows && !c->interrupted; i++) {
            if (c->row[i].state == TR_COMPARE_DONE) {
                run_once(c, options, &c->row[i], NULL);
            }
        }
    }
    set_ratios(c);
    tr_compare_rank(c);
    return TR_OK;
}

// --- all of it ---

trCompareOptions tr_compare_options_default(void) {
    return (trCompareOptions){.struct_size = sizeof(trCompareOptions)};
}

static const trDefinition definition = {"trCompareOptions", "tr_compare_options_default()",
                                        TR_FIRST_LAYOUT(trCompareOptions, context),
                                        sizeof(trCompareOptions)};

static trStatus run_all(trCompare *c, const trSimDef *base, const trCompareOptions *options) {
    TR_TRY(tr_compare_plan(c, base, options));
    c->work_all = (fmax(options->repeat, TURNS_LEAST) + 1.0) * c->rows;
    TR_TRY(tr_compare_reference(c, options));
    TR_TRY(tr_compare_measure(c, options));
    tr_compare_recommend(c);
    tr_compare_sort(c);
    return TR_OK;
}

trStatus tr_compare_create(const trSystem *system, const trSimDef *base,
                           const trCompareOptions *given, trCompare **out) {
    trCompareOptions options = tr_compare_options_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &options));
    trArena   *arena = tr_arena_create();
    trCompare *c = arena != NULL ? tr_new(arena, trCompare) : NULL;
    trStatus   status = TR_E_MEMORY;
    if (c != NULL) {
        *c = (trCompare){.memory = arena, .system = system, .recommended = -1, .energy_unit = ""};
        status = run_all(c, base, &options);
    }
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    *out = c;
    return TR_OK;
}

void tr_compare_destroy(trCompare *compare) {
    if (compare != NULL) {
        tr_arena_destroy(compare->memory);
    }
}
