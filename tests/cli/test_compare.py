# SPDX-License-Identifier: MIT
"""`trammel compare`: tables, JSON, CSV, choices, exit codes."""
import csv
import io
import json
import re
import signal
import unittest
import xml.etree.ElementTree

from support import BODY, ENDLESS, HEAD, PENDULUM, PIN, CommandTest

SVG = "{http://www.w3.org/2000/svg}"
COUNTERS = ("steps", "rejected", "forced", "evaluations", "factorizations", "newton_iterations",
            "formulation_iterations")
LEVELS = ("position", "velocity", "acceleration")


def squeezed(text):
    return re.sub(r"\s+", " ", text)


class Compare(CommandTest):
    def compare(self, *arguments, model=PENDULUM):
        return self.succeeds("compare", self.write(model), "--repeat", "1", *arguments)

    def compare_json(self, *arguments, model=PENDULUM):
        return json.loads(self.compare("--json", *arguments, model=model))

    def methods(self):
        """In the order of methods.def, which is alphabetical; the listing is by groups."""
        lists = json.loads(self.succeeds("methods", "--json"))
        return sorted(m["name"] for m in lists["methods"])

    def rows(self):
        """The methods, then the integrators for stiff models that are built in."""
        integrators = self.succeeds("integrators")
        return self.methods() + [name for name in ("cvode", "ida", "radau5")
                                 if re.search(rf"(?m)^  {name} ", integrators)]

    def assertNotBeaten(self, result):
        """No row that came to the end has a smaller error in less time than the recommended one."""
        def size(row):
            return max(1e-12, *(x for x in (row["error"][k] for k in ("length", "angle", "relative"))
                                if x is not None))
        rows = [r for r in result["rows"] if r["state"] == "done" and r["error"] is not None]
        best = next(r for r in rows if r["method"] == result["recommended"])
        better = [r["method"] for r in rows
                  if size(r) < size(best) and r["seconds"] < best["seconds"]]
        if better:  # they do not hold the constraints, and the sentence says so
            self.assertIn("is faster and no less accurate here", result["recommendation"])


class Table(Compare):
    def test_every_method_has_a_line_and_one_is_recommended(self):
        text = self.compare()
        for name in self.rows():  # a line, or a place behind another with the same figures
            self.assertRegex(text, rf"(?m)^  {name} |\s{name}\s+\(time")
        self.assertRegex(text, r"(?m)^  \w+ \+\d+ ")  # the fastest of them
        for heading in (*LEVELS, "energy drift", "error", "[m]", "[rad]", "evalu-", "rejected",
                        "forced", "factor-", "itera-", "time", "units: positions m"):
            self.assertIn(heading, text)
        self.assertRegex(squeezed(text), r"Take \w+ \(\d+ evaluations, [\d.]+ times the time of "
                         r"lagrange\): it holds positions to \S+ m and velocities to \S+ m/s, its error "
                         r"of (at most )?\S+ (m|rad) is .*\. $")

    def test_an_option_that_no_method_reads_is_refused(self):
        done = self.trammel("compare", self.write(PENDULUM), "--methods", "direct",
                            "--basis", "svd")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'basis' is read by none of these methods", done.stderr)

    def test_only_the_named_methods_are_shown(self):
        text = self.compare("--methods", "masarati,direct")
        self.assertRegex(text, r"(?m)^  masarati ")
        self.assertNotRegex(text, r"(?m)^  (lagrange|baumgarte) ")
        self.assertIn("2 methods", text)

    def test_stiff_models_get_a_reference_and_a_recommendation(self):
        # Friction that changes over 1e-6 m/s: explicit methods would take 1e5 steps for this.
        model = HEAD + BODY + ('m:joint { "prismatic", name = "table", m.ground, rod, axis = { 1, 0 } }\n'
                               'm:force { name = "friction", rod, force = function(b, t) return '
                               "{ -4 * tanh((b.vx - 0.1) / 1e-6), 0 } end }\n"
                               "m:simulate { duration = 1 }\nreturn m\n")
        result = self.compare_json("--methods", "direct_mass,masarati,radau5", model=model)
        self.assertEqual(result["reference"]["integrator"], "radau5")
        self.assertTrue(result["reference"]["stiff"])
        self.assertEqual(result["recommended"], "radau5")
        self.assertEqual([r["state"] for r in result["rows"]], ["failed", "failed", "done"])
        self.assertIn("the equations are stiff", result["rows"][0]["reason"])

    def test_equations_have_one_relative_error(self):
        model = ('local s = system { coordinates = { "x", "z" } }\n'
                 "s:mass(function(q, t, p) return { 1, 1 } end)\n"
                 "s:force(function(q, v, t, p) return { z = -9.81 } end)\n"
                 's:constraint { name = "rod", phi = function(q, t, p) '
                 "return sqrt(q.x ^ 2 + q.z ^ 2) - 1 end }\n"
                 "s:start { x = 1 }\ns:simulate { duration = 0.5 }\nreturn s\n")
        self.assertIn("relative", self.compare(model=model))
        row = self.compare_json(model=model)["rows"][0]
        self.assertIsNone(row["error"]["length"])
        self.assertGreater(row["error"]["relative"], 0)


class Json(Compare):
    def check_row(self, row):
        self.assertEqual({"method", "state", "reason", "integrator", "step", "rtol", "atol"},
                         set(list(row)[:7]))
        self.assertIn(row["state"], ("done", "failed", "refused", "skipped"))
        self.assertEqual(row["state"] == "done", row["reason"] is None)
        self.assertEqual(row["step"] is None, row["rtol"] is not None)
        if row["state"] != "done":
            return
        for level in LEVELS:
            self.assertGreaterEqual(row["violation"][level]["worst"], 0)
            self.assertIn("mean", row["violation"][level])
        self.assertGreaterEqual(row["energy"]["worst"], abs(row["energy"]["end"]))
        self.assertEqual(set(row["error"]),
                         {"length", "angle", "relative", "is_bound", "trusted_until"})
        for counter in COUNTERS:
            self.assertIsInstance(row["counters"][counter], int)
        self.assertGreater(row["counters"]["evaluations"], row["counters"]["steps"])
        self.assertGreater(row["seconds"], 0)
        self.assertGreater(row["time_ratio"], 0)

    def test_it_has_settings_reference_rows_and_recommendation(self):
        result = self.compare_json()
        self.assertEqual([r["method"] for r in result["rows"]], self.rows())
        self.assertEqual(sorted(r["rank"] for r in result["rows"]),
                         list(range(1, len(result["rows"]) + 1)))
        best = next(r for r in result["rows"] if r["rank"] == 1)
        self.assertEqual(best["method"], result["recommended"])
        self.assertEqual(result["violation_units"]["velocity"], "m/s")
        # Methods with the same figures are listed with the fastest of them.
        leader = {r["method"]: r["same_as"] or r["method"] for r in result["rows"]}
        self.assertEqual(leader["lagrange"], leader["lagrange_schur"])
        self.assertEqual(leader["lagrange"], leader[leader["lagrange"]])
        self.assertNotBeaten(result)
        for row in result["rows"]:
            self.check_row(row)
        self.assertEqual(result["sweep"], [])
        self.assertFalse(result["interrupted"])
        self.assertEqual(result["settings"]["runs"], 1)
        reference = result["reference"]
        self.assertGreater(reference["tolerances"][0], reference["tolerances"][1])
        self.assertEqual(reference["reached"], 0.5)
        self.assertGreater(reference["difference"]["angle"], 0)
        self.assertIn(result["recommended"], self.methods())
        self.assertIn(result["recommended"], result["recommendation"])
        self.assertEqual(result["time_unit"], "lagrange")


class Sweep(Compare):
    def test_halvings_and_lists_give_steps(self):
        for sweep, steps in (("2", [0.02, 0.01, 0.005]), ("0.02,0.005", [0.02, 0.005]),
                             ("0.025", [0.025])):
            result = self.compare_json("--integrator", "rk4", "--step", "0.02", "--methods",
                                       "direct", "--sweep-step", sweep)
            self.assertEqual([r["step"] for r in result["sweep"]], steps)
            self.assertEqual(len(result["rows"]), 1)
            work = [r["counters"]["evaluations"] for r in result["sweep"]]
            self.assertEqual(work, sorted(work))
        text = self.compare("--integrator", "rk4", "--step", "0.02", "--sweep-step", "1")
        self.assertIn("error against work", text)
        self.assertRegex(text, r"(?m)^    direct +0\.01 +\S+e-\d+ ")


class Csv(Compare):
    def read(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def test_standard_output_has_the_table_and_nothing_else(self):
        rows = self.read(self.compare("--csv", "-"))
        self.assertEqual([r["method"] for r in rows], self.rows())
        done = next(r for r in rows if r["method"] == "direct")
        self.assertEqual(done["state"], "done")
        units = {"position": "m or rad", "velocity": "m/s or rad/s",
                 "acceleration": "m/s^2 or rad/s^2"}
        for column in (*(f"{k}_{part} [{units[k]}]" for k in LEVELS for part in ("worst", "mean")),
                       "energy_end [J]", "energy_worst [J]", "error_length [m]",
                       "error_angle [rad]", "time_ratio", "seconds [s]", "reached [s]",
                       "trusted_until [s]", "rtol", *COUNTERS):
            float(done[column])
        self.assertEqual((done["step [s]"], done["error_relative"], done["reason"]), ("", "", ""))

    def test_a_file_is_written_beside_the_tables(self):
        text = self.compare("--csv", "out.csv", "--methods", "direct", "--integrator", "rk4",
                            "--sweep-step", "2")
        self.assertIn("Take direct", text)
        rows = self.read((self.folder / "out.csv").read_text())
        self.assertEqual([r["sweep"] for r in rows], ["0", "1", "1", "1"])
        for row in rows:
            self.assertNotIn(None, row)  # as many fields as headings
            self.assertNotIn(None, row.values())


class Plots(Compare):
    def charts(self, *arguments, model=PENDULUM):
        self.compare("--plots", "charts", *arguments, model=model)
        names = sorted(path.name for path in (self.folder / "charts").iterdir())
        self.assertEqual(names, sorted(f"{name}.svg" for name in TIME_CHARTS + WORK_CHARTS))
        return {path.stem: xml.etree.ElementTree.parse(path).getroot()
                for path in (self.folder / "charts").iterdir()}

    def test_a_folder_that_cannot_be_made_is_a_file_error(self):
        done = self.trammel("compare", self.write(PENDULUM), "--repeat", "1", "--methods", "direct",
                            "--plots", "nowhere/charts")
        self.assertEqual(done.returncode, 4)
        self.assertIn("'nowhere/charts': cannot make the folder", done.stderr)
        self.assertEqual(done.stdout, "", "found before the runs, not after them")


class Errors(Compare):
    def test_usage(self):
        name = self.write(PENDULUM)
        for pattern, arguments in (
                ("compare: needs a model file", []),
                ("compare: expects one model file", [name, name]),
                ("compare: unknown option '--method-s'", [name, "--method-s", "direct"]),
                (".*'--repeat': '0' is not a whole number", [name, "--repeat", "0"]),
                (".*'--repeat': '2.5' is not a whole number", [name, "--repeat", "2.5"]),
                (".*'--methods': 'direct,' has an empty name", [name, "--methods", "direct,"]),
                (".*'--sweep-step': 'x' is not a finite number", [name, "--sweep-step", "x"]),
                (".*halved 1 to 30 times", [name, "--sweep-step", "0"]),
                ("compare: a step must be positive", [name, "--sweep-step", "-1,2"]),
                ("compare: .*named twice", [name, "--methods", "direct,direct"]),
                ("compare: method 'direct' takes no option", [name, "--methods", "direct:3"]),
                ("compare: .*needs a number after the colon", [name, "--methods", "penalty:x"]),
                ("compare: .*must not be negative", [name, "--methods", "penalty:-3"]),
                ("compare: .*nothing after the colon", [name, "--methods", "maggi:"]),
                ("compare: unknown integrator 'rk5'; did you mean", [name, "--integrator", "rk5"]),
                ("compare: .*duration", [name, "--duration", "-1"]),
                ("compare: --csv - and --json", [name, "--csv", "-", "--json"]),
                ("compare: the table would overwrite", [name, "--csv", name])):
            self.assertEqual(self.fails(2, pattern, "compare", *arguments).stdout, "")

    def test_files(self):
        self.fails(4, "missing.lua", "compare", "missing.lua")
        done = self.trammel("compare", self.write(PENDULUM), "--repeat", "1", "--csv",
                            "nowhere/out.csv")
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stdout, "", "found before the runs, not after them")

    def test_if_no_method_runs_the_exit_code_is_1_and_the_table_says_why(self):
        done = self.fails(1, "model.lua: no method finished", "compare",
                          self.write(PENDULUM), "--integrator", "generalized_alpha",
                          "--methods", "direct,lagrange")
        self.assertEqual(done.stdout.count("refused: "), 1)
        self.assertIn("refused, as direct", done.stdout)
        self.assertIn("No method can be recommended", done.stdout)

    def test_an_interruption_ends_with_what_is_there(self):
        child = self.start("compare", self.write(ENDLESS), "--json")
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        # The signal must find the handler: bit 1 of the caught signals of the process is SIGINT.
        caught = 0
        while caught & (1 << (signal.SIGINT - 1)) == 0:
            self.assertIsNone(child.poll(), "the comparison ended before it was stopped")
            with open(f"/proc/{child.pid}/status", encoding="ascii") as file:
                caught = int(re.search(r"SigCgt:\s*(\w+)", file.read()).group(1), 16)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate()
        self.assertEqual(child.returncode, 130, err)
        self.assertRegex(err, "^trammel: model.lua: interrupted")
        result = json.loads(out)
        self.assertTrue(result["interrupted"])
        self.assertIsNone(result["recommended"])


if __name__ == "__main__":
    unittest.main()
