// SPDX-License-Identifier: MIT
// Handles share nothing: two threads with a handle each get, bit for bit, what one thread gets that
// uses them one after the other. Each thread has the error text of its own failures.

#include <pthread.h>
#include <string.h>

#include "constrain/pendulum.h"
#include "support/test.h"

#define STEPS 2000

typedef struct Job {
    Pendulum    pendulum;
    const char *name;  // of the rod
    double      y[4];
    trStatus    status;
    char        text[256];  // of an error that the job makes at its end
} Job;

static void *run(void *argument) {
    Job           *job = argument;
    trConstrain   *c = NULL;
    trConstrainDef def = pendulum_def(&job->pendulum, 0);
    double         nowhere[2] = {NAN, 0.0};
    def.names = &job->name;
    job->y[0] = job->pendulum.length;
    job->y[1] = job->y[2] = job->y[3] = 0.0;
    job->status = tr_constrain_create(&def, 0.0, job->y, job->y + 2, &c);
    for (int i = 0; i < STEPS && job->status == TR_OK; i++) {
        job->status = pendulum_step(c, &job->pendulum, 1, i * 2e-3, 2e-3, job->y);
    }
    if (job->status == TR_OK && tr_constrain_state(c, 0.0, nowhere, NULL) == TR_OK) {
        job->status = TR_E_ARGUMENT;
    }
    // A length that no point has: the message has the name of this job's rod.
    job->pendulum.length = -1.0;
    double q[2] = {1.0, 0.0}, v[2] = {0.0, 0.0};
    if (job->status == TR_OK && tr_constrain_state(c, 0.0, q, v) == TR_OK) {
        job->status = TR_E_ARGUMENT;
    }
    strncpy(job->text, tr_last_error(), sizeof job->text - 1);
    tr_constrain_destroy(c);
    return NULL;
}

static void two_threads_with_a_handle_each_do_not_see_each_other(void **state) {
    Job       alone[2] = {{{1.0, 1.0}, "short rod", {0.0}, TR_OK, ""},
                          {{3.0, 2.5}, "long rod", {0.0}, TR_OK, ""}};
    Job       together[2];
    pthread_t thread[2];
    memcpy(together, alone, sizeof together);
    for (int i = 0; i < 2; i++) {
        run(&alone[i]);
        assert_int_equal(alone[i].status, TR_OK);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, run, &together[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_int_equal(together[i].status, TR_OK);
        assert_memory_equal(together[i].y, alone[i].y, sizeof alone[i].y);
        assert_non_null(strstr(together[i].text, together[i].name));
    }
    assert_true(fabs(alone[0].y[0] / 1.0 - alone[1].y[0] / 2.5) > 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_with_a_handle_each_do_not_see_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
