// SPDX-License-Identifier: MIT
// What a joint blocks, along axes that have a name, and which kind blocks less.

#include <math.h>
#include <string.h>

#include "check/check.h"

#define SAME 1e-6  // of unit vectors

// Kinds by the number of forces and moments that they bear. Axes that must agree are compared in
// `fits`.
static const struct {
    int         dim, forces, moments;
    const char *name;
} kinds[] = {
    {2, 2, 1, "fixed"},          {2, 2, 0, "revolute"},    {2, 1, 1, "prismatic"},
    {2, 1, 0, "point_on_line"},  {3, 3, 3, "fixed"},       {3, 3, 2, "revolute"},
    {3, 2, 3, "prismatic"},      {3, 2, 2, "cylindrical"}, {3, 3, 1, "universal"},
    {3, 3, 0, "spherical"},      {3, 1, 2, "planar"},      {3, 2, 0, "point_on_line"},
    {3, 1, 0, "point_on_plane"},
};

typedef struct Axes {
    int    forces, moments;
    trVec3 force[3], moment[3];
} Axes;

static Axes axes_of(const trFixable *f, unsigned freed) {
    Axes a = {0};
    for (int i = 0; i < f->count; i++) {
        if ((freed >> i & 1U) == 0 && f->direction[i].moment) {
            a.moment[a.moments++] = tr_wrench_moment(&f->direction[i].w);
        } else if ((freed >> i & 1U) == 0) {
            a.force[a.forces++] = tr_wrench_force(&f->direction[i].w);
        }
    }
    return a;
}

static bool parallel(trVec3 a, trVec3 b) {
    return tr_length3(tr_cross3(a, b)) <= SAME * tr_length3(a) * tr_length3(b);
}

// A cylindrical joint slides along the axis about which it turns; a planar one turns about its
// normal.
static bool fits(const char *name, const Axes *a) {
    if (strcmp(name, "cylindrical") == 0) {
        return parallel(tr_cross3(a->force[0], a->force[1]), tr_cross3(a->moment[0], a->moment[1]));
    }
    if (strcmp(name, "planar") == 0) {
        return parallel(a->force[0], tr_cross3(a->moment[0], a->moment[1]));
    }
    return true;
}

const char *tr_fixable_kind(const trCheckWork *w, const trFixable *f, unsigned freed) {
    Axes a = axes_of(f, freed);
    if (a.forces + a.moments == 0) {
        return "";
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].dim == w->dim && kinds[i].forces == a.forces &&
            kinds[i].moments == a.moments && fits(kinds[i].name, &a)) {
            return kinds[i].name;
        }
    }
    return NULL;
}

// --- directions with names ---

// `u` joins the `found` ones if it lies in the span (count) and across them.
static int take(trVec3 u, int count, const trVec3 *span, int found, trVec3 *out) {
    trVec3 inside = {0.0, 0.0, 0.0};
    double length = tr_length3(u);
    if (!(length > SAME) || found >= count) {
        return found;
    }
    u = tr_scale3(1.0 / length, u);
    for (int i = 0; i < count; i++) {
        inside = tr_add_scaled3(inside, tr_dot3(u, span[i]), span[i]);
    }
    if (tr_length3(tr_sub3(inside, u)) > SAME) {
        return found;
    }
    for (int i = 0; i < found; i++) {
        if (fabs(tr_dot3(u, out[i])) > SAME) {
            return found;
        }
    }
    out[found] = u;
    return found + 1;
}

// Axes of a body that the joint holds: unlike those of the world they turn with the mechanism.
static void body_axes(const trCheckWork *w, int joint, trVec3 out[3]) {
    const trJointInfo *j = &w->joint[joint];
    trBodyState        s = tr_system_body_state(w->system, j->body2 >= 0 ? j->body2 : j->body1,
                                                tr_eval_q(w->eval), tr_eval_v(w->eval));
    trMat3             R = tr_quat_matrix(
                    (trQuat){s.quaternion[0], s.quaternion[1], s.quaternion[2], s.quaternion[3]});
    out[0] = R.x;
    out[1] = R.y;
    out[2] = R.z;
}

// Of the span what is left of an axis across the directions that were found.
static trVec3 project(trVec3 axis, int count, const trVec3 *span, int found, const trVec3 *out) {
    trVec3 u = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        u = tr_add_scaled3(u, tr_dot3(axis, span[i]), span[i]);
    }
    for (int k = 0; k < found; k++) {
        u = tr_add_scaled3(u, -tr_dot3(u, out[k]), out[k]);
    }
    return u;
}

// `first`: a direction to begin with, or zero. Then axes of the body that lie in the span, and for
// what is left parts of them. Of three axes one has a part of 0.57 at least in every direction: the
// first that is not much shorter is taken, so that rounding does not choose among equal ones.
static void name_span(int count, const trVec3 *span, trVec3 first, const trVec3 axis[3],
                      trVec3 *out) {
    int found = take(first, count, span, 0, out);
    for (int i = 0; i < 3; i++) {
        found = take(axis[i], count, span, found, out);
    }
    for (int i = 0; i < 3 && found < count; i++) {
        trVec3 u = project(axis[i], count, span, found, out);
        found = tr_length3(u) > 0.4 ? take(u, count, span, found, out) : found;
    }
}

// What the loads use of `count` directions: the one, or the one that they leave out.
static trVec3 first_of(int count, int used, const trVec3 *use) {
    if (used == 1 && used < count) {
        return use[0];
    }
    return used == 2 && used < count ? tr_cross3(use[0], use[1]) : (trVec3){0.0, 0.0, 0.0};
}

static int split(int count, const trWrench *w, bool moment, trVec3 *out) {
    for (int i = 0; i < count; i++) {
        out[i] = moment ? tr_wrench_moment(&w[i]) : tr_wrench_force(&w[i]);
    }
    return tr_span3(count, out);
}

static void add(trFixable *f, trVec3 u, bool moment, bool natural) {
    trBlocked *b = &f->direction[f->count++];
    b->w = moment ? (trWrench){{0.0, 0.0, 0.0, u.x, u.y, u.z}}
                  : (trWrench){{u.x, u.y, u.z, 0.0, 0.0, 0.0}};
    b->moment = moment;
    b->natural = natural;
}

void tr_fixable(trCheckWork *w, int joint, int count, const double *const *L, trFixable *out) {
    trFixable f = {.joint = joint};
    trWrench  all[TR_CHECK_ROWS], load[7];
    trVec3    span[2][6], use[2][6], named[3], body[3];
    // Rows of a custom constraint, or of a joint that bears a force only with a moment.
    *out = (trFixable){.joint = joint, .count = w->group[joint].rows};
    if (joint >= w->joints || w->dim == 0) {
        return;
    }
    int rows = tr_check_bearing(w, joint, all), used = 0;
    for (int k = 0; k < count; k++) {
        load[used] = tr_check_wrench(w, joint, L[k]);
        used = tr_span6(used + 1, load);
    }
    int forces = split(rows, all, false, span[0]), moments = split(rows, all, true, span[1]);
    if (forces + moments != rows) {
        return;
    }
    trVec3 axis = {0.0, 0.0, 0.0};  // of a hinge, a slider, a cylindrical joint
    if (moments == 2 || (moments == 3 && forces == 2)) {
        axis = moments == 2 ? tr_cross3(span[1][0], span[1][1]) : tr_cross3(span[0][0], span[0][1]);
    }
    bool   has_axis = tr_length3(axis) > 0.5;
    trVec3 turn = first_of(moments, split(used, load, true, use[1]), use[1]);
    trVec3 shift = first_of(forces, split(used, load, false, use[0]), use[0]);
    body_axes(w, joint, body);
    name_span(moments, span[1], moments == 3 && has_axis ? axis : turn, body, named);
    for (int i = 0; i < moments; i++) {
        add(&f, named[i], true, true);
    }
    name_span(forces, span[0], forces == 3 && has_axis ? axis : shift, body, named);
    for (int i = 0; i < forces; i++) {
        add(&f, named[i], false, has_axis && parallel(named[i], axis));
    }
    const char *kind = tr_fixable_kind(w, &f, 0);
    f.typed = kind != NULL && strcmp(kind, w->joint[joint].kind) == 0;
    *out = f;
}

trStatus tr_fixable_words(trCheckWork *w, const trFixable *f, trCheckFix *out) {
    trWrench    open[TR_CHECK_ROWS];
    int         count = 0;
    const char *name = w->group[f->joint].name, *kind = tr_check_kind(w, f->joint);
    const char *to = f->typed ? tr_fixable_kind(w, f, f->freed) : "";
    *out = (trCheckFix){.joint = name, .kind = kind};
    if (to != NULL && to[0] == '\0') {
        const char *part = tr_check_equations(w, f->joint);
        out->text =
            part == NULL
                ? tr_arena_format(w->arena, "remove the %s '%s': others block all that it blocks",
                                  kind, name)
                : tr_arena_format(w->arena, "remove %s of the %s '%s': others block the same", part,
                                  kind, name);
        return tr_arena_status(w->arena);
    }
    for (int i = 0; i < f->count; i++) {
        if ((f->freed >> i & 1U) != 0) {
            open[count++] = f->direction[i].w;
        }
    }
    trDirections d = tr_check_directions(w, f->joint, count, open, TR_WORDS_MOTION);
    out->replace = to;
    out->text = to == NULL
                    ? tr_arena_format(w->arena, "free %s in joint '%s'", d.text, name)
                    : tr_arena_format(w->arena, "free %s in joint '%s': use a %s instead of the %s",
                                      d.text, name, to, kind);
    return tr_arena_status(w->arena);
}
