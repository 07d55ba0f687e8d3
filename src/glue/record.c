// SPDX-License-Identifier: MIT
// The columns of a glued run: time; motion of the ports; loads of the joints, and how far each one
// is open at the three levels; outputs of the modules; iterations and residuals.
// docs/guide/gluing.md describes them.

#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "glue/glue.h"
#include "model/names.h"

static const trColumn of_port2[] = {
    {"x", "m"},         {"y", "m"},      {"angle", "rad"}, {"vx", "m/s"},        {"vy", "m/s"},
    {"omega", "rad/s"}, {"ax", "m/s^2"}, {"ay", "m/s^2"},  {"alpha", "rad/s^2"},
};
static const trColumn of_port3[] = {
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
static const trColumn of_joint2[] = {{"Fx", "N"}, {"Fy", "N"}, {"M", "N m"}};
static const trColumn of_joint3[] = {{"Fx", "N"},   {"Fy", "N"},   {"Fz", "N"},
                                     {"Mx", "N m"}, {"My", "N m"}, {"Mz", "N m"}};
static const trColumn of_run[] = {{"glue.iterations", ""},
                                  {"glue.residual.dynamic", ""},
                                  {"glue.residual.acceleration", ""},
                                  {"glue.residual.velocity", ""},
                                  {"glue.residual.position", ""}};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define LEVELS 3
#define QUANTITIES 3  // lengths, angles, others

static const char *const level_name[LEVELS] = {"position", "velocity", "acceleration"};
static const char *const level_per[LEVELS] = {"", "/s", "/s^2"};
static const char *const quantity_name[QUANTITIES] = {"length", "angle", "other"};

static int quantity_of(const trInterface *it, int row) {
    const char *unit = it->system->row_unit[row];
    return strcmp(unit, "m") == 0 ? 0 : strcmp(unit, "rad") == 0 ? 1 : 2;
}

// The unit of the joint's rows of this quantity; NULL: it has none.
static const char *unit_of(const trInterface *it, int joint, int quantity) {
    for (int i = 0; i < it->m; i++) {
        if (it->system->row_joint[i] == joint && quantity_of(it, i) == quantity) {
            return it->system->row_unit[i];
        }
    }
    return NULL;
}

static bool is_chosen(const trGlue *g, int module, int output) {
    return g->rows.chosen == NULL || g->rows.chosen[module] == NULL ||
           g->rows.chosen[module][output];
}

// --- names ---

// Adds a column, or counts it while there are none yet.
static void add(trGlueRows *r, const char *name, const char *unit) {
    if (r->column != NULL) {
        r->column[r->columns] = (trColumn){name, unit};
    }
    r->columns++;
}

static void add_all(trGlueRows *r, const char *owner, int count, const trColumn *kind) {
    for (int k = 0; k < count; k++) {
        const char *name =
            r->column == NULL ? NULL : tr_arena_format(r->arena, "%s.%s", owner, kind[k].name);
        add(r, name, kind[k].unit);
    }
}

static void add_violations(const trInterface *it, trGlueRows *r, int joint) {
    const char *owner = it->system->joint[joint].name;
    for (int level = 0; level < LEVELS; level++) {
        for (int k = 0; k < QUANTITIES; k++) {
            const char *unit = unit_of(it, joint, k);
            if (unit != NULL) {
                add(r,
                    tr_arena_format(r->arena, "%s.violation.%s.%s", owner, level_name[level],
                                    quantity_name[k]),
                    unit[0] == '\0' ? ""
                                    : tr_arena_format(r->arena, "%s%s", unit, level_per[level]));
            }
        }
    }
}

static void name_columns(trGlue *g) {
    const trInterface *it = &g->it;
    trGlueRows        *r = &g->rows;
    bool               planar = it->dim == 2;
    r->columns = 0;
    add(r, "t", "s");
    for (int i = 0; i < it->system->bodies; i++) {
        add_all(r, it->system->body[i].name, planar ? COUNT(of_port2) : COUNT(of_port3),
                planar ? of_port2 : of_port3);
    }
    for (int j = 0; j < it->system->joints; j++) {
        add_all(r, it->system->joint[j].name, planar ? COUNT(of_joint2) : COUNT(of_joint3),
                planar ? of_joint2 : of_joint3);
        add_violations(it, r, j);
    }
    for (int i = 0; i < it->modules; i++) {
        const trModuleFace *face = &it->face[i];
        for (int k = 0; k < face->outputs; k++) {
            const char *unit = face->output_unit != NULL ? face->output_unit[k] : NULL;
            if (is_chosen(g, i, k)) {
                const trColumn one = {face->output_name[k], unit != NULL ? unit : ""};
                add_all(r, face->name, 1, &one);
            }
        }
    }
    for (int k = 0; k < COUNT(of_run); k++) {
        add(r, of_run[k].name, of_run[k].unit);
    }
}

// Users choose names, and dots in them may make two columns alike.
static trStatus check_names(const trGlueRows *r) {
    trNames names = {0};
    for (int i = 0; i < r->columns; i++) {
        const char *name = r->column[i].name;
        if (tr_names_find(&names, name) >= 0) {
            return tr_fail(TR_E_MODEL,
                           "two columns of the results would be called '%s'; rename one of those "
                           "that have it",
                           name);
        }
        TR_TRY(tr_names_add(r->arena, &names, name, i));
    }
    return TR_OK;
}

trStatus tr_glue_rows_begin(trGlue *g) {
    trGlueRows *r = &g->rows;
    r->arena = tr_arena_create();
    if (r->arena == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    r->column = NULL;
    name_columns(g);
    r->column = tr_new_array(r->arena, trColumn, r->columns);
    r->row = tr_new_array(r->arena, double, r->columns);
    TR_TRY(tr_arena_status(r->arena));
    name_columns(g);
    TR_TRY(tr_arena_status(r->arena));
    return check_names(r);
}

void tr_glue_rows_end(trGlue *g) {
    tr_arena_destroy(g->rows.arena);
    g->rows.arena = NULL;
    g->rows.column = NULL;
    g->rows.row = NULL;
    g->rows.recorder = NULL;
}

// --- numbers ---

static double *fill(double *to, int count, const double *numbers) {
    memcpy(to, numbers, (size_t)count * sizeof *to);
    return to + count;
}

static double *fill_ports(const trInterface *it, double *to) {
    for (int i = 0; i < it->system->bodies; i++) {
        int port = it->body_port[i];
        to = fill(to, it->nx, it->x + it->nx * port);
        to = fill(to, it->nw, it->v + it->nw * port);
        to = fill(to, it->nw, it->a + it->nw * port);
    }
    return to;
}

static double *fill_violations(const trInterface *it, int joint, double *to) {
    const double *const rows[LEVELS] = {it->phi, it->rate, it->acceleration};
    for (int level = 0; level < LEVELS; level++) {
        for (int k = 0; k < QUANTITIES; k++) {
            double most = 0.0;
            for (int i = 0; i < it->m; i++) {
                if (it->system->row_joint[i] == joint && quantity_of(it, i) == k) {
                    most = fmax(most, fabs(rows[level][i]));
                }
            }
            if (unit_of(it, joint, k) != NULL) {
                *to++ = most;
            }
        }
    }
    return to;
}

static trStatus fill_joints(trGlue *g, double **to) {
    for (int j = 0; j < g->it.system->joints; j++) {
        trReaction r;
        TR_TRY(tr_glue_reaction(g, j, &r));
        *to = g->it.dim == 2 ? fill(*to, COUNT(of_joint2), (const double[]){r.fx, r.fy, r.mz})
                             : fill(*to, COUNT(of_joint3),
                                    (const double[]){r.fx, r.fy, r.fz, r.mx, r.my, r.mz});
        *to = fill_violations(&g->it, j, *to);
    }
    return TR_OK;
}

// A row is whole whatever happens, for a run that fails hands over its last one: what a module did
// not tell is no number.
static trStatus fill_outputs(trGlue *g, bool ask, double **to) {
    trStatus status = TR_OK;
    int      outputs = 0;
    for (int i = 0; i < g->it.modules; i++) {
        for (int k = 0; k < g->it.face[i].outputs; k++) {
            outputs += is_chosen(g, i, k);
        }
    }
    if (ask && outputs > 0) {
        status = tr_glue_exchange(g, TR_CALL_OUTPUT);
    }
    for (int i = 0; i < g->it.modules; i++) {
        for (int k = 0; k < g->it.face[i].outputs; k++) {
            if (is_chosen(g, i, k)) {
                *(*to)++ = ask && status == TR_OK ? g->exchange[i].output[k] : NAN;
            }
        }
    }
    return status;
}

trStatus tr_glue_rows_fill(trGlue *g, bool ask) {
    double       *to = g->rows.row;
    const double *residual = g->history[g->iterations];
    *to++ = g->t;
    to = fill_ports(&g->it, to);
    TR_TRY(fill_joints(g, &to));
    trStatus status = fill_outputs(g, ask, &to);
    *to++ = g->iterations;
    fill(to, TR_RESIDUALS, residual);
    return status;
}

// --- outputs ---

static const char *output_word(const void *context, int i) {
    return ((const trModuleFace *)context)->output_name[i];
}

static trStatus choose(const trModuleFace *face, const char *name, bool *chosen) {
    for (int k = 0; k < face->outputs; k++) {
        if (strcmp(face->output_name[k], name) == 0) {
            chosen[k] = true;
            return TR_OK;
        }
    }
    const char *nearest = tr_spell_nearest(name, face->outputs, output_word, face);
    tr_fail(TR_E_MODEL, "module '%s' has no output '%s'", face->name, name);
    if (nearest != NULL) {
        return tr_add_hint(TR_E_MODEL, "; did you mean '%s'?", nearest);
    }
    return tr_add_hint(TR_E_MODEL, "; 'trammel glue --dry' lists them");
}

trStatus tr_glue_choose_outputs(trGlue *g, const char *module, int count,
                                const char *const *output) {
    if (g->rows.chosen == NULL) {
        g->rows.chosen = tr_arena_take(g->arena, (size_t)g->it.modules, sizeof(bool *));
        TR_TRY(tr_arena_status(g->arena));
    }
    for (int i = 0; i < g->it.modules; i++) {
        const trModuleFace *face = &g->it.face[i];
        if (strcmp(face->name, module) == 0) {
            // Not an array that is kept with the state: it comes with the assembly.
            g->rows.chosen[i] = tr_arena_take(g->arena, (size_t)face->outputs, sizeof(bool));
            TR_TRY(tr_arena_status(g->arena));
            for (int k = 0; k < count; k++) {
                TR_TRY(choose(face, output[k], g->rows.chosen[i]));
            }
            return TR_OK;
        }
    }
    return tr_fail(TR_E_ARGUMENT, "there is no module '%s'", module);
}
