# SPDX-License-Identifier: MIT
"""Modules that die, hang, or answer nonsense, and a coordinator that dies, in the midst of a run:
rows so far are there, the module and the time are named, and all processes are gone."""
import os
import signal
import unittest

from ranks import ENDLESS, LIMIT, TIMEOUT, RanksTest, bodies, creeping, is_open_mpi_5

LOST = 5
AT_1 = "at t = 1 s$"  # step 25
DEAD = r"module '(coupler|rocker)' \(rank [23]\): its process has ended; "


class FaultsTest(RanksTest):
    def breaks(self, modules, pattern, code=LOST, timeout=LIMIT):
        got, text = self.run_ranks([self.coordinator("bodies", 100, timeout=timeout), *modules])
        self.nothing_is_left()
        self.tells(text, pattern)
        self.assertEqual(self.outcome(), code, text)
        self.assertNotEqual(got, 0, text)
        self.rows_are_whole(24)
        return text

    def test_module_dies(self):
        self.breaks(bodies(coupler="die_at=1"), DEAD + AT_1)

    def test_module_hangs(self):
        self.breaks(bodies(rocker="hang_at=1"),
                    r"module 'rocker' \(rank 3\): no answer for 3 s: it hangs.*; " + AT_1,
                    timeout=TIMEOUT)

    def test_module_answers_what_is_no_number(self):
        self.breaks(bodies(crank="nan_at=1"),
                    "module 'crank': the acceleration of port 'center' is not a number; " + AT_1)

    def test_module_fails(self):
        text = self.breaks(bodies(crank="fail_at=1"),
                           "module 'crank': predict: the spring is broken; " + AT_1, code=1)
        self.assertNotIn("MPI_ABORT", text)

    def interfere(self, number, pattern, timeout=LIMIT):
        """A signal from outside, in the midst of an endless run."""
        run = self.start([self.coordinator("creeping", ENDLESS, timeout=timeout),
                          *creeping(bodies())])
        self.wait_for_rows(run, 20)
        os.kill(self.process_of("rocker"), number)
        _, text = self.finish(run)
        self.nothing_is_left()
        self.tells(text, pattern)
        self.assertEqual(self.outcome(), LOST, text)
        self.rows_are_whole(20, "creeping")

    def test_kill_9(self):
        self.interfere(signal.SIGKILL, DEAD + r"at t = [0-9.]+ s$")

    def test_stopped(self):
        self.interfere(signal.SIGSTOP, r"module 'rocker' \(rank 3\): no answer for 3 s",
                       timeout=TIMEOUT)

    def test_coordinator_dies(self):
        code, text = self.run_ranks([self.coordinator("bodies", 100, "die"), *bodies()])
        self.nothing_is_left()
        self.rows_are_whole(9)
        self.assertNotEqual(code, 0, text)

    def test_coordinator_dies_and_modules_notice(self):
        """mpirun does nothing here: it is told to leave processes to themselves."""
        _, text = self.run_ranks([self.coordinator("bodies", 100, "die"), *bodies()],
                                 ["--enable-recovery"])
        self.nothing_is_left()
        told = text.count("the coordinator is gone")
        # Open MPI 5 may end a process before its words arrive, recovery or not.
        self.assertIn(told, (1, 2, 3) if is_open_mpi_5() else (3,), text)

    def test_mpirun_dies(self):
        run = self.start([self.coordinator("creeping", ENDLESS), *creeping(bodies())])
        self.wait_for_rows(run, 20)
        run.kill()
        self.finish(run)
        self.nothing_is_left()


if __name__ == "__main__":
    unittest.main()
