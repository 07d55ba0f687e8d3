// SPDX-License-Identifier: MIT
// Functions that FMI 2.0 and 3.0 have alike but for their names; bytes are char in one and uint8_t
// in the other. Statuses are those of trFmuStatus (instance.h).
//
// Lists of functions in abi2.h and abi3.h are X-macros with two sorts of entries,
//
//     OWN(needed, member, symbol, arguments)      a function of that version
//     SAME(needed, member, symbol)                one of these here
//
// with the FMUs that cannot do without it (trFmuSymbol), 0 for none. All return a status but
// `instantiate` and `free`.

#ifndef TR_FMI_ABI_H
#define TR_FMI_ABI_H

#include <stddef.h>

typedef struct FmiSame {
    void (*free)(void *component);
    int (*exit_initialization)(void *component);
    int (*terminate)(void *component);
    int (*enter_event)(void *component);
    int (*enter_continuous)(void *component);
    int (*set_time)(void *component, double t);
    int (*set_states)(void *component, const double *x, size_t nx);
    int (*get_states)(void *component, double *x, size_t nx);
    int (*get_derivatives)(void *component, double *dx, size_t nx);
    int (*get_indicators)(void *component, double *z, size_t nz);
    int (*get_state)(void *component, void **state);
    int (*set_state)(void *component, void *state);
    int (*free_state)(void *component, void **state);
    int (*state_size)(void *component, void *state, size_t *size);
    int (*write_state)(void *component, void *state, void *bytes, size_t size);
    int (*read_state)(void *component, const void *bytes, size_t size, void **state);
} FmiSame;

#define FMI_OWN_MEMBER(needed, member, symbol, arguments) int(*member) arguments;
#define FMI_NO_MEMBER(needed, member, symbol)
// `same` is the first member of both.
#define FMI_SAME_SYMBOL(needed, member, symbol) {symbol, offsetof(FmiSame, member), needed},

#endif
