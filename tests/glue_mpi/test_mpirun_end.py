# SPDX-License-Identifier: MIT
"""An mpirun that does not end when its ranks have: it is asked to, and killed if that does not help.
Scripts of this name, which would run for ever, stand for it."""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

SCRIPT = """#!/bin/sh
{trap}
"$SEE_END"
echo seen
while :; do sleep 0.1; done
"""


class MpirunEndTest(unittest.TestCase):
    def start(self, name, trap="", **environment):
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), name)
        path.write_text(SCRIPT.format(trap=trap))
        path.chmod(0o755)
        run = subprocess.Popen([path], env=dict(os.environ, **environment), text=True,
                               stdout=subprocess.PIPE)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "seen\n")
        return run

    def test_ends(self):
        # Those that must not be ended come first: their time would be over first.
        other, watched = self.start("parallel"), self.start("mpirun", TRAMMEL_MPIRUN_WATCHED="1")
        listening, deaf = self.start("mpirun"), self.start("mpirun", "trap '' TERM")
        self.assertEqual(listening.wait(), -signal.SIGTERM)
        self.assertEqual(deaf.wait(), -signal.SIGKILL)
        self.assertIsNone(other.poll())
        self.assertIsNone(watched.poll())


if __name__ == "__main__":
    unittest.main()
