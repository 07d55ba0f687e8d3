// SPDX-License-Identifier: MIT
// The sparse kernel against its dense twin on planar systems with bodies that lack mass or
// inertia, with redundant rows, and with motions that nothing determines.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formulation/schur.h"
#include "support/random.h"

#define MAX_BODIES 8
#define MAX_JOINTS 12
#define MAX_N (3 * MAX_BODIES)
#define MAX_M (3 * MAX_JOINTS)
#define TRIALS 100
#define GROUND (-1)

typedef struct Joint {
    int rows, body1, body2;
    int copy;  // not 0: rows are those of the joint this many before, times a number
} Joint;

typedef struct Case {
    const char *name;
    const char *mass;  // a letter for each body: m all masses, J no inertia, - neither
    Joint       joint[MAX_JOINTS];
    int         dropped;  // rows that are found dependent
} Case;

static const Case cases[] = {
    {"open chain", "mmmm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {3, 1, 2, 0}, {1, 2, 3, 0}}, 0},
    {"closed loop", "mmm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 2, 0}}, 0},
    {"massless coupler", "m-m", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 2, 0}}, 0},
    {"coupler without inertia", "mJm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}}, 0},
    {"slider without inertia", "mmJ", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 2, 0}}, 0},
    {"two massless bodies in series",
     "m--m",
     {{2, -1, 0, 0}, {3, 0, 1, 0}, {2, 1, 2, 0}, {2, 2, 3, 0}},
     0},
    {"three massless bodies in a tree",
     "m---",
     {{2, -1, 0, 0}, {3, 0, 1, 0}, {3, 1, 2, 0}, {3, 1, 3, 0}},
     0},
    {"massless body between ground and a body", "-m", {{3, -1, 0, 0}, {2, 0, 1, 0}}, 0},
    {"massless body on the ground twice", "-m", {{2, -1, 0, 0}, {2, 0, 1, 0}, {1, -1, 0, 0}}, 0},
    {"redundant rows", "mmm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, 1, 2, 1}}, 2},
    {"redundant pairs and singles",
     "mmmm",
     {{2, -1, 0, 0}, {2, -1, 0, 1}, {1, 0, 1, 0}, {2, 1, 2, 0}, {1, 0, 1, 2}, {3, 2, 3, 0},
      {3, 2, 3, 1}},
     6},
    {"redundant rows beside a massless body",
     "m-mm",
     {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 3, 0}, {2, -1, 3, 1}},
     2},
    {"redundant rows on a massless body",
     "m-m",
     {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 0, 1, 1}, {2, 1, 2, 0}, {2, -1, 2, 0}},
     0},
    {"redundant rows on two massless bodies",
     "m--m",
     {{3, 0, 1, 0}, {2, 1, 2, 0}, {2, 1, 2, 1}, {2, 2, 3, 0}, {3, 0, 1, 4}},
     0},
    {"redundant ground joints of a massless body", "-m", {{3, -1, 0, 0}, {3, -1, 0, 1}, {2, 0, 1, 0}}, 0},
    {"only massless bodies", "--", {{3, -1, 0, 0}, {3, 0, 1, 0}}, 0},
};

#define CASES (sizeof cases / sizeof *cases)

typedef struct Problem {
    trEquations e;
    double      mass[MAX_N], Q[MAX_N], b[MAX_M], value[MAX_M * 6];
    int         group_row[MAX_JOINTS + 1], group_side[MAX_JOINTS + 1];
    int         side_column[2 * MAX_JOINTS], side_width[2 * MAX_JOINTS], side_value[2 * MAX_JOINTS];
} Problem;

static void lay_out(Problem *p, const Case *c) {
    int row = 0, side = 0, value = 0, joints = 0, n = 3 * (int)strlen(c->mass);
    for (; joints < MAX_JOINTS && c->joint[joints].rows > 0; joints++) {
        const Joint *joint = &c->joint[joints];
        p->group_row[joints] = row;
        p->group_side[joints] = side;
        for (int k = 0; k < 2; k++) {
            int body = k == 0 ? joint->body1 : joint->body2;
            if (body != GROUND) {
                p->side_column[side] = 3 * body;
                p->side_width[side] = 3;
                p->side_value[side++] = value;
                value += 3 * joint->rows;
            }
        }
        row += joint->rows;
    }
    p->group_row[joints] = row;
    p->group_side[joints] = side;
    p->e = (trEquations){.nv = n,
                         .m = row,
                         .M = {.n = n, .diagonal = p->mass},
                         .A = {.m = row,
                               .n = n,
                               .groups = joints,
                               .group_row = p->group_row,
                               .group_side = p->group_side,
                               .side_column = p->side_column,
                               .side_width = p->side_width,
                               .side_value = p->side_value,
                               .value = p->value},
                         .Q = p->Q,
                         .b = p->b,
                         .rank_tolerance = 1e-4};
}

static void copy_joint(Problem *p, int from, int to) {
    for (int s = p->group_side[to], t = p->group_side[from]; s < p->group_side[to + 1]; s++, t++) {
        int rows = p->group_row[to + 1] - p->group_row[to];
        for (int k = 0; k < 3 * rows; k++) {
            p->value[p->side_value[s] + k] = -1.7 * p->value[p->side_value[t] + k];
        }
    }
}

// b is A times something, so that dependent rows do not contradict each other.
static void draw(Problem *p, const Case *c, trRandom *random) {
    double reached[MAX_N];
    for (int i = 0; i < p->e.nv; i++) {
        char kind = c->mass[i / 3];
        p->mass[i] = kind == '-' || (kind == 'J' && i % 3 == 2) ? 0.0 : 1.5 + random_real(random);
        p->Q[i] = random_real(random);
        reached[i] = random_real(random);
    }
    for (int g = 0; g < p->e.A.groups; g++) {
        for (int s = p->group_side[g]; s < p->group_side[g + 1]; s++) {
            for (int k = 0; k < 3 * c->joint[g].rows; k++) {
                p->value[p->side_value[s] + k] = random_real(random);
            }
        }
        if (c->joint[g].copy > 0) {
            copy_joint(p, g - c->joint[g].copy, g);
        }
    }
    tr_rows_mul(&p->e.A, reached, p->b);
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

typedef struct Solution {
    trStatus status;
    double   a[MAX_N], lambda[MAX_M];
    double   force[MAX_N];  // -A' lambda, which is unique where lambda is not
    trRank   rank;
    int      rows[MAX_M];  // dropped
} Solution;

static void solve(const char *name, const Problem *p, Solution *out) {
    const trFormulationKind *kind = tr_formulation_find(name);
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL;
    memset(out, 0, sizeof *out);
    assert_int_equal(kind->plan(arena, &p->e, &work), TR_OK);
    tr_arena_seal(arena);
    out->status = kind->factor(work, &p->e);
    if (out->status == TR_OK) {
        out->status = kind->solve(work, &p->e, p->Q, p->b, out->a, out->lambda);
    }
    tr_rows_tmul_sub(&p->e.A, out->lambda, out->force);
    out->rank = kind->rank(work);
    memcpy(out->rows, out->rank.rows, (size_t)out->rank.dropped * sizeof *out->rows);
    tr_arena_destroy(arena);
}
