# SPDX-License-Identifier: MIT
"""The crane of models/glue/crane over MPI, by `trammel glue --mpi` as a user has it: five processes
and a coordinator; bits, faults, checkpoints."""
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from ranks import BODY, FAULTY, LIMIT, OWN_MAIN, TIMEOUT, TRAMMEL, RanksTest

SOURCE = pathlib.Path(os.environ["SOURCE"])
LOST, MODEL, USAGE = 5, 3, 2
SHORT = ["--duration", "0.15", "--sample", "0.005"]


def load_build():
    spec = importlib.util.spec_from_file_location("build", SOURCE / "examples/modules/build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load_build()


class CraneTest(RanksTest):
    def setUp(self):
        super().setUp()
        for path in (SOURCE / "models/glue/crane").glob("*.lua"):
            shutil.copy(path, self.folder)
        # The trolley of examples/modules, with faults on demand.
        shutil.copy(os.environ["FAULTY_TROLLEY"], self.folder / "trolley.so")
        build.build_load(self.folder)

    def trammel(self, *words, **environment):
        """Code, output, errors; a command that does not end is a failure."""
        return self.command([TRAMMEL, *words], **environment)

    def command(self, words, **environment):
        run = subprocess.Popen(words, cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=self.environment(**environment))
        try:
            out, errors = run.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            run.kill()
            self.fail("it does not end")
        return run.returncode, out, errors

    def done(self, *words, **environment):
        code, out, errors = self.trammel(*words, **environment)
        self.assertEqual((code, errors), (0, ""))
        return out

    def lines(self):
        """Programs of mpirun, one for each module, as --dry tells their arguments."""
        found = []
        for module in json.loads(self.done("glue", "crane.lua", "--dry", "--json"))["modules"]:
            chosen = [f"@output={name}" for name in module["outputs"]]
            sets = module["arguments"] + (chosen if module["source"] == "model" else [])
            found.append([TRAMMEL, "module", module["path"], "--name", module["name"],
                          *[word for value in sets for word in ("--set", value)]])
        return found

    def text(self, name):
        return (self.folder / name).read_bytes()


class Bits(CraneTest):
    def test_one_process_and_six_give_the_same(self):
        self.done("glue", "crane.lua", "-q", "--csv", "one.csv", *SHORT)
        words = self.done("glue", "--mpi", "crane.lua", "--csv", "six.csv", *SHORT)
        self.assertIn("5, each in a process of its own, over MPI", words)
        self.assertIn("FMI 2.0, Model Exchange; compliance by directional derivatives", " ".join(words.split()))
        self.assertEqual(self.text("one.csv"), self.text("six.csv"))
        self.assertEqual(self.text("one.csv").count(b"\n"), 32)

    def test_a_line_by_hand(self):
        """In any order of the modules."""
        self.done("glue", "crane.lua", "-q", "--csv", "one.csv", *SHORT)
        first = [TRAMMEL, "glue", "crane.lua", "--json", "--csv", "six.csv", *SHORT]
        code, out, errors = self.command(self.line([first, *reversed(self.lines())]))
        self.assertEqual((code, errors), (0, ""))
        for level in json.loads(out)["violations"].values():
            self.assertLess(max(level["length"]["value"], level["angle"]["value"]), 1e-10)
        self.assertEqual(self.text("one.csv"), self.text("six.csv"))

    def test_a_program_with_its_own_main(self):
        """`command`: its words come as they are, and it needs --mpi."""
        (self.folder / "own.lua").write_text(f"""
local g = assembly {{ name = "four-bar", dim = 2 }}
local chain = g:module {{ name = "chain", command = {{ "{OWN_MAIN}" }} }}
g:joint {{ "revolute", name = "cut", g.ground, chain["end"], point = {{ 2, 0 }} }}
g:simulate {{ step = 0.4, duration = 4, tolerance = 1e-8 }}
return g
""")
        self.assertIn("four-bar: done at t = 4 s", self.done("glue", "--mpi", "own.lua"))
        code, _, errors = self.trammel("glue", "own.lua")
        self.assertEqual(code, MODEL)
        self.assertRegex(errors, r"own\.lua:3: module 'chain': a command runs in a process of its "
                         "own; add --mpi")


class Faults(CraneTest):
    def lost(self, pattern, *words, **environment):
        """Exit code 5 and one line; nothing is left; results can be read."""
        code, _, errors = self.trammel("glue", "--mpi", *words, "-q", **environment)
        self.assertEqual(code, LOST, errors)
        self.assertRegex(errors, "^trammel: " + pattern)
        self.assertEqual(self.processes(), [])

    def crane(self, fault, pattern, timeout=LIMIT):
        self.lost(r"crane\.lua: module 'trolley'" + pattern + r"; at t = 0\.10\d* s; the results so "
                  "far are kept\n", "crane.lua", "--timeout", str(timeout), *SHORT,
                  CRANE_FAULT=fault)
        done = subprocess.run([os.environ["READ_ROWS"], str(self.folder / "crane.h5")],
                              stdout=subprocess.PIPE, text=True, check=True)
        rows, _, outcome = done.stdout.split(" ", 2)
        self.assertGreaterEqual(int(rows), 20)  # 0 to 0.1 s
        self.assertIn("failed: module 'trolley'", outcome)

    def test_kill_9(self):
        self.crane("die", r" \(rank 4\): its process has ended")

    def test_hung(self):
        self.crane("hang", r" \(rank 4\): no answer for 3 s: it hangs.*", TIMEOUT)

    def test_no_number(self):
        self.crane("number", ": the acceleration of port 'a' is not a number")

    def test_wrong_size(self):
        (self.folder / "sizes.lua").write_text(f"""
local g = assembly {{ name = "sizes", dim = 2 }}
local one = g:module {{ name = "one", program = "{BODY}" }}
local two = g:module {{ name = "two", command = {{ "{FAULTY}", "size", "two" }} }}
g:joint {{ "revolute", name = "A", one.center, two.center }}
g:simulate {{ step = 0.01, duration = 1, timeout = {LIMIT} }}
return g
""")
        self.lost(r"sizes\.lua: module 'two' \(rank 2\): its answer has 1024 bytes instead of 1032",
                  "sizes.lua")

    def test_fmu_is_missing(self):
        """The module tells it to the coordinator."""
        (self.folder / "load.fmu").unlink()
        code, _, errors = self.trammel("glue", "--mpi", "crane.lua", "-q")
        self.assertEqual(code, MODEL, errors)
        self.assertRegex(errors, r"load\.fmu: cannot be read")


class Checkpoints(CraneTest):
    def stopped(self):
        """A run over MPI whose trolley was killed at 0.1 s, and the rows it should have."""
        self.done("glue", "crane.lua", "-q", "--csv", "whole.csv", *SHORT)
        code, _, errors = self.trammel("glue", "--mpi", "crane.lua", "-q", "-o", "part.h5", "--csv",
                                       "part.csv", "--checkpoint", "0.05", *SHORT,
                                       CRANE_FAULT="die")
        self.assertEqual(code, LOST, errors)
        self.assertIn("continue with 'trammel resume --mpi part.h5 --assembly crane.lua'", errors)
        self.assertNotEqual(self.text("part.csv"), self.text("whole.csv"))

    def test_a_run_goes_on_over_mpi(self):
        self.stopped()
        self.assertIn("each in a process of its own", self.done("resume", "--mpi", "part.h5",
                                                                "--assembly", "crane.lua"))
        self.assertEqual(self.text("part.csv"), self.text("whole.csv"))

    def test_a_run_goes_on_by_hand(self):
        self.stopped()
        code, _, errors = self.command(self.line([[TRAMMEL, "resume", "part.h5", "-q",
                                                   "--assembly", "crane.lua"],
                                                  *self.lines()]))
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(self.text("part.csv"), self.text("whole.csv"))

    def test_a_run_goes_on_in_one_process(self):
        self.stopped()
        self.done("resume", "part.h5", "-q", "--assembly", "crane.lua")
        self.assertEqual(self.text("part.csv"), self.text("whole.csv"))

    def test_ctrl_c(self):
        """As a terminal sends it: to the whole group."""
        run = subprocess.Popen([TRAMMEL, "glue", "--mpi", "crane.lua", "-q", "--checkpoint", "60",
                                "--duration", "1", "--csv", "part.csv"], cwd=self.folder, text=True,
                               stderr=subprocess.PIPE, env=self.environment(),
                               # Ignored in what a shell starts in the background.
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                               start_new_session=True)
        while not (self.folder / "crane.h5.checkpoint").exists():
            self.assertIsNone(run.poll())
            time.sleep(0.005)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=LIMIT)
        self.assertEqual(run.returncode, 130, errors)
        self.assertRegex(errors, r"crane\.lua: interrupted at t = .* s; continue with 'trammel resume "
                         r"--mpi crane\.h5 --assembly crane\.lua'\n")
        self.done("resume", "crane.h5", "-q", "--assembly", "crane.lua", "--csv", "part.csv")
        self.done("glue", "crane.lua", "-q", "--duration", "1", "--csv", "whole.csv")
        self.assertEqual(self.text("part.csv"), self.text("whole.csv"))

    def test_hosts_need_mpi(self):
        code, _, errors = self.trammel("resume", "--hosts", "file", "part.h5")
        self.assertEqual((code, errors), (USAGE, "trammel: resume: --hosts is read with --mpi "
                                          "only\n"))


if __name__ == "__main__":
    unittest.main()
