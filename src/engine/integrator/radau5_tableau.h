// SPDX-License-Identifier: MIT
// Radau IIA with three stages: the collocation at c, written with the inverse of its matrix,
//
//     h Y'_i = sum_j inverse[i][j] (Y_j - y_n),        inverse = A^-1
//
// and the change of variables that splits Newton's method into a real and a complex system,
//
//     T^-1 A^-1 T = [ gamma          ]
//                   [     alpha -beta ]
//                   [     beta  alpha ]
//
// The coefficients e of the error estimate are for h (y^ - y) / (gamma_0 h) with y^ of third order.
//
// Reference: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer
// 1996, table IV.5.6 and section IV.8.

#ifndef TR_INTEGRATOR_RADAU5_TABLEAU_H
#define TR_INTEGRATOR_RADAU5_TABLEAU_H

static const double radau_c[3] = {0.15505102572168219018, 0.64494897427831780982, 1.0};

static const double radau_inverse[3][3] = {
    {3.2247448713915890491, 1.1678400846904054949, -0.25319726474218082619},
    {-3.5678400846904054949, 0.77525512860841095090, 1.0531972647421808262},
    {5.5319726474218082619, -7.5319726474218082619, 5.0}};

static const double radau_gamma = 3.6378342527444957322;
static const double radau_alpha = 2.6810828736277521339;
static const double radau_beta = 3.0504301992474105694;

static const double radau_T[3][3] = {
    {9.1232394870892942792e-2, -0.14125529502095420843, -3.0029194105147424492e-2},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1.0, 0.0}};

static const double radau_T_inverse[3][3] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};

static const double radau_e[3] = {-10.048809399827415562, 1.3821427331607488958,
                                  -0.33333333333333333333};

#endif
