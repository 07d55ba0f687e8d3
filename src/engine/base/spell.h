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

// The i-th of an array of words, as a candidate.
const char *tr_spell_word(const void *words, int i) TR_SHARED;

// Adds "; did you mean 'revolute'?" to the error text, or all candidates where none is near, and
// returns `status`.
trStatus tr_spell_hint(trStatus status, const char *word, int count,
                       const char *(*candidate)(const void *context, int i),
                       const void *context) TR_SHARED;
// The same with `otherwise` where none is near.
trStatus tr_spell_hint_or(trStatus status, const char *word, int count,
                          const char *(*candidate)(const void *context, int i), const void *context,
                          const char *otherwise) TR_SHARED;
// TR_E_ARGUMENT, "unknown joint 'revolut'", with that hint.
trStatus tr_spell_refuse(const char *what, const char *word, int count,
                         const char *(*candidate)(const void *context, int i),
                         const void *context) TR_SHARED;

#endif
