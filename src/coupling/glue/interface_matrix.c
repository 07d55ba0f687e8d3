// SPDX-License-Identifier: MIT
// The small dense systems between modules: S = G W G', and loads and motion across it.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "glue/interface.h"

// S += G1 W12 G2' for two sides of the same module.
static void add_pair(const trInterface *it, int g1, int side1, int g2, int side2, double *S) {
    const trRows *A = &it->eval.equations.A;
    int           port1 = it->side_port[side1], port2 = it->side_port[side2];
    int           module = it->port_module[port1], nw = it->nw;
    if (module != it->port_module[port2]) {
        return;
    }
    int           wide = nw * it->face[module].ports;
    const double *W = it->W + it->W_first[module] + nw * (port1 - it->first[module]) * wide +
                      nw * (port2 - it->first[module]);
    for (int i = A->group_row[g1]; i < A->group_row[g1 + 1]; i++) {
        const double *G1 = it->G + A->side_value[side1] + nw * (i - A->group_row[g1]);
        for (int j = A->group_row[g2]; j < A->group_row[g2 + 1]; j++) {
            const double *G2 = it->G + A->side_value[side2] + nw * (j - A->group_row[g2]);
            double        sum = 0.0;
            for (int k = 0; k < nw; k++) {
                for (int l = 0; l < nw; l++) {
                    sum += G1[k] * W[k * wide + l] * G2[l];
                }
            }
            S[i * it->m + j] += sum;
        }
    }
}

// Modules that do not take a level do not move by it.
static void assemble(const trInterface *it, unsigned takes, double *S) {
    const trRows *A = &it->eval.equations.A;
    memset(S, 0, (size_t)it->m * (size_t)it->m * sizeof(double));
    for (int g1 = 0; g1 < A->groups; g1++) {
        for (int s1 = A->group_side[g1]; s1 < A->group_side[g1 + 1]; s1++) {
            if ((it->face[it->port_module[it->side_port[s1]]].takes & takes) != takes) {
                continue;
            }
            for (int g2 = 0; g2 < A->groups; g2++) {
                for (int s2 = A->group_side[g2]; s2 < A->group_side[g2 + 1]; s2++) {
                    add_pair(it, g1, s1, g2, s2, S);
                }
            }
        }
    }
}

// The largest nominal value of rows with the unit of this one.
static double largest_of_unit(const trInterface *it, int row) {
    const char *unit = it->system->row_unit[row];
    double      most = 0.0;
    for (int i = 0; i < it->m; i++) {
        bool alike = strcmp(it->system->row_unit[i], unit) == 0;
        most = alike ? fmax(most, it->nominal[i]) : most;
    }
    return most;
}

void tr_interface_scale(const trInterface *it, trSemidefinite *S) {
    for (int i = 0; i < it->m; i++) {
        double most = largest_of_unit(it, i);
        S->nominal[i] = it->nominal[i];
        S->scale[i] = most > 0.0 ? most : 1.0;
    }
}

void tr_interface_factor(trInterface *it) {
    trSemidefinite *const all[] = {&it->force, &it->position, &it->velocity};
    const unsigned        takes[] = {0u, TR_TAKES_POSITION, TR_TAKES_VELOCITY};
    for (int k = 0; k < 3; k++) {
        assemble(it, takes[k], all[k]->S);
        for (int i = 0; k == 0 && i < it->m; i++) {
            it->nominal[i] = fmax(it->nominal[i], all[k]->S[i * it->m + i]);
        }
        if (k == 0) {
            tr_interface_scale(it, all[k]);
        } else {
            memcpy(all[k]->nominal, all[0]->nominal, (size_t)it->m * sizeof(double));
            memcpy(all[k]->scale, all[0]->scale, (size_t)it->m * sizeof(double));
        }
        tr_semidefinite_factor(all[k], it->rank_tolerance);
    }
    for (int i = 0; i < it->m; i++) {  // a row that nobody can move at a level is not held there
        double least = it->rank_tolerance * it->rank_tolerance * it->nominal[i];
        it->held_position[i] = it->position.S[i * it->m + i] > least;
        it->held_velocity[i] = it->velocity.S[i * it->m + i] > least;
    }
}

void tr_interface_spread(const trInterface *it, const double *y, double *load) {
    const trRows *A = &it->eval.equations.A;
    memset(load, 0, (size_t)(it->nw * it->ports) * sizeof(double));
    for (int g = 0; g < A->groups; g++) {
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            double *to = load + it->nw * it->side_port[side];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                const double *G = it->G + A->side_value[side] + it->nw * (i - A->group_row[g]);
                for (int k = 0; k < it->nw; k++) {
                    to[k] -= G[k] * y[i];
                }
            }
        }
    }
}

// W load of one port.
static void respond_port(const trInterface *it, int port, const double *load, double *out) {
    int           module = it->port_module[port], wide = it->nw * it->face[module].ports;
    const double *W = it->W + it->W_first[module] + it->nw * (port - it->first[module]) * wide;
    const double *from = load + it->nw * it->first[module];
    for (int k = 0; k < it->nw; k++) {
        out[k] = 0.0;
        for (int l = 0; l < wide; l++) {
            out[k] += W[k * wide + l] * from[l];
        }
    }
}

double tr_interface_largest_response(const trInterface *it, const double *load) {
    double most = 0.0;
    for (int port = 0; port < it->ports; port++) {
        double moved[TR_PORT_V(3)];
        respond_port(it, port, load, moved);
        most = fmax(most, tr_largest(it->nw, moved));
    }
    return most;
}

void tr_interface_rows(const trInterface *it, const double *x, double *y) {
    const trRows *A = &it->eval.equations.A;
    memset(y, 0, (size_t)it->m * sizeof(double));
    for (int g = 0; g < A->groups; g++) {
        for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
            const double *from = x + it->nw * it->side_port[side];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                const double *G = it->G + A->side_value[side] + it->nw * (i - A->group_row[g]);
                for (int k = 0; k < it->nw; k++) {
                    y[i] += G[k] * from[k];
                }
            }
        }
    }
}

void tr_interface_respond(const trInterface *it, const double *load, double *y) {
    for (int port = 0; port < it->ports; port++) {
        respond_port(it, port, load, it->moved + it->nw * port);
    }
    tr_interface_rows(it, it->moved, y);
}
