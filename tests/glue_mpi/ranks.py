# SPDX-License-Identifier: MIT
"""What the tests over MPI share: lines of mpirun, the modules, and that nothing is left behind."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import uuid

TRAMMEL = os.environ["TRAMMEL"]
MPIRUN = os.environ["MPIRUN"]
COORDINATOR = os.environ["COORDINATOR"]
BODY, CHAIN = os.environ["BODY"], os.environ["CHAIN"]
OWN_MAIN, FAULTY = os.environ["OWN_MAIN"], os.environ["FAULTY"]

SEVERAL_PROGRAMS = "PMIX_MCA_pmdl=^ompi"  # with Open MPI 5; cli/glue_mpirun.c says why

TIMEOUT = 3.0  # of the answer of a module that hangs [s]
PATIENCE = 60.0  # with mpirun, once the coordinator has ended [s]
LIMIT = 600.0  # [s]: of all that does not hang, on a machine that is as busy as may be
ENDLESS = 10**7  # steps

# The parallel four-bar of paper 002 as three bodies; coordinator.c has the same numbers.
UPRIGHT = ["angle=1.5707963267948966", "vx=-3.141592653589793", "omega=6.283185307179586"]
BODIES = {
    "crank": ["mass=10", "inertia=1", "x=0", "y=0.5", *UPRIGHT, "torque=-2"],
    "coupler": ["mass=20", "inertia=2", "x=1", "y=1", "vx=-6.283185307179586"],
    "rocker": ["mass=10", "inertia=1", "x=2", "y=0.5", *UPRIGHT],
}


def is_open_mpi_5():
    # "mpirun (Open MPI) 4.1.4", "mpiexec (OpenRTE) 4.1.4"
    told = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"\) (\d+)\.", told).group(1) not in ("3", "4")


def body(name, *more, told=True):
    """The line of one body as a module; `told`: its name is."""
    sets = [word for value in [*BODIES[name], *more] for word in ("--set", value)]
    return [TRAMMEL, "module", BODY, *(["--name", name] if told else []), *sets]


def bodies(**faults):
    """All three, some with a fault: coupler="hang_at=1"."""
    return [body(name, *([faults[name]] if name in faults else [])) for name in BODIES]


def creeping(lines):
    """The same, so slow that the motion lasts: coordinator.c says why."""
    slow = {"vx=-3.141592653589793": "vx=-5e-6", "vx=-6.283185307179586": "vx=-1e-5",
            "omega=6.283185307179586": "omega=1e-5", "torque=-2": "torque=0"}
    return [[slow.get(word, word) for word in line] for line in lines]


def environment_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return b""


class RanksTest(unittest.TestCase):
    # Of a line by hand. As options they would hold for its first program only, in Open MPI 5.
    settings = [SEVERAL_PROGRAMS, "OMPI_MCA_btl=^tcp"]

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trammel-mpi-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.rows = self.folder / "rows"
        self.steps = 0
        self.mark = f"TRAMMEL_TEST_MARK={uuid.uuid4()}"
        self.addCleanup(self.nothing_is_left)

    # --- processes ---

    def processes(self):
        """All that this test has started and that are no test, by their environment."""
        mark = self.mark.encode()
        return [int(p.name) for p in pathlib.Path("/proc").iterdir()
                if p.name.isdigit() and mark in environment_of(p.name).split(b"\0")]

    def process_of(self, word):
        """That of the rank with this word in its line."""
        for process in self.processes():
            try:
                line = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if word.encode() in line and line[0] == TRAMMEL.encode():  # mpirun has the word, too
                return process
        return None

    def nothing_is_left(self):
        """Processes that are just ending get time to; others are ended, and the test fails."""
        until = time.monotonic() + LIMIT
        left = self.processes()
        while left and time.monotonic() < until:
            time.sleep(0.02)
            left = self.processes()
        for process in left:
            try:
                os.kill(process, 9)
            except OSError:
                pass
        self.assertEqual(left, [], "processes are left")

    # --- runs ---

    def environment(self, **more):
        name, value = self.mark.split("=")
        return {**os.environ, name: value, "TMPDIR": str(self.folder),
                "TRAMMEL_OUTCOME": str(self.folder / "outcome"), **more}

    def line(self, programs, options=()):
        words = ["env", *self.settings, MPIRUN, "--oversubscribe", *options]
        if os.geteuid() == 0:
            words.append("--allow-run-as-root")
        for i, program in enumerate(programs):
            words += ([":"] if i else []) + ["-n", "1", *program]
        return words

    def coordinator(self, case, steps, fault="", where="mpi", timeout=LIMIT):
        self.steps = steps  # the duration is divided by it: another one gives other bits
        return [COORDINATOR, where, case, str(steps), str(timeout), str(self.rows),
                *([fault] if fault else [])]

    def start(self, programs, options=(), **environment):
        return subprocess.Popen(self.line(programs, options), cwd=self.folder, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, env=self.environment(**environment))

    def finish(self, process):
        """Code and text; a run that does not end is a failure, and is ended. mpirun of Open MPI 4.1
        now and then stays for ever after MPI_Abort: once the coordinator has told the outcome, it has
        PATIENCE, as in 'trammel glue'."""
        until, told = time.monotonic() + LIMIT, None
        while True:
            try:
                text, _ = process.communicate(timeout=1.0)
                return process.returncode, text
            except subprocess.TimeoutExpired:
                now = time.monotonic()
                outcome = self.outcome()  # of one that runs: its process, negative
                told = told or (now if outcome is not None and outcome >= 0 else None)
                if now > until or told is not None and now > told + PATIENCE:
                    process.kill()
                    text, _ = process.communicate()
                    self.assertIsNotNone(told, f"the run does not end:\n{text}")
                    return process.returncode, text

    def outcome(self):
        """The coordinator's own exit code. mpirun's depends on which process it saw end first, and
        that of Open MPI 4.1 crashes now and then when all is over."""
        path = self.folder / "outcome"
        text = path.read_text() if path.exists() else ""
        return int(text) if text else None

    def run_ranks(self, programs, options=(), **environment):
        return self.finish(self.start(programs, options, **environment))

    def wait_for_rows(self, process, count):
        while process.poll() is None:
            if self.rows.exists() and self.rows.read_bytes().count(b"\n") >= count:
                return
            time.sleep(0.005)
        self.fail("there are no rows: " + self.finish(process)[1])

    # --- what is to be seen ---

    def rows_are_whole(self, at_least, case="bodies"):
        """Written before the failure, and as the same run in one process has them."""
        rows = self.rows.read_text().splitlines()
        self.assertGreaterEqual(len(rows), at_least)
        other = self.folder / "local"
        words = self.coordinator(case, self.steps, f"end={len(rows)}", where="local")
        words[5] = str(other)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=self.environment())
        self.assertEqual(rows, other.read_text().splitlines())

    def tells(self, text, pattern):
        """What the coordinator says of it; `text` is what mpirun passed on."""
        path = self.folder / "rows.error"
        self.assertTrue(path.exists(), "the coordinator said nothing:\n" + text)
        self.assertRegex(path.read_text(), re.compile("^coordinator: " + pattern, re.MULTILINE))
