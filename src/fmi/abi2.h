// SPDX-License-Identifier: MIT
// The binary interface of FMI 2.0, as far as it is called here: types and functions. Statuses are
// those of trFmuStatus (instance.h).

#ifndef TR_FMI_ABI2_H
#define TR_FMI_ABI2_H

#include <stddef.h>

typedef void    *Fmi2Component;
typedef void    *Fmi2State;
typedef unsigned Fmi2Reference;
typedef int      Fmi2Boolean;

typedef enum Fmi2Type { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } Fmi2Type;

typedef struct Fmi2Callbacks {
    void (*logger)(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...);
    void *(*allocate)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} Fmi2Callbacks;

typedef struct Fmi2EventInfo {
    Fmi2Boolean states_need_update, terminate, nominals_changed, values_changed, next_time_defined;
    double      next_time;
} Fmi2EventInfo;

// X(member, symbol, arguments): all functions return a status but `instantiate` and `free`.
#define FMI2_COMMON(X)                                                                   \
    X(setup, "fmi2SetupExperiment",                                                      \
      (Fmi2Component, Fmi2Boolean, double, double, Fmi2Boolean, double))                 \
    X(enter_initialization, "fmi2EnterInitializationMode", (Fmi2Component))              \
    X(exit_initialization, "fmi2ExitInitializationMode", (Fmi2Component))                \
    X(terminate, "fmi2Terminate", (Fmi2Component))                                       \
    X(get_real, "fmi2GetReal", (Fmi2Component, const Fmi2Reference *, size_t, double *)) \
    X(set_real, "fmi2SetReal", (Fmi2Component, const Fmi2Reference *, size_t, const double *))

#define FMI2_EXCHANGE(X)                                                              \
    X(enter_event, "fmi2EnterEventMode", (Fmi2Component))                             \
    X(new_discrete_states, "fmi2NewDiscreteStates", (Fmi2Component, Fmi2EventInfo *)) \
    X(enter_continuous, "fmi2EnterContinuousTimeMode", (Fmi2Component))               \
    X(completed_step, "fmi2CompletedIntegratorStep",                                  \
      (Fmi2Component, Fmi2Boolean, Fmi2Boolean *, Fmi2Boolean *))                     \
    X(set_time, "fmi2SetTime", (Fmi2Component, double))                               \
    X(set_states, "fmi2SetContinuousStates", (Fmi2Component, const double *, size_t)) \
    X(get_states, "fmi2GetContinuousStates", (Fmi2Component, double *, size_t))       \
    X(get_derivatives, "fmi2GetDerivatives", (Fmi2Component, double *, size_t))       \
    X(get_indicators, "fmi2GetEventIndicators", (Fmi2Component, double *, size_t))

#define FMI2_CO(X) X(do_step, "fmi2DoStep", (Fmi2Component, double, double, Fmi2Boolean))

// What need not be there.
#define FMI2_OPTIONAL(X)                                                                          \
    X(set_integer, "fmi2SetInteger", (Fmi2Component, const Fmi2Reference *, size_t, const int *)) \
    X(set_boolean, "fmi2SetBoolean",                                                              \
      (Fmi2Component, const Fmi2Reference *, size_t, const Fmi2Boolean *))                        \
    X(set_string, "fmi2SetString",                                                                \
      (Fmi2Component, const Fmi2Reference *, size_t, const char *const *))                        \
    X(get_state, "fmi2GetFMUstate", (Fmi2Component, Fmi2State *))                                 \
    X(set_state, "fmi2SetFMUstate", (Fmi2Component, Fmi2State))                                   \
    X(free_state, "fmi2FreeFMUstate", (Fmi2Component, Fmi2State *))                               \
    X(state_size, "fmi2SerializedFMUstateSize", (Fmi2Component, Fmi2State, size_t *))             \
    X(write_state, "fmi2SerializeFMUstate", (Fmi2Component, Fmi2State, char *, size_t))           \
    X(read_state, "fmi2DeSerializeFMUstate", (Fmi2Component, const char *, size_t, Fmi2State *))  \
    X(derive, "fmi2GetDirectionalDerivative",                                                     \
      (Fmi2Component, const Fmi2Reference *, size_t, const Fmi2Reference *, size_t,               \
       const double *, double *))

#define FMI2_MEMBER(member, symbol, arguments) int(*member) arguments;

typedef struct Fmi2 {
    Fmi2Component (*instantiate)(const char *name, Fmi2Type type, const char *guid,
                                 const char *resources, const Fmi2Callbacks *callbacks,
                                 Fmi2Boolean visible, Fmi2Boolean logging);
    void (*free)(Fmi2Component component);
    FMI2_COMMON(FMI2_MEMBER)
    FMI2_EXCHANGE(FMI2_MEMBER)
    FMI2_CO(FMI2_MEMBER)
    FMI2_OPTIONAL(FMI2_MEMBER)
    Fmi2Callbacks callbacks;
} Fmi2;

#endif
