// SPDX-License-Identifier: MIT
// One altered number is found: by check marks always, by physics alone wherever it enters an
// equation.

#include "verify/hearing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK_TRIALS 100
#define TRIALS 60  // of each model and seed
#define FIRST_SEED 11
#define LEAST 1e-12     // of the largest number with its unit: no more than that is left out
#define ROUNDING 1e-16  // of the largest of all, likewise: one rounding
#define SHARP 3e-12     // of the largest load of a row
#define KEPT 0.1        // of its tolerance: what a run may leave from row to row in any case

static const Run runs[] = {
    {"benchmark/four_bar.lua", 1.0, 41, NULL, NULL},
    {"guide/slider_crank.lua", 0.5, 41, NULL, NULL},
    {"guide/driven.lua", 0.5, 41, NULL, NULL},
    {"guide/spring.lua", 1.0, 41, NULL, NULL},
    {"guide/track.lua", 0.5, 41, NULL, NULL},
    {"guide/universal.lua", 0.5, 41, NULL, NULL},
    {"guide/top.lua", 0.2, 41, NULL, NULL},
    {"guide/sled.lua", 0.5, 41, NULL, NULL},
    {"guide/sliding_block.lua", 0.5, 41, NULL, NULL},
    {"guide/equations.lua", 0.5, 41, NULL, NULL},
    {"guide/suspension.lua", 0.5, 41, NULL, "dop853"},
    {"guide/coin.lua", 0.1, 41, NULL, NULL},
    {"benchmark/slider_crank_driven.lua", 0.01, 41, NULL, NULL},
    {"benchmark/bricard.lua", 0.5, 41, NULL, NULL},
    {"benchmark/flyball.lua", 0.5, 41, NULL, NULL},
    {"benchmark/appell_hamel.lua", 0.3, 41, NULL, NULL},
    {"benchmark/sphere_friction.lua", 0.3, 41, NULL, NULL},
    {"benchmark/free_body.lua", 0.5, 41, NULL, NULL},
    {"benchmark/four_bar_massless_coupler.lua", 0.5, 41, NULL, NULL},
    {"benchmark/spatial_slider_crank.lua", 0.5, 41, NULL, NULL},
    {"benchmark/helicopter_pitch_link.lua", 0.2, 41, NULL, NULL},
    {"papers/quaternion.lua", 0.3, 41, NULL, NULL},
    {"../tests/verify/turns.lua", 4.0, 41, NULL, NULL},  // more than a turn from row to row
};

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r.h5");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static void check_marks_find_every_altered_number(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"benchmark/four_bar.lua", 0.2, 21, NULL, NULL};
    uint32_t       seed = 3;
    long           rows = 0;
    int            columns = 0, found = 0;
    run_to_file(&run, scratch->path);
    double *table = read_table(scratch->path, &rows, &columns);
    for (int i = 0; i < MARK_TRIALS; i++) {
        long   row = (long)next_random(&seed) % rows;
        int    column = (int)next_random(&seed) % columns;
        double old = table[row * columns + column], value = nextafter(old, INFINITY);
        char   first[256], begin[64];
        put_number(scratch->path, row, column, value);
        snprintf(begin, sizeof begin, "row %ld, ", row);
        found += count_findings(scratch->path, true, first, sizeof first) > 0 &&
                 strncmp(first, begin, strlen(begin)) == 0;
        put_number(scratch->path, row, column, old);
    }
    assert_int_equal(found, MARK_TRIALS);
    assert_int_equal(count_findings(scratch->path, true, NULL, 0), 0);
    free(table);
}

// The largest number of a column, and of all columns with its unit.
static double scale_of(const double *table, long rows, int columns, int column) {
    double most = 0.0;
    for (long i = 0; i < rows; i++) {
        most = fmax(most, fabs(table[i * columns + column]));
    }
    return most;
}

// The largest number with a unit.
static double scale_of_unit(trResult *result, const double *table, const char *unit) {
    int    columns = tr_result_columns(result);
    long   rows = tr_result_rows(result);
    double most = 0.0;
    for (int i = 0; i < columns; i++) {
        bool same = strcmp(tr_result_column(result, i)->unit, unit) == 0;
        most = same ? fmax(most, scale_of(table, rows, columns, i)) : most;
    }
    return most;
}

// Of each column the largest number with its unit; beside a moment forces times their arms; 1 where
// all are zero. To be freed.
static double *scales_of_units(const char *path, const double *table) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    int     columns = tr_result_columns(result);
    double *most = calloc((size_t)columns, sizeof *most);
    double  arm = scale_of_unit(result, table, "m"), force = scale_of_unit(result, table, "N");
    assert_non_null(most);
    for (int k = 0; k < columns; k++) {
        const char *unit = tr_result_column(result, k)->unit;
        double      scale = scale_of_unit(result, table, unit);
        scale = strcmp(unit, "N m") == 0 ? fmax(scale, force * arm) : scale;
        most[k] = scale > 0.0 ? scale : 1.0;
    }
    tr_result_close(result);
    return most;
}

static void tell_miss(const char *path, const char *model, long row, int column, double old) {
    trResult *result = NULL;
    double    values[4096];
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    assert_true(tr_result_columns(result) <= 4096);
    assert_int_equal(tr_result_read(result, row, 1, values), TR_OK);
    print_message("%s row %ld %s: %.12g -> %.12g is not found\n", model, row,
                  tr_result_column(result, column)->name, old, values[column]);
    tr_result_close(result);
}

static double setting(trResult *result, const char *key) {
    const char *text = tr_result_note(result, key);
    assert_non_null(text);
    return strtod(text, NULL);
}

// What a run was asked to keep to.
typedef struct Asked {
    double rtol, atol;
} Asked;

static Asked read_asked(const char *path) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    Asked asked = {setting(result, "rtol"), setting(result, "atol")};
    tr_result_close(result);
    return asked;
}

// A number and what becomes of it.
typedef struct Change {
    long   row;
    int    column;
    double old, value;
} Change;

// Any number, by 1e-6 to 1e-2 of itself; where it is zero by as much of the largest with its unit.
static Change choose(const double *table, long rows, int columns, const double *of_unit,
                     uint32_t *seed) {
    Change c = {.row = (long)next_random(seed) % rows, .column = (int)next_random(seed) % columns};
    double part = pow(10.0, -6.0 + 4.0 * next_part(seed));
    c.old = table[c.row * columns + c.column];
    c.value =
        c.old + (next_part(seed) < 0.5 ? -part : part) * (c.old != 0.0 ? c.old : of_unit[c.column]);
    return c;
}

typedef struct Counts {
    int made, left, kept, found, missed;
} Counts;

// A file and what is known of it.
typedef struct Tried {
    const char *path, *model;
    long        rows;
    int         columns;
    double     *table, *of_unit;
    double      largest;  // of all numbers
    Hearing     written;
    Asked       asked;
} Tried;

// What enters an equation of its row is found: where the equation changes by more than the
// verification itself allows there. What does not enter is told by the rows around it alone, z' = g
// and q' = N v between them; these the run itself kept to its tolerance and no better, so that less
// than a part of it is not known to be wrong. Columns that nothing continues may be left out then:
// a violation of 1e-16 m, the force along an axis in which nothing pulls. What the verification
// allows is rounding, so that no change of more than LEAST of what has its unit is among them.
static bool may_be_left(const Tried *t, const Change *c, const Hearing *altered) {
    double change = fabs(c->value - c->old);
    double kept = KEPT * (t->asked.atol + t->asked.rtol * fabs(c->old));
    double least = LEAST * t->of_unit[c->column] + ROUNDING * t->largest;
    double most = t->written.continued[c->column] ? kept : least;
    return change <= most && !enters_equations(&t->written, altered, c->row);
}

static void try_change(const Tried *t, const Change *c, Counts *counts) {
    Hearing altered;
    put_number(t->path, c->row, c->column, c->value);
    hear_file(t->path, c->row, false, &altered);
    counts->made++;
    if (altered.findings > 0) {
        counts->found++;
    } else if (!may_be_left(t, c, &altered)) {
        tell_miss(t->path, t->model, c->row, c->column, c->old);
        counts->missed++;
    } else if (t->written.continued[c->column]) {
        counts->kept++;
    } else {
        counts->left++;
    }
    hearing_free(&altered);
    put_number(t->path, c->row, c->column, c->old);
}

static void begin_trials(const Run *run, const char *path, Tried *t) {
    char first[256];
    run_to_file(run, path);
    if (count_findings(path, true, first, sizeof first) > 0) {
        fail_msg("%s: as it was written: %s", run->model, first);
    }
    t->path = path;
    t->model = run->model;
    t->table = read_table(path, &t->rows, &t->columns);
    t->of_unit = scales_of_units(path, t->table);
    t->asked = read_asked(path);
    t->largest = 0.0;
    for (int k = 0; k < t->columns; k++) {
        t->largest = fmax(t->largest, scale_of(t->table, t->rows, t->columns, k));
    }
    hear_file(path, -1, false, &t->written);
}

static void end_trials(Tried *t) {
    hearing_free(&t->written);
    free(t->of_unit);
    free(t->table);
}

static void try_run(const Run *run, const char *path, uint32_t *seed, Counts *counts) {
    Tried t;
    begin_trials(run, path, &t);
    for (int i = 0; i < TRIALS; i++) {
        Change c = choose(t.table, t.rows, t.columns, t.of_unit, seed);
        try_change(&t, &c, counts);
    }
    end_trials(&t);
}

static int seeds = 1, first_seed = FIRST_SEED;

static void physics_finds_what_enters_equations(void **state) {
    const Scratch *scratch = *state;
    Counts         counts = {0, 0, 0, 0, 0};
    for (int k = 0; k < seeds; k++) {
        uint32_t seed = (uint32_t)(first_seed + k);
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
            try_run(&runs[i], scratch->path, &seed, &counts);
        }
    }
    print_message("of %d altered numbers %d are found and %d missed; %d enter no equation beyond "
                  "what is allowed there, %d are positions within what the run keeps\n",
                  counts.made, counts.found, counts.missed, counts.left, counts.kept);
    assert_int_equal(counts.missed, 0);
    assert_true(counts.left + counts.kept < counts.made / 5);
}

// The largest number of a row with a unit.
static double largest(trResult *result, const double *row, const char *unit) {
    double most = 0.0;
    for (int i = 0; i < tr_result_columns(result); i++) {
        bool same = strcmp(tr_result_column(result, i)->unit, unit) == 0;
        most = same ? fmax(most, fabs(row[i])) : most;
    }
    return most;
}

#define ROW_OF(column, rows) (7 * (long)(column) % (rows))

// Of each column of loads SHARP of the largest force of a row, or of what it makes by the longest
// arm; of others nothing, nor of multipliers, beside which forces of any unit may stand. To be
// freed.
static double *least_loads(const Tried *t) {
    trResult *result = NULL;
    double   *least = calloc((size_t)t->columns, sizeof *least);
    assert_non_null(least);
    assert_int_equal(tr_result_open(t->path, &result), TR_OK);
    for (int k = 1; k < t->columns; k++) {
        const double *row = t->table + ROW_OF(k, t->rows) * t->columns;
        const char   *name = tr_result_column(result, k)->name;
        const char   *unit = tr_result_column(result, k)->unit;
        double        force = largest(result, row, "N"), arm = largest(result, row, "m");
        double        moment = fmax(largest(result, row, "N m"), force * arm);
        bool          load = strncmp(name, "lambda.", strlen("lambda.")) != 0;
        least[k] = !load                      ? 0.0
                   : strcmp(unit, "N") == 0   ? SHARP * force
                   : strcmp(unit, "N m") == 0 ? SHARP * moment
                                              : 0.0;
    }
    tr_result_close(result);
    return least;
}

// Whatever the number is itself: also where it is nothing but rounding. The bearings of the flyball
// have moments of 4e-11 N m beside forces of 200 N.
static void a_load_altered_by_3e_12_of_the_largest_is_found(void **state) {
    const Scratch *scratch = *state;
    int            tried = 0, missed = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        Tried t;
        begin_trials(&runs[i], scratch->path, &t);
        double *least = least_loads(&t);
        for (int k = 1; k < t.columns; k++) {
            long   row = ROW_OF(k, t.rows);
            double old = t.table[row * t.columns + k];
            if (least[k] > 0.0) {
                put_number(t.path, row, k, old + least[k]);
                tried++;
                if (count_findings(t.path, false, NULL, 0) == 0) {
                    tell_miss(t.path, t.model, row, k, old);
                    missed++;
                }
                put_number(t.path, row, k, old);
            }
        }
        free(least);
        end_trials(&t);
    }
    print_message("%d of %d loads\n", tried - missed, tried);
    assert_true(tried > 200);
    assert_int_equal(missed, 0);
}

static int column_of(const char *path, const char *name) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    int column = tr_result_find(result, name);
    tr_result_close(result);
    assert_true(column > 0);
    return column;
}

// A state on which nothing depends, by a millionth of itself in every row, of the whole column in
// the first, where it is zero. The second row is the hardest: z is small there, and rows stand to
// one side of it.
static void a_millionth_of_a_state_is_found_in_every_row(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"guide/sled.lua", 0.5, 41, NULL, NULL};
    long           rows = 0;
    int            columns = 0;
    run_to_file(&run, scratch->path);
    int     column = column_of(scratch->path, "z.path");
    double *table = read_table(scratch->path, &rows, &columns);
    double  most = scale_of(table, rows, columns, column);
    for (long i = 0; i < rows; i++) {
        double old = table[i * columns + column], part = i % 2 == 0 ? 1e-6 : -1e-6;
        put_number(scratch->path, i, column, old + part * (old != 0.0 ? old : most));
        if (count_findings(scratch->path, false, NULL, 0) == 0) {
            tell_miss(scratch->path, run.model, i, column, old);
            fail();
        }
        put_number(scratch->path, i, column, old);
    }
    free(table);
}

// The shaft has 5e-6 kg m^2 beside forces of 200 N, whose moments do not act about its axis: what
// rounding makes of an acceleration follows from the loads along it alone.
static void accelerations_of_a_light_body_are_found(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"benchmark/flyball.lua", 0.5, 41, NULL, NULL};
    Tried          t;
    begin_trials(&run, scratch->path, &t);
    int column = column_of(t.path, "shaft.alphaz");
    for (long i = 0; i < t.rows; i++) {
        double old = t.table[i * t.columns + column];
        put_number(t.path, i, column, old + 7e-7);
        assert_true(count_findings(t.path, false, NULL, 0) > 0);
        put_number(t.path, i, column, old);
    }
    end_trials(&t);
}

// T + V - W: two sums of three numbers have four roundings, of 1.1e-16 at most.
static void the_balance_of_energy_is_known_to_four_roundings(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"benchmark/helicopter_pitch_link.lua", 0.2, 41, NULL, NULL};
    Tried          t;
    begin_trials(&run, scratch->path, &t);
    int at = column_of(t.path, "energy.kinetic");
    for (long i = 0; i < t.rows; i++) {
        const double *E = t.table + i * t.columns + at;
        put_number(t.path, i, at + 3, E[3] + 1e-15 * (fabs(E[0]) + fabs(E[1]) + fabs(E[2])));
        bool found = count_findings(t.path, false, NULL, 0) > 0 || fabs(E[0]) == 0.0;
        put_number(t.path, i, at + 3, E[3]);
        assert_true(found);
    }
    end_trials(&t);
}

// Arguments: how many seeds, and the first of them.
int main(int argc, char **argv) {
    seeds = argc > 1 ? atoi(argv[1]) : seeds;
    first_seed = argc > 2 ? atoi(argv[2]) : first_seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_marks_find_every_altered_number, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(a_millionth_of_a_state_is_found_in_every_row, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(a_load_altered_by_3e_12_of_the_largest_is_found,
                                        make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(accelerations_of_a_light_body_are_found, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(the_balance_of_energy_is_known_to_four_roundings,
                                        make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(physics_finds_what_enters_equations, make_scratch,
                                        drop_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
