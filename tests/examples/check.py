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


CHECKS = {
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
