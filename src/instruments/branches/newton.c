// SPDX-License-Identifier: MIT
// Solutions of u' H_j u = 0, |u| = 1, by Gauss and Newton from many starts, the same every time.
//
//     J du = -(u' H_j u)         J: rows 2 u' H_j, and u' for the length
//
// The null space K of the rows H_j u at a solution has the directions in which it may go on: if all
// forms vanish in K, K is a subspace of solutions; if not, solutions around it are curved, or it is
// a multiple one.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "branches/branches.h"
#include "la/symmetric.h"

#define STARTS_EACH 24  // for every unknown
#define MOST_STARTS 480
#define ITERATIONS 60
#define DEPENDENT 1e-12  // eigenvalues of J'J, relative
#define CONVERGED 1e-3   // of what counts as nothing

typedef struct Search {
    const trForms *forms;
    double        *u, *g;  // k
    double        *Hu;     // k x d
    double        *JJ;     // k x k: then its eigenvectors
    double        *value;  // k
    double        *work;   // 4 k
    unsigned       random;
} Search;

static double next_random(Search *s) {
    s->random = s->random * 1664525u + 1013904223u;
    return (double)(s->random >> 8) / (double)(1u << 23) - 1.0;
}

// H_j u, and the largest |u' H_j u|.
static double evaluate(Search *s) {
    int    k = s->forms->k;
    double most = 0.0;
    for (int j = 0; j < s->forms->d; j++) {
        double sum = 0.0;
        for (int i = 0; i < k; i++) {
            double part = 0.0;
            for (int l = 0; l < k; l++) {
                part += s->forms->H[((ptrdiff_t)j * k + l) * k + i] * s->u[l];
            }
            s->Hu[i + (ptrdiff_t)j * k] = part;
            sum += s->u[i] * part;
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

// J'J without the length, and g = J' f.
static trStatus factor(Search *s) {
    int k = s->forms->k;
    memset(s->JJ, 0, (size_t)k * (size_t)k * sizeof *s->JJ);
    memset(s->g, 0, (size_t)k * sizeof *s->g);
    for (int j = 0; j < s->forms->d; j++) {
        const double *h = s->Hu + (ptrdiff_t)j * k;
        double        f = tr_dot(k, s->u, h);
        for (int i = 0; i < k; i++) {
            s->g[i] += 2.0 * h[i] * f;
            for (int l = 0; l < k; l++) {
                s->JJ[i + (ptrdiff_t)l * k] += 4.0 * h[i] * h[l];
            }
        }
    }
    return tr_symmetric_eigen(k, s->JJ, s->value, s->work);
}

static void normalize(int k, double *u) {
    double length = sqrt(tr_dot(k, u, u));
    for (int i = 0; i < k; i++) {
        u[i] /= length;
    }
}

// u = u - (J'J)^+ J' f; the length is restored afterwards.
static void step(Search *s) {
    int k = s->forms->k;
    for (int a = 0; a < k; a++) {
        const double *e = s->JJ + (ptrdiff_t)a * k;
        if (s->value[a] > DEPENDENT * s->value[k - 1]) {
            tr_add_scaled(k, -(tr_dot(k, e, s->g) / s->value[a]), e, s->u);
        }
    }
    normalize(k, s->u);
}

static trStatus descend(Search *s, bool *found) {
    *found = false;
    for (int i = 0; i < ITERATIONS && !*found; i++) {
        *found = evaluate(s) <= CONVERGED * s->forms->zero;
        if (!*found) {
            TR_TRY(factor(s));
            step(s);
        }
    }
    return TR_OK;
}

// Do all forms vanish in the first `dim` eigenvectors?
static bool vanish(const Search *s, int dim) {
    int k = s->forms->k;
    for (int j = 0; j < s->forms->d; j++) {
        for (int a = 0; a < dim; a++) {
            for (int c = 0; c <= a; c++) {
                double sum = 0.0;
                for (int i = 0; i < k * k; i++) {
                    sum += s->forms->H[(ptrdiff_t)j * k * k + i] * s->JJ[i % k + (ptrdiff_t)a * k] *
                           s->JJ[i / k + (ptrdiff_t)c * k];
                }
                if (fabs(sum) > s->forms->zero) {
                    return false;
                }
            }
        }
    }
    return true;
}

static trStatus tell(Search *s, trConeFound found, void *context, bool *curved) {
    int dim = 0;
    TR_TRY(factor(s));
    while (dim < s->forms->k && sqrt(fmax(s->value[dim], 0.0)) <= 2.0 * s->forms->zero) {
        dim++;
    }
    if (dim > 1 && vanish(s, dim)) {
        return found(context, dim, s->JJ);
    }
    *curved = *curved || dim > 1;
    return found(context, 1, s->u);
}

trStatus tr_cone_newton(trArena *arena, const trForms *forms, trConeFound found, void *context,
                        bool *curved) {
    size_t k = (size_t)forms->k;
    int    starts = STARTS_EACH * forms->k < MOST_STARTS ? STARTS_EACH * forms->k : MOST_STARTS;
    Search s = {.forms = forms, .random = 7};
    s.u = tr_new_array(arena, double, k);
    s.g = tr_new_array(arena, double, k);
    s.Hu = tr_new_array(arena, double, k *(size_t)forms->d);
    s.JJ = tr_new_array(arena, double, k *k);
    s.value = tr_new_array(arena, double, k);
    s.work = tr_new_array(arena, double, 4 * k);
    TR_TRY(tr_arena_status(arena));
    for (int n = 0; n < starts; n++) {
        bool good = false;
        for (int i = 0; i < forms->k; i++) {
            s.u[i] = next_random(&s);
        }
        normalize(forms->k, s.u);
        TR_TRY(descend(&s, &good));
        if (good) {
            TR_TRY(tell(&s, found, context, curved));
        }
    }
    return TR_OK;
}
