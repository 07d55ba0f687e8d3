// SPDX-License-Identifier: MIT
// The equations of Newton and Euler for each body, from accelerations and reactions as they are
// stored. Neither A of the joints nor a solver has a part in it:
//
//     m a = sum F        J W' + W x J W = R' (sum M + arm x F)        (principal axes)
//
// Loads of forces are evaluated kind by kind; those of the user's own constraints are -A' lambda.

#include <math.h>

#include "verify/verify.h"

static double norm3(trVec3 a) {
    return tr_length3(a);
}

static trVec3 in_axes(const trVerifier *V, int body, trVec3 a) {
    return V->eval.motion3 != NULL ? tr_unrotate3(&V->eval.motion3[body + 1].R, a) : a;
}

// A load about the center of mass, in world axes, that body feels. `rough` is the size of what its
// moment was computed from.
static void add_load(trVerifier *V, int body, trVec3 force, trVec3 moment, double rough) {
    trBalance   *b = &V->balance[body];
    bool         planar = V->system->space->dim == 2;
    trVec3       m = in_axes(V, body, moment);
    const double all[6] = {force.x, force.y, planar ? m.z : force.z, m.x, m.y, m.z};
    for (int k = 0; k < V->system->space->nv; k++) {
        b->rest[k] -= all[k];
        b->size[k] += fabs(all[k]);
    }
    b->force += norm3(force);
    b->moment += fmax(norm3(moment), rough);
    b->loads += 1.0;
}

static void add_inertia(trVerifier *V, int body) {
    const trBody *own = &V->system->body[body];
    trBalance    *b = &V->balance[body];
    *b = (trBalance){.force = 0.0};
    if (V->system->space->dim == 2) {
        const double *a = V->a + 3 * body;
        const double  all[3] = {own->mass * a[0], own->mass * a[1], own->inertia * a[2]};
        for (int k = 0; k < 3; k++) {
            b->rest[k] = all[k];
            b->size[k] = fabs(all[k]);
        }
        b->force =
            hypot(all[0], all[1]) + own->mass * hypot(own->com.x, own->com.y) *
                                        (fabs(a[2]) + V->v[3 * body + 2] * V->v[3 * body + 2]);
        b->moment = fabs(all[2]);
        return;
    }
    const double *a = V->a + 6 * body, *w = V->v + 6 * body + 3;
    const trVec3  J = own->spatial.place.inertia;
    const double  j[3] = {J.x, J.y, J.z};
    for (int k = 0; k < 3; k++) {
        int n = (k + 1) % 3, p = (k + 2) % 3;
        b->rest[k] = own->mass * a[k];
        b->size[k] = fabs(own->mass * a[k]);
        b->rest[3 + k] = j[k] * a[3 + k] + (j[p] - j[n]) * w[n] * w[p];
        b->size[3 + k] = fabs(j[k] * a[3 + k]) + fabs((j[p] - j[n]) * w[n] * w[p]);
    }
    double arm = norm3(own->spatial.place.com), turn = norm3(tr_columns3(a + 3));
    double spin = norm3(tr_columns3(w));
    b->force = norm3(tr_columns3(b->rest)) + own->mass * arm * (turn + spin * spin);
    b->moment = fmax(fmax(J.x, J.y), J.z) * (turn + spin * spin);
}

// --- forces ---

static trForceOut force_at(trEval *e, int i) {
    const trSystem *s = e->system;
    const trForce  *force = &s->force[i];
    int             one = force->body1 + 1, two = force->body2 + 1;
    trForceOut      out = {.near = e->near + s->force_turn[i], .turn = e->turn + s->force_turn[i]};
    if (force->kind == &tr_traced_force) {
        return tr_traced_load(e, i);
    }
    if (e->motion2 != NULL) {
        force->kind->eval(force->params, e->t, &e->motion2[one], &e->motion2[two], &out);
    } else {
        force->kind->eval3(force->params, e->t, &e->motion3[one], &e->motion3[two], &out);
    }
    return out;
}

// The load of a column in place of the one that was evaluated: what `rest` gains.
static void tell_load(trVerifier *V, int body, trLoad3 evaluated, trLoad3 stored, double rough) {
    trBalance   *b = &V->balance[body];
    bool         planar = V->system->space->dim == 2;
    trVec3       F = tr_sub3(evaluated.force, stored.force);
    trVec3       M = in_axes(V, body, tr_sub3(evaluated.moment, stored.moment));
    const double all[6] = {F.x, F.y, planar ? M.z : F.z, M.x, M.y, M.z};
    for (int k = 0; k < V->system->space->nv; k++) {
        b->told[k] += all[k];
    }
    b->varies = true;
    b->told_moment += rough;
}

#define OPPOSITE 1e-9  // loads of a force on two bodies, relative to their terms

// Loads of columns belong to body 2; body 1 feels the opposite unless the force is of another kind.
static void tell_force(trVerifier *V, int i, trLoad3 on1, trLoad3 on2) {
    const trForce *force = &V->system->force[i];
    const double  *c = V->row + V->layout.force + V->layout.per_load * i;
    bool           planar = V->system->space->dim == 2;
    trLoad3        stored = planar ? (trLoad3){{c[0], c[1], 0.0}, {0.0, 0.0, c[2]}}
                                   : (trLoad3){tr_columns3(c), tr_columns3(c + 3)};
    if (force->body2 != TR_GROUND) {
        tell_load(V, force->body2, on2, stored, 0.0);
    }
    if (force->body1 == TR_GROUND) {
        return;
    }
    trVec3 r1 = tr_verify_center(V, force->body1), r2 = tr_verify_center(V, force->body2);
    trVec3 arm = tr_sub3(r2, r1), both = tr_add3(on1.force, on2.force);
    trVec3 turn = tr_add3(on1.moment, tr_add3(on2.moment, tr_cross3(arm, on2.force)));
    double rough = norm3(on2.force) * (norm3(r1) + norm3(r2)) + norm3(on2.moment);
    if (norm3(both) <= OPPOSITE * norm3(on2.force) && norm3(turn) <= OPPOSITE * rough) {
        trVec3 moment = tr_add3(stored.moment, tr_cross3(arm, stored.force));
        tell_load(V, force->body1, on1,
                  (trLoad3){tr_scale3(-1.0, stored.force), tr_scale3(-1.0, moment)}, rough);
    } else {
        V->balance[force->body1].varies = V->balance[force->body1].untold = true;
    }
}

static trLoad3 planar_load(const trLoad2 *load) {
    return (trLoad3){{load->fx, load->fy, 0.0}, {0.0, 0.0, load->moment}};
}

static void add_forces(trVerifier *V) {
    const trSystem *s = V->system;
    for (int i = 0; i < s->forces; i++) {
        trForceOut out = force_at(&V->eval, i);
        bool       planar = s->space->dim == 2;
        trLoad3    on1 = planar ? planar_load(&out.on1) : out.at1;
        trLoad3    on2 = planar ? planar_load(&out.on2) : out.at2;
        if (s->force[i].body1 != TR_GROUND) {
            add_load(V, s->force[i].body1, on1.force, on1.moment, 0.0);
        }
        if (s->force[i].body2 != TR_GROUND) {
            add_load(V, s->force[i].body2, on2.force, on2.moment, 0.0);
        }
        if (i < s->varying) {
            tell_force(V, i, on1, on2);
        }
    }
}

// --- reactions ---

// How far apart the two sides of a joint are, which a method that drifts leaves: its force then
// acts on body 1 with a moment that differs by gap x F. [m], [rad]
static void gap_of(const trVerifier *V, int j, double *length, double *angle) {
    const trSystem *s = V->system;
    *length = *angle = 0.0;
    for (int i = s->pattern.group_row[j]; i < s->pattern.group_row[j + 1]; i++) {
        double *to = s->row_unit[i][0] == 'm' ? length : angle;
        *to = fmax(*to, fabs(V->eval.phi[i]));
    }
}

static void add_reaction(trVerifier *V, int j) {
    const trJoint *joint = &V->system->joint[j];
    const int      body[2] = {joint->body1, joint->body2};
    trVec3         point;
    trLoad3        load = tr_stored_reaction(V, j, &point);
    double         length, angle, F = norm3(load.force), M = norm3(load.moment);
    gap_of(V, j, &length, &angle);
    for (int side = 0; side < 2; side++) {
        if (body[side] == TR_GROUND) {
            continue;
        }
        trLoad3    own = side == 0 ? tr_opposite_reaction(V, j, &load, point) : load;
        trVec3     center = tr_verify_center(V, body[side]), arm = tr_sub3(point, center);
        trVec3     moment = tr_add3(own.moment, tr_cross3(arm, own.force));
        trBalance *b = &V->balance[body[side]];
        add_load(V, body[side], own.force, moment, M + F * (norm3(point) + norm3(center)));
        b->arm = fmax(b->arm, norm3(arm));
        bool other = side == 0 && body[1] != TR_GROUND;
        for (int k = 0; other && k < V->system->space->nv; k++) {
            bool turns = tr_space_turns(V->system->space, k);
            b->slack[k] += 3.0 * (turns ? length * F + angle * (M + F * norm3(arm)) : angle * F);
        }
    }
}

// What rounding of positions makes of a load, by how much a nudge changes it.
static void add_nudged(trVerifier *V, int body, trLoad3 here, trLoad3 beside) {
    trBalance *b = &V->balance[body];
    double     force = norm3(tr_sub3(beside.force, here.force)) / V->nudge;
    double     moment = norm3(tr_sub3(beside.moment, here.moment)) / V->nudge;
    for (int k = 0; k < V->system->space->nv; k++) {
        b->slack[k] += TR_NUDGED * (tr_space_turns(V->system->space, k) ? moment : force);
    }
}

// Of the user's own constraints: rows that touch the body, by A.
static void add_recorded(trVerifier *V) {
    const trSystem *s = V->system;
    const trRows   *A = &V->eval.equations.A;
    for (int g = s->joints + s->norms; g < A->groups; g++) {
        int           rows = A->group_row[g + 1] - A->group_row[g];
        const double *lambda = V->lambda + A->group_row[g];
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            int     body = A->side_column[side] / s->space->nv;
            trLoad3 load =
                s->space->joint_load(&V->eval, body, rows, A->value + A->side_value[side], lambda);
            add_load(V, body, load.force, load.moment, 0.0);
            if (V->steady) {
                add_nudged(V, body, load,
                           s->space->joint_load(&V->eval, body, rows,
                                                V->nudged.value + A->side_value[side], lambda));
            }
        }
    }
}

// --- what is left ---

// Of a force whose terms cancel, as those of a polynomial may: it may vanish, and its terms do not,
// so that this is relative to all loads on the body.
#define ROUGH 1e-11

// Loads of forces are those that were evaluated, and then those of their columns: these do not
// depend on how a stiff spring feels the rounding of positions.
static void see_body(trVerifier *V, int i) {
    static const char *const planar[] = {"force along x", "force along y", "moment"};
    static const char *const spatial[] = {"force along x",
                                          "force along y",
                                          "force along z",
                                          "moment about its first principal axis",
                                          "moment about its second principal axis",
                                          "moment about its third principal axis"};
    const trSpace           *space = V->system->space;
    trBalance               *b = &V->balance[i];
    for (int k = 0; k < space->nv; k++) {
        int    at = space->nv * i + k;
        bool   turns = tr_space_turns(space, k);
        double change = V->steady ? fabs(V->nudged.Q[at] - V->eval.Q[at]) / V->nudge : 0.0;
        change = tr_recall(&V->change[at], change);
        double own = turns ? b->moment + b->arm * b->force : b->force;
        double most = turns ? V->scale.moment : V->scale.force;
        double count = TR_ROUNDINGS_BALANCE + 2.0 * b->loads;
        double largest = fmax(V->scale.force, V->scale.moment);  // multipliers are solved together
        double few = b->slack[k] + V->gapped[at] +
                     TR_ROUNDING * (count * own + TR_ROUNDINGS_BALANCE * most) +
                     (tr_states_error(V) ? V->stated * fmax(own, largest) : 0.0);
        trDeviation d = {.off = b->rest[k],
                         .size = V->loose ? fmax(own, V->recalled[turns]) : b->size[k],
                         .slack = few + TR_NUDGED * change + (b->varies ? ROUGH * own : 0.0),
                         .unit = turns ? "N m" : "N",
                         .role = "body",
                         .name = V->system->body[i].name,
                         .detail = space->dim == 2 ? planar[k] : spatial[k]};
        tr_see(V, TR_VERIFY_BALANCE, d);
        d.off += b->told[k];
        // Accelerations of an integrator's own feel it all the same.
        d.slack = few + (turns ? TR_ROUNDING * count * b->told_moment : 0.0) +
                  (V->loose ? TR_NUDGED * change : 0.0) + (b->untold ? ROUGH * b->size[k] : 0.0);
        tr_see(V, TR_VERIFY_BALANCE, d);
    }
}

// The accelerations that the loads of a body make apart, which cancel in the sum: rounding of a is
// relative to them.
static void find_parts(trVerifier *V, int i) {
    const trBody *own = &V->system->body[i];
    const trVec3  J = own->spatial.place.inertia;
    bool          planar = V->system->space->dim == 2;
    int           n = planar ? 3 : 6;
    double        m = own->mass, inertia[6] = {m, m, planar ? own->inertia : m, J.x, J.y, J.z};
    for (int k = 0; k < n; k++) {
        V->parts[n * i + k] = inertia[k] > 0.0 ? V->balance[i].size[k] / inertia[k] : 0.0;
    }
    V->scale.a = m > 0.0 ? fmax(V->scale.a, V->balance[i].force / m) : V->scale.a;
}

void tr_verify_bodies(trVerifier *V) {
    const trSystem *s = V->system;
    for (int i = 0; i < s->bodies; i++) {
        add_inertia(V, i);
    }
    add_forces(V);
    for (int j = 0; j < s->joints; j++) {
        add_reaction(V, j);
    }
    add_recorded(V);
    for (int i = 0; i < s->bodies; i++) {
        V->scale.force = fmax(V->scale.force, V->balance[i].force);
        V->scale.moment = fmax(V->scale.moment, V->balance[i].moment);
    }
    tr_recall(&V->recalled[0], V->scale.force);
    tr_recall(&V->recalled[1], V->scale.moment);
    for (int i = 0; i < s->bodies; i++) {
        see_body(V, i);
        find_parts(V, i);
    }
}
