"""What the command says and how it ends: banner, wrong use, failure to start."""

import signal
import socket
import tempfile
import unittest
from http.client import HTTPConnection

from served import ENGINES, PATIENCE_SECONDS, SITE, EndToEnd, exchange, run


class Banner(EndToEnd):
    def test_names_address_root_engine_and_workers(self):
        for engine in ENGINES:
            with self.subTest(engine=engine):
                self.engine = engine
                server = self.serve(SITE, "--workers", "2") if engine == "per-core" else self.serve()
                self.fetch(server, "/")
                server.wait_for_line("Ctrl-C stops it")
                said = "\n".join(server.lines)
                for words in (server.url, "www", engine):
                    self.assertIn(words, said)
                if engine == "per-core":
                    self.assertRegex(said, r"\b2\b")

    def test_variables_stand_in_for_options(self):
        server = self.start("serve", WEIR_ROOT=str(SITE), WEIR_PORT="0", WEIR_ENGINE="epoll-edge").wait_for_banner()
        response, _ = self.fetch(server, "/architectures.html")
        self.assertEqual(response.status, 200)
        self.assertIn("epoll-edge", server.wait_for_line("engine .*")[0])

    def test_short_options(self):
        server = self.start("serve", "-r", SITE, "-p", "0", "-b", "127.0.0.1", "-e", "epoll-edge").wait_for_banner()
        self.assertEqual(self.fetch(server, "/")[0].status, 200)

    def test_the_single_page_fallback_where_it_is_asked_for(self):
        response, body = self.fetch(self.serve(SITE, "--spa"), "/some/route")
        self.assertEqual((response.status, body), (200, (SITE / "index.html").read_bytes()))

    def test_the_single_page_fallback_where_a_browser_goes_to_a_path_with_a_dot(self):
        server = self.serve(SITE, "--spa")
        for path, accept, status in (("/user/jane.doe", "text/html,*/*;q=0.8", 200), ("/user/jane.doe", "*/*", 404),
                                     ("/missing.js", "text/html,*/*;q=0.8", 404)):
            with self.subTest(path=path, accept=accept):
                self.assertEqual(self.fetch(server, path, Accept=accept)[0].status, status)


class Addresses(EndToEnd):
    def test_ipv6(self):
        server = self.serve(SITE, "--bind", "::1")
        self.assertEqual(server.host, "[::1]")
        connection = HTTPConnection("::1", server.port, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        response, body = exchange(connection, "/")
        self.assertEqual((response.status, body), (200, (SITE / "index.html").read_bytes()))

    def test_a_unix_socket(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/weir.sock"
            server = self.start("serve", SITE, "--bind", f"unix:{path}")
            server.wait_for_line(path)
            connection = HTTPConnection("localhost")
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(PATIENCE_SECONDS)
            connection.sock.connect(path)
            self.addCleanup(connection.close)
            response, body = exchange(connection, "/")
            self.assertEqual((response.status, body), (200, (SITE / "index.html").read_bytes()))
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 0)


class AccessLog(EndToEnd):
    def test_a_line_for_each_request_that_no_request_can_forge(self):
        server = self.serve(SITE, "--verbose")
        self.fetch(server, "/css/weir.css")
        self.assertIn("200", server.wait_for_line('"GET /css/weir.css HTTP/1.1".*').group())
        self.fetch(server, "/", User_Agent='forged" \xe9 \t end')
        line = server.wait_for_line('"GET / HTTP/1.1".*').group()
        self.assertNotRegex(line, r'forged" |\t')


class WrongUse(unittest.TestCase):
    def assert_wrong_use(self, *arguments, naming):
        status, _, said = run(*arguments)
        self.assertEqual(status, 2, said)
        self.assertEqual(len(said.strip().splitlines()), 1, said)
        self.assertIn(naming, said)

    def test_exits_2_with_one_line(self):
        for arguments, naming in ((("serve", "--nonsense"), "--nonsense"), (("serve", "-p", "many"), "many"), (("serve", "-p", "65536"), "65536"),
                                  (("serve", "-e", "nonsense"), "nonsense"), (("serve", "-w", "none"), "none"), (("nonsense",), "nonsense")):
            with self.subTest(arguments=arguments):
                self.assert_wrong_use(*arguments, naming=naming)

    def test_an_unknown_engine_is_told_the_known_ones(self):
        _, _, said = run("serve", "-e", "nonsense")
        for engine in ENGINES:
            self.assertIn(engine, said)

    def test_help_and_version_are_no_fault(self):
        for option in ("--help", "--version"):
            status, said, _ = run(option)
            self.assertEqual(status, 0)
            self.assertIn("weir", said)


class FailureToStart(unittest.TestCase):
    def test_a_taken_port_exits_1_and_says_what_to_do(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            status, _, said = run("serve", SITE, "--port", port)
        self.assertEqual(status, 1, said)
        self.assertIn(str(port), said)
        self.assertIn("--port 0", said)

    def test_a_missing_folder_exits_1_and_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            status, _, said = run("serve", f"{folder}/nowhere", "--port", "0")
        self.assertEqual(status, 1, said)
        self.assertIn("nowhere", said)


if __name__ == "__main__":
    unittest.main()
