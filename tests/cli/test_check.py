# SPDX-License-Identifier: MIT
"""`trammel check`: words, JSON, exit codes, and every model of the project."""
import json
import pathlib
import unittest

from support import BODY, HEAD, PENDULUM, PIN, TAIL, CommandTest, joined

ROOT = pathlib.Path(__file__).parents[2]
BENCHMARK = ROOT / "models" / "benchmark"
FLAT = "angle=1.5707963267948966"

# A rod that two balls hold has no inertia about itself.
ROD = """
local m = model { name = "rod", dim = 3, gravity = { 0, 0, -9.81 } }
local hub = m:body { name = "hub", mass = 1, inertia = { 1, 1, 1 }, at = { 1, 1, 0 } }
local rod = m:body { name = "tie rod", mass = 0, at = { 0.5, 0.5, 0 } }
m:joint { "spherical", name = "inner", m.ground, rod, point = { 0, 0, 0 } }
m:joint { "spherical", name = "outer", rod, hub, point = { 1, 1, 0 } }
return m
"""


class CheckTest(CommandTest):
    def check(self, path, *arguments):
        return json.loads(self.succeeds("check", str(path), "--json", *arguments))

    def test_clean(self):
        out = self.succeeds("check", self.write(PENDULUM))
        self.assertEqual(
            out,
            "test (model.lua)\n"
            "  1 degree of freedom: 3 velocities, 2 constraint rows of rank 2\n"
            "\n"
            "all reactions are unique\n"
            "smallest singular value of the constraints: 0.816, 0.71 of the largest\n"
            "\n"
            "no problems found\n")

    def test_numbers_do_not_depend_on_the_axes(self):
        def turned(degrees):
            return self.check(self.write(f"""
local t = math.rad({degrees})
local c, s = math.cos(t), math.sin(t)
local function R(x, y) return {{ c * x - s * y, s * x + c * y }} end
local m = model {{ name = "turned", gravity = R(0, -9.81) }}
local a = m:body {{ name = "a", mass = 1, inertia = 0.1, at = R(0.5, 0), angle = t }}
local b = m:body {{ name = "b", mass = 1, inertia = 0.1, at = R(1.2, 0.3), angle = t }}
m:joint {{ "revolute", name = "A", m.ground, a, point = R(0, 0) }}
m:joint {{ "revolute", name = "p1", a, b, point = R(0.8, 0.1) }}
m:joint {{ "revolute", name = "p2", a, b, point = R(1.0, 0.2) }}
return m
"""))
        first = turned(0)
        for degrees in 20, 58, 90, 122, 300:
            other = turned(degrees)
            for key in "rank", "degrees_of_freedom":
                self.assertEqual(other[key], first[key])
            for key in "smallest_singular_value", "smallest_to_largest":
                self.assertAlmostEqual(other[key], first[key], delta=1e-12)

    def test_a_part_of_a_constraint(self):
        # Removing all of 'two' would set y free.
        name = self.write("""local s = system { coordinates = { "x", "y", "z" } }
s:mass(function(q, t, p) return { 1, 1, 1 } end)
s:constraint { name = "one", phi = function(q, t, p) return q.x end }
s:constraint { name = "two", phi = function(q, t, p) return { q.x, q.y } end }
return s
""")
        out = self.succeeds("check", name)
        self.assertIn("to remove it: remove equation 1 of the constraint 'two': "
                      "others block the same", joined(out))
        self.assertIn("two  multipliers of equation 1 are not unique\n", out)
        self.assertNotIn("remove the constraint", out)

    def test_long_lists_are_cut(self):
        """Eight sets and ways in words, all of them as JSON."""
        arguments = (str(BENCHMARK / "n_four_bar.lua"), "--set", "N=12", "--set", FLAT)
        out = self.succeeds("check", *arguments)
        self.assertEqual(out.count("1 row lost in this pose:\n"), 8)
        self.assertIn("\n  and 4 more sets; --verbose shows all\n", out)
        self.assertIn("\n  13 motions branch off (--branch N follows one):\n", out)
        self.assertIn("\n    and 5 more; --verbose shows all\n", out)
        self.assertEqual(out.count("not unique"), 20)
        self.assertIn("\n    and 17 more; --verbose shows all\n", out)
        done = self.check(*arguments)
        self.assertEqual(len(done["singular_sets"]), 12)
        self.assertEqual(sum(not r["unique"] for r in done["reactions"]), 37)

    def test_json(self):
        done = self.check(BENCHMARK / "bricard.lua")
        self.assertEqual(done["degrees_of_freedom"], 1)
        self.assertEqual((done["rows"], done["rank"], done["redundant_rows"]), (30, 29, 1))
        self.assertEqual((done["rank_along_the_motion"], done["singular"]), (29, False))
        [one] = done["redundant_sets"]
        self.assertEqual([joint["joint"] for joint in one["joints"]],
                         [f"hinge{i}" for i in range(1, 7)])
        self.assertEqual([len(joint["translations"]) for joint in one["joints"]], [1] * 6)
        [fix] = one["fixes"]
        self.assertIn(fix["replace_by"], ["cylindrical", "universal"])
        self.assertEqual([r["unique"] for r in done["reactions"]], [False] * 6)
        self.assertFalse(done["prevents_run"])
        self.assertIsNone(done["nearly_moves"])
        self.assertEqual(done["singular_sets"], [])
        self.assertEqual([f["topic"] for f in done["findings"]], ["redundant"])

    def test_prevented(self):
        done = self.trammel("check", self.write(ROD))
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("error: tie rod: rotation about its axis has neither inertia nor a joint that "
                      "holds it; give it", joined(done.stdout))
        self.assertTrue(done.stdout.endswith("\na run cannot start\n"))
        done = self.trammel("check", self.write(ROD), "--json")
        self.assertEqual(done.returncode, 3)
        out = json.loads(done.stdout)
        self.assertTrue(out["prevents_run"])
        [free] = out["massless_motions"]
        self.assertEqual((free["body"], free["motion"]), ("tie rod", "rotation about its axis"))
        x, y, z = free["angular_velocity"]
        self.assertAlmostEqual(x, y, places=12)
        self.assertAlmostEqual(z, 0, places=12)
        # A run is refused too.
        self.fails(3, r"model\.lua:", "run", "model.lua")

    def test_the_run_of_the_model_is_meant(self):
        """What m:simulate{} says may be refused where another method would run."""
        text = PENDULUM.replace("return m", PIN.replace('"A"', '"B"') + "return m")
        self.assertTrue(self.succeeds("check", self.write(text)).endswith("a run can start\n"))
        text = text.replace("duration = 0.5", 'duration = 0.5, method = "lagrange_kkt"')
        done = self.trammel("check", self.write(text))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(joined(done.stdout), r"error: test: model\.lua:\d: joint '[AB]': depends on the "
                                      r"other joints .*which method 'lagrange_kkt' does not support")
        self.assertTrue(done.stdout.endswith("\na run cannot start\n"))
        self.fails(3, r"model\.lua:\d: joint '[AB]': depends on", "run", "model.lua")

    def test_a_start_that_must_not_be_changed(self):
        text = PENDULUM.replace("point = { 0, 0 }", "point1 = { 0, 0 }, point2 = { -0.4, 0 }")
        self.assertIn("a run moves rod by 0.1 m to close that\n",
                      self.succeeds("check", self.write(text)))
        text = text.replace("duration = 0.5", "duration = 0.5, assemble = false")
        done = self.trammel("check", self.write(text), "--json")
        self.assertEqual(done.returncode, 3)
        out = json.loads(done.stdout)
        self.assertTrue(out["prevents_run"])
        self.assertRegex(out["refusal"], r"joint 'A': is off by 0\.1 m at the start")
        self.assertEqual([f["topic"] for f in out["findings"]], ["settings"])
        self.assertNotIn("a run moves", self.trammel("check", "model.lua").stdout)

    def test_mistakes(self):
        self.fails(2, r"check: needs a model file; write 'trammel check MODEL\.lua'", "check")
        self.fails(2, r"check: expects one model file, not also 'b\.lua'", "check", "a.lua",
                   "b.lua")
        self.fails(2, r"check: .*--jsn.*did you mean .*--json", "check", "a.lua", "--jsn")
        self.fails(4, r".*none\.lua", "check", "none.lua")
        self.fails(3, r"model\.lua:1: ", "check", self.write("return 1 + }\n"))
        self.fails(3, r"model\.lua.*: the file has no parameter 'M'", "check",
                   self.write(PENDULUM), "--set", "M=1")

    def test_ways_on_are_looked_for_up_to_300_velocities(self):
        # A flat four-bar with 9 velocities, and bodies that are welded to the ground.
        flat = (ROOT / "tests" / "check" / "flat_parallel_four_bar.lua").read_text()
        welded = """
        for i = 1, %d do
            local plate = m:body { name = "plate" .. i, mass = 1, inertia = 1, at = { i, 5 } }
            m:joint { "fixed", name = "weld" .. i, m.ground, plate }
        end
        m:simulate"""
        told = "branches are not searched for: more than 300 velocities"
        for plates, ways in ((97, True), (98, False)):
            text = self.succeeds("check", self.write(flat.replace("m:simulate", welded % plates)))
            self.assertIn("singular pose", text)
            self.assertEqual("2 motions branch off" in text, ways)
            self.assertEqual(told in text, not ways)

    def test_too_large(self):
        self.fails(3, r".*check takes up to 2000 velocities and rows, the model has 2100 and 1400",
                   "check", str(BENCHMARK / "chain.lua"), "--set", "N=700")

    def test_all_models(self):
        """Whatever comes with the project runs, and check says so."""
        paths = sorted(p for p in (ROOT / "models").glob("*/*.lua") if p.parent.name != "glue")
        self.assertGreater(len(paths), 50)
        for path in paths:
            with self.subTest(path.name):
                done = self.check(path)
                self.assertFalse(done["prevents_run"])
                self.assertFalse(done["singular"])
                self.assertEqual(done["rows"] - done["rank"], done["redundant_rows"])
                for one in done["redundant_sets"]:
                    self.assertGreater(len(one["fixes"]), 0)
                worst = [f for f in done["findings"] if f["severity"] != "note"]
                self.assertEqual(worst, [])


if __name__ == "__main__":
    unittest.main()
