// SPDX-License-Identifier: MIT
// Did you mean?

#ifndef TR_BASE_SPELL_H
#define TR_BASE_SPELL_H

#include "base/status.h"

// The candidate nearest to `word` by edit distance, or NULL if none is near enough to suggest.
// `candidate(context, i)` gives the i-th of `count` names.
const char *tr_spell_nearest(const char *word, int count,
                             const char *(*candidate)(const void *context, int i),
                             const void *context) TR_SHARED;

// TR_E_ARGUMENT, "unknown joint 'revolut'; did you mean 'revolute'?", or with all candidates where
// none is near.
trStatus tr_spell_refuse(const char *what, const char *word, int count,
                         const char *(*candidate)(const void *context, int i),
                         const void *context) TR_SHARED;

#endif
