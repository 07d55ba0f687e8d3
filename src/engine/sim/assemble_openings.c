// SPDX-License-Identifier: MIT
// How far joints are open: by joint, in lengths and angles, and in words.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/largest.h"
#include "sim/assemble.h"

#define NAMED 6    // joints in a message
#define OPEN 1e-6  // of a pose that does not assemble, relative to 1 + max|q|

trOpening tr_opening_of(const trSystem *s, int joint, const double *rows, bool positions) {
    trOpening gap = {0.0, 0.0, 0.0};
    for (int i = s->pattern.group_row[joint]; i < s->pattern.group_row[joint + 1]; i++) {
        bool length = strcmp(s->row_unit[i], "m") == 0, angle = strcmp(s->row_unit[i], "rad") == 0;
        if (positions && !s->holonomic[i]) {
            continue;
        }
        double *part = length ? &gap.length : angle ? &gap.angle : &gap.other;
        *part = hypot(*part, rows[i]);
    }
    return gap;
}

double tr_opening_size(const trOpening *gap) {
    return fmax(gap->length, fmax(gap->angle, gap->other));
}

const char *tr_opening_text(const trSystem *s, int joint, const trOpening *gap,
                            char text[TR_OPENING_TEXT]) {
    const double parts[] = {gap->length, gap->angle, gap->other};
    const char  *unit = s->row_unit[s->pattern.group_row[joint]];
    const char  *units[] = {"m", "rad", unit};
    double       least = 1e-3 * tr_opening_size(gap);  // less is not worth telling beside the rest
    int          used = 0;
    text[0] = '\0';
    for (int i = 0; i < 3; i++) {
        if (parts[i] > least) {
            used += snprintf(text + used, (size_t)(TR_OPENING_TEXT - used), "%s%.3g%s%.16s",
                             used > 0 ? " and " : "", parts[i], units[i][0] != '\0' ? " " : "",
                             units[i]);
        }
    }
    return text;
}

int tr_openings(const trSystem *s, const double *phi, double least, int *joints) {
    int count = 0;
    for (int j = 0; j < s->pattern.groups; j++) {
        trOpening gap = tr_opening_of(s, j, phi, true);
        double    size = tr_opening_size(&gap);
        int       at = count;
        if (!(size > least)) {
            continue;
        }
        for (; at > 0; at--) {  // by insertion; equal ones stay in the order of the model
            trOpening before = tr_opening_of(s, joints[at - 1], phi, true);
            if (tr_opening_size(&before) >= size) {
                break;
            }
            joints[at] = joints[at - 1];
        }
        joints[at] = j;
        count++;
    }
    return count;
}

trStatus tr_refuse_open(const trSearch *search, const trFound *found) {
    const trSystem *s = search->system;
    const double   *phi = search->eval.phi;
    int            *order = search->order;
    int             opens = tr_openings(s, phi, OPEN * (1.0 + tr_largest(s->nq, found->q)), order);
    int             first = opens > 0 ? order[0] : found->widest;
    char            text[TR_OPENING_TEXT];
    bool            own = s->recorded > 0;
    trOpening       gap = tr_opening_of(s, first, phi, true);
    const trJoint  *joint = &s->joint[first];
    tr_fail(TR_E_MODEL, "cannot be assembled, %s remain; check %s, or a %s that contradicts it",
            tr_opening_text(s, first, &gap, text),
            joint->recorded ? "the start and the function"
                            : "the positions and lengths of its bodies",
            own ? "constraint" : "joint");
    for (int i = 1; i < opens && i <= NAMED; i++) {
        gap = tr_opening_of(s, order[i], phi, true);
        tr_add_hint(TR_E_MODEL, "%s '%s' by %s", i == 1 ? "; also open:" : ",",
                    s->joint[order[i]].name, tr_opening_text(s, order[i], &gap, text));
    }
    if (opens > NAMED + 1) {
        tr_add_hint(TR_E_MODEL, ", and %d more", opens - NAMED - 1);
    }
    if (found->others_close && s->pattern.groups > 1) {
        tr_add_hint(TR_E_MODEL, "; all others can be closed");
    }
    return tr_blame_joint(TR_E_MODEL, joint);
}
