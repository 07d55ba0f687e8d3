// SPDX-License-Identifier: MIT
// Differences of fourth order, (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h, of
//
//     r = M a + A' lambda - Q - C      phi      w = A v - b1      g = z'
//
// by q (in directions of v), v, a, lambda and z. They leave out h^4 / 30 times the fifth derivative
// and have the rounding 1e-16 / h: with h = 1e-3 both are below 1e-11 of the size of the functions
// here, whose derivatives are up to a hundred times as large as they are.

#include "support/tangent_check.h"

#include <math.h>
#include <string.h>

#include "support/random.h"
#include "support/test.h"

#define ROOM 40      // of anything
#define STEP 1e-3    // of the differences
#define AHEAD 1e-6   // [s]: how much later A is looked at for N
#define LATER 3e-5   // of the size: AHEAD times half of the second rate of A, which is below 60
#define INSTANT 0.3  // [s]

typedef enum Unknown { BY_Q, BY_V, BY_A, BY_LAMBDA, BY_Z, UNKNOWNS } Unknown;

typedef struct State {
    double q[ROOM], v[ROOM], a[ROOM], lambda[ROOM], z[ROOM];
} State;

typedef struct Values {
    double r[ROOM], phi[ROOM], w[ROOM], g[ROOM];
} Values;

typedef struct Check {
    const trSystem *s;
    const char     *what;
    double          tolerance;
    trArena        *arena;
    trEval          eval, ahead;
    trTangent       tangent;
    State           at;
    double          size;
} Check;

double tangent_entry(const trTangent *t, trPart part, int i, int k) {
    double sum = 0.0;
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        int                row = i - block->row, column = k - block->column;
        if (block->part != part || row < 0 || row >= block->rows) {
            continue;
        }
        if (block->columns == 0) {
            sum += row == column ? t->value[block->value + row] : 0.0;
        } else if (column >= 0 && column < block->columns) {
            sum += t->value[block->value + row * block->columns + column];
        }
    }
    return sum;
}

static void require(const Check *c, trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s: %s", c->what, tr_last_error());
    }
}

static void choose(Check *c) {
    const trSystem *s = c->s;
    trRandom        random = {11};
    double          x[ROOM];
    memcpy(c->at.q, s->q0, (size_t)s->nq * sizeof *s->q0);
    for (int i = 0; i < s->nv; i++) {
        x[i] = 0.3 * random_real(&random);
        c->at.v[i] = random_real(&random);
        c->at.a[i] = random_real(&random);
    }
    tr_system_retract(s, x, c->at.q);
    for (int i = 0; i < s->m; i++) {
        c->at.lambda[i] = 2.0 * random_real(&random);
    }
    for (int i = 0; i < s->states; i++) {
        c->at.z[i] = random_real(&random);
    }
}

static void evaluate(Check *c, const State *at, double t, trEval *e) {
    e->z = at->z;
    require(c, tr_system_eval(c->s, t, at->q, at->v, e));
    if (e->C != NULL) {
        require(c, tr_eval_nonideal(e, at->lambda));
    }
}

static Values values(Check *c, const State *at) {
    const trSystem *s = c->s;
    trEval         *e = &c->eval;
    Values          out = {{0.0}, {0.0}, {0.0}, {0.0}};
    double          load[ROOM];
    evaluate(c, at, INSTANT, e);
    for (int i = 0; i < s->nv; i++) {
        load[i] = e->Q[i] + (e->C != NULL ? e->C[i] : 0.0);
    }
    tr_rows_tmul_sub(&e->equations.A, at->lambda, load);
    tr_mass_mul(&e->equations.M, at->a, out.r);
    tr_rows_mul(&e->equations.A, at->v, out.w);
    for (int i = 0; i < s->nv; i++) {
        out.r[i] -= load[i];
    }
    for (int i = 0; i < s->m; i++) {
        out.phi[i] = s->holonomic[i] ? e->phi[i] : 0.0;
        out.w[i] -= e->b1[i];
    }
    for (int i = 0; i < s->states; i++) {
        out.g[i] = e->z_dot[i];
    }
    return out;
}

static State moved(const Check *c, Unknown unknown, int k, double by) {
    State  to = c->at;
    double dq[ROOM] = {0.0}, *table[UNKNOWNS] = {dq, to.v, to.a, to.lambda, to.z};
    table[unknown][k] += by;
    if (unknown == BY_Q) {
        tr_system_retract(c->s, dq, to.q);
    }
    return to;
}

// The change of all values by one unknown.
static Values changes(Check *c, Unknown unknown, int k) {
    const double  weight[4] = {8.0, -8.0, -1.0, 1.0}, step[4] = {1.0, -1.0, 2.0, -2.0};
    Values        out = {{0.0}, {0.0}, {0.0}, {0.0}};
    double *const sum = (double *)&out;
    for (int n = 0; n < 4; n++) {
        State         to = moved(c, unknown, k, step[n] * STEP);
        Values        there = values(c, &to);
        const double *f = (const double *)&there;
        for (size_t i = 0; i < sizeof out / sizeof *sum; i++) {
            sum[i] += weight[n] * f[i] / (12.0 * STEP);
        }
    }
    return out;
}

static void compare(const Check *c, const char *part, int i, int k, double mine, double change) {
    double tolerance = strcmp(part, "N") == 0 ? LATER : c->tolerance;
    if (!(fabs(mine - change) <= tolerance * c->size)) {
        fail_msg("%s: %s(%d, %d) is %.12g, should be %.12g", c->what, part, i, k, mine, change);
    }
}

static double entry(const Check *c, trPart part, int i, int k) {
    return tangent_entry(&c->tangent, part, i, k);
}

// --- columns ---

static void check_loads(Check *c, Unknown unknown, int k, const double *r) {
    const trPart part[UNKNOWNS] = {TR_PART_K, TR_PART_D, TR_PART_M, TR_PART_C, TR_PART_Z};
    const char  *name[UNKNOWNS] = {"K", "D", "M", "A' and C", "Z"};
    for (int i = 0; i < c->s->nv; i++) {
        double mine = entry(c, part[unknown], i, k);
        if (unknown == BY_LAMBDA) {
            mine += entry(c, TR_PART_AT, i, k) + entry(c, TR_PART_AT_VEL, i, k);
            mine /= c->tangent.scale[c->s->row_joint[k]];
        }
        compare(c, name[unknown], i, k, mine, r[i]);
    }
}

static void check_rows(Check *c, Unknown unknown, int k, const Values *by) {
    for (int i = 0; i < c->s->m; i++) {
        bool fast = c->s->holonomic[i];
        if (unknown == BY_Q) {
            compare(c, "A", i, k, entry(c, TR_PART_A, i, k), by->phi[i]);
            compare(c, fast ? "N" : "N_VEL", i, k, entry(c, fast ? TR_PART_N : TR_PART_N_VEL, i, k),
                    by->w[i]);
            compare(c, "other N", i, k, entry(c, fast ? TR_PART_N_VEL : TR_PART_N, i, k), 0.0);
        } else {
            compare(c, fast ? "V" : "V_VEL", i, k, entry(c, fast ? TR_PART_V : TR_PART_V_VEL, i, k),
                    by->w[i]);
            compare(c, "other V", i, k, entry(c, fast ? TR_PART_V_VEL : TR_PART_V, i, k), 0.0);
        }
    }
}

static void check_column(Check *c, Unknown unknown, int k) {
    Values by = changes(c, unknown, k);
    check_loads(c, unknown, k, by.r);
    if (unknown == BY_Q || unknown == BY_V) {
        check_rows(c, unknown, k, &by);
    }
    const trPart part[UNKNOWNS] = {TR_PART_G_Q, TR_PART_G_V, TR_PART_COUNT, TR_PART_COUNT,
                                   TR_PART_G_Z};
    for (int i = 0; i < c->s->states; i++) {
        compare(c, "G", i, k, -entry(c, part[unknown], i, k), by.g[i]);
        if (unknown == BY_Z) {
            compare(c, "ONE_Z", i, k, entry(c, TR_PART_ONE_Z, i, k), i == k ? 1.0 : 0.0);
        }
    }
}

// S d(x')/dx at x = 0, and S itself.
static void check_spin(Check *c) {
    const trSystem *s = c->s;
    const double   *S = tr_tangent_weight(&c->tangent);
    for (int k = 0; k < s->nv; k++) {
        double at[4][ROOM], x[ROOM] = {0.0};
        for (int n = 0; n < 4; n++) {
            const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
            x[k] = steps[n] * STEP;
            tr_system_x_rate(s, x, c->at.v, at[n]);
        }
        for (int i = 0; i < s->nv; i++) {
            double slope = (at[0][i] - 8.0 * at[1][i] + 8.0 * at[2][i] - at[3][i]) / (12.0 * STEP);
            double mass = entry(c, TR_PART_M, i, i);
            compare(c, "SPIN", i, k, entry(c, TR_PART_SPIN, i, k), S[i] * slope);
            compare(c, "S", i, k, entry(c, TR_PART_S, i, k), i == k ? S[i] : 0.0);
            assert_true(S[i] > 0.0 && (!(mass > 0.0) || S[i] == mass));
        }
    }
}

// Next to nothing on the diagonals, but for rows of velocities where positions alone are held.
static void check_compliance(const Check *c) {
    for (int i = 0; i < c->s->m * c->s->m; i++) {
        int    row = i / c->s->m, column = i % c->s->m;
        double E = entry(c, TR_PART_E, row, column), pos = entry(c, TR_PART_E_POS, row, column);
        if (row != column) {
            assert_true(E == 0.0 && pos == 0.0);
        } else {
            assert_true(E < 0.0 && E > -1e-10 && pos == (c->s->holonomic[row] ? E : -1.0));
        }
    }
}

static void linearize(Check *c) {
    State  later = c->at;
    double dq[ROOM];
    for (int i = 0; i < c->s->nv; i++) {
        dq[i] = AHEAD * c->at.v[i];
    }
    tr_system_retract(c->s, dq, later.q);
    evaluate(c, &later, INSTANT + AHEAD, &c->ahead);
    Values         here = values(c, &c->at);
    trTangentState state = {
        .v = c->at.v, .a = c->at.a, .lambda = c->at.lambda, .ahead = &c->ahead, .ahead_by = AHEAD};
    const double *f = (const double *)&here;
    tr_tangent_evaluate(&c->tangent, &c->eval, &state);
    for (size_t i = 0; i < sizeof here / sizeof *f; i++) {
        c->size = fmax(c->size, fabs(f[i]));
    }
}

void tangent_check(const trSystem *s, const char *what, double tolerance) {
    Check c = {.s = s, .what = what, .tolerance = tolerance, .size = 1.0};
    c.arena = tr_arena_create();
    assert_true(s->nq <= ROOM && s->m <= ROOM && s->states <= ROOM);
    require(&c, tr_eval_plan(c.arena, s, 1e-4, &c.eval));
    require(&c, tr_eval_plan(c.arena, s, 1e-4, &c.ahead));
    require(&c, tr_tangent_plan(c.arena, s, &c.tangent));
    choose(&c);
    linearize(&c);
    check_spin(&c);
    check_compliance(&c);
    const int count[UNKNOWNS] = {s->nv, s->nv, s->nv, s->m, s->states};
    for (int unknown = 0; unknown < UNKNOWNS; unknown++) {
        for (int k = 0; k < count[unknown]; k++) {
            check_column(&c, (Unknown)unknown, k);
        }
    }
    tr_arena_destroy(c.arena);
}
