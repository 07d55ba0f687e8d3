// SPDX-License-Identifier: MIT
// A body as a module that breaks the protocol. Usage: faulty FAULT NAME
//
//     version   its first message is of a later protocol
//     order     ... of a machine with the other order of bytes
//     foreign   ... of some other program
//     damaged   ... cut short
//     silent    there is no first message
//     idle      MPI is never started
//     size      its fifth answer is eight bytes short
//     number    its fifth answer ends with what is no number
//     late      its fifth answer is to what it was asked before

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "base/arena.h"
#include "glue/greeting.h"
#include "glue/server.h"

int body_open(int arguments, const char *const *argument, trModule *out);

#define ROOM 4096  // bytes, of a message
#define TAG 1

static const char *fault;

static int is(const char *name) {
    return strcmp(fault, name) == 0;
}

static void stay(void) {
    for (;;) {
        pause();
    }
}

static void say_hello(trArena *arena, const trServer *server) {
    trHello       hello = {.face = server->face, .named = true, .process = tr_process_self()};
    const void   *bytes = NULL;
    size_t        count = 0;
    unsigned char sent[ROOM];
    if (tr_hello_pack(arena, &hello, &bytes, &count) != TR_OK || count > sizeof sent) {
        return;
    }
    memcpy(sent, bytes, count);
    sent[0] = is("foreign") ? 'X' : sent[0];
    sent[12] = is("version") ? (unsigned char)(TR_PROTOCOL_VERSION + 1) : sent[12];
    if (is("order")) {  // 1 2 3 4 the other way round
        unsigned char first = sent[8], second = sent[9];
        sent[8] = sent[11];
        sent[9] = sent[10];
        sent[10] = second;
        sent[11] = first;
    }
    count -= is("damaged") ? 5 : 0;
    MPI_Send(sent, (int)count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

static void serve(trServer *server) {
    _Alignas(double) unsigned char given[ROOM], sent[ROOM];
    for (int n = 0;; n++) {
        MPI_Status  status;
        int         count = 0;
        const void *answer = NULL;
        size_t      size = 0;
        MPI_Recv(given, ROOM, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        if (n == 0) {
            continue;  // the welcome
        }
        tr_server_answer(server, given, (size_t)count, &answer, &size);
        memcpy(sent, answer, size);
        if (n == 5) {
            double none = (double)NAN;
            size -= is("size") ? 8 : 0;
            sent[0] = is("late") ? (unsigned char)(sent[0] ^ 1u) : sent[0];
            if (is("number")) {
                memcpy(sent + size - sizeof none, &none, sizeof none);
            }
        }
        MPI_Send(sent, (int)size, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    trArena *arena = tr_arena_create();
    trModule module;
    trServer server;
    fault = argc > 2 ? argv[1] : "";
    if (argc < 3 || arena == NULL || body_open(0, NULL, &module) != 0 ||
        tr_server_plan(arena, &module, argv[2], &server) != TR_OK) {
        return 2;
    }
    if (is("idle")) {
        stay();
    }
    MPI_Init(&argc, &argv);
    if (is("silent")) {
        stay();
    }
    say_hello(arena, &server);
    serve(&server);
    return 0;
}
