// SPDX-License-Identifier: MIT
// The registry of integrators, and what they share.

#include "integrator/integrator.h"

#include <math.h>

#define TR_LIST "integrator/integrators.def"
#define TR_INTEGRATOR TR_ENTRY
#define TR_FAMILY integrator
#define TR_KIND trIntegratorKind
#include "base/registry.h"
#undef TR_INTEGRATOR

bool tr_integrator_is_absent(const char *name) {
    static const char *const optional[] = {
#define TR_INTEGRATOR(name) #name,
#include "integrator/sundials.def"
#undef TR_INTEGRATOR
    };
    bool known = false;
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        known |= strcmp(optional[i], name) == 0;
    }
    return known && tr_integrator_find(name) == NULL;
}

int tr_error_groups(const trOde *ode) {
    return ode->groups + (ode->nerror > ode->groups * (ode->part[0] + ode->part[1]));
}

trErrorGroup tr_error_group(const trOde *ode, int g) {
    int a = ode->part[0], b = ode->part[1], rest = ode->groups * (a + b);
    if (g == ode->groups) {
        return (trErrorGroup){ode->nerror - rest, ode->nerror - rest, {rest, ode->nerror}};
    }
    return (trErrorGroup){a + b, a, {g * a, ode->groups * a + g * b}};
}

double tr_error_norm(const trOde *ode, const double *e, const double *x, const double *x_new,
                     const trTolerance *tolerance) {
    double most = 0.0;
    for (int g = 0; g < tr_error_groups(ode); g++) {
        trErrorGroup group = tr_error_group(ode, g);
        double       sum = 0.0;
        for (int k = 0; k < group.count; k++) {
            int    i = tr_error_component(&group, k);
            double scale = tolerance->atol + tolerance->rtol * fmax(fabs(x[i]), fabs(x_new[i]));
            double error = (ode->weight == NULL ? 1.0 : ode->weight[i]) * e[i] / scale;
            sum += error * error;
        }
        double mean = sum / group.count;
        most = mean <= most ? most : mean;  // what is not a number stays
    }
    return sqrt(most);
}

void tr_dae_turn_back(const trDae *dae, const trSwing *swing, int motions, int rows, double *y) {
    double *of_rows = y + (ptrdiff_t)motions * dae->nv;
    for (int i = 0; i < motions; i++) {
        tr_swing_back(dae->tangent, swing, y + (ptrdiff_t)i * dae->nv,
                      i < rows ? of_rows + (ptrdiff_t)i * dae->m : NULL);
    }
}

void tr_dae_turn_forth(const trDae *dae, const trSwing *swing, int motions, int rows, double *y) {
    double *of_rows = y + (ptrdiff_t)motions * dae->nv;
    for (int i = 0; i < motions; i++) {
        tr_swing_forth(dae->tangent, swing, y + (ptrdiff_t)i * dae->nv,
                       i < rows ? of_rows + (ptrdiff_t)i * dae->m : NULL);
    }
}
