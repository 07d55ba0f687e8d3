// SPDX-License-Identifier: MIT
// The mass on a spring of examples/modules with one fault in what it shows or says, chosen by
// fault=WORD.

#define tr_module_open sound_open
#include "modules/mass_spring.c"
#undef tr_module_open

int tr_module_open(int arguments, const char *const *argument, trModule *out);

static int motion_of_none(void *self, double *x, double *v, double *a) {
    int failed = port_motion(self, x, v, a);
    v[0] = NAN;
    return failed;
}

static int infinite_compliance(void *self, double *W) {
    int failed = compliance(self, W);
    W[4] = INFINITY;
    return failed;
}

static int residual_of_none(void *self, double *size) {
    int failed = residual(self, size);
    *size = NAN;
    return failed;
}

static int refuse(void *self, const trGlueStep *step) {
    return self != NULL && step->t > 0.0;
}

static const char *two_lines(void *self) {
    return self != NULL ? "first line\nsecond\tline" : "";
}

static int no_output(void *self, double *value) {
    value[0] = 1.0;
    return self != NULL;
}

static size_t gigabytes(void *self) {
    return self != NULL ? (size_t)1 << 32 : 0;
}

// Numbers and names that cannot be.
static void show_wrong(const char *fault, trModule *out) {
    static const char *const no_names[] = {NULL}, *const twins[] = {"mass", "mass"};
    static const char *const output[] = {"energy"};
    out->version += strcmp(fault, "version") == 0;
    out->dim = strcmp(fault, "dim") == 0 ? 4 : out->dim;
    out->ports = strcmp(fault, "negative_ports") == 0 ? -1 : out->ports;
    out->ports = strcmp(fault, "too_many_ports") == 0 ? 1 << 30 : out->ports;
    out->state_size = strcmp(fault, "state") == 0 ? gigabytes : out->state_size;
    out->port_name = strcmp(fault, "no_names") == 0 ? no_names : out->port_name;
    out->port_name = strcmp(fault, "null_names") == 0 ? NULL : out->port_name;
    if (strcmp(fault, "twins") == 0) {
        out->ports = 2;
        out->port_name = twins;
    }
    if (strcmp(fault, "output") == 0) {
        out->outputs = 1;
        out->output_name = output;
        out->output = no_output;
        out->error = two_lines;
    }
}

// Functions that are missing, fail, or answer with what is no number.
static void act_wrong(const char *fault, trModule *out) {
    out->accept = strcmp(fault, "no_accept") == 0 ? NULL : out->accept;
    out->save = strcmp(fault, "no_save") == 0 ? NULL : out->save;
    out->port_motion = strcmp(fault, "motion") == 0 ? motion_of_none : out->port_motion;
    out->compliance = strcmp(fault, "compliance") == 0 ? infinite_compliance : out->compliance;
    out->residual = strcmp(fault, "residual") == 0 ? residual_of_none : out->residual;
    if (strcmp(fault, "words") == 0 || strcmp(fault, "silence") == 0) {
        out->predict = refuse;
        out->error = fault[0] == 'w' ? two_lines : NULL;
    }
    out->takes = strcmp(fault, "forces_alone") == 0 ? 0u : out->takes;
}

int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    int failed = sound_open(arguments, argument, out);
    for (int i = 0; i < arguments && !failed; i++) {
        if (strncmp(argument[i], "fault=", 6) == 0) {
            show_wrong(argument[i] + 6, out);
            act_wrong(argument[i] + 6, out);
        }
        if (strcmp(argument[i], "fault=open") == 0) {
            free(out->self);
            out->name = "first line\nsecond line";
            failed = 1;
        }
    }
    return failed;
}
