# SPDX-License-Identifier: MIT
"""Implicit integrators where they fail: time, the joint or body, and the last good state."""
import csv
import json
import re
import unittest

from support import BODY, HEAD, PIN, CommandTest

# A knee without mass between two links is straight, and no longer determined, at t = 0.8 s.
KNEE = """
local m = model { name = "knee", gravity = { 0, 0 } }
local slide = m:body { name = "slide", mass = 1, inertia = 0.1, at = { 1.6, 0 },
                       velocity = { 0.5, 0 } }
local knee = m:body { name = "knee", mass = 0, inertia = 0, at = { 0.8, 0.6 } }
m:joint { "prismatic", name = "guide", m.ground, slide, point = { 1.6, 0 }, axis = { 1, 0 } }
m:joint { "distance", name = "thigh", m.ground, knee, point1 = { 0, 0 }, point2 = { 0, 0 },
          length = 1 }
m:joint { "distance", name = "shank", slide, knee, point1 = { 0, 0 }, point2 = { 0, 0 },
          length = 1 }
m:joint { "driven_angle", name = "sole", m.ground, knee, angle = 0 }
m:simulate { duration = 3, output_step = 0.3 }
return m
"""

# A torque with a pole at t = 0.5 s.
POLE = (HEAD + BODY + PIN + 'm:force { "torque", name = "T", m.ground, rod,\n'
        "          moment = function(t) return 1 / (0.5 - t)^2 end }\n"
        "m:simulate { duration = 1, output_step = 0.3 }\nreturn m\n")

FIXED = ("generalized_alpha", "hht", "newmark")
ADAPTIVE = ("radau5", "ida", "cvode", "arkode_dirk", "cvode_adams", "arkode", "dop853")


class Failures(CommandTest):
    def available(self):
        listing = json.loads(self.succeeds("integrators", "--json"))["integrators"]
        return {entry["name"] for entry in listing}

    def end_of_run(self, model, integrator):
        """The message, and the time of the last row."""
        step = ("--step", "0.01") if integrator in FIXED else ()
        done = self.trammel("run", self.write(model), "--integrator", integrator, "--quiet",
                            "--csv", "rows.csv", *step)
        self.assertEqual(done.returncode, 1, integrator + ": " + done.stderr)
        with open(self.folder / "rows.csv", encoding="utf-8") as file:
            times = [float(row[0]) for row in csv.reader(file) if re.match(r"[-\d]", row[0])]
        return done.stderr, times

    def test_a_body_that_is_no_longer_determined(self):
        for name in FIXED + ADAPTIVE:
            if name not in self.available():
                continue
            message, times = self.end_of_run(KNEE, name)
            self.assertRegex(message, r"t = 0\.[78]", name)
            self.assertRegex(message, "'(knee|thigh|shank)'", name)
            # Regular rows end at 0.6 s; one more is the last good state.
            self.assertEqual([round(t, 9) for t in times[:3]], [0.0, 0.3, 0.6], name)
            self.assertEqual(len(times), 4, name)
            self.assertTrue(0.75 < times[3] < 0.81, name)

    def test_a_load_beyond_all_bounds(self):
        for name in ADAPTIVE:
            if name not in self.available():
                continue
            message, times = self.end_of_run(POLE, name)
            self.assertRegex(message, r"t = 0\.(4999|5)", name)
            self.assertRegex(message, "'(rod|A|T)'", name)
            self.assertEqual(len(times), 3, name)
            self.assertTrue(0.499 < times[2] < 0.501, name)


class HardUse(CommandTest):
    def test_more_neutral_states_than_coordinates(self):
        name = self.write('local s = system { coordinates = { "x" } }\n'
                          "s:mass(function(q, t, p) return { 1 } end)\n"
                          's:state { "a", "b", "c", "d", start = { 0, 0, 0, 0 },\n'
                          "    rate = function(q, v, t, p, z) "
                          "return { v.x, v.x, 2 * v.x, 0 * v.x } end }\n"
                          "s:force(function(q, v, t, p) return { x = -q.x - 0.1 * v.x } end)\n"
                          "return s\n")
        out = json.loads(self.succeeds("modes", name, "--json"))
        self.assertEqual(len(out["modes"]), 1)
        self.assertAlmostEqual(out["modes"][0]["re"], -0.05, 12)


if __name__ == "__main__":
    unittest.main()
