// SPDX-License-Identifier: MIT
// What the integrators of SUNDIALS share: a context, vectors, and messages that are kept and not
// printed. All of it belongs to an arena.

#ifndef TR_INTEGRATOR_SUNDIALS_H
#define TR_INTEGRATOR_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "integrator/integrator.h"
#include "integrator/sundials_versions.h"

#define TR_SUNDIALS_WORDS 200

typedef struct trSundials {
    SUNContext context;
    char       words[TR_SUNDIALS_WORDS];  // of the last message of the library
    trStatus   failed;  // what a callback returned last that was not TR_OK; its text is kept
} trSundials;

trStatus tr_sundials_plan(trArena *arena, trSundials *out);
// n numbers, zero; NULL without memory.
N_Vector tr_sundials_vector(trArena *arena, trSundials *s, sunindextype n);
// Memory that the library made, to be released with the arena: release(&object). Without memory
// that is done at once, and the status says so.
trStatus tr_sundials_defer(trArena *arena, void (*release)(void **), void *object);

#if SUNDIALS_VERSION_MAJOR < 7
// For TR_SUNDIALS_LISTEN, with a trSundials as data.
void tr_sundials_keep_words(int code, const char *module, const char *function, char *words,
                            void *data);
#endif
// What a callback returns to the library: 0, positive to try a smaller step, negative to stop.
int tr_sundials_flag(trSundials *s, trStatus status);
// Before calls whose outcome is asked for: nothing has failed yet.
void tr_sundials_begin(trSundials *s);
// What making the library ready means, with its own name.
trStatus tr_sundials_ready(const trSundials *s, const char *name, bool ok);
// What a call of the library means: that of a callback, where one failed; else the library's words,
// "t = 0.5 s: cvode: ...".
trStatus tr_sundials_status(const trSundials *s, const char *name, int flag, double t);

#endif
