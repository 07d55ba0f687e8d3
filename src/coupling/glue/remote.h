// SPDX-License-Identifier: MIT
// The carrier over a link: modules in other processes.

#ifndef TR_GLUE_REMOTE_H
#define TR_GLUE_REMOTE_H

#include "glue/carrier.h"
#include "glue/link.h"
#include "glue/process.h"

#define TR_REMOTE_LOST 5  // what all processes are ended with where a module is lost

// Meets all partners of the link and finds the assembly's modules among them: by the names that
// they were told, then by their own, then by their order. Within `patience` [s]; `timeout` is how
// long a module may take for an answer [s]. TR_E_PARTNER names who is missing, or too much, or
// late. Once `stop` (may be NULL) is not 0, a module has a fifth of a second: what ends this run,
// as mpirun does when a process dies somewhere, does not wait.
//
// The carrier owns the link, but not after a failure. tr_carrier_destroy ends the modules in good
// order; after TR_E_PARTNER it ends all processes, this one with them: be done before.
trStatus tr_carrier_create_remote(const trLink *link, int modules, const char *const *name,
                                  double timeout, double patience, const volatile int *stop,
                                  trCarrier **out);

// --- its parts ---

typedef struct trRemotePartner {
    int       at;       // of the link
    trProcess process;  // as it said
    bool      waiting;  // for an answer
    uint64_t  calls;    // that it is due for
    double    asked;    // wall clock [s]
} trRemotePartner;

typedef struct trRemote {
    trLink              link;
    int                 modules;
    trRemotePartner    *partner;  // modules
    trModuleFace       *face;     // modules
    unsigned char      *bytes;    // of a message to a module
    double              timeout;  // [s]
    const volatile int *stop;     // NULL: none
    double              t;        // of the last step that was asked for [s]
    bool                begun;    // a step was asked for
    bool                lost;     // a module is
} trRemote;

// Fills the faces and partners (greet.c).
trStatus tr_remote_greet(trArena *arena, trRemote *remote, const char *const *name,
                         double patience);

#endif
