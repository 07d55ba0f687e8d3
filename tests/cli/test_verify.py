# SPDX-License-Identifier: MIT
"""`trammel verify`: words, JSON, exit codes, and files that are damaged or something else."""
import json
import os
import pathlib
import signal
import struct
import unittest

from support import BODY, ENDLESS, HEAD, HEAD3, PENDULUM, PIN, TAIL, CommandTest


class VerifyTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.succeeds("run", self.write(PENDULUM), "-q")

    def test_a_good_file(self):
        out = self.succeeds("verify", "model.h5")
        self.assertIn("model 'test'", out)
        self.assertIn("M a = loads + reactions, of each body", out)
        self.assertIn("no problems found", out)
        self.assertNotIn("OFF", out)

    def test_json(self):
        done = json.loads(self.succeeds("verify", "model.h5", "--json"))
        self.assertTrue(done["verified"])
        self.assertEqual(done["finding"], [])
        self.assertEqual(done["outcome"], "done")
        self.assertEqual(done["compared"]["balance"]["rows"], done["rows"])
        self.assertEqual(done["compared"]["mark"]["off"], 0)

    def alter(self, old, new, count=1):
        """Replaces bytes of the file, of the same number."""
        path = self.folder / "model.h5"
        data = path.read_bytes()
        self.assertEqual(len(old), len(new))
        self.assertGreaterEqual(data.count(old), 1)
        path.write_bytes(data.replace(old, new, count))

    def alter_number(self, column):
        """The number of one column in row 101 gains a millionth; says which row and time."""
        rows = self.succeeds("run", "model.lua", "-q", "--csv", "-", "--no-hdf5").splitlines()
        names = rows[0].split(",")
        at = next(i for i, name in enumerate(names) if name.split(" ")[0].strip('"') == column)
        value = float(rows[101].split(",")[at])
        self.alter(struct.pack("<d", value), struct.pack("<d", value * (1 + 1e-6)))
        return float(rows[101].split(",")[0])

    def test_gears(self):
        # Body 1 of a gear bears -ratio times the moment on body 2, about an axis of its own.
        plane = HEAD + """
local function wheel(name, x)
  local w = m:body { name = name, mass = 1, inertia = 0.1, at = { x, 0 }, com = { 0.1, 0 } }
  m:joint { "revolute", name = name .. " pin", m.ground, w, point = { x, 0 } }
  return w
end
m:joint { "gear", name = "gear", wheel("a", 0), wheel("b", 1), ratio = -2.5 }
m:force { "torque", name = "motor", m.ground, "a", moment = function(t) return sin(9 * t) end }
""" + TAIL
        space = """
local m = model { name = "test", dim = 3, gravity = { 0, 0, -9.81 } }
local function wheel(name, x, axis)
  local w = m:body { name = name, mass = 1, inertia = { 0.1, 0.12, 0.15 }, at = { x, 0, 0 },
                     com = { 0.1, 0.05, 0 } }
  m:joint { "revolute", name = name .. " pin", m.ground, w, point = { x, 0, 0 }, axis = axis }
  return w
end
local y, d = { 0, 1, 0 }, { 0, 1, 1 }
m:joint { "gear", name = "gear", wheel("a", 0, y), wheel("b", 1, d), world_axis1 = y,
          world_axis2 = d, ratio = 3 }
""" + TAIL
        ring = HEAD + """
local arm = m:body { name = "arm", mass = 1, inertia = 0.1 }
local a = m:body { name = "a", mass = 1, inertia = 0.1, at = { 0.3, 0 } }
m:joint { "revolute", name = "hub", m.ground, arm, point = { 0, 0 } }
m:joint { "revolute", name = "pin", arm, a, point = { 0.3, 0 } }
m:joint { "gear", name = "gear", a, m.ground, ratio = 1 / 3, carrier = arm }
m:force { "torque", name = "motor", m.ground, a, moment = function(t) return sin(9 * t) end }
""" + TAIL
        for text in (plane, space, ring):
            self.succeeds("run", self.write(text), "-q")
            self.assertIn("no problems found", self.succeeds("verify", "model.h5"))
        self.alter_number("gear.M")  # on ground, which bears three times as much as the planet
        self.assertEqual(self.trammel("verify", "model.h5", "--no-checksums").returncode, 1)
        self.succeeds("run", self.write(plane), "-q")
        self.alter_number("gear.M")
        done = self.trammel("verify", "model.h5", "--no-checksums")
        self.assertEqual(done.returncode, 1)
        self.assertIn("body 'a': moment", done.stdout)

    def test_impacts_between_rows(self):
        # Velocity and energy change where no row tells why.
        self.write(HEAD3 + """
local ball = m:body { name = "ball", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0, 0, 0.3 } }
m:joint { "prismatic", name = "guide", m.ground, ball, axis = { 0, 0, 1 } }
m:force { "bump_stop", name = "stop", m.ground, ball, axis = { 0, 0, 1 }, limit = 0,
          side = "below", stiffness = 1e6, damping = 200 }
m:simulate { duration = 1 }
return m
""")
        for sample in ("0.002", "0.005", "0.02", "0.1"):
            self.succeeds("run", "model.lua", "-q", "--output-step", sample)
            self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_a_mechanism_at_rest(self):
        # Accelerations are the rounding of a stiff spring's moment, which the hinge bears.
        self.write(HEAD3.replace("-9.81", "0") + """
local rod = m:body { name = "rod", mass = 0.3, inertia = { 0.01, 0.02, 0.015 },
                     at = { 0.3, 0.2, 0.1 }, rotation = { 0.3, 0.5, -0.7 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0.1, 0.7, 0 }, axis = { 0, 1, 0 } }
m:force { "torsion_spring", name = "spring", m.ground, rod, axis = { 1, 0, 0 },
          stiffness = 1e5, damping = 1 }
""" + TAIL)
        listed = json.loads(self.succeeds("integrators", "--json"))["integrators"]
        with_sundials = ["ida"] if "ida" in [kind["name"] for kind in listed] else []
        for integrator in ("dop853", "radau5", *with_sundials):
            self.succeeds("run", "model.lua", "-q", "--integrator", integrator)
            self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_a_run_that_fails_at_a_pole(self):
        # The blade comes to stand upright on its plane, where it has no direction.
        self.write(HEAD3 + """
local blade = m:body { name = "blade", mass = 200, inertia = { 34, 35, 24 },
                       at = { 0.7, 1.6, 1.6 }, rotation = { -0.4, -0.8, 0.7 } }
m:joint { "knife_edge", name = "edge", m.ground, blade, point = { -1.9, -1.9, 0 },
          axis = { 0.13, 0.26, 0.96 }, normal = { 0.9, -0.45, 0 } }
m:force { "spring", name = "spring", m.ground, blade, world1 = { -1.8, 0.8, 1.8 },
          world2 = { -0.3, 0.1, 0.6 }, stiffness = 1e8, length = 1 }
""" + TAIL)
        self.fails(1, r"model\.lua:\d+: joint 'edge': ", "run", "model.lua", "-q")
        self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_a_potential_that_a_nudge_does_not_change(self):
        # In some rows it is stationary along the one direction that is tried.
        self.write(HEAD3.replace("-9.81", "0") + """
local light = m:body { name = "light", mass = 0.0002, inertia = { 0.0223, 0.0366, 0.0285 },
                       at = { 63.9, -14.6, 89.6 }, rotation = { 0.8, 0.943, -0.547 },
                       com = { 3.06, -1.05, -0.693 } }
local heavy = m:body { name = "heavy", mass = 0.00316, inertia = { 7.22, 9.49, 5.58 },
                       at = { 92.5, -47.3, 59.9 }, rotation = { 0.294, 0.773, 1.48 } }
m:force { "bushing", name = "bushing", light, heavy, point = { 34.9, -35.5, -33.2 },
          stiffness = { 0.1, 0.1, 0.1, 250, 250, 250 },
          preload = { 0.005, 0.005, 0.005, 0.005, 0.005, 0.005 } }
m:simulate { duration = 10 }
return m
""")
        self.succeeds("run", "model.lua", "-q")
        self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_multipliers_that_were_iterated(self):
        # What is left of a force that holds a car on its track is a moment on the car.
        track = pathlib.Path(__file__).parents[2] / "models/guide/track.lua"
        self.succeeds("run", str(track), "-q", "-o", "model.h5", "--method",
                      "augmented_lagrangian", "--output-step", "1e-3", "--duration", "1.5")
        self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_a_penalty_beside_small_moments_of_inertia(self):
        # At 1e-3 m the last digits of A a - b, times the penalty, are 1e-5 of the moments.
        self.write(HEAD3 + """
local s, before, x = 1e-3, m.ground, 0
local axis = { { 1, 2, 3 }, { 0, 1, 1 }, { 2, 0, -1 } }
for i = 1, 3 do
  local link = m:body { name = "link" .. i, mass = 1, at = { x, 0, 0 }, com = { s, 0.3 * s, 0 },
                        inertia = { 0.5 * s ^ 2, 0.6 * s ^ 2, 0.7 * s ^ 2 } }
  m:joint { "revolute", name = "J" .. i, before, link, point = { x, 0, 0 }, axis = axis[i] }
  before, x = link, x + 1.5 * s
end
m:simulate { duration = 0.05, output_step = 1e-4, method = "augmented_lagrangian" }
return m
""")
        for method in ("augmented_lagrangian", "augmented_lagrangian_projected"):
            self.succeeds("run", "model.lua", "-q", "--method", method)
            self.assertIn("no problems found", self.succeeds("verify", "model.h5"))
        self.succeeds("run", "model.lua", "-q")
        self.alter_number("J2.Fx")
        done = self.trammel("verify", "model.h5", "--no-checksums")
        self.assertEqual(done.returncode, 1)
        self.assertIn("force along x", done.stdout)

    def test_rows_far_closer_than_steps(self):
        # Inside a step velocities are the rates of positions as closely as it is interpolated.
        crank = pathlib.Path(__file__).parents[2] / "models/guide/slider_crank.lua"
        for method, step, sample, duration in (("borri_phase_space", "0.05", "1e-4", "0.25"),
                                               ("direct_mass", "0.1", "5e-4", "0.33"),
                                               ("direct_mass", "0.05", "2.5e-4", "0.3")):
            self.succeeds("run", str(crank), "-q", "-o", "model.h5", "--method", method, "--integrator",
                          "rk4", "--step", step, "--output-step", sample, "--duration", duration)
            self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_a_force_that_vanishes_while_its_terms_do_not(self):
        # A shock absorber by a polynomial with terms of 1e7 N passes through zero at 0.05 s.
        iltis = pathlib.Path(__file__).parents[2] / "models/benchmark/iltis.lua"
        self.succeeds("run", str(iltis), "-q", "-o", "model.h5", "--integrator", "radau5",
                      "--output-step", "2e-4", "--duration", "0.06")
        self.assertIn("no problems found", self.succeeds("verify", "model.h5"))

    def test_an_altered_reaction(self):
        time = self.alter_number("A.Fy")
        done = self.trammel("verify", "model.h5")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "")
        self.assertIn("numbers of a row and their check mark", done.stdout)
        self.assertRegex(done.stdout, rf" 101 +{time:.9g} .* a number of the row was altered\n")
        self.assertRegex(done.stdout, rf" 101 +{time:.9g} .* body 'rod': ")
        self.assertRegex(done.stdout, r" N m +balance +body")

    def test_physics_alone(self):
        self.alter_number("rod.ay")
        done = self.trammel("verify", "model.h5", "--no-checksums", "--json")
        self.assertEqual(done.returncode, 1)
        seen = json.loads(done.stdout)
        self.assertNotIn("mark", seen["compared"])
        self.assertEqual(seen["finding"][0]["row"], 101)
        self.assertIn("balance", [f["kind"] for f in seen["finding"]])

    def test_marks_alone(self):
        self.alter_number("rod.ay")
        done = self.trammel("verify", "model.h5", "--no-physics")
        self.assertEqual(done.returncode, 1)
        self.assertIn("OFF: 1 of", done.stdout)
        self.assertNotIn("balance", done.stdout)

    def test_an_altered_model_text(self):
        """HDF5 keeps a check sum of its own over texts, and --no-checksums does not undo that."""
        self.alter(b"mass = 1,", b"mass = 2,")
        self.fails(4, "model.h5: not a result of Trammel, or a damaged one", "verify", "model.h5",
                   "--no-checksums")

    def test_a_run_that_failed(self):
        self.write(HEAD + BODY + PIN + 'm:force { "torque", m.ground, rod, moment = function(t) '
                   'return 1 / (0.3 - t) end }\nm:simulate { duration = 0.5 }\nreturn m\n',
                   "bad.lua")
        self.fails(1, "bad.lua", "run", "bad.lua", "-q")
        out = self.succeeds("verify", "bad.h5")
        self.assertIn("the run did not end as asked (failed", out)
        self.assertIn("no problems found", out)

    def test_a_killed_run(self):
        self.write(ENDLESS, "endless.lua")
        command = self.start("run", "endless.lua", "-q")
        self.addCleanup(command.communicate)
        self.addCleanup(command.kill)
        while (self.rows("endless.h5") or (0,))[0] < 10:
            self.assertIsNone(command.poll(), "the run ended before it was killed")
        command.kill()
        command.wait()
        out = self.succeeds("verify", "endless.h5")
        self.assertIn("the run: running", out)
        self.assertIn("was killed: rows to the last flush are verified", out)
        self.assertIn("no problems found", out)

    def test_settings_are_noted_to_the_last_digit(self):
        """Rows at odd times are those that were asked for; a start of 1/3 s is one of them."""
        self.succeeds("run", "model.lua", "-q", "--start", "0.3333333333333333", "--duration",
                      "0.7071067811865476", "--output-step", "0.014142135623730951", "--rtol", "3e-7")
        done = json.loads(self.succeeds("verify", "model.h5", "--json"))
        self.assertEqual(done["compared"]["time"]["off"], 0)
        self.assertNotIn("neighbors alone", " ".join(done["notes"]))

    def test_output_times_are_noted(self):
        self.write(PENDULUM.replace("duration = 0.5", "duration = 1, output_times = { 0, 0.1, 1 / 3, "
                                    "0.5, 0.7, 0.9 }"), "list.lua")
        self.succeeds("run", "list.lua", "-q")
        done = json.loads(self.succeeds("verify", "list.h5", "--json"))
        self.assertEqual((done["rows"], done["compared"]["time"]["off"]), (6, 0))

    def test_drift_of_energy_is_told(self):
        self.assertIn("energy.balance drifts by up to ", self.succeeds("verify", "model.h5"))
        done = json.loads(self.succeeds("verify", "model.h5", "--json"))
        self.assertEqual(done["energy_balance"]["unit"], "J")

    def test_what_is_no_motion(self):
        self.succeeds("modes", "model.lua")
        self.fails(4, "model_modes.h5: holds mode shapes, not a motion", "verify", "model_modes.h5")

    def test_damaged_headers_leave_one_line(self):
        path = self.folder / "model.h5"
        data = path.read_bytes()
        for place in (61, 199, 631):
            path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1:])
            self.fails(4, ".*damaged", "verify", "model.h5")
        path.write_bytes(data[:len(data) // 3])
        self.fails(4, "model.h5: ", "verify", "model.h5")

    def forge_endless_text(self):
        """The model text in the file runs on and on, mostly in C, so that bounds of instructions come
        late. HDF5 keeps no sum over texts of this length."""
        endless = 'while 1 do local s = ("x"):rep(999) end'
        unused = "local unused = 1".ljust(len(endless))
        self.write(unused + "\n" + PENDULUM + "-- " + 100000 * "x")
        self.succeeds("run", "model.lua", "-q")
        self.alter(unused.encode(), endless.encode(), 1)

    def test_a_model_text_that_does_not_end(self):
        self.forge_endless_text()
        self.fails(3, r"model\.h5: the file runs longer than 0\.2 s", "verify", "model.h5",
                   env={**os.environ, "TRAMMEL_LOAD_SECONDS": "0.2"})

    def test_a_file_that_takes_too_long(self):
        self.forge_endless_text()
        self.fails(4, r"model\.h5: reading it takes longer than 1 s", "verify", "model.h5",
                   env={**os.environ, "TRAMMEL_LOAD_SECONDS": "900", "TRAMMEL_READ_SECONDS": "1"})

    def test_a_file_that_crashes_its_reader(self):
        """The reader is a child process; here it gets a signal from outside, which a sanitizer
        would make a report of its own."""
        os.environ["ASAN_OPTIONS"] = "handle_segv=0:handle_sigfpe=0:handle_abort=0"
        self.addCleanup(os.environ.pop, "ASAN_OPTIONS")
        self.forge_endless_text()
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE):
            command = self.start("verify", "model.h5")
            children = pathlib.Path(f"/proc/{command.pid}/task/{command.pid}/children")
            while not (child := children.read_text(encoding="ascii").split()):
                self.assertIsNone(command.poll())
            os.kill(int(child[0]), number)
            out, errors = command.communicate()
            self.assertEqual((command.returncode, out), (4, ""), errors)
            self.assertRegex(errors, r"^trammel: model\.h5: the file is damaged: reading it ended "
                                     rf"with signal {int(number)}; .*\n$")

    def test_what_is_no_file_is_not_waited_for(self):
        os.mkfifo(self.folder / "pipe.h5")
        for name in ("pipe.h5", ".", "/dev/zero"):
            self.fails(4, ".*cannot read: not a file", "verify", name)

    def test_a_forged_outcome_stays_in_its_line(self):
        self.alter(b"done" + bytes(40), b"failed\n\nno problems found\x1b[8m\xc2\x9b8m\r" + bytes(10))
        for words in ((), ("--json",)):
            done = self.trammel("verify", "model.h5", *words)
            self.assertNotRegex(done.stdout, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
            self.assertNotRegex(done.stdout, "(?m)^no problems found.+")

    def test_usage(self):
        self.fails(2, "verify: needs a result file", "verify")
        self.fails(2, "verify: expects one result file", "verify", "model.h5", "b.h5")
        self.fails(2, "verify: .*did you mean '--no-checksums'", "verify", "model.h5", "--no-checksum-s")
        self.fails(2, "verify: .*leave nothing", "verify", "model.h5", "--no-checksums", "--no-physics")
        self.fails(4, "none.h5: cannot read", "verify", "none.h5")
        self.fails(4, "model.lua: not an HDF5 file", "verify", "model.lua")
        self.assertTrue(self.succeeds("verify", "--help").startswith("  trammel verify "))


unittest.main()
