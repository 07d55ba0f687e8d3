// SPDX-License-Identifier: MIT
// Damaged files are what they say they are: otherwise tests of readers would prove nothing.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "faults/damage.h"
#include "record/scratch.h"
#include "trammel/trammel.h"

#define ROWS 500

static Scratch scratch;
static char    whole[SCRATCH_PATH + 16], damaged[SCRATCH_PATH + 16];

typedef struct Bytes {
    long           size;
    unsigned char *at;  // to be freed
} Bytes;

static Bytes read_file(const char *path) {
    Bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    bytes.size = ftell(file);
    rewind(file);
    bytes.at = calloc((size_t)bytes.size + 1, 1);
    assert_int_equal(fread(bytes.at, 1, (size_t)bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static Bytes damaged_bytes(int number) {
    char what[DAMAGE_WORDS] = "";
    if (!damage(number, whole, damaged, what)) {
        fail_msg("damage %d, '%s', was not made", number, what);
    }
    assert_true(what[0] != '\0');
    return read_file(damaged);
}

static int flipped_bits(const Bytes *a, const Bytes *b, long *where) {
    int count = 0;
    assert_int_equal(a->size, b->size);
    for (long i = 0; i < a->size; i++) {
        for (unsigned changed = a->at[i] ^ b->at[i]; changed != 0; changed &= changed - 1) {
            *where = i;
            count++;
        }
    }
    return count;
}

static void cuts_are_beginnings_of_the_file(void **state) {
    (void)state;
    Bytes all = read_file(whole);
    long  before = -1;
    for (int i = 0; i < DAMAGE_CUTS; i++) {
        Bytes part = damaged_bytes(i);
        assert_true(part.size > before && part.size < all.size);
        assert_memory_equal(part.at, all.at, (size_t)part.size);
        before = part.size;
        free(part.at);
    }
    assert_int_equal(before, all.size - 1);
    free(all.at);
}

// In every sixteenth part of the file, too: with 500 flips at random places one of these is left
// out with a probability of 16 (15/16)^500 = 2e-13.
static void flips_change_one_bit_anywhere(void **state) {
    (void)state;
    Bytes all = read_file(whole);
    int   parts[16] = {0};
    for (int i = DAMAGE_CUTS; i < DAMAGE_CUTS + DAMAGE_FLIPS; i++) {
        long  where = 0;
        Bytes other = damaged_bytes(i);
        assert_int_equal(flipped_bits(&all, &other, &where), 1);
        parts[where * 16 / all.size]++;
        free(other.at);
    }
    for (int i = 0; i < 16; i++) {
        assert_true(parts[i] > 0);
    }
    free(all.at);
}

static void foreign_files_are_hdf5_or_not_as_they_say(void **state) {
    (void)state;
    int hdf5 = 0, others = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    for (int i = DAMAGE_CUTS + DAMAGE_FLIPS; i < damage_count(); i++) {
        free(damaged_bytes(i).at);
        hid_t file = H5Fopen(damaged, H5F_ACC_RDONLY, H5P_DEFAULT);
        assert_int_equal(file >= 0, damage_is_foreign(i));
        hdf5 += file >= 0;
        others += file < 0;
        H5Fclose(file);
    }
    assert_true(hdf5 >= 5 && others >= 5);
}

static void the_same_number_gives_the_same_damage(void **state) {
    (void)state;
    for (int i = 0; i < DAMAGE_CUTS + DAMAGE_FLIPS; i += 37) {
        Bytes first = damaged_bytes(i), second = damaged_bytes(i);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.at, second.at, (size_t)first.size);
        free(first.at);
        free(second.at);
    }
}

// A result file, by the recorder.
static int make_whole(void **state) {
    const trColumn columns[] = {{"t", "s"}, {"rod.x", "m"}};
    trRecorder    *recorder = NULL;
    (void)state;
    if (scratch_make(&scratch, "whole.h5") != 0 || tr_recorder_create(&recorder) != TR_OK) {
        return -1;
    }
    snprintf(whole, sizeof whole, "%s", scratch.path);
    snprintf(damaged, sizeof damaged, "%s/damaged.h5", scratch.folder);
    trStatus status = tr_recorder_add_hdf5(recorder, whole);
    status = status == TR_OK ? tr_recorder_begin(recorder, 2, columns, ROWS) : status;
    for (int i = 0; i < ROWS && status == TR_OK; i++) {
        const double values[2] = {0.001 * i, 1.0 / (1.0 + i)};
        status = tr_recorder_row(recorder, values);
    }
    status = status == TR_OK ? tr_recorder_close(recorder, "done") : status;
    tr_recorder_destroy(recorder);
    return (int)status;
}

static int drop_all(void **state) {
    (void)state;
    unlink(damaged);
    scratch_drop(&scratch);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_beginnings_of_the_file),
        cmocka_unit_test(flips_change_one_bit_anywhere),
        cmocka_unit_test(foreign_files_are_hdf5_or_not_as_they_say),
        cmocka_unit_test(the_same_number_gives_the_same_damage),
    };
    return cmocka_run_group_tests_name("damage", tests, make_whole, drop_all);
}
