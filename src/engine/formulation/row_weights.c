// SPDX-License-Identifier: MIT
#include "formulation/row_weights.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "formulation/unit_sizes.h"

// Bodies lighter than this, relative to the mean of their unit, count as such: the rows that hold
// them would look alike beside the mobility that they have in them.
#define LIGHT 1e-6
// Turns of a body that is nearly a point have at least this part of the inertia that it would have
// at the end of an arm of its joints: they would give rows all their mobility.
#define NEARLY_A_POINT 2e-3
#define VANISHED 1e-24  // mobility of a row that rounding has left, relative to the largest

// Calls `visit` for every entry of A.
typedef void (*Visit)(int row, int column, double entry, double *mass, double *weight);

static void for_each_entry(const trRows *A, Visit visit, double *mass, double *weight) {
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                for (int j = 0; j < A->side_width[s]; j++) {
                    visit(i, A->side_column[s] + j, *block++, mass, weight);
                }
            }
        }
    }
}

// The mobility of rows in columns that have a mass.
static void add_mobility(int row, int column, double entry, double *mass, double *weight) {
    weight[row] += mass[column] > 0.0 ? entry * entry / mass[column] : 0.0;
}

// The largest square of an entry beside the mobility of its row, as a negative number: masses that
// are found do not count as known.
static void find_mass(int row, int column, double entry, double *mass, double *weight) {
    if (!(mass[column] > 0.0) && weight[row] > 0.0) {
        double found = -entry * entry / weight[row];
        mass[column] = found < mass[column] ? found : mass[column];
    }
}

static void sum_mobilities(const trEquations *e, double *mass, double *weight) {
    for (int i = 0; i < e->m; i++) {
        weight[i] = 0.0;
    }
    for_each_entry(&e->A, add_mobility, mass, weight);
}

static bool is_diagonal(const trMass *M) {
    for (int j = 0; M->dense != NULL && j < M->n; j++) {
        for (int i = 0; i < j; i++) {
            if (M->dense[i + (ptrdiff_t)j * M->n] != 0.0) {
                return false;
            }
        }
    }
    return true;
}

// Masses of columns with the same unit are compared with each other only. Returns whether all
// columns have one.
static bool take_masses(const trEquations *e, double *mass) {
    const trMass *M = &e->M;
    const bool    diagonal = is_diagonal(M);
    bool          all = true;
    int           last = 0;
    for (int j = 0; j < M->n; j++) {
        mass[j] = tr_mass_of(M, j);
        mass[j] = mass[j] > 0.0 ? mass[j] : 0.0;
        last = tr_measure_of(e, j) > last ? tr_measure_of(e, j) : last;
    }
    for (int measure = 0; measure <= last; measure++) {
        double mean = tr_mean_mass(e, measure, mass), least = LIGHT * mean;
        for (int j = 0; j < M->n; j++) {
            if (tr_measure_of(e, j) == measure && (mass[j] > 0.0 || !diagonal)) {
                mass[j] = !diagonal ? mean : mass[j] < least ? least : mass[j];
            }
        }
    }
    for (int j = 0; j < M->n; j++) {
        all = all && mass[j] > 0.0;
    }
    return all;
}

double tr_share_of_turns(const trEquations *e, const double *mass, int side, int row) {
    const int     first = e->A.side_column[side], width = e->A.side_width[side];
    const double *A = e->A.value + e->A.side_value[side] + (ptrdiff_t)row * width;
    double        turns = 0.0, others = 0.0;
    for (int j = 0; j < width; j++) {
        *(tr_is_turn(e, side, first + j) ? &turns : &others) += A[j] * A[j] / mass[first + j];
    }
    return others > 0.0 ? turns / others : 0.0;
}

// J is at least a part of m r^2: what lacks is made up by all turns alike.
static void raise_points(const trEquations *e, double *mass) {
    const trRows *A = &e->A;
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const int first = A->side_column[s], end = first + A->side_width[s];
            double    lacks = 1.0;
            for (int i = 0; i < A->group_row[g + 1] - A->group_row[g]; i++) {
                double share = NEARLY_A_POINT * tr_share_of_turns(e, mass, s, i);
                lacks = share > lacks ? share : lacks;
            }
            for (int j = first; j < end; j++) {
                mass[j] *= tr_is_turn(e, s, j) ? lacks : 1.0;
            }
        }
    }
}

// A row that vanishes in some pose keeps the weight of its nominal norm; one that has always been
// next to nothing beside the others has none.
static void invert_mobilities(const trEquations *e, double *weight) {
    double most = 0.0;
    for (int i = 0; i < e->m; i++) {
        double nominal = e->row_scale != NULL ? e->row_scale[i] * e->row_scale[i] : 0.0;
        weight[i] = nominal > weight[i] ? nominal : weight[i];
        most = weight[i] > most ? weight[i] : most;
    }
    for (int i = 0; i < e->m; i++) {
        weight[i] = weight[i] > VANISHED * most ? 1.0 / weight[i] : 0.0;
    }
}

// Masses of the columns without one: at most the mean of their unit, which they have where no row
// tells.
static void find_masses(const trEquations *e, double *mass, double *weight) {
    for_each_entry(&e->A, find_mass, mass, weight);
    for (int j = 0; j < e->nv; j++) {
        double mean = mass[j] > 0.0 ? 0.0 : tr_mean_mass(e, tr_measure_of(e, j), mass);
        if (mean > 0.0 && (mass[j] < -mean || mass[j] == 0.0)) {
            mass[j] = -mean;
        }
    }
    for (int j = 0; j < e->nv; j++) {
        mass[j] = mass[j] == 0.0 ? 1.0 : fabs(mass[j]);  // of no known unit: any will do
    }
}

void tr_row_weights(const trEquations *e, double *mass, double *weight) {
    bool all = take_masses(e, mass);
    sum_mobilities(e, mass, weight);
    if (!all) {
        find_masses(e, mass, weight);
    }
    raise_points(e, mass);
    sum_mobilities(e, mass, weight);
    invert_mobilities(e, weight);
}
