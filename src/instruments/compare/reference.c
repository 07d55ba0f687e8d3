// SPDX-License-Identifier: MIT
// The motion that methods are measured against: dop853 with projected stages, at two tolerances.
//
// Of chaotic systems no motion is known for long: what the two references differ by grows until
// nothing can be said. With D(t) the largest difference of the two up to t, and E(t) the largest
// error of a method up to t, the error counts up to
//
//     trusted_until = the largest output time with D <= E / 10
//
// for lengths and angles apart; a part that is a thousand times smaller than the other does not
// count, for it may be rounding alone.
//
// Where a method is as good as the reference itself there is no such time. If the two references
// agree to RESOLUTION up to the end, E + D is then a bound of the error.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"

#define RESOLUTION 1e-9     // [m, rad, 1]
#define RANKING 1e-6        // how far references may be apart where errors are ranked [m, rad, 1]
#define NEGLIGIBLE 1e-3     // of the largest part
#define TRUST 0.1           // of the error shown
#define COARSEST 1e-11      // tolerance of the first reference
#define FINEST 1e-12        // the same, for runs with tight tolerances
#define BETWEEN 1e-2        // of the tolerances of the two, and of a run to the first
#define PATIENCE 10.0       // evaluations, in those of the reference, until a run is given up
#define PATIENCE_LEAST 2e5  // evaluations
#define PATIENCE_STIFF 5e4  // likewise, where the model is known to be stiff
#define IMPLICIT 1e-9       // the coarse tolerance of an implicit reference
#define REFERENCE_RUNS 5.0  // what a reference costs, in runs; for the progress only

// The first that is known and that succeeds is taken. Explicit ones end where the equations turn
// out to be stiff; then the implicit one is tried, and at last an explicit one to its end.
typedef struct Candidate {
    const char *integrator, *method;
    bool        after_stiffness;
} Candidate;

static const Candidate candidates[] = {
    {"dop853", "masarati", false},        {"dop853", "direct_mass", false},
    {"dop853", "mass_orthogonal", false}, {"radau5", NULL, true},
    {"dop853", "masarati", true},
};

#define CANDIDATES ((int)(sizeof candidates / sizeof *candidates))

int tr_compare_width(const trSystem *system) {
    int dim = tr_system_dim(system);
    return dim == 0 ? tr_system_coordinates(system) : tr_system_bodies(system) * (dim == 2 ? 3 : 7);
}

static trCompareGap larger(trCompareGap a, trCompareGap b) {
    return (trCompareGap){fmax(a.length, b.length), fmax(a.angle, b.angle),
                          fmax(a.general, b.general)};
}

static trCompareGap sum(trCompareGap a, trCompareGap b) {
    return (trCompareGap){a.length + b.length, a.angle + b.angle, a.general + b.general};
}

double tr_compare_gap_size(trCompareGap gap) {
    return fmax(gap.length, fmax(gap.angle, gap.general));
}

// The angle of the rotation p* r between two unit quaternions, whatever their signs [rad].
static double angle_between(const double *p, const double *r) {
    double s = p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3];
    double x = p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2];
    double y = p[0] * r[2] - p[2] * r[0] - p[3] * r[1] + p[1] * r[3];
    double z = p[0] * r[3] - p[3] * r[0] - p[1] * r[2] + p[2] * r[1];
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs(s));
}

trCompareGap tr_compare_gap(const trSystem *system, const double *sample, const double *reference) {
    int          dim = tr_system_dim(system), bodies = tr_system_bodies(system);
    trCompareGap gap = {0};
    for (int i = 0; dim == 0 && i < tr_system_coordinates(system); i++) {
        double d = fabs(sample[i] - reference[i]) / (1.0 + fabs(reference[i]));
        gap.general = fmax(gap.general, d);
    }
    for (int i = 0; dim == 2 && i < bodies; i++) {
        const double *p = sample + 3 * i, *r = reference + 3 * i;
        gap.length = fmax(gap.length, hypot(p[0] - r[0], p[1] - r[1]));
        gap.angle = fmax(gap.angle, fabs(p[2] - r[2]));
    }
    for (int i = 0; dim == 3 && i < bodies; i++) {
        const double *p = sample + 7 * i, *r = reference + 7 * i;
        gap.length = fmax(gap.length, hypot(hypot(p[0] - r[0], p[1] - r[1]), p[2] - r[2]));
        gap.angle = fmax(gap.angle, angle_between(p + 3, r + 3));
    }
    return gap;
}

// The present state in the numbers of a track.
static void look(const trSystem *system, const trSim *sim, double *sample) {
    int dim = tr_system_dim(system);
    if (dim == 0) {
        memcpy(sample, tr_sim_q(sim), (size_t)tr_system_coordinates(system) * sizeof *sample);
    }
    for (int i = 0; dim != 0 && i < tr_system_bodies(system); i++) {
        const trBodyState s = tr_sim_body(sim, i);
        *sample++ = s.x;
        *sample++ = s.y;
        if (dim == 2) {
            *sample++ = s.angle;
            continue;
        }
        *sample++ = s.z;
        memcpy(sample, s.quaternion, sizeof s.quaternion);
        sample += 4;
    }
}

static trStatus run_to(trCompare *c, const trCompareOptions *o, trSim *sim, double t) {
    while (tr_sim_time(sim) < t) {
        if (tr_compare_stopped(o)) {
            return tr_fail(TR_E_INTERRUPTED, "interrupted at t = %.9g s", tr_sim_time(sim));
        }
        if (tr_sim_stats(sim).stiff && !c->reference.stiff) {
            c->reference.stiff = true;
            return tr_fail(TR_E_SIMULATION, "t = %.9g s: the equations are stiff",
                           tr_sim_time(sim));
        }
        TR_TRY(tr_sim_step_to(sim, t));
    }
    return TR_OK;
}

// Steps end at the output times, so that nothing is interpolated, and of the fine run (`halved`)
// between them as well: where one step from time to time is accurate enough for both tolerances,
// the two would else be one run, and their difference zero.
static trStatus follow(trCompare *c, const trCompareOptions *o, bool halved, trSim *sim,
                       trCompareTrack *track) {
    for (track->count = 0; track->count < c->times; track->count++) {
        double t = c->time[track->count], now = tr_sim_time(sim);
        if (halved) {
            TR_TRY(run_to(c, o, sim, now + 0.5 * (t - now)));
        }
        TR_TRY(run_to(c, o, sim, t));
        look(c->system, sim, track->sample + (size_t)track->count * (size_t)c->width);
        tr_compare_tell(c, o, REFERENCE_RUNS * (track->count + 1) / c->times, "reference");
    }
    return TR_OK;
}

// The coarse (0) or the fine one (1).
static trStatus run_track(trCompare *c, const trCompareOptions *o, int which) {
    trCompareTrack *track = &c->reference.track[which];
    trSim          *sim = NULL;
    trSimDef        def = c->base;
    def.method = c->reference.method;
    def.integrator = c->reference.integrator;
    tr_sim_def_forget_unread(c->memory, &def);
    def.rtol = def.atol = c->reference.tolerance[which];
    def.step = 0.0;
    def.min_step = def.method == NULL ? 0.0 : def.min_step;
    def.times = (trNumbers){0};
    track->count = 0;
    trStatus status = tr_sim_create(c->system, &def, &sim);
    if (status == TR_OK) {
        // Projections to rounding: what they leave would be an error that no tolerance removes.
        tr_sim_project_to_rounding(sim);
        status = follow(c, o, which == 1, sim, track);
        track->evaluations = tr_sim_stats(sim).evaluations;
    }
    tr_sim_destroy(sim);
    return status;
}

static void set_tolerances(const trCompare *c, trCompareReference *r) {
    double coarse = fmin(COARSEST, fmax(FINEST, BETWEEN * c->base.rtol));
    r->tolerance[0] = r->method == NULL ? IMPLICIT : coarse;
    r->tolerance[1] = BETWEEN * r->tolerance[0];
}

// Both tolerances with one method. The status is that of the first failure.
static trStatus run_pair(trCompare *c, const trCompareOptions *o, const Candidate *candidate) {
    trCompareReference *r = &c->reference;
    r->integrator = candidate->integrator;
    r->method = candidate->method;
    set_tolerances(c, r);
    trStatus status = TR_OK;
    for (int k = 0; k < 2; k++) {
        trStatus own = run_track(c, o, k);
        if (own != TR_OK && status == TR_OK) {
            status = own;
            snprintf(r->reason, sizeof r->reason, "%s", tr_last_error());
        }
        bool turned_stiff = r->stiff && !candidate->after_stiffness;
        if (own == TR_E_INTERRUPTED || own == TR_E_MEMORY || turned_stiff) {
            break;
        }
        c->work_done += REFERENCE_RUNS;
    }
    r->count = r->track[0].count < r->track[1].count ? r->track[0].count : r->track[1].count;
    return status;
}

static trStatus plan_reference(trCompare *c, trCompareReference *r) {
    for (int k = 0; k < 2; k++) {
        r->track[k].sample = tr_new_array(c->memory, double, (size_t)c->times *(size_t)c->width);
    }
    r->doubt = tr_new_array(c->memory, trCompareGap, c->times);
    c->work_all += 2.0 * REFERENCE_RUNS;
    return tr_arena_status(c->memory);
}

// Stiff methods with adaptive steps may need thousands of times as many as others. If the reference
// ends early, it would have taken more.
static double patience_of(const trCompare *c, const trCompareOptions *o) {
    const trCompareTrack *fine = &c->reference.track[1];
    bool                  known = fine->count > 1 && !o->force;
    double                all = known ? (double)c->times / fine->count : INFINITY;
    double                needed = (double)fine->evaluations * all;
    return c->reference.stiff ? fmax(PATIENCE_STIFF, needed)
                              : fmax(PATIENCE_LEAST, PATIENCE * needed);
}

trStatus tr_compare_reference(trCompare *c, const trCompareOptions *options) {
    trCompareReference *r = &c->reference;
    TR_TRY(plan_reference(c, r));
    double before = c->work_done;
    for (int i = 0; i < CANDIDATES; i++) {
        const Candidate *candidate = &candidates[i];
        bool known = candidate->method == NULL || tr_method_find(candidate->method) != NULL;
        if (!known || candidate->after_stiffness != r->stiff) {
            continue;
        }
        c->work_done = before;
        r->reason[0] = '\0';
        r->status = run_pair(c, options, candidate);
        if (r->status == TR_E_MEMORY) {
            return r->status;  // another candidate would be another comparison
        }
        if (r->status == TR_OK || r->status == TR_E_INTERRUPTED) {
            break;
        }
    }
    c->interrupted = r->status == TR_E_INTERRUPTED;
    c->patience = patience_of(c, options);
    trCompareGap most = {0};
    for (int i = 0; i < r->count; i++) {
        size_t at = (size_t)i * (size_t)c->width;
        most = larger(most,
                      tr_compare_gap(c->system, r->track[0].sample + at, r->track[1].sample + at));
        r->doubt[i] = most;
    }
    return TR_OK;
}

static bool is_trusted(trCompareGap error, trCompareGap doubt) {
    double least = NEGLIGIBLE * tr_compare_gap_size(error);
    return least > 0.0 && doubt.length <= TRUST * fmax(error.length, least) &&
           doubt.angle <= TRUST * fmax(error.angle, least) &&
           doubt.general <= TRUST * fmax(error.general, least);
}

int tr_compare_trusted(int count, const trCompareGap *miss, const trCompareGap *doubt) {
    int          last = -1;
    trCompareGap error = {0};
    for (int i = 0; i < count; i++) {
        error = larger(error, miss[i]);
        last = is_trusted(error, doubt[i]) ? i : last;
    }
    return last;
}

void tr_compare_judge(const trCompare *c, trCompareRow *row) {
    const trCompareReference *r = &c->reference;
    int                       count = row->misses < r->count ? row->misses : r->count;
    int                       last = tr_compare_trusted(count, row->miss, r->doubt);
    bool                      whole = count == c->times;
    row->bound =
        whole && last < count - 1 && tr_compare_gap_size(r->doubt[count - 1]) <= RESOLUTION;
    last = row->bound ? count - 1 : last;
    row->measured = last >= 0;
    row->trusted_until = row->measured ? c->time[last] : c->base.start;
    row->error = (trCompareGap){0};
    for (int i = 0; i <= last; i++) {
        row->error = larger(row->error, row->miss[i]);
    }
    if (row->bound) {
        row->error = sum(row->error, r->doubt[last]);
    }
}

// Methods are ranked up to one time for all: the last at which the references still agree.
void tr_compare_rank(trCompare *c) {
    const trCompareReference *r = &c->reference;
    int                       last = -1;
    while (last + 1 < r->count && tr_compare_gap_size(r->doubt[last + 1]) <= RANKING) {
        last++;
    }
    c->ranked_until = last >= 0 ? c->time[last] : c->base.start;
    for (int i = 0; i < c->rows; i++) {
        trCompareRow *row = &c->row[i];
        row->ranks = last > 0 && row->misses > last;
        row->ranked = (trCompareGap){0};
        for (int k = 0; row->ranks && k <= last; k++) {
            row->ranked = larger(row->ranked, row->miss[k]);
        }
        row->ranked_bound = row->ranks && !is_trusted(row->ranked, r->doubt[last]);
        row->ranked = row->ranked_bound ? sum(row->ranked, r->doubt[last]) : row->ranked;
    }
}
