// SPDX-License-Identifier: MIT
// The benchmark models in MuJoCo, with its Runge-Kutta integrator of order 4.
//
// The chain is a tree of nested bodies. In the four-bar every crank stands on the ground, carries
// the coupler to its right, and a `connect` equality closes each loop. Such an equality is soft: a
// critically damped spring with time constant `solref`. It is made as stiff as the step allows
// (time constant STIFF_STEPS steps, highest impedance): on four-bar 10, of 0.4, 0.5, 0.7, 1 and 2
// steps, 0.5 gives the smallest errors and 0.4 is unstable.
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

#define LEVELS 80        // of nested bodies in one file
#define STIFF_STEPS 0.5  // time constant of a loop closure, in steps
#define FILE_ROOM 80000  // bytes of the text of one file, without equalities
#define BODY_ROOM 600    // bytes of the text of one body

static const char *const rod_mass = "<joint type='hinge' axis='0 0 1'/>"
                                    "<inertial mass='1' pos='0.5 0 0' "
                                    "diaginertia='1e-4 0.083333333333333333 "
                                    "0.083333333333333333'/>";

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

// Rods `first` to the end, nested; what is beyond LEVELS goes into a file of its own.
static void add_chain(mjVFS *files, Text *text, int first, int N) {
    int last = first + LEVELS < N ? first + LEVELS : N;
    for (int i = first; i < last; i++) {
        text_add(text, "<body pos='%d 0 0'>%s", i == 0 ? 0 : 1, rod_mass);
    }
    if (last < N) {
        char name[32];
        Text rest = text_new(FILE_ROOM);
        snprintf(name, sizeof name, "rods%d.xml", last);
        text_add(text, "<include file='%s'/>", name);
        text_add(&rest, "<mujoco>");
        add_chain(files, &rest, last, N);
        text_add(&rest, "</mujoco>");
        add_file(files, name, rest);
    }
    for (int i = first; i < last; i++) {
        text_add(text, "</body>");
    }
}

static void add_fourbar(Text *text, int N, double h) {
    for (int i = 0; i <= N; i++) {
        text_add(text, "<body name='crank%d' pos='%d 0 0' euler='0 0 90'>%s", i, i, rod_mass);
        if (i < N) {
            text_add(text, "<body name='coupler%d' pos='1 0 0' euler='0 0 -90'>%s</body>", i,
                     rod_mass);
        }
        text_add(text, "</body>");
    }
    text_add(text, "</worldbody><equality>");
    for (int i = 0; i < N; i++) {
        text_add(text,
                 "<connect body1='coupler%d' body2='crank%d' anchor='1 0 0' solref='%.17g 1' "
                 "solimp='0.9999 0.9999 0.001 0.5 2'/>",
                 i, i + 1, STIFF_STEPS * h);
    }
    text_add(text, "</equality>");
}

static mjModel *make_model(const BenchTask *task) {
    double h = BENCH_DURATION / task->setting;
    mjVFS *files = malloc(sizeof *files);
    Text   text = text_new(FILE_ROOM + (task->fourbar ? BODY_ROOM * 2 * (size_t)task->N : 0));
    char   error[500] = "";

    mj_defaultVFS(files);
    text_add(&text,
             "<mujoco><compiler angle='degree'/>"
             "<option timestep='%.17g' gravity='0 %.17g 0' integrator='RK4' solver='Newton' "
             "tolerance='1e-12'><flag contact='disable' refsafe='disable'/></option>"
             "<size njmax='%d' nconmax='1'/><worldbody>",
             h, -BENCH_GRAVITY, 3 * task->N + 10);
    if (task->fourbar) {
        add_fourbar(&text, task->N, h);
    } else {
        add_chain(files, &text, 0, task->N);
        text_add(&text, "</worldbody>");
    }
    text_add(&text, "</mujoco>");
    add_file(files, "model.xml", text);

    mjModel *model = mj_loadXML("model.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    free(files);
    if (model == NULL) {
        fprintf(stderr, "mujoco: %s\n", error);
    }
    return model;
}

// The tree numbers crank i and coupler i one after the other; the rods of a task come by kind.
static int body_of(const BenchTask *task, int rod) {
    if (!task->fourbar) {
        return rod + 1;
    }
    return rod <= task->N ? 2 * rod + 1 : 2 * (rod - task->N - 1) + 2;
}

static void reset(const BenchTask *task, const mjModel *model, mjData *data) {
    mj_resetData(model, data);
    for (int i = 0; task->fourbar && i <= task->N; i++) {
        data->qvel[2 * i] = -1.0;
        if (i < task->N) {
            data->qvel[2 * i + 1] = 1.0;  // the coupler translates
        }
    }
}

static BenchRun run_once(const BenchTask *task, const mjModel *model, mjData *data,
                         BenchEnds *ends) {
    long     steps = lround(task->setting);
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
        const double *at = data->xpos + 3 * body_of(task, i);
        const double *turn = data->xmat + 9 * body_of(task, i);
        ends[i] = (BenchEnds){at[0], at[1], at[0] + turn[0], at[1] + turn[3]};
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
