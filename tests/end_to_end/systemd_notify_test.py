"""systemd hears the state of the service (sd_notify(3))."""

import contextlib
import errno
import os
import signal
import socket
import time
import unittest

from served import ENGINES, fetch, processes
from service_manager import Heard, Managed, environment_of
from versions import Versions


class Single(Managed):
    """A server without a supervisor."""

    def serve_heard(self, *options, **added):
        return self.start("serve", self.top, "--engine", self.engine, *options, NOTIFY_SOCKET=self.heard.place, **added)

    def expect_stop(self, server):
        server.signal(signal.SIGTERM)
        self.heard.wait_for("STOPPING=1")
        self.assertEqual(server.wait(), 0)

    def test_it_is_ready_when_it_serves_and_stops_when_it_is_told(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                server = self.serve_heard("--port", "0")
                status = self.heard.wait_for("READY=1")["STATUS"]
                self.assertEqual(fetch(int(status.rpartition(":")[2]), "/")[0].status, 200)
                self.expect_stop(server)

    def test_a_quiet_server_speaks_to_systemd(self):
        server = self.serve_heard("--port", "0", "--quiet")
        self.heard.wait_for("READY=1")
        self.expect_stop(server)

    def test_each_message_comes_once(self):
        server = self.serve_heard("--port", "0", "--engine", "prefork", "--workers", "3")
        self.heard.wait_for("READY=1")
        for pid in processes(server.process.pid):
            with contextlib.suppress(ProcessLookupError):  # a worker that the supervisor has stopped meanwhile
                os.kill(pid, signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.assertEqual([each for each in self.heard.rest() if "STOPPING" in each], [{"STOPPING": "1", "STATUS": "stopping"}])

    def test_an_abstract_socket_is_a_place_too(self):
        self.heard = self.hear(f"@weir-test-{time.monotonic_ns()}")
        server = self.serve_heard("--port", "0")
        self.heard.wait_for("READY=1")
        self.expect_stop(server)

    def test_a_hangup_is_a_reload(self):
        server = self.serve_heard("--port", "0")
        self.heard.wait_for("READY=1")
        before = time.monotonic_ns() // 1000
        server.signal(signal.SIGHUP)
        at = int(self.heard.wait_for("RELOADING=1")["MONOTONIC_USEC"])
        self.assertLessEqual(before, at)
        self.assertLessEqual(at, time.monotonic_ns() // 1000)
        self.heard.wait_for("READY=1")
        self.expect_stop(server)

    def test_a_failed_start_has_its_reason(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            place = f"127.0.0.1:{taken.getsockname()[1]}"
            server = self.serve_heard("--bind", place)
            message = self.heard.wait_for(f"ERRNO={errno.EADDRINUSE}")
            self.assertEqual(server.wait(), 1)
        self.assertRegex(message["STATUS"], f"^weir serve: cannot listen on {place}: Address already in use")
        self.assertNotIn("READY", message)

    def test_wrong_options_have_their_reason(self):
        server = self.serve_heard("--port", "many")
        message = self.heard.wait_for(f"ERRNO={errno.EINVAL}")
        self.assertEqual(server.wait(), 2)
        self.assertIn("--port", message["STATUS"])

    def test_a_place_that_is_none_is_said(self):
        for place, why in (("/nowhere/notify", "can't be reached: No such file"), ("vsock:2:1", "is neither a path nor an abstract socket"),
                           ("/" + "x" * 120, "is too long")):
            server = self.start("serve", self.top, "--port", "0", NOTIFY_SOCKET=place)
            server.wait_for_line(f"weir: NOTIFY_SOCKET: '{place}' {why}")
            self.assertEqual(fetch(server.wait_for_banner().port, "/")[0].status, 200)


class Supervised(Managed):
    """A server under its supervisor, which speaks for all generations."""

    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        self.site.mkdir()
        self.file = self.top / "weir.toml"
        self.write("port = 0")

    def write(self, *lines):
        self.file.write_text("\n".join([f'root = "{self.site}"', *lines, ""]))

    def serve_heard(self, **added):
        return self.start("serve", "--config", self.file, NOTIFY_SOCKET=self.heard.place, **added)

    def test_a_start_a_reload_and_a_stop(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                self.write("port = 0", f'engine = "{self.engine}"')
                server = self.serve_heard()
                self.assertRegex(self.heard.wait_for("READY=1")["STATUS"], r"^generation 1 \(pid \d+\) serves$")
                server.signal(signal.SIGHUP)
                self.assertIn("MONOTONIC_USEC", self.heard.wait_for("RELOADING=1"))
                self.assertRegex(self.heard.wait_for("READY=1")["STATUS"], r"^generation 2 \(pid \d+\) serves; nothing changed$")
                server.signal(signal.SIGTERM)
                self.heard.wait_for("STOPPING=1")
                self.assertEqual(server.wait(), 0)

    def test_a_failed_reload_ends_too(self):
        server = self.serve_heard()
        self.heard.wait_for("READY=1")
        self.write("port = 0", "nonsense = 1")
        server.signal(signal.SIGHUP)
        self.heard.wait_for("RELOADING=1")
        self.assertRegex(self.heard.wait_for("READY=1")["STATUS"], r"^reload failed: .*nonsense.*generation 1 \(pid \d+\) goes on$")

    def test_a_failed_start_has_its_reason(self):
        self.write('bind = "fd:web"')
        server = self.serve_heard()
        self.assertEqual(server.wait(), 1)
        heard = self.heard.rest()
        self.assertTrue(any("cannot listen on fd:web" in each.get("STATUS", "") for each in heard), heard)
        self.assertFalse(any("READY" in each for each in heard), heard)

    def test_generations_do_not_inherit_the_variables(self):
        web = self.listener()
        self.write('bind = "fd:web"')
        server = self.activate({"web": web}, "--config", self.file, root=self.site)
        status = self.heard.wait_for("READY=1")["STATUS"]
        generation = int(status.partition("pid ")[2].partition(")")[0])
        environment = environment_of(generation)
        self.assertNotIn("NOTIFY_SOCKET", environment)
        self.assertEqual((environment["LISTEN_PID"], environment["LISTEN_FDS"], environment["LISTEN_FDNAMES"]), (str(generation), "1", "web"))
        self.assertNotEqual(generation, server.process.pid)


class Upgraded(Versions):
    """A server whose supervisor is replaced: the next one has what systemd gave."""

    activate, listener = Managed.activate, Managed.listener

    def setUp(self):
        super().setUp()
        self.heard = Heard(str(self.folder / "notify"))
        self.addCleanup(self.heard.socket.close)

    def test_the_next_supervisor_has_the_sockets_and_speaks(self):
        web = self.listener()
        watchdog = {"WATCHDOG_USEC": "100000000"}
        server = self.activate({"web": web}, "--bind", "fd:web", "--control", self.control, root=self.site, **watchdog)
        self.heard.wait_for("READY=1")
        self.upgrade_to_the_next()
        self.heard.wait_for("RELOADING=1")
        self.assertRegex(self.heard.wait_for("READY=1")["STATUS"], r"^generation 2 \(pid \d+\) serves; weir")
        self.reload()
        self.assertRegex(self.heard.wait_for("READY=1")["STATUS"], r"^generation 3 \(pid \d+\) serves")
        self.assertEqual(environment_of(self.serving())["WATCHDOG_USEC"], watchdog["WATCHDOG_USEC"])
        self.assertEqual(fetch(web.getsockname()[1], "/")[0].status, 200)
        server.signal(signal.SIGTERM)
        self.heard.wait_for("STOPPING=1")
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
