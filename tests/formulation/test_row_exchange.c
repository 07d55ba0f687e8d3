// SPDX-License-Identifier: MIT
// Which of three dependent rows are kept: those that span the largest volume, whatever their order,
// scale and metric.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/row_exchange.h"
#include "support/test.h"

#define N 3
#define ROWS 3

// Three rows on one body. The second is 1e-3 away from the first, the third serves better.
typedef struct Rows {
    double        M[N], value[ROWS * N], scale[ROWS];
    bool          spare[ROWS], holonomic[ROWS];
    int           group_row[2], group_side[2], side_column[1], side_width[1], side_value[1];
    trEquations   e;
    trArena      *arena;
    trKernel      kernel;
    trRowExchange exchange;
} Rows;

static void set_up(Rows *r, const char *formulation) {
    static const double value[ROWS * N] = {1.0, 0.0, 0.0, 1.0, 1e-3, 0.0, 0.0, 1.0, 0.0};
    *r = (Rows){.M = {1.0, 4.0, 9.0}, .group_row = {0, ROWS}, .group_side = {0, 1}};
    memcpy(r->value, value, sizeof value);
    for (int i = 0; i < ROWS; i++) {
        r->holonomic[i] = true;
    }
    r->side_width[0] = N;
    r->e = (trEquations){.nv = N,
                         .m = ROWS,
                         .M = {.n = N, .diagonal = r->M},
                         .A = {.m = ROWS,
                               .n = N,
                               .groups = 1,
                               .group_row = r->group_row,
                               .group_side = r->group_side,
                               .side_column = r->side_column,
                               .side_width = r->side_width,
                               .side_value = r->side_value,
                               .value = r->value},
                         .holonomic = r->holonomic,
                         .row_scale = r->scale,
                         .spare = r->spare,
                         .rank_tolerance = 1e-4};
    r->arena = tr_arena_create();
    r->kernel.kind = tr_formulation_find(formulation);
    assert_non_null(r->kernel.kind);
    assert_int_equal(r->kernel.kind->plan(r->arena, &r->e, NULL, &r->kernel.work), TR_OK);
    tr_row_exchange_plan(r->arena, &r->e, &r->exchange);
    assert_int_equal(tr_arena_status(r->arena), TR_OK);
}

static trRank factor(Rows *r) {
    r->e.stamp++;
    assert_int_equal(tr_kernel_factor(&r->kernel, &r->e), TR_OK);
    return r->kernel.kind->rank(r->kernel.work);
}

static const char *const formulations[] = {"lagrange", "lagrange_dense", "nullspace", "projective"};
#define FORMULATIONS (int)(sizeof formulations / sizeof *formulations)

static void the_better_row_is_kept(void **state) {
    for (int k = 0; k < FORMULATIONS; k++) {
        for (int power = -3; power <= 6; power += 9) {
            Rows r;
            int  goes = -1, comes = -1;
            set_up(&r, formulations[k]);
            for (int j = 0; j < N; j++) {
                r.value[N + j] *= pow(10.0, power);  // however the row is written
            }
            trRank rank = factor(&r);
            assert_int_equal(rank.rank, 2);
            assert_int_equal(rank.rows[0], 2);
            assert_int_equal(
                tr_row_exchange_find(&r.exchange, &r.kernel, &r.e, &rank, &goes, &comes), TR_OK);
            assert_true(goes == 0 || goes == 1);  // as good as each other
            assert_int_equal(comes, 2);
            r.spare[goes] = true;
            const int gone = goes;
            rank = factor(&r);
            assert_int_equal(rank.rank, 2);
            assert_int_equal(rank.rows[0], gone);
            assert_true(rank.gap > 0.1);
            assert_int_equal(
                tr_row_exchange_find(&r.exchange, &r.kernel, &r.e, &rank, &goes, &comes), TR_OK);
            assert_int_equal(goes, -1);
            tr_arena_destroy(r.arena);
        }
    }
}

static void a_nonholonomic_row_does_not_replace_a_holonomic_one(void **state) {
    Rows r;
    int  goes = -1, comes = -1;
    set_up(&r, "lagrange");
    r.holonomic[2] = false;
    trRank rank = factor(&r);
    assert_int_equal(tr_row_exchange_find(&r.exchange, &r.kernel, &r.e, &rank, &goes, &comes),
                     TR_OK);
    assert_int_equal(goes, -1);
    tr_arena_destroy(r.arena);
}

static trStatus judge(void *self, trRowJudge *out) {
    Rows *r = self;
    *out = (trRowJudge){.kernel = &r->kernel, .e = r->e, .rank = factor(r)};
    out->e.stamp = r->e.stamp;
    return TR_OK;
}

static void set_spare(void *self, int row, bool spare) {
    ((Rows *)self)->spare[row] = spare;
}

// The first two rows hold velocities and imply the third, which positions need.
static void a_holonomic_row_comes_back_for_a_nonholonomic_one(void **state) {
    for (int k = 0; k < FORMULATIONS; k++) {
        Rows             r;
        trRank           rank;
        const trRowOwner owner = {&r, judge, set_spare, NULL};
        set_up(&r, formulations[k]);
        r.value[N + 1] = 1.0;
        r.value[2 * N] = 1.0;  // (1 0 0), (1 1 0), (1 1 0)
        r.holonomic[0] = r.holonomic[1] = false;
        assert_int_equal(tr_row_exchange_choose(&r.exchange, &owner, -1, &rank), TR_OK);
        assert_int_equal(rank.rank, 2);
        assert_int_equal(rank.dropped, 1);
        assert_int_not_equal(rank.rows[0], 2);
        tr_arena_destroy(r.arena);
    }
}

static void a_spare_row_that_becomes_independent_is_missed(void **state) {
    Rows r;
    int  missing = -1;
    set_up(&r, "lagrange");
    r.spare[1] = true;
    factor(&r);
    assert_int_equal(tr_row_exchange_missing(&r.exchange, &r.kernel, &r.e, false, &missing), TR_OK);
    assert_int_equal(missing, -1);
    r.value[N + 2] = 0.01;  // a part that the others do not have
    assert_int_equal(factor(&r).rank, 2);
    assert_int_equal(tr_row_exchange_missing(&r.exchange, &r.kernel, &r.e, false, &missing), TR_OK);
    assert_int_equal(missing, 1);
    r.spare[1] = false;
    assert_int_equal(factor(&r).rank, 3);
    tr_arena_destroy(r.arena);
}

// A run that is resumed must not take the rows that were dropped before for exchanged ones.
static void a_checkpoint_has_what_was_dropped(void **state) {
    Rows           r;
    trArena       *arena = tr_arena_create();
    trRowExchange  x;
    unsigned char *bytes;
    set_up(&r, "lagrange");
    tr_keep_begin(arena);
    tr_row_exchange_plan(arena, &r.e, &x);
    assert_int_equal(tr_arena_status(arena), TR_OK);
    x.dropped[1] = true;
    x.next = 1;
    x.most = 2;
    bytes = malloc(tr_kept_bytes(arena));
    assert_non_null(bytes);
    tr_kept_save(arena, bytes);
    x.dropped[0] = x.dropped[2] = true;
    x.dropped[1] = false;
    x.next = x.most = 0;
    assert_int_equal(tr_kept_restore(arena, bytes), TR_OK);
    assert_true(!x.dropped[0] && x.dropped[1] && !x.dropped[2]);
    assert_true(x.next == 1 && x.most == 2);
    free(bytes);
    tr_arena_destroy(arena);
    tr_arena_destroy(r.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_better_row_is_kept),
        cmocka_unit_test(a_nonholonomic_row_does_not_replace_a_holonomic_one),
        cmocka_unit_test(a_holonomic_row_comes_back_for_a_nonholonomic_one),
        cmocka_unit_test(a_spare_row_that_becomes_independent_is_missed),
        cmocka_unit_test(a_checkpoint_has_what_was_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
