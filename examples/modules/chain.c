// SPDX-License-Identifier: MIT
// Three links in the plane, in relative angles, as a module: the open chain of the parallel
// four-bar linkage of paper 002, whose end is to be joined to ground. A program like any other,
// with its own coordinates and its own solver; trammel/module.h is all that it knows of Trammel.
//
//     theta = T q                               absolute angles, T of ones below the diagonal
//     M_jk = C_jk cos(theta_j - theta_k) + J    C_jk = sum of m_i d_ij d_ik
//     Q_j = -C_jk sin(theta_j - theta_k) theta_k'^2 + tau        tau = -2 t on link 1
//
// Build as a shared library: cc -shared -fPIC -DMODULE_LIBRARY -I include chain.c -o chain.so -lm

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/module.h"

#define N 3

static const double mass[N] = {10.0, 20.0, 10.0};  // [kg]
static const double inertia[N] = {1.0, 2.0, 1.0};  // [kg m^2]
static const double length[N] = {1.0, 2.0, 1.0};   // [m]

typedef struct Chain {
    trCoordinate c[N];  // relative angles [rad]
    trGlueStep   step;
    double       f[3];     // load on the end
    double       da[N];    // the trial
    double       K[N][N];  // the iteration matrix: M where the step began
    double       J[3][N];  // velocity of the end by rates of q
    double       P[N][3];  // K^-1 J', or J' if the step is plain
    double       r[N];
    double       largest;  // of all terms of r so far
} Chain;

// --- the mechanics ---

static void angles(const Chain *s, double theta[N], double omega[N]) {
    for (int i = 0; i < N; i++) {
        theta[i] = s->c[i].q + (i > 0 ? theta[i - 1] : 0.0);
        omega[i] = s->c[i].v + (i > 0 ? omega[i - 1] : 0.0);
    }
}

// How far the center of link i moves when link j turns. [m]
static double arm(int i, int j) {
    return j < i ? length[j] : j == i ? 0.5 * length[j] : 0.0;
}

static double coupling(int j, int k) {
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        sum += mass[i] * arm(i, j) * arm(i, k);
    }
    return sum;
}

// Of absolute angles, then T' (.) T: sums over all links from j on.
static void mass_matrix(const Chain *s, double M[N][N]) {
    double theta[N], omega[N];
    angles(s, theta, omega);
    for (int a = 0; a < N; a++) {
        for (int b = 0; b < N; b++) {
            M[a][b] = 0.0;
            for (int j = a; j < N; j++) {
                for (int k = b; k < N; k++) {
                    M[a][b] +=
                        coupling(j, k) * cos(theta[j] - theta[k]) + (j == k ? inertia[j] : 0);
                }
            }
        }
    }
}

static void forces(const Chain *s, double Q[N]) {
    double theta[N], omega[N];
    angles(s, theta, omega);
    for (int a = 0; a < N; a++) {
        Q[a] = a == 0 ? -2.0 * s->step.t : 0.0;
        for (int j = a; j < N; j++) {
            for (int k = 0; k < N; k++) {
                Q[a] -= coupling(j, k) * sin(theta[j] - theta[k]) * omega[k] * omega[k];
            }
        }
    }
}

static void jacobian(Chain *s) {
    double theta[N], omega[N];
    angles(s, theta, omega);
    memset(s->J, 0, sizeof s->J);
    for (int a = 0; a < N; a++) {
        for (int j = a; j < N; j++) {
            s->J[0][a] -= length[j] * sin(theta[j]);
            s->J[1][a] += length[j] * cos(theta[j]);
        }
        s->J[2][a] = 1.0;
    }
}

// x = K \ x by elimination; K is positive definite.
static void solve(double K[N][N], double x[N]) {
    double L[N][N];
    memcpy(L, K, sizeof L);
    for (int k = 0; k < N; k++) {
        for (int i = k + 1; i < N; i++) {
            double factor = L[i][k] / L[k][k];
            for (int j = k; j < N; j++) {
                L[i][j] -= factor * L[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k + 1; j < N; j++) {
            x[k] -= L[k][j] * x[j];
        }
        x[k] /= L[k][k];
    }
}

// --- the contract ---

static int predict(void *self, const trGlueStep *step) {
    Chain *s = self;
    s->step = *step;
    for (int i = 0; i < N; i++) {
        tr_coordinate_predict(&s->c[i], step);
    }
    mass_matrix(s, s->K);
    return 0;
}

static int residual(void *self, double *size) {
    Chain *s = self;
    double M[N][N], Q[N], most = 0.0;
    mass_matrix(s, M);
    forces(s, Q);
    jacobian(s);
    for (int i = 0; i < N; i++) {
        double inertial = 0.0, load = 0.0;
        for (int j = 0; j < N; j++) {
            inertial += M[i][j] * s->c[j].a;
        }
        for (int k = 0; k < 3; k++) {
            load += s->J[k][i] * s->f[k];
        }
        s->r[i] = inertial - Q[i] - load;
        s->da[i] = -s->r[i];
        most = fmax(most, fabs(s->r[i]));
        s->largest = fmax(s->largest, fmax(fabs(inertial), fmax(fabs(Q[i]), fabs(load))));
    }
    solve(s->K, s->da);
    *size = s->largest > 0.0 ? most / s->largest : 0.0;
    return 0;
}

static int port_motion(void *self, double *x, double *v, double *a) {
    Chain *s = self;
    double theta[N], omega[N], alpha = 0.0;
    angles(s, theta, omega);
    memset(x, 0, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    memset(a, 0, 3 * sizeof *a);
    for (int i = 0; i < N; i++) {
        double c = length[i] * cos(theta[i]), d = length[i] * sin(theta[i]);
        alpha += s->c[i].a + s->da[i];
        x[0] += c;
        x[1] += d;
        v[0] -= d * omega[i];
        v[1] += c * omega[i];
        a[0] -= d * alpha + c * omega[i] * omega[i];
        a[1] += c * alpha - d * omega[i] * omega[i];
    }
    x[2] = theta[N - 1];
    v[2] = omega[N - 1];
    a[2] = alpha;
    return 0;
}

static int compliance(void *self, double *W) {
    Chain *s = self;
    for (int k = 0; k < 3; k++) {
        double column[N];
        for (int i = 0; i < N; i++) {
            column[i] = s->J[k][i];
        }
        if (!s->step.plain) {
            solve(s->K, column);
        }
        for (int i = 0; i < N; i++) {
            s->P[i][k] = column[i];
        }
    }
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            W[3 * k + l] = 0.0;
            for (int i = 0; i < N; i++) {
                W[3 * k + l] += s->J[k][i] * s->P[i][l];
            }
        }
    }
    return 0;
}

static int apply(void *self, trLevel level, const double *w) {
    Chain *s = self;
    for (int i = 0; i < N && level != TR_LEVEL_LOAD; i++) {
        double moved = s->P[i][0] * w[0] + s->P[i][1] * w[1] + s->P[i][2] * w[2];
        if (level == TR_LEVEL_FORCE) {
            tr_coordinate_accelerate(&s->c[i], &s->step, s->da[i] + moved);
            s->da[i] = 0.0;
        } else if (level == TR_LEVEL_POSITION) {
            s->c[i].q += moved;
        } else if (level == TR_LEVEL_VELOCITY) {
            s->c[i].v += moved;
        } else {
            tr_coordinate_push(&s->c[i], &s->step, moved);
        }
    }
    if (level == TR_LEVEL_LOAD || (level == TR_LEVEL_FORCE && !s->step.plain)) {
        for (int k = 0; k < 3; k++) {
            s->f[k] += w[k];
        }
    }
    return 0;
}

static int port_residual(void *self, double *y) {
    Chain *s = self;
    for (int k = 0; k < 3; k++) {
        y[k] = 0.0;
        for (int i = 0; i < N; i++) {
            y[k] += s->J[k][i] * s->r[i];
        }
    }
    return 0;
}

static int accept(void *self) {
    (void)self;
    return 0;
}

static size_t state_size(void *self) {
    (void)self;
    return sizeof(Chain);
}

static int save(void *self, void *state) {
    memcpy(state, self, sizeof(Chain));
    return 0;
}

static int restore(void *self, const void *state) {
    memcpy(self, state, sizeof(Chain));
    return 0;
}

static int output(void *self, double *value) {
    Chain *s = self;
    for (int i = 0; i < N; i++) {
        value[i] = s->c[i].q;
    }
    return 0;
}

int chain_open(int arguments, const char *const *argument, trModule *out);

int chain_open(int arguments, const char *const *argument, trModule *out) {
    static const char *const port[] = {"end"};
    static const char *const name[] = {"q1", "q2", "q3"}, *const unit[] = {"rad", "rad", "rad"};
    const double pi = acos(-1.0), start[N] = {0.5 * pi, -0.5 * pi, 1.5 * pi};
    const double rate[N] = {2.0 * pi, -2.0 * pi, 2.0 * pi};
    Chain       *s = calloc(1, sizeof *s);
    (void)arguments, (void)argument;
    *out = (trModule){.version = TR_MODULE_VERSION,
                      .name = "chain",
                      .dim = 2,
                      .ports = 1,
                      .port_name = port,
                      .outputs = N,
                      .output_name = name,
                      .output_unit = unit,
                      .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY | TR_TAKES_ACCELERATION |
                               TR_TAKES_PLAIN,
                      .self = s,
                      .predict = predict,
                      .residual = residual,
                      .port_motion = port_motion,
                      .compliance = compliance,
                      .apply = apply,
                      .accept = accept,
                      .state_size = state_size,
                      .save = save,
                      .restore = restore,
                      .port_residual = port_residual,
                      .output = output,
                      .close = free};
    for (int i = 0; s != NULL && i < N; i++) {
        s->c[i].q = start[i];
        s->c[i].v = rate[i];
    }
    return s == NULL;
}

#ifdef MODULE_LIBRARY
int tr_module_open(int arguments, const char *const *argument, trModule *out);

int tr_module_open(int arguments, const char *const *argument, trModule *out) {
    return chain_open(arguments, argument, out);
}
#endif
