// SPDX-License-Identifier: MIT
#include "formulation/golden.h"

#include <string.h>

#include "formulation/golden_data.h"
#include "formulation/golden_data_fivebar.h"
#include "formulation/golden_data_fivebar_matrices.h"
#include "formulation/golden_data_planar.h"

#define ENTRIES(name) \
    { (int)(sizeof name / sizeof *name), name##_at, name }

// What all tables have.
#define TABLES(name)                                                                             \
    .q = name##_q, .v = name##_v, .M = ENTRIES(name##_M), .A = ENTRIES(name##_A), .Q = name##_Q, \
    .b = name##_b, .a = name##_a, .Fc = name##_Fc, .q_off = name##_q_unproj,                     \
    .v_off = name##_v_unproj, .q_I = name##_q_proj_I, .v_I = name##_v_proj_I

#define TABLES_OF_W_M(name) .q_M = name##_q_proj_M, .v_M = name##_v_proj_M

static const Golden systems[] = {
    {.name = "pendulum",
     .n = 2,
     .m = 1,
     .rank = 1,
     .holonomic = true,
     .diagonal = true,
     .width = 2,
     .groups = 1,
     .group = {{1, 0, -1}},
     .t = 0.1,
     .evaluate = golden_pendulum,
     TABLES(pendulum),
     TABLES_OF_W_M(pendulum)},
    {.name = "dp3",
     .n = 6,
     .m = 3,
     .rank = 3,
     .holonomic = true,
     .diagonal = true,
     .width = 3,
     .groups = 3,
     .group = {{1, 0, -1}, {1, 0, 1}, {1, 0, 1}},
     .t = 0.1,
     .evaluate = golden_dp3,
     .b1 = dp3_b1,
     TABLES(dp3),
     TABLES_OF_W_M(dp3)},
    {.name = "knife",
     .n = 3,
     .m = 1,
     .rank = 1,
     .diagonal = true,
     .width = 3,
     .groups = 1,
     .group = {{1, 0, -1}},
     .t = 0.1,
     .evaluate = golden_knife,
     TABLES(knife),
     TABLES_OF_W_M(knife)},
    {.name = "parjoint",
     .n = 3,
     .m = 2,
     .rank = 2,
     .holonomic = true,
     .width = 3,
     .groups = 1,
     .group = {{2, 0, -1}},
     .t = 0.1,
     .evaluate = golden_parjoint,
     TABLES(parjoint),
     TABLES_OF_W_M(parjoint)},
    {.name = "parcart",
     .n = 9,
     .m = 8,
     .rank = 8,
     .holonomic = true,
     .diagonal = true,
     .width = 3,
     .groups = 4,
     .group = {{2, 0, -1}, {2, 0, 1}, {2, 1, 2}, {2, 2, -1}},
     .t = 0.1,
     .evaluate = golden_parcart,
     TABLES(parcart),
     TABLES_OF_W_M(parcart)},
    {.name = "fourbar",
     .n = 9,
     .m = 8,
     .rank = 8,
     .holonomic = true,
     .diagonal = true,
     .width = 3,
     .groups = 4,
     .group = {{2, 0, -1}, {2, 0, 1}, {2, 1, 2}, {2, 2, -1}},
     .t = 0.1,
     .evaluate = golden_fourbar,
     TABLES(fourbar),
     TABLES_OF_W_M(fourbar)},
    {.name = "triple",
     .n = 12,
     .m = 12,
     .rank = 11,
     .holonomic = true,
     .diagonal = true,
     .width = 3,
     .groups = 6,
     .group = {{2, 0, -1}, {2, 0, 3}, {2, 1, -1}, {2, 1, 3}, {2, 2, -1}, {2, 2, 3}},
     .t = 0.1,
     .evaluate = golden_triple,
     TABLES(triple),
     TABLES_OF_W_M(triple)},
    {.name = "quat",
     .n = 4,
     .m = 1,
     .rank = 1,
     .holonomic = true,
     .width = 4,
     .groups = 1,
     .group = {{1, 0, -1}},
     .t = 0.1,
     .evaluate = golden_quat,
     TABLES(quat)},
    {.name = "fivebar",
     .n = 35,
     .m = 30,
     .rank = 30,
     .holonomic = true,
     .width = 7,
     .groups = 15,
     .group = {{1, 0, -1},
               {3, 0, -1},
               {2, 0, -1},
               {1, 1, -1},
               {3, 0, 1},
               {2, 0, 1},
               {1, 2, -1},
               {3, 1, 2},
               {2, 1, 2},
               {1, 3, -1},
               {3, 2, 3},
               {2, 2, 3},
               {1, 4, -1},
               {3, 3, 4},
               {2, 3, 4}},
     .t = 0.1,
     .evaluate = golden_fivebar,
     TABLES(fivebar)},
    {.name = "heli",
     .n = 2,
     .m = 1,
     .rank = 1,
     .holonomic = true,
     .width = 2,
     .groups = 1,
     .group = {{1, 0, -1}},
     .t = 0.1,
     .evaluate = golden_heli,
     .b1 = heli_b1,
     TABLES(heli),
     TABLES_OF_W_M(heli)},
};

int golden_count(void) {
    return (int)(sizeof systems / sizeof *systems);
}

const Golden *golden_at(int index) {
    return &systems[index];
}

static void add_side(GoldenSystem *s, int *sides, int *values, int rows, int body) {
    if (body < 0) {
        return;
    }
    s->side_column[*sides] = body * s->golden->width;
    s->side_width[*sides] = s->golden->width;
    s->side_value[*sides] = *values;
    *values += rows * s->golden->width;
    *sides += 1;
}

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    *out = golden_equations(context, t, q, v);
    return TR_OK;
}

static void retract(void *context, const double *dv, double *q) {
    const GoldenSystem *s = context;
    for (int i = 0; i < s->golden->n; i++) {
        q[i] += dv[i];
    }
}

void golden_begin(GoldenSystem *s, const Golden *golden) {
    int row = 0, sides = 0, values = 0;
    memset(s, 0, sizeof *s);
    s->golden = golden;
    for (int g = 0; g < golden->groups; g++) {
        const GoldenGroup *group = &golden->group[g];
        s->group_row[g] = row;
        s->group_side[g] = sides;
        add_side(s, &sides, &values, group->rows, group->body1);
        add_side(s, &sides, &values, group->rows, group->body2);
        row += group->rows;
    }
    s->group_row[golden->groups] = row;
    s->group_side[golden->groups] = sides;
    for (int i = 0; i < golden->m; i++) {
        s->holonomic[i] = golden->holonomic;
    }
    s->equations = (trEquations){
        .nv = golden->n,
        .m = golden->m,
        .M = {.n = golden->n,
              .diagonal = golden->diagonal ? s->diagonal : NULL,
              .dense = golden->diagonal ? NULL : s->numbers.M},
        .A = {.m = golden->m,
              .n = golden->n,
              .groups = golden->groups,
              .group_row = s->group_row,
              .group_side = s->group_side,
              .side_column = s->side_column,
              .side_width = s->side_width,
              .side_value = s->side_value,
              .value = s->value},
        .Q = s->numbers.Q,
        .b = s->numbers.b,
        .b1 = s->numbers.b1,
        .phi = s->numbers.phi,
        .holonomic = s->holonomic,
        .rank_tolerance = 1e-4,
    };
    s->manifold = (trManifold){
        .nq = golden->n, .nv = golden->n, .context = s, .evaluate = evaluate, .retract = retract};
    (void)golden_equations(s, golden->t, golden->q, golden->v);
}

const trEquations *golden_equations(GoldenSystem *s, double t, const double *q, const double *v) {
    const Golden *golden = s->golden;
    memset(&s->numbers, 0, sizeof s->numbers);
    golden->evaluate(t, q, v, &s->numbers);
    for (int i = 0; i < golden->n; i++) {
        s->diagonal[i] = s->numbers.M[i * golden->n + i];
    }
    for (int g = 0; g < golden->groups; g++) {
        for (int side = s->group_side[g]; side < s->group_side[g + 1]; side++) {
            double *block = s->value + s->side_value[side];
            for (int row = s->group_row[g]; row < s->group_row[g + 1]; row++) {
                const double *from = s->numbers.A + row * golden->n + s->side_column[side];
                memcpy(block, from, (size_t)s->side_width[side] * sizeof(double));
                block += s->side_width[side];
            }
        }
    }
    return &s->equations;
}
