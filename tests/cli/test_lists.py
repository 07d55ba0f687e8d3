# SPDX-License-Identifier: MIT
"""Help, version and the listings of the registries."""
import json
import re
import unittest

from support import PENDULUM, PIN, CommandTest, joined

LISTS = ("couplings", "fields", "forces", "integrators", "joints", "methods")
WITH_DIM = ("fields", "forces", "joints")
KEYS = {"couplings": "gluings", "fields": "parts"}  # in JSON; of all others the command


class Help(CommandTest):
    def test_every_command_has_help_with_an_example_first(self):
        for command in (*LISTS, "compare", "run"):
            by_option = self.succeeds(command, "--help")
            self.assertEqual(by_option, self.succeeds("help", command))
            self.assertTrue(by_option.startswith(f"  trammel {command} "), by_option)
            self.assertIn(f"usage: trammel {command}", by_option)

    def test_the_help_names_every_command(self):
        text = self.succeeds("--help")
        self.assertEqual(text, self.succeeds("help"))
        for command in (*LISTS, "compare", "run"):
            self.assertRegex(text, rf"(?m)^  {command} ")

    def test_every_setting_is_an_option_in_the_help_of_run(self):
        text = self.succeeds("help", "run")
        settings = json.loads(self.succeeds("methods", "--json"))["settings"]
        self.assertGreater(len(settings), 10)
        for setting in settings:
            off = "no-" if setting["type"] == "true or false" else ""
            self.assertIn("--" + off + setting["name"].replace("_", "-") + " ", text)

    def test_the_version_is_a_number(self):
        self.assertRegex(self.succeeds("--version"), r"^trammel \d+\.\d+\.\d+\n$")


class Listings(CommandTest):
    def test_text_and_json_name_the_same_entries(self):
        for command in LISTS:
            text = self.succeeds(command)
            entries = json.loads(self.succeeds(command, "--json"))
            self.assertIn(KEYS.get(command, command), entries)
            for group in entries.values():
                self.assertGreater(len(group), 0)
                for entry in group:
                    self.assertRegex(text, rf"(?m)^  {entry['name']} ")

    def test_an_entry_can_be_shown_alone_and_in_full(self):
        for command in LISTS:
            for group in json.loads(self.succeeds(command, "--json")).values():
                for entry in group:
                    self.assertIn(entry["name"], self.succeeds(command, entry["name"]))
                    alone = json.loads(self.succeeds(command, entry["name"], "--json"))
                    self.assertIn(entry, [e for g in alone.values() for e in g])

    def test_parameters_come_with_type_unit_and_meaning(self):
        for command in ("forces", "joints"):
            for entry in json.loads(self.succeeds(command, "--json"))[command]:
                # Long meanings wrap between words, beside other columns.
                text = self.succeeds(command, entry["name"])
                for parameter in entry["parameters"]:
                    self.assertIsInstance(parameter["unit"], str)
                    self.assertIn(parameter["name"], text)
                    for word in parameter["meaning"].split():
                        self.assertIn(word, text)
                    self.assertIn(parameter["type"], text)

    def test_kinds_are_grouped_by_dimension_in_text_and_marked_in_json(self):
        for command in WITH_DIM:
            key = KEYS.get(command, command)
            entries = json.loads(self.succeeds(command, "--json"))[key]
            text = self.succeeds(command)
            planar, spatial = text.split(f"\nspatial {command}\n")
            self.assertTrue(planar.startswith(f"planar {command}\n"), planar)
            for dim, word, part in ((2, "planar", planar), (3, "spatial", spatial)):
                here = [e for e in entries if e["dim"] == dim]
                self.assertGreater(len(here), 4)
                self.assertEqual(re.findall(r"(?m)^  (\w+) ", part), [e["name"] for e in here])
                self.assertEqual(json.loads(self.succeeds(command, "--dim", str(dim), "--json"))
                                 [key], here)
                alone = self.succeeds(command, "--dim", str(dim))
                self.assertTrue(alone.startswith(f"{word} {command}\n"), alone)
                self.assertEqual(alone.count(f" {command}\n"), 1)
            self.assertEqual({e["dim"] for e in entries}, {2, 3})

    def test_a_name_of_both_dimensions_is_shown_in_both(self):
        for command, name in (("joints", "revolute"), ("forces", "spring"), ("fields", "body")):
            text = self.succeeds(command, name)
            self.assertEqual(text.count("\n  " + name + " "), 2)
            self.assertIn(f"planar {command}\n", text)
            self.assertIn(f"\nspatial {command}\n", text)
            self.assertEqual([e["dim"] for e in
                              json.loads(self.succeeds(command, name, "--json"))
                              [KEYS.get(command, command)]], [2, 3])
            self.assertNotIn("planar", self.succeeds(command, name, "--dim", "3").splitlines()[0])

    def test_the_parts_list_what_the_model_file_takes(self):
        names = {(p["name"], p["dim"]): [f["name"] for f in p["parameters"]]
                 for p in json.loads(self.succeeds("fields", "--json"))["parts"]}
        self.assertEqual(names["joint", 3], ["name", "frame1", "frame2", "reaction_frame"])
        self.assertEqual(names["frame", 2], ["name", "at", "angle"])
        self.assertEqual(names["frame", 3], ["name", "at", "quaternion", "rotation"])
        self.assertIn("coordinates", names["model", 3])
        self.assertNotIn("coordinates", names["model", 2])
        # A model that names every key that is listed is taken, so none is listed in vain.
        self.write('local m = model { name = "all", dim = 3, gravity = { 0, 0, 0 }, '
                   'coordinates = "body" }\n'
                   'local a = m:body { name = "a", mass = 1, inertia = { 1, 1, 1 }, '
                   'at = { 0, 0, 0 }, rotation = { 0, 0, 0 }, com = { 0, 0, 0 }, '
                   'velocity = { 0, 0, 0 }, angular_velocity = { 0, 0, 0 } }\n'
                   'local b = m:body { name = "b", mass = 1, inertia = { 1, 1, 1 }, '
                   'quaternion = { 1, 0, 0, 0 } }\n'
                   'm:frame { a, name = "f", at = { 0, 0, 0 }, quaternion = { 1, 0, 0, 0 } }\n'
                   'm:frame { b, name = "g", at = { 0, 0, 0 }, rotation = { 0, 0, 0 } }\n'
                   'm:joint { "revolute", a, b, name = "j", frame1 = "f", frame2 = "g", '
                   'reaction_frame = "g" }\n'
                   'm:force { "torque", a, b, name = "t", mx = 1 }\nreturn m\n')
        text = (self.folder / "model.lua").read_text(encoding="utf-8")
        for (part, dim), keys in names.items():
            for key in keys if dim == 3 else ():
                self.assertIn(key + " =", text, part)
        self.succeeds("run", "model.lua", "--no-hdf5")

    def test_a_method_of_a_library_that_was_not_found_says_so(self):
        entries = json.loads(self.succeeds("integrators", "--json"))["integrators"]
        absent = "ida" not in [e["name"] for e in entries]
        text = self.succeeds("methods", "ggl")
        self.assertEqual("needs SUNDIALS" in text, absent)
        self.write(PENDULUM)
        if absent:
            self.fails(2, r"model\.lua: method 'ggl' needs SUNDIALS, .*; use integrator = "
                       r'"generalized_alpha"', "run", "model.lua", "--method", "ggl")
            self.fails(2, r"run: integrator 'ida' needs SUNDIALS, .*; use radau5", "run", "model.lua",
                       "--integrator", "ida")
        else:
            self.succeeds("run", "model.lua", "--method", "ggl")
        # The form is there all the same.
        for name in ("generalized_alpha", "radau5"):
            self.succeeds("run", "model.lua", "--method", "ggl", "--integrator", name)

    def test_an_implicit_integrator_says_what_it_refuses(self):
        entries = json.loads(self.succeeds("integrators", "--json"))["integrators"]
        implicit = [e["name"] for e in entries if e["implicit"]]
        sundials = ("arkode_dirk", "cvode", "ida")  # may not be there
        self.assertEqual([name for name in implicit if name not in sundials],
                         ["generalized_alpha", "hht", "newmark", "park_chiou", "radau5", "rattle",
                          "rattle4"])
        for entry in entries:
            text = self.succeeds("integrators", entry["name"])
            self.assertEqual(entry["implicit"], "per step, implicit" in joined(text))
            # cvode and arkode_dirk support methods, as explicit integrators do
            self.assertEqual("\n  refuses " in text, len(entry["refuses"]) > 0)
            self.assertTrue(entry["implicit"] or entry["refuses"] == [])
            self.assertEqual("forms " + ", ".join(entry["forms"]) in joined(text), entry["forms"] != [])
            for word in entry["refuses"]:
                self.assertIn(word, joined(text))

    def test_what_an_implicit_integrator_refuses_is_what_a_run_refuses(self):
        """Each word stands for a model or a choice; a run with it fails if, and only if, the
        integrator lists it."""
        bead = ('local s = system { coordinates = { "x", "z" } }\n'
                's:mass(function(q, t, p) return { 1, 1 } end)\n'
                's:force(function(q, v, t, p) return { z = -10 } end)\n'
                's:constraint { name = "floor", phi = function(q, t, p) return q.z end }\n')
        self.write(bead + 's:start { x = 1 }\nreturn s\n', "plain.lua")
        self.write(bead + 's:state { "f", start = 0, rate = function(q, v, t, p, z) '
                   'return q.x - z.f end }\nreturn s\n', "state.lua")
        self.write(bead + 's:nonideal(function(q, v, t, p, reaction) return { x = -0.1 * reaction.floor * v.x } end)\n'
                   's:start { x = 1 }\nreturn s\n', "drag.lua")
        self.write(PENDULUM.replace(PIN, PIN + PIN.replace('"A"', '"B"')), "twice.lua")
        self.write('local s = system { coordinates = { "x", "y", "z" } }\n'
                   's:mass(function(q, t, p) return { 1, 1, 1 } end)\n'
                   's:force(function(q, v, t, p) return { z = -1 } end)\n'
                   's:nonholonomic { name = "cone", psi = function(q, v, t, p) '
                   'return v.x ^ 2 + v.y ^ 2 - v.z ^ 2 end }\n'
                   's:start { x = 1, v = { x = 1, z = -1 } }\nreturn s\n', "cone.lua")
        asked = {"extra states": ["state.lua"], "nonideal that uses reactions": ["drag.lua"],
                 "constraints that are not linear in velocities": ["cone.lua"],
                 "redundant joints": ["twice.lua"],
                 "stabilization": ["plain.lua", "--stabilization", "baumgarte"],
                 "stage_projection": ["plain.lua", "--stage-projection", "masarati"],
                 "step_projection": ["plain.lua", "--step-projection", "mass_orthogonal"],
                 "step_projection but mass_orthogonal":
                     ["plain.lua", "--step-projection", "direct"]}
        entries = json.loads(self.succeeds("integrators", "--json"))["integrators"]
        for entry in (e for e in entries if e["implicit"]):
            listed = set(entry["refuses"]) - {"method"}
            if "step_projection" in listed:  # of any kind
                listed.add("step_projection but mass_orthogonal")
            refused = {words for words, arguments in asked.items()
                       if self.trammel("run", *arguments, "--integrator", entry["name"], "--step",
                                       "1e-3", "--duration", "0.002", "--no-hdf5").returncode != 0}
            self.assertEqual(refused, listed, entry["name"])

    def test_methods_say_what_they_can_take(self):
        lists = json.loads(self.succeeds("methods", "--json"))
        methods = {m["name"]: m for m in lists["methods"]}
        marks = ("redundant_rows", "singular_mass", "nonholonomic", "nonideal", "singular_pose")
        missing = dict(zip(marks, ("redundant rows", "singular mass", "nonholonomic rows",
                                   "friction from reactions", "singular poses")))
        for method in lists["methods"]:
            alone = joined(self.succeeds("methods", method["name"]))
            self.assertEqual(len(method["refuses"]), sum(not method[mark] for mark in marks))
            for mark, words in missing.items():
                self.assertEqual(f"no {words}" in alone, not method[mark], method["name"])
            self.assertIn("dense" if method["dense"] else "sparse", alone)
            self.assertEqual("depends on units" in alone, method["depends_on_units"])
            for refusal in method["refuses"]:
                self.assertRegex(refusal, r"\b(use|free|give) ")
                self.assertIn(refusal, alone)
        # Marks that are known from the theory.
        for name, mark, flag in (("lagrange_schur", "redundant_rows", False),
                                 ("lagrange_schur", "singular_mass", False),
                                 ("lagrange_kkt", "singular_mass", True),
                                 ("udwadia_kalaba", "singular_mass", False),
                                 ("udwadia_wanichanon", "singular_mass", True),
                                 ("direct_mass", "singular_pose", True),
                                 ("maggi", "singular_pose", False),
                                 ("rattle", "nonideal", False),
                                 ("masarati", "dense", False), ("maggi", "dense", True)):
            self.assertIs(methods[name][mark], flag, (name, mark))
        # W = I adds squares of lengths and angles; epsilon has the units of rows.
        self.assertEqual({m["name"] for m in lists["methods"] if m["depends_on_units"]},
                         {"direct", "maggi", "masarati_identity", "park_chiou"})
        self.assertEqual([b["name"] for b in lists["bases"] if not b["depends_on_units"]],
                         ["extraction"])
        self.assertRegex(joined(self.succeeds("methods")),
                         r"orthonormal, jumps from step to step, depends on units ")

    def test_a_method_shows_its_options_with_what_holds_without_them(self):
        lists = json.loads(self.succeeds("methods", "--json"))
        options = {m["name"]: [o["name"] for o in m["options"]] for m in lists["methods"]}
        self.assertEqual(options["baumgarte"], ["alpha", "beta"])
        self.assertEqual(options["penalty"], ["penalty", "mu", "omega"])
        self.assertEqual(options["maggi"], ["basis"])
        self.assertEqual(options["direct"], [])
        self.assertNotIn("  option ", self.succeeds("methods", "direct"))
        text = self.succeeds("methods", "penalty")
        self.assertRegex(text, r"(?m)^    penalty +number +from masses and rows +factor")
        self.assertRegex(text, r"(?m)^    omega +number +1/s +10 +frequency")
        self.assertRegex(self.succeeds("methods", "maggi"), r"(?m)^    basis +text +householder ")
        self.assertRegex(self.succeeds("methods", "basis"), r"(?m)^  formulation +maggi\n")
        settings = {s["name"]: s for s in lists["settings"]}
        self.assertTrue(settings["rho"]["option"])
        self.assertEqual(settings["rho"]["read_by"],
                         [{"choice": "integrator", "kind": "generalized_alpha"},
                          {"choice": "integrator", "kind": "hht"}])
        self.assertFalse(settings["rtol"]["option"])

    def test_methods_and_integrators_have_sources(self):
        for command in ("integrators", "methods"):
            for entry in json.loads(self.succeeds(command, "--json"))[command]:
                self.assertRegex(entry["source"], r"\w+ .*\d{4}", entry)


if __name__ == "__main__":
    unittest.main()
