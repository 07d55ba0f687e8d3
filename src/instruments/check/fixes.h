// SPDX-License-Identifier: MIT
// A joint as a list of directions that it blocks, each of which may be freed.

#ifndef TR_CHECK_FIXES_H
#define TR_CHECK_FIXES_H

#include "check/check.h"

typedef struct trBlocked {
    trWrench w;        // a unit force or a unit moment
    bool     moment;   // a rotation
    bool     natural;  // a rotation, or a translation along the joint's axis
} trBlocked;

typedef struct trFixable {
    int       joint;  // a group of rows
    int       count;  // directions
    trBlocked direction[TR_CHECK_ROWS];
    bool      typed;  // the directions say its kind; else it can only be removed as a whole
    unsigned  freed;  // bits: of `direction`
} trFixable;

// The directions of a joint, those first that `count` loads L use.
void tr_fixable(trCheckWork *work, int joint, int count, const double *const *L, trFixable *out);

// The kind that blocks the directions which are not in `freed`; NULL: there is none. "" if it
// blocks nothing.
const char *tr_fixable_kind(const trCheckWork *work, const trFixable *joint, unsigned freed);

// "free rotation about x and y in joint 'D': use a spherical instead of the revolute"
trStatus tr_fixable_words(trCheckWork *work, const trFixable *joint, trCheckFix *out);

#endif
