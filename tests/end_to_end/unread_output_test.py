"""Nobody reads standard error, or standard output: weir still serves, replaces workers and stops."""

import fcntl
import os
import re
import signal
import subprocess
import unittest
from pathlib import Path

from prefork_test import is_alive
from served import ENGINES, PATIENCE_SECONDS, SITE, binary, die_with_parent, environment, fetch, wait_until

PAGE = 4096


class FullPipe:
    """A pipe that takes nothing more. Its reader stays open, and does not read."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        fcntl.fcntl(self.writer, fcntl.F_SETPIPE_SZ, PAGE)

    def fill(self):
        # The mode is shared with the server: it must not become non-blocking there.
        own = os.open(f"/proc/self/fd/{self.writer}", os.O_WRONLY | os.O_NONBLOCK)
        try:
            while True:
                os.write(own, b"x" * 64)
        except BlockingIOError:
            os.close(own)

    def close(self):
        os.close(self.reader)
        os.close(self.writer)


def worker_other_than(replaced, supervisor):
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children")
    found = []

    def look():
        found[:] = [pid for pid in map(int, children.read_text(encoding="ascii").split()) if pid != replaced and is_alive(pid)]
        return found

    wait_until(look)
    return found[0]


def handles_sigterm(pid):
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"), re.MULTILINE)[1]
    return int(caught, 16) & 1 << (signal.SIGTERM - 1)


class UnreadOutput(unittest.TestCase):
    def start(self, engine, *options):
        """A server whose standard error is full from its banner on: (process, port)."""
        pipe = FullPipe()
        self.addCleanup(pipe.close)
        process = subprocess.Popen([binary(), "serve", SITE, "--port", "0", "--engine", engine, *options], text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=pipe.writer,
                                   env=environment(), preexec_fn=die_with_parent)
        self.addCleanup(self.end, process)
        banner = ""
        while not re.search("^engine", banner, re.MULTILINE):
            banner += process.stdout.readline()
        pipe.fill()
        return process, int(re.search(r"http://[^:]*:(\d+)/", banner)[1])

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def test_does_not_keep_a_server_from_stopping(self):
        for engine in ENGINES:
            with self.subTest(engine):
                process, port = self.start(engine, "--verbose")
                for _ in range(10):
                    self.assertEqual(fetch(port, "/")[0].status, 200)
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def test_does_not_keep_a_supervisor_from_replacing_workers(self):
        process, port = self.start("prefork", "--workers", "1")
        replaced = None
        for _ in range(3):
            replaced = worker_other_than(replaced, process.pid)
            os.kill(replaced, signal.SIGKILL)
        self.assertEqual(fetch(port, "/")[0].status, 200)

    def test_of_the_banner_does_not_keep_a_server_from_starting(self):
        pipe = FullPipe()
        self.addCleanup(pipe.close)
        pipe.fill()
        process = subprocess.Popen([binary(), "serve", SITE, "--port", "0"], stdin=subprocess.DEVNULL, stdout=pipe.writer,
                                   stderr=subprocess.DEVNULL, env=environment(), preexec_fn=die_with_parent)
        self.addCleanup(self.end, process)
        wait_until(lambda: handles_sigterm(process.pid))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)


if __name__ == "__main__":
    unittest.main()
