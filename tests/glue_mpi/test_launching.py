# SPDX-License-Identifier: MIT
"""All processes started by one command, whose exit code is the coordinator's own."""
import os
import re
import shutil
import signal
import subprocess
import unittest

from ranks import BODIES, BODY, ENDLESS, LIMIT, OWN_MAIN, TIMEOUT, TRAMMEL, RanksTest, creeping

LAUNCHER = os.environ["LAUNCHER"]
LOST, FILE, FAILED = 5, 4, 1
ARMS = """local g = assembly {{ name = "arms", dim = 2 }}
local a = g:module {{ name = "{}", model = "arm.lua" }}
local b = g:module {{ name = "other", model = "arm.lua" }}
g:joint {{ "revolute", name = "grip", a.hand, b.hand }}
g:simulate {{ duration = 0.1, step = 1e-2 }}
return g
"""


def module(name, *more):
    return ["file", TRAMMEL, BODY, name, *BODIES[name], *more]


class LaunchingTest(RanksTest):
    def line(self, programs, options=()):
        words = [LAUNCHER, *(options or ["-"])]
        for i, program in enumerate(programs):
            words += ([":"] if i else []) + program
        return words

    def bodies(self, **faults):
        return [module(name, *([faults[name]] if name in faults else [])) for name in BODIES]

    def test_done(self):
        hosts = self.folder / "hosts"
        hosts.write_text("localhost slots=4\n")
        # Without TCP, of which Open MPI 5 says on some machines that it does not lead to itself.
        code, text = self.run_ranks([self.coordinator("bodies", 30), *self.bodies()],
                                    [str(hosts)], OMPI_MCA_btl="^tcp")
        self.assertEqual(code, 0, text)
        self.rows_are_whole(30)
        self.assertEqual(text.count("\n"), 1, text)  # MPI adds nothing

    def test_program_with_its_own_main(self):
        code, text = self.run_ranks([self.coordinator("chain", 10), [OWN_MAIN]])
        self.assertEqual(code, 0, text)

    def test_any_name_of_a_module(self):
        """Of two arms that hold hands; ':' alone would end a program on the line of mpirun."""
        shutil.copy(f"{os.environ['SOURCE']}/models/glue/arm.lua", self.folder)
        for name in (":", "--hosts", "two words"):
            (self.folder / "arms.lua").write_text(ARMS.format(name), encoding="utf-8")
            with self.subTest(name=name):
                rows = []
                for more in ([], ["--mpi"]):
                    done = subprocess.run([TRAMMEL, "glue", "arms.lua", "-q", "--csv", "arms.csv",
                                           *more], cwd=self.folder, stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT, text=True, check=False,
                                          timeout=LIMIT, env=self.environment())
                    self.assertEqual(done.returncode, 0, done.stdout)
                    rows.append((self.folder / "arms.csv").read_text(encoding="utf-8"))
                self.assertEqual(rows[0], rows[1])

    def lost(self, code, pattern, timeout=LIMIT, **faults):
        got, text = self.run_ranks([self.coordinator("bodies", 100, timeout=timeout),
                                    *self.bodies(**faults)])
        self.nothing_is_left()
        self.assertEqual(got, code, text)
        self.tells(text, pattern)
        self.rows_are_whole(24)
        self.assertFalse(list(self.folder.glob("trammel-outcome-*")))

    def test_module_hangs(self):
        self.lost(LOST, "module 'rocker' .*no answer for 3 s", TIMEOUT,
                  rocker="hang_at=1")

    def test_module_fails(self):
        self.lost(FAILED, "module 'crank': predict: the spring is broken; at t = 1 s$",
                  crank="fail_at=1")

    def test_coordinator_dies(self):
        code, text = self.run_ranks([self.coordinator("bodies", 100, "die"), *self.bodies()])
        self.nothing_is_left()
        self.assertEqual(code, LOST, text)
        self.assertIn("launcher: the coordinator was lost", text)

    def test_kill_9_from_outside(self):
        run = self.start([self.coordinator("creeping", ENDLESS), *creeping(self.bodies())])
        self.wait_for_rows(run, 20)
        os.kill(self.rank_of("rocker"), signal.SIGKILL)
        code, text = self.finish(run)
        self.nothing_is_left()
        self.assertEqual(code, LOST, text)
        self.tells(text, "module 'rocker' .*its process has ended; at t = ")
        self.rows_are_whole(20, "creeping")

    def rank_of(self, name):
        """The module's process: its line begins with the command, that of mpirun does not."""
        for process in self.processes():
            with open(f"/proc/{process}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            if words[0] == TRAMMEL.encode() and f"--name={name}".encode() in words:
                return process
        return self.fail("there is no such process")

    def test_no_mpirun(self):
        done = subprocess.run(self.line([self.coordinator("bodies", 1)]), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, timeout=LIMIT,
                              env=self.environment(PATH="/nowhere"))
        self.assertEqual(done.returncode, FILE)
        self.assertTrue(re.fullmatch("launcher: mpirun was not found; install openmpi-bin\n",
                                     done.stdout), done.stdout)


if __name__ == "__main__":
    unittest.main()
