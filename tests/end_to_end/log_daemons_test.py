"""The log of requests goes to the daemons of syslog and the journal, under every engine."""

import select
import signal
import socket
import unittest
from pathlib import Path

from served import SITE, SOURCE, InAFolder, for_each_engine, processes, run, wait_until

# The log is written by a thread, by one of each worker process, or by the process of a connection.
WRITERS = ("per-core", "io-uring", "thread-pool", "prefork", "fork-per-connection")
ANSWER_SECONDS = 60


class Daemon:
    """A socket of datagrams at a path, as /dev/log is one."""

    def __init__(self, path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(ANSWER_SECONDS)
        self.socket.bind(str(path))

    def next(self):
        return self.socket.recv(1 << 17).decode("ascii")

    def all(self):
        """The datagrams that are there."""
        found = []
        while select.select([self.socket], [], [], 0)[0]:
            found.append(self.next())
        return found

    def next_with(self, text):
        """The datagrams up to the first one with the text."""
        found = [self.next()]
        while text not in found[-1]:
            found.append(self.next())
        return found

    def close(self):
        self.socket.close()
        self.path.unlink(missing_ok=True)


class WithADaemon(InAFolder):
    kind = "syslog"

    def setUp(self):
        super().setUp()
        self.path = self.top / "socket"
        self.daemon = self.begin()

    def begin(self):
        daemon = Daemon(self.path)
        self.addCleanup(daemon.close)
        return daemon

    def serve_logged(self, *options):
        return self.serve(SITE, "--access-log", f"{self.kind}:{self.path}", *options)


@for_each_engine
class Syslog(WithADaemon):
    def test_each_request_is_a_datagram(self):
        server = self.serve_logged()
        self.fetch(server, "/none")
        head = r"<30>[A-Z][a-z]{2} [ 1-3]\d \d\d:\d\d:\d\d weir\[\d+\]: "
        self.assertRegex(self.daemon.next(), rf'\A{head}127\.0\.0\.1 - - \[.*\] "GET /none HTTP/1\.1" 404 \d+ "-" "-"\Z')


@for_each_engine
class Troubled(WithADaemon):
    def setUp(self):
        if self.engine not in WRITERS:
            self.skipTest("another engine writes its log in the same way")
        super().setUp()
        workers = ["--workers", "1"] if self.engine == "prefork" else []  # each of them tells its own losses
        self.server = self.serve_logged("--access-log-format", "{path}", *workers)

    def test_a_daemon_that_was_restarted_is_found(self):
        self.fetch(self.server, "/before")
        self.assertRegex(self.daemon.next(), "]: /before$")
        self.daemon.close()
        self.fetch(self.server, "/lost")
        self.server.wait_for_line("a line of a log was dropped")
        self.daemon = self.begin()
        self.fetch(self.server, "/after")
        found = self.daemon.next_with("were dropped")
        self.assertRegex(found[0], "]: /after$")
        self.assertRegex(found[-1], r"^<28>.*weir: 1 lines were dropped$")

    def test_a_daemon_that_does_not_read_makes_no_request_wait(self):
        queue = int(Path("/proc/sys/net/unix/max_dgram_qlen").read_text(encoding="ascii"))
        asked = {f"/{number}" for number in range(queue + 20)}
        idle = len(list(processes(self.server.process.pid)))
        for path in asked:
            self.assertEqual(self.fetch(self.server, path)[0].status, 404)
        if self.engine != "fork-per-connection":  # the others keep the lines that wait
            self.assertEqual({self.path_of(self.daemon.next()) for _ in asked}, asked)
            return
        self.server.wait_for_line("a line of a log was dropped")
        wait_until(lambda: len(list(processes(self.server.process.pid))) == idle)
        found = self.daemon.all()
        self.assertLess({self.path_of(line) for line in found}, asked)
        self.fetch(self.server, "/after")
        lost = len(asked) - len(found)
        self.assertRegex(self.daemon.next_with("were dropped")[-1], rf"weir: {lost} lines were dropped$")

    def test_signals_for_a_file_change_nothing(self):
        self.server.signal(signal.SIGUSR1)
        self.fetch(self.server, "/after")
        self.assertRegex(self.daemon.next(), "]: /after$")
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)

    @staticmethod
    def path_of(datagram):
        return datagram.rpartition(" ")[2]


@for_each_engine
class Journal(WithADaemon):
    kind = "journald"

    def test_each_request_is_an_entry(self):
        server = self.serve_logged("--access-log-format", '"{method}" {path}')
        self.fetch(server, "/none")
        self.assertEqual(self.daemon.next().splitlines(), [
            "PRIORITY=6", "SYSLOG_IDENTIFIER=weir", "WEIR_STATUS=404", "WEIR_REMOTE=127.0.0.1", "WEIR_METHOD=GET",
            'MESSAGE="GET" /none'])


class Refused(InAFolder):
    def test_a_path_without_a_daemon(self):
        for path, reason in ((self.top / "none", "No such file or directory"), (SOURCE / "LICENSE", "Connection refused"),
                             ("x" * 108, "File name too long")):
            status, out, errors = run("serve", SITE, "--port", "0", "--access-log", f"syslog:{path}")
            self.assertEqual((status, out), (1, ""))
            self.assertIn(f"cannot write the access log syslog:{path}: {reason}", errors)


if __name__ == "__main__":
    unittest.main()
