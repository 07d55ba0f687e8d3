// SPDX-License-Identifier: MIT
// What a module shows of itself.

#include "glue/face.h"

trStatus tr_face_check(const trModule *m, const char *name) {
    if (m->version != TR_MODULE_VERSION) {
        return tr_fail(TR_E_MODEL, "module '%s': made for version %d of module.h, this is %d", name,
                       m->version, TR_MODULE_VERSION);
    }
    if ((m->dim != 2 && m->dim != 3) || m->ports < 0 || m->outputs < 0) {
        return tr_fail(TR_E_MODEL, "module '%s': dim = %d, %d ports, %d outputs are not possible",
                       name, m->dim, m->ports, m->outputs);
    }
    if (m->predict == NULL || m->residual == NULL || m->port_motion == NULL ||
        m->compliance == NULL || m->apply == NULL || m->accept == NULL ||
        (m->outputs > 0 && m->output == NULL) ||
        ((m->takes & TR_TAKES_PLAIN) != 0 && m->port_residual == NULL)) {
        return tr_fail(TR_E_MODEL, "module '%s': a function of the contract is missing", name);
    }
    return TR_OK;
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
                          .state_size = m->state_size != NULL ? m->state_size(m->self) : 0};
}
