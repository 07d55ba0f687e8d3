// SPDX-License-Identifier: MIT
// Loads that balance each other within as few joints as possible.
//
// All loads that no motion shows are N c, with the columns of N orthonormal. N_g are its rows of
// group g, a joint or a constraint. Groups are taken in the order of the model, here the last one
// first. The loads of groups up to g alone are
//
//     C_g = { c : N_k c = 0 for all k > g },     T: what of C_g is orthogonal to C_(g-1)
//
// and T is what group g makes redundant. Of C_g a subspace E is sought with as few groups as
// possible that still reaches T: from E = C_g on, groups k = g - 1, ..., 0 are left out,
//
//     E := { c in E : N_k c = 0 }
//
// first those without which it reaches all of T, then those without which it reaches some. The part
// of E that T sees is one result; T loses it, until nothing is left. Everything is told by
// subspaces: how joints write their rows, and how the world axes lie, does not matter.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "check/check.h"

// Some orthonormal vectors c, one after the other.
typedef struct Space {
    int     count;
    double *c;  // count x e
} Space;

typedef struct Search {
    const trPose *pose;
    double        tolerance;
    int           e;       // columns of N
    int           groups;  // of rows
    int          *first;   // groups + 1: their rows in the pose
    trRrqr        qr;      // memory for up to e rows
    double       *y;       // e: memory
    Space         C, T, E, fewer;
} Search;

// Turns the vectors of X within their span: of the `count` functionals Y the first rank ones are
// all that these see, so that the others are in the null space of Y. Returns the rank.
//
//     X Y' = Q R,   X := Q' X
static trStatus turn(Search *s, Space *X, int count, const double *Y, int *rank) {
    trRrqr *qr = &s->qr;
    qr->rows = X->count;
    qr->columns = count;
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < X->count; i++) {
            qr->X[i + (ptrdiff_t)j * X->count] =
                tr_dot(s->e, X->c + (ptrdiff_t)i * s->e, Y + (ptrdiff_t)j * s->e);
        }
    }
    TR_TRY(tr_rrqr_factor(qr, s->tolerance));
    *rank = qr->rank;
    for (int k = 0; *rank > 0 && k < s->e; k++) {
        for (int i = 0; i < X->count; i++) {
            s->y[i] = X->c[(ptrdiff_t)i * s->e + k];
        }
        tr_rrqr_mul_qt(qr, s->y);
        for (int i = 0; i < X->count; i++) {
            X->c[(ptrdiff_t)i * s->e + k] = s->y[i];
        }
    }
    return TR_OK;
}

static void copy(const Search *s, int count, const double *c, Space *to) {
    to->count = count;
    memmove(to->c, c, (size_t)count * (size_t)s->e * sizeof *c);
}

static const double *rows_of(const Search *s, int group, int *count) {
    *count = s->first[group + 1] - s->first[group];
    return s->pose->N + (ptrdiff_t)s->first[group] * s->e;
}

// Whether some c of X has a part along Y.
static bool sees(const Search *s, const Space *X, int count, const double *Y) {
    for (int i = 0; i < X->count; i++) {
        for (int j = 0; j < count; j++) {
            const double *x = X->c + (ptrdiff_t)i * s->e, *y = Y + (ptrdiff_t)j * s->e;
            if (fabs(tr_dot(s->e, x, y)) > s->tolerance) {
                return true;
            }
        }
    }
    return false;
}

// Leaves groups out of E as long as it reaches `least` dimensions of T.
static trStatus leave_out(Search *s, int group, int least) {
    for (int k = group - 1; k >= 0; k--) {
        int           rows, rank, reached;
        const double *N = rows_of(s, k, &rows);
        if (!sees(s, &s->E, rows, N)) {
            continue;
        }
        copy(s, s->E.count, s->E.c, &s->fewer);
        TR_TRY(turn(s, &s->fewer, rows, N, &rank));
        copy(s, s->fewer.count - rank, s->fewer.c + (ptrdiff_t)rank * s->e, &s->fewer);
        TR_TRY(turn(s, &s->fewer, s->T.count, s->T.c, &reached));
        if (reached >= least) {
            copy(s, s->fewer.count, s->fewer.c, &s->E);
        }
    }
    return TR_OK;
}

// The part of E that T sees, which is then taken from T.
static trStatus take(Search *s, trArena *arena, int group, trBalance *out) {
    int rank, gone;
    TR_TRY(turn(s, &s->E, s->T.count, s->T.c, &rank));
    s->E.count = rank;
    TR_TRY(turn(s, &s->T, rank, s->E.c, &gone));
    copy(s, s->T.count - gone, s->T.c + (ptrdiff_t)gone * s->e, &s->T);
    out->count = rank;
    out->c = tr_new_array(arena, double, (size_t)rank *(size_t)s->e);
    out->in = tr_new_array(arena, bool, s->groups);
    TR_TRY(tr_arena_status(arena));
    memcpy(out->c, s->E.c, (size_t)rank * (size_t)s->e * sizeof *out->c);
    for (int k = 0; k <= group; k++) {
        int           rows;
        const double *N = rows_of(s, k, &rows);
        out->in[k] = sees(s, &s->E, rows, N);
    }
    return TR_OK;
}

static trStatus plan(trCheckWork *w, const trPose *pose, Search *out) {
    int    most = pose->open, e = pose->open;
    Search s = {.pose = pose, .e = e, .groups = w->groups};
    size_t size = (size_t)e * (size_t)e;
    s.first = tr_new_array(w->scratch, int, w->groups + 1);
    TR_TRY(tr_arena_status(w->scratch));
    for (int i = 0; i < pose->m; i++) {
        s.first[w->row[pose->row[i]].group + 1]++;
    }
    for (int g = 0; g < w->groups; g++) {
        most = s.first[g + 1] > most ? s.first[g + 1] : most;
        s.first[g + 1] += s.first[g];
    }
    tr_rrqr_plan(w->scratch, e, most, &s.qr);
    s.y = tr_new_array(w->scratch, double, e);
    s.C.c = tr_new_array(w->scratch, double, size);
    s.T.c = tr_new_array(w->scratch, double, size);
    s.E.c = tr_new_array(w->scratch, double, size);
    s.fewer.c = tr_new_array(w->scratch, double, size);
    *out = s;
    return tr_arena_status(w->scratch);
}

static void reverse(int count, trBalance *b) {
    for (int i = 0; i < count / 2; i++) {
        trBalance last = b[count - 1 - i];
        b[count - 1 - i] = b[i];
        b[i] = last;
    }
}

trStatus tr_check_balances(trCheckWork *w, const trPose *pose, double tolerance, int *count,
                           trBalance **out) {
    Search     s;
    trBalance *found = tr_new_array(w->scratch, trBalance, pose->open);
    TR_TRY(plan(w, pose, &s));
    s.tolerance = tolerance;
    *count = 0;
    *out = found;
    s.C.count = s.e;
    for (int k = 0; k < s.e; k++) {
        s.C.c[(ptrdiff_t)k * (s.e + 1)] = 1.0;
    }
    for (int g = s.groups - 1; g >= 0 && s.C.count > 0; g--) {
        int           rows, rank;
        const double *N = rows_of(&s, g, &rows);
        TR_TRY(turn(&s, &s.C, rows, N, &rank));
        copy(&s, rank, s.C.c, &s.T);
        while (s.T.count > 0) {
            copy(&s, s.C.count, s.C.c, &s.E);
            TR_TRY(leave_out(&s, g, s.T.count));
            TR_TRY(leave_out(&s, g, 1));
            TR_TRY(take(&s, w->scratch, g, &found[(*count)++]));
        }
        copy(&s, s.C.count - rank, s.C.c + (ptrdiff_t)rank * s.e, &s.C);
    }
    reverse(*count, found);
    return TR_OK;
}
