# SPDX-License-Identifier: MIT
"""Systems of the user's own equations: what a run tells of them, and every mistake in one line."""
import csv
import json
import math
import unittest

from support import CommandTest

# A pendulum in x and z, one line each: the mistakes below replace one of them, or add a fifth.
LINES = {
    1: 'local s = system { name = "test", coordinates = { "x", "z" }, '
       'units = { x = "m", z = "m" }, parameters = { m = 1, L = 1, g = 9.81 } }',
    2: "s:mass(function(q, t, p) return { p.m, p.m } end)",
    3: "s:force(function(q, v, t, p) return { z = -p.m * p.g } end)",
    4: 's:constraint { name = "rod", unit = "m", '
       "phi = function(q, t, p) return sqrt(q.x ^ 2 + q.z ^ 2) - p.L end }",
    5: "",
    6: "s:start { x = 1 }",
    7: "s:simulate { duration = 0.5 }",
    8: "return s",
}


def system(changes=None):
    """The pendulum with other lines in place of some."""
    return "\n".join({**LINES, **(changes or {})}.values()) + "\n"


def mass(body):
    return f"s:mass(function(q, t, p) {body} end)"


def force(body):
    return f"s:force(function(q, v, t, p) {body} end)"


def rod(body):
    return f's:constraint {{ name = "rod", unit = "m", phi = function(q, t, p) {body} end }}'


def nonideal(body):
    return f"s:nonideal(function(q, v, t, p, reaction, z) {body} end)"


def state(names, body):
    return f"s:state {{ {names}, rate = function(q, v, t, p, z) {body} end }}"


class SystemErrors(CommandTest):
    def refuses(self, pattern, line, text):
        """The line in place of that of the pendulum is refused, by this line."""
        self.refuses_model(f"{line}: {pattern}", system({line: text}))

    def fails_at(self, pattern, line, text):
        """The run fails at 0.25 s and names the line; the rows before are kept."""
        self.write(system({line: text}))
        done = self.fails(1, rf"model\.lua:{line}: {pattern} at t = 0\.25 s; .+", "run", "model.lua")
        self.assertRegex(done.stdout, r"(?m)^test: failed at t = 0\.2[45]")
        self.assertGreater(self.rows("model.h5")[0], 90)

    def test_a_missing_mass_is_told_with_the_call(self):
        self.refuses_model(r" the system has no mass; give it: s:mass\(function\(q, t, p\)",
                           system({2: ""}))

    def test_a_mass_of_another_shape_is_refused(self):
        shape = r"mass: the function must return 2 rows of 2 numbers, or a list of 2: the diagonal; got "
        self.refuses(shape + "1", 2, mass("return { { p.m, 0 } }"))
        self.refuses(shape + "3", 2, mass("return { p.m, p.m, p.m }"))
        self.refuses(shape + "nil; is 'return' missing", 2, mass("local M = { p.m, p.m }"))
        self.refuses(shape + "string", 2, mass('return "p.m"'))
        self.refuses(r"mass: row 2 must have 2 numbers, got 1", 2,
                     mass("return { { p.m, 0 }, { p.m } }"))
        self.refuses(r"mass: row 2 must have 2 numbers, got 3", 2,
                     mass("return { { p.m, 0 }, { 0, p.m, 0 } }"))

    def test_a_coordinate_that_nothing_moves_is_named(self):
        self.refuses_model(r" coordinate 'x': its motion has neither mass nor a constraint that holds "
                           r"it at t = 0 s; give it mass > 0, or a constraint",
                           system({2: mass("return { 0, 1 }"), 4: ""}))

    def test_a_force_with_a_wrong_count_is_refused(self):
        count = r"force: the function must return 2 numbers, for x, z; got "
        self.refuses(count + "3", 3, force("return { 0, 1, 2 }"))
        self.refuses(count + "nil; is 'return' missing", 3, force("local F = { 0, 1 }"))
        self.refuses(r"force: the function must return numbers, got string", 3,
                     force('return { 0, "1" }'))

    def test_a_force_on_an_unknown_coordinate_is_refused_with_a_suggestion(self):
        self.refuses(r"force: there is no coordinate 'zz'; did you mean 'z'\?", 3,
                     force("return { zz = 1 }"))
        self.refuses(r"force: there is no coordinate 'height'; choose from x, z", 3,
                     force("return { height = 1 }"))

    def test_a_constraint_without_a_number_is_refused(self):
        text = r"constraint 'rod': the function must return a number or a list of numbers, got "
        self.refuses(text + r"nil; is 'return' missing\?", 4, rod("local phi = q.x"))
        self.refuses(text + "string", 4, rod('return "q.x"'))
        self.refuses(text + "an empty one", 4, rod("return {}"))

    def test_a_constraint_that_holds_nothing_is_refused(self):
        self.refuses(r"constraint 'rod': row 1 depends on no coordinate; .+", 4, rod("return t - 1"))
        self.refuses(r"constraint 'rod': row 2 depends on no coordinate; .+", 4,
                     rod("return { q.x - 1, p.L }"))
        self.refuses(r"constraint 'blade': row 1 depends on no velocity; make it a constraint", 4,
                     's:nonholonomic { name = "blade", psi = function(q, v, t, p) return q.x end }')

    def test_a_state_is_declared_before_it_is_used(self):
        text = system({3: "s:force(function(q, v, t, p, z) return { z = -z.wind } end)",
                       5: state('"wind"', "return v.x")})
        self.refuses_model(r"3: there is no state 'wind' above this line; declare it first", text)

    def test_a_name_is_given_once(self):
        self.refuses(r"system: coordinate 'x': is listed twice", 1,
                     LINES[1].replace('"x", "z"', '"x", "z", "x"'))
        self.refuses(r"constraint 'rod': there is already a constraint of this name; .+", 5, LINES[4])
        self.refuses(r"state 'x': there is a coordinate of this name; .+", 5,
                     state('"x"', "return v.x"))
        self.refuses(r"state 'w': exists already; .+", 5, state('"w", "w"', "return { 0, 0 }"))
        self.refuses(r"mass: was called before; a system can have only one mass", 5, LINES[2])

    def test_arguments_in_another_order_are_told(self):
        self.refuses(r"attempt to index a nil value \(local 'p'\); the function is called with "
                     r"\(q, t, p\)", 2, "s:mass(function(q, v, t, p) return { p.m, p.m } end)")
        self.refuses(r"a traced value has no entries; use it as a number; the function is called with "
                     r"\(q, v, t, p, z\)", 3, "s:force(function(q, t, v, p) return { v.x, 0 } end)")

    def test_velocities_of_the_start_have_a_table(self):
        self.refuses(r"start: there is no coordinate or state 'vx'; velocities are given as "
                     r"v = \{ x = \.\.\. \}", 6, "s:start { x = 1, vx = 1 }")
        self.refuses(r"start: write name = value, or a list of 2 numbers, .+", 6,
                     "s:start { 1, 0, 3 }")
        self.write(system({6: "s:start { 0, -1, v = { 2, 0 } }"}))
        self.succeeds("run", "model.lua", "--csv", "start.csv")
        lines = [line for line in (self.folder / "start.csv").read_text().splitlines()
                 if not line.startswith("#")]
        self.assertEqual([float(number) for number in lines[1].split(",")[1:5]], [0, -1, 2, 0])

    def test_coordinates_may_have_any_name(self):
        text = system().replace('"x"', '"t"').replace("q.x", "q.t").replace("x = ", "t = ")
        self.write(text)
        self.succeeds("run", "model.lua")

    def test_energy_is_that_of_the_motion(self):
        self.refuses(r"energy: it must be T \+ V, with T = v' M v / 2; but at v.x = .+", 5,
                     "s:energy(function(q, v, t, p) return p.m * p.g * q.z end)")
        self.refuses(r"energy: it must be T \+ V, .+", 5,
                     "s:energy(function(q, v, t, p) return p.m * (v.x ^ 2 + v.z ^ 2) end)")

    def test_the_start_is_checked(self):
        self.refuses(r"start: there is no coordinate or state 'xx' above this line; did you mean 'x'\?",
                     6, "s:start { xx = 1 }")
        self.refuses(r"start: there is no coordinate 'y'; choose from x, z", 6,
                     "s:start { x = 1, v = { y = 1 } }")
        self.refuses(r"start: x must be a finite number, got string", 6, 's:start { x = "1" }')
        self.refuses(r"start: x must be a finite number, got inf", 6, "s:start { x = math.huge }")

    def test_branching_names_the_line_and_where(self):
        where = r"cannot compare a traced value; use where\(less\(a, b\), x, y\)"
        for line, function in ((2, mass), (3, force), (4, rod)):
            self.refuses(where, line, function("if q.x > 0 then return 1 end return 2"))
        self.refuses(where, 5, nonideal("if reaction.rod > 0 then return { 1, 0 } end"))
        self.refuses(where, 5, state('"w"', "return v.x < 0 and 1 or 2"))
        self.refuses_model(f"6: {where}", system({4: rod("local r = q.x\n\nif r < 0 then r = -r end")}))

    def test_what_is_not_a_number_is_named_with_the_time(self):
        late = "sqrt(0.25 - t)"
        self.fails_at("coordinate 'z': its force is not a finite number", 3,
                      force(f"return {{ z = {late} }}"))
        # Whether a step meets 0.25 s itself, where only the rate is infinite, depends on rounding.
        self.fails_at("coordinate 'z': its mass or its rate is not a finite number", 2,
                      mass(f"return {{ 1, 1 + {late} }}"))
        self.fails_at("state 'w': its rate is not a finite number", 5, state('"w"', f"return {late}"))
        self.fails_at("energy: it or its rate is not a finite number", 5,
                      "s:energy(function(q, v, t, p) "
                      f"return p.m * (v.x ^ 2 + v.z ^ 2) / 2 + {late} end)")
        self.fails_at("coordinate 'x': its non-ideal force is not a finite number", 5,
                      nonideal(f"return {{ x = {late} }}"))
        self.fails_at("constraint 'rod': it is not a finite number", 4,
                      rod("return q.x - 1 + sqrt(where(less(t, 0.25), 0, -1))"))

    def test_a_direction_at_rest_is_explained(self):
        self.refuses(r"coordinate 'x': its non-ideal force .* at t = 0 s; .*\(a direction v / \|v\| has "
                     r"none at rest\)", 5, nonideal("return { x = -v.x / sqrt(v.x ^ 2 + v.z ^ 2) }"))


class SystemRun(CommandTest):
    def summary(self, *arguments):
        return json.loads(self.succeeds("run", "model.lua", "--json", *arguments))

    def columns(self):
        self.succeeds("run", "model.lua", "--csv", "a.csv")
        with open(self.folder / "a.csv", encoding="utf-8", newline="") as file:
            return next(csv.reader(file))

    def test_units_that_were_not_given_are_not_claimed(self):
        self.write(system({1: LINES[1].replace('units = { x = "m", z = "m" }, ', ""),
                           4: LINES[4].replace('unit = "m", ', "")}))
        text = self.succeeds("run", "model.lua")
        self.assertRegex(text, r"(?m)^    position +\S+ at rod\n    velocity +\S+ at rod\n")
        self.assertRegex(text, r"(?m)^    rod +[\d.]+$")
        self.assertRegex(text, r"(?m)^  energy +\S+ at the start, drift \S+$")
        data = self.summary()
        self.assertEqual((data["violations"]["velocity"]["other"]["unit"], data["energy"]["unit"],
                          data["states"][0]["unit"], data["multipliers"][0]["unit"]), (None,) * 4)
        for name in ("q.x", "v.x", "a.z", "lambda.rod", "energy.balance", "violation.position.other",
                     "violation.velocity.other"):
            self.assertIn(name, self.columns())

    def test_units_are_those_of_the_file(self):
        self.write(system({1: LINES[1].replace('z = "m"', 'z = "mm"'),
                           4: LINES[4].replace('unit = "m"', 'unit = "mm"')}))
        self.assertRegex(self.succeeds("run", "model.lua"),
                         r"(?m)^    position +\S+ mm at rod\n    velocity +\S+ mm/s at rod\n"
                         r"    acceleration +\S+ mm/s\^2 at rod\n")
        self.assertEqual(self.summary()["violations"]["velocity"]["other"]["unit"], "mm/s")
        columns = self.columns()
        for name in ("q.x [m]", "v.x [m/s]", "q.z [mm]", "a.z [mm/s^2]", "lambda.rod"):
            self.assertIn(name, columns)
        self.write(system())
        columns = self.columns()
        for name in ("lambda.rod [N]", "energy.work [J]", "violation.position.length [m]"):
            self.assertIn(name, columns)
        self.assertNotIn("violation.position.other", columns)

    def test_json_holds_coordinates_states_and_multipliers(self):
        energy = ("s:energy(function(q, v, t, p) return p.m * (v.x ^ 2 + v.z ^ 2) / 2 "
                  "+ p.m * p.g * q.z end)")
        self.write(system({5: energy + state('"time"', "return 1")}))
        data = self.summary()
        self.assertEqual([data[key] for key in ("dim", "bodies", "joints", "coordinates", "constraints",
                                                "further_states", "rows", "degrees_of_freedom")],
                         [0, 0, 0, 2, 1, 1, 1, 1])
        x, z, clock = data["states"]
        self.assertEqual((x["coordinate"], z["coordinate"], clock["state"]), ("x", "z", "time"))
        self.assertAlmostEqual(clock["z"], 0.5, delta=1e-12)
        self.assertAlmostEqual(math.hypot(x["q"], z["q"]), 1.0, delta=1e-11)
        # Released from the horizontal: v^2 = -2 g z, and the tension is 3 m g times -z.
        self.assertAlmostEqual(x["v"] ** 2 + z["v"] ** 2, -2 * 9.81 * z["q"], delta=1e-7)
        rope = data["multipliers"][0]
        self.assertEqual((rope["constraint"], rope["unit"], len(rope["lambda"])), ("rod", "N", 1))
        self.assertAlmostEqual(rope["lambda"][0], -3 * 9.81 * z["q"], delta=1e-6)
        self.assertEqual((data["energy"]["unit"], data["energy"]["potential_known"]), ("J", True))
        self.assertAlmostEqual(data["energy"]["potential"], 9.81 * z["q"], delta=1e-7)

    def test_parameters_are_set_from_the_command_line(self):
        self.write(system())
        self.assertAlmostEqual(self.summary("--set", "L=2", "--set", "m=3")["states"][0]["q"] ** 2
                               + self.summary("--set", "L=2")["states"][1]["q"] ** 2, 4.0, delta=1e-9)
        self.fails(3, r"model\.lua: the file has no parameter 'LL'; did you mean 'L'\?", "run",
                   "model.lua", "--set", "LL=2")

    def test_constraints_on_bodies_are_counted_and_told(self):
        self.write('local m = model { name = "bead", gravity = { 0, -9.81 } }\n'
                   'local bead = m:body { name = "bead", mass = 2, inertia = 1, at = { 1, 0 } }\n'
                   'm:constraint { name = "hoop", bead, '
                   "phi = function(b, t) return sqrt(b.x ^ 2 + b.y ^ 2) - 1 end }\n"
                   "m:simulate { duration = 0.3 }\nreturn m\n")
        text = self.succeeds("run", "model.lua")
        self.assertIn("1 body, 0 joints, 1 constraint, 2 degrees of freedom", text)
        data = self.summary()
        y, hoop = data["states"][0]["y"], data["multipliers"][0]
        self.assertEqual((hoop["constraint"], hoop["unit"]), ("hoop", "N"))
        self.assertAlmostEqual(hoop["lambda"][0], -3 * 2 * 9.81 * y, delta=1e-6)
        self.assertIn("lambda.hoop [N]", self.columns())


if __name__ == "__main__":
    unittest.main()
