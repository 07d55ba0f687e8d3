// SPDX-License-Identifier: MIT
// Spins that no joint holds, of bodies that are nearly points.
//
// A body turns freely about an axis n through its center of mass where joints act on it only at
// points of this axis: A n = 0. Its spin then follows from its moments of inertia J alone,
//
//     n'(J W' + W x J W) = n'(moments of forces),
//
// while n'A' lambda, which is zero, is what rounding leaves of lambda times the arm r. Divided by
// J = 1e-12 m r^2 it becomes a false spin, with every method, which the step size would follow.
//
// Moments of inertia below 1e-8 m r^2 are therefore enlarged to that, all by one factor. Where no
// force turns the body about n, the factor drops out of the equation above, and the spin remains
// what it was; other motion changes by parts of 1e-8, as it would with such moments. Joints that
// transmit moments join the spins of their bodies: these have one factor together, and none if one
// of them is held.

#include <math.h>

#include "system/spatial.h"

#define POINT 1e-8          // of m r^2: least moments of inertia about a free axis
#define POINT_OF_PORT 1e-7  // likewise where other modules are glued, whose compliances add up
#define THIN 0.1            // of that, for a body that is nearly a line
#define MOST 10.0           // of that, of bodies that spin together
#define HELD 1e-14          // of the largest |A n|^2: what joints hold
#define LEVER 1e-12         // of r: arm of a force that does not turn the body
#define FASTEST 10.0        // spin at the start that moves nothing else with 1e-8 m r^2 [rad/s]

typedef struct Spin {
    double held[6];  // sum of t t' over the turns t of rows that are forces
    double arm;      // the longest, squared [m^2]
    trVec3 axis;     // n, in principal axes
    double least;    // moment of inertia [kg m^2]
    double factor;   // of moments below it
    bool   port;     // of a module
    bool   free;
} Spin;

// The rows of a joint at the start of the model.
typedef struct Rows {
    trJointAlone alone;
    int          count, bodies;
    Spin        *spin[TR_JOINT_BODIES];  // NULL: ground
    trMotion3    motion[TR_JOINT_BODIES];
} Rows;

static const double no_turns[TR_JOINT_TURNS] = {0.0};

static trMotion3 start_of(const trSystem *s, int body) {
    trMotion3    motion = {.u = {1.0, 0.0, 0.0, 0.0}, .R = tr_identity3()};
    const trVec3 zero = {0.0, 0.0, 0.0};
    if (body != TR_GROUND) {
        tr_spatial_move(&motion, s->q0 + s->space->nq * body, zero, zero);
    }
    return motion;
}

static void evaluate(const trSystem *s, int j, Spin *spin, Rows *r) {
    const trJoint *joint = &s->joint[j];
    trMotions      m;
    r->bodies = joint->bodies;
    r->count = joint->kind->rows;
    for (int k = 0; k < r->bodies; k++) {
        const int body = joint->body[k];
        r->motion[k] = start_of(s, body);
        r->spin[k] = body != TR_GROUND ? &spin[body] : NULL;
        m.solid[k] = &r->motion[k];
    }
    tr_joint_alone(joint, 0.0, &m, no_turns, &r->alone);
}

static double square(const double *x) {
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

// What forces hold, and with which arms.
static void add_forces(int rows, const double *J, Spin *spin) {
    for (int i = 0; i < rows; i++) {
        const double *shift = J + 6 * i, *t = shift + 3;
        const double  part[6] = {t[0] * t[0], t[1] * t[1], t[2] * t[2],
                                 t[0] * t[1], t[0] * t[2], t[1] * t[2]};
        for (int k = 0; square(shift) > 0.0 && k < 6; k++) {
            spin->held[k] += part[k];
        }
        spin->arm = square(shift) > 0.0 ? fmax(spin->arm, square(t) / square(shift)) : spin->arm;
    }
}

// Ports are points where forces of other modules act. They do not hold what turns freely in a
// module by itself; where its joints have no arms, they tell the axis.
static void add_ports(const trSystem *s, Spin *spin) {
    for (int i = 0; i < s->frames; i++) {
        const trFrame *frame = &s->frame[i];
        if (!frame->port || frame->body == TR_GROUND) {
            continue;
        }
        Spin           *own = &spin[frame->body];
        const trPlace3 *place = &s->body[frame->body].spatial.place;
        trVec3          r = tr_quat_unrotate(place->principal, tr_sub3(frame->at, place->com));
        double          J[18] = {1.0, 0.0, 0.0,  0.0, -r.z, r.y, 0.0,  1.0, 0.0,
                                 r.z, 0.0, -r.x, 0.0, 0.0,  1.0, -r.y, r.x, 0.0};
        Spin            at = {0};
        add_forces(3, J, own->arm > 0.0 ? &at : own);
        own->arm = fmax(own->arm, at.arm);
        own->port = true;
    }
}

// Whether moments of the joint act on the spin.
static bool is_turned(const Rows *r, int side) {
    const Spin *spin = r->spin[side];
    for (int i = 0; spin != NULL && i < r->count; i++) {
        const double *shift = r->alone.J[side] + 6 * i, *t = shift + 3;
        double        part = tr_dot3(tr_vec3_of(t), spin->axis);
        if (square(shift) == 0.0 && part * part > HELD * square(t)) {
            return true;
        }
    }
    return false;
}

// The largest moment of inertia that is below the least one.
static double largest_below(const Spin *spin, trVec3 J) {
    const double at[3] = {J.x, J.y, J.z};
    double       most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = at[k] < spin->least ? fmax(most, at[k]) : most;
    }
    return most;
}

static void find_axis(const trSystem *s, int i, Spin *spin) {
    const trVec3 J = s->body[i].spatial.place.inertia;
    double       value[3];
    trMat3       axes;
    trVec3       v, W;
    tr_principal_axes(spin->held, value, &axes);
    spin->axis = axes.x;
    spin->least = (spin->port ? POINT_OF_PORT : POINT) * s->body[i].mass * spin->arm;
    spin->factor = spin->least / largest_below(spin, J);
    tr_spatial_start_velocity(&s->body[i], s->q0 + s->space->nq * i, &v, &W);
    const trVec3 n = spin->axis;
    const double own = J.x * n.x * n.x + J.y * n.y * n.y + J.z * n.z * n.z;
    spin->free = fabs(value[0]) <= HELD * value[2] && own < spin->least && isfinite(spin->factor) &&
                 fabs(tr_dot3(W, n)) <= FASTEST;
}

// Forces that may turn it: all that do not act at a point of the axis.
static void exclude(const trMotion3 *m, const trLoad3 *load, Spin *spin) {
    double lever = fabs(tr_dot3(load->moment, tr_rotate3(&m->R, spin->axis)));
    double force = tr_length3(load->force);
    spin->free = spin->free && force > 0.0 && lever <= LEVER * sqrt(spin->arm) * force;
}

static void exclude_turned(const trSystem *s, Spin *spin) {
    double turn[TR_JOINT_TURNS];
    for (int i = 0; i < s->varying; i++) {
        const trForce *force = &s->force[i];
        trMotion3      m1 = start_of(s, force->body1), m2 = start_of(s, force->body2);
        trForceOut     out = {.near = no_turns, .turn = turn};
        force->kind->eval3(force->params, 0.0, &m1, &m2, &out);
        if (force->body1 != TR_GROUND) {
            exclude(&m1, &out.at1, &spin[force->body1]);
        }
        if (force->body2 != TR_GROUND) {
            exclude(&m2, &out.at2, &spin[force->body2]);
        }
    }
}

// Spins that a joint joins have one factor, or are held. Returns whether anything changed.
static bool join(const Rows *r) {
    bool changed = false;
    for (int k = 0; k < r->bodies; k++) {
        Spin *own = r->spin[k];
        if (own == NULL || !is_turned(r, k) || !own->free) {
            continue;
        }
        bool   together = true;
        double factor = own->factor;
        int    others = 0;
        for (int i = 0; i < r->bodies; i++) {
            if (i != k && r->spin[i] != NULL) {
                together = together && is_turned(r, i) && r->spin[i]->free;
                factor = fmax(factor, r->spin[i]->factor);
                others++;
            }
        }
        together = together && others > 0;
        changed |= !together || factor != own->factor;
        own->free = together;
        own->factor = together ? factor : own->factor;
    }
    return changed;
}

// Once in their order and once against it, until nothing changes: what is held is often a chain.
static void join_all(const trSystem *s, Spin *spin) {
    bool changed = true;
    Rows r;
    while (changed) {
        changed = false;
        for (int i = 0; i < 2 * s->joints; i++) {
            evaluate(s, i < s->joints ? i : 2 * s->joints - 1 - i, spin, &r);
            changed |= join(&r);
        }
        for (int i = 0; i < s->bodies; i++) {
            trVec3 J = s->body[i].spatial.place.inertia;
            bool   much = spin[i].factor * largest_below(&spin[i], J) > MOST * spin[i].least;
            changed |= spin[i].free && much;
            spin[i].free = spin[i].free && !much;
        }
    }
}

static void enlarge(const Spin *spin, trVec3 *J) {
    double *at[3] = {&J->x, &J->y, &J->z};
    for (int k = 0; k < 3; k++) {
        if (*at[k] > 0.0 && *at[k] < spin->least) {
            *at[k] = fmax(*at[k] * spin->factor, THIN * spin->least);
        }
    }
}

static bool any_free(const trSystem *s, const Spin *spin) {
    for (int i = 0; i < s->bodies; i++) {
        if (spin[i].free) {
            return true;
        }
    }
    return false;
}

static void enlarge_all(trSystem *s, Spin *spin, trBody *body) {
    Rows r;
    for (int j = 0; j < s->joints; j++) {
        evaluate(s, j, spin, &r);
        for (int k = 0; k < r.bodies; k++) {
            if (r.spin[k] != NULL) {
                add_forces(r.count, r.alone.J[k], r.spin[k]);
            }
        }
    }
    add_ports(s, spin);
    for (int i = 0; i < s->bodies; i++) {
        find_axis(s, i, &spin[i]);
    }
    exclude_turned(s, spin);
    if (!any_free(s, spin)) {
        return;
    }
    join_all(s, spin);
    for (int i = 0; i < s->bodies; i++) {
        if (spin[i].free) {
            enlarge(&spin[i], &body[i].spatial.place.inertia);
        }
        if (spin[i].free && s->space->mass != NULL) {
            s->space->mass(&body[i], s->mass + s->space->nv * i);
        }
    }
}

// What is recorded or computed in C may turn bodies.
static bool has_functions(const trSystem *s) {
    bool found = s->traced != NULL;
    for (int i = 0; i < s->varying; i++) {
        found = found || s->force[i].kind == &tr_function_force;
    }
    return found;
}

trStatus tr_enlarge_free_spins(trSystem *s, trBody *body) {
    if (s->space->dim == 0 || has_functions(s)) {
        return TR_OK;
    }
    trArena *scratch = tr_arena_create();
    Spin    *spin = tr_new_array(scratch, Spin, s->bodies);
    double  *arm = tr_new_array(scratch, double, s->bodies);
    trStatus status = tr_arena_status(scratch);
    if (status == TR_OK && s->space->dim == 3) {
        enlarge_all(s, spin, body);
    } else if (status == TR_OK) {
        tr_enlarge_planar_spins(s, arm, body);
    }
    tr_arena_destroy(scratch);
    return status;
}
