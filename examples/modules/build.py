#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds modules of the crane (models/glue/crane): trolley.so and load.fmu.

    python3 examples/modules/build.py FOLDER [--without-derivatives]

With --without-derivatives the description of the FMU says that it has no directional derivatives.
"""
import argparse
import os
import pathlib
import platform
import subprocess
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
# The folder of binaries that FMI 2.0 names; from 2.0.5 on that of 3.0 for all but x86.
PLATFORM = "aarch64-linux" if platform.machine() == "aarch64" else "linux64"


def compile_library(source, target, *options):
    """`cc -shared`, with the compiler of the environment."""
    subprocess.run([*os.environ.get("CC", "cc").split(), "-O2", "-ffp-contract=off", "-shared",
                    "-fPIC", "-fvisibility=default", *options, str(source), "-o", str(target),
                    "-lm"], check=True)


def build_trolley(folder):
    compile_library(HERE / "body.c", folder / "trolley.so", "-DMODULE_LIBRARY", f"-I{INCLUDE}")
    return folder / "trolley.so"


def build_load(folder, derivatives=True, name="load.fmu", change=lambda text: text):
    """An FMU is a zip file: the description, and the library in a folder of its platform."""
    library = folder / "load.so"
    compile_library(HERE / "load" / "load.c", library)
    text = (HERE / "load" / "modelDescription.xml").read_text(encoding="utf-8")
    if not derivatives:
        text = text.replace('providesDirectionalDerivative="true"',
                            'providesDirectionalDerivative="false"')
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as fmu:
        fmu.writestr("modelDescription.xml", change(text))
        fmu.write(library, f"binaries/{PLATFORM}/load.so")
    library.unlink()
    return folder / name


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--without-derivatives", action="store_true")
    words = parser.parse_args()
    words.folder.mkdir(parents=True, exist_ok=True)
    print(build_trolley(words.folder))
    print(build_load(words.folder, not words.without_derivatives))


if __name__ == "__main__":
    main()
