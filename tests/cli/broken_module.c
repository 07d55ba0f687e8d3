// SPDX-License-Identifier: MIT
// The mass on a spring of examples/modules, which cannot save its state and breaks at t = 0.5 s.

#define tr_module_open sound_open
#include "modules/mass_spring.c"
#undef tr_module_open

int tr_module_open(int arguments, const char *const *argument, trModule *out);

static int break_later(void *self, const trGlueStep *step) {
    return step->t > 0.5 ? 1 : predict(self, step);
}

static const char *words(void *self) {
    return self != NULL ? "the spring is broken" : "";
}

int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    int failed = sound_open(arguments, argument, out);
    out->predict = break_later;
    out->error = words;
    out->state_size = NULL;
    out->save = NULL;
    out->restore = NULL;
    return failed;
}
