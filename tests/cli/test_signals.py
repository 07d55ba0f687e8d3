# SPDX-License-Identifier: MIT
"""A run that is stopped from outside leaves a file that can be read."""
import signal
import unittest

from support import CommandTest, ENDLESS


class Stopped(CommandTest):
    def running(self, *more):
        """A run that has brought rows to its file."""
        self.write(ENDLESS)
        command = self.start("run", "model.lua", *more)
        self.addCleanup(command.wait)
        self.addCleanup(command.kill)
        while (self.rows("model.h5") or (0,))[0] == 0:
            self.assertIsNone(command.poll(), "the run ended before it was stopped")
        return command

    def ends_cleanly(self, number):
        command = self.running()
        command.send_signal(number)
        stdout, stderr = command.communicate()
        self.assertEqual(command.returncode, 130)
        self.assertRegex(stderr, r"^trammel: model\.lua: interrupted at t = .+\n$")
        self.assertIn("test: interrupted at t = ", stdout)
        rows, _, outcome = self.rows("model.h5")
        self.assertGreater(rows, 0)
        self.assertEqual(outcome, "interrupted")

    def test_an_interrupted_run_ends_with_its_results_and_summary(self):
        self.ends_cleanly(signal.SIGINT)

    def test_a_terminated_run_ends_with_its_results_and_summary(self):
        self.ends_cleanly(signal.SIGTERM)

    def test_a_killed_run_leaves_a_file_that_can_be_read(self):
        command = self.running()
        seen = self.rows("model.h5")[0]
        command.kill()
        command.communicate()
        self.assertEqual(command.returncode, -signal.SIGKILL)
        rows, _, outcome = self.rows("model.h5")
        self.assertGreaterEqual(rows, seen)
        self.assertEqual(outcome, "running")


if __name__ == "__main__":
    unittest.main()
