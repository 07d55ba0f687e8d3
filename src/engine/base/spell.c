// SPDX-License-Identifier: MIT
// Did you mean? The nearest candidate by edit distance, without regard to case.
//
// The distance counts insertions, deletions, replacements and swaps of neighbors (optimal string
// alignment), with a_i, b_j the i-th and j-th letters:
//
//     d(i,j) = min of  d(i-1,j) + 1,  d(i,j-1) + 1,  d(i-1,j-1) + [a_i != b_j],
//                      d(i-2,j-2) + 1  if a_i a_(i-1) = b_(j-1) b_j
//
// Reference: Damerau, Commun. ACM 7 (1964), 171-176.

#include "base/spell.h"

#include <stddef.h>
#include <string.h>

#define LONGEST 64  // letters; longer words get no suggestion

static int smaller(int a, int b) {
    return a < b ? a : b;
}

// Lower case of ASCII letters, whatever the locale.
static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

// Both words have at most LONGEST letters.
static int distance(const char *a, const char *b) {
    int rows[3][LONGEST + 1];  // d(i-2,.), d(i-1,.), d(i,.) in turn
    int na = (int)strlen(a), nb = (int)strlen(b);
    for (int j = 0; j <= nb; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= na; i++) {
        int       *now = rows[i % 3];
        const int *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            char ai = lower(a[i - 1]), bj = lower(b[j - 1]);
            now[j] = smaller(before[j], now[j - 1]) + 1;
            now[j] = smaller(now[j], before[j - 1] + (ai != bj));
            if (i > 1 && j > 1 && ai == lower(b[j - 2]) && lower(a[i - 2]) == bj) {
                now[j] = smaller(now[j], earlier[j - 2] + 1);
            }
        }
    }
    return rows[na % 3][nb];
}

const char *tr_spell_nearest(const char *word, int count,
                             const char *(*candidate)(const void *context, int i),
                             const void *context) {
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST) {
        return NULL;
    }
    // One slip per four letters and one more, but never as many as there are letters: then the
    // words would have nothing in common.
    int         limit = smaller(1 + (int)length / 4, (int)length - 1);
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        const char *name = candidate(context, i);
        if (name == NULL || strlen(name) > LONGEST) {
            continue;
        }
        int d = distance(word, name);
        if (d <= limit) {
            nearest = name;
            limit = d - 1;  // the first of equally near ones is kept
        }
    }
    return nearest;
}

const char *tr_spell_word(const void *words, int i) {
    return ((const char *const *)words)[i];
}

trStatus tr_spell_hint(trStatus status, const char *word, int count,
                       const char *(*candidate)(const void *context, int i), const void *context) {
    const char *near = tr_spell_nearest(word, count, candidate, context);
    if (near != NULL) {
        return tr_add_hint(status, "; did you mean '%s'?", near);
    }
    for (int i = 0; i < count; i++) {
        tr_add_hint(status, "%s%s", i == 0 ? "; known: " : ", ", candidate(context, i));
    }
    return status;
}

trStatus tr_spell_hint_or(trStatus status, const char *word, int count,
                          const char *(*candidate)(const void *context, int i), const void *context,
                          const char *otherwise) {
    const char *near = tr_spell_nearest(word, count, candidate, context);
    return near != NULL ? tr_add_hint(status, "; did you mean '%s'?", near)
                        : tr_add_hint(status, "%s", otherwise);
}

trStatus tr_spell_refuse(const char *what, const char *word, int count,
                         const char *(*candidate)(const void *context, int i),
                         const void *context) {
    tr_fail(TR_E_ARGUMENT, "unknown %s '%s'", what, word);
    return tr_spell_hint(TR_E_ARGUMENT, word, count, candidate, context);
}
