"""Thousands of hostile peers of eight kinds at once (see hostile.cpp), and one client that is not.

    hostile_peers_test.py                     a short form, with one engine; every request of the client is answered
    hostile_peers_test.py --all [SECONDS]     every engine on a loop, for 20 s each by default; on a quiet machine, for it judges
                                              how long the client waits, too

The other engines make no promise here (docs/engines.md): a thread or process for each peer, or for each that is slow.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from served import ENGINES, EndToEnd

CROWD = 10_000
# select(2) knows no descriptor past 1,023, and poll(2) looks at all of them in each turn.
SMALLER_CROWDS = {"select": 800, "poll": 2_000}
LOOPS = ("select", "poll", "epoll-level", "epoll-edge", "coroutines", "reactor", "epoll-workers", "per-core", "prefork",
         "io-uring", "asio")
DESCRIPTORS_BESIDES = 200
P99_MS_MAX = 50
# Of each peer, and of the server without any.
KIB_PER_PEER, KIB_OF_SERVER = 8, 32 * 1024
LINE = re.compile(r"(alone|beside) asked (\d+) failed (\d+) median ([\d.]+) p99 ([\d.]+) max ([\d.]+)")
CUT = re.compile(r"(\w+) came (\d+) cut (\d+)")

engines, seconds, on_a_quiet_machine = ("per-core",), 5, False


class HostilePeers(EndToEnd):
    def setUp(self):
        self.site = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.site / "index.html").write_text(f"<html>{'x' * 1000}</html>\n", encoding="ascii")
        with open(self.site / "large", "wb") as large:
            large.truncate(100_000_000)

    def besiege(self, engine):
        peers = min(SMALLER_CROWDS.get(engine, CROWD), resource.getrlimit(resource.RLIMIT_NOFILE)[1] - DESCRIPTORS_BESIDES)
        self.engine = engine
        # Short times, so that slow peers meet the deadlines, and come back.
        server = self.serve(self.site, "--head-timeout", "4s", "--keep-alive-timeout", "2s", "--transmit-timeout", "2s",
                            *(("--max-connections", 900) if engine == "select" else ()))
        done = subprocess.run([os.environ["WEIR_HOSTILE"], str(server.port), str(peers), str(seconds)], capture_output=True,
                              text=True, timeout=60 * seconds, check=True)
        return server, peers, done.stdout

    def test_a_crowd_keeps_nobody_waiting(self):
        for engine in engines:
            with self.subTest(engine=engine):
                if engine not in ENGINES:
                    self.skipTest(f"{engine} can't run here")
                server, peers, report = self.besiege(engine)
                memory = server.memory_kib("VmHWM")
                print(f"{engine}, {peers} peers, {memory} KiB\n{report}", file=sys.stderr)
                windows = LINE.findall(report)
                self.assertGreater(sum(int(asked) for when, asked, *_ in windows if when == "beside"), 0, report)
                self.assertEqual(sum(int(failed) for _, _, failed, *_ in windows), 0, report)
                if on_a_quiet_machine:
                    # Other programs may take the machine for a second; not for all of them.
                    best = min(float(p99) for when, _, _, _, p99, _ in windows if when == "beside")
                    self.assertLess(best, P99_MS_MAX, report)
                cut = {kind: int(times) for kind, _, times in CUT.findall(report)}
                for kind in ("slow_head", "silent", "half_closer"):
                    self.assertGreater(cut[kind], 0, report)
                self.assertLess(memory, KIB_OF_SERVER + peers * KIB_PER_PEER, report)
                self.assertIsNone(server.process.poll())
                server.stop()


if __name__ == "__main__":
    if "--all" in sys.argv:
        engines, seconds, on_a_quiet_machine = LOOPS, int((sys.argv + ["20"])[sys.argv.index("--all") + 1]), True
    unittest.main(argv=sys.argv[:1])
