// SPDX-License-Identifier: MIT
// The benchmark models in Simbody, with its Runge-Kutta-Merson integrator.
//
// The chain is a tree of pins. In the four-bar every crank stands on the ground and carries the
// coupler to its right; each loop is closed by two point-in-plane constraints, since a ball would
// add a redundant third row. Projection is left as it is, when the constraints exceed their
// tolerance: on these models that is cheaper for the same error than projection after every step.

#include <SimTKsimbody.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "../row.h"

using namespace SimTK;

namespace {

struct Mechanism {
    MultibodySystem                 system;
    SimbodyMatterSubsystem          matter;
    GeneralForceSubsystem           forces;
    Force::UniformGravity           gravity;
    std::vector<MobilizedBody::Pin> rods;

    Mechanism()
        : matter(system), forces(system), gravity(forces, matter, Vec3(0, -BENCH_GRAVITY, 0)) {
    }
};

Body::Rigid rod_body() {
    const Vec3    center(0.5, 0, 0);
    const Inertia central(1e-4, 1.0 / 12.0, 1.0 / 12.0);
    return Body::Rigid(MassProperties(1.0, center, central.shiftFromMassCenter(-center, 1.0)));
}

MobilizedBody::Pin add_rod(MobilizedBody &parent, double x) {
    return MobilizedBody::Pin(parent, Transform(Vec3(x, 0, 0)), rod_body(), Transform());
}

void build(const BenchTask &task, Mechanism &m) {
    MobilizedBody &ground = m.matter.updGround();
    if (!task.fourbar) {
        for (int i = 0; i < task.N; i++) {
            m.rods.push_back(i == 0 ? add_rod(ground, 0.0) : add_rod(m.rods[size_t(i - 1)], 1.0));
        }
        return;
    }
    for (int i = 0; i <= task.N; i++) {
        m.rods.push_back(add_rod(ground, i));
    }
    for (int i = 0; i < task.N; i++) {
        m.rods.push_back(add_rod(m.rods[size_t(i)], 1.0));
        // The tip of the coupler lies in two planes through the tip (1, 0, 0) of the next crank.
        MobilizedBody &crank = m.rods[size_t(i + 1)], &coupler = m.rods.back();
        Constraint::PointInPlane(crank, UnitVec3(XAxis), 1.0, coupler, Vec3(1, 0, 0));
        Constraint::PointInPlane(crank, UnitVec3(YAxis), 0.0, coupler, Vec3(1, 0, 0));
    }
}

State initial_state(const BenchTask &task, Mechanism &m) {
    State state = m.system.realizeTopology();
    for (int i = 0; i < bench_rods(&task); i++) {
        // A coupler's angle counts from its crank, whose number is smaller by N + 1.
        const BenchRod rod = bench_rod(&task, i);
        const bool     coupler = task.fourbar && i > task.N;
        const BenchRod base = coupler ? bench_rod(&task, i - task.N - 1) : BenchRod{};
        m.rods[size_t(i)].setAngle(state, rod.angle - base.angle);
        m.rods[size_t(i)].setRate(state, rod.omega - base.omega);
    }
    return state;
}

std::vector<BenchEnds> ends_of(const Mechanism &m, const State &state) {
    std::vector<BenchEnds> ends;
    m.system.realize(state, Stage::Position);
    for (const MobilizedBody::Pin &rod : m.rods) {
        const Vec3 a = rod.getBodyOriginLocation(state);
        const Vec3 b = rod.findStationLocationInGround(state, Vec3(1, 0, 0));
        ends.push_back({a[0], a[1], b[0], b[1]});
    }
    return ends;
}

BenchRun run_once(const BenchTask &task, Mechanism &m) {
    BenchRun                   run = {};
    RungeKuttaMersonIntegrator integrator(m.system);

    if (task.setting >= 1.0) {
        integrator.setFixedStepSize(BENCH_DURATION / task.setting);
    } else {
        integrator.setAccuracy(task.setting);
    }
    integrator.setReturnEveryInternalStep(true);
    integrator.setFinalTime(BENCH_DURATION);
    integrator.initialize(initial_state(task, m));

    const volatile int *stop = bench_budget(task.budget);
    const double        start = bench_cpu();
    try {
        while (integrator.getTime() < BENCH_DURATION && !*stop) {
            integrator.stepTo(BENCH_DURATION);
        }
        run.outcome = integrator.getTime() < BENCH_DURATION ? BENCH_CUT : BENCH_DONE;
    } catch (const std::exception &) {
        run.outcome = BENCH_FAILED;  // most often a step or a projection that does not converge
    }
    run.cpu_seconds = bench_cpu() - start;
    run.steps = integrator.getNumStepsTaken();
    run.evaluations = integrator.getNumRealizations();
    run.error = NAN;
    if (run.outcome == BENCH_DONE) {
        run.error = bench_error(&task, ends_of(m, integrator.getState()).data());
    }
    return run;
}

}  // namespace

int main(int argc, char **argv) {
    BenchTask task;
    if (!bench_parse(argc, argv, &task)) {
        return 2;
    }
    try {
        Mechanism m;
        build(task, m);
        BenchRun     best = {}, run;
        const double start = bench_cpu();
        int          repeats = 0;
        do {
            run = run_once(task, m);
        } while (bench_again(&best, &run, ++repeats, bench_cpu() - start));
        bench_print("simbody", "runge_kutta_merson", &task, &best);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "simbody: %s\n", failure.what());
        return 1;
    }
    return 0;
}
