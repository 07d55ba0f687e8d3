// SPDX-License-Identifier: MIT
// The table of integrators, in the order of integrators.def, and the error norm they share.

#include "integrator/integrator.h"

#include <math.h>
#include <string.h>

#define TR_INTEGRATOR(name) extern const trIntegratorKind tr_integrator_##name;
#include "integrator/integrators.def"
#undef TR_INTEGRATOR

static const trIntegratorKind *const kinds[] = {
#define TR_INTEGRATOR(name) &tr_integrator_##name,
#include "integrator/integrators.def"
#undef TR_INTEGRATOR
};

int tr_integrator_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trIntegratorKind *tr_integrator_at(int index) {
    return kinds[index];
}

const trIntegratorKind *tr_integrator_find(const char *name) {
    for (int i = 0; i < tr_integrator_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

double tr_error_norm(int n, const double *e, const double *x, const double *x_new,
                     const trTolerance *tolerance) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double scale = tolerance->atol + tolerance->rtol * fmax(fabs(x[i]), fabs(x_new[i]));
        double part = e[i] / scale;
        sum += part * part;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}
