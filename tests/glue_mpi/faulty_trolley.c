// SPDX-License-Identifier: MIT
// The trolley of the crane (examples/modules/body.c), which from t = 0.1 s on does what the
// environment says: CRANE_FAULT=die, hang or number. The file is the same with and without.

#include <signal.h>
#include <unistd.h>

#include "modules/body.c"

int tr_module_open(int arguments, const char *const *argument, trModule *out);

static int is_time(const Body *s, const char *fault) {
    const char *asked = getenv("CRANE_FAULT");
    return s->step.t > 0.1 && asked != NULL && strcmp(asked, fault) == 0;
}

static int predict_or_end(void *self, const trGlueStep *step) {
    int failed = predict(self, step);
    if (is_time(self, "die")) {
        raise(SIGKILL);
    }
    while (is_time(self, "hang")) {
        pause();
    }
    return failed;
}

static int motion_or_nonsense(void *self, double *x, double *v, double *a) {
    int failed = port_motion(self, x, v, a);
    if (is_time(self, "number")) {
        a[1] = (double)NAN;
    }
    return failed;
}

int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    int failed = body_open(arguments, argument, out);
    if (!failed) {
        out->predict = predict_or_end;
        out->port_motion = motion_or_nonsense;
    }
    return failed;
}
