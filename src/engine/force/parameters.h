// SPDX-License-Identifier: MIT
// What forces share of their parameters: words, functions of time, laws of springs and dampers.

#ifndef TR_FORCE_PARAMETERS_H
#define TR_FORCE_PARAMETERS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/law.h"
#include "base/spell.h"
#include "force/force.h"
#include "tape/tape.h"

// One of two words, the first where none is given; `index` receives which.
static inline const char *tr_word_at(const void *words, int i) {
    return ((const char *const *)words)[i];
}

static inline trStatus tr_choose_word(const char *key, const char *const words[2],
                                      const char **word, int *index) {
    if (*word == NULL) {
        *word = words[0];
    }
    *index = strcmp(*word, words[1]) == 0 ? 1 : 0;
    if (*index == 1 || strcmp(*word, words[0]) == 0) {
        return TR_OK;
    }
    trStatus    status = tr_fail(TR_E_MODEL, "'%s' must be \"%s\" or \"%s\", not \"%s\"", key,
                                 words[0], words[1], *word);
    const char *nearest = tr_spell_nearest(*word, 2, tr_word_at, words);
    return nearest == NULL ? status : tr_add_hint(status, "; did you mean \"%s\"?", nearest);
}

// Whether a number, or a function, was given for a field whose fallback is NAN.
static inline bool tr_function_given(const trFunction *f) {
    return f->tape != NULL || !isnan(f->constant);
}

// Components of a vector over time; those not given are zero. False if none is given.
static inline bool tr_complete_functions(int count, trFunction *f) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (tr_function_given(&f[i])) {
            any = true;
        } else {
            f[i].constant = 0.0;
        }
    }
    return any;
}

static inline trStatus tr_spring_given(const trLaw *stiffness, const trLaw *damping) {
    return stiffness != NULL || damping != NULL
               ? TR_OK
               : tr_fail(TR_E_MODEL,
                         "neither 'stiffness' nor 'damping' is given; it would do nothing");
}

#endif
