// SPDX-License-Identifier: MIT
// Coordinates that stay. Velocities u take the place of v, with v = T(q) u: where anything is kept,
// u is the velocity of the origin of each body's frame, which is what users place,
//
//     v = u_origin + w x arm,    arm = R com
//
// and the same as v of bodies that are kept as a whole. With K the columns that are kept, the
// equations seen are
//
//     A T u = b1    ->    (A T without K) u = b1 - (A T)_K u_K
//
// so that the smallest step has zeros in K.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "base/spell.h"
#include "sim/assemble.h"

#define STAYED 1e-14       // of positions, relative to 1 + max|q|: rounding
#define STAYED_RATE 1e-12  // of velocities, relative to 1 + max|v|

static const char *const planar_words[] = {"x", "y", "angle"};
static const char *const spatial_words[] = {"x", "y", "z", "orientation"};

static const char *word(const void *context, int i) {
    return ((const char *const *)context)[i];
}

static int words_of(const trSystem *s, const char *const **words) {
    *words = s->space->dim == 2 ? planar_words : spatial_words;
    return s->space->dim == 2 ? 3 : s->space->dim == 3 ? 4 : 0;
}

trStatus tr_kept_plan(trArena *arena, const trSystem *s, const trManifold *inner, trKept *k) {
    *k = (trKept){.system = s,
                  .inner = *inner,
                  .fixed = tr_new_array(arena, bool, s->nv),
                  .whole = tr_new_array(arena, bool, s->bodies),
                  .about = tr_new_array(arena, bool, s->bodies),
                  .value = tr_new_array(arena, double, s->values),
                  .b1 = tr_new_array(arena, double, s->m),
                  .v = tr_new_array(arena, double, s->nv)};
    return tr_arena_status(arena);
}

void tr_kept_clear(trKept *k) {
    memset(k->fixed, 0, (size_t)k->system->nv * sizeof *k->fixed);
    memset(k->whole, 0, (size_t)k->system->bodies * sizeof *k->whole);
    memset(k->about, 0, (size_t)k->system->bodies * sizeof *k->about);
}

static bool has_arm(const trSystem *s, int body) {
    trVec3 com = s->body[body].spatial.place.com;
    return s->space->dim == 2 ? hypot(s->body[body].com.x, s->body[body].com.y) > 0.0
                              : tr_length3(com) > 0.0;
}

static trStatus refuse_word(const trSystem *s, const trKeep *keep) {
    const char *const *words = NULL;
    int                count = words_of(s, &words);
    const char        *name = s->body[keep->body].name;
    if (count == 0) {
        return tr_fail(TR_E_ARGUMENT, "coordinate '%s' has no part '%s'; keep '%s'", name,
                       keep->coordinate, name);
    }
    const char *near = tr_spell_nearest(keep->coordinate, count, word, words);
    tr_fail(TR_E_ARGUMENT, "body '%s' has no coordinate '%s'", name, keep->coordinate);
    if (near != NULL) {
        return tr_add_hint(TR_E_ARGUMENT, "; did you mean '%s'?", near);
    }
    for (int i = 0; i < count; i++) {
        tr_add_hint(TR_E_ARGUMENT, "%s%s", i == 0 ? "; it has " : ", ", words[i]);
    }
    return TR_E_ARGUMENT;
}

trStatus tr_kept_add(trKept *k, const trKeep *keep) {
    const trSystem    *s = k->system;
    int                nv = s->space->nv, dim = s->space->dim, part = 0;
    const char *const *words = NULL;
    int                count = words_of(s, &words);
    if (keep->body < 0 || keep->body >= s->bodies) {
        return tr_fail(TR_E_ARGUMENT, "there is no body %d to keep", keep->body);
    }
    bool *fixed = k->fixed + (ptrdiff_t)nv * keep->body;
    if (keep->coordinate != NULL) {
        while (part < count && strcmp(words[part], keep->coordinate) != 0) {
            part++;
        }
        if (part == count) {
            return refuse_word(s, keep);
        }
        if (nv == 7 && part < 3 && has_arm(s, keep->body)) {
            return tr_fail(TR_E_ARGUMENT,
                           "'%s' of body '%s' cannot be kept with coordinates = \"quaternion\"; "
                           "keep the whole body, or use coordinates = \"body\"",
                           keep->coordinate, s->body[keep->body].name);
        }
    }
    for (int i = 0; i < nv; i++) {
        bool turn = dim == 3 && part == 3 && i >= 3;
        fixed[i] = fixed[i] || keep->coordinate == NULL || i == part || turn;
    }
    bool whole = true;
    for (int i = 0; i < nv; i++) {
        whole = whole && fixed[i];
    }
    k->whole[keep->body] = whole;
    for (int i = 0; i < s->bodies; i++) {  // all: what a small change is shall not depend on `keep`
        k->about[i] = !k->whole[i] && dim != 0 && nv != 7 && has_arm(s, i);
    }
    return TR_OK;
}

// R com of a body, in world axes, and its axes (spatial).
static trVec3 arm_of(const trKept *k, int body, const double *q, trMat3 *R) {
    const trBody *b = &k->system->body[body];
    if (k->system->space->dim == 2) {
        trVec2 arm = tr_rotate2(cos(q[2]), sin(q[2]), b->com);
        return (trVec3){arm.x, arm.y, 0.0};
    }
    trQuat u = tr_quat_unit((trQuat){q[3], q[4], q[5], q[6]});
    *R = tr_quat_matrix(u);
    return tr_quat_rotate(u, tr_quat_unrotate(b->spatial.place.principal, b->spatial.place.com));
}

// What turning about axis `column` of a body does to its center of mass while its origin stands.
static trVec3 lever(const trKept *k, trVec3 arm, const trMat3 *R, int column) {
    if (k->system->space->dim == 2) {
        return (trVec3){-arm.y, arm.x, 0.0};
    }
    return tr_cross3(column == 3 ? R->x : column == 4 ? R->y : R->z, arm);
}

// x = x + factor u, of as many parts as there are dimensions.
static void add_part(const trKept *k, double factor, trVec3 u, double *x) {
    x[0] += factor * u.x;
    x[1] += factor * u.y;
    if (k->system->space->dim == 3) {
        x[2] += factor * u.z;
    }
}

// v = v + sign (w x arm) of bodies about their origins.
static void shift_velocities(const trKept *k, const double *q, double sign, double *v) {
    const trSpace *space = k->system->space;
    for (int i = 0; i < k->system->bodies; i++) {
        double *own = v + (ptrdiff_t)space->nv * i;
        trMat3  R = tr_identity3();
        if (!k->about[i]) {
            continue;
        }
        trVec3 arm = arm_of(k, i, q + (ptrdiff_t)space->nq * i, &R);
        for (int c = space->dim; c < space->nv; c++) {
            add_part(k, sign * own[c], lever(k, arm, &R, c), own);
        }
    }
}

void tr_kept_from_v(const trKept *k, const double *q, double *v) {
    shift_velocities(k, q, -1.0, v);
}

void tr_kept_to_v(const trKept *k, const double *q, double *u) {
    shift_velocities(k, q, 1.0, u);
}

// The block of one side of a body about its origin becomes that of A T.
static void turn_block(const trKept *k, int body, const double *q, int rows, double *block) {
    const trSpace *space = k->system->space;
    trMat3         R = tr_identity3();
    trVec3         arm = arm_of(k, body, q + (ptrdiff_t)space->nq * body, &R);
    for (int c = space->dim; c < space->nv; c++) {
        trVec3 move = lever(k, arm, &R, c);
        for (int i = 0; i < rows; i++) {
            double *row = block + (ptrdiff_t)space->nv * i;
            row[c] += row[0] * move.x;
            row[c] += row[1] * move.y;
            row[c] += space->dim == 3 ? row[2] * move.z : 0.0;
        }
    }
}

// Zeros in columns that are kept; what they did to A u goes to b1.
static void hold_block(trKept *k, int first, int rows, int side, const double *u) {
    const trRows *A = &k->e.A;
    int           column = A->side_column[side], width = A->side_width[side];
    double       *block = k->value + A->side_value[side];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < width; j++) {
            if (k->fixed[column + j]) {
                k->b1[first + i] -= block[i * width + j] * u[column + j];
                block[i * width + j] = 0.0;
            }
        }
    }
}

static trStatus evaluate(void *context, double t, const double *q, const double *u,
                         const trEquations **out) {
    trKept            *k = context;
    const trEquations *inner = NULL;
    int                nv = k->system->space->nv;
    memcpy(k->v, u, (size_t)k->system->nv * sizeof *u);
    tr_kept_to_v(k, q, k->v);
    TR_TRY(k->inner.evaluate(k->inner.context, t, q, k->v, &inner));
    k->e = *inner;
    memcpy(k->value, inner->A.value, (size_t)k->system->values * sizeof *k->value);
    memcpy(k->b1, inner->b1, (size_t)k->system->m * sizeof *k->b1);
    k->e.A.value = k->value;
    k->e.b1 = k->b1;
    k->e.stamp = 0;  // this A is no one else's
    for (int g = 0; g < k->e.A.groups; g++) {
        int first = k->e.A.group_row[g], rows = k->e.A.group_row[g + 1] - first;
        for (int s = k->e.A.group_side[g]; s < k->e.A.group_side[g + 1]; s++) {
            int body = k->e.A.side_column[s] / nv;
            if (k->about[body]) {
                turn_block(k, body, q, rows, k->value + k->e.A.side_value[s]);
            }
            hold_block(k, first, rows, s, u);
        }
    }
    *out = &k->e;
    return TR_OK;
}

static void retract(void *context, const double *du, double *q) {
    const trKept  *k = context;
    const trSpace *space = k->system->space;
    for (int i = 0; i < k->system->bodies; i++) {
        const double *own = du + (ptrdiff_t)space->nv * i;
        double       *at = q + (ptrdiff_t)space->nq * i;
        double        step[7];
        trMat3        R = tr_identity3();
        if (k->whole[i]) {
            continue;
        }
        for (int c = 0; c < space->nv; c++) {
            step[c] = k->fixed[space->nv * i + c] ? 0.0 : own[c];
        }
        if (!k->about[i]) {
            tr_space_retract(space, step, at);
            continue;
        }
        trVec3 before = arm_of(k, i, at, &R);
        tr_space_retract(space, step, at);
        add_part(k, 1.0, tr_sub3(arm_of(k, i, at, &R), before), at);
    }
}

static double reach(void *context, const double *du) {
    const trKept *k = context;
    return k->inner.reach == NULL ? 1.0 : k->inner.reach(k->inner.context, du);
}

trManifold tr_kept_manifold(trKept *k) {
    return (trManifold){.nq = k->inner.nq,
                        .nv = k->inner.nv,
                        .context = k,
                        .evaluate = evaluate,
                        .retract = retract,
                        .reach = reach};
}

// Where the frame's origin is, of bodies about it; of all others the center of mass.
static trVec3 place_of(const trKept *k, int body, const double *q) {
    const double *at = q + (ptrdiff_t)k->system->space->nq * body;
    trVec3        place = {at[0], at[1], k->system->space->dim == 3 ? at[2] : 0.0};
    trMat3        R = tr_identity3();
    return k->about[body] ? tr_sub3(place, arm_of(k, body, at, &R)) : place;
}

bool tr_kept_stays(const trKept *k, const double *q0, const double *q, double *scratch) {
    const trSystem *s = k->system;
    const trSpace  *space = s->space;
    double          allowed = STAYED * (1.0 + tr_largest(s->nq, q0));
    bool            stays = true;
    tr_system_difference(s, q, q0, scratch);
    for (int i = 0; i < s->bodies; i++) {
        size_t        bytes = (size_t)space->nq * sizeof *q;
        ptrdiff_t     first = (ptrdiff_t)space->nq * i;
        const bool   *fixed = k->fixed + (ptrdiff_t)space->nv * i;
        trVec3        move = {0.0, 0.0, 0.0};
        const double *change = scratch + (ptrdiff_t)space->nv * i;
        if (space->dim != 0) {
            move = tr_sub3(place_of(k, i, q), place_of(k, i, q0));
        }
        const double part[] = {move.x, move.y, move.z};
        stays = stays && (!k->whole[i] || memcmp(q + first, q0 + first, bytes) == 0);
        for (int c = 0; c < space->nv; c++) {
            double by = c < space->dim ? part[c] : change[c];
            stays = stays && (!fixed[c] || k->whole[i] || fabs(by) <= allowed);
        }
    }
    return stays;
}

bool tr_kept_goes_on(const trKept *k, const double *q, double *v0, double *v) {
    double allowed = STAYED_RATE * (1.0 + tr_largest(k->system->nv, v0));
    bool   same = true;
    tr_kept_from_v(k, q, v0);
    tr_kept_from_v(k, q, v);
    for (int i = 0; i < k->system->nv; i++) {
        same = same && (!k->fixed[i] || fabs(v[i] - v0[i]) <= allowed);
    }
    return same;
}
