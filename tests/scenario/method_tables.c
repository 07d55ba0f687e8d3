// SPDX-License-Identifier: MIT
// Figures of the tables. Formulations that solve the same linear equations have the same row.
// Left out are variants that are no methods here: total forms of the augmented Lagrangian, the
// condition number as a criterion of partitioning, frozen bases without Newton's method.

#include "scenario/method_tables.h"

#include <math.h>
#include <stddef.h>

#define ROWS(rows) (int)(sizeof(rows) / sizeof *(rows)), rows
#define PLAIN \
    { .basis = NULL }
#define STIFF .penalty = 1e7

// --- the four-bar of Marques, Souto and Flores: energy 101.28 J ---

#define DRIFTS(name) \
    { name, PLAIN, 4.8e-14, 1.4e-15, 4.1e-6, 1.0e-6 }
#define MAGGI(name) \
    { "maggi", {.basis = name}, 5.0e-21, 4.8e-29, -4.6e-8, 2.9e-9 }

static const TableRow four_bar[] = {
    DRIFTS("lagrange"),
    DRIFTS("lagrange_schur"),
    DRIFTS("nullspace"),
    DRIFTS("acceleration_projection"),
    DRIFTS("udwadia_kalaba"),
    DRIFTS("projective"),
    DRIFTS("udwadia_phohomsiri"),
    DRIFTS("udwadia_schutte"),
    DRIFTS("udwadia_wanichanon"),
    {"baumgarte", {.gain = 5.0}, 8.4e-19, 8.1e-17, 1.1e-6, 1.1e-7},
    {"baumgarte", {.gain = 50.0}, 5.0e-18, 3.1e-14, 9.0e-7, 2.0e-7},
    {"partition", PLAIN, 9.9e-25, 1.5e-29, -1.7e-6, 3.7e-7},
    {"penalty", {STIFF}, 1.7e-13, 2.3e-11, -1.6e-3, 1.8e-4},
    {"augmented_lagrangian", {STIFF}, 2.2e-19, 6.0e-17, 8.5e-7, 6.8e-8},
    {"augmented_lagrangian_projected", {STIFF}, 1.0e-24, 3.0e-29, 6.7e-8, 1.4e-7},
    {"augmented_lagrangian_projected", {.penalty = 1e4}, 1.0e-24, 9.4e-25, -3.5e-8, 5.1e-9},
    {"maggi_frozen", PLAIN, 9.7e-25, 2.8e-29, -7.3e-7, 9.1e-9},
    {"direct", PLAIN, 1.0e-24, 1.5e-29, -8.7e-8, 1.6e-8},
    {"direct_mass", PLAIN, 1.0e-24, 1.5e-29, -3.5e-8, 5.1e-9},
    {"masarati_identity", PLAIN, 1.0e-24, 1.7e-29, -4.7e-8, 1.7e-9},
    {"masarati", PLAIN, 1.0e-24, 1.7e-29, -2.6e-8, 8.0e-10},
    {"braun_goldfarb", {.relaxation = 1e-3}, 1.1e-12, 5.4e-11, 7.6e-5, 8.1e-6},
    MAGGI("householder"),
    MAGGI("svd"),
    MAGGI("kim_vanderploeg"),
    MAGGI("zero_eigenvalue"),
    MAGGI("gram_schmidt"),
    MAGGI("lu"),
    {"maggi", {.basis = "extraction"}, 6.4e-21, 2.4e-29, -4.5e-8, 6.6e-9},
    {"maggi", {.basis = "liang_lance"}, 1.0e-21, 3.1e-28, -1.6e-8, 1.7e-9},
    {"borri_phase_space", PLAIN, 5.6e-19, 1.2e-24, 8.5e-8, 1.8e-8},
    {"park_chiou", {.epsilon = 1e-6}, 1.1e-5, 1.9, -2.5, 0.96},
    {"park_chiou", {.epsilon = 1e-10}, 1.2e-11, 7.8e-9, -2.8e-6, NAN},
};

const Table table_four_bar = {"fourbar.lua", 1e-3, 10.0, 3.0, ROWS(four_bar)};

// --- the pendulum of Masarati ---

static const TableRow pendulum[] = {
    {"lagrange", PLAIN, 8.2e-10, NAN, 3.8e-4, NAN},
    {"baumgarte", {.gain = 5.0}, 1.0e-14, NAN, 2.4e-6, NAN},
    {"baumgarte", {.gain = 50.0}, 6.9e-11, NAN, NAN, NAN},
    {"partition", PLAIN, 9.7e-25, NAN, -2.1e-4, NAN},
    {"penalty", {STIFF}, 1.4e-13, NAN, NAN, NAN},
    {"augmented_lagrangian", {STIFF}, 1.2e-13, NAN, 2.2e-5, NAN},
    {"direct", PLAIN, 9.9e-25, NAN, -1.7e-6, NAN},
    {"masarati", PLAIN, 9.8e-25, NAN, 1.2e-8, NAN},
    {"braun_goldfarb", {.relaxation = 0.01}, 1e-9, NAN, 8.2e-4, NAN},
    {"maggi", {.basis = "householder"}, 4.2e-16, 4e-31, -4.8e-7, NAN},
    {"maggi", {.basis = "liang_lance"}, 6.3e-16, NAN, -1.4e-7, NAN},
    {"borri_phase_space", PLAIN, 2.3e-15, NAN, 1.5e-6, NAN},
    {"park_chiou", {.epsilon = 1e-6}, 8.7e-10, NAN, NAN, NAN},
};

const Table table_pendulum = {"pendulum.lua", 0.01, 10.0, 3.0, ROWS(pendulum)};

// --- the five-bar in quaternion coordinates; rows of joints are written differently there ---

static const TableRow five_bar[] = {
    {"lagrange", PLAIN, 1.3e-16, 1.2e-16, 4.1e-7, NAN},
    {"udwadia_wanichanon", PLAIN, 1.3e-16, 1.2e-16, 4.1e-7, NAN},
    {"baumgarte", {.gain = 5.0}, 4.3e-19, 4.8e-17, 4.9e-8, NAN},
    {"penalty", {STIFF}, 1.4e-13, NAN, -1.0e-4, NAN},
    {"augmented_lagrangian", {STIFF}, 5.5e-20, NAN, -1.0e-7, NAN},
    {"direct", PLAIN, 1.0e-24, 2.3e-29, 9.5e-10, NAN},
    {"maggi", {.basis = "householder"}, 9.7e-21, 7.5e-29, 1.5e-9, NAN},
};

static const TableRow five_bar_long[] = {
    {"lagrange", PLAIN, 2.3e-10, 5.2e-11, 7.8e-4, NAN},
    {"direct", PLAIN, 1.0e-24, 5.6e-29, -4.2e-6, NAN},
};

const Table table_five_bar = {"fivebar.lua", 1e-3, 2.0, 10.0, ROWS(five_bar)};
const Table table_five_bar_long = {"fivebar.lua", 1e-3, 10.0, 10.0, ROWS(five_bar_long)};

// --- the redundant triple crank ---

static const TableRow triple_crank[] = {
    {"lagrange", PLAIN, 1.4e-18, 2.6e-18, 4.0e-8, NAN},
    {"udwadia_kalaba", PLAIN, 1.4e-18, 2.6e-18, 4.0e-8, NAN},
    {"udwadia_wanichanon", PLAIN, 1.4e-18, 2.6e-18, 4.0e-8, NAN},
    {"partition", PLAIN, 1.1e-27, 7e-29, -1.2e-9, NAN},
    {"penalty", {STIFF}, 2.3e-15, NAN, -2.8e-6, NAN},
    {"augmented_lagrangian", {STIFF}, 1.9e-17, NAN, 7.9e-8, NAN},
    {"direct", PLAIN, 8e-25, 3e-31, -1.4e-9, NAN},
    {"masarati", PLAIN, 1e-24, 4e-31, -1.6e-9, NAN},
    {"maggi", {.basis = "householder"}, 8e-20, 5e-28, -1.7e-9, NAN},
};

const Table table_triple_crank = {"triple_crank.lua", 5e-3, 3.0, 3.0, ROWS(triple_crank)};
