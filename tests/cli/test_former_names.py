# SPDX-License-Identifier: MIT
"""Former names of keys, options and commands mean what their successors mean. Files keep them."""
import json
import unittest

from support import CommandTest

MODEL = """
local m = model { name = "test", gravity = { 0, -9.81 } }
local rod = m:body { name = "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
m:frame { rod, name = "end", at = { 0.5, 0 } }
m:joint { "revolute", name = "pin", m.ground, rod, point = { 0, 0 }, reaction_frame = "end" }
m:simulate { duration = 0.5, OUTPUT }
return m
"""
MODULE = """
local m = model { name = "NAME", gravity = { 0, 0 } }
local b = m:body { name = "b", mass = 1, inertia = 0.1, at = { 0, 0 } }
m:joint { "prismatic", name = "slide", m.ground, b, axis = { 1, 0 } }
m:force { "spring", name = "s", m.ground, b, point1 = { -1, 0 }, point2 = { 0, 0 },
          stiffness = 10, length = 0.8 }
m:port { b, name = "p", at = { 0, 0 } }
return m
"""
COUPLED = """
local g = coupled { name = "pair", dim = 2 }
local a = g:module { model = "a.lua", name = "a" }
local b = g:module { model = "b.lua", name = "b" }
g:joint { "revolute", name = "j", a.p, b.p }
g:simulate { duration = 0.2, step = 0.01, output_step = 0.05 }
return g
"""
FORMER = (("output_step", "sample"), ("output_times", "times"), ("reaction_frame", "report"),
          ("coupled {", "assembly {"))


def former(text):
    for new, old in FORMER:
        text = text.replace(new, old)
    return text


class FormerNames(CommandTest):
    def summary(self, *words):
        result = json.loads(self.succeeds(*words))
        for key in ("cpu_seconds", "files", "written"):
            result.pop(key, None)
        return result

    def both(self, name, text, *words):
        """Results of the same command lines with new and with former names."""
        self.write(text, name)
        new = self.summary(*words), self.read("new.csv")
        self.assertNotEqual(former(text), text)
        self.write(former(text), name)
        old = self.summary(*words), self.read("new.csv")
        self.assertEqual(new, old)
        return old

    def read(self, name):
        with open(self.folder / name, encoding="utf-8") as file:
            return file.read()

    def test_keys_of_models(self):
        for output, rows in (("output_step = 0.25", 3), ("output_times = { 0.1, 0.2 }", 2)):
            summary, table = self.both("model.lua", MODEL.replace("OUTPUT", output), "run",
                                       "model.lua", "--json", "--csv", "new.csv")
            self.assertEqual(len(table.splitlines()), rows + 1)
            self.assertEqual(summary["reactions"][0]["frame"], "end")
            self.succeeds("verify", "model.h5")

    def test_keys_of_coupled_models(self):
        for name in ("a", "b"):
            self.write(MODULE.replace("NAME", name), name + ".lua")
        self.both("pair.lua", COUPLED, "glue", "pair.lua", "--json", "--csv", "new.csv")

    def test_a_key_under_both_names_is_given_twice(self):
        self.write(MODEL.replace("OUTPUT", "output_step = 0.1, sample = 0.1"), "model.lua")
        self.fails(3, r"model\.lua:\d+: simulate: '(sample|output_step)' is given twice", "run",
                   "model.lua")

    def test_files_keep_the_former_keys(self):
        self.write(MODEL.replace("OUTPUT", "output_step = 0.25"), "model.lua")
        self.succeeds("run", "model.lua", "-q")
        with open(self.folder / "model.h5", "rb") as file:
            written = file.read().replace(b"output_step = 0.25", b"")  # the text of the model
        self.assertIn(b"sample\0", written)
        self.assertNotIn(b"output_step", written)

    def test_options(self):
        self.write(MODEL.replace("OUTPUT", ""), "model.lua")
        for new, old in (("--output-step", "--sample"), ("--output-times", "--times")):
            tables = [self.succeeds("run", "model.lua", "--no-hdf5", "--csv", "-", option, "0.25")
                      for option in (new, old)]
            self.assertEqual(*tables)
            self.assertNotIn(old, self.succeeds("help", "run"))
            self.assertIn(new, self.succeeds("help", "run"))
        self.assertEqual(*[self.succeeds("assemble", "model.lua", "--json", option, "rod")
                           for option in ("--fix", "--keep")])

    def test_commands(self):
        for new, old in (("couplings", "gluings"), ("fields", "parts")):
            for words in ((), ("--json",)):
                self.assertEqual(*[self.succeeds(name, *words) for name in (new, old)])
            self.assertIn(f"  {new} ", self.succeeds("--help"))
            self.assertNotIn(f"  {old} ", self.succeeds("--help"))


if __name__ == "__main__":
    unittest.main()
