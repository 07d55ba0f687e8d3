// SPDX-License-Identifier: MIT
// A coordinator for tests.
// Usage: coordinator local|mpi chain|bodies|creeping STEPS TIMEOUT OUTPUT [FAULT]
//
// Glues the chain of paper 002 to ground, or three bodies to its parallel four-bar, driven or (for
// runs without an end) creeping. Writes what moves, bit for bit, to OUTPUT after every step, and an
// error to OUTPUT.error, too, as result files have it: mpirun may lose the last lines of a process.
// FAULT: die, at step 10, by SIGKILL; end=N, after N steps. The last line tells counted and real
// messages and bytes. Ends as `trammel glue` does.

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/glue_mpi.h"
#include "glue/carrier.h"
#include "trammel/glue.h"

int chain_open(int arguments, const char *const *argument, trModule *out);
int body_open(int arguments, const char *const *argument, trModule *out);

#define MOST 3
#define FAULT_STEP 10

typedef struct Case {
    int         modules;
    const char *name[MOST], *port[MOST];
    double      at[MOST][3], step;
    int         joints;
    struct {
        const char *name;
        int         body1, body2;  // -1: ground
        double      point[2];
    } joint[4];
} Case;

// As tests/glue_mpi/cases.py starts the modules.
static const Case chain = {1,   {"chain"}, {"chain.end"},           {{2, 0, 0}},
                           0.4, 1,         {{"cut", -1, 0, {2, 0}}}};
static const Case bodies = {
    3,
    {"crank", "coupler", "rocker"},
    {"crank.center", "coupler.center", "rocker.center"},
    {{0, 0.5, 1.5707963267948966}, {1, 1, 0}, {2, 0.5, 1.5707963267948966}},
    0.04,
    4,
    {{"A", -1, 0, {0, 0}}, {"B", 0, 1, {0, 1}}, {"C", 1, 2, {2, 1}}, {"D", -1, 2, {2, 0}}}};

static const char *const crank[] = {"mass=10",
                                    "inertia=1",
                                    "x=0",
                                    "y=0.5",
                                    "angle=1.5707963267948966",
                                    "vx=-3.141592653589793",
                                    "omega=6.283185307179586",
                                    "torque=-2"};
static const char *const coupler[] = {"mass=20", "inertia=2", "x=1", "y=1",
                                      "vx=-6.283185307179586"};
static const char *const rocker[] = {"mass=10",
                                     "inertia=1",
                                     "x=2",
                                     "y=0.5",
                                     "angle=1.5707963267948966",
                                     "vx=-3.141592653589793",
                                     "omega=6.283185307179586"};

// So slow that the pose where the four-bar is flat, and what follows is not unique, is hours away.
static const char *const slow_crank[] = {
    "mass=10", "inertia=1", "x=0", "y=0.5", "angle=1.5707963267948966", "vx=-5e-6", "omega=1e-5"};
static const char *const slow_coupler[] = {"mass=20", "inertia=2", "x=1", "y=1", "vx=-1e-5"};
static const char *const slow_rocker[] = {
    "mass=10", "inertia=1", "x=2", "y=0.5", "angle=1.5707963267948966", "vx=-5e-6", "omega=1e-5"};

#define TRY(call)             \
    do {                      \
        trStatus s_ = (call); \
        if (s_ != TR_OK) {    \
            return s_;        \
        }                     \
    } while (0)

static trStatus make_ports(const Case *c, trModel **model, trSystem **system) {
    int body[MOST];
    TRY(tr_model_create(TR_PARAMS(TR_NUM("dim", 2), TR_VEC("gravity", 0.0, 0.0)), model));
    for (int i = 0; i < c->modules; i++) {
        TRY(tr_model_add_body(*model, c->port[i],
                              TR_PARAMS(TR_NUM("mass", 1), TR_NUM("inertia", 1),
                                        TR_VEC("at", c->at[i][0], c->at[i][1]),
                                        TR_NUM("angle", c->at[i][2])),
                              &body[i]));
    }
    for (int i = 0; i < c->joints; i++) {
        int b1 = c->joint[i].body1, b2 = c->joint[i].body2;
        TRY(tr_model_add_joint(
            *model, "revolute", c->joint[i].name, b1 < 0 ? TR_GROUND : body[b1], body[b2],
            TR_PARAMS(TR_VEC("point", c->joint[i].point[0], c->joint[i].point[1])), NULL));
    }
    return tr_system_build(*model, system);
}

static trStatus open_local(const Case *c, bool creeps, trCarrier **out) {
    static const char *const *const driven[] = {crank, coupler, rocker};
    static const char *const *const slow[] = {slow_crank, slow_coupler, slow_rocker};
    static const int                drivens[] = {8, 5, 7}, slows[] = {7, 5, 7};
    trModule                        module[MOST];
    int                             failed = 0;
    for (int i = 0; i < c->modules; i++) {
        failed += c == &chain ? chain_open(0, NULL, &module[i])
                  : creeps    ? body_open(slows[i], slow[i], &module[i])
                              : body_open(drivens[i], driven[i], &module[i]);
    }
    return failed ? TR_E_MEMORY : tr_carrier_create_local(c->modules, c->name, module, out);
}

static void write_row(FILE *file, const trGlue *glue, int ports) {
    fprintf(file, "%a %d", tr_glue_time(glue), tr_glue_iterations(glue));
    for (int i = 0; i < ports; i++) {
        trBodyState s = tr_glue_port(glue, i);
        fprintf(file, " %a %a %a %a %a %a", s.x, s.y, s.angle, s.vx, s.vy, s.omega);
    }
    fprintf(file, "\n");
    fflush(file);
}

static trStatus run(const Case *c, const trGlueDef *def, const trSystem *system, trCarrier *carrier,
                    FILE *file, const char *fault) {
    trGlue *glue = NULL;
    int64_t messages = 0, bytes = 0, before[2] = {0};
    tr_cli_mpi_traffic(&before[0], &before[1]);
    trStatus status = tr_glue_create(system, carrier, def, &glue);
    int      most = strncmp(fault, "end=", 4) == 0 ? atoi(fault + 4) : INT_MAX;
    for (int n = 1; status == TR_OK && n <= most && tr_glue_time(glue) < def->duration - 1e-9;
         n++) {
        if (n == FAULT_STEP && strcmp(fault, "die") == 0) {
            raise(SIGKILL);
        }
        status = tr_glue_step(glue);
        if (status == TR_OK) {
            write_row(file, glue, c->modules);
        }
    }
    tr_cli_mpi_traffic(&messages, &bytes);
    if (status == TR_OK) {
        printf("counted %lld messages %lld bytes, real %lld messages %lld bytes\n",
               (long long)carrier->messages, (long long)carrier->bytes,
               (long long)(messages - before[0]), (long long)(bytes - before[1]));
    }
    tr_glue_destroy(glue);
    return status;
}

static void tell_error(const char *output) {
    char path[4096];
    snprintf(path, sizeof path, "%s.error", output);
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "coordinator: %s\n", tr_last_error());
        fclose(file);
    }
    fprintf(stderr, "coordinator: %s\n", tr_last_error());
}

// As `trammel glue` does: mpirun sends it when a module has died, and kills a second later.
static volatile int stop;

static void be_told(int number) {
    (void)number;
    stop = 1;
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fputs("usage: coordinator local|mpi chain|bodies|creeping STEPS TIMEOUT OUTPUT [FAULT]\n",
              stderr);
        return 2;
    }
    const Case *c = strcmp(argv[2], "chain") == 0 ? &chain : &bodies;
    bool        mpi = strcmp(argv[1], "mpi") == 0;
    trGlueDef   def = tr_glue_def_default();
    trModel    *model = NULL;
    trSystem   *system = NULL;
    trCarrier  *carrier = NULL;
    FILE       *file = fopen(argv[5], "w");
    def.step = c->step;
    def.duration = c->step * atof(argv[3]);
    def.tolerance = 1e-8;
    def.timeout = atof(argv[4]);
    signal(SIGTERM, be_told);
    trStatus status = mpi ? tr_cli_mpi_join() : TR_OK;
    status = status == TR_OK ? make_ports(c, &model, &system) : status;
    if (status == TR_OK) {
        status = mpi ? tr_cli_mpi_carrier(c->modules, c->name, def.timeout, &stop, &carrier)
                     : open_local(c, strcmp(argv[2], "creeping") == 0, &carrier);
    }
    if (status == TR_OK) {
        status = run(c, &def, system, carrier, file, argc > 6 ? argv[6] : "");
    }
    int code = status == TR_OK ? 0 : status == TR_E_PARTNER ? 5 : status == TR_E_MODEL ? 3 : 1;
    if (code != 0) {
        tell_error(argv[5]);
    }
    fclose(file);
    if (mpi) {
        tr_cli_mpi_end(carrier, code);
    } else {
        tr_carrier_destroy(carrier);
    }
    tr_system_destroy(system);
    tr_model_destroy(model);
    return code;
}
