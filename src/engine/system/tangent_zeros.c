// SPDX-License-Identifier: MIT
// Where K of a joint is not always zero: most joints change their forces with rotations alone, and
// many do so body by body. What is left out of the matrix need not be filled or factored.
//
// An entry that is zero at several random motions and multipliers is zero everywhere, because rows
// of joints are smooth functions of the motion.

#include <math.h>
#include <stdint.h>

#include "system/tangent_parts.h"

#define TRIALS 3

// Uniform in [-1, 1), the same everywhere: Knuth's linear congruential generator.
static double next(uint64_t *random) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 11) / 4503599627370496.0 - 1.0;
}

static trMotion2 planar_motion(uint64_t *random) {
    trMotion2 m = {.r = {next(random), next(random)}, .angle = next(random)};
    m.c = cos(m.angle);
    m.s = sin(m.angle);
    m.v = (trVec2){next(random), next(random)};
    m.omega = next(random);
    return m;
}

static trVec3 spatial_vector(uint64_t *random) {
    return (trVec3){next(random), next(random), next(random)};
}

static trMotion3 spatial_motion(uint64_t *random) {
    trMotion3 m = {.r = spatial_vector(random), .u = tr_quat_exp(spatial_vector(random))};
    m.R = tr_quat_matrix(m.u);
    m.v = spatial_vector(random);
    m.w = spatial_vector(random);
    return m;
}

static void try_joint(const trJoint *joint, uint64_t *random, double *K) {
    double    lambda[TR_JOINT_ROWS];
    trMotions m;
    for (int i = 0; i < TR_JOINT_ROWS; i++) {
        lambda[i] = next(random);
    }
    if (joint->kind->dim == 2) {
        trMotion2 flat[TR_JOINT_BODIES];
        for (int k = 0; k < joint->bodies; k++) {
            flat[k] = planar_motion(random);
            m.flat[k] = &flat[k];
        }
        joint->kind->tangent(joint->params, m.flat, lambda, K);
    } else {
        trMotion3 solid[TR_JOINT_BODIES];
        for (int k = 0; k < joint->bodies; k++) {
            solid[k] = spatial_motion(random);
            m.solid[k] = &solid[k];
        }
        joint->kind->tangent3(joint->params, m.solid, lambda, K);
    }
}

// The box grows to hold an entry.
static void include(trPartBox *box, int row, int column) {
    if (box->rows == 0) {
        *box = (trPartBox){row, 1, column, 1};
        return;
    }
    int last_row = box->row + box->rows - 1, last_column = box->column + box->columns - 1;
    last_row = row > last_row ? row : last_row;
    last_column = column > last_column ? column : last_column;
    box->row = row < box->row ? row : box->row;
    box->column = column < box->column ? column : box->column;
    box->rows = last_row - box->row + 1;
    box->columns = last_column - box->column + 1;
}

// Quaternion coordinates widen whole blocks; a kind without tangents says nothing before it is
// differentiated.
static bool is_known(const trSystem *s, const trJointKind *kind) {
    return s->space->widen == NULL &&
           (kind->dim == 2 ? kind->tangent != NULL : kind->tangent3 != NULL);
}

void tr_find_boxes(const trSystem *s, int j, trPartBox *box) {
    const trJoint *joint = &s->joint[j];
    int            nv = s->space->nv, n = joint->bodies, columns = n * nv;
    bool           known = is_known(s, joint->kind);
    uint64_t       random = 1;
    for (int k = 0; k < n * n; k++) {
        box[k] = known ? (trPartBox){0, 0, 0, 0} : (trPartBox){0, nv, 0, nv};
    }
    for (int trial = 0; known && trial < TRIALS; trial++) {
        double K[TR_JOINT_BODIES * 6 * TR_JOINT_BODIES * 6] = {0.0};
        try_joint(joint, &random, K);
        for (int i = 0; i < columns * columns; i++) {
            int row = i / columns, column = i % columns;
            if (K[i] != 0.0) {
                include(&box[n * (row / nv) + column / nv], row % nv, column % nv);
            }
        }
    }
}
