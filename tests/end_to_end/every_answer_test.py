"""The fields of --header and --cors are in every answer, of whichever part of weir, once each, in HTTP/1.1 and HTTP/2."""

import http.server
import subprocess
import threading
import unittest

from http2_test import has_http2
from served import PATIENCE_SECONDS, InAFolder, wait_until

ORIGIN = "https://a.example"
PREFLIGHT = ("Origin: " + ORIGIN, "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: X-Asked")


class Behind(http.server.BaseHTTPRequestHandler):
    """/api/own decides itself which pages may read it."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(401 if self.command == "OPTIONS" and self.path != "/api/own" else 200)
        for field in (("Content-Length", "2"), ("X-Mine", "of the server"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"),
                      ("Content-Type", "text/x-own"), ("Vary", "Accept")):
            self.send_header(*field)
        if self.path == "/api/own":
            self.send_header("Access-Control-Allow-Origin", "https://own.example")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"ok")

    do_HEAD = do_OPTIONS = do_GET

    def log_message(self, *_):
        pass


class EveryAnswer(InAFolder):
    version = "--http1.1"

    def setUp(self):
        super().setUp()
        self.root = self.top / "site"
        (self.root / "docs").mkdir(parents=True)
        (self.root / "in").mkdir()
        for name, content in (("docs/a.txt", "a"), ("docs/page.html", "<p>"), ("_redirects", "/moved /docs/a.txt\n"), ("read.md", "# me")):
            (self.root / name).write_text(content, encoding="ascii")

    def served(self, *options, cors=("--cors",)):
        return self.serve(self.root, "--h2c", "--header", "/**: X-Mine: 1", *cors, *options)

    def ask(self, server, target, *options, method="GET", headers=()):
        """The status, and the fields as a list."""
        done = subprocess.run(["curl", "--silent", "--show-error", "--include", "--noproxy", "*", "--max-time", str(PATIENCE_SECONDS),
                               "--http2-prior-knowledge" if self.version == "--http2" else self.version, "--path-as-is", *options,
                               *(("--head",) if method == "HEAD" else ("--request", method)),
                               *(f"-H{header}" for header in headers), f"{server.url}{target.lstrip('/')}"],
                              capture_output=True, timeout=PATIENCE_SECONDS, check=True)
        lines = done.stdout.split(b"\r\n\r\n", 1)[0].decode("latin-1").split("\r\n")
        return int(lines[0].split()[1]), [tuple(line.split(": ", 1)) for line in lines[1:]]

    def values(self, fields, name):
        return [value for own, value in fields if own.lower() == name.lower()]

    def check(self, server, target, status, *options, **request):
        with self.subTest(target=target, status=status, version=self.version, **request):
            got, fields = self.ask(server, target, *options, **request)
            self.assertEqual(got, status)
            self.assertEqual(self.values(fields, "X-Mine"), ["1"])
            self.assertEqual(self.values(fields, "Access-Control-Allow-Origin"), ["*"])
            self.assertEqual(len(self.values(fields, "Access-Control-Expose-Headers")), 1)
            for once in ("Content-Type", "Location", "ETag", "Cache-Control"):
                self.assertLessEqual(len(self.values(fields, once)), 1, once)
            return fields
        return []

    def behind(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Behind)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}"

    def test_redirects_and_what_is_outside_of_a_prefix(self):
        server = self.served("--redirect", "/old/{page}: 301 /docs/{page}")
        self.check(server, "/old/a.txt", 301)
        self.check(server, "/docs/a.txt", 200)
        server = self.served("--prefix", "/below", "--folder-rules", "--listing")
        for target, status in (("/below", 308), ("/else", 404), ("/below/none", 404), ("/below/moved", 301), ("/below/", 200), ("/below/docs", 301)):
            self.check(server, target, status)

    def test_refusals_and_maintenance(self):
        (self.top / "secret").write_bytes(b"k" * 32)
        server = self.served("--deny", "/docs: 0.0.0.0/0", "--signed", f"/in: {self.top / 'secret'}", "--rate", "/read.md: 1/h")
        self.check(server, "/docs/a.txt", 403)
        self.check(server, "/in/", 403)
        self.check(server, "/read.md", 200)
        self.check(server, "/read.md", 429)
        server = self.served("--maintenance", self.top / "closed")
        (self.top / "closed").touch()
        wait_until(lambda: self.ask(server, "/docs/a.txt")[0] == 503)
        self.check(server, "/docs/a.txt", 503)

    def test_archives_pages_and_uploads(self):
        server = self.served("--archive", "--listing", "--markdown", "--upload=/in", "--webdav", "--compress")
        for target, status in (("/docs/?archive=zip", 200), ("/docs/?archive=rar", 400), ("/docs/?archive=zip", 200)):
            self.check(server, target, status)
        self.check(server, "/read.md", 200, headers=("Accept: text/html",))
        self.check(server, "/in/new", 201, "--data-binary", "x", method="PUT")
        self.check(server, "/in/new", 204, "--data-binary", "x", method="PUT")
        self.check(server, "/in/", 303, "--form", "file=x;filename=of-a-form", method="POST")
        self.check(server, "/in/", 207, method="PROPFIND", headers=("Depth: 0",))
        self.check(server, "/in/made", 201, method="MKCOL")

    def test_pages_that_load_again(self):
        server = self.served("--live-reload")
        for target, status in (("/docs/page.html", 200), ("/docs/a.txt", 200), ("/none", 404), ("/.weir/live.js", 200)):
            self.check(server, target, status)

    def test_what_other_servers_answer(self):
        server = self.served("--proxy", f"/api: {self.behind()}", "--proxy", "/gone: http://127.0.0.1:1", "--header", "/**: Vary: Accept-Language",
                             "--header", "/**: Content-Type: text/plain", "--cache-control", "/**: max-age=9")
        for method in ("GET", "HEAD"):
            fields = self.check(server, "/api/x", 200, method=method)
            self.assertEqual(self.values(fields, "Set-Cookie"), ["a=1", "b=2"])
            self.assertEqual(self.values(fields, "Vary"), ["Accept, Accept-Language"])
            self.assertEqual(self.values(fields, "Content-Type"), ["text/x-own"])
            self.assertEqual(self.values(fields, "Cache-Control"), [])
        self.check(server, "/gone", 502)
        self.check(server, "/api/y/../x", 400)

    def test_another_server_may_decide_which_pages_read_it(self):
        behind = self.behind()
        for cors in (("--cors",), ("--cors", ORIGIN)):
            server = self.served("--proxy", f"/api: {behind}", cors=cors)
            for method in ("GET", "OPTIONS"):
                status, fields = self.ask(server, "/api/own", method=method, headers=PREFLIGHT)
                self.assertEqual((status, self.values(fields, "Access-Control-Allow-Origin")), (200, ["https://own.example"]))
                self.assertEqual(self.values(fields, "X-Mine"), ["1"])

    def test_a_preflight_is_answered(self):
        server = self.served("--proxy", f"/api: {self.behind()}", "--proxy", "/gone: http://127.0.0.1:1", "--redirect", "/old: /docs/",
                             "--deny", "/in: 0.0.0.0/0", "--archive", "--listing")
        for target in ("/api/x", "/gone", "/old", "/docs/a.txt", "/docs/?archive=zip"):
            fields = self.check(server, target, 204, method="OPTIONS", headers=PREFLIGHT)
            self.assertEqual(self.values(fields, "Access-Control-Allow-Headers"), ["X-Asked"])
            self.assertEqual(self.values(fields, "Access-Control-Allow-Methods"), ["GET, HEAD, OPTIONS"])
            self.assertEqual((self.values(fields, "Location"), self.values(fields, "Set-Cookie")), ([], []))
        self.check(server, "/in/", 403, method="OPTIONS", headers=PREFLIGHT)

    def test_an_origin_that_is_named(self):
        server = self.served("--proxy", f"/api: {self.behind()}", "--redirect", "/old: /docs/", cors=("--cors", ORIGIN))
        for target in ("/api/x", "/old", "/docs/a.txt"):
            for origin, allowed in ((ORIGIN, [ORIGIN]), ("https://b.example", [])):
                _, fields = self.ask(server, target, headers=(f"Origin: {origin}",))
                self.assertEqual(self.values(fields, "Access-Control-Allow-Origin"), allowed)
                self.assertEqual(" ".join(self.values(fields, "Vary")).count("Origin"), 1)
        status, _ = self.ask(server, "/api/x", method="OPTIONS", headers=("Origin: https://b.example", *PREFLIGHT[1:]))
        self.assertEqual(status, 401, "that of the other server")

    def test_fields_of_the_folder_win(self):
        (self.root / "_headers").write_text("/*\n  X-Mine: 2\n", encoding="ascii")
        server = self.served("--folder-rules", "--compress", "--archive", "--listing", "--proxy", f"/api: {self.behind()}")
        (self.root / "docs" / "long.txt").write_text("long " * 1000, encoding="ascii")
        for target in ("/docs/a.txt", "/docs/long.txt", "/docs/?archive=zip", "/api/x", "/none"):
            _, fields = self.ask(server, target, headers=("Accept-Encoding: gzip",))
            self.assertEqual(self.values(fields, "X-Mine"), ["2"], target)


@unittest.skipUnless(has_http2("curl"), "this curl has no HTTP/2")
class OverHttp2(EveryAnswer):
    version = "--http2"


if __name__ == "__main__":
    unittest.main()
