// SPDX-License-Identifier: MIT
// The plate as an FMU of FMI 3.0, for Model Exchange and Co-Simulation. Functions are declared here
// as the standard has them, apart from what the library under test has.

#include <stdint.h>

#include "fmi/oscillator.h"

typedef void (*Logger)(void *environment, int status, const char *category, const char *message);

typedef struct Fmu {
    Oscillator o;
    void      *last_state;  // given out
    Logger     logger;
    void      *environment;
} Fmu;

enum { OK, WARNING, DISCARD, ERROR, FATAL };

#pragma GCC visibility push(default)
#pragma GCC diagnostic ignored "-Wmissing-prototypes"  // the library under test has its own

static Oscillator *of(void *c) {
    return &((Fmu *)c)->o;
}

static int refuse(void *c, const char *why) {
    Fmu *fmu = c;
    fmu->logger(fmu->environment, ERROR, "error", why);
    return ERROR;
}

static void *create(const char *token, bool exchange, void *environment, Logger logger) {
    Fmu *fmu = strcmp(token, OSCILLATOR_TOKEN) == 0 ? malloc(sizeof *fmu) : NULL;
    if (fmu == NULL) {
        logger(environment, ERROR, "error", "wrong token");
        return NULL;
    }
    oscillator_start(&fmu->o, exchange);
    fmu->last_state = NULL;
    fmu->logger = logger;
    fmu->environment = environment;
    return fmu;
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources,
                                   bool visible, bool logging, void *environment, Logger logger) {
    (void)name, (void)resources, (void)visible, (void)logging;
    return create(token, true, environment, logger);
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  bool visible, bool logging, bool events, bool early,
                                  const uint32_t *intermediate, size_t intermediates,
                                  void *environment, Logger logger, void (*update)(void)) {
    (void)name, (void)resources, (void)visible, (void)logging, (void)intermediate, (void)update;
    return events || early || intermediates > 0 ? NULL : create(token, false, environment, logger);
}

void fmi3FreeInstance(void *c) {
    free(c);
}

int fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance, double start,
                                bool has_stop, double stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    if (of(c)->mode != INSTANTIATED) {
        return refuse(c, "initialization");
    }
    of(c)->t = start;
    of(c)->mode = INITIALIZATION;
    return OK;
}

int fmi3ExitInitializationMode(void *c) {
    if (of(c)->mode != INITIALIZATION) {
        return refuse(c, "end of initialization");
    }
    of(c)->mode = of(c)->exchange ? EVENT : STEPPING;
    return OK;
}

int fmi3Terminate(void *c) {
    return of(c)->mode >= EVENT ? OK : refuse(c, "end");
}

int fmi3GetFloat64(void *c, const uint32_t *reference, size_t count, double *value, size_t values) {
    bool good = count == values;
    for (size_t i = 0; i < count && good; i++) {
        good = oscillator_get(of(c), reference[i], &value[i]);
    }
    return good ? OK : refuse(c, "get");
}

int fmi3SetFloat64(void *c, const uint32_t *reference, size_t count, const double *value,
                   size_t values) {
    bool good = count == values;
    for (size_t i = 0; i < count && good; i++) {
        good = oscillator_set(of(c), reference[i], value[i]);
    }
    return good ? OK : refuse(c, "set");
}

int fmi3SetInt32(void *c, const uint32_t *reference, size_t count, const int32_t *value,
                 size_t values) {
    bool good = count == 1 && values == 1 && *reference == TROUBLE && of(c)->mode == INSTANTIATED;
    of(c)->trouble = good ? *value : 0;
    return good ? OK : refuse(c, "set integer");
}

int fmi3SetBoolean(void *c, const uint32_t *reference, size_t count, const bool *value,
                   size_t values) {
    bool good = count == 1 && values == 1 && *reference == HEAVY;
    of(c)->heavy = good && *value;
    return good ? OK : refuse(c, "set boolean");
}

int fmi3SetString(void *c, const uint32_t *reference, size_t count, const char *const *value,
                  size_t values) {
    bool good =
        count == 1 && values == 1 && *reference == LABEL && strlen(*value) < sizeof of(c)->label;
    if (good) {
        memcpy(of(c)->label, *value, strlen(*value) + 1);
    }
    return good ? OK : refuse(c, "set string");
}

int fmi3EnterEventMode(void *c) {
    if (of(c)->mode != CONTINUOUS) {
        return refuse(c, "event");
    }
    of(c)->mode = EVENT;
    return OK;
}

int fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals, bool *values,
                             bool *timed, double *next) {
    if (of(c)->mode != EVENT) {
        return refuse(c, "discrete states");
    }
    oscillator_event(of(c));
    *again = of(c)->trouble == NEVER_SETTLES;
    *terminate = of(c)->trouble == ENDS_ITSELF;
    *nominals = *values = false;
    *timed = !of(c)->kicked;
    *next = of(c)->r[KICK_TIME];
    return OK;
}

int fmi3EnterContinuousTimeMode(void *c) {
    of(c)->mode = CONTINUOUS;
    return OK;
}

int fmi3CompletedIntegratorStep(void *c, bool no_set, bool *event, bool *terminate) {
    (void)no_set;
    *event = *terminate = false;
    if (of(c)->trouble == PROJECTS) {
        of(c)->r[TIP_Y] = 0.0;
    }
    return of(c)->mode == CONTINUOUS ? OK : refuse(c, "end of step");
}

int fmi3SetTime(void *c, double t) {
    of(c)->t = t;
    return of(c)->mode == CONTINUOUS ? OK : refuse(c, "time");
}

int fmi3SetContinuousStates(void *c, const double *x, size_t nx) {
    if (of(c)->mode != CONTINUOUS || nx != 6) {
        return refuse(c, "states");
    }
    memcpy(of(c)->r, x, 6 * sizeof *x);
    return OK;
}

int fmi3GetContinuousStates(void *c, double *x, size_t nx) {
    memcpy(x, of(c)->r, 6 * sizeof *x);
    return nx == 6 && of(c)->mode >= EVENT ? OK : refuse(c, "states");
}

int fmi3GetContinuousStateDerivatives(void *c, double *dx, size_t nx) {
    oscillator_rates(of(c), dx);
    return nx == 6 && of(c)->mode >= EVENT ? OK : refuse(c, "derivatives");
}

int fmi3GetEventIndicators(void *c, double *z, size_t nz) {
    z[0] = of(c)->r[TIP_Y] - of(c)->r[FLOOR];
    return nz == 1 && of(c)->mode >= EVENT ? OK : refuse(c, "indicators");
}

int fmi3GetNumberOfContinuousStates(void *c, size_t *nx) {
    *nx = 6;
    return of(c)->mode == INSTANTIATED || of(c)->exchange ? OK : refuse(c, "number of states");
}

int fmi3GetNumberOfEventIndicators(void *c, size_t *nz) {
    *nz = 1;
    return of(c)->mode == INSTANTIATED || of(c)->exchange ? OK : refuse(c, "number of indicators");
}

int fmi3DoStep(void *c, double t, double h, bool no_set, bool *event, bool *terminate, bool *early,
               double *reached) {
    (void)no_set;
    Oscillator *o = of(c);
    *event = *terminate = *early = false;
    *reached = t + h;
    if (o->mode != STEPPING || fabs(t - o->t) > 1e-9 || o->trouble == STEP_FAILS) {
        return refuse(c, "spring broken");
    }
    if (o->trouble == STEP_IS_FATAL) {  // nothing may be called after that, not even to free it
        free(((Fmu *)c)->last_state);
        free(c);
        return FATAL;
    }
    if (o->trouble == STEP_IS_DISCARDED) {
        return DISCARD;
    }
    oscillator_step(o, h);
    return OK;
}

int fmi3GetFMUState(void *c, void **state) {
    *state = *state != NULL ? *state : malloc(sizeof(Oscillator));
    if (*state == NULL) {
        return ERROR;
    }
    memcpy(*state, of(c), sizeof(Oscillator));
    ((Fmu *)c)->last_state = *state;
    return OK;
}

int fmi3SetFMUState(void *c, void *state) {
    oscillator_restore(of(c), state);
    return OK;
}

int fmi3FreeFMUState(void *c, void **state) {
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

int fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) {
    (void)c, (void)state;
    *size = sizeof(Oscillator);
    return OK;
}

int fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size) {
    (void)c;
    memcpy(bytes, state, size);
    return size == sizeof(Oscillator) ? OK : ERROR;
}

int fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state) {
    (void)c;
    *state = malloc(sizeof(Oscillator));
    if (*state == NULL || size != sizeof(Oscillator)) {
        return ERROR;
    }
    memcpy(*state, bytes, size);
    return OK;
}

int fmi3GetDirectionalDerivative(void *c, const uint32_t *unknown, size_t unknowns,
                                 const uint32_t *known, size_t knowns, const double *seed,
                                 size_t seeds, double *out, size_t outs) {
    if (seeds != knowns || outs != unknowns || of(c)->trouble == DERIVATIVES_FAIL) {
        return ERROR;
    }
    for (size_t i = 0; i < unknowns; i++) {
        out[i] = 0.0;
        for (size_t k = 0; k < knowns; k++) {
            out[i] += oscillator_derive(of(c), unknown[i], known[k]) * seed[k];
        }
    }
    return OK;
}
