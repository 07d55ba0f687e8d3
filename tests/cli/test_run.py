# SPDX-License-Identifier: MIT
"""A run that works: files, summary, JSON, settings from the command line, progress."""
import csv
import json
import math
import os
import pathlib
import pty
import subprocess
import unittest

from support import BODY3, CommandTest, HEAD3, PENDULUM, PENDULUM3, PIN3, TAIL, TIP3, TRAMMEL, joined


class Run(CommandTest):
    def table(self, name):
        with open(self.folder / name, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        return rows[0], [[float(x) for x in row] for row in rows[1:]]

    def summary(self, *arguments):
        return json.loads(self.succeeds("run", "model.lua", "--json", *arguments))

    def setUp(self):
        super().setUp()
        self.write(PENDULUM)

    def test_the_result_is_named_after_the_model_and_stands_in_the_current_folder(self):
        (self.folder / "sub").mkdir()
        self.write(PENDULUM, "sub/other.name.lua")
        text = self.succeeds("run", "sub/other.name.lua")
        self.assertIn("other.name.h5", text)
        self.assertEqual(self.rows("other.name.h5")[2], "done")

    def test_files_are_written_where_asked(self):
        self.succeeds("run", "model.lua", "-o", "a.h5", "--csv", "a.csv")
        rows, columns, outcome = self.rows("a.h5")
        header, table = self.table("a.csv")
        self.assertEqual((len(table), len(header), "done"), (rows, columns, outcome))
        self.assertFalse((self.folder / "model.h5").exists())
        self.succeeds("run", "model.lua", "--no-hdf5")
        self.assertFalse((self.folder / "model.h5").exists())

    def test_a_corrected_start_is_told(self):
        self.write(PENDULUM.replace("point =", "point2 = { -0.499, 0 }, point1 ="))
        self.assertRegex(self.succeeds("run", "model.lua"), r"assembly +rod was moved by 0\.001 m")
        self.assertGreater(self.summary()["assembly_position"]["value"], 1e-4)

    def test_json_holds_states_violations_energy_counters_methods_and_files(self):
        data = self.summary()
        self.assertEqual((data["outcome"], data["model"], data["time"]), ("done", "test", 0.5))
        self.assertEqual((data["bodies"], data["joints"], data["degrees_of_freedom"],
                          data["redundant_rows"], data["rank_changes"]), (1, 1, 1, 0, []))
        self.assertEqual([s["body"] for s in data["states"]], ["rod"])
        state = data["states"][0]
        # The rod hangs on a pin half a meter from its center: that is kept far better than this.
        self.assertAlmostEqual(math.hypot(state["x"], state["y"]), 0.5, delta=1e-9)
        self.assertAlmostEqual(state["vx"], -state["omega"] * state["y"], delta=1e-9)
        for level, unit in (("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2")):
            worst = data["violations"][level]["length"]
            self.assertEqual((worst["unit"], worst["joint"]), (unit, "A"))
        self.assertEqual(data["energy"]["unit"], "J")
        # Default tolerances hold the energy of 5 J to far less than a millionth.
        self.assertLess(abs(data["energy"]["balance"] - data["energy"]["start"]), 5e-6)
        self.assertGreater(data["counters"]["evaluations"], data["counters"]["steps"])
        self.assertEqual(data["counters"]["forced"], 0)
        self.assertEqual(data["files"], ["model.h5"])
        for choice in ("formulation", "integrator", "step_projection", "stage_projection",
                       "stabilization"):
            self.assertIsInstance(data["methods"][choice], str)

    def test_every_key_of_the_json_is_in_the_guide(self):
        guide = (pathlib.Path(__file__).parents[2] / "docs/guide/running.md").read_text("utf-8")
        for text in (PENDULUM, HEAD3 + BODY3 + TIP3 + PIN3 + TAIL):
            self.write(text)
            data = self.summary()
            keys = set(data) | set(data["methods"]) | set(data["counters"]) | set(data["energy"])
            for entry in (*data["states"], *data["frames"], data["reactions"][0]):
                keys |= set(entry)
            self.assertEqual({key for key in keys if f"`{key}`" not in guide}, set())

    def test_a_spatial_run_tells_states_frames_and_reactions_in_space(self):
        pin = PIN3.replace("axis =", 'reaction_frame = "tip", axis =')
        self.write(HEAD3 + BODY3 + TIP3 + pin + TAIL)
        data = self.summary()
        self.assertEqual((data["dim"], data["degrees_of_freedom"], data["rows"]), (3, 1, 5))
        rod, tip = data["states"][0], data["frames"][0]
        self.assertEqual((rod["body"], tip["frame"]), ("rod", "tip"))
        # The tip is twice as far from the hinge as the body frame, and moves twice as fast.
        for key in ("x", "z", "vx", "vz"):
            self.assertAlmostEqual(tip[key], 2 * rod[key], delta=1e-9)
        # It turns about y: as far as the quaternion says, and with the angular velocity of the speed.
        self.assertAlmostEqual(2 * math.atan2(rod["e2"], rod["e0"]), math.atan2(-rod["z"], rod["x"]),
                               delta=1e-9)
        self.assertAlmostEqual(rod["wy"] * rod["z"], rod["vx"], delta=1e-9)
        # In axes of the rod, whose center is at half a meter: along it, weight and centripetal force.
        reaction, angle = data["reactions"][0], math.atan2(-rod["z"], rod["x"])
        self.assertEqual(reaction["frame"], "tip")
        self.assertAlmostEqual(reaction["Fx"], -9.81 * math.sin(angle) - 0.5 * rod["wy"] ** 2,
                               delta=1e-9)
        text = self.succeeds("run", "model.lua", "--verbose")
        self.assertRegex(joined(text), r"A rod ground .* frame tip \(")

    def test_warnings_are_told_and_stop_nothing(self):
        self.write(PENDULUM3.replace("at =", "quaternion = { 1.1, 0, 0, 0 }, at ="))
        text = "model.lua:2: body 'rod': 'quaternion' has length 1.1; it was divided by it"
        for more in ((), ("--quiet",)):
            done = self.trammel("run", "model.lua", *more)
            self.assertEqual((done.returncode, done.stderr), (0, f"trammel: warning: {text}\n"))
        done = self.trammel("run", "model.lua", "--json")
        self.assertEqual(json.loads(done.stdout)["warnings"], [text])
        self.write(PENDULUM3)
        self.assertEqual(self.summary()["warnings"], [])

    def test_results_that_are_unusable_are_told_in_a_warning(self):
        self.write(PENDULUM)
        undamped = ("run", "model.lua", "--no-hdf5", "--integrator", "newmark", "--step", "0.01")
        done = self.trammel(*undamped)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^trammel: warning: .*reactions, .*unusable; .*use generalized_alpha with rho below 1")
        self.assertRegex(done.stdout, r"(?m)^  warning +a spectral radius of 1 ")
        self.assertRegex(json.loads(self.trammel(*undamped, "--json").stdout)["warnings"][0], "unusable")
        self.assertEqual(self.trammel(*undamped, "--form", "ggl").stderr, "")

    def test_the_summary_tells_the_options_that_the_method_reads(self):
        def told(*more):
            return self.succeeds("run", "model.lua", *more), self.summary(*more)["settings"]

        text, settings = told("--method", "baumgarte", "--alpha", "7")
        self.assertRegex(text, r"(?m)^  options +alpha 7 1/s, beta 5 1/s$")
        self.assertEqual((settings["alpha"], settings["beta"]), (7, 5))
        self.assertNotIn("rho", settings)
        text, settings = told()
        self.assertNotIn("options", text)
        self.assertNotIn("alpha", settings)
        text, settings = told("--method", "maggi")
        self.assertRegex(text, r"(?m)^  options +basis householder$")
        self.assertRegex(joined(text), r"work .* iterations, \d+ renewals of basis or partition ")
        self.assertEqual(settings["basis"], "householder")
        text, settings = told("--method", "augmented_lagrangian")
        self.assertRegex(text, r"(?m)^  options +penalty from masses and rows, mu 1, omega 10 1/s$")
        self.assertRegex(joined(text), r"work .* iterations, \d+ iterations of the formulation ")
        self.assertEqual((settings["penalty"], settings["omega"]), (0, 10))

    def test_options_of_the_file_count_only_with_its_choices(self):
        self.write(PENDULUM.replace("duration =", 'method = "baumgarte", alpha = 7, duration ='))
        self.assertEqual(self.summary()["settings"]["alpha"], 7)
        self.assertNotIn("alpha", self.summary("--method", "direct")["settings"])
        self.fails(2, r"model\.lua: 'alpha' is not read by method 'direct'; baumgarte does: take it, or leave "
                      r"'alpha' out", "run", "model.lua", "--method", "direct", "--alpha", "7")
        # In the file it is a mistake of the model.
        self.write(PENDULUM.replace("duration =", 'method = "direct", alpha = 7, duration ='))
        self.fails(3, r"model\.lua: 'alpha' is not read by method 'direct'", "run", "model.lua")

    def test_options_stand_over_the_file(self):
        data = self.summary("--integrator", "rk4", "--step", "0.01", "--duration", "0.1")
        self.assertEqual(data["methods"]["integrator"], "rk4")
        self.assertEqual((data["time"], data["settings"]["step"]), (0.1, 0.01))
        self.assertEqual(data["counters"]["steps"], 10)

    def test_a_method_on_the_command_line_replaces_the_choices_of_the_file(self):
        self.write(PENDULUM.replace("duration", 'step_projection = "none", duration'))
        self.assertEqual(self.summary()["methods"]["step_projection"], "none")
        listed = json.loads(self.succeeds("methods", "--json"))["methods"]
        method = next(m for m in listed if m["step_projection"] not in (None, "none"))
        chosen = self.summary("--method", method["name"])["methods"]
        self.assertEqual(chosen["step_projection"], method["step_projection"])
        self.assertEqual(chosen["method"], method["name"])

    def test_rows_stand_at_the_times_that_were_asked(self):
        self.succeeds("run", "model.lua", "--csv", "a.csv", "--output-times", "0.125,0.25,0.5")
        header, table = self.table("a.csv")
        self.assertEqual(header[:4], ["t [s]", "rod.x [m]", "rod.y [m]", "rod.angle [rad]"])
        self.assertEqual([row[0] for row in table], [0.125, 0.25, 0.5])
        self.succeeds("run", "model.lua", "--csv", "a.csv", "--output-step", "0.125")
        _, table = self.table("a.csv")
        self.assertEqual([row[0] for row in table], [0.0, 0.125, 0.25, 0.375, 0.5])

    def test_sample_on_the_command_line_replaces_times_of_the_file(self):
        self.write(PENDULUM.replace("duration", "output_times = { 0.1 }, duration"))
        self.succeeds("run", "model.lua", "--csv", "a.csv", "--output-step", "0.25")
        _, table = self.table("a.csv")
        self.assertEqual([row[0] for row in table], [0.0, 0.25, 0.5])

    def test_parameters_of_the_model_can_be_set(self):
        self.write('local mass = parameter("mass", 1)\nlocal x = parameter("x", 0.5)\n' +
                   PENDULUM.replace("mass = 1", "mass = mass").replace("0.5, 0 }", "x, 0 }"))
        self.assertAlmostEqual(self.summary()["states"][0]["y"] ** 2 +
                               self.summary()["states"][0]["x"] ** 2, 0.25, delta=1e-9)
        state = self.summary("--set", "x=2", "--set", "mass=3")["states"][0]
        self.assertAlmostEqual(state["x"] ** 2 + state["y"] ** 2, 4.0, delta=1e-8)

    def test_a_dash_writes_the_table_to_standard_output(self):
        text = self.succeeds("run", "model.lua", "--csv", "-")
        self.assertEqual(self.rows("model.h5")[2], "done")
        self.succeeds("run", "model.lua", "--csv", "a.csv")
        self.assertEqual(text, (self.folder / "a.csv").read_text(encoding="utf-8"))
        self.assertFalse((self.folder / "-").exists())
        (self.folder / "-").mkdir()  # what is called so does not matter
        self.assertEqual(self.succeeds("run", "model.lua", "--csv", "-"), text)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.succeeds("run", "model.lua", "--quiet"), "")


class Progress(CommandTest):
    def on_terminal(self, *more, **env):
        """What a long enough run shows on a terminal."""
        self.write(PENDULUM.replace("duration = 0.5", "duration = 1e7, output_step = 1e6"))
        try:
            main, side = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no terminal to be had: {reason}")
        clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        command = subprocess.Popen([TRAMMEL, "run", "model.lua", "--no-hdf5", *more],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=side,
                                   env={**clean, "TERM": "xterm", **env})
        os.close(side)
        shown = b""
        while b" s left" not in shown:
            shown += os.read(main, 4096)
        command.terminate()
        command.communicate()
        os.close(main)
        self.assertEqual(command.returncode, 130)
        return shown

    def test_a_bar_is_shown_on_a_terminal(self):
        shown = self.on_terminal()
        self.assertRegex(shown, rb"\r\[.*\] +\d+ %  t = ")
        self.assertIn(b"\x1b[32m", shown)


if __name__ == "__main__":
    unittest.main()
