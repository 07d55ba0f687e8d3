# SPDX-License-Identifier: MIT
"""`trammel fmu`: what an FMU says of itself, and every mistake in one line. Nothing of an FMU runs,
so its binary is a file of any sort."""
import json
import unittest
import zipfile

from support import CommandTest

VARIABLE = ('<ScalarVariable name="{}" valueReference="{}" causality="{}" variability="{}">'
            '<Real unit="{}"{}/></ScalarVariable>')
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="{version}" modelName="crane" guid="{{1}}" generationTool="hands">
<ModelExchange modelIdentifier="crane" providesDirectionalDerivative="true"/>
<CoSimulation modelIdentifier="crane" canGetAndSetFMUstate="true"/>
<ModelVariables>
{variables}
</ModelVariables>
<ModelStructure>{structure}</ModelStructure>
</fmiModelDescription>
"""
NAMES = [("hook.x", "output", "m"), ("hook.y", "output", "m"), ("hook.vx", "output", "m/s"),
         ("hook.vy", "output", "m/s"), ("hook.ax", "output", "m/s2"), ("hook.fx", "input", "N"),
         ("hook.fy", "input", "N"), ("inner", "local", "")]


def describe(names=None, version="2.0", structure=""):
    lines = [VARIABLE.format(name, i, causality, "continuous", unit, "")
             for i, (name, causality, unit) in enumerate(names or NAMES)]
    lines.append(VARIABLE.format("mass", 50, "parameter", "fixed", "kg", ' start="2.5"'))
    return DESCRIPTION.format(version=version, variables="\n".join(lines), structure=structure)


class FmuTest(CommandTest):
    def pack(self, xml, platform="linux64", name="crane.fmu"):
        with zipfile.ZipFile(self.folder / name, "w", zipfile.ZIP_DEFLATED) as file:
            if xml is not None:
                file.writestr("modelDescription.xml", xml)
            file.writestr(f"binaries/{platform}/crane.so", "not looked at")
        return name

    def test_json(self):
        done = json.loads(self.succeeds("fmu", self.pack(describe()), "--json"))
        self.assertEqual((done["name"], done["version"], done["tool"]), ("crane", "2.0", "hands"))
        self.assertTrue(done["model_exchange"]["directional_derivatives"])
        self.assertTrue(done["co_simulation"]["repeats"])
        self.assertEqual(done["platforms"], ["linux64"])
        [port] = done["ports"]
        self.assertEqual([d["moves"] for d in port["directions"]], [True, True, False])
        self.assertEqual(port["directions"][0]["acceleration"], "hook.ax")
        self.assertIsNone(port["directions"][1]["acceleration"])
        self.assertEqual(len(done["variables"]), len(NAMES) + 1)
        self.assertIsNone(done["obstacle"])

    def test_obstacles(self):
        def obstacle(*arguments):
            return json.loads(self.succeeds("fmu", "crane.fmu", "--json", *arguments))["obstacle"]

        self.pack(describe([("speed", "output", "m/s")]))
        self.assertIn("no ports", obstacle())
        self.pack(describe(), platform="win64")
        self.assertIn("no binary for this machine", obstacle())
        self.pack(describe([("v" if n == "hook.vx" else n, c, u) for n, c, u in NAMES]))
        self.assertIn("port 'hook' has no 'hook.vx'", obstacle())
        self.assertIsNone(obstacle("--alias", "hook.vx=v"))

    def test_ports_in_space(self):
        keys = ["x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"]
        names = [(f"b.{k}", "output", "") for k in keys]
        names += [(f"b.{k}", "input", "") for k in ("fx", "fy", "fz", "mx", "my", "mz")]
        self.pack(describe(names))
        [port] = json.loads(self.succeeds("fmu", "crane.fmu", "--json"))["ports"]
        self.assertEqual(port["dim"], 3)
        self.assertEqual([d["moves"] for d in port["directions"]], [True] * 6)
        # Rotation needs all four numbers of the orientation.
        self.pack(describe([n for n in names if n[0] != "b.e2"]))
        [port] = json.loads(self.succeeds("fmu", "crane.fmu", "--json"))["ports"]
        self.assertEqual([d["moves"] for d in port["directions"]], [True] * 3 + [False] * 3)
        self.assertEqual(port["missing"], "b.e2")

    def test_strict(self):
        self.pack(describe(structure="<DiscreteStates/>"))
        self.assertIn("unknown element <DiscreteStates>", self.succeeds("fmu", "crane.fmu"))
        self.fails(3, "crane.fmu: line 16: unknown element <DiscreteStates> in <ModelStructure>",
                   "fmu", "crane.fmu", "--strict")

    def test_names_do_not_command_the_terminal(self):
        names = [("a&#10;b.fx", "input", "N")]
        self.assertIn("a b.fx", self.succeeds("fmu", self.pack(describe(names))))


if __name__ == "__main__":
    unittest.main()
