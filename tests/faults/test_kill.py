# SPDX-License-Identifier: MIT
"""Runs that are killed at random points. Usage: test_kill.py KILLS DURATION

Whenever a run with --checkpoint is killed, the results can be read, all their rows are whole and
those of an undisturbed run, and `trammel resume` ends with the same rows, bit for bit; also where it
is killed itself. A run is killed when its table has reached a seeded part of its final size, however
fast the machine is. What was met is counted and printed.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TRAMMEL = os.environ["TRAMMEL"]
COMPARE = os.environ["SAME_ROWS"]

MODEL = """
local m = model {{ name = "pair", gravity = {{ 0, -9.81 }} }}
local a = m:body {{ name = "a", mass = 1, inertia = 0.1, at = {{ 0.5, 0 }} }}
local b = m:body {{ name = "b", mass = 2, inertia = 0.2, at = {{ 1.5, 0 }} }}
m:joint {{ "revolute", name = "A", m.ground, a, point = {{ 0, 0 }} }}
m:joint {{ "revolute", name = "B", a, b, point = {{ 1, 0 }} }}
m:simulate {{ duration = {duration}, sample = 0.02, integrator = "{integrator}" }}
return m
"""
INTEGRATORS = {"dop853": 1, "dopri5": 2, "radau5": 20}  # and their parts of the duration


class Trial:
    def __init__(self, folder, integrator, duration):
        self.folder = folder
        self.count = {}
        self.model = f"{integrator}.lua"
        self.whole = f"whole_{integrator}.h5"
        (folder / self.model).write_text(MODEL.format(duration=duration, integrator=integrator))
        self.must(["run", self.model, "-q", "-o", self.whole])
        # Saving changes nothing.
        self.must(["run", self.model, "-q", "-o", "saved.h5", "--csv", "saved.csv", "--checkpoint",
                   "0.05"])
        self.bytes = (folder / "saved.csv").stat().st_size
        self.equal("saved.h5")
        assert not (folder / "saved.h5.checkpoint").exists(), "a checkpoint of a run that is done"

    def must(self, arguments):
        done = subprocess.run([TRAMMEL, *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done

    def compare(self, name):
        return subprocess.run([COMPARE, self.whole, name], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def equal(self, name):
        done = self.compare(name)
        part, whole, outcome = done.stdout.rstrip("\n").split(" ", 2)
        assert done.returncode == 0 and part == whole and outcome == "done", (done, part, whole)

    def note(self, what):
        self.count[what] = self.count.get(what, 0) + 1

    def reached(self, part):
        """Whether the table has this part of its final size."""
        table = self.folder / "run.csv"
        return table.exists() and table.stat().st_size >= part * self.bytes

    def killed(self, arguments, point):
        """Kills the command when it is at this point; returns whether it was still at work."""
        process = subprocess.Popen([TRAMMEL, *arguments], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not point():
            time.sleep(0.001)
        process.kill()
        _, words = process.communicate()
        assert process.returncode in (0, -signal.SIGKILL), words
        return process.returncode != 0

    def one(self, part, again):
        """`part` None: at once, wherever the run is then."""
        results, checkpoint = self.folder / "run.h5", self.folder / "run.h5.checkpoint"
        for path in self.folder.glob("run.*"):
            path.unlink()
        run = ["run", self.model, "-q", "-o", "run.h5", "--csv", "run.csv", "--checkpoint", "0.05"]
        if not self.killed(run, lambda: part is None or self.reached(part)):
            self.note("done before it was killed")
            return self.equal("run.h5")
        if not checkpoint.exists():
            done = subprocess.run([TRAMMEL, "resume", "run.h5"], cwd=self.folder,
                                  capture_output=True, text=True, check=False)
            if "the run is complete" in done.stderr:
                self.note("done before it was killed")
                return self.equal("run.h5")
            assert done.returncode == 4, done
            assert ("run the model again" in done.stderr) or not results.exists(), done.stderr
            return self.note("killed before the first checkpoint")
        self.note("killed")
        done = self.compare("run.h5")
        assert done.returncode == 0, done.stderr
        for part_again in again:
            if not self.killed(["resume", "run.h5", "-q"], lambda: self.reached(part_again)):
                break
            self.note("killed again")
            done = self.compare("run.h5")
            assert done.returncode == 0, done.stderr
        else:
            self.must(["resume", "run.h5", "-q"])
        self.equal("run.h5")
        rows = len((self.folder / "run.csv").read_text().splitlines()) - 1
        assert rows == int(self.compare("run.h5").stdout.split()[0]), rows
        self.note("ended with the same rows")


def main():
    kills, duration = int(sys.argv[1]), float(sys.argv[2])
    chance = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="trammel-kill-") as name:
        trials = [Trial(pathlib.Path(name), i, duration / part) for i, part in INTEGRATORS.items()]
        for k in range(kills):
            trial = trials[k % len(trials)]
            again = [chance.random() for _ in range(chance.randrange(3))]
            trial.one(chance.random() if k % 7 > 0 else None, sorted(again))
        for trial in trials:
            print(trial.model, ", ".join(f"{n} {what}" for what, n in sorted(trial.count.items())))
        met = sum(trial.count.get("ended with the same rows", 0) for trial in trials)
        assert met >= kills // 4, "too few runs were killed on the way"


main()
