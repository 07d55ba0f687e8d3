#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an example and checks what it prints. Usage: check.py NAME PROGRAM PENDULUM.CSV

The pendulum is compared with its closed form (the file), the others with the same problem in minimal
coordinates, integrated here.
"""
import math
import subprocess
import sys

GRAVITY = 9.81


def expect(good, what):
    if not good:
        sys.exit(what)


def rk4(rhs, y, t, h):
    def moved(k, part):
        return [a + part * h * b for a, b in zip(y, k)]
    k1 = rhs(t, y)
    k2 = rhs(t + h / 2, moved(k1, 0.5))
    k3 = rhs(t + h / 2, moved(k2, 0.5))
    k4 = rhs(t + h, moved(k3, 1.0))
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def words(line):
    """The pairs of a line 'tag t 1 x 0.5': {'t': 1.0, 'x': 0.5}."""
    parts = line.split()[1:]
    return {key: float(value) for key, value in zip(parts[::2], parts[1::2])}


def read_reference(path):
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        rows = [dict(zip(names, map(float, line.split(",")))) for line in file]
    return {row["t"]: row for row in rows}


def check_pendulum_rk4(lines, reference):
    expect(len(lines) == 11, f"{len(lines)} lines")
    for second, line in enumerate(lines):  # "t =  0 s: x = 1.0 m, z = 0.0 m, rod force 0.0 N"
        parts = line.replace(",", "").split()
        row = reference[float(second)]
        expect(float(parts[2]) == second, line)
        # rk4 at h = 1e-3 is off by 1e-10; differences may add 1e-9. Six digits of lambda are told.
        for at, name, allowed in ((6, "x", 2e-9), (10, "z", 2e-9), (14, "lambda", 1e-6)):
            expect(abs(float(parts[at]) - row[name]) <= allowed, f"{line}: {name} is {row[name]}")


def check_pendulum_cvode(lines, reference):
    """Within 100 tolerances for each second: the angle alone, without constraint, takes as much."""
    tolerance = words(lines[-1])["tolerance"]
    for tag in ("adams", "bdf"):
        rows = [words(line) for line in lines if line.startswith(tag + " t ")]
        expect(len(rows) == 10, f"{tag}: {len(rows)} rows")
        for row in rows:
            exact, allowed = reference[row["t"]], 100 * tolerance * row["t"]
            for name, size in (("x", 1), ("z", 1), ("vx", 5), ("vz", 5)):
                off = abs(row[name] - exact[name]) / size
                expect(off <= allowed, f"{tag}, t = {row['t']}: {name} is off by {off}")
            expect(row["phi"] <= 5e-15 and row["rate"] <= 2e-14, f"{tag}: {row}")
            expect(abs(row["energy"]) <= 10 * 100 * tolerance * row["t"], f"{tag}: {row}")


def check_motor_ida(lines, _):
    """alpha'' = (k i - m g L cos alpha) / m L^2, i' = (u - R i - k alpha') / E.

    IDA's errors, here at up to 14 rad/s, are about 140 tolerances for each second.
    """
    def rhs(_, y):
        return [y[1], 0.8 * y[2] - GRAVITY * math.cos(y[0]), (12.0 - y[2] - 0.8 * y[1]) / 0.05]
    y, h, step = [-math.pi / 2, 0.0, 0.0], 5e-4, 0  # R h / E is 0.01: errors of 1e-10
    rows = [words(line) for line in lines if line.startswith("ida t ")]
    tolerance = words(lines[-1])["tolerance"]
    expect(len(rows) == 5, f"{len(rows)} rows")
    for row in rows:
        while step < round(row["t"] / h):
            y = rk4(rhs, y, step * h, h)
            step += 1
        c, s = math.cos(y[0]), math.sin(y[0])
        exact = {"x": c, "z": s, "vx": -s * y[1], "vz": c * y[1], "i": y[2]}
        for name, size in (("x", 1), ("z", 1), ("vx", 10), ("vz", 10), ("i", 10)):
            off = abs(row[name] - exact[name]) / size
            expect(off <= 300 * tolerance * row["t"], f"t = {row['t']}: {name} is off by {off}")
        expect(row["phi"] <= 5e-15 and row["rate"] <= 5e-14, f"{row}")


def check_string_ritz(lines, _):
    """Two coordinates: q0 is what keeps the clamped node at rest, the others are free."""
    nodes, left, middle, mass, tension, load = 19, 4, 9, 0.1, 40.0, 3.0
    X = [[math.sin((2 * k + 1) * math.pi * (i + 1) / (nodes + 1)) for k in range(3)]
         for i in range(nodes)]
    T = [[X[i][k] - X[i][0] * X[left][k] / X[left][0] for k in (1, 2)] for i in range(nodes)]
    M = [[sum(mass * row[a] * row[b] for row in T) for b in range(2)] for a in range(2)]
    det = M[0][0] * M[1][1] - M[0][1] * M[1][0]

    def rhs(_, y):
        x = [row[0] * y[0] + row[1] * y[1] for row in T]
        f = [tension * ((x[i - 1] if i else 0) - 2 * x[i] + (x[i + 1] if i < nodes - 1 else 0))
             + (load if i == middle else 0) for i in range(nodes)]
        g = [sum(row[a] * fi for row, fi in zip(T, f)) for a in range(2)]
        return [y[2], y[3], (M[1][1] * g[0] - M[0][1] * g[1]) / det,
                (M[0][0] * g[1] - M[1][0] * g[0]) / det]

    expect(lines[0].startswith("rank 1 freedoms 2 dropped 1: ") and "clamp" in lines[0], lines[0])
    rows = [words(line) for line in lines[1:]]
    expect(len(rows) == 4, f"{len(rows)} rows")
    y, step = [0.0] * 4, 0
    for row in rows:
        while step < round(row["t"] * 1000):
            y = rk4(rhs, y, 0.0, 1e-3)
            step += 1
        exact = T[middle][0] * y[0] + T[middle][1] * y[1]
        # The same method with the same step on the same motion: rounding, and differences in b.
        expect(abs(row["middle"] - exact) <= 1e-9, f"{row}: {exact}")
        expect(abs(row["left"]) <= 1e-14 and abs(row["right"]) <= 1e-14, f"{row}")
    expect(max(row["middle"] for row in rows) > 0.1, "nothing moves")


def check_first_order(lines, reference):
    """Euler's method with h = 1e-4: off by a few h."""
    row = words(lines[0])
    for name in ("x", "z"):
        off = abs(row[name] - reference[1.0][name])
        expect(off <= 1e-3, f"{name} is off by {off}")
    # Each is printed with six digits.
    expect(abs(math.hypot(row["x"], row["z"]) - 1.0) <= 2e-6, f"{row}")


def near(line, value, exact, allowed=1e-8):
    expect(abs(value - exact) <= allowed, f"{line}: {value} is not {exact}")


def check_equations(lines, _):
    """A rod of 1 m and 2 kg about its end: inertia m L^2 / 3, weight m g, w^2 = 3 g / 2 L."""
    exact = {"inertia": 2 / 3, "the": 2 * GRAVITY,
             "frequency": math.sqrt(1.5 * GRAVITY) / (2 * math.pi)}
    expect(len(lines) == 5 and lines[0].startswith("pin [m]: "), lines[0])
    for line in lines[2:]:
        near(line, float(line.split(": ")[1].split()[0]), exact[line.split()[0].strip(":")])


def check_stop(lines, _):
    """A quarter of the period from the horizontal, sqrt(2 L / 3 g) K(1/2), and w^2 = 3 g / L."""
    parts = lines[0].split()
    near(lines[0], float(parts[5]), math.sqrt(2 / (3 * GRAVITY)) * 1.8540746773013719)
    near(lines[0], float(parts[9]), -math.sqrt(3 * GRAVITY), 1e-7)


def check_controller(lines, _):
    """The pole on the cart in its two coordinates, with the force held for each sample."""
    cart, pole, length = 1.0, 0.1, 0.5
    inertia = pole / 12 + pole * length ** 2

    def rhs(_, y):
        x, angle, v, w, force = y
        c, s = pole * length * math.cos(angle), pole * length * math.sin(angle)
        right = [force - s * w * w, GRAVITY * s]
        det = (cart + pole) * inertia - c * c
        return [v, w, (inertia * right[0] + c * right[1]) / det,
                (c * right[0] + (cart + pole) * right[1]) / det, 0.0]

    y, rows = [0.0, 0.1, 0.0, 0.0, 0.0], [words("row " + line) for line in lines]
    expect(len(rows) == 6, f"{len(rows)} rows")
    for k in range(501):
        if k % 100 == 0:
            row = rows[k // 100]
            near(row, row["x"], y[0], 1e-6)
            near(row, row["angle"], y[1], 1e-6)
        y[4] = y[0] + 2 * y[2] - 30 * y[1] - 8 * y[3]
        for _ in range(10):
            y = rk4(rhs, y, 0.0, 1e-3)
    expect(abs(rows[-1]["angle"]) < 0.01, "the pole fell")


def check_orbit(lines, _):
    """A circle of 0.75 m at 2 rad/s; T + V = 1.5 J - 3 J."""
    for line in lines[:6]:
        row = words("row " + line)
        near(line, row["x"], 0.75 * math.cos(2 * row["t"]), 1e-6)
        near(line, row["y"], 0.75 * math.sin(2 * row["t"]), 1e-6)
    near(lines[6], float(lines[6].split()[1]), -1.5, 1e-7)
    expect(lines[6].endswith("yes"), lines[6])


def check_model_cpp(lines, _):
    """theta'' = -(3 g / 2 L) cos(theta) from the horizontal."""
    row, y = words("row " + lines[0]), [0.0, 0.0]
    for _ in range(300):
        y = rk4(lambda t, y: [y[1], -1.5 * GRAVITY * math.cos(y[0])], y, 0.0, 1e-3)
    near(row, row["y"], 0.5 * math.sin(y[0]), 1e-6)
    near(row, row["omega"], y[1], 1e-6)


CHECKS = {
    "equations": check_equations,
    "stop": check_stop,
    "controller": check_controller,
    "orbit": check_orbit,
    "model_cpp": check_model_cpp,
    "pendulum_rk4": check_pendulum_rk4,
    "pendulum_cvode": check_pendulum_cvode,
    "motor_ida": check_motor_ida,
    "string_ritz": check_string_ritz,
    "pendulum_cpp": check_first_order,
    "pendulum_fortran": check_first_order,
}


def main():
    name, program, reference = sys.argv[1:]
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"it ended with {done.returncode}: {done.stderr}")
    CHECKS[name](done.stdout.splitlines(), read_reference(reference))


main()
