"""systemd passes sockets, and weir serves them (sd_listen_fds(3))."""

import os
import signal
import socket
import ssl
import unittest

from served import ENGINES, PATIENCE_SECONDS, fetch, run
from service_manager import Managed, ask_at, connected_to
from supervised import Load, ask_on_a_connection_each

OK = "HTTP/1.1 200 OK"


class Passed(Managed):
    def expect_served(self, *listeners):
        for listener in listeners:
            with connected_to(listener) as client:
                self.assertEqual(ask_at(client)[0], OK)

    def test_all_are_served_under_each_engine(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                path = str(self.top / self.engine)
                web, local = self.listener(), self.listener(path)
                server = self.activate({"web": web, "local": local})
                status = self.heard.wait_for("READY=1")["STATUS"]
                self.assertRegex(status, rf"^serves .* at 127\.0\.0\.1:{web.getsockname()[1]}, unix:{path}$")
                for _ in range(8):
                    self.expect_served(web, local)
                server.signal(signal.SIGTERM)
                self.assertEqual(server.wait(), 0)
                self.assertTrue(os.path.exists(path))

    def test_connections_from_before_the_start_are_served(self):
        web = self.listener()
        with connected_to(web) as client:
            self.activate({"web": web})
            self.assertEqual(ask_at(client)[0], OK)

    def test_a_stopped_server_leaves_the_next_connection_in_the_queue(self):
        web = self.listener()
        first = self.activate({"web": web})
        self.heard.wait_for("READY=1")
        first.signal(signal.SIGTERM)
        self.assertEqual(first.wait(), 0)
        with connected_to(web) as client:
            self.activate({"web": web})
            self.assertEqual(ask_at(client)[0], OK)

    def test_a_name_and_a_number_choose(self):
        for choice in ("fd:second", "fd:4"):
            with self.subTest(choice=choice):
                first, second = self.listener(), self.listener()
                server = self.activate({"first": first, "second": second}, "--bind", choice)
                server.wait_for_banner()
                self.assertEqual(server.port, second.getsockname()[1])
                self.assertNotIn(str(first.getsockname()[1]), self.heard.wait_for("READY=1")["STATUS"])
                self.expect_served(second)

    def test_a_name_of_several_means_all_of_them(self):
        listeners = [self.listener(), self.listener()]
        self.activate(dict(zip("ab", listeners, strict=True)), "--bind", "fd:web", LISTEN_FDNAMES="web:web")
        self.heard.wait_for("READY=1")
        self.expect_served(*listeners)

    def test_an_ipv6_socket_serves_ipv4_too(self):
        try:
            wide = self.listener(("::", 0))
        except OSError:
            self.skipTest("there is no IPv6")
        self.activate({"web": wide}, "--no-listing")
        self.heard.wait_for("READY=1")
        self.assertEqual(fetch(wide.getsockname()[1], "/")[0].status, 200)

    def test_tls_and_its_redirect_have_names(self):
        secure, plain = self.listener(), self.listener()
        self.activate({"https": secure, "http": plain}, "--tls", "--bind", "fd:https", "--tls-redirect", "fd:http",
                      XDG_STATE_HOME=str(self.top))
        self.heard.wait_for("READY=1")
        with connected_to(plain) as client:
            line, rest = ask_at(client)
        self.assertEqual(line, "HTTP/1.1 308 Permanent Redirect")
        self.assertIn(b"https://localhost:%d/" % secure.getsockname()[1], rest)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with context.wrap_socket(connected_to(secure)) as client:
            self.assertEqual(ask_at(client)[0], OK)

    def test_the_sockets_count_as_addresses_for_rules(self):
        wide = self.listener(("0.0.0.0", 0))
        server = self.activate({"web": wide}, "--upload")
        self.assertEqual(server.wait(), 2)
        server.wait_for_line("--upload")


class Reloaded(Managed):
    def test_a_reload_keeps_them(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                web = self.listener()
                path = str(self.top / f"{self.engine}.sock")
                local = self.listener(path)
                control = f"unix:{self.top}/{self.engine}.control"
                server = self.activate({"web": web, "local": local}, "--control", control, "--bind", "fd:web", "--bind", "fd:local",
                                       "--stop-timeout", "10m")
                self.heard.wait_for("READY=1")
                reloads = 0
                with Load(web.getsockname()[1], 100, [ask_on_a_connection_each]) as load:
                    while load.goes_on() or reloads < 2:
                        self.assertEqual(run("reload", "--control", control)[::2], (0, ""))
                        reloads += 1
                self.assertEqual(load.lost, [])
                with connected_to(local) as client:
                    self.assertEqual(ask_at(client)[0], OK)
                server.signal(signal.SIGTERM)
                self.heard.wait_for("STOPPING=1")
                self.assertEqual(server.wait(), 0)
                self.assertTrue(os.path.exists(path))  # the socket unit goes on


class Refused(Managed):
    def expect_refusal(self, sockets, why, *options, status=2, **added):
        server = self.activate(sockets, *options, **added)
        server.wait_for_line(why)
        self.assertEqual(server.wait(), status)

    def test_an_unknown_name_is_refused(self):
        self.expect_refusal({"web": self.listener()}, r"--bind: no socket 'wev' was passed; the sockets are web \(3\);", "--bind", "fd:wev")
        self.expect_refusal({"web": self.listener()}, r"no socket '4' was passed", "--bind", "fd:4")

    def test_a_socket_that_does_not_listen_is_refused(self):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as quiet:
            quiet.bind(("127.0.0.1", 0))
            self.expect_refusal({"web": quiet}, r"LISTEN_FDS: descriptor 3 \(web\) does not listen")

    def test_other_descriptors_are_refused(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            self.expect_refusal({"web": datagrams}, r"descriptor 3 \(web\) is no stream socket")
        with open(__file__, encoding="utf-8") as file:
            self.expect_refusal({"web": file}, r"--bind: fd:web: descriptor 3 \(web\) is no socket", "--bind", "fd:web")
        with self.listener(f"\0weir-{os.getpid()}") as abstract:
            self.expect_refusal({"web": abstract}, r"descriptor 3 \(web\) has no path")

    def test_a_descriptor_that_was_not_passed_is_refused(self):
        self.expect_refusal({"web": self.listener()}, r"descriptor 4 \(unknown\) is not open", LISTEN_FDS="2")

    def test_variables_of_another_process_are_ignored(self):
        server = self.start("serve", self.top, "--port", "0", LISTEN_PID="1", LISTEN_FDS="1").wait_for_banner()
        self.assertEqual(fetch(server.port, "/")[0].status, 200)
        server = self.start("serve", self.top, "--bind", "fd:web", LISTEN_PID="1", LISTEN_FDS="1")
        server.wait_for_line("cannot listen on fd:web, as systemd has passed no socket: LISTEN_PID is 1, which is another process")
        self.assertEqual(server.wait(), 1)

    def test_a_name_is_a_form_of_an_address(self):
        self.assertIn("'fd:' names no passed socket", run("serve", self.top, "--bind", "fd:")[2])
        self.assertIn("give its address", run("health", "fd:web")[2])


if __name__ == "__main__":
    print(f"each wait lasts {PATIENCE_SECONDS} s at most")
    unittest.main()
