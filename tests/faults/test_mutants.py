# SPDX-License-Identifier: MIT
"""Forged results and checkpoints, whose check sums fit: a command that reads one ends with one of
its exit codes and, if it refuses, one line. Arguments: how many results, how many checkpoints; with
a third one, the number of the first mutant, others are tried."""
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.environ["CLI_TESTS"])
from support import BODY, CommandTest, HEAD, PENDULUM3, PIN, TRAMMEL  # noqa: E402

MUTATE = os.environ["MUTATE"]
RESULTS, CHECKPOINTS, FIRST = (int(x) for x in (sys.argv[1:] + ["0"])[:3])
ENOUGH = 60  # [s]: a forged checkpoint may ask for a long run; it is stopped, not judged
SHORT = HEAD + BODY + PIN + "m:simulate { duration = 2, sample = 2e-3 }\nreturn m\n"
BATCH = 50
CONTROL = r"[\x00-\x09\x0b-\x1f\x7f]"  # but for ends of lines


class Mutants(CommandTest):
    def mutants(self, whole, count):
        """Numbers and paths, some at a time."""
        for first in range(FIRST, FIRST + count, BATCH):
            some = min(BATCH, FIRST + count - first)
            subprocess.run([MUTATE, whole, str(first), str(some)], cwd=self.folder, check=True,
                           stdout=subprocess.DEVNULL)
            for number in range(first, first + some):
                path = self.folder / f"{whole}.{number}"
                yield number, path
                path.unlink(missing_ok=True)

    def interrupted(self, name):
        """Results of a run that was stopped in the middle, and their checkpoint."""
        self.write(SHORT)
        if not (self.folder / "pipe").exists():
            os.mkfifo(self.folder / "pipe")
        run = self.start("run", "model.lua", "-q", "-o", name, "--csv", "pipe", "--checkpoint", "1e6")
        with open(self.folder / "pipe", encoding="utf-8") as pipe:
            for _ in range(300):
                pipe.readline()
            run.send_signal(signal.SIGINT)
            pipe.read()
        run.communicate()
        self.assertEqual(run.returncode, 130)

    def ends_well(self, number, codes, *words):
        """The exit code; of a run that goes on and on, that of its interruption."""
        run = subprocess.Popen([TRAMMEL, *words], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        try:
            report, errors = run.communicate(timeout=ENOUGH)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGINT)
            report, errors = run.communicate()
            codes = {*codes, 130}
        self.assertIn(run.returncode, codes, f"mutant {number}: {words}: {errors}")
        refusals = [line for line in errors.split("\n")[:-1] if "warning: " not in line]
        self.assertTrue(all(line.startswith("trammel: ") for line in refusals), (number, errors))
        self.assertIsNone(re.search(CONTROL, report + errors), (number, report, errors))
        if run.returncode in (3, 4):
            self.assertEqual(len(refusals), 1, (number, errors))
        self.seen[(words[0], run.returncode)] += 1
        self.seen["ended by a signal"] += "reading it ended with signal" in errors
        return run.returncode

    def setUp(self):
        super().setUp()
        self.seen = collections.Counter()
        self.addCleanup(lambda: print(self.id(), dict(self.seen), file=sys.stderr))

    def test_mutated_results_are_verified_or_refused(self):
        self.write(PENDULUM3)
        self.succeeds("run", "model.lua", "-q", "-o", "small.h5", "--sample", "0.05")
        self.write(SHORT)
        self.succeeds("run", "model.lua", "-q", "-o", "large.h5")
        for whole, count in (("small.h5", RESULTS // 2), ("large.h5", RESULTS - RESULTS // 2)):
            for number, path in self.mutants(whole, count):
                self.ends_well(number, {0, 1, 3, 4}, "verify", path.name)
        self.assertLess(self.seen[("verify", 4)], RESULTS, "no mutant gets past the reader")

    def test_runs_go_on_from_mutated_results_or_refuse_them(self):
        self.interrupted("part.h5")
        whole = (self.folder / "part.h5.checkpoint").read_bytes()
        for number, path in self.mutants("part.h5", RESULTS // 3):
            (self.folder / f"{path.name}.checkpoint").write_bytes(whole)
            if self.ends_well(number, {0, 1, 3, 4}, "resume", "-q", path.name) == 0:
                self.ends_well(number, {0, 1, 3, 4}, "verify", path.name)
            (self.folder / f"{path.name}.checkpoint").unlink(missing_ok=True)

    def test_runs_go_on_from_mutated_checkpoints_or_refuse_them(self):
        self.interrupted("part.h5")
        rows = (self.folder / "part.h5").read_bytes()
        for number, path in self.mutants("part.h5.checkpoint", CHECKPOINTS):
            (self.folder / "again.h5").write_bytes(rows)
            path.rename(self.folder / "again.h5.checkpoint")
            self.ends_well(number, {0, 1, 2, 3, 4}, "resume", "-q", "again.h5")
            for left in self.folder.glob("again.*"):
                pathlib.Path(left).unlink()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
