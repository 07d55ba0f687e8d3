// SPDX-License-Identifier: MIT
// The plate as an FMU of FMI 2.0, for Model Exchange and Co-Simulation. Functions are declared here
// as the standard has them, apart from what the library under test has.

#include "fmi/oscillator.h"

typedef void (*Logger)(void *environment, const char *instance, int status, const char *category,
                       const char *message, ...);

typedef struct Callbacks {
    Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks;

typedef struct EventInfo {
    int    again, terminate, nominals, values, timed;
    double next;
} EventInfo;

typedef struct Fmu {
    Oscillator       o;
    void            *last_state;  // given out
    const Callbacks *callbacks;
} Fmu;

enum { OK, WARNING, DISCARD, ERROR, FATAL };

#pragma GCC visibility push(default)
#pragma GCC diagnostic ignored "-Wmissing-prototypes"  // the library under test has its own

static Oscillator *of(void *c) {
    return &((Fmu *)c)->o;
}

static int refuse(void *c, const char *why) {
    const Callbacks *callbacks = ((Fmu *)c)->callbacks;
    callbacks->logger(callbacks->environment, "plate", ERROR, "error", "%s in mode %d", why,
                      (int)of(c)->mode);
    return ERROR;
}

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                      const Callbacks *callbacks, int visible, int logging) {
    (void)name, (void)visible, (void)logging;
    if (strcmp(guid, OSCILLATOR_TOKEN) != 0 || strncmp(resources, "file:///", 8) != 0) {
        callbacks->logger(callbacks->environment, "plate", ERROR, "error", "wrong guid '%s'", guid);
        return NULL;
    }
    Fmu *fmu = callbacks->allocate(1, sizeof *fmu);
    if (fmu != NULL) {
        oscillator_start(&fmu->o, type == 0);
        fmu->callbacks = callbacks;
    }
    return fmu;
}

void fmi2FreeInstance(void *c) {
    ((Fmu *)c)->callbacks->free(c);
}

int fmi2SetupExperiment(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                        double stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    of(c)->t = start;
    return of(c)->mode == INSTANTIATED ? OK : refuse(c, "setup");
}

int fmi2EnterInitializationMode(void *c) {
    if (of(c)->mode != INSTANTIATED) {
        return refuse(c, "initialization");
    }
    of(c)->mode = INITIALIZATION;
    return OK;
}

int fmi2ExitInitializationMode(void *c) {
    if (of(c)->mode != INITIALIZATION) {
        return refuse(c, "end of initialization");
    }
    of(c)->mode = of(c)->exchange ? EVENT : STEPPING;
    return OK;
}

int fmi2Terminate(void *c) {
    return of(c)->mode >= EVENT ? OK : refuse(c, "end");
}

int fmi2GetReal(void *c, const unsigned *reference, size_t count, double *value) {
    bool good = !of(c)->unanswered;  // no answer of Co-Simulation between inputs and a step
    for (size_t i = 0; i < count && good; i++) {
        good = oscillator_get(of(c), reference[i], &value[i]);
    }
    return good ? OK : refuse(c, "get");
}

int fmi2SetReal(void *c, const unsigned *reference, size_t count, const double *value) {
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = oscillator_set(of(c), reference[i], value[i]);
    }
    of(c)->unanswered = of(c)->mode == STEPPING;
    return good ? OK : refuse(c, "set");
}

int fmi2SetInteger(void *c, const unsigned *reference, size_t count, const int *value) {
    bool good = count == 1 && *reference == TROUBLE && of(c)->mode == INSTANTIATED;
    of(c)->trouble = good ? *value : 0;
    return good ? OK : refuse(c, "set integer");
}

int fmi2SetBoolean(void *c, const unsigned *reference, size_t count, const int *value) {
    bool good = count == 1 && *reference == HEAVY;
    of(c)->heavy = good && *value == 1;
    return good ? OK : refuse(c, "set boolean");
}

int fmi2SetString(void *c, const unsigned *reference, size_t count, const char *const *value) {
    bool good = count == 1 && *reference == LABEL && strlen(*value) < sizeof of(c)->label;
    if (good) {
        memcpy(of(c)->label, *value, strlen(*value) + 1);
    }
    return good ? OK : refuse(c, "set string");
}

int fmi2EnterEventMode(void *c) {
    if (of(c)->mode != CONTINUOUS) {
        return refuse(c, "event");
    }
    of(c)->mode = EVENT;
    return OK;
}

int fmi2NewDiscreteStates(void *c, EventInfo *info) {
    if (of(c)->mode != EVENT) {
        return refuse(c, "discrete states");
    }
    oscillator_event(of(c));
    *info = (EventInfo){.again = of(c)->trouble == NEVER_SETTLES,
                        .terminate = of(c)->trouble == ENDS_ITSELF,
                        .timed = !of(c)->kicked,
                        .next = of(c)->r[KICK_TIME]};
    return OK;
}

int fmi2EnterContinuousTimeMode(void *c) {
    of(c)->mode = CONTINUOUS;
    return OK;
}

int fmi2CompletedIntegratorStep(void *c, int no_set, int *event, int *terminate) {
    (void)no_set;
    *event = *terminate = 0;
    if (of(c)->trouble == PROJECTS) {
        of(c)->r[TIP_Y] = 0.0;
    }
    return of(c)->mode == CONTINUOUS ? OK : refuse(c, "end of step");
}

int fmi2SetTime(void *c, double t) {
    of(c)->t = t;
    return of(c)->mode == CONTINUOUS ? OK : refuse(c, "time");
}

int fmi2SetContinuousStates(void *c, const double *x, size_t nx) {
    if (of(c)->mode != CONTINUOUS || nx != 6) {
        return refuse(c, "states");
    }
    memcpy(of(c)->r, x, 6 * sizeof *x);
    return OK;
}

int fmi2GetContinuousStates(void *c, double *x, size_t nx) {
    memcpy(x, of(c)->r, 6 * sizeof *x);
    return nx == 6 && of(c)->mode >= EVENT ? OK : refuse(c, "states");
}

int fmi2GetDerivatives(void *c, double *dx, size_t nx) {
    oscillator_rates(of(c), dx);
    return nx == 6 && of(c)->mode >= EVENT ? OK : refuse(c, "derivatives");
}

int fmi2GetEventIndicators(void *c, double *z, size_t nz) {
    z[0] = of(c)->r[TIP_Y] - of(c)->r[FLOOR];
    return nz == 1 && of(c)->mode >= EVENT ? OK : refuse(c, "indicators");
}

int fmi2DoStep(void *c, double t, double h, int no_set) {
    (void)no_set;
    Oscillator *o = of(c);
    if (o->mode != STEPPING || fabs(t - o->t) > 1e-9 || o->trouble == STEP_FAILS) {
        return refuse(c, "spring broken");
    }
    if (o->trouble == STEP_IS_FATAL) {  // nothing may be called after that, not even to free it
        free(((Fmu *)c)->last_state);
        ((Fmu *)c)->callbacks->free(c);
        return FATAL;
    }
    if (o->trouble == STEP_IS_DISCARDED) {
        return DISCARD;
    }
    o->unanswered = false;
    oscillator_step(o, h);
    return OK;
}

int fmi2GetFMUstate(void *c, void **state) {
    *state = *state != NULL ? *state : malloc(sizeof(Oscillator));
    if (*state == NULL) {
        return ERROR;
    }
    memcpy(*state, of(c), sizeof(Oscillator));
    ((Fmu *)c)->last_state = *state;
    return OK;
}

int fmi2SetFMUstate(void *c, void *state) {
    oscillator_restore(of(c), state);
    return OK;
}

int fmi2FreeFMUstate(void *c, void **state) {
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

int fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) {
    (void)c, (void)state;
    *size = sizeof(Oscillator);
    return OK;
}

int fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size) {
    (void)c;
    memcpy(bytes, state, size);
    return size == sizeof(Oscillator) ? OK : ERROR;
}

int fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state) {
    (void)c;
    *state = malloc(sizeof(Oscillator));
    if (*state == NULL || size != sizeof(Oscillator)) {
        return ERROR;
    }
    memcpy(*state, bytes, size);
    return OK;
}

int fmi2GetDirectionalDerivative(void *c, const unsigned *unknown, size_t unknowns,
                                 const unsigned *known, size_t knowns, const double *seed,
                                 double *out) {
    if (of(c)->trouble == DERIVATIVES_FAIL) {
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
