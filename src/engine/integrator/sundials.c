// SPDX-License-Identifier: MIT
#include "integrator/sundials.h"

#include <errno.h>
#include <stdio.h>

#if SUNDIALS_VERSION_MAJOR >= 7
#include <sundials/sundials_errors.h>
#endif

typedef struct Owned {
    void (*release)(void **);
    void *object;
} Owned;

static void release_owned(void *data) {
    Owned *owned = data;
    owned->release(&owned->object);
}

trStatus tr_sundials_defer(trArena *arena, void (*release)(void **), void *object) {
    Owned *owned = tr_new(arena, Owned);
    if (owned == NULL) {
        release(&object);
        return tr_arena_status(arena);
    }
    *owned = (Owned){release, object};
    tr_arena_defer(arena, release_owned, owned);
    return tr_arena_status(arena);
}

static void release_context(void **object) {
    SUNContext context = *object;
    SUNContext_Free(&context);
}

static void release_vector(void **object) {
    N_VDestroy(*object);
}

// Keeps the messages of the library, and lets it print nothing.
#if SUNDIALS_VERSION_MAJOR < 7
void tr_sundials_keep_words(int code, const char *module, const char *function, char *words,
                            void *data) {
    trSundials *s = data;
    snprintf(s->words, sizeof s->words, "%s: %s", function, words);
}

static bool listen(trSundials *s) {
    return true;
}
#else
// NOLINTNEXTLINE(readability-function-size): the parameters are those of the library.
static void keep_words(int line, const char *function, const char *file, const char *words,
                       SUNErrCode code, void *data, SUNContext context) {
    trSundials *s = data;
    snprintf(s->words, sizeof s->words, "%s: %s", function,
             words != NULL ? words : SUNGetErrMsg(code));
}

// Warnings go to the logger, which prints them, and not to a handler.
static bool listen(trSundials *s) {
    return SUNContext_ClearErrHandlers(s->context) == SUN_SUCCESS &&
           SUNContext_PushErrHandler(s->context, keep_words, s) == SUN_SUCCESS &&
           SUNContext_SetLogger(s->context, NULL) == SUN_SUCCESS;
}
#endif

trStatus tr_sundials_plan(trArena *arena, trSundials *out) {
    *out = (trSundials){0};
    tr_sundials_begin(out);
    if (SUNContext_Create(SUN_COMM_NULL, &out->context) != 0) {
        return tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for its context");
    }
    TR_TRY(tr_sundials_defer(arena, release_context, out->context));
    return listen(out) ? TR_OK : tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for a handler");
}

N_Vector tr_sundials_vector(trArena *arena, trSundials *s, sunindextype n) {
    N_Vector vector = N_VNew_Serial(n, s->context);
    if (vector == NULL) {
        return NULL;
    }
    N_VConst(0.0, vector);
    return tr_sundials_defer(arena, release_vector, vector) == TR_OK ? vector : NULL;
}

int tr_sundials_flag(trSundials *s, trStatus status) {
    s->failed = status;
    return (int)status;
}

void tr_sundials_begin(trSundials *s) {
    s->failed = TR_OK;
    s->words[0] = '\0';
    errno = 0;
}

static trStatus refuse_memory(const char *name) {
    return tr_fail(TR_E_MEMORY, "%s: out of memory", name);
}

// Where its parts had no memory the library says that they failed; errno tells why.
trStatus tr_sundials_ready(const trSundials *s, const char *name, bool ok) {
    if (!ok && errno == ENOMEM) {
        return refuse_memory(name);
    }
    return ok ? TR_OK : tr_fail(TR_E_EXTERNAL, "%s cannot be initialized: %s", name, s->words);
}

trStatus tr_sundials_status(const trSundials *s, const char *name, int flag, double t) {
    if (flag >= 0) {
        return TR_OK;
    }
    if (s->failed != TR_OK) {  // its words are there already
        return s->failed;
    }
    return errno == ENOMEM
               ? refuse_memory(name)
               : tr_fail(TR_E_SIMULATION, "t = %.9g s: %s failed: %s", t, name, s->words);
}
