// SPDX-License-Identifier: MIT
// The state of an FMU as bytes, as it was at the last accepted step.

#include <string.h>

#include "fmi/work.h"

typedef struct Head {
    double t, next;
    size_t blob;  // bytes of the serialized state; 0: none
    int    timed, initializing, over_step, derives, has_W;
} Head;

// Numbers that are kept, one after the other.
static int numbers(const trFmuWork *w) {
    return 3 * w->nw + 2 * w->nw * w->nw + w->instance.nx + w->instance.nz;
}

size_t tr_fmu_kept_size(const trFmuWork *w) {
    bool can = w->instance.kind == TR_FMU_MODEL_EXCHANGE || w->blob > 0;
    return can ? sizeof(Head) + (size_t)numbers(w) * sizeof(double) + w->blob : 0;
}

// The size of a serialized state may change: some room is added.
trStatus tr_fmu_plan_keeping(trFmuWork *w) {
    trFmuInstance *s = &w->instance;
    size_t         size = 0;
    if (w->info.serializes[s->kind]) {
        void *state = NULL;
        TR_TRY(tr_fmu_told(s, tr_fmu_get_state(s, &state), "give its state"));
        int status = tr_fmu_state_size(s, state, &size);
        (void)tr_fmu_free_state(s, &state);
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

static double *write_numbers(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

static trStatus write_blob(trFmuWork *w, char *to, size_t *size) {
    trFmuInstance *s = &w->instance;
    void          *own = NULL;
    if (s->kind == TR_FMU_MODEL_EXCHANGE || w->begin == NULL) {
        TR_TRY(tr_fmu_told(s, tr_fmu_get_state(s, &own), "give its state"));
    }
    void    *state = own != NULL ? own : w->begin;
    trStatus status =
        tr_fmu_told(s, tr_fmu_state_size(s, state, size), "tell the size of its state");
    if (status == TR_OK && *size > w->blob) {
        status =
            tr_fail(TR_E_UNSUPPORTED, "the state of the FMU '%s' has grown from %zu to %zu bytes",
                    w->info.name, w->blob, *size);
    }
    if (status == TR_OK) {
        status = tr_fmu_told(s, tr_fmu_write_state(s, state, to, *size), "write its state");
    }
    if (own != NULL) {
        (void)tr_fmu_free_state(s, &own);
    }
    return status;
}

trStatus tr_fmu_save(trFmuWork *w, void *bytes) {
    Head    head = {.t = w->t, .next = w->next, .timed = w->timed};
    double *at = w->kept_state;
    if (tr_fmu_kept_size(w) == 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "the FMU '%s' cannot write its state: no checkpoints with it", w->info.name);
    }
    if (!w->accepted && w->instance.kind == TR_FMU_MODEL_EXCHANGE && w->blob > 0) {
        return tr_fail(TR_E_SIMULATION, "the FMU '%s' can be saved between steps only",
                       w->info.name);
    }
    head.initializing = w->initializing;
    head.over_step = w->over_step;
    head.derives = w->derives;
    head.has_W = w->has_W;
    at = write_numbers(at, w->accepted ? w->f : w->f_begin, w->nw);
    at = write_numbers(at, w->accepted ? w->v : w->v_begin, w->nw);
    at = write_numbers(at, w->delta, w->nw);
    at = write_numbers(at, w->W, w->nw * w->nw);
    at = write_numbers(at, w->W_fixed, w->nw * w->nw);
    at = write_numbers(at, w->s_begin, w->instance.nx);
    (void)write_numbers(at, w->z_begin, w->instance.nz);
    memset(bytes, 0, tr_fmu_kept_size(w));
    char *to = bytes;
    if (w->blob > 0) {
        if (w->instance.kind == TR_FMU_CO_SIMULATION && !w->initializing) {
            TR_TRY(tr_fmu_renew_begin(w));
        }
        TR_TRY(write_blob(w, to + sizeof head + (size_t)numbers(w) * sizeof(double), &head.blob));
    }
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, w->kept_state, (size_t)numbers(w) * sizeof(double));
    return TR_OK;
}

static const double *read_numbers(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
    return from + count;
}

static trStatus read_blob(trFmuWork *w, const char *bytes, size_t size) {
    trFmuInstance *s = &w->instance;
    void          *state = NULL;
    TR_TRY(tr_fmu_told(s, tr_fmu_read_state(s, bytes, size, &state), "read its state"));
    trStatus status = tr_fmu_told(s, tr_fmu_set_state(s, state), "restore its state");
    (void)tr_fmu_free_state(s, &state);
    return status;
}

static void read_head(trFmuWork *w, const Head *head) {
    w->t = head->t;
    w->next = head->next;
    w->timed = head->timed != 0;
    w->initializing = head->initializing != 0;
    w->over_step = head->over_step != 0;
    w->derives = head->derives != 0;
    w->has_W = head->has_W != 0;
}

trStatus tr_fmu_restore(trFmuWork *w, const void *bytes) {
    Head        head;
    const char *from = bytes;
    if (tr_fmu_kept_size(w) == 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "the FMU '%s' cannot read its state: no checkpoints with it", w->info.name);
    }
    memcpy(&head, from, sizeof head);
    if (head.blob > w->blob) {
        return tr_fail(TR_E_MODEL, "the saved state of the FMU '%s' is not one of it",
                       w->info.name);
    }
    if (w->initializing && head.initializing == 0) {
        TR_TRY(tr_fmu_leave_initialization(w));
    }
    memcpy(w->kept_state, from + sizeof head, (size_t)numbers(w) * sizeof(double));
    const double *at = w->kept_state;
    at = read_numbers(w->f, at, w->nw);
    at = read_numbers(w->v_begin, at, w->nw);
    at = read_numbers(w->delta, at, w->nw);
    at = read_numbers(w->W, at, w->nw * w->nw);
    at = read_numbers(w->W_fixed, at, w->nw * w->nw);
    at = read_numbers(w->s_begin, at, w->instance.nx);
    (void)read_numbers(w->z_begin, at, w->instance.nz);
    if (head.blob > 0) {
        TR_TRY(read_blob(w, from + sizeof head + (size_t)numbers(w) * sizeof(double), head.blob));
    }
    read_head(w, &head);
    memcpy(w->f_begin, w->f, (size_t)w->nw * sizeof(double));
    memcpy(w->v, w->v_begin, (size_t)w->nw * sizeof(double));
    // What was corrected before is part of the states, or of another motion.
    memset(w->x_change, 0, (size_t)w->nw * sizeof(double));
    memset(w->v_change, 0, (size_t)w->nw * sizeof(double));
    w->step = (trGlueStep){.t = w->t};
    w->accepted = w->dirty = w->begin_old = true;
    return TR_OK;
}
