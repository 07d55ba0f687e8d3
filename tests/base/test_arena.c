// SPDX-License-Identifier: MIT
// Arenas: what they hand out, how a failure stays, and what runs at the end.

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "support/test.h"

#define REQUESTS 200

static bool all_bytes(const unsigned char *memory, size_t count, unsigned char value) {
    for (size_t i = 0; i < count; i++) {
        if (memory[i] != value) {
            return false;
        }
    }
    return true;
}

// Sizes around the alignment, below and above a block of the arena (64 KiB).
static size_t size_of_request(int i) {
    static const size_t sizes[] = {1, 7, 63, 64, 65, 1000, 30000, 65536, 65537, 200000};
    return sizes[(size_t)i % (sizeof sizes / sizeof *sizes)];
}

// Memory that an arena gave back is dirty, and the next arena is likely to get it.
static void memory_is_zero_even_where_it_was_used_before(void **state) {
    for (int round = 0; round < 3; round++) {
        trArena *arena = tr_arena_create();
        for (int i = 0; i < REQUESTS; i++) {
            unsigned char *memory = tr_arena_take(arena, size_of_request(i), 1);
            assert_non_null(memory);
            assert_true(all_bytes(memory, size_of_request(i), 0));
            memset(memory, 0xA5, size_of_request(i));
        }
        tr_arena_destroy(arena);
    }
}

static void memory_is_aligned_to_64_bytes(void **state) {
    trArena *arena = tr_arena_create();
    for (int i = 0; i < REQUESTS; i++) {
        assert_int_equal((uintptr_t)tr_arena_take(arena, size_of_request(i), 1) % 64, 0);
    }
    assert_int_equal(tr_arena_status(arena), TR_OK);
    tr_arena_destroy(arena);
}

static void requests_do_not_overlap(void **state) {
    static unsigned char *memory[REQUESTS];
    trArena              *arena = tr_arena_create();
    for (int i = 0; i < REQUESTS; i++) {
        memory[i] = tr_arena_take(arena, size_of_request(i), 1);
        memset(memory[i], i + 1, size_of_request(i));
    }
    for (int i = 0; i < REQUESTS; i++) {
        assert_true(all_bytes(memory[i], size_of_request(i), (unsigned char)(i + 1)));
    }
    tr_arena_destroy(arena);
}

static void zero_bytes_give_a_valid_pointer(void **state) {
    trArena *arena = tr_arena_create();
    assert_non_null(tr_arena_take(arena, 0, 8));
    assert_non_null(tr_arena_take(arena, 8, 0));
    assert_int_equal(tr_arena_status(arena), TR_OK);
    tr_arena_destroy(arena);
}

// A product that does not fit into size_t must not wrap around to something small.
static void a_request_that_is_too_large_fails_and_the_failure_stays(void **state) {
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 + 2};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        trArena *arena = tr_arena_create();
        assert_non_null(tr_arena_take(arena, 1, 1));
        assert_null(tr_arena_take(arena, counts[i], 8));
        assert_int_equal(tr_arena_status(arena), TR_E_MEMORY);
        assert_null(tr_arena_take(arena, 1, 1));
        assert_null(tr_arena_text(arena, "x"));
        assert_null(tr_arena_format(arena, "%d", 1));
        tr_arena_destroy(arena);
    }
}

static void a_sealed_arena_refuses_requests(void **state) {
    trArena *arena = tr_arena_create();
    assert_non_null(tr_arena_take(arena, 1, 8));
    tr_arena_seal(arena);
    assert_int_equal(tr_arena_status(arena), TR_OK);
    assert_null(tr_arena_take(arena, 1, 8));
    assert_int_equal(tr_arena_status(arena), TR_E_MEMORY);
    assert_non_null(strstr(tr_last_error(), "after planning"));
    tr_arena_destroy(arena);
}

// Releases write the number of their object here.
typedef struct Diary {
    int count;
    int entry[8];
} Diary;

typedef struct Entry {
    Diary *diary;
    int    number;
} Entry;

static void release(void *object) {
    const Entry *entry = object;
    entry->diary->entry[entry->diary->count++] = entry->number;
}

static void deferred_releases_run_at_the_end_newest_first(void **state) {
    Diary    diary = {0};
    Entry    entries[] = {{&diary, 1}, {&diary, 2}, {&diary, 3}};
    trArena *arena = tr_arena_create();
    for (int i = 0; i < 3; i++) {
        tr_arena_defer(arena, release, &entries[i]);
    }
    assert_int_equal(diary.count, 0);
    tr_arena_destroy(arena);
    assert_int_equal(diary.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(diary.entry[i], 3 - i);
    }
}

// What cannot be remembered must not be lost.
static void a_release_that_cannot_be_deferred_runs_at_once_and_only_once(void **state) {
    Diary    diary = {0};
    Entry    entry = {&diary, 7};
    trArena *arena = tr_arena_create();
    tr_arena_seal(arena);
    tr_arena_defer(arena, release, &entry);
    assert_int_equal(diary.count, 1);
    assert_int_equal(tr_arena_status(arena), TR_E_MEMORY);
    tr_arena_destroy(arena);
    assert_int_equal(diary.count, 1);
}

static void texts_are_copies(void **state) {
    char     text[] = "crank";
    trArena *arena = tr_arena_create();
    char    *copy = tr_arena_text(arena, text);
    text[0] = 'f';
    assert_string_equal(copy, "crank");
    assert_string_equal(tr_arena_text(arena, ""), "");
    tr_arena_destroy(arena);
}

static void formatted_texts_may_have_any_length(void **state) {
    trArena *arena = tr_arena_create();
    assert_string_equal(tr_arena_format(arena, "%s.%d", "crank", 12), "crank.12");
    const char *text = tr_arena_format(arena, "%5000d|", 42);
    assert_int_equal(strlen(text), 5001);
    assert_string_equal(text + 4998, "42|");
    tr_arena_destroy(arena);
}

static void copies_are_whole_and_may_be_empty(void **state) {
    int        numbers[] = {3, 1, 4};
    trArena   *arena = tr_arena_create();
    const int *copy = tr_arena_copy(arena, numbers, 3, sizeof *numbers);
    numbers[2] = 0;
    assert_int_equal(copy[0] + copy[1] + copy[2], 8);
    assert_non_null(tr_arena_copy(arena, NULL, 0, sizeof *numbers));
    tr_arena_destroy(arena);
}

static void tables_grow_and_keep_their_entries(void **state) {
    trArena *arena = tr_arena_create();
    int     *table = NULL, count = 0, room = 0;
    for (int i = 0; i < REQUESTS; i++) {
        assert_int_equal(tr_table_add(arena, &table, &count, &room, &i, sizeof i), TR_OK);
        assert_int_equal(count, i + 1);
        assert_true(room >= count && room < 2 * count + 16);
    }
    for (int i = 0; i < REQUESTS; i++) {
        assert_int_equal(table[i], i);
    }
    tr_arena_seal(arena);
    while (count < room) {  // what there is room for needs no memory
        assert_int_equal(tr_table_add(arena, &table, &count, &room, &count, sizeof count), TR_OK);
    }
    const int *before = table;
    assert_int_equal(tr_table_add(arena, &table, &count, &room, &count, sizeof count), TR_E_MEMORY);
    assert_int_equal(count, room);
    assert_ptr_equal(table, before);
    tr_arena_destroy(arena);
}

static void where_there_is_no_arena_every_request_fails(void **state) {
    int *table = NULL, count = 0, room = 0;
    assert_null(tr_arena_take(NULL, 1, 1));
    assert_null(tr_arena_copy(NULL, &count, 1, sizeof count));
    assert_null(tr_arena_format(NULL, "%d", 1));
    assert_null(tr_arena_kept(NULL));
    assert_int_equal(tr_table_add(NULL, &table, &count, &room, &count, sizeof count), TR_E_MEMORY);
    assert_int_equal(tr_arena_status(NULL), TR_E_MEMORY);
}

static void destroying_nothing_is_allowed(void **state) {
    tr_arena_destroy(NULL);
    tr_arena_destroy(tr_arena_create());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zero_even_where_it_was_used_before),
        cmocka_unit_test(memory_is_aligned_to_64_bytes),
        cmocka_unit_test(requests_do_not_overlap),
        cmocka_unit_test(zero_bytes_give_a_valid_pointer),
        cmocka_unit_test(a_request_that_is_too_large_fails_and_the_failure_stays),
        cmocka_unit_test(a_sealed_arena_refuses_requests),
        cmocka_unit_test(deferred_releases_run_at_the_end_newest_first),
        cmocka_unit_test(a_release_that_cannot_be_deferred_runs_at_once_and_only_once),
        cmocka_unit_test(texts_are_copies),
        cmocka_unit_test(formatted_texts_may_have_any_length),
        cmocka_unit_test(copies_are_whole_and_may_be_empty),
        cmocka_unit_test(tables_grow_and_keep_their_entries),
        cmocka_unit_test(where_there_is_no_arena_every_request_fails),
        cmocka_unit_test(destroying_nothing_is_allowed),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
