// SPDX-License-Identifier: MIT
// The integrators on the first face, and a right side for them.

#ifndef TR_TESTS_INTEGRATOR_EXPLICIT_H
#define TR_TESTS_INTEGRATOR_EXPLICIT_H

#include <stdbool.h>
#include <stddef.h>

#include "integrator/integrator.h"

// Kinds on the first face whose steps the sim chooses; sim/test_generalized_alpha.c, test_cvode.c
// and test_arkode.c have others.
static inline const trIntegratorKind *explicit_at(int index) {
    for (int i = 0; i < tr_integrator_count(); i++) {
        bool first = tr_integrator_at(i)->implicit == NULL && tr_integrator_at(i)->owner == NULL;
        if (first && index-- == 0) {
            return tr_integrator_at(i);
        }
    }
    return NULL;
}

static inline int explicit_count(void) {
    int count = 0;
    while (explicit_at(count) != NULL) {
        count++;
    }
    return count;
}

static inline trStatus linear(void *context, double t, const double *x, double *xdot) {
    const double *rate = context;
    (void)t;
    xdot[0] = *rate * x[0];
    return TR_OK;
}

#endif
