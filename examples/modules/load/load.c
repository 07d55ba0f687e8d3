// SPDX-License-Identifier: MIT
// A container on a hook as an FMU of FMI 2.0, for Model Exchange and Co-Simulation, by hand and
// with nothing but the C library. Its port "eye" lies `height` above the center of mass.
//
//     m x'' = fx    m y'' = fy - m g    J angle'' = moment + d x f    d = R(angle) (0, height)
//
// modelDescription.xml beside it lists the variables; examples/modules/build.py zips both.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "{5a9f6c1e-load-on-a-hook}"
#define STATES 6
#define SUBSTEP 1e-3  // of Co-Simulation, at most [s]

enum { X, Y, ANGLE, VX, VY, OMEGA, AX, AY, ALPHA };  // value references: of the center of mass,
enum { EYE_X = 9, EYE_Y, EYE_ANGLE, EYE_VX, EYE_VY, EYE_OMEGA, EYE_AX, EYE_AY, EYE_ALPHA };
enum { FX = 18, FY, MOMENT, MASS, INERTIA, HEIGHT, GRAVITY, REALS };

typedef struct Load {
    double r[REALS];
} Load;

// --- the mechanics ---

static void answer(double *r) {
    double dx = -r[HEIGHT] * sin(r[ANGLE]), dy = r[HEIGHT] * cos(r[ANGLE]);
    double w = r[OMEGA];
    r[AX] = r[FX] / r[MASS];
    r[AY] = r[FY] / r[MASS] - r[GRAVITY];
    r[ALPHA] = (r[MOMENT] + dx * r[FY] - dy * r[FX]) / r[INERTIA];
    r[EYE_X] = r[X] + dx;
    r[EYE_Y] = r[Y] + dy;
    r[EYE_ANGLE] = r[ANGLE];
    r[EYE_VX] = r[VX] - w * dy;
    r[EYE_VY] = r[VY] + w * dx;
    r[EYE_OMEGA] = w;
    r[EYE_AX] = r[AX] - r[ALPHA] * dy - w * w * dx;
    r[EYE_AY] = r[AY] + r[ALPHA] * dx - w * w * dy;
    r[EYE_ALPHA] = r[ALPHA];
}

static void rates(double *r, double *dx) {
    answer(r);
    memcpy(dx, r + VX, STATES * sizeof *dx);
}

// The classical method of Runge and Kutta, with loads held.
static void advance(double *r, double h) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              start[STATES], sum[STATES] = {0}, k[STATES] = {0};
    memcpy(start, r, sizeof start);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < STATES; i++) {
            r[i] = start[i] + at[stage] * h * k[i];
        }
        rates(r, k);
        for (int i = 0; i < STATES; i++) {
            sum[i] += weight[stage] * k[i];
        }
    }
    for (int i = 0; i < STATES; i++) {
        r[i] = start[i] + h / 6.0 * sum[i];
    }
}

// --- FMI 2.0 ---

typedef struct Callbacks {
    void (*logger)(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...);
    void *(*allocate)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct EventInfo {
    int    again, terminate, nominals_changed, values_changed, has_next;
    double next;
} EventInfo;

enum { OK, WARNING, DISCARD, ERROR };

#define API __attribute__((visibility("default")))
#define PUBLIC(type, name, ...) \
    API type name(__VA_ARGS__); \
    type     name(__VA_ARGS__)

PUBLIC(const char *, fmi2GetTypesPlatform, void) {
    return "default";
}

PUBLIC(const char *, fmi2GetVersion, void) {
    return "2.0";
}

PUBLIC(void *, fmi2Instantiate, const char *name, int type, const char *guid, const char *resources,
       const Callbacks *callbacks, int visible, int logging) {
    (void)type, (void)resources, (void)visible, (void)logging;
    if (strcmp(guid, TOKEN) != 0) {
        callbacks->logger(callbacks->environment, name, ERROR, "error",
                          "the description is of another FMU: its guid is '%s'", guid);
        return NULL;
    }
    Load *load = calloc(1, sizeof *load);
    if (load != NULL) {  // as the description has it
        load->r[MASS] = 4000.0;
        load->r[INERTIA] = 14000.0;
        load->r[HEIGHT] = 1.5;
        load->r[GRAVITY] = 9.81;
    }
    return load;
}

PUBLIC(void, fmi2FreeInstance, void *c) {
    free(c);
}

PUBLIC(int, fmi2SetDebugLogging, void *c, int on, size_t count, const char *const *category) {
    (void)c, (void)on, (void)count, (void)category;
    return OK;
}

PUBLIC(int, fmi2SetupExperiment, void *c, int has_tolerance, double tolerance, double start,
       int has_stop, double stop) {
    (void)c, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
    return OK;
}

PUBLIC(int, fmi2EnterInitializationMode, void *c) {
    (void)c;
    return OK;
}

PUBLIC(int, fmi2ExitInitializationMode, void *c) {
    const Load *load = c;
    return load->r[MASS] > 0.0 && load->r[INERTIA] > 0.0 ? OK : ERROR;
}

PUBLIC(int, fmi2Terminate, void *c) {
    (void)c;
    return OK;
}

PUBLIC(int, fmi2Reset, void *c) {
    (void)c;
    return ERROR;
}

PUBLIC(int, fmi2GetReal, void *c, const unsigned *reference, size_t count, double *value) {
    Load *load = c;
    answer(load->r);
    for (size_t i = 0; i < count; i++) {
        if (reference[i] >= REALS) {
            return ERROR;
        }
        value[i] = load->r[reference[i]];
    }
    return OK;
}

PUBLIC(int, fmi2SetReal, void *c, const unsigned *reference, size_t count, const double *value) {
    Load *load = c;
    for (size_t i = 0; i < count; i++) {
        if (reference[i] >= REALS) {
            return ERROR;
        }
        load->r[reference[i]] = value[i];
    }
    return OK;
}

// With the state held the accelerations are linear in the loads.
PUBLIC(int, fmi2GetDirectionalDerivative, void *c, const unsigned *unknown, size_t unknowns,
       const unsigned *known, size_t knowns, const double *seed, double *out) {
    Load derived = *(const Load *)c;
    derived.r[OMEGA] = derived.r[GRAVITY] = 0.0;
    derived.r[FX] = derived.r[FY] = derived.r[MOMENT] = 0.0;
    for (size_t k = 0; k < knowns; k++) {
        if (known[k] < FX || known[k] > MOMENT) {
            return ERROR;
        }
        derived.r[known[k]] = seed[k];
    }
    answer(derived.r);
    for (size_t i = 0; i < unknowns; i++) {
        unsigned u = unknown[i];
        int      moves = (u >= AX && u <= ALPHA) || (u >= EYE_AX && u <= EYE_ALPHA);
        out[i] = moves ? derived.r[u] : 0.0;
    }
    return OK;
}

// --- the state as a whole ---

PUBLIC(int, fmi2GetFMUstate, void *c, void **state) {
    *state = *state != NULL ? *state : malloc(sizeof(Load));
    if (*state == NULL) {
        return ERROR;
    }
    memcpy(*state, c, sizeof(Load));
    return OK;
}

PUBLIC(int, fmi2SetFMUstate, void *c, void *state) {
    memcpy(c, state, sizeof(Load));
    return OK;
}

PUBLIC(int, fmi2FreeFMUstate, void *c, void **state) {
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

PUBLIC(int, fmi2SerializedFMUstateSize, void *c, void *state, size_t *size) {
    (void)c, (void)state;
    *size = sizeof(Load);
    return OK;
}

PUBLIC(int, fmi2SerializeFMUstate, void *c, void *state, char *bytes, size_t size) {
    (void)c;
    if (size < sizeof(Load)) {
        return ERROR;
    }
    memcpy(bytes, state, sizeof(Load));
    return OK;
}

PUBLIC(int, fmi2DeSerializeFMUstate, void *c, const char *bytes, size_t size, void **state) {
    *state = NULL;
    if (size != sizeof(Load) || fmi2GetFMUstate(c, state) != OK) {
        return ERROR;
    }
    memcpy(*state, bytes, size);
    return OK;
}

// --- Model Exchange ---

PUBLIC(int, fmi2EnterEventMode, void *c) {
    (void)c;
    return OK;
}

PUBLIC(int, fmi2NewDiscreteStates, void *c, EventInfo *info) {
    (void)c;
    *info = (EventInfo){0};
    return OK;
}

PUBLIC(int, fmi2EnterContinuousTimeMode, void *c) {
    (void)c;
    return OK;
}

PUBLIC(int, fmi2CompletedIntegratorStep, void *c, int no_set, int *event, int *terminate) {
    (void)c, (void)no_set;
    *event = *terminate = 0;
    return OK;
}

PUBLIC(int, fmi2SetTime, void *c, double t) {
    (void)c, (void)t;
    return OK;
}

PUBLIC(int, fmi2SetContinuousStates, void *c, const double *x, size_t count) {
    if (count != STATES) {
        return ERROR;
    }
    memcpy(((Load *)c)->r, x, STATES * sizeof *x);
    return OK;
}

PUBLIC(int, fmi2GetContinuousStates, void *c, double *x, size_t count) {
    if (count != STATES) {
        return ERROR;
    }
    memcpy(x, ((Load *)c)->r, STATES * sizeof *x);
    return OK;
}

PUBLIC(int, fmi2GetDerivatives, void *c, double *dx, size_t count) {
    if (count != STATES) {
        return ERROR;
    }
    rates(((Load *)c)->r, dx);
    return OK;
}

PUBLIC(int, fmi2GetEventIndicators, void *c, double *z, size_t count) {
    (void)c, (void)z;
    return count == 0 ? OK : ERROR;
}

PUBLIC(int, fmi2GetNominalsOfContinuousStates, void *c, double *x, size_t count) {
    (void)c;
    for (size_t i = 0; i < count; i++) {
        x[i] = 1.0;
    }
    return OK;
}

// --- Co-Simulation ---

PUBLIC(int, fmi2DoStep, void *c, double t, double h, int no_set) {
    (void)t, (void)no_set;
    int steps = h > SUBSTEP ? (int)ceil(h / SUBSTEP) : 1;
    for (int i = 0; i < steps; i++) {
        advance(((Load *)c)->r, h / steps);
    }
    return OK;
}

PUBLIC(int, fmi2CancelStep, void *c) {
    (void)c;
    return ERROR;
}
