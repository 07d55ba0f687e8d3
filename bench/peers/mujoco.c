// SPDX-License-Identifier: MIT
// The benchmark models in MuJoCo, with its Runge-Kutta integrator of order 4.
//
// Rods are nested bodies with a hinge each, and `connect` equalities close the loops: one for a
// loop in the plane, two on the axis of the hinge in space. Such an equality is soft: a critically
// damped spring with time constant `solref`. It is made as stiff as the step allows (highest
// impedance, and a time constant of so many steps as gives the smallest errors). On four-bar 10, of
// 0.4, 0.5, 0.7, 1 and 2 steps, 0.5 is best and 0.4 unstable; on Bricard's loop, of 0.4, 0.5, 0.6,
// 0.7 and 1, 0.6 is best, and neither the distance of the two points nor the joint that is cut
// changes the error much.
//
// The model is MJCF text in memory. The XML parser accepts about 100 levels of nesting, so a long
// chain goes into several virtual files that include each other.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../row.h"

#define LEVELS 80         // of nested bodies in one file
#define STIFF_STEPS 0.5   // time constant of a loop closure in the plane, in steps
#define STIFF_STEPS3 0.6  // in space
#define FILE_ROOM 80000   // bytes of the text of one file, without equalities
#define BODY_ROOM 600     // bytes of the text of one body

// Text that grows; its room is reserved at the start.
typedef struct Text {
    char  *start;
    size_t length, room;
} Text;

static Text text_new(size_t room) {
    Text text = {.start = malloc(room), .room = room};
    if (text.start == NULL) {
        fprintf(stderr, "mujoco: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return text;
}

static void text_add(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written =
        vsnprintf(text->start + text->length, text->room - text->length, format, arguments);
    va_end(arguments);
    text->length += (size_t)written;
    if (text->length >= text->room) {
        fprintf(stderr, "mujoco: model text is too long\n");
        exit(EXIT_FAILURE);
    }
}

// Gives the text to the virtual file system, which frees it.
static void add_file(mjVFS *files, const char *name, Text text) {
    int i = files->nfile++;
    snprintf(files->filename[i], sizeof files->filename[i], "%s", name);
    files->filesize[i] = (int)text.length;
    files->filedata[i] = text.start;
}

static void add_body(Text *text, const BenchTask *task, int i) {
    BenchRod rod = bench_rod(task, i);
    BenchVec at = rod.parent == BENCH_GROUND ? rod.at : bench_rod(task, rod.parent).along;
    text_add(text,
             "<body name='rod%d' pos='%g %g %g'><joint type='hinge' axis='%g %g %g'/>"
             "<inertial mass='1' pos='%g %g %g' diaginertia='%.17g %.17g %.17g'/>",
             i, at.x, at.y, at.z, rod.axis.x, rod.axis.y, rod.axis.z, 0.5 * rod.along.x,
             0.5 * rod.along.y, 0.5 * rod.along.z, rod.inertia.x, rod.inertia.y, rod.inertia.z);
}

// A rod and all that it carries, nested; what is beyond LEVELS goes into a file of its own.
static void add_branch(mjVFS *files, Text *text, const BenchTask *task, int rod) {
    int levels = 0;
    while (rod != BENCH_NONE && levels < LEVELS) {
        add_body(text, task, rod);
        rod = bench_rod(task, rod).child;
        levels++;
    }
    if (rod != BENCH_NONE) {
        char name[32];
        Text rest = text_new(FILE_ROOM);
        snprintf(name, sizeof name, "rods%d.xml", rod);
        text_add(text, "<include file='%s'/>", name);
        text_add(&rest, "<mujoco>");
        add_branch(files, &rest, task, rod);
        text_add(&rest, "</mujoco>");
        add_file(files, name, rest);
    }
    while (levels-- > 0) {
        text_add(text, "</body>");
    }
}

// Ties a point of the rod, given from the rod's start, to the point of the other body that is there
// at t = 0.
static void add_connect(Text *text, int i, const BenchRod *rod, BenchVec point,
                        double time_constant) {
    char other[32] = "";
    if (rod->closes != BENCH_GROUND) {
        snprintf(other, sizeof other, "body2='rod%d'", rod->closes);
    }
    text_add(text,
             "<connect body1='rod%d' %s anchor='%g %g %g' solref='%.17g 1' "
             "solimp='0.9999 0.9999 0.001 0.5 2'/>",
             i, other, point.x, point.y, point.z, time_constant);
}

static void add_closures(Text *text, const BenchTask *task, double h) {
    double time_constant = h * (bench_planar(task) ? STIFF_STEPS : STIFF_STEPS3);  // [s]
    for (int i = 0; i < bench_rods(task); i++) {
        BenchRod rod = bench_rod(task, i);
        BenchVec end = rod.along, axis = rod.closing_axis;
        BenchVec beside = {end.x + axis.x, end.y + axis.y, end.z + axis.z};
        if (rod.closes != BENCH_NONE) {
            add_connect(text, i, &rod, end, time_constant);
        }
        if (rod.closes != BENCH_NONE && !bench_planar(task)) {
            add_connect(text, i, &rod, beside, time_constant);
        }
    }
}

static mjModel *make_model(const BenchTask *task) {
    double   h = 1.0 / task->setting;
    BenchVec g = bench_gravity(task);
    mjVFS   *files = malloc(sizeof *files);
    bool     chain = task->model == BENCH_CHAIN || task->model == BENCH_CHAIN3;
    Text     text = text_new(FILE_ROOM + (chain ? 0 : BODY_ROOM * (size_t)bench_rods(task)));
    char     error[500] = "";

    mj_defaultVFS(files);
    text_add(&text,
             "<mujoco><option timestep='%.17g' gravity='%.17g %.17g %.17g' integrator='RK4' "
             "solver='Newton' tolerance='1e-12'><flag contact='disable' refsafe='disable'/>"
             "</option><size njmax='%d' nconmax='1'/><worldbody>",
             h, g.x, g.y, g.z, 3 * task->N + 10);
    for (int i = 0; i < bench_rods(task); i++) {
        if (bench_rod(task, i).parent == BENCH_GROUND) {
            add_branch(files, &text, task, i);
        }
    }
    text_add(&text, "</worldbody><equality>");
    add_closures(&text, task, h);
    text_add(&text, "</equality></mujoco>");
    add_file(files, "model.xml", text);

    mjModel *model = mj_loadXML("model.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    free(files);
    if (model == NULL) {
        fprintf(stderr, "mujoco: %s\n", error);
    }
    return model;
}

// The tree numbers its bodies as they are nested, which is not always the order of the rods.
static int body_of(const mjModel *model, int rod) {
    char name[32];
    snprintf(name, sizeof name, "rod%d", rod);
    return mj_name2id(model, mjOBJ_BODY, name);
}

static void reset(const BenchTask *task, const mjModel *model, mjData *data) {
    mj_resetData(model, data);
    for (int i = 0; task->model == BENCH_FOURBAR && i < bench_rods(task); i++) {
        BenchRod rod = bench_rod(task, i);
        double   base = rod.parent == BENCH_GROUND ? 0.0 : bench_rod(task, rod.parent).omega;
        data->qvel[model->body_dofadr[body_of(model, i)]] = rod.omega - base;
    }
}

static BenchRun run_once(const BenchTask *task, const mjModel *model, mjData *data,
                         BenchEnds *ends) {
    long     steps = lround(task->setting * bench_duration(task));
    BenchRun run = {.error = NAN};

    reset(task, model, data);
    const volatile int *stop = bench_budget(task->budget);
    double              start = bench_cpu();
    while (run.steps < steps && run.outcome == BENCH_DONE) {
        mj_step(model, data);
        run.steps++;
        run.outcome = run.steps < steps && *stop ? BENCH_CUT : BENCH_DONE;
    }
    run.cpu_seconds = bench_cpu() - start;
    run.evaluations = 4 * run.steps;
    if (run.outcome != BENCH_DONE) {
        return run;
    }
    mj_kinematics(model, data);
    for (int i = 0; i < bench_rods(task); i++) {
        int           body = body_of(model, i);
        const double *at = data->xpos + 3 * body, *turn = data->xmat + 9 * body;
        BenchVec      along = bench_rod(task, i).along;
        double        point[3] = {along.x, along.y, along.z}, arm[3];
        mju_rotVecMat(arm, point, turn);
        ends[i] =
            (BenchEnds){{at[0], at[1], at[2]}, {at[0] + arm[0], at[1] + arm[1], at[2] + arm[2]}};
    }
    run.error = bench_error(task, ends);
    return run;
}

// Steps that are too large make it warn, in a file of its own; here the error tells.
static void ignore(const char *message) {
    (void)message;
}

static void give_up(const char *message) {
    fprintf(stderr, "mujoco: %s\n", message);
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    BenchTask task;
    if (!bench_parse(argc, argv, &task)) {
        return 2;
    }
    mju_user_warning = ignore;
    mju_user_error = give_up;
    mjModel   *model = make_model(&task);
    mjData    *data = model == NULL ? NULL : mj_makeData(model);
    BenchEnds *ends = calloc((size_t)bench_rods(&task), sizeof *ends);
    if (data == NULL || ends == NULL) {
        return EXIT_FAILURE;
    }
    BenchRun best, run;
    double   start = bench_cpu();
    int      repeats = 0;
    do {
        run = run_once(&task, model, data, ends);
    } while (bench_again(&best, &run, ++repeats, bench_cpu() - start));
    bench_print("mujoco", "rk4", &task, &best);
    free(ends);
    mj_deleteData(data);
    mj_deleteModel(model);
    return EXIT_SUCCESS;
}
