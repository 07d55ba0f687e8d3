#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hashes the results of every model with every method and integrator, to show that a change of the
code has not changed a bit of them.

Usage: results.py [options] TABLE          runs everything and writes the table
       results.py --compare TABLE TABLE    lists the runs that differ, and exits with 1 if any do

A run is a model file with one method or integrator and --part of the model's duration (default 2 %),
and each model once as it is; methods and integrators with fixed steps get --steps of them. A line of the table has
the exit code, the first 16 digits of the SHA-256 of the CSV file, and the counters: these also
show an evaluation that moved although no bit of the results changed. Runs that are refused or fail
count like others, with their rows so far. Tables can be compared only on one machine: results may
differ in the last bits between processors and compilers.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

COUNTERS = ("steps", "rejected", "forced", "evaluations", "factorizations", "newton_iterations",
            "jacobians", "solver_iterations", "renewals")


def listed(command, what):
    shown = subprocess.run([command, what, "--json"], check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)[what]


def choices(command):
    """Names and command line options of every method and integrator."""
    return [(kind["name"], [option, kind["name"]])
            for what, option in (("methods", "--method"), ("integrators", "--integrator"))
            for kind in listed(command, what)]


def run_json(arguments, timeout):
    """The exit code and the JSON of a run; no JSON where it was refused."""
    try:
        ran = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "timeout", {}
    try:
        return ran.returncode, json.loads(ran.stdout)
    except json.JSONDecodeError:
        return ran.returncode, {}


def measure(options, model, name, extra):
    """One line of the table, and the JSON of the run."""
    with tempfile.TemporaryDirectory() as scratch:
        csv = pathlib.Path(scratch, "rows.csv")
        code, shown = run_json([options.command, "run", str(model), "--no-hdf5", "--csv", str(csv),
                                "--json", *extra], options.timeout)
        rows = csv.read_bytes() if csv.exists() else b""
    counters = shown.get("counters", {})
    line = "\t".join([str(model), name, str(code), hashlib.sha256(rows).hexdigest()[:16],
                      ",".join(str(counters.get(key, "-")) for key in COUNTERS)])
    return line, shown


def measure_model(options, model, kinds):
    """The lines of a model: its own run in full, then a part of it with every kind."""
    line, shown = measure(options, model, "its own", [])
    lines = [line]
    duration = options.part * shown.get("settings", {}).get("duration", 0.0)
    for name, choice in kinds if duration > 0.0 else []:
        extra = [*choice, "--duration", repr(duration)]
        line, shown = measure(options, model, name, extra)
        if not shown:  # refused, perhaps for want of a step
            step = repr(duration / options.steps)
            line, shown = measure(options, model, name, [*extra, "--step", step])
        lines.append(line)
    return lines


def write(options):
    models = sorted(options.models.rglob("*.lua"))
    kinds = choices(options.command)
    count = 0
    with open(options.tables[0], "w", encoding="utf-8") as out, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines in pool.map(lambda model: measure_model(options, model, kinds), models):
            print(*lines, sep="\n", file=out, flush=True)
            count += len(lines)
    print(f"{count} runs of {len(models)} models")
    return 0


def compare(tables):
    """Lists the runs whose lines differ."""
    before, after = ({tuple(line.split("\t")[:2]): line.rstrip("\n").split("\t")[2:]
                      for line in open(table, encoding="utf-8")} for table in tables)
    differing = [key for key in sorted(before.keys() | after.keys())
                 if before.get(key) != after.get(key)]
    for key in differing:
        print(*key, sep="  ")
        print("   ", *before.get(key, ["no such run"]))
        print("   ", *after.get(key, ["no such run"]))
    print(f"{len(differing)} of {len(before.keys() | after.keys())} runs differ")
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tables", nargs="+", metavar="TABLE")
    parser.add_argument("--compare", action="store_true", help="compare two tables")
    parser.add_argument("--command", default="build/trammel", help="default build/trammel")
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("models"))
    parser.add_argument("--part", type=float, default=0.02, help="of the duration (default 0.02)")
    parser.add_argument("--steps", type=int, default=40, help="of methods with fixed steps")
    parser.add_argument("--timeout", type=int, default=300, help="of a run [s]")
    options = parser.parse_args()
    if len(options.tables) != 1 + options.compare:
        parser.error("one TABLE to write, or two to compare")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    return compare(options.tables) if options.compare else write(options)


sys.exit(main())
