#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count the instructions of one evaluation with callgrind, and check that they are linear in N.

    check_instructions.py PROGRAM

PROGRAM is the bench program. Fails if an evaluation with N = 1000 needs more than 10.5 times the
instructions of one with N = 100, for one of the chains or for the four-bar. Exits with 77 (skipped)
where valgrind is missing. Instructions are counted, so this gate does not depend on the
machine's load.
"""

import os
import re
import shutil
import subprocess
import sys

# What loading takes differs by a quarter of an evaluation from run to run.
COUNT = 40  # evaluations that are counted
LIMIT = 10.5  # ten times the bodies, and 5 % for what does not scale
SKIPPED = 77
MODELS = ("chain", "fourbar", "chain3")  # those that have a size


def available():
    return shutil.which("valgrind") is not None


def collected(program, model, n, count):
    """Instructions of a whole run of the program with `count` evaluations."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += [program, "evaluate", model, str(n), str(count)]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or found is None:
        sys.exit(f"callgrind failed: {' '.join(command)}\n{result.stderr}")
    return int(found.group(1))


def instructions(program, model, n):
    """Instructions of one evaluation: what COUNT of them add to a run, divided by COUNT."""
    with_evaluations = collected(program, model, n, COUNT + 1)
    return (with_evaluations - collected(program, model, n, 1)) / COUNT


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not available():
        print("skipped: valgrind is not installed")
        return SKIPPED
    failed = False
    for model in MODELS:
        small = instructions(sys.argv[1], model, 100)
        large = instructions(sys.argv[1], model, 1000)
        print(f"{model}: {small:.0f} instructions at N = 100, {large:.0f} at N = 1000, "
              f"ratio {large / small:.3f} (at most {LIMIT})")
        failed = failed or not large / small <= LIMIT
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
