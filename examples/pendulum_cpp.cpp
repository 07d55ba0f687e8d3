// SPDX-License-Identifier: MIT
// The pendulum of pendulum_rk4.c in C++, by a semi-implicit Euler method with a projected state.

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <trammel/constrain.h>

namespace {

struct Pendulum {
    double mass = 1.0, length = 1.0;  // [kg], [m]
};

void need(trStatus status) {
    if (status != TR_OK) {
        throw std::runtime_error(tr_last_error());
    }
}

using Handle = std::unique_ptr<trConstrain, decltype(&tr_constrain_destroy)>;

Handle constrain(Pendulum &p, const double *q, const double *v) {
    trConstrain   *c = nullptr;
    trConstrainDef def = tr_constrain_def_default();
    def.n = 2;
    def.m = 1;
    def.context = &p;
    // Callbacks must not throw: return a number that is not 0 in place of that.
    def.mass = [](void *context, double, const double *, double *M) {
        M[0] = M[3] = static_cast<Pendulum *>(context)->mass;
        M[1] = M[2] = 0.0;
        return 0;
    };
    def.phi = [](void *context, double, const double *x, double *phi) {
        phi[0] = std::hypot(x[0], x[1]) - static_cast<Pendulum *>(context)->length;
        return 0;
    };
    need(tr_constrain_create(&def, 0.0, q, v, &c));
    return Handle(c, &tr_constrain_destroy);
}

}  // namespace

int main() try {
    Pendulum              p;
    std::array<double, 2> q{p.length, 0.0}, v{0.0, 0.0}, a{};
    Handle                c = constrain(p, q.data(), v.data());
    const double          h = 1e-4;
    for (int i = 0; i < 10000; i++) {
        a = {0.0, -9.81};
        need(tr_constrain_accel(c.get(), i * h, q.data(), v.data(), a.data(), nullptr));
        for (int k = 0; k < 2; k++) {
            v[k] += h * a[k];
            q[k] += h * v[k];
        }
        need(tr_constrain_state(c.get(), (i + 1) * h, q.data(), v.data()));
    }
    std::printf("cpp t 1 x %.6f z %.6f length %.15f\n", q[0], q[1], std::hypot(q[0], q[1]));
    return 0;
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
