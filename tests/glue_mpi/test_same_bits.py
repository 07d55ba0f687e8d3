# SPDX-License-Identifier: MIT
"""A glued run over MPI is that in one process, bit for bit, and sends what was counted."""
import re
import subprocess
import unittest

from ranks import BODIES, CHAIN, OWN_MAIN, TRAMMEL, RanksTest, bodies, body

COUNTED = re.compile(r"counted (\d+) messages (\d+) bytes, real (\d+) messages (\d+) bytes")


class SameBitsTest(RanksTest):
    def in_one_process(self, case, steps):
        done = subprocess.run(self.coordinator(case, steps, where="local"), check=True, text=True,
                              stdout=subprocess.PIPE, env=self.environment())
        rows = self.rows.read_bytes()
        self.rows.unlink()
        self.assertEqual(rows.count(b"\n"), steps)
        return rows, COUNTED.search(done.stdout).groups()

    def compare(self, case, steps, modules):
        rows, local = self.in_one_process(case, steps)
        code, text = self.run_ranks([self.coordinator(case, steps), *modules])
        self.assertEqual(code, 0, text)
        self.assertEqual(self.rows.read_bytes(), rows)
        counted = COUNTED.search(text).groups()
        self.assertEqual(counted[:2], local[:2])
        self.assertEqual(counted[:2], counted[2:], "what MPI sends is not what is counted")

    def test_chain_as_file(self):
        self.compare("chain", 40, [[TRAMMEL, "module", CHAIN, "--name", "chain"]])

    def test_chain_with_its_own_main(self):
        self.compare("chain", 40, [[OWN_MAIN, "--name=chain"]])

    def test_three_bodies(self):
        self.compare("bodies", 100, bodies())

    def test_named_ones_in_any_order(self):
        self.compare("bodies", 5, bodies()[::-1])

    def test_others_by_their_order(self):
        self.compare("bodies", 5, [body(name, told=name == "coupler")
                                   for name in ("coupler", "crank", "rocker")])
        self.assertEqual(list(BODIES), ["crank", "coupler", "rocker"])


if __name__ == "__main__":
    unittest.main()
