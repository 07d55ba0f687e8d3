#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails for source files of more than 600 lines (400 is the aim). Usage: check_sizes.py ROOT"""
import pathlib
import sys

LIMIT = 600


def main():
    root = pathlib.Path(sys.argv[1])
    files = [f for folder in ("include", "src", "tests", "bench", "papers", "tools")
             for f in (root / folder).rglob("*") if f.suffix in {".c", ".h", ".cpp", ".py", ".sh"}]
    if len(files) < 10:
        sys.exit(f"{root}: hardly any sources found; is this the root of the repository?")
    bad = 0
    for path in sorted(files):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LIMIT:
            print(f"{path.relative_to(root)}: {lines} lines, more than {LIMIT}; split it")
            bad += 1
    sys.exit(1 if bad else 0)


main()
