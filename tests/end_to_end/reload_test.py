"""`weir reload` and SIGHUP under a supervisor: everything may change, and no request is lost.

usage: reload_test.py [REQUESTS] [TEST]: so many requests for each engine, 2,000 if nothing else is said"""

import os
import signal
import socket
import sys
import unittest
from pathlib import Path

from served import ENGINES, PATIENCE_SECONDS, run, wait_until
from supervised import Load, Supervised, ask, ask_on_a_connection_each, ask_on_one_connection

REQUESTS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 2000
# One connection at a time: one that is kept gives way to those that wait.
KEEPS_NO_CONNECTION = {"blocking"}


class Reload(Supervised):
    def test_no_request_is_lost(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                self.reload_under_load()

    def reload_under_load(self):
        server = self.serve_supervised("--stop-timeout", "10s")
        try:
            self.expect_no_loss(server)
        finally:
            server.stop()

    def expect_no_loss(self, server):
        first = self.serving()
        ways = [ask_on_a_connection_each]
        if self.engine not in KEEPS_NO_CONNECTION:
            ways.append(ask_on_one_connection)
        reloads = 0
        with Load(server.port, REQUESTS, ways) as load:
            while load.goes_on() or reloads == 0:
                self.reload()
                reloads += 1
        print(f"{self.engine}: {load.answered} requests, {reloads} reloads, {len(load.lost)} lost")
        self.assertEqual(load.lost, [])
        self.assertNotEqual(self.serving(), first)
        self.end(server)

    def test_a_request_on_a_kept_connection_gets_the_last_answer(self):
        server = self.serve_supervised()
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as kept:
            self.assertFalse(ask(kept)[0])
            self.reload()
            wait_until(lambda: ask(kept)[0])  # the answer that says "Connection: close"
            self.assertEqual(kept.recv(1), b"")
        self.wait_for_one_generation()

    def test_hangup_reloads(self):
        server = self.serve_supervised()
        first = self.serving()
        server.signal(signal.SIGHUP)
        server.wait_for_line(r"generation 2 \(pid \d+\) serves")
        self.assertNotEqual(self.serving(), first)

    def test_each_generation_has_the_configuration_of_its_time(self):
        root = self.folder / "root"
        root.symlink_to(self.site)
        server = self.serve(root, "--control", self.control)
        other = self.folder / "other"
        other.mkdir()
        (other / "index.html").write_bytes(b"another site")
        root.unlink()
        root.symlink_to(other)
        self.reload()
        self.wait_for_one_generation()  # until then, both accept
        self.assertEqual(self.fetch(server, "/")[1], b"another site")

    def test_what_fails_changes_nothing(self):
        root = self.folder / "root"
        root.symlink_to(self.site)
        server = self.serve(root, "--control", self.control)
        before = self.serving()
        root.unlink()
        status, said, errors = self.tell("reload")
        self.assertEqual((status, said), (1, ""))
        self.assertIn("reload failed: weir serve: ", errors)
        self.assertIn("goes on", errors)
        self.assertEqual(errors.count("\n"), 1)
        self.assertEqual(self.serving(), before)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        root.symlink_to(self.site)
        self.reload()

    def test_unix_sockets_stay_until_the_end(self):
        path = self.folder / "http"
        server = self.start("serve", self.site, "--bind", f"unix:{path}", "--control", self.control)
        server.wait_for_line("Ctrl-C")
        self.reload()
        self.wait_for_one_generation()
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_SECONDS)
            client.connect(str(path))
            ask(client)
        self.end(server)
        self.assertFalse(path.exists())
        self.assertFalse((self.folder / "control").exists())

    def test_a_generation_that_dies_is_replaced(self):
        server = self.serve_supervised()
        os.kill(self.serving(), signal.SIGKILL)
        server.wait_for_line(r"generation 1 \(pid \d+\) died of SIGKILL; another one starts")
        server.wait_for_line(r"generation 2 \(pid \d+\) serves")
        self.assertEqual(self.fetch(server, "/")[0].status, 200)

    def test_generations_end_with_their_supervisor(self):
        server = self.serve_supervised()
        serving = self.serving()
        server.signal(signal.SIGKILL)
        server.wait()
        wait_until(lambda: not Path(f"/proc/{serving}").exists())

    def test_stop(self):
        server = self.serve_supervised()
        status, said, errors = self.tell("stop")
        self.assertEqual((status, said, errors), (0, "stopped\n", ""))
        self.assertEqual(server.wait(), 0)

    def test_a_second_signal_ends_it_at_once(self):
        server = self.serve_supervised("--stop-timeout", "1h")
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as half:
            half.sendall(b"GET / HTTP/1.1\r\n")
            ask_on_one_connection(server.port, 1)
            server.signal(signal.SIGTERM)
            server.wait_for_line("finishing")
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 0)

    def test_only_the_user_reaches_the_socket(self):
        self.serve_supervised()
        self.assertEqual((self.folder / "control").stat().st_mode & 0o777, 0o600)

    def test_requests_that_are_none(self):
        self.serve_supervised()
        for request in (b"reboot\n", b"x" * 100, b"\x00\n", b""):
            with self.subTest(request=request), socket.socket(socket.AF_UNIX) as client:
                client.settimeout(PATIENCE_SECONDS)
                client.connect(f"{self.folder}/control")
                client.sendall(request)
                client.shutdown(socket.SHUT_WR)
                self.assertEqual(client.recv(100), b"error unknown request\n")
        self.serving()

    def test_a_wrong_option_ends_the_start(self):
        status, _, errors = run("serve", self.site, "--control", self.control, "--port", "x")
        self.assertEqual(status, 2)
        self.assertIn("--port", errors)
        status, _, errors = run("serve", self.folder / "missing", "--control", self.control)
        self.assertNotEqual(status, 0)
        self.assertEqual(errors.count("\n"), 1)

    def test_without_a_server(self):
        status, _, errors = self.tell("reload")
        self.assertEqual(status, 1)
        self.assertIn("no server answers", errors)
        self.assertEqual(run("reload")[0], 2)


if __name__ == "__main__":
    unittest.main()
