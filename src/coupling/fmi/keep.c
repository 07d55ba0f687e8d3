// SPDX-License-Identifier: MIT
// The state of an FMU as bytes, as it was at the last accepted step: a head, numbers, and its own
// serialized state.

#include <string.h>

#include "fmi/work.h"

#define NUMBERS 7

typedef struct Head {
    double t, next;
    size_t blob;  // bytes of the serialized state; 0: none
    int    timed, initializing, over_step, derives, has_W;
    int    zero;  // no byte of it is left open
} Head;

typedef struct Numbers {
    double *at;
    int     count;
} Numbers;

// Those that are kept, in order; how many bytes they have.
static size_t list_numbers(const trFmuWork *w, bool accepted, Numbers out[NUMBERS]) {
    const Numbers list[NUMBERS] = {{accepted ? w->f : w->f_begin, w->nw},
                                   {accepted ? w->v : w->v_begin, w->nw},
                                   {w->delta, w->nw},
                                   {w->W, w->nw * w->nw},
                                   {w->W_fixed, w->nw * w->nw},
                                   {w->s_begin, w->instance.nx},
                                   {w->z_begin, w->instance.nz}};
    size_t        count = 0;
    for (int i = 0; i < NUMBERS; i++) {
        out[i] = list[i];
        count += (size_t)list[i].count;
    }
    return count * sizeof(double);
}

size_t tr_fmu_kept_size(void *work) {
    const trFmuWork *w = work;
    Numbers          list[NUMBERS];
    bool             can = w->instance.kind == TR_FMU_MODEL_EXCHANGE || w->blob > 0;
    return can ? sizeof(Head) + list_numbers(w, true, list) + w->blob : 0;
}

// The size of a serialized state may change: some room is added.
trStatus tr_fmu_plan_keeping(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    size_t         size = 0;
    if (w->info.serializes[s->kind]) {
        void *state = NULL;
        TR_TRY(tr_fmu_told(s, s->call->get_state(s->component, &state), "give its state"));
        int status = s->call->state_size(s->component, state, &size);
        (void)s->call->free_state(s->component, &state);
        TR_TRY(tr_fmu_told(s, status, "tell the size of its state"));
        w->blob = size + size / 4 + 64;
    } else if (s->kind == TR_FMU_MODEL_EXCHANGE) {
        tr_fmu_list_add(&w->notes, "checkpoints hold its continuous states alone: it cannot write "
                                   "its whole state");
    } else {
        tr_fmu_list_add(&w->notes,
                        "checkpoints are not possible: it cannot write its state "
                        "(canSerializeFMU%s)",
                        w->info.version[0] == '3' ? "State" : "state");
    }
    return TR_OK;
}

static trStatus write_blob(trFmuWork *w, char *to, size_t *size) {
    trFmuInstance *s = &w->instance;
    void          *own = NULL;
    if (s->kind == TR_FMU_CO_SIMULATION && !w->initializing) {
        TR_TRY(tr_fmu_renew_begin(w));
    }
    if (s->kind == TR_FMU_MODEL_EXCHANGE || w->begin == NULL) {
        TR_TRY(tr_fmu_told(s, s->call->get_state(s->component, &own), "give its state"));
    }
    void    *state = own != NULL ? own : w->begin;
    trStatus status = tr_fmu_told(s, s->call->state_size(s->component, state, size),
                                  "tell the size of its state");
    if (status == TR_OK && *size > w->blob) {
        status =
            tr_fail(TR_E_UNSUPPORTED, "the state of the FMU '%s' has grown from %zu to %zu bytes",
                    w->info.name, w->blob, *size);
    }
    if (status == TR_OK) {
        status =
            tr_fmu_told(s, s->call->write_state(s->component, state, to, *size), "write its state");
    }
    if (own != NULL) {
        (void)s->call->free_state(s->component, &own);
    }
    return status;
}

int tr_fmu_save(void *work, void *bytes) {
    trFmuWork *w = work;
    char      *to = (char *)bytes + sizeof(Head);
    Numbers    list[NUMBERS];
    Head       head = {w->t,         w->next,    0,        w->timed, w->initializing,
                       w->over_step, w->derives, w->has_W, 0};
    if (tr_fmu_kept_size(w) == 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "the FMU '%s' cannot write its state: no checkpoints with it", w->info.name);
    }
    if (!w->accepted && w->instance.kind == TR_FMU_MODEL_EXCHANGE && w->blob > 0) {
        return tr_fail(TR_E_SIMULATION, "the FMU '%s' can be saved between steps only",
                       w->info.name);
    }
    memset(bytes, 0, tr_fmu_kept_size(w));
    (void)list_numbers(w, w->accepted, list);
    for (int i = 0; i < NUMBERS; i++) {
        size_t size = (size_t)list[i].count * sizeof(double);
        memcpy(to, list[i].at, size);
        to += size;
    }
    if (w->blob > 0) {
        TR_TRY(write_blob(w, to, &head.blob));
    }
    memcpy(bytes, &head, sizeof head);
    return TR_OK;
}

static trStatus read_blob(trFmuWork *w, const char *bytes, size_t size) {
    trFmuInstance *s = &w->instance;
    void          *state = NULL;
    TR_TRY(
        tr_fmu_told(s, s->call->read_state(s->component, bytes, size, &state), "read its state"));
    trStatus status = tr_fmu_told(s, s->call->set_state(s->component, state), "restore its state");
    (void)s->call->free_state(s->component, &state);
    return status;
}

int tr_fmu_restore(void *work, const void *bytes) {
    trFmuWork  *w = work;
    const char *from = (const char *)bytes + sizeof(Head);
    Numbers     list[NUMBERS];
    Head        head;
    if (tr_fmu_kept_size(w) == 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "the FMU '%s' cannot read its state: no checkpoints with it", w->info.name);
    }
    memcpy(&head, bytes, sizeof head);
    if (head.blob > w->blob) {
        return tr_fail(TR_E_MODEL, "the saved state of the FMU '%s' is not one of it",
                       w->info.name);
    }
    if (w->initializing && head.initializing == 0) {
        TR_TRY(tr_fmu_leave_initialization(w));
    }
    (void)list_numbers(w, true, list);
    for (int i = 0; i < NUMBERS; i++) {
        size_t size = (size_t)list[i].count * sizeof(double);
        memcpy(list[i].at, from, size);
        from += size;
    }
    if (head.blob > 0) {
        TR_TRY(read_blob(w, from, head.blob));
    }
    w->t = head.t;
    w->next = head.next;
    w->timed = head.timed != 0;
    w->initializing = head.initializing != 0;
    w->over_step = head.over_step != 0;
    w->derives = head.derives != 0;
    w->has_W = head.has_W != 0;
    memcpy(w->f_begin, w->f, (size_t)w->nw * sizeof(double));
    memcpy(w->v_begin, w->v, (size_t)w->nw * sizeof(double));
    // What was corrected before is part of the states, or of another motion.
    memset(w->x_change, 0, (size_t)w->nw * sizeof(double));
    memset(w->v_change, 0, (size_t)w->nw * sizeof(double));
    w->step = (trGlueStep){.t = w->t};
    w->accepted = w->dirty = w->begin_old = true;
    return TR_OK;
}
