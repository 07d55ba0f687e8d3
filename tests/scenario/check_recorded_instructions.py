#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Count the instructions of one evaluation of a chain whose pins are constraints of a user's own.

    check_recorded_instructions.py PROGRAM

PROGRAM is recorded_chain_evaluations. Fails if an evaluation with N = 1000 needs more than 10.5 times
the instructions of one with N = 100. Prints what they are beside those of revolute joints, too.
Counting and the limit are those of bench/check_instructions.py. Exits with 77 (skipped) where
valgrind is missing.
"""

import os
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from check_instructions import LIMIT, SKIPPED, available, instructions  # noqa: E402


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not available():
        print("skipped: valgrind is not installed")
        return SKIPPED
    small = instructions(sys.argv[1], "functions", 100)
    large = instructions(sys.argv[1], "functions", 1000)
    joints = instructions(sys.argv[1], "kind", 100)
    print(f"{small:.0f} instructions at N = 100, {large:.0f} at N = 1000, ratio {large / small:.3f} "
          f"(at most {LIMIT}); {small / joints:.2f} times those of joints")
    return 0 if large / small <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
