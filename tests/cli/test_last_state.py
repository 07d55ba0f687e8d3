# SPDX-License-Identifier: MIT
"""A run that fails ends with a row of its last good state, after the regular ones before it."""
import csv
import unittest

from support import CommandTest

# A force grows without bounds as t approaches 0.5 s; rows are due every 0.1 s.
POLE = """local s = system { name = "test", coordinates = { "x", "z" } }
s:mass(function(q, t, p) return { 1, 1 } end)
s:force(function(q, v, t, p) return { x = 1 / (0.5 - t) ^ 2, z = -9.81 } end)
s:constraint { name = "rod", phi = function(q, t, p) return sqrt(q.x ^ 2 + q.z ^ 2) - 1 end }
s:start { x = 1 }
s:simulate { duration = 1, output_step = 0.1 }
return s
"""

# A ram from (3, 0) m to the tip of a crank of 1 m grows by 1 m/s. At 4 m, t = 1 s, the crank points
# away from it: no later state satisfies the constraints.
RAM = """local m = model { name = "test" }
local crank = m:body { name = "crank", mass = 1, inertia = 0.1, angle = math.acos(1 / 6), com = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, crank }
m:joint { "driven_distance", name = "ram", m.ground, crank, point1 = { 3, 0 }, point2 = { 1, 0 },
          length = function(t) return 3 + t end }
m:simulate { duration = 2, output_step = 0.4 }
return m
"""


class LastState(CommandTest):
    def times_of_failure(self, pattern, *arguments):
        """Times of the rows of a run that fails with these words."""
        self.fails(1, pattern, "run", "model.lua", "--csv", "a.csv", *arguments)
        with open(self.folder / "a.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        times = [float(row[0]) for row in rows[1:]]
        rows, _, outcome = self.rows("model.h5")
        self.assertEqual(rows, len(times))
        self.assertTrue(outcome.startswith("failed: "), outcome)
        return times

    def near(self, times, expected, within):
        self.assertEqual(len(times), len(expected), times)
        for time, value in zip(times, expected):
            self.assertLess(abs(time - value), within)

    def test_a_pole_ends_with_a_row_beside_it(self):
        self.write(POLE)
        for name in ("dop853", "radau5", "generalized_alpha"):
            times = self.times_of_failure(r"model\.lua:.*the step size fell to .*", "--integrator", name)
            self.near(times[:-1], [0, 0.1, 0.2, 0.3, 0.4], 1e-12)
            self.assertGreater(times[-1], 0.499)
            self.assertLess(times[-1], 0.5 + 1e-9)

    def test_fixed_steps_end_with_the_last_of_them(self):
        self.write(POLE)
        times = self.times_of_failure(r"model\.lua:3: coordinate 'x': its force is not a finite number .*",
                                      "--integrator", "generalized_alpha", "--step", "0.03")
        self.near(times, [0, 0.1, 0.2, 0.3, 0.4, 0.48], 1e-12)

    def test_a_failure_of_newtons_method_ends_with_the_step_before(self):
        self.write(RAM)
        for name in ("generalized_alpha", "hht"):
            for form in ("index3", "ggl"):
                times = self.times_of_failure(r"model\.lua:\d+: joint 'ram': drives the mechanism into a "
                                              r"dead point at t = 1 s: .*no step is possible after "
                                              r"t = 0\.99 s",
                                              "--integrator", name, "--form", form, "--step", "0.03")
                self.near(times, [0, 0.4, 0.8, 0.99], 1e-12)

    def test_a_regular_row_is_not_repeated(self):
        self.write(RAM.replace("output_step = 0.4", "output_step = 0.33"))
        times = self.times_of_failure(r"model\.lua:\d+: joint 'ram': .* dead point at t = 1 s: ",
                                      "--integrator", "generalized_alpha", "--step", "0.03")
        self.near(times, [0, 0.33, 0.66, 0.99], 1e-9)


if __name__ == "__main__":
    unittest.main()
