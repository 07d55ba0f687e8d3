#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count the instructions of what costs as much as there are bodies.

    check_linear_cost.py PROGRAM MODEL...

Fails if PROGRAM needs more than 10.5 times the instructions for a chain of N = 1000 bodies of one with
N = 100. Counting and the limit are those of bench/check_instructions.py. Exits with 77 (skipped) where
valgrind is missing.
"""

import os
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from check_instructions import LIMIT, SKIPPED, available, instructions  # noqa: E402


def main():
    if not available():
        print("skipped: valgrind is not installed")
        return SKIPPED
    failed = False
    for model in sys.argv[2:]:
        small = instructions(sys.argv[1], model, 100)
        large = instructions(sys.argv[1], model, 1000)
        print(f"{model}: {small:.0f} instructions at N = 100, {large:.0f} at N = 1000, "
              f"ratio {large / small:.3f} (at most {LIMIT})")
        failed = failed or not large / small <= LIMIT
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
