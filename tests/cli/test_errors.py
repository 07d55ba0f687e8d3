# SPDX-License-Identifier: MIT
"""Every mistake gives one line that names file, line, thing and remedy, and its exit code."""
import resource
import unittest

from support import (BODY, BODY3, CommandTest, ENDLESS, HEAD, HEAD3, PENDULUM, PENDULUM3, PIN, PIN3,
                     TAIL, TIP3)


class ModelErrors(CommandTest):
    def test_an_unknown_key_is_named_with_its_line_and_a_suggestion(self):
        self.refuses_model(r"3: joint 'A': unknown key 'poimt'; did you mean 'point'\?",
                           HEAD + BODY + PIN.replace("point", "poimt") + TAIL)

    def test_an_unknown_joint_is_named_with_its_line_and_a_suggestion(self):
        self.refuses_model(r"3: .*'revolut'.*did you mean 'revolute'\?",
                           HEAD + BODY + PIN.replace("revolute", "revolut") + TAIL)

    def test_a_missing_mass_is_named_with_its_remedy(self):
        self.refuses_model(r"2: body 'rod': 'mass' is missing; 0 is allowed",
                           HEAD + BODY.replace("mass = 1, ", "") + PIN + TAIL)

    def test_a_negative_mass_is_refused(self):
        self.refuses_model(r"2: body 'rod': 'mass' must not be negative, .*-1",
                           HEAD + BODY.replace("mass = 1", "mass = -1") + PIN + TAIL)

    def test_a_joint_between_a_body_and_itself_is_refused(self):
        self.refuses_model(r"3: joint 'A': connects body 'rod' with itself; .+",
                           HEAD + BODY + PIN.replace("m.ground", "rod") + TAIL)

    def test_a_name_given_twice_is_refused(self):
        self.refuses_model(r"3: body 'rod': .*already.*; .+", HEAD + BODY + BODY + PIN + TAIL)
        self.refuses_model(r"4: joint 'A': .*already.*; .+", HEAD + BODY + PIN + PIN + TAIL)

    def test_an_undefined_variable_is_named(self):
        self.refuses_model(r"3: undefined variable 'rodd'",
                           HEAD + BODY + PIN.replace("rod,", "rodd,") + TAIL)

    def test_an_undefined_body_is_named_with_a_suggestion(self):
        self.refuses_model(r"3: joint 'A': .*'rodd'.*did you mean 'rod'\?",
                           HEAD + BODY + PIN.replace("rod,", '"rodd",') + TAIL)

    def test_constraints_that_contradict_each_other_name_a_joint(self):
        rod = 'm:joint { "distance", name = "D", m.ground, rod, point1 = { 0, 0 }, ' \
              'point2 = { 0, 0 }, length = 2 }\n'
        self.refuses_model(r"4: joint 'D': cannot be assembled, .+; .+",
                           HEAD + BODY + PIN + rod + TAIL)

    def test_a_function_that_is_not_finite_is_named_with_the_time(self):
        motor = 'm:joint { "driven_angle", name = "motor", m.ground, rod, ' \
                'angle = function(t) return 0.5 + sqrt(where(less(t, 0.25), 0, -1)) end }\n'
        self.write(HEAD + BODY.replace("at =", "angle = 0.5, at =") + motor + TAIL)
        done = self.fails(1, r"model\.lua:3: joint 'motor': .* at t = 0\.25 s; .+", "run", "model.lua")
        self.assertRegex(done.stdout, r"(?m)^test: failed at t = 0\.25 s\n\n  reason .*motor")
        self.assertRegex(self.rows("model.h5")[2], "^failed: .*motor")

    def test_an_unknown_method_in_the_file_is_a_model_error_with_a_suggestion(self):
        self.refuses_model(r"4: .*method 'dirct'; did you mean 'direct'\?",
                           PENDULUM.replace("duration", 'method = "dirct", duration'))

    def test_a_method_that_is_an_integrator_and_the_reverse_are_told(self):
        self.write(PENDULUM)
        self.fails(2, r"run: unknown method 'radau5'; it is an integrator: integrator = \"radau5\"",
                   "run", "model.lua", "--method", "radau5")
        self.fails(2, r"run: unknown integrator 'ggl'; it is a method: method = \"ggl\"",
                   "run", "model.lua", "--integrator", "ggl")

    def test_a_syntax_error_has_its_line(self):
        self.refuses_model(r"5: .*line 3.+", HEAD + BODY + "m:joint {\n" + TAIL)

    def test_an_empty_file_is_refused(self):
        self.refuses_model(r" .*empty.+", "")

    def test_a_binary_file_is_refused(self):
        self.refuses_model(r" .*not a text file", b"\x7fELF\x00\x01\x02\x00\xff\xfe")

    def test_a_model_without_bodies_is_refused(self):
        self.refuses_model(r".*no bodies", HEAD + TAIL)

    def test_a_parameter_that_the_model_does_not_have_is_refused(self):
        self.write('local N = parameter("count", 3)\n' + PENDULUM)
        self.fails(3, r"model\.lua: .*'coutn'; did you mean 'count'\?", "run", "model.lua",
                   "--set", "coutn=4")


class SpatialErrors(CommandTest):
    def refuses_body(self, pattern, old, new):
        self.assertIn(old, BODY3)
        self.refuses_model(r"2: body 'rod': " + pattern, PENDULUM3.replace(old, new, 1))

    def refuses_joint(self, pattern, joint):
        self.refuses_model(r"4: joint 'A': " + pattern, HEAD3 + BODY3 + TIP3 + joint + TAIL)

    def test_the_model_without_a_mistake_runs(self):
        self.write(HEAD3 + BODY3 + TIP3 + PIN3 + TAIL)
        self.succeeds("run", "model.lua")

    def test_moments_of_inertia_that_no_body_has_are_refused(self):
        self.refuses_body(r"'inertia' violates the triangle inequality: .* 0\.1, 0\.1 and 0\.3 "
                          r"kg m\^2, .*; check its numbers", "0.1, 0.1, 0.1", "0.3, 0.1, 0.1")

    def test_a_negative_moment_of_inertia_is_refused(self):
        self.refuses_body(r"'inertia' has a negative principal moment, -0\.1 kg m\^2; check the "
                          r"signs", "0.1, 0.1, 0.1", "0.1, -0.1, 0.1")
        # Positive on the diagonal, but not as a tensor: its principal moments are 0.1 +- 0.2.
        self.refuses_body(r"'inertia' has a negative principal moment, -0\.1 kg m\^2; check the "
                          r"signs", "0.1, 0.1, 0.1", "0.1, 0.1, 0.1, 0.2, 0, 0")

    def test_a_wrong_count_of_numbers_is_told(self):
        self.refuses_body(r"'inertia' has 4 numbers; 3 or 6 are expected", "0.1, 0.1, 0.1",
                          "0.1, 0.1, 0.1, 0")
        self.refuses_body(r"'quaternion' has 3 numbers; 4 are expected", "at =",
                          "quaternion = { 1, 0, 0 }, at =")
        self.refuses_body(r"'at' must be a vector \{x, y, z\}", "0.5, 0, 0", "0.5, 0")
        self.refuses_model(r"1: model: 'gravity' must be a vector \{x, y, z\}",
                           PENDULUM3.replace("0, 0, -9.81", "0, -9.81"))

    def test_an_axis_without_a_direction_is_refused(self):
        self.refuses_joint(r"'axis' must have a direction, not \{0, 0, 0\}",
                           PIN3.replace("0, 1, 0", "0, 0, 0"))

    def test_a_missing_axis_is_told_with_an_example(self):
        self.refuses_joint(r"'axis' is missing: .*, e\.g\. \{0, 0, 1\}",
                           PIN3.replace(", axis = { 0, 1, 0 }", ""))

    def test_parallel_axes_of_a_universal_joint_are_refused(self):
        cross = PIN3.replace("revolute", "universal")
        self.refuses_joint(r"the axes must be perpendicular .*, they are at 0\.0 degrees; give the "
                           r"axes of the cross",
                           cross.replace("axis =", "world_axis2 = { 0, 2, 0 }, world_axis1 ="))

    def test_a_zero_quaternion_is_refused(self):
        self.refuses_body(r"'quaternion' is zero; \{1, 0, 0, 0\} is no rotation", "at =",
                          "quaternion = { 0, 0, 0, 0 }, at =")

    def test_an_orientation_given_twice_is_refused(self):
        self.refuses_body(r"'quaternion' and 'rotation' are both given; keep one", "at =",
                          "quaternion = { 1, 0, 0, 0 }, rotation = { 0, 0, 1 }, at =")

    def test_a_body_without_inertia_that_can_turn_is_named(self):
        body = BODY3.replace("inertia = { 0.1, 0.1, 0.1 }, ", "")
        ball = PIN3.replace("revolute", "spherical").replace(", axis = { 0, 1, 0 }", "")
        for joint in ("", ball):
            self.refuses_model(r"2: body 'rod': a rotation of it has neither inertia nor a joint .*; "
                               r"give it inertia > 0, or a joint", HEAD3 + body + joint + TAIL)

    def test_a_body_without_mass_that_can_move_is_named(self):
        self.refuses_model(r"2: body 'rod': its motion along x has neither inertia nor a joint .*; "
                           r"give it mass > 0, or a joint",
                           HEAD3 + BODY3.replace("mass = 1", "mass = 0") + TAIL)

    def test_an_unknown_frame_is_named_with_a_suggestion(self):
        for key in ("frame2", "report"):
            self.refuses_joint(r"there is no frame 'tpi'; did you mean 'tip'\?",
                               PIN3.replace("axis =", key + ' = "tpi", axis =')
                               .replace("point = { 0, 0, 0 }, ", ""))
        self.refuses_joint(r"there is no frame 'elbow'; add it above",
                           PIN3.replace("axis =", 'report = "elbow", axis ='))

    def test_a_frame_of_the_wrong_body_is_named_with_both_bodies(self):
        self.refuses_joint(r"'frame1' must be a frame of 'ground', but 'tip' is fixed in 'rod'; .+",
                           PIN3.replace("point = { 0, 0, 0 }", 'frame1 = "tip"'))

    def test_a_frame_beside_a_point_is_refused(self):
        for point in ("point", "point2"):
            self.refuses_joint(rf"'frame2' and '{point}' are both given; keep one",
                               PIN3.replace("point =", f'frame2 = "tip", {point} ='))

    def test_a_frame_that_would_do_nothing_is_refused(self):
        table = 'm:frame { m.ground, name = "top" } m:joint { "rolling_disk", name = "A", ' \
                'm.ground, rod, radius = 1, axis = { 0, 1, 0 }, normal = { 0, 0, 1 }, ' \
                'frame1 = "top" }\n'
        self.refuses_joint(r"'frame1' would do nothing; .*'point1' nor 'axis1'", table)

    def test_a_misspelled_key_of_frames_is_refused_with_a_suggestion(self):
        self.refuses_joint(r"unknown key 'repotr'; did you mean 'report'\?",
                           PIN3.replace("axis =", 'repotr = "tip", axis ='))

    def test_a_kind_of_the_other_dimension_is_told_so(self):
        self.refuses_model(r"3: joint 'A': 'spherical' is a joint of spatial models: dim = 3; "
                           r"`trammel joints --dim 2` lists",
                           HEAD + BODY + PIN.replace("revolute", "spherical") + TAIL)
        self.refuses_model(r"3: force 'f': 'bushing' is a force of spatial models: dim = 3; "
                           r"`trammel forces --dim 2` lists",
                           HEAD + BODY + 'm:force { "bushing", name = "f", m.ground, rod }\n' + TAIL)

    def test_words_of_other_codes_and_of_the_plane_get_the_right_ones(self):
        self.refuses_model(r".*joint 'h': unknown kind 'hinge'; did you mean 'revolute'\?",
                           HEAD3 + BODY3 + 'm:joint { "hinge", name = "h", m.ground, rod }\n' + TAIL)
        self.refuses_model(r".*force 'd': unknown kind 'damper'; did you mean 'spring'\?",
                           HEAD3 + BODY3 + 'm:force { "damper", name = "d", m.ground, rod }\n' + TAIL)
        self.refuses_model(r".*'gravity' has three numbers; write dim = 3",
                           'local m = model { gravity = { 0, 0, -9.81 } }\n' + TAIL)
        self.refuses_model(r".*body 'b': 'angle' is of planar bodies; in space give 'rotation'",
                           HEAD3 + 'm:body { name = "b", mass = 1, angle = 1 }\n' + TAIL)
        self.refuses_model(r".*body 'b': 'inertia' of a spatial body is a list \{Jxx, Jyy, Jzz\}",
                           HEAD3 + 'm:body { name = "b", mass = 1, inertia = 0.1 }\n' + TAIL)

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
m:simulate { integrator = "generalized_alpha", step = 0.01, duration = 3, sample = 0.1 }
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

    def test_a_full_device_for_the_table_is_a_file_error(self):
        self.write(PENDULUM)
        self.fails(4, r"/dev/full: .*No space left", "run", "model.lua", "--csv", "/dev/full")

    def test_a_full_device_for_the_table_stops_a_long_run(self):
        self.write(ENDLESS)
        self.fails(4, r"/dev/full: .*No space left", "run", "model.lua", "--csv", "/dev/full",
                   "--no-hdf5")

    def test_a_table_that_cannot_be_completed_is_a_file_error(self):
        self.write(PENDULUM)
        self.succeeds("run", "model.lua", "--csv", "a.csv")
        # The table fits but for its last byte, which only closing the file brings out.
        size = (self.folder / "a.csv").stat().st_size - 1
        done = self.fails(4, r"b\.csv: .*File too large", "run", "model.lua", "--no-hdf5",
                          "--csv", "b.csv", restore_signals=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                (size, size)))
        self.assertIn("test: failed at", done.stdout)

    def test_a_full_device_for_the_summary_is_a_file_error(self):
        self.write(PENDULUM)
        for arguments in (["run", "model.lua"], ["run", "model.lua", "--json"], ["joints"],
                          ["--help"], ["--version"], ["run", "--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.fails(4, r"standard output: .*No space left", *arguments, stdout=full)

    def test_a_full_device_for_the_table_on_standard_output_is_a_file_error(self):
        self.write(PENDULUM)
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.fails(4, r"standard output: .*No space left", "run", "model.lua", "--csv", "-",
                       stdout=full)

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

    def test_steps_that_never_end_a_run_are_refused(self):
        self.write(PENDULUM)
        for words in (["--max-step", "1e-300"], ["--max-step", "1e-15", "--max-steps", "0"],
                      ["--integrator", "rk4", "--step", "1e-300"],
                      ["--integrator", "cvode", "--max-step", "1e-200"],
                      ["--start", "1e9", "--max-step", "1e-7"]):
            self.fails(2, r"model\.lua: (max_)?step = .* is too small for the time to advance", "run",
                       "model.lua", *words)
        self.fails(2, r"model\.lua: step = 1e-13 s is too small: .* 1e\+12 are possible", "run",
                   "model.lua", "--integrator", "rk4", "--step", "1e-13")

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
        self.fails(2, r"option '--times': 'x' is not a finite number", "run", "model.lua",
                   "--times", "1,x,3")

    def test_a_number_out_of_range_is_refused_by_the_option(self):
        self.write(PENDULUM)
        self.fails(2, r"run: option '--duration': .*-1", "run", "model.lua", "--duration", "-1")
        self.fails(2, r"run: option '--rank-tolerance': must be positive, not -1$", "run",
                   "model.lua", "--rank-tolerance", "-1")
        for times in ("2", "0.4,0.2"):
            done = self.fails(2, r"model\.lua: output time.+", "run", "model.lua", "--times", times)
            self.assertEqual(done.stdout, "")
            self.assertFalse((self.folder / "model.h5").exists())

    def test_an_unknown_word_in_an_option_is_refused_with_a_suggestion(self):
        self.write(PENDULUM)
        self.fails(2, r"run: .*'rk44'.*did you mean 'rk4'\?", "run", "model.lua", "--integrator",
                   "rk44")

    def test_options_that_exclude_each_other_are_refused(self):
        self.fails(2, r"run: --times and --sample exclude", "run", "model.lua", "--times", "1",
                   "--sample", "0.1")
        self.fails(2, r"run: --no-hdf5 and --output exclude", "run", "model.lua", "--no-hdf5",
                   "-o", "x.h5")
        for table in ("x", "./x"):
            self.fails(2, r"run: the table and the HDF5 file would both be written to ", "run", "model.lua", "-o", "x", "--csv",
                       table)
        self.fails(2, r"run: --csv - and --json would both", "run", "model.lua", "--csv", "-",
                   "--json")

    def test_one_model_file_is_needed(self):
        self.fails(2, r"run: needs a model file; .+", "run")
        self.fails(2, r"run: takes one model file, not 'b\.lua'", "run", "a.lua", "b.lua")

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
