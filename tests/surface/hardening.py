# SPDX-License-Identifier: MIT
"""Programs and libraries load nothing from the current folder and are linked as distributions ask:
RUNPATH without empty or relative elements, PIE, full RELRO, guarded stacks that are not executable. Arguments: the files."""
import re
import subprocess
import sys


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True,
                          check=True).stdout


def faults(path):
    dynamic, header = readelf("-d", path), readelf("-h", path)
    for line in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic):
        for element in line.split(":"):
            if not re.match(r"/|\$ORIGIN(/|$)", element):
                yield f"RUNPATH [{line}] has the element '{element}'"
    if not re.search(r"Type:\s+DYN", header):
        yield "not position independent"
    if "(INTERP)" in dynamic or " INTERP " in readelf("-l", path):
        if not re.search(r"FLAGS_1.*\bPIE\b", dynamic):
            yield "a program that is not PIE"
    if "GNU_RELRO" not in readelf("-l", path) or not re.search(r"BIND_NOW|FLAGS_1.*\bNOW\b",
                                                              dynamic):
        yield "no full RELRO"
    if re.search(r"GNU_STACK\s.*\sRWE\s", readelf("-l", path)):
        yield "an executable stack"
    if "__stack_chk_fail" not in readelf("--syms", path):
        yield "no stack protector"


found = [f"{path}: {fault}" for path in sys.argv[1:] for fault in faults(path)]
print("\n".join(found) or f"{len(sys.argv) - 1} files")
sys.exit(1 if found or len(sys.argv) < 2 else 0)
