// SPDX-License-Identifier: MIT
// The matrix [K A'; A 0] of a model that is a module: K of the step, A of the iteration.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "glue/model_module.h"

#define ROUNDING 4e-15  // of positions and velocities after corrections, relative

enum { AT_M, AT_D, AT_K, AT_AT, AT_A, AT_E, PLACES };

// --- planning ---

trStatus tr_module_plan_matrix(trModelModule *m) {
    int               nv = m->system->nv;
    const trPlacement place[PLACES] = {
        [AT_M] = {TR_PART_M, 0, 0},    [AT_D] = {TR_PART_D, 0, 0},  [AT_K] = {TR_PART_K, 0, 0},
        [AT_AT] = {TR_PART_AT, 0, nv}, [AT_A] = {TR_PART_A, nv, 0}, [AT_E] = {TR_PART_E, nv, nv}};
    TR_TRY(tr_tangent_plan(m->arena, m->system, &m->tangent));
    m->redundant = tr_new_array(m->arena, bool, m->system->m);
    m->kernel.kind = tr_formulation_robust(m->system->dense);
    TR_TRY(m->kernel.kind->plan(m->arena, &m->eval.equations, NULL, &m->kernel.work));
    TR_TRY(tr_projector_plan(m->arena, &tr_projection_by_units, m->kernel.kind, NULL,
                             &m->eval.equations, NULL, &m->by_units));
    tr_row_exchange_plan(m->arena, &m->eval.equations, &m->exchange);
    TR_TRY(tr_newton_plan(m->arena, &m->tangent, nv + m->system->m, PLACES, place, &m->matrix));
    m->matrix.advice =
        "a module needs independent joints, and inertia of each body that they do not hold; "
        "give the body inertia, or put the joint that holds it into the module";
    return TR_OK;
}

// --- factors ---

// Where the entry of A in this row and column stands.
static const double *find_value(const trRows *A, const double *value, int group, int row,
                                int column) {
    int k = A->group_side[group];
    while (column < A->side_column[k] || column >= A->side_column[k] + A->side_width[k]) {
        k++;
    }
    return value + A->side_value[k] + (row - A->group_row[group]) * A->side_width[k] + column -
           A->side_column[k];
}

// A as it is now; rows that are left out neither hold nor push.
static void take_rows(trModelModule *m) {
    const trTangent *t = &m->tangent;
    for (int i = 0; i < t->blocks; i++) {
        const trPartBlock *b = &t->block[i];
        bool               turned = b->part == TR_PART_AT;  // with scaled multipliers
        if (b->part != TR_PART_A && !turned) {
            continue;
        }
        int           row = turned ? b->column : b->row, column = turned ? b->row : b->column;
        int           rows = turned ? b->columns : b->rows, wide = turned ? b->rows : b->columns;
        int           group = m->system->row_joint[row];
        const double *from = find_value(&m->system->pattern, m->eval.value, group, row, column);
        double       *to = t->value + b->value, scale = turned ? t->scale[group] : 1.0;
        for (int k = 0; k < rows * wide; k++) {
            int at = turned ? k % wide * rows + k / wide : k;
            to[at] = t->left_out[row + k / wide] ? 0.0 : scale * from[k];
        }
    }
}

// Positions and velocities are known to rounding, and so are forces of stiff springs and dampers.
static double rounding_of(const trModelModule *m) {
    const trTangent *t = &m->tangent;
    double           most[2] = {0.0, 0.0};  // stiffness, damping
    for (int i = 0; i < t->blocks; i++) {
        const trPartBlock *b = &t->block[i];
        bool               damping = b->part == TR_PART_D;
        if (b->part == TR_PART_K || damping) {
            int count = b->columns == 0 ? b->rows : b->rows * b->columns;
            most[damping] = fmax(most[damping], tr_largest(count, t->value + b->value));
        }
    }
    return ROUNDING * (most[0] * (1.0 + tr_largest(m->system->nq, m->q)) +
                       most[1] * (1.0 + tr_largest(m->system->nv, m->v)));
}

trStatus tr_module_factor(trModelModule *m) {
    const double coefficient[PLACES] = {[AT_M] = 1.0,  [AT_D] = m->step.c_v, [AT_K] = m->step.c_q,
                                        [AT_AT] = 1.0, [AT_A] = 1.0,         [AT_E] = 1.0};
    if (m->linear) {
        take_rows(m);
    } else {  // no multipliers: they would make K another one where joints are cut
        memset(m->rate, 0, (size_t)m->system->m * sizeof *m->rate);
        const trTangentState at = {.v = m->v, .a = m->a, .lambda = m->rate};
        tr_tangent_evaluate(&m->tangent, &m->eval, &at);
        m->rounding = rounding_of(m);
        m->linear = true;
    }
    tr_newton_fill(&m->matrix, coefficient);
    return tr_newton_factor(&m->matrix);
}

void tr_module_solve(trModelModule *m) {
    tr_newton_solve(&m->matrix, m->y);
    tr_tangent_unscale(&m->tangent, m->y + m->system->nv);
}

void tr_module_subtract_product(const trModelModule *m, const double *x, double *y) {
    const trSparse *A = &m->matrix.sparse;
    int             nv = m->system->nv;
    for (int j = 0; j < nv; j++) {
        for (int i = A->column[j]; i < A->column[j + 1] && A->row[i] < nv; i++) {
            y[A->row[i]] -= A->value[i] * x[j];
        }
    }
}

void tr_module_subtract_rows(const trModelModule *m, const double *x, double *y) {
    const trSparse *A = &m->matrix.sparse;
    int             nv = m->system->nv;
    for (int j = 0; j < nv; j++) {
        for (int i = A->column[j]; i < A->column[j + 1]; i++) {
            if (A->row[i] >= nv) {
                y[A->row[i] - nv] -= A->value[i] * x[j];
            }
        }
    }
}

double tr_module_largest_product(const trModelModule *m, const double *x) {
    int nv = m->system->nv;
    memset(m->x, 0, (size_t)nv * sizeof *m->x);
    tr_module_subtract_product(m, x, m->x);
    return tr_largest(nv, m->x);
}

// --- redundant rows ---

// Where M alone is singular, K need not be, and rows are judged with one mass for each unit.
static trStatus judge(void *self, trRowJudge *out) {
    trModelModule     *m = self;
    const trEquations *e = &m->eval.equations;
    trStatus           status = tr_projector_judge(&m->by_units, &m->kernel, e, out);
    if (status != TR_SINGULAR) {
        return status;
    }
    out->kernel = m->by_units.kernel;
    out->e = tr_projector_equations(&m->by_units, e);
    return tr_projector_rank(&m->by_units, e, &out->rank);
}

static void set_spare(void *self, int row, bool spare) {
    tr_eval_spare(&((trModelModule *)self)->eval, row, spare);
}

static void exchanged(void *self, int goes, int comes) {
    trModelModule *m = self;
    m->redundant[goes] = m->redundant[comes];
    m->redundant[comes] = false;
}

static void note_norms(trModelModule *m) {
    const double *norm = m->kernel.kind->row_norms(m->kernel.work);
    for (int i = 0; m->kernel.stamp != 0 && i < m->system->m; i++) {
        m->eval.row_scale[i] = fmax(m->eval.row_scale[i], sqrt(fmax(norm[i], 0.0)));
    }
}

// As implicit integrators do: rows that were redundant from the start and still are, and of those
// that depend on each other the ones that serve worst.
trStatus tr_module_judge_rows(trModelModule *m, bool first) {
    const trRowOwner owner = {m, judge, set_spare, exchanged};
    int              rows = m->system->m;
    bool            *left_out = m->tangent.left_out;
    trRank           rank;
    if (rows == 0 || (!first && !m->any)) {
        return TR_OK;
    }
    TR_TRY(tr_row_exchange_choose(&m->exchange, &owner, first ? -1 : m->rank, &rank));
    note_norms(m);
    TR_TRY(tr_projector_accept(&m->by_units, &m->eval.equations));
    m->rank = rank.rank;
    memset(left_out, 0, (size_t)rows * sizeof *left_out);
    for (int i = 0; i < rank.dropped; i++) {
        left_out[rank.rows[i]] = first || m->redundant[rank.rows[i]];
    }
    for (int i = 0; first && i < rows; i++) {
        m->redundant[i] = left_out[i];
        m->any = i == 0 ? left_out[i] : m->any || left_out[i];
    }
    for (int i = 0; i < rows; i++) {
        m->lambda[i] = left_out[i] ? 0.0 : m->lambda[i];
    }
    return TR_OK;
}
