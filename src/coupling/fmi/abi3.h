// SPDX-License-Identifier: MIT
// The binary interface of FMI 3.0, as far as it is called here: types and functions.

#ifndef TR_FMI_ABI3_H
#define TR_FMI_ABI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fmi/abi.h"

typedef void    *Fmi3Instance;
typedef uint32_t Fmi3Reference;

typedef void (*Fmi3Log)(void *environment, int status, const char *category, const char *message);

#define FMI3_FUNCTIONS(OWN, SAME)                                                     \
    SAME(TR_FMU_BOTH, free, "fmi3FreeInstance")                                       \
    OWN(TR_FMU_BOTH, enter_initialization, "fmi3EnterInitializationMode",             \
        (Fmi3Instance, bool, double, double, bool, double))                           \
    SAME(TR_FMU_BOTH, exit_initialization, "fmi3ExitInitializationMode")              \
    SAME(TR_FMU_BOTH, terminate, "fmi3Terminate")                                     \
    OWN(TR_FMU_BOTH, get_real, "fmi3GetFloat64",                                      \
        (Fmi3Instance, const Fmi3Reference *, size_t, double *, size_t))              \
    OWN(TR_FMU_BOTH, set_real, "fmi3SetFloat64",                                      \
        (Fmi3Instance, const Fmi3Reference *, size_t, const double *, size_t))        \
    SAME(TR_FMU_MODEL_EXCHANGE, enter_event, "fmi3EnterEventMode")                    \
    OWN(TR_FMU_MODEL_EXCHANGE, update_discrete_states, "fmi3UpdateDiscreteStates",    \
        (Fmi3Instance, bool *, bool *, bool *, bool *, bool *, double *))             \
    SAME(TR_FMU_MODEL_EXCHANGE, enter_continuous, "fmi3EnterContinuousTimeMode")      \
    OWN(TR_FMU_MODEL_EXCHANGE, completed_step, "fmi3CompletedIntegratorStep",         \
        (Fmi3Instance, bool, bool *, bool *))                                         \
    SAME(TR_FMU_MODEL_EXCHANGE, set_time, "fmi3SetTime")                              \
    SAME(TR_FMU_MODEL_EXCHANGE, set_states, "fmi3SetContinuousStates")                \
    SAME(TR_FMU_MODEL_EXCHANGE, get_states, "fmi3GetContinuousStates")                \
    SAME(TR_FMU_MODEL_EXCHANGE, get_derivatives, "fmi3GetContinuousStateDerivatives") \
    SAME(TR_FMU_MODEL_EXCHANGE, get_indicators, "fmi3GetEventIndicators")             \
    OWN(TR_FMU_MODEL_EXCHANGE, count_states, "fmi3GetNumberOfContinuousStates",       \
        (Fmi3Instance, size_t *))                                                     \
    OWN(TR_FMU_MODEL_EXCHANGE, count_indicators, "fmi3GetNumberOfEventIndicators",    \
        (Fmi3Instance, size_t *))                                                     \
    OWN(TR_FMU_CO_SIMULATION, do_step, "fmi3DoStep",                                  \
        (Fmi3Instance, double, double, bool, bool *, bool *, bool *, double *))       \
    OWN(0, set_integer, "fmi3SetInt32",                                               \
        (Fmi3Instance, const Fmi3Reference *, size_t, const int32_t *, size_t))       \
    OWN(0, set_long, "fmi3SetInt64",                                                  \
        (Fmi3Instance, const Fmi3Reference *, size_t, const int64_t *, size_t))       \
    OWN(0, set_boolean, "fmi3SetBoolean",                                             \
        (Fmi3Instance, const Fmi3Reference *, size_t, const bool *, size_t))          \
    OWN(0, set_string, "fmi3SetString",                                               \
        (Fmi3Instance, const Fmi3Reference *, size_t, const char *const *, size_t))   \
    SAME(TR_FMU_REPEATS, get_state, "fmi3GetFMUState")                                \
    SAME(TR_FMU_REPEATS, set_state, "fmi3SetFMUState")                                \
    SAME(TR_FMU_REPEATS, free_state, "fmi3FreeFMUState")                              \
    SAME(TR_FMU_SERIALIZES, state_size, "fmi3SerializedFMUStateSize")                 \
    SAME(TR_FMU_SERIALIZES, write_state, "fmi3SerializeFMUState")                     \
    SAME(TR_FMU_SERIALIZES, read_state, "fmi3DeserializeFMUState")                    \
    OWN(0, derive, "fmi3GetDirectionalDerivative",                                    \
        (Fmi3Instance, const Fmi3Reference *, size_t, const Fmi3Reference *, size_t,  \
         const double *, size_t, double *, size_t))

typedef struct Fmi3 {
    FmiSame same;
    Fmi3Instance (*instantiate_exchange)(const char *name, const char *token, const char *resources,
                                         bool visible, bool logging, void *environment,
                                         Fmi3Log log);
    Fmi3Instance (*instantiate_co)(const char *name, const char *token, const char *resources,
                                   bool visible, bool logging, bool event_mode, bool early_return,
                                   const Fmi3Reference *intermediate, size_t intermediates,
                                   void *environment, Fmi3Log log, void (*update)(void));
    FMI3_FUNCTIONS(FMI_OWN_MEMBER, FMI_NO_MEMBER)
} Fmi3;

#endif
