#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count the instructions of recorded functions, and of the same functions run by Lua.

    check_functions.py PROGRAM MODELS

PROGRAM is the functions program, MODELS the folder of model files. Fails unless the Lua
interpreter takes at least 5 times the instructions of a recorded function, and unless both give
the same numbers. Exits with 77 (skipped) where valgrind is missing.
"""

import math
import subprocess
import sys

from check_instructions import SKIPPED, available, instructions

FILES = ("andrews_equations.lua", "slider_crank_flexible.lua")
LIMIT = 5.0
# Sums of about a hundred terms, of which the largest come first: 1e-16 each, and as much again for
# what is simplified while recording.
TOLERANCE = 1e-13


def sums(program, how, path):
    command = [program, "evaluate", how, path, "1"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{result.stderr}")
    return [float(word) for word in result.stdout.split()]


def agree(program, path):
    """Whether both evaluate the same functions."""
    sum1, squares1 = sums(program, "interpreted", path)
    sum2, squares2 = sums(program, "values", path)
    return (math.isclose(squares1, squares2, rel_tol=TOLERANCE)
            and abs(sum1 - sum2) <= TOLERANCE * math.sqrt(squares1))


def check(program, path):
    if not agree(program, path):
        print(f"{path}: recorded and interpreted functions differ")
        return False
    interpreted = instructions(program, "interpreted", path)
    values = instructions(program, "values", path)
    derivatives = instructions(program, "derivatives", path)
    print(f"{path}: {interpreted:.0f} instructions interpreted, {values:.0f} recorded "
          f"(ratio {interpreted / values:.1f}, at least {LIMIT:g}), {derivatives:.0f} with "
          f"derivatives (ratio {interpreted / derivatives:.1f})")
    return interpreted >= LIMIT * values


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not available():
        print("skipped: valgrind is not installed")
        return SKIPPED
    passed = [check(sys.argv[1], f"{sys.argv[2]}/{name}") for name in FILES]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
