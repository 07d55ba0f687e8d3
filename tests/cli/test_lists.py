# SPDX-License-Identifier: MIT
"""Help, version and the listings of the registries."""
import json
import unittest

from support import CommandTest

LISTS = ("forces", "integrators", "joints", "methods")


class Help(CommandTest):
    def test_every_command_has_help_with_an_example_first(self):
        for command in (*LISTS, "run"):
            by_option = self.succeeds(command, "--help")
            self.assertEqual(by_option, self.succeeds("help", command))
            self.assertTrue(by_option.startswith(f"  trammel {command} "), by_option)
            self.assertIn(f"usage: trammel {command}", by_option)

    def test_the_help_names_every_command(self):
        text = self.succeeds("--help")
        self.assertEqual(text, self.succeeds("help"))
        for command in (*LISTS, "run"):
            self.assertRegex(text, rf"(?m)^  {command} ")

    def test_every_setting_is_an_option_in_the_help_of_run(self):
        text = self.succeeds("help", "run")
        settings = json.loads(self.succeeds("methods", "--json"))["settings"]
        self.assertGreater(len(settings), 10)
        for setting in settings:
            self.assertIn("--" + setting["name"].replace("_", "-") + " ", text)

    def test_the_version_is_a_number(self):
        self.assertRegex(self.succeeds("--version"), r"^trammel \d+\.\d+\.\d+\n$")


class Listings(CommandTest):
    def test_text_and_json_name_the_same_entries(self):
        for command in LISTS:
            text = self.succeeds(command)
            entries = json.loads(self.succeeds(command, "--json"))
            self.assertIn(command, entries)
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
                text = self.succeeds(command, entry["name"])
                for parameter in entry["parameters"]:
                    self.assertIsInstance(parameter["unit"], str)
                    self.assertIn(parameter["name"], text)
                    self.assertIn(parameter["meaning"], text)
                    self.assertIn(parameter["type"], text)

    def test_what_may_be_left_out_says_what_holds_then(self):
        for command in ("forces", "joints"):
            for entry in json.loads(self.succeeds(command, "--json"))[command]:
                for parameter in entry["parameters"]:
                    if not parameter.get("required"):
                        self.assertRegex(parameter["meaning"], r"given: .|, in place of \w",
                                         entry["name"])

    def test_methods_and_integrators_have_sources(self):
        for command in ("integrators", "methods"):
            for entry in json.loads(self.succeeds(command, "--json"))[command]:
                self.assertRegex(entry["source"], r"\w+ .*\d{4}", entry)


if __name__ == "__main__":
    unittest.main()
