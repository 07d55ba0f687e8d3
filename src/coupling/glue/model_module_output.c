// SPDX-License-Identifier: MIT
// Numbers of a model that is a module, to be recorded with the assembly: chosen by the names that
// columns of its own results would have.

#include <stddef.h>
#include <string.h>

#include "base/spell.h"
#include "glue/model_module.h"
#include "sim/sim.h"

typedef enum Source { OF_BODY, OF_FRAME, OF_JOINT, OF_ENERGY, SOURCES } Source;

struct trModelOutput {
    Source source;
    int    index;  // of the body, frame or joint
    int    part;   // which of its columns
};

#define MOST_COLUMNS 19  // of a frame in space

static const trColumn of_energy[] = {{"kinetic", "J"}, {"potential", "J"}};

// --- choosing ---

static int count_of(const trSystem *s, Source source) {
    const int counts[SOURCES] = {s->bodies, s->frames, s->joints, 1};
    return counts[source];
}

static const char *name_of(const trSystem *s, Source source, int i) {
    switch (source) {
    case OF_BODY:
        return s->body[i].name;
    case OF_FRAME:
        return s->frame[i].name;
    case OF_JOINT:
        return s->joint[i].name;
    default:
        return "energy";
    }
}

static int columns_of(const trSystem *s, Source source, const trColumn **out) {
    if (source == OF_ENERGY) {
        *out = of_energy;
        return (int)(sizeof of_energy / sizeof *of_energy);
    }
    return source == OF_JOINT ? tr_columns_of_load(s->space->dim, out)
                              : tr_columns_of_frame(s->space->dim, out);
}

static const char *owner_word(const void *context, int i) {
    const trSystem *s = context;
    Source          source = OF_BODY;
    while (i >= count_of(s, source)) {
        i -= count_of(s, source++);
    }
    return name_of(s, source, i);
}

static const char *column_word(const void *context, int i) {
    return ((const trColumn *)context)[i].name;
}

static trStatus unknown_owner(const trSystem *s, const char *name, size_t length) {
    char   owner[128];
    int    all = count_of(s, OF_BODY) + count_of(s, OF_FRAME) + count_of(s, OF_JOINT) + 1;
    size_t most = length < sizeof owner - 1 ? length : sizeof owner - 1;
    memcpy(owner, name, most);
    owner[most] = '\0';
    const char *nearest = tr_spell_nearest(owner, all, owner_word, s);
    tr_fail(TR_E_MODEL, "output '%s': the model has no body, frame or joint '%s'", name, owner);
    return nearest == NULL ? TR_E_MODEL : tr_add_hint(TR_E_MODEL, "; did you mean '%s'?", nearest);
}

// One column of an owner, by what stands after the last dot.
static trStatus choose_column(const trSystem *s, const char *name, const char *word,
                              struct trModelOutput *out, const char **unit) {
    const trColumn *column = NULL;
    int             count = columns_of(s, out->source, &column);
    for (int k = 0; k < count; k++) {
        if (strcmp(column[k].name, word) == 0) {
            out->part = k;
            *unit = column[k].unit;
            return TR_OK;
        }
    }
    const char *nearest = tr_spell_nearest(word, count, column_word, column);
    tr_fail(TR_E_MODEL, "output '%s': there is no '%s'", name, word);
    if (nearest != NULL) {
        return tr_add_hint(TR_E_MODEL, "; did you mean '%s'?", nearest);
    }
    tr_add_hint(TR_E_MODEL, "; there are");
    for (int k = 0; k < count; k++) {
        tr_add_hint(TR_E_MODEL, "%s %s", k == 0 ? "" : ",", column[k].name);
    }
    return TR_E_MODEL;
}

static trStatus choose(const trSystem *s, const char *name, struct trModelOutput *out,
                       const char **unit) {
    const char *dot = strrchr(name, '.');
    if (dot == NULL) {
        return tr_fail(TR_E_MODEL, "output '%s': give it as \"body.x\" or \"joint.Fx\"", name);
    }
    size_t length = (size_t)(dot - name);
    for (Source source = OF_BODY; source < SOURCES; source++) {
        for (int i = 0; i < count_of(s, source); i++) {
            const char *owner = name_of(s, source, i);
            if (strncmp(owner, name, length) == 0 && owner[length] == '\0') {
                *out = (struct trModelOutput){.source = source, .index = i};
                return choose_column(s, name, dot + 1, out, unit);
            }
        }
    }
    return unknown_owner(s, name, length);
}

trStatus tr_module_choose_outputs(trModule *module, int count, const char *const *name) {
    trModelModule        *m = module->self;
    struct trModelOutput *output = tr_new_array(m->texts, struct trModelOutput, count);
    const char          **names = tr_new_array(m->texts, const char *, count);
    const char          **units = tr_new_array(m->texts, const char *, count);
    TR_TRY(tr_arena_status(m->texts));
    for (int i = 0; i < count; i++) {
        TR_TRY(choose(m->system, name[i], &output[i], &units[i]));
        names[i] = tr_arena_text(m->texts, name[i]);
    }
    TR_TRY(tr_arena_status(m->texts));
    m->outputs = module->outputs = count;
    m->output = output;
    module->output_name = names;
    module->output_unit = units;
    return TR_OK;
}

// --- telling ---

static trAcceleration acceleration_of(const trModelModule *m, int body) {
    const trSpace *space = m->system->space;
    if (body == TR_GROUND) {
        return (trAcceleration){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    return space->acceleration(&m->system->body[body], m->q + space->nq * body,
                               m->v + space->nv * body, m->a + space->nv * body);
}

static double of_motion(const trModelModule *m, const struct trModelOutput *o) {
    const trSystem *s = m->system;
    const trFrame  *frame = o->source == OF_FRAME ? &s->frame[o->index] : NULL;
    int             body = frame != NULL ? frame->body : o->index;
    trBodyState     state = tr_system_body_state(s, body, m->q, m->v);
    trAcceleration  a = acceleration_of(m, body);
    double          numbers[MOST_COLUMNS];
    if (frame != NULL) {
        a = tr_frame_acceleration(frame, &state, &a);
        state = tr_frame_state(frame, &state);
    }
    tr_columns_fill_frame(s->space->dim, &state, &a, numbers);
    return numbers[o->part];
}

static double of_joint(const trModelModule *m, const struct trModelOutput *o) {
    trVec3  point;
    trLoad3 load = tr_system_report(&m->eval, o->index, m->q, m->v, m->lambda, &point);
    double  numbers[MOST_COLUMNS];
    tr_columns_fill_load(m->system->space->dim, load.force, load.moment, numbers);
    return numbers[o->part];
}

int tr_module_output(void *self, double *value) {
    trModelModule *m = self;
    trStatus       status = tr_module_look(m);
    for (int i = 0; status == TR_OK && i < m->outputs; i++) {
        const struct trModelOutput *o = &m->output[i];
        value[i] = o->source == OF_JOINT    ? of_joint(m, o)
                   : o->source != OF_ENERGY ? of_motion(m, o)
                   : o->part == 0           ? tr_eval_kinetic(&m->eval, m->q, m->v)
                                            : m->eval.potential;
    }
    return tr_module_done(m, status);
}
