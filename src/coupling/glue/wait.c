// SPDX-License-Identifier: MIT
// Waiting with an end.

#include "glue/wait.h"

#include <math.h>
#include <sched.h>
#include <time.h>

#include "base/clock.h"

#define SPIN 20e-6    // without giving the processor away [s]
#define YIELD 300e-6  // giving it to others that want it [s]
#define SHORTEST_NAP 20e-6
#define LONGEST_NAP 1e-3
#define STOPPED 2.0  // no nap takes this long [s]
#define GLANCE 0.02  // between looks at processes [s]

trWait tr_wait_begin(double seconds) {
    double now = tr_clock_wall();
    return (trWait){
        .begun = now, .seconds = seconds, .looked = now, .glanced = now, .nap = SHORTEST_NAP};
}

bool tr_wait_more(trWait *w) {
    double now = tr_clock_wall();
    if (now - w->looked > STOPPED) {
        w->begun += now - w->looked;
    }
    w->looked = now;
    double passed = now - w->begun;
    if (passed >= w->seconds) {
        return false;
    }
    if (passed >= YIELD) {
        struct timespec nap = {.tv_nsec = (long)(w->nap * 1e9)};
        nanosleep(&nap, NULL);
        w->nap = fmin(2.0 * w->nap, LONGEST_NAP);
    } else if (passed >= SPIN) {
        sched_yield();
    }
    return true;
}

bool tr_wait_send(const trLink *link, int partner, double seconds, const void *bytes,
                  size_t count) {
    trWait wait = tr_wait_begin(seconds);
    for (;;) {
        trLinked state = link->send(link->self, partner, bytes, count);
        if (state != TR_LINK_NOT_YET || !tr_wait_more(&wait)) {
            return state == TR_LINK_DONE;
        }
    }
}

bool tr_wait_glance(trWait *w) {
    double now = tr_clock_wall();
    if (now - w->glanced < GLANCE) {
        return false;
    }
    w->glanced = now;
    return true;
}
