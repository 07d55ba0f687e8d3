# SPDX-License-Identifier: MIT
"""Signals at any time of a run, from its first instruction on: it ends at once, and whatever it
has written can be read. Times are random with a fixed seed; every time must do."""
import os
import pty
import random
import select
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.environ["CLI_TESTS"])
from support import BODY, CommandTest, HEAD, PIN, TRAMMEL  # noqa: E402

COMPARE_ROWS = os.environ["COMPARE_ROWS"]
SEED = 20240607
TRIES = int(os.environ.get("SIGNAL_TRIES", "12"))

# Reading the model takes a while, too; then rows are written all the time.
LOADING = "local x = 0\nfor i = 1, 2e6 do x = x + i end\n"
ENDLESS = (LOADING + HEAD + BODY + PIN +
           "m:simulate { duration = 1e7, sample = 1e-3 }\nreturn m\n")
BEGINNING = 0.1  # [s]: the file is read, results are begun
LIMIT = 600  # [s]: ends a command that hangs


class Signals(CommandTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.write(ENDLESS)

    def begin(self, **more):
        for old in self.folder.glob("model.h5"):
            old.unlink()
        command = subprocess.Popen(
            [TRAMMEL, "run", "model.lua"], cwd=self.folder,
            # Ignored in what a shell starts in the background, and so by its children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})
        self.addCleanup(command.wait)
        self.addCleanup(command.kill)
        return command

    def wait(self, command, seconds):
        """A random time is the point here, so this is one that passes."""
        try:
            command.wait(seconds)
            self.fail("the run ended by itself: " + command.communicate()[1].decode())
        except subprocess.TimeoutExpired:
            pass

    def file_is_whole(self, outcomes):
        rows, _, outcome = self.rows("model.h5") or (None, None, None)
        self.assertIn(outcome, outcomes, "the file cannot be read, or says what is not so")
        done = subprocess.run([COMPARE_ROWS, self.folder / "model.h5", self.folder / "model.h5"],
                              stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, "rows cannot be read")
        self.assertEqual(int(done.stdout), rows)

    def ends_by(self, command, numbers):
        """Interrupted, or killed while nothing was begun, in which case there is no file."""
        stderr = command.communicate(timeout=LIMIT)[1].decode()
        exists = (self.folder / "model.h5").exists()
        if command.returncode == 130:
            self.assertRegex(stderr, r"^trammel: model\.lua: interrupted at t = [^\n]+\n$")
            self.assertTrue(exists)
            self.file_is_whole({"interrupted"})
            return True
        self.assertIn(-command.returncode, numbers)
        self.assertEqual(stderr, "")
        self.assertFalse(exists, "killed after the file was begun")
        return False

    def wait_for_file(self, command):
        """Until it can be read: one whose first bytes are being written is none yet."""
        while self.rows("model.h5") is None:
            self.assertIsNone(command.poll(), "the run ended by itself")

    def test_one_signal_while_the_run_begins(self):
        for i in range(TRIES):
            number = self.random.choice((signal.SIGINT, signal.SIGTERM))
            after = self.random.uniform(0.0, BEGINNING)
            with self.subTest(i=i, number=number, after=after):
                command = self.begin()
                self.wait(command, after)
                command.send_signal(number)
                self.ends_by(command, {number})

    def test_one_signal_while_rows_are_written(self):
        for i in range(TRIES // 2):
            number = self.random.choice((signal.SIGINT, signal.SIGTERM))
            after = self.random.uniform(0.0, BEGINNING)
            with self.subTest(i=i, number=number, after=after):
                command = self.begin()
                self.wait_for_file(command)
                self.wait(command, after)
                command.send_signal(number)
                self.assertTrue(self.ends_by(command, {number}), "killed, not interrupted")

    def test_killed_while_the_run_begins(self):
        """There are no results, the old ones, or new ones that can be read."""
        for i in range(TRIES):
            after = self.random.uniform(0.0, BEGINNING)
            with self.subTest(i=i, after=after):
                command = self.begin()
                self.wait(command, after)
                command.kill()
                command.communicate()
                if (self.folder / "model.h5").exists():
                    self.file_is_whole({"running"})

    def test_two_signals_in_a_row(self):
        for i in range(TRIES // 2):
            numbers = [self.random.choice((signal.SIGINT, signal.SIGTERM)) for _ in range(2)]
            after = self.random.uniform(0.0, BEGINNING)
            between = self.random.choice((0.0, self.random.uniform(0.0, 0.003)))
            with self.subTest(i=i, numbers=numbers, after=after, between=between):
                command = self.begin()
                self.wait_for_file(command)
                self.wait(command, after)
                command.send_signal(numbers[0])
                if between > 0.0:
                    try:
                        command.wait(between)
                    except subprocess.TimeoutExpired:
                        pass
                command.send_signal(numbers[1])
                command.communicate(timeout=LIMIT)
                self.assertIn(command.returncode, {130, *(-n for n in numbers)})
                self.file_is_whole({"interrupted", "running"})

    def test_the_progress_line_is_cleared(self):
        try:
            main, side = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no terminal to be had: {reason}")
        command = self.begin(stderr=side, stdout=subprocess.DEVNULL,
                             env={**os.environ, "TERM": "dumb"})
        os.close(side)
        shown = b""
        while b" s left" not in shown:
            shown += os.read(main, 4096)
        command.send_signal(signal.SIGINT)
        while b"are kept" not in shown and select.select([main], [], [], LIMIT)[0]:
            shown += os.read(main, 4096)
        self.assertEqual(command.wait(), 130)
        os.close(main)
        # The last line on the screen: blanks over the bar, then the message from the left.
        self.assertRegex(shown, rb"\r {60,}\rtrammel: model\.lua: interrupted at t = ")


if __name__ == "__main__":
    unittest.main()
