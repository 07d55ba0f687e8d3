// SPDX-License-Identifier: MIT
// Numbers of a model that is a module, to be recorded with the assembly: chosen by the names that
// columns of its own results would have.

#include <string.h>

#include "base/spell.h"
#include "glue/model_module.h"
#include "sim/column_list.h"

static const trColumn of_energy[] = {{"energy.kinetic", "J"}, {"energy.potential", "J"}};

static const char *column_word(const void *context, int i) {
    return ((const trColumnList *)context)->column[i].name;
}

static trStatus find_column(const trColumnList *all, const char *name, int *out) {
    for (*out = 0; *out < all->count; ++*out) {
        if (strcmp(all->column[*out].name, name) == 0) {
            return TR_OK;
        }
    }
    tr_fail(TR_E_MODEL, "output '%s': the model has no such column", name);
    return tr_spell_hint_or(TR_E_MODEL, name, all->count, column_word, all,
                            "; give it as \"body.x\", \"joint.Fx\" or \"energy.kinetic\"");
}

trStatus tr_module_choose_outputs(trModule *module, int count, const char *const *name) {
    trModelModule *m = module->self;
    trColumnList   all = {.arena = m->arena};
    tr_columns_add_bodies(&all, m->system);
    tr_columns_add_all(&all, NULL, 2, of_energy);
    int         *output = tr_new_array(m->arena, int, count);
    const char **names = tr_new_array(m->arena, const char *, count);
    const char **units = tr_new_array(m->arena, const char *, count);
    // Not an array that is kept.
    double *row = tr_arena_take(m->arena, (size_t)all.count, sizeof *row);
    TR_TRY(tr_arena_status(m->arena));
    for (int i = 0; i < count; i++) {
        TR_TRY(find_column(&all, name[i], &output[i]));
        names[i] = all.column[output[i]].name;
        units[i] = all.column[output[i]].unit;
    }
    m->outputs = module->outputs = count;
    m->output = output;
    m->row = row;
    module->output_name = names;
    module->output_unit = units;
    return TR_OK;
}

int tr_module_output(void *self, double *value) {
    trModelModule      *m = self;
    const trColumnState state = {m->q, m->v, m->a, m->lambda};
    TR_TRY(tr_module_look(m));
    if (m->outputs == 0) {
        return TR_OK;
    }
    double *energy = tr_columns_fill_bodies(&m->eval, &state, m->row);
    energy[0] = tr_eval_kinetic(&m->eval, m->q, m->v);
    energy[1] = m->eval.potential;
    for (int i = 0; i < m->outputs; i++) {
        value[i] = m->row[m->output[i]];
    }
    return TR_OK;
}
