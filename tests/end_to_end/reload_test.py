"""`weir reload` and SIGHUP: every option may change, and no request is lost.

usage: reload_test.py [REQUESTS] [TEST]: so many requests for each engine, 500 if nothing else is said"""

import contextlib
import os
import signal
import socket
import sys
import time
import unittest
import urllib.request
from pathlib import Path

from served import ENGINES, PATIENCE_SECONDS, processes, run, wait_until
from supervised import Load, Supervised, ask, ask_if_in_time, ask_on_a_connection_each, ask_on_one_connection

REQUESTS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 500
LARGE = 64 << 20  # more than sockets hold
# One connection at a time: one that is kept gives way to those that wait.
KEEPS_NO_CONNECTION = {"blocking"}


class Reload(Supervised):
    def test_no_request_is_lost(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                self.reload_under_load()

    def reload_under_load(self):
        server = self.serve_supervised("--stop-timeout", "10m")
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
            while load.goes_on() or reloads < 2:
                self.assertEqual(self.reload(), "nothing changed")
                reloads += 1
        print(f"{self.engine}: {load.answered} requests, {reloads} reloads, {len(load.lost)} lost")
        self.assertEqual(load.lost, [])
        self.assertNotEqual(self.serving(), first)
        self.end(server)

    def test_a_request_on_a_kept_connection_gets_the_last_answer(self):
        server = self.serve_supervised()
        wait_until(lambda: self.gets_the_last_answer(server))
        self.wait_for_one_generation()

    def gets_the_last_answer(self, server):
        """The one that says "Connection: close". False where this client itself stood still until nobody waited for its request."""
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as kept:
            self.assertFalse(ask(kept)[0])
            asked = time.monotonic()
            self.reload()
            answer = (False,)
            while not answer[0]:
                before, asked = asked, time.monotonic()
                if not (answer := ask_if_in_time(kept, before)):
                    return False
            self.assertEqual(kept.recv(1), b"")
            return True

    def test_hangup_reloads(self):
        server = self.serve_supervised()
        first = self.serving()
        server.signal(signal.SIGHUP)
        server.wait_for_line(r"generation 2 \(pid \d+\) serves; nothing changed")
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
        self.assertIn("weir reload: cannot serve ", errors)
        self.assertIn("goes on", errors)
        self.assertEqual(errors.count("\n"), 1)
        root.symlink_to(self.site)
        self.assertEqual(self.serving(), before)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        self.reload()

    def test_standard_streams_that_are_closed_are_no_sockets(self):
        """Or messages would go to a socket of the supervisor, and be taken for an answer."""
        root = self.folder / "root"
        root.symlink_to(self.site)
        closed = ("sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-')
        supervisor = self.start("serve", root, "--port", "0", "--control", self.control, prefix=closed).process.pid
        for pid in (self.serving(), supervisor):
            self.assertEqual({os.readlink(f"/proc/{pid}/fd/{stream}") for stream in range(3)}, {"/dev/null"})
        root.unlink()
        self.assertIn("weir reload: cannot serve ", self.tell("reload")[2])

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
        with open(self.site / "large", "wb") as large:
            large.truncate(1 << 30)  # more than sockets hold
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as slow:
            slow.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(slow.recv(1), b"H")  # its answer is under way
            server.signal(signal.SIGTERM)
            server.wait_for_line("finishing")
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 0)

    def test_a_signal_to_all_processes_finishes_what_is_under_way(self):
        with open(self.site / "large", "wb") as large:
            large.truncate(LARGE)
        for self.engine in "per-core", "prefork":
            with self.subTest(self.engine):
                self.finish_after_a_signal_to_all(self.serve_supervised("--stop-timeout", "1h"))

    def test_the_status_of_a_stop_says_no_more_than_that(self):
        server = self.serve_supervised("--drain-delay", "1h")
        server.signal(signal.SIGTERM)
        wait_until(lambda: self.tell("status")[1].startswith("the server stops\n1 generation finishes its requests\n"))
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)

    def finish_after_a_signal_to_all(self, server):
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/large", timeout=PATIENCE_SECONDS) as slow:
            for pid in list(processes(server.process.pid)):  # the supervisor first: its order reaches the others, too
                with contextlib.suppress(ProcessLookupError):  # idle workers end
                    os.kill(pid, signal.SIGTERM)
                wait_until(lambda: "the server stops" in self.tell("status")[1])
            self.assertEqual(sum(map(len, iter(lambda: slow.read(1 << 16), b""))), LARGE)
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


class ReloadOfAFile(Supervised):
    def setUp(self):
        super().setUp()
        self.sites = {}
        for name in ("one", "two"):
            self.sites[name] = self.folder / name
            self.sites[name].mkdir()
            (self.sites[name] / "index.html").write_text(name, encoding="ascii")
        self.file = self.folder / "weir.toml"

    def write(self, text):
        self.file.write_text(text, encoding="utf-8")

    def serve_file(self, text, *options):
        self.write(text)
        return self.start("serve", "--config", self.file, "--port", "0", *options).wait_for_banner()

    def serve_controlled(self, text):
        return self.serve_file(text, "--control", self.control)

    def test_sites_headers_and_engine_change(self):
        server = self.serve_controlled(f'root = "{self.sites["one"]}"\nengine = "per-core"\n')
        self.assertEqual(self.fetch(server, "/")[1], b"one")
        self.write(f'engine = "epoll-edge"\n[[site]]\nhost = "two.test"\nroot = "{self.sites["two"]}"\nheader = ["/**: X-New: yes"]\n'
                   f'[[site]]\ndefault = true\nroot = "{self.sites["one"]}"\n')
        self.assertEqual(self.reload(), f"root {self.sites['one']} -> ., engine per-core -> epoll-edge, site two.test added, "
                                        "the default site added")
        self.wait_for_one_generation()
        response, body = self.fetch(server, "/", Host="two.test")
        self.assertEqual((response.headers["X-New"], body), ("yes", b"two"))
        self.assertEqual(self.fetch(server, "/", Host="else.test")[1], b"one")

    def test_addresses_come_and_go(self):
        self.serve_controlled(f'root = "{self.sites["one"]}"\n')
        path = self.folder / "http"
        self.write(f'root = "{self.sites["one"]}"\nbind = ["127.0.0.1", "unix:{path}"]\n')
        self.assertEqual(self.reload(), f"bind 127.0.0.1 -> 127.0.0.1, unix:{path}")
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_SECONDS)
            client.connect(str(path))
            self.assertEqual(ask(client)[1], b"one")
        self.write(f'root = "{self.sites["one"]}"\nbind = "0.0.0.0"\n')
        self.assertEqual(self.reload(), f"bind 127.0.0.1, unix:{path} -> 0.0.0.0")
        wait_until(lambda: not path.exists())
        self.wait_for_one_generation()

    def test_hangup_says_what_changed_without_a_control_socket(self):
        server = self.serve_file(f'root = "{self.sites["one"]}"\n')
        self.write(f'root = "{self.sites["two"]}"\nspa = true\n')
        server.signal(signal.SIGHUP)
        server.wait_for_line(r"weir serve: generation 2 \(pid \d+\) serves; root .*/one -> .*/two, spa false -> true")
        wait_until(lambda: self.fetch(server, "/")[1] == b"two")
        self.end(server)

    def test_an_error_is_named_and_changes_nothing(self):
        server = self.serve_controlled(f'root = "{self.sites["one"]}"\n')
        before = self.serving()
        self.write(f'root = "{self.sites["two"]}"\nlistning = true\n')
        status, _, errors = self.tell("reload")
        self.assertEqual(status, 1)
        self.assertIn(f"{self.file}:2:1: ", errors)
        self.assertIn("goes on", errors)
        self.assertEqual(self.serving(), before)
        self.assertEqual(self.fetch(server, "/")[1], b"one")
        path = self.folder / "http"
        self.write(f'root = "{self.sites["two"]}"\nbind = ["127.0.0.1", "unix:{path}"]\naccess-log = "{self.folder}/none/log"\n')
        self.assertIn("cannot write the access log", self.tell("reload")[2])
        wait_until(lambda: not path.exists())  # it was bound before
        self.write(f'root = "{self.sites["two"]}"\n')
        self.assertEqual(self.reload(), f"root {self.sites['one']} -> {self.sites['two']}")

    def test_one_that_cannot_start_again_is_reported(self):
        server = self.serve_controlled(f'root = "{self.sites["one"]}"\n')
        self.write("listning = true\n")
        os.kill(self.serving(), signal.SIGKILL)
        server.wait_for_line(rf"^weir serve: {self.file}:1:1: .*; another one starts")
        self.write(f'root = "{self.sites["two"]}"\n')
        server.wait_for_line(r"generation \d+ \(pid \d+\) serves")

    def test_what_only_the_start_reads_needs_a_restart(self):
        self.serve_controlled(f'root = "{self.sites["one"]}"\n')
        self.write(f'root = "{self.sites["one"]}"\nready-timeout = "5s"\nspa = true\n')
        self.assertEqual(self.reload(), "spa false -> true; ready-timeout 30s -> 5s needs a restart")

    def test_one_that_is_not_ready_in_time_is_ended(self):
        server = self.serve_file(f'root = "{self.sites["one"]}"\n', "--control", self.control, "--ready-timeout", "1ms")
        number, status = 1, 0
        while status == 0 and number < 50:  # a supervisor that is itself late finds it ready
            number += 1
            status, _, errors = self.tell("reload")
        self.assertEqual(status, 1)
        self.assertRegex(errors, rf"generation {number} \(pid \d+\) was not ready within 1 ms \(--ready-timeout\); generation {number - 1} ")
        self.assertEqual(self.fetch(server, "/")[1], b"one")

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_each_generation_gives_up_its_privileges(self):
        self.folder.chmod(0o755)
        self.serve_file(f'root = "{self.sites["one"]}"\nuser = "nobody"\n', "--control", self.control)
        for _ in range(2):
            self.assertNotEqual(Path(f"/proc/{self.serving()}").stat().st_uid, 0)
            self.assertEqual(self.reload(), "nothing changed")


if __name__ == "__main__":
    unittest.main()
