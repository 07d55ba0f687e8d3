// SPDX-License-Identifier: MIT
// Directions and motions in words that a user knows: axes of the world, of bodies, of joints, lines
// through joints.

#include <math.h>
#include <string.h>

#include "check/check.h"

#define PARALLEL 1e-6  // sine of the angle up to which directions are the same, at least
#define PLAIN 1e-3     // parts of a motion that are not mentioned, relative
#define ON_LINE 1e-2   // distance of a joint from an axis that passes it, in sizes of a body

// Where the rank is told to a tolerance, directions are known no better.
static bool same_line(const trCheckWork *w, trVec3 a, trVec3 b) {
    double lengths = tr_length3(a) * tr_length3(b), sine = fmax(PARALLEL, w->rank_tolerance);
    return lengths > 0.0 && tr_length3(tr_cross3(a, b)) <= sine * lengths;
}

const char *tr_check_kind(const trCheckWork *w, int joint) {
    return joint >= w->joints ? "constraint" : w->joint[joint].kind;
}

static const trVec3 world[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
static const char  *letter[3] = {"x", "y", "z"};

static int world_axis(const trCheckWork *w, trVec3 a) {
    for (int k = 0; k < 3; k++) {
        if (same_line(w, a, world[k])) {
            return k;
        }
    }
    return -1;
}

// Which axis of the body frame it is, or -1.
static int body_axis(const trCheckWork *w, int body, trVec3 a) {
    trBodyState s = tr_system_body_state(w->system, body, tr_eval_q(w->eval), tr_eval_v(w->eval));
    trQuat      u = {s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]};
    for (int k = 0; k < 3; k++) {
        if (same_line(w, a, tr_quat_rotate(u, world[k]))) {
            return k;
        }
    }
    return -1;
}

static bool touches(const trCheckWork *w, int joint, int body) {
    const trJointInfo *j = &w->joint[joint];
    return j->body1 == body || j->body2 == body;
}

// Whether another joint of the body lies in this direction from the joint.
static bool along_body(const trCheckWork *w, int body, int joint, trVec3 a) {
    for (int j = 0; body >= 0 && j < w->joints; j++) {
        trVec3 d = tr_sub3(w->point[j], w->point[joint]);
        if (j != joint && touches(w, j, body) && tr_length3(d) > PARALLEL * w->size &&
            same_line(w, a, d)) {
            return true;
        }
    }
    return false;
}

static double tidy(double x) {
    return fabs(x) < 5e-4 ? 0.0 : x;
}

static const char *vector_text(trCheckWork *w, trVec3 a) {
    double sign = a.x < -PARALLEL || (fabs(a.x) <= PARALLEL && a.y < 0.0) ? -1.0 : 1.0;
    a = tr_scale3(sign / tr_length3(a), a);
    if (w->dim == 2) {
        return tr_arena_format(w->arena, "(%.3g, %.3g)", tidy(a.x), tidy(a.y));
    }
    return tr_arena_format(w->arena, "(%.3g, %.3g, %.3g)", tidy(a.x), tidy(a.y), tidy(a.z));
}

bool tr_check_joint_axis(trCheckWork *w, int joint, trVec3 *out) {
    trWrench all[TR_CHECK_ROWS];
    trVec3   f[TR_CHECK_ROWS], c[TR_CHECK_ROWS];
    int      count = tr_check_bearing(w, joint, all);
    for (int i = 0; i < count; i++) {
        f[i] = tr_wrench_force(&all[i]);
        c[i] = tr_wrench_moment(&all[i]);
    }
    if (w->dim != 3) {
        return false;
    }
    if (tr_span3(count, c) == 2) {
        *out = tr_cross3(c[0], c[1]);
        return true;
    }
    if (tr_span3(count, f) == 2) {
        *out = tr_cross3(f[0], f[1]);
        return true;
    }
    return false;
}

const char *tr_check_axis(trCheckWork *w, int joint, trVec3 a, bool force) {
    const trJointInfo *j = &w->joint[joint];
    const int          body[2] = {j->body1, j->body2};
    trVec3             own;
    bool               is_own = tr_check_joint_axis(w, joint, &own) && same_line(w, a, own);
    for (int k = 0; force && !is_own && k < 2; k++) {
        if (along_body(w, body[k], joint, a)) {
            const char *name = tr_check_body(w, body[k]);
            int         axis = body_axis(w, body[k], a);
            return axis < 0 ? name
                            : tr_arena_format(w->arena, "%s (its %s axis)", name, letter[axis]);
        }
    }
    if (world_axis(w, a) >= 0) {
        return letter[world_axis(w, a)];
    }
    if (is_own) {
        return "the joint's axis";
    }
    for (int k = 0; k < 2; k++) {
        int axis = body[k] >= 0 ? body_axis(w, body[k], a) : -1;
        if (axis >= 0) {
            return tr_arena_format(w->arena, "the %s axis of %s", letter[axis],
                                   tr_check_body(w, body[k]));
        }
    }
    return vector_text(w, a);
}

// "along x and y", of `count` orthonormal directions.
static const char *span_text(trCheckWork *w, int joint, int count, trVec3 *d, bool force) {
    const char *word = force ? "along" : "about";
    bool        planar = w->dim == 2;
    if (count == 1) {
        return tr_arena_format(w->arena, "%s %s", word, tr_check_axis(w, joint, d[0], force));
    }
    if (count == 3 || planar) {
        return tr_arena_format(w->arena, planar ? "%s x and y" : "%s x, y and z", word);
    }
    trVec3 normal = tr_cross3(d[0], d[1]);
    int    axis = world_axis(w, normal);
    if (axis >= 0) {
        return tr_arena_format(w->arena, "%s %s and %s", word, letter[axis == 0 ? 1 : 0],
                               letter[axis == 2 ? 1 : 2]);
    }
    return tr_arena_format(w->arena, "%s across %s", force ? "in directions" : "about axes",
                           tr_check_axis(w, joint, normal, false));
}

static void store(int count, const trVec3 *from, double to[3][3]) {
    for (int i = 0; i < count; i++) {
        to[i][0] = from[i].x;
        to[i][1] = from[i].y;
        to[i][2] = from[i].z;
    }
}

static const char *words(trCheckWork *w, const trDirections *d, const char *first,
                         const char *second, trWordFor what) {
    bool        motion = what == TR_WORDS_MOTION, turn = w->dim == 2;
    const char *one = motion ? "translation" : "force", *two = motion ? "rotation" : "moment";
    const char *about = turn ? "" : second, *gap = turn ? "" : " ";
    if (d->moments == 0) {
        return tr_arena_format(w->arena, "%s %s", one, first);
    }
    if (d->forces == 0) {
        return tr_arena_format(w->arena, "%s%s%s", two, gap, about);
    }
    if (d->count == d->forces + d->moments) {
        return tr_arena_format(w->arena, "%s %s, %s%s%s", one, first, two, gap, about);
    }
    if (d->count == 1) {
        return tr_arena_format(w->arena, "%s %s together with %s%s%s", one, first, two, gap, about);
    }
    return tr_arena_format(w->arena, "%d combinations of %s %s and %s%s%s", d->count, one, first,
                           two, gap, about);
}

trDirections tr_check_directions(trCheckWork *w, int joint, int count, const trWrench *x,
                                 trWordFor what) {
    trDirections out = {.count = count, .text = "nothing"};
    trVec3       f[6] = {{0}}, c[6] = {{0}};
    for (int i = 0; i < count; i++) {
        f[i] = tr_wrench_force(&x[i]);
        c[i] = tr_wrench_moment(&x[i]);
    }
    out.forces = tr_span3(count, f);
    out.moments = tr_span3(count, c);
    store(out.forces, f, out.force);
    store(out.moments, c, out.moment);
    if (count > 0) {
        const char *first = out.forces > 0 ? span_text(w, joint, out.forces, f, true) : "";
        const char *second = out.moments > 0 ? span_text(w, joint, out.moments, c, false) : "";
        out.text = words(w, &out, first, second, what);
    }
    return out;
}

// --- motions of bodies ---

// How many different joints of the body lie on the line; *one is the first.
static int joints_on(const trCheckWork *w, int body, trVec3 at, trVec3 axis, int *one) {
    int count = 0;
    for (int j = 0; j < w->joints; j++) {
        trVec3 d = tr_sub3(w->point[j], at);
        if (!touches(w, j, body) ||
            tr_length3(tr_cross3(d, axis)) > ON_LINE * w->size * tr_length3(axis)) {
            continue;
        }
        if (count == 0) {
            *one = j;
        }
        bool apart = tr_length3(tr_sub3(w->point[j], w->point[*one])) > ON_LINE * w->size;
        count += count == 0 || apart ? 1 : 0;
    }
    return count;
}

static const char *axis_of_body(trCheckWork *w, int body, trVec3 a) {
    int own = body_axis(w, body, a);
    if (own >= 0) {
        return tr_arena_format(w->arena, "its %s axis", letter[own]);
    }
    return world_axis(w, a) >= 0 ? letter[world_axis(w, a)] : vector_text(w, a);
}

static const char *rotation_text(trCheckWork *w, int body, trVec3 at, trVec3 axis) {
    int  one = -1, count = joints_on(w, body, at, axis, &one);
    bool planar = w->dim == 2;
    if (count > 1) {
        return "rotation about its axis";
    }
    if (count == 1 && planar) {
        return tr_arena_format(w->arena, "rotation about joint '%s'", w->group[one].name);
    }
    if (planar) {
        return "rotation";
    }
    const char *name = axis_of_body(w, body, axis);
    return count == 0 ? tr_arena_format(w->arena, "rotation about %s", name)
                      : tr_arena_format(w->arena, "rotation about %s through joint '%s'", name,
                                        w->group[one].name);
}

static int fastest_body(const trCheckWork *w, const double *x) {
    double most = -1.0;
    int    best = 0;
    for (int body = 0; body < w->bodies; body++) {
        double sum = 0.0;
        for (int k = 0; k < w->width; k++) {
            double part = x[(ptrdiff_t)body * w->width + k];
            sum += part * part;
        }
        if (sum > most) {
            most = sum;
            best = body;
        }
    }
    return best;
}

bool tr_check_turns(const trCheckWork *w, const double twist[6]) {
    const trVec3 v = {twist[0], twist[1], twist[2]}, omega = {twist[3], twist[4], twist[5]};
    return tr_length3(omega) * w->size > PLAIN * tr_length3(v);
}

trCheckMotion tr_check_describe(trCheckWork *w, const double *all) {
    int           body = fastest_body(w, all), dim = w->dim;
    const double *x = all + (ptrdiff_t)body * w->width;
    trCheckMotion out = {.body = tr_check_body(w, body), .text = "motion"};
    if (dim == 0) {
        out.twist[0] = x[0];
        return out;
    }
    trVec3 v = {x[0], x[1], dim == 3 ? x[2] : 0.0}, omega = {0.0, 0.0, x[2] / w->size};
    if (dim == 3) {
        omega = tr_scale3(1.0 / w->size, (trVec3){x[3], x[4], x[5]});
    }
    memcpy(out.twist, (const double[]){v.x, v.y, v.z, omega.x, omega.y, omega.z}, sizeof out.twist);
    double turn = tr_length3(omega);
    if (!tr_check_turns(w, out.twist)) {
        out.text = tr_arena_format(w->arena, "translation along %s", axis_of_body(w, body, v));
        return out;
    }
    trVec3 at = tr_add_scaled3(tr_check_center(w, body), 1.0 / (turn * turn), tr_cross3(omega, v));
    out.text = rotation_text(w, body, at, omega);
    if (fabs(tr_dot3(v, omega)) > PLAIN * turn * turn * w->size) {
        out.text = tr_arena_format(w->arena, "%s, and along it", out.text);
    }
    return out;
}
