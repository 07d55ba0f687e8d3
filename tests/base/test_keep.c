// SPDX-License-Identifier: MIT
// Saved numbers that others follow as indices are in their range, or refused with nothing changed.

#include <string.h>

#include "base/keep.h"
#include "formulation/formulation.h"
#include "support/test.h"

#define COUNT 3

static void pivots_are_from_one_to_their_number(void **state) {
    trArena *arena = tr_arena_create();
    int      pivot[COUNT] = {0}, saved[COUNT];
    assert_non_null(arena);
    tr_keep_begin(arena);
    tr_keep_pivots(arena, pivot, COUNT);
    assert_int_equal(tr_kept_bytes(arena), sizeof pivot);
    tr_kept_save(arena, (unsigned char *)saved);
    assert_int_equal(tr_kept_restore(arena, (const unsigned char *)saved), TR_OK);
    for (int bad = 0; bad <= COUNT + 1; bad++) {
        for (int i = 0; i < COUNT; i++) {
            int number[COUNT] = {1, 2, 3};
            number[i] = bad;
            trStatus status = tr_kept_restore(arena, (const unsigned char *)number);
            assert_int_equal(status, bad >= 1 && bad <= COUNT ? TR_OK : TR_E_ARGUMENT);
            assert_in_range(pivot[i], 1, COUNT);
        }
    }
    tr_arena_destroy(arena);
}

// Of symmetric matrices: a negative pivot stands in two rows, none is zero.
static void pivots_of_symmetric_matrices_are_whole_blocks(void **state) {
    static const struct {
        int  pivot[COUNT];
        bool fits;
    } cases[] = {{{1, 2, 3}, true},   {{-2, -2, 3}, true}, {{1, -3, -3}, true},
                 {{0, 2, 3}, false},  {{1, 2, 0}, false},  {{1, 2, -3}, false},
                 {{-2, 2, 3}, false}, {{1, -3, 3}, false}, {{-2, -2, -3}, false}};
    const trFormulationKind *kkt = tr_formulation_find("lagrange_kkt");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        trArena             *arena = tr_arena_create();
        const trEquations    e = {.nv = 2, .m = 1};
        void                *work = NULL;
        static unsigned char saved[65536];
        const int            first[COUNT] = {1, 2, 3};
        assert_non_null(arena);
        tr_keep_begin(arena);
        assert_int_equal(kkt->plan(arena, &e, NULL, &work), TR_OK);
        size_t size = tr_kept_bytes(arena), at = 0;
        assert_true(size <= sizeof saved);
        tr_kept_save(arena, saved);
        while (memcmp(saved + at, first, sizeof first) != 0) {
            at++;
            assert_true(at + sizeof first <= size);
        }
        memcpy(saved + at, cases[k].pivot, sizeof first);
        assert_int_equal(tr_kept_restore(arena, saved), cases[k].fits ? TR_OK : TR_E_ARGUMENT);
        tr_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pivots_are_from_one_to_their_number),
        cmocka_unit_test(pivots_of_symmetric_matrices_are_whole_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
