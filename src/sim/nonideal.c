// SPDX-License-Identifier: MIT
// Constraints that are not ideal: their force is C - A' lambda, with C a function of the user's
// that may depend on lambda, as friction does. A fixed point over lambda,
//
//     M a + A' lambda_k+1 = Q + C(lambda_k),    A a = b
//
// starting from C(0). After two plain rounds every further one is taken from the line through the
// last two (Anderson's method of depth 1), which ends at once where the dependence is linear and
// one-sided. Where plain rounds do not contract, several answers or none fit the equations, and the
// worst constraint is named.
// Reference: Udwadia and Kalaba, J. Appl. Mech. 67 (2000), 335-339.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define MAX_SOLVES 20
#define SETTLED 1e-13  // change of lambda, relative to the largest: rounding
#define CLOSE 1e-10    // likewise, what is good enough when rounds are used up

static trStatus solve(trSim *s, const double *b, double *a, double *lambda) {
    const trEquations *e = &s->eval.equations;
    for (int i = 0; i < s->nv; i++) {
        s->F[i] = e->Q[i] + s->eval.C[i];
    }
    return s->kernel.kind->solve(s->kernel.work, e, s->F, b, a, lambda);
}

// lambda is what C was made from, next what came out of it.
static double change(const trSim *s, const double *lambda, const double *next, int *worst) {
    double most = 0.0, size = 0.0;
    for (int i = 0; i < s->m; i++) {
        double gap = fabs(next[i] - lambda[i]);
        size = fmax(size, fabs(next[i]));
        if (!(gap <= most)) {
            most = gap;
            *worst = i;
        }
    }
    return most == 0.0 ? 0.0 : most / fmax(size, most);
}

// From the last two pairs (in, out) the next `in`: the point of the line through them where the
// gap out - in is smallest.
static void mix(trSim *s, double *in, const double *out, double *old_in, double *old_out) {
    double product = 0.0, square = 0.0;
    for (int i = 0; i < s->m; i++) {
        double gap = out[i] - in[i], turn = gap - (old_out[i] - old_in[i]);
        product += gap * turn;
        square += turn * turn;
    }
    double part = square > 0.0 ? product / square : 0.0;
    for (int i = 0; i < s->m; i++) {
        double next = out[i] - part * (out[i] - old_out[i]);
        old_in[i] = in[i];
        old_out[i] = out[i];
        in[i] = next;
    }
}

static trStatus refuse(const trSim *s, int row) {
    tr_fail(TR_E_SIMULATION,
            "the non-ideal force does not settle at t = %.9g s: its reaction and the friction made "
            "from it enlarge each other; lower the coefficient, or model contact with compliance",
            s->eval.t);
    return tr_blame_joint(TR_E_SIMULATION, &s->system->joint[s->system->row_joint[row]]);
}

static trStatus fixed_point(trSim *s, const double *b, double *a) {
    double *in = s->react[0], *old_in = s->react[1], *old_out = s->react[2];
    double  first = 0.0;
    int     worst = 0;
    memset(in, 0, (size_t)s->m * sizeof *in);
    for (int k = 0; k < MAX_SOLVES; k++) {
        TR_TRY(tr_eval_nonideal(&s->eval, in));
        TR_TRY(solve(s, b, a, s->lambda));
        double gap = change(s, in, s->lambda, &worst);
        if (gap <= SETTLED || (k == MAX_SOLVES - 1 && gap <= CLOSE)) {
            return TR_OK;
        }
        double size = 0.0;
        for (int i = 0; i < s->m; i++) {
            size = fmax(size, fabs(s->lambda[i] - in[i]));
        }
        if (k == 1) {
            first = size;
        }
        if (k == 2 && !(size < first)) {  // two plain rounds in a row
            return refuse(s, worst);
        }
        if (k < 2) {
            memcpy(old_in, in, (size_t)s->m * sizeof *in);
            memcpy(old_out, s->lambda, (size_t)s->m * sizeof *in);
            memcpy(in, s->lambda, (size_t)s->m * sizeof *in);
        } else {
            mix(s, in, s->lambda, old_in, old_out);
        }
    }
    return refuse(s, worst);
}

trStatus tr_sim_solve(trSim *s, const double *b, double *a) {
    const trEquations *e = &s->eval.equations;
    if (s->eval.C == NULL) {
        return s->kernel.kind->solve(s->kernel.work, e, e->Q, b, a, s->lambda);
    }
    if (s->system->traced->reactive) {
        return fixed_point(s, b, a);
    }
    TR_TRY(tr_eval_nonideal(&s->eval, s->lambda));
    return solve(s, b, a, s->lambda);
}
