# SPDX-License-Identifier: MIT
"""Programs that break the protocol: other versions, other machines, wrong answers."""
import unittest

from ranks import FAULTY, LIMIT, RanksTest, bodies

LOST = 5
JOIN = 5.0  # [s]: of programs that never join


class ProtocolTest(RanksTest):
    def faulty(self, fault):
        modules = bodies()
        modules[1] = [FAULTY, fault, "coupler"]
        return [self.coordinator("bodies", 10), *modules]

    def refused(self, fault, pattern, join=LIMIT):
        """By name, with the right code, and nobody is left (ranks.py)."""
        code, text = self.run_ranks(self.faulty(fault), TRAMMEL_JOIN_SECONDS=str(join))
        self.tells(text, pattern)
        self.assertEqual(self.outcome(), LOST, text)
        self.assertNotEqual(code, 0, text)

    def test_other_version(self):
        self.refused("version", "rank 2: it uses version 2 of the protocol, this program version 1; "
                                "build both with the same Trammel")

    def test_other_order_of_bytes(self):
        self.refused("order", "rank 2: its machine has another byte order")

    def test_other_program(self):
        self.refused("foreign", "rank 2: its first message is not from Trammel")

    def test_damaged(self):
        self.refused("damaged", "rank 2: its first message is damaged")

    def test_silent(self):
        self.refused("silent", "rank 2: did not register as a module within 5 s", JOIN)

    def test_without_mpi(self):
        """MPI's own start cannot be asked: a timer ends every process."""
        code, text = self.run_ranks(self.faulty("idle"), TRAMMEL_JOIN_SECONDS=str(JOIN))
        self.assertIn("not all programs of mpirun have started MPI in time", text)
        self.assertNotEqual(code, 0, text)

    def test_answer_of_wrong_size(self):
        self.refused("size", r"module 'coupler' \(rank 2\): its answer has \d+ bytes instead of \d+; "
                             "at t = 0")

    def test_answer_with_what_is_no_number(self):
        self.refused("number", "module 'coupler': .* is not a number; at t = 0")

    def test_answer_to_something_else(self):
        self.refused("late", r"module 'coupler' \(rank 2\): it answers a request that was not made; at t = 0")


if __name__ == "__main__":
    unittest.main()
