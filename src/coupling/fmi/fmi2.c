// SPDX-License-Identifier: MIT
// FMUs of FMI 2.0.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmi/abi2.h"
#include "fmi/instance.h"

static Fmi2 *of(trFmuInstance *s) {
    return (Fmi2 *)s->call;
}

static void hear(void *environment, const char *instance, int status, const char *category,
                 const char *message, ...) {
    char    text[256] = "";
    va_list arguments;
    va_start(arguments, message);
    if (message != NULL) {
        vsnprintf(text, sizeof text, message, arguments);
    }
    va_end(arguments);
    tr_fmu_hear(environment, status, text);
}

#define SYMBOL(needed, member, symbol, arguments) {symbol, offsetof(Fmi2, member), needed},

static const trFmuSymbol symbols[] = {{"fmi2Instantiate", offsetof(Fmi2, instantiate), TR_FMU_BOTH},
                                      FMI2_FUNCTIONS(SYMBOL, FMI_SAME_SYMBOL)};

static bool instantiate(trFmuInstance *s) {
    const char *uri = tr_arena_format(s->arena, "file://%s", s->resources);
    if (uri == NULL) {
        return false;
    }
    of(s)->callbacks = (Fmi2Callbacks){hear, calloc, free, NULL, s};
    s->component = of(s)->instantiate(
        s->info->name, s->kind == TR_FMU_MODEL_EXCHANGE ? FMI2_MODEL_EXCHANGE : FMI2_CO_SIMULATION,
        s->info->token, uri, &of(s)->callbacks, 0, 0);
    return s->component != NULL;
}

static int set_value(trFmuInstance *s, const trFmuVariable *v, double value, const char *text) {
    const Fmi2     *f = of(s);
    const trFmuType kind = v->kind;
    const int       whole = kind == TR_FMU_INTEGER || kind == TR_FMU_BOOLEAN ? (int)value : 0;
    const int       yes = whole != 0;
    return kind == TR_FMU_REAL ? f->set_real(s->component, &v->reference, 1, &value)
           : kind == TR_FMU_INTEGER && f->set_integer != NULL
               ? f->set_integer(s->component, &v->reference, 1, &whole)
           : kind == TR_FMU_BOOLEAN && f->set_boolean != NULL
               ? f->set_boolean(s->component, &v->reference, 1, &yes)
           : kind == TR_FMU_STRING && f->set_string != NULL
               ? f->set_string(s->component, &v->reference, 1, &text)
               : TR_FMU_ERROR;
}

static int enter_initialization(trFmuInstance *s, double start) {
    int status = of(s)->setup(s->component, 0, 0.0, start, 0, 0.0);
    return status > TR_FMU_WARNING ? status : of(s)->enter_initialization(s->component);
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

static int update(trFmuInstance *s, trFmuEvent *out) {
    Fmi2EventInfo event = {0};
    int           status = of(s)->new_discrete_states(s->component, &event);
    *out = (trFmuEvent){event.states_need_update != 0, event.terminate != 0,
                        event.next_time_defined != 0, event.next_time};
    return status;
}

static int completed_step(trFmuInstance *s, bool *event, bool *ends) {
    Fmi2Boolean enter = 0, stop = 0;
    int         status = of(s)->completed_step(s->component, 0, &enter, &stop);
    *event = enter != 0;
    *ends = stop != 0;
    return status;
}

static int do_step(trFmuInstance *s, double t, double h) {
    return of(s)->do_step(s->component, t, h, 0);
}

const trFmuApi tr_fmu_api2 = {
    .size = sizeof(Fmi2),
    .symbols = sizeof symbols / sizeof *symbols,
    .symbol = symbols,
    .instantiate = instantiate,
    .set_value = set_value,
    .enter_initialization = enter_initialization,
    .get_reals = get_reals,
    .set_reals = set_reals,
    .derive = derive,
    .update = update,
    .completed_step = completed_step,
    .do_step = do_step,
};
