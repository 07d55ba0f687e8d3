// SPDX-License-Identifier: MIT
// The benchmark models in Simbody, with its Runge-Kutta-Merson integrator.
//
// Rods are a tree of pins. A loop in the plane is closed by two point-in-plane constraints, since a
// ball would add a redundant third row; in space by a ball and two right angles, which is a hinge.
// Projection is left as it is, when the constraints exceed their tolerance: on these models that is
// cheaper for the same error than projection after every step.

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

    explicit Mechanism(const Vec3 &g) : matter(system), forces(system), gravity(forces, matter, g) {
    }
};

Vec3 vec(const BenchVec &a) {
    return Vec3(a.x, a.y, a.z);
}

// Frames of bodies are in axes of the world at the start; a pin turns about z of its own frames.
MobilizedBody::Pin add_rod(MobilizedBody &parent, const Vec3 &at, const BenchRod &rod) {
    const Vec3     center = 0.5 * vec(rod.along);
    const Inertia  central(vec(rod.inertia));
    const Rotation frame(UnitVec3(vec(rod.axis)), ZAxis);
    Body::Rigid    body(MassProperties(1.0, center, central.shiftFromMassCenter(-center, 1.0)));
    return MobilizedBody::Pin(parent, Transform(frame, at), body, Transform(frame));
}

// Hinges the end of a rod to a point of another body that is there at the start.
void close_loop(const BenchTask &task, MobilizedBody &other, const Vec3 &point, MobilizedBody &rod,
                const BenchRod &data) {
    const Vec3 end = vec(data.along);
    if (bench_planar(&task)) {
        Constraint::PointInPlane(other, UnitVec3(XAxis), point[0], rod, end);
        Constraint::PointInPlane(other, UnitVec3(YAxis), point[1], rod, end);
        return;
    }
    const Rotation frame(UnitVec3(vec(data.closing_axis)), ZAxis);
    Constraint::Ball(other, point, rod, end);
    Constraint::ConstantAngle(other, frame.x(), rod, frame.z(), Pi / 2);
    Constraint::ConstantAngle(other, frame.y(), rod, frame.z(), Pi / 2);
}

void build(const BenchTask &task, Mechanism &m) {
    MobilizedBody &ground = m.matter.updGround();
    for (int i = 0; i < bench_rods(&task); i++) {
        const BenchRod rod = bench_rod(&task, i);
        if (rod.parent == BENCH_GROUND) {
            m.rods.push_back(add_rod(ground, vec(rod.at), rod));
        } else {
            const Vec3 at = vec(bench_rod(&task, rod.parent).along);
            m.rods.push_back(add_rod(m.rods[size_t(rod.parent)], at, rod));
        }
        if (rod.closes == BENCH_GROUND) {
            close_loop(task, ground, vec(rod.at) + vec(rod.along), m.rods.back(), rod);
        } else if (rod.closes != BENCH_NONE) {
            const Vec3 tip = vec(bench_rod(&task, rod.closes).along);
            close_loop(task, m.rods[size_t(rod.closes)], tip, m.rods.back(), rod);
        }
    }
}

State initial_state(const BenchTask &task, Mechanism &m) {
    State state = m.system.realizeTopology();
    for (int i = 0; i < bench_rods(&task); i++) {
        const BenchRod rod = bench_rod(&task, i);
        const double   base = rod.parent == BENCH_GROUND ? 0.0 : bench_rod(&task, rod.parent).omega;
        m.rods[size_t(i)].setRate(state, rod.omega - base);
    }
    return state;
}

std::vector<BenchEnds> ends_of(const BenchTask &task, const Mechanism &m, const State &state) {
    std::vector<BenchEnds> ends;
    m.system.realize(state, Stage::Position);
    for (int i = 0; i < bench_rods(&task); i++) {
        const MobilizedBody::Pin &rod = m.rods[size_t(i)];
        const Vec3                a = rod.getBodyOriginLocation(state);
        const Vec3 b = rod.findStationLocationInGround(state, vec(bench_rod(&task, i).along));
        ends.push_back({{a[0], a[1], a[2]}, {b[0], b[1], b[2]}});
    }
    return ends;
}

BenchRun run_once(const BenchTask &task, Mechanism &m) {
    const double               duration = bench_duration(&task);
    BenchRun                   run = {};
    RungeKuttaMersonIntegrator integrator(m.system);

    if (task.setting >= 1.0) {
        integrator.setFixedStepSize(1.0 / task.setting);
    } else {
        integrator.setAccuracy(task.setting);
    }
    integrator.setReturnEveryInternalStep(true);
    integrator.setFinalTime(duration);
    integrator.initialize(initial_state(task, m));

    const volatile int *stop = bench_budget(task.budget);
    const double        start = bench_cpu();
    try {
        while (integrator.getTime() < duration && !*stop) {
            integrator.stepTo(duration);
        }
        run.outcome = integrator.getTime() < duration ? BENCH_CUT : BENCH_DONE;
    } catch (const std::exception &) {
        run.outcome = BENCH_FAILED;  // most often a step or a projection that does not converge
    }
    run.cpu_seconds = bench_cpu() - start;
    run.steps = integrator.getNumStepsTaken();
    run.evaluations = integrator.getNumRealizations();
    run.error = NAN;
    if (run.outcome == BENCH_DONE) {
        run.error = bench_error(&task, ends_of(task, m, integrator.getState()).data());
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
        Mechanism m(vec(bench_gravity(&task)));
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
