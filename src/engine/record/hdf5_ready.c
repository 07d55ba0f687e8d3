// SPDX-License-Identifier: MIT
#include "record/hdf5_ready.h"

#include <errno.h>
#include <hdf5.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "trammel/result.h"

#define BEGIN_BYTES ((size_t)4 << 20)  // of H5open and what is kept
#define KEPT_BYTES 4096                // by which a file in memory grows

typedef enum State { COLD, READY, BROKEN } State;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Of HDF5 in this process, while the lock is held.
static State       state;
static H5E_auto2_t messages;  // what the program lets HDF5 print
static void       *messages_data;

// A block that is given back can be had again in pieces.
static bool have(size_t bytes) {
    void *volatile block = malloc(bytes);  // volatile: not to be optimized away
    free(block);
    return block != NULL;
}

// HDF5 keeps identifiers in one hash table for each kind of thing. It makes the table with the
// first and drops it with the last, and where there is no memory for one it calls exit. A thing of
// each kind that we use, open for good, keeps the tables. The file is in memory only.
static bool keep_tables(void) {
    const hid_t usual = H5P_DEFAULT;
    hid_t       access = -1, file = -1, space = -1;
    // The first call that fails is the last.
    return (access = H5Pcreate(H5P_FILE_ACCESS)) >= 0 &&
           H5Pset_fapl_core(access, KEPT_BYTES, false) >= 0 &&
           (file = H5Fcreate("kept", H5F_ACC_TRUNC, usual, access)) >= 0 &&
           (space = H5Screate(H5S_SCALAR)) >= 0 &&
           H5Acreate2(file, "kept", H5T_NATIVE_INT, space, usual, usual) >= 0 &&
           H5Dcreate2(file, "kept", H5T_NATIVE_INT, space, usual, usual, usual) >= 0;
}

static State begin(void) {
    bool kept = false;
    if (H5open() < 0) {
        return BROKEN;
    }
    H5E_BEGIN_TRY {
        kept = keep_tables();
    }
    H5E_END_TRY
    return kept ? READY : BROKEN;
}

static trStatus make_ready(size_t bytes) {
    size_t needed = state == COLD ? BEGIN_BYTES + bytes : bytes;
    if (!have(needed)) {
        return tr_fail(TR_E_MEMORY, "out of memory: HDF5 needs %zu KiB more", needed / 1024);
    }
    state = state == COLD ? begin() : state;
    return state == READY
               ? TR_OK
               : tr_fail(TR_E_MEMORY,
                         "out of memory: HDF5 could not begin; start the program again with more");
}

trStatus tr_hdf5_enter(size_t bytes) {
    pthread_mutex_lock(&lock);
    trStatus status = bytes > 0 ? make_ready(bytes) : TR_OK;
    if (status != TR_OK) {
        pthread_mutex_unlock(&lock);
        return status;
    }
    H5Eget_auto2(H5E_DEFAULT, &messages, &messages_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return TR_OK;
}

void tr_hdf5_leave(void) {
    int reason = errno;  // of what was called; the caller reads it
    H5Eset_auto2(H5E_DEFAULT, messages, messages_data);
    pthread_mutex_unlock(&lock);
    errno = reason;
}

void tr_result_leave_at_exit(void) {
    H5dont_atexit();
}
