// SPDX-License-Identifier: MIT
// The binary interface of FMI 2.0, as far as it is called here: types and functions.

#ifndef TR_FMI_ABI2_H
#define TR_FMI_ABI2_H

#include "fmi/abi.h"

typedef void    *Fmi2Component;
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

#define FMI2_FUNCTIONS(OWN, SAME)                                                                  \
    SAME(TR_FMU_BOTH, free, "fmi2FreeInstance")                                                    \
    OWN(TR_FMU_BOTH, setup, "fmi2SetupExperiment",                                                 \
        (Fmi2Component, Fmi2Boolean, double, double, Fmi2Boolean, double))                         \
    OWN(TR_FMU_BOTH, enter_initialization, "fmi2EnterInitializationMode", (Fmi2Component))         \
    SAME(TR_FMU_BOTH, exit_initialization, "fmi2ExitInitializationMode")                           \
    SAME(TR_FMU_BOTH, terminate, "fmi2Terminate")                                                  \
    OWN(TR_FMU_BOTH, get_real, "fmi2GetReal",                                                      \
        (Fmi2Component, const Fmi2Reference *, size_t, double *))                                  \
    OWN(TR_FMU_BOTH, set_real, "fmi2SetReal",                                                      \
        (Fmi2Component, const Fmi2Reference *, size_t, const double *))                            \
    SAME(TR_FMU_MODEL_EXCHANGE, enter_event, "fmi2EnterEventMode")                                 \
    OWN(TR_FMU_MODEL_EXCHANGE, new_discrete_states, "fmi2NewDiscreteStates",                       \
        (Fmi2Component, Fmi2EventInfo *))                                                          \
    SAME(TR_FMU_MODEL_EXCHANGE, enter_continuous, "fmi2EnterContinuousTimeMode")                   \
    OWN(TR_FMU_MODEL_EXCHANGE, completed_step, "fmi2CompletedIntegratorStep",                      \
        (Fmi2Component, Fmi2Boolean, Fmi2Boolean *, Fmi2Boolean *))                                \
    SAME(TR_FMU_MODEL_EXCHANGE, set_time, "fmi2SetTime")                                           \
    SAME(TR_FMU_MODEL_EXCHANGE, set_states, "fmi2SetContinuousStates")                             \
    SAME(TR_FMU_MODEL_EXCHANGE, get_states, "fmi2GetContinuousStates")                             \
    SAME(TR_FMU_MODEL_EXCHANGE, get_derivatives, "fmi2GetDerivatives")                             \
    SAME(TR_FMU_MODEL_EXCHANGE, get_indicators, "fmi2GetEventIndicators")                          \
    OWN(TR_FMU_CO_SIMULATION, do_step, "fmi2DoStep", (Fmi2Component, double, double, Fmi2Boolean)) \
    OWN(0, set_integer, "fmi2SetInteger",                                                          \
        (Fmi2Component, const Fmi2Reference *, size_t, const int *))                               \
    OWN(0, set_boolean, "fmi2SetBoolean",                                                          \
        (Fmi2Component, const Fmi2Reference *, size_t, const Fmi2Boolean *))                       \
    OWN(0, set_string, "fmi2SetString",                                                            \
        (Fmi2Component, const Fmi2Reference *, size_t, const char *const *))                       \
    SAME(TR_FMU_REPEATS, get_state, "fmi2GetFMUstate")                                             \
    SAME(TR_FMU_REPEATS, set_state, "fmi2SetFMUstate")                                             \
    SAME(TR_FMU_REPEATS, free_state, "fmi2FreeFMUstate")                                           \
    SAME(TR_FMU_SERIALIZES, state_size, "fmi2SerializedFMUstateSize")                              \
    SAME(TR_FMU_SERIALIZES, write_state, "fmi2SerializeFMUstate")                                  \
    SAME(TR_FMU_SERIALIZES, read_state, "fmi2DeSerializeFMUstate")                                 \
    OWN(0, derive, "fmi2GetDirectionalDerivative",                                                 \
        (Fmi2Component, const Fmi2Reference *, size_t, const Fmi2Reference *, size_t,              \
         const double *, double *))

typedef struct Fmi2 {
    FmiSame same;
    Fmi2Component (*instantiate)(const char *name, Fmi2Type type, const char *guid,
                                 const char *resources, const Fmi2Callbacks *callbacks,
                                 Fmi2Boolean visible, Fmi2Boolean logging);
    FMI2_FUNCTIONS(FMI_OWN_MEMBER, FMI_NO_MEMBER)
    Fmi2Callbacks callbacks;
} Fmi2;

#endif
