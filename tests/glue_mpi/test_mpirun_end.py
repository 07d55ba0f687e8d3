# SPDX-License-Identifier: MIT
"""An mpirun that does not end when its ranks have: it is asked to, and killed if that does not help.
A script of this name stands for it."""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

SCRIPT = """#!/bin/sh
{trap}
"$SEE_END"
while :; do sleep 0.1; done
"""


class MpirunEndTest(unittest.TestCase):
    def end_of(self, name, trap="", **environment):
        """How a script ends that would run for ever: minus the signal. None: it does not."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.write_text(SCRIPT.format(trap=trap))
            path.chmod(0o755)
            run = subprocess.Popen([path], env=dict(os.environ, **environment))
            try:
                return run.wait(timeout=8)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
                return None

    def test_is_asked(self):
        self.assertEqual(self.end_of("mpirun"), -signal.SIGTERM)

    def test_is_killed_where_it_does_not_listen(self):
        self.assertEqual(self.end_of("mpirun", "trap '' TERM"), -signal.SIGKILL)

    def test_others_are_left_alone(self):
        self.assertIsNone(self.end_of("parallel"))
        self.assertIsNone(self.end_of("mpirun", TRAMMEL_MPIRUN_WATCHED="1"))


if __name__ == "__main__":
    unittest.main()
