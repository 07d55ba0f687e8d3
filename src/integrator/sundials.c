// SPDX-License-Identifier: MIT
#include "integrator/sundials.h"

#include <stdio.h>

typedef struct Owned {
    void (*release)(void **);
    void *object;
} Owned;

static void release_owned(void *data) {
    Owned *owned = data;
    owned->release(&owned->object);
}

void tr_sundials_defer(trArena *arena, void (*release)(void **), void *object) {
    Owned *owned = tr_new(arena, Owned);
    if (owned == NULL) {
        release(&object);
        return;
    }
    *owned = (Owned){release, object};
    tr_arena_defer(arena, release_owned, owned);
}

static void release_context(void **object) {
    SUNContext context = *object;
    SUNContext_Free(&context);
}

static void release_vector(void **object) {
    N_VDestroy(*object);
}

trStatus tr_sundials_plan(trArena *arena, trSundials *out) {
    *out = (trSundials){0};
    if (SUNContext_Create(NULL, &out->context) != 0) {
        return tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for its context");
    }
    tr_sundials_defer(arena, release_context, out->context);
    return tr_arena_status(arena);
}

N_Vector tr_sundials_vector(trArena *arena, trSundials *s, sunindextype n) {
    N_Vector vector = N_VNew_Serial(n, s->context);
    if (vector != NULL) {
        N_VConst(0.0, vector);
        tr_sundials_defer(arena, release_vector, vector);
    }
    return vector;
}

void tr_sundials_keep_words(int code, const char *module, const char *function, char *words,
                            void *data) {
    trSundials *s = data;
    (void)code;
    (void)module;
    snprintf(s->words, sizeof s->words, "%s: %s", function, words);
}

int tr_sundials_flag(trSundials *s, trStatus status) {
    s->failed = status;
    return (int)status;
}

trStatus tr_sundials_status(const trSundials *s, const char *name, int flag, double t) {
    if (flag >= 0) {
        return TR_OK;
    }
    if (s->failed != TR_OK) {  // its words are there already
        return s->failed;
    }
    return tr_fail(TR_E_SIMULATION, "t = %.9g s: %s gives up: %s", t, name, s->words);
}
