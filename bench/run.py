#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measure Trammel, and MuJoCo and Simbody where they are installed, on the same models.

    run.py BUILD [--budget SECONDS] [--largest N] [--models NAME,...] [--no-peers]

Builds the programs in the folder BUILD, prints three tables and writes BUILD/bench.json. There is
no pass or fail: times belong to a machine. bench/README.md says what is measured and how.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source folder stays as it is
import check_instructions

# N of every model that is measured; for Bricard's loop the simulated seconds.
SIZES = {
    "chain": (10, 100, 1000, 10000),
    "fourbar": (2, 10, 40, 100, 1000),
    "chain3": (10, 100, 1000, 10000),
    "bricard": (1, 10),
}
BODIES = {
    "chain": lambda n: n,
    "fourbar": lambda n: 2 * n + 1,
    "chain3": lambda n: n,
    "bricard": lambda n: 5,
}
TARGET = 1e-6  # worst distance of a rod end [m]
STEP_BUDGET = 3.0  # for the cost of a step [s]
STEP_SETTING = 1000  # steps in a second: h = 1 ms
BODY_EVALUATIONS = 2_000_000  # timed at once for the cost of an evaluation
EVALUATION_REPEATS = 5  # of which the best counts

STEP_SCAN = [round(20 * math.sqrt(2) ** k) for k in range(21)]
TOLERANCE_SCAN = [10 ** (-k / 2) for k in range(6, 25)]
# Column, program, settings to scan, evaluations in one step.
CODES = [
    ("trammel dop853", "bench", TOLERANCE_SCAN, None),
    ("trammel rk4", "bench", STEP_SCAN, 4),
    ("mujoco rk4", "bench_mujoco", STEP_SCAN, 4),
    ("simbody rkm", "bench_simbody", TOLERANCE_SCAN, 5),
]
# Beyond these even a single step, or loading the model, takes minutes.
LARGEST = {
    ("bench_mujoco", "chain"): 1000,
    ("bench_mujoco", "chain3"): 1000,
    ("bench_simbody", "fourbar"): 100,
}

# Known points at the last time, to check the references: rod, then its end (x, y, z).
KNOWN = {
    ("chain", 10): [(9, 7.5272290156, -4.9062623197, 0)],
    ("chain", 100): [(99, 99.0375324923, -4.9050000000, 0)],
    ("fourbar", 2): [(0, -0.195020301949435, -0.980799205662174, 0)],
    ("fourbar", 10): [(0, -0.129306015051128, -0.991604737015509, 0)],
    ("chain3", 10): [(9, 7.4669135135, -3.4034299635, -3.3978921166)],
    ("chain3", 100): [(99, 99.0375661348, -3.4683587617, -3.4683587617)],
    ("bricard", 1): [(1, 0.274481319264623, -0.886707938734672, -0.462330002687376),
                     (2, 0.51050146118722, -1.64916759939481, 0.140123114553186)],
    ("bricard", 10): [(1, 0.999730987303835, -0.999999963825817, -0.00026897651224932),
                      (2, 0.999999963806349, -1.00026901269616, 0.999730951119921)],
}
KNOWN_TOLERANCE = 1e-9  # the points of the chains are known to 1e-10


class Bench:
    def __init__(self, build, options):
        self.folder = os.path.join(build, "bench")
        self.budget = options.budget
        self.cases = [(m, n) for m in options.models for n in SIZES[m] if n <= options.largest]
        # Longer runs of the same mechanism are of interest for their accuracy only.
        self.mechanisms = [(m, n) for m, n in self.cases if m != "bricard" or n == SIZES[m][0]]
        peers = not options.no_peers
        self.codes = [c for c in CODES if self.exists(c[1]) and (peers or c[1] == "bench")]

    def exists(self, program):
        return os.path.exists(os.path.join(self.folder, program))

    def program(self, name):
        return os.path.join(self.folder, name)

    def call(self, name, *arguments):
        """The JSON line of a program, or None after saying why there is none."""
        command = [self.program(name)] + [str(a) for a in arguments]
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        result = subprocess.run(command, capture_output=True, text=True, env=environment,
                                check=False)
        if result.returncode != 0 or result.stderr:
            print(f"{' '.join(command)}: {result.stderr.strip()}", file=sys.stderr)
        return json.loads(result.stdout) if result.returncode == 0 and result.stdout else None

    def tries(self, code, model, n):
        return n <= LARGEST.get((code, model), n)


def progress(text):
    """What is being measured, on a terminal only; the next line takes its place."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def table(title, header, rows):
    """Columns as wide as they must be, the first to the left."""
    widths = [max(len(row[i]) for row in [header] + rows) for i in range(len(header))]
    progress("")
    print(f"\n{title}\n")
    for row in [header] + rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  ".join(cells))


def evaluations(bench):
    """Time and instructions of one evaluation: accelerations and multipliers from (q, v)."""
    results, rows = [], []
    valgrind = check_instructions.available()
    for model, n in bench.mechanisms:
        bodies = BODIES[model](n)
        progress(f"one evaluation: {model} {n}")
        count = max(1, BODY_EVALUATIONS // bodies)
        runs = [bench.call("bench", "evaluate", model, n, count)
                for _ in range(EVALUATION_REPEATS)]
        if None in runs:
            continue
        seconds = min(r["cpu_seconds"] for r in runs) / count
        used = None
        if valgrind:
            used = check_instructions.instructions(bench.program("bench"), model, n)
        results.append({"model": model, "N": n, "bodies": bodies, "microseconds": 1e6 * seconds,
                        "nanoseconds_per_body": 1e9 * seconds / bodies, "instructions": used})
        rows.append([f"{model} {n}", f"{1e6 * seconds:.3f}", f"{1e9 * seconds / bodies:.1f}",
                     f"{used:.0f}" if valgrind else "-",
                     f"{used / bodies:.0f}" if valgrind else "-"])
    table("One evaluation by Trammel (accelerations and multipliers from q, v)",
          ["", "microseconds", "ns per body", "instructions", "per body"], rows)
    if not valgrind:
        print("\nInstructions are not counted: valgrind is not installed.")
    return results


def instruction_ratios(results):
    """Instructions with N = 1000 over those with N = 100."""
    count = {(r["model"], r["N"]): r["instructions"] for r in results}
    ratios = {}
    for model in SIZES:
        small, large = count.get((model, 100)), count.get((model, 1000))
        if small and large:
            ratios[model] = large / small
            print(f"\nInstructions, N = 1000 over N = 100, {model}: {large / small:.3f} "
                  f"(must be at most {check_instructions.LIMIT})")
    return ratios


def steps(bench):
    """Time of one step of a fixed-step method."""
    codes = [c for c in bench.codes if c[3] is not None]
    results, rows = [], []
    for model, n in bench.mechanisms:
        row = [f"{model} {n}"]
        for name, program, _, stages in codes:
            progress(f"one step: {model} {n}, {name}")
            run = None
            if bench.tries(program, model, n):
                run = bench.call(program, model, n, STEP_SETTING, "-", STEP_BUDGET)
            if run is None or run["steps"] == 0:
                row.append("not tried" if run is None else "-")
                continue
            micro = 1e6 * run["cpu_seconds"] / run["steps"]
            each = micro / stages / run["bodies"]
            results.append(dict(run, microseconds_per_step=micro, microseconds_per_body=each))
            row.append(f"{micro:.4g} ({each:.3f})")
        rows.append(row)
    table("One step, h = 1 ms: microseconds (per body and evaluation)",
          [""] + [c[0] for c in codes], rows)
    return results


def cheapest(bench, program, scan, case, reference):
    """The first setting of a scan from cheap to dear that reaches TARGET, else the last tried."""
    run = None
    for setting in scan:
        run = bench.call(program, *case, f"{setting:.6g}", reference, bench.budget)
        if run is None or run["outcome"] == "cut":
            break  # finer settings take longer still
        if run["error"] is not None and run["error"] <= TARGET:
            return dict(run, reached=True)
    return None if run is None else dict(run, reached=False)


def outcome(run, budget):
    if run and run["reached"]:
        return f"{1e3 * run['cpu_seconds']:.4g} ({run['steps']})"
    if run and run["outcome"] == "cut":
        return f"not in {budget:g} s"
    return "not reached"


def check_reference(path, case):
    """Stops if a reference disagrees with a point that is known."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    for rod, *point in KNOWN.get(case, []):
        distance = math.dist([float(word) for word in lines[rod].split()[3:]], point)
        if not distance <= KNOWN_TOLERANCE:
            sys.exit(f"reference of {case[0]} {case[1]} is {distance:.1e} m from its known point")


def accuracy(bench):
    """CPU time of one simulated second (Bricard: N) at a worst error of TARGET."""
    results, rows = [], []
    for case in bench.cases:
        row = [f"{case[0]} {case[1]}"]
        with tempfile.TemporaryDirectory() as folder:
            reference = os.path.join(folder, "reference")
            bench.call("bench", "reference", *case, reference)
            if not os.path.exists(reference) or os.path.getsize(reference) == 0:
                sys.exit(f"no reference of {case[0]} {case[1]}")
            check_reference(reference, case)
            for name, program, scan, _ in bench.codes:
                progress(f"accuracy: {case[0]} {case[1]}, {name}")
                if not bench.tries(program, *case):
                    row.append("not tried")
                    continue
                run = cheapest(bench, program, scan, case, reference)
                results += [run] if run else []
                row.append(outcome(run, bench.budget))
        rows.append(row)
    table(f"One simulated second (bricard: N), joint points within {TARGET:g} m: "
          "CPU milliseconds (steps)",
          [""] + [c[0] for c in bench.codes], rows)
    return results


def machine():
    name = platform.processor()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line for line in file if line.startswith("model name")]
        name = names[0].split(":", 1)[1].strip() if names else name
    return {"processor": name, "system": platform.platform()}


def models(text):
    """A list of names of models, as an argument."""
    names = text.split(",")
    for name in names:
        if name not in SIZES:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(SIZES)}")
    return names


def main():
    parser = argparse.ArgumentParser(description="Measure Trammel and its peers.")
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one run")
    parser.add_argument("--largest", type=int, default=10000, help="skip models with larger N")
    parser.add_argument("--models", type=models, default=list(SIZES), metavar="NAME,...",
                        help=f"only these of {', '.join(SIZES)}")
    parser.add_argument("--no-peers", action="store_true", help="measure Trammel only")
    options = parser.parse_args()
    subprocess.run(["cmake", "--build", options.build, "--target", "bench_programs"], check=True)

    bench = Bench(options.build, options)
    for name, program, _, _ in CODES:
        if not bench.exists(program):
            print(f"{name} is not measured: its library was not found when {options.build} "
                  "was configured")
    found = {"machine": machine(), "evaluation": evaluations(bench)}
    found["instruction_ratio"] = instruction_ratios(found["evaluation"])
    found["step"] = steps(bench)
    found["accuracy"] = accuracy(bench)
    path = os.path.join(options.build, "bench.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")
    print(f"\nWritten: {path}")


if __name__ == "__main__":
    main()
