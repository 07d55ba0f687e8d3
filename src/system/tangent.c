// SPDX-License-Identifier: MIT
// Assembles the matrix of tangent.h body by body, joint by joint, force by force.

#include "system/tangent_parts.h"

#include <math.h>
#include <stdio.h>

void tr_entries_add(trEntries *list, int row, int rows, int column, int columns) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            if (list->row != NULL) {
                list->row[list->count] = row + i;
                list->column[list->count] = column + j;
            }
            list->count++;
        }
    }
}

// K between the bodies of a pair, those that are not ground.
static void add_pair(trEntries *list, int nv, int body1, int body2) {
    const int body[2] = {body1, body2};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (body[i] != TR_GROUND && body[j] != TR_GROUND) {
                tr_entries_add(list, nv * body[i], nv, nv * body[j], nv);
            }
        }
    }
}

static void add_joint(trEntries *list, const trSystem *s, int j) {
    const trJoint *joint = &s->joint[j];
    const int      body[2] = {joint->body1, joint->body2};
    int            nv = s->space->nv, row = s->nv + s->pattern.group_row[j];
    add_pair(list, nv, body[0], body[1]);
    for (int k = 0; k < 2; k++) {
        if (body[k] != TR_GROUND) {
            tr_entries_add(list, row, joint->kind->rows, nv * body[k], nv);  // A
            tr_entries_add(list, nv * body[k], nv, row, joint->kind->rows);  // A'
        }
    }
}

static void list_entries(const trSystem *s, int *body, int *joint, int *force, trEntries *list) {
    int nv = s->space->nv;
    list->count = 0;
    for (int i = 0; i < s->bodies; i++) {
        body[i] = list->count;
        tr_entries_add(list, nv * i, nv, nv * i, nv);
    }
    for (int j = 0; j < s->joints; j++) {
        joint[j] = list->count;
        add_joint(list, s, j);
    }
    for (int i = 0; i < s->varying; i++) {
        force[i] = list->count;
        if (s->force[i].kind != &tr_traced_force) {
            add_pair(list, nv, s->force[i].body1, s->force[i].body2);
        }
    }
}

static void refuse_without_tangent(const char *kind) {
    tr_fail(TR_E_UNSUPPORTED,
            "its kind '%s' has no tangent, which implicit integrators need; take dop853", kind);
}

static trStatus check_kinds(const trSystem *s) {
    if (s->space->widen != NULL) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "implicit integrators need coordinates = \"body\", not \"%s\"",
                       s->space->name);
    }
    if (s->states > 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "state '%s': implicit integrators have no further states; take dop853",
                       s->state_name[0]);
    }
    if (s->traced != NULL && s->traced->nonideal.outputs > 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "nonideal: implicit integrators have ideal constraints only; take dop853");
    }
    for (int j = 0; j < s->joints; j++) {
        const trJointKind *kind = s->joint[j].kind;
        bool               planar = kind->dim == 2;
        bool               rate = kind->nonholonomic == 0 ||
                    (planar ? kind->rate_tangent != NULL : kind->rate_tangent3 != NULL);
        if (!rate || (planar ? kind->tangent == NULL : kind->tangent3 == NULL)) {
            refuse_without_tangent(kind->name);
            return tr_blame_joint(TR_E_UNSUPPORTED, &s->joint[j]);
        }
    }
    for (int i = 0; i < s->varying; i++) {
        const trForceKind *kind = s->force[i].kind;
        if (kind == &tr_traced_force) {
            continue;
        }
        if (kind->dim == 2 ? kind->tangent == NULL : kind->tangent3 == NULL) {
            refuse_without_tangent(kind->name);
            return tr_blame_force(TR_E_UNSUPPORTED, &s->force[i]);
        }
    }
    return TR_OK;
}

// The mass that two points of the bodies have against each other, 1 / (1/m1 + 1/m2). One without
// mass is passed over; where there is none at all, any number serves.
static void find_scales(const trSystem *s, double *scale) {
    for (int j = 0; j < s->joints; j++) {
        const int body[2] = {s->joint[j].body1, s->joint[j].body2};
        double    sum = 0.0;
        for (int k = 0; k < 2; k++) {
            double mass = body[k] == TR_GROUND ? 0.0 : s->body[body[k]].mass;
            sum += mass > 0.0 ? 1.0 / mass : 0.0;
        }
        scale[j] = sum > 0.0 && isfinite(sum) ? 1.0 / sum : 1.0;
    }
}

trStatus tr_tangent_plan(trArena *arena, const trSystem *s, trTangent *out) {
    *out = (trTangent){.system = s};
    TR_TRY(check_kinds(s));
    int  nv = s->space->nv;
    int *body = tr_new_array(arena, int, s->bodies);
    int *joint = tr_new_array(arena, int, s->joints);
    int *force = tr_new_array(arena, int, s->varying);
    out->K = tr_new_array(arena, double, 4 * nv * nv);
    out->D = tr_new_array(arena, double, 4 * nv * nv);
    out->rows = tr_new_array(arena, double, TR_JOINT_ROWS * 2 * nv);
    out->x = tr_new_array(arena, double, s->nv + s->m);
    out->scale = tr_new_array(arena, double, s->pattern.groups);
    TR_TRY(tr_recorded_plan(arena, s, out));
    TR_TRY(tr_arena_status(arena));
    find_scales(s, out->scale);
    trEntries list = {0};
    list_entries(s, body, joint, force, &list);
    tr_recorded_list(s, out, &list);
    int count = list.count;
    list.row = tr_new_array(arena, int, count);
    list.column = tr_new_array(arena, int, count);
    TR_TRY(tr_arena_status(arena));
    list_entries(s, body, joint, force, &list);
    tr_recorded_list(s, out, &list);
    out->body_entry = body;
    out->joint_entry = joint;
    out->force_entry = force;
    return tr_sparse_plan(arena, s->nv + s->m, count, list.row, list.column, &out->matrix);
}

int tr_tangent_add(trTangent *t, int entry, int rows, int columns, int stride, double scale,
                   const double *block) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            t->matrix.value[t->matrix.position[entry++]] += scale * block[i * stride + j];
        }
    }
    return entry;
}

// (K + cv D T^-1) / ca of a pair of bodies.
static int add_pair_values(trTangent *t, int entry, const int body[2], const double *x) {
    const trSpace *space = t->system->space;
    int            nv = space->nv, stride = 2 * nv;
    for (int j = 0; j < 2; j++) {
        if (body[j] != TR_GROUND && space->chain != NULL) {
            space->chain(x + nv * body[j], stride, stride, t->D + nv * j);
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (body[i] != TR_GROUND && body[j] != TR_GROUND) {
                int at = stride * nv * i + nv * j;
                tr_tangent_add(t, entry, nv, nv, stride, t->cv / t->ca, t->D + at);
                entry = tr_tangent_add(t, entry, nv, nv, stride, 1.0 / t->ca, t->K + at);
            }
        }
    }
    return entry;
}

static void clear_pair(trTangent *t) {
    int nv = t->system->space->nv;
    for (int i = 0; i < 4 * nv * nv; i++) {
        t->K[i] = t->D[i] = 0.0;
    }
}

// (M + cv/ca D) T^-1 of one body, with D that of W x J W: [W]x J - [J W]x.
static void add_body(trTangent *t, int i, const double *v, const double *x) {
    const trSystem *s = t->system;
    const trSpace  *space = s->space;
    int             nv = space->nv;
    double         *B = t->D, ratio = t->cv / t->ca;
    const double   *mass = s->mass + nv * i;
    if (s->dense) {  // M is recorded, with the blocks
        return;
    }
    for (int k = 0; k < nv * nv; k++) {
        B[k] = k % (nv + 1) == 0 ? mass[k / (nv + 1)] : 0.0;
    }
    if (space->dim == 3) {
        const double *W = v + nv * i + 3, *J = mass + 3;
        const double  D[3][3] = {{0.0, (J[2] - J[1]) * W[2], (J[2] - J[1]) * W[1]},
                                 {(J[0] - J[2]) * W[2], 0.0, (J[0] - J[2]) * W[0]},
                                 {(J[1] - J[0]) * W[1], (J[1] - J[0]) * W[0], 0.0}};
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                B[(3 + a) * nv + 3 + b] += ratio * D[a][b];
            }
        }
    }
    if (space->chain != NULL) {
        space->chain(x + nv * i, nv, nv, B);
    }
    tr_tangent_add(t, t->body_entry[i], nv, nv, nv, 1.0, B);
}

// The rows of A as they enter: nonholonomic ones as A T^-1 + N / cv.
static const double *rows_of_side(trTangent *t, const trEval *e, int j, int side, const double *x,
                                  const double *N) {
    const trSystem *s = t->system;
    const trJoint  *joint = &s->joint[j];
    int             nv = s->space->nv, body = side == 0 ? joint->body1 : joint->body2;
    int             first = joint->kind->rows - joint->kind->nonholonomic;
    const double   *J = e->value + (side == 0 ? s->side1[j] : s->side2[j]);
    for (int i = 0; i < joint->kind->rows * nv; i++) {
        t->rows[i] = J[i];
    }
    if (s->space->chain != NULL) {
        s->space->chain(x + nv * body, joint->kind->nonholonomic, nv, t->rows + first * nv);
    }
    for (int i = 0; i < joint->kind->nonholonomic; i++) {
        for (int k = 0; k < nv; k++) {
            t->rows[(first + i) * nv + k] += N[i * 2 * nv + side * nv + k] / t->cv;
        }
    }
    return t->rows;
}

static void joint_tangents(trTangent *t, const trEval *e, int j, const double *lambda, double *N) {
    const trJoint *joint = &t->system->joint[j];
    const double  *part = lambda + t->system->pattern.group_row[j];
    int            one = joint->body1 + 1, two = joint->body2 + 1;
    if (e->motion2 != NULL) {
        const trMotion2 *m1 = &e->motion2[one], *m2 = &e->motion2[two];
        joint->kind->tangent(joint->params, e->t, m1, m2, part, t->K);
        if (joint->kind->nonholonomic > 0) {
            joint->kind->rate_tangent(joint->params, e->t, m1, m2, N);
        }
        return;
    }
    const trMotion3 *m1 = &e->motion3[one], *m2 = &e->motion3[two];
    joint->kind->tangent3(joint->params, e->t, m1, m2, part, t->K);
    if (joint->kind->nonholonomic > 0) {
        joint->kind->rate_tangent3(joint->params, e->t, m1, m2, N);
    }
}

static void add_joint_values(trTangent *t, const trEval *e, int j, const double *lambda,
                             const double *x) {
    const trSystem *s = t->system;
    const trJoint  *joint = &s->joint[j];
    const int       body[2] = {joint->body1, joint->body2};
    int             nv = s->space->nv, rows = joint->kind->rows;
    double          N[TR_JOINT_ROWS * 2 * 6] = {0.0}, transposed[TR_JOINT_ROWS * 6];
    clear_pair(t);
    joint_tangents(t, e, j, lambda, N);
    int entry = add_pair_values(t, t->joint_entry[j], body, x);
    for (int k = 0; k < 2; k++) {
        if (body[k] == TR_GROUND) {
            continue;
        }
        const double *J = e->value + (k == 0 ? s->side1[j] : s->side2[j]);
        entry = tr_tangent_add(t, entry, rows, nv, nv, 1.0, rows_of_side(t, e, j, k, x, N));
        for (int i = 0; i < rows * nv; i++) {
            transposed[(i % nv) * rows + i / nv] = J[i];
        }
        entry = tr_tangent_add(t, entry, nv, rows, rows, t->scale[j], transposed);
    }
}

static void add_force_values(trTangent *t, const trEval *e, int i, const double *x) {
    const trSystem *s = t->system;
    const trForce  *force = &s->force[i];
    const int       body[2] = {force->body1, force->body2};
    int             one = body[0] + 1, two = body[1] + 1;
    trForceTangent  out = {.K = t->K, .D = t->D, .near = e->near + s->force_turn[i]};
    clear_pair(t);
    if (e->motion2 != NULL) {
        force->kind->tangent(force->params, e->t, &e->motion2[one], &e->motion2[two], &out);
    } else {
        force->kind->tangent3(force->params, e->t, &e->motion3[one], &e->motion3[two], &out);
    }
    add_pair_values(t, t->force_entry[i], body, x);
}

static trStatus explain_singular(const trSystem *s, int column) {
    const char *rows = s->recorded > 0 ? "constraints" : "joints";
    const char *moved = s->space->dim == 0 ? "coordinates that are held or have mass"
                                           : "a body that is held or has inertia";
    char        advice[200];
    snprintf(advice, sizeof advice,
             "implicit integrators need independent %s and %s; take dop853, or remove what is "
             "redundant",
             rows, moved);
    if (column >= s->nv) {
        tr_fail(TR_SINGULAR, "depends on the other %s in this pose: %s", rows, advice);
        return tr_blame_joint(TR_SINGULAR, &s->joint[s->row_joint[column - s->nv]]);
    }
    tr_fail(TR_SINGULAR, "is not determined in this pose: %s", advice);
    return tr_blame_body(TR_SINGULAR, &s->body[column / s->space->nv]);
}

trStatus tr_tangent_factor(trTangent *t, const trEval *e, const trTangentState *at, double cv,
                           double ca) {
    const trSystem *s = t->system;
    const double   *lambda = at->lambda, *x = at->x;
    int             column = 0;
    t->cv = cv;
    t->ca = ca;
    tr_sparse_clear(&t->matrix);
    for (int i = 0; i < s->bodies; i++) {
        add_body(t, i, at->v, x);
    }
    for (int j = 0; j < s->joints; j++) {
        add_joint_values(t, e, j, lambda, x);
    }
    for (int i = 0; i < s->varying; i++) {
        if (s->force[i].kind != &tr_traced_force) {
            add_force_values(t, e, i, x);
        }
    }
    if (s->traced != NULL) {
        tr_recorded_add(t, e, at);
    }
    trStatus status = tr_sparse_factor(&t->matrix, &column);
    return status == TR_SINGULAR ? explain_singular(s, column) : status;
}

void tr_tangent_solve(trTangent *t, double *r, double *g) {
    const trSystem *s = t->system;
    for (int i = 0; i < s->nv; i++) {
        t->x[i] = r[i] / t->ca;
    }
    for (int i = 0; i < s->m; i++) {
        t->x[s->nv + i] = s->holonomic[i] ? g[i] : g[i] / t->cv;
    }
    tr_sparse_solve(&t->matrix, t->x);
    for (int i = 0; i < s->nv; i++) {
        r[i] = t->x[i];
    }
    for (int i = 0; i < s->m; i++) {
        g[i] = t->ca * t->scale[s->row_joint[i]] * t->x[s->nv + i];
    }
}
