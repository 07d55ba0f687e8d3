# SPDX-License-Identifier: MIT
"""The catalogue of bad assemblies and modules, tests/bad/glue: each gives exactly the line and the
exit code that it names, in the form of test_bad.py. They run in a folder of their own, beside
modules: mass_spring.so, hostile.so (one fault each), none.so (a library that is no module), text.so,
text.fmu, empty.fmu and no_binary.fmu (an archive without a library), and all other files of
tests/bad/glue/modules."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import zipfile

from test_bad import BAD, LIMIT, pattern_of, read_header

TRAMMEL = os.environ["TRAMMEL"]
LEAST = 120  # files of the catalogue
FILES = sorted((BAD / "glue").glob("*.lua"))
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="crane" guid="1">
<ModelExchange modelIdentifier="crane"/>
<ModelVariables>
<ScalarVariable name="hook.x" valueReference="0" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="hook.vx" valueReference="1" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="hook.fx" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
</ModelVariables>
<ModelStructure/>
</fmiModelDescription>
"""


def fill(folder):
    for name, key in (("mass_spring", "MASS_SPRING"), ("hostile", "HOSTILE"), ("none", "NO_MODULE")):
        shutil.copy(os.environ[key], folder / (name + ".so"))
    for name in ("text.so", "text.fmu"):
        (folder / name).write_text("some words\n", encoding="utf-8")
    with zipfile.ZipFile(folder / "empty.fmu", "w") as file:
        file.writestr("readme.txt", "nothing else")
    with zipfile.ZipFile(folder / "no_binary.fmu", "w") as file:
        file.writestr("modelDescription.xml", DESCRIPTION)
    for path in (BAD / "glue" / "modules").iterdir():
        shutil.copy(path, folder)


class Catalogue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="trammel-bad-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        fill(cls.folder)
        for path in FILES:
            shutil.copy(path, cls.folder)

    def test_it_is_large(self):
        self.assertGreaterEqual(len(FILES), LEAST)


def add_test(path):
    def test(self):
        header = read_header(path)
        words = header.get("args", "").split()
        words += [] if "-o" in words else ["--no-hdf5"]
        done = subprocess.run([TRAMMEL, "glue", path.name, "-q", *words], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT,
                              check=False)
        self.assertRegex(done.stderr.decode("utf-8"), "^" + pattern_of(header, path.name) + "$")
        self.assertEqual(done.returncode, int(header["exit"]))
    setattr(Catalogue, "test_" + path.stem, test)


for bad in FILES:
    add_test(bad)

if __name__ == "__main__":
    unittest.main()
