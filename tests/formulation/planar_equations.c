// SPDX-License-Identifier: MIT
#include "formulation/planar_equations.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void planar_lay_out(Problem *p, const Case *c) {
    int row = 0, side = 0, value = 0, joints = 0, n = 3 * (int)strlen(c->mass);
    for (; joints < MAX_JOINTS && c->joint[joints].rows > 0; joints++) {
        const Joint *joint = &c->joint[joints];
        p->group_row[joints] = row;
        p->group_side[joints] = side;
        for (int k = 0; k < 2; k++) {
            int body = k == 0 ? joint->body1 : joint->body2;
            if (body != GROUND) {
                p->side_column[side] = 3 * body;
                p->side_width[side] = 3;
                p->side_value[side++] = value;
                value += 3 * joint->rows;
            }
        }
        row += joint->rows;
    }
    p->group_row[joints] = row;
    p->group_side[joints] = side;
    p->e = (trEquations){.nv = n,
                         .m = row,
                         .M = {.n = n, .diagonal = p->mass},
                         .A = {.m = row,
                               .n = n,
                               .groups = joints,
                               .group_row = p->group_row,
                               .group_side = p->group_side,
                               .side_column = p->side_column,
                               .side_width = p->side_width,
                               .side_value = p->side_value,
                               .value = p->value},
                         .Q = p->Q,
                         .b = p->b,
                         .rank_tolerance = 1e-4};
}

static void copy_joint(Problem *p, int from, int to) {
    for (int s = p->group_side[to], t = p->group_side[from]; s < p->group_side[to + 1]; s++, t++) {
        int rows = p->group_row[to + 1] - p->group_row[to];
        for (int k = 0; k < 3 * rows; k++) {
            p->value[p->side_value[s] + k] = -1.7 * p->value[p->side_value[t] + k];
        }
    }
}

void planar_draw(Problem *p, const Case *c, trRandom *random) {
    double reached[MAX_N];
    for (int i = 0; i < p->e.nv; i++) {
        char kind = c->mass[i / 3];
        p->mass[i] = kind == '-' || (kind == 'J' && i % 3 == 2) ? 0.0 : 1.5 + random_real(random);
        p->Q[i] = random_real(random);
        reached[i] = random_real(random);
    }
    for (int g = 0; g < p->e.A.groups; g++) {
        for (int s = p->group_side[g]; s < p->group_side[g + 1]; s++) {
            for (int k = 0; k < 3 * c->joint[g].rows; k++) {
                bool held = s + 1 == p->group_side[g + 1] && k % 4 == 0;
                p->value[p->side_value[s] + k] = (held ? 2.0 : 0.0) + random_real(random);
            }
        }
        if (c->joint[g].copy > 0) {
            copy_joint(p, g - c->joint[g].copy, g);
        }
    }
    tr_rows_mul(&p->e.A, reached, p->b);
}

void planar_make_pins(Problem *p, trRandom *random) {
    double c[MAX_BODIES], s[MAX_BODIES];
    for (int i = 0; i < p->e.nv / 3; i++) {
        double angle = 3.0 * random_real(random);
        c[i] = cos(angle);
        s[i] = sin(angle);
    }
    for (int g = 0; g < p->e.A.groups; g++) {
        for (int k = p->group_side[g]; k < p->group_side[g + 1]; k++) {
            bool         end = k + 1 < p->group_side[g + 1];  // of body 1; the start of body 2
            int          body = p->side_column[k] / 3;
            double       sign = end ? -1.0 : 1.0;
            const double pin[] = {sign, 0.0, s[body], 0.0, sign, -c[body]};
            memcpy(p->value + p->side_value[k], pin, sizeof pin);
        }
    }
}
