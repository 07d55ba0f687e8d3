# SPDX-License-Identifier: MIT
"""Checkpoints and `trammel resume`: what is written, what goes on, what is refused and how."""
import os
import signal
import struct
import subprocess
import time
import unittest

from support import BODY, CommandTest, ENDLESS, HEAD, PENDULUM, PIN, marked, part

LONG = HEAD + BODY + PIN + "m:simulate { duration = 60, output_step = 0.01 }\nreturn m\n"


class Resume(CommandTest):
    def interrupted(self, *more):
        """A run that was stopped after its first checkpoint, by hand."""
        self.write(ENDLESS)
        process = self.start("run", "model.lua", "-q", "--checkpoint", "0.01", *more)
        while not (self.folder / "model.h5.checkpoint").exists():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, words = process.communicate()
        self.assertEqual(process.returncode, 130, words)
        return words

    def stopped_after(self, lines, how, *words):
        """A command that got the signal when its table, a pipe, had this many lines: where the
        pipe is full it waits, in the middle of a step. Returns the lines that it wrote after all."""
        if not (self.folder / "pipe").exists():
            os.mkfifo(self.folder / "pipe")
        process = self.start(*words, "-q", "--csv", "pipe")
        with open(self.folder / "pipe", encoding="utf-8") as pipe:
            table = [pipe.readline() for _ in range(lines)]
            process.send_signal(how)
            table += pipe.readlines()
        _, errors = process.communicate()
        self.assertEqual(process.returncode, 130 if how != signal.SIGKILL else -how, errors)
        return table

    def test_every_stop_leaves_a_checkpoint_of_where_it_stopped(self):
        """The last row is the state at the stop; its time, to the last bit, is in the checkpoint.
        Of the first checkpoint, that of the start, none is written but at the stop."""
        for sample in ("1e-3", "1e-5"):  # rows of a step: some ten, some thousand
            self.write(ENDLESS.replace("duration = 1e7, output_step = 1e-3",
                                       f"duration = 1e5, output_step = {sample}"))
            for lines in range(2, 2000, 333):
                how = signal.SIGINT if lines % 2 == 0 else signal.SIGTERM
                with self.subTest(sample=sample, lines=lines):
                    table = self.stopped_after(lines, how, "run", "model.lua", "--checkpoint",
                                               "1e6")
                    saved = (self.folder / "model.h5.checkpoint").read_bytes()
                    last = float(table[-1].split(",")[0])
                    self.assertGreater(last, 0)
                    self.assertIn(struct.pack("<d", last), saved)

    def test_two_signals_at_once_are_one_request(self):
        """Both wait while the process is stopped, and arrive together; then the same one twice,
        which is judged where little time passes between."""
        self.write(ENDLESS)
        os.mkfifo(self.folder / "pipe")
        for numbers in ((signal.SIGINT, signal.SIGTERM), (signal.SIGINT,) * 2, (signal.SIGTERM,) * 2):
            process = self.start("run", "model.lua", "-q", "--csv", "pipe", "--checkpoint", "1e6")
            with open(self.folder / "pipe", encoding="utf-8") as pipe:
                table = [pipe.readline() for _ in range(500)]
                process.send_signal(signal.SIGSTOP)
                process.send_signal(numbers[0])
                begun = time.monotonic()
                if numbers[0] == numbers[1]:
                    process.send_signal(signal.SIGCONT)
                process.send_signal(numbers[1])
                judged = numbers[0] != numbers[1] or time.monotonic() - begun < 0.5
                process.send_signal(signal.SIGCONT)
                table += pipe.readlines()
            _, words = process.communicate()
            if judged:
                self.assertEqual(process.returncode, 130, (numbers, words))
                saved = (self.folder / "model.h5.checkpoint").read_bytes()
                self.assertIn(struct.pack("<d", float(table[-1].split(",")[0])), saved)

    def test_a_resume_that_is_stopped_keeps_all_rows(self):
        """The run was killed: its checkpoint is that of the start, its rows are more."""
        self.write(ENDLESS)
        self.stopped_after(40000, signal.SIGKILL, "run", "model.lua", "--checkpoint", "1e6")
        had = self.rows("model.h5")[0]
        self.assertGreater(had, 10000)
        for lines in (2, 500, 1500):
            with self.subTest(lines=lines):
                table = self.stopped_after(lines, signal.SIGINT, "resume", "model.h5")
                self.assertLess(len(table), had)
                self.assertEqual(self.rows("model.h5")[0], had)
                self.assertFalse((self.folder / "model.h5.part").exists())
        self.stopped_after(had + 3000, signal.SIGINT, "resume", "model.h5")
        self.assertGreater(self.rows("model.h5")[0], had)

    def test_a_checkpoint_does_not_say_where_files_go(self):
        self.interrupted("--csv", "model.csv")
        path = self.folder / "model.h5.checkpoint"
        self.write("mine\n", "precious")
        self.write("mine\n", "other.h5")
        whole = path.read_bytes()
        for name in ("precious", str(self.folder / "precious"), "other.h5", "./model.lua"):
            old = part(b"model.csv\0")
            self.assertEqual(whole.count(old), 1)
            path.write_bytes(marked(whole[:-8].replace(old, part(name.encode() + b"\0"))))
            (self.folder / "model.csv").unlink(missing_ok=True)
            process = self.start("resume", "model.h5", "-q")
            while not list(self.folder.glob("*.csv*")) + list(self.folder.glob("*.part")):
                self.assertIsNone(process.poll(), "it did not go on")
            process.send_signal(signal.SIGINT)
            process.communicate()
            self.assertFalse(list(self.folder.glob("precious.*")))
            for kept in ("precious", "other.h5"):
                self.assertEqual((self.folder / kept).read_text(encoding="utf-8"), "mine\n")

    def test_a_run_that_is_done_leaves_no_checkpoint(self):
        self.write(LONG)
        self.succeeds("run", "model.lua", "-q", "--checkpoint", "0.01")
        self.assertEqual([p.name for p in sorted(self.folder.iterdir())],
                         ["model.h5", "model.lua"])
        done = self.trammel("resume", "model.h5")
        self.assertEqual(done.returncode, 0)
        self.assertIn("the run is complete; nothing to resume", done.stderr)

    def test_an_interrupted_run_says_how_to_go_on_and_does(self):
        self.assertIn("continue with 'trammel resume model.h5'", self.interrupted())
        before = self.rows("model.h5")
        self.assertEqual(before[2], "interrupted")
        (self.folder / "model.lua").unlink()  # its text is in the checkpoint
        process = self.start("resume", "model.h5.checkpoint", "-q")
        rows = before[0]
        while rows <= before[0]:
            self.assertIsNone(process.poll(), process.stderr)
            found = self.rows("model.h5")
            rows = found[0] if found is not None else 0
        process.send_signal(signal.SIGTERM)
        _, words = process.communicate()
        self.assertEqual(process.returncode, 130, words)
        self.assertEqual(self.rows("model.h5")[2], "interrupted")
        self.assertFalse((self.folder / "model.h5.part").exists())

    def test_a_new_run_forgets_the_checkpoint_of_the_old_one(self):
        self.interrupted()
        self.write(PENDULUM)
        self.succeeds("run", "model.lua", "-q")
        self.assertFalse((self.folder / "model.h5.checkpoint").exists())

    def test_a_run_that_cannot_begin_leaves_the_old_one_as_it_is(self):
        self.interrupted()
        self.fails(4, "nowhere/a.csv", "run", "model.lua", "--csv", "nowhere/a.csv")
        self.assertTrue((self.folder / "model.h5.checkpoint").exists())

    def test_results_without_a_checkpoint_are_refused_with_the_remedy(self):
        self.interrupted()
        (self.folder / "model.h5.checkpoint").unlink()
        self.fails(4, r"model\.h5\.checkpoint: there is no checkpoint; .* run the model again",
                   "resume", "model.h5")

    def test_other_results_are_refused_and_stay_as_they_are(self):
        self.interrupted()
        self.write(PENDULUM.replace("0.5, 0 }", "0, 0.5 }"), "other.lua")
        self.succeeds("run", "other.lua", "-q", "-o", "other.h5")
        other = (self.folder / "other.h5").read_bytes().replace(b"done", b"runn")
        (self.folder / "model.h5").write_bytes(other)
        self.fails(4, r"model\.h5: (its rows are not those|the file is damaged)", "resume",
                   "model.h5")
        self.assertEqual((self.folder / "model.h5").read_bytes(), other)
        self.assertFalse((self.folder / "model.h5.part").exists())

    def test_missing_results_are_refused(self):
        self.interrupted()
        (self.folder / "model.h5").unlink()
        self.fails(4, r"model\.h5: .*put the results back, or run", "resume", "model.h5")
        self.fails(4, r"none\.h5: there is no such file", "resume", "none.h5")

    def test_a_damaged_checkpoint_is_refused(self):
        self.interrupted()
        path = self.folder / "model.h5.checkpoint"
        whole = path.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 40)):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1:])
            self.fails(4, r"model\.h5\.checkpoint: .*(damaged|not a checkpoint|another kind)",
                       "resume", "model.h5")
        for size in (0, 7, 8, 24, len(whole) // 2, len(whole) - 8):
            path.write_bytes(whole[:size])
            self.fails(4, r"model\.h5\.checkpoint: ", "resume", "model.h5")

    def test_another_version_is_refused(self):
        self.interrupted()
        path = self.folder / "model.h5.checkpoint"
        whole = path.read_bytes()
        self.assertEqual(whole.count(b"0.1.0\0"), 1)
        # The mark is the last word; a checkpoint with a right mark and another version.
        path.write_bytes(marked(whole[:-8].replace(b"0.1.0\0", b"0.0.9\0")))
        self.fails(4, r"model\.h5\.checkpoint: written by version 0\.0\.9, this is version",
                   "resume", "model.h5")

    def test_switches_are_kept(self):
        self.interrupted("--no-assemble")
        process = self.start("resume", "model.h5", "-q")
        before = self.rows("model.h5")[0]
        while (self.rows("model.h5") or (0,))[0] <= before:
            self.assertIsNone(process.poll(), "it did not go on")
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)

    def test_results_that_are_being_written_are_left_alone(self):
        self.write(ENDLESS)
        process = self.start("run", "model.lua", "-q", "--checkpoint", "0.01")
        while not (self.folder / "model.h5.checkpoint").exists():
            self.assertIsNone(process.poll())
        for words in (["resume", "model.h5"], ["run", "model.lua", "-q"]):
            self.fails(4, r"model\.h5: another run is writing it; wait for that, or", *words)
        self.assertTrue((self.folder / "model.h5.checkpoint").exists())
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.rows("model.h5")[2], "interrupted")

    def test_links_and_pipes_stay_what_they_are(self):
        (self.folder / "far").mkdir()
        (self.folder / "model.h5").symlink_to("far/real.h5")  # which is not there yet
        os.mkfifo(self.folder / "pipe")
        readers = [subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.DEVNULL)]
        self.interrupted("--csv", "pipe")
        before = self.rows("model.h5")[0]
        readers.append(subprocess.Popen(["cat", "pipe"], cwd=self.folder,
                                        stdout=subprocess.DEVNULL))
        process = self.start("resume", "model.h5", "-q", "--csv", "pipe")
        while (self.rows("model.h5") or (0,))[0] <= before:
            self.assertIsNone(process.poll(), "it did not go on")
        process.send_signal(signal.SIGINT)
        process.communicate()
        for reader in readers:
            reader.wait()
        self.assertTrue((self.folder / "model.h5").is_symlink())
        self.assertTrue((self.folder / "pipe").is_fifo())
        self.assertEqual([p.name for p in (self.folder / "far").iterdir()], ["real.h5"])

    def test_every_file_has_a_path_of_its_own(self):
        self.write(PENDULUM)
        for name in ("model.h5", "./model.h5", "model.h5.checkpoint", "model.h5.part",
                     "model.h5.checkpoint.new"):
            for more in ([], ["--checkpoint", "1"]):
                self.fails(2, "run: the table and .* would both be written to", "run", "model.lua",
                           "--csv", name, *more)
        self.write(PENDULUM, "a.h5.checkpoint")
        self.fails(2, "run: the result would overwrite 'a.h5.checkpoint'", "run",
                   "a.h5.checkpoint", "-o", "a.h5")
        self.interrupted()
        for name in ("model.h5", "model.h5.checkpoint"):
            self.fails(2, "resume: the table and .* would both be written to", "resume",
                       "model.h5", "--csv", name)

    def test_links_do_not_hide_that_two_files_are_one(self):
        self.write(PENDULUM)
        (self.folder / "far").mkdir()
        for link, target in (("a.csv", "model.h5"), ("b.csv", "a.csv"), ("c.csv", "./far/../model.h5"),
                             ("d.csv", str(self.folder / "model.h5.checkpoint")),
                             ("out.h5", "far/real.h5")):
            (self.folder / link).symlink_to(target)
        for name in ("a.csv", "b.csv", "c.csv", "d.csv"):  # before there are any results
            self.fails(2, "run: the table and .* would both be written to", "run", "model.lua",
                       "--csv", name)
        for name in ("far/real.h5", "far/real.h5.part", "out.h5.checkpoint"):
            self.fails(2, "run: the table and .* would both be written to", "run", "model.lua",
                       "-o", "out.h5", "--csv", name)
        self.succeeds("run", "model.lua", "-q", "-o", "out.h5", "--csv", "far/real.csv")

    def test_a_run_goes_on_where_no_checkpoint_can_be_written(self):
        """The new checkpoint cannot be made: a folder has its name."""
        self.write(PENDULUM)
        (self.folder / "model.h5.checkpoint.new").mkdir()
        done = self.trammel("run", "model.lua", "-q", "--checkpoint", "1e-9")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^trammel: warning: model\.h5\.checkpoint\.new: cannot create: "
                         r"[^\n]*; the run continues without a new checkpoint\n$")
        self.assertIn("no problems found", self.succeeds("verify", "model.h5"))
        self.write(ENDLESS, "endless.lua")  # one that is stopped promises nothing
        (self.folder / "endless.h5.checkpoint.new").mkdir()
        process = self.start("run", "endless.lua", "-q", "--checkpoint", "1e-9")
        while (self.rows("endless.h5") or (0,))[0] < 10:
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, words = process.communicate()
        self.assertEqual(process.returncode, 130, words)
        self.assertNotIn("trammel resume", words)
        self.assertIn("the results so far are kept", words)

    def test_usage(self):
        self.fails(2, "resume: needs the results of a run", "resume")
        self.fails(2, "resume: expects one file, not also 'b.h5'", "resume", "a.h5", "b.h5")
        self.fails(2, "resume: unknown option '--jsn'; did you mean '--json'", "resume", "--jsn")
        self.fails(2, "resume: --set is read with --assembly only", "resume", "a.h5", "--set", "n=1")
        self.assertTrue(self.succeeds("resume", "--help").startswith("  trammel resume"))
        self.write(PENDULUM)
        self.fails(2, "run: option '--checkpoint': .* must be positive, not 0", "run", "model.lua",
                   "--checkpoint", "0")
        self.fails(2, "run: --checkpoint needs the HDF5 file", "run", "model.lua", "--no-hdf5",
                   "--checkpoint", "1")
        self.fails(2, "run: --checkpoint cannot continue a table on standard output", "run",
                   "model.lua", "--csv", "-", "--checkpoint", "1")


unittest.main()
