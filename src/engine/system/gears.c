// SPDX-License-Identifier: MIT
// Spatial gears measure turns against their carrier, in which their axes must be fixed. Where none
// is given turns are measured against ground, and the axes must be fixed there, or in one other
// body that does not turn. Whether they are is seen in the motions that the joints allow,
//
//     A v = 0        without rows of gears, of drives and of velocities alone
//
// Those of body B as seen from body C are turns about a fixed line along n and shifts along it, if
// for all of them
//
//     omega = alpha n,    n x v = alpha c        with the same c
//     omega = omega_B - omega_C,    v = v_B - v_C - omega_C x r,    r = r_B - r_C
//
// Any body that has one motion in a plane turns about such a line for an instant, and a coupler may
// not turn for an instant. So accelerations are looked at, too, those with A a = b along some of
// the motions: n must not tilt in C, nor what is on the line in B leave it.
//
// Bodies next to the gear are looked at first, then their neighbors, until the axes are found to be
// held: more joints never allow more.

#include <math.h>
#include <string.h>

#include "la/rrqr.h"
#include "system/system.h"

#define DEPENDENT 1e-7  // rows of length one
#define FIXED 1e-3      // of unit motions: axes of gears and bearings may be off by this [rad]
#define MOST_BODIES 80  // that are looked at
#define WAYS 3          // along which accelerations are looked at

// The bodies that are looked at, and how they can move.
typedef struct Near {
    const trEval *e;
    trArena      *arena;
    int          *body;          // bodies of the system, in the order in which they were added
    int          *place;         // bodies of the system: 1 + where it stands in `body`, or 0
    int           bodies, rows;  // of them
    int           free;          // motions
    double       *motion;        // 6 bodies x free: (v, omega size) in world axes, orthonormal
    double        size;          // [m]
    trRrqr        qr;            // of the rows
    double       *length;        // rows: by which they were divided
    double       *way[WAYS];     // 6 bodies: combinations of motions
    double       *bend[WAYS];    // 6 bodies: accelerations along them
    double        bound[WAYS];   // of accelerations that count as none
} Near;

static void add_body(Near *near, int body) {
    if (body != TR_GROUND && near->place[body] == 0) {
        near->body[near->bodies++] = body;
        near->place[body] = near->bodies;
    }
}

// Rows of a joint that hold positions for good.
static int rows_of(const trJoint *joint) {
    bool drives = (joint->kind->traits & (TR_RHEONOMIC | TR_GEARED)) != 0;
    return drives ? 0 : joint->kind->rows - joint->kind->nonholonomic;
}

static bool is_near(const Near *near, const trJoint *joint) {
    for (int k = 0; k < joint->bodies; k++) {
        if (joint->body[k] != TR_GROUND && near->place[joint->body[k]] == 0) {
            return false;
        }
    }
    return true;
}

// v or omega times size of a body in a motion x.
static trVec3 part(const Near *near, const double *x, int body, int first) {
    if (body == TR_GROUND) {
        return (trVec3){0.0, 0.0, 0.0};
    }
    return tr_vec3_of(x + (ptrdiff_t)6 * (near->place[body] - 1) + first);
}

// The rows of a joint with J for (v, omega) in world axes, in the motion x (NULL: rest).
static void find_sides(const Near *near, int number, const double *x, trJointAlone *out) {
    const trEval  *e = near->e;
    const trJoint *j = &e->system->joint[number];
    trMotion3      motion[TR_JOINT_BODIES];
    trMotions      m;
    const trVec3   still = {0.0, 0.0, 0.0};
    for (int k = 0; k < j->bodies; k++) {
        motion[k] = e->motion3[j->body[k] + 1];
        motion[k].v = x != NULL ? part(near, x, j->body[k], 0) : still;
        motion[k].w = x != NULL ? tr_scale3(1.0 / near->size, part(near, x, j->body[k], 3)) : still;
        m.solid[k] = &motion[k];
    }
    tr_joint_alone(j, e->t, &m, e->near + e->system->joint_turn[number], out);
    for (int k = 0; k < j->bodies; k++) {
        for (int i = 0; i < j->kind->rows; i++) {
            double *c = out->J[k] + 6 * i + 3;
            tr_vec3_put(tr_rotate3(&motion[k].R, tr_vec3_of(c)), c);
        }
    }
}

static void fill_rows(const Near *near, double *X) {
    const trSystem *s = near->e->system;
    trJointAlone    sides;
    for (int j = 0; j < s->joints; j++) {
        const int *body = s->joint[j].body;
        const int  rows = is_near(near, &s->joint[j]) ? rows_of(&s->joint[j]) : 0;
        if (rows > 0) {
            find_sides(near, j, NULL, &sides);
        }
        for (int i = 0; i < rows; i++, X += (ptrdiff_t)6 * near->bodies) {
            for (int k = 0; k < s->joint[j].bodies; k++) {
                if (body[k] != TR_GROUND) {
                    memcpy(X + (ptrdiff_t)6 * (near->place[body[k]] - 1), sides.J[k] + 6 * i,
                           6 * sizeof *X);
                }
            }
        }
    }
}

// Rows of length one, for omega times the longest arm.
static void scale_rows(Near *near, double *X) {
    const int n = 6 * near->bodies;
    near->size = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < near->rows; i++) {
            double *x = X + (ptrdiff_t)n * i, shift = 0.0, turn = 0.0;
            for (int k = 0; k < n; k++) {
                x[k] /= pass == 1 && k % 6 >= 3 ? near->size : 1.0;
                *(k % 6 < 3 ? &shift : &turn) += x[k] * x[k];
            }
            const double length = sqrt(shift + turn);
            near->length[i] = length > 0.0 ? length : 1.0;
            for (int k = 0; pass == 1 && k < n; k++) {
                x[k] /= near->length[i];
            }
            near->size =
                pass == 0 && shift > 0.0 ? fmax(near->size, sqrt(turn / shift)) : near->size;
        }
        near->size = near->size > 0.0 ? near->size : 1.0;
    }
}

// Rows of b in the motion x, then the smallest a with A a = b.
static void find_bend(Near *near, const double *x, double *b, double *a) {
    const trSystem *s = near->e->system;
    trJointAlone    sides;
    for (int j = 0, row = 0; j < s->joints; j++) {
        const int rows = is_near(near, &s->joint[j]) ? rows_of(&s->joint[j]) : 0;
        if (rows > 0) {
            find_sides(near, j, x, &sides);
        }
        for (int i = 0; i < rows; i++, row++) {
            b[row] = sides.b[i] / near->length[row];
        }
    }
    for (int k = 0; k < near->qr.rank; k++) {
        a[k] = b[near->qr.pivot[k]];
    }
    if (near->qr.rank > 0) {
        tr_rrqr_solve_rt(&near->qr, a);
        tr_rrqr_mul_q(&near->qr, a);
    }
}

static trStatus find_bends(Near *near) {
    const int n = 6 * near->bodies;
    double   *b = tr_new_array(near->arena, double, near->rows);
    for (int w = 0; w < WAYS; w++) {
        near->way[w] = tr_new_array(near->arena, double, n);
        near->bend[w] = tr_new_array(near->arena, double, n);
    }
    TR_TRY(tr_arena_status(near->arena));
    for (int w = 0; w < WAYS; w++) {
        double square = 0.0;
        for (int k = 0; k < near->free; k++) {
            const double weight = cos((0.7 + w) * k);  // none is small in all ways
            square += weight * weight;
            for (int i = 0; i < n; i++) {
                near->way[w][i] += weight * near->motion[(ptrdiff_t)n * k + i];
            }
        }
        near->bound[w] = FIXED * square / near->size;
        find_bend(near, near->way[w], b, near->bend[w]);
    }
    return TR_OK;
}

// The motions: what is orthogonal to all rows.
static trStatus find_motions(Near *near) {
    const int n = 6 * near->bodies;
    near->rows = 0;
    for (int j = 0; j < near->e->system->joints; j++) {
        const trJoint *joint = &near->e->system->joint[j];
        near->rows += is_near(near, joint) ? rows_of(joint) : 0;
    }
    tr_rrqr_plan(near->arena, n, near->rows, &near->qr);
    near->length = tr_new_array(near->arena, double, near->rows);
    TR_TRY(tr_arena_status(near->arena));
    memset(near->qr.X, 0, (size_t)n * (size_t)near->rows * sizeof *near->qr.X);
    fill_rows(near, near->qr.X);
    scale_rows(near, near->qr.X);
    TR_TRY(tr_rrqr_factor(&near->qr, DEPENDENT));
    near->free = n - near->qr.rank;
    near->motion = tr_new_array(near->arena, double, (size_t)n *(size_t)near->free);
    TR_TRY(tr_arena_status(near->arena));
    for (int k = 0; k < near->free; k++) {
        double *x = near->motion + (ptrdiff_t)n * k;
        x[near->qr.rank + k] = 1.0;
        if (near->rows > 0) {
            tr_rrqr_mul_q(&near->qr, x);
        }
    }
    return find_bends(near);
}

static const double *motion(const Near *near, int k) {
    return near->motion + (ptrdiff_t)6 * near->bodies * k;
}

static bool turns(const Near *near, int body) {
    for (int k = 0; k < near->free; k++) {
        if (tr_length3(part(near, motion(near, k), body, 3)) > FIXED) {
            return true;
        }
    }
    for (int w = 0; w < WAYS; w++) {
        if (tr_length3(part(near, near->bend[w], body, 3)) > near->bound[w]) {
            return true;
        }
    }
    return false;
}

static trVec3 between(const Near *near, int B, int C) {
    return tr_sub3(near->e->motion3[B + 1].r, near->e->motion3[C + 1].r);
}

// omega times size and v of body B as seen from body C.
static trVec3 relative_turn(const Near *near, const double *x, int B, int C) {
    return tr_sub3(part(near, x, B, 3), part(near, x, C, 3));
}

static trVec3 relative_shift(const Near *near, const double *x, int B, int C) {
    trVec3 carried = tr_cross3(part(near, x, C, 3), between(near, B, C));
    return tr_add_scaled3(tr_sub3(part(near, x, B, 0), part(near, x, C, 0)), -1.0 / near->size,
                          carried);
}

// Their rates along a way: omega' = omega_B' - omega_C' - omega_C x omega, and
// v' = a_B - a_C - omega_C' x r - omega_C x (omega_C x r) - 2 omega_C x v.
static void relative_bend(const Near *near, int w, int B, int C, trVec3 *turn, trVec3 *shift) {
    const double *x = near->way[w], *a = near->bend[w], k = 1.0 / near->size;
    const trVec3  r = between(near, B, C), W = tr_scale3(k, part(near, x, C, 3));
    *turn = tr_sub3(tr_sub3(part(near, a, B, 3), part(near, a, C, 3)),
                    tr_cross3(W, relative_turn(near, x, B, C)));
    *shift = tr_sub3(tr_sub3(part(near, a, B, 0), part(near, a, C, 0)),
                     tr_scale3(k, tr_cross3(part(near, a, C, 3), r)));
    *shift = tr_sub3(*shift, tr_cross3(W, tr_cross3(W, r)));
    *shift = tr_sub3(*shift, tr_scale3(2.0, tr_cross3(W, relative_shift(near, x, B, C))));
}

static trVec3 across(const Near *near, const double *x, int B, int C, trVec3 n) {
    return tr_cross3(n, relative_shift(near, x, B, C));
}

// Whether the line at c size from the center of body B stays where it is in C for longer than an
// instant: n x (v' + omega' x c size + omega x (omega x c size)) = 0.
static bool stays_fixed(const Near *near, int B, int C, trVec3 n, trVec3 c) {
    for (int w = 0; w < WAYS; w++) {
        trVec3 omega = relative_turn(near, near->way[w], B, C), turn, shift;
        relative_bend(near, w, B, C, &turn, &shift);
        trVec3 inward = tr_scale3(1.0 / near->size, tr_cross3(omega, tr_cross3(omega, c)));
        trVec3 off = tr_cross3(n, tr_add3(shift, tr_add3(inward, tr_cross3(turn, c))));
        if (tr_length3(tr_cross3(n, turn)) > near->bound[w] || tr_length3(off) > near->bound[w]) {
            return false;
        }
    }
    return true;
}

// Whether the line about which body B turns along n is fixed in body C.
static bool is_fixed(const Near *near, int B, int C, trVec3 n) {
    double alpha = 0.0;
    trVec3 c = {0.0, 0.0, 0.0};
    for (int k = 0; k < near->free; k++) {  // that of the fastest turn
        double turn = tr_dot3(relative_turn(near, motion(near, k), B, C), n);
        if (fabs(turn) > fabs(alpha)) {
            alpha = turn;
            c = across(near, motion(near, k), B, C, n);
        }
    }
    c = fabs(alpha) > FIXED ? tr_scale3(1.0 / alpha, c) : (trVec3){0.0, 0.0, 0.0};
    for (int k = 0; k < near->free; k++) {
        trVec3 omega = relative_turn(near, motion(near, k), B, C);
        trVec3 off = tr_add_scaled3(across(near, motion(near, k), B, C, n), -tr_dot3(omega, n), c);
        if (tr_length3(tr_cross3(n, omega)) > FIXED || tr_length3(off) > FIXED) {
            return false;
        }
    }
    return stays_fixed(near, B, C, n, c);
}

// Whether a motion of body B as seen from body C is a shift along n.
static bool is_shift(trVec3 turn, trVec3 shift, trVec3 n, double bound) {
    return tr_length3(turn) <= bound &&
           tr_length3(tr_add_scaled3(shift, -tr_dot3(shift, n), n)) <= bound;
}

// Whether body B can only move along n in body C.
static bool is_guided(const Near *near, int B, int C, trVec3 n) {
    for (int k = 0; k < near->free; k++) {
        const double *x = motion(near, k);
        if (!is_shift(relative_turn(near, x, B, C), relative_shift(near, x, B, C), n, FIXED)) {
            return false;
        }
    }
    for (int w = 0; w < WAYS; w++) {
        trVec3 turn, shift;
        relative_bend(near, w, B, C, &turn, &shift);
        if (!is_shift(turn, shift, n, near->bound[w])) {
            return false;
        }
    }
    return true;
}

typedef struct Gear {
    const trJoint *joint;
    trVec3         axis[2];    // unit vectors
    bool           slides[2];  // along it; else it turns about it
} Gear;

// The carrier, or ground.
static int carrier_of(const Gear *gear) {
    return gear->joint->body[gear->joint->bodies - 1];
}

static bool is_held(const Near *near, const Gear *gear, int side, int C) {
    const int B = gear->joint->body[side];
    return gear->slides[side] ? is_guided(near, B, C, gear->axis[side])
                              : is_fixed(near, B, C, gear->axis[side]);
}

static bool both_held(const Near *near, const Gear *gear, int C) {
    return is_held(near, gear, 0, C) && is_held(near, gear, 1, C);
}

// Both axes fixed in the carrier; where that is ground, a body that does not turn serves as well.
static bool are_held(const Near *near, const Gear *gear) {
    if (both_held(near, gear, carrier_of(gear))) {
        return true;
    }
    for (int i = 0; carrier_of(gear) == TR_GROUND && i < near->bodies; i++) {
        if (!turns(near, near->body[i]) && both_held(near, gear, near->body[i])) {
            return true;
        }
    }
    return false;
}

static void add_neighbors(Near *near) {
    const trSystem *s = near->e->system;
    const int       known = near->bodies;
    for (int j = 0; j < s->joints; j++) {
        const int *body = s->joint[j].body, bodies = s->joint[j].bodies;
        bool       joined = false;
        for (int k = 0; rows_of(&s->joint[j]) > 0 && k < bodies; k++) {
            joined = joined || (body[k] != TR_GROUND && near->place[body[k]] > 0 &&
                                near->place[body[k]] <= known);
        }
        for (int k = 0; joined && k < bodies; k++) {
            add_body(near, body[k]);
        }
    }
}

static trStatus refuse(const Near *near, const Gear *gear) {
    const trJoint *j = gear->joint;
    const trBody  *body = near->e->system->body;
    const int      carrier = carrier_of(gear), side = is_held(near, gear, 0, carrier);
    const bool     slides = gear->slides[side];
    const char    *axis = side == 0 ? "world_axis1" : "world_axis2";
    const char    *joints = slides ? "a prismatic joint" : "a revolute, cylindrical or screw joint";
    tr_fail(TR_E_MODEL, carrier == TR_GROUND
                            ? "its axes are not fixed in one common body that does not turn"
                            : "its axes are not fixed in its carrier");
    tr_add_hint(TR_E_MODEL,
                ": body '%s' can move otherwise than %s '%s'; hold it on %s%s%s by %s "
                "along that axis",
                body[j->body[side]].name, slides ? "along" : "about", axis,
                carrier == TR_GROUND ? "ground" : "'",
                carrier == TR_GROUND ? "" : body[carrier].name, carrier == TR_GROUND ? "" : "'",
                joints);
    if (carrier == TR_GROUND) {
        tr_add_hint(TR_E_MODEL, ", or name the body that carries the axes as 'carrier'");
    }
    return tr_blame_joint(TR_E_MODEL, j);
}

static trStatus check_gear(Near *near, const Gear *gear) {
    const trSystem *s = near->e->system;
    near->body = tr_new_array(near->arena, int, s->bodies);
    near->place = tr_new_array(near->arena, int, s->bodies);
    TR_TRY(tr_arena_status(near->arena));
    for (int k = 0; k < gear->joint->bodies; k++) {
        add_body(near, gear->joint->body[k]);
    }
    for (int known = 0; known < near->bodies && near->bodies <= MOST_BODIES;) {
        TR_TRY(find_motions(near));
        if (are_held(near, gear)) {
            return TR_OK;
        }
        known = near->bodies;
        add_neighbors(near);
    }
    return refuse(near, gear);
}

// The axes stand in the row of the gear, which couples turns about them or shifts along them.
static Gear gear_of(const Near *near, int number) {
    trJointAlone sides;
    Gear         gear = {.joint = &near->e->system->joint[number]};
    find_sides(near, number, NULL, &sides);
    for (int k = 0; k < 2; k++) {
        const double *f = sides.J[k];
        gear.slides[k] = fabs(f[0]) + fabs(f[1]) + fabs(f[2]) > 0.0;
        const trVec3 c = tr_vec3_of(gear.slides[k] ? f : f + 3);
        gear.axis[k] = tr_scale3(1.0 / tr_length3(c), c);
    }
    return gear;
}

trStatus tr_eval_check_gears(const trEval *e) {
    for (int j = 0; e->system->space->dim == 3 && j < e->system->joints; j++) {
        if ((e->system->joint[j].kind->traits & TR_GEARED) == 0) {
            continue;
        }
        Near     near = {.e = e, .arena = tr_arena_create()};
        Gear     gear = gear_of(&near, j);
        trStatus status = check_gear(&near, &gear);
        tr_arena_destroy(near.arena);
        TR_TRY(status);
    }
    return TR_OK;
}
