# SPDX-License-Identifier: MIT
"""The catalogue of bad model files: each gives exactly the line and the exit code that it names.

A file of tests/bad begins with comments that say what must happen (those that cannot, because they
are no text, have them in NAME.expect):

    -- expect: {file}:5: joint 'pin': unknown kind 'revolut'; did you mean 'revolute'?
    -- exit: 3
    -- args: --set N=3        further words of the command line
    -- seconds: 0.5           what the file may take to load; else other bounds come first
    -- slow: yes              takes seconds; runs with `test_bad.py slow` only

{file} stands for the path, {number} for a number that differs from machine to machine, {platform}
for the folder that FMI 2.0 has for this processor.
"""
import os
import pathlib
import platform
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TRAMMEL = os.environ["TRAMMEL"]
BAD = pathlib.Path(__file__).resolve().parent.parent / "bad"
LIMIT = 1200  # seconds for one file, far beyond what any needs: nothing may hang
LEAST = 60  # files of the catalogue
PATIENCE = 3  # seconds that a file may take which takes some tenths of one
TRIES = 20


def read_header(path):
    """What a file says about itself."""
    beside = path.with_suffix(".expect")
    header = {}
    for line in (beside if beside.exists() else path).read_bytes().decode("utf-8").splitlines():
        found = re.match(r"-- (expect|exit|args|seconds|slow): (.*)$", line)
        if not found:
            break
        header[found[1]] = found[2]
    return header


def run(path, header, *more):
    seconds = {"TRAMMEL_LOAD_SECONDS": header.get("seconds", str(LIMIT))}  # busy machines, too
    return subprocess.run([TRAMMEL, "run", path, *(more or ["--no-hdf5"]),
                           *shlex.split(header.get("args", ""))], cwd=BAD,
                          env={**os.environ, **seconds}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT, check=False)


def ticks_of(process):
    """Hundredths of a second that the processor spent on it: two numbers, each rounded down."""
    words = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1]
    return sum(map(int, words.split()[11:13]))


def stop_amid(process, begun):
    """Stops a process that computes since it had `begun` ticks, or says that it has ended."""
    while process.poll() is None:
        if ticks_of(process) > begun + 3:  # 0.02 s at least, more than one that waits may spend
            process.send_signal(signal.SIGSTOP)
            return True
    return False


def pattern_of(header, path):
    folder = "aarch64-linux" if platform.machine() == "aarch64" else "linux64"
    words = header["expect"].replace("{file}", str(path)).replace("{platform}", folder)
    words = re.escape("trammel: " + words) + "\n"
    return words.replace(re.escape("{number}"), r"[-+]?[0-9][0-9.]*(e[-+]?[0-9]+)?")


def add_test(path):
    def test(self):
        header = read_header(path)
        done = run(path.name, header)
        said = done.stderr.decode("utf-8")
        self.assertRegex(said, "^" + pattern_of(header, path.name) + "$")
        self.assertEqual(done.returncode, int(header["exit"]))
    test.__doc__ = None
    setattr(Catalogue, "test_" + path.stem, test)


class Catalogue(unittest.TestCase):
    def test_it_is_large(self):
        self.assertGreaterEqual(len(list(BAD.glob("*.lua"))), LEAST)

    def test_lines_are_short_enough_to_be_kept_whole(self):
        for path in BAD.glob("*.lua"):
            self.assertLess(len(read_header(path)["expect"]), 900, path.name)


class Watchdog(unittest.TestCase):
    """What the library cannot see is ended from outside."""

    def test_a_file_that_never_comes_does_not_hold_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pipe.lua"
            os.mkfifo(path)
            started = [subprocess.Popen([TRAMMEL, command, path], cwd=folder,
                                        env={**os.environ, "TRAMMEL_LOAD_SECONDS": "0.2"},
                                        stderr=subprocess.PIPE, text=True)
                       for command in ("run", "modes", "compare")]
            for one in started:
                self.assertEqual(one.communicate(timeout=LIMIT)[1], f"trammel: {path}: the file "
                                 "runs longer than 0.2 s; look for a loop that does not end\n")
                self.assertEqual(one.returncode, 3)


    def test_a_file_that_waits_for_a_processor_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "slow.lua"
            os.mkfifo(path)
            pendulum = BAD.parents[1] / "models/benchmark/pendulum.lua"
            text = "for i = 1, 5e7 do end\n" + pendulum.read_text(encoding="utf-8")
            for _ in range(TRIES):
                one = subprocess.Popen([TRAMMEL, "run", path, "-q", "--no-hdf5", "--duration", "0.1"],
                                       cwd=folder, stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "TRAMMEL_LOAD_SECONDS": str(PATIENCE)})
                with open(path, "w", encoding="utf-8") as pipe:  # waits until it is read
                    begun = ticks_of(one)
                    pipe.write(text)
                stopped = stop_amid(one, begun)
                if stopped:  # for longer than the library and the watchdog wait
                    time.sleep(1.25 * PATIENCE + 1.5)
                    one.send_signal(signal.SIGCONT)
                self.assertEqual(one.communicate(timeout=LIMIT)[1], "")
                self.assertEqual(one.returncode, 0)
                if stopped:
                    return
        self.fail("never caught while it loaded its file")


class Kept(unittest.TestCase):
    """Rows up to the last good state are kept where a run fails, and the line says so."""

    def test_a_run_that_fails_keeps_its_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "rows.csv"
            for path in sorted(BAD.glob("run_*.lua")):
                table.unlink(missing_ok=True)
                done = run(path.name, {}, "--no-hdf5", "--csv", table)
                said = done.stderr.decode("utf-8")
                self.assertRegex(said, "; the results so far are kept\n$")
                self.assertEqual(done.returncode, 1, path.name)
                rows = [r for r in table.read_text(encoding="utf-8").splitlines() if r[:1].isdigit()]
                self.assertGreater(len(rows), 0, path.name)
                self.assertNotIn("nan", "".join(rows), path.name)


SLOW = sys.argv[1:2] == ["slow"]
for bad in sorted(BAD.glob("*.lua")):
    if ("slow" in read_header(bad)) == SLOW:
        add_test(bad)
if SLOW:
    del sys.argv[1], Watchdog, Kept

if __name__ == "__main__":
    unittest.main()
