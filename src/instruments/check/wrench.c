// SPDX-License-Identifier: MIT
// Loads at joints as six numbers, and what a few of them span.

#include <math.h>

#include "base/vector.h"
#include "check/check.h"

#define NONE 1e-6  // of a span: shorter ones do not count; loads are about 1

trVec3 tr_wrench_force(const trWrench *w) {
    return (trVec3){w->x[0], w->x[1], w->x[2]};
}

trVec3 tr_wrench_moment(const trWrench *w) {
    return (trVec3){w->x[3], w->x[4], w->x[5]};
}

trWrench tr_check_wrench(trCheckWork *w, int joint, const double *L) {
    const trReaction r = tr_eval_world_reaction(w->eval, joint, L);
    const trVec3     f = {r.fx, r.fy, r.fz};
    const trVec3     c = tr_scale3(1.0 / w->size, (trVec3){r.mx, r.my, r.mz});
    return (trWrench){{f.x, f.y, f.z, c.x, c.y, c.z}};
}

static double length6(const trWrench *w) {
    return sqrt(tr_dot(6, w->x, w->x));
}

static void shorten(trWrench *w, double length) {
    for (int k = 0; k < 6; k++) {
        w->x[k] /= length;
    }
}

// Multipliers are in N and in N m, which the size of a model makes large or small beside each
// other: each row counts by its direction.
int tr_check_bearing(trCheckWork *w, int joint, trWrench out[TR_CHECK_ROWS]) {
    const int first = w->group[joint].row, rows = w->group[joint].rows;
    for (int i = 0; i < rows; i++) {
        w->lambda[first + i] = 1.0;
        out[i] = tr_check_wrench(w, joint, w->lambda);
        w->lambda[first + i] = 0.0;
        double length = length6(&out[i]);
        if (length > 0.0) {
            shorten(&out[i], length);
        }
    }
    return tr_span6(rows, out);
}

// By the longest one that is left, so that what is small goes last.
int tr_span6(int count, trWrench *w) {
    double longest = 1.0;
    int    found = 0;
    for (int i = 0; i < count; i++) {
        longest = fmax(longest, length6(&w[i]));
    }
    while (found < count && found < 6) {
        int best = found;
        for (int i = found; i < count; i++) {
            best = length6(&w[i]) > length6(&w[best]) ? i : best;
        }
        double length = length6(&w[best]);
        if (!(length > NONE * longest)) {
            break;
        }
        trWrench kept = w[best];
        w[best] = w[found];
        shorten(&kept, length);
        w[found++] = kept;
        for (int i = found; i < count; i++) {
            tr_add_scaled(6, -tr_dot(6, kept.x, w[i].x), kept.x, w[i].x);
        }
    }
    return found;
}

int tr_span3(int count, trVec3 *x) {
    trWrench w[6];
    int      used = count < 6 ? count : 6;
    for (int i = 0; i < used; i++) {
        w[i] = (trWrench){{x[i].x, x[i].y, x[i].z, 0.0, 0.0, 0.0}};
    }
    int found = tr_span6(used, w);
    for (int i = 0; i < found; i++) {
        x[i] = tr_wrench_force(&w[i]);
    }
    return found;
}
