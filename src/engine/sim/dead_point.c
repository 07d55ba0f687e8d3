// SPDX-License-Identifier: MIT
// Dead points: poses that a drive cannot take a mechanism beyond, as a crank that is driven by its
// slider. Looked for where a run has failed.
//
// Near a singular pose one combination w of the rows is nearly independent of all motions but one,
// u: A u = sigma w, with sigma, the smallest singular value, going to 0. Time h from here and a
// motion x along u leave of w' phi a quadratic form (docs/theory/singular-poses.md) whose roots x
// meet, and are gone, where
//
//     sigma^2 + 2 sigma delta h + r h^2 = 0
//     delta = beta + kappa x' = sigma',    r = beta^2 - kappa gamma
//
// In a pose that can be passed r = delta^2. At a dead point x' grows without bounds, r / delta^2
// goes to 0, and h = -sigma / (2 delta) is left.
//
// The second derivatives are those in b: with v = y + x' u,  -w' b(v - k x' u), k = 0, 1, 2, are
// 2 beta x' + kappa x'^2 + gamma,  gamma,  and  -2 beta x' + kappa x'^2 + gamma.
//
// Such numbers hold close to the pose. It is approached from the last accepted state by steps on
// the constraints that are halved until none is possible; poses that can be passed let the walk
// through.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vector.h"
#include "sim/sim.h"

#define SWEEPS 4        // of inverse iteration: sigma is small against others, or of no interest
#define PASSES 0.5      // r / delta^2 of poses that can be passed is 1
#define NEAR 1e-2       // r / delta^2 of a dead point that is close whatever the step is
#define BEYOND 4.0      // times the estimated way to the pose that a walk tries to go
#define AHEAD 2.0       // steps within which a dead point explains that no step is possible
#define BACK 4.0        // by which the way back grows
#define FINEST 1e-5     // steps of the walk, relative to its way
#define CLOSE 0.02      // of its way: where a walk must end before a dead point
#define MOST_TRIES 400  // of the walk
#define ASTRAY 3.0      // times the expected movement: another pose, not the next one
#define CLOSED 1e-11    // |phi|, relative to max(1, |q|): more is a pose beyond, nearly closed

// The pose ahead of a state.
typedef struct Pose {
    double in;     // time to it, or negative [s]
    double ratio;  // r / delta^2
} Pose;

// Where a walk is: positions and velocities in s->x_new, which the equations were evaluated at.
// What else is needed is memory of the simulation that no accepted state is kept in.
typedef struct Walk {
    trSim  *s;
    double  t;
    double *w;  // m: unit vector, in rows of unit size
    double *u;  // nv: of unit size in the metric M
} Walk;

static trStatus evaluate(Walk *walk, const double *v) {
    trSim *s = walk->s;
    s->eval.z = s->x + s->nq + s->nv;
    return tr_system_eval(s->system, walk->t, s->x_new, v, &s->eval);
}

// Nominal sizes of rows: those of w are taken in their units.
static double row_size(const trSim *s, int row) {
    return s->eval.row_scale[row] > 0.0 ? s->eval.row_scale[row] : 1.0;
}

// w, u and sigma by inverse iteration with A M^-1 A', beginning with what drives ask for.
// `sigma` is 0 without drives.
static trStatus find_pair(Walk *walk, double *sigma) {
    trSim             *s = walk->s;
    const trEquations *e = &s->eval.equations;
    trKernel          *kernel = s->methods.assembler->kernel;
    TR_TRY(tr_kernel_factor(kernel, e));
    for (int i = 0; i < s->m; i++) {
        walk->w[i] = e->b1[i] / row_size(s, i);
    }
    *sigma = 0.0;
    for (int k = 0; k <= SWEEPS; k++) {
        const double size = sqrt(tr_dot(s->m, walk->w, walk->w));
        if (!(size > 0.0) || !isfinite(size)) {
            return TR_OK;
        }
        for (int i = 0; i < s->m; i++) {
            walk->w[i] /= size;
            s->work.rate[i] = walk->w[i] * row_size(s, i);
        }
        *sigma = k > 0 ? 1.0 / sqrt(size) : 0.0;
        if (k == SWEEPS) {
            break;
        }
        TR_TRY(kernel->kind->solve(kernel->work, e, s->methods.assembler->zero, s->work.rate,
                                   walk->u, s->lambda));
        for (int i = 0; i < s->m; i++) {
            walk->w[i] = -s->lambda[i] * row_size(s, i);
        }
    }
    for (int i = 0; i < s->nv; i++) {
        walk->u[i] *= *sigma;
    }
    return TR_OK;
}

// w' of what belongs to rows.
static double along(const Walk *walk, const double *rows) {
    double sum = 0.0;
    for (int i = 0; i < walk->s->m; i++) {
        sum += walk->w[i] * rows[i] / row_size(walk->s, i);
    }
    return sum;
}

// Looks ahead from where the walk is.
static trStatus look(Walk *walk, Pose *out) {
    trSim        *s = walk->s;
    const double *v = s->x_new + s->nq;
    double       *v_k = s->work.slide, sigma = 0.0, curved[3];
    *out = (Pose){.in = -1.0, .ratio = 1.0};
    TR_TRY(evaluate(walk, v));
    TR_TRY(find_pair(walk, &sigma));
    if (!(sigma > 0.0)) {
        return TR_OK;
    }
    const double x_rate = along(walk, s->eval.b1) / sigma;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < s->nv; i++) {
            v_k[i] = v[i] - k * x_rate * walk->u[i];
        }
        TR_TRY(evaluate(walk, v_k));
        curved[k] = -along(walk, s->eval.equations.b);
    }
    TR_TRY(evaluate(walk, v));
    const double gamma = curved[1], beta_x = 0.25 * (curved[0] - curved[2]);
    const double kappa_xx = 0.5 * (curved[0] + curved[2]) - gamma;
    const double delta_x = beta_x + kappa_xx;  // delta x'
    const double ratio = (beta_x * beta_x - kappa_xx * gamma) / (delta_x * delta_x);
    if (!isfinite(ratio) || !(ratio <= 1.0) || !(delta_x * x_rate < 0.0)) {
        return TR_OK;
    }
    *out = (Pose){.in = -sigma * x_rate / (delta_x * (1.0 + sqrt(1.0 - ratio))), .ratio = ratio};
    return TR_OK;
}

// Puts x on the constraints at t. False: it cannot be, or only nearly, or a row would be dropped.
static bool settle(trSim *s, double t, double *x) {
    const trKernel *kernel = s->methods.assembler->kernel;
    if (tr_project(s->methods.assembler, &s->methods.manifold, t, x, x + s->nq, NULL) != TR_OK) {
        return false;
    }
    const int    worst = tr_worst_row(&s->eval.equations);
    const double size = fmax(1.0, tr_largest(s->nq, x));
    return (worst < 0 || tr_row_violation(&s->eval.equations, worst) <= CLOSED * size) &&
           kernel->kind->rank(kernel->work).rank >= s->rows.rank;
}

// The largest |a - b| of positions.
static double distance(const trSim *s, const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < s->nq; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

// x after the time h, with the velocities that it has.
static void extrapolate(trSim *s, double h, const double *from, double *x) {
    memcpy(x, from, (size_t)s->nx * sizeof *x);
    for (int i = 0; i < s->nv; i++) {
        s->work.slide[i] = h * from[s->nq + i];
    }
    tr_system_retract(s->system, s->work.slide, x);
}

// To t + h on the constraints, if the pose there is the next one.
static bool step_on(Walk *walk, double h) {
    trSim  *s = walk->s;
    double *x = s->x_next;
    extrapolate(s, h, s->x_new, x);
    const double expected = distance(s, x, s->x_new);
    if (!settle(s, walk->t + h, x) || !(distance(s, x, s->x_new) <= ASTRAY * expected)) {
        return false;
    }
    memcpy(s->x_new, x, (size_t)s->nx * sizeof *x);
    walk->t += h;
    return true;
}

bool tr_can_be_closed(trSim *s, double h) {
    char words[TR_WORDS];
    snprintf(words, sizeof words, "%s", tr_last_error());
    extrapolate(s, h, s->x, s->x_next);
    bool closed = settle(s, s->t + h, s->x_next);
    tr_fail(TR_OK, "%s", words);
    return closed;
}

// As far as possible, at most by `way`. Returns whether it came to an end before. Beyond a dead
// point that a small change of a length makes of a pose that could be passed there are poses again,
// which a long step would reach: steps to what is ahead are halved until it is known.
static bool walk_on(Walk *walk, double way) {
    const double end = walk->t + way;
    double       h = way;
    for (int i = 0; i < MOST_TRIES && walk->t < end; i++) {
        Pose pose;
        bool ahead = look(walk, &pose) == TR_OK && pose.in > 0.0;
        if (ahead && pose.ratio < PASSES && pose.in < FINEST * way) {
            return true;
        }
        h = ahead && pose.in > FINEST * way ? fmin(h, 0.5 * pose.in) : h;
        bool done = step_on(walk, fmin(h, end - walk->t));
        h = done ? 2.0 * h : 0.5 * h;
        if (h < FINEST * way) {
            return true;
        }
    }
    return false;
}

// --- words ---

// The row by which drives ask for most, or -1.
static int driven_row(const Walk *walk) {
    const trSim *s = walk->s;
    int          most = -1;
    double       largest = 0.0;
    for (int i = 0; i < s->m; i++) {
        double part = fabs(walk->w[i] * s->eval.b1[i]) / row_size(s, i);
        if (part > largest) {
            largest = part;
            most = i;
        }
    }
    return most;
}

static trStatus explain(const Walk *walk, int row) {
    const trSim   *s = walk->s;
    const trJoint *drive = tr_joint_of_row(s, row);
    const char    *word = s->system->recorded > 0 ? "constraint" : "joint";
    char           names[TR_NAMES];
    int            count = tr_list_joints(s, walk->w, drive, names);
    tr_fail(TR_E_SIMULATION, "drives the mechanism into a dead point at t = %.6g s: ", walk->t);
    if (count > 0) {
        tr_add_hint(TR_E_SIMULATION, "%s%s %s cannot follow it any further", word,
                    count == 1 ? "" : "s", names);
    } else {
        tr_add_hint(TR_E_SIMULATION, "no motion can follow it any further");
    }
    tr_add_hint(TR_E_SIMULATION,
                "; end or reverse the drive before that time, change lengths, or start in another "
                "assembly mode; no step is possible after t = %.9g s",
                s->t);
    return tr_blame_joint(TR_E_SIMULATION, drive);
}

bool tr_is_driven(const trSim *s) {
    for (int i = 0; i < s->m; i++) {
        if (s->eval.b1[i] != 0.0 && s->system->holonomic[i]) {
            return true;
        }
    }
    return false;
}

// Walks from a state on the constraints, the accepted one or one before, as far as `way`. Found is
// a dead point where the walk ends.
static trStatus walk_to_it(Walk *walk, double way, bool *found) {
    Pose pose;
    if (!walk_on(walk, way)) {
        return TR_OK;
    }
    TR_TRY(look(walk, &pose));
    *found = pose.in > 0.0 && pose.in <= CLOSE * way && pose.ratio < PASSES;
    walk->t += *found ? pose.in : 0.0;
    return TR_OK;
}

// Whether a dead point is so close that it is the reason for what failed. Where the last state is
// so near that rounding hides it, or beyond with open joints, states before are tried. `in_pose`:
// rows nearly depend on each other already, so that the pose ahead is the reason however far the
// steps, which may have shrunk before it, would have to go.
static trStatus approach(Walk *walk, double h, bool in_pose, bool *found) {
    trSim       *s = walk->s;
    const double passed = s->t - s->def.start;
    bool         first = true;
    for (double back = 0.0; back <= passed && !*found; back = back > 0.0 ? BACK * back : h) {
        Pose pose;
        walk->t = s->t - back;
        extrapolate(s, -back, s->x, s->x_new);
        if (!settle(s, walk->t, s->x_new)) {
            continue;
        }
        TR_TRY(look(walk, &pose));
        bool near = pose.in > 0.0 && fabs(pose.ratio) < NEAR &&
                    (back == 0.0 || pose.in < BEYOND * back + AHEAD * h);
        if (near || first) {
            bool to_pose = near || (in_pose && pose.in > 0.0);
            TR_TRY(
                walk_to_it(walk, fmax(back + AHEAD * h, to_pose ? BEYOND * pose.in : 0.0), found));
        }
        first = false;
    }
    return TR_OK;
}

// Soft joints may open instead of a failure: then the run ends as well.
trStatus tr_explain_dead_point(trSim *s, trStatus status, double h) {
    char       words[TR_WORDS];
    Walk       walk = {.s = s, .t = s->t, .w = s->work.slide_right, .u = s->a};
    bool       found = false;
    const bool opened = status == TR_OK && s->watch.column[TR_ALARM_OPEN] >= 0 &&
                        s->watch.time[TR_ALARM_OPEN] == s->t;
    if ((status != TR_E_SIMULATION && !opened) || !(h > 0.0) || !isfinite(h) || !tr_is_driven(s)) {
        return status;
    }
    snprintf(words, sizeof words, "%s", tr_last_error());
    const bool in_pose = tr_nearly_dependent_row(s) >= 0;
    s->at_state = false;
    trStatus looked = approach(&walk, h, in_pose, &found);
    int      row = looked == TR_OK && found ? driven_row(&walk) : -1;
    if (row >= 0) {
        s->watch.column[TR_ALARM_OPEN] = -1;  // it is the reason
        return explain(&walk, row);
    }
    return opened ? tr_sim_settle(s) : tr_fail(status, "%s", words);
}
