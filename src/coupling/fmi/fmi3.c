// SPDX-License-Identifier: MIT
// FMUs of FMI 3.0.

#include "fmi/abi3.h"
#include "fmi/instance.h"

static Fmi3 *of(trFmuInstance *s) {
    return (Fmi3 *)s->call;
}

static void hear(void *environment, int status, const char *category, const char *message) {
    tr_fmu_hear(environment, status, message);
}

#define SYMBOL(needed, member, symbol, arguments) {symbol, offsetof(Fmi3, member), needed},

static const trFmuSymbol symbols[] = {
    {"fmi3InstantiateModelExchange", offsetof(Fmi3, instantiate_exchange), TR_FMU_MODEL_EXCHANGE},
    {"fmi3InstantiateCoSimulation", offsetof(Fmi3, instantiate_co), TR_FMU_CO_SIMULATION},
    FMI3_FUNCTIONS(SYMBOL, FMI_SAME_SYMBOL)};

static bool instantiate(trFmuInstance *s) {
    Fmi3 *f = of(s);
    s->component = s->kind == TR_FMU_MODEL_EXCHANGE
                       ? f->instantiate_exchange(s->info->name, s->info->token, s->resources, false,
                                                 false, s, hear)
                       : f->instantiate_co(s->info->name, s->info->token, s->resources, false,
                                           false, false, false, NULL, 0, s, hear, NULL);
    return s->component != NULL;
}

// Numbers that are too large were refused before.
static int set_value(trFmuInstance *s, const trFmuVariable *v, double value, const char *text) {
    const Fmi3     *f = of(s);
    const trFmuType kind = v->kind;
    const int64_t   large = kind == TR_FMU_REAL || kind == TR_FMU_STRING ? 0 : (int64_t)value;
    const int32_t   whole = kind == TR_FMU_INTEGER ? (int32_t)large : 0;
    const bool      yes = large != 0;
    return kind == TR_FMU_REAL ? f->set_real(s->component, &v->reference, 1, &value, 1)
           : kind == TR_FMU_INTEGER && f->set_integer != NULL
               ? f->set_integer(s->component, &v->reference, 1, &whole, 1)
           : kind == TR_FMU_LONG && f->set_long != NULL
               ? f->set_long(s->component, &v->reference, 1, &large, 1)
           : kind == TR_FMU_BOOLEAN && f->set_boolean != NULL
               ? f->set_boolean(s->component, &v->reference, 1, &yes, 1)
           : kind == TR_FMU_STRING && f->set_string != NULL
               ? f->set_string(s->component, &v->reference, 1, &text, 1)
               : TR_FMU_ERROR;
}

static int enter_initialization(trFmuInstance *s, double start) {
    return of(s)->enter_initialization(s->component, false, 0.0, start, false, 0.0);
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

static int update(trFmuInstance *s, trFmuEvent *out) {
    bool nominals = false, values = false;
    *out = (trFmuEvent){0};
    return of(s)->update_discrete_states(s->component, &out->again, &out->terminate, &nominals,
                                         &values, &out->timed, &out->next);
}

static int completed_step(trFmuInstance *s, bool *event, bool *ends) {
    *event = *ends = false;
    return of(s)->completed_step(s->component, false, event, ends);
}

static int do_step(trFmuInstance *s, double t, double h) {
    bool   event = false, ends = false, early = false;
    double reached = t;
    int    status = of(s)->do_step(s->component, t, h, false, &event, &ends, &early, &reached);
    return status <= TR_FMU_WARNING && (ends || early) ? TR_FMU_DISCARD : status;
}

const trFmuApi tr_fmu_api3 = {
    .size = sizeof(Fmi3),
    .symbols = sizeof symbols / sizeof *symbols,
    .symbol = symbols,
    .instantiate = instantiate,
    .set_value = set_value,
    .enter_initialization = enter_initialization,
    .get_reals = get_reals,
    .set_reals = set_reals,
    .derive = derive,
    .count = count,
    .update = update,
    .completed_step = completed_step,
    .do_step = do_step,
};
