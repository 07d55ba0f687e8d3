# SPDX-License-Identifier: MIT
"""An mpirun that does not end when its ranks have: it is asked to, and killed if that does not help.
Scripts of this name, which would run for ever, stand for it."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

SCRIPT = """#!/bin/sh
{trap}
"$SEE_END"
while :; do sleep 0.1; done
"""
LONGEST = 7  # [s]: it is killed after 4


class MpirunEndTest(unittest.TestCase):
    def start(self, name, trap="", **environment):
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), name)
        path.write_text(SCRIPT.format(trap=trap))
        path.chmod(0o755)
        run = subprocess.Popen([path], env=dict(os.environ, **environment))
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def test_ends(self):
        listening, deaf = self.start("mpirun"), self.start("mpirun", "trap '' TERM")
        other, watched = self.start("parallel"), self.start("mpirun", TRAMMEL_MPIRUN_WATCHED="1")
        end = time.time() + LONGEST
        while time.time() < end and None in (listening.poll(), deaf.poll()):
            time.sleep(0.05)
        self.assertEqual(listening.poll(), -signal.SIGTERM)
        self.assertEqual(deaf.poll(), -signal.SIGKILL)
        self.assertIsNone(other.poll())
        self.assertIsNone(watched.poll())


if __name__ == "__main__":
    unittest.main()
