"""The rules around a site: who may ask, and where requests go, with the real command."""

import http.client
import socket
import tempfile
import unittest
from pathlib import Path

from served import PATIENCE_SECONDS, EndToEnd, run, wait_until

SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "strict-origin-when-cross-origin",
                    "Cross-Origin-Opener-Policy": "same-origin"}


class Folder(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.outside = Path(folder.name)
        self.root = self.outside / "site"
        for name, text in (("index.html", "home"), ("docs/a.txt", "a"), ("admin/index.html", "admin"), ("v2/new page.txt", "new")):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def status(self, server, target, method="GET", **headers):
        return self.fetch(server, target, method, **headers)[0].status


class Access(Folder):
    def test_networks_are_let_in_or_kept_out(self):
        server = self.serve(self.root, "--deny", "/admin/**: 127.0.0.0/8")
        self.assertEqual(self.status(server, "/"), 200)
        for path in ("/admin/", "/admin", "//admin/", "/%61dmin/"):
            self.assertEqual(self.status(server, path), 403, path)
        server = self.serve(self.root, "--allow", "192.0.2.0/24")
        self.assertEqual(self.status(server, "/"), 403)
        server = self.serve(self.root, "--allow", "127.0.0.1", "--deny", "127.0.0.0/8")
        self.assertEqual(self.status(server, "/"), 200)

    def test_unix_sockets_have_a_word_of_their_own(self):
        for option, expected in ((("--allow", "127.0.0.1"), b"403"), (("--allow", "unix"), b"200"), (("--deny", "unix"), b"403")):
            path = self.outside / "socket"
            server = self.start("serve", self.root, "--bind", f"unix:{path}", *option)
            server.wait_for_line("Ctrl-C")
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(PATIENCE_SECONDS)
                client.connect(str(path))
                client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                self.assertEqual(client.recv(1000).split()[1], expected)
            server.signal(15)
            server.wait()


class Moves(Folder):
    def test_redirects(self):
        server = self.serve(self.root, "--redirect", "/old/{page}: 301 /docs/{page}", "--redirect", "/go/{rest...}: https://example.org/{rest...}")
        response, _ = self.fetch(server, "/old/a.txt?x=1")
        self.assertEqual((response.status, response.headers["Location"]), (301, "/docs/a.txt?x=1"))
        response, _ = self.fetch(server, "/go/%0d%0aX:y/%C3%BC")
        self.assertEqual((response.status, response.headers["Location"]), (302, "https://example.org/%0D%0AX:y/%C3%BC"))
        self.assertIsNone(response.headers["X"])

    def test_rewrites_and_the_log_has_what_was_asked_for(self):
        log = self.outside / "log"
        server = self.serve(self.root, "--rewrite", "/new/{name}: /v2/{name}", "--access-log", log)
        self.assertEqual(self.fetch(server, "/new/new%20page.txt?x")[1], b"new")
        self.assertEqual(self.status(server, "/new/none"), 404)
        wait_until(lambda: log.exists() and len(log.read_text().splitlines()) == 2)
        self.assertIn('"GET /new/new%20page.txt?x HTTP/1.1" 200', log.read_text())

    def test_a_site_below_a_prefix(self):
        server = self.serve(self.root, "--prefix", "/below/", "--listing", "--rewrite", "/x: /below/docs/a.txt")
        self.assertEqual(self.fetch(server, "/below/")[1], b"home")
        self.assertEqual(self.status(server, "/"), 404)
        self.assertEqual(self.fetch(server, "/x")[1], b"a")
        response, _ = self.fetch(server, "/below?x")
        self.assertEqual((response.status, response.headers["Location"]), (308, "/below/?x"))
        response, _ = self.fetch(server, "/below/docs")
        self.assertEqual((response.status, response.headers["Location"]), (301, "/below/docs/"))
        self.assertIn(b'href="/below/"', self.fetch(server, "/below/docs/")[1])

    def test_what_is_wrong_is_said(self):
        for option, value, what in (("--redirect", "/a: b", "neither a path"), ("--redirect", "/a: /a?b", "without an end"), ("--redirect", "/a: 200 /b", "301, 302"),
                                    ("--rewrite", "/a: https://x/", "must be a path"), ("--prefix", "a", "must start with a slash"), ("--allow", "10.1.1.1/8", "10.0.0.0/8"),
                                    ("--deny", "a/b: ::1", "must begin with"), ("--maintenance-allow", "::1", "needs --maintenance")):
            status, _, errors = run("serve", self.root, option, value)
            self.assertEqual((status, errors.count("\n")), (2, 1), errors)
            self.assertIn(what, errors)


class Maintenance(Folder):
    def test_a_file_switches_it_on_and_off(self):
        (self.outside / "state").mkdir()
        page = self.outside / "state" / "maintenance.html"
        server = self.serve(self.root, "--maintenance", page)
        self.assertEqual(self.status(server, "/"), 200)
        page.write_text("back at noon")
        wait_until(lambda: self.status(server, "/") == 503)
        response, content = self.fetch(server, "/docs/a.txt")
        self.assertEqual((response.status, content), (503, b"back at noon"))
        self.assertTrue(response.headers["Retry-After"].isdigit())
        page.unlink()
        wait_until(lambda: self.status(server, "/") == 200)
        page.write_text("again")
        server = self.serve(self.root, "--maintenance", page, "--maintenance-allow", "127.0.0.1")
        self.assertEqual(self.status(server, "/"), 200)


class Headers(Folder):
    def test_reach_every_answer(self):
        server = self.serve(self.root, "--security-headers", "--redirect", "/old: /new", "--deny", "/admin/**: 127.0.0.1",
                            "--header", "/docs/**: Referrer-Policy: no-referrer")
        for target, status in (("/", 200), ("/none", 404), ("/docs", 301), ("/old", 302), ("/admin/", 403)):
            response, _ = self.fetch(server, target)
            self.assertEqual(response.status, status)
            for name, value in SECURITY_HEADERS.items():
                self.assertEqual(response.headers.get_all(name), [value], (target, name))
        self.assertEqual(self.fetch(server, "/docs/a.txt")[0].headers.get_all("Referrer-Policy"), ["no-referrer"])


class Order(Folder):
    def test_who_may_not_ask_learns_of_no_redirect_and_maintenance_is_before_all(self):
        page = self.outside / "page.html"
        server = self.serve(self.root, "--deny", "/old/**: 127.0.0.1", "--redirect", "/old/{a}: /new/{a}", "--maintenance", page)
        self.assertEqual(self.status(server, "/old/a"), 403)
        page.write_text("")
        wait_until(lambda: self.status(server, "/old/a") == 503)

    def test_a_connection_goes_on_through_all_rules(self):
        server = self.serve(self.root, "--rewrite", "/{rest...}: /docs/{rest...}", "--security-headers", "--allow", "127.0.0.1")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        for _ in range(3):
            connection.request("GET", "/a.txt")
            self.assertEqual(connection.getresponse().read(), b"a")


if __name__ == "__main__":
    unittest.main()
