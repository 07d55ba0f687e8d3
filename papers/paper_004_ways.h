// SPDX-License-Identifier: MIT
// The methods that Marques, Souto and Flores compare, with the parameters of their Table 2, and
// what they give on one mechanism: tables and figures of violations and energy.

#ifndef TR_PAPERS_PAPER_004_WAYS_H
#define TR_PAPERS_PAPER_004_WAYS_H

#include "page.h"
#include "study.h"

#define WAYS 9
#define DRAWN 8  // of them in figures; the last one differs from others in a factor only

typedef struct Way {
    const char *name;     // as the paper calls it
    const char *method;   // as Trammel does
    double      penalty;  // factor alpha; 0: none
    bool        rounds;   // rounding, multiplied by alpha, changes the digits of its energy
} Way;

extern const Way way[WAYS];

typedef struct Mechanism {
    const char *name;  // in names of figures
    const char *title;
    const char *file;            // in models/
    double      step, duration;  // [s]
    double      shown;           // tables end here; 0: at the end [s]
    Model       model;
    Motion      motion[WAYS];
} Mechanism;

// Runs all of them, by the Runge-Kutta method of order 4.
void mechanism_run(const char *root, Mechanism *m);
void mechanism_free(Mechanism *m);

// Violations and energy, and a sentence for each method that did not come to the end.
void mechanism_table(const Mechanism *m, Page *page, Table *table);

typedef enum Quantity { POSITION, VELOCITY, ENERGY } Quantity;

// Over time, on a logarithmic axis: phi'phi, the same of rates, or |E - E_0|.
void mechanism_figure(const Mechanism *m, Quantity quantity, const char *caption, Page *page);

// A square of a violation. Below 4e-21 it is rounding, or what Newton's method leaves: the power of
// ten above it.
void table_square(Table *table, double value);

#endif
