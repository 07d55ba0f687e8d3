// SPDX-License-Identifier: MIT
// Whether rows of A are independent at the pose of a row, by Gram and Schmidt with the longest rest
// first. Where they are, A a = b has nothing that a formulation might have dropped.

#include <math.h>
#include <string.h>

#include "verify/verify.h"

#define MOST_ROWS 100     // the work grows with the cube
#define INDEPENDENT 0.03  // what is left of a row of length one: errors grow with its square

trStatus tr_pose_plan(trVerifier *V) {
    const trSystem *s = V->system;
    bool            small = s->m > 0 && s->m <= MOST_ROWS && s->m <= s->nv;
    V->dense = small ? tr_new_array(V->arena, double, (ptrdiff_t)s->m * s->nv) : NULL;
    return tr_arena_status(V->arena);
}

static double squares(int n, const double *x) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * x[k];
    }
    return sum;
}

// A in full, each row of length one; false if one is short beside others.
static bool fill(const trVerifier *V, double *to) {
    const trRows *A = &V->eval.equations.A;
    int           n = V->system->nv;
    memset(to, 0, (size_t)V->system->m * (size_t)n * sizeof *to);
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                for (int j = 0; j < A->side_width[s]; j++) {
                    to[(ptrdiff_t)i * n + A->side_column[s] + j] += *block++;
                }
            }
        }
    }
    double longest = 0.0;
    for (int i = 0; i < V->system->m; i++) {
        longest = fmax(longest, sqrt(squares(n, to + (ptrdiff_t)i * n)));
    }
    for (int i = 0; i < V->system->m; i++) {
        double *row = to + (ptrdiff_t)i * n, length = sqrt(squares(n, row));
        if (!(length > INDEPENDENT * longest)) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            row[k] /= length;
        }
    }
    return true;
}

bool tr_pose_is_regular(trVerifier *V) {
    int     m = V->system->m, n = V->system->nv;
    double *row = V->dense;
    if (row == NULL || !fill(V, row)) {
        return false;
    }
    for (int done = 0; done < m; done++) {
        double *first = row + (ptrdiff_t)done * n, *longest = first;
        for (int i = done + 1; i < m; i++) {
            double *own = row + (ptrdiff_t)i * n;
            longest = squares(n, own) > squares(n, longest) ? own : longest;
        }
        double length = sqrt(squares(n, longest));
        if (!(length > INDEPENDENT)) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            double unit = longest[k] / length;
            longest[k] = first[k];
            first[k] = unit;
        }
        for (int i = done + 1; i < m; i++) {
            double *own = row + (ptrdiff_t)i * n, dot = 0.0;
            for (int k = 0; k < n; k++) {
                dot += own[k] * first[k];
            }
            for (int k = 0; k < n; k++) {
                own[k] -= dot * first[k];
            }
        }
    }
    return true;
}
