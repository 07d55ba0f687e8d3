# SPDX-License-Identifier: MIT
"""Whatever request for memory is refused in the process of the command, ours or one inside HDF5,
SUNDIALS, libxml2 or the C library, alone or with all that follow: the command does its work, or it
ends with one line, after warnings, and the exit code of a failure. It never crashes."""
import concurrent.futures
import os
import re
import resource
import shutil
import subprocess
import sys
import unittest
import zipfile

sys.path.insert(0, os.environ["CLI_TESTS"])
from support import CommandTest, PENDULUM, TRAMMEL  # noqa: E402
import test_fmu  # noqa: E402

REFUSE = os.environ["REFUSE"]  # refuse.c
COMPARE_ROWS = os.environ["COMPARE_ROWS"]
SOURCE = os.environ["SOURCE"]
MASS_SPRING = os.environ["MASS_SPRING"]
STRIDE = int(os.environ.get("REFUSAL_STRIDE", "1"))  # 1: every request
SHORT = PENDULUM.replace("duration = 0.5", "duration = 0.02")
RUN = ("run", "model.lua", "-q", "-o", "out.h5")


class Refusals(CommandTest):
    def setUp(self):
        super().setUp()
        self.write(SHORT)

    def run_refused(self, folder, line, at=0, all_after=False):
        wishes = {"LD_PRELOAD": REFUSE, "REFUSE_AT": str(at), "REFUSE_COUNT": "count"}
        if all_after:
            wishes["REFUSE_ALL"] = "1"
        return subprocess.run([TRAMMEL, *line], cwd=folder, env={**os.environ, **wishes},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=60)

    def are_rows_right(self, folder, line):
        if "out.h5" not in line:
            return True
        done = subprocess.run([COMPARE_ROWS, self.folder / "whole.h5", folder / "out.h5"],
                              stdout=subprocess.DEVNULL, check=False)
        return done.returncode == 0

    def is_right(self, folder, line, clean, done):
        return (self.are_rows_right(folder, line) and
                (done.stdout == clean.stdout or "--repeat" in line))  # of which times are printed

    def is_told(self, folder, line, done):
        """Of an older file it is not said that it holds results."""
        said = re.fullmatch(r"(trammel: warning: .*\n)*trammel: .*\n", done.stderr) is not None
        kept = "results so far are kept" in done.stderr
        return (said and "memory" in done.stderr and
                (not kept or self.are_rows_right(folder, line)))

    def end(self, folder, line, clean, at, all_after):
        """How it ended: in order, told, or as it must not."""
        if "out.h5" in line:
            (folder / "out.h5").write_text("an older file", encoding="ascii")
        done = self.run_refused(folder, line, at, all_after)
        if done.returncode == 0 and self.is_right(folder, line, clean, done):
            return "right"
        if done.returncode in (1, 3, 4) and self.is_told(folder, line, done):
            return "told"
        return f"request {at}{' and all after' if all_after else ''}: {done.returncode}, " \
               f"{done.stderr!r}"

    def attack(self, *line):
        """Every request, on all processors, each in a copy of the folder."""
        clean = self.run_refused(self.folder, line)
        self.assertEqual(clean.returncode, 0, clean.stderr)
        requests = int((self.folder / "count").read_text(encoding="ascii"))
        if (self.folder / "out.h5").exists():
            (self.folder / "out.h5").rename(self.folder / "whole.h5")
        wishes = [(k, every) for every in (False, True) for k in range(1, requests + 1, STRIDE)]
        workers = os.cpu_count() or 1

        def work(number):
            folder = self.folder.with_name(self.folder.name + f".{number}")
            shutil.copytree(self.folder, folder)
            ends = [self.end(folder, line, clean, *wish) for wish in wishes[number::workers]]
            shutil.rmtree(folder)
            return ends

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            ends = [end for part in pool.map(work, range(workers)) for end in part]
        right, told = ends.count("right"), ends.count("told")
        print(f"{' '.join(line[:1] + line[2:]):40} {requests:5} requests: right {right:5}, "
              f"told {told:4}", flush=True)
        self.assertEqual([end for end in ends if end not in ("right", "told")], [])
        self.assertGreater(right, 0)
        self.assertGreater(told, 0)

    def test_run(self):
        self.attack(*RUN)

    def test_integrators_of_sundials(self):
        for name in ("arkode", "arkode_dirk", "cvode", "cvode_adams", "ida"):
            with self.subTest(name):
                self.attack("run", "model.lua", "--integrator", name, "--no-hdf5", "--csv", "-")

    def test_check(self):
        self.attack("check", "model.lua", "--json")

    def test_assemble(self):
        self.attack("assemble", "model.lua")

    def test_modes(self):
        self.attack("modes", "model.lua", "--json", "--no-hdf5")

    def test_compare(self):
        self.attack("compare", "model.lua", "--methods", "direct", "--repeat", "1", "--csv",
                    "out.csv", "--plots", "charts")  # prints times

    def test_verify(self):
        self.succeeds(*RUN)
        (self.folder / "out.h5").rename(self.folder / "results.h5")
        self.attack("verify", "results.h5", "--json")

    def test_resume_of_a_run_that_is_done(self):
        self.succeeds(*RUN)
        (self.folder / "out.h5").rename(self.folder / "results.h5")
        self.attack("resume", "results.h5")

    def test_glue(self):
        self.attack("glue", f"{SOURCE}/models/glue/two_masses.lua", "--set",
                    f"library={MASS_SPRING}", "--duration", "0.01", "--no-hdf5", "--csv", "-")

    def test_where_there_is_no_room_for_buffers_of_openblas(self):
        """It asks for them by mmap, without end. One of its threads does so before main."""
        for threads in ("1", "2"):
            for mebibytes in (160, 200):
                with self.subTest(threads=threads, mebibytes=mebibytes):
                    most = (mebibytes << 20, mebibytes << 20)
                    done = subprocess.run(
                        [TRAMMEL, "modes", "model.lua", "--no-hdf5"], cwd=self.folder, timeout=60,
                        env={**os.environ, "OPENBLAS_NUM_THREADS": threads}, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, most))
                    if done.returncode == 127:
                        self.skipTest("there is no room even for the libraries")
                    self.assertIn(done.returncode, (0, 1))
                    self.assertEqual(done.stderr,
                                     "" if done.returncode == 0 else "trammel: out of memory\n")

    def test_fmu(self):
        with zipfile.ZipFile(self.folder / "crane.fmu", "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("modelDescription.xml", test_fmu.describe())
            file.writestr("binaries/linux64/crane.so", "not looked at")
        self.attack("fmu", "crane.fmu")


if __name__ == "__main__":
    unittest.main()
