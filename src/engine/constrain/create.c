// SPDX-License-Identifier: MIT
// Makes a handle: looks at the definition, plans all memory, checks the callbacks at the given
// state and near it, and tries whether the constraints can be satisfied from there.

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "constrain/constrain.h"
#include "la/dense.h"

#define NEAR 0.01      // how far off the other states are, in scales
#define NEAR_STATES 2  // so many of them

trConstrainDef tr_constrain_def_default(void) {
    return (trConstrainDef){.struct_size = sizeof(trConstrainDef),
                            .weight = TR_CONSTRAIN_MASS,
                            .rank_tolerance = 1e-4,
                            .time_scale = 1.0};
}

static trStatus check_callbacks(const trConstrainDef *d) {
    if ((d->mass == NULL) == (d->mass_solve == NULL)) {
        return tr_fail(TR_E_ARGUMENT, "one of mass and mass_solve is needed, and not both");
    }
    if ((d->m > 0) != (d->phi != NULL)) {
        return tr_fail(TR_E_ARGUMENT, "phi and m = %d do not fit: give both, or neither", d->m);
    }
    if ((d->k > 0) != (d->psi != NULL)) {
        return tr_fail(TR_E_ARGUMENT, "psi and k = %d do not fit: give both, or neither", d->k);
    }
    if (d->m == 0 && (d->jacobian != NULL || d->b1 != NULL || d->b != NULL)) {
        return tr_fail(TR_E_ARGUMENT, "jacobian, b1 and b belong to phi, which is not given");
    }
    if (d->k == 0 && (d->psi_jacobian != NULL || d->psi_b != NULL)) {
        return tr_fail(TR_E_ARGUMENT, "psi_jacobian and psi_b belong to psi, which is not given");
    }
    return TR_OK;
}

static trStatus check_def(const trConstrainDef *d) {
    if (d->n < 1 || d->m < 0 || d->k < 0 || d->m + d->k < 1) {
        return tr_fail(TR_E_ARGUMENT,
                       "n = %d, m = %d, k = %d: at least one coordinate and one constraint", d->n,
                       d->m, d->k);
    }
    TR_TRY(check_callbacks(d));
    if (d->weight != TR_CONSTRAIN_MASS && d->weight != TR_CONSTRAIN_IDENTITY) {
        return tr_fail(TR_E_ARGUMENT, "unknown weight %d", (int)d->weight);
    }
    if (!(d->rank_tolerance >= TR_RANK_TOLERANCE_MIN &&
          d->rank_tolerance <= TR_RANK_TOLERANCE_MAX)) {
        return tr_fail(TR_E_ARGUMENT, "rank_tolerance = %g must be from %g to %g; 1e-4 is usual",
                       d->rank_tolerance, TR_RANK_TOLERANCE_MIN, TR_RANK_TOLERANCE_MAX);
    }
    if (!(d->tolerance >= 0.0 && d->tolerance < 1.0) || !(d->time_scale > 0.0) ||
        !isfinite(d->time_scale)) {
        return tr_fail(TR_E_ARGUMENT, "tolerance = %g must be 0 or more, time_scale = %g positive",
                       d->tolerance, d->time_scale);
    }
    for (int i = 0; d->scale != NULL && i < d->n; i++) {
        if (!(d->scale[i] > 0.0) || !isfinite(d->scale[i])) {
            return tr_fail(TR_E_ARGUMENT, "scale of coordinate %d is %g, not positive", i,
                           d->scale[i]);
        }
    }
    if (d->forms < 0 || d->forms > d->n || (d->forms > 0) != (d->X != NULL)) {
        return tr_fail(TR_E_ARGUMENT, "forms = %d: X is needed, with 1 to n = %d of them", d->forms,
                       d->n);
    }
    if (d->forms > 0 && d->mass_solve != NULL) {
        return tr_fail(TR_E_ARGUMENT, "Ritz forms need mass: X' M X has no solves in M^-1");
    }
    return TR_OK;
}

static const double *copy(trArena *arena, const double *from, size_t count) {
    double *to = from != NULL ? tr_new_array(arena, double, count) : NULL;
    if (to != NULL) {
        memcpy(to, from, count * sizeof *to);
    }
    return to;
}

static trStatus take_names(trConstrain *c) {
    c->names = tr_new_array(c->arena, const char *, c->m);
    for (int i = 0; c->names != NULL && i < c->m; i++) {
        const char *given = c->def.names != NULL ? c->def.names[i] : NULL;
        c->names[i] =
            given != NULL ? tr_arena_text(c->arena, given) : tr_arena_format(c->arena, "%d", i);
    }
    c->def.names = NULL;
    return tr_arena_status(c->arena);
}

static void plan_each(trArena *arena, double **const *arrays, size_t entries) {
    for (; *arrays != NULL; arrays++) {
        **arrays = tr_new_array(arena, double, entries);
    }
}

static trStatus plan_arrays(trConstrain *c) {
    trArena     *arena = c->arena;
    const size_t n = (size_t)c->n, size = (size_t)c->size, m = (size_t)c->m;
    double     **of_q[] = {&c->q_at,   &c->v_at, &c->q_new, &c->v_new, &c->q_kept,
                           &c->v_kept, &c->a,    &c->unit,  NULL};
    double     **of_x[] = {&c->x,         &c->xdot,    &c->x_moved, &c->xdot_moved,
                           &c->direction, &c->product, NULL};
    double **of_rows[] = {&c->row_scale, &c->weight_scale, &c->doubt, &c->lambda, &c->rate, NULL};
    double **guarded[] = {&c->phi, &c->b1, &c->b, &c->plus, &c->minus, &c->middle, NULL};
    plan_each(arena, of_q, size);
    plan_each(arena, of_x, n);
    plan_each(arena, of_rows, m);
    plan_each(arena, guarded, m + 1);
    c->def.scale = copy(arena, c->def.scale, n);
    c->def.X = copy(arena, c->def.X, n * size);
    c->M = tr_new_array(arena, double, size *size);
    c->A = tr_new_array(arena, double, m *size);
    c->holonomic = tr_new_array(arena, bool, m);
    c->spare = tr_new_array(arena, bool, m);
    c->zero = tr_new_array(arena, double, size);
    c->still = tr_new_array(arena, double, n);
    c->raw_M = tr_new_array(arena, double, c->def.mass != NULL ? n * n + 1 : 0);
    c->raw_A = tr_new_array(arena, double, m *n + 1);
    c->fresh = tr_new_array(arena, double, size *(size > m ? size : m));
    c->tableau = tr_new_array(arena, double, m *TR_DIFFERENCE_LEVELS);
    return tr_arena_status(arena);
}

// X'X, which tells whether forms are independent and, with W = I, is the metric of corrections.
static trStatus plan_forms(trConstrain *c) {
    const size_t  n = (size_t)c->n, size = (size_t)c->size;
    const double *X = c->def.X;
    double       *gram = tr_new_array(c->arena, double, size *size);
    TR_TRY(tr_arena_status(c->arena));
    for (size_t j = 0; j < size; j++) {
        c->unit[j] = INFINITY;
        for (size_t i = 0; i < n; i++) {
            double along = X != NULL ? fabs(X[i * size + j]) : (i == j ? 1.0 : 0.0);
            double scale = c->def.scale != NULL ? c->def.scale[i] : 1.0;
            c->unit[j] = along > 0.0 ? fmin(c->unit[j], scale / along) : c->unit[j];
        }
        for (size_t k = 0; k < size; k++) {
            gram[j * size + k] = X == NULL && j == k ? 1.0 : 0.0;
            for (size_t i = 0; X != NULL && i < n; i++) {
                gram[j * size + k] += X[i * size + j] * X[i * size + k];
            }
        }
    }
    c->W = c->def.weight == TR_CONSTRAIN_IDENTITY ? gram : NULL;
    if (X == NULL) {
        return TR_OK;
    }
    int column = 0;
    memcpy(c->fresh, gram, size * size * sizeof *gram);
    TR_TRY(tr_constrain_finite("X, entry", (int)(n * size), X));
    if (tr_cholesky_factor(c->size, c->fresh, c->a, &column) != TR_OK) {
        return tr_fail(TR_E_ARGUMENT, "form %d, a column of X, depends on those before it", column);
    }
    return TR_OK;
}

static trStatus manifold_evaluate(void *context, double t, const double *q, const double *v,
                                  const trEquations **out) {
    trConstrain *c = context;
    *out = &c->weighted;
    return tr_constrain_evaluate(c, t, q, v);
}

static void manifold_retract(void *context, const double *dv, double *q) {
    const trConstrain *c = context;
    tr_add(c->size, dv, q);
}

trRows tr_one_group(trOneGroup *group, int m, int n, const double *value) {
    *group = (trOneGroup){.row = {0, m}, .side = {0, 1}, .width = {n}};
    return (trRows){m,    n, 1, group->row, group->side, group->column, group->width, group->value,
                    value};
}

// M dense, or by its solves; A one dense group.
static void make_equations(trConstrain *c) {
    for (int i = 0; i < c->m; i++) {
        c->holonomic[i] = i < c->def.m;
    }
    c->equations = (trEquations){.nv = c->size,
                                 .m = c->m,
                                 .M = {.n = c->size, .dense = c->def.mass != NULL ? c->M : NULL},
                                 .A = tr_one_group(&c->group, c->m, c->size, c->A),
                                 .Q = c->zero,
                                 .b = c->b,
                                 .b1 = c->b1,
                                 .phi = c->phi,
                                 .holonomic = c->holonomic,
                                 .row_scale = c->row_scale,
                                 .spare = c->spare,
                                 .rank_tolerance = c->def.rank_tolerance};
    c->weighted = c->equations;
    if (c->W != NULL) {
        c->weighted.M = (trMass){.n = c->size, .dense = c->W};
        c->weighted.row_scale = c->weight_scale;
    }
}

static trStatus plan_methods(trConstrain *c) {
    const trFormulationKind *dense = tr_formulation_robust(true);
    make_equations(c);
    if (c->def.mass != NULL) {
        c->kernel.kind = dense;
        TR_TRY(c->kernel.kind->plan(c->arena, &c->equations, NULL, &c->kernel.work));
    } else {
        c->kernel.kind = &tr_formulation_by_solves;
        TR_TRY(tr_by_solves_plan(c, &c->kernel.work));
    }
    c->manifold = (trManifold){.nq = c->size,
                               .nv = c->size,
                               .context = c,
                               .evaluate = manifold_evaluate,
                               .retract = manifold_retract};
    tr_row_exchange_plan(c->arena, &c->equations, &c->exchange);
    c->rank = -1;
    // The metric is in the equations that the manifold shows, whatever it is.
    return tr_projector_plan(c->arena, tr_projection_find(TR_MASS_PROJECTION), dense,
                             c->W == NULL ? &c->kernel : NULL, &c->weighted, NULL, &c->projector);
}

// At the given state everything must be right; where states near it are outside of what a callback
// knows, that is no error. Those states are the same in every run: they come from Knuth's MMIX
// generator with the seed 1, of which the upper 53 bits are taken.
static trStatus check_states(trConstrain *c, double t, const double *q, const double *v) {
    uint64_t seed = 1;
    trStatus status = tr_constrain_check(c, t, q, v);
    for (int near = 0; status == TR_OK && near < NEAR_STATES; near++) {
        for (int i = 0; i < c->size; i++) {
            double part[2];
            for (int k = 0; k < 2; k++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                part[k] = 2.0 * ((double)(seed >> 11) / 0x1p53) - 1.0;
            }
            c->q_new[i] = q[i] + NEAR * part[0] * (c->unit[i] + fabs(q[i]));
            c->v_new[i] = v[i] + part[1] * (c->unit[i] / c->def.time_scale + fabs(v[i]));
        }
        status = tr_constrain_check(c, t + NEAR * c->def.time_scale, c->q_new, c->v_new);
        status = status == TR_NOT_FINITE || status == TR_E_EXTERNAL ? TR_OK : status;
    }
    return status;
}

// Projects a copy, and takes the norms of its rows as nominal.
static trStatus try_state(trConstrain *c, double t, const double *q, const double *v) {
    trConstrainRank rank;
    trRank          weighted;
    memcpy(c->a, q, (size_t)c->size * sizeof *q);
    memcpy(c->product, v, (size_t)c->size * sizeof *v);
    TR_TRY(tr_constrain_state(c, t, c->a, c->product));
    TR_TRY(tr_constrain_rank(c, t, c->q_new, c->v_new, &rank));
    TR_TRY(tr_projector_rank(&c->projector, &c->weighted, &weighted));
    tr_constrain_accept(c);
    return TR_OK;
}

static trStatus build(trConstrain *c, double t, const double *q, const double *v) {
    TR_TRY(take_names(c));
    TR_TRY(plan_arrays(c));
    TR_TRY(plan_forms(c));
    TR_TRY(plan_methods(c));
    tr_arena_seal(c->arena);
    TR_TRY(tr_constrain_finite("coordinate", c->size, q));
    TR_TRY(tr_constrain_finite("velocity", c->size, v));
    TR_TRY(check_states(c, t, q, v));
    return try_state(c, t, q, v);
}

static const trDefinition definition = {"trConstrainDef", "tr_constrain_def_default()",
                                        TR_FIRST_LAYOUT(trConstrainDef, time_scale),
                                        sizeof(trConstrainDef)};

trStatus tr_constrain_create(const trConstrainDef *given, double t, const double *q,
                             const double *v, trConstrain **out) {
    trConstrainDef complete = tr_constrain_def_default(), *def = &complete;
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, def));
    TR_TRY(check_def(def));
    trArena     *arena = tr_arena_create();
    trConstrain *c = arena != NULL ? tr_new(arena, trConstrain) : NULL;
    if (c == NULL) {
        tr_arena_destroy(arena);
        return TR_E_MEMORY;
    }
    *c = (trConstrain){.arena = arena, .def = *def, .n = def->n, .m = def->m + def->k};
    c->k = def->k;
    c->size = def->forms > 0 ? def->forms : def->n;
    trStatus status = build(c, t, q, v);
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status > TR_OK ? TR_E_MODEL : status;
    }
    *out = c;
    return TR_OK;
}

void tr_constrain_destroy(trConstrain *c) {
    if (c != NULL) {
        tr_arena_destroy(c->arena);
    }
}
