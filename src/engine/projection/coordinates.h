// SPDX-License-Identifier: MIT
// Which coordinates are independent: those that free motions move most.
//
//     N = G G'        G (n x k): orthonormal free motions, of velocities scaled by their metric
//
// N_ii is the squared cosine between coordinate i and the free motions. Coordinates I are the
// better the larger det N_II is; pivots of Cholesky's method, the largest first, make it large. In
// the metric of the masses N has no units.
// Reference: after the idea of Blajer, Schiehlen and Schirm, Arch. Appl. Mech. 64 (1994) 86-98.

#ifndef TR_PROJECTION_COORDINATES_H
#define TR_PROJECTION_COORDINATES_H

void tr_coordinates_fill(int n, int k, const double *G, double *N);

// The k coordinates found best, and log det N_II of them. `memory`: n x n.
double tr_coordinates_choose(int n, int k, const double *N, double *memory, int *chosen);
// log det N_II; -INFINITY where they do not parametrize the free motions.
double tr_coordinates_quality(int n, int k, const double *N, double *memory, const int *chosen);

#endif
