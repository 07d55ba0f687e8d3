# SPDX-License-Identifier: MIT
"""The crane of models/glue/crane, in one process: three model files, a program and an FMU, against
the same crane as one ordinary model; and FMUs that are not as they should be. The same over MPI is
tests/glue_mpi/test_crane.py."""
import csv
import importlib.util
import json
import os
import pathlib
import shutil
import tempfile
import unittest

from support import CommandTest

SOURCE = pathlib.Path(os.environ["SOURCE"])
CRANE = SOURCE / "models/glue/crane"
LEVELS = ("position", "velocity", "acceleration")


def load_build():
    """examples/modules/build.py, which is no package."""
    path = SOURCE / "examples/modules/build.py"
    spec = importlib.util.spec_from_file_location("build", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load_build()


class CraneTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.built = pathlib.Path(tempfile.mkdtemp(prefix="trammel-crane-"))
        cls.addClassCleanup(shutil.rmtree, cls.built)
        build.build_trolley(cls.built)
        build.build_load(cls.built)

    def setUp(self):
        super().setUp()
        for path in (*CRANE.glob("*.lua"), *self.built.iterdir()):
            shutil.copy(path, self.folder)

    def table(self, name):
        with open(self.folder / name, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {head.split(" [")[0]: [float(row[i]) for row in rows[1:]]
                for i, head in enumerate(rows[0])}

    def glue(self, *more):
        """The summary."""
        return json.loads(self.succeeds("glue", "crane.lua", "--json", "--csv", "rows.csv", *more))


class Runs(CraneTest):
    def holds(self, found):
        """All joints at all levels, to rounding of 40 m and of some 10 m/s^2 with tolerance 1e-11."""
        self.assertEqual(found["outcome"], "done")
        self.assertEqual(len(found["modules"]), 5)
        self.assertEqual(len({joint["kind"] for joint in found["joints"]}), 4)
        for level in LEVELS:
            for kind in ("length", "angle"):
                self.assertLess(found["violations"][level][kind]["value"], 1e-10, level)

    def test_joints_hold_at_three_levels(self):
        found = self.glue("--duration", "2")
        self.holds(found)
        self.assertGreater(found["violations"]["acceleration"]["length"]["value"], 0.0)
        self.assertLessEqual(found["iterations"], 4 * found["steps"])

    def test_the_joint_to_the_fmu_is_held_by_the_other_side(self):
        """The FMU takes forces alone; the rope is put on it at positions and velocities."""
        found = self.glue("--duration", "0.5")
        takes = {m["name"]: m["takes_positions"] for m in found["modules"]}
        self.assertEqual(takes, {"tower": True, "jib": True, "rope": True, "trolley": True,
                                 "load": False})
        for joint in found["joints"]:
            self.assertTrue(joint["holds_positions"] and joint["holds_velocities"], joint["name"])
        rows = self.table("rows.csv")
        for axis in ("x", "y"):
            for level in ("", "v"):
                gap = max(abs(a - b) for a, b in zip(rows[f"rope.hook.{level}{axis}"],
                                                     rows[f"load.eye.{level}{axis}"]))
                self.assertLess(gap, 1e-10)

    def test_derivatives_make_no_difference(self):
        """W steers the iteration only. Results agree to what the tolerance leaves open: 1e-11 of
        accelerations of 10 m/s^2, over 1 s."""
        self.holds(self.glue("--duration", "1"))
        out = self.succeeds("glue", "crane.lua", "--duration", "0.01")
        self.assertIn("FMI 2.0, Model Exchange; compliance by directional derivatives",
                      " ".join(out.split()))
        whole = self.table("rows.csv")
        build.build_load(self.folder, derivatives=False)
        self.assertIn("Model Exchange   can repeat steps, can be saved, no directional derivatives",
                      self.succeeds("fmu", "load.fmu"))
        found = self.glue("--duration", "1")
        self.holds(found)
        self.assertEqual(found["modules"][-1]["about"],
                         "FMI 2.0, Model Exchange; compliance by differences at constant state")
        other = self.table("rows.csv")
        for name in ("load.center.x", "load.center.y", "trolley.x"):
            self.assertLess(max(abs(a - b) for a, b in zip(whole[name], other[name])), 1e-9)

    def errors(self, whole, *more):
        """How far the load is from that of the one model, for steps h and h / 2."""
        found = []
        for step in ("5e-3", "2.5e-3"):
            self.holds(self.glue("--duration", "1.5", "--step", step, *more))
            rows = self.table("rows.csv")
            found.append(max(abs(a - b) for a, b in zip(rows["load.center.x"], whole["load.x"])))
        return found

    def test_it_moves_as_one_model(self):
        """Second order in the step with Model Exchange. With Co-Simulation first order: the FMU
        holds loads over its steps. The one model with rk4 errs by less than 1e-11 m."""
        self.succeeds("run", "whole.lua", "-q", "--duration", "1.5", "--csv", "whole.csv")
        whole = self.table("whole.csv")
        self.assertGreater(max(whole["load.x"]) - min(whole["load.x"]), 0.1)
        coarse, fine = self.errors(whole)
        self.assertLess(coarse, 1e-5)
        self.assertTrue(3.8 < coarse / fine < 4.2, (coarse, fine))
        coarse, fine = self.errors(whole, "--set", "kind=cs")
        self.assertLess(coarse, 2e-2)
        self.assertTrue(1.9 < coarse / fine < 2.1, (coarse, fine))


class WrongFmus(CraneTest):
    def test_correct_states_is_an_option(self):
        """The eye is no state of its own: a note, and forces alone; a misspelled word is told."""
        text = (self.folder / "crane.lua").read_text()
        self.write(text.replace("kind = parameter", "correct_states = true, kind = parameter"),
                   "crane.lua")
        self.assertFalse(self.glue("--duration", "0.05")["modules"][4]["takes_positions"])
        self.write(text.replace("kind = parameter", "corect_states = true, kind = parameter"),
                   "crane.lua")
        self.fails(3, r"crane\.lua:\d+: module 'load': unknown key 'corect_states'; did you mean "
                   "'correct_states'", "glue", "crane.lua", "-q")


if __name__ == "__main__":
    unittest.main()
