// SPDX-License-Identifier: MIT
// Which bodies stand behind the columns of A, which of them are kept, and which column has neither
// mass nor a joint.

#include "formulation/schur.h"

#include <math.h>

#include "formulation/row_weights.h"

#define LIGHT 2e-3  // of the typical mass or inertia, or of mass times the square of an arm

// The geometric mean of what the bodies have in their j-th column; 1 if none has anything.
static double typical_mass(const trEquations *e, const trSchurBodies *bodies, int j) {
    double sum = 0.0;
    int    count = 0;
    for (int k = 0; k < bodies->count; k++) {
        double mass = j < bodies->width[k] ? e->M.diagonal[bodies->column[k] + j] : 0.0;
        sum += mass > 0.0 ? log(mass) : 0.0;
        count += mass > 0.0;
    }
    return count > 0 ? exp(sum / count) : 1.0;
}

// Turns that give almost all the mobility that a row has from the body, which is nearly a point.
static void mark_turns(const trEquations *e, int side, int row, bool *light) {
    const int first = e->A.side_column[side], end = first + e->A.side_width[side];
    bool      drowns = LIGHT * tr_share_of_turns(e, e->M.diagonal, side, row) > 1.0;
    for (int j = first; drowns && j < end; j++) {
        light[j] |= tr_is_turn(e, side, j);
    }
}

// Velocities with no mass, or so little, against other bodies or for the arms of its joints, that
// 1 / M would drown the rest in A M^-1 A'.
static trStatus mark_light(trArena *scratch, const trEquations *e, trSchur *s,
                           const trSchurBodies *bodies) {
    double *least = tr_new_array(scratch, double, e->nv);  // by column within a body
    TR_TRY(tr_arena_status(scratch));
    for (int k = 0; k < bodies->count; k++) {
        for (int j = 0; j < bodies->width[k]; j++) {
            int column = bodies->column[k] + j;
            least[j] = least[j] > 0.0 ? least[j] : LIGHT * typical_mass(e, bodies, j);
            s->light[column] = !(e->M.diagonal[column] > least[j]);
        }
    }
    for (int i = 0; i < s->sides; i++) {
        for (int row = 0; row < s->group[s->side[i].group].rows; row++) {
            mark_turns(e, i, row, s->light);
        }
    }
    return TR_OK;
}

// A body with a light velocity is kept.
static void choose_kept(trSchur *s, trSchurBodies *bodies) {
    for (int k = 0; k < bodies->count; k++) {
        bodies->kept[k] = -1;
        for (int j = 0; j < bodies->width[k] && bodies->kept[k] < 0; j++) {
            if (s->light[bodies->column[k] + j]) {
                bodies->kept[k] = s->kept;
                s->kept_column[s->kept] = bodies->column[k];
                s->kept_width[s->kept++] = bodies->width[k];
            }
        }
    }
}

// A column without mass that belongs to no joint's body, or -1.
static trStatus find_lone_column(trArena *scratch, const trEquations *e, trSchur *s) {
    bool *touched = tr_new_array(scratch, bool, s->n);
    TR_TRY(tr_arena_status(scratch));
    for (int i = 0; i < s->sides; i++) {
        for (int j = 0; j < s->side[i].width; j++) {
            touched[s->side[i].column + j] = true;
        }
    }
    s->lone_column = -1;
    for (int i = 0; i < s->n && s->lone_column < 0; i++) {
        s->lone_column = !touched[i] && !(e->M.diagonal[i] > 0.0) ? i : -1;
    }
    return TR_OK;
}

trStatus tr_schur_find_bodies(trArena *scratch, const trEquations *e, trSchur *s,
                              trSchurBodies *out) {
    int *body_at = tr_new_array(scratch, int, s->n);  // body number + 1 by first column
    *out = (trSchurBodies){.column = tr_new_array(scratch, int, s->sides),
                           .width = tr_new_array(scratch, int, s->sides),
                           .start = tr_new_array(scratch, int, s->sides + 1),
                           .side = tr_new_array(scratch, int, s->sides),
                           .kept = tr_new_array(scratch, int, s->sides)};
    TR_TRY(tr_arena_status(scratch));
    for (int i = 0; i < s->sides; i++) {
        int c = s->side[i].column;
        if (body_at[c] == 0) {
            out->column[out->count] = c;
            out->width[out->count] = s->side[i].width;
            body_at[c] = ++out->count;
        }
        out->start[body_at[c]]++;
    }
    for (int k = 0; k < out->count; k++) {
        out->start[k + 1] += out->start[k];
    }
    int *fill = tr_new_array(scratch, int, out->count);
    TR_TRY(tr_arena_status(scratch));
    for (int i = 0; i < s->sides; i++) {
        int k = body_at[s->side[i].column] - 1;
        out->side[out->start[k] + fill[k]++] = i;
    }
    TR_TRY(find_lone_column(scratch, e, s));
    TR_TRY(mark_light(scratch, e, s, out));
    choose_kept(s, out);
    return TR_OK;
}
