# SPDX-License-Identifier: MIT
"""Every model of the project, run for a while: `trammel verify` finds nothing off."""
import pathlib
import unittest

from support import CommandTest

MODELS = pathlib.Path(__file__).parents[2] / "models"


class EveryModelTest(CommandTest):
    def test_every_model(self):
        seen = 0
        for model in sorted(set(MODELS.glob("*/*.lua")) - set(MODELS.glob("glue/*"))):
            with self.subTest(model=f"{model.parent.name}/{model.name}"):
                done = self.trammel("run", str(model), "-q", "-o", "r.h5")
                self.assertEqual(done.returncode, 0, done.stderr)
                done = self.trammel("verify", "r.h5")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                seen += 1
        self.assertGreaterEqual(seen, 50)


unittest.main()
