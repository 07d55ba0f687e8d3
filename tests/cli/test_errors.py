# SPDX-License-Identifier: MIT
"""Every mistake gives one line that names file, line, thing and remedy, and its exit code."""
import unittest

from support import (BODY, BODY3, CommandTest, ENDLESS, HEAD, HEAD3, PENDULUM, PENDULUM3, PIN3,
                     TAIL)


class ModelErrors(CommandTest):
    def test_a_function_that_is_not_finite_is_named_with_the_time(self):
        motor = 'm:joint { "driven_angle", name = "motor", m.ground, rod, ' \
                'angle = function(t) return 0.5 + sqrt(where(less(t, 0.25), 0, -1)) end }\n'
        self.write(HEAD + BODY.replace("at =", "angle = 0.5, at =") + motor + TAIL)
        done = self.fails(1, r"model\.lua:3: joint 'motor': .* at t = 0\.25 s; .+", "run", "model.lua")
        self.assertRegex(done.stdout, r"(?m)^test: failed at t = 0\.25 s\n\n  reason .*motor")
        self.assertRegex(self.rows("model.h5")[2], "^failed: .*motor")

    def test_a_method_that_is_an_integrator_and_the_reverse_are_told(self):
        self.write(PENDULUM)
        self.fails(2, r"run: unknown method 'radau5'; it is an integrator: integrator = \"radau5\"",
                   "run", "model.lua", "--method", "radau5")
        self.fails(2, r"run: unknown integrator 'ggl'; it is a method: method = \"ggl\"",
                   "run", "model.lua", "--integrator", "ggl")


class SpatialErrors(CommandTest):
    def test_what_an_implicit_integrator_refuses_is_told_with_the_remedy(self):
        self.write(PENDULUM3)
        alpha = ("run", "model.lua", "--integrator", "generalized_alpha", "--step", "0.01")
        self.succeeds(*alpha)
        self.fails(2, r"model\.lua: 'step_projection' cannot be combined with integrator "
                   r"'generalized_alpha', .*; leave it out", *alpha, "--step-projection", "direct")
        self.write(PENDULUM3.replace("dim = 3", 'dim = 3, coordinates = "quaternion"'))
        self.succeeds(*alpha)
        self.write(HEAD3 + BODY3 + PIN3 + PIN3.replace('"A"', '"B"') + TAIL)
        self.succeeds(*alpha)  # what is held twice is asked for once
        self.fails(2, r"model\.lua: integrator 'hht' has a fixed step in form 'index3'; give one",
                   "run", "model.lua", "--integrator", "hht", "--form", "index3")

    def test_choices_of_the_file_for_another_integrator_do_not_count(self):
        alpha = ("run", "model.lua", "--integrator", "generalized_alpha", "--step", "0.01")
        for choice in ('stage_projection = "masarati"', 'step_projection = "direct"',
                       'stabilization = "baumgarte", alpha = 7', 'method = "direct"'):
            key = choice.split(" ")[0]
            model = PENDULUM3.replace("m:simulate {", "m:simulate { " + choice + ",")
            self.assertNotEqual(model, PENDULUM3)
            self.write(model)
            self.succeeds(*alpha, "--no-hdf5")
            # In one place they do not fit together.
            both = model.replace(choice, choice + ', integrator = "generalized_alpha", step = 0.01')
            self.refuses_model(f" '{key}' cannot be combined with integrator", both)
            self.write(PENDULUM3)
            word = choice.split('"')[1]
            self.fails(2, f"model.lua: '{key}' cannot be combined with integrator", *alpha,
                       "--" + key.replace("_", "-"), word)

    def test_newtons_failure_names_time_and_joint_and_keeps_the_rows(self):
        # A motor turns a crank of 1 m, whose rod of 0.5 m cannot follow beyond 30 degrees.
        self.write("""local m = model { name = "stuck" }
local a = m:body { name = "a", mass = 1, inertia = 0.1, angle = 0.1 }
local b = m:body { name = "b", mass = 1, inertia = 0.1, at = { 0.995, 0.0998 }, angle = -0.201 }
m:joint { "revolute", name = "O", m.ground, a, point = { 0, 0 } }
m:joint { "driven_angle", name = "motor", m.ground, a, angle = function(t) return 0.1 + 0.3 * t end }
m:joint { "revolute", name = "pin", a, b, point1 = { 1, 0 }, point2 = { 0, 0 } }
m:joint { "point_on_line", name = "slot", m.ground, b, point1 = { 0, 0 }, axis = { 1, 0 }, point2 = { 0.5, 0 } }
m:simulate { integrator = "generalized_alpha", step = 0.01, duration = 3, output_step = 0.1 }
return m
""")
        self.fails(1, r"model\.lua:\d: joint '(O|pin|slot|motor)': .* t = 1\.\d+ s.*"
                   r"no step is possible after t = 1\.", "run", "model.lua", "--csv", "a.csv")
        rows = (self.folder / "a.csv").read_text(encoding="utf-8").splitlines()
        self.assertGreater(len([r for r in rows if r[:1].isdigit()]), 10)


class FileErrors(CommandTest):
    def test_a_missing_model_file_is_a_file_error(self):
        self.fails(4, r"none\.lua: .*No such file", "run", "none.lua")

    def test_a_folder_as_model_is_a_file_error(self):
        self.fails(4, r"\.: .+", "run", ".")

    def test_a_result_file_that_cannot_be_made_is_a_file_error(self):
        self.write(PENDULUM)
        self.fails(4, r"none/x\.h5: .+", "run", "model.lua", "-o", "none/x.h5")
        done = self.fails(4, r"none/x\.csv: .+", "run", "model.lua", "--csv", "none/x.csv")
        self.assertEqual(done.stdout, "")  # no summary of a run that did not begin

    def test_a_full_device_for_the_table_stops_a_long_run(self):
        self.write(ENDLESS)
        self.fails(4, r"/dev/full: .*No space left", "run", "model.lua", "--csv", "/dev/full",
                   "--no-hdf5")

    def test_a_full_device_for_the_summary_is_a_file_error(self):
        self.write(PENDULUM)
        for arguments in (["run", "model.lua"], ["run", "model.lua", "--json"], ["joints"],
                          ["--help"], ["--version"], ["run", "--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.fails(4, r"standard output: .*No space left", *arguments, stdout=full)

    def test_a_result_that_cannot_be_made_leaves_the_others_alone(self):
        self.write(PENDULUM)
        self.succeeds("run", "model.lua", "--csv", "a.csv")
        before = {name: (self.folder / name).read_bytes() for name in ("model.h5", "a.csv")}
        self.fails(4, r"none/x\.csv: cannot create: No such file", "run", "model.lua", "--csv",
                   "none/x.csv", "--duration", "0.1")
        self.fails(4, r"none/x\.h5: cannot create: No such file", "run", "model.lua", "-o",
                   "none/x.h5", "--csv", "a.csv", "--duration", "0.1")
        for name, content in before.items():
            self.assertEqual((self.folder / name).read_bytes(), content)
        self.fails(4, r"none/x\.csv: ", "run", "model.lua", "-o", "new.h5", "--csv", "none/x.csv")
        self.assertFalse((self.folder / "new.h5").exists())

    def test_the_model_file_is_never_overwritten(self):
        self.write(PENDULUM)
        self.fails(2, r"run: .*overwrite 'model\.lua'; .* --output$", "run", "model.lua", "-o",
                   "model.lua")
        self.fails(2, r"run: .*overwrite 'model\.lua'; .* --csv$", "run", "model.lua", "--csv",
                   "./model.lua")
        (self.folder / "link.h5").symlink_to("model.lua")
        (self.folder / "hard.csv").hardlink_to(self.folder / "model.lua")
        self.fails(2, r"run: .*overwrite 'model\.lua'", "run", "model.lua", "-o", "link.h5")
        self.fails(2, r"run: .*overwrite 'model\.lua'", "run", "model.lua", "--csv", "hard.csv")
        self.assertEqual((self.folder / "model.lua").read_text(encoding="utf-8"), PENDULUM)

    def test_a_refused_model_leaves_older_results_alone(self):
        self.write(PENDULUM)
        self.succeeds("run", "model.lua")
        before = (self.folder / "model.h5").read_bytes()
        self.write(PENDULUM.replace("mass = 1", "mass = -1"))
        self.fails(3, r"model\.lua:2: ", "run", "model.lua")
        self.assertEqual((self.folder / "model.h5").read_bytes(), before)


class UsageErrors(CommandTest):
    def test_an_unknown_command_is_refused_with_a_suggestion(self):
        self.fails(2, r"unknown command 'rnu'; did you mean 'run'\?", "rnu")
        self.fails(2, r"unknown command 'xyzzyxyzzy'; .*--help", "xyzzyxyzzy")
        self.fails(2, r"unknown option '--versoin'; did you mean '--version'\?", "--versoin")
        self.fails(2, r"unknown command 'joint'; did you mean 'joints'\?", "help", "joint")

    def test_an_unknown_option_is_refused_with_a_suggestion(self):
        self.fails(2, r"run: unknown option '--duratoin'; did you mean '--duration'\?", "run",
                   "model.lua", "--duratoin=4")
        self.fails(2, r"joints: unknown option '--jsno'; did you mean '--json'\?", "joints",
                   "--jsno")
        self.fails(2, r"run: unknown option '-x'; .+", "run", "-x", "model.lua")
        self.fails(2, r"run: option '--st' fits more than one option; .+", "run", "--st", "1")

    def test_an_option_with_too_much_or_too_little_is_refused(self):
        self.fails(2, r"run: option '--step' needs a value", "run", "model.lua", "--step")
        self.fails(2, r"run: option '--json' takes no value", "run", "model.lua", "--json=1")

    def test_no_command_shows_the_help_and_fails(self):
        done = self.trammel()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("usage: trammel", done.stderr)

    def test_a_bad_number_is_refused(self):
        for text in ("1e", "abc", "", "1 ", " 1", "nan", "inf", "1e999", "1,5"):
            self.fails(2, r"option '--min-step': '.*' is not a finite number; .+", "run",
                       "model.lua", "--min-step", text)
        self.fails(2, r"option '--output-times': 'x' is not a finite number", "run", "model.lua",
                   "--output-times", "1,x,3")

    def test_a_number_out_of_range_is_refused_by_the_option(self):
        self.write(PENDULUM)
        self.fails(2, r"run: option '--duration': .*-1", "run", "model.lua", "--duration", "-1")
        self.fails(2, r"run: option '--rank-tolerance': must be positive, not -1$", "run",
                   "model.lua", "--rank-tolerance", "-1")
        for times in ("2", "0.4,0.2"):
            done = self.fails(2, r"model\.lua: output time.+", "run", "model.lua", "--output-times", times)
            self.assertEqual(done.stdout, "")
            self.assertFalse((self.folder / "model.h5").exists())

    def test_options_that_exclude_each_other_are_refused(self):
        self.fails(2, r"run: --output-times and --output-step exclude", "run", "model.lua", "--output-times", "1",
                   "--output-step", "0.1")
        self.fails(2, r"run: --no-hdf5 and --output exclude", "run", "model.lua", "--no-hdf5",
                   "-o", "x.h5")
        for table in ("x", "./x"):
            self.fails(2, r"run: the table and the HDF5 file would both be written to ", "run", "model.lua", "-o", "x", "--csv",
                       table)
        self.fails(2, r"run: --csv - and --json would both", "run", "model.lua", "--csv", "-",
                   "--json")

    def test_one_model_file_is_needed(self):
        self.fails(2, r"run: needs a model file; .+", "run")
        self.fails(2, r"run: expects one model file, not also 'b\.lua'", "run", "a.lua", "b.lua")

    def test_a_parameter_without_a_value_is_refused(self):
        self.fails(2, r"option '--set': 'N' is not NAME=VALUE; .+", "run", "model.lua", "--set",
                   "N")

    def test_a_parameter_given_twice_is_refused(self):
        for command in ("run", "compare"):
            self.fails(2, r"option '--set': 'N' is given twice; keep one of 'N=1' and 'N=2'",
                       command, "model.lua", "--set", "NN=1", "--set", "N=1", "--set", "N=2")

    def test_a_name_that_is_not_listed_is_refused_with_a_suggestion(self):
        self.fails(2, r"joints: there is no 'revolutte'; did you mean 'revolute'\?", "joints",
                   "revolutte")

    def test_a_dimension_that_does_not_fit_is_refused(self):
        self.fails(2, r"joints: option '--dim': '4' is neither 2 \(planar\) nor 3 \(spatial\)",
                   "joints", "--dim", "4")
        self.fails(2, r"forces: there is no planar 'bushing', only a spatial one; leave out --dim",
                   "forces", "bushing", "--dim", "2")
        self.fails(2, r"methods: unknown option '--dim'", "methods", "--dim", "2")


if __name__ == "__main__":
    unittest.main()
