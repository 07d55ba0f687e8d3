// SPDX-License-Identifier: MIT
// What an independent implementation of every method measured on four systems of the papers: one
// row for each method.

#ifndef TR_TESTS_SCENARIO_METHOD_TABLES_H
#define TR_TESTS_SCENARIO_METHOD_TABLES_H

// One system and how its table was made.
typedef struct Table {
    const char            *model;           // in models/papers
    double                 step, duration;  // [s]
    double                 slack;           // measured values may exceed the table's by this factor
    int                    rows;
    const struct TableRow *row;  // rows
} Table;

// What a method is given beyond its name; 0 and NULL: as the library chooses.
typedef struct TableOptions {
    const char *basis;
    double      gain;        // alpha = beta of Baumgarte [1/s]
    double      penalty;     // factor; mu = 1 and omega = 10 1/s
    double      relaxation;  // [s]
    double      epsilon;
} TableOptions;

// NAN: the table has no such figure.
typedef struct TableRow {
    const char  *method;
    TableOptions options;
    double       position, velocity;  // largest phi'phi and phi_dot'phi_dot over the run
    double       energy;              // T + V - W at the end, less that of the start [J]
    double       error;               // |q - q_reference| at the end
} TableRow;

extern const Table table_four_bar, table_pendulum, table_triple_crank;
extern const Table table_five_bar, table_five_bar_long;

#endif
