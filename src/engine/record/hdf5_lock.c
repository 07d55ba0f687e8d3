// SPDX-License-Identifier: MIT
#include "record/hdf5_lock.h"

#include <errno.h>
#include <hdf5.h>
#include <pthread.h>

#include "trammel/result.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t     messages;  // what the program lets HDF5 print, while the lock is held
static void           *messages_data;

void tr_hdf5_lock(void) {
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &messages, &messages_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void tr_hdf5_unlock(void) {
    int reason = errno;  // of the calls before; the caller reads it
    H5Eset_auto2(H5E_DEFAULT, messages, messages_data);
    pthread_mutex_unlock(&lock);
    errno = reason;
}

void tr_result_leave_at_exit(void) {
    H5dont_atexit();
}
