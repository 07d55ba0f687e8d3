// SPDX-License-Identifier: MIT
// A velocity in words: which bodies or coordinates move most, and how.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "branches/branches.h"

#define SHOWN 6             // parts that are named
#define WORTH_TELLING 0.02  // of the largest
#define TEXT 1024

typedef struct Part {
    const char *name, *how, *unit;
    double      value;
    double      size;  // of the motion: rotation, or way in units of the mechanism's size
} Part;

static int largest_of(const double x[3]) {
    int most = 0;
    for (int k = 1; k < 3; k++) {
        most = fabs(x[k]) > 1.001 * fabs(x[most]) ? k : most;
    }
    return most;
}

// How a body's frame moves: its rotation, and where that is little the way of its origin.
static Part part_of(const trFork *p, int i, const double *v) {
    static const char *const along[] = {" x", " y", " z"};
    static const char *const about[] = {" about x", " about y", " about z"};
    const trSystem          *s = p->system;
    if (p->dim == 0) {
        return (Part){tr_system_velocity(s, p->nv / p->bodies * i).name, "",
                      tr_system_coordinate_unit(s, i), v[i], fabs(v[i])};
    }
    const trBodyState b = tr_system_body_state(s, i, p->q, v);
    const bool        planar = p->dim == 2;
    const double      way[] = {b.vx, b.vy, b.vz};
    const double      turn[] = {planar ? 0.0 : b.wx, planar ? 0.0 : b.wy, planar ? b.omega : b.wz};
    const int         x = largest_of(way), r = largest_of(turn);
    if (fabs(turn[r]) > WORTH_TELLING * fabs(way[x]) / p->size) {
        return (Part){tr_system_velocity(s, p->nv / p->bodies * i).name, planar ? "" : about[r],
                      "rad", turn[r], fabs(turn[r])};
    }
    return (Part){tr_system_velocity(s, p->nv / p->bodies * i).name, along[x], "m", way[x],
                  fabs(way[x]) / p->size};
}

static double largest_size(const trFork *p, const double *v) {
    double most = 0.0;
    for (int i = 0; i < p->bodies; i++) {
        most = fmax(most, part_of(p, i, v).size);
    }
    return most;
}

double tr_velocity_largest(const trFork *p, const double *v) {
    double turn = 0.0, way = 0.0, most = largest_size(p, v);
    for (int i = 0; i < p->bodies; i++) {
        const Part part = part_of(p, i, v);
        bool       turns = strcmp(part.unit, "rad") == 0 && part.size > WORTH_TELLING * most;
        turn = turns ? fmax(turn, fabs(part.value)) : turn;
        way = fmax(way, fabs(part.value));
    }
    return turn > 0.0 ? turn : way;
}

double tr_velocity_first(const trFork *p, const double *v) {
    double most = largest_size(p, v);
    for (int i = 0; i < p->bodies; i++) {
        const Part part = part_of(p, i, v);
        if (part.size > WORTH_TELLING * most) {
            return part.value;
        }
    }
    return 0.0;
}

const char *tr_velocity_words(trArena *arena, const trFork *p, const double *v) {
    char   text[TEXT] = "";
    size_t used = 0;
    int    said = 0, moving = 0;
    double most = largest_size(p, v);
    for (int i = 0; i < p->bodies; i++) {
        const Part part = part_of(p, i, v);
        if (!(part.size > WORTH_TELLING * most)) {
            continue;
        }
        moving++;
        if (said < SHOWN && used < sizeof text - 1) {
            int length = snprintf(text + used, sizeof text - used, "%s%s%s %+.2f%s%s",
                                  said > 0 ? ", " : "", part.name, part.how, part.value,
                                  part.unit[0] != '\0' ? " " : "", part.unit);
            used += length > 0 ? (size_t)length : 0;
            said++;
        }
    }
    return moving > said ? tr_arena_format(arena, "%s and %d more", text, moving - said)
                         : tr_arena_format(arena, "%s", moving > 0 ? text : "nothing");
}
