// SPDX-License-Identifier: MIT
// Motions that the joints allow: those without mass, which have no acceleration, and what moves
// nearly.
//
//     M Z = 0:   (A Z) y = 0 gives motions Z y with neither mass nor constraint

#include <math.h>
#include <string.h>

#include "base/free_words.h"
#include "base/vector.h"
#include "check/check.h"
#include "la/svd.h"
#include "la/symmetric.h"

#define NO_MASS 1e-12  // eigenvalue of M with a unit diagonal
#define NO_PART 1e-6   // of a motion, relative to its largest part
#define NEARLY 1e-3    // singular value, relative to the largest, below which something moves

static double *column(int n, int *count, double *Z) {
    double *z = Z + (ptrdiff_t)n * (*count)++;
    memset(z, 0, (size_t)n * sizeof *z);
    return z;
}

// Columns of unit velocities, one for each zero in the masses of a body.
static int bodies_without_mass(const trCheckWork *w, double *Z) {
    int n = w->here.n, count = 0, dim = w->dim;
    for (int i = 0; i < w->bodies; i++) {
        const trBodyInfo body = tr_system_body(w->system, i);
        for (int k = 0; body.mass == 0.0 && k < dim; k++) {
            column(n, &count, Z)[i * w->width + k] = 1.0;
        }
        if (dim == 2) {
            if (body.inertia[2] == 0.0) {
                column(n, &count, Z)[i * w->width + 2] = 1.0;
            }
            continue;
        }
        double       P[12];
        const trMat3 R = tr_check_turn(w, i, P);
        const trVec3 axis[3] = {R.x, R.y, R.z};
        for (int k = 0; k < 3; k++) {
            if (body.inertia[k] == 0.0) {
                double *z = column(n, &count, Z) + (ptrdiff_t)i * w->width + 3;
                z[0] = axis[k].x;
                z[1] = axis[k].y;
                z[2] = axis[k].z;
            }
        }
    }
    return count;
}

// The null space of the mass of a system of the user's own.
static trStatus own_without_mass(trCheckWork *w, double *Z, int *count) {
    int     n = w->here.n;
    double *M = w->mass = tr_new_array(w->scratch, double, (size_t)n *(size_t)n);
    double *S = tr_new_array(w->scratch, double, (size_t)n *(size_t)n);
    double *root = tr_new_array(w->scratch, double, 2 * n);
    double *work = tr_new_array(w->scratch, double, 4 * n);
    TR_TRY(tr_arena_status(w->scratch));
    tr_eval_dense_M(w->eval, M);
    for (int i = 0; i < n; i++) {
        double d = M[i * (n + 1)];
        root[i] = d > 0.0 ? sqrt(d) : 1.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double entry = M[i + (ptrdiff_t)j * n];
            S[i + (ptrdiff_t)j * n] = entry / (root[i] * root[j]);
        }
    }
    TR_TRY(tr_symmetric_eigen(n, S, root + n, work));
    for (int k = 0; k < n && root[n + k] < NO_MASS; k++) {
        double *z = column(n, count, Z);
        for (int i = 0; i < n; i++) {
            z[i] = S[i + (ptrdiff_t)k * n] / root[i];
        }
    }
    return TR_OK;
}

// The last coordinate of the user's own with a part in a motion, as elimination finds it.
static int last_part(int n, const double *x) {
    double most = tr_largest(n, x);
    int    last = n - 1;
    while (last > 0 && fabs(x[last]) < NO_PART * most) {
        last--;
    }
    return last;
}

// M is full, and has mass on the diagonal of this column.
static bool is_canceled(const trCheckWork *w, int column) {
    const int n = w->here.n;
    bool      full = false;
    for (int i = 0; i < n * n; i++) {
        full = full || (i % (n + 1) != 0 && w->mass[i] != 0.0);
    }
    return full && w->mass[column * (n + 1)] > 0.0;
}

// A motion with neither mass nor constraint, and what is said of it, as a run does.
static trCheckMotion describe(trCheckWork *w, const double *x, trFreeWords *words) {
    trCheckMotion out = tr_check_describe(w, x);
    *words = tr_words_for_free(w->dim, tr_check_turns(w, out.twist));
    if (w->dim == 0) {
        int column = last_part(w->here.n, x);
        out.body = tr_check_body(w, column);
        out.twist[0] = x[column];
        *words = is_canceled(w, column) ? tr_words_for_canceled() : *words;
    }
    return out;
}

static trStatus tell(trCheckWork *w, int open, const double *x) {
    trCheckMotion *found = tr_new_array(w->arena, trCheckMotion, open);
    TR_TRY(tr_arena_status(w->arena));
    for (int k = 0; k < open; k++) {
        trFreeWords words;
        found[k] = describe(w, x + (ptrdiff_t)k * w->here.n, &words);
        const char *reason = tr_arena_format(w->arena, "%s %s", found[k].text, words.lacks);
        TR_TRY(tr_check_find(w, w->out->refusal != NULL ? TR_PREVENTS : TR_WARNING, "massless",
                             found[k].body, reason, words.remedy));
    }
    w->out->massless = open;
    w->out->free_motion = found;
    return TR_OK;
}

trStatus tr_check_massless(trCheckWork *w) {
    int     n = w->here.n, m = w->here.m, count = 0;
    trRrqr  qr;
    double *null = NULL, *Z = tr_new_array(w->scratch, double, (size_t)n *(size_t)n);
    TR_TRY(tr_arena_status(w->scratch));
    if (w->dim == 0) {
        TR_TRY(own_without_mass(w, Z, &count));
    } else {
        count = bodies_without_mass(w, Z);
    }
    tr_rrqr_plan(w->scratch, m, count, &qr);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < m; i++) {
            qr.X[i + (ptrdiff_t)k * m] =
                tr_dot(n, w->here.X + (ptrdiff_t)i * n, Z + (ptrdiff_t)k * n);
        }
    }
    TR_TRY(tr_find_circuits(w->scratch, &qr, w->rank_tolerance, &null));
    int     open = count - qr.rank;
    double *x = tr_new_array(w->scratch, double, (size_t)n *(size_t)open);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < open; k++) {
        for (int j = 0; j < count; j++) {
            tr_add_scaled(n, null[j + (ptrdiff_t)k * count], Z + (ptrdiff_t)j * n,
                          x + (ptrdiff_t)k * n);
        }
    }
    return open > 0 ? tell(w, open, x) : TR_OK;
}

trStatus tr_check_near(trCheckWork *w) {
    trSvd         svd;
    const trPose *p = &w->here;
    if (p->rank == 0) {
        return TR_OK;
    }
    tr_svd_plan(w->scratch, p->n, p->m, &svd);
    TR_TRY(tr_arena_status(w->scratch));
    memcpy(svd.X, p->X, (size_t)p->n * (size_t)p->m * sizeof *p->X);
    TR_TRY(tr_svd_factor(&svd));
    trCheck *out = w->out;
    out->smallest = svd.S[p->rank - 1];
    out->ratio = out->smallest / svd.S[0];
    out->near = out->ratio < NEARLY;
    if (!out->near) {
        return TR_OK;
    }
    out->nearly = tr_check_describe(w, svd.U + (ptrdiff_t)(p->rank - 1) * p->n);
    const char *reason =
        tr_arena_format(w->arena,
                        "nearly moves, by %s: the joints hold that %.1e times as firmly "
                        "as the rest",
                        out->nearly.text, out->ratio);
    return tr_check_find(w, TR_WARNING, "near", out->nearly.body, reason,
                         "expect large reactions; check the geometry, or move it away from this "
                         "pose");
}
