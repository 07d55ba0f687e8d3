// SPDX-License-Identifier: MIT
// Tangents of joints and forces. Of a kind that has none: central differences of its own function
// of the motions, with two evaluations for each coordinate of its bodies.

#include <string.h>

#include "system/spatial.h"
#include "system/tangent_parts.h"

// A fair compromise for lengths from 1 mm to 1 km and functions computed to rounding: the error is
// 1e-12 / 6 times the third derivative, and rounding 1e-10 of the value.
#define STEP 1e-6  // [m], [rad]; [m/s], [rad/s] against 1 + the velocity

#define MOST (6 * TR_JOINT_BODIES)  // velocities of the bodies of a joint

// Motions of some bodies, and the functions of them.
typedef struct Motions {
    const trEval *e;
    int           index;  // of the joint or force
    int           bodies;
    int           body[TR_JOINT_BODIES];
    int           width;
    trMotion2     flat[TR_JOINT_BODIES];
    trMotion3     solid[TR_JOINT_BODIES];
    bool          rates;   // velocities are moved, not positions
    const double *lambda;  // of the joint
} Motions;

static Motions motions_of(const trEval *e, int index, int bodies, const int *body) {
    Motions p = {.e = e, .index = index, .bodies = bodies, .width = e->motion2 != NULL ? 3 : 6};
    for (int k = 0; k < bodies; k++) {
        p.body[k] = body[k];
        if (e->motion2 != NULL) {
            p.flat[k] = e->motion2[body[k] + 1];
        } else {
            p.solid[k] = e->motion3[body[k] + 1];
        }
    }
    return p;
}

static double *planar_velocity(trMotion2 *m, int i) {
    double *velocity[3] = {&m->v.x, &m->v.y, &m->omega};
    return velocity[i];
}

static void move_planar(trMotion2 *m, int i, double by) {
    double *q[3] = {&m->r.x, &m->r.y, &m->angle};
    *q[i] += by;
    m->c = cos(m->angle);
    m->s = sin(m->angle);
}

// Of (r, rotation) or, with `rates`, of (v, W): W stays as a body turns.
static void move_spatial(trMotion3 *m, int i, bool rates, double by) {
    trVec3 W = tr_unrotate3(&m->R, m->w);
    double v[6] = {m->v.x, m->v.y, m->v.z, W.x, W.y, W.z}, d[6] = {0.0};
    double q[7];
    (rates ? v : d)[i] += by;
    tr_vec3_put(tr_add3(m->r, tr_vec3_of(d)), q);
    tr_quat_put(tr_quat_mul(m->u, tr_quat_exp(tr_vec3_of(d + 3))), q + 3);
    tr_spatial_move(m, q, tr_vec3_of(v), tr_vec3_of(v + 3));
}

// Motions in which coordinate or velocity i of a body is moved, and by how much.
static double moved(const Motions *p, int side, int i, double by, Motions *out) {
    *out = *p;
    if (p->width == 6) {
        by *= p->rates ? 1.0 + tr_length3(i < 3 ? p->solid[side].v : p->solid[side].w) : 1.0;
        move_spatial(&out->solid[side], i, p->rates, by);
    } else if (p->rates) {
        double *v = planar_velocity(&out->flat[side], i);
        by *= 1.0 + fabs(*v);
        *v += by;
    } else {
        move_planar(&out->flat[side], i, by);
    }
    return by;
}

typedef void (*Function)(const Motions *p, double *f);

// out (n x width of all bodies) gains the changes of n functions.
static void add_differences(const Motions *p, Function f, int n, double *out) {
    for (int side = 0; side < p->bodies; side++) {
        for (int i = 0; p->body[side] != TR_GROUND && i < p->width; i++) {
            double  plus[MOST], minus[MOST];
            Motions near;
            double  across = moved(p, side, i, STEP, &near);
            f(&near, plus);
            across -= moved(p, side, i, -STEP, &near);
            f(&near, minus);
            for (int k = 0; k < n; k++) {
                out[(p->bodies * k + side) * p->width + i] += (plus[k] - minus[k]) / across;
            }
        }
    }
}

// --- joints ---

static void evaluate_joint(const Motions *p, trJointAlone *rows) {
    const trSystem *s = p->e->system;
    trMotions       m;
    for (int k = 0; k < p->bodies; k++) {
        if (p->width == 3) {
            m.flat[k] = &p->flat[k];
        } else {
            m.solid[k] = &p->solid[k];
        }
    }
    tr_joint_alone(&s->joint[p->index], p->e->t, &m, p->e->near + s->joint_turn[p->index], rows);
}

// J' lambda
static void joint_forces(const Motions *p, double *f) {
    trJointAlone rows;
    int          count = p->e->system->joint[p->index].kind->rows;
    evaluate_joint(p, &rows);
    for (int k = 0; k < p->bodies; k++) {
        for (int c = 0; c < p->width; c++) {
            double sum = 0.0;
            for (int i = 0; i < count; i++) {
                sum += rows.J[k][i * p->width + c] * p->lambda[i];
            }
            f[p->width * k + c] = sum;
        }
    }
}

// J v - b1 of rows of velocities.
static void joint_rates(const Motions *p, double *f) {
    const trJointKind *kind = p->e->system->joint[p->index].kind;
    trJointAlone       rows;
    int                first = kind->rows - kind->nonholonomic;
    evaluate_joint(p, &rows);
    for (int i = 0; i < kind->nonholonomic; i++) {
        f[i] = -rows.b1[first + i];
        for (int k = 0; k < p->bodies; k++) {
            const double *J = rows.J[k] + (first + i) * p->width;
            f[i] += p->width == 3 ? tr_side_rate2(&p->flat[k], J) : tr_side_rate3(&p->solid[k], J);
        }
    }
}

static void joint_differences(const trEval *e, int j, const double *lambda, double *K) {
    const trJoint *joint = &e->system->joint[j];
    Motions        p = motions_of(e, j, joint->bodies, joint->body);
    p.lambda = lambda;
    add_differences(&p, joint_forces, p.bodies * p.width, K);
}

static void rate_differences(const trEval *e, int j, double *N) {
    const trJoint *joint = &e->system->joint[j];
    Motions        p = motions_of(e, j, joint->bodies, joint->body);
    memset(N, 0, (size_t)(joint->kind->nonholonomic * p.bodies * p.width) * sizeof *N);
    add_differences(&p, joint_rates, joint->kind->nonholonomic, N);
}

void tr_joint_tangent(trTangent *t, const trEval *e, int j, const double *lambda) {
    const trJoint     *joint = &t->system->joint[j];
    const trJointKind *kind = joint->kind;
    const double      *part = lambda + t->system->pattern.group_row[j];
    const int          width = joint->bodies * t->width;
    const trMotions    m = tr_eval_motions(e, joint);
    memset(t->K, 0, (size_t)(width * width) * sizeof *t->K);
    if (kind->tangent != NULL) {
        kind->tangent(joint->params, m.flat, part, t->K);
    } else if (kind->tangent3 != NULL) {
        kind->tangent3(joint->params, m.solid, part, t->K);
    } else {
        joint_differences(e, j, part, t->K);
    }
}

void tr_rate_tangent(const trEval *e, int j, double *N) {
    const trJoint     *joint = &e->system->joint[j];
    const trJointKind *kind = joint->kind;
    const trMotions    m = tr_eval_motions(e, joint);
    if (kind->rate_tangent != NULL) {
        kind->rate_tangent(joint->params, m.flat, N);
    } else if (kind->rate_tangent3 != NULL) {
        kind->rate_tangent3(joint->params, m.solid, N);
    } else {
        rate_differences(e, j, N);
    }
}

// --- forces ---

// -Q: moments of spatial bodies in their own axes.
static void opposite_loads(const Motions *p, double *f) {
    const trSystem *s = p->e->system;
    const trForce  *force = &s->force[p->index];
    double          turn[TR_JOINT_TURNS];
    trForceOut      out = {.near = p->e->near + s->force_turn[p->index], .turn = turn};
    if (p->width == 3) {
        force->kind->eval(force->params, p->e->t, &p->flat[0], &p->flat[1], &out);
        const double loads[6] = {-out.on1.fx, -out.on1.fy, -out.on1.moment,
                                 -out.on2.fx, -out.on2.fy, -out.on2.moment};
        memcpy(f, loads, sizeof loads);
        return;
    }
    force->kind->eval3(force->params, p->e->t, &p->solid[0], &p->solid[1], &out);
    for (int k = 0; k < 2; k++) {
        const trLoad3 *load = k == 0 ? &out.at1 : &out.at2;
        trVec3         F = load->force, moment = tr_unrotate3(&p->solid[k].R, load->moment);
        const double   loads[6] = {-F.x, -F.y, -F.z, -moment.x, -moment.y, -moment.z};
        memcpy(f + 6 * k, loads, sizeof loads);
    }
}

static void force_differences(const trEval *e, int i, double *K, double *D) {
    const trForce *force = &e->system->force[i];
    const int      body[2] = {force->body1, force->body2};
    Motions        p = motions_of(e, i, 2, body);
    add_differences(&p, opposite_loads, 2 * p.width, K);
    p.rates = true;
    add_differences(&p, opposite_loads, 2 * p.width, D);
}

void tr_force_tangent(trTangent *t, const trEval *e, int i, int bodies) {
    const trForce     *force = &t->system->force[i];
    const trForceKind *kind = force->kind;
    int                one = force->body1 + 1, two = force->body2 + 1;
    trForceTangent     out = {.K = t->K, .D = t->D, .near = e->near + t->system->force_turn[i]};
    const size_t       side = (size_t)t->width * (size_t)bodies;
    memset(t->K, 0, side * side * sizeof *t->K);
    memset(t->D, 0, side * side * sizeof *t->D);
    if (kind == &tr_function_force) {
        tr_function_tangent(e, i, t->width, t->K, t->D);
    } else if (kind->tangent != NULL) {
        kind->tangent(force->params, e->t, &e->motion2[one], &e->motion2[two], &out);
    } else if (kind->tangent3 != NULL) {
        kind->tangent3(force->params, e->t, &e->motion3[one], &e->motion3[two], &out);
    } else {
        force_differences(e, i, t->K, t->D);
    }
}
