# SPDX-License-Identifier: MIT
"""How modules and coordinator meet: names, missing and unwanted ones, wrong places and files."""
import os
import subprocess
import unittest

from ranks import BODY, LIMIT, TRAMMEL, RanksTest, bodies, body

LOST, MODEL, FILE, USAGE = 5, 3, 4, 2


class JoiningTest(RanksTest):
    def refused(self, modules, pattern, code=LOST):
        got, text = self.run_ranks([self.coordinator("bodies", 10), *modules],
                                   TRAMMEL_JOIN_SECONDS=str(LIMIT))
        self.tells(text, pattern)
        self.assertEqual(self.outcome(), code, text)
        self.assertNotEqual(got, 0, text)
        return text

    def test_missing(self):
        self.refused(bodies()[:2], "no process for 'rocker' of the assembly; add one")

    def test_too_many(self):
        self.refused([*bodies(), body("crank", told=False)],
                     "rank 4 is 'body', and the assembly has no such module")

    def test_two_of_one_name(self):
        modules = bodies()
        modules[2] = body("crank")
        self.refused(modules, "rank 3 is 'crank', and the assembly has no such module, or only "
                              "one; missing: 'rocker'$")

    def test_misspelled(self):
        modules = bodies()
        modules[2][modules[2].index("rocker")] = "rockr"
        self.refused(modules, "rank 3 is 'rockr', .*; missing: 'rocker'; did you mean 'rocker'[?]")

    def test_file_that_is_none(self):
        """The coordinator says what is wrong with a module's file, too."""
        modules = bodies()
        modules[0] = [TRAMMEL, "module", "none.so", "--name", "crank"]
        self.refused(modules, "rank 1: none.so: cannot be loaded: ", code=MODEL)

    def test_module_in_the_first_place(self):
        code, text = self.run_ranks([body("crank"), self.coordinator("bodies", 10)],
                                    TRAMMEL_JOIN_SECONDS=str(LIMIT))
        self.assertRegex(text, "a module stands in the coordinator's place|is the coordinator, and "
                               "must be the first")
        self.assertNotEqual(code, 0, text)

    def alone(self, *words, **environment):
        done = subprocess.run([TRAMMEL, "module", *words], stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.PIPE, text=True, timeout=LIMIT, cwd=self.folder,
                              env=self.environment(**environment))
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.returncode, done.stderr

    def test_without_mpirun(self):
        code, text = self.alone(BODY)
        self.assertEqual(code, USAGE)
        self.assertIn("in one line: mpirun -n 1 trammel glue ASSEMBLY.lua : -n 1 trammel", text)

    def test_usage(self):
        for words, pattern in (([], "needs a file"), (["a", "b"], "expects one file"),
                               (["a", "--nam", "b", "--naem"], "did you mean '--name'"),
                               (["a", "--name="], "--name needs a name"),
                               (["a", "--set", "b"], "b")):
            with self.subTest(words=words):
                code, text = self.alone(*words)
                self.assertEqual(code, USAGE, text)
                self.assertIn(pattern, text)

    def test_no_plugin(self):
        code, text = self.alone(BODY, TRAMMEL_MPI_PLUGIN="none.so", OMPI_COMM_WORLD_SIZE="2",
                                OMPI_COMM_WORLD_RANK="1")
        self.assertEqual(code, FILE)
        self.assertIn("TRAMMEL_MPI_PLUGIN: cannot be loaded: none.so", text)

    def test_help(self):
        text = subprocess.run([TRAMMEL, "module", "--help"], stdout=subprocess.PIPE, check=True,
                              text=True, timeout=LIMIT).stdout
        self.assertTrue(text.startswith("  mpirun -n 1 trammel glue "))
        self.assertNotIn(os.path.dirname(BODY), text)


if __name__ == "__main__":
    unittest.main()
