#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails where the name of a kind is in quotes outside the kind's own folder. Usage: check_names.py ROOT

A kind is a line in a .def list; whoever needs to know something of it asks for a trait. The list of
methods names their parts, and sim/def.h the defaults. ALLOWED is what is left: it must shrink.
"""
import pathlib
import re
import sys

KIND = re.compile(r"\bTR_[A-Z]+\((?:\w+, )?(\w+)\)")
QUOTED = re.compile(r'"(\w+)"')
NAMING = {"methods.def", "stages.def"}  # lists that name kinds of other folders

DEFAULTS = {"def.h", "def.c"}  # what holds where the user chooses nothing

# Words that are names of kinds and of something else, too: settings, dimensions, schemes, options.
WORDS = {"basis", "penalty", "planar", "fixed", "memory", "direct", "newmark", "csv", "gravity", "svd",
         "gram_schmidt"}

# Folder and file -> names that it still has.
ALLOWED = {
    "check/fixable.c": {"cylindrical", "point_on_line", "point_on_plane", "prismatic", "revolute",
                        "spherical", "universal"},
    "check/immobile.c": {"revolute"},
    "cli/lists.c": {"dop853", "gauss", "revolute", "spring"},
    "compare/reference.c": {"dop853", "mass_orthogonal", "radau5"},
    "compare/variant.c": {"cvode", "ida", "lagrange", "mass_orthogonal", "radau5"},
    "glue/schemes.c": {"generalized_alpha"},
    "lua/assembly_place.c": {"universal"},
    "model/add.c": {"prismatic", "revolute", "spherical", "spring", "universal"},
}


def kinds(src):
    """The folder of each list, with the names in it."""
    for path in sorted(src.rglob("*.def")):
        if path.name not in NAMING and path.parent.name != "cli":
            yield path.parent, set(KIND.findall(path.read_text(encoding="utf-8")))


def code(path):
    """Without comments and includes."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    return re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)


def main():
    src = pathlib.Path(sys.argv[1]) / "src"
    families = list(kinds(src))
    if len(families) < 8:
        sys.exit(f"{src}: hardly any lists of kinds found; is this the root of the repository?")
    found = {}
    for folder, names in families:
        for path in src.rglob("*.[ch]"):
            if path.name in DEFAULTS:
                continue
            own = set().union(*(n for f, n in families if f in path.parents))
            here = (set(QUOTED.findall(code(path))) & names) - WORDS - own
            if here:
                found.setdefault("/".join(path.parts[-2:]), set()).update(here)
    bad = 0
    for file, names in sorted(found.items()):
        for name in sorted(names - ALLOWED.get(file, set())):
            print(f"{file}: names the kind '{name}'; ask for a trait of it instead")
            bad += 1
    for file, names in ALLOWED.items():
        for name in sorted(names - found.get(file, set())):
            print(f"{file}: '{name}' is gone; take it off the list in tools/check_names.py")
            bad += 1
    sys.exit(1 if bad else 0)


main()
