# SPDX-License-Identifier: MIT
"""`trammel modes`: the table, JSON, the result file, and every mistake in one line."""
import json
import os
import math
import unittest

from support import BODY, HEAD, PENDULUM, PENDULUM3, PIN, TAIL, CommandTest, joined


# Three cranks hang from the ground and carry a bar: theta'' = -(11.445 + stiffness / 3) sin(theta).
SPRINGS = """
local m = model { name = "cranks", gravity = { 0, -9.81 } }
local theta = 0.3
local coupler = m:body { name = "coupler", mass = 2, inertia = 2 / 3, com = { 1, 0 },
                         at = { math.sin(theta), -math.cos(theta) } }
for i = 0, 2 do
    local crank = m:body { name = "crank" .. i, mass = 1, inertia = 1 / 12, at = { i, 0 },
                           angle = theta - math.pi / 2, com = { 0.5, 0 } }
    m:joint { "revolute", m.ground, crank, point = { i, 0 } }
    m:joint { "revolute", crank, coupler, point1 = { 1, 0 }, point2 = { i, 0 } }
    m:force { "torsion_spring", m.ground, crank, stiffness = 2, angle = -math.pi / 2 }
end
return m
"""


class ModesTest(CommandTest):
    def modes(self, text, *arguments):
        out = self.succeeds("modes", self.write(text), "--json", *arguments)
        return json.loads(out)

    def test_json(self):
        done = self.modes(PENDULUM)
        self.assertEqual(done["about"], "equilibrium")
        self.assertEqual(done["result"], "model_modes.h5")
        self.assertEqual(done["moved"]["body"], "rod")
        [mode] = done["modes"]
        rate = math.sqrt(9.81 * 0.5 / 0.35)
        self.assertAlmostEqual(mode["im"], rate, delta=1e-12 * rate)
        self.assertEqual(mode["re"], 0)
        self.assertEqual(mode["damping_ratio"], 0)
        self.assertFalse(mode["unstable"])
        self.assertAlmostEqual(abs(mode["shape"]["rod"]["re"][2]), 1 / math.sqrt(0.35), places=12)
        self.assertEqual(done["zero_eigenvalues"], 0)
        self.assertEqual(done["neutral_motions"], [])

    def test_space_and_plane_agree(self):
        plane, space = self.modes(PENDULUM), self.modes(PENDULUM3)
        self.assertAlmostEqual(plane["modes"][0]["im"], space["modes"][0]["im"], places=12)
        self.assertEqual(len(space["modes"]), 1)

    def test_redundant_rows_with_springs(self):
        [mode] = self.modes(SPRINGS)["modes"]
        rate = math.sqrt(11.445 + 3 * 2 / 3)
        self.assertAlmostEqual(mode["im"], rate, delta=1e-12 * rate)

    def test_a_model_that_is_too_large_for_dense_matrices(self):
        path = os.path.join(os.environ["SOURCE"], "models/benchmark/chain.lua")
        self.fails(3, r".*chain\.lua: modes need dense matrices of up to 4000 velocities, "
                   r"constraint rows and states; this model has 5000", "modes", path,
                   "--set", "N=1000", "--no-hdf5")

    def test_result_file(self):
        self.modes(PENDULUM, "-o", "shapes.h5")
        # One period in 48 parts; t, x, y, angle, mode and the eigenvalue.
        self.assertEqual(self.rows("shapes.h5"), (49, 7, "done"))
        self.assertFalse((self.folder / "model_modes.h5").exists())

    def test_frames_are_recorded(self):
        frame = 'm:frame { rod, name = "tip", at = { 0.5, 0 } }\n'
        self.modes(HEAD + BODY + PIN + frame + TAIL)
        self.assertEqual(self.rows("model_modes.h5"), (49, 10, "done"))

    def test_kept_pose(self):
        out = self.succeeds("modes", self.write(PENDULUM), "--no-equilibrium")
        # m g l over the moment of inertia about the pin, and its center of mass half a metre away.
        self.assertIn("forces do not balance: rod accelerates by 14.01 rad/s^2", joined(out))
        done = self.modes(PENDULUM, "--no-equilibrium")
        self.assertEqual(done["about"], "pose")
        self.assertIsNone(done["moved"])

    def test_no_equilibrium(self):
        name = self.write(HEAD + BODY + TAIL)
        done = self.fails(1, r"model\.lua:2: body 'rod': no equilibrium found: after \d+ steps it "
                          r"still accelerates by 9\.81 m/s\^2", "modes", name)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.folder / "model_modes.h5").exists())

    def test_accelerated_motion(self):
        moving = BODY.replace("at =", "angular_velocity = 3, velocity = { 0, 1.5 }, at =")
        self.fails(3, r"model\.lua.*body 'rod': accelerates by .* modes need a start at rest or a steady "
                   "motion", "modes", self.write(HEAD + moving + PIN + TAIL))

    def test_further_states(self):
        # (2 s^2 + s / 2 + 8) (0.4 s + 1) + 3 + s / 5 = 0 for a mass with a drive that lags behind.
        text = """local s = system { coordinates = { "x" } }
s:mass(function() return { 2 } end)
s:state { "f", rate = function(q, v, t, p, z) return (-z.f - 3 * q.x - 0.2 * v.x) / 0.4 end }
s:force(function(q, v, t, p, z) return { x = -8 * q.x - 0.5 * v.x + z.f } end)
s:start { x = 0 }
return s
"""
        done = self.trammel("modes", self.write(text), "--json")
        real, pair = sorted(json.loads(done.stdout)["modes"], key=lambda mode: mode["im"])
        for mode in (real, pair):
            s = complex(mode["re"], mode["im"])
            self.assertLess(abs((2 * s * s + s / 2 + 8) * (0.4 * s + 1) + 3 + s / 5), 1e-12)
        self.assertTrue(pair["unstable"])
        self.assertEqual(real["im"], 0)


if __name__ == "__main__":
    unittest.main()
