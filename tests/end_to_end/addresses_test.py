"""Where requests go: redirects, rewrites, a prefix, maintenance, and the fields that all answers have."""

import json
import socket
import unittest

from served import PATIENCE_SECONDS, InAFolder, for_each_engine, run, wait_until

SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "strict-origin-when-cross-origin",
                    "Cross-Origin-Opener-Policy": "same-origin"}


class Addresses(InAFolder):
    def setUp(self):
        super().setUp()
        self.root = self.top / "site"
        for name, text in (("index.html", "home"), ("docs/a.txt", "a"), ("admin/index.html", "admin"), ("v2/new page.txt", "new")):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="ascii")

    def status(self, server, target, method="GET", **headers):
        return self.fetch(server, target, method, **headers)[0].status

    def location(self, server, target):
        response, _ = self.fetch(server, target)
        return response.status, response.headers["Location"]


@for_each_engine
class UnderEachEngine(Addresses):
    def test_a_connection_goes_on_through_all_handlers(self):
        page = self.top / "closed.html"
        server = self.serve(self.root, "--rewrite", "/short/{rest...}: /docs/{rest...}", "--redirect", "/old/{page}: 301 /new/{page}",
                            "--prefix", "/below", "--rewrite", "/x/{rest...}: /{rest...}", "--security-headers",
                            "--maintenance", page, "--maintenance-except", "192.0.2.1", "--allow", "127.0.0.1")
        connection = self.connect(server)
        for target, status, text in (("/below/x/docs/a.txt", 200, b"a"), ("/below/", 200, b"home"), ("/below/old/p?q", 301, None),
                                     ("/old/p", 404, None), ("/short/a.txt", 404, None), ("/below/short/a.txt", 200, b"a"),
                                     ("/below/docs/a.txt", 200, b"a")):
            connection.request("GET", target)
            response = connection.getresponse()
            body = response.read()
            self.assertEqual((response.status, text or body), (status, body), target)
            self.assertEqual(response.headers["X-Frame-Options"], "DENY", target)
        page.write_text("closed", encoding="ascii")
        wait_until(lambda: self.status(server, "/below/") == 503)

    def test_content_is_refused_as_without_them(self):
        server = self.serve(self.root, "--rewrite", "/{rest...}: /docs/{rest...}")
        self.assertEqual(self.fetch(server, "/a.txt")[1], b"a")
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as peer:
            peer.sendall(b"POST /a.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            self.assertTrue(peer.recv(1000).startswith(b"HTTP/1.1 405 "))


class Moves(Addresses):
    def test_redirects(self):
        server = self.serve(self.root, "--redirect", "/old/{page}: 301 /docs/{page}", "--redirect", "/go/{rest...}: https://example.org/{rest...}")
        self.assertEqual(self.location(server, "/old/a.txt?x=1"), (301, "/docs/a.txt?x=1"))
        response, _ = self.fetch(server, "/go/%0d%0aX:y/%C3%BC")
        self.assertEqual((response.status, response.headers["Location"]), (302, "https://example.org/%0D%0AX:y/%C3%BC"))
        self.assertIsNone(response.headers["X"])

    def test_a_trusted_proxy_names_the_scheme(self):
        to_https = ("--redirect", "/{rest...}: https://www.example.org/{rest...}")
        server = self.serve(self.root, *to_https, "--trust", "127.0.0.1")
        forwarded = self.serve(self.root, *to_https, "--trust", "127.0.0.1", "--trust-field", "forwarded")
        for of, fields, status in (
                (server, {"X_Forwarded_Proto": "https"}, 200), (server, {"X_Forwarded_Proto": "HTTPS", "X_Forwarded_For": "192.0.2.7"}, 200),
                (server, {}, 302), (server, {"X_Forwarded_Proto": "http"}, 302), (server, {"X_Forwarded_Proto": "https, http"}, 302),
                (server, {"Forwarded": "for=192.0.2.7;proto=https"}, 302),
                (forwarded, {"Forwarded": "for=192.0.2.7;proto=https"}, 200), (forwarded, {"Forwarded": 'proto="https"'}, 200),
                (forwarded, {"Forwarded": "for=192.0.2.7;proto=https, for=192.0.2.8"}, 302), (forwarded, {"X_Forwarded_Proto": "https"}, 302),
                (self.serve(self.root, *to_https), {"X_Forwarded_Proto": "https"}, 302)):
            self.assertEqual(self.fetch(of, "/docs/a.txt", Host="www.example.org", **fields)[0].status, status, fields)
        self.assertEqual(self.location(server, "/docs/a.txt")[0], 302)

    def test_rewrites_and_the_log_has_what_was_asked_for(self):
        log = self.top / "log"
        server = self.serve(self.root, "--rewrite", "/new/{name}: /v2/{name}", "--access-log", log)
        self.assertEqual(self.fetch(server, "/new/new%20page.txt?x")[1], b"new")
        self.assertEqual(self.status(server, "/new/none"), 404)
        wait_until(lambda: log.exists() and len(log.read_text(encoding="ascii").splitlines()) == 2)
        self.assertIn('"GET /new/new%20page.txt?x HTTP/1.1" 200', log.read_text(encoding="ascii"))

    def test_a_site_below_a_prefix(self):
        server = self.serve(self.root, "--prefix", "/below/", "--listing", "--rewrite", "/x: /docs/a.txt")
        self.assertEqual(self.fetch(server, "/below/")[1], b"home")
        self.assertEqual(self.status(server, "/"), 404)
        self.assertEqual(self.status(server, "/docs/a.txt"), 404)
        self.assertEqual(self.fetch(server, "/below/x")[1], b"a")
        self.assertEqual(self.status(server, "/x"), 404)
        self.assertEqual(self.location(server, "/below?x"), (308, "/below/?x"))
        self.assertEqual(self.location(server, "/below/docs"), (301, "./docs/"))
        self.assertIn(b'href="../"', self.fetch(server, "/below/docs/")[1])
        listing = json.loads(self.fetch(server, "/below/docs/", Accept="application/json")[1])
        self.assertEqual((listing["path"], listing["entries"][0]["href"]), ("/below/docs/", "./a.txt"))

    def test_paths_of_redirects_are_below_a_prefix(self):
        server = self.serve(self.root, "--prefix", "/be low", "--redirect", "/old/{page}: 301 /docs/{page}", "--redirect", "/new: /docs/a.txt",
                            "--redirect", "/away: https://example.org/away", "--rewrite", "/new: /index.html",
                            "--redirect", "example.org/{rest...}: http://127.0.0.1/{rest...}")
        for target, location in (("/be%20low/old/a.txt?x=1", "/be%20low/docs/a.txt?x=1"), ("/be%20low/new", "/be%20low/docs/a.txt"),
                                 ("/be%20low/away", "https://example.org/away"), ("/old/a.txt", None), ("/be%20low/docs/a.txt", None)):
            self.assertEqual(self.location(server, target)[1], location, target)
        response, _ = self.fetch(server, "/be%20low/x", Host="example.org")
        self.assertEqual(response.headers["Location"], "http://127.0.0.1/x")
        server = self.serve(self.root, "--prefix", "/below", "--redirect", "/{rest...}: http://example.org/below/{rest...}")
        self.assertEqual(self.location(server, "/below/docs/a.txt"), (302, "http://example.org/below/docs/a.txt"))
        response, content = self.fetch(server, "/below/docs/a.txt", Host="example.org")
        self.assertEqual((response.status, content), (200, b"a"), "it is there already")
        server = self.serve(self.root, "--prefix", "/below", "--redirect", "/{rest...}: http://example.org/{rest...}")
        response, _ = self.fetch(server, "/below/docs/a.txt", Host="example.org")
        self.assertEqual(response.headers["Location"], "http://example.org/docs/a.txt")

    def test_what_is_wrong_is_said(self):
        for option, value, what in (("--redirect", "/a: b", "neither a path"), ("--redirect", "/a: /a?b", "without an end"),
                                    ("--redirect", "/a: 200 /b", "301, 302"), ("--rewrite", "/a: https://x/", "must be a path"),
                                    ("--prefix", "a", "must start with a slash"), ("--maintenance-except", "::1", "needs --maintenance")):
            status, _, errors = run("serve", self.root, option, value)
            self.assertEqual((status, errors.count("\n")), (2, 1), errors)
            self.assertIn(what, errors)


class Maintenance(Addresses):
    def test_a_file_switches_it_on_and_off(self):
        (self.top / "state").mkdir()
        page = self.top / "state" / "maintenance.html"
        server = self.serve(self.root, "--maintenance", page)
        self.assertEqual(self.status(server, "/"), 200)
        page.write_text("back at noon", encoding="ascii")
        wait_until(lambda: self.status(server, "/") == 503)
        response, content = self.fetch(server, "/docs/a.txt")
        self.assertEqual((response.status, content), (503, b"back at noon"))
        self.assertTrue(response.headers["Retry-After"].isdigit())
        page.unlink()
        wait_until(lambda: self.status(server, "/") == 200)
        page.write_text("again", encoding="ascii")
        server = self.serve(self.root, "--maintenance", page, "--maintenance-except", "127.0.0.1")
        self.assertEqual(self.status(server, "/"), 200)


class Order(Addresses):
    def test_a_rule_holds_for_the_path_that_is_served_and_for_the_one_that_was_asked_for(self):
        server = self.serve(self.root, "--deny", "/admin: 127.0.0.0/8", "--rewrite", "/public/{rest...}: /admin/{rest...}",
                            "--rewrite", "/admin/docs/{rest...}: /docs/{rest...}")
        for target in ("/admin/", "/public/", "/%70ublic/index.html", "//public/x", "/admin/docs/a.txt"):
            self.assertEqual(self.status(server, target), 403, target)
        self.assertEqual(self.status(server, "/docs/a.txt"), 200)

    def test_files_are_meant_below_a_prefix(self):
        server = self.serve(self.root, "--prefix", "/below", "--deny", "/admin: 127.0.0.0/8")
        self.assertEqual(self.status(server, "/below/admin/"), 403)
        self.assertEqual(self.status(server, "/below/docs/a.txt"), 200)

    def test_a_signed_link_is_that_of_the_address(self):
        key = self.top / "key"
        key.write_bytes(b"k" * 32)
        server = self.serve(self.root, "--prefix", "/below", "--signed", f"/docs: {key}")
        status, link, _ = run("sign", f"{server.url}below/docs/a.txt", "--signed", key, "--expires", "1h")
        self.assertEqual(status, 0)
        self.assertEqual(self.fetch(server, link.strip().removeprefix(server.url.rstrip("/")))[1], b"a")
        self.assertEqual(self.status(server, "/below/docs/a.txt"), 403)

    def test_clients_who_may_not_ask_learn_of_no_redirect(self):
        page = self.top / "page.html"
        server = self.serve(self.root, "--deny", "/old: 127.0.0.1", "--redirect", "/old/{a}: /new/{a}", "--maintenance", page)
        self.assertEqual(self.status(server, "/old/a"), 403)
        page.write_text("", encoding="ascii")
        wait_until(lambda: self.status(server, "/old/a") == 503)


class Headers(Addresses):
    def test_reach_each_answer(self):
        server = self.serve(self.root, "--security-headers", "--redirect", "/old: /new", "--deny", "/admin: 127.0.0.1",
                            "--header", "/docs/**: Referrer-Policy: no-referrer")
        for target, status in (("/", 200), ("/none", 404), ("/docs", 301), ("/old", 302), ("/admin/", 403)):
            response, _ = self.fetch(server, target)
            self.assertEqual(response.status, status)
            for name, value in SECURITY_HEADERS.items():
                self.assertEqual(response.headers.get_all(name), [value], (target, name))
        self.assertEqual(self.fetch(server, "/docs/a.txt")[0].headers.get_all("Referrer-Policy"), ["no-referrer"])


if __name__ == "__main__":
    unittest.main()
