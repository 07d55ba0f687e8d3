// SPDX-License-Identifier: MIT
// What a coordinator asks of one module at a time: some of the calls of trammel/module.h, always in
// this order, with one message there and one back. A module performs it in the same way in this
// process and in another one, so that results are the same to the last bit.

#ifndef TR_GLUE_EXCHANGE_H
#define TR_GLUE_EXCHANGE_H

#include <stdint.h>

#include "base/arena.h"
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

// TR_E_MODEL for a module that does not fit the contract.
trStatus tr_face_check(const trModule *module, const char *name);
// Names of ports and outputs stay the module's own.
trModuleFace tr_face_of(trArena *arena, const trModule *module, const char *name);

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

// Messages as bytes, which is how they travel: what is given to a module, and what it answers.
// Numbers are in the order and byte order of this machine.
typedef enum trWay { TR_GIVEN, TR_ANSWERED } trWay;

// Bytes of a message, its head included.
size_t tr_exchange_size(trWay way, const trModuleFace *face, unsigned calls);
// Fills `bytes` of that size.
void tr_exchange_pack(trWay way, const trModuleFace *face, const trExchange *e, void *bytes);
// What is given points into `bytes` then; what is answered is copied out, by the calls of `e`.
void tr_exchange_unpack(trWay way, const trModuleFace *face, const void *bytes, trExchange *e);

#endif
