// SPDX-License-Identifier: MIT
// What a user's own mass matrix and energy must be. The matrix must not be negative in any
// direction: kinetic energy v' M v / 2 is never negative. Zero is allowed where constraints hold
// the motion.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "la/symmetric.h"
#include "system/system.h"

#define ROUNDING 1e-10  // of an eigenvalue, relative to the largest; the diagonal is one
#define SHARE 0.05      // components of a direction below this part of the largest are not told
#define TERMS 6         // nor more than so many
#define TEXT 512

// "0.8 x - 0.6 z"
static void describe(const trSystem *s, const double *direction, char *text) {
    int    told = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < s->nv && used < TEXT; i++) {
        double c = direction[i];
        if (c == 0.0) {
            continue;
        }
        if (told == TERMS) {
            snprintf(text + used, TEXT - used, " ...");
            return;
        }
        const char *sign = told == 0 ? (c < 0.0 ? "-" : "") : (c < 0.0 ? " - " : " + ");
        int more = snprintf(text + used, TEXT - used, "%s%.3g %s", sign, fabs(c), s->body[i].name);
        used += more > 0 ? (size_t)more : 0;
        told++;
    }
}

static trStatus refuse(const trSystem *s, double t, double value, const double *direction) {
    char text[TEXT];
    describe(s, direction, text);
    tr_fail(TR_E_MODEL,
            "the matrix is negative, %.6g, in the direction %s at t = %.9g s; kinetic energy would "
            "be negative there: check the function",
            value, text, t);
    return tr_blame_mass(TR_E_MODEL, s);
}

trStatus tr_blame_mass(trStatus status, const trSystem *s) {
    return tr_blame_origin(tr_blame(status, "mass: "), s->mass_origin);
}

// The sign of an eigenvalue does not depend on units: M is judged with a diagonal of one,
//
//     S = D M D,  D_ii = 1 / sqrt|M_ii|, or 1          x = D y:  x' M x = y' S y
static trStatus check_dense(const trEval *e, trArena *scratch) {
    const trSystem *s = e->system;
    size_t          n = (size_t)s->nv;
    double         *S = tr_new_array(scratch, double, n *n);
    double         *value = tr_new_array(scratch, double, n);
    double         *work = tr_new_array(scratch, double, 4 * n);
    double         *D = tr_new_array(scratch, double, n);
    TR_TRY(tr_arena_status(scratch));
    for (size_t i = 0; i < n; i++) {
        double own = fabs(e->M[i * (n + 1)]);
        D[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    for (size_t i = 0; i < n * n; i++) {
        S[i] = D[i % n] * e->M[i] * D[i / n];
    }
    TR_TRY(tr_symmetric_eigen(s->nv, S, value, work));
    if (value[0] >= -ROUNDING * fmax(fabs(value[0]), fabs(value[n - 1]))) {
        return TR_OK;
    }
    double square = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(S[i]));
        square += D[i] * S[i] * D[i] * S[i];
    }
    for (size_t i = 0; i < n; i++) {  // what is small is small in y, whatever the units of x
        S[i] = fabs(S[i]) < SHARE * most ? 0.0 : D[i] * S[i] / sqrt(square);
    }
    return refuse(s, e->t, value[0] / square, S);
}

trStatus tr_eval_check_mass(const trEval *e) {
    const trSystem *s = e->system;
    for (int i = 0; !s->dense && i < s->nv; i++) {
        if (!isfinite(s->mass[i])) {
            tr_fail(TR_E_MODEL, "its mass is not a finite number; check the function of s:mass");
            return tr_blame_origin(tr_blame_body(TR_E_MODEL, &s->body[i]), s->mass_origin);
        }
        if (s->mass[i] < 0.0) {
            tr_fail(TR_E_MODEL,
                    "its mass is %.6g; kinetic energy would be negative: check the function",
                    s->mass[i]);
            return tr_blame_origin(tr_blame_body(TR_E_MODEL, &s->body[i]), s->mass_origin);
        }
    }
    if (!s->dense) {
        return TR_OK;
    }
    trArena *scratch = tr_arena_create();
    trStatus status = check_dense(e, scratch);
    tr_arena_destroy(scratch);
    return status;
}

// --- energy ---
//
// It is T + V with T = v' M v / 2 and V without velocities:
//
//     dE/dv = M v
//
// for any v; it is looked at for one that is not special. Otherwise T + V - W would not be
// constant.

#define DIFFERENT 1e-9  // relative to the largest |M v|: rounding is far below

// Unequal for seven neighbors, none 0 or 1.
static double some_velocity(int i) {
    return 0.5 + 0.37 * (i % 7);
}

static trStatus compare(const trEval *e, trArena *scratch) {
    const trSystem  *s = e->system;
    const trProgram *p = &s->traced->energy_slope;
    double          *slot = tr_new_array(scratch, double, p->slots);
    double          *input = tr_new_array(scratch, double, s->traced->inputs);
    double          *v = tr_new_array(scratch, double, s->nv);
    double          *momentum = tr_new_array(scratch, double, s->nv), most = 0.0;
    TR_TRY(tr_arena_status(scratch));
    memcpy(input, e->input, (size_t)s->traced->inputs * sizeof *input);
    for (int i = 0; i < s->nv; i++) {
        v[i] = input[s->traced->v + i] = some_velocity(i);
    }
    tr_mass_mul(&e->equations.M, v, momentum);
    tr_program_begin(p, slot);
    tr_program_run(p, input, slot);
    for (int i = 0; i < s->nv; i++) {
        most = fmax(most, fabs(momentum[i]));
    }
    for (int i = 0; i < s->nv; i++) {
        double slope = slot[p->output[i]];
        if (!(fabs(slope - momentum[i]) <= DIFFERENT * most)) {
            tr_fail(
                TR_E_MODEL,
                "energy: it must be T + V, with T = v' M v / 2; but at v.%s = %g its derivative "
                "by that velocity is %.6g, and M v is %.6g (t = %.9g s); return v' M v / 2 + V, or "
                "leave s:energy out",
                s->body[i].name, v[i], slope, momentum[i], e->t);
            return tr_blame_origin(TR_E_MODEL, s->traced->general->origin[TR_OF_ENERGY]);
        }
    }
    return TR_OK;
}

trStatus tr_eval_check_energy(const trEval *e) {
    if (e->system->traced->energy_slope.outputs == 0) {
        return TR_OK;
    }
    trArena *scratch = tr_arena_create();
    trStatus status = compare(e, scratch);
    tr_arena_destroy(scratch);
    return status;
}
