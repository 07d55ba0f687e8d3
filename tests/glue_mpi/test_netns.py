# SPDX-License-Identifier: MIT
"""Over real interfaces: three network namespaces with process numbers and a name of their own,
joined by virtual cables, and Open MPI over TCP between them, without ssh. Needs root."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

from ranks import (ENDLESS, LIMIT, MPIRUN, SEVERAL_PROGRAMS, TIMEOUT, RanksTest, bodies, creeping,
                   is_open_mpi_5)

SKIPPED = 77
NETWORK = "10.213.77"  # inside the namespaces only
HOSTS = [f"{NETWORK}.{i}" for i in (1, 2, 3)]  # the first one has mpirun and the coordinator
MODULES = 3

# In place of ssh: the command of the daemon, on the machine of that address.
AGENT = """#!/bin/sh
host=$1
shift
mkdir -p "$TMPDIR/$host"
exec ip netns exec {prefix}-$host env TMPDIR="$TMPDIR/$host" unshare --uts --pid --fork \\
    --kill-child --mount-proc sh -c "hostname node-${{host##*.}}; $*; exit \\$?"
"""


def do(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True).stdout


def missing():
    """Why it cannot be tried here, or None."""
    for tool in ("ip", "unshare"):
        if shutil.which(tool) is None:
            return f"there is no '{tool}'"
    name = f"tr{os.getpid()}-try"
    try:
        do("ip", "netns", "add", name)
    except subprocess.CalledProcessError as error:
        return "namespaces may not be made here: " + error.stderr.strip()
    try:
        do("ip", "netns", "exec", name, "unshare", "--uts", "--pid", "--fork", "--mount-proc",
           "hostname", "node")
        do("ip", "-n", name, "link", "add", "name", "one", "type", "veth", "peer", "name",
           "two")
        do("ip", "-n", name, "link", "add", "name", "hub", "type", "bridge")
    except subprocess.CalledProcessError as error:
        return "namespaces are of no use here: " + error.stderr.strip()
    finally:
        do("ip", "netns", "del", name)
    return None


class NetworkTest(RanksTest):
    def setUp(self):
        super().setUp()
        self.prefix = f"tr{os.getpid()}"
        self.addCleanup(self.remove_network)
        self.make_network()
        self.agent = self.folder / "agent"
        self.agent.write_text(AGENT.format(prefix=self.prefix))
        self.agent.chmod(0o755)

    def space(self, host):
        return f"{self.prefix}-{host}"

    def make_network(self):
        """A bridge in the first namespace, and a cable from there to each of the others."""
        for host in HOSTS:
            do("ip", "netns", "add", self.space(host))
            do("ip", "-n", self.space(host), "link", "set", "lo", "up")
        hub = self.space(HOSTS[0])
        do("ip", "-n", hub, "link", "add", "name", "hub", "type", "bridge")
        do("ip", "-n", hub, "addr", "add", f"{HOSTS[0]}/24", "dev", "hub")
        do("ip", "-n", hub, "link", "set", "hub", "up")
        for i, host in enumerate(HOSTS[1:]):
            do("ip", "-n", hub, "link", "add", "name", f"to{i}", "type", "veth", "peer", "name",
               "cable", "netns", self.space(host))
            do("ip", "-n", hub, "link", "set", f"to{i}", "master", "hub", "up")
            do("ip", "-n", self.space(host), "addr", "add", f"{host}/24", "dev", "cable")
            do("ip", "-n", self.space(host), "link", "set", "cable", "up")

    def remove_network(self):
        for host in HOSTS:
            subprocess.run(["ip", "netns", "del", self.space(host)], check=False,
                           stderr=subprocess.DEVNULL)

    def line(self, programs, options=()):
        # Each of the last two is known to one of Open MPI 4 and 5 by the first name, to the other by
        # the second.
        self.settings = [
            SEVERAL_PROGRAMS, "OMPI_MCA_btl=tcp,self", f"OMPI_MCA_btl_tcp_if_include={NETWORK}.0/24",
            f"OMPI_MCA_plm_rsh_agent={self.agent}", f"PRTE_MCA_plm_ssh_agent={self.agent}",
            f"OMPI_MCA_oob_tcp_if_include={NETWORK}.0/24", f"PRTE_MCA_prte_if_include={NETWORK}.0/24"]
        words = super().line(programs, [
            "--leave-session-attached",
            "-H", f"{HOSTS[0]}:1,{HOSTS[1]}:1,{HOSTS[2]}:{MODULES - 1}", *options])
        return ["ip", "netns", "exec", self.space(HOSTS[0]), *words]

    def received(self, host):
        """Bytes that came over the cable."""
        text = do("ip", "netns", "exec", self.space(host), "cat", "/proc/net/dev")
        return int(re.search(r"cable:\s*(\d+)", text).group(1))

    def test_same_bits(self):
        before = [self.received(host) for host in HOSTS[1:]]
        code, text = self.run_ranks([self.coordinator("bodies", 100), *bodies()])
        self.assertEqual(code, 0, text)
        self.rows_are_whole(100)
        counted = re.search(r"counted (\d+) messages (\d+) bytes, real \1 messages \2 bytes", text)
        self.assertIsNotNone(counted, text)
        # A module's questions are more than a quarter of its bytes, and each host has a module of
        # three: what came over its cable is at least a twelfth of all.
        # Open MPI 5 distributes the programs of a line differently: a host may have no module.
        least = int(counted.group(2)) // 12 if not is_open_mpi_5() else 0
        for host, bytes_before in zip(HOSTS[1:], before):
            self.assertGreater(self.received(host) - bytes_before, least)

    def broken(self, number, pattern, timeout=LIMIT):
        run = self.start([self.coordinator("creeping", ENDLESS, timeout=timeout),
                          *creeping(bodies())])
        self.wait_for_rows(run, 20)
        os.kill(self.process_of("rocker"), number)
        _, text = self.finish(run)
        self.nothing_is_left()
        self.tells(text, pattern)
        self.assertEqual(self.outcome(), 5, text)
        self.rows_are_whole(20, "creeping")

    def test_kill_9_on_another_host(self):
        """Its process cannot be seen from here: mpirun notices, and says so to the coordinator, long
        before the module's time is over. It ends the coordinator, too, one second later, which on a
        busy machine may come before its words: then once more, seven times at most."""
        words = (r"module '\w+' \(rank \d\): no answer while the run ends: it has probably "
                 r"crashed; at t = [0-9.]+ s$")
        if is_open_mpi_5():
            self.skipTest("Open MPI 5 ends all processes where a connection is closed, at once")
        for attempt in range(8):
            try:
                self.broken(signal.SIGKILL, words)
                return
            except AssertionError:
                if attempt == 7:
                    raise
                for name in ("rows", "rows.error", "outcome", "local"):
                    (self.folder / name).unlink(missing_ok=True)

    def test_stopped_on_another_host(self):
        self.broken(signal.SIGSTOP, r"module 'rocker' \(rank 3\): no answer for 3 s.*; at t = ",
                    timeout=TIMEOUT)


if __name__ == "__main__":
    WHY = "only root may do this" if os.geteuid() != 0 else missing()
    if WHY is not None:
        print(f"skipped: {WHY}")
        sys.exit(SKIPPED)
    pathlib.Path("/run/netns").mkdir(exist_ok=True)
    unittest.main()
