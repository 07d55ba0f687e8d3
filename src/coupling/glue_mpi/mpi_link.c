// SPDX-License-Identifier: MIT
// Messages by MPI: sent without waiting, and looked for without waiting. Sizes are not known
// before: a message is matched when it has come, and received into memory of its size.

#include "glue_mpi/mpi_link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/timer.h"

#define TAG 1
#define LOST 5          // exit code: partner lost
#define JOIN 60.0       // for all processes to start [s]
#define ENDING 5.0      // for the common end [s]
#define WHERE_SIZE 160  // bytes

typedef struct Partner {
    int            rank;
    MPI_Request    sending, receiving;  // MPI_REQUEST_NULL: none
    unsigned char *out, *in;
    size_t         out_room, in_room, in_count;  // bytes
} Partner;

typedef struct Ranks {
    int      partners;
    Partner *partner;
    int64_t  messages, bytes;
    char     where[WHERE_SIZE];
} Ranks;

double tr_join_seconds(void) {
    return tr_timer_seconds("TRAMMEL_JOIN_SECONDS", JOIN);
}

static Ranks ranks;  // MPI itself is there once in a process

static int make_room(unsigned char **memory, size_t *room, size_t count) {
    if (count > *room) {
        unsigned char *more = realloc(*memory, count);
        if (more == NULL) {
            return 0;
        }
        *memory = more;
        *room = count;
    }
    return 1;
}

static trLinked send(void *self, int partner, const void *bytes, size_t count) {
    Ranks   *r = self;
    Partner *p = &r->partner[partner];
    int      done = 0;
    if (MPI_Test(&p->sending, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || count > INT_MAX) {
        return TR_LINK_BROKEN;
    }
    if (!done) {
        return TR_LINK_NOT_YET;
    }
    if (!make_room(&p->out, &p->out_room, count)) {
        return TR_LINK_BROKEN;
    }
    memcpy(p->out, bytes, count);
    // Nothing waits, here or anywhere: the next send and the end test for it.
    // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
    if (MPI_Isend(p->out, (int)count, MPI_BYTE, p->rank, TAG, MPI_COMM_WORLD, &p->sending) !=
        MPI_SUCCESS) {
        return TR_LINK_BROKEN;
    }
    r->messages++;
    r->bytes += (int64_t)count;
    return TR_LINK_DONE;
    // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
}

// Begins to receive a message that has come.
static trLinked match(Partner *p) {
    int         there = 0, count = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status  status;
    if (MPI_Improbe(p->rank, TAG, MPI_COMM_WORLD, &there, &message, &status) != MPI_SUCCESS) {
        return TR_LINK_BROKEN;
    }
    if (!there) {
        return TR_LINK_NOT_YET;
    }
    if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0 ||
        !make_room(&p->in, &p->in_room, (size_t)count + 1) ||
        MPI_Imrecv(p->in, count, MPI_BYTE, &message, &p->receiving) != MPI_SUCCESS) {
        return TR_LINK_BROKEN;
    }
    p->in_count = (size_t)count;
    return TR_LINK_DONE;
}

static trLinked poll(void *self, int partner, const void **bytes, size_t *count) {
    Ranks   *r = self;
    Partner *p = &r->partner[partner];
    int      done = 0;
    if (p->receiving == MPI_REQUEST_NULL) {
        trLinked state = match(p);
        if (state != TR_LINK_DONE) {
            return state;
        }
    }
    // A small message is there at once, and its request is then none already: nothing to test.
    if (MPI_Test(&p->receiving, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        return TR_LINK_BROKEN;
    }
    if (!done) {
        return TR_LINK_NOT_YET;
    }
    *bytes = p->in;
    *count = p->in_count;
    r->messages++;
    r->bytes += (int64_t)p->in_count;
    return TR_LINK_DONE;
}

static const char *where(void *self, int partner) {
    Ranks *r = self;
    snprintf(r->where, sizeof r->where, "rank %d", r->partner[partner].rank);
    return r->where;
}

static void traffic(void *self, int64_t *messages, int64_t *bytes) {
    const Ranks *r = self;
    *messages = r->messages;
    *bytes = r->bytes;
}

static void forget(Ranks *r) {
    for (int i = 0; i < r->partners; i++) {
        free(r->partner[i].out);
        free(r->partner[i].in);
    }
    free(r->partner);
    *r = (Ranks){0};
}

static void abort_all(void *self, int code) {
    tr_timer_begin(ENDING, code, "", NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

static void close_all(void *self) {
    Ranks *r = self;
    for (int i = 0; i < r->partners; i++) {
        int done = 0;
        MPI_Test(&r->partner[i].sending, &done, MPI_STATUS_IGNORE);
    }
    tr_timer_begin(ENDING, LOST, "trammel: MPI does not end: a process is lost\n", NULL);
    MPI_Finalize();
    tr_timer_end();
    forget(r);
}

static int plan(Ranks *r, int rank, int size) {
    r->partners = rank == 0 ? size - 1 : 1;
    r->partner = calloc((size_t)r->partners + 1, sizeof *r->partner);
    for (int i = 0; r->partner != NULL && i < r->partners; i++) {
        r->partner[i] = (Partner){.rank = rank == 0 ? i + 1 : 0,
                                  .sending = MPI_REQUEST_NULL,
                                  .receiving = MPI_REQUEST_NULL};
    }
    return r->partner != NULL;
}

int tr_mpi_link_open(int *argc, char ***argv, trLink *out, const char **words) {
    int rank = 0, size = 0, given = 0;
    *words = "MPI does not start";
    tr_timer_begin(tr_join_seconds(), LOST,
                   "trammel: not all programs of mpirun have started MPI in time "
                   "(TRAMMEL_JOIN_SECONDS); are all of them modules?\n",
                   NULL);
    int failed = MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &given) != MPI_SUCCESS;
    tr_timer_end();
    if (failed || MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS) {
        return 1;
    }
    if (!plan(&ranks, rank, size)) {
        *words = "out of memory";
        return 1;
    }
    *out = (trLink){.version = TR_LINK_VERSION,
                    .partners = ranks.partners,
                    .self = &ranks,
                    .send = send,
                    .poll = poll,
                    .where = where,
                    .traffic = traffic,
                    .abort = abort_all,
                    .close = close_all};
    *words = "";
    return 0;
}
