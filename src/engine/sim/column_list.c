// SPDX-License-Identifier: MIT
#include "sim/column_list.h"

#include "model/names.h"

#define FIRST_ROOM 64
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

void tr_columns_add(trColumnList *list, const char *name, const char *unit) {
    if (list->count == list->room) {
        int       room = list->room == 0 ? FIRST_ROOM : 2 * list->room;
        trColumn *larger = tr_new_array(list->arena, trColumn, room);
        if (larger == NULL) {
            return;
        }
        if (list->count > 0) {
            memcpy(larger, list->column, (size_t)list->count * sizeof *larger);
        }
        list->column = larger;
        list->room = room;
    }
    list->column[list->count++] = (trColumn){name, unit};
}

void tr_columns_add_all(trColumnList *list, const char *owner, int count, const trColumn *kind) {
    for (int k = 0; k < count; k++) {
        const char *name = kind[k].name;
        tr_columns_add(list,
                       owner == NULL ? name : tr_arena_format(list->arena, "%s.%s", owner, name),
                       kind[k].unit);
    }
}

const char *tr_columns_unit(trColumnList *list, const char *unit, const char *per) {
    bool plain = unit[0] == '\0' || per[0] == '\0';
    return plain ? unit : tr_arena_format(list->arena, "%s%s", unit, per);
}

// Users choose names, and dots in them may make two columns alike.
static trStatus check_names(const trColumnList *list, trArena *scratch) {
    trNames names = {0};
    for (int i = 0; i < list->count; i++) {
        const char *name = list->column[i].name;
        if (tr_names_find(&names, name) >= 0) {
            return tr_fail(TR_E_MODEL,
                           "two columns of the results would be called '%s'; rename one of those "
                           "that have it",
                           name);
        }
        TR_TRY(tr_names_add(scratch, &names, name, i));
    }
    return TR_OK;
}

trStatus tr_columns_check(const trColumnList *list) {
    TR_TRY(tr_arena_status(list->arena));
    trArena *scratch = tr_arena_create();
    if (scratch == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = check_names(list, scratch);
    tr_arena_destroy(scratch);
    return status;
}

// --- frames and loads ---

static const trColumn of_frame2[] = {
    {"x", "m"},         {"y", "m"},      {"angle", "rad"}, {"vx", "m/s"},        {"vy", "m/s"},
    {"omega", "rad/s"}, {"ax", "m/s^2"}, {"ay", "m/s^2"},  {"alpha", "rad/s^2"},
};
static const trColumn of_frame3[] = {
    {"x", "m"},
    {"y", "m"},
    {"z", "m"},
    {"e0", ""},
    {"e1", ""},
    {"e2", ""},
    {"e3", ""},
    {"vx", "m/s"},
    {"vy", "m/s"},
    {"vz", "m/s"},
    {"wx", "rad/s"},
    {"wy", "rad/s"},
    {"wz", "rad/s"},
    {"ax", "m/s^2"},
    {"ay", "m/s^2"},
    {"az", "m/s^2"},
    {"alphax", "rad/s^2"},
    {"alphay", "rad/s^2"},
    {"alphaz", "rad/s^2"},
};
static const trColumn of_load2[] = {{"Fx", "N"}, {"Fy", "N"}, {"M", "N m"}};
static const trColumn of_load3[] = {{"Fx", "N"},   {"Fy", "N"},   {"Fz", "N"},
                                    {"Mx", "N m"}, {"My", "N m"}, {"Mz", "N m"}};

int tr_columns_of_frame(int dim, const trColumn **out) {
    *out = dim == 2 ? of_frame2 : of_frame3;
    return dim == 2 ? COUNT(of_frame2) : COUNT(of_frame3);
}

int tr_columns_of_load(int dim, const trColumn **out) {
    *out = dim == 2 ? of_load2 : of_load3;
    return dim == 2 ? COUNT(of_load2) : COUNT(of_load3);
}

double *tr_columns_fill_frame(int dim, const trBodyState *f, const trAcceleration *a, double *to) {
    const trVec3  origin = a->origin, alpha = a->angular;
    const double *e = f->quaternion;
    if (dim == 2) {
        return tr_columns_put(to, COUNT(of_frame2),
                              (const double[]){f->x, f->y, f->angle, f->vx, f->vy, f->omega,
                                               origin.x, origin.y, alpha.z});
    }
    return tr_columns_put(to, COUNT(of_frame3),
                          (const double[]){f->x, f->y, f->z, e[0], e[1], e[2], e[3], f->vx, f->vy,
                                           f->vz, f->wx, f->wy, f->wz, origin.x, origin.y, origin.z,
                                           alpha.x, alpha.y, alpha.z});
}

double *tr_columns_fill_load(int dim, trVec3 F, trVec3 M, double *to) {
    return dim == 2 ? tr_columns_put(to, COUNT(of_load2), (const double[]){F.x, F.y, M.z})
                    : tr_columns_put(to, COUNT(of_load3),
                                     (const double[]){F.x, F.y, F.z, M.x, M.y, M.z});
}
