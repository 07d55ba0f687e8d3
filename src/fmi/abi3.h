// SPDX-License-Identifier: MIT
// The binary interface of FMI 3.0, as far as it is called here: types and functions. Statuses are
// those of trFmuStatus (instance.h).

#ifndef TR_FMI_ABI3_H
#define TR_FMI_ABI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void    *Fmi3Instance;
typedef void    *Fmi3State;
typedef uint32_t Fmi3Reference;

typedef void (*Fmi3Log)(void *environment, int status, const char *category, const char *message);

// X(member, symbol, arguments): all functions return a status but `instantiate_...` and `free`.
#define FMI3_COMMON(X)                                                                             \
    X(enter_initialization, "fmi3EnterInitializationMode",                                         \
      (Fmi3Instance, bool, double, double, bool, double))                                          \
    X(exit_initialization, "fmi3ExitInitializationMode", (Fmi3Instance))                           \
    X(terminate, "fmi3Terminate", (Fmi3Instance))                                                  \
    X(get_real, "fmi3GetFloat64", (Fmi3Instance, const Fmi3Reference *, size_t, double *, size_t)) \
    X(set_real, "fmi3SetFloat64",                                                                  \
      (Fmi3Instance, const Fmi3Reference *, size_t, const double *, size_t))

#define FMI3_EXCHANGE(X)                                                                      \
    X(enter_event, "fmi3EnterEventMode", (Fmi3Instance))                                      \
    X(update_discrete_states, "fmi3UpdateDiscreteStates",                                     \
      (Fmi3Instance, bool *, bool *, bool *, bool *, bool *, double *))                       \
    X(enter_continuous, "fmi3EnterContinuousTimeMode", (Fmi3Instance))                        \
    X(completed_step, "fmi3CompletedIntegratorStep", (Fmi3Instance, bool, bool *, bool *))    \
    X(set_time, "fmi3SetTime", (Fmi3Instance, double))                                        \
    X(set_states, "fmi3SetContinuousStates", (Fmi3Instance, const double *, size_t))          \
    X(get_states, "fmi3GetContinuousStates", (Fmi3Instance, double *, size_t))                \
    X(get_derivatives, "fmi3GetContinuousStateDerivatives", (Fmi3Instance, double *, size_t)) \
    X(get_indicators, "fmi3GetEventIndicators", (Fmi3Instance, double *, size_t))             \
    X(count_states, "fmi3GetNumberOfContinuousStates", (Fmi3Instance, size_t *))              \
    X(count_indicators, "fmi3GetNumberOfEventIndicators", (Fmi3Instance, size_t *))

#define FMI3_CO(X) \
    X(do_step, "fmi3DoStep", (Fmi3Instance, double, double, bool, bool *, bool *, bool *, double *))

// What need not be there.
#define FMI3_OPTIONAL(X)                                                                           \
    X(set_integer, "fmi3SetInt32",                                                                 \
      (Fmi3Instance, const Fmi3Reference *, size_t, const int32_t *, size_t))                      \
    X(set_long, "fmi3SetInt64",                                                                    \
      (Fmi3Instance, const Fmi3Reference *, size_t, const int64_t *, size_t))                      \
    X(set_boolean, "fmi3SetBoolean",                                                               \
      (Fmi3Instance, const Fmi3Reference *, size_t, const bool *, size_t))                         \
    X(set_string, "fmi3SetString",                                                                 \
      (Fmi3Instance, const Fmi3Reference *, size_t, const char *const *, size_t))                  \
    X(get_state, "fmi3GetFMUState", (Fmi3Instance, Fmi3State *))                                   \
    X(set_state, "fmi3SetFMUState", (Fmi3Instance, Fmi3State))                                     \
    X(free_state, "fmi3FreeFMUState", (Fmi3Instance, Fmi3State *))                                 \
    X(state_size, "fmi3SerializedFMUStateSize", (Fmi3Instance, Fmi3State, size_t *))               \
    X(write_state, "fmi3SerializeFMUState", (Fmi3Instance, Fmi3State, uint8_t *, size_t))          \
    X(read_state, "fmi3DeserializeFMUState", (Fmi3Instance, const uint8_t *, size_t, Fmi3State *)) \
    X(derive, "fmi3GetDirectionalDerivative",                                                      \
      (Fmi3Instance, const Fmi3Reference *, size_t, const Fmi3Reference *, size_t, const double *, \
       size_t, double *, size_t))

#define FMI3_MEMBER(member, symbol, arguments) int(*member) arguments;

typedef struct Fmi3 {
    Fmi3Instance (*instantiate_exchange)(const char *name, const char *token, const char *resources,
                                         bool visible, bool logging, void *environment,
                                         Fmi3Log log);
    Fmi3Instance (*instantiate_co)(const char *name, const char *token, const char *resources,
                                   bool visible, bool logging, bool event_mode, bool early_return,
                                   const Fmi3Reference *intermediate, size_t intermediates,
                                   void *environment, Fmi3Log log, void (*update)(void));
    void (*free)(Fmi3Instance instance);
    FMI3_COMMON(FMI3_MEMBER)
    FMI3_EXCHANGE(FMI3_MEMBER)
    FMI3_CO(FMI3_MEMBER)
    FMI3_OPTIONAL(FMI3_MEMBER)
} Fmi3;

#endif
