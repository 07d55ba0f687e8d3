// SPDX-License-Identifier: MIT
// Entries keep their size as the step becomes small: unknowns are g dx and dlambda / g; equations
// of motion and of states are divided by g, and phi is multiplied by it. What g does not touch is
// then the same in both matrices, and the complex one couples its halves by 1/g and 1/g^2 alone:
//
//     c part  ->  [ Re c  -Im c ]
//                 [ Im c   Re c ]  part

#include "integrator/radau5.h"

#include "integrator/radau5_tableau.h"

#define ENTRIES TR_RADAU_ENTRIES
#define PAIRED 9  // with a power: placed four times in the complex matrix, others twice
#define PAIR_PLACES (2 * ENTRIES + 2 * PAIRED)

void tr_radau_list_entries(const trRadauLayout *at, trRadauEntry out[ENTRIES]) {
    int                v = at->v, l = at->lambda, u = at->mu, z = at->z;
    const trRadauEntry list[ENTRIES] = {
        {{TR_PART_S, 0, 0}, 0, 1.0, true},       {{TR_PART_SPIN, 0, 0}, 1, -1.0, false},
        {{TR_PART_S, 0, v}, 0, -1.0, false},     {{TR_PART_AT, 0, u}, 0, 1.0, false},
        {{TR_PART_M, v, v}, 0, 1.0, true},       {{TR_PART_D, v, v}, 1, 1.0, false},
        {{TR_PART_K, v, 0}, 2, 1.0, false},      {{TR_PART_AT, v, l}, 0, 1.0, false},
        {{TR_PART_AT_VEL, v, l}, 0, 1.0, false}, {{TR_PART_C, v, l}, 0, 1.0, false},
        {{TR_PART_Z, v, z}, 1, 1.0, false},      {{TR_PART_V, l, v}, 0, 1.0, false},
        {{TR_PART_V_VEL, l, v}, 0, 1.0, false},  {{TR_PART_N, l, 0}, 1, 1.0, false},
        {{TR_PART_N_VEL, l, 0}, 1, 1.0, false},  {{TR_PART_E, l, l}, 0, 1.0, false},
        {{TR_PART_A, u, 0}, 0, 1.0, false},      {{TR_PART_E_POS, u, u}, 0, 1.0, false},
        {{TR_PART_ONE_Z, z, z}, 0, 1.0, true},   {{TR_PART_G_Q, z, 0}, 2, 1.0, false},
        {{TR_PART_G_V, z, v}, 1, 1.0, false},    {{TR_PART_G_Z, z, z}, 1, 1.0, false},
    };
    for (int i = 0; i < ENTRIES; i++) {
        out[i] = list[i];
    }
}

trRadauLayout tr_radau_layout(const trDae *dae) {
    int nv = dae->nv, m = dae->m;
    return (trRadauLayout){.nv = nv,
                           .m = m,
                           .nz = dae->nz,
                           .v = nv,
                           .lambda = 2 * nv,
                           .mu = 2 * nv + m,
                           .z = 2 * nv + 2 * m,
                           .n = 2 * nv + 2 * m + dae->nz};
}

// The four places of a part in the complex matrix: real, real, imaginary, imaginary.
static trPlacement quarter(const trPlacement *place, int n, int which) {
    bool below = which == 1 || which == 3, right = which == 1 || which == 2;
    return (trPlacement){place->part, place->row + (below ? n : 0),
                         place->column + (right ? n : 0)};
}

trStatus tr_radau_plan(trArena *arena, const trDae *dae, trRadauMatrices *out) {
    trRadauEntry entry[ENTRIES];
    trPlacement  place[ENTRIES], pair[PAIR_PLACES];
    int          count = 0;
    *out = (trRadauMatrices){.at = tr_radau_layout(dae), .tangent = dae->tangent};
    tr_radau_list_entries(&out->at, entry);
    for (int i = 0; i < ENTRIES; i++) {
        place[i] = entry[i].place;
        for (int k = 0; k < (entry[i].power > 0 ? 4 : 2); k++) {
            pair[count++] = quarter(&place[i], out->at.n, k);
        }
    }
    out->both = tr_new_array(arena, double, 2 * out->at.n);
    tr_keep_double(arena, &out->g);
    tr_keep_double(arena, &out->g_re);
    tr_keep_double(arena, &out->g_im);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_newton_plan(arena, dae->tangent, out->at.n, ENTRIES, place, &out->real));
    return tr_newton_plan(arena, dae->tangent, 2 * out->at.n, count, pair, &out->pair);
}

trStatus tr_radau_factor(trRadauMatrices *m, double h) {
    trRadauEntry entry[ENTRIES];
    double       real[ENTRIES], pair[PAIR_PLACES];
    int          count = 0;
    m->g = radau_gamma / h;
    m->g_re = radau_alpha / h;
    m->g_im = radau_beta / h;
    double size = m->g_re * m->g_re + m->g_im * m->g_im;
    double re1 = m->g_re / size, im1 = -m->g_im / size;  // 1 / g
    tr_radau_list_entries(&m->at, entry);
    for (int i = 0; i < ENTRIES; i++) {
        int    power = entry[i].power;
        double re = power == 0 ? 1.0 : power == 1 ? re1 : re1 * re1 - im1 * im1;
        double im = power == 0 ? 0.0 : power == 1 ? im1 : 2.0 * re1 * im1;
        real[i] = entry[i].sign / (power == 0 ? 1.0 : power == 1 ? m->g : m->g * m->g);
        pair[count++] = entry[i].sign * re;
        pair[count++] = entry[i].sign * re;
        if (power > 0) {
            pair[count++] = -entry[i].sign * im;
            pair[count++] = entry[i].sign * im;
        }
    }
    tr_newton_fill(&m->real, real);
    TR_TRY(tr_newton_factor(&m->real));
    tr_newton_fill(&m->pair, pair);
    return tr_newton_factor(&m->pair);
}

static void scale(int n, double by, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] *= by;
    }
}

void tr_radau_solve(trRadauMatrices *m, double *y) {
    const trRadauLayout *at = &m->at;
    scale(at->nv, 1.0 / m->g, y + at->v);
    scale(at->m, m->g, y + at->mu);
    scale(at->nz, 1.0 / m->g, y + at->z);
    tr_newton_solve(&m->real, y);
    scale(at->nv, 1.0 / m->g, y);
    scale(at->m, m->g, y + at->lambda);
    tr_tangent_unscale(m->tangent, y + at->lambda);
    tr_tangent_unscale(m->tangent, y + at->mu);
}

// (x + i y) (re + i im)
static void multiply(int n, double re, double im, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double old = x[i];
        x[i] = re * old - im * y[i];
        y[i] = im * old + re * y[i];
    }
}

void tr_radau_solve_pair(trRadauMatrices *m, double *re, double *im) {
    const trRadauLayout *at = &m->at;
    double               size = m->g_re * m->g_re + m->g_im * m->g_im;
    double               re1 = m->g_re / size, im1 = -m->g_im / size;  // 1 / g
    multiply(at->nv, re1, im1, re + at->v, im + at->v);
    multiply(at->m, m->g_re, m->g_im, re + at->mu, im + at->mu);
    multiply(at->nz, re1, im1, re + at->z, im + at->z);
    for (int i = 0; i < at->n; i++) {
        m->both[i] = re[i];
        m->both[at->n + i] = im[i];
    }
    tr_newton_solve(&m->pair, m->both);
    for (int i = 0; i < at->n; i++) {
        re[i] = m->both[i];
        im[i] = m->both[at->n + i];
    }
    multiply(at->nv, re1, im1, re, im);
    multiply(at->m, m->g_re, m->g_im, re + at->lambda, im + at->lambda);
    double *multipliers[] = {re + at->lambda, re + at->mu, im + at->lambda, im + at->mu};
    for (int k = 0; k < 4; k++) {
        tr_tangent_unscale(m->tangent, multipliers[k]);
    }
}
