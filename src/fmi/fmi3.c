// SPDX-License-Identifier: MIT
// FMUs of FMI 3.0.

#include "fmi/abi3.h"
#include "fmi/instance.h"

static Fmi3 *of(trFmuInstance *s) {
    return s->functions;
}

static void hear(void *environment, int status, const char *category, const char *message) {
    (void)category;
    tr_fmu_hear(environment, status, message);
}

#define ALWAYS(member, symbol, arguments) \
    {symbol, offsetof(Fmi3, member), TR_FMU_MODEL_EXCHANGE | TR_FMU_CO_SIMULATION},
#define FOR_EXCHANGE(member, symbol, arguments) \
    {symbol, offsetof(Fmi3, member), TR_FMU_MODEL_EXCHANGE},
#define FOR_CO(member, symbol, arguments) {symbol, offsetof(Fmi3, member), TR_FMU_CO_SIMULATION},
#define MAYBE(member, symbol, arguments) {symbol, offsetof(Fmi3, member), 0},

// clang-format off
static const trFmuSymbol symbols[] = {
    FOR_EXCHANGE(instantiate_exchange, "fmi3InstantiateModelExchange", )
    FOR_CO(instantiate_co, "fmi3InstantiateCoSimulation", )
    ALWAYS(free, "fmi3FreeInstance", )
    FMI3_COMMON(ALWAYS)
    FMI3_EXCHANGE(FOR_EXCHANGE)
    FMI3_CO(FOR_CO)
    FMI3_OPTIONAL(MAYBE)
};
// clang-format on

static trStatus link_functions(trFmuInstance *s) {
    Fmi3 *f = tr_new(s->arena, Fmi3);
    TR_TRY(tr_arena_status(s->arena));
    s->functions = f;
    return tr_fmu_find_symbols(s, (int)(sizeof symbols / sizeof *symbols), symbols);
}

static bool instantiate(trFmuInstance *s) {
    Fmi3 *f = of(s);
    s->component = s->kind == TR_FMU_MODEL_EXCHANGE
                       ? f->instantiate_exchange(s->info->name, s->info->token, s->resources, false,
                                                 false, s, hear)
                       : f->instantiate_co(s->info->name, s->info->token, s->resources, false,
                                           false, false, false, NULL, 0, s, hear, NULL);
    return s->component != NULL;
}

static void release(trFmuInstance *s) {
    of(s)->free(s->component);
}

static int set_value(trFmuInstance *s, const trFmuVariable *v, double value, const char *text) {
    Fmi3 *f = of(s);
    bool  number = v->kind != TR_FMU_REAL && v->kind != TR_FMU_STRING;
    // Larger numbers were refused before.
    int64_t large = number ? (int64_t)value : 0;
    int32_t whole = (int32_t)(v->kind == TR_FMU_INTEGER ? large : 0);
    bool    yes = large != 0;
    switch (v->kind) {
    case TR_FMU_REAL:
        return f->set_real(s->component, &v->reference, 1, &value, 1);
    case TR_FMU_INTEGER:
        return f->set_integer == NULL ? TR_FMU_ERROR
                                      : f->set_integer(s->component, &v->reference, 1, &whole, 1);
    case TR_FMU_LONG:
        return f->set_long == NULL ? TR_FMU_ERROR
                                   : f->set_long(s->component, &v->reference, 1, &large, 1);
    case TR_FMU_BOOLEAN:
        return f->set_boolean == NULL ? TR_FMU_ERROR
                                      : f->set_boolean(s->component, &v->reference, 1, &yes, 1);
    case TR_FMU_STRING:
        return f->set_string == NULL ? TR_FMU_ERROR
                                     : f->set_string(s->component, &v->reference, 1, &text, 1);
    default:
        return TR_FMU_ERROR;
    }
}

static int enter_initialization(trFmuInstance *s, double start) {
    return of(s)->enter_initialization(s->component, false, 0.0, start, false, 0.0);
}

static int exit_initialization(trFmuInstance *s) {
    return of(s)->exit_initialization(s->component);
}

static int terminate(trFmuInstance *s) {
    return of(s)->terminate(s->component);
}

static int get_reals(trFmuInstance *s, const unsigned *reference, size_t count, double *out) {
    return of(s)->get_real(s->component, reference, count, out, count);
}

static int set_reals(trFmuInstance *s, const unsigned *reference, size_t count, const double *in) {
    return of(s)->set_real(s->component, reference, count, in, count);
}

static int derive(trFmuInstance *s, const unsigned *unknown, size_t unknowns, const unsigned *known,
                  size_t knowns, const double *seed, double *out) {
    return of(s)->derive == NULL ? TR_FMU_DISCARD
                                 : of(s)->derive(s->component, unknown, unknowns, known, knowns,
                                                 seed, knowns, out, unknowns);
}

static int count(trFmuInstance *s) {
    size_t nx = 0, nz = 0;
    int    status = of(s)->count_states(s->component, &nx);
    if (status <= TR_FMU_WARNING) {
        status = of(s)->count_indicators(s->component, &nz);
    }
    s->nx = nx < 1000000 ? (int)nx : 0;
    s->nz = nz < 1000000 ? (int)nz : 0;
    return status;
}

static int enter_event(trFmuInstance *s) {
    return of(s)->enter_event(s->component);
}

static int update(trFmuInstance *s, trFmuEvent *out) {
    bool nominals = false, values = false;
    *out = (trFmuEvent){0};
    return of(s)->update_discrete_states(s->component, &out->again, &out->terminate, &nominals,
                                         &values, &out->timed, &out->next);
}

static int enter_continuous(trFmuInstance *s) {
    return of(s)->enter_continuous(s->component);
}

static int completed_step(trFmuInstance *s, bool *event, bool *ends) {
    *event = *ends = false;
    return of(s)->completed_step(s->component, false, event, ends);
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
    bool   event = false, ends = false, early = false;
    double reached = t;
    int    status = of(s)->do_step(s->component, t, h, false, &event, &ends, &early, &reached);
    return status <= TR_FMU_WARNING && (ends || early) ? TR_FMU_DISCARD : status;
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

const trFmuApi tr_fmu_api3 = {
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
