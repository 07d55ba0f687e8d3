// SPDX-License-Identifier: MIT
// Functions that are the same in FMI 2.0 and 3.0. Those of the whole state need not be there.

#include "fmi/abi.h"
#include "fmi/instance.h"

static const FmiSame *same(const trFmuInstance *s) {
    return s->functions;
}

void tr_fmu_free(trFmuInstance *s) {
    same(s)->free(s->component);
}

int tr_fmu_exit_initialization(trFmuInstance *s) {
    return same(s)->exit_initialization(s->component);
}

int tr_fmu_terminate(trFmuInstance *s) {
    return same(s)->terminate(s->component);
}

int tr_fmu_enter_event(trFmuInstance *s) {
    return same(s)->enter_event(s->component);
}

int tr_fmu_enter_continuous(trFmuInstance *s) {
    return same(s)->enter_continuous(s->component);
}

int tr_fmu_set_time(trFmuInstance *s, double t) {
    return same(s)->set_time(s->component, t);
}

int tr_fmu_set_states(trFmuInstance *s, const double *x) {
    return same(s)->set_states(s->component, x, (size_t)s->nx);
}

int tr_fmu_get_states(trFmuInstance *s, double *x) {
    return same(s)->get_states(s->component, x, (size_t)s->nx);
}

int tr_fmu_get_derivatives(trFmuInstance *s, double *dx) {
    return same(s)->get_derivatives(s->component, dx, (size_t)s->nx);
}

int tr_fmu_get_indicators(trFmuInstance *s, double *z) {
    return same(s)->get_indicators(s->component, z, (size_t)s->nz);
}

int tr_fmu_get_state(trFmuInstance *s, void **state) {
    return same(s)->get_state == NULL ? TR_FMU_ERROR : same(s)->get_state(s->component, state);
}

int tr_fmu_set_state(trFmuInstance *s, void *state) {
    return same(s)->set_state == NULL ? TR_FMU_ERROR : same(s)->set_state(s->component, state);
}

int tr_fmu_free_state(trFmuInstance *s, void **state) {
    return same(s)->free_state == NULL ? TR_FMU_ERROR : same(s)->free_state(s->component, state);
}

int tr_fmu_state_size(trFmuInstance *s, void *state, size_t *size) {
    return same(s)->state_size == NULL ? TR_FMU_ERROR
                                       : same(s)->state_size(s->component, state, size);
}

int tr_fmu_write_state(trFmuInstance *s, void *state, void *bytes, size_t size) {
    return same(s)->write_state == NULL ? TR_FMU_ERROR
                                        : same(s)->write_state(s->component, state, bytes, size);
}

int tr_fmu_read_state(trFmuInstance *s, const void *bytes, size_t size, void **state) {
    return same(s)->read_state == NULL ? TR_FMU_ERROR
                                       : same(s)->read_state(s->component, bytes, size, state);
}
