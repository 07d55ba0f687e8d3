#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails for a test file that no CMakeLists.txt names, and so never runs. Usage: registered.py ROOT"""
import pathlib
import re
import sys


def main():
    tests = pathlib.Path(sys.argv[1]) / "tests"
    lists = {f.parent: re.sub(r"#.*", "", f.read_text(encoding="utf-8"))
             for f in tests.rglob("CMakeLists.txt")}
    files = [f for f in tests.rglob("test_*") if f.suffix in {".c", ".cpp", ".py", ".sh"}]
    if len(files) < 10:
        sys.exit(f"{tests}: hardly any tests found; is this the root of the repository?")
    bad = 0
    for path in sorted(files):
        # By its path in the list of tests/, or in its own folder's list, by its name alone or in a
        # loop.
        whole = rf"trammel_test\(\s*{re.escape(str(path.relative_to(tests).with_suffix('')))}\s"
        own = rf"foreach\(name\s[^)]*\b{re.escape(path.stem.removeprefix('test_'))}\b"
        own += rf"|\b\w+_test\(\s*{re.escape(path.stem)}[\s)]"
        if not re.search(whole, lists[tests]) and not re.search(own, lists.get(path.parent, "")):
            print(f"{path.relative_to(tests.parent)}: not registered in a CMakeLists.txt")
            bad += 1
    sys.exit(1 if bad else 0)


main()
