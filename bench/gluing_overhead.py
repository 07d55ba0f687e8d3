#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a step of gluing costs, for 1, 2, 4 and 8 modules: messages, bytes, and instructions by callgrind.

    gluing_overhead.py PROGRAM

PROGRAM is bench_gluing. Modules are links of a chain, one body each, so that nearly all instructions
are those of the coordinator. Prints a table. Exits with 77 where valgrind is missing.
"""

import os
import re
import shutil
import subprocess
import sys

STEPS = 50
SKIPPED = 77


def run(command):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if result.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{result.stderr}")
    return result


def instructions(program, modules, steps):
    """Of a whole run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    found = re.search(r"Collected : (\d+)", run([*command, program, "steps", modules, steps]).stderr)
    return int(found.group(1))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return SKIPPED
    program = sys.argv[1]
    print("| modules | joints | iterations | messages | bytes | instructions |")
    print("| --- | --- | --- | --- | --- | --- |")
    for modules in ("1", "2", "4", "8"):
        _, iterations, messages, size = run([program, "steps", modules, str(STEPS)]).stdout.split()
        more = instructions(program, modules, str(STEPS)) - instructions(program, modules, "0")
        print(f"| {modules} | {modules} | {iterations} | {messages} | {size} | {more / STEPS:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
