// SPDX-License-Identifier: MIT
// The columns of a glued run: time; motion of the ports; loads of the joints, and how far each one
// is open at the three levels; outputs of the modules; iterations and residuals.
// docs/guide/gluing.md describes them.

#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "glue/glue.h"
#include "sim/column_list.h"

static const trColumn of_run[] = {{"glue.iterations", ""},
                                  {"glue.residual.dynamic", ""},
                                  {"glue.residual.acceleration", ""},
                                  {"glue.residual.velocity", ""},
                                  {"glue.residual.position", ""}};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define LEVELS 3

static const char *const level_name[LEVELS] = {"position", "velocity", "acceleration"};
static const char *const level_per[LEVELS] = {"", "/s", "/s^2"};
static const char *const quantity_name[TR_QUANTITIES] = {"length", "angle", "other"};

static trQuantity quantity_of(const trInterface *it, int row) {
    return tr_quantity_of(it->system->row_unit[row]);
}

// The unit of the joint's rows of this quantity; NULL: it has none.
static const char *unit_of(const trInterface *it, int joint, trQuantity quantity) {
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

static void add_violations(const trInterface *it, int joint, trColumnList *to) {
    const char *owner = it->system->joint[joint].name;
    for (int level = 0; level < LEVELS; level++) {
        for (trQuantity k = 0; k < TR_QUANTITIES; k++) {
            const char *unit = unit_of(it, joint, k);
            if (unit != NULL) {
                tr_columns_add(to,
                               tr_arena_format(to->arena, "%s.violation.%s.%s", owner,
                                               level_name[level], quantity_name[k]),
                               tr_columns_unit(to, unit, level_per[level]));
            }
        }
    }
}

static void add_outputs(const trGlue *g, int module, trColumnList *to) {
    const trModuleFace *face = &g->it.face[module];
    for (int k = 0; k < face->outputs; k++) {
        const char *unit = face->output_unit != NULL ? face->output_unit[k] : NULL;
        if (is_chosen(g, module, k)) {
            const trColumn one = {face->output_name[k], unit != NULL ? unit : ""};
            tr_columns_add_all(to, face->name, 1, &one);
        }
    }
}

static void name_columns(trGlue *g, trColumnList *to) {
    const trInterface *it = &g->it;
    const trColumn    *of_port = NULL, *of_joint = NULL;
    int                per_port = tr_columns_of_frame(it->dim, &of_port);
    int                per_joint = tr_columns_of_load(it->dim, &of_joint);
    tr_columns_add(to, "t", "s");
    for (int i = 0; i < it->system->bodies; i++) {
        tr_columns_add_all(to, it->system->body[i].name, per_port, of_port);
    }
    for (int j = 0; j < it->system->joints; j++) {
        tr_columns_add_all(to, it->system->joint[j].name, per_joint, of_joint);
        add_violations(it, j, to);
    }
    int before = to->count;
    for (int i = 0; i < it->modules; i++) {
        add_outputs(g, i, to);
    }
    g->rows.outputs = to->count - before;
    tr_columns_add_all(to, NULL, COUNT(of_run), of_run);
}

trStatus tr_glue_rows_begin(trGlue *g) {
    trGlueRows  *r = &g->rows;
    trColumnList list = {.arena = g->arena};
    name_columns(g, &list);
    r->columns = list.count;
    r->column = list.column;
    // Not an array that is kept with the state, as what follows.
    r->row = tr_arena_take(g->arena, (size_t)r->columns, sizeof *r->row);
    return tr_columns_check(&list);
}

// --- numbers ---

static double *fill_ports(const trInterface *it, double *to) {
    for (int i = 0; i < it->system->bodies; i++) {
        int port = it->body_port[i];
        to = tr_columns_put(to, it->nx, it->x + it->nx * port);
        to = tr_columns_put(to, it->nw, it->v + it->nw * port);
        to = tr_columns_put(to, it->nw, it->a + it->nw * port);
    }
    return to;
}

static double *fill_violations(const trInterface *it, int joint, double *to) {
    const double *const rows[LEVELS] = {it->phi, it->rate, it->acceleration};
    for (int level = 0; level < LEVELS; level++) {
        for (trQuantity k = 0; k < TR_QUANTITIES; k++) {
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
        *to = tr_columns_fill_load(g->it.dim, (trVec3){r.fx, r.fy, r.fz},
                                   (trVec3){r.mx, r.my, r.mz}, *to);
        *to = fill_violations(&g->it, j, *to);
    }
    return TR_OK;
}

// A row is whole whatever happens, for a run that fails hands over its last one: what a module did
// not tell is no number.
static trStatus fill_outputs(trGlue *g, bool ask, double **to) {
    trStatus status = ask && g->rows.outputs > 0 ? tr_glue_exchange(g, TR_CALL_OUTPUT) : TR_OK;
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
    tr_columns_put(to, TR_RESIDUALS, residual);
    return status;
}

// --- outputs ---

static trStatus choose(const trModuleFace *face, const char *name, bool *chosen) {
    for (int k = 0; k < face->outputs; k++) {
        if (strcmp(face->output_name[k], name) == 0) {
            chosen[k] = true;
            return TR_OK;
        }
    }
    tr_fail(TR_E_MODEL, "module '%s' has no output '%s'", face->name, name);
    return tr_spell_hint(TR_E_MODEL, name, face->outputs, tr_spell_word, face->output_name);
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
