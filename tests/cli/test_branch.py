# SPDX-License-Identifier: MIT
"""`trammel run --branch N`: starts on the branches of a singular pose."""
import json
import pathlib
import unittest

from support import CommandTest

CHECK = pathlib.Path(__file__).resolve().parent.parent / "check"
FLAT = str(CHECK / "flat_parallel_four_bar.lua")
ROW = str(CHECK / "flat_four_bars.lua")


class Branch(CommandTest):
    def angles(self, *arguments):
        """Angles of the bodies at the end, and the whole summary."""
        summary = json.loads(self.succeeds("run", *arguments, "--no-hdf5", "--json"))
        self.assertEqual(summary["outcome"], "done")
        self.assertLess(summary["violations"]["position"]["length"]["value"], 1e-12)
        return [state["angle"] for state in summary["states"]], summary

    def test_each_branch_is_followed(self):
        turns = []
        for number in ("1", "2"):
            angles, summary = self.angles(FLAT, "--set", "speed=2", "--branch", number)
            self.assertEqual(summary["branch"]["number"], int(number))
            self.assertFalse(summary["branch"]["rest"])
            self.assertIsNone(summary["branch"]["warning"])
            turns.append(angles)
        self.assertAlmostEqual(turns[0][0], turns[0][2], delta=1e-9)
        self.assertLess(turns[1][0] * turns[1][2], -0.01)

    def test_a_branch_that_stays_singular_is_told(self):
        done = self.trammel("run", ROW, "--set", "g=0", "--set", "speed=1", "--branch", "3",
                            "--no-hdf5", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^trammel: warning: all along this branch .*crank0 \+1\.00 "
                                      r"rad, coupler1 -1\.00 rad.*\n$")
        summary = json.loads(done.stdout)
        self.assertIn("crank0", summary["branch"]["warning"])

    def test_a_load_on_such_a_branch_is_refused(self):
        self.fails(3, r".*all along branch 3 the joints hold one velocity \(crank0 \+1\.00 rad, "
                      r"coupler1 -1\.00 rad\) to second order only, and forces act on it",
                   "run", ROW, "--set", "g=9.81", "--set", "speed=1", "--branch", "3", "--no-hdf5")

    def follow(self, model, branch, *arguments):
        """At the settings of the model file, to its end: the summary of the run."""
        path = CHECK.parent.parent / "models" / "benchmark" / model
        done = self.trammel("run", str(path), "--set", "angle=1.5707963267948966", "--branch",
                            str(branch), *arguments, "--no-hdf5", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads(done.stdout)
        self.assertEqual(summary["outcome"], "done")
        self.assertEqual(summary["branch"]["number"], branch)
        self.assertLess(summary["violations"]["position"]["length"]["value"], 1e-12)
        return {state["body"]: state["omega"] for state in summary["states"]}

    def test_the_benchmark_follows_its_three_branches(self):
        for branch, moving in ((1, (1, 1, 1)), (2, (0, 1, 1)), (3, (0, 0, 1))):
            omega = self.follow("n_four_bar.lua", branch, "--set", "N=2", "--set", "g=0")
            turns = tuple(int(abs(omega[f"crank{i}"]) > 1e-3) for i in range(3))
            self.assertEqual(moving, turns)

    def test_the_parallel_four_bar_follows_its_two_branches(self):
        # Cranks turn by more than 50 rad in 10 s, and that does not loosen phi.
        for branch in (1, 2):
            self.follow("parallel_four_bar.lua", branch)

    def test_results_are_written(self):
        self.succeeds("run", FLAT, "--set", "speed=2", "--branch", "2", "-q", "-o", "two.h5")
        self.assertEqual(self.rows("two.h5")[2], "done")


if __name__ == "__main__":
    unittest.main()
