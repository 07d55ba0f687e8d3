# SPDX-License-Identifier: MIT
"""What the tests of the command share: a scratch folder, model files, and running the command."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TRAMMEL = os.environ["TRAMMEL"]
READ_ROWS = os.environ["READ_ROWS"]

HEAD = 'local m = model { name = "test", gravity = { 0, -9.81 } }\n'
BODY = 'local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n'
PIN = 'm:joint { "revolute", name = "A", m.ground, rod, point = { 0, 0 } }\n'
TAIL = "m:simulate { duration = 0.5 }\nreturn m\n"
PENDULUM = HEAD + BODY + PIN + TAIL

# The same in space, on a hinge about y.
HEAD3 = 'local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }\n'
BODY3 = ('local rod = m:body { name = "rod", mass = 1, inertia = { 0.1, 0.1, 0.1 }, '
         'at = { 0.5, 0, 0 } }\n')
TIP3 = 'm:frame { rod, name = "tip", at = { 0.5, 0, 0 } }\n'
PIN3 = ('m:joint { "revolute", name = "A", m.ground, rod, point = { 0, 0, 0 }, '
        'axis = { 0, 1, 0 } }\n')
PENDULUM3 = HEAD3 + BODY3 + PIN3 + TAIL

# A run that ends only when it is stopped: it writes a row every millisecond of simulated time.
ENDLESS = HEAD + BODY + PIN + "m:simulate { duration = 1e7, output_step = 1e-3 }\nreturn m\n"


def marked(body):
    """Words of 64 bits and the mark that belongs to them, as checkpoints end (record/mark.h)."""
    mark = 14695981039346656037
    for i in range(0, len(body), 8):
        mark = ((mark ^ int.from_bytes(body[i:i + 8], "little")) * 1099511628211) % 2**64
        mark ^= mark >> 29
    return body + mark.to_bytes(8, "little")


def part(data):
    """A part of a checkpoint: its length, then its bytes in whole words."""
    return len(data).to_bytes(8, "little") + data + bytes(-len(data) % 8)


def joined(text):
    """Lines that wrap as one."""
    return " ".join(text.split())


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trammel-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, text, name="model.lua"):
        path = self.folder / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return name

    def trammel(self, *arguments, **more):
        return subprocess.run([TRAMMEL, *arguments], cwd=self.folder,
                              **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},
                              text=True, check=False, timeout=1200)

    def start(self, *arguments):
        return subprocess.Popen([TRAMMEL, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def succeeds(self, *arguments, **more):
        done = self.trammel(*arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def fails(self, code, pattern, *arguments, **more):
        """The exit code, and exactly one line on standard error that fits the pattern."""
        done = self.trammel(*arguments, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, "^trammel: " + pattern)
        return done

    def refuses_model(self, pattern, text, code=3):
        """A model that cannot be run: one line that begins with the file, and no result."""
        name = self.write(text)
        done = self.fails(code, r"model\.lua:" + pattern, "run", name)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.folder / "model.h5").exists())

    def rows(self, name):
        """(rows, columns, outcome) of a result file, or None if it cannot be read."""
        done = subprocess.run([READ_ROWS, str(self.folder / name)], stdout=subprocess.PIPE,
                              text=True, check=False)
        if done.returncode != 0:
            return None
        rows, columns, outcome = done.stdout.rstrip("\n").split(" ", 2)
        return int(rows), int(columns), outcome
