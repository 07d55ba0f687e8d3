#!/bin/sh
# Usage: tools/tidy.sh BUILD
# clang-tidy over src/, with the flags of the build folder's compile_commands.json.
set -eu
build=$1
mkdir -p "$build/tidy"
# Flags that only GCC knows are taken out. Files that tests compile once more count once: clang-tidy
# would look at them as often.
python3 - "$build" <<'END'
import json
import pathlib
import re
import sys

build = pathlib.Path(sys.argv[1])
commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
first = {}
for one in commands:
    one["command"] = re.sub(r" -fno-tree-[a-z-]*", "", one["command"])
    first.setdefault(one["file"], one)
(build / "tidy/compile_commands.json").write_text(json.dumps(list(first.values())),
                                                  encoding="utf-8")
END
# One file at a time: clang-tidy 14 misreads va_list in the second file of a call.
find src -name '*.c' -print0 |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build/tidy" --quiet --warnings-as-errors='*'
