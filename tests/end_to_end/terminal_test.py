"""weir serve on a terminal: requests are shown as they happen, and Ctrl-C says what it finishes."""

import os
import pty
import re
import select
import signal
import socket
import tempfile
import time
import unittest
from http.client import HTTPConnection
from pathlib import Path

from served import PATIENCE_SECONDS, SITE, EndToEnd, binary, die_with_parent, environment, exchange, for_each_engine, wait_until

LINE = r"\d\d:\d\d:\d\d {status} +[\d.]+ K?B +(<?\d+ ms|[\d.]+ s)  {request}\r\n"


class Terminal:
    """A server that has a terminal of its own."""

    def __init__(self, *arguments, **added):
        self.said = ""
        command, variables = [binary(), *map(str, arguments)], environment(**{"TERM": "xterm", **added})
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            die_with_parent()
            os.execve(command[0], command, variables)

    def wait_for(self, pattern):
        """The match of what comes behind all that was waited for before."""
        while not (match := re.search(pattern, self.said)):
            self.more_comes()
            self.said += os.read(self.master, 4096).decode()
        self.said = self.said[match.end():]
        return match

    def more_comes(self):
        if not select.select([self.master], [], [], PATIENCE_SECONDS)[0]:
            raise AssertionError(f"nothing came in {PATIENCE_SECONDS} s behind {self.said!r}")
        return True

    def shows(self, pattern):
        """Whether that has come, behind all that was waited for before."""
        while select.select([self.master], [], [], 0)[0]:
            self.said += os.read(self.master, 4096).decode()
        return re.search(pattern, self.said)

    def wait_for_end(self):
        """Its exit status, and what it said last."""
        try:
            while self.more_comes():
                self.said += os.read(self.master, 4096).decode()
        except OSError:  # EIO: nobody has the terminal open any more
            pass
        status = os.waitpid(self.pid, 0)[1]
        self.pid = 0
        return status, self.said

    def press(self, key):
        os.write(self.master, key)

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)


class OnTerminal(EndToEnd):
    def on_terminal(self, *arguments, **added):
        terminal = Terminal(*arguments, "--port", "0", "--engine", self.engine, **added)
        self.addCleanup(terminal.close)
        self.port = int(terminal.wait_for(r"http://127\.0\.0\.1:(\d+)/")[1])
        terminal.wait_for(r"--bind.*\r\n")
        return terminal

    def get(self, target):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            return exchange(connection, target)[0].status
        finally:
            connection.close()

    def end(self, terminal):
        terminal.press(b"\x03")
        status, said = terminal.wait_for_end()
        self.assertEqual(status, 0)
        return said


@for_each_engine
class Shown(OnTerminal):
    def test_requests_as_they_happen(self):
        terminal = self.on_terminal("serve", SITE)
        self.assertEqual(self.get("/none?%1b"), 404)
        terminal.wait_for("^" + LINE.format(status="\x1b\\[33m404\x1b\\[0m", request=r"GET /none\?%1b"))

    def test_what_ctrl_c_finishes(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(Path(folder) / "large.bin", "wb") as file:
                file.truncate(64 << 20)
            terminal = self.on_terminal("serve", folder, "--stop-timeout", "10m")
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
                client.settimeout(PATIENCE_SECONDS)
                client.connect(("127.0.0.1", self.port))
                client.sendall(b"GET /large.bin HTTP/1.1\r\nHost: weir\r\n\r\n")
                self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 200 "))
                terminal.press(b"\x03")
                terminal.wait_for(r"\rfinishing .* for 600 s at most; press Ctrl-C again to end at once\r\n")
                terminal.press(b"\x03")
                self.assertRegex(terminal.wait_for_end()[1], r"GET /large\.bin \(stopped\)\r\n$")


class Display(OnTerminal):
    def test_has_no_colour_where_that_is_not_wanted(self):
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            terminal = self.on_terminal("serve", SITE, **variables)
            self.get("/none")
            terminal.wait_for("^" + LINE.format(status="404", request="GET /none"))

    def test_is_off_when_it_is_to_be_quiet(self):
        terminal = Terminal("serve", SITE, "-q", "-b", "unix:" + self.socket_path())
        self.addCleanup(terminal.close)
        self.ask_on_socket()
        self.assertEqual(self.end(terminal), "^C")

    def socket_path(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = folder.name + "/socket"
        return self.path

    def ask_on_socket(self):
        until = time.monotonic() + PATIENCE_SECONDS
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_SECONDS)
            while client.connect_ex(self.path) != 0:
                self.assertLess(time.monotonic(), until)
            client.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while client.recv(1 << 16):
                pass

    def test_gives_way_to_a_log_on_standard_error(self):
        for option in (["-v"], ["--access-log", "-"]):
            terminal = self.on_terminal("serve", SITE, *option)
            self.get("/none")
            self.assertRegex(self.end(terminal), r'^(\^C)?127\.0\.0\.1 - - .*"GET /none HTTP/1\.1" 404[^\n]*\r\n(\^C)?$')

    def test_stands_beside_a_log_in_a_file(self):
        for engine in ("per-core", "prefork", "fork-per-connection"):
            with self.subTest(engine), tempfile.TemporaryDirectory() as folder:
                self.engine = engine
                terminal = self.on_terminal("serve", SITE, "--access-log", folder + "/log")
                self.get("/none")
                terminal.wait_for("GET /none\r\n")
                self.end(terminal)
                self.assertIn('"GET /none HTTP/1.1" 404', Path(folder + "/log").read_text("ascii"))

    def test_is_off_for_a_target(self):
        terminal = self.on_terminal("target")
        self.get("/none")
        self.assertEqual(self.end(terminal), "^C")

    def test_is_off_where_nobody_watches(self):
        server = self.serve()
        self.fetch(server, "/none")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.assertFalse([line for line in server.lines if "/none" in line])

    def test_on_a_terminal_that_is_held_makes_nobody_wait(self):
        for engine in ("per-core", "fork-per-connection"):
            with self.subTest(engine):
                self.engine = engine
                terminal = self.on_terminal("serve", SITE)
                terminal.press(b"\x13")  # Ctrl-S
                self.assertEqual({self.get(f"/none{number}") for number in range(3)}, {404})
                terminal.press(b"\x11")  # Ctrl-Q, which the kernel obeys a little later: a line that comes before is not shown
                wait_until(lambda terminal=terminal: self.get("/after") == 404 and terminal.shows("GET /after"))
                self.end(terminal)

    def test_on_a_terminal_that_is_held_lets_the_server_end(self):
        terminal = self.on_terminal("serve", SITE)
        terminal.press(b"\x13")
        self.assertEqual(self.get("/none"), 404)
        os.kill(terminal.pid, signal.SIGTERM)
        self.assertEqual(os.waitpid(terminal.pid, 0)[1], 0)
        terminal.pid = 0


if __name__ == "__main__":
    unittest.main()
