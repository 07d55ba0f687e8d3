// SPDX-License-Identifier: MIT
// A model described and simulated from C++: a rod that falls from the horizontal.

#include <cstdio>
#include <memory>
#include <stdexcept>

#include <trammel/sim.h>

namespace {

void need(trStatus status) {
    if (status != TR_OK) {
        throw std::runtime_error(tr_last_error());
    }
}

// Owns what a tr_..._create made.
template <class T> using Owned = std::unique_ptr<T, void (*)(T *)>;

Owned<trModel> describe() {
    trModel *made = nullptr;
    int      rod = 0;
    need(tr_model_create(TR_PARAMS(TR_WORD("name", "rod"), TR_VEC("gravity", 0.0, -9.81)), &made));
    Owned<trModel> model(made, tr_model_destroy);
    need(tr_model_add_body(
        made, "rod",
        TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 2.0 / 12.0), TR_VEC("at", 0.5, 0.0)),
        &rod));
    need(tr_model_add_joint(made, "revolute", "pin", TR_GROUND, rod,
                            TR_PARAMS(TR_VEC("point", 0.0, 0.0)), nullptr));
    return model;
}

}  // namespace

int main() try {
    const Owned<trModel> model = describe();
    trSystem            *built = nullptr;
    need(tr_system_build(model.get(), &built));
    const Owned<trSystem> system(built, tr_system_destroy);
    trSimDef              def = tr_sim_def_default();
    trSim                *made = nullptr;
    need(tr_sim_create(built, &def, &made));
    const Owned<trSim> sim(made, tr_sim_destroy);

    // Energy: (1/2) (m L^2 / 3) w^2 = -m g y
    need(tr_sim_run_to(made, 0.3));
    const trBodyState rod = tr_sim_body(made, 0);
    std::printf("y %.9f omega %.9f\n", rod.y, rod.omega);
    return 0;
} catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
