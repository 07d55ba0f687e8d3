#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks who includes whom. Usage: check_layers.py ROOT

Sources stand in the engine, in coupling, in instruments, and in lua and cli. Four bands of folders;
a folder may include itself, what stands in a band above it, and the neighbors of its own band that
are named here. Some folders may see less than their band allows.
"""
import pathlib
import re
import sys

GROUPS = {
    "engine": ["base", "la", "tape", "record", "joint", "force", "model", "system", "basis",
               "formulation", "projection", "stabilization", "carry", "constrain", "integrator",
               "eval", "sim"],
    "coupling": ["glue", "glue_mpi", "fmi"],
    "instruments": ["branches", "check", "compare", "modes", "plot", "registry", "report", "verify"],
    "": ["lua", "cli"],
}

BANDS = [
    ["base", "la", "tape", "record", "plot"],
    ["joint", "force", "model", "system"],
    ["basis", "formulation", "projection", "stabilization", "carry", "constrain", "integrator",
     "eval", "sim"],
    ["lua", "compare", "modes", "branches", "check", "verify", "glue", "fmi", "cli", "glue_mpi",
     "registry", "report"],
]

# Neighbors: a folder -> folders of its own band that it may include.
NEIGHBORS = {
    "base": ["tape"],
    "la": ["base"],
    "tape": ["base"],
    "record": ["base"],
    "plot": ["base", "record"],
    "force": ["joint"],
    "model": ["joint", "force"],
    "system": ["joint", "force", "model"],
    "formulation": ["basis"],
    "projection": ["basis", "formulation"],
    "carry": ["basis", "formulation"],
    "constrain": ["formulation", "projection"],
    "eval": ["formulation", "projection"],
    "sim": ["eval", "basis", "formulation", "projection", "stabilization", "carry", "integrator"],
    "fmi": ["glue"],
    "glue_mpi": ["glue"],
    "verify": ["lua"],
    "lua": ["glue"],
    "registry": ["glue"],
    "report": ["modes", "check", "verify", "glue", "fmi"],
    "cli": ["report", "lua", "modes", "check", "verify", "glue", "fmi", "glue_mpi"],
}

# Folders that see less than their band: a folder -> all that it may include.
ONLY = {
    "joint": ["base", "tape"],
    "force": ["base", "tape", "joint"],
    "basis": ["base", "la"],
    "formulation": ["base", "la", "system", "basis"],
    "projection": ["base", "la", "system", "basis", "formulation"],
    "stabilization": ["base", "system"],
    "carry": ["base", "la", "system", "basis", "formulation"],
    "constrain": ["base", "la", "system", "formulation", "projection"],
    "branches": ["base", "la"],
    "modes": ["base", "la"],
    "check": ["base", "la"],
    "compare": ["base", "sim", "integrator"],
    "integrator": ["base", "la", "system"],
}

# Of some allowed folders, single headers only: field tables know that a parameter may be a function
# of time; methods see the equations of a system, not the system.
HEADERS = {
    "base": {"tape": ["tape/tape.h"]},
    "formulation": {"system": ["system/equations.h"]},
    "projection": {"system": ["system/equations.h"]},
    "stabilization": {"system": ["system/equations.h"]},
    "carry": {"system": ["system/equations.h"]},
    "integrator": {"system": ["system/equations.h", "system/newton_matrix.h"]},
    "constrain": {"system": ["system/equations.h"]},
    "compare": {"sim": ["sim/def.h"], "integrator": ["integrator/integrator.h"]},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def allowed(folder):
    if folder in ONLY:
        return {folder, *ONLY[folder]}
    band = next(i for i, names in enumerate(BANDS) if folder in names)
    above = [name for names in BANDS[:band] for name in names]
    return {folder, *above, *NEIGHBORS.get(folder, [])}


def complaint(folder, header):
    """Why a file of the folder may not include the header, or None."""
    target = header.split("/")[0]
    if target == "trammel":
        return None  # public headers
    if "/" not in header:
        return "write the folder in the include"
    if target not in allowed(folder):
        return f"{folder}/ may not include {target}/"
    only = HEADERS.get(folder, {}).get(target)
    if only is not None and header not in only:
        return f"{folder}/ may include only {', '.join(only)} of {target}/"
    return None


def folders(src):
    """Folders of sources, each with its group."""
    for folder in sorted(p for p in src.iterdir() if p.is_dir()):
        if folder.name in GROUPS:
            yield from ((one, folder.name) for one in sorted(folder.iterdir()) if one.is_dir())
        else:
            yield folder, ""


def check_file(path, root, folder):
    bad = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        why = complaint(folder, match.group(1)) if match else None
        if why:
            print(f"{path.relative_to(root)}:{number}: {match.group(1)}: {why}")
            bad += 1
    return bad


def main():
    root = pathlib.Path(sys.argv[1])
    bad = files = 0
    for folder, group in folders(root / "src"):
        if folder.name not in GROUPS.get(group, []):
            print(f"{folder.relative_to(root)}: not in a group of tools/check_layers.py")
            bad += 1
            continue
        for path in sorted([*folder.rglob("*.[ch]"), *folder.rglob("*.def")]):
            files += 1
            bad += check_file(path, root, folder.name)
    for path in sorted((root / "include").rglob("*.h")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match and not match.group(1).startswith("trammel/"):
                print(f"{path.relative_to(root)}:{number}: a public header includes "
                      f"{match.group(1)}")
                bad += 1
    if files == 0:
        sys.exit(f"{root}: no sources found; is this the root of the repository?")
    sys.exit(1 if bad else 0)


main()
