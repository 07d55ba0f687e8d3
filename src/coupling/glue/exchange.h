// SPDX-License-Identifier: MIT
// What a coordinator asks of one module at a time: some of the calls of trammel/module.h, always in
// this order, with one message there and one back. A module performs it in the same way in this
// process and in another one, so that results are the same to the last bit.

#ifndef TR_GLUE_EXCHANGE_H
#define TR_GLUE_EXCHANGE_H

#include <stdint.h>

#include "base/status.h"
#include "trammel/module.h"

#define TR_CALL_RESTORE 0x001u        // given: state_in
#define TR_CALL_LOAD 0x002u           // given: w[TR_LEVEL_LOAD]
#define TR_CALL_JUDGE 0x2000u         // answered: judged, the residual with these loads
#define TR_CALL_FORCE 0x004u          // given: w[TR_LEVEL_FORCE]
#define TR_CALL_POSITION 0x008u       // given: w[TR_LEVEL_POSITION]
#define TR_CALL_VELOCITY 0x010u       // given: w[TR_LEVEL_VELOCITY]
#define TR_CALL_ACCELERATION 0x4000u  // given: w[TR_LEVEL_ACCELERATION]
#define TR_CALL_ACCEPT 0x020u         //
#define TR_CALL_PREDICT 0x040u        // given: step
#define TR_CALL_RESIDUAL 0x080u       // answered: residual
#define TR_CALL_MOTION 0x100u         // answered: x, v, a
#define TR_CALL_COMPLIANCE 0x200u     // answered: W
#define TR_CALL_PORT_RESIDUAL 0x400u  // answered: y
#define TR_CALL_OUTPUT 0x800u         // answered: output
#define TR_CALL_SAVE 0x1000u          // answered: state
#define TR_CALL_ABOUT 0x8000u         // answered: about
#define TR_CALLS_ALL 0xffffu          // every bit above

// More than these are refused: sizes of messages, and of W as an int, stay far from overflow, and
// nobody can make a coordinator ask for more memory than it has by a number in a first message.
#define TR_PORTS_MOST 4096                 // of a module
#define TR_OUTPUTS_MOST (1 << 20)          // of a module
#define TR_STATE_MOST ((uint64_t)1 << 28)  // bytes of a module's state

#define TR_ABOUT_SIZE 1024  // bytes of what a module says of itself, with the zero at its end

// What is known of a module besides its motion. Texts belong to the carrier.
typedef struct trModuleFace {
    const char        *name;  // in the assembly
    int                dim, ports;
    const char *const *port_name;  // ports
    unsigned           takes;      // TR_TAKES_...
    int                outputs;
    const char *const *output_name, *const *output_unit;  // outputs
    size_t state_size;                                    // bytes
} trModuleFace;

typedef struct trExchange {
    unsigned calls;  // TR_CALL_...
    // given:
    trGlueStep    step;
    const double *w[TR_LEVELS];  // TR_PORT_V ports each
    const void   *state_in;      // state_size
    // answered:
    double  judged, residual;
    double *x;       // TR_PORT_X ports
    double *v, *a;   // TR_PORT_V ports
    double *W;       // square of that
    double *y;       // TR_PORT_V ports
    double *output;  // outputs
    void   *state;   // state_size
    char   *about;   // TR_ABOUT_SIZE: one line, empty if it says nothing
} trExchange;

// On the module's side. TR_E_SIMULATION with the module's words; TR_NOT_FINITE with the name of the
// port where it answers with what is no number.
trStatus tr_exchange_perform(const trModule *module, const trModuleFace *face, trExchange *e);

// Of answers that came from elsewhere: TR_NOT_FINITE as above.
trStatus tr_exchange_check(const trModuleFace *face, const trExchange *e);

// Bytes of one message there and back, its head included.
size_t tr_exchange_given_size(const trModuleFace *face, unsigned calls);
size_t tr_exchange_answer_size(const trModuleFace *face, unsigned calls);

// Messages as bytes, which is how they travel. `pack` of what is given or answered fills `bytes` of
// that size; `unpack` points into it (given) or copies out of it (answered). Numbers are in the
// order and byte order of this machine.
void tr_exchange_pack_given(const trModuleFace *face, const trExchange *e, void *bytes);
void tr_exchange_unpack_given(const trModuleFace *face, const void *bytes, trExchange *e);
void tr_exchange_pack_answer(const trModuleFace *face, const trExchange *e, void *bytes);
void tr_exchange_unpack_answer(const trModuleFace *face, const void *bytes, trExchange *e);

#endif
