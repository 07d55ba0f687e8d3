// SPDX-License-Identifier: MIT
// What a module shows of itself.

#include "glue/face.h"

#include <string.h>

static trStatus check_names(const char *name, const char *what, int count,
                            const char *const *names) {
    for (int i = 0; i < count; i++) {
        if (names == NULL || names[i] == NULL) {
            return tr_fail(TR_E_MODEL, "module '%s': %s %d of %d has no name", name, what, i + 1,
                           count);
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(names[k], names[i]) == 0) {
                return tr_fail(TR_E_MODEL, "module '%s': two %ss are called '%s'", name, what,
                               names[i]);
            }
        }
    }
    return TR_OK;
}

// A state that cannot be saved and restored is none.
static size_t state_size(const trModule *m) {
    return m->state_size != NULL && m->save != NULL && m->restore != NULL ? m->state_size(m->self)
                                                                          : 0;
}

trStatus tr_face_check(const trModule *m, const char *name) {
    if (m->version != TR_MODULE_VERSION) {
        return tr_fail(TR_E_MODEL, "module '%s': made for version %d of module.h, this is %d", name,
                       m->version, TR_MODULE_VERSION);
    }
    if ((m->dim != 2 && m->dim != 3) || m->ports < 0 || m->ports > TR_PORTS_MOST ||
        m->outputs < 0 || m->outputs > TR_OUTPUTS_MOST) {
        return tr_fail(TR_E_MODEL, "module '%s': dim = %d, %d ports, %d outputs are not possible",
                       name, m->dim, m->ports, m->outputs);
    }
    if (m->predict == NULL || m->residual == NULL || m->port_motion == NULL ||
        m->compliance == NULL || m->apply == NULL || m->accept == NULL ||
        (m->outputs > 0 && m->output == NULL) ||
        ((m->takes & TR_TAKES_PLAIN) != 0 && m->port_residual == NULL)) {
        return tr_fail(TR_E_MODEL, "module '%s': a function of the contract is missing", name);
    }
    if (state_size(m) > TR_STATE_MOST) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "module '%s': a state of %zu bytes; at most %llu can be saved", name,
                       state_size(m), (unsigned long long)TR_STATE_MOST);
    }
    TR_TRY(check_names(name, "port", m->ports, m->port_name));
    return m->outputs == 0 || m->output_name != NULL
               ? TR_OK
               : tr_fail(TR_E_MODEL, "module '%s': its outputs have no names", name);
}

trModuleFace tr_face_of(trArena *arena, const trModule *m, const char *name) {
    return (trModuleFace){.name = tr_arena_text(arena, name),
                          .dim = m->dim,
                          .ports = m->ports,
                          .port_name = m->port_name,
                          .takes = m->takes,
                          .outputs = m->outputs,
                          .output_name = m->output_name,
                          .output_unit = m->output_unit,
                          .state_size = state_size(m)};
}
