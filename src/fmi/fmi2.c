// SPDX-License-Identifier: MIT
// FMUs of FMI 2.0.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmi/abi2.h"
#include "fmi/instance.h"

static Fmi2 *of(trFmuInstance *s) {
    return s->functions;
}

static void hear(void *environment, const char *instance, int status, const char *category,
                 const char *message, ...) {
    char    text[256] = "";
    va_list arguments;
    (void)instance;
    (void)category;
    va_start(arguments, message);
    if (message != NULL) {
        vsnprintf(text, sizeof text, message, arguments);
    }
    va_end(arguments);
    tr_fmu_hear(environment, status, text);
}

#define ALWAYS(member, symbol, arguments) \
    {symbol, offsetof(Fmi2, member), TR_FMU_MODEL_EXCHANGE | TR_FMU_CO_SIMULATION},
#define FOR_EXCHANGE(member, symbol, arguments) \
    {symbol, offsetof(Fmi2, member), TR_FMU_MODEL_EXCHANGE},
#define FOR_CO(member, symbol, arguments) {symbol, offsetof(Fmi2, member), TR_FMU_CO_SIMULATION},
#define MAYBE(member, symbol, arguments) {symbol, offsetof(Fmi2, member), 0},

// clang-format off
static const trFmuSymbol symbols[] = {
    ALWAYS(instantiate, "fmi2Instantiate", )
    ALWAYS(free, "fmi2FreeInstance", )
    FMI2_COMMON(ALWAYS)
    FMI2_EXCHANGE(FOR_EXCHANGE)
    FMI2_CO(FOR_CO)
    FMI2_OPTIONAL(MAYBE)
};
// clang-format on

static trStatus link_functions(trFmuInstance *s) {
    Fmi2 *f = tr_new(s->arena, Fmi2);
    TR_TRY(tr_arena_status(s->arena));
    s->functions = f;
    f->callbacks = (Fmi2Callbacks){hear, calloc, free, NULL, s};
    return tr_fmu_find_symbols(s, (int)(sizeof symbols / sizeof *symbols), symbols);
}

static bool instantiate(trFmuInstance *s) {
    const char *uri = tr_arena_format(s->arena, "file://%s", s->resources);
    if (uri == NULL) {
        return false;
    }
    s->component = of(s)->instantiate(
        s->info->name, s->kind == TR_FMU_MODEL_EXCHANGE ? FMI2_MODEL_EXCHANGE : FMI2_CO_SIMULATION,
        s->info->token, uri, &of(s)->callbacks, 0, 0);
    return s->component != NULL;
}

static void release(trFmuInstance *s) {
    of(s)->free(s->component);
}

static int set_value(trFmuInstance *s, const trFmuVariable *v, double value, const char *text) {
    Fmi2 *f = of(s);
    int   whole = v->kind == TR_FMU_REAL || v->kind == TR_FMU_STRING ? 0 : (int)value;
    switch (v->kind) {
    case TR_FMU_REAL:
        return f->set_real(s->component, &v->reference, 1, &value);
    case TR_FMU_INTEGER:
        return f->set_integer == NULL ? TR_FMU_ERROR
                                      : f->set_integer(s->component, &v->reference, 1, &whole);
    case TR_FMU_BOOLEAN:
        whole = whole != 0;
        return f->set_boolean == NULL ? TR_FMU_ERROR
                                      : f->set_boolean(s->component, &v->reference, 1, &whole);
    case TR_FMU_STRING:
        return f->set_string == NULL ? TR_FMU_ERROR
                                     : f->set_string(s->component, &v->reference, 1, &text);
    default:
        return TR_FMU_ERROR;
    }
}

static int enter_initialization(trFmuInstance *s, double start) {
    int status = of(s)->setup(s->component, 0, 0.0, start, 0, 0.0);
    return status > TR_FMU_WARNING ? status : of(s)->enter_initialization(s->component);
}

static int exit_initialization(trFmuInstance *s) {
    return of(s)->exit_initialization(s->component);
}

static int terminate(trFmuInstance *s) {
    return of(s)->terminate(s->component);
}

static int get_reals(trFmuInstance *s, const unsigned *reference, size_t count, double *out) {
    return of(s)->get_real(s->component, reference, count, out);
}

static int set_reals(trFmuInstance *s, const unsigned *reference, size_t count, const double *in) {
    return of(s)->set_real(s->component, reference, count, in);
}

static int derive(trFmuInstance *s, const unsigned *unknown, size_t unknowns, const unsigned *known,
                  size_t knowns, const double *seed, double *out) {
    return of(s)->derive == NULL
               ? TR_FMU_DISCARD
               : of(s)->derive(s->component, unknown, unknowns, known, knowns, seed, out);
}

static int count(trFmuInstance *s) {
    (void)s;  // the description has said it
    return TR_FMU_OK;
}

static int enter_event(trFmuInstance *s) {
    return of(s)->enter_event(s->component);
}

static int update(trFmuInstance *s, trFmuEvent *out) {
    Fmi2EventInfo event = {0};
    int           status = of(s)->new_discrete_states(s->component, &event);
    *out = (trFmuEvent){event.states_need_update != 0, event.terminate != 0,
                        event.next_time_defined != 0, event.next_time};
    return status;
}

static int enter_continuous(trFmuInstance *s) {
    return of(s)->enter_continuous(s->component);
}

static int completed_step(trFmuInstance *s, bool *event, bool *ends) {
    Fmi2Boolean enter = 0, stop = 0;
    int         status = of(s)->completed_step(s->component, 0, &enter, &stop);
    *event = enter != 0;
    *ends = stop != 0;
    return status;
}

static int set_time(trFmuInstance *s, double t) {
    return of(s)->set_time(s->component, t);
}

static int set_states(trFmuInstance *s, const double *x) {
    return of(s)->set_states(s->component, x, (size_t)s->nx);
}

static int get_states(trFmuInstance *s, double *x) {
    return of(s)->get_states(s->component, x, (size_t)s->nx);
}

static int get_derivatives(trFmuInstance *s, double *dx) {
    return of(s)->get_derivatives(s->component, dx, (size_t)s->nx);
}

static int get_indicators(trFmuInstance *s, double *z) {
    return of(s)->get_indicators(s->component, z, (size_t)s->nz);
}

static int do_step(trFmuInstance *s, double t, double h) {
    return of(s)->do_step(s->component, t, h, 0);
}

static int get_state(trFmuInstance *s, void **state) {
    return of(s)->get_state == NULL ? TR_FMU_ERROR : of(s)->get_state(s->component, state);
}

static int set_state(trFmuInstance *s, void *state) {
    return of(s)->set_state == NULL ? TR_FMU_ERROR : of(s)->set_state(s->component, state);
}

static int free_state(trFmuInstance *s, void **state) {
    return of(s)->free_state == NULL ? TR_FMU_ERROR : of(s)->free_state(s->component, state);
}

static int state_size(trFmuInstance *s, void *state, size_t *size) {
    return of(s)->state_size == NULL ? TR_FMU_ERROR : of(s)->state_size(s->component, state, size);
}

static int write_state(trFmuInstance *s, void *state, void *bytes, size_t size) {
    return of(s)->write_state == NULL ? TR_FMU_ERROR
                                      : of(s)->write_state(s->component, state, bytes, size);
}

static int read_state(trFmuInstance *s, const void *bytes, size_t size, void **state) {
    return of(s)->read_state == NULL ? TR_FMU_ERROR
                                     : of(s)->read_state(s->component, bytes, size, state);
}

const trFmuApi tr_fmu_api2 = {
    .link = link_functions,
    .instantiate = instantiate,
    .free = release,
    .set_value = set_value,
    .enter_initialization = enter_initialization,
    .exit_initialization = exit_initialization,
    .terminate = terminate,
    .get_reals = get_reals,
    .set_reals = set_reals,
    .derive = derive,
    .count = count,
    .enter_event = enter_event,
    .update = update,
    .enter_continuous = enter_continuous,
    .completed_step = completed_step,
    .set_time = set_time,
    .set_states = set_states,
    .get_states = get_states,
    .get_derivatives = get_derivatives,
    .get_indicators = get_indicators,
    .do_step = do_step,
    .get_state = get_state,
    .set_state = set_state,
    .free_state = free_state,
    .state_size = state_size,
    .write_state = write_state,
    .read_state = read_state,
};
