// SPDX-License-Identifier: MIT
// The linearized equations at one instant, in axes of the world, and bases of what is free.

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "base/vector.h"
#include "modes/modes.h"

#define SIZE_MOST 4000  // matrices of half a gigabyte, and minutes

#define ROUNDING 1e-14  // of forces, relative

void tr_product(int rows, int inner, int columns, const double *A, const double *B, double *C) {
    memset(C, 0, (size_t)rows * (size_t)columns * sizeof *C);
    for (int j = 0; j < columns; j++) {
        double *to = C + (ptrdiff_t)j * rows;
        for (int k = 0; k < inner; k++) {
            const double *from = A + (ptrdiff_t)k * rows, factor = B[k + (ptrdiff_t)j * inner];
            if (factor != 0.0) {
                tr_add_scaled(rows, factor, from, to);
            }
        }
    }
}

void tr_product_t(int rows, int inner, int columns, const double *A, const double *B, double *C) {
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            C[i + (ptrdiff_t)j * rows] =
                tr_dot(inner, A + (ptrdiff_t)i * inner, B + (ptrdiff_t)j * inner);
        }
    }
}

double tr_norm(int count, const double *x) {
    return sqrt(tr_dot(count, x, x));
}

static double *matrix(trArena *arena, int rows, int columns) {
    return tr_new_array(arena, double, (size_t)rows *(size_t)columns);
}

static void plan_matrices(trLinear *l) {
    trArena *arena = l->arena;
    int      n = l->n, m = l->m, nz = l->nz, nb = l->each, nx = 2 * n + nz;
    l->root = matrix(arena, n, 1);
    l->T = matrix(arena, n, nb);
    l->T1 = matrix(arena, n, nb);
    l->M = matrix(arena, n, n);
    l->D = matrix(arena, n, n);
    l->K = matrix(arena, n, n);
    l->A = matrix(arena, m, n);
    l->N = matrix(arena, m, n);
    l->Z = matrix(arena, n, nz);
    l->Gq = matrix(arena, nz, n);
    l->Gv = matrix(arena, nz, n);
    l->Gz = matrix(arena, nz, nz);
    l->F = matrix(arena, n, 1);
    l->raw = (trLinearization){.M = matrix(arena, n, n),
                               .D = matrix(arena, n, n),
                               .K = matrix(arena, n, n),
                               .A = matrix(arena, m, n),
                               .N = matrix(arena, m, n),
                               .Z = matrix(arena, n, nz),
                               .Gq = matrix(arena, nz, n),
                               .Gv = matrix(arena, nz, n),
                               .Gz = matrix(arena, nz, nz),
                               .weight = matrix(arena, n, 1)};
    l->x = matrix(arena, l->nq + n + nz, 1);
    l->a = matrix(arena, n, 1);
    l->lambda = matrix(arena, m, 1);
    l->block = matrix(arena, n + m + nz + 6, n + m + nz);  // also 6 n numbers (reduce.c)
    l->G = matrix(arena, n, n);
    l->U = matrix(arena, n, n);
    l->H = matrix(arena, n, n);
    l->Mu = matrix(arena, n, n);
    l->Du = matrix(arena, n, n);
    l->Ku = matrix(arena, n, n);
    l->X = matrix(arena, nx, nx);
    l->length = matrix(arena, m, 1);
}

trStatus tr_modes_blame(const trLinear *l, trStatus status, int column) {
    const trCoordinateInfo at = tr_system_velocity(l->system, column);
    return tr_blame_thing(status, at.origin, l->dim == 0 ? "coordinate" : "body", at.name);
}

// The state of the simulation.
static void take_state(trLinear *l, const trSim *sim) {
    tr_copy(l->nq, tr_sim_q(sim), l->x);
    tr_copy(l->n, tr_sim_v(sim), l->x + l->nq);
    tr_copy(l->nz, tr_sim_z(sim), l->x + l->nq + l->n);
}

trStatus tr_linear_plan(trArena *arena, const trSystem *s, const trSim *sim, double rank_tolerance,
                        trLinear *out) {
    trLinear l = {.arena = arena,
                  .system = s,
                  .dim = tr_system_dim(s),
                  .bodies = tr_system_bodies(s) + tr_system_coordinates(s),
                  .nq = tr_system_nq(s),
                  .n = tr_system_nv(s),
                  .m = tr_system_m(s),
                  .nz = tr_system_states(s),
                  .rank_tolerance = rank_tolerance};
    int      positions = 0;
    long     size = (long)l.n + l.m + l.nz;
    l.each = l.n / l.bodies;
    if (size > SIZE_MOST) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "modes need dense matrices of up to %d velocities, constraint rows and "
                       "states; this model has %ld",
                       SIZE_MOST, size);
    }
    plan_matrices(&l);
    l.position_row = tr_new_array(arena, int, l.m);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < l.m; i++) {
        if (tr_system_row(s, i).holonomic) {
            l.position_row[positions++] = i;
        }
    }
    l.holonomic = positions == l.m;
    tr_rrqr_plan(arena, l.n, positions, &l.rows);
    tr_rrqr_plan(arena, l.n, l.m, &l.all);
    TR_TRY(tr_arena_status(arena));
    take_state(&l, sim);
    TR_TRY(tr_sim_new_eval(sim, &l.eval));
    *out = l;
    return TR_OK;
}

// --- axes of the world ---

// What turns a body is measured by the mean of its moments of inertia: no axis is preferred.
static void find_roots(trLinear *l) {
    const double *S = l->raw.weight;
    for (int i = 0; i < l->n; i++) {
        int    column = i % l->each;
        bool   turns = l->dim == 3 && column >= 3;
        double sum = turns ? S[i - column + 3] + S[i - column + 4] + S[i - column + 5] : S[i];
        l->root[i] = sqrt(turns ? sum / 3.0 : sum);
    }
}

// T = (1, R') / root, and T1 = (0, -[W]x R') / root.
static void find_turns(trLinear *l, const double *v) {
    const int nb = l->each;
    memset(l->T, 0, (size_t)l->n * (size_t)nb * sizeof *l->T);
    memset(l->T1, 0, (size_t)l->n * (size_t)nb * sizeof *l->T1);
    for (int i = 0; i < l->n; i++) {
        int column = i % nb;
        if (l->dim != 3 || column < 3) {
            l->T[(ptrdiff_t)i * nb + column] = 1.0 / l->root[i];
            continue;
        }
        const double *e = tr_eval_q(l->eval) + l->nq / l->bodies * (i / nb) + 3;
        const trMat3  R = tr_quat_matrix(tr_quat_unit((trQuat){e[0], e[1], e[2], e[3]}));
        const trVec3  axis = column == 3 ? R.x : column == 4 ? R.y : R.z;  // row of R'
        const double  part[3] = {axis.x, axis.y, axis.z};
        for (int k = 0; k < 3; k++) {
            l->T[(ptrdiff_t)i * nb + 3 + k] = part[k] / l->root[i];
        }
    }
    for (int body = 0; l->dim == 3 && body < l->bodies; body++) {
        const double *W = v + (ptrdiff_t)nb * body + 3;
        const double *T = l->T + (ptrdiff_t)nb * nb * body;
        double       *T1 = l->T1 + (ptrdiff_t)nb * nb * body;
        for (int k = 3; k < 6; k++) {
            double x = T[3 * nb + k], y = T[4 * nb + k], z = T[5 * nb + k];
            T1[3 * nb + k] = -(W[1] * z - W[2] * y);
            T1[4 * nb + k] = -(W[2] * x - W[0] * z);
            T1[5 * nb + k] = -(W[0] * y - W[1] * x);
        }
    }
}

// X = B T, with rows x n.
static void times_turn(const trLinear *l, int rows, const double *B, const double *T, double *X) {
    int nb = l->each;
    for (int j = 0; j < l->n; j++) {
        int     first = j - j % nb;
        double *to = X + (ptrdiff_t)j * rows;
        memset(to, 0, (size_t)rows * sizeof *to);
        for (int k = 0; k < nb; k++) {
            const double *from = B + (ptrdiff_t)(first + k) * rows;
            double        factor = T[(ptrdiff_t)(first + k) * nb + j % nb];
            if (factor != 0.0) {
                tr_add_scaled(rows, factor, from, to);
            }
        }
    }
}

// X = T' B, n x columns, in place.
static void turn_times(const trLinear *l, int columns, double *X) {
    int nb = l->each;
    for (int j = 0; j < columns; j++) {
        for (int first = 0; first < l->n; first += nb) {
            double *x = X + (ptrdiff_t)j * l->n + first, sum[6] = {0.0};
            for (int k = 0; k < nb; k++) {
                for (int i = 0; i < nb; i++) {
                    sum[i] += l->T[(ptrdiff_t)(first + k) * nb + i] * x[k];
                }
            }
            memcpy(x, sum, (size_t)nb * sizeof *x);
        }
    }
}

// A matrix of the tangent, which is row after row, into l->block.
static const double *part(trLinear *l, const double *raw, int rows, int columns) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            l->block[i + (ptrdiff_t)j * rows] = raw[(ptrdiff_t)i * columns + j];
        }
    }
    return l->block;
}

// M = T' M T, D = T' (M T1 + D T), ...
static void turn_parts(trLinear *l) {
    int           n = l->n;
    const double *M = part(l, l->raw.M, n, n);
    times_turn(l, n, M, l->T, l->M);
    times_turn(l, n, M, l->T1, l->K);  // memory
    times_turn(l, n, part(l, l->raw.D, n, n), l->T, l->D);
    tr_add_scaled(n * n, 1.0, l->K, l->D);
    times_turn(l, n, part(l, l->raw.K, n, n), l->T, l->K);
    turn_times(l, n, l->M);
    turn_times(l, n, l->D);
    turn_times(l, n, l->K);
    times_turn(l, l->m, part(l, l->raw.N, l->m, n), l->T, l->N);
    times_turn(l, l->m, part(l, l->raw.A, l->m, n), l->T, l->A);
    tr_copy(n * l->nz, part(l, l->raw.Z, n, l->nz), l->Z);
    turn_times(l, l->nz, l->Z);
    times_turn(l, l->nz, part(l, l->raw.Gq, l->nz, n), l->T, l->Gq);
    times_turn(l, l->nz, part(l, l->raw.Gv, l->nz, n), l->T, l->Gv);
    tr_copy(l->nz * l->nz, part(l, l->raw.Gz, l->nz, l->nz), l->Gz);
}

// Rows get unit length in y, by which their dependence is judged.
static void scale_rows(trLinear *l) {
    for (int i = 0; i < l->m; i++) {
        double sum = 0.0;
        for (int j = 0; j < l->n; j++) {
            sum += l->A[i + (ptrdiff_t)j * l->m] * l->A[i + (ptrdiff_t)j * l->m];
        }
        l->length[i] = sum > 0.0 ? sqrt(sum) : 1.0;
        for (int j = 0; j < l->n; j++) {
            l->A[i + (ptrdiff_t)j * l->m] /= l->length[i];
            l->N[i + (ptrdiff_t)j * l->m] /= l->length[i];
        }
    }
}

trStatus tr_linear_accelerate(trLinear *l, double t, const double *x) {
    const double *v = x + l->nq;
    TR_TRY(tr_eval_at(l->eval, t, x, v, v + l->n));
    return tr_eval_solve(l->eval, NULL, NULL, l->a, l->lambda);
}

trStatus tr_linear_evaluate(trLinear *l, double t, const double *x) {
    TR_TRY(tr_linear_accelerate(l, t, x));
    TR_TRY(tr_eval_linearize(l->eval, l->a, l->lambda, &l->raw));
    find_roots(l);
    find_turns(l, x + l->nq);
    memcpy(l->F, tr_eval_Q(l->eval), (size_t)l->n * sizeof *l->F);
    turn_times(l, 1, l->F);
    turn_parts(l);
    scale_rows(l);
    l->K_size = tr_norm(l->n * l->n, l->K);
    l->D_size = tr_norm(l->n * l->n, l->D);
    return TR_OK;
}

double tr_linear_length(const trLinear *l) {
    double most = 0.0;
    for (int i = 0; l->dim != 0 && i < l->n; i++) {
        int body = i / l->each, column = i % l->each;
        if (column < l->dim) {
            most = fmax(most, fabs(l->x[body * (l->nq / l->bodies) + column]));
        } else {
            most = fmax(most, l->root[i] / l->root[body * l->each]);
        }
    }
    return most;
}

// Springs that balance each other or a weight leave no force but the rounding of theirs, which are
// as large as K times what moves.
double tr_linear_rounding(const trLinear *l) {
    double length = tr_linear_length(l), sum = 0.0;
    for (int i = 0; i < l->n; i++) {
        double reach = l->dim == 0                              ? 1.0 + fabs(l->x[i])
                       : tr_system_velocity(l->system, i).turns ? 1.0
                                                                : length;
        sum += l->root[i] * l->root[i] * reach * reach;
    }
    return ROUNDING * l->K_size * sqrt(sum);
}

// --- what is free ---

// Columns beyond the rank of Q span what is orthogonal to the rows.
static trStatus null_space(trLinear *l, trRrqr *qr, const int *row, double *basis, int *columns) {
    for (int j = 0; j < qr->columns; j++) {
        int from = row == NULL ? j : row[j];
        for (int i = 0; i < l->n; i++) {
            qr->X[i + (ptrdiff_t)j * l->n] = l->A[from + (ptrdiff_t)i * l->m];
        }
    }
    TR_TRY(tr_rrqr_factor(qr, l->rank_tolerance));
    *columns = l->n - qr->rank;
    for (int k = 0; basis != NULL && k < *columns; k++) {
        double *to = basis + (ptrdiff_t)k * l->n;
        memset(to, 0, (size_t)l->n * sizeof *to);
        to[qr->rank + k] = 1.0;
        tr_rrqr_mul_q(qr, to);
    }
    return TR_OK;
}

trStatus tr_linear_bases(trLinear *l) {
    TR_TRY(null_space(l, &l->all, NULL, l->U, &l->nu));
    if (l->holonomic) {
        l->ns = l->nu;
        memcpy(l->G, l->U, (size_t)l->n * (size_t)l->nu * sizeof *l->U);
    } else {
        TR_TRY(null_space(l, &l->rows, l->position_row, l->G, &l->ns));
    }
    l->nx = l->ns + l->nu + l->nz;
    return TR_OK;
}

// The smallest H with A H = -N G; N is zero in rows of positions.
trStatus tr_linear_rates(trLinear *l) {
    int n = l->n, unused = 0;
    memset(l->H, 0, (size_t)n * (size_t)l->ns * sizeof *l->H);
    if (l->holonomic) {
        return TR_OK;
    }
    TR_TRY(null_space(l, &l->all, NULL, NULL, &unused));
    tr_product(l->m, n, l->ns, l->N, l->G, l->block);
    for (int j = 0; j < l->ns; j++) {
        double *h = l->H + (ptrdiff_t)j * n;
        for (int k = 0; k < l->all.rank; k++) {
            h[k] = -l->block[l->all.pivot[k] + (ptrdiff_t)j * l->m];
        }
        tr_rrqr_solve_rt(&l->all, h);
        tr_rrqr_mul_q(&l->all, h);
    }
    return TR_OK;
}
