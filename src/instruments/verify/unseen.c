// SPDX-License-Identifier: MIT
// Columns that enter no equation: nothing is claimed about them. Each is altered for trial by ALTER
// of its largest number in three rows, and everything that one row is compared with is compared
// once more. What no comparison feels, only the rows around it may tell.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify.h"

#define ALTER 1e-6         // relative
#define NOTHING 1e-4       // of the largest number with the same unit
#define MOST_COLUMNS 2000  // the work grows with the square

trStatus tr_unseen_plan(trVerifier *V) {
    int columns = V->layout.columns;
    if (columns > MOST_COLUMNS) {
        tr_verify_note(V, tr_arena_format(V->arena,
                                          "more than %d columns: those that enter no equation are "
                                          "not looked for",
                                          MOST_COLUMNS));
        return TR_OK;
    }
    V->altered = tr_new_array(V->arena, double, columns);
    V->felt = tr_new_array(V->arena, double, (ptrdiff_t)columns *TR_VERIFY_KINDS);
    return tr_arena_status(V->arena);
}

// What the present row makes of one altered column, kind by kind.
static void feel(trVerifier *V, int column) {
    double *felt = V->felt + (ptrdiff_t)column * TR_VERIFY_KINDS;
    bool    usable = tr_verify_state(V);
    if (usable && V->planned.known) {
        tr_verify_times(V);
    }
    usable = usable && tr_verify_eval_altered(V) == TR_OK;
    if (usable) {
        tr_verify_compare(V);
    }
    for (int k = 0; k < TR_VERIFY_KINDS; k++) {
        double ratio = V->seen[k].any ? V->seen[k].now.ratio : 0.0;
        felt[k] = fmax(felt[k], usable ? ratio : INFINITY);
        V->seen[k].any = false;
    }
}

// By a part of itself; of the largest with its unit where it is next to nothing, of 1 where all
// are.
static double step_of(const trVerifier *V, const double *row, int column) {
    const char *unit = tr_result_column(V->result, column)->unit;
    double      own = fabs(row[column]), most = 0.0;
    for (int i = 0; i < V->layout.columns; i++) {
        bool same = strcmp(tr_result_column(V->result, i)->unit, unit) == 0;
        most = same ? fmax(most, fabs(row[i])) : most;
    }
    most = most > ALTER ? most : 1.0;
    return ALTER * (own > NOTHING * most ? own : most);
}

void tr_unseen_row(trVerifier *V) {
    const double *row = V->row;
    long          rows = V->out->rows, offset = V->index;
    if (V->altered == NULL || (offset != rows / 3 && offset != rows / 2 && offset != rows - 1)) {
        return;
    }
    V->row = V->altered;
    for (int c = 0; c < V->layout.columns; c++) {
        memcpy(V->altered, row, (size_t)V->layout.columns * sizeof *row);
        V->altered[c] += step_of(V, row, c);
        feel(V, c);
    }
    V->row = row;
    // Back to what the row is, for those that follow.
    if (tr_verify_state(V) && tr_verify_eval_altered(V) == TR_OK) {
        return;
    }
}

trStatus tr_unseen_end(trVerifier *V) {
    trVerification *out = V->out;
    if (V->altered == NULL) {
        return TR_OK;
    }
    out->unseen = 0;
    out->unseen_column = tr_new_array(V->arena, const char *, V->layout.columns);
    TR_TRY(tr_arena_status(V->arena));
    for (int c = 0; out->rows > 0 && c < V->layout.columns; c++) {
        const double *felt = V->felt + (ptrdiff_t)c * TR_VERIFY_KINDS;
        bool          enters = false;
        for (int k = 0; k < TR_VERIFY_KINDS; k++) {
            enters = enters || felt[k] > out->figure[k].tolerance;
        }
        if (!enters) {
            out->unseen_column[out->unseen++] = tr_result_column(V->result, c)->name;
        }
    }
    return TR_OK;
}
