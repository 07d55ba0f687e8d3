// SPDX-License-Identifier: MIT
// The search for a pose on the constraints, from afar. In turn:
//
//   1. damped least squares from the start, then Newton's method
//   2. the same from poses beside the start, and beside the best minimum found, at random distances
//      that grow: a minimum of |phi|^2 that is not zero may be left that way
//   3. where nothing closes, the pose in which one joint alone is open, if there is one
//
// Lengths are measured in the largest lever arm. Random numbers are the same in every run.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "sim/assemble.h"

#define MOST_TURN 0.5  // of a body in one step [rad]
#define CLOSED 1e-9    // of |r|: Newton's method does the rest
#define STRICT 1e-7    // of rows of A: next to a singular pose they are independent, too
#define ROUNDED 1e-15  // of |r|: nothing better is to be had
#define KICKS 24
#define SAME 1e-4    // minima that differ by less are one ...
#define MAX_SAME 10  // ... and the least there is, if found so often
#define SEED 20
#define FIRM 1e4     // weight of joints that shall be closed while one stays open
#define OTHERS 1e-6  // what may be left of those, relative to 1 + max|q|

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    trSearch *s = context;
    *out = &s->eval.equations;
    return tr_system_eval(s->system, t, q, v, &s->eval);
}

static void retract(void *context, const double *dv, double *q) {
    const trSearch *s = context;
    tr_system_retract(s->system, dv, q);
}

static bool turns(const trSystem *s, int column) {
    return s->space->dim == 0 ? strcmp(s->unit[column], "rad") == 0
                              : tr_space_turns(s->space, column % s->space->nv);
}

static double reach(void *context, const double *dv) {
    const trSearch *s = context;
    double          most = 0.0;
    for (int i = 0; i < s->system->nv; i++) {
        most = turns(s->system, i) ? fmax(most, fabs(dv[i])) : most;
    }
    return most > MOST_TURN ? MOST_TURN / most : 1.0;
}

// The length of what turning a body moves in the rows of one joint does not depend on the axes.
static double lever_arm_of(const trSystem *s, const trRows *A, int group, int side) {
    int    first = A->group_row[group], rows = A->group_row[group + 1] - first;
    int    width = A->side_width[side];
    double sum = 0.0;
    for (int i = 0; i < rows * width; i++) {
        bool counts = turns(s, A->side_column[side] + i % width) &&
                      strcmp(s->row_unit[first + i / width], "m") == 0;
        double part = counts ? A->value[A->side_value[side] + i] : 0.0;
        sum += part * part;
    }
    return sqrt(sum);
}

double tr_lever_arm(const trSystem *s, const trRows *A) {
    double most = 0.0;
    for (int g = 0; s->space->dim != 0 && g < A->groups; g++) {
        for (int k = A->group_side[g]; k < A->group_side[g + 1]; k++) {
            most = fmax(most, lever_arm_of(s, A, g, k));
        }
    }
    return most > 0.0 && isfinite(most) ? most : 1.0;
}

// Rows in units of lever arms, radians, or of what their functions change by.
static void weigh(trSearch *s) {
    for (int i = 0; i < s->system->m; i++) {
        const trJoint *joint = &s->system->joint[s->system->row_joint[i]];
        double         size = s->eval.row_size[i];
        bool           length = strcmp(s->system->row_unit[i], "m") == 0;
        double         unit = joint->recorded ? (size > 0.0 && isfinite(size) ? size : 1.0)
                              : length        ? s->length
                                              : 1.0;
        s->weight[i] = s->system->holonomic[i] ? 1.0 / unit : 0.0;
    }
}

static trStatus plan(trSearch *s) {
    const trSystem *system = s->system;
    s->scale = tr_new_array(s->arena, double, system->nv);
    s->kick = tr_new_array(s->arena, double, system->nv);
    s->q_start = tr_new_array(s->arena, double, system->nq);
    s->q_try = tr_new_array(s->arena, double, system->nq);
    s->q_best = tr_new_array(s->arena, double, system->nq);
    s->q_closed = tr_new_array(s->arena, double, system->nq);
    s->weight = tr_new_array(s->arena, double, system->m);
    s->order = tr_new_array(s->arena, int, system->pattern.groups);
    TR_TRY(tr_eval_plan(s->arena, system, STRICT, &s->eval));
    s->eval.z = system->z0;
    s->free = (trManifold){system->nq, system->nv, s, evaluate, retract, reach};
    s->manifold = s->free;
    TR_TRY(tr_kept_plan(s->arena, system, &s->free, &s->kept));
    TR_TRY(tr_projector_plan(s->arena, tr_projection_find("direct"), tr_formulation_robust(false),
                             NULL, &s->eval.equations, NULL, &s->direct));
    return tr_damped_plan(s->arena, &s->eval.equations, system->nq, s->scale, &s->damped);
}

trStatus tr_search_create(const trSystem *system, double t, trSearch **out) {
    trArena *arena = tr_arena_create();
    *out = NULL;
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trSearch *s = tr_new(arena, trSearch);
    trStatus  status = TR_E_MEMORY;
    if (s != NULL) {
        s->arena = arena;
        s->system = system;
        s->t = t;
        status = plan(s);
    }
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    *out = s;
    return TR_OK;
}

void tr_search_destroy(trSearch *s) {
    if (s != NULL) {
        tr_arena_destroy(s->arena);
    }
}

// Scales and weights for a start.
static trStatus settle(trSearch *s, const double *q, const double *v) {
    const trEquations *e = NULL;
    TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, q, v, &e));
    s->length = tr_lever_arm(s->system, &s->eval.equations.A);
    for (int i = 0; i < s->system->nv; i++) {
        s->scale[i] = s->system->space->dim == 0 || turns(s->system, i) ? 1.0 : s->length;
    }
    weigh(s);
    s->best = INFINITY;
    s->iterations = s->attempts = 0;
    return TR_OK;
}

// q_try moves on to rounding where that makes it better.
static trStatus polish_try(trSearch *s, const double *v) {
    const trEquations *e = NULL;
    size_t             bytes = (size_t)s->system->nq * sizeof *s->q_try;
    double             norm = INFINITY;
    TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, s->q_try, v, &e));
    int row = tr_worst_row(e);
    if (row < 0) {
        return TR_OK;
    }
    double before = tr_row_violation(e, row);
    if (before <= ROUNDED * (1.0 + tr_largest(s->system->nq, s->q_try))) {
        return TR_OK;
    }
    memcpy(s->q_closed, s->q_try, bytes);
    trStatus status =
        tr_damped_minimize(&s->damped, &s->manifold, s->t, s->q_try, v, ROUNDED, &norm);
    if (status == TR_OK) {
        TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, s->q_try, v, &e));
        status = tr_row_violation(e, tr_worst_row(e)) < before ? TR_OK : TR_NO_CONVERGENCE;
    }
    if (status != TR_OK) {
        memcpy(s->q_try, s->q_closed, bytes);
    }
    return status < 0 ? status : TR_OK;
}

trStatus tr_search_polish(trSearch *s, double *q, const double *v) {
    TR_TRY(settle(s, q, v));
    memcpy(s->q_try, q, (size_t)s->system->nq * sizeof *q);
    memcpy(s->damped.weight, s->weight, (size_t)s->system->m * sizeof *s->weight);
    TR_TRY(polish_try(s, v));
    memcpy(q, s->q_try, (size_t)s->system->nq * sizeof *q);
    return TR_OK;
}

// From q_try downwards.
static trStatus attempt(trSearch *s, const double *v, bool *closed) {
    int64_t before = s->damped.iterations + s->direct.iterations;
    double  norm = INFINITY;
    *closed = false;
    s->attempts++;
    memcpy(s->damped.weight, s->weight, (size_t)s->system->m * sizeof *s->weight);
    trStatus status =
        tr_damped_minimize(&s->damped, &s->manifold, s->t, s->q_try, v, CLOSED, &norm);
    if (status == TR_OK && norm <= 1e3 * CLOSED) {
        int worst = -1;
        status = tr_project_position(&s->direct, &s->manifold, s->t, s->q_try, v, &worst);
        *closed = status == TR_OK;
        status = *closed ? polish_try(s, v) : status;
    }
    s->iterations += s->damped.iterations + s->direct.iterations - before;
    if (status < 0) {
        return status;
    }
    s->same += fabs(norm - s->best) <= SAME * s->best ? 1 : 0;
    if (*closed || norm < s->best) {
        s->same = norm < (1.0 - SAME) * s->best ? 0 : s->same;
        s->best = norm;
        memcpy(s->q_best, s->q_try, (size_t)s->system->nq * sizeof *s->q_best);
    }
    return TR_OK;
}

// Uniform in [-1, 1): Knuth's linear congruential generator.
static double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

// q_try beside the start, or beside the best minimum.
static void kick(trSearch *s, int number) {
    static const double size[] = {0.03, 0.1, 0.3, 1.0, 2.0, 3.0};  // lever arms and radians
    const double       *from = number % 2 == 0 ? s->q_best : s->q_start;
    double              most = size[number / 2 % (int)(sizeof size / sizeof *size)];
    memcpy(s->q_try, from, (size_t)s->system->nq * sizeof *from);
    for (int i = 0; i < s->system->nv; i++) {
        double unit = s->scale[i];
        if (s->system->space->dim == 0 && !turns(s->system, i)) {
            unit = 1.0 + fabs(from[i]);
        }
        s->kick[i] = most * unit * next_random(&s->random);
    }
    s->manifold.retract(s->manifold.context, s->kick, s->q_try);
    tr_system_normalize(s->system, s->q_try);
}

// Whether all rows but those of `joint` are closed in what was evaluated last.
static bool others_closed(const trSearch *s, int joint, const double *q) {
    double allowed = OTHERS * (1.0 + tr_largest(s->system->nq, q));
    for (int j = 0; j < s->system->pattern.groups; j++) {
        trOpening gap = tr_opening_of(s->system, j, s->eval.phi, true);
        if (j != joint && !(tr_opening_size(&gap) <= allowed)) {
            return false;
        }
    }
    return true;
}

// Least squares share a gap among all joints of a loop. People ask how far one joint is open when
// the others are closed: they get a large weight.
static trStatus gather_gap(trSearch *s, double *q, const double *v, trFound *out) {
    const trEquations *e = NULL;
    double             norm = INFINITY, most = 0.0;
    TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, q, v, &e));
    for (int j = 0; j < s->system->pattern.groups; j++) {
        trOpening gap = tr_opening_of(s->system, j, s->eval.phi, true);
        if (tr_opening_size(&gap) >= most * (1.0 - SAME)) {  // of equal ones the last, which closes
            most = fmax(most, tr_opening_size(&gap));
            out->widest = j;
        }
    }
    for (int i = 0; i < s->system->m; i++) {
        double firm = s->system->row_joint[i] == out->widest ? 1.0 : FIRM;
        s->damped.weight[i] = firm * s->weight[i];
    }
    memcpy(s->q_try, q, (size_t)s->system->nq * sizeof *q);
    trStatus status = tr_damped_minimize(&s->damped, &s->manifold, s->t, s->q_try, v, 0.0, &norm);
    if (status < 0) {
        return status;
    }
    if (status == TR_OK) {
        TR_TRY(s->manifold.evaluate(s->manifold.context, s->t, s->q_try, v, &e));
        out->others_close = others_closed(s, out->widest, s->q_try);
    }
    if (out->others_close) {
        memcpy(q, s->q_try, (size_t)s->system->nq * sizeof *q);
    }
    return s->manifold.evaluate(s->manifold.context, s->t, q, v, &e);
}

trStatus tr_search_begin(trSearch *s, const double *start, const double *v, const double *best) {
    size_t bytes = (size_t)s->system->nq * sizeof *start;
    memcpy(s->q_start, start, bytes);
    memcpy(s->q_best, best, bytes);
    memcpy(s->q_try, start, bytes);
    s->random = SEED;
    s->kicks = s->same = 0;
    return settle(s, start, v);
}

trStatus tr_search_next(trSearch *s, const double *v, trFound *out) {
    *out = (trFound){.widest = -1, .q = s->q_best};
    kick(s, s->kicks++);
    return attempt(s, v, &out->closed);
}

trStatus tr_search_nearest(trSearch *s, const double *start, const double *v, trFound *out) {
    *out = (trFound){.widest = -1, .q = s->q_best};
    TR_TRY(tr_search_begin(s, start, v, start));
    return attempt(s, v, &out->closed);
}

trStatus tr_search_pose(trSearch *s, const double *start, const double *v, trFound *out) {
    TR_TRY(tr_search_nearest(s, start, v, out));
    for (int k = 0; !out->closed && k < KICKS && s->same < MAX_SAME; k++) {
        TR_TRY(tr_search_next(s, v, out));
    }
    return out->closed ? TR_OK : gather_gap(s, s->q_best, v, out);
}
