// SPDX-License-Identifier: MIT
// Modes as motions for a recorder: the pose, moved along the shape. Columns are those of a run as
// far as they say where bodies are; three more say which mode it is.

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "modes/modes.h"

#define FRAMES 48         // of one mode; the last is the next period's first
#define MOST_TURN 0.2     // of a body [rad]
#define MOST_MOVE 0.1     // of the size of the model; of coordinates of the user's own, as it is
#define TIMES_CONSTANT 3  // how long a motion that does not swing is shown, in 1 / |s|
#define PI 3.14159265358979323846

typedef struct Film {
    const trModes *modes;
    trArena       *arena;
    trColumn      *column;
    int            columns;
    double        *row;   // columns
    double        *q;     // nq
    double        *move;  // nv, in the directions of v
} Film;

static const trColumn of_mode[] = {
    {"mode", ""}, {"eigenvalue.re", "1/s"}, {"eigenvalue.im", "1/s"}};

// Columns of a frame that say where it is.
static int place_columns(int dim) {
    return dim == 2 ? 3 : 7;
}

static void add_column(Film *f, const char *owner, const char *name, const char *unit) {
    const char *both = owner == NULL ? name : tr_arena_format(f->arena, "%s.%s", owner, name);
    f->column[f->columns++] = (trColumn){both, unit};
}

// Those of positions: where a body is.
static void name_frame(Film *f, const char *name, int dim) {
    for (int i = 0; i < place_columns(dim); i++) {
        const trCoordinateInfo at = tr_system_position(f->modes->system, i);
        add_column(f, name, at.motion, at.unit);
    }
}

static trStatus plan(Film *f) {
    const trSystem *s = f->modes->system;
    const int       dim = tr_system_dim(s), bodies = tr_system_bodies(s), q = f->modes->nq;
    const int       most = 4 + q + place_columns(3) * (bodies + tr_system_frames(s));
    f->column = tr_new_array(f->arena, trColumn, most);
    f->row = tr_new_array(f->arena, double, most);
    f->q = tr_new_array(f->arena, double, q);
    f->move = tr_new_array(f->arena, double, f->modes->nv);
    TR_TRY(tr_arena_status(f->arena));
    add_column(f, NULL, "t", "s");
    for (int i = 0; dim == 0 && i < q; i++) {
        add_column(f, "q", tr_system_coordinate_name(s, i), tr_system_coordinate_unit(s, i));
    }
    for (int i = 0; i < bodies; i++) {
        name_frame(f, tr_system_body_name(s, i), dim);
    }
    for (int i = 0; i < tr_system_frames(s); i++) {
        name_frame(f, tr_system_frame_name(s, i), dim);
    }
    for (int i = 0; i < 3; i++) {
        add_column(f, NULL, of_mode[i].name, of_mode[i].unit);
    }
    return tr_arena_status(f->arena);
}

// How much of the shape is shown.
static double amplitude(const trModes *m, const trMode *mode) {
    const int dim = tr_system_dim(m->system), nq = m->nq / m->bodies, nv = m->nv / m->bodies;
    double    length = 0.0, most = 0.0;
    for (int i = 0; dim != 0 && i < m->nv; i++) {
        int body = i / nv, column = i % nv;
        length = column < dim ? fmax(length, fabs(m->q[body * nq + column])) : length;
    }
    for (int i = 0; i < m->nv; i++) {
        double size = hypot(mode->shape[i], mode->shape_im[i]);
        bool   turns = tr_system_velocity(m->system, i).turns;
        bool   moves = dim != 0 && !turns && length > 0.0;
        most = fmax(most, size / (turns ? MOST_TURN : moves ? MOST_MOVE * length : 1.0));
    }
    return most > 0.0 ? 1.0 / most : 0.0;
}

static double *put_frame(const trBodyState *b, int dim, double *to) {
    const double planar[] = {b->x, b->y, b->angle};
    const double spatial[] = {
        b->x, b->y, b->z, b->quaternion[0], b->quaternion[1], b->quaternion[2], b->quaternion[3]};
    memcpy(to, dim == 2 ? planar : spatial, (size_t)place_columns(dim) * sizeof *to);
    return to + place_columns(dim);
}

// q = q0 (+) Re((c + i s) shape), with rotations about axes of the world.
static void move(Film *f, const trMode *mode, double c, double s) {
    const trSystem *system = f->modes->system;
    const int       nb = f->modes->nv / f->modes->bodies;
    memcpy(f->q, f->modes->q, (size_t)f->modes->nq * sizeof *f->q);
    for (int i = 0; i < f->modes->nv; i++) {
        f->move[i] = c * mode->shape[i] - s * mode->shape_im[i];
    }
    for (int body = 0; tr_system_dim(system) == 3 && body < f->modes->bodies; body++) {
        const double *e = f->q + 7 * body + 3;
        double       *turn = f->move + nb * body + 3;
        trVec3        own = tr_quat_unrotate(tr_quat_unit((trQuat){e[0], e[1], e[2], e[3]}),
                                             (trVec3){turn[0], turn[1], turn[2]});
        turn[0] = own.x;
        turn[1] = own.y;
        turn[2] = own.z;
    }
    tr_system_move(system, f->move, f->q);
}

static trStatus put_row(Film *f, trRecorder *recorder, int number, double t) {
    const trModes  *m = f->modes;
    const trSystem *s = m->system;
    double         *to = f->row;
    const int       dim = tr_system_dim(s);
    *to++ = t;
    for (int i = 0; dim == 0 && i < m->nq; i++) {
        *to++ = f->q[i];
    }
    for (int i = 0; i < tr_system_bodies(s); i++) {
        trBodyState body = tr_system_body_state(s, i, f->q, m->v);
        to = put_frame(&body, dim, to);
    }
    for (int i = 0; i < tr_system_frames(s); i++) {
        trBodyState frame = tr_system_frame_state(s, i, f->q, m->v);
        to = put_frame(&frame, dim, to);
    }
    *to++ = number + 1;
    *to++ = m->mode[number].re;
    *to++ = m->mode[number].im;
    return tr_recorder_row(recorder, f->row);
}

// One period; of a motion that does not swing, how it grows to the full amplitude or dies out.
static trStatus put_mode(Film *f, trRecorder *recorder, int number) {
    const trMode *mode = &f->modes->mode[number];
    double        most = amplitude(f->modes, mode), size = hypot(mode->re, mode->im);
    bool          swings = mode->im > 0.0;
    double        length = swings ? 2.0 * PI / mode->im : TIMES_CONSTANT / size;
    for (int k = 0; k <= FRAMES; k++) {
        double t = length * k / FRAMES, grown = exp(mode->re * (mode->re > 0.0 ? t - length : t));
        double c = swings ? cos(mode->im * t) : grown, s = swings ? sin(mode->im * t) : 0.0;
        move(f, mode, most * c, most * s);
        TR_TRY(put_row(f, recorder, number, t));
    }
    return TR_OK;
}

trStatus tr_modes_record(const trModes *modes, trRecorder *recorder) {
    Film film = {.modes = modes, .arena = tr_arena_create()};
    if (film.arena == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = plan(&film);
    if (status == TR_OK) {
        long rows = (long)modes->count * (FRAMES + 1);
        status = tr_recorder_begin(recorder, film.columns, film.column, rows);
    }
    for (int i = 0; status == TR_OK && i < modes->count; i++) {
        status = put_mode(&film, recorder, i);
    }
    tr_arena_destroy(film.arena);
    return status;
}
