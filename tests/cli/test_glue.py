# SPDX-License-Identifier: MIT
"""`trammel glue`: assembly files, summaries, results, what is refused and how, checkpoints."""
import csv
import json
import math
import os
import pathlib
import shutil
import signal
import unittest

from support import CommandTest, PENDULUM

SOURCE = pathlib.Path(os.environ["SOURCE"])

HEAD = 'local g = coupled { name = "test", dim = 2 }\n'
LEFT = ('local left = g:module { name = "left", program = "mass_spring.so", '
        'set = { m = 1, k = 30, q = 0.1 } }\n')
RIGHT = ('local right = g:module { name = "right", program = "mass_spring.so", '
         'set = { m = 2, k = 30, q = 0.1 } }\n')
WELD = 'g:joint { "revolute", name = "weld", left.mass, right.mass }\n'
TAIL = "g:simulate { duration = 1, step = 1e-3, output_step = 0.1 }\nreturn g\n"
MASSES = HEAD + LEFT + RIGHT + WELD + TAIL

# Two nearly point masses, joined at the center of mass of the first, from x on.
POINTS = """
local J, x, dim = parameter("J", 0), parameter("x", 0), parameter("dim", 3)
local function at(x, y, z) return dim == 3 and { x, y, z } or { x, z } end
local m = model { name = "part", dim = dim, gravity = at(0, 0, -9.81) }
local I, kind = dim == 3 and { J, J, J } or J, dim == 3 and "spherical" or "revolute"
local a = m:body { name = "a", mass = 1, inertia = I, at = at(x + 1, 0.2 * x, 0.3) }
local b = m:body { name = "b", mass = 1, inertia = I, at = at(x + 2, 0.2 * x + 0.4, 0) }
if x == 0 then m:joint { kind, name = "A", m.ground, a, point = at(0, 0, 0) } end
m:joint { kind, name = "B", a, b, point = at(x + 1, 0.2 * x, 0.3) }
m:port { a, name = "left", at = at(-1, 0, -0.3) }
m:port { b, name = "right" }
m:simulate { duration = 1 }
return m
"""


def glued_points(dim, J):
    part = f'model = "part.lua", set = {{ dim = {dim}, J = {J}, x = '
    kind = "spherical" if dim == 3 else "revolute"
    return (f'local g = coupled {{ name = "points", dim = {dim} }}\n'
            f'local p = g:module {{ name = "p", {part}0 }} }}\n'
            f'local q = g:module {{ name = "q", {part}2 }} }}\n'
            f'g:joint {{ "{kind}", name = "G", p.right, q.left }}\n'
            "g:simulate { duration = 1, step = 2.5e-3, output_step = 0.5 }\nreturn g\n")


class GlueTest(CommandTest):
    def setUp(self):
        super().setUp()
        for name in ("MASS_SPRING", "CHAIN", "BROKEN"):
            shutil.copy(os.environ[name], self.folder / (name.lower() + ".so"))

    def table(self, name):
        """Columns by their names without units."""
        with open(self.folder / name, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {head.split(" [")[0]: [float(row[i]) for row in rows[1:]]
                for i, head in enumerate(rows[0])}


class Runs(GlueTest):
    def test_glued_masses_move_as_one(self):
        """3 kg on 60 N/m; Newmark's formula of step h lengthens periods by (omega h)^2 / 24."""
        self.write(MASSES)
        words = self.succeeds("glue", "model.lua", "--csv", "rows.csv")
        self.assertIn("test: done at t = 1 s", words)
        self.assertRegex(words, "weld +revolute +right.mass +left.mass ")
        self.assertIn("hangs cannot be detected", words)
        rows, omega = self.table("rows.csv"), math.sqrt(20.0)
        self.assertEqual(len(rows["t"]), 11)
        bound = 0.1 * omega * 1.0 * (omega * 1e-3) ** 2 / 12.0
        for t, left, right, force in zip(rows["t"], rows["left.mass.x"], rows["right.mass.x"],
                                         rows["weld.Fx"]):
            exact = 0.1 * math.cos(omega * t)
            self.assertLess(abs(left - exact), bound)
            self.assertLess(abs(left - right), 1e-15)
            # what the left mass puts on the right one: 2 a + 30 q with a = -20 q
            self.assertLess(abs(force - (-10.0 * exact)), 40.0 * bound)

    def test_weak_gluings_take_models_with_joints_of_their_own(self):
        """Through a spring all gluings go to the same motion; sweeps stop at residuals of 1e-11 of
        the loads, and 30 steps of errors that add up leave 1e-7."""
        shutil.copy(SOURCE / "models/glue/arm.lua", self.folder)
        self.write(HEAD + 'local left = g:module { name = "left", model = "arm.lua" }\n' + RIGHT +
                   'g:force { "spring", left.hand, right.mass, stiffness = 10, length = 0.5 }\n' +
                   "g:simulate { duration = 0.3, step = 1e-2 }\nreturn g\n")
        ends = {}
        for gluing in ("gauss", "jacobi", "gauss_seidel", "waveform"):
            self.succeeds("glue", "model.lua", "-q", "--gluing", gluing, "--csv", "rows.csv")
            rows = self.table("rows.csv")
            ends[gluing] = (rows["left.hand.x"][-1], rows["left.hand.y"][-1])
        self.assertLess(ends["gauss"][1], -0.1)
        for gluing, end in ends.items():
            self.assertAlmostEqual(end[0], ends["gauss"][0], delta=1e-7, msg=gluing)
            self.assertAlmostEqual(end[1], ends["gauss"][1], delta=1e-7, msg=gluing)

    def test_options_go_with_the_choice_that_reads_them(self):
        """The scheme of the command line replaces that of the file, whose rho is forgotten with it."""
        self.write(MASSES)
        self.succeeds("glue", "model.lua", "-q", "--csv", "newmark.csv")
        self.write(MASSES.replace("duration", 'scheme = "generalized_alpha", rho = 0.5, duration'))
        self.succeeds("glue", "model.lua", "-q", "--scheme", "newmark", "--csv", "rows.csv")
        self.assertEqual(self.table("rows.csv"), self.table("newmark.csv"))
        self.fails(2, "glue: 'rho' is not read by gluing 'gauss' with scheme 'newmark', but by "
                      "generalized_alpha; leave it out, or choose what reads it",
                   "glue", "model.lua", "--scheme", "newmark", "--rho", "0.4")

    def test_ports_of_nearly_points_are_glued(self):
        """J moves the end by about 1 m per kg m^2, and what counts as 1e-7 m r^2 by 1e-7 m."""
        (self.folder / "part.lua").write_text(POINTS, encoding="utf-8")
        for dim, axes in ((3, "xyz"), (2, "xy")):
            ends = {}
            for J in ("1e-300", "1e-12", "1e-9", "1e-8", "1e-6"):
                self.write(glued_points(dim, J))
                self.succeeds("glue", "model.lua", "-q", "--csv", "rows.csv")
                rows = self.table("rows.csv")
                ends[J] = [rows["q.left." + k][-1] for k in axes]
            self.assertLess(ends["1e-6"][-1], -1.0)
            for J, end in ends.items():
                for k, is_at in enumerate(end):
                    self.assertAlmostEqual(is_at, ends["1e-6"][k], delta=1e-5, msg=(dim, J))

    def test_a_body_without_inertia_that_turns_freely_in_its_module_is_refused(self):
        (self.folder / "part.lua").write_text(POINTS, encoding="utf-8")
        for dim in (2, 3):
            self.write(glued_points(dim, "0"))
            self.fails(1, ".*part.lua:[67]: body '[ab]': is not determined in this pose: a module needs "
                       "independent joints, and inertia of each body that they do not hold; give the "
                       "body inertia, or put the joint that holds it into the module", "glue",
                       "model.lua", "-q")

    def test_a_joint_that_nothing_can_close_is_refused(self):
        """Both masses move along x alone; the joint is a meter off along y."""
        self.write(MASSES.replace("right.mass }", "right.mass, frame1 = { at = { 0, 1 } } }"))
        for more in ((), ("--dry",)):
            self.fails(3, "model.lua: joint 'weld' is open by 1 m at the start, where none of its "
                       "ports moves", "glue", "model.lua", *more)

    def test_a_joint_that_stays_open_is_warned_of(self):
        text = MASSES.replace("mass_spring.so", "hostile.so").replace(
            "{ m = ", '{ fault = "forces_alone", m = ')
        shutil.copy(os.environ["HOSTILE"], self.folder / "hostile.so")
        self.write(text)
        self.succeeds("glue", "model.lua", "-q")
        self.write(text.replace("q = 0.1", "q = 0.3", 1))
        done = self.trammel("glue", "model.lua", "--no-hdf5")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "^trammel: warning: model.lua: joint 'weld' is open by 0.2 m "
                         "at the start and stays so: its modules accept forces only")
        self.assertIn("accept forces only, which drift\n    position       0.2 m at weld",
                      done.stdout)

    def test_an_output_that_fails_leaves_a_row_without_it(self):
        shutil.copy(os.environ["HOSTILE"], self.folder / "hostile.so")
        self.write(MASSES.replace('"mass_spring.so", set = {',
                                  '"hostile.so", set = { fault = "output", ', 1))
        done = self.trammel("glue", "model.lua", "-q", "--csv", "rows.csv", "--no-hdf5")
        self.assertEqual(done.returncode, 1)
        rows = self.table("rows.csv")
        self.assertTrue(math.isnan(rows["left.energy"][-1]))
        self.assertEqual(rows["left.mass.x"][-1], 0.1)
        self.assertLess(rows["glue.residual.dynamic"][-1], 1e-11)

    def test_the_example_comes_to_rest(self):
        """After 20 s all terms of its equations are rounding of positions that were 0.1 m."""
        self.write((HEAD + LEFT + RIGHT + WELD).replace("k = 30,", "k = 30, c = 10,") +
                   "g:simulate { duration = 100, step = 0.1 }\nreturn g\n")
        for scheme in ("newmark", "generalized_alpha", "bdf1", "bdf2"):
            found = json.loads(self.succeeds("glue", "model.lua", "--json", "--no-hdf5", "--scheme",
                                             scheme))
            self.assertLessEqual(found["max_iterations"], 2)

    def test_settings_of_the_command_line_count(self):
        self.write(MASSES)
        found = json.loads(self.succeeds("glue", "model.lua", "--json", "--duration", "0.5",
                                         "--step", "0.01", "--scheme", "generalized_alpha",
                                         "--tolerance", "1e-9", "--gluing", "gauss"))
        self.assertEqual((found["steps"], found["scheme"], found["outcome"]),
                         (50, "generalized_alpha", "done"))
        self.assertEqual(found["t"], 0.5)
        self.assertLess(found["violations"]["acceleration"]["length"]["value"], 1e-9)
        self.assertEqual(found["violations"]["position"]["length"]["joint"], "weld")
        self.assertGreater(found["messages"], 0)
        self.assertEqual(found["written"], ["model.h5"])

    def test_outputs_are_recorded(self):
        self.write(HEAD + 'local chain = g:module { name = "chain", program = "chain.so", '
                   'outputs = { "q1" } }\n'
                   'g:joint { "revolute", name = "cut", g.ground, "chain.end", point = { 2, 0 } }\n'
                   'g:simulate { step = 0.4, duration = 16, tolerance = 1e-8 }\nreturn g\n')
        self.succeeds("glue", "model.lua", "-q", "--csv", "rows.csv")
        rows = self.table("rows.csv")
        exact = 0.5 * math.pi + 32.0 * math.pi - 16.0 ** 3 / 81.0
        self.assertLess(abs(rows["chain.q1"][-1] - exact + 1.58e-2), 1e-4)  # methods: -1.58e-2
        self.assertNotIn("chain.q2", rows)

    def test_springs_between_ports(self):
        """Two masses on a spring of their own, k = 20 N/m of length 0, mirrored: each sees 2 k."""
        self.write(HEAD + LEFT.replace("k = 30", "k = 0") +
                   RIGHT.replace("m = 2, k = 30, q = 0.1", "m = 1, q = -0.1") +
                   'g:force { "spring", left.mass, right.mass, stiffness = 20, length = 0 }\n' +
                   TAIL)
        self.succeeds("glue", "model.lua", "-q", "--csv", "rows.csv")
        rows = self.table("rows.csv")
        exact = 0.1 * math.cos(math.sqrt(40.0))
        self.assertLess(abs(rows["left.mass.x"][-1] - exact), 1e-5)


class Refusals(GlueTest):
    def test_the_wrong_command_is_told_the_right_one(self):
        self.write(MASSES)
        self.write(PENDULUM, "pendulum.lua")
        for command in ("run", "check", "assemble", "modes", "compare"):
            self.fails(3, "model.lua: this is an assembly of modules, which 'trammel glue' runs",
                       command, "model.lua")
        self.fails(3, "pendulum.lua: this is a model, which 'trammel run' simulates", "glue",
                   "pendulum.lua")
        self.succeeds("glue", "model.lua", "-q")
        self.fails(4, "model.h5: comes from 'trammel glue'; the equations of modules are not known",
                   "verify", "model.h5")
        self.succeeds("verify", "--no-physics", "model.h5")

    def test_a_module_that_answers_with_no_number_is_named_with_the_time(self):
        shutil.copy(os.environ["HOSTILE"], self.folder / "hostile.so")
        for fault, words in (("motion", "the velocity of port 'mass' is not a number"),
                             ("residual", "its residual is not a number")):
            self.write(MASSES.replace('"mass_spring.so", set = {',
                                      '"hostile.so", set = { fault = "%s", ' % fault, 1))
            self.fails(1, f"model.lua: module 'left': {words}; at t = 0 s$", "glue", "model.lua")

    def test_a_module_that_fails_leaves_results(self):
        self.write(MASSES.replace("mass_spring.so", "broken.so", 1))
        done = self.trammel("glue", "model.lua", "--csv", "rows.csv")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^trammel: model.lua: .*left.*the spring is broken; at t = "
                         r"0\.501 s; the results so far are kept\n$")
        self.assertIn("test: failed at t = 0.5 s", done.stdout)
        self.assertAlmostEqual(self.table("rows.csv")["t"][-1], 0.5, places=12)
        self.assertIn("failed: ", self.rows("model.h5")[2])


class Checkpoints(GlueTest):
    LONG = MASSES.replace("duration = 1,", "duration = 100,").replace("output_step = 0.1",
                                                                     "output_step = 0.02")

    def stopped(self, how):
        """A run that was stopped after its second checkpoint: the first is that of the start."""
        self.write(self.LONG)
        process = self.start("glue", "model.lua", "-q", "--checkpoint", "0.01", "--csv", "part.csv",
                             "-o", "part.h5")
        seen = set()
        while len(seen) < 2:
            self.assertIsNone(process.poll())
            if (self.folder / "part.h5.checkpoint").exists():
                seen.add((self.folder / "part.h5.checkpoint").read_bytes())
        process.send_signal(how)
        _, words = process.communicate()
        return process.returncode, words

    def test_a_run_goes_on_bit_for_bit(self):
        for how in (signal.SIGINT, signal.SIGKILL):
            code, words = self.stopped(how)
            if how == signal.SIGINT:
                self.assertEqual(code, 130)
                self.assertIn("continue with 'trammel resume part.h5 --assembly model.lua'", words)
            self.succeeds("resume", "part.h5", "-q", "--assembly", "model.lua")
            self.assertFalse((self.folder / "part.h5.checkpoint").exists())
            self.succeeds("glue", "model.lua", "-q", "--csv", "full.csv")
            self.assertEqual((self.folder / "part.csv").read_bytes(),
                             (self.folder / "full.csv").read_bytes())
            self.assertEqual(self.rows("part.h5"), self.rows("model.h5"))

    def test_the_last_row_of_a_failed_run_is_the_same_once_more(self):
        """The drive has no derivative at 0.05 s. The row at 0.049 s is made of what the checkpoint
        has, with the residuals of the step that ended there."""
        self.write(MASSES.replace(WELD, WELD + 'g:joint { "driven_coordinate", g.ground, left.mass, '
                                  "value = function(t) return 0.1 + sqrt(0.05 - t) - sqrt(0.05) end }\n")
                   .replace("output_step = 0.1", "output_step = 0.03"))
        words = "model.lua:5: joint 'driven_coordinate1': not a finite number at t = 0.05 s"
        self.fails(1, words, "glue", "model.lua", "-q", "--checkpoint", "1e-9", "--csv", "rows.csv")
        rows = (self.folder / "rows.csv").read_bytes()
        self.fails(1, words, "resume", "model.h5", "-q", "--assembly", "model.lua", "--csv",
                   "rows.csv")
        self.assertEqual((self.folder / "rows.csv").read_bytes(), rows)

    def test_a_changed_module_is_refused(self):
        self.stopped(signal.SIGKILL)
        with open(self.folder / "mass_spring.so", "ab") as file:
            file.write(b"\0")
        self.fails(4, r"\./mass_spring\.so: module 'left' is not the one that the checkpoint was "
                   "written with", "resume", "part.h5", "-q", "--assembly", "model.lua")

    def test_a_checkpoint_chooses_no_code(self):
        """Of a program, an FMU or a command in a checkpoint nothing is opened, unless the command
        line has the assembly again: the same lines with the same parameters."""
        self.LONG = 'local n = parameter("n", 1)\n' + self.LONG
        self.stopped(signal.SIGKILL)
        os.remove(self.folder / "mass_spring.so")  # it is refused before anything is looked for
        code = r"part\.h5\.checkpoint: module 'left' is code of program '\./mass_spring\.so', which"
        self.fails(2, code, "resume", "part.h5", "-q")
        self.write(self.LONG + "\n", "changed.lua")
        self.fails(2, r"part\.h5\.checkpoint: changed\.lua: its lines are not those", "resume",
                   "part.h5", "--assembly", "changed.lua")
        self.fails(2, r"part\.h5\.checkpoint: model\.lua: its --set options are not those", "resume",
                   "part.h5", "--assembly", "model.lua", "--set", "n=2")

    def test_a_module_that_cannot_be_saved_is_named(self):
        self.write(MASSES.replace("mass_spring.so", "broken.so", 1))
        self.fails(2, "model.lua: module 'left' cannot save its state", "glue", "model.lua",
                   "--checkpoint", "1")


if __name__ == "__main__":
    unittest.main()
