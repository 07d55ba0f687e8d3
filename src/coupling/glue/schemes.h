// SPDX-License-Identifier: MIT
// Time integration schemes of gluing, as coefficients of trGlueStep.

#ifndef TR_GLUE_SCHEMES_H
#define TR_GLUE_SCHEMES_H

#include "base/status.h"
#include "trammel/glue.h"

#define TR_GLUE_OPTION_COUNT 2

typedef struct trSchemeKind {
    const char *name;
    const char *summary;
    const char *source;
    const char *options[TR_GLUE_OPTION_COUNT];  // members of trGlueDef that not all kinds read
    // The step with number n >= 1; t, h and plain are set before.
    void (*coefficients)(const trGlueDef *def, int64_t n, trGlueStep *step);
} trSchemeKind;

int                 tr_scheme_count(void);
const trSchemeKind *tr_scheme_at(int index);
const trSchemeKind *tr_scheme_find(const char *name);  // or NULL
// TR_E_ARGUMENT with a suggestion for an unknown word, or coefficients out of range.
trStatus tr_scheme_choose(const trGlueDef *def, const trSchemeKind **out);
// Step n of length h that ends at t; n = 0: the start.
trGlueStep tr_scheme_step(const trSchemeKind *kind, const trGlueDef *def, int64_t n, double t,
                          double h);

#endif
