# SPDX-License-Identifier: MIT
"""Wherever a disk becomes full, the command says which file and why, and what was written before
can be read."""
import functools
import os
import re
import resource
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.environ["CLI_TESTS"])
from support import BODY, CommandTest, HEAD, PENDULUM, PIN  # noqa: E402

COMPARE_ROWS = os.environ["COMPARE_ROWS"]
STEPS = 60  # sizes at which the disk is full

# Several chunks of rows, in a fraction of a second.
LONG = HEAD + BODY + PIN + "m:simulate { duration = 2, sample = 1e-3 }\nreturn m\n"


def limit(size):
    """To be run in the child: no file becomes larger than this; writing more is an error, and a
    signal, as shells leave it."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def sizes(whole):
    """From 0 to one byte less than the whole, with the borders where a file just begins."""
    steps = {round(i * (whole - 1) / STEPS) for i in range(STEPS + 1)}
    return sorted(steps | {1, 95, 96, 97, 511, 512, 2047, 4095, 4096, 4097, whole - 1})


class FullDisk(CommandTest):
    def on_full_disk(self, size, pattern, *arguments, **more):
        return self.fails(4, pattern, *arguments, restore_signals=False,
                          preexec_fn=functools.partial(limit, size), **more)

    def rows_of_part(self, whole, part):
        done = subprocess.run([COMPARE_ROWS, self.folder / whole, self.folder / part],
                              stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, "a file without its flushed rows")
        return int(done.stdout)

    def test_results_are_readable_up_to_the_last_flush_at_every_size(self):
        self.write(LONG)
        self.succeeds("run", "model.lua", "-q", "-o", "whole.h5")
        whole = (self.folder / "whole.h5").stat().st_size
        rows, before = self.rows_of_part("whole.h5", "whole.h5"), 0
        self.assertEqual(rows, 2001)
        for size in sizes(whole):
            with self.subTest(size=size):
                part = self.folder / "part.h5"
                part.unlink(missing_ok=True)
                self.on_full_disk(size, r"part\.h5: cannot write: File too large\n$", "run",
                                  "model.lua", "-q", "-o", "part.h5")
                if part.exists():  # else there was no room to begin
                    kept = self.rows_of_part("whole.h5", "part.h5")
                    self.assertGreaterEqual(kept, before)
                    before = kept
        self.assertGreater(before, rows / 2)  # chunks that fit are there

    def test_old_results_are_replaced_only_by_ones_that_say_what_happened(self):
        self.write(LONG)
        self.succeeds("run", "model.lua", "-q")
        done = self.on_full_disk(50000, r"model\.h5: cannot write: File too large\n$", "run",
                                 "model.lua")
        self.assertIn("test: failed at", done.stdout)
        self.assertIn("model.h5: cannot write", done.stdout)

    def test_a_table_keeps_all_that_fits_at_every_size(self):
        self.write(PENDULUM)
        self.succeeds("run", "model.lua", "-q", "--no-hdf5", "--csv", "whole.csv")
        whole = (self.folder / "whole.csv").read_bytes()
        for size in sizes(len(whole)):
            with self.subTest(size=size):
                self.on_full_disk(size, r"part\.csv: cannot write: File too large\n$", "run",
                                  "model.lua", "-q", "--no-hdf5", "--csv", "part.csv")
                self.assertEqual((self.folder / "part.csv").read_bytes(), whole[:size])

    def test_standard_output_is_complete_or_an_error_at_every_size(self):
        self.write(PENDULUM)
        for arguments in (["run", "model.lua", "--no-hdf5", "--json"],
                          ["run", "model.lua", "--no-hdf5", "--csv", "-"],
                          ["modes", "model.lua", "--no-hdf5", "--json"], ["joints", "--json"]):
            whole = len(self.succeeds(*arguments).encode())
            for size in (0, 1, whole // 3, whole // 2):
                with self.subTest(arguments=arguments, size=size):
                    with open(self.folder / "out", "w", encoding="utf-8") as out:
                        self.on_full_disk(size, "standard output: cannot write: File too large",
                                          *arguments, stdout=out)

    def test_shapes_of_modes_name_their_file(self):
        self.write(PENDULUM)
        self.succeeds("modes", "model.lua", "-o", "whole.h5")
        whole = (self.folder / "whole.h5").stat().st_size
        for size in (0, 4096, whole // 2, whole - 1):
            with self.subTest(size=size):
                self.on_full_disk(size, r"part\.h5: cannot write: File too large", "modes",
                                  "model.lua", "-o", "part.h5")


class FullDevice(CommandTest):
    def full(self, *arguments, stderr=subprocess.PIPE):
        with open("/dev/full", "w", encoding="utf-8") as full:
            return self.trammel(*arguments, stdout=full, stderr=stderr)

    def test_every_command_notices_that_its_output_is_lost(self):
        self.write(PENDULUM)
        listed = re.findall(r"^  (\w+) +\w", self.succeeds("--help"), re.MULTILINE)
        commands = [name for name in listed if name not in ("trammel", "help")]
        self.assertIn("run", commands)
        lines = [[name, "--help"] for name in commands] + [["help", name] for name in commands]
        lines += [["joints"], ["forces", "--json"], ["methods"], ["integrators"], ["parts"],
                  ["modes", "model.lua"], ["modes", "model.lua", "--json"],
                  ["compare", "model.lua", "--methods", "direct", "--duration", "0.01"],
                  ["compare", "model.lua", "--methods", "direct", "--duration", "0.01", "--json"]]
        for line in lines:
            with self.subTest(line=line):
                done = self.full(*line)
                self.assertEqual(done.returncode, 4)
                self.assertRegex(done.stderr,
                                 r"^trammel: standard output: .*No space left[^\n]*\n$")

    def test_tables_and_charts_of_a_comparison_name_their_file(self):
        self.write(PENDULUM)
        short = ["compare", "model.lua", "--methods", "direct", "--duration", "0.01", "-q"]
        self.fails(4, "'/dev/full': .*No space left", *short, "--csv", "/dev/full")
        self.fails(4, r"'charts/\w+\.svg': .*File too large", *short, "--plots", "charts",
                   restore_signals=False, preexec_fn=functools.partial(limit, 100))

    def test_a_lost_error_line_does_not_change_the_exit_code(self):
        self.write(HEAD + "return n\n")
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assertEqual(self.trammel("run", "model.lua", stderr=full).returncode, 3)
        self.write(PENDULUM)
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assertEqual(self.trammel("run", "model.lua", stderr=full).returncode, 0)
            self.assertEqual(self.full("run", "model.lua", stderr=full).returncode, 4)


class ClosedStreams(CommandTest):
    """A closed stream must not be taken for the next file that is opened."""

    def without(self, streams, *arguments):
        def close():
            for stream in streams:
                os.close(stream)
        return subprocess.run([os.environ["TRAMMEL"], *arguments], cwd=self.folder, check=False,
                              stdout=subprocess.DEVNULL, preexec_fn=close, timeout=1200).returncode

    def test_what_is_printed_does_not_go_into_result_files(self):
        self.write(LONG)
        self.succeeds("run", "model.lua", "-q", "-o", "whole.h5")
        for streams in ((2,), (1, 2), (0, 1, 2), (0, 2)):
            with self.subTest(streams=streams):
                code = self.without(streams, "run", "model.lua", "-o", "part.h5", "--csv",
                                    "part.csv")
                self.assertEqual(code, 4 if 1 in streams else 0)
                done = subprocess.run([COMPARE_ROWS, self.folder / "whole.h5",
                                       self.folder / "part.h5"], check=False,
                                      stdout=subprocess.DEVNULL)
                self.assertEqual(done.returncode, 0)
                self.assertTrue((self.folder / "part.csv").read_text().startswith("t [s],"))

    def test_an_interrupted_run_keeps_its_file_without_standard_error(self):
        self.write(LONG.replace("duration = 2", "duration = 1e7"))
        command = subprocess.Popen([os.environ["TRAMMEL"], "run", "model.lua"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, preexec_fn=lambda: os.close(2))
        self.addCleanup(command.wait)
        self.addCleanup(command.kill)
        while (self.rows("model.h5") or (0,))[0] == 0:
            self.assertIsNone(command.poll(), "the run ended before it was stopped")
        command.send_signal(signal.SIGINT)
        self.assertEqual(command.wait(), 130)
        self.assertEqual(self.rows("model.h5")[2], "interrupted")


if __name__ == "__main__":
    unittest.main()
