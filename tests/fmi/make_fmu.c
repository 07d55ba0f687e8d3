// SPDX-License-Identifier: MIT
#include "fmi/make_fmu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "fmi/oscillator.h"

typedef struct Text {
    char   bytes[32768];
    size_t length;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length,
                                      format, arguments);
    va_end(arguments);
}

typedef struct Variable {
    const char *name, *causality, *unit, *start;
    int         derivative_of;  // reference, or -1
} Variable;

static const Variable reals[REALS] = {
    [TIP_X] = {"tip.x", "output", "m", "0", -1},
    [TIP_Y] = {"tip.y", "output", "m", "0", -1},
    [TIP_ANGLE] = {"tip.angle", "output", "rad", "0", -1},
    [TIP_VX] = {"tip.vx", "output", "m/s", "0", TIP_X},
    [TIP_VY] = {"tip.vy", "output", "m/s", "0", TIP_Y},
    [TIP_OMEGA] = {"tip.omega", "output", "rad/s", "0", TIP_ANGLE},
    [TIP_AX] = {"tip.ax", "output", "m/s2", NULL, TIP_VX},
    [TIP_AY] = {"tip.ay", "output", "m/s2", NULL, TIP_VY},
    [TIP_ALPHA] = {"tip.alpha", "output", "rad/s2", NULL, TIP_OMEGA},
    [TIP_FX] = {"tip.fx", "input", "N", "0", -1},
    [TIP_FY] = {"tip.fy", "input", "N", "0", -1},
    [TIP_MOMENT] = {"tip.moment", "input", "N.m", "0", -1},
    [TAIL_X] = {"tail.x", "output", "m", NULL, -1},
    [TAIL_VX] = {"tail.vx", "output", "m/s", NULL, -1},
    [TAIL_AX] = {"tail.ax", "output", "m/s2", NULL, TAIL_VX},
    [TAIL_FX] = {"tail.fx", "input", "N", "0", -1},
    [MASS] = {"mass", "parameter", "kg", "2", -1},
    [INERTIA] = {"inertia", "parameter", "kg.m2", "0.5", -1},
    [STIFFNESS] = {"stiffness", "parameter", "N/m", "8", -1},
    [DAMPING] = {"damping", "parameter", "N.s/m", "0", -1},
    [GRAVITY] = {"gravity", "parameter", "m/s2", "0", -1},
    [FLOOR] = {"floor", "parameter", "m", "-1e30", -1},
    [KICK_TIME] = {"kick_time", "parameter", "s", "1e30", -1},
    [ENERGY] = {"energy", "output", "J", NULL, -1},
    [E0] = {"tip.e0", "output", "1", NULL, -1},
    [E1] = {"tip.e1", "output", "1", NULL, -1},
    [E2] = {"tip.e2", "output", "1", NULL, -1},
    [E3] = {"tip.e3", "output", "1", NULL, -1},
    [WX] = {"tip.wx", "output", "rad/s", NULL, -1},
    [WY] = {"tip.wy", "output", "rad/s", NULL, -1},
    [ALPHAX] = {"tip.alphax", "output", "rad/s2", NULL, -1},
    [ALPHAY] = {"tip.alphay", "output", "rad/s2", NULL, -1},
    [MX] = {"tip.mx", "input", "N.m", "0", -1},
    [MY] = {"tip.my", "input", "N.m", "0", -1},
};

// Names of rotation about z in space.
static const char *name_of(const Plan *plan, int i) {
    return !plan->spatial    ? reals[i].name
           : i == TIP_OMEGA  ? "tip.wz"
           : i == TIP_ALPHA  ? "tip.alphaz"
           : i == TIP_MOMENT ? "tip.mz"
                             : reals[i].name;
}

static bool is_acceleration(int i) {
    return (i >= TIP_AX && i <= TIP_ALPHA) || i == TAIL_AX;
}

static void add_real(Text *text, const Plan *plan, int i) {
    const Variable *v = &reals[i];
    bool renamed = (is_acceleration(i) && (plan->no_accelerations || plan->only_derivatives)) ||
                   (i == TIP_VX && plan->no_velocity);
    bool        derived = v->derivative_of >= 0 && !(is_acceleration(i) && plan->no_accelerations);
    const char *variability = strcmp(v->causality, "parameter") == 0 ? "fixed" : "continuous";
    char        start[64] = "", derivative[64] = "";
    if (v->start != NULL) {
        snprintf(start, sizeof start, " start=\"%s\"", v->start);
    }
    if (derived) {  // an index from 1 in 2.0, a value reference in 3.0
        snprintf(derivative, sizeof derivative, " derivative=\"%d\"",
                 plan->version == 2 ? v->derivative_of + 1 : v->derivative_of);
    }
    const char *unit = i == TIP_X && plan->unit != NULL ? plan->unit : v->unit;
    if (plan->version == 2) {
        add(text,
            "<ScalarVariable name=\"%s%s\" valueReference=\"%d\" causality=\"%s\" "
            "variability=\"%s\"><Real unit=\"%s\"%s%s/></ScalarVariable>\n",
            renamed ? "inner " : "", name_of(plan, i), i, v->causality, variability, unit, start,
            derivative);
    } else {
        add(text,
            "<Float64 name=\"%s%s\" valueReference=\"%d\" causality=\"%s\" variability=\"%s\" "
            "unit=\"%s\"%s%s/>\n",
            renamed ? "inner " : "", name_of(plan, i), i, v->causality, variability, unit, start,
            derivative);
    }
}

static void add_others(Text *text, int version) {
    static const struct {
        const char *name, *two, *three, *start;
        int         reference;
    } others[] = {{"trouble", "Integer", "Int32", "0", TROUBLE},
                  {"heavy", "Boolean", "Boolean", "false", HEAVY},
                  {"label", "String", "String", "", LABEL}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (version == 2) {
            add(text,
                "<ScalarVariable name=\"%s\" valueReference=\"%d\" causality=\"parameter\" "
                "variability=\"fixed\"><%s start=\"%s\"/></ScalarVariable>\n",
                others[i].name, others[i].reference, others[i].two, others[i].start);
        } else if (others[i].reference != LABEL) {
            add(text,
                "<%s name=\"%s\" valueReference=\"%d\" causality=\"parameter\" "
                "variability=\"fixed\" start=\"%s\"/>\n",
                others[i].three, others[i].name, others[i].reference, others[i].start);
        } else {
            add(text,
                "<String name=\"label\" valueReference=\"%d\" causality=\"parameter\" "
                "variability=\"fixed\"><Start value=\"\"/></String>\n",
                LABEL);
        }
    }
}

static const char *word(bool yes) {
    return yes ? "true" : "false";
}

static void add_kind(Text *text, const Plan *plan, const char *kind) {
    const char *state = plan->version == 2 ? "state" : "State", *s = plan->version == 2 ? "" : "s";
    add(text,
        "<%s modelIdentifier=\"plate\" canGetAndSetFMU%s=\"%s\" canSerializeFMU%s=\"%s\" "
        "providesDirectionalDerivative%s=\"%s\"/>\n",
        kind, state, word(plan->repeats), state, word(plan->serializes), s, word(plan->derives));
}

static void describe(Text *text, const Plan *plan) {
    static const char version2[] = "2.0", version3[] = "3.0";
    add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add(text, "<fmiModelDescription fmiVersion=\"%s\" modelName=\"plate\" %s=\"%s\"%s>\n",
        plan->fmi_version != NULL ? plan->fmi_version
        : plan->version == 2      ? version2
                                  : version3,
        plan->version == 2 ? "guid" : "instantiationToken",
        plan->token != NULL ? plan->token : OSCILLATOR_TOKEN,
        plan->version == 2 ? " numberOfEventIndicators=\"1\"" : "");
    if (plan->exchange) {
        add_kind(text, plan, "ModelExchange");
    }
    if (plan->co) {
        add_kind(text, plan, "CoSimulation");
    }
    add(text, "<ModelVariables>\n");
    for (int i = 0; i < (plan->spatial ? REALS : E0); i++) {
        if (!plan->no_tail || i < TAIL_X || i > TAIL_FX) {
            add_real(text, plan, i);
        }
    }
    add_others(text, plan->version);
    add(text, "</ModelVariables>\n<ModelStructure>\n");
    if (plan->version == 2) {
        add(text, "<Derivatives>");
    }
    static const int rates[6] = {TIP_VX, TIP_VY, TIP_OMEGA, TIP_AX, TIP_AY, TIP_ALPHA};
    for (int i = 0; i < 6; i++) {
        if (plan->version == 2) {
            add(text, "<Unknown index=\"%d\"/>", rates[i] + 1);
        } else {
            add(text, "<ContinuousStateDerivative valueReference=\"%d\"/>\n", rates[i]);
        }
    }
    add(text, "%s%s</ModelStructure>\n</fmiModelDescription>\n",
        plan->version == 2 ? "</Derivatives>\n" : "<EventIndicator valueReference=\"1\"/>\n",
        plan->odd != NULL ? plan->odd : "");
}

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "make_fmu: %s\n", what);
        abort();
    }
}

static void put(zip_t *zip, const char *name, zip_source_t *source) {
    must(source != NULL && zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) >= 0, name);
}

void make_fmu(const char *path, const Plan *plan) {
    static Text text;
    int         code = 0;
    char        name[256];
    zip_t      *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    must(zip != NULL, path);
    text.length = 0;
    if (plan->xml == NULL) {
        describe(&text, plan);
    } else {
        add(&text, "%s", plan->xml);
    }
    if (text.length > 0) {
        put(zip, "modelDescription.xml", zip_source_buffer(zip, text.bytes, text.length, 0));
    }
    snprintf(name, sizeof name, "binaries/%s/plate.so",
             plan->platform != NULL ? plan->platform : make_platform(plan->version));
    const char *binary = plan->version == 2 ? FMU_BINARY2 : FMU_BINARY3;
    put(zip, name, zip_source_file(zip, plan->binary != NULL ? plan->binary : binary, 0, -1));
    put(zip, "resources/notes.txt", zip_source_buffer(zip, "plate\n", 6, 0));
    if (plan->extra != NULL) {
        put(zip, plan->extra, zip_source_buffer(zip, "out\n", 4, 0));
    }
    must(zip_close(zip) == 0, path);
}

const char *make_platform(int version) {
#ifdef __aarch64__
    (void)version;
    return "aarch64-linux";
#else
    return version == 2 ? "linux64" : "x86_64-linux";
#endif
}

void make_path(char out[256], const char *name) {
    snprintf(out, 256, "%s/fmi-%ld-%s", FMU_FOLDER, (long)getpid(), name);
}
