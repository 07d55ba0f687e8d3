// SPDX-License-Identifier: MIT
// A shape in words: which body or coordinate has most of the kinetic energy, and in what motion.

#include <math.h>

#include "modes/modes.h"

#define CLEARLY 0.9  // of the energy of a motion along or about one axis, for it to be named

// e = y* M y by components: real parts of y_i* (M y)_i.
static double find_energies(const trLinear *l, const double *re, const double *im, double *e) {
    double sum = 0.0;
    for (int i = 0; i < l->n; i++) {
        e[i] = 0.0;
        for (int j = 0; j < l->n; j++) {
            double both = re[i] * re[j] + (im != NULL ? im[i] * im[j] : 0.0);
            e[i] += l->M[i + (ptrdiff_t)j * l->n] * both;
        }
        sum += e[i];
    }
    return sum;
}

static const char *motion_words(int dim, bool turns, const double *e, double sum) {
    static const char *const along[] = {"translation along x", "translation along y",
                                        "translation along z"};
    static const char *const about[] = {"rotation about x", "rotation about y", "rotation about z"};
    if (dim == 0) {
        return "";
    }
    if (turns && dim == 2) {
        return "rotation";
    }
    for (int k = 0; k < dim; k++) {
        if (e[k] > CLEARLY * sum) {
            return turns ? about[k] : along[k];
        }
    }
    return turns ? "rotation" : "translation";
}

static void name_largest(const trLinear *l, const double *e, double sum, double *share,
                         trNeutral *out) {
    int    nb = l->each, first = l->dim == 0 ? 1 : l->dim;
    double most = -1.0;
    for (int body = 0; body < l->bodies; body++) {
        double of_body = 0.0;
        for (int from = 0, to = first; from < nb; from = to, to = nb) {
            double of_motion = 0.0;
            for (int k = from; k < to; k++) {
                of_motion += e[nb * body + k];
            }
            of_body += of_motion;
            if (of_motion > most * (1.0 + 1e-6) + 1e-12 * sum) {  // of equal ones, the first
                most = of_motion;
                out->part = tr_system_velocity(l->system, nb * body).name;
                out->motion = motion_words(l->dim, from > 0, e + nb * body + from, of_motion);
            }
        }
        share[body] = of_body / sum;
    }
    out->share = most / sum;
}

void tr_modes_describe(const trLinear *l, double *re, double *im, double *share, trNeutral *out) {
    double *e = l->block;
    double  sum = find_energies(l, re, im, e);
    int     most = 0;
    out->shape = re;
    if (!(sum > 0.0)) {  // of a further state alone
        out->part = l->nz > 0 ? tr_system_state_name(l->system, 0) : "";
        out->motion = "state";
        out->share = 0.0;
        return;
    }
    name_largest(l, e, sum, share, out);
    for (int i = 0; i < l->n; i++) {
        most = e[i] > (1.0 + 1e-6) * e[most] ? i : most;
    }
    // The largest component becomes real and positive.
    double c = re[most], s = im != NULL ? im[most] : 0.0, size = hypot(c, s);
    double factor = 1.0 / sqrt(sum);
    for (int i = 0; i < l->n; i++) {
        double a = re[i], b = im != NULL ? im[i] : 0.0, scale = factor / (size * l->root[i]);
        re[i] = (a * c + b * s) * scale;
        if (im != NULL) {
            im[i] = (b * c - a * s) * scale;
        }
    }
}
