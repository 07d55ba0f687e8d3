// SPDX-License-Identifier: MIT
// Loading a model file under a watchdog. The library bounds what a file does as far as it can see
// it; a single long call inside C it cannot. A timer ends the process from outside, so that no file
// can hold the command: one that the processor spent too long on, and one that never comes. On a
// busy machine a file that is merely slow goes on.

#include <math.h>

#include "base/clock.h"
#include "base/timer.h"
#include "cli/cli.h"

#define LINE_SIZE 1024
#define GRACE 0.25  // of the bound, and a second: the library comes first where it can, with a line
#define IDLE 1e-3   // of the time between two looks: who computes less than that waits

static double patience;     // between looks, and what the processor may spend [s]
static double begun, seen;  // what it had spent at the start, and at the last look
static double looked;       // the time of that look, which a stopped process takes late

static bool computes(void) {
    double spent = tr_clock_cpu(), now = tr_clock_wall();
    bool   busy = spent - seen > IDLE * fmin(now - looked, patience);
    seen = spent;
    looked = now;
    return busy && spent - begun < patience;
}

double tr_cli_watch(const char *path) {
    static char line[LINE_SIZE];
    double      seconds = tr_timer_seconds("TRAMMEL_LOAD_SECONDS", TR_LUA_SECONDS);
    snprintf(line, sizeof line,
             "trammel: %.800s: the file runs longer than %g s; look for a loop that does not end\n",
             path, seconds);
    begun = seen = tr_clock_cpu();
    looked = tr_clock_wall();
    patience = (1.0 + GRACE) * seconds + 1.0;
    tr_timer_begin(patience, TR_EXIT_MODEL, line, computes);
    return seconds;
}

void tr_cli_unwatch(void) {
    tr_timer_end();
}

trStatus tr_cli_load(const char *path, const char *const *set, trModel **model, trSimDef *def) {
    double   seconds = tr_cli_watch(path);
    trStatus status = tr_lua_load_within(seconds, path, set, model, def);
    tr_cli_unwatch();
    return status;
}
