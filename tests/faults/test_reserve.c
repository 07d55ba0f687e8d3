// SPDX-License-Identifier: MIT
// The reserve of memory that the command has for libraries. Behind it stands refuse.c, which
// refuses while it is told to; a library is asker.c, Trammel's own code this program.

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "faults/asker.h"

#define MANY 1000000
#define RESERVE_BYTES ((size_t)8 << 20)

static void (*refuse_all)(bool wish);
// volatile: called, whatever the compiler knows of it.
static void *(*volatile our_realloc)(void *old, size_t bytes) = realloc;

static int find_refuse(void **state) {
    (void)state;
    void *symbol = dlsym(RTLD_DEFAULT, "refuse_all");
    memcpy(&refuse_all, &symbol, sizeof symbol);
    return symbol == NULL ? -1 : 0;
}

// Before anything in this process has called malloc: a block that did not come from there is freed.
__attribute__((constructor(101))) static void free_first(void) {
    void *memory = NULL;
    if (posix_memalign(&memory, 64, 100) != 0 || malloc_usable_size(memory) < 100) {
        abort();
    }
    free(memory);
}

static void fill(unsigned char *memory, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; i++) {
        memory[i] = (unsigned char)(i * 7 + seed);
    }
}

static bool is_filled(const unsigned char *memory, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; i++) {
        if (memory[i] != (unsigned char)(i * 7 + seed)) {
            return false;
        }
    }
    return true;
}

static void a_library_gets_what_we_do_not(void **state) {
    (void)state;
    refuse_all(true);
    void *volatile ours = malloc(100);
    void *volatile of_zeros = calloc(10, 10);
    void *theirs = asker_malloc(100);
    void *large = asker_malloc((size_t)4 << 20), *huge = asker_calloc(SIZE_MAX / 2, 3);
    refuse_all(false);
    assert_null(ours);
    assert_null(of_zeros);
    assert_non_null(theirs);
    assert_int_equal((uintptr_t)theirs % _Alignof(max_align_t), 0);
    assert_true(malloc_usable_size(theirs) >= 100);
    assert_null(large);
    assert_null(huge);
    free(theirs);
}

static void zeros_are_zeros_in_a_block_that_was_used(void **state) {
    (void)state;
    static const unsigned char zeros[1000];
    refuse_all(true);
    void *first = asker_malloc(sizeof zeros);
    fill(first, sizeof zeros, 1);
    free(first);
    void *second = asker_calloc(sizeof zeros, 1);
    refuse_all(false);
    assert_ptr_equal(second, first);
    assert_memory_equal(second, zeros, sizeof zeros);
    free(second);
}

// Into the reserve, inside it, and out of it.
static void a_block_that_is_moved_keeps_its_bytes(void **state) {
    (void)state;
    unsigned char *memory = asker_malloc(300);
    fill(memory, 300, 2);
    refuse_all(true);
    memory = asker_realloc(memory, 500);
    assert_non_null(memory);
    assert_true(is_filled(memory, 300, 2));
    fill(memory, 500, 3);
    memory = asker_realloc(memory, 100000);
    assert_true(is_filled(memory, 500, 3));
    memory = asker_realloc(memory, 200);
    assert_true(is_filled(memory, 200, 3));
    assert_null(our_realloc(memory, 1000));  // refused: the old one stays
    assert_true(is_filled(memory, 200, 3));
    refuse_all(false);
    memory = asker_realloc(memory, 400);
    assert_true(is_filled(memory, 200, 3));
    free(memory);
}

static void a_library_that_gets_a_block_finds_errno_as_it_was(void **state) {
    (void)state;
    void *first = asker_malloc(100), *block[3];
    int   seen[3];
    refuse_all(true);
    errno = 0;
    block[0] = asker_malloc(100);
    seen[0] = errno;
    block[1] = asker_calloc(10, 10);
    seen[1] = errno;
    block[2] = asker_realloc(first, 1000);
    seen[2] = errno;
    void *volatile ours = malloc(100);
    int of_ours = errno;
    refuse_all(false);
    assert_null(ours);
    assert_int_equal(of_ours, ENOMEM);
    for (int i = 0; i < 3; i++) {
        assert_non_null(block[i]);
        assert_int_equal(seen[i], 0);
        free(block[i]);
    }
}

// As by realloc of the C library. The block can be had again.
static void to_resize_to_nothing_is_to_free(void **state) {
    (void)state;
    refuse_all(true);
    void *memory = asker_malloc(3000);
    void *nothing = asker_realloc(memory, 0);
    void *again = asker_malloc(3000);
    refuse_all(false);
    assert_null(nothing);
    assert_ptr_equal(again, memory);
    free(again);
}

static void what_is_freed_is_given_out_again(void **state) {
    (void)state;
    refuse_all(true);
    for (int i = 0; i < MANY; i++) {
        void *memory = asker_malloc((size_t)(i % 5000));
        assert_non_null(memory);
        free(memory);
    }
    refuse_all(false);
}

static void *ask_and_free(void *seed) {
    unsigned own = (unsigned)(uintptr_t)seed;
    for (int i = 0; i < MANY / 10; i++) {
        size_t         bytes = (size_t)(i % 700);
        unsigned char *memory = asker_malloc(bytes);
        fill(memory, bytes, own);
        if (!is_filled(memory, bytes, own)) {
            return seed;
        }
        free(memory);
    }
    return NULL;
}

static void threads_get_blocks_of_their_own(void **state) {
    (void)state;
    pthread_t thread[4];
    void     *wrong[4];
    refuse_all(true);
    for (uintptr_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, ask_and_free, (void *)(i + 1)), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], &wrong[i]);
        assert_null(wrong[i]);
    }
    refuse_all(false);
}

// That `work` ends the process with one line.
static void assert_ends(void (*work)(void)) {
    int  pipes[2], outcome = 0;
    char line[64] = "";
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    close(pipes[1]);
    assert_int_equal(waitpid(child, &outcome, 0), child);
    ssize_t length = read(pipes[0], line, sizeof line - 1);
    close(pipes[0]);
    assert_true(WIFEXITED(outcome));
    assert_int_equal(WEXITSTATUS(outcome), 1);
    assert_true(length > 0);
    assert_string_equal(line, "trammel: out of memory\n");
}

// All of it, and one block more.
static void take_all(void) {
    refuse_all(true);
    for (size_t i = 0; i < 2 * RESERVE_BYTES / 1000; i++) {
        (void)asker_malloc(1000);
    }
}

static void at_its_end_the_process_ends_with_a_line(void **state) {
    (void)state;
    assert_ends(take_all);
}

// As OpenBLAS does.
static void ask_without_end(void) {
    while (asker_map(SIZE_MAX / 2) == NULL) {
    }
}

static void a_library_that_asks_without_end_comes_to_one(void **state) {
    (void)state;
    assert_ends(ask_without_end);
}

static void a_library_that_is_refused_now_and_then_goes_on(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        assert_null(asker_map(SIZE_MAX / 2));
        if (i % 500 == 0) {
            void *pages = asker_map(1);
            assert_non_null(pages);
            munmap(pages, 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_gets_what_we_do_not),
        cmocka_unit_test(zeros_are_zeros_in_a_block_that_was_used),
        cmocka_unit_test(a_block_that_is_moved_keeps_its_bytes),
        cmocka_unit_test(a_library_that_gets_a_block_finds_errno_as_it_was),
        cmocka_unit_test(to_resize_to_nothing_is_to_free),
        cmocka_unit_test(what_is_freed_is_given_out_again),
        cmocka_unit_test(threads_get_blocks_of_their_own),
        cmocka_unit_test(at_its_end_the_process_ends_with_a_line),
        cmocka_unit_test(a_library_that_asks_without_end_comes_to_one),
        cmocka_unit_test(a_library_that_is_refused_now_and_then_goes_on),
    };
    return cmocka_run_group_tests_name("reserve", tests, find_refuse, NULL);
}
