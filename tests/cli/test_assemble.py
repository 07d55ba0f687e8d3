# SPDX-License-Identifier: MIT
"""`trammel assemble`: the table, JSON, lines for the model file, and every mistake in one line; and
what `trammel run` says about its start."""
import json
import math
import unittest

from support import PENDULUM, PENDULUM3, CommandTest


# The four-bar of models/benchmark/four_bar.lua with the coupler angle that its paper misprints.
FOUR_BAR = """local m = model {{ name = "four-bar" }}
local a = m:body {{ name = "crank", mass = 1, inertia = 0.3, angle = math.pi / 3,
                   com = {{ 1, 0 }}, angular_velocity = 2 }}
local b = m:body {{ name = "coupler", mass = 2.25, inertia = 2, at = {{ 1, math.sqrt(3) }},
                   angle = 0.4332, com = {{ 2, 0 }} }}
local c = m:body {{ name = "follower", mass = 2.2, inertia = 1.35, at = {{ {D}, 0 }},
                   angle = 1.0042, com = {{ 2, 0 }} }}
m:joint {{ "revolute", name = "O", m.ground, a, point1 = {{ 0, 0 }}, point2 = {{ 0, 0 }} }}
m:joint {{ "revolute", name = "A", a, b, point1 = {{ 2, 0 }}, point2 = {{ 0, 0 }} }}
m:joint {{ "revolute", name = "B", b, c, point1 = {{ 4, 0 }}, point2 = {{ 4, 0 }} }}
m:joint {{ "revolute", name = "D", m.ground, c, point1 = {{ {D}, 0 }}, point2 = {{ 0, 0 }} }}
m:simulate {{ duration = 0.1 }}
return m
"""
MISPRINTED = FOUR_BAR.format(D=2.5)
UNASSEMBLABLE = FOUR_BAR.format(D=12)  # links of 2, 4 and 4 m: 2 m are missing

SYSTEM = """local s, p = system { name = "point", coordinates = { "x", "z" }, units = { x = "m", z = "m" },
                         parameters = { L = 1 } }
s:mass(function(q, t, p) return { 1, 1 } end)
s:constraint { name = "rod", unit = "m", phi = function(q, t, p) return sqrt(q.x ^ 2 + q.z ^ 2) - p.L end }
s:start { x = 0.9, z = 0.9, v = { x = 1, z = 1 } }
return s
"""


class AssembleTest(CommandTest):
    def assemble(self, text, *arguments):
        return json.loads(self.succeeds("assemble", self.write(text), "--json", *arguments))

    def test_json(self):
        done = self.assemble(MISPRINTED, "--fix", "crank.angle")
        self.assertTrue(done["assembled"])
        self.assertFalse(done["untouched"])
        self.assertEqual(done["moved"]["body"], "coupler")
        crank, coupler, follower = done["bodies"]
        self.assertEqual(crank["after"]["angle"], math.pi / 3)
        self.assertEqual(crank["after"]["omega"], 2)
        # docs of the benchmark: the pose that was meant
        self.assertAlmostEqual(coupler["after"]["angle"], 0.423245598298523, delta=1e-14)
        self.assertAlmostEqual(follower["after"]["angle"], 1.004203159591008, delta=1e-14)
        self.assertEqual(coupler["before"]["angle"], 0.4332)
        for joint in done["joints"]:
            self.assertLess(joint["position_after"]["length"], 1e-14)
            self.assertLess(joint["velocity_after"]["length"], 1e-13)
        self.assertEqual(done["open"], [])

    def test_lua_lines_make_a_consistent_model(self):
        out = self.succeeds("assemble", self.write(MISPRINTED), "--lua", "--all")
        lines = [line for line in out.splitlines() if not line.startswith("--")]
        text = MISPRINTED
        for name, at in (("crank", 0), ("coupler", 2), ("follower", 4)):
            head, tail = text.split(f'name = "{name}", ', 1)
            inside, rest = tail.split("com =", 1)
            inertia = ", ".join(inside.split(", ")[:2])
            rest = rest.replace(", angular_velocity = 2", "", 1)
            text = f'{head}name = "{name}", {inertia}, {lines[at]} {lines[at + 1]} com ={rest}'
        done = self.assemble(text)
        for joint in done["joints"]:
            self.assertLess(joint["position_before"]["length"], 4e-15)
        self.assertIsNone(done["moved"])
        self.succeeds("run", "model.lua", "--no-assemble", "--no-hdf5", "--quiet")

    def test_a_consistent_model_is_left_alone(self):
        for text in (PENDULUM, PENDULUM3):
            done = self.assemble(text)
            self.assertTrue(done["untouched"])
            self.assertIsNone(done["moved"])
            self.assertIn("consistent as it is; nothing was changed", self.succeeds("assemble", "model.lua"))

    def test_what_does_not_assemble_is_named_with_its_gap(self):
        self.write(UNASSEMBLABLE)
        done = self.fails(3, r"model\.lua:11: joint 'D': cannot be assembled, 2 m remain; .*"
                          "all others can be closed", "assemble", "model.lua")
        self.assertIn("four-bar: does not assemble\n  still open\n    D              2 m\n    all others     closed\n", done.stdout)
        done = self.trammel("assemble", "model.lua", "--json")
        self.assertEqual(done.returncode, 3)
        data = json.loads(done.stdout)
        self.assertFalse(data["assembled"])
        self.assertEqual(data["open"], ["D"])
        self.assertAlmostEqual(data["joints"][3]["position_after"]["length"], 2, delta=2e-6)
        self.assertIn("2 m remain", data["error"])
        done = self.fails(3, r"model\.lua:11: joint 'D': cannot be assembled, 2 m remain", "run", "model.lua")

    def test_counts_are_in_json(self):
        done = self.assemble(MISPRINTED)
        self.assertEqual((done["degrees_of_freedom"], done["redundant_rows"]), (1, 0))

    def test_keys_that_lua_does_not_read_are_quoted(self):
        text = (SYSTEM.replace('"x", "z"', '"x", "end"').replace("q.z", 'q["end"]')
                .replace("z =", '["end"] ='))
        lines = self.succeeds("assemble", self.write(text), "--lua")
        self.assertRegex(lines, r'^s:start \{ x = [0-9.]+, \["end"\] = [0-9.]+,\n')
        start = text[text.index("s:start"):text.rindex("return")]
        self.assertTrue(self.assemble(text.replace(start, lines))["untouched"])

    def test_what_does_not_assemble_whatever_is_kept(self):
        for keep in ("crank.angle", "crank,follower.x"):
            done = self.trammel("assemble", self.write(UNASSEMBLABLE), "--fix", keep)
            self.assertEqual(done.returncode, 3)
            self.assertRegex(done.stderr, r"joint '\w': cannot be closed, [0-9.]+ m remain, even if "
                                          r"nothing is kept; check the positions and lengths")

    def test_keeping_what_contradicts_names_both(self):
        self.fails(3, r"model\.lua:\d+: joint '[ABD]': cannot be closed while 'coupler' is kept, "
                   r"\S+ m remain; release it, or change where it is\n",
                   "assemble", self.write(MISPRINTED), "--fix", "crank.angle,coupler")


class RunTest(CommandTest):
    def test_a_run_says_what_it_moved(self):
        out = self.succeeds("run", self.write(MISPRINTED), "--no-hdf5")
        self.assertRegex(out, r"assembly +coupler was moved by 0\.\d+ m to satisfy the joints")
        data = json.loads(self.succeeds("run", "model.lua", "--no-hdf5", "--json"))
        self.assertEqual(data["assembly_position"]["body"], "coupler")

    def test_a_run_that_must_not_assemble_refuses(self):
        pattern = (r"model\.lua:10: joint 'B': is off by 0\.0362 m at the start, which must not be "
                   r"changed .*'trammel assemble'")
        self.fails(3, pattern, "run", self.write(MISPRINTED), "--no-assemble", "--no-hdf5")
        self.write(MISPRINTED.replace("duration = 0.1", "duration = 0.1, assemble = false"))
        self.fails(3, pattern, "run", "model.lua", "--no-hdf5")
        self.write(PENDULUM)
        self.succeeds("run", "model.lua", "--no-assemble", "--no-hdf5")
        self.succeeds("run", "model.lua", "--initial", "strict", "--no-hdf5")

    def test_kept_to_the_last_digit(self):
        # What the search leaves open, up to 1e-9, is not closed by moving what is kept.
        name = self.write("""local m = model { name = "test" }
local a = m:body { name = "a", mass = 1, inertia = 1, at = { 5e-10, 0 } }
local b = m:body { name = "b", mass = 1, inertia = 1, at = { 1, 0 } }
m:joint { "revolute", name = "A", m.ground, a, point1 = { 0, 0 }, point2 = { 0, 0 } }
m:joint { "revolute", name = "B", a, b, point1 = { 1, 0 }, point2 = { 0.1, 0 } }
return m
""")
        self.fails(3, r"model\.lua:4: joint 'A': cannot be closed while 'a' is kept, 5e-10 m remain",
                   "assemble", name, "--fix", "a")


if __name__ == "__main__":
    unittest.main()
